# SPDX-License-Identifier: GPL-3.0-or-later
"""A fall on a rig: the body lies where it was simulated, planted feet let go of it, and lying feet leave no marks."""

from functools import cache

import numpy as np
import pytest

from bake_check import body_of
from blender_scene import FACING_MINUS_Y, bpy, load, pose_in_world
from lope.addon.bodies.capsules import body_capsules
from lope.addon.maths.rotations import quat_rotate
from lope.addon.rigs.bake.bake import bake_take, prepare
from lope.addon.rigs.read.armature import read_figure
from lope.addon.sim.simulation import simulate
from lope.addon.sim.take import Take
from lope.addon.specs.bake_options import BakeOptions
from lope.addon.specs.shot import BodySpec, Push, Shot

pytestmark = pytest.mark.slow

RIG = "rigs/mpfb_male_mixamo.glb"


@cache
def fall() -> Take:
    body = body_of(read_figure(load(RIG, 24)))
    spec = BodySpec(mass_kg=70.0, landmarks={k: tuple(v.tolist()) for k, v in body.landmarks.items()})
    return simulate(Shot(body=spec, duration_s=4.0, pushes=(Push(0.8, 0.3, (-420.0, 0.0, 0.0)),), after_fall="limp"))


@pytest.mark.acceptance
def test_who_fell_lies_on_the_rig_as_simulated():
    take = fall()
    armature = load(RIG, 24)
    action = bake_take(armature, take, options=BakeOptions())
    figure, fell = read_figure(armature), take.stats["time_fell_s"]
    places, turns = take.segment_poses
    last = int(action.frame_range[1])
    assert (last - 1) / 24.0 > fell + 1.0, "baked to rest, not to the fall"
    offset = None
    for frame, limit in ((last, 0.002), (int(24 * (fell + 0.35)) + 1, 0.03), (int(24 * (fell + 0.8)) + 1, 0.03)):
        row = np.argmin(np.abs(take.time_s - (frame - 1) / 24.0))  # up to 5 ms from the frame
        pose = pose_in_world(armature, frame)
        found = {s: pose[b][:3, 3] for s, b in figure.bone_of.items() if s != "pelvis"}
        wanted = {s: FACING_MINUS_Y @ places[row, take.body.index[s]] for s in found}
        offset = found["chest"] - wanted["chest"] if offset is None else offset
        assert max(np.linalg.norm(found[s] - wanted[s] - offset) for s in found) < limit
    ground = offset[2]
    low = {}
    for shape in body_capsules(take.body):
        place, turn = (part[-1, take.body.index[shape.segment]] for part in (places, turns))
        low[shape.name] = min((place + quat_rotate(turn, end))[2] for end in (shape.start, shape.end)) - shape.radius_m
    assert min(low.values()) > -0.01 and abs(ground) < 0.01
    assert min(v for k, v in low.items() if k.startswith(("chest", "pelvis", "head"))) < 0.01, "the trunk lies on the ground"


def test_planted_feet_let_go_and_leave_no_marks():
    take = fall()
    armature = load(RIG, 24)
    fell = take.stats["time_fell_s"]
    locked, free = (prepare(armature, take, BakeOptions(lock_feet=lock), None, bpy.context.scene) for lock in (True, False))
    time_s = (locked.written.frames - 1.0) / 24.0
    away = np.abs(locked.motion.places - free.motion.places).max(axis=(1, 2))
    assert away[time_s < fell - 0.05].max() > 1e-4, "the lock is at work before"
    assert away[time_s > fell + 0.35].max() < 1e-9
    assert all((event.frame - 1) / 24.0 <= fell + 0.05 for event in locked.written.events)
