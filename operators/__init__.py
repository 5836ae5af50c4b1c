# SPDX-License-Identifier: GPL-3.0-or-later
"""Operators and the settings they read: what belongs to one task in one file."""

from __future__ import annotations

from importlib import import_module
from types import ModuleType

BUTTONS = ("add", "again", "bake", "bone_map", "condition_settings", "drive", "export", "footprints", "gait_search",
           "gait_settings", "hit", "lists", "live", "moves", "muscles", "plan_board", "pose_gait", "pose_on_rig", "pose_picks",
           "pressure", "push_dial", "show_plots", "show_pressure", "simulate", "stand", "status_bar", "verbs")
"""The modules that hold operators and whatever else Blender draws by itself."""
LISTENERS = ("desk", "plan_board", "show_plots", "show_pressure", "command_line", "status_bar", "override_settings", "driving",
             "push_dial", "add", "moves")
"""The modules that listen to Blender, in the order in which they begin; who goes on by itself is the first to stop."""


def _modules(names: tuple[str, ...]) -> list[ModuleType]:
    return [import_module(f".{name}", __package__) for name in names]


def _classes() -> list[type]:
    """What those modules hold for Blender, but for the settings, which `settings` adds."""
    import bpy

    kinds = bpy.types.Operator, bpy.types.AssetShelf, bpy.types.AddonPreferences
    return [cls for module in _modules(BUTTONS) for cls in vars(module).values()
            if isinstance(cls, type) and issubclass(cls, kinds) and cls.__module__ == module.__name__]


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
    for module in _modules(LISTENERS):
        module.register()
    bpy.app.translations.register(EXTENSION, dictionary(
        text for item in (*world_items(), *walker_items()) for text in item[1:3]))


def unregister() -> None:
    """Take away what `register` added."""
    import bpy

    from . import former_files, settings
    from .context import EXTENSION

    for module in reversed(_modules(LISTENERS)):
        module.unregister()
    bpy.app.translations.unregister(EXTENSION)
    for cls in reversed(_classes()):
        bpy.utils.unregister_class(cls)
    former_files.unregister()
    settings.unregister()
