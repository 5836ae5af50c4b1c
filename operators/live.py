# SPDX-License-Identifier: GPL-3.0-or-later
"""Buttons: show pressure as motion while it comes, stop, and keep what was shown."""

from __future__ import annotations

from typing import TYPE_CHECKING

import bpy

from . import context as notes
from . import desk, driving, outcomes
from . import pressure_outcome as live_offer
from .bake import bake_kept
from .context import active_armature, allows, poll_armature, poll_own_armature, reports_errors, words
from .pressure import poll_chosen
from .pressure_outcome import shown_name
from .watched import Sitting

if TYPE_CHECKING:
    from .live_session import Live

SILENT_S = 2.0
"""Without a line for longer it is asked whether the sensor is there."""


class LOPE_OT_live_pressure(Sitting, bpy.types.Operator):
    """Show the pressure as motion while it comes: the character moves in the viewport 1 s later. Nothing in the scene is \
changed until you keep what came"""

    bl_idname = "lope.live_pressure"
    bl_label = "Live"
    bl_options = {"REGISTER"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        from .watched import poll_idle

        return poll_chosen(cls, context) and poll_idle(cls, context, words("Live pressure is shown in a 3D viewport"))

    @reports_errors
    def execute(self, context: bpy.types.Context) -> set[str]:
        self._live = driving.begin_live(active_armature(context), context.scene, context.area)
        return self.sit(context, self._live)

    def take(self, event: bpy.types.Event) -> bool:
        """Esc ends it."""
        from .watched import is_views_own

        if event.type == "ESC" and event.value == "PRESS":
            self._live.stop()
            return True
        return not is_views_own(event)

    def keys_now(self) -> str:
        """What the keys do now."""
        return words("Esc: stop")

    def how_it_goes(self) -> str:
        """How it goes."""
        return how_live(self._live)


def how_live(live: Live) -> str:
    """How the show goes: the record mark, its time, the motion, and whether nothing comes any more."""
    from ..addon.jobs.pressure import SHOWING, WAITS

    view = live.view
    if live.state == WAITS:
        return words("Waiting for the first line of the sensor")
    if live.state != SHOWING or "root_m" not in view:
        return words("Getting ready")
    parts = [f"● {view['time_s']:.1f} s", shown_name(view["motion"], view["doubted"])]
    if view["silent_s"] > SILENT_S:
        parts.append(words("no line for {seconds:.0f} s: is the sensor still there?", seconds=view["silent_s"]))
    return "   ".join(part for part in parts if part)


class LOPE_OT_live_stop(bpy.types.Operator):
    """End the live motion: the character stands as before, and what came can be kept"""

    bl_idname = "lope.live_stop"
    bl_label = "Stop"
    bl_options = {"REGISTER"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        if driving.live() is None:
            if poll_armature(cls, context):
                cls.poll_message_set(words("No pressure is shown live"))
            return False
        return True

    def execute(self, _context: bpy.types.Context) -> set[str]:
        live = driving.live()
        if live is not None:
            live.stop()
        return {"FINISHED"}


def poll_offer(cls: type[bpy.types.Operator], context: bpy.types.Context) -> bool:
    """Whether something waits to be kept; says in the tooltip why not."""
    return poll_own_armature(cls, context) and allows(
        cls, live_offer.of(active_armature(context).session_uid) is not None, words("Nothing that came live waits to be kept"))


class LOPE_OT_live_keep(bpy.types.Operator):
    """Bake what came live on this armature as a new action. No key of yours is lost"""

    bl_idname = "lope.live_keep"
    bl_label = "Keep"
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        return poll_offer(cls, context)

    @reports_errors
    def execute(self, context: bpy.types.Context) -> set[str]:
        armature = active_armature(context)
        offer = live_offer.of(armature.session_uid)
        assert offer is not None
        outcomes.note_take(armature, offer.take, offer.text, "[]", "", offer.kept)
        self.report({"INFO"}, bake_kept(armature, context.scene))
        live_offer.drop(armature.session_uid)
        done = words("{text}. The keys are there", text=offer.text)
        notes.tell(armature.session_uid, armature.name, notes.Note(notes.DONE, done))
        return {"FINISHED"}


class LOPE_OT_live_discard(bpy.types.Operator):
    """Throw away what came live"""

    bl_idname = "lope.live_discard"
    bl_label = "Discard"
    bl_options = {"REGISTER"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        return poll_offer(cls, context)

    def execute(self, context: bpy.types.Context) -> set[str]:
        armature = active_armature(context)
        live_offer.throw_away(armature.session_uid)
        notes.drop(armature.session_uid)
        desk.redraw()
        return {"FINISHED"}
