# SPDX-License-Identifier: GPL-3.0-or-later
"""The conditions that ship, by name: one JSON file each in `presets/conditions`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ..checks import Part, Series, Text, Whole
from ..errors import InputError
from .condition import Change, Condition
from .presets import PRESETS, known_file, names_in, read_json, read_preset
from .settings import Checked, setting, settings_of

FORMAT = 1
FOLDER = PRESETS / "conditions"


@dataclass(frozen=True)
class ConditionPreset(Checked):
    """What a condition's file holds. `label`: what it is called; `sign`: what it looks like; `source`: whose figures."""

    FIELD = "condition preset field"
    format: int = setting(rule=Whole(1))
    name: str = setting(rule=Text())
    label: str = setting(rule=Text())
    sign: str = setting(rule=Text())
    source: str = setting(rule=Text())
    changes: tuple[Change, ...] = setting(rule=Series(Part(Change), each="change {n}"))

    @property
    def condition(self) -> Condition:
        """What it changes."""
        return Condition(self.name, self.changes)


def condition_names() -> list[str]:
    """Names of the conditions that ship, sorted."""
    return names_in(FOLDER)


def read_condition(path: Path) -> ConditionPreset:
    """A condition's file. Raises InputError naming the file and the fault."""
    if not Path(path).is_file():
        raise InputError(f"There is no condition's file {str(path)!r}: look at its folder and its name.")
    data = read_json(path, "condition")
    if isinstance(data, dict) and (lacking := [name for name in settings_of(ConditionPreset) if name not in data]):
        raise InputError(f"The file {str(path)!r} is no condition: it says nothing of its {', '.join(lacking)}. One that ships, "
                         f"such as {str(FOLDER / 'waddle.json')!r}, shows how it is written.")
    return read_preset(path, ConditionPreset, "condition", newest=FORMAT)


def condition_preset(name: str) -> ConditionPreset:
    """The shipped one of that name. Raises InputError listing those there are."""
    return read_condition(known_file(FOLDER, "condition", name))


def load_condition(name: str) -> Condition:
    """The condition of that name, or from that JSON file (a path that ends in .json). Raises InputError for neither."""
    if str(name).endswith(".json"):
        return read_condition(Path(name)).condition
    return condition_preset(name).condition


def presets_in(changes: Sequence[Change]) -> tuple[tuple[ConditionPreset, ...], tuple[Change, ...]]:
    """The shipped conditions that are among changes with all that they change, those that change most first; and the rest."""
    rest, found = list(changes), []
    for preset in sorted(map(condition_preset, condition_names()), key=lambda preset: -len(preset.changes)):
        if all(rest.count(change) >= preset.changes.count(change) for change in preset.changes):
            found.append(preset)
            for change in preset.changes:
                rest.remove(change)
    return tuple(found), tuple(rest)
