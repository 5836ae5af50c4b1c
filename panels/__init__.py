# SPDX-License-Identifier: GPL-3.0-or-later
"""What the sidebar of the 3D viewport shows, on the tab Lope."""

from __future__ import annotations


def _classes() -> tuple[type, ...]:
    from . import bone_map, condition, hits, lists, menus, outcome, pose_gait_editor, pressure, request, top
    from . import pose_gait as gait_from_poses

    return (*lists.CLASSES, *gait_from_poses.CLASSES, pressure.LOPE_UL_pressure_motions, *menus.CLASSES, top.LOPE_PT_top,
            *pose_gait_editor.CLASSES, *request.PANELS, *condition.PANELS, *hits.PANELS, *pressure.PANELS,
            bone_map.LOPE_PT_bone_map, *outcome.PANELS)


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
