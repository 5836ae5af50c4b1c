# SPDX-License-Identifier: GPL-3.0-or-later
"""An animator's own keys in an earlier bake, laid over a new one: there as turns, gone a few frames beside them."""

import numpy as np
import pytest

bpy = pytest.importorskip("bpy", reason="needs the bpy module")

from bake_kit import everything, rig_and_take  # noqa: E402
from lope.addon.errors import RigError  # noqa: E402
from lope.addon.maths.rotations import quat_conjugate, quat_multiply, rotvec_from_quat  # noqa: E402
from lope.addon.rigs.bake.artist_keys import untouched  # noqa: E402
from lope.addon.rigs.bake.bake import bake_take  # noqa: E402
from lope.addon.rigs.bake.own_keys import FADE_FRAMES, fading, has_own_keys, lay_over  # noqa: E402
from lope.addon.rigs.read.actions import curves_of  # noqa: E402
from synthetic_take import synthetic_take  # noqa: E402

pytestmark = pytest.mark.slow

BONE, FRAME = "chest", 12


def turns(action, bone=BONE, frames=range(1, 30)):
    """Quaternions (N, 4) of a bone at frames."""
    path = f'pose.bones["{bone}"].rotation_quaternion'
    curves = {curve.array_index: curve for curve in curves_of(action) if curve.data_path == path}
    return np.array([[curves[i].evaluate(frame) for i in range(4)] for frame in frames])


def angles(one, other):
    """Rotation vectors [rad] from one to other, and their lengths."""
    vectors = rotvec_from_quat(quat_multiply(quat_conjugate(one), other))
    return vectors, np.linalg.norm(vectors, axis=1)


@pytest.fixture
def edited(tmp_path):
    """A rig whose bake was turned 0.4 rad at a frame of the chest, by a key of the hand or by moving keys, and the take's file;
    and a newer bake."""
    def make(by):
        armature, take = rig_and_take()
        for pose in armature.pose.bones:
            pose.rotation_mode = "QUATERNION"
        take.save(tmp_path / "old.npz")
        old = bake_take(armature, tmp_path / "old.npz")
        pose, half = armature.pose.bones[BONE], 0.2
        turned = quat_multiply(turns(old, frames=[FRAME])[0], np.array([np.cos(half), np.sin(half), 0.0, 0.0]))
        if by == "hand":
            pose.rotation_quaternion = turned
            pose.keyframe_insert("rotation_quaternion", frame=FRAME)
            keyed = [point for curve in curves_of(old) if curve.data_path == pose.path_from_id("rotation_quaternion")
                     for point in curve.keyframe_points if point.co.x == FRAME]
            for point in keyed:
                point.type = "KEYFRAME"
        else:
            for curve in curves_of(old):
                if curve.data_path == pose.path_from_id("rotation_quaternion"):
                    point = next(point for point in curve.keyframe_points if point.co.x == FRAME)
                    point.co.y = turned[curve.array_index]
                    curve.update()
        before = everything(old)
        synthetic_take(take.body, seed=5).save(tmp_path / "new.npz")
        new = bake_take(armature, tmp_path / "new.npz")
        assert new != old and has_own_keys(old, old.slots[0]) and everything(old) == before
        return armature, old, new, tmp_path / "old.npz"

    return make


@pytest.mark.parametrize("by, known", [("hand", True), ("hand", False), ("moved", True)])
def test_an_edit_is_in_the_new_motion_and_fades(edited, by, known):
    armature, old, new, take = edited(by)
    plain, before = turns(new), everything(old)
    done = lay_over(armature, old, take if known else None, bpy.context.scene)
    assert done.action == armature.animation_data.action and done.controls == 1 and done.beyond == 0
    vectors, apart = angles(plain, turns(done.action))
    at = FRAME - 1
    assert vectors[at] == pytest.approx([0.4, 0.0, 0.0], abs=0.02)
    assert apart[at - FADE_FRAMES] < 1e-3 > apart[at + FADE_FRAMES] and 0.1 < apart[at - FADE_FRAMES // 2] < 0.3
    assert np.all(np.diff(apart[at - FADE_FRAMES:at + 1]) > 0.0) and np.all(np.diff(apart[at:at + FADE_FRAMES + 1]) < 0.0)
    assert everything(old) == before and not untouched(done.action, done.action.slots[0])


def test_laid_once_more_it_is_neither_more_nor_less(edited):
    armature, old, _new, take = edited("hand")
    first = lay_over(armature, old, take, bpy.context.scene).action
    third = bake_take(armature, synthetic_take(armature_body(take), seed=9))
    assert third != first
    plain = turns(third)
    again = lay_over(armature, first, take.with_name("new.npz"), bpy.context.scene).action
    vectors, apart = angles(plain, turns(again))
    assert vectors[FRAME - 1] == pytest.approx([0.4, 0.0, 0.0], abs=0.02) and apart[FRAME - 1 - FADE_FRAMES] < 1e-3


def armature_body(take):
    from lope.addon.sim.take import Take

    return Take.load(take).body


def test_nothing_to_lay_is_said(edited):
    armature, old, new, _take = edited("hand")
    with pytest.raises(RigError, match="no newer bake"):
        lay_over(armature, new, None, bpy.context.scene)
    other = bpy.data.actions.new("Bare")
    other.slots.new(id_type="OBJECT", name="Rig")
    with pytest.raises(RigError, match="No key of 'Bare' differs"):
        lay_over(armature, other, None, bpy.context.scene)
    assert armature.animation_data.action == new and old.name in bpy.data.actions


def test_edits_far_apart_fade_between_and_near_ones_do_not():
    at = np.arange(0.0, 41.0)
    far = fading(at, np.array([10.0, 30.0]), np.array([[1.0], [2.0]]), 6)[:, 0]
    assert far[10] == 1.0 and far[30] == 2.0 and np.all(far[16:25] == 0.0) and far[4] == 0.0 == far[36]
    near = fading(at, np.array([10.0, 20.0]), np.array([[1.0], [1.0]]), 6)[:, 0]
    assert np.all(near[10:21] == 1.0)
