# SPDX-License-Identifier: GPL-3.0-or-later
"""Lope: physically simulated walking for any rig under any planet's gravity, baked to keyframes in Blender.

This folder is the Blender extension's package. It imports without Blender; only `register` needs it.
"""

from __future__ import annotations


def register() -> None:
    """Add Lope's operators, settings and panels to Blender."""
    from . import operators, panels

    operators.register()
    panels.register()


def unregister() -> None:
    """Take away what `register` added, in reverse."""
    from . import operators, panels

    panels.unregister()
    operators.unregister()
