# SPDX-License-Identifier: GPL-3.0-or-later
"""Heights of the centre of mass over a running step: at touch-down and take-off within the leg's reach, between them by plan.

The vertical motion of a running step: a quintic on the ground from the measured state to take-off, a parabola in the air.

The horizontal motion of a step: forces that pass through the centre of mass make it linear in state and footholds.

With the vertical plan z(t) the horizontal COM obeys c'' = w^2 (c - r), w^2 = (g + z'') / z, r the centre of pressure: the
pendulum of Englsberger, Ott and Albu-Schaeffer 2015 with a rate that changes as the ground pushes. So the state at take-off
is a matrix times the state now, plus one column a foothold. Horizontal vectors are complex, forward + i left.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from ....bodies.body import Body
from ....maths.rotations import matrix_from_quat, quat_from_rotvec
from ...legged.foot_geometry import FootPose, Footstep
from ...legged.pose import GaitTables
from .contact_schedule import Contact, ContactClock, RunningSettings
from .feet import RunningPath

INSTANTS = np.linspace(0.08, 0.92, 12)
"""Fractions of a plan's time at which its accelerations are looked at."""


class Motion(NamedTuple):
    """Height [m], velocity [m/s], acceleration [m/s^2] and jerk [m/s^3]."""

    height: float
    velocity: float
    acceleration: float
    jerk: float


class Quintic:
    """Height over time with given height, velocity and acceleration at both ends of `duration_s`."""

    def __init__(self, start: tuple[float, float, float], end: tuple[float, float, float], duration_s: float) -> None:
        t, (z0, v0, a0), (z1, v1, a1) = duration_s, start, end
        self.duration_s = t
        gap, rate, second = z1 - z0 - v0 * t - 0.5 * a0 * t * t, (v1 - v0 - a0 * t) * t, (a1 - a0) * t * t
        self._c = (z0, v0, 0.5 * a0, (10.0 * gap - 4.0 * rate + 0.5 * second) / t**3,
                   (-15.0 * gap + 7.0 * rate - second) / t**4, (6.0 * gap - 3.0 * rate + 0.5 * second) / t**5)

    def at(self, time_s: Any) -> Motion:
        """The motion `time_s` after the start, numbers or arrays of its shape."""
        t = time_s
        a, b, c, d, e, f = self._c
        return Motion(a + t * (b + t * (c + t * (d + t * (e + t * f)))),
                      b + t * (2 * c + t * (3 * d + t * (4 * e + t * 5 * f))),
                      2 * c + t * (6 * d + t * (12 * e + t * 20 * f)), 6 * d + t * (24 * e + t * 60 * f))

    def range(self) -> tuple[float, float]:
        """Least and greatest acceleration of some instants on the way [m/s^2]."""
        accelerations = self.at(INSTANTS * self.duration_s).acceleration
        return float(np.min(accelerations)), float(np.max(accelerations))


def ground_phase(touch_down_m: float, take_off_m: float, speeds: tuple[float, float], ground_s: float, gravity: float) -> Quintic:
    """A ground phase that begins and ends without force, from the downward to the upward one of `speeds` [m/s]."""
    return Quintic((touch_down_m, -speeds[0], -gravity), (take_off_m, speeds[1], -gravity), ground_s)


def take_off_speed(rise_m: float, flight_s: float, gravity: float) -> float:
    """Upward velocity [m/s] of a flight of `flight_s` that ends `rise_m` higher than it begins: v = g t / 2 + h / t."""
    return 0.5 * gravity * flight_s + rise_m / flight_s


def fall_time(height_m: float, velocity_m_s: float, gravity: float) -> float:
    """Time [s] until a body in flight, `height_m` above a level, is down at it; 0 when it is below and falls."""
    square = velocity_m_s**2 + 2.0 * gravity * height_m
    if square <= 0.0:
        return max(velocity_m_s, 0.0) / gravity
    return max((velocity_m_s + math.sqrt(square)) / gravity, 0.0)


INTERVALS = 32
LEAST_RAMP = 0.08
"""Least share of the ground phase in which a foot takes over or gives up its load beside another one."""


class GroundMap:
    """From the state at share s of the ground phase to the state at take-off.

    x_end = state(s) x + sum_j feet(s)_j p_j + own(s), with x = (c, v), p_j the places of the contacts' feet. Rows of
    `state` (n, 2, 2), `feet` (n, 2, J), `own` (n, 2), n = INTERVALS + 1.
    """

    def __init__(self, vertical: Quintic, gravity: float, loads: np.ndarray, offsets: np.ndarray) -> None:
        count = INTERVALS
        step = vertical.duration_s / count
        motion = vertical.at((np.arange(count) + 0.5) * step)
        rates = np.sqrt(np.maximum((gravity + motion.acceleration) / motion.height, 1e-6))
        cosh, sinh = np.cosh(rates * step), np.sinh(rates * step)
        feet_count = loads.shape[1]
        self.state = np.empty((count + 1, 2, 2))
        self.feet = np.zeros((count + 1, 2, feet_count))
        self.own = np.zeros((count + 1, 2), dtype=complex)
        self.state[count] = np.eye(2)
        for i in reversed(range(count)):
            s = np.array([[cosh[i], sinh[i] / rates[i]], [rates[i] * sinh[i], cosh[i]]])
            push = self.state[i + 1] @ np.array([1.0 - cosh[i], -rates[i] * sinh[i]])
            self.state[i] = self.state[i + 1] @ s
            self.feet[i] = self.feet[i + 1] + np.outer(push, loads[i])
            self.own[i] = self.own[i + 1] + push * offsets[i]

    def at(self, share: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """(2, 2), (2, J), (2,) at a share of the ground phase."""
        place = min(max(share, 0.0), 1.0) * INTERVALS
        i = min(int(place), INTERVALS - 1)
        w = place - i
        return tuple(rows[i] + w * (rows[i + 1] - rows[i]) for rows in (self.state, self.feet, self.own))


def load_fractions(contacts: Sequence[Contact], shares: np.ndarray) -> np.ndarray:
    """Share (n, J) of the load that each foot carries at shares (n,) of the ground phase; rows sum to 1."""
    if len(contacts) == 1:
        return np.ones((len(shares), 1))
    overlap = max(min(c.off for c in contacts) - max(c.on for c in contacts), 0.0)
    ramp = max(min(overlap, 0.3), LEAST_RAMP)
    raw = np.stack([np.minimum((shares - c.on) / ramp, (c.off - shares) / ramp) for c in contacts], axis=1)
    raw = np.minimum(np.maximum(raw, 0.0), 1.0) + 1e-9
    alone = raw.sum(axis=1) < 1e-6  # between two feet: the nearer one's place is meant
    raw[alone] = np.stack([np.exp(-40.0 * np.maximum(c.on - shares, shares - c.off)) for c in contacts], axis=1)[alone]
    return raw / raw.sum(axis=1, keepdims=True)


class OrbitRow(NamedTuple):
    """The periodic orbit at one step: COM at touch-down (from the orbit's origin, on the path's middle line), velocities
    at touch-down and take-off, the feet's places (J,), COM at take-off."""

    com: complex
    velocity: complex
    leaving: complex
    places: np.ndarray
    com_leaving: complex


class Orbit:
    """The periodic orbit of a cycle of running steps for any mean velocity: a constant part and one in proportion to it."""

    def __init__(
        self, maps: Sequence[GroundMap], ground_s: Sequence[float], flight_s: Sequence[float],
        onsets_s: Sequence[np.ndarray], offsets: Sequence[np.ndarray],
    ) -> None:
        """`onsets_s[k]` (J,) are the landing times of step k's feet after its touch-down, `offsets[k]` (J,) complex their
        places from the travelling middle of the body."""
        starts = np.concatenate([[0.0], np.cumsum(np.add(ground_s, flight_s))])
        self.period_s = float(starts[-1])
        constant = [np.asarray(o, dtype=complex) for o in offsets]
        moving = [starts[k] + np.asarray(t, dtype=float) + 0j for k, t in enumerate(onsets_s)]
        self._parts = [self._solve(maps, flight_s, constant, True, 0.0),
                       self._solve(maps, flight_s, moving, False, self.period_s)]

    @staticmethod
    def _solve(
        maps: Sequence[GroundMap], flight_s: Sequence[float], places: Sequence[np.ndarray], own: bool, travel: float
    ) -> list[OrbitRow]:
        matrix, vector = np.eye(2), np.zeros(2, dtype=complex)
        for ground, flight, place in zip(maps, flight_s, places, strict=True):
            fly = np.array([[1.0, flight], [0.0, 1.0]])
            matrix = fly @ ground.state[0] @ matrix
            vector = fly @ (ground.state[0] @ vector + ground.feet[0] @ place + (ground.own[0] if own else 0.0))
        x = np.linalg.solve(matrix - np.eye(2), np.array([travel, 0.0]) - vector)
        rows = []
        for ground, flight, place in zip(maps, flight_s, places, strict=True):
            end = ground.state[0] @ x + ground.feet[0] @ place + (ground.own[0] if own else 0.0)
            rows.append(OrbitRow(complex(x[0]), complex(x[1]), complex(end[1]), place, complex(end[0])))
            x = np.array([[1.0, flight], [0.0, 1.0]]) @ end
        return rows

    def at(self, index: int, velocity: complex) -> OrbitRow:
        """The orbit at a step for a mean velocity [m/s]."""
        a, b = self._parts[0][index], self._parts[1][index]
        return OrbitRow(a.com + velocity * b.com, a.velocity + velocity * b.velocity, a.leaving + velocity * b.leaving,
                        a.places + velocity * b.places, a.com_leaving + velocity * b.com_leaving)


ACCELERATION_FRACTIONS = (0.6, 0.7, 0.8, 0.9, 1.0)
"""Fractions of the ground phase at which the accelerating leg is asked whether it reaches."""
FITTING_ROUNDS = 6
LEVELLING_ROUNDS, LEVELLING = 30, 0.1
"""Rounds in which the heights of touch-down and take-off are brought together, and by which fraction of their difference."""
PULL = 1.02
"""Downward acceleration over gravity that a plan may ask for: hardly more than that of a fall, as the ground cannot pull."""
ATTEMPTS = ((1.0, 1.0), (0.9, 1.0), (1.1, 1.0), (0.8, 1.0), (1.2, 1.0), (0.7, 1.0), (1.3, 1.0), (1.0, 0.9), (1.3, 0.9),
            (1.0, 0.75), (1.3, 0.75), (1.0, 0.6), (1.3, 0.6), (0.7, 0.6))
"""What is tried where the force would be too great, or the body would have to be pulled down: how much longer what is left of
the ground phase becomes, and the speed of the leap over the orbit's."""


class RunningHeights:
    """`touch_down_m`, `take_off_m` and `take_off_m_s` of each step, and the running plan of the present ground phase; over
    the level of ground that rises by `slope` per metre of the way."""

    def __init__(
        self, tables: GaitTables, body: Body, clock: ContactClock, gravity: float, settings: RunningSettings, slope: float = 0.0,
    ) -> None:
        self._tables, self._clock, self.gravity, self._settings = tables, clock, gravity, settings
        self._leg, self._slope = body.leg_length_m, slope
        self._hip = {side: np.asarray(body.segment(f"thigh_{side}").offset) for side in ("L", "R")}
        self._paths = {side: RunningPath(tables, side, 0.0) for side in ("L", "R")}
        ends = [(b.start, b.start + b.ground) for b in clock.steps]
        self.touch_down_m = [float(self.cycle_height(on)) for on, _ in ends]
        self.take_off_m = [float(self.cycle_height(off)) for _, off in ends]
        self._set_speeds()
        self._peaks = [math.inf] * len(ends)
        self._higher = 1.0
        self._plan: Quintic

    def cycle_height(self, phase: float) -> Any:
        """Height [m] of the cycle's COM at a phase."""
        return self._tables.table.value(phase)[..., 0]

    def _set_speeds(self) -> None:
        """Take-off velocities that give the flights their time."""
        count = len(self.touch_down_m)
        self.take_off_m_s = [take_off_speed(self.touch_down_m[(k + 1) % count] - self.take_off_m[k], self._clock.flight_s[k],
                                            self.gravity) for k in range(count)]

    def fit_reach(self, rows: Sequence[OrbitRow], coms: Sequence[Sequence[complex]]) -> None:
        """Lower touch-down and take-off where the orbit's feet would be out of the legs' reach, at the end or on the way. Of
        each step: the orbit's row, and its COM places at `ACCELERATION_FRACTIONS` of the ground phase."""
        s, clock, tops = self._settings, self._clock, []
        for k, step in enumerate(clock.steps):
            row = rows[k]
            first, last = step.contacts[0], max(step.contacts, key=lambda c: c.off)
            start = self._highest(step.start, first.side, row.com, complex(row.places[0]), 0.0, s.touch_down_reach)
            self.touch_down_m[k] = min(self.touch_down_m[k], start)
            place, toe_off = complex(row.places[step.contacts.index(last)]), self._paths[last.side].phases.toe_off
            tops.append([self._highest(step.start + share * step.ground, last.side, com, place,
                                       (share - last.on) / (last.off - last.on) * toe_off, s.take_off_reach)
                         for share, com in zip(ACCELERATION_FRACTIONS, coms[k], strict=True)])
        for _ in range(FITTING_ROUNDS):
            self._set_speeds()
            for k, plan in enumerate(self._nominals()):
                over = np.asarray(plan.at(np.array(ACCELERATION_FRACTIONS) * plan.duration_s).height) - tops[k]
                self.take_off_m[k] -= max(float(over.max()), 0.0)
        for _ in range(LEVELLING_ROUNDS):
            self._set_speeds()
            for k, plan in enumerate(self._nominals()):
                self._level_out(k, plan)
        self._set_speeds()
        self._peaks = [plan.range()[1] + self.gravity for plan in self._nominals()]

    def _nominals(self) -> list[Quintic]:
        return [self.nominal(k) for k in range(len(self.touch_down_m))]

    def _level_out(self, index: int, plan: Quintic) -> None:
        """Bring touch-down and take-off of a step nearer to one height while its force is spread much less evenly over its
        time than between equal heights, where its greatest force is 1.5 m g times the step's time over the ground's."""
        clock = self._clock
        even = 1.5 * self.gravity * (1.0 + clock.flight_s[index] / clock.ground_s[index])
        if plan.range()[1] + self.gravity > self._settings.uneven * even:
            gap = self.take_off_m[index] - self.touch_down_m[index]
            lowered = self.take_off_m if gap > 0.0 else self.touch_down_m
            lowered[index] -= LEVELLING * abs(gap)

    def _highest(self, phase: float, side: str, com: complex, place: complex, since: float, reach: float) -> float:
        """COM height at which the leg on `side` is as long as its reach, its foot on `place` at a phase since touch-down."""
        row, path = self._tables.table.value(phase), self._paths[side]
        step = Footstep(side, place, self._tables.foot_yaw[side])
        foot: FootPose = path.standing(step, [since], 0.0)[0]
        foot.ankle[2] += self._slope * (place - com).real
        hip = row[1:4] + matrix_from_quat(quat_from_rotvec(row[4:7])) @ self._hip[side]
        level = np.hypot(com.real + hip[0] - foot.ankle[0], com.imag + hip[1] - foot.ankle[1])
        longest = reach * self._leg
        return float(foot.ankle[2] + np.sqrt(longest**2 - min(level, 0.9 * longest) ** 2) - hip[2])

    def nominal(self, index: int) -> Quintic:
        """The ground phase of the orbit at a step."""
        before = (index - 1) % len(self.touch_down_m)
        fall = self.gravity * self._clock.flight_s[before] - self.take_off_m_s[before]
        return ground_phase(self.touch_down_m[index], self.take_off_m[index], (fall, self.take_off_m_s[index]),
                                self._clock.ground_s[index], self.gravity)

    def apex(self, index: int) -> float:
        """Greatest height [m] of the flight after a step."""
        return self.take_off_m[index] + self.take_off_m_s[index] ** 2 / (2.0 * self.gravity)

    def flown(self, time_s: float) -> Motion:
        """The COM's motion some time [s] after the present step has left the ground as planned."""
        k, fallen = self._clock.index, self.gravity * time_s
        rising = self._higher * self.take_off_m_s[k]
        return Motion(self.take_off_m[k] + time_s * (rising - 0.5 * fallen), rising - fallen, -self.gravity, 0.0)

    def coming_flight_s(self, height_m: float, velocity_m_s: float) -> float:
        """Time of the flight after the present step for errors of height and velocity against the plan at take-off."""
        k = self._clock.index
        rise = self.take_off_m[k] + height_m - self.touch_down_m[self._clock.next_index]
        return fall_time(rise, self._higher * self.take_off_m_s[k] + velocity_m_s, self.gravity)

    def vary_step(self, longer: float) -> None:
        """Let the present running step last so many times as long as the orbit's, by its flight."""
        k, clock = self._clock.index, self._clock
        self._higher = 1.0 + (longer - 1.0) * (1.0 + clock.ground_s[k] / clock.flight_s[k])

    def begin(self, z: float, v: float, acceleration_m_s2: float | None = None) -> None:
        """The clock's ground phase begins at height z [m] with velocity v [m/s], without force unless an upward acceleration is
        given."""
        self._plan_to_end(z, v, -self.gravity if acceleration_m_s2 is None else acceleration_m_s2)

    def _plan_to_end(self, z: float, v: float, acceleration: float) -> None:
        """Plan from height, velocity and acceleration now to the step's take-off. Where that would take much more force
        than the orbit does, or the ground would have to pull, the time on it becomes longer or shorter, or the leap lower."""
        low, high = -PULL * self.gravity, self._settings.peak_force_ratio * self._peaks[self._clock.index] - self.gravity
        misses = []
        for stretch, leap in ATTEMPTS:
            least, most = self._attempt((z, v, acceleration), stretch, leap)
            misses.append(max(low - least, 0.0) + max(most - high, 0.0))
            if misses[-1] == 0.0:
                break
        else:
            self._attempt((z, v, acceleration), *ATTEMPTS[int(np.argmin(misses))])
        self._begun_s = self._clock.ground_left_s

    def _attempt(self, start: tuple[float, float, float], stretch: float, leap: float) -> tuple[float, float]:
        """Plan with the ground phase stretched and the leap lowered; gives the least and greatest acceleration [m/s^2]."""
        k, clock = self._clock.index, self._clock
        clock.stretch = stretch
        leaving = leap * self._higher * self.take_off_m_s[k]
        self._plan = Quintic(start, (self.take_off_m[k], leaving, -self.gravity), clock.ground_left_s)
        return self._plan.range()

    def on_ground(self, z: float, v: float) -> Motion:
        """Planned motion now, the body being at height z [m] with velocity v [m/s]."""
        clock = self._clock
        if 0.0 < clock.fraction < self._settings.refit_until:
            now = self._plan.at(self._begun_s - clock.ground_left_s).acceleration
            self._plan_to_end(z, v, max(now, -self.gravity))
        return self._plan.at(self._begun_s - clock.ground_left_s)
