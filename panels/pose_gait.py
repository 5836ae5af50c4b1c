# SPDX-License-Identifier: GPL-3.0-or-later
"""The page of gaits from key poses, and the panel that edits the character's own: its states, and the chosen one's values."""

from __future__ import annotations

import bpy

from ..addon.specs.pose_gait import NEITHER, UPPER
from ..operators import driving
from ..operators.context import active_armature, words
from ..operators.follow import by_moves
from ..operators.pose_gait_settings import (
    ANGLES,
    ANKLE_BALANCE,
    BALANCE,
    FLIGHT,
    KEPT,
    OWN,
    OWN_FILE,
    TURN,
    WHOLE,
    by_poses,
    change_menu,
    in_plane,
)
from ..operators.pose_on_rig import is_posed
from ..operators.pose_picks import of_several_actions
from .base import LopePanel, asking, fold, lines, split, switched
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

    def draw_item(self, _context, layout, _data, item, _icon, _active, _prop) -> None:
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


ROWS = 4


class LOPE_UL_pose_states(bpy.types.UIList):
    """States of a gait: number, swinging leg, how long"""

    def draw_item(self, _context, layout, data, item, _icon, _active, _prop, index=0) -> None:
        row = layout.row(align=True)
        row.label(text=str(index + 1), icon="POSE_HLT", translate=False)
        if not data.symmetric:
            row.label(text=item.bl_rna.properties["swing"].enum_items[item.swing].name)
        if item.until_touch:  # labels alone: a click chooses the row, and changes nothing
            row.label(text="Touch-Down")
        else:
            row.label(text=f"{item.lasts_s:.3f} s", translate=False)


def edits(settings: bpy.types.PropertyGroup) -> bool:
    """Whether the character's own gait is being edited."""
    return (settings.edits_gait and settings.pose_gait == OWN and by_poses(settings) and not by_moves(settings)
            and not in_plane(settings))


def gait_at_wheel(armature: bpy.types.Object) -> str:
    """The gait that a driven armature was sent into by a number key, in words; "" where it goes in the one that is edited."""
    drive = driving.drive()
    if drive is None or drive.uid != armature.session_uid:
        return ""
    return (drive.wheel.gait or "").replace("_", " ")


class LOPE_PT_pose_gait(LopePanel, bpy.types.Panel):
    """The key poses of a gait"""

    bl_label = "Key Poses"
    bl_idname = "LOPE_PT_pose_gait"
    bl_parent_id = "LOPE_PT_page"
    page = "pose-gait"

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        armature = active_armature(context)
        return armature is not None and (edits(armature.lope) or is_posed(armature))

    def draw(self, context: bpy.types.Context) -> None:
        layout = split(self.layout)
        armature = active_armature(context)
        own = armature.lope.own_gait
        row = layout.row(align=True)
        row.prop(own, "title", text="")
        row.operator("lope.pose_gait_save", text="", icon="FILE_TICK")
        row.operator("lope.pose_gait_revert", text="", icon="LOOP_BACK")
        row.operator("lope.pose_gait_done", text="", icon="CHECKMARK")
        other = gait_at_wheel(armature)
        if other:
            lines(layout, context, words("At the wheel it goes as {gait}; a change here brings this gait back", gait=other),
                  "INFO")
        draw_states(layout, own)
        if not own.states:
            return
        draw_state(layout, own, own.states[min(own.state_index, len(own.states) - 1)],
                   armature.lope.pose_state + 1 if is_posed(armature) else 0)
        draw_whole(layout, own)


def draw_states(layout: bpy.types.UILayout, own: bpy.types.PropertyGroup) -> None:
    """The list with its buttons."""
    row = layout.row()
    row.template_list("LOPE_UL_pose_states", "", own, "states", own, "state_index", rows=ROWS)
    column = row.column(align=True)
    column.operator("lope.pose_state_add", text="", icon="ADD")
    column.operator("lope.pose_state_remove", text="", icon="REMOVE")
    column.operator("lope.pose_state_move", text="", icon="TRIA_UP").way = "UP"
    column.operator("lope.pose_state_move", text="", icon="TRIA_DOWN").way = "DOWN"


def draw_state(layout: bpy.types.UILayout, own: bpy.types.PropertyGroup, state: bpy.types.PropertyGroup, posed: int) -> None:
    """The chosen state's values; `posed` is the number of the one whose pose the armature shows, 0 where it shows none."""
    row = layout.row(align=True)
    if posed:
        row.operator("lope.take_from_rig", icon="IMPORT", translate=False,
                     text=words("Take State {number} from Rig", number=posed))
        row.operator("lope.leave_rig", text="", icon="X")
    else:
        row.operator("lope.pose_on_rig", icon="ARMATURE_DATA")
    column = layout.column(align=True)
    if not own.symmetric:
        column.prop(state, "swing")
    column.prop(state, "until_touch")
    time = column.row(align=True)
    time.active = not state.until_touch
    time.prop(state, "lasts_s", slider=True)
    column = layout.column(align=True)
    for name in ANGLES:
        column.prop(state, name, slider=True)
    if posed:
        layout.label(text="Left leg swings" if swings_left(own, posed - 1) else "Right leg swings", icon="INFO")
    body = fold(layout, "pose_contact", words("Contact"))
    if body is not None:
        body.prop(state, "stands")
        touch = body.row()
        touch.active = state.until_touch
        touch.prop(state, "touch")
        column = body.column(align=True)
        column.active = state.stands == NEITHER
        for name in FLIGHT:
            column.prop(state, name, slider=True)
    body = fold(layout, "pose_balance", words("Balance"))
    if body is not None:
        column = body.column(align=True)
        column.label(text="Swinging Thigh")
        for name in BALANCE:
            column.prop(state, name, slider=True)
        column.label(text="Standing Ankle")
        for name in ANKLE_BALANCE:
            column.prop(state, name, slider=True)
    body = fold(layout, "pose_upper", words("Upper Body"))
    if body is not None:
        for at, name in enumerate(UPPER):
            column = body.column(align=True)
            label = state.bl_rna.properties[TURN + name].name
            column.prop(state, "drawn", index=at, text=label)
            if state.drawn[at]:
                row = column.row(align=True)
                row.use_property_split = False
                row.prop(state, TURN + name, text="")


def swings_left(own: bpy.types.PropertyGroup, at: int) -> bool:
    """Whether the left leg swings in a state; of a mirrored gait, and as it is shown, the right one."""
    return not own.symmetric and at < len(own.states) and own.states[at].swing == "L"


def draw_whole(layout: bpy.types.UILayout, own: bpy.types.PropertyGroup) -> None:
    """What is of the gait as a whole."""
    body = fold(layout, "pose_whole", words("Whole Gait"))
    if body is None:
        return
    column = body.column(align=True)
    for name in WHOLE:
        column.prop(own, name)
    row = body.row()
    row.operator("lope.pose_gait_mirror", icon="MOD_MIRROR", translate=False,
                 text=words("Each Leg by Itself") if own.symmetric else words("Mirror One Leg")).mirror = not own.symmetric


CLASSES = (LOPE_UL_pose_picks, LOPE_UL_pose_states, LOPE_PT_pose_gait)
