# SPDX-License-Identifier: GPL-3.0-or-later
"""Pictures of rigs, which need Blender: which bones get keys, and what planted feet are worth."""

from __future__ import annotations

import bpy
import numpy as np

from lope.addon.reports.feet import loaded_points
from lope.addon.reports.plots import new_figure
from lope.addon.rigs.bake.bake import bake_take
from lope.addon.rigs.read.actions import curves_of
from lope.addon.rigs.read.armature import match_of, read_figure
from lope.addon.sim.simulation import simulate
from lope.addon.sim.take import Take
from lope.addon.specs.bake_options import BakeOptions
from lope.addon.specs.shot import BodySpec, Shot
from lope.addon.worlds.planets import load_world

from .figures import LEFT_COLOUR, RIGHT_COLOUR, TRUNK_COLOUR

FPS = 24
WALK_S = 4.0
KEYED = "#2e8b57"
LABELLED = ("pelvis", "lower_spine", "chest", "neck", "head", "clavicle_L", "upper_arm_L", "forearm_L", "hand_L", "thigh_L",
            "shank_L", "foot_L", "toes_L")
RAISED = {"clavicle_L": 0.06, "foot_L": 0.03, "toes_L": -0.03}
"""Labels that would lie on others."""


def bone_map():
    """Rigify's basic human: which bone moves which part of the body; and the controls that get keys of the rig made of
    it."""
    metarig = _metarig()
    figure, (left, right) = new_figure(12.0, 6.9, 1, 2)
    match = match_of(metarig)
    part_of = {bone: segment for segment, bone in match.bone_of.items()}
    for bone in metarig.data.bones:
        part = part_of.get(bone.name)
        colour = "0.75" if part is None else _colour(part)
        _draw(left, bone, colour, 3.4 if part else 1.6)
        if part in LABELLED:
            middle = 0.5 * (np.array(bone.head_local) + np.array(bone.tail_local))
            beside = 0.075 if part.endswith("_L") else -0.15 if part == "pelvis" else -0.085
            height = middle[2] + RAISED.get(part, 0.0)
            left.text(middle[0] + beside, height, f"{bone.name}: {part}", fontsize=8, color=colour,
                      ha="left" if beside > 0.0 else "right", va="center")
    left.set_title("metarig: bone, and the part it moves (grey: not driven)")
    rig = _generated(metarig)
    take = simulate(Shot(body=read_figure(rig).body_spec(75.0), duration_s=1.0))
    action = bake_take(rig, take)
    keyed = {curve.data_path.split('"')[1] for curve in curves_of(action, rig.animation_data.action_slot)
             if curve.data_path.startswith("pose.bones") and len(curve.keyframe_points) > 1}
    for bone in rig.data.bones:
        if bone.name.startswith(("ORG-", "MCH-", "DEF-", "VIS_")):
            continue
        on = bone.name in keyed
        _draw(right, bone, KEYED if on else "0.82", 3.0 if on else 1.0, 3 if on else 1)
        if on and (bone.name == "torso" or ("ik" in bone.name and bone.name.endswith(".L"))):
            right.text(bone.head_local[0] + 0.075, bone.head_local[2], bone.name, fontsize=8, color=KEYED, va="center")
    right.set_title(f"generated rig: {len(keyed)} controls get keys (green), legs on IK")
    for axis in (left, right):
        axis.set(aspect="equal", xlim=(-0.85, 0.95), ylim=(-0.08, 2.0))
        axis.set_axis_off()
    return figure


def foot_lock():
    """How far the ball of the left foot slides while it carries weight, a take of another body on a rig, with and without
    planted feet."""
    take = simulate(Shot(body=BodySpec(), world=load_world("earth"), duration_s=WALK_S))
    figure, (axis,) = new_figure(10.0, 3.6)
    for lock, colour, label in ((False, LEFT_COLOUR, "Lock Feet off"), (True, KEYED, "Lock Feet on")):
        rig = _metarig()
        bake_take(rig, take, options=BakeOptions(lock_feet=lock))
        times, slides = _slides(rig, take)
        for k, (time, slide) in enumerate(zip(times, slides, strict=True)):
            axis.plot(time, slide, color=colour, linewidth=2.0, label=label if k == 0 else None)
    axis.set(xlabel="time [s]", ylabel="slide of the ball [mm]", ylim=(-0.5, None),
             title="walk on Earth, simulated for a body of 1.80 m, baked on Rigify's basic human")
    axis.legend(fontsize=9)
    return figure


def _slides(rig: bpy.types.Object, take: Take) -> tuple[list[np.ndarray], list[np.ndarray]]:
    """Times [s] and slides [mm] of the left toes' joint over each time that the ball carries weight."""
    scene, loaded = bpy.context.scene, loaded_points(take)
    ball = loaded[:, [p.side == "L" and p.kind == "ball" for p in take.body.contact_points]].any(axis=1)
    ball[1:-1] &= ball[2:] & ball[:-2]
    bone = match_of(rig).bone_of["toes_L"]
    times = np.arange(int(WALK_S * FPS)) / FPS
    rows = np.searchsorted(take.time_s, times).clip(max=len(take.time_s) - 1)
    places = []
    for k in range(len(times)):
        scene.frame_set(scene.frame_start + k)
        found = rig.evaluated_get(bpy.context.evaluated_depsgraph_get())
        places.append((found.matrix_world @ found.pose.bones[bone].head)[:2])
    down = np.concatenate([[False], ball[rows], [False]]).astype(int)
    edges = np.flatnonzero(np.diff(down))
    spans = [slice(a, b) for a, b in zip(edges[::2], edges[1::2], strict=True) if b - a > 3]
    places = np.array(places)
    return ([times[span] for span in spans],
            [1000.0 * np.linalg.norm(places[span] - places[span][0], axis=1) for span in spans])


def _metarig() -> bpy.types.Object:
    """Rigify's basic human metarig in a scene of its own."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.ops.preferences.addon_enable(module="rigify")
    bpy.ops.object.armature_basic_human_metarig_add()
    bpy.context.scene.render.fps = FPS
    return bpy.context.object


def _generated(metarig: bpy.types.Object) -> bpy.types.Object:
    """The rig that Rigify makes of a metarig."""
    bpy.ops.pose.rigify_generate()
    bpy.ops.object.mode_set(mode="OBJECT")
    return next(item for item in bpy.data.objects if item.type == "ARMATURE" and item != metarig)


def _draw(axis, bone: bpy.types.Bone, colour: str, width: float, order: int = 2) -> None:
    """A bone from the front."""
    axis.plot((bone.head_local[0], bone.tail_local[0]), (bone.head_local[2], bone.tail_local[2]), color=colour,
              linewidth=width, solid_capstyle="round", zorder=order, marker="o", markersize=1.3 * width)


def _colour(part: str) -> str:
    return {"_L": LEFT_COLOUR, "_R": RIGHT_COLOUR}.get(part[-2:], TRUNK_COLOUR)
