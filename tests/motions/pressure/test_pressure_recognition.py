# SPDX-License-Identifier: GPL-3.0-or-later
"""Motions known by their pressure, found again at another pace, with noise, as a stream and at once; and laid into a motion."""

from __future__ import annotations

import json
import zipfile

import numpy as np
import pytest

from lope.addon.errors import InputError
from lope.addon.motions.pressure.database import Database, PressedMotion
from lope.addon.motions.pressure.features import Quiet, active_spans, quiet_of
from lope.addon.motions.pressure.images import MOST_PA, Counts, Pressure, as_measured
from lope.addon.motions.pressure.recognition import AHEAD, QUIET, Known, Recogniser, Stream, recognised, streamed
from lope.addon.motions.responses.response import reference_body

RATE_HZ = 12.0
DRAWN = np.random.default_rng(3)
CURVES = {name: DRAWN.uniform(-1.0, 1.0, (5, 4)) for name in ("kick", "step", "shift")}


def features(name: str, seconds: float, seed: int = 0, noise: float = 0.0) -> np.ndarray:
    """A motion's numbers (T, 4) for so long: a bump of its own shape that begins and ends in quiet."""
    u = np.linspace(0.0, 1.0, round(seconds * RATE_HZ))
    waves = np.array([np.sin(np.pi * (k + 1) * u) for k in range(5)])
    drawn = np.random.default_rng(seed).standard_normal((len(u), 4))
    return np.sin(np.pi * u)[:, None] * (waves.T @ CURVES[name]) * 3.0 + noise * drawn


@pytest.fixture(scope="module")
def recogniser() -> Recogniser:
    known = [Known(name, features(name, 2.0)) for name in CURVES]
    return Recogniser(known, Quiet(np.zeros(4), np.full(4, 0.05)), np.ones(4))


def session(names: list[str], pace: float = 1.0, noise: float = 0.1) -> tuple[np.ndarray, list[str]]:
    """Motions one after the other with quiet stance around each, and what each frame is."""
    still = noise * np.random.default_rng(9).standard_normal((14, 4))
    parts, said = [still], ["quiet"] * len(still)
    for i, name in enumerate(names):
        parts += [features(name, 2.0 / pace, i, noise), still]
        said += [name] * len(parts[-2]) + ["quiet"] * len(still)
    return np.concatenate(parts), said


@pytest.mark.parametrize("pace", [0.72, 1.0, 1.3])
@pytest.mark.parametrize("find", [recognised, streamed])
def test_motions_are_found_again_at_another_pace(recogniser, find, pace):
    frames, said = session(["step", "kick", "shift", "kick"], pace)
    found = find(recogniser, frames)
    names = ["quiet" if match.row == QUIET else recogniser.known[match.row].name for match in found]
    assert len(found) == len(frames)
    assert np.mean([one == other for one, other in zip(names, said, strict=True)]) > 0.85
    middles = [i for i in range(6, len(said) - 6) if len(set(said[i - 6:i + 7])) == 1 and said[i] != "quiet"]
    assert middles and all(names[i] == said[i] for i in middles)


def test_within_a_motion_frames_go_on_without_a_jump(recogniser):
    frames, _ = session(["kick"], 1.3)
    at = [match.frame for match in recognised(recogniser, frames) if match.row == 0]
    assert set(np.diff(at)) <= {0, 1, 2} and at[-1] > 20


def test_a_stream_tells_each_frame_a_second_later_and_never_looks_ahead(recogniser):
    frames, _ = session(["step", "shift"])
    stream = Stream(recogniser)
    told = [stream.push(frame) for frame in frames]
    assert told[:AHEAD] == [None] * AHEAD and None not in told[AHEAD:]
    other = Stream(recogniser)
    changed = frames.copy()
    changed[30:] = 0.0
    assert [other.push(frame) for frame in changed[:30]] == told[:30]


def test_quiet_stance_is_found_and_left():
    frames, _ = session(["step", "kick"], noise=0.02)
    quiet = quiet_of(frames, RATE_HZ)
    spans = active_spans(quiet.score(frames), RATE_HZ)
    assert len(spans) == 2
    for (begin, end), first in zip(spans, (14, 52), strict=True):
        assert abs(begin - first) <= 4 and abs(end - first - 24) <= 4
    with pytest.raises(InputError, match="too short"):
        quiet_of(frames[:5], RATE_HZ)


JOINTS = len(reference_body().joint_segments)
"""A database's poses are the reference body's."""


def motion(name: str, quiet: bool = False) -> PressedMotion:
    turn = np.tile([1.0, 0.0, 0.0, 0.0], (10, 1))
    felt = as_measured(Pressure(DRAWN.uniform(0.0, 4e5, (2, 6, 5)), (0.0127, 0.0127), RATE_HZ, origin_m=(0.1, -0.2)), MOST_PA)
    seen = np.arange(20.0).reshape(2, 10)
    return PressedMotion(name, f"{name}.bvh", np.full((10, 3), 0.5), turn, np.repeat(turn[:, None], JOINTS, axis=1),
                         np.ones((10, 2, 2), dtype=bool), seen, Counts.of(felt), 2.0 * seen, quiet)


def test_a_database_comes_back_and_equal_ones_are_equal_files(tmp_path):
    database = Database("own", "CC0", (motion("still", True), motion("step")))
    for name in ("a.npz", "b.npz"):
        database.save(tmp_path / name)
    assert (tmp_path / "a.npz").read_bytes() == (tmp_path / "b.npz").read_bytes()
    found = Database.load(tmp_path / "a.npz")
    assert [one.name for one in found.active] == ["step"] and found.stance is not None and found.stance.quiet
    np.testing.assert_allclose(found.motions[1].root, 0.5)
    step, kept = found.motions[1], database.motions[1].pressure
    assert step.planted.all() and np.array_equal(step.features, motion("step").features)
    assert np.array_equal(step.seen(soles=True), 2.0 * step.features)
    assert step.pressure.origin_m == (0.1, -0.2) and np.array_equal(step.pressure.images, kept.images) and kept.images.any()


@pytest.mark.parametrize(("most", "unit"), [(4e5, "Pa"), (900.0, "kPa"), (200.0, "counts"), (1000.0, "counts")])
def test_pressure_in_counts_is_off_by_half_a_count_at_most(most, unit):
    felt = Pressure(DRAWN.uniform(0.0, most, (2, 6, 5)), (0.0127, 0.0127), RATE_HZ, unit)
    counts = Counts.of(felt)
    assert counts.images.dtype == np.uint8 and counts.pressure.unit == unit
    assert np.abs(counts.pressure.images - felt.images).max() <= 0.5001 * counts.count


def test_databases_that_tell_nothing_say_what_is_missing(tmp_path):
    with pytest.raises(InputError, match="no motion but quiet stance"):
        Database("own", "", (motion("still", True),)).recogniser()
    with pytest.raises(InputError, match="has no quiet stance"):
        Database("own", "", (motion("step"),)).recogniser()
    with pytest.raises(InputError, match="make one of a folder of clips"):
        Database.load(tmp_path / "none.npz")
    with zipfile.ZipFile(tmp_path / "old.npz", "w") as archive:
        archive.writestr("database.json", json.dumps({"format": 1, "name": "old", "licence": "", "motions": []}))
    with pytest.raises(InputError, match="former Lope"):
        Database.load(tmp_path / "old.npz")
    (tmp_path / "bad.npz").write_bytes(b"no")
    with pytest.raises(InputError, match="no database of pressure"):
        Database.load(tmp_path / "bad.npz")
