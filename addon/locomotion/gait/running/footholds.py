# SPDX-License-Identifier: GPL-3.0-or-later
"""Where the feet of a running body land, and where their centre of pressure goes: from step to step around an orbit.

The periodic orbit of a running gait: heights and footholds, each of which needs the other, brought to agree.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ....bodies.body import Body
from ...legged.foot_geometry import FootGeometry
from ...legged.pose import GaitTables
from ..walk.footsteps import SIGN
from .contact_schedule import ContactClock, RunningSettings
from .heights import ACCELERATION_FRACTIONS, INTERVALS, GroundMap, Orbit, OrbitRow, RunningHeights, load_fractions


@dataclass(frozen=True)
class FootholdPlan:
    """Landing places of feet in the air, the centre of pressure wanted now (None in flight), and the COM's place and velocity
    `leaving` (2,) the ground, in flight now; in the heading's frame."""

    targets: dict[str, complex]
    cop: complex | None
    leaving: np.ndarray


class Footholds:
    """Footholds of one gait. All places are complex in the path's frame: forward + i left of its tangent at the body."""

    def __init__(
        self, tables: GaitTables, body: Body, clock: ContactClock, heights: RunningHeights, velocity: complex,
        settings: RunningSettings,
    ) -> None:
        self._clock, self._settings, self.velocity, self._leg = clock, settings, velocity, body.leg_length_m
        geometry, s = FootGeometry(body, "L"), settings
        shares = (np.arange(INTERVALS) + 0.5) / INTERVALS
        _, ball, tip = geometry.rolls
        along = s.cop_begin * ball, s.cop_middle * ball, ball + s.cop_end * (tip - ball)
        self._along, self._displacement = along, tables.displacement
        self._loads = [load_fractions(b.contacts, shares) for b in clock.steps]
        self._rolls = [(load * self._offsets(b.contacts, shares)).sum(axis=1)
                       for b, load in zip(clock.steps, self._loads, strict=True)]
        ratio = velocity.real / clock.frequency / tables.stride_m
        self._pattern = [self._places(tables, b, ratio) for b in clock.steps]
        self._wished = velocity
        self.solve_orbit(heights)

    def _offsets(self, contacts: Sequence[Any], shares: np.ndarray) -> np.ndarray:
        """Centre of pressure from each foot's ankle (n, J), forward + i left [m], at shares (n,) of the ground phase."""
        stances = [(shares - c.on) / (c.off - c.on) for c in contacts]
        shifts = [self._displacement.stance_cop_shift(stance, c.side) for c, stance in zip(contacts, stances, strict=True)]
        rolls = [np.interp(stance, (0.0, 0.5, 1.0), self._along) for stance in stances]
        return np.stack([*np.add(rolls, shifts)], axis=1)

    @staticmethod
    def _places(tables: GaitTables, step: Any, ratio: float) -> np.ndarray:
        """Places (J,) of a step's feet from the travelling middle of the body when they land."""
        places = []
        for c in step.contacts:
            x = tables.table.value(tables.phases[c.side].strike)[tables.foot_slice(c.side).start]
            ahead = tables.displacement.outward(0.0)[0]
            places.append(complex(ratio * x + ahead, 0.5 * SIGN[c.side] * tables.width_m))
        return np.array(places)

    def solve_orbit(self, heights: RunningHeights) -> None:
        """Ground maps and periodic orbit for the planned heights."""
        clock = self._clock
        self._maps = [GroundMap(heights.nominal(k), heights.gravity, self._loads[k], self._rolls[k])
                      for k in range(len(clock.steps))]
        onsets = [np.array([c.on * clock.ground_s[k] for c in b.contacts]) for k, b in enumerate(clock.steps)]
        self.orbit = Orbit(self._maps, clock.ground_s, clock.flight_s, onsets, self._pattern)

    def orbit_coms(self, index: int, shares: Sequence[float]) -> list[complex]:
        """COM places on the orbit at shares of a step's ground phase."""
        row, ground = self.orbit.at(index, self.velocity), self._maps[index]
        end = np.array([row.com_leaving, row.leaving])
        found = []
        for share in shares:
            state, feet, own = ground.at(share)
            found.append(complex(np.linalg.solve(state, end - feet @ row.places - own)[0]))
        return found

    def starting_motion(self, fall_s: float) -> tuple[complex, complex]:
        """COM place and velocity at the top of the flight before the first step, from which it falls for `fall_s`."""
        row = self.orbit.at(self._clock.next_index, self.velocity)
        return row.com - fall_s * row.velocity, row.velocity

    def starting_places(self) -> dict[str, tuple[complex, complex]]:
        """Each foot's last and next place on the orbit, seen from the flight before the first step."""
        places: dict[str, tuple[complex, complex]] = {}
        stride = self.velocity * self.orbit.period_s
        for k, step in enumerate(self._clock.steps):
            row = self.orbit.at(k, self.velocity)
            for c, place in zip(step.contacts, row.places.tolist(), strict=True):
                places[c.side] = (place - stride, place)
        return places

    def plan(self, com: complex, velocity: complex, forward: float, down: dict[str, complex], flight_s: float,
             curvature: float = 0.0) -> FootholdPlan:
        """Plan from the COM's place and velocity [m, m/s] and the wanted mean velocity. `down` are the places of the feet
        that have landed in the present step; `flight_s` is the time that the flight, present or coming, has left;
        `curvature` [1/m] that of the path, whose tangent the frame lies along where the COM is."""
        self._here, self._curvature = com.real, curvature
        clock = self._clock
        targets: dict[str, complex] = {}
        cop = None
        if clock.grounded:
            cop, end = self._on_ground(com, velocity, down, targets)
        else:
            end = np.array([com, velocity])
        coming = end[0] + end[1] * flight_s, end[1]
        self._land(clock.next_index, coming, forward, targets)
        return FootholdPlan(targets, cop, end)

    def _wish(self, index: int, com: complex, forward: float) -> tuple[OrbitRow, complex]:
        """The orbit for the wanted velocity, with a lean back to the middle line."""
        s, clock = self._settings, self._clock
        ahead = com.real - self._here
        cross_track = com.imag - self.orbit.at(index, complex(forward)).com.imag - 0.5 * self._curvature * ahead**2
        whole = clock.ground_s[index] + clock.flight_s[index]
        limit = s.lateral_limit * self.velocity.real
        wish = complex(forward, min(max(-s.lateral_fraction * cross_track / whole, -limit), limit))
        wish *= 1.0 + 1j * self._curvature * (ahead + 0.5 * forward * whole)  # the way the path runs half through the step
        return self.orbit.at(index, wish), wish

    def _on_ground(self, com: complex, velocity: complex, down: dict[str, complex],
                   targets: dict[str, complex]) -> tuple[complex, np.ndarray]:
        """Centre of pressure wanted now and the state (2,) expected at take-off; places of feet that land in this step."""
        s, clock, k = self._settings, self._clock, self._clock.index
        contacts = clock.step.contacts
        wish = self._wished
        row = self.orbit.at(k, wish)
        state, feet, own = self._maps[k].at(clock.fraction)
        first = next(j for j, c in enumerate(contacts) if c.side in down)
        shift = down[contacts[first].side] - row.places[first]
        places = np.array([down.get(c.side, p + shift) for c, p in zip(contacts, row.places.tolist(), strict=True)])
        end = state @ np.array([com, velocity]) + feet @ places + own
        move = self._pressure_move(state, row.leaving - end[1])
        end = end + np.array([1.0 - state[0, 0], -state[1, 0]]) * move
        waiting = [j for j, c in enumerate(contacts) if c.side not in down]
        if waiting:  # what the feet that stand can make good leaves the coming ones where they were led to in flight
            lever = feet[1, waiting].sum()
            step = self._limited((row.leaving - end[1]) * lever / (lever**2 + 1e-2), 0.6 * s.deviation_limit * self._leg)
            places[waiting] += step
            end = end + feet[:, waiting].sum(axis=1) * step
            for j in waiting:
                targets[contacts[j].side] = complex(places[j])
        now = np.array([clock.fraction])
        load = load_fractions(contacts, now)[0]
        cop = complex(load @ places + (load * self._offsets(contacts, now)[0]).sum()) + move
        return cop, end

    def _pressure_move(self, state: np.ndarray, missing: complex) -> complex:
        """Shift of the centre of pressure, as far as the feet allow, for what the take-off velocity would miss [m/s]; `state`
        (2, 2) is the ground map's."""
        s, lever = self._settings, -state[1, 0]
        wanted = s.cop_gain * missing * lever / (lever**2 + 0.05 * self._maps[self._clock.index].state[0][1, 0] ** 2)
        limit_x, limit_y = s.cop_forward_limit * self._leg, s.cop_lateral_limit * self._leg
        return complex(min(max(wanted.real, -limit_x), limit_x), min(max(wanted.imag, -limit_y), limit_y))

    def _land(self, index: int, coming: tuple[complex, complex], forward: float, targets: dict[str, complex]) -> None:
        """Places for the feet of the step that begins in a state, and of those that land in the ones after it."""
        s, clock = self._settings, self._clock
        com, velocity = coming
        row, wish = self._wish(index, com, forward)
        if not clock.grounded:
            self._wished = wish
        ground = self._maps[index]
        gain = (ground.state[0][1, 1] - s.velocity_kept) / ground.state[0][1, 0]
        shift = com - row.com + self._limited(gain * (velocity - row.velocity), s.deviation_limit * self._leg)
        contacts = clock.steps[index].contacts
        for c, place in zip(contacts, row.places.tolist(), strict=True):
            targets.setdefault(c.side, place + shift)
        for ahead in range(1, len(clock.steps) + 1):
            if len(targets) == len(SIGN):
                break
            k = (index + ahead) % len(clock.steps)
            later = self.orbit.at(k, wish)
            stride = wish * self.orbit.period_s * ((index + ahead) // len(clock.steps))
            for c, place in zip(clock.steps[k].contacts, later.places.tolist(), strict=True):
                targets.setdefault(c.side, place + stride + shift)

    @staticmethod
    def _limited(vector: complex, limit: float) -> complex:
        """A vector cut to a length."""
        size = abs(vector)
        return vector if size <= limit else vector * (limit / size)


FITTING_ROUNDS = 2


def fit_orbit(
    tables: GaitTables, body: Body, clock: ContactClock, speed_m_s: float, gravity_m_s2: float, settings: RunningSettings,
    slope: float,
) -> tuple[RunningHeights, Footholds]:
    """Heights and footholds at a speed under a gravity, over ground that rises by `slope` per metre of the way."""
    heights = RunningHeights(tables, body, clock, gravity_m_s2, settings, slope)
    footholds = Footholds(tables, body, clock, heights, complex(speed_m_s), settings)
    for _ in range(FITTING_ROUNDS):
        steps = range(len(clock.steps))
        heights.fit_reach([footholds.orbit.at(k, footholds.velocity) for k in steps],
                          [footholds.orbit_coms(k, ACCELERATION_FRACTIONS) for k in steps])
        footholds.solve_orbit(heights)
    return heights, footholds
