# SPDX-License-Identifier: GPL-3.0-or-later
"""Which reflex walker an armature goes as; and what the Shot has of it."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

import bpy

from ..addon.controllers.reflex.walkers import load_walker, read_walker, walker_names
from ..addon.errors import InputError
from ..addon.specs.path import PathSpec
from ..addon.specs.reflex import Walker
from .changes import changed
from .choices import EnumItem, item, title
from .creature_figures import by_creature
from .figures import plain
from .overridable import EnumProperty, StringProperty

SOURCE = "REFLEX"
NEAREST, OWN_FILE = "NEAREST", "FILE"


@lru_cache(maxsize=1)
def walker_items() -> tuple[EnumItem, ...]:
    """The one nearest to the speed, those of `presets/reflex` by name, each with its speed, and a file."""
    shipped = map(load_walker, walker_names())
    return (item(NEAREST, "Nearest to the Speed", "Of the walkers searched for such a gravity the one whose speed is nearest"),
            *(item(one.name, f"{title(one.name)}  {one.speed_m_s:.2f} m/s", one.summary) for one in shipped),
            item(OWN_FILE, "My File", "A reflex walker in a file of your own, as lope tune writes them"))


class ReflexSettings:
    """Who goes by reflexes, for a property group to inherit."""

    walker: EnumProperty(name="Walker", update=changed, items=walker_items(), default=NEAREST,
                         description="Who goes by reflexes: each has the one speed to which its search has brought it")
    walker_path: StringProperty(name="Walker File", update=changed, subtype="FILE_PATH", description="A reflex walker (JSON)")


def by_reflexes(settings: bpy.types.PropertyGroup) -> bool:
    """Whether the character goes by reflexes alone."""
    goes = settings.motion == "GAIT" or (settings.motion == "DRIVE" and settings.drive_by == "GAIT")
    return goes and settings.gait_source == SOURCE and not by_creature(settings)


def by_nearest(settings: bpy.types.PropertyGroup) -> bool:
    """Whether the speed chooses the walker."""
    return settings.walker == NEAREST


def walker_of(settings: bpy.types.PropertyGroup) -> Walker | None:
    """The Shot's walker; None for the one nearest to its speed. Raises InputError for one that is not there."""
    if by_nearest(settings):
        return None
    if settings.walker != OWN_FILE:
        return load_walker(settings.walker)
    path = Path(bpy.path.abspath(settings.walker_path)) if settings.walker_path else None
    if path is None or not path.is_file():
        raise InputError("There is no reflex walker; choose its file under Gait.")
    return read_walker(path)


def way_of(settings: bpy.types.PropertyGroup) -> PathSpec:
    """The one way that reflexes go: straight on, where it is headed."""
    return PathSpec(heading_deg=plain(settings.heading_deg))
