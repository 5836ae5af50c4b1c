# SPDX-License-Identifier: GPL-3.0-or-later
"""What the panel Gait shows of a character whose gait is made of key poses."""

from __future__ import annotations

import bpy

from ..operators.follow_settings import drives
from ..operators.pose_gait_changes import change_menu
from ..operators.pose_gait_settings import KEPT, OWN_FILE, in_plane
from ..operators.texts import words
from .base import lines, switched
from .lists import draw_list


def draw_pose_gait(layout: bpy.types.UILayout, context: bpy.types.Context, settings: bpy.types.PropertyGroup) -> None:
    """The gait, its speed, and what else it can be asked for."""
    flat = in_plane(settings)
    if not drives(settings):
        layout.prop(settings, "planar")
    menu = "planar_gait" if flat else "pose_gait"
    row = layout.row(align=True)
    row.prop(settings, menu)
    if not flat and settings.pose_gait.startswith(KEPT):
        row.operator("lope.pose_gait_forget", text="", icon="TRASH")
    if flat:
        lines(layout, context, words("It goes straight on, without a suit"), "INFO")
    if getattr(settings, menu) == OWN_FILE:
        layout.prop(settings, "pose_gait_path")
    row = layout.row(align=True)  # what makes a gait: more such buttons stand here
    row.operator("lope.pose_gait_edit", icon="GREASEPENCIL")
    switched(layout, settings, "use_speed", "speed_m_s")
    header, body = layout.panel("LOPE_PT_pose_changes", default_closed=True)
    header.label(text="Changes on the Way")
    if body is not None:
        change = draw_list(body, settings, "pose_changes")
        if change is not None:
            switched(body, change, "use_gait", change_menu(settings))
            if change.use_gait:
                switched(body, change, "use_over", "over_s")
            switched(body, change, "use_speed", "speed_m_s")
    header, body = layout.panel("LOPE_PT_gait_more", default_closed=True)
    header.label(text="More")
    if body is not None:
        for name in ("learns", "firmness", "after_fall", "noise", "seed", "planar_engine" if flat else "engine"):
            body.prop(settings, name)
