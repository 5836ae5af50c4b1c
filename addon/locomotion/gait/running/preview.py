# SPDX-License-Identifier: GPL-3.0-or-later
"""The plan of a running gait: its first steps as they come about, then the periodic orbit from where they have come to."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Protocol

import numpy as np

from ....bodies.state import BodyState
from ...controller import Plan
from ..walk.preview import SAMPLE_S
from .contact_schedule import ContactClock
from .heights import fall_time
from .planner import PathFrame, RunningPlanner
from .standing_ends import StandingRun

PIECES = 12
"""Pieces of a ground phase between whose ends the COM goes straight."""
FIRST = 4
"""Landings on the way to the orbit: by then a run has found to it, or the speed it keeps off it."""
SLOWING = "This plan ends at {0} s: then the run slows down to stop, and in how many steps only the simulation knows."
FALLING = "This plan ends at {0} s: there the character falls."
Knot = tuple[float, complex, float, bool]
"""Time [s], place (forward along the path, + i left of it), height over the ground [m], whether a flight follows."""
Landing = tuple[float, str, complex, float]
"""Time [s], side, place and heading [rad] in the world."""


class Way(Protocol):
    """The first steps of a shot as they come about. `time_s`, and the way so far: `times_s` and `coms_m`, a list of numbers and
    of arrays (3,); `fell` tells whether it ended in a fall."""

    time_s: float
    times_s: list[float]
    coms_m: list[np.ndarray]
    fell: bool

    def run(self, duration_s: float, enough: Callable[[], bool]) -> None:
        """Go on until it is `enough`, it cannot go on, or the time is over."""


def plan_running(planner: RunningPlanner | StandingRun, state: BodyState, way: Way, duration_s: float,
                 paced: bool = False) -> Plan:
    """Plan a gait with flight by its `planner`, which has just started, on its `state`: the first steps by `way`, then the orbit.
    A run that starts from standing walks first; of one that stops the plan ends where it slows down. Where it is
    `paced` by its path's bends no step is like the one before, and all go by `way`."""
    run = planner.run if isinstance(planner, StandingRun) else planner
    first_gait, note = run.wish, ""
    if isinstance(planner, StandingRun) and planner.runs_until_s < duration_s:
        duration_s = max(planner.runs_until_s, SAMPLE_S)
        note = SLOWING.format(f"{duration_s:.1f}")
    standing = _standing(planner) if isinstance(planner, StandingRun) else []
    way.run(duration_s, lambda: not paced and len(planner.footsteps) >= FIRST and planner.settled and not run.clock.grounded)
    if way.fell:
        duration_s, note = way.time_s, FALLING.format(f"{way.time_s:.1f}")
    landings = standing + [(time, step.side, step.place, step.yaw - run.tables.foot_yaw[step.side])
                           for time, step in planner.footsteps]
    times = SAMPLE_S * np.arange(int(duration_s / SAMPLE_S) + 1)
    rolled = times[times <= way.time_s]
    com = np.column_stack([np.interp(rolled, way.times_s, column) for column in np.array(way.coms_m).T])
    com[:, 2] -= state.ground.height(com[:, 0], com[:, 1])
    frame = PathFrame(run.frame.path)
    ways = np.array([_way(frame, place) for place in (com[:, 0] + 1j * com[:, 1]).tolist()])
    cart = _along(frame, np.column_stack([ways, np.zeros((len(ways), 2))]))
    if len(rolled) < len(times):
        run.frame.follow(complex(*state.com[:2]))
        knots, more = _orbit(run, state, way.time_s, duration_s)
        later = times[len(rolled):]
        com = np.vstack([com, _along(run.frame, _between(knots, later, run.gravity))])
        carts = run.frame.arc_length + run.gait.speed_m_s * (later - way.time_s)
        cart = np.vstack([cart, _along(run.frame, np.column_stack([carts, np.zeros((len(later), 2))]))])
        path = run.frame.path
        for time, side, local in more:
            place = _along(run.frame, np.array([[local.real, local.imag, 0.0]]))[0]
            landings.append((time, side, complex(place[0], place[1]), path.heading(local.real)))
    landings = [landing for landing in landings if landing[0] <= duration_s]
    return Plan(
        times, com, cart, np.array([[place.real, place.imag, 0.0] for _, _, place, _ in landings]).reshape(-1, 3),
        np.array([time for time, _, _, _ in landings]),
        np.array([0 if side == "L" else 1 for _, side, _, _ in landings], dtype=int),
        np.array([heading for _, _, _, heading in landings]), first_gait.speed_m_s, first_gait.stride_frequency_hz,
        first_gait.froude, note)


def _standing(planner: StandingRun) -> list[Landing]:
    """Where the feet of a shot that starts standing stand, the one that steps first before the other."""
    walk = planner.ends.walk
    if not planner.stands:
        return []
    return [(0.0, side, walk.feet[side].step.place, walk.feet[side].step.yaw - walk.tables.foot_yaw[side]) for side in "RL"]


def _way(frame: PathFrame, place: complex) -> float:
    frame.follow(place)
    return frame.arc_length


def _orbit(
    planner: RunningPlanner, state: BodyState, now: float, duration_s: float
) -> tuple[list[Knot], list[tuple[float, str, complex]]]:
    """Knots of the COM's way and the landings (time, side, place) of the periodic orbit, from a flight until the end."""
    footholds, heights, clock, frame = planner.footholds, planner.heights, planner.clock, planner.frame
    com, velocity = complex(*state.com[:2]), complex(*state.com_velocity[:2]) / frame.direction
    height = float(state.com[2]) - float(state.ground.height(com.real, com.imag))
    local = frame.local(com)
    knots: list[Knot] = [(now, local, height, True)]
    left = fall_time(height - heights.touch_down_m[clock.next_index], float(state.com_velocity[2]), planner.gravity)
    start, stride = clock.next_index, footholds.velocity * footholds.orbit.period_s
    shift = (local + left * velocity - footholds.orbit.at(start, footholds.velocity).com).real
    return _bounces(planner, clock, knots, (now + left, shift, stride), start, duration_s)


def _bounces(
    planner: RunningPlanner, clock: ContactClock, knots: list[Knot], begin: tuple[float, float, complex], start: int,
    duration_s: float,
) -> tuple[list[Knot], list[tuple[float, str, complex]]]:
    """Bounces of the orbit, the first of which, number `start`, begins at a time with the orbit shifted along the path."""
    footholds, heights, shares = planner.footholds, planner.heights, np.linspace(0.0, 1.0, PIECES + 1)
    (now, base, stride), count, number = begin, len(clock.steps), start
    landings: list[tuple[float, str, complex]] = []
    while now <= duration_s:
        k, shift = number % count, base + stride * (number // count)
        row, ground_s, rise = footholds.orbit.at(k, footholds.velocity), clock.ground_s[k], heights.nominal(k)
        landings += [(now + c.on * ground_s, c.side, place + shift)
                     for c, place in zip(clock.steps[k].contacts, row.places.tolist(), strict=True)]
        coms = footholds.orbit_coms(k, shares.tolist())
        knots += [(now + share * ground_s, com + shift, rise.at(share * ground_s).height, share == 1.0)
                  for share, com in zip(shares.tolist(), coms, strict=True)]
        now, number = now + ground_s + clock.flight_s[k], number + 1
    row = footholds.orbit.at(number % count, footholds.velocity)
    knots.append((now, row.com + base + stride * (number // count), heights.touch_down_m[number % count], False))
    return knots, sorted(landings, key=lambda landing: landing[0])


def _between(knots: list[Knot], times: np.ndarray, gravity_m_s2: float) -> np.ndarray:
    """COM (T, 3), forward, left and up, at times (T,), from knots: straight between them, and in a flight off the chord by
    half of g times the times to both ends, as it falls."""
    at, rows = np.array([k[0] for k in knots]), np.array([[k[1].real, k[1].imag, k[2]] for k in knots])
    out = np.column_stack([np.interp(times, at, column) for column in rows.T])
    before = np.clip(np.searchsorted(at, times, side="right") - 1, 0, len(at) - 2)
    falls = np.array([k[3] for k in knots])[before]
    out[:, 2] += np.where(falls, 0.5 * gravity_m_s2 * (times - at[before]) * (at[before + 1] - times), 0.0)
    return out


def _along(frame: PathFrame, local: np.ndarray) -> np.ndarray:
    """Places (N, 3) of local ones: the way along the path, to its left, and up."""
    path = frame.path
    plane = [path.point(x) + 1j * y * complex(math.cos(path.heading(x)), math.sin(path.heading(x)))
             for x, y, _ in local.tolist()]
    return np.array([[place.real, place.imag, z] for place, z in zip(plane, local[:, 2].tolist(), strict=True)]).reshape(-1, 3)
