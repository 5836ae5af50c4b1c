# SPDX-License-Identifier: GPL-3.0-or-later
"""What the panel Gait shows of a character that goes by muscle reflexes."""

from __future__ import annotations

import bpy
from bpy.app.translations import pgettext_iface

from ..operators import plan_board
from ..operators.choices import title
from ..operators.context import active_armature
from ..operators.reflex_settings import OWN_FILE, by_nearest
from ..operators.texts import said, words
from .base import lines, switched


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
