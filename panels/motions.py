# SPDX-License-Identifier: GPL-3.0-or-later
"""What the page shows of a character that follows a motion, stands, is driven, goes by reflexes, or is a creature."""

from __future__ import annotations

import bpy

from ..addon.locomotion.registry import find_controller
from ..operators import driving, gait_search
from ..operators.context import words
from ..operators.creature import OWN_FILE as OWN_GAIT
from ..operators.drive import keys_now, steering_words
from ..operators.follow import by_moves, controller_of, follows_nothing
from ..operators.gait_settings import OWN_FILE, by_nearest, by_reflexes
from ..operators.pose_gait_settings import by_poses
from ..operators.stand import BOTH
from .base import asking, fold, lines, switched
from .pose_gait import draw_menu, edits

UILayout, Settings = bpy.types.UILayout, bpy.types.PropertyGroup


def draw_follow(layout: UILayout, context: bpy.types.Context, settings: Settings) -> None:
    """The motion that is followed, or a sample where there is none, and in whose time."""
    layout.row(align=True).prop(settings, "follow_source", expand=True)
    if settings.follow_source == "ACTION":
        layout.prop(settings, "follow_action")
        layout.prop(settings, "follow_armature")
    else:
        layout.prop(settings, "follow_path")
    if follows_nothing(settings):
        asking(layout, context, "lope.add_sample_clip", "ANIM")
    layout.prop(settings, "follow_time")
    layout.prop(settings, "follow_repeat")
    row = layout.row()
    row.enabled = not settings.follow_repeat
    row.prop(settings, "follow_catch")


def draw_follow_more(layout: UILayout, settings: Settings) -> None:
    """The rest that a followed motion has."""
    row = layout.row()
    row.enabled = not settings.follow_repeat
    row.prop(settings, "follow_whole")
    layout.prop(settings, "follow_use_range")
    if settings.follow_use_range:
        layout.prop(settings, "follow_first")
        layout.prop(settings, "follow_last")
    for name in ("follow_stretch", "follow_flight", "follow_pushed", "noise", "after_fall"):
        layout.prop(settings, name)


def draw_stand(layout: UILayout, settings: Settings) -> None:
    """A jump, or the stance and what is allowed to keep it."""
    switched(layout, settings, "use_jump", "jump_up_m")
    if settings.use_jump:
        layout.prop(settings, "jump_ahead_m")
        layout.prop(settings, "noise", slider=True)
        return
    row = layout.row(align=True)
    if settings.stand_pose:
        row.label(text="Stance: as posed", icon="ARMATURE_DATA")
        row.operator("lope.stance_from_pose", text="", icon="FILE_REFRESH")
        row.operator("lope.stance_drop", text="", icon="X")
    else:
        row.operator("lope.stance_from_pose", icon="ARMATURE_DATA")
        layout.prop(settings, "stand_on")
    switched(layout, settings, "use_stand_steps", "stand_steps")
    layout.prop(settings, "stand_sway")


def draw_stand_more(layout: UILayout, settings: Settings) -> None:
    """The rest of a stance."""
    if settings.stand_on == BOTH and not settings.stand_pose:
        switched(layout, settings, "use_stand_apart", "stand_apart_m")
        layout.prop(settings, "stand_ahead_m")
    layout.prop(settings, "noise", slider=True)
    for name in ("stand_hips", "stand_reaction_s", "stand_swing_m_s", "dial_arrow", "after_fall"):
        layout.prop(settings, name)


def draw_reflex(layout: UILayout, settings: Settings) -> None:
    """The walker, and its speed where that chooses it."""
    layout.prop(settings, "walker")
    if settings.walker == OWN_FILE:
        layout.prop(settings, "walker_path")
    if by_nearest(settings):
        switched(layout, settings, "use_speed", "speed_m_s")


def draw_creature(layout: UILayout, context: bpy.types.Context, armature: bpy.types.Object) -> None:
    """What it goes by, and its speed."""
    settings = armature.lope
    layout.prop(settings, "creature_by")
    if settings.creature_by == OWN_GAIT:
        layout.prop(settings, "creature_gait_path")
    switched(layout, settings, "use_speed", "speed_m_s")


def draw_search(layout: UILayout, context: bpy.types.Context, armature: bpy.types.Object) -> None:
    """The search of a gait: begun, or kept."""
    if armature.lope.creature_by == OWN_GAIT:
        return
    layout.prop(armature.lope, "seek_minutes")
    asking(layout, context, *(("lope.find_gait", "VIEWZOOM") if gait_search.order_of(armature) is None
                              else ("lope.keep_gait", "CHECKMARK")))


def draw_drive(layout: UILayout, context: bpy.types.Context, armature: bpy.types.Object) -> None:
    """What is driven, and the keys."""
    settings, drive = armature.lope, driving.drive()
    column = layout.column()
    column.enabled = drive is None
    column.row(align=True).prop(settings, "drive_by", expand=True)
    column.prop(settings, "drive_target")
    column.prop(settings, "drive_faster_m_s2", text="Acceleration")
    column.prop(settings, "drive_push_n")
    if not by_moves(settings):
        _driven_gait(column, settings)
    if drive is None:
        _keys(layout, context, settings)
    elif not edits(settings):  # its sliders need the room, and the status bar tells the keys too
        for part in keys_now(drive).split("   |   "):
            lines(layout, context, part, "BLANK1")
    body = fold(layout, "more", words("More"))
    if body is not None:
        if not by_moves(settings):
            body.prop(settings, "gait_source")
        for name in ("noise", "after_fall"):
            body.prop(settings, name)


def _driven_gait(layout: UILayout, settings: Settings) -> None:
    """The gait whose speed is steered."""
    if by_poses(settings):
        draw_menu(layout, settings)
    elif by_reflexes(settings):
        draw_reflex(layout, settings)
        return
    else:
        layout.prop(settings, {"FILE": "motion_path", "ACTION": "motion_action"}.get(settings.gait_source, "gait"))
    switched(layout, settings, "use_speed", "speed_m_s")


def _keys(layout: UILayout, context: bpy.types.Context, settings: Settings) -> None:
    """What the keys will do."""
    controller = find_controller(controller_of(settings))
    if not controller.steered_by:
        lines(layout, context, words("What moves it, {name}, cannot be steered", name=controller.name), "ERROR")
        return
    told = steering_words(controller.steered_by, (), settings.drive_target is not None)
    if "gait" in controller.steered_by:
        told.append(words("1 to 9: gait"))
    lines(layout, context, ". ".join([*told, words("Click: push")]), "INFO")
    lines(layout, context, words("Space: go and record, then stop and keep. Esc: give up"), "BLANK1")
