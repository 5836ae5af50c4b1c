# SPDX-License-Identifier: GPL-3.0-or-later
"""What is other than healthy about an armature's body; and what the Shot has of it."""

from __future__ import annotations

import bpy

from ..addon.specs.condition import BODY, HEALTHY, RULES, UNLOADED, Change, Condition
from ..addon.specs.condition_presets import ConditionPreset, presets_in
from .changes import changed
from .condition_entries import VALUES, LopeChange, change_of
from .figures import plain
from .muscle_settings import by_muscles
from .overridable import CollectionProperty, FloatProperty, IntProperty

OWN = "own"
_MONTHS = RULES[UNLOADED]


class ConditionSettings:
    """The condition, for a property group to inherit."""

    condition_changes: CollectionProperty(name="Changes", type=LopeChange, description="What is other than healthy")
    condition_index: IntProperty(name="Active Change", description="The change chosen in the list")
    unloaded_months: FloatProperty(name="Months without Gravity", update=changed, default=0.0, min=_MONTHS.low, max=_MONTHS.high,
                                   soft_max=12.0, precision=1,
                                   description="So long the character has lived without gravity: muscles that hold it upright "
                                               "have lost force")


def changes_of(settings: bpy.types.PropertyGroup) -> tuple[Change, ...]:
    """All changes that are asked for. Raises InputError for one that cannot be."""
    months = plain(settings.unloaded_months)
    away = (Change(UNLOADED, BODY, value=months),) if months > 0.0 else ()
    return (*(change_of(entry) for entry in settings.condition_changes), *away)


def condition_of(settings: bpy.types.PropertyGroup) -> Condition | None:
    """The condition of a Shot, called by the shipped ones that are in it; None for a healthy body, and one without muscles.
    Raises InputError for changes that cannot be."""
    if not by_muscles(settings):
        return None
    changes = changes_of(settings)
    if not changes:
        return None
    presets, rest = presets_in(changes)
    return Condition(" + ".join([preset.name for preset in presets] + [OWN] * bool(rest)), changes)


def known_in(settings: bpy.types.PropertyGroup) -> tuple[ConditionPreset, ...]:
    """The shipped conditions that the changes hold. Raises InputError as `changes_of` does."""
    return presets_in(changes_of(settings))[0]


def ease(settings: bpy.types.PropertyGroup, share: float) -> None:
    """Keep a share of all that is other than healthy."""
    for entry in settings.condition_changes:
        healthy, name = HEALTHY[entry.kind], VALUES[entry.kind]
        setattr(entry, name, healthy + share * (getattr(entry, name) - healthy))
    settings.unloaded_months *= share
