# SPDX-License-Identifier: GPL-3.0-or-later
"""What is carried, in Blender: read off the settings, hung on the bone that bears it, and let go of again."""

from __future__ import annotations

import numpy as np
import pytest

bpy = pytest.importorskip("bpy", reason="needs the bpy module")

from mathutils import Vector  # noqa: E402

import lope_scene  # noqa: E402
from lope.addon.errors import InputError  # noqa: E402
from lope.addon.maths.rotations import quat_rotate  # noqa: E402
from lope.addon.rigs.bake.bake import bake_take  # noqa: E402
from lope.addon.rigs.bake.load import CARRIED_KEY, SWING_DAMPING, swung  # noqa: E402
from lope.addon.rigs.bake.loose import bake_along  # noqa: E402
from lope.addon.rigs.bake.placing import baked_motion  # noqa: E402
from lope.addon.sim.simulation import resolved, simulate  # noqa: E402
from lope.addon.specs.bake_options import BakeOptions  # noqa: E402
from lope.operators.shot_builder import make_shot  # noqa: E402

pytestmark = pytest.mark.slow

scene = lope_scene.scene


def chest(place=(1.5, 0.5, 0.1), size=(0.45, 0.3, 0.2)):
    mesh = bpy.data.meshes.new("Chest")
    points = [(x, y, z) for x in (-0.5, 0.5) for y in (-0.5, 0.5) for z in (0.0, 1.0)]
    mesh.from_pydata(points, [], [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)])
    item = bpy.data.objects.new("Chest", mesh)
    bpy.context.scene.collection.objects.link(item)
    item.location, item.scale = place, size
    bpy.context.view_layer.update()
    return item


@pytest.fixture
def walker(scene):
    """The astronaut on Earth, at another place, size and turn, for one second."""
    bpy.ops.lope.add_astronaut()
    armature = bpy.context.object
    armature.location, armature.rotation_euler = (2.0, 3.0, 0.0), (0.0, 0.0, 0.6)
    bpy.context.view_layer.update()
    bpy.context.scene.lope.world, bpy.context.scene.lope.duration_s = "earth", 1.0
    armature.lope.suit, armature.lope.carry, armature.lope.carry_kg = "none", "hands", 6.0
    return armature


def baked(armature, tmp_path, **options):
    """The take, the items of the bake, and how far the load's middle is from where each hand has it at half a second [m]."""
    scene = bpy.context.scene
    take = simulate(make_shot(armature, scene).with_motion(retry=False))
    take.save(tmp_path / "take.npz")
    wanted = BakeOptions(start_frame=scene.frame_start, **options)
    action = bake_take(armature, take, scene=scene, options=wanted)
    return take, bake_along(scene, armature, action, tmp_path / "take.npz", wanted)[0]


def off_m(armature, take, item):
    scene = bpy.context.scene
    motion = baked_motion(armature, take, scene)
    scene.frame_set(scene.frame_start + 12)
    row = int(np.argmin(np.abs(take.time_s - 12 / scene.render.fps)))
    found = np.array(item.matrix_world @ (sum((Vector(c) for c in item.bound_box), Vector()) / 8.0))
    places, turns = take.segment_poses
    wanted = [places[row, take.body.index[name]] + quat_rotate(turns[row, take.body.index[name]], np.array(pose[:3]))
              for name, pose in take.body.carries.borne.items()]
    return max(float(np.linalg.norm(found - motion.to_world(place))) for place in wanted)


def test_a_mesh_of_the_scene_is_the_load_and_goes_with_the_hands(walker, tmp_path):
    item = chest()
    before = item.matrix_world.copy()
    walker.lope.carry_object = item
    load = make_shot(walker, bpy.context.scene).carry
    assert (load.mass_kg, load.name) == (6.0, "Chest") and load.size_m == pytest.approx((0.3, 0.45, 0.2), abs=1e-5)
    take, items = baked(walker, tmp_path)
    assert items == [item] and item.parent == walker and item.parent_bone.startswith("hand")
    assert np.allclose(item.matrix_world.to_scale(), (0.45, 0.3, 0.2), atol=1e-5)
    assert off_m(walker, take, item) < 6e-3
    again = make_shot(walker, bpy.context.scene).carry
    assert again.size_m == pytest.approx(load.size_m, abs=1e-5), "read again while it hangs there"
    walker.lope.carry = "NOTHING"
    _, items = baked(walker, tmp_path)
    assert items == [] and item.parent is None and np.allclose(item.matrix_world, before, atol=1e-5)


@pytest.mark.parametrize(("carry", "bone"), [("hand_L", "hand"), ("back", "chest"), ("arms", "hand")])
def test_a_box_is_made_where_there_is_none_and_goes_when_it_is_let_go(walker, tmp_path, carry, bone):
    walker.lope.carry = carry
    take, (item,) = baked(walker, tmp_path, root_motion="in_place")
    assert item.parent_bone in {b.name for b in walker.data.bones if bone in b.name.lower()} or bone == "chest"
    assert np.allclose(sorted(item.dimensions), sorted(take.shot.carry.edges_m), atol=1e-3)
    name = item.name
    walker.lope.carry = "NOTHING"
    assert name not in bpy.data.objects, "at once"
    baked(walker, tmp_path)
    assert not any(CARRIED_KEY in one for one in bpy.data.objects)


def test_a_bag_swings_under_the_hand_and_stops_when_it_is_let_go(walker, tmp_path):
    walker.lope.carry, walker.lope.carry_object = "hand_R", chest()
    _, (item,) = baked(walker, tmp_path)
    scene, ways = bpy.context.scene, []
    for frame in range(scene.frame_start, scene.frame_start + 24, 4):
        scene.frame_set(frame)
        ways.append(np.array(item.matrix_world.to_3x3().normalized())[:, 2])
        middle = np.array(item.matrix_world @ (sum((Vector(c) for c in item.bound_box), Vector()) / 8.0))
        assert 0.1 < np.linalg.norm(middle - np.array(walker.matrix_world @ walker.pose.bones[item.parent_bone].head)) < 0.5
    tilts = np.degrees(np.arccos(np.clip(np.array(ways)[:, 2], -1.0, 1.0)))
    assert 1.0 < tilts.max() < 30.0 and np.ptp(tilts) > 1.0
    walker.lope.carry = "NOTHING"
    baked(walker, tmp_path)
    assert item.parent is None and item.animation_data.action is None


@pytest.mark.parametrize("gravity", [1.62, 9.81])
def test_it_swings_as_a_pendulum_of_its_length(gravity):
    """From rest, its pivot moved off and held: the time from one turn through the middle to the next."""
    length, time = 0.4, np.arange(0.0, 8.0, 0.01)
    pivot = np.zeros((len(time), 3))
    pivot[:, 0] = np.clip(time / 0.2, 0.0, 1.0) * 0.05
    ways = swung(time, pivot, gravity, length)
    assert np.allclose(np.linalg.norm(ways, axis=1), 1.0, atol=1e-6) and np.allclose(ways[:, 1], 0.0)
    late = ways[time > 0.5, 0]
    crossings = time[time > 0.5][:-1][(late[:-1] * late[1:]) < 0.0]
    damped = np.sqrt(gravity / length * (1.0 - SWING_DAMPING**2))
    assert np.diff(crossings)[:3].mean() == pytest.approx(np.pi / damped, rel=0.03)
    still = swung(time, np.cumsum(np.full((len(time), 3), [0.013, 0.0, 0.0]), axis=0), gravity, length)
    assert np.allclose(still, [0.0, 0.0, -1.0], atol=1e-3), "a hand that goes evenly swings nothing"


def test_what_is_too_heavy_is_said_before_the_job(walker):
    walker.lope.carry, walker.lope.carry_kg = "hand_R", 200.0
    with pytest.raises(InputError, match="slips"):
        resolved(make_shot(walker, bpy.context.scene))
