# SPDX-License-Identifier: GPL-3.0-or-later
"""The footprints of a steady walk, some of them locked elsewhere and their neighbours moved along: what is planned before
the walk, and how the steps are led there.

Which footprints a walk can step on: the steps between them against the legs' reach, and the sentence for one too far.
"""

from __future__ import annotations

import cmath
import dataclasses
import math
from collections.abc import Callable, Sequence

import numpy as np

from ....errors import InputError
from ....specs.path import Footprint
from .footsteps import StepGeometry, heading_vector
from .orbit import Course

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


NEIGHBOURS = 3
"""A locked footprint's displacement fades over so many steps before and after it: the lengths of three steps change by a
third of it, which a walk takes more easily than one step by all."""
APPROACH = 6
"""So many steps before a locked footprint the walk begins to make good its deviation from its plan."""
LEEWAY_M = 0.02
"""How far from a locked footprint the foot may land where balance asks for it."""


class Prints:
    """Footprints by their numbers in the plan. Number 0 is the left foot on which the walk starts, at length 0 of the path.

    Raises InputError for locked ones that legs of `leg_m` [m] cannot step on. `hip_room_m` is how much wider [m] than a human
    the body stands.
    """

    def __init__(
        self, course: Course, width_m: float, omega: float, leg_m: float, footprints: Sequence[Footprint] = (),
        hip_room_m: float = 0.0,
    ) -> None:
        self._course, self._width, self._omega = course, width_m, omega
        self._lay(footprints)
        if footprints:
            span = range(max(min(self.locked) - NEIGHBOURS, 0) + 1, max(self.locked) + NEIGHBOURS + 1)
            check_turns_of(footprints, self.own)
            check_reach(footprints, lambda laid: Prints._bare(course, width_m, omega, laid).at, self.own, leg_m,
                        span, hip_room_m)

    @classmethod
    def _bare(cls, course: Course, width_m: float, omega: float, footprints: Sequence[Footprint]) -> Prints:
        """Prints that may be out of reach."""
        prints = cls(course, width_m, omega, math.inf)
        prints._lay(footprints)
        return prints

    def _lay(self, footprints: Sequence[Footprint]) -> None:
        """Lay the locked footprints, and move their neighbours along."""
        self.locked = {f.number: f for f in sorted(footprints, key=lambda f: f.number)}
        ends = _ends(list(self.locked))
        moved = {n: (f.place - self.own(n)[0]) / heading_vector(self.own(n)[1]) for n, f in self.locked.items()}
        knots = sorted({0: 0j, **dict.fromkeys(ends, 0j), **moved}.items())
        self._knots, self._moves = [n for n, _ in knots], np.array([move for _, move in knots])
        self._goals = [n for n, _ in knots if n in self.locked or n - NEIGHBOURS in self.locked]
        self._guided = {k for n in self.locked for k in range(max(n - APPROACH, 0) + 1, n + NEIGHBOURS)}

    def own(self, number: int) -> Print:
        """Where a footprint is without any locked one."""
        return self._course.footprint(self._course.way(number), 1 - 2 * (number % 2), self._width, self._omega)

    def at(self, number: int) -> Print:
        """Where a footprint is."""
        place, heading = self.own(number)
        if not self.locked or number < 0:
            return place, heading
        move = complex(np.interp(number, self._knots, self._moves.real), np.interp(number, self._knots, self._moves.imag))
        return place + move * heading_vector(heading), self.heading(number, heading)

    def heading(self, number: int, heading: float) -> float:
        """Heading [rad] of a foot that goes along `heading` unless it is locked with a direction."""
        lock = self.locked.get(number)
        if lock is None or lock.yaw_deg is None:
            return heading
        return heading + math.remainder(math.radians(lock.yaw_deg) - heading, 2.0 * math.pi)

    def guides(self, number: int) -> bool:
        """Whether a footstep is led to its place in the plan."""
        return number in self._guided

    def leeway_m(self, number: int) -> float:
        """How far [m] from its wanted place a footstep may land."""
        return LEEWAY_M if number in self.locked else math.inf

    def guided(self, ahead: StepGeometry, foot: complex, facing: complex, number: int) -> StepGeometry:
        """The coming steps led over the plan's footprints. The foot down is the one of that `number`, at `foot`; `ahead` are
        the steps as they would be, in the frame of `facing`. Its deviation from its plan fades to the next locked print."""
        coming = range(number + 1, number + 1 + len(ahead.displacements))
        if self._guided.isdisjoint(coming):
            return ahead
        deviation, place, before, displacements, facings = foot - self.at(number)[0], foot, foot, [], []
        for k, usual, turned in zip(coming, ahead.displacements, ahead.facings, strict=True):
            place += facing * usual
            if k in self._guided:
                place = self.at(k)[0] + deviation * self._left(number, k)
            displacements.append((place - before) / facing)
            facings.append(heading_vector(self.heading(k, cmath.phase(facing * turned))) / facing)
            before = place
        return StepGeometry(tuple(displacements), ahead.sides, tuple(facings))

    def _left(self, number: int, k: int) -> float:
        """Fraction of the deviation of the foot `number` that is left at footprint `k`."""
        goal = next(n for n in self._goals if n > number)
        return max(goal - k, 0) / (goal - max(number, goal - APPROACH))


def _ends(locked: Sequence[int]) -> list[int]:
    """Numbers of the footprints, at either side of locked ones, that stay where they are."""
    ends = []
    for one, other in zip(locked, locked[1:], strict=False):
        if other - one >= 2 * NEIGHBOURS:
            ends += [one + NEIGHBOURS, other - NEIGHBOURS]
    return [max(locked[0] - NEIGHBOURS, 0), *ends, locked[-1] + NEIGHBOURS] if locked else []
