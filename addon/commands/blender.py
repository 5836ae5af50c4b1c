# SPDX-License-Identifier: GPL-3.0-or-later
"""The door to the rooms that need Blender: says clearly when Blender is not there."""

from __future__ import annotations

import importlib
from types import ModuleType

from ..errors import InputError


def blender_room(name: str) -> ModuleType:
    """The module `addon.rigs.NAME`. Raises InputError where this Python cannot load Blender."""
    try:
        return importlib.import_module(f"...rigs.{name}", __name__)
    except ImportError as error:
        if error.name is not None and error.name.startswith(__package__.rpartition(".")[0]):
            raise  # one of our own modules is missing: a fault, not an absent Blender
        raise InputError(
            f"This needs Blender or the bpy module, which this Python cannot load ({error}). Run scripts/setup.") from error
