# SPDX-License-Identifier: GPL-3.0-or-later
"""What the panel Gait shows of a character that stands."""

from __future__ import annotations

import bpy

from ..operators.stand_settings import BOTH
from .base import switched


def draw_dial(layout: bpy.types.UILayout, settings: bpy.types.PropertyGroup) -> None:
    """The push dial, and what it makes."""
    layout.operator("lope.push_dial", icon="FORCE_FORCE")
    layout.prop(settings, "dial_arrow")


def draw_stand(layout: bpy.types.UILayout, settings: bpy.types.PropertyGroup) -> None:
    """The stance, and what is allowed to keep it."""
    row = layout.row(align=True)
    if settings.stand_pose:
        row.label(text="Stance: as posed", icon="ARMATURE_DATA")
        row.operator("lope.stance_from_pose", text="", icon="FILE_REFRESH")
        row.operator("lope.stance_drop", text="", icon="X")
    else:
        row.operator("lope.stance_from_pose", icon="ARMATURE_DATA")
        layout.prop(settings, "stand_on")
    if settings.stand_on == BOTH and not settings.stand_pose:
        switched(layout, settings, "use_stand_apart", "stand_apart_m")
        layout.prop(settings, "stand_ahead_m")
    layout.prop(settings, "stand_hips")
    switched(layout, settings, "use_stand_steps", "stand_steps")
    draw_dial(layout, settings)
    header, body = layout.panel("LOPE_PT_gait_more", default_closed=True)
    header.label(text="More")
    if body is not None:
        for name in ("stand_reaction_s", "stand_swing_m_s", "stand_sway", "after_fall", "noise", "seed", "engine"):
            body.prop(settings, name)
