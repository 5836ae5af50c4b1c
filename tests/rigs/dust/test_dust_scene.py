# SPDX-License-Identifier: GPL-3.0-or-later
"""Prints and dust in a scene: under the feet that were baked, flying by the law at any frame, added and replaced as one."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

import lope_scene
from blender_scene import bpy, fresh_scene, load, pose_in_world
from foot_slip import walk
from lope.addon.cli import main
from lope.addon.errors import RigError
from lope.addon.rigs.astronaut.astronaut import add_astronaut
from lope.addon.rigs.bake.bake import bake_take
from lope.addon.rigs.bake.placing import baked_motion
from lope.addon.rigs.dust.grains import grains_of, kicks, prints
from lope.addon.rigs.dust.marks import MADE_KEY, add_marks
from lope.addon.specs.bake_options import BakeOptions
from lope.addon.specs.shot import World

pytestmark = pytest.mark.slow

scene = lope_scene.scene


def baked(root="hips", seconds=3.0, place=(1.0, 2.0, 0.0), **options):
    shown = fresh_scene(24)
    armature = add_astronaut(shown)
    armature.location, armature.rotation_euler[2] = place, 0.5
    take = walk("moon", seconds)
    bake_take(armature, take, options=BakeOptions(root_motion=root, **options))
    return shown, armature, take


def flying(item, frame):
    """World places (N, 3) of an object's evaluated points at a frame."""
    bpy.context.scene.frame_set(frame)
    found = item.evaluated_get(bpy.context.evaluated_depsgraph_get()).evaluated_geometry()
    cloud = found.pointcloud if found.pointcloud is not None else found.mesh
    if cloud is None:
        return np.zeros((0, 3))
    data = cloud.attributes["position"].data
    places = np.empty(3 * len(data))
    data.foreach_get("vector", places)
    matrix = np.array(item.matrix_world)
    return places.reshape(-1, 3) @ matrix[:3, :3].T + matrix[:3, 3]


@pytest.mark.parametrize("world", ["moon", "earth"])
def test_nodes_fly_by_the_law(world):
    shown, armature, take = baked()
    take = replace(take, shot=replace(take.shot, world=World(world, take.shot.world.gravity_m_s2)))
    bake_take(armature, take)
    dust = next(item for item in add_marks(shown, armature, take, dust=0.2).objects if item.name.startswith("Dust"))
    where = baked_motion(armature, take, shown)
    from lope.addon.worlds.planets import air_of

    grains = grains_of(kicks(take), take.shot.seed, air_of(world, 1.62), 0.2)
    counted = 0
    for frame in (70, 36, 55):  # in any order: nothing is simulated
        _, places = grains.at(frame / 24.0 - where.scene_s + where.first_s)
        found = flying(dust, frame)
        assert len(found) == pytest.approx(len(places), abs=2)
        if len(found) == len(places):
            counted += len(found)
            np.testing.assert_allclose(found, where.to_world(places), atol=2e-4)
    assert counted > 20


@pytest.mark.parametrize("root", ["hips", "object"])
def test_prints_lie_under_the_baked_feet_and_come_with_them(root):
    shown, armature, take = baked(root)
    shown.frame_set(60)
    place = armature.matrix_world.copy()
    marks = next(item for item in add_marks(shown, armature, take, dust=0.0).objects)
    assert shown.frame_current == 60 and armature.matrix_world == place
    found, where = prints(take), baked_motion(armature, take, shown)
    second = found[1]
    frame = round(24 * (second.down_s - where.first_s + where.scene_s)) + 2
    toes = {"L": "toes.L", "R": "toes.R"}[second.foot]
    joint = pose_in_world(armature, frame)
    name = next(bone for bone in joint if bone.replace("_", ".") == toes)
    ball = where.to_world(second.place)[0]
    assert np.linalg.norm(joint[name][:2, 3] - ball[:2]) < 0.03, "the joint of the toes lies over the ball"
    counts = [len(flying(marks, k)) for k in (1, frame, 72)]
    assert counts[0] < counts[1] <= counts[2]
    assert flying(marks, 72)[:, 2].min() > -1e-4 and flying(marks, 72)[:, 2].max() < 0.05


def test_a_bake_that_goes_on_takes_its_prints_along():
    shown, armature, take = baked("hips")
    bake_take(armature, take, options=BakeOptions(push_down=True))
    bake_take(armature, take, options=BakeOptions(push_down=True, go_on=True))
    where = baked_motion(armature, take, shown)
    last = prints(take)[2]
    frame = round(24 * (last.down_s - where.first_s + where.scene_s)) + 2
    assert frame > 73
    joint = pose_in_world(armature, frame)
    name = next(bone for bone in joint if bone.replace("_", ".") == f"toes.{last.foot}")
    assert np.linalg.norm(joint[name][:2, 3] - where.to_world(last.place)[0][:2]) < 0.03


def test_a_second_press_replaces_what_lope_made_and_nothing_else():
    shown, armature, take = baked()
    first = add_marks(shown, armature, take, dust=0.1)
    mine, copy = bpy.data.objects.new("My rock", None), first.objects["Dust"].copy()
    first.objects.link(mine)
    first.objects.link(copy)
    renamed = first.objects["Prints"]
    renamed.name = "Kept prints"
    rooms = [len(room) for room in (bpy.data.meshes, bpy.data.materials, bpy.data.node_groups)]
    again = add_marks(shown, armature, take, dust=0.1)
    assert again == first and {mine.name, copy.name, "Kept prints"} < set(again.objects.keys())
    assert len(again.objects) == 5 and len(str(again[MADE_KEY]).splitlines()) == 2
    add_marks(shown, armature, take, dust=0.1)
    assert len(again.objects) == 5
    assert [len(room) for room in (bpy.data.meshes, bpy.data.materials, bpy.data.node_groups)] == [rooms[0] + 2, rooms[1] + 2,
                                                                                                rooms[2] + 2]
    add_marks(shown, armature, take, dust=0.0, with_prints=False)
    assert set(again.objects.keys()) == {mine.name, copy.name, "Kept prints"}


def test_takes_that_are_not_baked_there_are_refused():
    shown, armature, take = baked()
    with pytest.raises(RigError, match="not baked on 'Astronaut'"):
        add_marks(shown, armature, replace(take, shot=replace(take.shot, seed=99)))
    bake_take(armature, take, options=BakeOptions(root_motion="in_place"))
    with pytest.raises(RigError, match="walks on the spot"):
        add_marks(shown, armature, take)
    assert not [one for one in bpy.data.collections if one.name.startswith("Dust")]


def test_a_rig_of_another_size_has_prints_of_its_own_size():
    armature = load("rigs/kaykit_rogue.glb", 24)
    if armature.animation_data is not None:
        armature.animation_data_clear()
    take = walk("moon", 2.0)
    bake_take(armature, take)
    where = baked_motion(armature, take, bpy.context.scene)
    assert np.linalg.norm(where.direction(np.array([1.0, 0.0, 0.0]))) < 0.7


def test_the_button_is_one_step_and_the_commands_add_the_same(scene, tmp_path, capfd):
    _, armature, take = baked(seconds=2.0)
    take.save(tmp_path / "take.npz")
    bpy.context.scene.lope.armature = armature
    armature.lope.take_path = str(tmp_path / "take.npz")
    assert bpy.ops.lope.add_dust("EXEC_DEFAULT", True, dust=0.1, air="NONE") == {"FINISHED"}
    found = [one for one in bpy.data.collections if one.name.startswith("Dust")]
    assert len(found) == 1 and {item.name for item in found[0].objects} == {"Prints", "Dust"}
    fresh_scene(24)
    add_astronaut(bpy.context.scene)
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "rig.blend"))
    words = ["bake", "--blend", str(tmp_path / "rig.blend"), "--take", str(tmp_path / "take.npz"), "--dust", "--out",
             str(tmp_path / "out.blend"), "--json"]
    capfd.readouterr()
    assert main(words) == 0
    name = json.loads(capfd.readouterr().out)["dust"]
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "out.blend"))
    assert len(bpy.data.collections[name].objects) == 2
    words = ["render", "--blend", str(tmp_path / "out.blend"), "--frames", "20,20", "--size", "16x16", "--samples", "1", "--out",
             str(tmp_path / "p"), "--dust", str(tmp_path / "take.npz"), "--json"]
    assert main(words) == 0 and (tmp_path / "p" / "frame_0020.png").is_file()
