# SPDX-License-Identifier: GPL-3.0-or-later
"""Planted feet through Blender's evaluated pose: on every rig, on IK and on FK controls, with a take of another body too."""

from __future__ import annotations

import numpy as np
import pytest

from blender_scene import bpy, load
from foot_slip import slips_mm, walk, walk_of
from lope.addon.rigs.bake.bake import bake_take, prepare
from lope.addon.rigs.read.armature import read_figure
from lope.addon.specs.bake_options import BakeOptions

SIZES = {"bvh/07_01_walk_normal.bvh": 0.0254 / 0.45, "bvh/131_03_hop_spin_stylised_3dsmax.bvh": 0.0254 / 0.45,
         "bvh/snu_walk_left_90.bvh": 0.0254}
RIGS = ["rigs/kaykit_rogue.glb", "rigs/mpfb_female_unreal.glb", "rigs/mpfb_male_cmu.glb", "rigs/mpfb_male_mixamo.glb",
        "rigs/mpfb_male_mixamo_cm.fbx", "rigify", *SIZES]
IK_LIMIT_MM, FK_LIMIT_MM = 1.0, 5.0


def baked(source: str, take, options: BakeOptions):
    armature = load(source, 24)
    if source in SIZES:
        armature.scale = (SIZES[source],) * 3
    action = bake_take(armature, take, options=options)
    return armature, read_figure(armature), np.arange(action.frame_range[0], action.frame_range[1] + 1.0)


@pytest.mark.slow
@pytest.mark.parametrize("source", RIGS)
def test_feet_of_every_rig_stay_where_they_stand(source):
    take = walk()
    armature, figure, frames = baked(source, take, BakeOptions())
    slips = slips_mm(armature, figure, take, frames)
    assert len(slips) >= 6 and max(slips) < IK_LIMIT_MM < FK_LIMIT_MM


@pytest.mark.slow
@pytest.mark.parametrize("whose", ["another body with toes", "own"])
def test_a_foot_without_toes_rolls_over_its_tip(whose):
    """The SNU skeleton of 13 joints: its foot is one piece, so ball and tip cannot both stay when the heel rises."""
    armature = load("bvh/snu_walk_uphill.bvh", 24)
    take = walk() if whose != "own" else walk_of(read_figure(armature))
    options = BakeOptions()
    armature, figure, frames = baked("bvh/snu_walk_uphill.bvh", take, options)
    assert len(armature.data.bones) == 13 and "toes_L" not in figure.bone_of
    assert max(slips_mm(armature, figure, take, frames)) < FK_LIMIT_MM
    lowest = prepare(armature, take, options, None, bpy.context.scene).motion.sole_points[..., 2].min(axis=1)
    assert lowest.min() > -0.008, "the tip stays above the ground, but for the frame in which it leaves it"
    assert np.sort(lowest)[len(lowest) // 10] > -0.002, "pads in the simulation give way by a millimetre"


@pytest.mark.acceptance
@pytest.mark.slow
@pytest.mark.parametrize("controls, limit", [("ik", IK_LIMIT_MM), ("fk", FK_LIMIT_MM)])
@pytest.mark.parametrize("world", ["earth", "moon"])
def test_feet_of_a_generated_rigify_rig(controls, limit, world):
    load("rigify rig")
    take = walk_of(read_figure(next(o for o in bpy.data.objects if o.type == "ARMATURE")), world)
    armature, figure, frames = baked("rigify rig", take, BakeOptions(controls=controls))
    assert max(slips_mm(armature, figure, take, frames)) < limit
    switch = armature.pose.bones["thigh_parent.L"]["IK_FK"]
    assert switch == (0.0 if controls == "ik" else 1.0)


@pytest.mark.slow
def test_without_the_lock_feet_slide_and_with_fewer_keys_they_do_not():
    take = walk()
    armature, figure, frames = baked("rigs/mpfb_male_cmu.glb", take, BakeOptions(lock_feet=False))
    assert max(slips_mm(armature, figure, take, frames)) > FK_LIMIT_MM
    armature, figure, frames = baked("rigs/mpfb_male_cmu.glb", take, BakeOptions(reduce_error_m=0.0005))
    assert max(slips_mm(armature, figure, take, frames)) < IK_LIMIT_MM


@pytest.mark.slow
@pytest.mark.parametrize("root", ["root_bone", "object"])
@pytest.mark.parametrize("source", ["rigs/mpfb_female_unreal.glb", "rigify rig"])
def test_feet_stand_whatever_carries_the_travel(source, root):
    take = walk()
    armature, figure, frames = baked(source, take, BakeOptions(root_motion=root))
    assert max(slips_mm(armature, figure, take, frames)) < IK_LIMIT_MM
