# SPDX-License-Identifier: GPL-3.0-or-later
"""Skin that hangs on bones above the hips, or beside them, goes along with a bake: no mesh is torn."""

from __future__ import annotations

import numpy as np
import pytest

from bake_check import body_of
from blender_scene import bpy, fresh_scene
from lope.addon.rigs.astronaut.astronaut import add_astronaut
from lope.addon.rigs.bake.bake import bake_take
from lope.addon.rigs.read.armature import read_figure
from synthetic_take import synthetic_take

pytestmark = pytest.mark.slow


def rig_with(bones: dict[str, str | None], under: dict[str, str]) -> bpy.types.Object:
    """The astronaut with new bones (name -> parent) and bones that hang on them now."""
    armature = add_astronaut(bpy.context.scene)
    bpy.context.view_layer.objects.active = armature
    bpy.ops.object.mode_set(mode="EDIT")
    edited = armature.data.edit_bones
    for name, parent in bones.items():
        new = edited.new(name)
        new.head, new.tail = (0.0, 0.0, 0.9), (0.0, 0.0, 1.0)
        new.parent = None if parent is None else edited[parent]
    for name, parent in under.items():
        edited[name].use_connect, edited[name].parent = False, edited[parent]
    bpy.ops.object.mode_set(mode="OBJECT")
    return armature


def give_skin(armature: bpy.types.Object, bone: str, share: float, of: str) -> None:
    """Let a bone move a share of the skin of another one."""
    mesh = armature.children[0]
    group, other = mesh.vertex_groups.new(name=bone), mesh.vertex_groups[of]
    for vertex in mesh.data.vertices:
        weights = {mesh.vertex_groups[one.group].name: one.weight for one in vertex.groups}
        if weights.get(of, 0.0) > 0.5:
            group.add([vertex.index], share * weights[of], "REPLACE")
            other.add([vertex.index], (1.0 - share) * weights[of], "REPLACE")


def stretch(armature: bpy.types.Object, frame: int) -> float:
    """The most that an edge of the skin is longer than at rest, in metres."""
    mesh = armature.children[0]
    bpy.context.scene.frame_set(frame)
    posed = mesh.evaluated_get(bpy.context.evaluated_depsgraph_get()).data
    ends = np.array([edge.vertices[:] for edge in mesh.data.edges])
    rest, now = (np.array([vertex.co[:] for vertex in one.vertices]) for one in (mesh.data, posed))
    length = [np.linalg.norm(points[ends[:, 0]] - points[ends[:, 1]], axis=1) for points in (rest, now)]
    return float((length[1] - length[0]).max())


@pytest.mark.parametrize(("bones", "under", "skinned", "share"), [
    ({"Waist": None}, {"pelvis": "Waist", "thigh_L": "Waist", "thigh_R": "Waist"}, "Waist", 1.0),
    ({"Waist": None}, {"pelvis": "Waist"}, "Waist", 0.2),
    ({"root": None}, {"pelvis": "root"}, "root", 0.2),
    ({"root": None, "prop": "root"}, {"pelvis": "root"}, "prop", 0.2),
    ({"prop": None}, {}, "prop", 0.2),
], ids=["the bone that hips and thighs hang on", "a bone above the hips", "the root", "a prop that hangs on the root",
        "a prop that hangs on nothing"])
def test_no_skin_stays_behind(bones, under, skinned, share):
    fresh_scene()
    armature = rig_with(bones, under)
    give_skin(armature, skinned, share, "pelvis")
    take = synthetic_take(body_of(read_figure(armature)), seconds=6.0)
    bake_take(armature, take)
    first, last = (int(frame) for frame in armature.animation_data.action.frame_range)
    hips = armature.pose.bones["pelvis"]
    bpy.context.scene.frame_set(first)
    start = armature.matrix_world @ hips.head
    bpy.context.scene.frame_set(last)
    assert (armature.matrix_world @ hips.head - start).length > 4.0, "it went somewhere"
    assert stretch(armature, last) < 0.4, "torn it would be 0.8 m and more"
