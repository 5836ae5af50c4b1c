# SPDX-License-Identifier: GPL-3.0-or-later
"""Operators and the settings they read: what belongs to one task in one file."""

from __future__ import annotations

from types import ModuleType


def _classes() -> tuple[type, ...]:
    from . import (
        add,
        bone_map,
        condition_settings,
        export,
        gait_search,
        hit,
        live,
        moves,
        muscles,
        pose_gait,
        pose_on_rig,
        pose_picks,
        pressure,
        stand,
        verbs,
    )
    from .again import (
        LOPE_OT_go_on,
        LOPE_OT_rerun,
        LOPE_OT_set_duration,
        LOPE_OT_show_fall,
        LOPE_OT_start_anew,
        LOPE_OT_take_remove,
        LOPE_OT_take_use,
        LOPE_OT_try_again,
    )
    from .bake import LOPE_OT_bake, LOPE_OT_keep_keys
    from .bone_map import LOPE_OT_detect_rig, LOPE_OT_doctor_fix
    from .drive import LOPE_OT_drive, LOPE_OT_drive_recover
    from .footprints import LOPE_OT_lock_footprint, LOPE_OT_move_footprints, LOPE_OT_reset_footprints
    from .gait_settings import LOPE_OT_reset_style
    from .lists import LOPE_OT_list_add, LOPE_OT_list_remove
    from .plan_board import LOPE_OT_preview
    from .pose_picks import LOPE_OT_gait_from_poses
    from .push_dial import LOPE_OT_push_dial
    from .show_plots import LOPE_OT_follow_in_view, LOPE_OT_go_to_frame, LOPE_OT_show_plots, LOPE_OT_take_ghost
    from .show_pressure import LOPE_OT_show_pressure
    from .simulate import LOPE_OT_cancel, LOPE_OT_finish_now, LOPE_OT_simulate, LOPE_OT_tune
    from .status_bar import LOPE_OT_help

    return (*add.CLASSES, LOPE_OT_detect_rig, LOPE_OT_doctor_fix, LOPE_OT_preview, LOPE_OT_simulate, LOPE_OT_tune, LOPE_OT_cancel,
            LOPE_OT_finish_now, LOPE_OT_bake, LOPE_OT_keep_keys, LOPE_OT_rerun, LOPE_OT_take_ghost, LOPE_OT_take_remove,
            LOPE_OT_take_use, LOPE_OT_follow_in_view,
            LOPE_OT_show_plots, LOPE_OT_show_pressure, *export.CLASSES, LOPE_OT_list_add, LOPE_OT_list_remove, LOPE_OT_help,
            LOPE_OT_reset_style, LOPE_OT_move_footprints, LOPE_OT_lock_footprint,
            LOPE_OT_reset_footprints, LOPE_OT_show_fall, LOPE_OT_try_again, LOPE_OT_set_duration,
            LOPE_OT_go_to_frame, LOPE_OT_go_on, LOPE_OT_start_anew, LOPE_OT_drive, LOPE_OT_drive_recover, LOPE_OT_push_dial,
            *bone_map.CLASSES, *condition_settings.BUTTONS, *bone_map.CREATURE_CLASSES, *gait_search.CLASSES, *hit.CLASSES,
            *live.CLASSES, *moves.CLASSES,
            *pose_gait.CLASSES, *pose_gait.SAVE_CLASSES,
            *pose_on_rig.CLASSES, *pose_picks.CLASSES, *pressure.CLASSES, *muscles.CLASSES, *stand.CLASSES, *verbs.CLASSES,
            LOPE_OT_gait_from_poses)


def _listeners() -> tuple[ModuleType, ...]:
    """The modules that listen to Blender, in the order in which they begin; who goes on by itself is the first to stop."""
    from . import (
        add,
        command_line,
        desk,
        driving,
        moves,
        override_settings,
        plan_board,
        push_dial,
        show_plots,
        show_pressure,
        status_bar,
    )

    return (desk, plan_board, show_plots, show_pressure, command_line, status_bar, override_settings, driving, push_dial, add,
            moves)


def register() -> None:
    """Add the operators and their settings to Blender."""
    import bpy

    from ..addon.locale import dictionary
    from . import former_files, settings
    from .choices import world_items
    from .context import EXTENSION
    from .gait_settings import walker_items

    settings.register()
    former_files.register()
    for cls in _classes():
        bpy.utils.register_class(cls)
    for module in _listeners():
        module.register()
    bpy.app.translations.register(EXTENSION, dictionary(
        text for item in (*world_items(), *walker_items()) for text in item[1:3]))


def unregister() -> None:
    """Take away what `register` added."""
    import bpy

    from . import former_files, settings
    from .context import EXTENSION

    for module in reversed(_listeners()):
        module.unregister()
    bpy.app.translations.unregister(EXTENSION)
    for cls in reversed(_classes()):
        bpy.utils.unregister_class(cls)
    former_files.unregister()
    settings.unregister()
