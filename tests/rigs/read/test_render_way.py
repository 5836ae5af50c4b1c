# SPDX-License-Identifier: GPL-3.0-or-later
"""Where a figure heads: front and side of somebody who stands, goes aside or backward, and where the stage's road lies."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from blender_scene import bpy, fresh_scene
from lope.addon.rigs.astronaut.astronaut import add_astronaut
from lope.addon.rigs.bake.bake import bake_take
from lope.addon.rigs.read.armature import read_figure
from lope.addon.rigs.read.poses import Way, way_of
from lope.addon.rigs.render.camera import follow_camera
from lope.addon.rigs.shots.open_rig import put_on_stage
from lope.addon.rigs.stage.terrain import CORRIDOR_HALF_WIDTH_M
from take_factory import Walk, make_take

pytestmark = pytest.mark.slow

BACKWARD, LEFT, RIGHT = math.pi, math.pi / 2, -math.pi / 2


def drifting(faces: float, goes: float, speed: float = 0.6):
    """The astronaut over 2 s of a take that faces and goes those ways [rad] in the take, whose +x is the scene's -Y."""
    scene = fresh_scene(24)
    armature = add_astronaut(scene)
    take = make_take(Walk(seconds=2.0, speed=speed, heading=goes))
    turn = np.zeros_like(take.root_quaternion)
    turn[:, 0], turn[:, 3] = math.cos(faces / 2), math.sin(faces / 2)
    take = replace(take, arrays={**take.arrays, "root_quaternion": turn, "plan_heading_rad": np.full(len(turn), faces)})
    bake_take(armature, take, start_frame=1, scene=scene)
    return scene, armature, take


def seen_from(scene, armature, view):
    """Which way [rad, in the take] a camera stands from the hips."""
    camera = follow_camera(scene, armature, view, (1, 48), aspect=1.0)
    scene.frame_set(1)
    away = camera.matrix_world.col[2]
    return math.atan2(away.x, -away.y)


def same_way(one, other, within_deg=1.0):
    return abs(math.remainder(one - other, math.tau)) < math.radians(within_deg)


@pytest.mark.parametrize(("faces", "goes"), [
    (0.0, LEFT), (0.0, RIGHT), (0.0, BACKWARD), (1.0, 1.0 + RIGHT), (-2.0, -2.0 + 0.7 * math.pi)])
def test_front_and_side_of_who_goes_aside_go_by_the_face(faces, goes):
    scene, armature, _ = drifting(faces, goes)
    assert same_way(seen_from(scene, armature, "front"), faces)
    assert same_way(seen_from(scene, armature, "side"), faces + math.pi / 2)


@pytest.mark.parametrize("faces", [0.0, 1.5])
def test_front_of_who_stays_is_the_face(faces):
    scene, armature, _ = drifting(faces, faces, speed=0.02)
    assert same_way(seen_from(scene, armature, "front"), faces)


@pytest.mark.parametrize("off", [0.0, 0.5, -0.5])
def test_front_of_who_goes_ahead_is_the_travel(off):
    scene, armature, _ = drifting(0.4, 0.4 + off)
    assert same_way(seen_from(scene, armature, "front"), 0.4 + off)


def way(places, facing_rad, rest=(1.0, 0.0)):
    """A way at 24 frames a second, a place at every third."""
    places, facing = np.asarray(places, dtype=float), np.asarray(facing_rad, dtype=float) * np.ones(len(places))
    return Way(1.0 + 3.0 * np.arange(len(places)), np.column_stack([places, np.ones(len(places))]),
               np.column_stack([np.cos(facing), np.sin(facing)]), np.array(rest), 0.3, 24.0)


def test_who_walks_a_curve_heads_along_its_chord():
    turn = np.linspace(0.0, 1.2 * math.pi, 60)
    places = 5.0 * np.column_stack([np.sin(turn), 1.0 - np.cos(turn)])
    chord = math.atan2(places[-1, 1], places[-1, 0])
    found = way(places, turn)
    assert found.heading_rad == pytest.approx(chord) and abs(chord) > math.pi / 2, "off the way it faced at the start"
    start, heading, length, aside = found.road()
    assert (*start, heading, length, aside) == pytest.approx((0.0, 0.0, chord, np.hypot(*places[-1]), 0.0))


def test_steps_of_the_pelvis_are_no_facing():
    sway = 0.12 * np.sin(np.arange(9)) + 0.1
    assert way(np.zeros((9, 2)), sway).heading_rad == 0.0
    assert way(np.zeros((9, 2)), 0.8).heading_rad == pytest.approx(0.8)


def test_the_road_of_who_goes_aside_lies_along_the_face_and_holds_the_way():
    found = way(np.column_stack([np.linspace(0.0, -1.0, 30), np.linspace(0.0, -4.0, 30)]), 0.0)
    start, heading, length, aside = found.road()
    assert heading == 0.0 and start == pytest.approx([-1.0, -2.0]) and (length, aside) == pytest.approx((1.0, 2.0))


def test_the_stage_of_who_goes_aside_is_level_under_all_the_way():
    scene, armature, take = drifting(0.0, LEFT, speed=2.0)
    put_on_stage(scene, armature, replace(take, shot=replace(take.shot, world=replace(take.shot.world, name="moon"))), (1, 48),
                 None)
    bpy.context.view_layer.update()
    ground = next(item for item in scene.objects if item.name.startswith("Ground"))
    ahead = ground.matrix_world.col[0]
    assert same_way(math.atan2(ahead.x, -ahead.y), 0.0), "the road lies along the way that the figure faces"
    found = way_of(scene, armature, read_figure(armature), "pelvis", (1, 48), 4)
    points = np.array([ground.matrix_world @ vertex.co for vertex in ground.data.vertices])
    for place in found.places:
        near = np.linalg.norm(points[:, :2] - place[:2], axis=1) < CORRIDOR_HALF_WIDTH_M
        assert near.sum() > 20 and np.abs(points[near, 2]).max() < 1e-6
