# SPDX-License-Identifier: GPL-3.0-or-later
"""Button: search a gait for this creature under this gravity, in the background; what it has come to walks in the viewport."""

from __future__ import annotations

import re
from pathlib import Path

import bpy

from ..addon.children.protocol import Task
from ..addon.errors import InputError
from ..addon.specs.shot import Shot
from . import desk, gait_search_shown
from .context import active_armature, creature_gaits_folder, poll_armature, poll_own_armature, reports_errors
from .creature_figures import is_creature, poll_read
from .figures import plain
from .found_gait import TASK
from .shot_builder import make_shot
from .simulate import run_task
from .texts import words


def gait_file(shot: Shot) -> Path:
    """Where the gait that is searched for a shot is kept: one for every creature, gravity and speed."""
    creature = shot.body.creature
    if creature is None:
        raise InputError("Only a creature's gait is searched: choose Creature under Body.")
    name = re.sub(r"[^A-Za-z0-9]+", "_", creature.name).strip("_").lower() or "creature"
    speed = "" if shot.speed_m_s is None else f"-{shot.speed_m_s:g}"
    return creature_gaits_folder() / f"{name}-{shot.world.gravity_m_s2:g}{speed}.json"


def search_gait(operator: bpy.types.Operator, context: bpy.types.Context) -> set[str]:
    """Search a gait for the creature in hand, or go on with a search that was given up. Raises LopeError."""
    armature = active_armature(context)
    shot = make_shot(armature, context.scene)
    task = Task(TASK, shot.to_dict(), str(gait_file(shot)), {"minutes": plain(armature.lope.seek_minutes)})
    gait_search_shown.watch()
    return run_task(operator, context, task)


class LOPE_OT_find_gait(bpy.types.Operator):
    """Search a gait for this creature, speed and gravity; the best so far walks in the viewport. Keep it when it looks right"""

    bl_idname = "lope.find_gait"
    bl_label = "Find a Gait"
    bl_options = {"REGISTER"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        if not poll_own_armature(cls, context):
            return False
        armature = active_armature(context)
        if not is_creature(armature, context.scene):
            cls.poll_message_set(words("A person has gaits of its own; a gait is searched for creatures"))
            return False
        if order_of(armature) is not None:
            cls.poll_message_set(words("A gait is being searched for this creature"))
            return False
        return poll_read(cls, context)

    @reports_errors
    def execute(self, context: bpy.types.Context) -> set[str]:
        return search_gait(self, context)


class LOPE_OT_keep_gait(bpy.types.Operator):
    """End the search with the gait that walks in the viewport, and store it"""

    bl_idname = "lope.keep_gait"
    bl_label = "Keep This One"
    bl_options = {"REGISTER"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        if not poll_armature(cls, context):
            return False
        if order_of(active_armature(context)) is None:
            cls.poll_message_set(words("No gait is being searched for this creature"))
            return False
        return True

    def execute(self, context: bpy.types.Context) -> set[str]:
        order = order_of(active_armature(context))
        if order is not None:
            order.job.finish()
            desk.tick()
        return {"FINISHED"}


def order_of(armature: bpy.types.Object) -> desk.Order | None:
    """The search that runs or waits for an armature; None where there is none."""
    return next((order for order in desk.orders.values()
                 if order.job.task.kind == TASK and order.object_uid == armature.session_uid), None)


CLASSES = (LOPE_OT_find_gait, LOPE_OT_keep_gait)
