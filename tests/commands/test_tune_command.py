# SPDX-License-Identifier: GPL-3.0-or-later
"""`lope tune`: options, refusals, and a whole small search."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys

import pytest

from batch_kit import children_of, is_gone
from lope.addon.cli import main
from lope.addon.gaits.tuned_maps import read_maps

pytestmark = pytest.mark.slow

SMALL = ["--world", "earth", "--iterations", "1", "--population", "4", "--strides", "3", "--workers", "1"]


@pytest.mark.acceptance
def test_a_small_search_writes_its_map_and_reports(tmp_path, capfd):
    pytest.importorskip("cma", reason="tuning needs the package cma")
    out = tmp_path / "walk.json"
    assert main(["tune", *SMALL, "--out", str(out), "--json"]) == 0
    printed, words = capfd.readouterr()
    report = json.loads(printed)
    (entry,) = read_maps(out)
    assert report["cost_after"] == entry.after["cost"] <= report["cost_before"] == entry.before["cost"]
    assert entry.world == "earth" and [list(p) for p in entry.points] == report["points"]
    assert entry.search["evaluations"] == 4 and entry.search["strides"] == 3
    assert "best cost" in words and "min left" in words
    assert [path.name for path in tmp_path.iterdir()] == ["walk.json"], "the checkpoint is gone when the search has ended"


@pytest.mark.acceptance
@pytest.mark.skipif(not os.path.isdir("/proc/self"), reason="the processes are watched by way of /proc")
def test_a_search_that_is_to_end_keeps_its_best_and_leaves_no_worker_behind(tmp_path):
    pytest.importorskip("cma", reason="tuning needs the package cma")
    out = tmp_path / "walk.json"
    words = ["tune", "--world", "earth", "--iterations", "50", "--population", "4", "--strides", "3", "--workers", "2"]
    process = subprocess.Popen([sys.executable, "-m", "lope", *words, "--out", str(out), "--json"], stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, text=True)
    for line in process.stderr:
        if json.loads(line)["share"] > 1.0 / 50.0:  # a generation is told
            break
    children = children_of(process)
    process.send_signal(signal.SIGTERM)
    report = json.loads(process.communicate()[0])
    assert process.returncode == 130 and len(children) >= 2 and all(is_gone(child) for child in children)
    (entry,) = read_maps(out)
    assert entry.after["cost"] == report["cost_after"] <= report["cost_before"]
    assert (tmp_path / "walk-9.81.checkpoint.json").is_file(), "--resume goes on from there"


@pytest.mark.parametrize(("options", "words"), [
    (["--iterations", "0"], "--iterations must be 1 or more"), (["--population", "2"], "--population must be 4 or more"),
    (["--workers", "0"], "--workers"), (["--strides", "1"], "--strides"), (["--sigma", "0"], "--sigma must lie between"),
    (["--until", "nan"], "--until must be a cost"), (["--until", "-1"], "--until must be a cost"),
    (["--weight-pose", "-1"], "--weight-pose must be 0 or more"), (["--gait", "wlak"], "wlak"),
    (["--gains"], "--gains needs --out"), (["--weight-stride", "nan"], "--weight-stride")])
def test_bad_options_are_told(options, words, tmp_path, capfd):
    out = [] if "--gains" in options else ["--out", str(tmp_path / "x.json")]
    assert main(["tune", *options, *out]) == 2
    assert words in capfd.readouterr().err


def test_clips_are_not_tuned(tmp_path, capfd):
    clip = tmp_path / "clip.bvh"
    clip.write_text("HIERARCHY", encoding="utf-8")
    assert main(["tune", "--motion", str(clip), "--out", str(tmp_path / "x.json")]) == 2
    assert "fit_gait" in capfd.readouterr().err


def test_a_place_that_cannot_be_written_is_told_before_the_search(tmp_path, capfd):
    blocked = tmp_path / "file"
    blocked.write_text("", encoding="utf-8")
    assert main(["tune", *SMALL, "--out", str(blocked / "x.json")]) == 2
    assert "cannot be written" in capfd.readouterr().err


def test_a_user_with_a_folder_of_his_own_keeps_the_shipped_maps_and_adds_to_them(tmp_path, monkeypatch):
    from lope.addon.commands import tune
    from lope.addon.gaits import tuned_maps as store

    shipped, own = tmp_path / "shipped", tmp_path / "own"
    shipped.mkdir()
    (shipped / "walk.json").write_text("maps", encoding="utf-8")
    monkeypatch.setattr(store, "TUNING_FOLDER", shipped)
    monkeypatch.delenv(store.TUNED_FOLDER, raising=False)
    assert tune._own_file("walk") == shipped / "walk.json"
    monkeypatch.setenv(store.TUNED_FOLDER, str(own))
    assert tune._own_file("walk") == own / "walk.json"
    assert (own / "walk.json").read_text(encoding="utf-8") == "maps"
    (own / "walk.json").write_text("more", encoding="utf-8")
    assert tune._own_file("walk").read_text(encoding="utf-8") == "more"
    assert tune._own_file("run") == own / "run.json" and not (own / "run.json").exists()


def test_a_gait_that_is_chosen_is_said_before_it_is_tuned(capsys):
    from lope.addon.commands.tune import _with_gait
    from lope.addon.specs.motions import Gait
    from lope.addon.specs.shot import Shot
    from lope.addon.worlds.planets import load_world

    asked = Shot(motion=Gait("auto", law="people"), world=load_world("moon"))
    assert _with_gait(asked).motion.name == "lope"
    assert "The gait tuned here is lope: on the Moon people stop walking between" in capsys.readouterr().err
    assert _with_gait(Shot()).motion.name == "walk" and capsys.readouterr().err == ""
