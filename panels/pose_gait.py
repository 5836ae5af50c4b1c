# SPDX-License-Identifier: GPL-3.0-or-later
"""What the panel Gait shows of a character whose gait is made of key poses."""

from __future__ import annotations

import bpy

from ..operators.pose_gait_settings import OWN_FILE
from .base import switched


def draw_pose_gait(layout: bpy.types.UILayout, settings: bpy.types.PropertyGroup) -> None:
    """The gait, its speed, and what else it can be asked for."""
    layout.prop(settings, "pose_gait")
    if settings.pose_gait == OWN_FILE:
        layout.prop(settings, "pose_gait_path")
    switched(layout, settings, "use_speed", "speed_m_s")
    header, body = layout.panel("LOPE_PT_gait_more", default_closed=True)
    header.label(text="More")
    if body is not None:
        for name in ("after_fall", "noise", "seed", "engine"):
            body.prop(settings, name)
