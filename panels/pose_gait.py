# SPDX-License-Identifier: GPL-3.0-or-later
"""What the panel Gait shows of a character whose gait is made of key poses.

What the panel Gait shows of poses that a gait is to be made of.
"""

from __future__ import annotations

import bpy

from ..operators.context import words
from ..operators.follow import drives
from ..operators.pose_gait_settings import KEPT, OWN_FILE, change_menu, in_plane
from ..operators.pose_picks import of_several_actions
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
