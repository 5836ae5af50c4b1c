# SPDX-License-Identifier: GPL-3.0-or-later
"""Button: search a gait for this creature under this gravity, in the background; what it has come to walks in the viewport.

The walker that a search has come to, in the viewport while the search goes on: it starts where its armature stands.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import bpy
from mathutils import Matrix

from ..addon.errors import InputError, LopeError
from ..addon.specs.shot import Shot
from . import desk
from .context import (
    Order,
    active_armature,
    allows,
    creature_gaits_folder,
    poll_armature,
    poll_own_armature,
    redraw,
    reports_errors,
    said,
    words,
)
from .creature import creature_figure_of, is_creature, poll_read
from .figures import Placement, plain
from .search_outcomes import FOUND_TASK
from .shot_builder import make_shot
from .simulate import run_task

LOOK_S = 1.0 / 24.0

_view: dict[str, Any] | None = None
_order: Order | None = None


def watch() -> None:
    """Show what searches come to, as long as there are any."""
    if not bpy.app.background and not bpy.app.timers.is_registered(_step):
        bpy.app.timers.register(_step, first_interval=LOOK_S)


def _step() -> float | None:
    """The timer: take in what the running search shows, and let it walk on."""
    from ..addon.viewport.sketch import Sketch

    global _view, _order
    from ..addon.viewport import sketch_overlay

    running = [order for order in desk.orders.values() if order.job.task.kind == FOUND_TASK]
    if not running:
        stop()
        return None
    _order = next((order for order in running if order.job.view), None)
    view = None if _order is None else _order.job.view
    if view is not _view:
        _view, sketch = view, None if view is None else Sketch.of(view, said(view.get("words", "")))
        if sketch is not None:
            sketch_overlay.show(sketch, place)
    if sketch_overlay.is_shown():
        redraw("WINDOW")
    return LOOK_S


def place() -> Matrix | None:
    """From a take's places to the world; None where the armature is gone or no creature any more."""
    armature = None if _order is None else desk.find(_order.object_uid, _order.object_name)
    if armature is None:
        return None
    try:
        figure = creature_figure_of(armature, bpy.context.scene)
    except LopeError:
        return None
    return Matrix(Placement.of(armature, figure).matrix.tolist())


def stop() -> None:
    """Draw nothing, and look no more."""
    global _view, _order
    from ..addon.viewport import sketch_overlay

    _view = _order = None
    sketch_overlay.hide()
    redraw("WINDOW")
    if bpy.app.timers.is_registered(_step):
        bpy.app.timers.unregister(_step)


def gait_file(shot: Shot) -> Path:
    """Where the gait that is searched for a shot is kept: one for every creature, gravity and speed."""
    creature = shot.body.creature
    if creature is None:
        raise InputError("Only a creature's gait is searched: choose Creature under Body.")
    name = re.sub(r"[^A-Za-z0-9]+", "_", creature.name).strip("_").lower() or "creature"
    speed = "" if shot.motion.speed_m_s is None else f"-{shot.motion.speed_m_s:g}"
    return creature_gaits_folder() / f"{name}-{shot.world.gravity_m_s2:g}{speed}.json"


def search_gait(operator: bpy.types.Operator, context: bpy.types.Context) -> set[str]:
    """Search a gait for the creature in hand, or go on with a search that was given up. Raises LopeError."""
    from ..addon.children.protocol import Task

    armature = active_armature(context)
    shot = make_shot(armature, context.scene)
    task = Task(FOUND_TASK, shot.to_dict(), str(gait_file(shot)), {"minutes": plain(armature.lope.seek_minutes)})
    watch()
    return run_task(operator, context, task)


class LOPE_OT_find_gait(bpy.types.Operator):
    """Search a gait for this creature, speed and gravity; the best so far walks in the viewport. Keep it when it looks right"""

    bl_idname = "lope.find_gait"
    bl_label = "Find a Gait"
    bl_options = {"REGISTER"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        armature = active_armature(context)
        return (poll_own_armature(cls, context)
                and allows(cls, is_creature(armature, context.scene),
                           words("A person has gaits of its own; a gait is searched for creatures"))
                and allows(cls, order_of(armature) is None, words("A gait is being searched for this creature"))
                and poll_read(cls, context))

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
        return poll_armature(cls, context) and allows(
            cls, order_of(active_armature(context)) is not None, words("No gait is being searched for this creature"))

    def execute(self, context: bpy.types.Context) -> set[str]:
        order = order_of(active_armature(context))
        if order is not None:
            order.job.finish()
            desk.tick()
        return {"FINISHED"}


def order_of(armature: bpy.types.Object) -> desk.Order | None:
    """The search that runs or waits for an armature; None where there is none."""
    return next((order for order in desk.orders.values()
                 if order.job.task.kind == FOUND_TASK and order.object_uid == armature.session_uid), None)
