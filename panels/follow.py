# SPDX-License-Identifier: GPL-3.0-or-later
"""What the panel Gait shows of a character that follows a motion: the clip or the action, in whose time, how long it is."""

from __future__ import annotations

import bpy

from ..operators import plan_board
from ..operators.context import active_armature
from .base import lines


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
    if plan is not None and plan.preview is not None and plan.shot is not None and plan.shot.follow is not None:
        lines(layout, context, plan_board.followed_words(plan), "INFO")


def draw_more(layout: bpy.types.UILayout, settings: bpy.types.PropertyGroup) -> None:
    """The rest that a followed motion has."""
    for name in ("follow_controller", "after_fall", "noise", "seed", "engine"):
        layout.prop(settings, name)
