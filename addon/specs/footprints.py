# SPDX-License-Identifier: GPL-3.0-or-later
"""Footprints that an artist has laid where they are wanted: plain numbers that travel as JSON."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..checks import Maybe, Number, Whole
from ..errors import InputError
from .settings import Checked, check_fields, setting

MOST_NUMBER = 20_000
"""Steps of the longest shot at the quickest strides, and some."""


@dataclass(frozen=True)
class Footprint(Checked):
    """The place of one landing, locked. `number` counts the plan's footprints from the foot that the shot starts on, 0: odd
    ones are the right foot's. `x_m`, `y_m` is the point under the ankle, from the shot's origin; `yaw_deg` the direction in
    which the foot then goes, 0 along +x, 90 along +y, its usual turning out not counted; None for the way's own."""

    FIELD = "footprint field"
    number: int = setting(rule=Whole(1, MOST_NUMBER))
    x_m: float = setting(rule=Number(-1e5, 1e5, "m"), words="place")
    y_m: float = setting(rule=Number(-1e5, 1e5, "m"), words="place")
    yaw_deg: float | None = setting(None, rule=Maybe(Number(-1e4, 1e4, "degrees")), words="direction")

    def __post_init__(self) -> None:
        if isinstance(self.number, bool) or not isinstance(self.number, int) or not 1 <= self.number <= MOST_NUMBER:
            raise InputError(f"A footprint's number must be a whole number between 1 and {MOST_NUMBER}, got "
                             f"{self.number!r}: 1 is the first foot to land; the one the shot starts on cannot be moved.")
        check_fields(self, f"Footprint {self.number}'s")

    @property
    def place(self) -> complex:
        """Its place, x + iy [m]."""
        return complex(self.x_m, self.y_m)


def check_for_flight(footprints: Sequence[Footprint]) -> None:
    """Raises InputError for any: of gaits with a moment in the air."""
    if footprints:
        raise InputError("Only walking gaits take locked footprints: this gait leaves the ground. Reset the footprints, or "
                         "choose a walk.")


def check_footprints(footprints: Sequence[Footprint], *, standing: bool, gravity_changes: bool) -> None:
    """Raises InputError for two footprints of one number, and for shots whose plan does not know beforehand which foot lands
    where: from or to `standing`, or with a gravity that changes."""
    numbers = [footprint.number for footprint in footprints]
    twice = next((number for number in numbers if numbers.count(number) > 1), None)
    if twice is not None:
        raise InputError(f"Footprint {twice} is locked twice: keep one of the two.")
    if numbers and standing:
        raise InputError("Footprints can be locked only in a shot that begins and ends moving: let it, or reset the "
                         "footprints.")
    if numbers and gravity_changes:
        raise InputError("Footprints can be locked only where gravity stays the same: take the change out, or reset the "
                         "footprints.")
