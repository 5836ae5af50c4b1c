# SPDX-License-Identifier: GPL-3.0-or-later
"""What the panel Gait shows of poses that a gait is to be made of."""

from __future__ import annotations

import bpy

from ..operators.pose_picks import of_several_actions
from .base import lines, switched


class LOPE_UL_pose_picks(bpy.types.UIList):
    """Poses: action and frame"""

    def draw_item(self, _context, layout, _data, item, _icon, _active, _prop, _index=0, _flags=0) -> None:
        row = layout.row(align=True)
        row.prop(item, "action", text="", emboss=False)
        row.prop(item, "frame", text="", emboss=False)


def draw_gait_from_poses(layout: bpy.types.UILayout, context: bpy.types.Context, settings: bpy.types.PropertyGroup) -> None:
    """The poses, the button, and what gave."""
    header, body = layout.panel("LOPE_PT_gait_from_poses", default_closed=True)
    header.label(text="From Your Poses", icon="POSE_HLT")
    if body is None:
        return
    row = body.row()
    row.template_list("LOPE_UL_pose_picks", "", settings, "pose_picks", settings, "pose_pick_index", rows=3)
    column = row.column(align=True)
    for source, icon in (("NOW", "ADD"), ("FRAME", "KEYFRAME_HLT"), ("MARKERS", "MARKER_HLT")):
        column.operator("lope.pose_pick", text="", icon=icon).source = source
    column.operator("lope.pose_drop", text="", icon="REMOVE")
    body.prop(settings, "poses_name")
    if of_several_actions(settings):
        body.prop(settings, "poses_apart_s")
    switched(body, settings, "poses_use_speed", "poses_speed_m_s")
    body.operator("lope.gait_from_poses", icon="ARMATURE_DATA")
    if settings.poses_said:
        box = body.box()
        for line in settings.poses_said.split("\n"):
            lines(box, context, line, "DOT")


CLASSES = (LOPE_UL_pose_picks,)
