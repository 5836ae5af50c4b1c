# SPDX-License-Identifier: GPL-3.0-or-later
"""The kinds of settings of `bpy.props`, made so that they can be changed on a library override of a linked character."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

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
