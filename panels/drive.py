# SPDX-License-Identifier: GPL-3.0-or-later
"""What the panels show of a character that is driven: the keys, beforehand; how it goes, meanwhile."""

from __future__ import annotations

import bpy

from ..addon.controllers.registry import find_controller
from ..operators import driving
from ..operators.context import active_armature
from ..operators.drive import how_it_goes, keys_now, steering_words
from ..operators.follow_settings import controller_of
from ..operators.live_pressure import how_live
from ..operators.live_session import Live
from ..operators.texts import words
from .base import TALL, lines
from .pose_gait_editor import edits


def draw_drive(layout: bpy.types.UILayout, context: bpy.types.Context) -> None:
    """What the keys will do, and the settings of a drive."""
    settings = active_armature(context).lope
    layout.row(align=True).prop(settings, "drive_by", expand=True)
    entry = find_controller(controller_of(settings))
    if not entry.steered_by:
        lines(layout, context, words("The controller {name} cannot be steered", name=entry.name), "ERROR")
        return
    told = steering_words(entry.steered_by, (), settings.drive_target is not None)
    if "gait" in entry.steered_by:
        told.append(words("1 to 9: gait"))
    lines(layout, context, ". ".join([*told, words("Click: push")]), "INFO")
    lines(layout, context, words("Space: go and record, then stop and keep. Esc: give up"), "BLANK1")
    layout.prop(settings, "drive_target")
    layout.prop(settings, "drive_push_n")


def is_watched() -> bool:
    """Whether somebody is at the wheel, or pressure is shown live."""
    return driving.drive() is not None or driving.live() is not None


def draw_watched(layout: bpy.types.UILayout, context: bpy.types.Context) -> None:
    """How a drive goes, and what the keys do now. Live pressure has its own panel, which must not move down under the mouse."""
    drive = driving.drive()
    if drive is None:
        return
    lines(layout, context, how_it_goes(drive).lstrip("● "), "REC")
    if edits(active_armature(context).lope):  # its sliders need the room, and the status bar tells the keys too
        return
    for part in keys_now(drive).split("   |   "):
        lines(layout, context, part, "BLANK1")


def draw_live(layout: bpy.types.UILayout, context: bpy.types.Context, live: Live) -> None:
    """How the pressure that is shown live goes, and what ends it."""
    row = layout.row()
    row.scale_y = TALL
    row.operator("lope.live_stop", icon="CANCEL")
    lines(layout, context, how_live(live).lstrip("● ").replace("   ", ", "), "REC")


def draw_recovery(layout: bpy.types.UILayout, context: bpy.types.Context) -> None:
    """A drive that was cut short, and what brings it back."""
    script = driving.cut_short(active_armature(context))
    if script is not None:
        lines(layout, context, words("The last drive was cut short; it is kept in {path}", path=script), "ERROR")
        layout.operator("lope.drive_recover", icon="RECOVER_LAST")
