# SPDX-License-Identifier: GPL-3.0-or-later
"""The panel Advanced, behind a preference: what is behind the motion."""

from __future__ import annotations

import bpy

from ..operators.context import active_armature, words
from ..operators.creature import by_creature
from ..operators.follow import by_moves, controller_of, follows, found
from ..operators.gait_settings import by_reflexes
from ..operators.pose_gait_settings import by_poses, in_plane
from ..operators.stand import stands
from ..operators.verbs import shows_advanced
from .base import ArmaturePanel, asking, lines, split
from .lists import draw_list


class LOPE_PT_advanced(ArmaturePanel, bpy.types.Panel):
    """What is behind the motion"""

    bl_label = "Advanced"
    bl_idname = "LOPE_PT_advanced"
    bl_options = {"DEFAULT_CLOSED"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        return shows_advanced(context) and active_armature(context) is not None

    def draw(self, context: bpy.types.Context) -> None:
        layout = split(self.layout)
        settings = active_armature(context).lope
        layout.prop(settings, "seed")
        layout.prop(settings, "seed_by_name")
        layout.prop(settings, "planar_engine" if in_plane(settings) else "engine")
        if by_creature(settings):
            return
        gait = not (follows(settings) or by_poses(settings) or by_moves(settings) or stands(settings) or by_reflexes(settings))
        if follows(settings):
            layout.prop(settings, "follow_controller")
        if gait:
            for name in ("gait_law", "scaling", "tuned", "controller"):
                layout.prop(settings, name)
            asking(layout, context, "lope.tune", "MODIFIER")
        _changed(layout, context, settings)


def _changed(layout: bpy.types.UILayout, context: bpy.types.Context, settings: bpy.types.PropertyGroup) -> None:
    """The settings of the controller that are changed, and what is known of the chosen one."""
    entry = draw_list(layout, settings, "changed_settings")
    if entry is None:
        layout.label(text="All settings are as shipped", icon="CHECKMARK")
        return
    row = found(controller_of(settings), entry.setting)
    if row is None:
        lines(layout, context, words("Choose a setting: type a part of its name"), "INFO")
        return
    number = row.setting.number
    layout.label(text=row.name, translate=False)
    lines(layout, context, f"{row.setting.help}.", "INFO")
    lines(layout, context, words("{value:g} {unit} as shipped, {low:g} to {high:g}: {source}", value=row.value,
                                 unit=row.setting.unit, low=number.low, high=number.high, source=row.source), "BLANK1")
