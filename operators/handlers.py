# SPDX-License-Identifier: GPL-3.0-or-later
"""Listening to Blender's events: files loaded and saved, undo and redo."""

from __future__ import annotations

from collections.abc import Callable

import bpy


def listen(**handlers: Callable[..., None]) -> None:
    """Call these at the events of their names, as `load_post=renew`; each once, however often it is asked for."""
    for event, handler in handlers.items():
        if handler not in getattr(bpy.app.handlers, event):
            getattr(bpy.app.handlers, event).append(handler)


def ignore(**handlers: Callable[..., None]) -> None:
    """Call these no more."""
    for event, handler in handlers.items():
        if handler in getattr(bpy.app.handlers, event):
            getattr(bpy.app.handlers, event).remove(handler)
