# SPDX-License-Identifier: GPL-3.0-or-later
"""A baked character written for Unreal, Unity and Godot, and read again: feet, root and frames are where they were."""

import json
import shutil
import struct
import subprocess
from pathlib import Path

import numpy as np
import pytest

import lope
from blender_scene import bpy, empty_file, load
from creature_walk import creature_walk
from foot_slip import walk
from lope.addon.bodies.creature.template import find_creature
from lope.addon.cli import main
from lope.addon.errors import InputError
from lope.addon.rigs.astronaut.astronaut import add_astronaut
from lope.addon.rigs.bake.bake import bake_take
from lope.addon.rigs.bake.placing import shown_figure
from lope.addon.rigs.creatures.figure import add_creature
from lope.addon.rigs.read.armature import metres_per_unit, read_figure
from lope.addon.rigs.shots.export import ENGINES, export_character, sampled
from lope.addon.rigs.shots.open_rig import open_rig
from lope.addon.specs.bake_options import BakeOptions

pytestmark = pytest.mark.slow

FEET_M, ROOT_M = 0.002, 0.001
RIGS = {"astronaut": None, "unreal": "rigs/mpfb_female_unreal.glb", "mixamo": "rigs/mpfb_male_mixamo_cm.fbx",
        "rigify": "rigify rig"}
SECONDS = 1.5


def character(rig: str, root_motion: str = "hips"):
    """A rig with a walk on the Moon, turned and away from the origin."""
    if RIGS[rig] is None:
        empty_file()
        armature = add_astronaut(bpy.context.scene)
    else:
        armature = load(RIGS[rig])
    scene = bpy.context.scene
    if rig == "rigify":
        add_skin(scene, armature)
    scene.render.fps, scene.render.fps_base = 30, 1.0
    armature.rotation_mode = "XYZ"
    armature.location.x += 3.0
    armature.rotation_euler.z += 0.6
    bpy.context.view_layer.update()
    options = BakeOptions(frame_range=(11, 11 + round(30 * SECONDS)), start_frame=11, root_motion=root_motion)
    bake_take(armature, walk("moon"), scene=scene, options=options)
    return scene, armature


def add_skin(scene, armature):
    """A triangle on every bone that bends skin: Rigify's rig comes with none."""
    bones = [bone for bone in armature.data.bones if bone.use_deform]
    aside = np.array([0.03, 0.0, 0.0])
    ends = [(np.array(bone.head_local), np.array(bone.tail_local)) for bone in bones]
    points = np.array([(head + aside, head - aside, tail) for head, tail in ends])
    mesh = bpy.data.meshes.new("Skin")
    mesh.from_pydata(points.reshape(-1, 3), [], np.arange(3 * len(bones)).reshape(-1, 3).tolist())
    skin = bpy.data.objects.new("Skin", mesh)
    scene.collection.objects.link(skin)
    skin.parent = armature
    for i, bone in enumerate(bones):
        skin.vertex_groups.new(name=bone.name).add(range(3 * i, 3 * i + 3), 1.0, "REPLACE")
    skin.modifiers.new("Armature", "ARMATURE").object = armature


def feet_of(armature, figure):
    if "DEF-foot.L" in armature.data.bones:
        return ["DEF-foot.L", "DEF-foot.R", "DEF-shin.L", "DEF-shin.R"]
    return [figure.bone_of[f"{part}_{side}"] for part in ("foot", "shank") for side in ("L", "R")]


def seen(scene, armature, bones, frames):
    """World places [m] of bones' heads (T, B, 3), and the object's matrices (T, 4, 4)."""
    heads, stands = [], []
    for frame in frames:
        scene.frame_set(frame)
        posed = armature.evaluated_get(bpy.context.evaluated_depsgraph_get())
        heads.append([np.array(posed.matrix_world @ posed.pose.bones[name].head) for name in bones])
        stands.append(np.array(posed.matrix_world))
    return np.array(heads) * metres_per_unit(scene), np.array(stands)


def read_again(path: Path):
    """The armature of an exported file, in a new one."""
    empty_file()
    bpy.context.scene.render.fps, bpy.context.scene.render.fps_base = 30, 1.0
    if path.suffix == ".glb":
        bpy.ops.import_scene.gltf(filepath=str(path))
    else:
        bpy.ops.import_scene.fbx(filepath=str(path), anim_offset=0.0)
    armature = next(item for item in bpy.data.objects if item.type == "ARMATURE")
    bpy.context.view_layer.objects.active = armature
    bpy.ops.object.mode_set(mode="EDIT")
    for bone in armature.data.edit_bones:
        bone.use_connect = False  # Blender's FBX importer connects what touches, and then shows no stretch
    bpy.ops.object.mode_set(mode="OBJECT")
    return armature


@pytest.mark.acceptance
@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("rig", RIGS)
def test_feet_root_and_frames_come_back(rig, engine, tmp_path):
    scene, armature = character(rig)
    figure = shown_figure(armature, scene)
    feet, before = feet_of(armature, figure), sorted(item.name for item in bpy.data.objects)
    told = export_character(scene, armature, engine, tmp_path / f"walk{ENGINES[engine].ending}")
    first, last = told.frames
    assert (first, last) == (11, 11 + round(30 * SECONDS)) and sorted(item.name for item in bpy.data.objects) == before
    assert bpy.context.scene == scene
    motion = sampled(scene, armature, figure, (first, last), 1.0)
    places, _ = seen(scene, armature, feet, range(first, last + 1))
    root_at = np.append((motion.rest @ np.append(armature.data.bones[figure.root].head_local, 1.0))[:3] if figure.root else
                        np.zeros(3), 1.0)
    again = read_again(told.path)
    found, stands = seen(bpy.context.scene, again, feet, range(last - first + 1))
    wanted = np.stack([motion.bones[name][:, :3, 3] for name in feet], axis=1)
    assert np.linalg.norm(found - wanted, axis=-1).max() < FEET_M
    # what is wanted is the scene's motion seen from where it starts: turned about the vertical and moved, nothing else
    gone, was = (np.linalg.norm(which - which[:1, :1], axis=-1) for which in (wanted, places))
    assert np.abs(gone - was).max() < ROOT_M
    root = again.pose.bones.get(told.root)
    way = stands[:, :3, 3] if root is None else seen(bpy.context.scene, again, [told.root], range(last - first + 1))[0][:, 0]
    assert np.linalg.norm(way - (motion.root @ root_at)[:, :3], axis=-1).max() < ROOT_M and np.linalg.norm(way[-1] - way[0]) > 0.5
    frames = again.animation_data.action.frame_range
    assert tuple(frames) == (0.0, float(last - first))


def test_a_creature_goes_too(tmp_path):
    empty_file()
    creature = find_creature("ostrich")
    armature, scene = add_creature(bpy.context.scene, creature), bpy.context.scene
    scene.render.fps, scene.render.fps_base = 30, 1.0
    bake_take(armature, creature_walk(creature), scene=scene)
    motion = sampled(scene, armature, shown_figure(armature, scene), (1, 20), 1.0)
    told = export_character(scene, armature, "godot", tmp_path / "bird.glb", (1, 20))
    names, again = list(motion.bones), read_again(told.path)
    found, _ = seen(bpy.context.scene, again, names, range(20))
    assert np.linalg.norm(found - np.stack([motion.bones[name][:, :3, 3] for name in names], axis=1), axis=-1).max() < FEET_M


@pytest.mark.parametrize("root_motion", ["object", "in_place"])
def test_travel_that_the_object_carries_stays_with_it(root_motion, tmp_path):
    scene, armature = character("astronaut", root_motion)
    figure = shown_figure(armature, scene)
    motion = sampled(scene, armature, figure, (11, 40), 1.0)
    _, stands = seen(scene, armature, ["pelvis"], range(11, 41))
    way = np.linalg.norm(stands[:, :2, 3] - stands[0, :2, 3], axis=-1)
    assert np.allclose(np.linalg.norm(motion.root[:, :2, 3], axis=-1), way, atol=0.03 if root_motion == "in_place" else 1e-3)


def test_a_file_of_another_kind_and_an_unknown_engine_are_refused(tmp_path):
    scene, armature = character("astronaut")
    with pytest.raises(InputError, match="Unreal is written as .fbx"):
        export_character(scene, armature, "unreal", tmp_path / "walk.glb")
    with pytest.raises(InputError, match="godot"):
        export_character(scene, armature, "unity3d", tmp_path / "walk.fbx")
    assert list(tmp_path.iterdir()) == []


def test_the_command_line_and_the_button_export(tmp_path, capsys):
    character("astronaut")
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "walked.blend"), copy=True)
    words = ["export", "--blend", str(tmp_path / "walked.blend"), "--for", "unity", "--out", str(tmp_path / "walk.fbx"), "--json"]
    assert main([*words, "--frames", "11,20"]) == 0
    told = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert (told["frame_start"], told["frame_end"], told["root"]) == (11, 20, "Astronaut") and (tmp_path / "walk.fbx").is_file()
    assert main([*words, "--frames", "11,20,2"]) == 2
    lope.register()
    try:
        bpy.context.view_layer.objects.active = bpy.data.objects["Astronaut"]
        assert bpy.ops.lope.export(engine="godot", filepath=str(tmp_path / "walk.glb")) == {"FINISHED"}
    finally:
        lope.unregister()
    assert (tmp_path / "walk.glb").is_file()


def test_the_gltf_is_valid(tmp_path):
    """Its chunk is whole, its one clip as long as the motion; Khronos' validator, where it is installed, finds nothing wrong."""
    scene, armature = character("astronaut")
    path = export_character(scene, armature, "godot", tmp_path / "walk.glb").path
    data = path.read_bytes()
    magic, version, length = struct.unpack_from("<4sII", data)
    assert (magic, version, length) == (b"glTF", 2, len(data))
    size, kind = struct.unpack_from("<I4s", data, 12)
    told = json.loads(data[20:20 + size])
    assert kind == b"JSON" and [one["name"] for one in told["animations"]] == [armature.animation_data.action.name]
    assert len(told["scenes"]) == 1, "the scene at hand is no part of it"
    times = [told["accessors"][sampler["input"]] for sampler in told["animations"][0]["samplers"]]
    assert {round(one["max"][0], 4) for one in times if one["count"] > 1} == {SECONDS}
    assert validated(path) in (None, [])


def test_a_clip_alone_whose_gltf_has_no_skin_is_read_on_bones(tmp_path):
    """As libraries of clips ship them: joints that move and nothing that hangs on them."""
    scene, armature = character("astronaut")
    names, action = {bone.name for bone in armature.data.bones}, armature.animation_data.action.name
    data = export_character(scene, armature, "godot", tmp_path / "walk.glb").path.read_bytes()
    size = int.from_bytes(data[12:16], "little")
    told = json.loads(data[20:20 + size])
    drawn = [i for i, node in enumerate(told["nodes"]) if "mesh" in node]
    for node in told["nodes"]:
        node["children"] = [child for child in node.get("children", []) if child not in drawn]
        if not node["children"]:
            del node["children"]
    for i in drawn:
        told["nodes"][i] = {"name": "nothing"}
    del told["skins"], told["meshes"]
    text = json.dumps(told).encode()
    text += b" " * (-len(text) % 4)
    rest = struct.pack("<I4s", len(text), b"JSON") + text + data[20 + size:]
    bare = tmp_path / "bare.glb"
    bare.write_bytes(struct.pack("<4sII", b"glTF", 2, 12 + len(rest)) + rest)
    read = open_rig(str(bare), None)
    assert names <= {bone.name for bone in read.data.bones} and action in bpy.data.actions
    assert read_figure(read).bone_of["foot_L"] == "foot_L"


VALIDATE = """
const fs = require("fs"); const validator = require("gltf-validator");
validator.validateBytes(new Uint8Array(fs.readFileSync(process.argv[1]))).then(found => console.log(JSON.stringify(
  found.issues.messages.filter(message => message.severity < 2))));
"""


def validated(path: Path) -> list | None:
    """Errors and warnings that Khronos' validator (npm `gltf-validator`, found by NODE_PATH) tells of a file; None without it."""
    if shutil.which("node") is None:
        return None
    done = subprocess.run(["node", "-e", VALIDATE, str(path)], capture_output=True, text=True)
    return json.loads(done.stdout) if done.returncode == 0 else None
