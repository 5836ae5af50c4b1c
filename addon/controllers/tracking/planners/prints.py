# SPDX-License-Identifier: GPL-3.0-or-later
"""The footprints of a steady walk, some of them locked elsewhere and their neighbours moved along: what is planned before
the walk, and how the steps are led there."""

from __future__ import annotations

import cmath
import math
from collections.abc import Sequence

import numpy as np

from ....specs.footprints import Footprint
from .course import Course
from .footsteps import StepGeometry, heading_vector
from .prints_reach import Print, check_reach, check_turns_of

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
