# SPDX-License-Identifier: GPL-3.0-or-later
"""A take of the planar body on a rig: its legs turn as simulated, arms hang, feet stay where they stand."""

import numpy as np
import pytest

from blender_scene import FACING_MINUS_Y, load, pose_in_world, rest_in_world, set_rate, turn_between
from lope.addon.bodies.human.landmarks import neutral_alignments
from lope.addon.gaits.pose_gaits import load_pose_gait
from lope.addon.maths.rotations import matrix_from_quat
from lope.addon.rigs.bake.bake import bake_take
from lope.addon.rigs.read.armature import read_figure
from lope.addon.sim.simulation import simulate
from lope.addon.specs.bake_options import BakeOptions
from lope.addon.specs.motions import KeyPoses, Reflex
from lope.addon.specs.shot import SAGITTAL, BodySpec, Shot

pytestmark = pytest.mark.slow

RIG = "rigs/kaykit_rogue.glb"
FRAMES = range(25, 49)


@pytest.fixture(scope="module", params=["key poses", "reflexes"])
def take(request):
    poses = request.param == "key poses"
    return simulate(
        Shot(
            motion=KeyPoses(load_pose_gait("walk", "planar"), start="standing") if poses else Reflex(),
            body=BodySpec(kind="planar", mass_kg=90.0) if poses else BodySpec(kind=SAGITTAL),
            duration_s=2.5,
        )
    )


def baked(take, **options):
    armature = load(RIG)
    set_rate(25)  # frames are samples of the take
    figure, rest = read_figure(armature), rest_in_world(armature)
    bake_take(armature, take, options=BakeOptions(**options))
    return armature, figure, rest


def test_legs_turn_as_simulated_and_arms_hang(take):
    armature, figure, rest = baked(take, lock_feet=False)
    alignments, axes = neutral_alignments(figure.points), FACING_MINUS_Y
    for frame in (30, 37, 45):
        pose, row = pose_in_world(armature, frame), int(np.argmin(np.abs(take.time_s - (frame - 1) / 25.0)))
        turns = dict(zip((s.name for s in take.body.segments), take.segment_poses[1][row], strict=True))
        for name in ("thigh_L", "shank_R", "foot_L"):
            wanted = axes @ matrix_from_quat(turns[name]) @ alignments[name] @ axes.T
            found = turn_between(rest[figure.bone_of[name]], pose[figure.bone_of[name]])
            np.testing.assert_allclose(found, wanted, atol=1e-3)
        for side in "LR":
            shoulder, elbow = (pose[figure.bone_of[f"{part}_{side}"]][:3, 3] for part in ("upper_arm", "forearm"))
            down = (elbow - shoulder) / np.linalg.norm(elbow - shoulder)
            assert down[2] < -0.9


def test_feet_stay_where_they_stand_and_legs_apart(take):
    armature, figure, _ = baked(take)
    ankles = {side: np.array([pose_in_world(armature, frame)[figure.bone_of[f"foot_{side}"]][:3, 3] for frame in FRAMES])
              for side in "LR"}
    assert abs((ankles["L"] - ankles["R"])[:, 0]).min() > 0.05
    for foot in ankles.values():
        way = np.linalg.norm(np.diff(foot[:, :2], axis=0), axis=1)
        assert np.sort(way)[:8].max() < 0.01 < way.max()  # a third of the time it stands, and moves on
