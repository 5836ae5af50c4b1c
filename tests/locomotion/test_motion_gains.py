# SPDX-License-Identifier: GPL-3.0-or-later
"""Gains of a motion: searched for its clip, stored by what is in the clip, found again wherever the clip lies."""

import json
import shutil

import pytest

from follow_kit import captured, follow_shot, walk_clip
from lope.addon.cli import main
from lope.addon.errors import InputError
from lope.addon.locomotion.lee.settings import LeeSettings, shot_controls
from lope.addon.locomotion.motion_gains import (
    DIGITS,
    MOTION_FOLDER,
    clip_digest,
    motion_file,
    motion_gains,
    read_gains,
    stored_file,
)
from lope.addon.search.gains import FALL, MISSING, clip_problem
from lope.addon.sim.simulation import simulate
from lope.addon.specs.settings import PRESETS, TUNED_FOLDER

pytestmark = pytest.mark.slow
MORE = pytest.mark.acceptance

GAINS = {"lee": {"kt": 77.0, "c0": 0.5}}


@pytest.fixture
def own(tmp_path, monkeypatch):
    """A user's own folder."""
    monkeypatch.setenv(TUNED_FOLDER, str(tmp_path / "own"))
    return tmp_path


def stored(clip) -> None:
    file = motion_file("lee", clip)
    file.parent.mkdir(parents=True)
    file.write_text(json.dumps({"schema": "lope-gains", "format": 1, "controller": "lee", "gains": GAINS}), encoding="utf-8")


def _shot(clip, **more):
    return follow_shot(clip, **{"until_end": False, "duration_s": 0.5, "controller": "lee", "engine": "ideal", **more})


def test_gains_are_found_by_what_is_in_the_clip(own):
    assert motion_gains(_shot(walk_clip())) == {} and stored_file("lee", walk_clip()) is None
    stored(walk_clip())
    elsewhere = own / "another name.bvh"
    elsewhere.write_bytes(walk_clip().read_bytes().replace(b"\n", b"\r\n"))
    assert clip_digest(elsewhere) == clip_digest(walk_clip())
    for clip in (walk_clip(), elsewhere):
        assert shot_controls(_shot(clip)).lee.kt == 77.0
    changed = own / "changed.bvh"
    shutil.copyfile(walk_clip(), changed)
    changed.write_text(changed.read_text(encoding="utf-8").replace("0.1", "0.2", 1), encoding="utf-8")
    assert stored_file("lee", changed) is None and stored_file("lee", own / "nowhere.bvh") is None


def test_what_the_shot_sets_counts_more_and_untuned_shots_take_none(own):
    stored(walk_clip())
    lee = shot_controls(_shot(walk_clip(), gains={"lee": {"kt": 50.0}})).lee
    assert (lee.kt, lee.c0) == (50.0, 0.5)
    assert shot_controls(_shot(walk_clip(), tuned=False)).lee == LeeSettings()


def test_a_search_goes_on_from_the_stored_gains_and_gives_up_on_those_that_fall(own):
    stored(walk_clip())
    problem = clip_problem(_shot(walk_clip(), gains={"lee": {"c1_cor": 0.4}}), 0)
    found = {gain.name: gain.value for gain in problem.gains}
    assert (found["kt"], found["c1_cor"]) == (77.0, 0.4)
    assert not {"synchronisation", "swing_hip", "foot_level"} & set(found), "layers are not searched"
    with pytest.raises(InputError, match="the same gains for every clip; those of lee are searched"):
        clip_problem(follow_shot(walk_clip()), 0)


@pytest.mark.acceptance
def test_lope_tune_stores_the_gains_of_a_clip(own, capfd):
    pytest.importorskip("cma", reason="tuning needs the package cma")
    words = ["tune", "--controller", "lee", "--follow", str(walk_clip()), "--engine", "ideal", "--seconds", "0.5",
             "--iterations", "1", "--population", "4", "--workers", "1", "--json"]
    assert main(words) == 0
    printed, said = capfd.readouterr()
    report = json.loads(printed)
    file = stored_file("lee", walk_clip())
    assert file is not None and str(file) in said and report["cost_after"] <= report["cost_before"] < FALL + MISSING
    assert motion_gains(_shot(walk_clip())) == report["gains"]
    assert [path.name for path in file.parent.iterdir()] == [file.name], "the checkpoint is gone"


def test_the_shipped_gains_can_be_read_and_say_what_clip_they_are_of():
    files = sorted((PRESETS / MOTION_FOLDER).glob("*.json"))
    assert len(files) >= 4
    for file in files:
        found = json.loads(file.read_text(encoding="utf-8"))
        stem = found["clip"].removesuffix(".bvh")
        assert file.name == f"{found['controller']}-{stem}-{found['clip_sha256'][:DIGITS]}.json" and "lee" in read_gains(file)


@pytest.mark.parametrize("name", ["snu_walk_left_90", pytest.param("snu_march_soldier", marks=MORE)])
def test_motions_with_shipped_gains_stand_to_their_end(name):
    take = simulate(_shot(captured(name)).with_motion(until_end=True))
    assert not take.fell and take.lost is None and take.stats["followed_fraction"] > 0.98
    assert take.channels["follow_joint_error_deg"].values.max() < 15.0 and take.stats["touchdown_timing_ms_median"] < 50.0
