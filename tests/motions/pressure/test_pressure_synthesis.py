# SPDX-License-Identifier: GPL-3.0-or-later
"""Motions laid by what pressure was found to be: feet that stand, steps that land where the user's foot did, another pace."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from lope.addon.errors import InputError
from lope.addon.maths.rotations import matrix_from_quat
from lope.addon.motions.pressure.database import PER_FRAME, Database
from lope.addon.motions.pressure.recognition import QUIET, Match
from lope.addon.motions.pressure.synthesis import Synthesis, runs_of, synthesise
from lope.addon.motions.responses.response import reference_body
from pressure_kit import ON_GROUND_M, database, jumps_deg, penetration_m, plain, slip_m, user_ankles

LONG_M = 0.15
"""By how far a user's step misses the database's."""


def laid(matches: list[Match], ankles_m: np.ndarray | None = None) -> Synthesis:
    """The motion of matches on the reference body."""
    return synthesise(reference_body(), database(), matches, ankles_m)


def stands_well(motion: Synthesis) -> None:
    """Feet that are planted neither slip nor go through the ground."""
    assert slip_m(motion) <= 0.005
    assert penetration_m(motion) <= 0.005


@pytest.mark.parametrize("hour", range(12))
def test_a_step_lands_where_the_users_foot_did(hour: int) -> None:
    before, turn = laid(plain(0)), math.radians(30.0 * hour)
    shift = LONG_M * np.array([math.cos(turn), math.sin(turn)])
    after = laid(plain(0), user_ankles(before, shift))
    here, there = before.figure.ankles[-1, :, :2], after.figure.ankles[-1, :, :2]
    assert np.linalg.norm(there[1] - here[1] - shift) < 0.03
    assert np.linalg.norm(there[0] - here[0]) < 0.005
    stands_well(after)
    assert jumps_deg(after) < 10.0
    for name in ("shank_L", "shank_R"):  # both legs as long as they were: the root rises or sinks with that
        knee = reference_body().joint_segments.index(name)
        bend = [2.0 * math.acos(min(abs(motion.figure.joints[-1, knee, 0]), 1.0)) for motion in (before, after)]
        assert bend[1] == pytest.approx(bend[0], abs=math.radians(3.0))


def test_the_leg_that_swings_stays_as_long_as_it_was() -> None:
    before = laid(plain(0))
    after = laid(plain(0), user_ankles(before, np.array([0.0, -LONG_M])))
    knee = reference_body().joint_segments.index("shank_R")
    swing = np.flatnonzero(~before.planted[:, 1].any(axis=1))
    middle = swing[len(swing) // 2]
    bend = [2.0 * math.acos(min(abs(motion.figure.joints[middle, knee, 0]), 1.0)) for motion in (before, after)]
    assert bend[1] == pytest.approx(bend[0], abs=math.radians(3.0))


def test_a_place_that_nobody_steps_to_is_no_step() -> None:
    before = laid(plain(0))
    after = laid(plain(0), user_ankles(before, np.array([2.0, 0.0])))
    assert np.allclose(after.figure.ankles, before.figure.ankles, atol=0.005)


def test_a_foot_that_is_known_only_after_its_step_does_not_tell_where_the_mat_is() -> None:
    before = laid(plain(0))
    ankles = user_ankles(before, np.zeros(2))
    ankles[:np.argmin(before.planted[::PER_FRAME, 1].any(axis=1)) + 1, 1] = np.nan
    assert np.allclose(laid(plain(0), ankles).figure.ankles, before.figure.ankles, atol=0.005)


@pytest.mark.parametrize("pace", [1.3, 0.7])
@pytest.mark.parametrize("row", [0, 1])
def test_another_pace_makes_no_jump(pace: float, row: int) -> None:
    motion, own = laid(plain(row, pace)), laid(plain(row))
    assert len(motion.planted) == pytest.approx(len(own.planted) / pace, abs=PER_FRAME)
    assert jumps_deg(motion) < min(10.0, 1.15 * max(pace, 1.0) * jumps_deg(own))
    assert np.allclose(motion.figure.ankles[-1, :, :2], own.figure.ankles[-1, :, :2], atol=0.02)
    stands_well(motion)


def test_motions_go_over_into_one_another_on_their_feet() -> None:
    quiet = [Match(QUIET)] * 12
    motion = laid([*quiet, *plain(0), *quiet, *plain(1), *quiet])
    stands_well(motion)
    assert jumps_deg(motion) < 10.0
    ahead, aside = motion.figure.ankles[-1, 1, :2] - motion.figure.ankles[0, 1, :2]
    assert abs(ahead) < 0.02 and aside == pytest.approx(-0.25, abs=0.03)  # beside the foot that stands, as that step is
    forward = matrix_from_quat(motion.figure.turn)[:, :, 0]
    assert np.abs(np.arctan2(forward[:, 1], forward[:, 0])).max() < math.radians(5.0)


def test_a_foot_that_is_lifted_as_recognition_changes_its_mind_does_not_jump() -> None:
    up = int(np.argmin(database().active[0].planted[:, 1].any(axis=1))) // PER_FRAME + 2
    motion = laid([*plain(1), *plain(0)[:up], *[Match(QUIET)] * 12])  # from feet that stand wide
    goes = np.linalg.norm(np.diff(motion.figure.ankles, axis=0), axis=2)
    assert goes.max() < 0.03
    assert jumps_deg(motion) < 10.0
    stands_well(motion)


def test_slips_of_recognition_are_part_of_what_they_are_in() -> None:
    runs = runs_of([Match(QUIET), *plain(0)[:10], Match(1, 3), Match(1, 4), *[Match(QUIET)] * 5])
    assert [(run.row, run.begin, run.end) for run in runs] == [(0, 0, 13), (QUIET, 13, 18)]
    assert all(len(run.frames) == run.end - run.begin for run in runs)


def test_a_foot_that_is_light_for_a_moment_does_not_step() -> None:
    hopped = database().active[0]
    planted = hopped.planted.copy()
    planted[10:14, 0] = False
    other = Database("hops", "CC0-1.0", (replace(hopped, planted=planted),))
    found = synthesise(reference_body(), other, plain(0))
    assert found.planted[10:14, 0].any(axis=1).all()


def test_nothing_but_quiet_stance_without_one_is_refused() -> None:
    with pytest.raises(InputError, match="quiet stance"):
        synthesise(reference_body(), database().without(["stands"]), [Match(QUIET)] * 12)


def test_points_on_the_ground_are_told_from_those_in_the_air() -> None:
    motion = laid(plain(0))
    assert ON_GROUND_M < 0.01 < slip_m(motion, planted=np.ones_like(motion.planted))
