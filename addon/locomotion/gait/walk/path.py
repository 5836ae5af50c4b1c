# SPDX-License-Identifier: GPL-3.0-or-later
"""Where the walker is on its path, which way it faces, how the COM sways within a step, and footprints laid on the way."""

from __future__ import annotations

import cmath
import dataclasses
import math
from collections.abc import Callable, Sequence

import numpy as np

from ....errors import InputError
from ....specs.path import Footprint
from ....worlds.paths import Path, offset, tangent
from ...legged.capture import backward, remaining
from .footsteps import PREVIEW_STEPS, SIGN, Rhythm, StepGeometry, StepPlanner, along_arc, heading_vector, step_geometry

SAMPLES = 64
WARM_UP_STEPS = 10
TURN_GRID = 0.1
"""Turns a step [rad] for which orbits are made; between them they are interpolated."""


class PeriodicOrbit:
    """COM and COM velocity over a step of the steady gait, for steps on either side, straight or turning.

    In a turn the COM keeps its step length; the feet's circle is wider, so that the COM leans inward.
    """

    def __init__(self, steps: StepPlanner, rhythm: Rhythm, step_length_m: float, width_m: float, omega: float) -> None:
        self._rhythm, self._steps = rhythm, steps
        self._sizes = step_length_m, width_m, omega
        self._rows: dict[tuple[str, int], list[list[complex]]] = {}

    def now(self, turn: float = 0.0) -> tuple[complex, complex]:
        """COM from the stance foot in the frame of that foot, and COM velocity in the frame of the path below the COM,
        forward + i left, at the rhythm's phase. `turn` [rad] is the turn a step."""
        _, whole = self._rhythm.fractions(self._rhythm.stance)
        at = min(max(self._rhythm.local, 0.0) / whole * SAMPLES, SAMPLES - 1.001)
        grid = math.floor(turn / TURN_GRID)
        share = turn / TURN_GRID - grid
        row = self._row(grid, at)
        return row if share < 1e-9 else _between(row, self._row(grid + 1, at), share)

    def straight(self, side: str) -> tuple[np.ndarray, np.ndarray]:
        """Phases (n,) since the strike of a side of a step straight on, and the COM (n,) from that foot there."""
        rows = _orbit(self._steps, self._rhythm, side, *self._sizes, 0.0)[::2]
        return np.arange(0, SAMPLES, 2) / SAMPLES * self._rhythm.fractions(side)[1], rows[:, 0]

    def _row(self, grid: int, at: float) -> tuple[complex, complex]:
        key = self._rhythm.stance, grid
        if key not in self._rows:
            self._rows[key] = _orbit(self._steps, self._rhythm, key[0], *self._sizes, TURN_GRID * grid).tolist()
        rows, low = self._rows[key], int(at)
        return _between(rows[low], rows[low + 1], at - low)


def _between(one: Sequence[complex], other: Sequence[complex], share: float) -> tuple[complex, complex]:
    """COM and velocity some share of the way from one to the other."""
    return one[0] + share * (other[0] - one[0]), one[1] + share * (other[1] - one[1])


def stretch(turn_rate: float, omega: float) -> float:
    """How much wider than the COM's the feet's circle is: c'' = -W^2 c = omega^2 (c - p) gives p = c (1 + (W / omega)^2)."""
    return 1.0 + (turn_rate / omega) ** 2


def _orbit(steps: StepPlanner, rhythm: Rhythm, side: str, length: float, width: float, omega: float, turn: float) -> np.ndarray:
    """Rows (SAMPLES, 2): c' = omega (xi - c) is stable, so some steps of it from anywhere end on the orbit."""
    times, sign, facing, heading = rhythm.stance_times(side), SIGN[side], 1 + 0j, 0.0
    dt, rotation = sum(times) / SAMPLES, heading_vector(turn)
    travel = complex(length * stretch(turn / sum(times), omega))
    middle, rows = -0.5j * sign * width, np.empty((SAMPLES, 2), dtype=complex)
    last = middle - along_arc(travel, -turn, 0.0)
    end = steps.cop_places(last - 0.5j * sign * width / rotation, -sign, 1.0 / rotation)[-1]
    com = end
    for _ in range(WARM_UP_STEPS + 1):
        foot = middle + 0.5j * sign * width * facing
        following = middle + along_arc(travel, heading, heading + turn)
        after = following - 0.5j * sign * width * facing * rotation
        pieces = steps.pieces(end, foot, sign, facing, times)
        turns = [turn * (i + 1) for i in range(PREVIEW_STEPS)]
        geometry = step_geometry([travel] * PREVIEW_STEPS, -sign, width, turns)
        landing = steps.touch_down_capture(pieces[-1].end, after, geometry, facing * rotation, omega, times)
        outward = -1j * facing * travel / turn if turn else 0j
        for i in range(SAMPLES):
            velocity = omega * (backward(landing, remaining(pieces, (i + 0.5) * dt), omega) - com)
            below = facing
            if turn:
                below = facing * (com - (middle - outward)) / outward
                below /= abs(below)
            rows[i] = (com - foot) / facing, velocity / below
            com += dt * velocity
        end, middle, sign = pieces[-1].end, following, -sign
        heading, facing = heading + turn, facing * rotation
    return rows


TURN_MARGIN = 2.0
"""Largest rate of the heading over the path's own: a walker pushed towards the middle of a circle does not spin."""


class Course:
    """Follows a path. `s` [m] is the length at the COM, `stance_s` at the foot in stance, `heading` [rad] that of the body.
    `ways` tells the length at which a footprint lies by its number, where steps are not all alike."""

    def __init__(self, path: Path, speed_m_s: float, step_length_m: float, ways: Callable[[int], float] | None = None) -> None:
        self.path, self.speed, self.step_length, self._ways = path, speed_m_s, step_length_m, ways
        self.s = self.stance_s = 0.0
        self.heading = path.heading(0.0)

    def follow(self, com: complex, dt: float) -> None:
        """Take over where the COM is. `dt` [s] since the last call; 0 for the first, which sets the heading at once."""
        self.s = self.path.locate(com, self.s)
        change = self.path.heading(self.s) - self.heading
        if dt > 0.0:
            limit = TURN_MARGIN * self.path.tightest[0] * self.speed * dt
            change = min(max(change, -limit), limit)
        self.heading += change

    def way(self, number: int) -> float:
        """Length of the path at which a footprint of the plan lies; number 0 is at its start."""
        return self.step_length * number if self._ways is None else self._ways(number)

    def stand(self, place: complex) -> None:
        """The foot in stance is at a place now."""
        self.stance_s = self.path.locate(place, self.stance_s)

    def footprint(self, s: float, sign: int, width_m: float, omega: float) -> tuple[complex, float]:
        """Where a foot of the steady gait stands beside the path at a length, on the left (`sign` +1) or right (-1), and the
        path's heading there. In a turn the feet go outside of the COM."""
        curvature = self.path.curvature(s)
        outward = (stretch(curvature * self.speed, omega) - 1.0) / curvature if curvature else 0.0
        return self.path.point(s) + 1j * tangent(self.path, s) * (0.5 * sign * width_m - outward), self.path.heading(s)

    @property
    def forward(self) -> complex:
        """Unit vector of the heading."""
        return cmath.exp(1j * self.heading)

    def cross_track(self, com: complex) -> float:
        """How far [m] the COM is to the left of the path."""
        return offset(self.path, self.s, com)

    @property
    def turn(self) -> float:
        """Turn of the path over a step around the COM [rad]."""
        half = 0.5 * self.step_length
        return self.path.heading(self.s + half) - self.path.heading(self.s - half)

    @property
    def turn_rate(self) -> float:
        """Rate at which the heading turns at the gait's speed [rad/s]."""
        return self.turn * self.speed / self.step_length

    def headings(self, travel: Sequence[complex]) -> list[float]:
        """Headings [rad] of the foot in stance and of the next ones, each a travel (forward + i left) further."""
        s, headings = self.stance_s, [self.path.heading(self.stance_s)]
        for distance in travel:
            s += distance.real
            headings.append(self.path.heading(s))
        return headings


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
            check_reach(footprints, lambda laid: Prints._bare(course, width_m, omega, laid).at, self.own, leg_m, span, hip_room_m)

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
