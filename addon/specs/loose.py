# SPDX-License-Identifier: GPL-3.0-or-later
"""Loose objects of a shot: rigid bodies that stand, fly, are touched and fall. Plain values that travel as JSON."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ..checks import Choice, Maybe, Number
from ..errors import InputError
from .settings import FIRST_GUESS, Checked, computed, setting

SHAPES = ("box", "sphere")
DENSITY_KG_M3 = 30.0
"""Of a cardboard box with little in it: 2 kg at an edge of 0.4 m."""
MOST_OBJECTS = 200
"""More of them take longer than anybody waits for."""
_TOUCHING = 1e-6


@dataclass(frozen=True)
class LooseObject(Checked):
    """A box or a sphere that only gravity, the ground, the character and other objects move; no controller knows of it.

    `size_m` are a box's edges, of a sphere its diameter three times. It weighs `mass_kg`, or, where that is None, its volume
    times its density. `place_m` is its middle and `orientation` its turn, w-x-y-z, both in the shot's own axes: the
    character starts at the origin and faces +x. From `release_s` on it moves, at first with `velocity_m_s` and turning with
    `spin_rad_s`; until then it stays where it is and touches nothing. `friction` is that of whatever it touches.
    """

    WHOSE, FIELD = "A loose object's", "field of a loose object"
    name: str = setting("Box", words="name")
    shape: str = setting("box", rule=Choice("shape of a loose object", SHAPES))
    size_m: tuple[float, float, float] = setting((0.4, 0.4, 0.4), 0.02, 20.0, "m")
    mass_kg: float | None = setting(None, rule=Maybe(Number(0.01, 1e4, "kg")))
    density_kg_m3: float = setting(DENSITY_KG_M3, 1.0, 25000.0, "kg/m^3", source=FIRST_GUESS, words="density")
    place_m: tuple[float, float, float] = setting((1.0, 0.0, 0.2), -1e4, 1e4, "m")
    orientation: tuple[float, float, float, float] = setting((1.0, 0.0, 0.0, 0.0), -1.0, 1.0)
    velocity_m_s: tuple[float, float, float] = setting((0.0, 0.0, 0.0), -200.0, 200.0, "m/s")
    spin_rad_s: tuple[float, float, float] = setting((0.0, 0.0, 0.0), -200.0, 200.0, "rad/s")
    release_s: float = setting(0.0, 0.0, 3600.0, "s", words="time of release")
    friction: float = setting(0.5, 0.0, 2.0, source=FIRST_GUESS)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.shape == "sphere" and max(self.size_m) - min(self.size_m) > _TOUCHING * max(self.size_m):
            raise InputError(f"The loose object {self.name!r} is a sphere and needs its diameter three times as size, got "
                             f"{', '.join(f'{x:g}' for x in self.size_m)} m: give it one diameter, or make it a box.")
        if abs(math.sqrt(sum(x * x for x in self.orientation)) - 1.0) > 1e-3:
            raise InputError(f"The orientation of the loose object {self.name!r} must be a unit quaternion w, x, y, z such as "
                             f"1, 0, 0, 0; got {', '.join(f'{x:g}' for x in self.orientation)}.")

    @property
    def volume_m3(self) -> float:
        """Its volume."""
        x, y, z = self.size_m
        return x * y * z * (math.pi / 6.0 if self.shape == "sphere" else 1.0)

    @property
    def weighs_kg(self) -> float:
        """Its mass: the one that is given, or volume times density."""
        return self.volume_m3 * self.density_kg_m3 if self.mass_kg is None else self.mass_kg

    def thrown(self, place_m: Iterable[float], velocity_m_s: Iterable[float]) -> LooseObject:
        """The same one, loose from now on, with its middle here and at this velocity."""
        x, y, z = (float(x) for x in place_m)
        ahead, left, up = (float(x) for x in velocity_m_s)
        return computed(self, place_m=(x, y, z), velocity_m_s=(ahead, left, up), release_s=0.0)


def check_objects(objects: Sequence[LooseObject], engine: str) -> None:
    """Raises InputError for objects of one name, for too many, and for an engine without contacts of its own."""
    if not objects:
        return
    if engine in ("ideal", "springs"):
        raise InputError(f"The engine {engine} knows no contact, so nothing can be touched there: take the loose objects out, or "
                         "choose the engine mujoco.")
    if len(objects) > MOST_OBJECTS:
        raise InputError(f"A shot has at most {MOST_OBJECTS} loose objects, got {len(objects)}: take some out.")
    names = [item.name for item in objects]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise InputError(f"Two loose objects are called {twice!r}: give every one a name of its own.")
