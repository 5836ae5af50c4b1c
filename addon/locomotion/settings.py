# SPDX-License-Identifier: GPL-3.0-or-later
"""A controller's settings as the command line, panel, shot lists, tuning and docs see them: "group.name" and a value. The
settings themselves are fields of dataclasses, one class a group, that know unit, range, default, tooltip and source."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any

from ..errors import InputError, unknown_name
from ..specs.settings import Setting, check_field, settings_of

Values = Mapping[str, Mapping[str, float]]
"""Values by group and name."""
NONE: Mapping[str, str] = MappingProxyType({})


@dataclass(frozen=True)
class Row:
    """One setting of a controller: its whole name, its value where nothing is asked for, and what is known of it."""

    name: str
    value: float
    setting: Setting
    source: str

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON values."""
        return {"default": self.value, "unit": self.setting.unit, "low": self.setting.low, "high": self.setting.high,
                "help": self.setting.help, "source": self.source}


def rows_of(groups: Mapping[str, Any]) -> dict[str, Row]:
    """The settings of groups that hold one number each, by whole name."""
    found = {}
    for group, held in groups.items():
        kind: type = type(held)
        for name, setting in settings_of(kind).items():
            value = getattr(held, name)
            if isinstance(value, float):
                found[f"{group}.{name}"] = Row(f"{group}.{name}", value, setting, setting.source or getattr(kind, "SOURCE", ""))
    return found


def present_names(groups: Mapping[str, Any], values: Values, former_groups: Mapping[str, str]) -> dict[str, dict[str, float]]:
    """Values under the names that groups and their settings have now: older ones are still read (`former_groups` by their old
    names, settings by their `formerly`). Where one setting is given under two names, the later counts. Unknown names stay."""
    named: dict[str, dict[str, float]] = {}
    for group, found in values.items():
        group = former_groups.get(group, group)
        kind: type = type(groups.get(group))
        known = settings_of(kind) if group in groups else {}
        now = {old: name for name, setting in known.items() for old in setting.formerly}
        named.setdefault(group, {}).update((now.get(name, name), value) for name, value in found.items())
    return named


def changed_groups(groups: Mapping[str, Any], values: Values, former_groups: Mapping[str, str] = NONE) -> dict[str, Any]:
    """Groups with some of their settings replaced. Raises InputError for unknown ones, and values out of their range."""
    known, values = rows_of(groups), present_names(groups, values, former_groups)
    for group, found in values.items():
        for name, value in found.items():
            if f"{group}.{name}" not in known:
                raise _unknown(f"{group}.{name}", known)
            check_field(type(groups[group]), name, value, f"The setting {group}.{name}")
    return {group: replace(held, **values.get(group, {})) for group, held in groups.items()}


def _unknown(name: str, known: Mapping[str, Row]) -> InputError:
    """What is said of a name that is none of the settings: a misspelt one, or one of an earlier Lope's that is a constant now."""
    if not known:
        return InputError(f"This controller has no settings, its numbers are constants: leave {name} out.")
    group = name.partition(".")[0]
    of_group = [row for row in known if row.startswith(f"{group}.")]
    error = unknown_name("setting of the controller", name, of_group or {f"{row.partition('.')[0]}.*" for row in known})
    return InputError(f"{error} What is not among the settings is a constant: leave it out.")


def own_groups(groups: Mapping[str, Any], values: Values | None, former_groups: Mapping[str, str] = NONE) -> dict[str, Any]:
    """Groups with some of their settings replaced, of values that may be for other groups, too. Raises InputError for unknown
    settings of these, and values out of their range."""
    named = present_names(groups, values or {}, former_groups)
    return changed_groups(groups, {group: found for group, found in named.items() if group in groups})


def read_settings(texts: Iterable[str]) -> dict[str, dict[str, float]]:
    """Values of texts such as "walk.clearance_m=0.02". Raises InputError for texts of another form."""
    values: dict[str, dict[str, float]] = {}
    for text in texts:
        name, _, number = text.partition("=")
        group, dot, field = name.strip().partition(".")
        try:
            value = float(number)
        except ValueError:
            dot = ""
        if not dot:
            raise InputError(f"A setting is written GROUP.NAME=VALUE, such as walk.clearance_m=0.02; got {text!r}.")
        values.setdefault(group, {})[field] = value
    return values
