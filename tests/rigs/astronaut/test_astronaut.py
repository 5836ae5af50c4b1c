# SPDX-License-Identifier: GPL-3.0-or-later
"""The built-in astronaut: its bones, its suit's size and weights, how it bends; and that nothing else changes."""

from __future__ import annotations

import math

from blender_scene import FACING_MINUS_Y, bpy, fresh_scene  # before mathutils, which comes with it

# isort: split
import numpy as np
import pytest
from mathutils import Matrix, Vector

from lope.addon.bodies.human.anthropometry import standing_landmarks
from lope.addon.bodies.human.body import Human
from lope.addon.bodies.human.landmarks import neutral_alignments
from lope.addon.errors import InputError
from lope.addon.rigs.astronaut.astronaut import add_astronaut, suit_patch
from lope.addon.rigs.astronaut.skeleton import arm_rotation, bone_table, rest_landmarks
from lope.addon.rigs.read.armature import read_figure
from lope.addon.rigs.read.maps import SEGMENTS

MOST_TRIANGLES = 40_000


@pytest.fixture
def astronaut():
    return add_astronaut(fresh_scene())


def suit_of(armature):
    return armature.children[0]


def evaluated_points(armature) -> np.ndarray:
    """World places (V, 3) of the suit's vertices as Blender evaluates them."""
    bpy.context.view_layer.update()
    suit = suit_of(armature).evaluated_get(bpy.context.evaluated_depsgraph_get())
    mesh = suit.to_mesh()
    points = np.empty(3 * len(mesh.vertices), dtype=np.float32)
    mesh.vertices.foreach_get("co", points)
    suit.to_mesh_clear()
    world = np.array(suit.matrix_world)
    return points.reshape(-1, 3).astype(float) @ world[:3, :3].T + world[:3, 3]


def turn(armature, bone: str, axis: tuple[float, float, float], degrees: float) -> None:
    """Turn a pose bone about its head and a world axis."""
    bpy.context.view_layer.update()
    pose_bone = armature.pose.bones[bone]
    head = Matrix.Translation(pose_bone.head)
    pose_bone.matrix = head @ Matrix.Rotation(math.radians(degrees), 4, Vector(axis)) @ head.inverted() @ pose_bone.matrix


def of_bone(armature, bone: str, least: float = 0.99) -> np.ndarray:
    """Which vertices (V,) hang on that bone with at least that weight."""
    suit = suit_of(armature)
    index = suit.vertex_groups[bone].index
    return np.array([any(g.group == index and g.weight >= least for g in v.groups) for v in suit.data.vertices])


def test_bones_are_the_segments(astronaut):
    bones = astronaut.data.bones
    assert {bone.name for bone in bones} == set(SEGMENTS)
    assert [bone.name for bone in bones if bone.parent is None] == ["pelvis"]
    tree = {segment.name: segment.parent for segment in Human.from_landmarks(standing_landmarks(1.8), 75.0).segments}
    assert {bone.name: bone.parent.name if bone.parent else None for bone in bones} == tree


@pytest.mark.parametrize("height", [0.9, 1.8, 2.4])
def test_joints_stand_at_the_landmarks(height):
    armature = add_astronaut(fresh_scene(), height_m=height)
    points = rest_landmarks(height)
    for name, (head, tail, _, z_axis) in bone_table().items():
        bone = armature.data.bones[name]
        assert np.allclose(FACING_MINUS_Y @ points[head], bone.head_local, atol=1e-5)
        assert np.allclose(FACING_MINUS_Y @ points[tail], bone.tail_local, atol=1e-5)
        assert (FACING_MINUS_Y @ z_axis) @ np.array(bone.matrix_local)[:3, 2] > 0.7
    aligned = neutral_alignments(points)
    assert np.allclose(aligned["upper_arm_L"], arm_rotation("L").T, atol=1e-9)


@pytest.mark.slow
def test_the_rig_reader_finds_the_same_body(astronaut):
    figure = read_figure(astronaut)
    points = rest_landmarks(1.8)
    for name, point in figure.landmarks.items():
        tolerance = 0.06 if name == "head_top" else 0.016 if name.startswith(("heel", "toe_tip")) else 1e-5
        assert np.allclose(point, points[name], atol=tolerance), name
    body, plain = Human.from_landmarks(figure.landmarks, 75.0), Human.from_landmarks(standing_landmarks(1.8), 75.0)
    assert [s.name for s in body.segments] == [s.name for s in plain.segments]
    assert body.leg_length_m == pytest.approx(plain.leg_length_m, abs=1e-5)


@pytest.mark.slow
@pytest.mark.parametrize("height", [0.9, 1.8, 2.4])
def test_size(height):
    points = evaluated_points(add_astronaut(fresh_scene(), height_m=height)) * (1.8 / height)
    assert abs(points[:, 2].min()) < 1e-6
    assert 1.80 <= points[:, 2].max() <= 1.87  # the helmet's shell is over the head
    soles = points[points[:, 2] < 0.02]
    landmarks = standing_landmarks(1.8)
    assert -soles[:, 1].max() == pytest.approx(landmarks["heel_L"][0], abs=0.015)
    assert -soles[:, 1].min() == pytest.approx(landmarks["toe_tip_L"][0], abs=0.015)
    both_sides = np.sort(np.abs(points[points[:, 0] > 0.2][:, 0])), np.sort(np.abs(points[points[:, 0] < -0.2][:, 0]))
    assert np.allclose(*both_sides, atol=1e-5)


def test_triangles(astronaut):
    suit = suit_of(astronaut).evaluated_get(bpy.context.evaluated_depsgraph_get())
    mesh = suit.to_mesh()
    mesh.calc_loop_triangles()
    count = len(mesh.loop_triangles)
    suit.to_mesh_clear()
    assert 10_000 < count < MOST_TRIANGLES


@pytest.mark.slow
def test_every_vertex_is_weighted(astronaut):
    suit = suit_of(astronaut)
    assert {group.name for group in suit.vertex_groups} == {bone.name for bone in astronaut.data.bones}
    sums = np.array([sum(g.weight for g in v.groups) for v in suit.data.vertices])
    assert np.all(np.abs(sums - 1.0) < 0.005)
    used = {g.group for v in suit.data.vertices for g in v.groups}
    assert {suit.vertex_groups[i].name for i in used} >= set(SEGMENTS) - {"neck"}


@pytest.mark.slow
def test_the_mesh_is_sound(astronaut):
    mesh = suit_of(astronaut).data
    assert not mesh.copy().validate()
    areas = np.empty(len(mesh.polygons), dtype=np.float32)
    mesh.polygons.foreach_get("area", areas)
    assert areas.min() > 1e-9
    patch = suit_patch()
    slots = suit_of(astronaut).material_slots
    assert set(patch.materials) == {slot.material.name.removeprefix("Astronaut ") for slot in slots}


@pytest.mark.slow
def test_surfaces_look_outwards():
    from lope.addon.rigs.astronaut.suit import arm, boot, chest_box, glove, helmet, hoses, leg, pack, trunk

    for part in (boot, glove, chest_box, helmet, hoses, pack, arm, leg, trunk):
        for number, patch in enumerate(part()):
            for each in (patch, patch.mirrored()):
                corners = [each.points[list(face[:3])] for face in each.faces]
                normal = np.array([np.cross(b - a, c - a) for a, b, c in corners])
                middle = np.array([each.points[list(face)].mean(axis=0) for face in each.faces])
                volume = np.sum(normal * (middle - each.points.mean(axis=0)))
                assert volume > 0.0, f"{part.__name__} {number}"


@pytest.mark.slow
def test_a_knee_bends_only_what_is_below(astronaut):
    rest = evaluated_points(astronaut)
    turn(astronaut, "shank_L", (1, 0, 0), 60.0)
    bent = evaluated_points(astronaut)
    moved = np.linalg.norm(bent - rest, axis=1)
    assert all(moved[of_bone(astronaut, f"thigh_{side}", 0.9999)].max() < 1e-6 for side in "LR")
    knee = FACING_MINUS_Y @ standing_landmarks(1.8)["knee_L"]
    expected = Matrix.Rotation(math.radians(60.0), 3, "X") @ Vector((0, 0, -1))
    shank = of_bone(astronaut, "shank_L", 0.9999)
    turned = (rest[shank] - knee) @ np.array(Matrix.Rotation(math.radians(60.0), 3, "X")).T + knee
    assert expected.y > 0.5 and np.abs(bent[shank] - turned).max() < 1e-4


@pytest.mark.slow
def test_a_bent_knee_keeps_its_girth(astronaut):
    turn(astronaut, "shank_L", (1, 0, 0), 60.0)
    points = evaluated_points(astronaut)
    knee = FACING_MINUS_Y @ standing_landmarks(1.8)["knee_L"]
    near = points[(np.abs(points - knee) < [0.12, 0.16, 0.03]).all(axis=1)]
    assert np.ptp(near[:, 0]) > 0.13  # as wide as the straight knee, 0.15
    assert near[:, 1].min() < knee[1] - 0.06


@pytest.mark.slow
def test_toes_bend_alone(astronaut):
    rest = evaluated_points(astronaut)
    turn(astronaut, "toes_L", (1, 0, 0), -40.0)
    moved = np.linalg.norm(evaluated_points(astronaut) - rest, axis=1)
    toe = rest[moved > 1e-5]
    ball = FACING_MINUS_Y @ standing_landmarks(1.8)["toes_L"]
    assert len(toe) > 50 and toe[:, 1].max() < ball[1] + 0.03 and toe[:, 0].min() > 0.0


@pytest.mark.slow
@pytest.mark.parametrize("swing", [-30.0, 0.0, 30.0])
def test_swinging_arms_clear_pack_and_chest_box(astronaut, swing):
    for side, out in (("L", 1.0), ("R", -1.0)):
        turn(astronaut, f"upper_arm_{side}", (0, 1, 0), out * (42.0 - 10.0))
        turn(astronaut, f"upper_arm_{side}", (1, 0, 0), swing * out)
        turn(astronaut, f"forearm_{side}", (1, 0, 0), -25.0)
    points = evaluated_points(astronaut)
    bones = [f"{name}_{side}" for name in ("upper_arm", "forearm", "hand") for side in "LR"]
    arms = np.any([of_bone(astronaut, bone, 0.6) for bone in bones], axis=0)
    arm = points[arms] * [1.0, -1.0, 1.0]  # across, forward, up
    in_pack = (np.abs(arm[:, 0]) < 0.165) & (arm[:, 1] < -0.15) & (arm[:, 1] > -0.32) & (np.abs(arm[:, 2] - 1.30) < 0.25)
    in_box = (np.abs(arm[:, 0]) < 0.090) & (arm[:, 1] > 0.10) & (np.abs(arm[:, 2] - 1.29) < 0.07)
    assert arms.sum() > 2000 and not in_pack.any() and not in_box.any()


@pytest.mark.slow
def test_the_scene_it_comes_into_stays_as_it_was():
    scene = fresh_scene()
    mesh = bpy.data.meshes.new("Prop")
    prop = bpy.data.objects.new("Prop", mesh)
    scene.collection.objects.link(prop)
    prop.location = (1.0, 2.0, 3.0)
    bpy.context.view_layer.objects.active = prop
    prop.select_set(True)
    scene.frame_set(7)
    before = scene.world, scene.camera, scene.render.engine, scene.frame_current
    first, second = add_astronaut(bpy.context), add_astronaut(scene, name="Buzz")
    assert (scene.world, scene.camera, scene.render.engine, scene.frame_current) == before
    assert bpy.context.view_layer.objects.active == prop and prop.select_get() and not first.select_get()
    assert tuple(prop.location) == (1.0, 2.0, 3.0)
    assert {o.name for o in scene.objects} == {"Prop", first.name, second.name, *(suit_of(a).name for a in (first, second))}
    assert first.mode == "OBJECT" and second.name == "Buzz" and len(second.data.bones) == 21


def test_a_scene_in_centimetres():
    scene = fresh_scene()
    scene.unit_settings.system, scene.unit_settings.scale_length = "METRIC", 0.01
    armature = add_astronaut(scene, height_m=1.8)
    assert armature.data.bones["head"].tail_local.z == pytest.approx(180.0, abs=1e-3)


@pytest.mark.parametrize("height", [0.0, -1.0, 40.0, float("nan"), "tall"])
def test_a_height_out_of_range(height):
    scene = fresh_scene()
    with pytest.raises(InputError, match="Height must"):
        add_astronaut(scene, height_m=height)
    assert not scene.objects
