# SPDX-License-Identifier: GPL-3.0-or-later
"""No verb writes over a file that it reads, by whatever name or link: it says so in one sentence and leaves the file alone."""

from __future__ import annotations

import argparse
import json
import os
from dataclasses import replace
from pathlib import Path

import pytest

from bvh_writer import Style, standing_poses, write_bvh
from lope.addon.batch.plan import plan_list
from lope.addon.batch.shot_list import read_list
from lope.addon.cli import main, make_parser
from lope.addon.errors import InputError
from lope.addon.gaits.pose_gaits import load_pose_gait
from lope.addon.gaits.tuned_maps import write_json
from lope.addon.options.outputs import FILES, check_output, check_pictures
from lope.addon.specs.pose_gait import pose_gait_file
from pressure_kit import written_steps
from take_factory import Walk, make_take

SAID = "one file, which writing would destroy"


@pytest.fixture
def files(tmp_path):
    """A clip, a take, a gait and a folder of clips, in the folder that a command runs in."""
    write_bvh(tmp_path / "stand.bvh", *standing_poses(1.0, 30.0), Style(frame_time=1.0 / 30.0))
    (tmp_path / "clips").mkdir()
    (tmp_path / "clips/stand.bvh").write_bytes((tmp_path / "stand.bvh").read_bytes())
    make_take(Walk(seconds=2.0)).save(tmp_path / "take.npz")
    write_json(tmp_path / "mine.json", pose_gait_file(replace(load_pose_gait("walk"), name="mine")))
    (tmp_path / "cells.json").write_text(json.dumps([{"row": "a", "column": "b", "pictures": ["cell.png"]}]), encoding="utf-8")
    (tmp_path / "cell.png").write_bytes(b"a picture")
    (tmp_path / "field.csv").write_text("0,0\n0,0\n", encoding="utf-8")
    return tmp_path


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


@pytest.mark.parametrize("words", [
    "follow stand.bvh --out stand.bvh",
    "follow stand.bvh --out ./clips/../stand.bvh",
    "simulate --follow stand.bvh --out stand.bvh",
    "simulate --motion stand.bvh --out stand.bvh",
    "simulate --after take.npz --out take.npz",
    "simulate --pose-gait mine.json --out mine.json",
    "simulate --heightfield field.csv,1 --out field.csv",
    "drive --script take.npz --out take.npz",
    "hit stand.bvh --hit 0.5,head,4.2,6,180 --out stand.bvh",
    "tune --pose-gait mine.json --out mine.json",
    "tune --pose-gait mine.json --out new.json --checkpoint mine.json",
    "tune --pose-gait walk:0.5:mine.json --out mine.json",
    "tune --controller lee --follow stand.bvh --out stand.bvh",
    "poses stand.bvh --frames 1,13 --like mine.json --out mine.json",
    "pressure of take.npz --out take.npz",
    "pressure of take.npz --out a.csv --picture take.npz",
    "pressure index clips --out db.npz --picture clips/../db.npz",
    "responses index clips --out clips/stand.bvh",
    "measure take.npz --activations take.npz",
    "render --grid-sheet cells.json --out cell.png",
])
def test_what_is_read_is_not_written_over(files, words, monkeypatch, capfd):
    if words.startswith("render"):
        pytest.importorskip("bpy")
    monkeypatch.chdir(files)
    before = contents(files)
    assert main(words.split()) == 2
    said = capfd.readouterr().err
    assert SAID in said and len(said.strip().splitlines()) == 1
    assert contents(files) == before


@pytest.mark.slow
def test_of_pressure_read_too(files, monkeypatch, capfd):
    database = written_steps(files) / "steps.npz"
    (files / "mat.npz").write_bytes(b"pressure")
    monkeypatch.chdir(files)
    before = contents(files)
    for words in ("read mat.npz --out mat.npz", f"read mat.npz --out {database}", "read mat.npz --out a.npz --clip a.npz"):
        assert main(["pressure", *words.split(), "--database", str(database)]) == 2
        assert SAID in capfd.readouterr().err
    assert contents(files) == before


@pytest.mark.slow
def test_a_script_names_files_that_no_option_does(files, monkeypatch, capfd):
    """The clip that a take's own shot follows is simulated again."""
    monkeypatch.chdir(files)
    assert main("follow stand.bvh --seconds 0.5 --out stood.npz".split()) in (0, 1)
    os.link("stand.bvh", "again.npz")
    before = contents(files)
    capfd.readouterr()
    assert main("drive --script stood.npz --out again.npz".split()) == 2
    assert SAID in capfd.readouterr().err and contents(files) == before


@pytest.mark.parametrize("link", [os.symlink, os.link])
def test_links_are_seen_through(files, link, monkeypatch):
    monkeypatch.chdir(files)
    link("stand.bvh", "other.npz")
    with pytest.raises(InputError, match=SAID):
        check_output(argparse.Namespace(out="other.npz", follow="stand.bvh"), "out")


def test_what_differs_is_written(files, monkeypatch):
    monkeypatch.chdir(files)
    given = argparse.Namespace(out="walk", pose_gait="walk", gait="walk", follow="stand.bvh", after=None, map=[["a=b"]])
    assert check_output(given, "out") == Path("walk")
    Path("walk").write_text("from an earlier run", encoding="utf-8")
    assert check_output(given, "out") == Path("walk")


def test_two_outputs_are_two_files(files, monkeypatch):
    monkeypatch.chdir(files)
    with pytest.raises(InputError, match=SAID):
        check_output(argparse.Namespace(out="new.npz", take="./new.npz"), "out")


def test_pictures_do_not_go_where_pictures_are_read(files, monkeypatch):
    monkeypatch.chdir(files)
    Path("seen").mkdir()
    Path("seen/frame_0003.png").write_bytes(b"pressure")
    with pytest.raises(InputError, match=SAID):
        check_pictures(argparse.Namespace(out="seen", path="./seen"), "out")
    with pytest.raises(InputError, match=SAID):
        check_pictures(argparse.Namespace(out="seen", heightfield="seen/frame_0003.png,0.1"), "out")
    assert check_pictures(argparse.Namespace(out="new", path="seen"), "out") == Path("new")


def test_a_shot_of_a_list_reads_nothing_that_it_leaves(files):
    (files / "out/b").mkdir(parents=True)
    (files / "out/b/take.npz").write_bytes((files / "take.npz").read_bytes())
    path = files / "list.toml"
    path.write_text('out = "out"\n[[shots]]\nname = "a"\nafter = "out/b/take.npz"\n'
                    '[[shots]]\nname = "b"\nafter = "out/b/take.npz"\n', encoding="utf-8")
    a, b = plan_list(read_list(path)).shots
    assert a.problem is None and SAID in b.problem


def test_every_option_that_may_name_a_file_is_looked_at():
    """By what the help calls its value."""
    verbs = next(action for action in make_parser()._actions if isinstance(action, argparse._SubParsersAction))
    files = {action.dest for verb in verbs.choices.values() for action in verb._actions
             if (isinstance(action.metavar, str) and any(sign in action.metavar for sign in (
                 ".npz", ".json", ".bvh", ".blend", ".png", ".mp4", "FILE", "FOLDER", "PATH", "LIST", "CLIP")))
             or action.metavar in ("DIR", "OUT")}
    assert files <= FILES <= {action.dest for verb in verbs.choices.values() for action in verb._actions}


class TestInBlender:
    """What needs Blender."""

    @pytest.fixture
    def rig(self, files):
        pytest.importorskip("bpy")
        from blender_scene import bpy, fresh_scene
        from lope.addon.rigs.astronaut.astronaut import add_astronaut

        scene = fresh_scene(24)
        add_astronaut(scene)
        bpy.ops.wm.save_as_mainfile(filepath=str(files / "rig.blend"))
        return files

    @pytest.mark.slow
    @pytest.mark.parametrize("words", [
        "bake --blend rig.blend --take take.npz --out rig.blend",
        "bake --blend rig.blend --take take.npz --out take.npz",
        "doctor --blend rig.blend --fix rig.blend",
        "doctor --blend rig.blend --body rig.blend",
        "doctor --blend rig.blend --body a.json --save-map a.json",
        "hit --blend rig.blend --hit 1,head,4.2,6,180 --out rig.blend",
        "creature from --blend rig.blend --out rig.blend",
        "render --blend rig.blend --dust take.npz --out take.npz",
        "render --blend rig.blend --out a.mp4 --pictures take.npz --dust take.npz",
    ])
    def test_a_blender_file_is_not_written_over(self, rig, words, monkeypatch, capfd):
        monkeypatch.chdir(rig)
        before = contents(rig)
        assert main(words.split()) == 2
        said = capfd.readouterr().err
        assert SAID in said or "it is a file, not a folder" in said
        assert contents(rig) == before

    @pytest.mark.slow
    def test_nor_a_library_of_it(self, rig, monkeypatch, capfd):
        import bpy

        monkeypatch.chdir(rig)
        bpy.ops.wm.read_factory_settings(use_empty=True)
        with bpy.data.libraries.load(str(rig / "rig.blend"), link=True) as (there, here):
            here.objects = there.objects
        for one in bpy.data.objects:
            bpy.context.scene.collection.objects.link(one)
        bpy.ops.wm.save_as_mainfile(filepath=str(rig / "linked.blend"))
        before = contents(rig)
        assert main("bake --blend linked.blend --take take.npz --out rig.blend".split()) == 2
        assert SAID in capfd.readouterr().err and contents(rig) == before


@pytest.mark.parametrize("words", [
    "report --matrix new/matrix --gaits 1", "simulate --gait walk --speed 99 --out new/walk.npz",
    "simulate --gait nothing --out new/deep/walk.npz", "poses stand.bvh --frames 1,2000 --out new/gait.json",
    "pressure read nowhere.csv --database none.npz --out new/a.npz", "responses index clips --out new/library.npz"])
def test_a_refusal_leaves_no_folder_behind(files, words, monkeypatch, capfd):
    monkeypatch.chdir(files)
    if words.startswith("responses"):
        Path("clips/stand.bvh").write_text("HIERARCHY", encoding="utf-8")
    assert main([*words.split()]) == 2 and not Path("new").exists(), capfd.readouterr().err


@pytest.mark.slow
def test_the_folder_of_an_output_is_made(files, monkeypatch, capfd):
    monkeypatch.chdir(files)
    assert main("pressure of take.npz --out new/deep/mat.csv".split()) == 0, capfd.readouterr().err
    assert os.listdir("new/deep") == ["mat.csv"]


@pytest.mark.skipif(os.name == "nt", reason="no such devices")
def test_a_device_is_no_output(files, monkeypatch, capfd):
    monkeypatch.chdir(files)
    os.mkfifo("pipe.csv")
    assert main("pressure of take.npz --out pipe.csv".split()) == 2 and "is a device or a pipe" in capfd.readouterr().err
