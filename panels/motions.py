# SPDX-License-Identifier: GPL-3.0-or-later
"""What the panel Gait shows of a character that follows a motion: the clip or the action, in whose time, how long it is.

What the panel Gait shows of a character that stands.

What the panel Gait shows of a character that goes by muscle reflexes.

What the panels show of a character that is driven: the keys, beforehand; how it goes, meanwhile.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import bpy
from bpy.app.translations import pgettext_iface

from ..addon.locomotion.registry import find_controller
from ..addon.specs.motions import Followed
from ..operators import driving, plan_board
from ..operators.choices import title
from ..operators.context import active_armature, said, words
from ..operators.drive import how_it_goes, keys_now, steering_words
from ..operators.follow import controller_of
from ..operators.gait_settings import OWN_FILE, by_nearest
from ..operators.live import how_live
from ..operators.stand import BOTH
from .base import TALL, lines, switched
from .pose_gait_editor import edits

if TYPE_CHECKING:
    from ..operators.live_session import Live


def draw_follow(layout: bpy.types.UILayout, context: bpy.types.Context) -> None:
    """The motion that is followed, and what the plan says of it."""
    settings = active_armature(context).lope
    layout.row(align=True).prop(settings, "follow_source", expand=True)
    if settings.follow_source == "ACTION":
        layout.prop(settings, "follow_action")
        layout.prop(settings, "follow_armature")
    else:
        layout.prop(settings, "follow_path")
    layout.prop(settings, "follow_time")
    layout.prop(settings, "follow_stretch")
    layout.prop(settings, "follow_flight")
    layout.prop(settings, "follow_pushed")
    plan = plan_board.of(active_armature(context))
    if plan is not None and plan.preview is not None and plan.shot is not None and isinstance(plan.shot.motion, Followed):
        lines(layout, context, plan_board.followed_words(plan), "INFO")


def draw_more(layout: bpy.types.UILayout, settings: bpy.types.PropertyGroup) -> None:
    """The rest that a followed motion has."""
    for name in ("follow_controller", "after_fall", "noise", "seed", "engine"):
        layout.prop(settings, name)


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


def draw_reflex(layout: bpy.types.UILayout, context: bpy.types.Context, settings: bpy.types.PropertyGroup) -> None:
    """The walker, what it comes to there, and what else reflexes can be asked."""
    layout.prop(settings, "walker")
    if settings.walker == OWN_FILE:
        layout.prop(settings, "walker_path")
    if by_nearest(settings):
        switched(layout, settings, "use_speed", "speed_m_s")
    plan = plan_board.of(active_armature(context))
    if plan is not None and plan.walker is not None:
        name, speed, missed = plan.walker
        lines(layout, context, said(missed) if missed else words("{name} goes at {speed:.2f} m/s here", speed=speed,
                                                                 name=pgettext_iface(title(name))), "INFO")
    header, body = layout.panel("LOPE_PT_gait_more", default_closed=True)
    header.label(text="More")
    if body is not None:
        for name in ("after_fall", "noise", "seed", "force", "engine"):
            body.prop(settings, name)


def draw_drive(layout: bpy.types.UILayout, context: bpy.types.Context) -> None:
    """What the keys will do, and the settings of a drive."""
    settings = active_armature(context).lope
    layout.row(align=True).prop(settings, "drive_by", expand=True)
    controller = find_controller(controller_of(settings))
    if not controller.steered_by:
        lines(layout, context, words("The controller {name} cannot be steered", name=controller.name), "ERROR")
        return
    told = steering_words(controller.steered_by, (), settings.drive_target is not None)
    if "gait" in controller.steered_by:
        told.append(words("1 to 9: gait"))
    lines(layout, context, ". ".join([*told, words("Click: push")]), "INFO")
    lines(layout, context, words("Space: go and record, then stop and keep. Esc: give up"), "BLANK1")
    layout.prop(settings, "drive_target")
    layout.prop(settings, "drive_push_n")


def is_watched() -> bool:
    """Whether somebody is at the wheel, or pressure is shown live."""
    return driving.drive() is not None or driving.live() is not None


def draw_watched(layout: bpy.types.UILayout, context: bpy.types.Context) -> None:
    """How a drive goes, and what the keys do now. Live pressure has its own panel, which must not move down under the mouse."""
    drive = driving.drive()
    if drive is None:
        return
    lines(layout, context, how_it_goes(drive).lstrip("● "), "REC")
    if edits(active_armature(context).lope):  # its sliders need the room, and the status bar tells the keys too
        return
    for part in keys_now(drive).split("   |   "):
        lines(layout, context, part, "BLANK1")


def draw_live(layout: bpy.types.UILayout, context: bpy.types.Context, live: Live) -> None:
    """How the pressure that is shown live goes, and what ends it."""
    row = layout.row()
    row.scale_y = TALL
    row.operator("lope.live_stop", icon="CANCEL")
    lines(layout, context, how_live(live).lstrip("● ").replace("   ", ", "), "REC")


def draw_recovery(layout: bpy.types.UILayout, context: bpy.types.Context) -> None:
    """A drive that was cut short, and what brings it back."""
    script = driving.cut_short(active_armature(context))
    if script is not None:
        lines(layout, context, words("The last drive was cut short; it is kept in {path}", path=script), "ERROR")
        layout.operator("lope.drive_recover", icon="RECOVER_LAST")
