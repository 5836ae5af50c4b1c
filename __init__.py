# SPDX-License-Identifier: GPL-3.0-or-later
"""Lope: physically simulated walking for any rig under any planet's gravity, baked to keyframes in Blender.

This folder is the Blender extension's package. It imports without Blender; only `register` needs it.
"""

from __future__ import annotations


def register() -> None:
    """Add Lope's operators, settings and panels to Blender."""
    import atexit

    import bpy

    from . import operators, panels

    operators.register()
    panels.register()
    if bpy.app.module:
        # Blender as a Python module crashes at its end with commands and handlers left in it.
        atexit.register(unregister)


def unregister() -> None:
    """Take away what `register` added, in reverse."""
    import atexit

    from . import operators, panels

    atexit.unregister(unregister)
    panels.unregister()
    operators.unregister()
