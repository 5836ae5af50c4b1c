# SPDX-License-Identifier: GPL-3.0-or-later
"""The shape of a creature on two legs as it stands drawn: plain values that travel as JSON."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from ..checks import Choice, Maybe, Number, Part, Series, Text, Whole
from ..errors import BodyError, InputError
from .settings import Checked, read_preset, setting, settings_of

FORMAT = 1
CREATURE = "creature"
"""The kind of a body that has such a shape."""
KINDS = ("trunk", "leg", "neck", "head", "tail", "arm")
SIDES = ("L", "R")
PLACE = Series(Number(-100.0, 100.0, "m"), 3)
MOST_PARTS = 200


@dataclass(frozen=True)
class CreaturePart(Checked):
    """One rigid part, from its joint to its tip [m], in the creature's frame: x forward, y left, z up, the ground at z = 0.
    `parent` is the part that it hangs on, None of the root alone: the trunk at the hips. The legs' last parts are the feet, whose
    tips are the ends of the toes. `radius_m` is that of the capsule about it; `mass_kg` None is that capsule's mass at 1000
    kg/m^3. `bone` is the bone that it is on a rig. `bend` says which way a leg's joint folds where the drawing has it straight:
    +1 back, as a knee, -1 forward, as a hock, 0 as its place says. Of a foot, `heel_m` is how far the sole reaches back behind
    its joint and `width_m` how wide it is; None is by its size."""

    WHOSE, FIELD = "The creature part's", "field of a creature's part"
    name: str = setting(rule=Text())
    kind: str = setting(rule=Choice("kind of creature's part", KINDS))
    joint_m: tuple[float, float, float] = setting(rule=PLACE, words="joint")
    tip_m: tuple[float, float, float] = setting(rule=PLACE, words="tip")
    radius_m: float = setting(rule=Number(1e-3, 50.0, "m"))
    parent: str | None = setting(None, rule=Maybe(Text()))
    side: str = setting("", rule=Choice("side", ("", *SIDES)))
    mass_kg: float | None = setting(None, rule=Maybe(Number(1e-4, 1e6, "kg")))
    bone: str | None = setting(None, rule=Maybe(Text()))
    bend: int = setting(0, rule=Whole(-1, 1))
    heel_m: float | None = setting(None, rule=Maybe(Number(0.0, 10.0, "m")))
    width_m: float | None = setting(None, rule=Maybe(Number(1e-3, 10.0, "m")))


@dataclass(frozen=True)
class Creature(Checked):
    """A creature: its parts, parents before their children, the root first. Whether it can walk is another matter
    (`bodies.creature.findings`): a drawing with a fault can be held, shown and mended."""

    WHOSE, FIELD = "The creature's", "field of a creature"
    name: str = setting(rule=Text())
    parts: tuple[CreaturePart, ...] = setting(rule=Series(Part(CreaturePart), each="Part {n} of the creature"))
    source: str = setting("drawn", rule=Text())
    format: int = setting(FORMAT, rule=Whole(1, FORMAT))

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 1 <= len(self.parts) <= MOST_PARTS:
            raise BodyError(f"The creature {self.name} has {len(self.parts)} parts: it needs 1 to {MOST_PARTS}.")
        known: set[str] = set()
        for part in self.parts:
            if part.name in known:
                raise BodyError(f"Two parts of the creature {self.name} are called {part.name}: give each a name of its own.")
            if known and part.parent is None:
                raise BodyError(f"The part {part.name} of the creature {self.name} hangs on nothing: name its parent; only the "
                                f"first part, {self.parts[0].name}, has none.")
            if part.parent is not None and part.parent not in known:
                raise BodyError(f"The part {part.name} of the creature {self.name} hangs on {part.parent!r}, which does not "
                                "stand before it in the list of parts: list parents first.")
            known.add(part.name)

    @cached_property
    def by_name(self) -> dict[str, CreaturePart]:
        return {part.name: part for part in self.parts}

    def part(self, name: str) -> CreaturePart:
        """The part of that name; raises BodyError listing the known ones."""
        if name not in self.by_name:
            raise BodyError(f"The creature {self.name} has no part {name!r}; it has {', '.join(self.by_name)}.")
        return self.by_name[name]

    def children(self, name: str) -> tuple[CreaturePart, ...]:
        return tuple(part for part in self.parts if part.parent == name)

    def of_kind(self, kind: str) -> tuple[CreaturePart, ...]:
        return tuple(part for part in self.parts if part.kind == kind)

    @cached_property
    def legs(self) -> tuple[tuple[CreaturePart, ...], ...]:
        """The legs, each from the part at the hip to its foot, in the order of the parts; of branches the first goes on."""
        found = []
        for part in self.of_kind("leg"):
            if part.parent is not None and self.by_name[part.parent].kind == "leg":
                continue
            leg = [part]
            while below := [child for child in self.children(leg[-1].name) if child.kind == "leg"]:
                leg.append(below[0])
            found.append(tuple(leg))
        return tuple(found)

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON types, without what is as it is where nothing is said; `from_dict` gives an equal Creature back."""
        return {"format": self.format, "name": self.name, "source": self.source, "parts": [_plain(part) for part in self.parts]}


def _plain(part: CreaturePart) -> dict[str, Any]:
    told = {name: getattr(part, name) for name, rule in settings_of(CreaturePart).items()
            if rule.required or getattr(part, name) != rule.default}
    return {name: list(value) if isinstance(value, tuple) else value for name, value in told.items()}


def read_creature(path: Path) -> Creature:
    """The drawn creature of a file. Raises InputError naming the file and what does not fit."""
    return read_preset(path, Creature, "creature", newest=FORMAT, called=None)


def check_creature(kind: str, creature: Creature | None, asked: Mapping[str, Any]) -> None:
    """Raises InputError for a creature without a shape or the reverse, and for one that is `asked` what its drawing says."""
    if (kind == CREATURE) != (creature is not None):
        raise InputError("A body of the kind creature needs a creature's shape: give one of `lope presets creatures`, or a file "
                         "of your own." if creature is None else
                         f"A body of the kind {kind} has no creature's shape: choose the kind creature, or leave the shape out.")
    lost = [words for words, given in asked.items() if given]
    if creature is not None and lost:
        raise InputError(f"A creature is as large and as heavy as it is drawn: leave {' and '.join(lost)} out.")
