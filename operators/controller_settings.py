# SPDX-License-Identifier: GPL-3.0-or-later
"""Settings of the controller that the artist changes: whole names and values, from what the registry knows of them."""

from __future__ import annotations

import bpy

from ..addon.controllers.registry import ENTRIES
from ..addon.controllers.settings import Row
from .changes import changed
from .follow_settings import controller_of
from .overridable import FloatProperty, StringProperty

MOST_SHOWN = 40
"""Names that a search offers at a time."""


def known(controller: str) -> dict[str, Row]:
    """The settings of a controller by whole name."""
    return ENTRIES[controller].settings() if controller in ENTRIES else {}


def found(controller: str, setting: str) -> Row | None:
    """A setting by its whole name, or one it had when the file was saved; None where there is none."""
    return ENTRIES[controller].find_setting(setting) if controller in ENTRIES else None


def _offered(self: LopeSetting, _context: bpy.types.Context, text: str) -> list[tuple[str, str]]:
    """Names that hold what was typed, with their values."""
    rows = known(controller_of(self.id_data.lope)).values()
    return [(row.name, f"{row.value:g} {row.setting.unit}") for row in rows if text.lower() in row.name][:MOST_SHOWN]


def _chosen(self: LopeSetting, _context: bpy.types.Context) -> None:
    """Another setting starts at its own value."""
    row = found(controller_of(self.id_data.lope), self.setting)
    if row is not None:
        self["value"] = row.value
    changed()


class LopeSetting(bpy.types.PropertyGroup):
    """One changed setting."""

    setting: StringProperty(name="Setting", update=_chosen, search=_offered, search_options={"SORT"},
                            description="Which of the controller's settings is changed; type to find one")
    value: FloatProperty(name="Value", update=changed, precision=4, description="What it is for this character")


def values_of(settings: bpy.types.PropertyGroup) -> dict[str, dict[str, float]] | None:
    """The changed settings as a Shot has them; None where there are none. Entries without a name are left out, and where a motion
    is followed those of the gait's controller alone."""
    values: dict[str, dict[str, float]] = {}
    for entry in settings.changed_settings:
        group, _, name = entry.setting.partition(".")
        if name and (found(controller_of(settings), entry.setting) or not found(settings.controller, entry.setting)):
            values.setdefault(group, {})[name] = float(f"{entry.value:.6g}")
    return values or None
