# SPDX-License-Identifier: GPL-3.0-or-later
"""A state's pose on a rig: seen as it is, read back within a degree, taken where it was changed; the rig stands as before."""

import math
from dataclasses import replace

import numpy as np
import pytest

bpy = pytest.importorskip("bpy", reason="needs the bpy module")

from mathutils import Matrix  # noqa: E402

import lope_scene  # noqa: E402
from layout_listener import Listener  # noqa: E402
from lope.addon.errors import InputError  # noqa: E402
from lope.addon.locomotion.key_poses.shown import Posed, standing_thigh_turned, taken  # noqa: E402
from lope.addon.specs.pose_gait import UPPER, PoseState  # noqa: E402
from lope.operators import pose_on_rig  # noqa: E402
from lope.operators.bake import bake_kept  # noqa: E402
from lope.operators.pose_gait_settings import ANGLES, FLIGHT, fill_state, gait_in  # noqa: E402
from lope.panels.pose_gait import LOPE_PT_pose_gait  # noqa: E402

pytestmark = pytest.mark.slow

scene, astronaut = lope_scene.scene, lope_scene.astronaut
DEGREE = math.radians(1.0)
POSED = PoseState(0.2, torso=-0.25, swing_hip=0.8, swing_hip_outward=0.15, swing_knee=-1.2, swing_ankle=0.4, stance_knee=-0.4,
                  stance_ankle=0.2, upper={"chest": (0.1, 0.2, -0.15), "head": (0.0, -0.2, 0.3), "upper_arm_R": (-0.4, -0.6, 0.2),
                                           "forearm_R": (0.0, -1.1, 0.0), "hand_R": (0.1, 0.2, 0.0)})


def channels(armature):
    return {bone.name: (tuple(bone.location), tuple(bone.rotation_quaternion), tuple(bone.rotation_euler), tuple(bone.scale))
            for bone in armature.pose.bones}


@pytest.fixture
def own(astronaut):
    astronaut.lope.gait_source = "POSES"
    bpy.ops.lope.pose_gait_edit()
    fill_state(astronaut.lope.own_gait.states[0], POSED)
    fill_state(astronaut.lope.own_gait.states.add(), replace(POSED, stands="neither", stance_hip=-0.5, stance_hip_outward=0.1))
    return astronaut.lope.own_gait


def test_a_pose_is_read_back_as_it_is_shown(own, astronaut):
    for at, state in enumerate(gait_in(own).states):
        own.state_index = at
        assert bpy.ops.lope.pose_on_rig() == {"FINISHED"}
        now = pose_on_rig.now_posed(astronaut, bpy.context, state)
        for name in (*ANGLES, *(FLIGHT if state.stands == "neither" else ())):
            assert now.angles[name] == pytest.approx(getattr(state, name), abs=DEGREE), name
        for name, vector in (state.upper or {}).items():
            assert np.linalg.norm(np.subtract(now.upper[name], vector)) < DEGREE, name
        bpy.ops.lope.leave_rig()


def test_nothing_changed_is_nothing_taken_and_the_rig_stands_as_before(own, astronaut, scene):
    astronaut.pose.bones["head"].rotation_quaternion = (0.9, 0.1, 0.3, 0.2)
    scene.tool_settings.use_keyframe_insert_auto = True
    before, gait, mode = channels(astronaut), gait_in(own), astronaut.mode
    bpy.ops.lope.pose_on_rig()
    assert channels(astronaut) != before and astronaut.mode == "POSE" and not scene.tool_settings.use_keyframe_insert_auto
    assert bpy.ops.lope.take_from_rig() == {"FINISHED"}
    assert gait_in(own) == gait and channels(astronaut) == before and astronaut.mode == mode
    assert scene.tool_settings.use_keyframe_insert_auto and astronaut.animation_data is None
    assert not bpy.ops.lope.take_from_rig.poll()


def test_what_the_animator_poses_is_taken(own, astronaut):
    own.state_index = 1
    before = gait_in(own).states
    bpy.ops.lope.pose_on_rig()
    bpy.context.view_layer.update()
    shin = astronaut.pose.bones["shin.R" if "shin.R" in astronaut.pose.bones else "shank_R"]
    axis = astronaut.matrix_world.to_3x3() @ shin.matrix.to_3x3()
    head = shin.matrix.translation.copy()
    side = Matrix.Rotation(math.radians(-30.0), 4, astronaut.matrix_world.to_3x3().inverted() @ axis.col[0])
    shin.matrix = Matrix.Translation(head) @ side @ Matrix.Translation(-head) @ shin.matrix
    bpy.ops.lope.take_from_rig()
    after = gait_in(own).states
    assert after[0] == before[0]
    assert after[1].swing_knee - before[1].swing_knee == pytest.approx(-math.radians(30.0), abs=DEGREE)
    assert after[1].upper == before[1].upper and after[1].swing_hip == before[1].swing_hip


def test_an_angle_that_no_state_holds_is_cut_and_named():
    shown = Posed(dict.fromkeys((*ANGLES, *FLIGHT), 0.0), dict.fromkeys(UPPER, (0.0, 0.0, 0.0)))
    now = {**shown.angles, "swing_knee": 0.3, "torso": 0.2, "stance_hip": 0.4}
    state, cut = taken(PoseState(0.2, cd=0.7), shown, Posed(now, shown.upper))
    assert state == PoseState(0.2, cd=0.7, torso=0.2) and cut == {"swing_knee": (0.3, 0.0)}


def test_a_standing_thigh_that_is_turned_is_told():
    shown = Posed(dict.fromkeys((*ANGLES, *FLIGHT), 0.0), {})

    def told(stands="one", **angles):
        return standing_thigh_turned(PoseState(0.2, stands=stands), shown, Posed({**shown.angles, **angles}, {}))

    assert told(stance_hip=0.3) and told(stance_hip_outward=-0.2) and told(stance_hip=0.3, torso=-0.3)
    assert not told(stance_hip=0.01) and not told(swing_hip=0.5) and not told(stands="neither", stance_hip=0.3)
    assert not told(torso=0.3) and not told(torso=0.3, stance_hip=0.3), "leaned, with the legs in place or taken along"


def test_a_thigh_turned_on_the_rig_is_not_taken_and_told(own, astronaut):
    bpy.ops.lope.pose_on_rig()
    bpy.context.view_layer.update()
    thigh = astronaut.pose.bones["thigh.L" if "thigh.L" in astronaut.pose.bones else "thigh_L"]
    head, world = thigh.matrix.translation.copy(), astronaut.matrix_world.to_3x3()
    axis = world.inverted() @ (world @ thigh.matrix.to_3x3()).col[0]
    thigh.matrix = Matrix.Translation(head) @ Matrix.Rotation(0.4, 4, axis) @ Matrix.Translation(-head) @ thigh.matrix
    cut, turned = pose_on_rig.take(astronaut, bpy.context)
    assert turned and not cut and gait_in(own).states[0] == POSED


def test_the_swinging_leg_is_named(own, astronaut):
    bpy.ops.lope.pose_gait_mirror(mirror=False)
    for at, name in ((0, "Right leg swings"), (3, "Left leg swings")):
        own.state_index = at
        listener = Listener(bpy.context)
        listener.draw(LOPE_PT_pose_gait)
        assert name not in listener.said
        bpy.ops.lope.pose_on_rig()
        listener.draw(LOPE_PT_pose_gait)
        assert name in listener.said
        bpy.ops.lope.leave_rig()


def test_meanwhile_states_stay_in_their_places_and_nothing_is_baked(own, astronaut):
    bpy.ops.lope.pose_on_rig()
    for button in (bpy.ops.lope.pose_state_add, bpy.ops.lope.pose_state_remove, bpy.ops.lope.pose_gait_edit,
                   bpy.ops.lope.pose_gait_done, bpy.ops.lope.pose_gait_revert):
        assert not button.poll()
    with pytest.raises(InputError, match="shows a key pose"):
        bake_kept(astronaut, bpy.context.scene)
    bpy.ops.lope.leave_rig()
    assert bpy.ops.lope.pose_state_add.poll()
