# SPDX-License-Identifier: GPL-3.0-or-later
"""Everything a user can get wrong at the command line: one clear sentence on standard error, exit code 2, no simulation."""

import errno
import json
import os
import sys
import zipfile
from pathlib import Path
from types import ModuleType

import pytest

from lope.addon.cli import main
from lope.addon.sim.take import FORMAT
from take_factory import Walk, make_take

SHARED = Path(__file__).resolve().parents[3] / "shared" / "motion" / "bvh"


@pytest.fixture(autouse=True)
def in_an_empty_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def no_simulation(monkeypatch):
    """Fails the test if a simulation or a plan is started at all."""
    module = ModuleType("lope.addon.sim.simulation")

    def start(*_, **__):
        raise AssertionError("the simulation was started")

    module.simulate = module.preview = start
    monkeypatch.setitem(sys.modules, module.__name__, module)


def complaint(capfd, words: str) -> str:
    """What `lope WORDS` complains about: exit code 2, nothing on standard output, one last line on standard error.

    Before it may stand only what Blender says by itself on opening a file.
    """
    assert main(words.split()) == 2
    out, err = capfd.readouterr()
    assert out == ""
    *others, last = err.splitlines()
    assert last.startswith("lope: ") and all("Read blend: " in line or "Error: " in line for line in others), err
    return last


WRONG = {
    "--gravity 0": "Gravity must lie between 0.4905 and 29.43 m/s^2, got 0",
    "--gravity -9.81": "got -9.81",
    "--gravity nan": "got nan",
    "--gravity inf": "got inf",
    "--gravity 981": "got 981",
    "--gravity heavy": "invalid float value: 'heavy'",
    "--mass 0": "Mass must lie between 10 and 400 kg, got 0",
    "--mass 1000": "got 1000",
    "--mass nan": "got nan",
    "--height 0.1": "Height must lie between 0.5 and 3 m, got 0.1",
    "--height 9": "got 9",
    "--world mooon": "There is no world named 'mooon'. Did you mean 'moon'? Known: callisto, ceres, earth,",
    "--world ../gaits/walk": "There is no world named",
    "--engine mujoko": "There is no engine named 'mujoko'. Did you mean 'mujoco'? Known: ideal, mujoco, pybullet, springs.",
    "--scaling none": "There is no gain scaling named 'none'",
    "--seconds 0": "Duration must lie between 0.5 and 3600 s, got 0",
    "--speed -1": "Speed must lie between",
    "--stride-frequency 99": "Stride frequency must lie between",
    "--friction 0": "Friction must lie between 0.1 and 2",
    "--seed -1": "Seed must be a whole number of 0 or more",
    "--seed 1.5": "invalid int value: '1.5'",
    "--push 1,2": "A push is written T,DURATION,FX,FY,FZ",
    "--push 1,0.2,0,seventy,0": "A push is written T,DURATION,FX,FY,FZ",
    "--push 1,0,0,75,0": "Push duration must lie between",
    "--push 1,0.2,0,nan,0": "Push force must lie between",
    "--motion nowhere.bvh": "The motion file nowhere.bvh is not there",
    "--motion .": "The motion file . is a folder, not a file",
    "--world moon --gravity 1.6": "not allowed with argument",
    "--gait walk --motion x.bvh": "not allowed with argument",
    "--blend nowhere.blend --armature Rig": "The Blender file nowhere.blend is not there",
    "--grav 1.62": "does not know --grav 1.62",
    "--body nowhere.json": "The body nowhere.json is not there",
    "--body {": "The body cannot be read as JSON",
    '--body {"tall":2}': "The body cannot be used: There is no body field named 'tall'. Known: creature, height_m, kind, "
                         "landmarks, mass_kg, skin_m.",
    '--body {"height_m":2} --height 1.8': "--height cannot go with --body",
    '--body {"height_m":2} --blend x.blend': "--body cannot go with --blend",
    '--body {"height_m":9}': "Height must lie between",
}


@pytest.mark.parametrize("verb", ["simulate", "plan"])
@pytest.mark.parametrize("options, message", WRONG.items())
def test_shots_that_cannot_be(no_simulation, capfd, verb, options, message):
    assert message in complaint(capfd, f"{verb} {options}")


@pytest.mark.parametrize("words, message", [
    ("simulat", "Did you mean 'simulate'"),
    ("measure", "required: TAKE.npz"), ("measure nowhere.npz", "There is no take at nowhere.npz"),
    ("inspect nowhere.bvh", "The motion file nowhere.bvh is not there"),
    ("bake --blend a.blend --armature A --take t.npz", "required: --out"),
    ("bake --blend a.blend --armature A --take t.npz --out b.blend", "The Blender file a.blend is not there"),
    ("render --blend a.blend --out pictures", "The Blender file a.blend is not there"),
])
def test_verbs_and_files_that_are_not_there(capfd, words, message):
    assert message in complaint(capfd, words)


@pytest.mark.parametrize("out, message", [
    ("blocked/take.npz", "The output folder blocked cannot be written: it is a file, not a folder"),
    ("blocked/deeper/take.npz", "cannot be written"),
    ("folder", "The output folder is a folder; give the name of a file in it"),
])
def test_an_output_that_cannot_be_written_is_found_before_the_simulation(no_simulation, capfd, out, message):
    Path("blocked").write_text("a file where a folder is wanted")
    Path("folder").mkdir()
    assert message in complaint(capfd, f"simulate --out {out}")


def test_a_read_only_folder_is_found_before_the_simulation(no_simulation, capfd):
    folder = Path("locked")
    folder.mkdir(mode=0o500)
    try:
        (folder / "probe").touch()
    except OSError:
        pass
    else:
        pytest.skip("this user may write anywhere (root), or the file system knows no permissions")
    assert "The output folder locked cannot be written: Permission denied" in complaint(capfd, "simulate --out locked/t.npz")


def test_a_full_or_locked_disk_is_found_before_the_simulation(no_simulation, capfd, monkeypatch):
    def refuse(*_, **__):
        raise OSError(errno.EROFS, os.strerror(errno.EROFS))

    monkeypatch.setattr("tempfile.TemporaryFile", refuse)
    assert f"cannot be written: {os.strerror(errno.EROFS)}. Choose another" in complaint(capfd, "simulate --out take.npz")


def test_a_take_from_a_newer_version(capfd):
    make_take(Walk(seconds=3.0)).save("take.npz")
    with zipfile.ZipFile("take.npz") as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    members["take.json"] = json.dumps({**json.loads(members["take.json"]), "format": FORMAT + 1, "version": "7.0.0"})
    with zipfile.ZipFile("take.npz", "w") as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    assert f"was written by Lope 7.0.0 (take format {FORMAT + 1})" in complaint(capfd, "measure take.npz --json")
    Path("a.blend").touch()
    assert "Update Lope" in complaint(capfd, "bake --blend a.blend --armature A --take take.npz --out b.blend")


def test_a_file_that_is_no_take(capfd):
    Path("notes.npz").write_text("shopping list")
    assert "notes.npz is not a Lope take, or it is damaged" in complaint(capfd, "measure notes.npz")


# Clips. A figure of three joints is enough to be refused for what it lacks; the others are broken copies of a real walk.

TINY = """HIERARCHY
ROOT Hips
{
  OFFSET 0 0 0
  CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
  End Site
  {
    OFFSET 0 10 0
  }
}
MOTION
Frames: 2
Frame Time: %s
0 90 0 0 0 0
0 90 0 0 0 %s
"""
BROKEN_CLIPS = {
    "empty": ("", "is not a BVH file"),
    "text": ("shopping list", "is not a BVH file"),
    "zero frame time": (TINY % ("0.0", "0"), "frame time of 0.0 s; expected more than 0"),
    "negative frame time": (TINY % ("-0.03", "0"), "frame time of -0.03 s"),
    "frame time nan": (TINY % ("nan", "0"), "frame time of nan s"),
    "nan": (TINY % ("0.03", "nan"), "not finite in frame 2, channel 6"),
    "word": (TINY % ("0.03", "zero"), "not a number among its frames"),
    "cut hierarchy": (TINY[:100], "cut short"),
    "cut frames": ((TINY % ("0.03", "0"))[:-8], "is cut short: it promises 2 frames"),
    "no legs": (TINY % ("0.03", "0"), "clip.bvh"),
}


@pytest.mark.parametrize("words", ["inspect clip.bvh", "simulate --motion clip.bvh", "plan --motion clip.bvh"])
@pytest.mark.parametrize("content, message", BROKEN_CLIPS.values(), ids=BROKEN_CLIPS)
def test_broken_clips(capfd, words, content, message):
    Path("clip.bvh").write_text(content)
    assert message in complaint(capfd, words)


def shared_clip(name: str) -> Path:
    """A clip of the reference data, or skip."""
    path = SHARED / name
    if not path.is_file():
        pytest.skip(f"the reference clip {name} is not here")
    return path


@pytest.mark.parametrize("cut", [0.02, 0.5, 0.9])
def test_a_truncated_real_clip(capfd, cut):
    data = shared_clip("07_01_walk_normal.bvh").read_bytes()
    Path("clip.bvh").write_bytes(data[:int(cut * len(data))])
    assert "clip.bvh" in complaint(capfd, "simulate --motion clip.bvh")


def test_a_clip_without_walking(capfd):
    assert "snu_stand_idle.bvh" in complaint(capfd, f"simulate --motion {shared_clip('snu_stand_idle.bvh')}")


@pytest.mark.parametrize("verb", ["simulate", "plan"])
def test_an_unknown_gait(capfd, verb):
    assert "There is no gait named 'wlak'. Did you mean 'walk'? Known:" in complaint(capfd, f"{verb} --gait wlak")


# Blender files.


@pytest.fixture
def bare_scene():
    """Blender with an armature `Snake` that has bones but no legs, saved as snake.blend; and a take."""
    bpy = pytest.importorskip("bpy", reason="Blender (the bpy module) is not here")
    bpy.ops.wm.read_factory_settings(use_empty=True)
    armature = bpy.data.objects.new("Snake", bpy.data.armatures.new("Snake"))
    bpy.context.scene.collection.objects.link(armature)
    bpy.context.view_layer.objects.active = armature
    bpy.ops.object.mode_set(mode="EDIT")
    parent = None
    for i, name in enumerate(("hips", "spine", "chest", "neck", "head")):
        bone = armature.data.edit_bones.new(name)
        bone.head, bone.tail, bone.parent = (0, 0, 0.3 * i), (0, 0, 0.3 * i + 0.3), parent
        parent = bone
    bpy.ops.object.mode_set(mode="OBJECT")
    bpy.ops.wm.save_as_mainfile(filepath=str(Path("snake.blend").resolve()))
    make_take(Walk(seconds=3.0)).save("take.npz")


@pytest.mark.parametrize("words", [
    "bake --blend snake.blend --armature Snake --take take.npz --out baked.blend",
    "simulate --blend snake.blend --armature Snake",
])
def test_an_armature_without_legs(bare_scene, capfd, words):
    message = complaint(capfd, words)
    assert "Snake" in message and any(word in message for word in ("leg", "thigh", "hip", "knee"))
    assert not Path("baked.blend").exists()


@pytest.mark.parametrize("words, message", [
    ("bake --blend snake.blend --armature Snaek --take take.npz --out b.blend",
     "There is no armature named 'Snaek'. Did you mean 'Snake'?"),
    ("bake --blend take.npz --armature Snake --take take.npz --out b.blend", "Blender cannot open take.npz"),
    ("render --blend snake.blend --out pictures", "has no character that a camera could follow"),
    ("render --blend snake.blend --out pictures --renderer cicles", "Did you mean 'cycles'?"),
    ("render --blend snake.blend --out pictures --samples 0", "Samples must lie between"),
    ("render --blend snake.blend --out film.mp4 --size 33x18", "must be even, got 33x18"),
    ("render --blend snake.blend --out pictures --frames 9,1", "FIRST,LAST,STEP"),
    ("render --blend snake.blend --out snake.blend", "it is a file, not a folder"),
])
def test_blender_files_that_do_not_fit(bare_scene, capfd, words, message):
    assert message in complaint(capfd, words)


def test_without_blender_bake_says_what_is_needed(capfd, monkeypatch):
    monkeypatch.setitem(sys.modules, "bpy", None)
    for name in [n for n in sys.modules if n.startswith("lope.addon.rigs")]:
        monkeypatch.delitem(sys.modules, name)
    Path("a.blend").touch()
    make_take(Walk(seconds=3.0)).save("take.npz")
    message = complaint(capfd, "bake --blend a.blend --armature A --take take.npz --out b.blend")
    assert "needs Blender or the bpy module" in message and "scripts/setup" in message
