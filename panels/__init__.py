# SPDX-License-Identifier: GPL-3.0-or-later
"""What the sidebar of the 3D viewport shows, on the tab Lope."""

from __future__ import annotations


def register() -> None:
    """Add the panels to Blender."""
    import bpy

    from .sidebar import PANELS

    for cls in PANELS:
        bpy.utils.register_class(cls)


def unregister() -> None:
    """Take away what `register` added."""
    import bpy

    from .sidebar import PANELS

    for cls in reversed(PANELS):
        bpy.utils.unregister_class(cls)
