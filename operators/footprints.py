# SPDX-License-Identifier: GPL-3.0-or-later
"""Buttons on the plan's footprints: lock one where it is, set them all free. What the list of locked ones is changed by.

Button: drag the plan's footprints in the viewport.
"""

from __future__ import annotations

from typing import Any

import bpy
from bpy.props import IntProperty
from bpy_extras.view3d_utils import location_3d_to_region_2d, region_2d_to_origin_3d, region_2d_to_vector_3d
from mathutils import Vector

from ..addon.errors import InputError
from ..addon.specs.path import MOST_NUMBER
from . import desk, plan_board
from .context import OnOwnArmature, active_armature, allows, poll_own_armature, poll_view, reports_errors, said, words
from .properties import changed

PLACE_DIGITS = 4
"""A footprint is kept to a tenth of a millimetre."""


def entry_of(settings: bpy.types.PropertyGroup, number: int) -> bpy.types.PropertyGroup | None:
    """The entry that locks a footprint; None where it is free."""
    return next((entry for entry in settings.footprints if entry.number == number), None)


def lock(settings: bpy.types.PropertyGroup, preview: Any, number: int) -> bpy.types.PropertyGroup:
    """Lock a footprint where the plan has it; its entry. Raises InputError for one that the plan has not, or that cannot
    move."""
    if not 1 <= number < len(preview.footstep_m):
        raise InputError(f"The plan has footprints 1 to {len(preview.footstep_m) - 1} that can be locked, got {number}; the "
                         "foot on which the shot starts cannot be moved.")
    entry = entry_of(settings, number)
    if entry is None:
        entry = settings.footprints.add()
        entry.number = number
        place(entry, *preview.footstep_m[number, :2])
    return entry


def place(entry: bpy.types.PropertyGroup, x_m: float, y_m: float) -> None:
    """Lay a locked footprint somewhere else."""
    entry.x_m, entry.y_m = round(float(x_m), PLACE_DIGITS), round(float(y_m), PLACE_DIGITS)


def unlock(settings: bpy.types.PropertyGroup, number: int) -> bool:
    """Set a footprint free again; whether it was locked."""
    for i, entry in enumerate(settings.footprints):
        if entry.number == number:
            settings.footprints.remove(i)
            settings.footprint_index = max(min(settings.footprint_index, len(settings.footprints) - 1), 0)
            return True
    return False


class LOPE_OT_lock_footprint(OnOwnArmature, bpy.types.Operator):
    """Lock a footprint where the plan has it, so that it stays there whatever else changes; a locked one is set free"""

    bl_idname = "lope.lock_footprint"
    bl_label = "Lock or Free Footprint"
    bl_options = {"REGISTER", "UNDO"}

    number: IntProperty(name="Number", default=1, min=1, max=MOST_NUMBER,
                        description="Which landing it is, counted from the shot's start: odd ones are the right foot's")

    @reports_errors
    def execute(self, context: bpy.types.Context) -> set[str]:
        settings = active_armature(context).lope
        if not unlock(settings, self.number):
            lock(settings, plan_board.make_now(context, walked=True).preview, self.number)
        changed()
        return {"FINISHED"}


class LOPE_OT_reset_footprints(bpy.types.Operator):
    """Set every locked footprint free: the plan lays them again"""

    bl_idname = "lope.reset_footprints"
    bl_label = "Reset Footprints"
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        return poll_own_armature(cls, context) and allows(
            cls, len(active_armature(context).lope.footprints), words("No footprint is locked"))

    @reports_errors
    def execute(self, context: bpy.types.Context) -> set[str]:
        active_armature(context).lope.footprints.clear()
        changed()
        return {"FINISHED"}


LOOK_S = 0.05
"""How often the plan is looked at while footprints are moved."""
REACH_PX = 28.0
"""How near a footprint the mouse must be, in pixels of the user interface's size."""


class LOPE_OT_move_footprints(bpy.types.Operator):
    """Drag footprints of the plan to where the feet shall land: they are locked there, and the steps around give way. \
L locks the one under the mouse where it is or sets it free, Esc during a drag puts it back, Enter ends"""

    bl_idname = "lope.move_footprints"
    bl_label = "Move Footprints"
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        return poll_own_armature(cls, context) and poll_view(cls, context, words("Footprints are moved in a 3D viewport"))

    def invoke(self, context: bpy.types.Context, _event: bpy.types.Event) -> set[str]:
        return self.execute(context)

    @reports_errors
    def execute(self, context: bpy.types.Context) -> set[str]:
        context.scene.lope.show_preview = True
        self._seen = plan_board.make_now(context, walked=True)
        self._area, self._region = context.area, next(r for r in context.area.regions if r.type == "WINDOW")
        self._over: int | None = None
        self._dragged: int | None = None
        self._laid: int | None = None  # dragged last: the plan of its last place may come after the mouse has let go
        self._at = (0.0, 0.0)
        self._grip, self._good, self._was, self._refused = (0.0, 0.0), (0.0, 0.0), None, False
        plan_board.editing = True
        self._timer = context.window_manager.event_timer_add(LOOK_S, window=context.window)
        context.window_manager.modal_handler_add(self)
        self._say()
        return {"RUNNING_MODAL"}

    def modal(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        armature = desk.find(self._seen.armature_uid, self._seen.armature_name)
        if armature is None or armature != active_armature(context) or not context.scene.lope.show_preview:
            return self._end(context)
        settings = armature.lope
        if event.type == "TIMER":
            self._take_in(settings)
        elif event.type == "MOUSEMOVE":
            self._move(settings, event)
        elif event.type == "LEFTMOUSE":
            return self._press(settings, event)
        elif event.type in ("ESC", "RIGHTMOUSE", "RET", "NUMPAD_ENTER") and event.value == "PRESS":
            if self._dragged is None:
                return self._end(context)
            if event.type in ("ESC", "RIGHTMOUSE"):
                self._put_back(settings)
            self._dragged = None
        elif event.type == "L" and event.value == "PRESS" and self._dragged is None and self._over is not None:
            self._laid = None
            if not unlock(settings, self._over):
                lock(settings, self._seen.preview, self._over)
            plan_board.request(0.0)
        elif self._dragged is None or event.type in ("MIDDLEMOUSE", "WHEELUPMOUSE", "WHEELDOWNMOUSE"):
            return {"PASS_THROUGH"}
        return {"RUNNING_MODAL"}

    def cancel(self, context: bpy.types.Context) -> None:
        """Blender ends the operator, as when another file is loaded."""
        self._end(context)

    def _press(self, settings: bpy.types.PropertyGroup, event: bpy.types.Event) -> set[str]:
        """Take a footprint up, or let it go; elsewhere the mouse is the viewport's."""
        if event.value == "PRESS" and self._dragged is None:
            if self._over is None:
                return {"PASS_THROUGH"}
            entry = entry_of(settings, self._over)
            self._was = None if entry is None else (entry.x_m, entry.y_m)
            at, self._at, self._dragged = self._ground(event), self._mouse(event), self._over
            self._laid = self._over
            self._good = self._was or tuple(self._seen.preview.footstep_m[self._over, :2].tolist())
            self._grip = (0.0, 0.0) if at is None else (self._good[0] - at[0], self._good[1] - at[1])
        elif event.value == "RELEASE":
            self._dragged = None
        return {"RUNNING_MODAL"}

    def _move(self, settings: bpy.types.PropertyGroup, event: bpy.types.Event) -> None:
        """Mark the footprint under the mouse, or drag the one that is held."""
        from ..addon.viewport import overlay

        if self._dragged is None:
            self._over = self._under(event)
            overlay.mark(self._over)
            self._area.tag_redraw()
            return
        if self._mouse(event) == self._at:  # Blender tells a still mouse again after every redraw
            return
        self._at = self._mouse(event)
        at = self._ground(event)
        if at is not None:
            entry = lock(settings, self._seen.preview, self._dragged)
            place(entry, at[0] + self._grip[0], at[1] + self._grip[1])
            plan_board.request(0.0)

    def _take_in(self, settings: bpy.types.PropertyGroup) -> None:
        """Look whether there is another plan; one that cannot be brings the footprint back to where it could."""
        made = plan_board.plan
        if made is None or made is self._seen:
            return
        if made.preview is None:
            self._say(said(made.error))
            self._refused = True
            entry = None if self._laid is None else entry_of(settings, self._laid)
            if entry is not None:
                place(entry, *self._good)
                plan_board.request(0.0)
            return
        self._seen = made
        held = next((f for f in made.shot.motion.footprints if f.number == self._laid), None)
        if held is not None:
            self._good = held.x_m, held.y_m
        if not self._refused:  # the plan that brings a refused footprint back leaves the reason to be read
            self._say()
        self._refused = False

    def _put_back(self, settings: bpy.types.PropertyGroup) -> None:
        """End a drag as if it had not been."""
        if self._was is None:
            unlock(settings, self._dragged)
        else:
            place(entry_of(settings, self._dragged), *self._was)
        self._laid = None
        plan_board.request(0.0)

    def _under(self, event: bpy.types.Event) -> int | None:
        """Number of the footprint under the mouse; the one on which the shot starts cannot be moved."""
        import numpy as np

        from ..addon.viewport import overlay
        from ..addon.viewport.sketch import nearest

        matrix, view = plan_board.to_world(), self._area.spaces.active.region_3d
        if matrix is None or self._seen.preview is None:
            return None
        places = [location_3d_to_region_2d(self._region, view, matrix @ Vector(label)) for label in overlay.labels()]
        points = np.array([(np.nan, np.nan) if p is None else p for p in places]).reshape(-1, 2)
        reach = REACH_PX * bpy.context.preferences.system.ui_scale
        return nearest(points[1:], self._mouse(event), reach, first=1)

    def _ground(self, event: bpy.types.Event) -> tuple[float, float] | None:
        """Place on the take's level ground under the mouse [m]; None where the view does not meet it."""
        import numpy as np

        from ..addon.viewport.sketch import on_ground

        matrix, view = plan_board.to_world(), self._area.spaces.active.region_3d
        if matrix is None:
            return None
        mouse = self._mouse(event)
        origin = region_2d_to_origin_3d(self._region, view, mouse)
        return on_ground(np.array(matrix), np.array(origin), np.array(region_2d_to_vector_3d(self._region, view, mouse)))

    def _mouse(self, event: bpy.types.Event) -> tuple[float, float]:
        return event.mouse_x - self._region.x, event.mouse_y - self._region.y

    def _say(self, sentence: str = "") -> None:
        """Show in the viewport's header what can be done, or why something cannot."""
        usual = words("Drag a footprint   |   L: lock or free   |   Esc while dragging: put back   |   Enter: done")
        self._area.header_text_set(sentence or usual)

    def _end(self, context: bpy.types.Context) -> set[str]:
        from ..addon.viewport import overlay

        context.window_manager.event_timer_remove(self._timer)
        self._area.header_text_set(None)
        overlay.mark(None)
        plan_board.editing = False
        plan_board.request()
        return {"FINISHED"}
