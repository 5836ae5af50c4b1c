# SPDX-License-Identifier: GPL-3.0-or-later
"""A stance taken from the armature's pose: kept, simulated, seen on the rig again, dropped; and what cannot be taken."""

import math

import numpy as np
import pytest

bpy = pytest.importorskip("bpy", reason="needs the bpy module")

import lope_scene  # noqa: E402
from blender_scene import load  # noqa: E402
from layout_listener import Listener  # noqa: E402
from lope.addon.bodies.kinematics import contact_point_positions, segment_poses  # noqa: E402
from lope.addon.bodies.makers import make_body  # noqa: E402
from lope.addon.errors import InputError  # noqa: E402
from lope.addon.maths.rotations import quat_from_rotvec  # noqa: E402
from lope.addon.rigs.bake.live import LivePose  # noqa: E402
from lope.addon.specs.bake_options import BakeOptions  # noqa: E402
from lope.addon.specs.motions import Stand  # noqa: E402
from lope.operators.figures import figure_of  # noqa: E402
from lope.operators.shot_builder import make_shot  # noqa: E402
from lope.panels.pages import LOPE_PT_page  # noqa: E402

pytestmark = pytest.mark.slow

scene = lope_scene.scene
GUARD = {"pelvis": (0.0, 0.1, 0.3), "thigh_L": (0.0, -0.5, 0.0), "shank_L": (0.0, 0.5, 0.0), "foot_L": (0.0, -0.1, 0.0),
         "thigh_R": (0.0, 0.0, 0.0), "shank_R": (0.0, 0.3, 0.0), "foot_R": (0.0, -0.4, 0.0), "forearm_L": (0.0, -1.4, 0.0),
         "forearm_R": (0.0, -1.6, 0.0), "upper_arm_L": (0.1, -0.7, 0.0), "head": (0.0, 0.0, 0.3), "chest": (0.0, 0.1, -0.3)}
STORK = {"thigh_L": (-0.12, -0.1, 0.0), "shank_L": (0.0, 0.2, 0.0), "foot_L": (0.12, -0.1, 0.0),
         "thigh_R": (0.0, -1.2, 0.0), "shank_R": (0.0, 1.6, 0.0), "upper_arm_R": (-0.9, 0.0, 0.0), "upper_arm_L": (0.9, 0.0, 0.0)}
NEAR_RAD = math.radians(4.0)


@pytest.fixture
def astronaut(scene):
    bpy.ops.lope.add_astronaut()
    bpy.context.object.lope.motion = "STAND"
    return bpy.context.object


def pose(armature, vectors, lifted_m=0.0):
    """Pose an armature by rotation vectors, its lower foot on the ground or lifted over it."""
    figure = figure_of(armature, bpy.context.scene)
    body = make_body(figure.body_spec())
    turns = np.array([quat_from_rotvec(np.array(vectors.get(name, (0.0, 0.0, 0.0)), dtype=float)) for name in body.index])
    place = np.array([0.0, 0.0, 1.0])
    low_m = contact_point_positions(body, *segment_poses(body, place, turns[0], turns[1:]))[:, 2].min()
    LivePose(armature, bpy.context.scene, figure, body, BakeOptions(controls="fk")).show(
        place + (0.0, 0.0, lifted_m - low_m), turns)


def seen(armature):
    """Rotations (3, 3) of the body's bones, in the armature's space, by segment."""
    bpy.context.view_layer.update()
    bones = armature.evaluated_get(bpy.context.evaluated_depsgraph_get()).pose.bones
    figure = figure_of(armature, bpy.context.scene)
    return {segment: np.array(bones[name].matrix.to_3x3().normalized()) for segment, name in figure.bone_of.items()}


def shot(armature):
    return make_shot(armature, bpy.context.scene)


@pytest.mark.parametrize("turns", [GUARD, STORK])
def test_it_stands_as_posed(astronaut, scene, turns):
    settings, scene.lope.duration_s = astronaut.lope, 2.0
    settings.suit, settings.noise, settings.bake_root = "none", 0.0, "hips"
    pose(astronaut, turns)
    posed = seen(astronaut)
    assert bpy.ops.lope.stance_from_pose() == {"FINISHED"}
    assert astronaut.animation_data is None, "nothing is keyed"
    bpy.ops.lope.simulate()
    assert settings.take_summary.startswith("Stood 2.0 s on")
    bpy.ops.lope.bake()
    scene.frame_set(scene.frame_start)
    baked = seen(astronaut)
    off = {name: math.acos(min(max((np.trace(posed[name].T @ baked[name]) - 1.0) / 2.0, -1.0), 1.0)) for name in posed}
    assert max(off.values()) < NEAR_RAD, {name: math.degrees(angle) for name, angle in off.items()}


def test_the_shot_and_the_panel_have_it_until_it_is_dropped(astronaut):
    def drawn():
        listener = Listener(bpy.context)
        listener.draw(LOPE_PT_page)
        return listener

    assert "Stance: as posed" not in drawn().said and not bpy.ops.lope.stance_drop.poll()
    astronaut.lope.stand_on, astronaut.lope.stand_steps, astronaut.lope.use_stand_steps = "L", 1, True
    pose(astronaut, GUARD)
    bpy.ops.lope.stance_from_pose()
    found = shot(astronaut).motion
    assert found.steps == 1 and not found.one_leg and found.pose.turns["forearm_R"] == pytest.approx((0.0, -1.6, 0.0), abs=0.02)
    assert type(shot(astronaut)).from_dict(shot(astronaut).to_dict()).motion == found, "a worker reads the same"
    panel = drawn()
    assert "Stance: as posed" in panel.said and "lope.stance_drop" in panel.drawn
    assert not {"stand_on", "use_stand_apart", "stand_ahead_m"} & set(panel.drawn)
    bpy.ops.lope.stance_drop()
    assert shot(astronaut).motion == Stand(one_leg="L", steps=1) and "Stance: as posed" not in drawn().said


def test_it_is_one_undo_step(astronaut):
    pose(astronaut, GUARD)
    name = astronaut.name
    bpy.ops.ed.undo_push(message="Before")
    assert bpy.ops.lope.stance_from_pose("EXEC_DEFAULT", True) == {"FINISHED"}
    kept = astronaut.lope.stand_pose
    bpy.ops.ed.undo()
    assert kept and not bpy.data.objects[name].lope.stand_pose
    bpy.ops.ed.redo()
    assert bpy.data.objects[name].lope.stand_pose == kept


def test_what_does_not_stand_is_one_sentence_and_changes_nothing(astronaut, scene):
    pose(astronaut, {}, lifted_m=0.3)
    with pytest.raises(RuntimeError, match="No foot is on the ground: the lower one is 30 cm above it"):
        bpy.ops.lope.stance_from_pose()
    pose(astronaut, {"pelvis": (0.0, 1.5, 0.0)})
    with pytest.raises(RuntimeError, match="This pose does not stand"):
        bpy.ops.lope.stance_from_pose()
    assert not astronaut.lope.stand_pose
    bpy.ops.object.armature_add()
    with pytest.raises(RuntimeError, match="family"):
        bpy.ops.lope.stance_from_pose()


@pytest.mark.parametrize("source", ["rigify", "rigs/mpfb_male_mixamo_cm.fbx"])
def test_feet_are_as_high_as_posed_where_the_hips_bone_begins_above_the_hips(scene, source):
    armature = load(source)
    armature.animation_data_clear()
    bpy.context.view_layer.objects.active = armature
    pose(armature, GUARD, lifted_m=0.3)
    with pytest.raises(RuntimeError, match="the lower one is 30 cm above it"):
        bpy.ops.lope.stance_from_pose()


def test_a_stance_that_was_spoilt_is_told(astronaut):
    for text in ("{", "[]", '{"turns": {"head": [0, 0]}}'):
        astronaut.lope.stand_pose = text
        with pytest.raises(InputError, match="press From Pose again"):
            shot(astronaut)
