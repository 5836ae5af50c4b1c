# SPDX-License-Identifier: GPL-3.0-or-later
"""No two strides alike: what people's steps and carriage vary by, drawn from a seed (docs/notes/alive.md). Steps are numbered;
what differs from one to the next is remembered by the next ones (a first-order autoregression). Trunk, head and arms wander
slowly, whatever the steps do."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ...bodies.body import Body, kind_of
from ...maths.rotations import quat_from_rotvec, quat_multiply
from ...motions.cycle import layout
from ...specs.shot import EARTH_GRAVITY_M_S2

MEMORY = 0.6
"""Correlation of one step with the next (strides of people remember those before them for long: Hausdorff et al. 1995)."""
MOST_SD = 2.2
"""Draws beyond it are cut off: nobody stumbles by chance."""
TIME_SD, LENGTH_SD, WIDTH_SD_LEGS = 0.031, 0.015, 0.028
"""Standard deviations of a step's time and, beside what time gives it, of its length, over their own; and of the feet's distance
over leg length. Strides then vary by 2 to 3 % in time and 2 to 4 % in length, and widths by 2 cm, as people's do."""
LIGHT_EXPONENT = 0.45
"""Of gravity over Earth's, below it, in what time and length vary: the push that makes a step unlike the last one is held to the
ground by the weight alone. At 0.25 a walk on the Moon stumbled once a minute, at 0 those on Callisto and Pluto more often."""
LINE_SHARE = 0.7
"""Of how far a foot lies off its drawn place, beside the way, that the next step makes up for: of 60 s on
Earth the COM strays by 9 cm at 0.35, by 5 at 0.7."""
SIDES_SD = 0.012
"""The same of left steps against right ones, which do not change."""
WAVES, SLOWEST_HZ, FASTEST_HZ = 7, 0.04, 0.45
"""Sines of which the wandering is made, and their frequencies: posture drifts below half a hertz."""
WANDER_DEG = {"spine": 0.5, "chest": 0.6, "neck": 0.7, "head": 1.2, "clavicle": 0.5, "upper_arm": 1.5, "forearm": 1.5,
              "hand": 2.0}
"""Standard deviation of each channel of a joint."""
CARRIED_DEG = {"neck": 0.5, "head": 0.7, "clavicle": 0.7, "upper_arm": 1.5, "forearm": 3.0}
"""The same of how a character carries itself all the time, by which its left side differs from its right."""
ARMS_SD, ARM_SIDES_SD = 0.10, 0.12
"""Of the swing of the arms over their own: as it changes, and of one arm against the other."""
FIXED_LEGS = 0.54
"""Distance [leg lengths] of the point that the head stays turned to while it rises and falls: heads nod by 4 to 9 degrees a
stride in captured walks."""


@dataclass(frozen=True)
class Variation:
    """How much strides vary, over people, the seed from which it is drawn, and how long [s] a shot that goes on went before."""

    size: float = 0.0
    seed: int = 0
    since_s: float = 0.0

    def draws(self, what: int) -> np.random.Generator:
        """Random numbers for one purpose."""
        return np.random.default_rng((self.seed, 33, what))


class StepVariation:
    """Time, length and place of numbered steps, over the gait's own. Where there is no variation they are 1, 1 and 0."""

    def __init__(self, variation: Variation, leg_m: float, gravity_m_s2: float = EARTH_GRAVITY_M_S2) -> None:
        self._rng, self._size, self._leg_m = variation.draws(0), variation.size, leg_m
        self._pace = self._size * min(gravity_m_s2 / EARTH_GRAVITY_M_S2, 1.0) ** LIGHT_EXPONENT
        self._sides = self._pace * SIDES_SD * np.clip(variation.draws(1).standard_normal(2), -MOST_SD, MOST_SD)
        self._rows: list[np.ndarray] = []

    def _row(self, number: int) -> np.ndarray:
        """Draws (3,) of a step for its time, length and width, each of variance 1."""
        while len(self._rows) <= number:
            fresh = np.clip(self._rng.standard_normal(3), -MOST_SD, MOST_SD)
            before = self._rows[-1] if self._rows else fresh / math.sqrt(1.0 - MEMORY**2)
            self._rows.append(MEMORY * before + math.sqrt(1.0 - MEMORY**2) * fresh)
        return self._rows[number]

    def time(self, number: int, side: int) -> float:
        """Duration of the step to a footprint of that number, on `side` (+1 left, -1 right), over the gait's."""
        if not self._size:
            return 1.0
        return 1.0 + self._pace * TIME_SD * float(self._row(number)[0]) + side * float(self._sides[0])

    def length(self, number: int, side: int) -> float:
        """Its length over the gait's: a step that takes longer goes further."""
        if not self._size:
            return 1.0
        return self.time(number, side) + self._pace * LENGTH_SD * float(self._row(number)[1]) + side * float(self._sides[1])

    def aside_m(self, number: int, side: int) -> float:
        """How far [m] to the left of its own place the footprint lies: narrower and wider about the way, so that it stays."""
        if not self._size:
            return 0.0
        return 0.5 * side * self._size * WIDTH_SD_LEGS * self._leg_m * float(self._row(number)[2])

    def varied(self, travel: Sequence[complex], number: int, side: int, aside_m: float) -> list[complex]:
        """How far the coming steps go, forward + i left [m], as they vary; the foot down has that `number` and `side` and lies
        `aside_m` to the left of its own place, for which the next step makes up in part."""
        if not self._size:
            return list(travel)
        asides = [self.aside_m(number + i, side * (-1) ** i) for i in range(len(travel) + 1)]
        asides[0] += LINE_SHARE * (aside_m - asides[0])
        return [complex(distance.real * self.length(number + i, side * (-1) ** i), distance.imag + asides[i] - asides[i - 1])
                for i, distance in enumerate(travel, start=1)]


class Wandering:
    """Channels that drift slowly, each about 0 by `size` of its own standard deviation (n,), drawn from `rng`."""

    def __init__(self, rng: np.random.Generator, size: float, deviations: np.ndarray) -> None:
        shape = (len(deviations), WAVES)
        self._rates = 2.0 * math.pi * np.exp(rng.uniform(math.log(SLOWEST_HZ), math.log(FASTEST_HZ), shape))
        self._phases = rng.uniform(0.0, 2.0 * math.pi, shape)
        self._waves = math.sqrt(2.0 / WAVES) * size * deviations[:, None]

    def at(self, time_s: float) -> np.ndarray:
        """The channels (n,) at a time."""
        return (self._waves * np.sin(self._rates * time_s + self._phases)).sum(axis=1)


class CarriageVariation:
    """How trunk, head and arms of a walking body differ from its cycle's: they wander, one arm swings more than the other, the
    head nods against the rise and fall of the body. `time_s` is the time for which it is asked. `nods` scales the nodding."""

    def __init__(self, variation: Variation, body: Body, names: Sequence[str], nods: float = 1.0) -> None:
        """`names` are the joints, in the order of the channels that are moved: three of a ball, one of a hinge."""
        self.time_s, self._since_s = 0.0, variation.since_s
        kinds = [name for name in names for _ in range(_width(name))]
        rng = variation.draws(2)
        size, sizes, carried = variation.size, *(free_of(table, kinds, body) for table in (WANDER_DEG, CARRIED_DEG))
        self._wandering = Wandering(rng, size, np.append(sizes, [ARMS_SD, ARMS_SD]))
        self._carried = size * carried * np.clip(rng.standard_normal(len(kinds)), -MOST_SD, MOST_SD)
        arms = size * ARM_SIDES_SD * float(np.clip(rng.standard_normal(), -MOST_SD, MOST_SD))
        self._arms = {side: (sign * arms, [i for i, name in enumerate(kinds) if name in (f"upper_arm_{side}", f"forearm_{side}")])
                      for side, sign in (("L", 1.0), ("R", -1.0))}
        bend = [kinds.index(name) + 1 for name in ("neck", "head") if name in kinds]
        self._nod = bend, min(size, 1.0) * nods / (FIXED_LEGS * body.leg_length_m * max(len(bend), 1))

    def moved(self, channels: np.ndarray, mean: np.ndarray, rise_m: np.ndarray) -> np.ndarray:
        """Channels (k, C) whose means over the cycle are (C,), of moments at which the body is `rise_m` (k,) higher than in the
        mean [m]."""
        waves = self._wandering.at(self._since_s + self.time_s)
        found = channels + (waves[:-2] + self._carried)
        for (share, columns), wave in zip(self._arms.values(), waves[-2:], strict=True):
            found[:, columns] += (share + wave) * (channels[:, columns] - mean[columns])
        columns, share = self._nod
        found[:, columns] += share * rise_m[:, None]
        return found


class PostureVariation:
    """How trunk, head and arms of somebody who stands differ from the planned pose: they wander, and left differs from right."""

    def __init__(self, variation: Variation, body: Body) -> None:
        slots = {name: slot for name, slot in body.coordinate_slots.items() if kind_of(name) in WANDER_DEG}
        balls = {name: start for name, (start, stop) in slots.items() if stop - start == 4}
        hinges = {name: start for name, (start, stop) in slots.items() if stop - start == 1}
        self._balls, self._hinges = np.array([*balls.values()])[:, None] + np.arange(4), [*hinges.values()]
        names, rng = [*(name for name in balls for _ in range(3)), *hinges], variation.draws(3)
        size, sizes, carried = variation.size, *(free_of(table, names, body) for table in (WANDER_DEG, CARRIED_DEG))
        self._wandering = Wandering(rng, size, sizes)
        self._carried = size * carried * np.clip(rng.standard_normal(len(names)), -MOST_SD, MOST_SD)
        self.there = size > 0.0

    def moved(self, pose: np.ndarray, time_s: float, share: float = 1.0) -> np.ndarray:
        """A pose (nq,) with a share of what differs at a time."""
        turns = share * (self._wandering.at(time_s) + self._carried)
        moved, count = pose.copy(), 3 * len(self._balls)
        moved[self._balls] = quat_multiply(pose[self._balls], quat_from_rotvec(turns[:count].reshape(-1, 3)))
        moved[self._hinges] += turns[count:]
        return moved


def free_of(table: Mapping[str, float], names: Sequence[str], body: Body) -> np.ndarray:
    """What a table [degrees] has of joints, in radians; 0 of those that hold a load."""
    still = {} if body.carries is None else body.carries.held
    return np.radians([0.0 if name in still else table.get(kind_of(name), 0.0) for name in names])


def _width(name: str) -> int:
    """How many channels a joint has in a cycle."""
    rows = layout().slices[name]
    return rows.stop - rows.start
