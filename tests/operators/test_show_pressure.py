# SPDX-License-Identifier: GPL-3.0-or-later
"""Show Pressure: what is drawn lies under the baked feet, at their frame, and goes when it should."""

from __future__ import annotations

import numpy as np
import pytest

import lope
import lope_scene
from blender_scene import bpy, pose_in_world
from foot_slip import walk
from lope.addon.reports.pressure_on_ground import ABOVE_GROUND_M
from lope.addon.rigs.bake.bake import bake_take
from lope.addon.specs.bake_options import BakeOptions
from lope.addon.viewport import pressure_overlay
from lope.addon.viewport.pressure_overlay import edge, most_in_words, tiles
from lope.operators import beside, desk, show_pressure

pytestmark = pytest.mark.slow

scene = lope_scene.scene
astronaut = lope_scene.astronaut
FPS = 30


def baked(scene, armature, folder, root="hips", **options):
    """A walk that is baked on an armature that stands turned beside the middle."""
    scene.render.fps, scene.frame_start = FPS, 5
    armature.location, armature.rotation_euler[2] = (1.0, 2.0, 0.0), 0.5
    bpy.context.view_layer.update()
    take = walk("earth", 2.0)
    take.save(folder / "take.npz")
    armature.lope.take_path = str(folder / "take.npz")
    bake_take(armature, take, options=BakeOptions(root_motion=root, start_frame=5, **options))
    return take


def shown_of(armature):
    return pressure_overlay._shown[armature.session_uid]


def ankles(armature, frame):
    """Places (2, 2) of the left and the right foot's ball over the ground."""
    pose = pose_in_world(armature, frame)
    return np.array([pose[f"toes_{side}"][:2, 3] for side in "LR"])


@pytest.mark.parametrize("root, pushed", [("hips", False), ("object", False), ("hips", True)])
def test_cells_lie_under_the_feet_that_stand(scene, astronaut, tmp_path, root, pushed):
    baked(scene, astronaut, tmp_path, root, push_down=pushed)
    before = astronaut.matrix_world.copy()
    assert bpy.ops.lope.show_pressure() == {"FINISHED"} and show_pressure.shows(astronaut)
    assert astronaut.matrix_world == before
    one, seen = shown_of(astronaut), set()
    for frame in range(8, 62, 3):
        balls = ankles(astronaut, frame)
        matrix, time = one.now()
        assert time == pytest.approx((frame - 5) / FPS, abs=1e-6)
        loaded = one.picture.frames[one.picture.at(time)]
        for side in set(loaded.foot) - {-1}:
            mine = one.picture.corners_m(loaded.cells[loaded.foot == side]).mean(axis=(0, 1))
            place = np.array(matrix) @ [*mine, 0.0, 1.0]
            assert np.linalg.norm(place[:2] - balls[side]) < 0.2, (frame, side)
            seen.add(side)
        assert place[2] == pytest.approx(0.0, abs=0.01)
    assert seen == {0, 1}


def test_it_goes_along_with_the_armature_and_ends_with_the_bake(scene, astronaut, tmp_path):
    baked(scene, astronaut, tmp_path)
    bpy.ops.lope.show_pressure()
    one = shown_of(astronaut)
    scene.frame_set(20)
    before = np.array(one.now()[0])
    astronaut.location.x += 3.0
    bpy.context.view_layer.update()
    np.testing.assert_allclose(np.array(one.now()[0])[:3, 3] - before[:3, 3], (3.0, 0.0, 0.0), atol=1e-5)
    for frame, drawn in ((4, False), (5, True), (5 + 2 * FPS, True), (6 + 2 * FPS, False)):
        scene.frame_set(frame)
        assert (one.now() is not None) == drawn, frame
    assert bpy.ops.lope.show_pressure() == {"FINISHED"} and not pressure_overlay.is_shown()


def test_another_bake_is_shown_in_its_place_and_an_undone_one_no_more(scene, astronaut, tmp_path):
    take = baked(scene, astronaut, tmp_path)
    bpy.ops.lope.show_pressure()
    one = shown_of(astronaut)
    scene.frame_set(50)
    first = one.now()[1]
    bake_take(astronaut, take, options=BakeOptions(start_frame=15))
    one.now()
    beside.wait(show_pressure._waiting[astronaut.session_uid].work)
    assert shown_of(astronaut).now()[1] == pytest.approx(first - 10 / FPS)
    action = astronaut.animation_data.action
    astronaut.animation_data.action = None
    bpy.data.actions.remove(action)
    assert shown_of(astronaut).now() is None


def test_a_take_that_is_not_baked_yet_leaves_what_is_shown(scene, astronaut, tmp_path):
    baked(scene, astronaut, tmp_path)
    bpy.ops.lope.show_pressure()
    scene.frame_set(20)
    walk("moon", 2.0).save(tmp_path / "next.npz")
    astronaut.lope.take_path = str(tmp_path / "next.npz")
    for listener in desk.listeners:
        listener(astronaut)
    beside.wait(show_pressure._waiting[astronaut.session_uid].work)
    assert shown_of(astronaut).now() is not None and not show_pressure._waiting
    bake_take(astronaut, walk("moon", 2.0), options=BakeOptions(start_frame=5))
    shown_of(astronaut).now()
    beside.wait(show_pressure._waiting[astronaut.session_uid].work)
    assert show_pressure.showing[astronaut.session_uid].path.endswith("next.npz") and shown_of(astronaut).now() is not None


def test_two_armatures_are_shown_at_once(scene, astronaut, tmp_path):
    (tmp_path / "a").mkdir(), (tmp_path / "b").mkdir()
    baked(scene, astronaut, tmp_path / "a")
    bpy.ops.lope.show_pressure()
    bpy.ops.lope.add_astronaut()
    other = bpy.context.object
    baked(scene, other, tmp_path / "b")
    bpy.ops.lope.show_pressure()
    scene.frame_set(20)
    assert other != astronaut and sum(one.now() is not None for one in pressure_overlay._shown.values()) == 2
    bpy.data.objects.remove(other)
    assert sum(one.now() is not None for one in pressure_overlay._shown.values()) == 1


@pytest.mark.parametrize("end", ["load", "unregister"])
def test_pressure_ends_with_what_it_is_of(scene, astronaut, tmp_path, end):
    baked(scene, astronaut, tmp_path)
    bpy.ops.lope.show_pressure()
    assert pressure_overlay.is_shown()
    if end == "load":
        bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    else:
        lope.unregister()
    assert not pressure_overlay.is_shown()
    if end == "unregister":
        lope.register()


def test_what_cannot_be_shown_is_told(scene, astronaut, tmp_path):
    take = walk("earth", 2.0)
    take.save(tmp_path / "take.npz")
    astronaut.lope.take_path = str(tmp_path / "take.npz")
    with pytest.raises(RuntimeError, match="Bake first"):
        bpy.ops.lope.show_pressure()
    baked(scene, astronaut, tmp_path, "in_place")
    with pytest.raises(RuntimeError, match="walks on the spot"):
        bpy.ops.lope.show_pressure()
    (tmp_path / "take.npz").write_bytes(b"no take")
    with pytest.raises(RuntimeError, match="damaged"):
        bpy.ops.lope.show_pressure()
    assert not pressure_overlay.is_shown() and not show_pressure.shows(astronaut)


def test_tiles_lie_on_the_ground_in_the_thesis_s_colours(scene, astronaut, tmp_path):
    baked(scene, astronaut, tmp_path)
    bpy.ops.lope.show_pressure()
    picture = shown_of(astronaut).picture

    def slope(x, y):
        return 0.1 * x - 0.05 * y

    for frame in (3, 11):
        made = tiles(picture, frame, slope)
        loaded = picture.frames[frame]
        assert made.corners.shape == (6 * len(loaded.cells), 3) and made.colours.shape == made.corners.shape
        np.testing.assert_allclose(made.corners[:, 2], slope(*made.corners[:, :2].T) + ABOVE_GROUND_M)
        hardest = 6 * int(np.argmax(loaded.pressure))
        assert (made.colours[hardest] == picture.colours(frame)[hardest // 6] / 255.0).all()
        assert made.colours[hardest, 0] == made.colours[:, 0].max() and len(made.ring) == len(made.dot) > 0
    ends = edge(picture, slope)
    np.testing.assert_allclose([ends[:, 0].min(), ends[:, 0].max()], picture.edge_m[[0, 2], 0])
    assert most_in_words(picture) == f"{picture.most / 1e3:.0f} kPa"
