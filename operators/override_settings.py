# SPDX-License-Identifier: GPL-3.0-or-later
"""The settings of library overrides, kept beside them: of a character whose library was saved without Lope, Blender 5 writes an
override's settings as one whole, and cannot read them back ("RNA_property_pointer_set: expected ID type").

When a file is saved, the settings of every override go into its scenes as JSON; when it is loaded, those that came back bare are
filled from there.
"""

from __future__ import annotations

import json
from typing import Any

import bpy

from .properties import ignore, listen

KEY = "lope_override_settings"
_LEFT_OUT = {"rna_type", "name"}


def dumped(group: bpy.types.PropertyGroup) -> dict[str, Any]:
    """The settings of a group that are set, by name: plain values, groups and lists of groups; Blender's data by name and
    library."""
    out: dict[str, Any] = {}
    for prop in group.bl_rna.properties:
        name = prop.identifier
        if name in _LEFT_OUT:
            continue
        value = getattr(group, name)
        if prop.type == "COLLECTION":
            found: Any = [dumped(item) for item in value]
        elif prop.type == "POINTER" and isinstance(value, bpy.types.PropertyGroup):
            found = dumped(value)
        elif not group.is_property_set(name):
            continue
        elif prop.type == "POINTER":
            found = None if value is None else {"name": value.name, "library": value.library and value.library.filepath}
        else:
            found = list(value) if getattr(prop, "is_array", False) else value
        if found not in ({}, [], None):
            out[name] = found
    return out


def restored(group: bpy.types.PropertyGroup, values: dict[str, Any]) -> None:
    """Set a group's settings from what `dumped` gave; what this Lope or this file does not have is left as it is."""
    for name, value in values.items():
        prop = group.bl_rna.properties.get(name)
        if prop is None:
            continue
        if prop.type == "COLLECTION":
            items = getattr(group, name)
            while len(items):
                items.remove(len(items) - 1)
            for one in value:
                restored(items.add(), one)
        elif prop.type == "POINTER" and issubclass(type(getattr(group, name)), bpy.types.PropertyGroup):
            restored(getattr(group, name), value)
        elif prop.type == "POINTER":
            _point(group, name, prop, value)
        else:
            try:
                setattr(group, name, value)
            except TypeError:  # a choice that this Lope does not have
                continue


def _point(group: bpy.types.PropertyGroup, name: str, prop: bpy.types.Property, wanted: dict[str, Any]) -> None:
    """Point a setting at the data of that name and library, where the file has it."""
    data = {"Object": bpy.data.objects, "Action": bpy.data.actions}.get(prop.fixed_type.identifier, ())
    found = next((item for item in data if item.name == wanted["name"]
                  and (item.library and item.library.filepath) == wanted["library"]), None)
    if found is not None:
        setattr(group, name, found)


def _overrides() -> list[bpy.types.Object]:
    return [item for item in bpy.data.objects if item.type == "ARMATURE" and item.override_library is not None]


@bpy.app.handlers.persistent
def _before_save(*_arguments: Any) -> None:
    """Keep the settings of every override in its scenes."""
    for scene in [scene for scene in bpy.data.scenes if scene.library is None]:
        kept = {item.name: dumped(item.lope) for item in _overrides() if scene in item.users_scene}
        kept = {name: values for name, values in kept.items() if values}
        if kept:
            scene[KEY] = json.dumps(kept, sort_keys=True)
        elif KEY in scene:
            del scene[KEY]


@bpy.app.handlers.persistent
def _after_load(*_arguments: Any) -> None:
    """Fill the settings of overrides that came back bare."""
    for scene in bpy.data.scenes:
        try:
            kept = json.loads(scene.get(KEY, "{}"))
        except (TypeError, ValueError):
            continue
        for item in _overrides():
            if item.name in kept and scene in item.users_scene and not dumped(item.lope):
                restored(item.lope, kept[item.name])


_HANDLERS = {"save_pre": _before_save, "load_post": _after_load}


def register() -> None:
    """Watch files being saved and loaded."""
    listen(**_HANDLERS)


def unregister() -> None:
    """Stop watching."""
    ignore(**_HANDLERS)
