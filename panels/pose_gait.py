# SPDX-License-Identifier: GPL-3.0-or-later
"""What the panel Gait shows of a character whose gait is made of key poses."""

from __future__ import annotations

import bpy

from ..operators.pose_gait_settings import KEPT, OWN_FILE
from .base import switched
from .lists import draw_list


def draw_pose_gait(layout: bpy.types.UILayout, settings: bpy.types.PropertyGroup) -> None:
    """The gait, its speed, and what else it can be asked for."""
    row = layout.row(align=True)
    row.prop(settings, "pose_gait")
    if settings.pose_gait.startswith(KEPT):
        row.operator("lope.pose_gait_forget", text="", icon="TRASH")
    if settings.pose_gait == OWN_FILE:
        layout.prop(settings, "pose_gait_path")
    row = layout.row(align=True)  # what makes a gait: more such buttons stand here
    row.operator("lope.pose_gait_edit", icon="GREASEPENCIL")
    switched(layout, settings, "use_speed", "speed_m_s")
    header, body = layout.panel("LOPE_PT_pose_changes", default_closed=True)
    header.label(text="Changes on the Way")
    if body is not None:
        change = draw_list(body, settings, "pose_changes")
        if change is not None:
            switched(body, change, "use_gait", "pose_gait")
            if change.use_gait:
                switched(body, change, "use_over", "over_s")
            switched(body, change, "use_speed", "speed_m_s")
    header, body = layout.panel("LOPE_PT_gait_more", default_closed=True)
    header.label(text="More")
    if body is not None:
        for name in ("learns", "firmness", "after_fall", "noise", "seed", "engine"):
            body.prop(settings, name)
