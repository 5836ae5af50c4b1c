# SPDX-License-Identifier: GPL-3.0-or-later
"""`lope bake` with its options, and the light that a scene has or gets."""

from __future__ import annotations

import hashlib
import json
from dataclasses import replace

import pytest

from blender_scene import bpy, fresh_scene
from lope.addon.cli import main
from lope.addon.options.outputs import find_armature, open_scene
from lope.addon.rigs.astronaut.astronaut import add_astronaut
from lope.addon.rigs.bake.artist_keys import control_of
from lope.addon.rigs.bake.provenance import provenance
from lope.addon.rigs.read.actions import curves_of
from lope.addon.rigs.read.armature import read_figure
from lope.addon.rigs.render.pictures import read_picture
from lope.addon.rigs.stage.stage import add_plain_light, is_dark
from lope.addon.sim.take import Take
from lope.addon.specs.bake_options import BakeOptions
from lope.addon.specs.motion import After
from lope.addon.specs.shot import World
from take_factory import Walk, make_take


@pytest.fixture
def run(capfd):
    def run(*words):
        capfd.readouterr()
        code = main([*map(str, words), "--json"])
        out, err = capfd.readouterr()
        return code, json.loads(out) if out else None, err

    return run


@pytest.fixture
def files(tmp_path):
    """A file with the astronaut and nothing else, and a take."""
    scene = fresh_scene(24)
    add_astronaut(scene)
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "rig.blend"))
    take = make_take(Walk(seconds=2.0))
    replace(take, shot=replace(take.shot, world=World("moon", take.shot.world.gravity_m_s2))).save(tmp_path / "take.npz")
    return tmp_path


@pytest.mark.slow
def test_a_giant_goes_as_somebody_of_a_height_that_is_given(files, run):
    """It stays as large as it is."""
    armature = find_armature(None)
    armature.scale = (20.0, 20.0, 20.0)
    bpy.ops.wm.save_as_mainfile(filepath=str(files / "giant.blend"))
    code, _, err = run("simulate", "--blend", files / "giant.blend", "--seconds", "0.5", "--out", files / "giant.npz")
    assert code == 0 and "it goes as somebody of 1.75 m" in err
    assert Take.load(files / "giant.npz").shot.body.height_m == pytest.approx(1.75)
    code, _, _ = run("simulate", "--blend", files / "giant.blend", "--height", 1.7, "--seconds", "0.5", "--out",
                     files / "giant.npz")
    assert code == 0 and Take.load(files / "giant.npz").shot.body.height_m == pytest.approx(1.7)
    code, _, _ = run("bake", "--blend", files / "giant.blend", "--take", files / "giant.npz", "--out", files / "gone.blend")
    assert code == 0
    bpy.ops.wm.open_mainfile(filepath=str(files / "gone.blend"))
    armature = find_armature(None)
    hips = armature.matrix_world @ armature.pose.bones["thigh_L"].head
    assert armature.scale[0] == pytest.approx(20.0) and 12.0 < hips.z < 24.0


@pytest.mark.slow
@pytest.mark.parametrize(("where", "name"), [("mat", "sidestep"), ("soles", "sidestep"), (None, "walk")])
def test_a_take_that_was_read_from_pressure_is_called_as_its_file(files, run, where, name):
    take = Take.load(files / "take.npz")
    told = {} if where is None else {where: {"file": "recorded/sidestep.csv", "at_m": [0.0, 0.0]}}
    replace(take, stats=take.stats | told).save(files / "read.npz")
    code, report, _ = run("bake", "--blend", "astronaut", "--take", files / "read.npz", "--out", files / "new.blend")
    assert code == 0 and report["action"] == f"Astronaut {name} moon"


@pytest.mark.slow
def test_the_built_in_figure_stands_in_for_a_file(files, run):
    code, report, _ = run("bake", "--blend", "astronaut", "--take", files / "take.npz", "--out", files / "new.blend")
    assert code == 0 and report["armature"] == "Astronaut"
    bpy.ops.wm.open_mainfile(filepath=str(files / "new.blend"))
    astronaut = bpy.data.objects["Astronaut"]
    assert astronaut.animation_data.action.name == report["action"]
    tall = read_figure(astronaut).height_m
    open_scene("astronaut", 1.2)
    assert read_figure(bpy.data.objects["Astronaut"]).height_m == pytest.approx(1.2 / 1.8 * tall), "the take's is 1.8 m"
    code, report, _ = run("doctor", "--blend", "astronaut")
    assert code == 0 and not bpy.data.filepath


@pytest.mark.slow
def test_every_option_reaches_the_bake(files, run):
    words = ("--blend", files / "rig.blend", "--take", files / "take.npz", "--out", files / "out.blend")
    code, report, err = run("bake", *words, "--parts", "legs", "--root-motion", "object", "--frames", "5,30", "--start-frame",
                            "3", "--frame-step", "2", "--reduce-error", "1", "--no-markers", "--no-lock-feet", "--name", "Legs",
                            "--controls", "fk", "--subframe-events", "--keep-old")
    assert code == 0 and report["action"] == "Legs" and report["dark"] and "gives light" in err
    bpy.ops.wm.open_mainfile(filepath=str(files / "out.blend"))
    action = bpy.data.objects["Astronaut"].animation_data.action
    assert provenance(action).options == BakeOptions(
        parts="legs", root_motion="object", frame_range=(5, 30), start_frame=3, frame_step=2, reduce_error_m=0.001, markers=False,
        lock_feet=False, name="Legs", controls="fk", subframe_events=True, keep_old=True)
    keyed = {control_of(curve.data_path) for curve in curves_of(action)}
    assert {"Object", "pelvis", "thigh.L"} <= keyed | {n.replace("_L", ".L") for n in keyed}
    assert not any("arm" in n for n in keyed)


@pytest.mark.slow
def test_bakes_in_a_row_on_a_stage(files, run):
    one, two = files / "one.blend", files / "two.blend"
    _, first, _ = run("bake", "--blend", files / "rig.blend", "--take", files / "take.npz", "--push-down", "--stage", "auto",
                      "--out", one)
    assert first["stage"].startswith("Sky moon") and "dark" not in first
    code, second, _ = run("bake", "--blend", one, "--take", files / "take.npz", "--push-down", "--go-on", "--out", two)
    assert code == 0 and second["frame_start"] == first["frame_end"] == 49.0


@pytest.mark.slow
@pytest.mark.parametrize("wrong, match", [
    (("--frames", "5"), "--frames takes FIRST,LAST"), (("--stage", "moon"), "A stage is auto or none"),
    (("--parts", "bones"), "To bake some bones only, choose them"), (("--bones", "thumb"), "no bone named 'thumb'"),
    (("--target", "newest"), "bake target"), (("--go-on",), "no motion of Lope's to go on from")])
def test_wrong_options_are_told(files, run, wrong, match):
    code, _, err = run("bake", "--blend", files / "rig.blend", "--take", files / "take.npz", "--out", files / "o.blend", *wrong)
    assert code == 2 and match in err and not (files / "o.blend").exists()


@pytest.mark.slow
def test_a_dark_scene_is_lit_for_its_pictures_and_says_so(files, run):
    words = ("--blend", files / "rig.blend", "--frames", "1,1", "--size", "32x18", "--samples", "1", "--camera", "follow:side")
    code, report, err = run("render", *words, "--out", files / "lit")
    assert code == 0 and report["light"] == "plain" and "a plain sun and sky are added" in err
    assert read_picture(files / "lit" / "frame_0001.png").mean() > 0.15
    code, report, err = run("render", *words, "--out", files / "black", "--light", "none")
    assert code == 0 and "light" not in report and "its pictures are black" in err
    assert read_picture(files / "black" / "frame_0001.png").mean() < 0.02
    bpy.ops.wm.open_mainfile(filepath=str(files / "rig.blend"))
    assert not [item for item in bpy.data.objects if item.type == "LIGHT"], "the file itself is not changed"


@pytest.mark.slow
def test_the_report_of_a_replaced_range_names_the_range(files, run):
    run("bake", "--blend", files / "rig.blend", "--take", files / "take.npz", "--out", files / "one.blend")
    code, report, _ = run("bake", "--blend", files / "one.blend", "--take", files / "take.npz", "--out", files / "two.blend",
                          "--target", "replace", "--frames", "20,30")
    assert code == 0 and (report["frame_start"], report["frame_end"]) == (20.0, 30.0)
    assert report["action_frames"] == [1.0, 49.0]


def test_what_gives_light():
    scene = fresh_scene()
    assert is_dark(scene)
    scene.world = bpy.data.worlds.new("Grey")
    assert not is_dark(scene)
    scene.world = None
    mesh = bpy.data.meshes.new("Lamp")
    lamp = bpy.data.objects.new("Lamp", mesh)
    scene.collection.objects.link(lamp)
    material = bpy.data.materials.new("Glow")
    material.use_nodes = True
    mesh.materials.append(material)
    assert is_dark(scene)
    shader = next(node for node in material.node_tree.nodes if node.type == "BSDF_PRINCIPLED")
    shader.inputs["Emission Strength"].default_value = 2.0
    assert not is_dark(scene)
    lamp.hide_render = True
    assert is_dark(scene)
    add_plain_light(scene)
    assert not is_dark(scene)


@pytest.fixture
def onward(files):
    """The take of the files, and one that goes on from it; gives its path."""
    first = files / "take.npz"
    take = Take.load(first)
    after = After(str(first), hashlib.sha256(first.read_bytes()).hexdigest(), (0.0, 0.0), 0.0, 2.0)
    replace(take, shot=take.shot.with_motion(name="lope", after=after)).save(files / "on.npz")
    return files / "on.npz"


@pytest.mark.slow
def test_a_take_goes_on_by_itself_in_the_action_of_the_one_before(files, onward, run):
    _, first, _ = run("bake", "--blend", files / "rig.blend", "--take", files / "take.npz", "--out", files / "one.blend")
    code, second, err = run("bake", "--blend", files / "one.blend", "--take", onward, "--out", files / "two.blend")
    assert code == 0 and (second["frame_start"], second["frame_end"]) == (49.0, 97.0) and "goes on from take.npz" in err
    assert second["action_frames"] == [1.0, 97.0]
    _, strips, _ = run("bake", "--blend", files / "one.blend", "--take", onward, "--push-down", "--out", files / "nla.blend")
    assert strips["frame_start"] == first["frame_end"] == 49.0


@pytest.mark.slow
@pytest.mark.parametrize("words", [(), ("--target", "new"), ("--start-frame", "1")])
def test_a_take_that_cannot_go_on_leaves_the_action_before(files, onward, run, words):
    make_take(Walk(seconds=4.0)).save(files / "other.npz")
    take = "take.npz" if words else "other.npz"
    _, first, _ = run("bake", "--blend", files / "rig.blend", "--take", files / take, "--out", files / "one.blend")
    code, second, err = run("bake", "--blend", files / "one.blend", "--take", onward, "--out", files / "two.blend", *words)
    assert code == 0 and second["frame_start"] == 1.0 and "baked as a motion by itself" in err and "is kept" in err
    bpy.ops.wm.open_mainfile(filepath=str(files / "two.blend"))
    assert first["action"] in bpy.data.actions and second["action"] != first["action"]
