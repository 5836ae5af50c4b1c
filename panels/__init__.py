# SPDX-License-Identifier: GPL-3.0-or-later
"""What the sidebar of the 3D viewport shows, on the tab Lope."""

from __future__ import annotations


def _classes() -> tuple[type, ...]:
    from . import advanced, body, lists, menus, outcome, pages, pose_gait, pressure, status, top

    return (*lists.CLASSES, pressure.LOPE_UL_pressure_motions, *menus.CLASSES, status.LOPE_PT_said, top.LOPE_PT_world,
            top.LOPE_PT_top, pages.LOPE_PT_page, *pose_gait.CLASSES, body.LOPE_PT_body, body.LOPE_PT_condition,
            body.LOPE_PT_bone_map, *outcome.PANELS, advanced.LOPE_PT_advanced)


def register() -> None:
    """Add the panels to Blender."""
    import bpy

    from . import menus

    for cls in _classes():
        bpy.utils.register_class(cls)
    menus.register_presets()


def unregister() -> None:
    """Take away what `register` added."""
    import bpy

    from . import menus

    menus.unregister_presets()
    for cls in reversed(_classes()):
        bpy.utils.unregister_class(cls)
