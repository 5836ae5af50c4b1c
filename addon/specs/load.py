# SPDX-License-Identifier: GPL-3.0-or-later
"""What a character carries: how heavy it is, how, and how large; plain values of JSON."""

from __future__ import annotations

from dataclasses import dataclass

from ..checks import Choice, Maybe, Number, Series
from .settings import FIRST_GUESS, Checked, setting

HAND, HANDS, ARMS, BACK = PLACES = ("hand", "hands", "arms", "back")
"""Hanging from one hand, between both hands before the belly, on both forearms before the chest, on the back."""
LOAD_RANGE_KG = (0.1, 300.0)
DENSITY_KG_M3 = {HAND: 400.0, HANDS: 400.0, ARMS: 800.0, BACK: 400.0}
"""Of a load whose size nobody says: luggage and filled crates weigh 200 to 600, what is held in the arms, such as a person or
wood, 600 to 1000 (first guesses)."""
SHAPES = {HAND: (0.9, 0.35, 0.7), HANDS: (0.6, 1.1, 0.7), ARMS: (0.7, 3.0, 0.8), BACK: (0.6, 1.0, 1.5)}
"""How deep, wide and high such a load is, against each other: a bag, a crate, a bundle, a pack."""


@dataclass(frozen=True)
class Load(Checked):
    """A load of `mass_kg` at a `place`, of one hand the one on its `side`. `size_m` is how deep, wide and high it is, as it is
    carried; None is that of its place at its `DENSITY_KG_M3`. `lean` is how much of what it moves the centre of mass by the trunk
    makes up for, 0 none, 1 all; None is what people do (`bodies.human.load`). `name` is what it is called in a scene."""

    WHOSE, FIELD = "The load's", "field of a load"
    mass_kg: float = setting(rule=Number(*LOAD_RANGE_KG, "kg"))
    place: str = setting(HANDS, rule=Choice("place of a load", PLACES))
    side: str = setting("R", rule=Choice("side of a load", ("L", "R")))
    size_m: tuple[float, float, float] | None = setting(None, rule=Maybe(Series(Number(0.02, 5.0, "m"), 3)))
    lean: float | None = setting(None, rule=Maybe(Number(0.0, 1.0)), source=FIRST_GUESS)
    name: str = setting("Load")

    @property
    def edges_m(self) -> tuple[float, float, float]:
        """Its depth, width and height [m]."""
        if self.size_m is not None:
            return self.size_m
        deep, wide, high = SHAPES[self.place]
        unit = (self.mass_kg / DENSITY_KG_M3[self.place] / (deep * wide * high)) ** (1.0 / 3.0)
        return unit * deep, unit * wide, unit * high
