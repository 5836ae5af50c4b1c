# SPDX-License-Identifier: GPL-3.0-or-later
"""Buttons: write the last take on the armature, in one undo step; lay the artist's own keys over it.

What is baked on an armature.
"""

from __future__ import annotations

import json
from pathlib import Path

import bpy
from bpy.props import IntProperty

from ..addon.errors import InputError
from ..addon.rigs.bake.provenance import START_KEY, TAKE_KEY, baked_actions, shot_of
from ..addon.specs.load import HANDS
from .bake_settings import options_of
from .context import (
    active_armature,
    allows,
    drop,
    found_file,
    poll_own_armature,
    poll_own_take,
    reports_errors,
    said,
    take_of,
    words,
)
from .pressure_outcome import source_of

PRESSURE_KEY = "lope_pressure"
"""Property of an action that was laid from pressure, and not simulated: JSON of its file and of the database."""


def bake_kept(armature: bpy.types.Object, scene: bpy.types.Scene) -> str:
    """Write an armature's last take on it, by its own settings; gives the sentence on what was done. Raises LopeError."""
    from ..addon.rigs.bake.artist_keys import diff, snapshot
    from ..addon.rigs.bake.bake import bake_take
    from ..addon.rigs.bake.load import CARRIED_KEY
    from ..addon.rigs.bake.loose import bake_along
    from ..addon.rigs.bake.own_keys import has_own_keys
    from ..addon.rigs.bake.provenance import fit_range
    from ..addon.rigs.read.actions import frame_rate
    from ..addon.rigs.stage.stage import is_dark

    if armature.lope.pose_kept:
        raise InputError(f"{armature.name} shows a key pose, which is nobody's motion: take it or leave it, then bake.")
    data = armature.animation_data
    before = {} if data is None else snapshot(data.action, data.action_slot)
    slot = None if data is None else data.action_slot
    name = "" if data is None or data.action is None else data.action.name
    options, take = options_of(armature.lope, scene), take_of(armature)
    laid = source_of(armature)
    action = bake_take(armature, take, options=options, scene=scene,
                       called=None if laid is None else Path(laid["pressure"]).stem)
    if laid is not None:
        action[PRESSURE_KEY] = json.dumps(laid, sort_keys=True)
    elif PRESSURE_KEY in action:
        del action[PRESSURE_KEY]
    objects, left = bake_along(scene, armature, action, take, options)
    within = fit_range(scene, action, whole=options.frame_range is None)
    changes = said(diff(before, action).sentence())
    old = bpy.data.actions.get(name)
    if old is not None and old != action and old.users:
        changes = f"{changes} {words('The action before, {name}, is as it was', name=name)}."
    held = [item for item in objects if CARRIED_KEY in item]
    if len(held) < len(objects):
        changes = f"{changes} {words('Keyed {count} loose objects', count=len(objects) - len(held))}."
    if held:
        between = shot_of(action).carry.place == HANDS
        told = words("{name} goes along between the hands", name=held[0].name) if between else words(
            "{name} hangs on the bone {bone}", name=held[0].name, bone=held[0].parent_bone)
        changes = f"{changes} {told}."
    if left is not None:
        changes = f"{changes} {said(left)}"
    if not within:
        changes = f"{changes} {words('The range of this scene, which is yours, ends before the bake does')}."
    if is_dark(scene):
        changes = f"{changes} {words('Nothing in this scene gives light, its renders are black: Add Stage brings sun and sky')}."
    armature.lope.bake_report = changes
    armature.lope.bake_before = name if old is not None and old != action and has_own_keys(old, slot) else ""
    return words("Baked to the action {name} at {rate:.6g} frames a second. {changes}", name=action.name,
                 rate=frame_rate(scene), changes=changes)


class LOPE_OT_bake(bpy.types.Operator):
    """Write the last simulation on this armature's bones or controls. No key of yours is lost"""

    bl_idname = "lope.bake"
    bl_label = "Bake"
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        return poll_own_take(cls, context)

    @reports_errors
    def execute(self, context: bpy.types.Context) -> set[str]:
        armature = active_armature(context)
        self.report({"INFO"}, bake_kept(armature, context.scene))
        drop(armature.session_uid)
        return {"FINISHED"}


class LOPE_OT_keep_keys(bpy.types.Operator):
    """Lay your own keys of the action before over the new motion: what they changed there is added here. That action stays"""

    bl_idname = "lope.keep_keys"
    bl_label = "Keep My Keys"
    bl_options = {"REGISTER", "UNDO"}

    fade: IntProperty(name="Fade (frames)", default=6, min=1, soft_max=24, max=1000,
                      description="Over so many frames on either side your keys blend into the new motion")

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        return poll_own_armature(cls, context) and allows(
            cls, own_keys_of(active_armature(context)), words("No action before the last bake holds keys of yours"))

    @reports_errors
    def execute(self, context: bpy.types.Context) -> set[str]:
        from ..addon.rigs.bake.own_keys import lay_over

        armature = active_armature(context)
        old = own_keys_of(armature)
        take = next((found_file(one.path, armature) for one in armature.lope.takes if one.sha256 == old.get(TAKE_KEY)), None)
        done = lay_over(armature, old, take, context.scene, self.fade)
        armature.lope.bake_before = ""
        told = words("Your keys of {old} lie over {new} now, on {count} controls", old=old.name, new=done.action.name,
                     count=done.controls)
        if done.beyond:
            told = words("{text}. {count} of them lie beyond its end", text=told, count=done.beyond)
        armature.lope.bake_report = told
        drop(armature.session_uid)
        self.report({"INFO"}, told)
        return {"FINISHED"}


def own_keys_of(armature: bpy.types.Object) -> bpy.types.Action | None:
    """The action before the last bake that holds keys of the artist's, which that bake does not have; None where none does."""
    old = bpy.data.actions.get(armature.lope.bake_before) if armature.lope.bake_before else None
    data = armature.animation_data
    return old if old is not None and data is not None and data.action not in (None, old) else None


def baked_action(armature: bpy.types.Object) -> bpy.types.Action | None:
    """The armature's action that Lope baked: its own, or the last pushed down to the NLA; None where there is none."""
    return next(baked_actions(armature), None)


def start_frame(armature: bpy.types.Object, scene: bpy.types.Scene) -> float:
    """The frame at which an armature's last take begins: where it is baked, or else the scene's first."""
    action = baked_action(armature)
    return float(scene.frame_start if action is None else action.get(START_KEY, scene.frame_start))
