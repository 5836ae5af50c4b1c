# SPDX-License-Identifier: GPL-3.0-or-later
"""From settings and scene to the Shot: curves, targets, meshes, pushes, gravity ramps, motion files and actions."""

import math
from dataclasses import replace

import numpy as np
import pytest

bpy = pytest.importorskip("bpy", reason="needs the bpy module")

import lope_scene  # noqa: E402
from lope.addon.errors import InputError  # noqa: E402
from lope.addon.specs.motions import Gait  # noqa: E402
from lope.addon.specs.shot import Shot  # noqa: E402
from lope.addon.worlds.planets import preset_of  # noqa: E402

pytestmark = pytest.mark.slow

bare = lope_scene.scene


@pytest.fixture
def scene(bare, tmp_path, monkeypatch):
    monkeypatch.setattr("lope.operators.follow.takes_folder", lambda: tmp_path)
    bare.render.fps, bare.frame_start = 25, 1
    return bare


@pytest.fixture
def astronaut(scene):
    """Faces -Y at (2, 3, 0): its left is at +X."""
    bpy.ops.lope.add_astronaut()
    bpy.context.object.location = (2.0, 3.0, 0.0)
    bpy.context.view_layer.update()
    return bpy.context.object


def shot_of(armature) -> Shot:
    from lope.operators.shot_builder import make_shot

    shot = make_shot(armature, bpy.context.scene)
    assert Shot.from_dict(shot.to_dict()) == shot
    return shot


def empty(place, name="Target"):
    item = bpy.data.objects.new(name, None)
    item.location = place
    bpy.context.scene.collection.objects.link(item)
    bpy.context.view_layer.update()
    return item


def test_settings_as_they_come_are_the_shots_own(astronaut):
    shot, plain = shot_of(astronaut), Shot()
    for name in ("duration_s", "engine", "pushes", "noise"):
        assert getattr(shot, name) == getattr(plain, name), name
    assert shot.motion == Gait("auto", law="people", retry=True)
    assert (shot.world.name, shot.world.friction, shot.world.gravity_ramp) == ("moon", 0.9, ())
    assert (shot.motion.name, shot.motion.law, shot.suit) == ("auto", "people", "apollo-a7lb"), "the astronaut wears its suit"


def test_a_world_brings_its_grip_and_takes_it_away_again(scene, monkeypatch):
    grips = {"mars": 0.2, "moon": 0.9, "earth": 0.9}
    monkeypatch.setattr("lope.operators.settings.preset_of", lambda name: replace(preset_of(name), friction=grips[name]))
    scene.lope.world = "mars"
    assert abs(scene.lope.friction - 0.2) < 1e-6
    scene.lope.world = "moon"
    assert abs(scene.lope.friction - 0.9) < 1e-6
    scene.lope.friction = 0.5
    scene.lope.world = "mars"
    assert scene.lope.friction == 0.5, "set by hand"


def test_numbers_are_as_the_artist_sees_them(astronaut, scene):
    settings = astronaut.lope
    settings.use_speed, settings.speed_m_s = True, 0.7
    settings.use_stride_frequency, settings.stride_frequency_hz = True, 0.41
    scene.lope.friction, settings.noise = 0.3, 0.05
    settings.start, settings.stop, settings.force, settings.tuned = "standing", "standing", True, False
    settings.suit = "mark-iii"
    shot = shot_of(astronaut)
    assert (shot.motion.speed_m_s, shot.motion.stride_frequency_hz, shot.world.friction, shot.noise) == (0.7, 0.41, 0.3, 0.05)
    assert (shot.motion.start, shot.motion.stop, shot.motion.force, shot.motion.tuned, shot.suit) == (
        "standing",
        "standing",
        True,
        False,
        "mark-iii",
    )


def test_targets_become_points_seen_from_the_character(astronaut):
    astronaut.lope.path = "TARGETS"
    with pytest.raises(InputError, match="no targets"):
        shot_of(astronaut)
    for place in ((2.0, -1.0, 5.0), (4.0, -1.0, 0.0)):
        astronaut.lope.targets.add().target = empty(place)
    path = shot_of(astronaut).motion.path
    assert path.kind == "points"
    np.testing.assert_allclose(path.points_m, [(4.0, 0.0), (4.0, 2.0)], atol=1e-5)
    assert path.heading_deg == pytest.approx(0.0, abs=1e-4)


@pytest.mark.parametrize("kind", ["POLY", "BEZIER"])
def test_a_curve_is_walked_from_its_first_point(astronaut, kind):
    data = bpy.data.curves.new("Way", "CURVE")
    data.dimensions = "3D"
    spline = data.splines.new(kind)
    points = spline.points if kind == "POLY" else spline.bezier_points
    points.add(1)
    for point, place in zip(points, ((0.0, 0.0, 0.0), (0.0, -3.0, 0.0)), strict=True):
        point.co = (*place, 1.0) if kind == "POLY" else place
        if kind == "BEZIER":
            point.handle_left_type = point.handle_right_type = "VECTOR"
    curve = bpy.data.objects.new("Way", data)
    curve.location = (2.0, 3.0, 0.0)
    bpy.context.scene.collection.objects.link(curve)
    bpy.context.view_layer.update()
    astronaut.lope.path, astronaut.lope.curve = "CURVE", curve
    path = shot_of(astronaut).motion.path
    assert path.points_m[-1] == pytest.approx((3.0, 0.0), abs=1e-5) and len(path.points_m) == 6
    assert all(abs(y) < 1e-5 for _, y in path.points_m)


def test_a_curve_that_cannot_be_walked(astronaut):
    astronaut.lope.path = "CURVE"
    with pytest.raises(InputError, match="no curve"):
        shot_of(astronaut)
    data = bpy.data.curves.new("Nurbs", "CURVE")
    data.splines.new("NURBS").points.add(4)
    astronaut.lope.curve = bpy.data.objects.new("Nurbs", data)
    with pytest.raises(InputError, match="set its spline type to Bézier"):
        shot_of(astronaut)


def test_a_mesh_becomes_a_field_of_heights(astronaut, scene):
    scene.lope.ground = "MESH"
    with pytest.raises(InputError, match="no mesh"):
        shot_of(astronaut)
    data = bpy.data.meshes.new("Hill")  # rises by 0.1 m a metre towards -Y, from z = 0 where the character stands
    data.from_pydata([(-50, 53, -5.0), (50, 53, -5.0), (50, -47, 5.0), (-50, -47, 5.0)], [], [(0, 3, 2, 1)])
    hill = bpy.data.objects.new("Hill", data)
    scene.collection.objects.link(hill)
    bpy.context.view_layer.update()
    scene.lope.ground_object, scene.lope.ground_spacing_m, scene.lope.duration_s = hill, 0.5, 2.0
    ground = shot_of(astronaut).world.ground
    heights = np.array(ground.heights_m)
    along = ground.origin_m[0] + ground.spacing_m * np.arange(len(heights))
    np.testing.assert_allclose(heights, np.broadcast_to(0.1 * along[:, None], heights.shape), atol=1e-4)
    hill.location.x = 1000.0
    bpy.context.view_layer.update()
    with pytest.raises(InputError, match="does not lie under the way"):
        shot_of(astronaut)


@pytest.mark.parametrize("sample, kind, high", [("rubble", "field", 0.06), ("stair", "steps", 0.15)])
def test_a_ground_is_added_before_the_character(astronaut, scene, sample, kind, high):
    assert bpy.ops.lope.add_ground(sample=sample) == {"FINISHED"}
    ground = shot_of(astronaut).world.ground
    added = scene.objects[sample.title()]
    assert ground.kind == kind
    if kind == "field":
        heights = np.array(ground.heights_m)
        assert heights.min() == pytest.approx(0.0, abs=1e-3) and 0.9 * high < heights.max() < 1.01 * high
        steepest = np.abs(np.diff(heights, axis=0)).max()
        assert steepest == pytest.approx(heights.max(), rel=0.3), "edges are a cell wide"
    else:
        assert (ground.rise_m, ground.run_m) == pytest.approx((high, 0.32))
    ahead = added.matrix_world.to_3x3().col[0]
    assert ahead.y == pytest.approx(-1.0, abs=1e-3), "the character faces -Y"


def test_slopes_and_steps(astronaut, scene):
    scene.lope.ground, scene.lope.slope_deg, scene.lope.direction_deg = "slope", 7.5, 90.0
    ground = shot_of(astronaut).world.ground
    assert (ground.kind, ground.slope_deg, ground.direction_deg) == ("slope", 7.5, 90.0)
    scene.lope.ground, scene.lope.rise_m, scene.lope.run_m = "steps", 0.17, 0.35
    ground = shot_of(astronaut).world.ground
    assert (ground.kind, ground.rise_m, ground.run_m) == ("steps", 0.17, 0.35)


def test_pushes_by_numbers_and_by_an_arrow(astronaut, scene):
    assert bpy.ops.lope.list_add(name="pushes") == {"FINISHED"}
    push = astronaut.lope.pushes[0]
    push.frame, push.force_n, push.duration_s, push.direction, push.segment = 26, 80.0, 0.25, (0.0, 2.0, 0.0), "pelvis"
    made = shot_of(astronaut).pushes[0]
    assert (made.start_s, made.duration_s, made.segment) == (1.0, 0.25, "pelvis")
    assert made.force_n == pytest.approx((0.0, 80.0, 0.0), abs=1e-6)
    arrow = empty((0.0, 0.0, 0.0))
    arrow.rotation_euler = (math.pi / 2, 0.0, 0.0)  # its Z now points to -Y, where the character faces
    bpy.context.view_layer.update()
    push.arrow = arrow
    assert shot_of(astronaut).pushes[0].force_n == pytest.approx((80.0, 0.0, 0.0), abs=1e-3)
    push.frame = -5
    with pytest.raises(InputError, match="before the shot's first frame"):
        shot_of(astronaut)
    assert bpy.ops.lope.list_remove(name="pushes") == {"FINISHED"} and len(astronaut.lope.pushes) == 0


def test_a_keyed_arrow_counts_as_it_lies_at_the_frame_of_its_push_or_hit(astronaut, scene):
    """With its parent turned by keys, while another frame is shown, at which something lies unkeyed."""
    bpy.ops.lope.list_add(name="pushes")
    push = astronaut.lope.pushes[0]
    turning, push.arrow = empty((0.0, 0.0, 0.0)), empty((0.0, 0.0, 0.0))
    push.arrow.parent, push.frame, push.force_n = turning, 26, 80.0
    for frame, angle in ((1, 0.0), (26, math.pi / 2), (51, math.pi)):  # at 26 its Z points to -Y, where the character faces
        turning.rotation_euler = (angle, 0.0, 0.0)
        turning.keyframe_insert("rotation_euler", frame=frame)
    scene.frame_set(1)
    turning.rotation_euler = (0.3, 0.0, 0.0)
    assert shot_of(astronaut).pushes[0].force_n == pytest.approx((80.0, 0.0, 0.0), abs=1e-3)
    bpy.ops.lope.list_add(name="hits")
    hit = astronaut.lope.hits[0]
    hit.bone, hit.frame, hit.arrow, hit.by_length = "head", 26, push.arrow, True
    found = shot_of(astronaut).hits[0]
    assert found.way == pytest.approx((1.0, 0.0, 0.0), abs=1e-5) and found.speed_m_s == pytest.approx(10.0)
    assert scene.frame_current == 1 and turning.rotation_euler.x == pytest.approx(0.3), "nothing of the user's scene changed"
    assert not [one for one in bpy.data.scenes if "Lope" in one.name]


def test_gravity_that_changes(astronaut, scene):
    for frame, gravity in ((51, 9.81), (26, 3.71)):
        key = scene.lope.gravity_ramp.add()
        key.frame, key.gravity_m_s2 = frame, gravity
    assert shot_of(astronaut).world.gravity_ramp == ()
    scene.lope.use_gravity_ramp = True
    assert shot_of(astronaut).world.gravity_ramp == ((1.0, 3.71), (2.0, 9.81))


def test_a_motion_file(astronaut, tmp_path):
    astronaut.lope.gait_source = "FILE"
    with pytest.raises(InputError, match="no motion file"):
        shot_of(astronaut)
    (tmp_path / "walk.bvh").write_text("", encoding="utf-8")
    astronaut.lope.motion_path = str(tmp_path / "walk.bvh")
    assert shot_of(astronaut).motion.file == str(tmp_path / "walk.bvh")


def test_an_action_gives_the_style_it_was_baked_from(astronaut, scene):
    from lope.addon.motions.library import cycle_from_file, load_gait

    astronaut.lope.gait_source = "ACTION"
    with pytest.raises(InputError, match="no action"):
        shot_of(astronaut)
    astronaut.lope.gait_source = "PRESET"
    scene.lope.world, scene.lope.duration_s, astronaut.lope.suit = "earth", 6.0, "none"
    bpy.ops.lope.simulate()
    bpy.ops.lope.bake()
    action = astronaut.animation_data.action
    astronaut.lope.gait_source, astronaut.lope.motion_action = "ACTION", action
    before = scene.frame_current, len(bpy.data.objects), len(bpy.data.scenes)
    cycle, walk = cycle_from_file(shot_of(astronaut).motion.file), load_gait("walk")
    assert cycle.stride_frequency_hz == pytest.approx(walk.stride_frequency_hz, rel=0.1)
    assert cycle.speed_m_s == pytest.approx(walk.speed_m_s, rel=0.1)
    assert (scene.frame_current, len(bpy.data.objects), len(bpy.data.scenes)) == before
    assert astronaut.animation_data.action == action
