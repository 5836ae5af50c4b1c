# SPDX-License-Identifier: GPL-3.0-or-later
"""What the panel Gait shows of a creature: what it goes by, how fast, and the search of a gait."""

from __future__ import annotations

import bpy

from ..operators import context as notes
from ..operators import gait_search, plan_board
from ..operators.context import active_armature, said, words
from ..operators.creature import OWN_FILE
from .base import lines, split, switched


def draw_creature(layout: bpy.types.UILayout, context: bpy.types.Context, settings: bpy.types.PropertyGroup) -> None:
    """The gait there is for it, its speed, and the button that searches one."""
    layout.prop(settings, "creature_by")
    if settings.creature_by == OWN_FILE:
        layout.prop(settings, "creature_gait_path")
    switched(layout, settings, "use_speed", "speed_m_s")
    armature = active_armature(context)
    plan = plan_board.of(armature)
    if plan is not None and plan.pace is not None:
        speed, froude, how = plan.pace
        lines(layout, context, words("{speed:.2f} m/s is a Froude number of {froude:.2f}: {how}", speed=speed, froude=froude,
                                     how=said(how)), "INFO")
        for told in filter(None, plan.goes_by.split("\n")):
            lines(layout, context, said(told), "INFO")
    _search(layout, context, armature)
    header, body = layout.panel("LOPE_PT_gait_more", default_closed=True)
    header.label(text="More")
    if body is not None:
        for name in ("after_fall", "noise", "seed", "engine"):
            body.prop(settings, name)


def _search(layout: bpy.types.UILayout, context: bpy.types.Context, armature: bpy.types.Object) -> None:
    """The search: begun, or how far it has come and what ends it."""
    column = layout.column()  # within a box words are cut: `lines` know the sidebar's width
    order = gait_search.order_of(armature)
    if order is None:
        split(column.column()).prop(armature.lope, "seek_minutes")
        column.operator("lope.find_gait", icon="VIEWZOOM")
    else:
        lines(column, context, said(order.job.text), "SORTTIME")
        column.progress(factor=order.job.share, type="BAR", text=f"{100.0 * order.job.share:.0f} %")
        row = column.row(align=True)
        row.operator("lope.keep_gait", icon="CHECKMARK")
        row.operator("lope.cancel", text="", icon="CANCEL")
    note = notes.of(armature)
    if note is not None and note.button == "LOPE_OT_find_gait":
        lines(column, context, note.text, note.icon)
