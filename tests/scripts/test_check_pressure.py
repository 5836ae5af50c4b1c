# SPDX-License-Identifier: GPL-3.0-or-later
"""scripts/check pressure: recordings of several motions, laid one after another."""

from dataclasses import replace

import numpy as np
import pytest

from lope.addon.motions.pressure.database import Database
from lope.addon.motions.pressure.features import NAMES, features_of
from lope.addon.motions.pressure.images import MAT_RATE_HZ, side_by_side
from lope.addon.motions.pressure.recognition import QUIET, Match
from lope.scripts.suites.pressed import FADE_S, STANCE_S, Occurrence, recordings
from lope.scripts.suites.pressure import Doubts
from pressure_kit import in_soles, on_mat, step_motion

pytestmark = pytest.mark.slow


def made(name: str, ahead_m: float, still: bool = False) -> Occurrence:
    """A step whose foot is off the ground from the 8th frame to the 14th."""
    motion = step_motion(name, ahead_m, 0.0, still)
    soles = side_by_side(*in_soles(motion, MAT_RATE_HZ))
    return Occurrence(name, "made", "followed", on_mat(motion), soles, () if still else ((8, 14),))


@pytest.fixture(scope="module")
def ones() -> list[Occurrence]:
    return [made(f"step_{i}", ahead) for i, ahead in enumerate((0.3, 0.3, -0.2))]


@pytest.mark.parametrize("soles", [False, True])
def test_a_recording_holds_each_motion_where_it_says(ones, soles):
    still = _twice(made("stands", 0.0, still=True))
    found = recordings(ones, still, 2, 7, soles)
    assert [len(one.moves) for one in found] == [2, 1] and {move[0] for one in found for move in one.moves} == {
        one.clip for one in ones}
    lasts = round(STANCE_S * MAT_RATE_HZ) + 2 * round(FADE_S * MAT_RATE_HZ) + len(ones[0].mat)
    assert len(found[0].pressure) == 2 * lasts + round(STANCE_S * MAT_RATE_HZ)
    for one in found:
        seen = features_of(one.pressure)
        lifted = np.flatnonzero(seen[:, NAMES.index("area_right")] == 0.0)
        inside = [any(begin - 1 <= frame <= end for _, begin, end in one.moves) for frame in lifted]
        assert len(lifted) >= 5 * len(one.moves) and all(inside)
        weight = one.pressure.force_n
        np.testing.assert_allclose(weight, np.median(weight), rtol=0.06)


def test_motions_begin_where_the_feet_are(ones):
    still = _twice(made("stands", 0.0, still=True))
    for one in recordings(ones, still, 3, 7):
        speed = np.linalg.norm(np.diff(one.pressure.centre_m, axis=0), axis=1) * MAT_RATE_HZ
        moving = np.zeros(len(speed), dtype=bool)
        for _, begin, end in one.moves:
            moving[begin - 2:end + 1] = True
        assert speed[~moving].max() < 0.3 < speed[moving].max()


def _twice(one: Occurrence) -> Occurrence:
    """A stance that lasts twice as long."""
    mat, soles = (replace(felt, images=np.concatenate([felt.images] * 2)) for felt in (one.mat, one.soles))
    return replace(one, mat=mat, soles=soles)


def test_doubted_pieces_and_frames_of_motions_left_out_are_counted():
    motions = [replace(step_motion(name, ahead, 0.0, name == "stands"), source=f"{name}.bvh", features=features_of(
        on_mat(step_motion(name, ahead, 0.0, name == "stands")))) for name, ahead in (
            ("stands", 0.0), ("step_ahead", 0.3), ("step_far", 0.31), ("back", -0.25))]
    database = Database("own", "", tuple(motions))
    recogniser, seen = database.recogniser(), motions[1].features
    doubts = Doubts(lambda clip: clip.split("_")[0])
    for row in range(3):
        matches = [Match(row, frame) for frame in range(len(seen))]
        doubts.add("all", database, recogniser, seen, [("step_ahead.bvh", 8, 14)], matches)
    assert doubts.pieces == {("all", sure): 1 for sure in ("right", "same kind", "wrong")}
    assert doubts.doubted["all", "same kind"] == doubts.doubted["all", "wrong"] == 1
    told = [Match(1, 8), Match(2, 9), Match(2, 10), Match(QUIET), Match(QUIET, known=False), Match(QUIET, known=False)]
    doubts.left_out("all", database, [("step_ahead.bvh", 8, 14)], [Match(QUIET)] * 8 + told)
    assert doubts.tables()[-1] == "| all | 16.7% | 33.3% | 33.3% | 16.7% |"
