# SPDX-License-Identifier: GPL-3.0-or-later
"""Loose objects in Blender: a collection is read, each stands in the shot where it stands in the scene, and gets its keys."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

bpy = pytest.importorskip("bpy", reason="needs the bpy module")

from mathutils import Vector  # noqa: E402

import lope_scene  # noqa: E402
from lope.addon.cli import main  # noqa: E402
from lope.addon.errors import InputError  # noqa: E402
from lope.addon.rigs.bake.bake import bake_take  # noqa: E402
from lope.addon.rigs.bake.loose import LEFT_OUT, bake_along  # noqa: E402
from lope.addon.rigs.read.actions import curves_of  # noqa: E402
from lope.addon.sim.simulation import simulate  # noqa: E402
from lope.addon.specs.bake_options import BakeOptions  # noqa: E402
from lope.operators.figures import Placement, figure_of  # noqa: E402
from lope.operators.shot_builder import make_shot  # noqa: E402
from lope.operators.surroundings import ShownObjects  # noqa: E402

pytestmark = pytest.mark.slow

scene = lope_scene.scene


def box(name, collection, place, size, turn=(0.0, 0.0, 0.0)):
    """A box whose origin is at its foot, scaled to its size."""
    mesh = bpy.data.meshes.new(name)
    points = [(x, y, z) for x in (-0.5, 0.5) for y in (-0.5, 0.5) for z in (0.0, 1.0)]
    mesh.from_pydata(points, [], [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)])
    item = bpy.data.objects.new(name, mesh)
    collection.objects.link(item)
    item.location, item.scale, item.rotation_euler = place, size, turn
    return item


@pytest.fixture
def around(scene):
    """The astronaut, who faces -Y, at (2, 3, 0), and two boxes 1 m ahead and far away in a collection."""
    bpy.ops.lope.add_astronaut()
    armature = bpy.context.object
    armature.location = (2.0, 3.0, 0.0)
    collection = bpy.data.collections.new("Boxes")
    bpy.context.scene.collection.children.link(collection)
    near = box("Near", collection, (2.0, 2.1, 0.0), (0.3, 0.3, 1.2))
    far = box("Far", collection, (-6.0, -9.0, 0.0), (0.5, 0.3, 0.2), (0.0, 0.0, 0.7))
    bpy.context.view_layer.update()
    bpy.context.scene.lope.world = "earth"
    bpy.context.scene.lope.objects, bpy.context.scene.lope.duration_s = collection, 2.0
    return bpy.context.scene, armature, near, far


def baked(around, tmp_path, **options):
    """The action, the take, the objects that were keyed, and what was said."""
    scene, armature, *_ = around
    take = simulate(make_shot(armature, scene).with_motion(retry=False))
    take.save(tmp_path / "take.npz")
    wanted = BakeOptions(start_frame=scene.frame_start, **options)
    action = bake_take(armature, take, scene=scene, options=wanted)
    return take, *bake_along(scene, armature, action, tmp_path / "take.npz", wanted)


def test_a_collection_becomes_the_objects_of_the_shot(around):
    scene, armature, _near, _far = around
    objects = {item.name: item for item in make_shot(armature, scene).objects}
    assert objects["Near"].place_m == pytest.approx((0.9, 0.0, 0.6), abs=1e-4)
    assert objects["Near"].size_m == pytest.approx((0.3, 0.3, 1.2)) and objects["Near"].weighs_kg == pytest.approx(3.24)
    assert objects["Far"].place_m == pytest.approx((12.0, -8.0, 0.1), abs=1e-4)
    turn = 2.0 * np.arctan2(objects["Far"].orientation[3], objects["Far"].orientation[0])
    assert np.sin(turn - 0.7 - np.pi / 2) == pytest.approx(0.0, abs=1e-4)


def test_the_bake_keys_them_where_they_were_simulated_and_nothing_else(around, tmp_path):
    scene, armature, near, _far = around
    other = box("Other", scene.collection, (5.0, 5.0, 0.0), (1.0, 1.0, 1.0))
    take, items, said = baked(around, tmp_path)
    assert said is None and sorted(item.name for item in items) == ["Far", "Near"] and not take.fell
    assert other.animation_data is None
    keys = {item.name: [len(c.keyframe_points) for c in curves_of(item.animation_data.action)] for item in items}
    assert set(keys["Far"]) == {1} and set(keys["Near"]) == {49}
    scene.frame_set(scene.frame_start + 24)
    row = [item.name for item in take.shot.objects].index("Near")
    x, y, z = take.object_pose[100, row, :3]
    middle = near.matrix_world @ Vector((0.0, 0.0, 0.5))
    assert take.time_s[100] == pytest.approx(1.0)
    np.testing.assert_allclose(middle, (2.0 + y, 3.0 - x, z), atol=2e-3)
    assert np.linalg.norm(take.object_pose[-1, row, :3] - take.object_pose[0, row, :3]) > 0.3
    first = make_shot(armature, scene).objects  # read again while they lie about: they begin where they began
    for one, before in zip(first, take.shot.objects, strict=True):
        assert one.place_m == pytest.approx(before.place_m, abs=1e-4)
        assert abs(np.dot(one.orientation, before.orientation)) == pytest.approx(1.0, abs=1e-6)


def test_an_action_of_the_artists_stays_and_one_of_lopes_is_written_anew(around, tmp_path):
    _scene, _armature, _near, far = around
    far.keyframe_insert("location", frame=1)
    theirs = far.animation_data.action
    baked(around, tmp_path)
    assert theirs.name in bpy.data.actions and far.animation_data.action != theirs
    count = len(bpy.data.actions)
    baked(around, tmp_path)
    assert len(bpy.data.actions) == count


def test_a_rigid_body_knows_its_mass_and_is_told_that_keys_move_it(around, tmp_path):
    scene, armature, near, _far = around
    with bpy.context.temp_override(object=near, active_object=near, selected_objects=[near]):
        bpy.ops.rigidbody.object_add(type="ACTIVE")
    near.rigid_body.mass = 2.5
    objects = {item.name: item for item in make_shot(armature, scene).objects}
    assert objects["Near"].weighs_kg == pytest.approx(2.5) and objects["Far"].mass_kg is None
    baked(around, tmp_path)
    assert any(curve.data_path == "rigid_body.kinematic" for curve in curves_of(near.animation_data.action))


def test_a_walk_on_the_spot_leaves_them(around, tmp_path):
    _, items, said = baked(around, tmp_path, root_motion="in_place")
    assert items == [] and said == LEFT_OUT and around[2].animation_data is None


def test_what_cannot_be_loose_is_told(around):
    scene, armature, _near, far = around
    far.scale.z = 0.0
    bpy.context.view_layer.update()
    with pytest.raises(InputError, match="'Far' is .* m large"):
        make_shot(armature, scene)
    scene.lope.objects = bpy.data.collections.new("Empty")
    with pytest.raises(InputError, match="'Empty' holds no mesh"):
        make_shot(armature, scene)


def test_boxes_of_a_headless_shot_are_made(tmp_path):
    take, out = tmp_path / "take.npz", tmp_path / "walked.blend"
    assert main(["simulate", "--seconds", "1", "--boxes", "1x2,0.3,1,3,0", "--out", str(take)]) == 0
    assert main(["bake", "--blend", "astronaut", "--take", str(take), "--out", str(out)]) == 0
    items = [bpy.data.objects["Box 1"], bpy.data.objects["Box 2"]]
    assert [tuple(round(x, 3) for x in item.dimensions) for item in items] == [(0.3, 0.3, 0.3)] * 2
    np.testing.assert_allclose([item.location.z for item in items], [0.15, 0.45], atol=1e-3)
    assert all(item.users_collection[0].name == "Loose Objects" for item in items) and Path(out).is_file()


def test_a_drive_shows_them_where_they_are_and_puts_them_back(around):
    scene, armature, near, far = around
    shot, figure = make_shot(armature, scene), figure_of(armature, scene)
    shown = ShownObjects(scene, shot.objects, Placement.of(armature, figure))
    before = {item.name: item.matrix_world.copy() for item in (near, far)}
    row = [one.name for one in shot.objects].index("Near")
    poses = [[*one.place_m, *one.orientation] for one in shot.objects]
    poses[row][:3] = 1.5, 0.4, 0.6  # ahead of who faces -Y, and to its left
    shown.show(poses)
    bpy.context.view_layer.update()
    np.testing.assert_allclose(near.matrix_world @ Vector((0.0, 0.0, 0.5)), (2.4, 1.5, 0.6), atol=1e-4)
    np.testing.assert_allclose(np.array(far.matrix_world), np.array(before["Far"]), atol=1e-4)
    shown.restore()
    bpy.context.view_layer.update()
    assert {item.name: item.matrix_world.copy() for item in (near, far)} == before
