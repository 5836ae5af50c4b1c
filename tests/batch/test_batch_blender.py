# SPDX-License-Identifier: GPL-3.0-or-later
"""The batch with Blender: rigs from everywhere made ready once, bakes, renders, and a sentence for a rig that is wrong."""

import importlib.util
import json
import os
import sys
from pathlib import Path
from queue import SimpleQueue

import pytest

from batch_kit import batch, small_disk, stages_done, words_of, write_list  # noqa: F401
from lope.addon.batch.station import BLENDER, MODULE, STATION, Station, station_command
from lope.addon.children.protocol import Task
from lope.addon.errors import InputError

pytestmark = pytest.mark.slow

MOTION = Path(__file__).resolve().parents[2].parent / "shared" / "motion"
PNG = b"\x89PNG"
TINY = 'render = { size = "16x16", samples = 1, frames = "1,12,11" }'


@pytest.mark.acceptance
def test_astronaut_is_built_once_baked_and_rendered(tmp_path):
    pytest.importorskip("bpy", reason="Blender (the bpy module) is not here")
    path = write_list(tmp_path, f'sheet = true\n[defaults]\nseconds = 0.5\nbake = {{ dust = true }}\n{TINY}\n'
                                '[[grids]]\nname = "g"\n'
                                'world = ["moon", "jupiter"]\n')
    code, report, events = batch(path)
    assert code == 0, report
    assert words_of(report) == {"g-moon": "passed", "g-jupiter": "passed"}
    done = stages_done(events)
    assert len(done) == 1 + 2 * 4 + 1 and sum(stage == "rig" for _, stage in done) == 1
    for name in ("g-moon", "g-jupiter"):
        frames = sorted((tmp_path / "list-out" / name / "frames").glob("*.png"))
        assert [frame.name for frame in frames] == ["frame_0001.png", "frame_0012.png"]
        assert all(frame.read_bytes().startswith(PNG) for frame in frames)
    assert (tmp_path / "list-out" / "sheet.png").read_bytes().startswith(PNG)
    assert {path.name for path in (tmp_path / "list-out").rglob(".*")} == {".lope", ".lope.lock"}, "nothing half made is left"
    assert stages_done(batch(path)[2]) == []
    path.write_text(path.read_text().replace("16x16", "20x16").replace("sheet = true\n", ""), encoding="utf-8")
    assert stages_done(batch(path, "--only", "g-moon")[2]) == [("g-moon", "render")]


@pytest.mark.acceptance
def test_rigs_of_other_formats_and_their_faults(tmp_path):
    pytest.importorskip("bpy", reason="Blender (the bpy module) is not here")
    if not MOTION.is_dir():
        pytest.skip("the reference rigs are not here")
    (tmp_path / "map.json").write_text(json.dumps(
        {"format": "lope bone map", "version": 1, "rig": "", "bones": {"pelvis": "Nowhere"}}))
    (tmp_path / "broken.fbx").write_text("no FBX")
    rigs = {"glb": MOTION / "rigs" / "kaykit_rogue.glb", "fbx": MOTION / "rigs" / "mpfb_male_mixamo_cm.fbx",
            "broken": tmp_path / "broken.fbx"}
    tables = "\n".join(f'[rigs.{name}]\nfile = "{file}"' for name, file in rigs.items())
    path = write_list(tmp_path, f'{tables}\n[rigs.map]\nfile = "{rigs["fbx"]}"\nbone_map = "map.json"\n'
                                f'[rigs.other]\nfile = "{rigs["fbx"]}"\narmature = "Nobody"\n'
                                '[defaults]\nseconds = 0.5\n[[grids]]\nname = "g"\n'
                                f'rig = {json.dumps([*rigs, "map", "other"])}\n')
    code, report, events = batch(path)
    said = {shot["name"]: shot["sentence"] for shot in report["shots"]}
    assert code == 2
    assert words_of(report) == {"g-glb": "passed", "g-fbx": "passed", "g-broken": "failed", "g-map": "failed",
                                "g-other": "failed"}
    assert "cannot import" in said["g-broken"] and "names bones it does not have: Nowhere" in said["g-map"]
    assert "no armature named 'Nobody'" in said["g-other"]
    shot = json.loads((tmp_path / "list-out" / "g-glb" / "report.json").read_text())["shot"]
    assert shot["body"]["height_m"] == pytest.approx(2.19, abs=0.1), "the rig's own proportions are simulated"
    assert {stage for name, stage in stages_done(events) if name == "g-fbx"} == {"simulate", "report", "bake"}


def test_preparing_a_rig_leaves_the_preferences_alone():
    """Resetting them would switch Lope's extension off, and Blender would take its packages away."""
    bpy = pytest.importorskip("bpy", reason="Blender (the bpy module) is not here")
    from lope.addon.rigs.shots.open_rig import open_rig

    edit = bpy.context.preferences.edit
    before, edit.undo_steps = edit.undo_steps, 77
    try:
        assert open_rig(None, None, 1.5).name == "Astronaut" and edit.undo_steps == 77
    finally:
        edit.undo_steps = before


@pytest.mark.parametrize("name", ["07_01_walk_normal.bvh", "snu_walk_left_90.bvh"])
def test_an_imported_rig_is_scaled_to_the_height_it_stands_for(tmp_path, name):
    bpy = pytest.importorskip("bpy", reason="Blender (the bpy module) is not here")
    if not MOTION.is_dir():
        pytest.skip("the reference clips are not here")
    from lope.addon.rigs.read.armature import read_figure
    from lope.addon.rigs.shots.open_rig import prepare_rig

    rig = {"file": str(MOTION / "bvh" / name), "armature": None, "bone_map": None, "height_m": 1.6}
    report = prepare_rig(rig, tmp_path / "rig.blend")
    assert report["body"]["height_m"] == pytest.approx(1.6) and bpy.context.scene.render.fps == 24
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "rig.blend"))
    assert read_figure(bpy.data.objects[report["armature"]]).height_m == pytest.approx(1.6, abs=1e-3)


@pytest.mark.acceptance
def test_a_full_disk_is_told_where_blender_does_not_say_so(tmp_path, small_disk):  # noqa: F811
    pytest.importorskip("bpy", reason="Blender (the bpy module) is not here")
    path = write_list(tmp_path, f'out = "{small_disk}"\n[[shots]]\nname = "a"\nseconds = 0.5\n')
    code, report, _ = batch(path)
    shot = report["shots"][0]
    assert (code, shot["word"], shot["stages"]["simulate"]) == (2, "failed", "done")
    assert "MB are left on that disk" in shot["sentence"]


def test_a_station_without_blender_runs_where_lope_lies():
    command = station_command(False)
    assert command[:2] == [sys.executable, "-I"] and command[-2:] == ["--", MODULE]


def test_where_blender_is_looked_for(monkeypatch, tmp_path):
    own = str(tmp_path / "blender")
    monkeypatch.setenv(BLENDER, own)
    monkeypatch.setitem(sys.modules, "bpy", None)
    assert station_command(True) == [own, "--background", "--command", "lope", STATION]
    monkeypatch.delenv(BLENDER)
    monkeypatch.setattr("importlib.util.find_spec", _without_bpy(importlib.util.find_spec))
    with pytest.raises(InputError, match="BLENDER=/path/to/blender"):
        station_command(True)


@pytest.mark.skipif(os.name != "posix", reason="the pretended Blender is a shell script")
@pytest.mark.parametrize(("script", "said"), [
    ('echo "Unknown command: lope"; echo; exit 1', "exit code 1). Its last words: Unknown command: lope"),
    ("kill -9 $$", "signal 9): out of memory"),
    ('echo "lope: This Blender is too old."; echo; exit 2', "This Blender is too old."),
])
def test_a_blender_that_ends_by_itself_is_quoted(tmp_path, monkeypatch, script, said):
    blender = tmp_path / "blender"
    blender.write_text(f"#!/bin/sh\n{script}\n")
    blender.chmod(0o755)
    monkeypatch.setenv(BLENDER, str(blender))
    monkeypatch.setitem(sys.modules, "bpy", None)
    inbox = SimpleQueue()
    station = Station(inbox, needs_blender=True)
    for _ in range(2):  # the second task gets a child of its own
        station.give(Task("bake", {}, "out"))
        heard, message = inbox.get(timeout=60)
        assert heard is station and said in message.text
        station.freed()
    station.close()
    assert inbox.empty()


def _without_bpy(find):
    """`find_spec` in a Python without the bpy module."""
    return lambda name, *rest: None if name == "bpy" else find(name, *rest)
