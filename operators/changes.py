# SPDX-License-Identifier: GPL-3.0-or-later
"""Tells whoever wants to know, at present the preview, that a setting has changed."""

from __future__ import annotations

from collections.abc import Callable

import bpy

listeners: list[Callable[[], None]] = []


def changed(_settings: bpy.types.PropertyGroup | None = None, _context: bpy.types.Context | None = None) -> None:
    """A setting has changed; what listens must be quick."""
    for listener in listeners:
        listener()
