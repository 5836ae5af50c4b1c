# SPDX-License-Identifier: GPL-3.0-or-later
"""The panel: keys of gait and speed, and shots that go on from the last take, baked on from where that ends."""

import numpy as np
import pytest

import lope
from astronaut_kit import copied_astronaut
from blender_scene import bpy, empty_file
from lope.addon.sim.simulation import simulate
from lope.addon.specs.steering import Key
from lope.operators.bake import bake_kept
from lope.operators.shot_builder import make_shot

pytestmark = pytest.mark.slow


@pytest.fixture
def astronaut():
    """An astronaut in an empty scene of 24 frames a second, with Lope registered."""
    empty_file()
    lope.register()
    scene = bpy.context.scene
    scene.render.fps, scene.lope.world, scene.lope.duration_s = 24, "earth", 1.1
    figure = copied_astronaut(scene)
    bpy.context.view_layer.objects.active = figure
    figure.lope.gait = "walk"
    yield figure
    lope.unregister()


def made(astronaut, folder):
    """The take of what the panel asks for, as the armature's last one."""
    shot = make_shot(astronaut, bpy.context.scene)
    take = simulate(shot)
    path = folder / f"{'on' if shot.motion.after else 'first'}.npz"
    take.save(path)
    astronaut.lope.take_path = str(path)
    return take


def test_keys_are_frames_of_the_shot(astronaut):
    for frame in (49, 25):
        assert bpy.ops.lope.list_add(name="keys") == {"FINISHED"}
        astronaut.lope.keys[-1].frame = frame
    astronaut.lope.keys[1].use_gait, astronaut.lope.keys[1].use_speed, astronaut.lope.keys[1].speed_m_s = False, True, 1.5
    bpy.context.scene.lope.duration_s = 4.0
    assert make_shot(astronaut, bpy.context.scene).motion.keys == (Key(1.0, None, 1.5), Key(2.0, "run"))


def test_a_shot_goes_on_and_is_baked_on(astronaut, tmp_path):
    """1.1 s are 26.4 frames of 24 a second, so the second take starts between the frames 27 and 28."""
    scene, settings = bpy.context.scene, astronaut.lope
    first = made(astronaut, tmp_path)
    bake_kept(astronaut, scene)
    assert bpy.ops.lope.go_on() == {"FINISHED"} and settings.after_frame == pytest.approx(27.4, abs=1e-4)
    second = made(astronaut, tmp_path)
    assert second.shot.motion.after.sha256 and np.abs(second.root_position_m[0] - first.root_position_m[-1]).max() < 1e-9
    before = {f: hip(astronaut, f) for f in range(20, 28)}
    for _ in range(2):  # baking once more changes nothing
        bake_kept(astronaut, scene)
        assert tuple(astronaut.animation_data.action.frame_range) == (1.0, 53.0)
        assert all(np.abs(hip(astronaut, f) - place).max() < 1e-6 for f, place in before.items())
    ways = np.linalg.norm(np.diff([hip(astronaut, f) for f in range(20, 36)], axis=0), axis=1)
    assert np.abs(np.diff(ways)).max() < 0.01
    assert bpy.ops.lope.start_anew() == {"FINISHED"} and make_shot(astronaut, scene).motion.after is None


def hip(astronaut, frame):
    """Where the pelvis' bone is at a frame."""
    bpy.context.scene.frame_set(frame)
    return np.array(astronaut.matrix_world @ astronaut.pose.bones["pelvis"].head)
