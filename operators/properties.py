# SPDX-License-Identifier: GPL-3.0-or-later
"""The kinds of settings of `bpy.props`, made so that they can be changed on a library override of a linked character.

Tells whoever wants to know, at present the preview, that a setting has changed.

Listening to Blender's events: files loaded and saved, undo and redo.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import bpy
from bpy import props

VALUE, LIST = {"LIBRARY_OVERRIDABLE"}, {"LIBRARY_OVERRIDABLE", "USE_INSERTION"}


def _overridable(make: Callable[..., Any], override: set[str] = VALUE) -> Callable[..., Any]:
    """The function that declares a setting, with `override` given."""
    return lambda **options: make(**options, override=override)


BoolProperty = _overridable(props.BoolProperty)
BoolVectorProperty = _overridable(props.BoolVectorProperty)
EnumProperty = _overridable(props.EnumProperty)
FloatProperty = _overridable(props.FloatProperty)
FloatVectorProperty = _overridable(props.FloatVectorProperty)
IntProperty = _overridable(props.IntProperty)
PointerProperty = _overridable(props.PointerProperty)
StringProperty = _overridable(props.StringProperty)
CollectionProperty = _overridable(props.CollectionProperty, LIST)


def of_type(kind: str) -> Callable[[Any, bpy.types.Object], bool]:
    """Lets a setting that points at an object offer those of a type alone."""
    return lambda _settings, candidate: candidate.type == kind


listeners: list[Callable[[], None]] = []


def changed(_settings: bpy.types.PropertyGroup | None = None, _context: bpy.types.Context | None = None) -> None:
    """A setting has changed; what listens must be quick."""
    for listener in listeners:
        listener()


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
