# SPDX-License-Identifier: GPL-3.0-or-later
"""Drawing again what has changed: sidebars, views, the status bar."""

from __future__ import annotations

import bpy

AGAIN_S = 0.1


def redraw(region_type: str = "UI") -> None:
    """Draw the sidebars of the 3D viewports again; with "WINDOW" their views. Sidebars twice: a panel that has grown lies under
    the next one until Blender draws them once more."""
    _tag(region_type)
    if region_type == "UI" and not bpy.app.background and not bpy.app.timers.is_registered(_again):
        bpy.app.timers.register(_again, first_interval=AGAIN_S)


def _again() -> None:
    _tag("UI")


def _tag(region_type: str) -> None:
    """Mark the regions of a type."""
    manager = bpy.context.window_manager
    for window in manager.windows if manager is not None else ():
        for area in window.screen.areas:
            if area.type == "VIEW_3D":
                for region in area.regions:
                    if region.type == region_type:
                        region.tag_redraw()


def redraw_status_bar() -> None:
    """Draw the status bar again, which is no area of a screen; not while a tool has its own words there."""
    manager = bpy.context.window_manager
    for window in manager.windows if manager is not None and not bpy.app.background else ():
        if not window.modal_operators:
            window.workspace.status_text_set(None)
