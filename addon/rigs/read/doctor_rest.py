# SPDX-License-Identifier: GPL-3.0-or-later
"""The doctor on a rig's rest pose and its place: lying, leaning, off the ground, carried along, bones that cannot be moved."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

import bpy
import numpy as np

from ...bodies.human.resting_legs import legs_away
from ...bodies.human.upright import trunk_turns
from ...errors import RigError
from .armature import rest_bones
from .carriers import carrier_of, carriers_first
from .detect import Match
from .figure import Figure
from .finding import ERROR, WARNING, Finding, some

_LYING_DEG = 45.0
"""A figure whose way from the ankles over the hips to the shoulders is farther from the vertical lies."""
_OFF_GROUND_M = 0.005


def of_place(armature: bpy.types.Object, name: str) -> Iterator[Finding]:
    """Whether something carries the armature along."""
    item = armature
    while item.parent is not None:
        bone = item.parent.pose.bones.get(item.parent_bone) if item.parent_type == "BONE" else None
        item = item.parent
        if _moves(item) or (bone is not None and (_moves(item) or len(bone.constraints))):
            yield Finding("moving_parent", WARNING,
                          f"Armature {name} is a child of {item.name!r}, which moves: what is baked moves along with it.")
            return


def _moves(item: bpy.types.Object) -> bool:
    data = item.animation_data
    animated = data is not None and (data.action is not None or len(data.nla_tracks) or len(data.drivers))
    return bool(animated) or any(not c.mute and c.influence > 0.0 for c in item.constraints)


def up_of(armature: bpy.types.Object, match: Match) -> np.ndarray:
    """Where a figure's up points in the world, a unit vector (3,): from the ankles to the hips to the shoulders."""
    bones, world = armature.data.bones, np.array(armature.matrix_world, dtype=float)
    feet, hips, shoulders = (
        sum(np.array(bones[match.joint_of[f"{segment}_{side}"]].head_local, dtype=float) for side in "LR") / 2.0
        for segment in ("foot", "thigh", "upper_arm"))
    way = world[:3, :3] @ ((hips - feet) / np.linalg.norm(hips - feet) + (shoulders - hips) / np.linalg.norm(shoulders - hips))
    return way / np.linalg.norm(way)


def of_lying(armature: bpy.types.Object, match: Match, name: str) -> Iterator[Finding]:
    """Whether the figure lies at rest."""
    tilt = float(np.degrees(np.arccos(np.clip(up_of(armature, match)[2], -1.0, 1.0))))
    if tilt > _LYING_DEG:
        yield Finding("lying", ERROR,
                      f"Armature {name} does not stand in its rest pose: it is turned over by {tilt:.0f} degrees, with the "
                      "world's z up; stand it up first.", "Stand It Up")


def of_rest(figure: Figure, match: Match, name: str) -> Iterator[Finding]:
    """What is to be said of a figure that stands: guesses, ground, legs, a bowed trunk, bones that hang and cannot be moved."""
    if match.unsure:
        yield Finding("unsure", WARNING, f"Which bones of armature {name} are {some(sorted(match.unsure))} is a guess; look at "
                      "them in its bone map.")
    off = figure.sole_over_ground_m
    if abs(off) > _OFF_GROUND_M:
        yield Finding("ground", WARNING, f"The soles of armature {name} rest {100.0 * abs(off):.1f} cm "
                      f"{'over' if off > 0.0 else 'under'} the ground; a bake sets them on it.")
    legs = legs_away(figure.points)
    if legs is not None:
        where = "ahead of" if legs.feet_m > 0.0 else "behind"
        yield Finding("legs_away", ERROR, f"The legs of armature {name} are not under it in its rest pose: thighs turned by "
                      f"{legs.thighs_deg:.0f} degrees, knees bent by {legs.knees_deg:.0f}, the feet {abs(legs.feet_m):.2f} m "
                      f"{where} the hips; nobody stands or walks from there. Go to a frame in which it stands, as of an idle "
                      "action, apply the Armature modifiers of its meshes, and apply the pose as rest pose.")
    turns = trunk_turns(figure.points)
    if turns:
        most = max(float(np.degrees(np.arccos(np.clip(0.5 * (np.trace(turn) - 1.0), -1.0, 1.0)))) for turn in turns.values())
        yield Finding("leaning", WARNING, f"The trunk of armature {name} rests leaning or bowed, by {most:.0f} degrees more than "
                      "people stand; it is simulated and baked upright by that much.")
    if figure.controls is None:
        try:
            carriers_first(figure.name, figure.bones, {bone: segment for segment, bone in figure.bone_of.items()})
        except RigError as error:
            yield Finding("upside_down", ERROR, str(error))
        stuck = stuck_bones(figure.bone_of, {bone.name: bone for bone in figure.bones})
        if stuck:
            yield Finding("connected", ERROR, f"Bones of armature {name} have to be moved, but are connected to their parents: "
                          f"{some(stuck)}; disconnect them.", "Disconnect Them")


def stuck_bones(bone_of: dict[str, str], bones: dict) -> list[str]:
    """Bones that a bake has to move, the hips and those that hang on a wrong bone, and cannot: they are connected."""
    segment_of = {bone: segment for segment, bone in bone_of.items()}
    found = []
    for segment, name in bone_of.items():
        above = bones[name].parent
        while above is not None and above not in segment_of:
            above = bones[above].parent
        carrier = carrier_of(segment, bone_of)
        if bones[name].connected and (carrier is None or above != carrier):
            found.append(name)
    return found


def disconnect(armature: bpy.types.Object, match: Match, scene: bpy.types.Scene) -> list[str]:
    """Disconnect the bones that a bake has to move; they stay where they are. Gives their names."""
    names = stuck_bones(match.bone_of, {bone.name: bone for bone in rest_bones(armature)})
    with editing(armature, scene) as bones:
        for name in names:
            bones[name].use_connect = False
    return names


@contextlib.contextmanager
def editing(armature: bpy.types.Object, scene: bpy.types.Scene) -> Iterator[bpy.types.ArmatureEditBones]:
    """The armature's bones as they can be edited while this lasts; mode and active object come back."""
    layer = scene.view_layers[0]
    active, mode = layer.objects.active, armature.mode
    with bpy.context.temp_override(scene=scene, view_layer=layer):
        layer.objects.active = armature
        with bpy.context.temp_override(scene=scene, view_layer=layer, active_object=armature, object=armature):
            bpy.ops.object.mode_set(mode="EDIT")
            try:
                yield armature.data.edit_bones
            finally:
                bpy.ops.object.mode_set(mode=mode)
                layer.objects.active = active
