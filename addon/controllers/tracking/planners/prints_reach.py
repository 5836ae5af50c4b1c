# SPDX-License-Identifier: GPL-3.0-or-later
"""Which footprints a walk can step on: the steps between them against the legs' reach, and the sentence for one too far."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Sequence

from ....errors import InputError
from ....specs.footprints import Footprint
from .footsteps import heading_vector

Print = tuple[complex, float]
"""Place of a foot and heading of the path there (or of the foot, where it is locked with a direction)."""
At = Callable[[int], Print]
"""Footprints by their numbers."""
Lay = Callable[[Sequence[Footprint]], At]
"""From locked footprints to all."""

LONGEST, FURTHEST_BACK, WIDEST = 1.1, 0.25, 0.36
"""Longest step forward and back, and largest distance of the feet across, over the leg's length. The default walk stood and
met its print within 3 cm on Earth at 1.30, 0.26 and 0.36 with its neighbour locked in place."""
NARROWEST = 0.03
"""Least distance across, over the leg's length: below it the swinging leg runs through the standing one."""
MOST_TURNED = math.radians(30.0)
"""Largest angle of a locked foot with its way: about what a hip turns in comfort, to either side."""
HALVINGS = 7
"""How finely the furthest place is looked for: to less than a hundredth of the way."""


def check_reach(
    footprints: Sequence[Footprint], lay: Lay, own: At, leg_m: float, span: Sequence[int], hip_room_m: float = 0.0,
) -> None:
    """Raises InputError for the first locked footprint that makes a step too long, too wide, crossing or too twisted, saying
    how far it can go on its way from its own place. `own` are the footprints as they are without locked ones, `span` the
    numbers whose steps the locked ones change; `hip_room_m` is how much wider [m] than a human the body stands."""
    found = _first_fault(lay(footprints), own, leg_m, span, hip_room_m)
    if found is None:
        return
    number, fault = found
    blamed = min(footprints, key=lambda f: (abs(f.number - number), -f.number))
    others = [f for f in footprints if f is not blamed]
    here, low, high = lay(others)(blamed.number)[0], 0.0, 1.0
    if _first_fault(lay([*others, _moved(blamed, here)]), own, leg_m, span, hip_room_m) is not None:
        cure = "The other locked footprints leave no room for it: move or reset them as well."
    else:
        for _ in range(HALVINGS):
            middle = 0.5 * (low + high)
            there = _moved(blamed, here + middle * (blamed.place - here))
            fits = _first_fault(lay([*others, there]), own, leg_m, span, hip_room_m) is None
            low, high = (middle, high) if fits else (low, middle)
        far = here + low * (blamed.place - here)
        cure = f"On the way there from its own place it can go as far as {far.real:.2f}, {far.imag:.2f}."
    raise InputError(f"Footprint {blamed.number} cannot be at {blamed.x_m:.2f}, {blamed.y_m:.2f}: {fault}. {cure}")


def check_turns_of(footprints: Sequence[Footprint], own: At) -> None:
    """Raises InputError for a locked footprint that is turned too far from its way."""
    for footprint in footprints:
        if footprint.yaw_deg is None:
            continue
        way = own(footprint.number)[1]
        if abs(math.remainder(math.radians(footprint.yaw_deg) - way, 2.0 * math.pi)) > MOST_TURNED + 1e-9:
            low, high = (math.degrees(math.remainder(way, 2.0 * math.pi) + sign * MOST_TURNED) for sign in (-1.0, 1.0))
            raise InputError(f"Footprint {footprint.number} cannot face {footprint.yaw_deg:g} degrees: on its way there it "
                             f"can face from {low:.0f} to {high:.0f} degrees.")


def _moved(footprint: Footprint, place: complex) -> Footprint:
    return dataclasses.replace(footprint, x_m=place.real, y_m=place.imag)


def _first_fault(at: At, own: At, leg_m: float, span: Sequence[int], hip_room_m: float) -> tuple[int, str] | None:
    """Number of the first footprint that cannot be stepped on from the one before, and why."""
    widest = WIDEST * leg_m + hip_room_m
    for number in span:
        heading = 0.5 * (own(number - 1)[1] + own(number)[1])
        step = (at(number)[0] - at(number - 1)[0]) / heading_vector(heading)
        across = step.imag * (1 - 2 * (number % 2))
        to = f"the step from footprint {number - 1} to {number} would"
        if step.real > LONGEST * leg_m:
            return number, f"{to} be {step.real:.2f} m long, and the legs reach {LONGEST * leg_m:.2f} m"
        if step.real < -FURTHEST_BACK * leg_m:
            return number, f"{to} go {-step.real:.2f} m back, and the legs reach {FURTHEST_BACK * leg_m:.2f} m"
        if across > widest:
            return number, f"{to} be {across:.2f} m wide, and the legs reach {widest:.2f} m"
        if across < NARROWEST * leg_m:
            return number, f"{to} cross the other leg; the feet must stay {100.0 * NARROWEST * leg_m:.0f} cm apart across"
    return None
