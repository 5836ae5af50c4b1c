# SPDX-License-Identifier: GPL-3.0-or-later
"""What the panel Gait shows of a character whose gait is made of key poses."""

from __future__ import annotations

import bpy

from ..operators.pose_gait_settings import KEPT, OWN_FILE
from .base import switched


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
    header, body = layout.panel("LOPE_PT_gait_more", default_closed=True)
    header.label(text="More")
    if body is not None:
        for name in ("learns", "firmness", "after_fall", "noise", "seed", "engine"):
            body.prop(settings, name)
