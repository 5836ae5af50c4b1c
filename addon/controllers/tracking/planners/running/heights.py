# SPDX-License-Identifier: GPL-3.0-or-later
"""Heights of the centre of mass over a running step: at touch-down and take-off within the leg's reach, between them by plan."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from .....bodies.body import Body
from .....maths.quaternions import matrix_from_quat, quat_from_rotvec
from ..foot_path import FootPose, Footstep
from ..gait_tables import GaitTables
from .com_path import RunningPath
from .contact_schedule import ContactClock
from .horizontal import OrbitRow
from .settings import RunningSettings
from .vertical import Motion, Quintic, fall_time, ground_phase, take_off_speed

ACCELERATION_FRACTIONS = (0.6, 0.7, 0.8, 0.9, 1.0)
"""Fractions of the ground phase at which the accelerating leg is asked whether it reaches."""
FITTING_ROUNDS = 6
LEVELLING_ROUNDS, LEVELLING = 30, 0.1
"""Rounds in which the heights of touch-down and take-off are brought together, and by which fraction of their difference."""
UNEVEN = 1.12
"""Greatest force of the orbit's ground phase over that of an even one."""
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
        self, tables: GaitTables, body: Body, clock: ContactClock, gravity: float, settings: RunningSettings,
        slope: float = 0.0,
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
        self._plan: Quintic
        self._since_s = 0.0

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
        if plan.range()[1] + self.gravity > UNEVEN * even:
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

    def coming_flight_s(self, height_m: float, velocity_m_s: float) -> float:
        """Time of the flight after the present step for errors of height and velocity against the plan at take-off."""
        k = self._clock.index
        rise = self.take_off_m[k] + height_m - self.touch_down_m[self._clock.next_index]
        return fall_time(rise, self.take_off_m_s[k] + velocity_m_s, self.gravity)

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
        self._plan = Quintic(start, (self.take_off_m[k], leap * self.take_off_m_s[k], -self.gravity), clock.ground_left_s)
        return self._plan.range()

    def on_ground(self, z: float, v: float) -> Motion:
        """Planned motion now, the body being at height z [m] with velocity v [m/s]."""
        clock = self._clock
        if 0.0 < clock.fraction < self._settings.refit_until:
            now = self._plan.at(self._begun_s - clock.ground_left_s).acceleration
            self._plan_to_end(z, v, max(now, -self.gravity))
        return self._plan.at(self._begun_s - clock.ground_left_s)
