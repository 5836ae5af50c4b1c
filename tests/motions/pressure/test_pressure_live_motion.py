# SPDX-License-Identifier: GPL-3.0-or-later
"""Poses as a stream comes: five a frame, given for good, feet that stand, steps that land where the user's foot does."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pytest

from lope.addon.errors import InputError
from lope.addon.motions.pressure.database import PER_FRAME, Database
from lope.addon.motions.pressure.live import LiveReading
from lope.addon.motions.pressure.live_motion import LiveMotion, in_a_row
from lope.addon.motions.pressure.recognition import AHEAD, QUIET, Match
from lope.addon.motions.pressure.synthesis import Synthesis, synthesise
from lope.addon.motions.responses.response import reference_body
from pressure_kit import database, jumps_deg, penetration_m, plain, slip_m, user_ankles, write_steps

LONG_M = 0.15
QUIETLY = [Match(QUIET)] * 12


def parts(matches: Sequence[Match], ankles_m: np.ndarray | None = None, ahead: int = AHEAD) -> list[Synthesis]:
    """What is given frame by frame, so many more being known."""
    live = LiveMotion(reference_body(), database())
    return [live.push(matches[i:i + 1 + ahead], None if ankles_m is None else ankles_m[i:i + 1 + ahead])
            for i in range(len(matches))]


def stands_well(motion: Synthesis) -> None:
    """Feet that are planted neither slip nor go through the ground, and nothing jumps."""
    assert slip_m(motion) <= 0.005
    assert penetration_m(motion) <= 0.005
    assert jumps_deg(motion) < 10.0
    assert np.linalg.norm(np.diff(motion.figure.root, axis=0), axis=1).max() < 0.03


@pytest.mark.slow
def test_a_frame_gives_five_poses_and_they_stay_as_they_are() -> None:
    matches = [*QUIETLY, *plain(0)]
    live = LiveMotion(reference_body(), database())
    given, kept = [], []
    for i in range(len(matches)):
        given.append(live.push(matches[i:i + 1 + AHEAD]))
        kept.append(given[-1].figure.joints.copy())
        assert len(given[-1].figure.root) == len(given[-1].planted) == PER_FRAME
    assert all(np.array_equal(part.figure.joints, joints) for part, joints in zip(given, kept, strict=True))


@pytest.mark.slow
def test_it_is_the_motion_that_is_laid_of_the_whole_recording() -> None:
    matches = [*QUIETLY, *plain(0), *QUIETLY]
    live, whole = in_a_row(parts(matches)), synthesise(reference_body(), database(), matches)
    assert np.array_equal(live.planted.any(axis=2)[60:], whole.planted.any(axis=2)[60:])
    assert np.abs(live.figure.ankles - whole.figure.ankles).max() < 0.03
    assert np.abs(live.figure.root - whole.figure.root).max() < 0.03
    stands_well(live)


@pytest.mark.slow
@pytest.mark.parametrize("hour", range(12))
def test_a_step_lands_where_the_users_foot_did(hour: int) -> None:
    before, turn = in_a_row(parts([*QUIETLY, *plain(0)])), math.radians(30.0 * hour)
    shift = LONG_M * np.array([math.cos(turn), math.sin(turn)])
    after = in_a_row(parts([*QUIETLY, *plain(0)], user_ankles(before, shift)))
    here, there = before.figure.ankles[-1, :, :2], after.figure.ankles[-1, :, :2]
    assert np.linalg.norm(there[1] - here[1] - shift) < 0.03
    assert np.linalg.norm(there[0] - here[0]) < 0.005
    stands_well(after)


@pytest.mark.slow
def test_a_foot_that_is_not_seen_to_land_steps_as_the_motion_has_it() -> None:
    before = in_a_row(parts([*QUIETLY, *plain(0)]))
    after = in_a_row(parts([*QUIETLY, *plain(0)], user_ankles(before, np.array([0.0, LONG_M])), ahead=0))
    assert np.allclose(after.figure.ankles[-1, 1], before.figure.ankles[-1, 1], atol=0.02)
    stands_well(after)


@pytest.mark.slow
@pytest.mark.parametrize("pace", [1.3, 0.7])
def test_another_pace_makes_no_jump(pace: float) -> None:
    motion, own = in_a_row(parts([*QUIETLY, *plain(0, pace)])), in_a_row(parts([*QUIETLY, *plain(0)]))
    assert jumps_deg(motion) < 1.15 * max(pace, 1.0) * jumps_deg(own)
    assert np.allclose(motion.figure.ankles[-1, :, :2], own.figure.ankles[-1, :, :2], atol=0.02)
    stands_well(motion)


@pytest.mark.slow
def test_motions_go_over_into_one_another_on_their_feet() -> None:
    motion = in_a_row(parts([*QUIETLY, *plain(0), *QUIETLY, *plain(1), *QUIETLY]))
    stands_well(motion)
    ahead, aside = motion.figure.ankles[-1, 1, :2] - motion.figure.ankles[0, 1, :2]
    assert abs(ahead) < 0.02 and aside == pytest.approx(-0.25, abs=0.03)  # beside the foot that stands, as that step is


@pytest.mark.slow
def test_another_motion_in_the_midst_of_a_step_makes_no_jump() -> None:
    motion = in_a_row(parts([*QUIETLY, *plain(0)[:10], *plain(1)[9:], *QUIETLY]))
    stands_well(motion)
    assert motion.planted[-1].any(axis=1).all() and not motion.planted.any(axis=2).all(), "a foot steps, and comes down"


@pytest.mark.slow
@pytest.mark.parametrize("frame", range(8, 15))
def test_a_motion_that_begins_in_the_midst_of_a_swing_lifts_no_foot_at_once(frame: int) -> None:
    motion = in_a_row(parts([*QUIETLY, *plain(0)[frame:], *QUIETLY]))
    stands_well(motion)
    assert np.abs(np.diff(motion.figure.ankles[..., 2], axis=0)).max() < 0.012
    knees = [reference_body().joint_segments.index(name) for name in ("shank_L", "shank_R")]
    bend = np.degrees(2.0 * np.arccos(np.clip(np.abs(motion.figure.joints[:, knees, 0]), 0.0, 1.0)))
    assert np.abs(np.diff(bend, n=2, axis=0)).max() < 7.5


@pytest.mark.slow
def test_a_slip_of_the_recognition_begins_nothing() -> None:
    steady = [*QUIETLY, *plain(0), *QUIETLY]
    slipped = steady.copy()
    slipped[20:22] = [Match(1, 3), Match(1, 4)]
    one, other = in_a_row(parts(steady)), in_a_row(parts(slipped))
    assert np.abs(one.figure.ankles - other.figure.ankles).max() < 0.01


def test_a_database_without_stance_is_refused() -> None:
    with pytest.raises(InputError, match="quiet stance"):
        LiveMotion(reference_body(), database().without(["stands"]))
    with pytest.raises(InputError, match="Nothing was laid"):
        in_a_row([])


@pytest.mark.slow
def test_lines_of_a_mat_become_poses(tmp_path) -> None:
    write_steps(tmp_path)
    known = Database.load(tmp_path / "steps.npz")
    live = LiveReading(known, keeps=True, motion=LiveMotion(reference_body(), known))
    given = []
    for n, line in enumerate((tmp_path / "steps.csv").read_text().splitlines()):
        live.push(line)
        given.append((n, len(live.given)))
    told = live.end()
    assert len(live.given) == len(live) and len(told) == AHEAD
    assert given[-1][1] == len(live) - AHEAD
    reading = live.reading()
    assert len(reading.motion.planted) == PER_FRAME * len(live)
    assert reading.motion.mat_m is not None
    stands_well(reading.motion)
    step = reading.motion.figure.ankles[-1, 1, 0] - reading.motion.figure.ankles[0, 1, 0]
    assert step == pytest.approx(0.35, abs=0.04)
