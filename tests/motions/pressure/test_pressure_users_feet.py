# SPDX-License-Identifier: GPL-3.0-or-later
"""Feet that are where the user's are though no known motion has them there: in the first stance, and after an unknown step."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from lope.addon.motions.pressure.database import PER_FRAME, Database
from lope.addon.motions.pressure.live_motion import LiveMotion, in_a_row
from lope.addon.motions.pressure.recognition import AHEAD, QUIET, Match
from lope.addon.motions.pressure.synthesis import Synthesis, synthesise
from lope.addon.motions.responses.response import reference_body
from pressure_kit import jumps_deg, penetration_m, slip_m, step_motion

pytestmark = pytest.mark.slow

AHEAD_M = 0.7
FRAMES, UP, DOWN = 48, 18, 22


@cache
def database() -> Database:
    """A stance, and a step ahead with the right foot."""
    return Database("steps", "CC0-1.0", (step_motion("stands", 0.0, 0.0, True), step_motion("ahead", 0.35, 0.0)))


def laid(matches: list[Match], ankles_m: np.ndarray | None = None) -> Synthesis:
    return synthesise(reference_body(), database(), matches, ankles_m)


def feet(motion: Synthesis, frame: int) -> np.ndarray:
    """The ankles (2, 2) at a frame of pressure."""
    return motion.figure.ankles[PER_FRAME * frame, :, :2]


def staggered() -> np.ndarray:
    """A user's ankles (T, 2, 2) on the mat, who stands with the right foot ahead."""
    stands = feet(laid([Match(QUIET)] * FRAMES), 0)
    return np.repeat((stands + [[-0.12, 0.0], [0.12, 0.0]] + [3.0, -1.0])[None], FRAMES, axis=0)


def steps_ahead() -> np.ndarray:
    """The same, who steps ahead with the left foot, and stands so."""
    ankles = staggered()
    ankles[UP:DOWN, 0] = np.nan
    ankles[DOWN:, 0] += [AHEAD_M, 0.05]
    return ankles


def stands_well(motion: Synthesis) -> None:
    assert slip_m(motion) <= 0.005
    assert penetration_m(motion) <= 0.005
    assert jumps_deg(motion) < 10.0


def test_the_first_stance_is_the_users() -> None:
    ankles = staggered()
    motion = laid([Match(QUIET)] * FRAMES, ankles)
    assert motion.mat_m is not None
    for frame in (0, FRAMES - 1):
        assert np.allclose(feet(motion, frame), ankles[frame] + motion.mat_m, atol=0.005)
    stands_well(motion)
    root = motion.figure.root[0, :2] - laid([Match(QUIET)] * FRAMES).figure.root[0, :2]
    assert np.linalg.norm(root) < 0.005  # as the mat lies


def test_the_first_stance_of_a_stream_is_the_users() -> None:
    ankles = staggered()
    live = LiveMotion(reference_body(), database())
    motion = in_a_row([live.push([Match(QUIET)] * (1 + AHEAD), ankles[i:i + 1 + AHEAD]) for i in range(12)])
    assert motion.mat_m is not None
    assert np.allclose(feet(motion, 0), ankles[0] + motion.mat_m, atol=0.005)
    stands_well(motion)


def test_a_known_step_out_of_another_stance_lands_where_the_users_foot_did() -> None:
    ahead = [Match(0, i) for i in range(len(database().active[0]) // PER_FRAME)]
    ankles = staggered()[:len(ahead)]
    up = laid(ahead).planted[::PER_FRAME, 1].any(axis=1)
    ankles[np.argmin(up):, 1] += [0.1, 0.0]
    ankles[~up, 1] = np.nan
    motion = laid(ahead, ankles)
    assert motion.mat_m is not None
    assert np.allclose(feet(motion, len(ahead) - 1), ankles[-1] + motion.mat_m, atol=0.03)
    stands_well(motion)


def test_one_foot_that_is_known_moves_none() -> None:
    ankles = staggered()
    ankles[:, 0] = np.nan
    plain = [Match(QUIET)] * FRAMES
    assert np.allclose(laid(plain, ankles).figure.ankles, laid(plain).figure.ankles)


def test_a_step_that_is_not_recognised_is_taken_all_the_same() -> None:
    ankles = steps_ahead()
    motion = laid([Match(QUIET)] * FRAMES, ankles)
    assert motion.mat_m is not None
    stands = motion.planted.any(axis=2)
    assert stands[:, 1].all() and np.array_equal(np.flatnonzero(~stands[:, 0]), np.arange(PER_FRAME * UP, PER_FRAME * DOWN))
    assert np.allclose(feet(motion, FRAMES - 1), ankles[-1] + motion.mat_m, atol=0.03)
    assert np.allclose(feet(motion, UP - 1), ankles[UP - 1] + motion.mat_m, atol=0.005)
    stands_well(motion)


@pytest.mark.parametrize("seen", [True, False])
def test_who_is_seen_to_stand_wide_does_not_step(seen: bool) -> None:
    """In the stance that begins anew after a step, with feet that are farther apart than anybody's."""
    wide = Database("wide", "CC0-1.0", (step_motion("stands", 0.0, 0.0, True), step_motion("lunge", 0.8, 0.0)))
    matches = [Match(0, i) for i in range(18)] + [Match(QUIET)] * 24
    plain = synthesise(reference_body(), wide, matches[:18])
    ankles = np.repeat(feet(plain, 17)[None], len(matches), axis=0)
    ankles[:18] = plain.figure.ankles[:PER_FRAME * 18:PER_FRAME, :, :2]
    ankles[:18][~plain.planted[::PER_FRAME].any(axis=2)] = np.nan
    if not seen:
        ankles[18:] = np.nan
    motion = synthesise(reference_body(), wide, matches, ankles)
    assert motion.planted[PER_FRAME * 18:].any(axis=2).all() == seen
    assert slip_m(motion) <= 0.005


@pytest.mark.parametrize("far_m", [0.05, 3.0])
def test_what_is_no_step_is_none(far_m: float) -> None:
    """A foot that rolls, and one that is lost for so long that nobody is up."""
    ankles = staggered()
    ankles[UP:DOWN + (24 if far_m > 1.0 else 0), 0] = np.nan
    ankles[DOWN:, 0, 0] += far_m
    assert laid([Match(QUIET)] * FRAMES, ankles).planted.any(axis=2).all()
