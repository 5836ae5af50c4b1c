# SPDX-License-Identifier: GPL-3.0-or-later
"""What the page shows of a character whose gait is made of key poses, and of poses that a gait is to be made of."""

from __future__ import annotations

import bpy

from ..operators.context import words
from ..operators.pose_gait_settings import KEPT, OWN_FILE, change_menu, in_plane
from ..operators.pose_picks import of_several_actions
from .base import asking, fold, lines, switched
from .lists import draw_list


def draw_pose_gait(layout: bpy.types.UILayout, context: bpy.types.Context, settings: bpy.types.PropertyGroup) -> None:
    """The gait, its speed, and the button that edits it."""
    draw_menu(layout, settings)
    row = layout.row(align=True)  # what makes a gait: more such buttons stand here
    asking(row, context, "lope.pose_gait_edit", "GREASEPENCIL")
    switched(layout, settings, "use_speed", "speed_m_s")


def draw_menu(layout: bpy.types.UILayout, settings: bpy.types.PropertyGroup) -> None:
    """Which gait."""
    flat = in_plane(settings)
    menu = "planar_gait" if flat else "pose_gait"
    row = layout.row(align=True)
    row.prop(settings, menu)
    if not flat and settings.pose_gait.startswith(KEPT):
        row.operator("lope.pose_gait_forget", text="", icon="TRASH")
    if getattr(settings, menu) == OWN_FILE:
        layout.prop(settings, "pose_gait_path")


def draw_pose_changes(layout: bpy.types.UILayout, settings: bpy.types.PropertyGroup) -> None:
    """Where it changes."""
    body = fold(layout, "changes", words("Changes on the Way"))
    change = None if body is None else draw_list(body, settings, "pose_changes")
    if change is None:
        return
    switched(body, change, "use_gait", change_menu(settings))
    if change.use_gait:
        switched(body, change, "use_over", "over_s")
    switched(body, change, "use_speed", "speed_m_s")


def draw_pose_more(layout: bpy.types.UILayout, settings: bpy.types.PropertyGroup) -> None:
    """What else it can be asked for."""
    body = fold(layout, "more", words("More"))
    if body is not None:
        for name in ("planar", "learns", "firmness", "noise", "after_fall"):
            body.prop(settings, name)


class LOPE_UL_pose_picks(bpy.types.UIList):
    """Poses: action and frame"""

    def draw_item(self, _context, layout, _data, item, _icon, _active, _prop, _index=0, _flags=0) -> None:
        row = layout.row(align=True)
        row.prop(item, "action", text="", emboss=False)
        row.prop(item, "frame", text="", emboss=False)


def draw_gait_from_poses(layout: bpy.types.UILayout, context: bpy.types.Context, settings: bpy.types.PropertyGroup) -> None:
    """The poses, the button, and what gave."""
    body = fold(layout, "from_poses", words("From Your Poses"))
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
    asking(body, context, "lope.gait_from_poses", "ARMATURE_DATA")
    if settings.poses_said:
        box = body.box()
        for line in settings.poses_said.split("\n"):
            lines(box, context, line, "DOT")


CLASSES = (LOPE_UL_pose_picks,)
