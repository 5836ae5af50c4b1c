# SPDX-License-Identifier: GPL-3.0-or-later
"""Operators and the settings they read: one button, one file."""

from __future__ import annotations


def _classes() -> tuple[type, ...]:
    from .add_astronaut import LOPE_OT_add_astronaut
    from .bake import LOPE_OT_bake
    from .detect_rig import LOPE_OT_detect_rig
    from .simulate import LOPE_OT_cancel, LOPE_OT_finish_now, LOPE_OT_simulate

    return (LOPE_OT_add_astronaut, LOPE_OT_detect_rig, LOPE_OT_simulate, LOPE_OT_cancel, LOPE_OT_finish_now, LOPE_OT_bake)


def register() -> None:
    """Add the operators and their settings to Blender."""
    import bpy

    from . import desk, settings

    settings.register()
    for cls in _classes():
        bpy.utils.register_class(cls)
    desk.register()


def unregister() -> None:
    """Take away what `register` added."""
    import bpy

    from . import desk, settings

    desk.unregister()
    for cls in reversed(_classes()):
        bpy.utils.unregister_class(cls)
    settings.unregister()
