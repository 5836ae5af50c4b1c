# SPDX-License-Identifier: GPL-3.0-or-later
"""Files of an earlier Lope: their characters go as they went, whatever new ones begin with."""

from __future__ import annotations

import bpy

from .properties import ignore, listen

FORMAT = 2
"""1: characters have a gait law; files before that have no number, and their gaits are similar. 2: characters have seeds of their
own, by their names."""
FORMER = {1: {"gait_law": "similar", "gait": "walk"}, 2: {"seed_by_name": False}}
"""What a character of a file before each number goes by where nothing was set: the defaults of its time."""


@bpy.app.handlers.persistent
def _number(*_arguments) -> None:
    """Say in the file which Lope it is of, as it is saved."""
    for scene in bpy.data.scenes:
        if scene.library is None and scene.lope.settings_format != FORMAT:
            scene.lope.settings_format = FORMAT


@bpy.app.handlers.persistent
def _keep(*_arguments) -> None:
    """Give characters of an earlier file, once it is loaded, what was the default then.
    Linked ones are their own file's matter."""
    number = max((scene.lope.settings_format for scene in bpy.data.scenes), default=FORMAT)
    former = {name: value for since, values in FORMER.items() if number < since for name, value in values.items()}
    if not former:
        return
    for item in bpy.data.objects:
        if item.type != "ARMATURE" or item.library is not None:
            continue
        settings = item.lope
        names = [prop.identifier for prop in settings.bl_rna.properties if prop.identifier not in ("rna_type", "name")]
        if any(settings.is_property_set(name) for name in names):
            for name, value in former.items():
                if not settings.is_property_set(name):
                    setattr(settings, name, value)


_HANDLERS = {"load_post": _keep, "save_pre": _number}


def register() -> None:
    """Look at files as they are loaded and saved."""
    listen(**_HANDLERS)


def unregister() -> None:
    """Look no more."""
    ignore(**_HANDLERS)
