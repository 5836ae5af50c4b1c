# SPDX-License-Identifier: GPL-3.0-or-later
"""The plan of a running gait alone: its periodic orbit, from the top of the flight in which the simulation starts."""

from __future__ import annotations

import math

import numpy as np

from .....bodies.body import Body
from .....gaits.running_variables import BounceVariables
from .....motions.cycle import Cycle
from .....specs.shot import EARTH_GRAVITY_M_S2
from .....worlds.ground import Ground, Plane
from .....worlds.paths import Line, Path, tangent
from ....controller import Plan
from ..gait_tables import GaitTables
from ..preview import SAMPLE_S
from ..terrain import dot
from .contact_schedule import BounceClock, bounces
from .orbit import fit_orbit
from .settings import BounceSettings
from .vertical import fall_time

PIECES = 12
"""Pieces of a ground phase between whose ends the COM goes straight."""


def plan_running(
    body: Body, cycle: Cycle, gait: BounceVariables, gravity_m_s2: float, duration_s: float,
    displacement: np.ndarray | None = None, path: Path | None = None, settings: BounceSettings | None = None,
    ground: Ground | None = None,
) -> Plan:
    """Plan a gait with flight along a path, straight by default. `displacement` (6, 3) is the gait's displacement map; the
    ground's slope at the start shortens or lengthens the push, as it does in the simulation."""
    tables = GaitTables(cycle, body, displacement)
    path, settings, ground = path or Line(), settings or BounceSettings(), ground or Plane()
    lag_rate = settings.lag_rate * math.sqrt(gravity_m_s2 / EARTH_GRAVITY_M_S2)
    clock = BounceClock(bounces(tables.phases), gait.stride_frequency_hz, gait.ground_share, lag_rate)
    start = path.point(0.0)
    slope = dot(complex(*ground.slope(start.real, start.imag)), tangent(path, 0.0)) if ground.plane else 0.0
    heights, footholds = fit_orbit(tables, body, clock, gait.speed_m_s, gravity_m_s2, settings, slope)
    local, velocity = footholds.starting_motion()
    top = heights.apex(clock.index)
    now = fall_time(top - heights.touch_down_m[clock.next_index], 0.0, gravity_m_s2)
    ahead = local + now * velocity - footholds.orbit.at(clock.next_index, footholds.velocity).com
    knots = [(0.0, local, top, True)]
    landings: list[tuple[float, str, complex]] = []
    stride, count, shares = footholds.velocity * footholds.orbit.period_s, len(clock.bounces), np.linspace(0.0, 1.0, PIECES + 1)
    number = 0
    while now <= duration_s:
        k, shift = number % count, ahead + stride * (number // count)
        row, ground_s, rise = footholds.orbit.at(k, footholds.velocity), clock.ground_s[k], heights.nominal(k)
        landings += [(now + c.on * ground_s, c.side, place + shift)
                     for c, place in zip(clock.bounces[k].contacts, row.places.tolist(), strict=True)]
        coms = footholds.orbit_coms(k, shares)
        knots += [(now + share * ground_s, com + shift, rise.at(share * ground_s).height, share == 1.0)
                  for share, com in zip(shares.tolist(), coms, strict=True)]
        now, number = now + ground_s + clock.flight_s[k], number + 1
    row = footholds.orbit.at(number % count, footholds.velocity)
    knots.append((now, row.com + ahead + stride * (number // count), heights.touch_down_m[number % count], False))
    times = SAMPLE_S * np.arange(int(duration_s / SAMPLE_S) + 1)
    com = _between(knots, times, gravity_m_s2)
    landings = [landing for landing in sorted(landings) if landing[0] <= duration_s]
    carts = np.column_stack([local.real + velocity.real * times, np.zeros((len(times), 2))])
    places = np.array([[place.real, place.imag, 0.0] for _, _, place in landings]).reshape(-1, 3)
    return Plan(
        times, _along(path, com), _along(path, carts), _along(path, places), np.array([time for time, _, _ in landings]),
        np.array([0 if side == "L" else 1 for _, side, _ in landings], dtype=int),
        np.array([path.heading(x) for x in places[:, 0].tolist()]), gait.speed_m_s, gait.stride_frequency_hz, gait.froude)


def _between(knots: list[tuple[float, complex, float, bool]], times: np.ndarray, gravity_m_s2: float) -> np.ndarray:
    """COM (T, 3), forward, left and up, at times (T,), from knots (time, place, height, whether a flight follows): straight
    between them, and in a flight off the chord by half of g times the times to both ends, as it falls."""
    at, rows = np.array([k[0] for k in knots]), np.array([[k[1].real, k[1].imag, k[2]] for k in knots])
    out = np.column_stack([np.interp(times, at, column) for column in rows.T])
    before = np.clip(np.searchsorted(at, times, side="right") - 1, 0, len(at) - 2)
    falls = np.array([k[3] for k in knots])[before]
    out[:, 2] += np.where(falls, 0.5 * gravity_m_s2 * (times - at[before]) * (at[before + 1] - times), 0.0)
    return out


def _along(path: Path, local: np.ndarray) -> np.ndarray:
    """Places (N, 3) of local ones: the way along the path, to its left, and up."""
    plane = [path.point(x) + 1j * y * tangent(path, x) for x, y, _ in local.tolist()]
    return np.array([[place.real, place.imag, z] for place, z in zip(plane, local[:, 2].tolist(), strict=True)]).reshape(-1, 3)
