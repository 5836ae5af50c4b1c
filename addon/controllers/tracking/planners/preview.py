# SPDX-License-Identifier: GPL-3.0-or-later
"""The plan alone, without body dynamics: COM, cart and footsteps of a whole shot in milliseconds."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from ....bodies.body import Body
from ....gaits.bends import Pacing, ways
from ....gaits.froude import GaitVariables
from ....motions.cycle import Cycle
from ....specs.footprints import Footprint
from ....worlds.paths import Line, Path
from ...controller import Plan
from .capture import backward, remaining
from .course import Course
from .end_settings import EndSettings, StandingShot
from .end_times import check_duration, shortest_s
from .foot_path import FootGeometry
from .footsteps import PREVIEW_STEPS, StepGeometry, StepPlanner, StepSettings, heading_vector
from .gait_tables import GaitTables
from .orbit import PeriodicOrbit
from .pendulum import Pendulum, PlaneState, roll_out
from .prints import Prints
from .rhythm import OTHER, SIGN, Rhythm
from .standing_preview import StandingSteps, standing_steps

SAMPLE_S = 1.0 / 30.0
"""Sampling of the preview, the lineage's own plan step."""
FINE_S = 1.0 / 90.0
"""Step of the COM's integration."""


def plan_preview(
    body: Body, cycle: Cycle, gait: GaitVariables, gravity_m_s2: float, duration_s: float, scaling: str = "similar",
    displacement: np.ndarray | None = None, path: Path | None = None, footprints: Sequence[Footprint] = (),
    settings: StepSettings | None = None, ends: StandingShot | None = None, pacing: Pacing | None = None,
) -> Plan:
    """Plan a walk along a path, straight by default: the cart by its controlled pendulum, the feet beside the path, the COM
    over the rolling feet. It starts a quarter into a left single support, as the simulation does. `displacement` (6, 3) is
    the gait's displacement map, `footprints` are locked ones. `ends` tells which ends of the shot stand, `pacing` how the gait
    goes through the path's bends."""
    if ends is not None:
        check_duration(ends, shortest_s(ends, gait, gravity_m_s2, EndSettings()))
    tables, wish = GaitTables(cycle, body, displacement), gait

    def gait_at(s: float) -> GaitVariables:
        return wish if pacing is None else pacing.gait(wish, s, gravity_m_s2)

    gait = gait_at(0.0)
    stride = 0.5 * gait.stride_length_m
    settings = settings or StepSettings()
    omega = math.sqrt(gravity_m_s2 / tables.com_height_mean_m)
    rhythm = Rhythm(tables, gait.stride_frequency_hz, settings.double_support_timing)
    course = Course(path or Line(), gait.speed_m_s, stride,
                    None if pacing is None else ways(pacing, wish, gravity_m_s2))
    geometry = FootGeometry(body, "L")
    shifts = tables.displacement.cop_shifts(rhythm.stance_times("L"), gait.stride_frequency_hz)
    steps = StepPlanner(settings, body.leg_length_m, geometry.heel_x, geometry.ball_x, geometry.tip_x, shifts)
    double, whole = rhythm.fractions("L")
    rhythm.local = double + 0.25 * (whole - double)
    count = int(duration_s / SAMPLE_S) + 1
    times = SAMPLE_S * np.arange(count)
    walked = int(2.0 * max(gait.stride_frequency_hz, wish.stride_frequency_hz) * duration_s) + 2
    laid = Prints(course, tables.width_m, omega, body.leg_length_m, footprints, tables.hip_room_m)
    numbers = range(-1, walked + PREVIEW_STEPS + 2)
    prints, lengths, standing = [laid.at(k) for k in numbers], [course.way(k) for k in numbers], None
    offset, _ = PeriodicOrbit(steps, rhythm, stride, tables.width_m, omega).now(course.turn)
    com, strike_s, side, sample = prints[1][0] + course.forward * offset, -rhythm.elapsed_s, "L", 0
    footsteps = [(0.0, "L", *prints[1])]
    if ends is not None:
        first_s = (whole - double) / gait.stride_frequency_hz if ends.start else sum(rhythm.stance_times("L")) + strike_s
        standing = standing_steps(ends, course, gait_at, gravity_m_s2, body, tables.width_m, omega, first_s,
                                  walked + PREVIEW_STEPS + 2)
        prints, lengths = standing.prints, standing.ways
        if ends.start:
            strike_s, com = standing.lift_s - rhythm.stance_times("L").double, standing.rest(0)
            footsteps = [(0.0, "R", *prints[0]), (0.0, "L", *prints[1])]
    way = np.empty(count, dtype=complex)
    end = _leaves(steps, prints[0], -SIGN["L"])
    for k in range(1, (walked if standing is None or standing.last is None else standing.last) + 1):
        rhythm.frequency = gait_at(lengths[k]).stride_frequency_hz
        pieces = steps.pieces(end, prints[k][0], SIGN[side], heading_vector(prints[k][1]), rhythm.stance_times(side))
        coming = _geometry(prints[k + 1:k + 2 + PREVIEW_STEPS], -SIGN[side])
        landing = steps.touch_down_capture(pieces[-1].end, prints[k + 1][0], coming,
                                        heading_vector(prints[k + 1][1]), omega, rhythm.stance_times(OTHER[side]))
        if standing is not None and k == standing.last:
            landing = standing.rest(k)
        now, last = max(strike_s, 0.0), strike_s + sum(rhythm.stance_times(side))
        if k == 1 and standing is not None and standing.lift_s:
            sought = backward(landing, remaining(pieces, standing.lift_s - strike_s), omega)
            com, sample = _shifted(way, times, com, sought, standing, omega)
            now = standing.lift_s
        while now < last and sample < count:
            if now >= times[sample] - 1e-9:
                way[sample] = com
                sample += 1
                continue
            dt = min(FINE_S, last - now, times[sample] - now)
            com += dt * omega * (backward(landing, remaining(pieces, now + 0.5 * dt - strike_s), omega) - com)
            now += dt
        end, strike_s, side = pieces[-1].end, last, OTHER[side]
        footsteps.append((last, side, *prints[k + 1]))
    if sample < count and standing is not None and standing.last is not None:  # the walk has come to rest
        rest = standing.rest(standing.last)
        way[sample:] = rest + (com - rest) * np.exp(-omega * (times[sample:] - strike_s))
    footsteps = [f for f in footsteps if f[0] <= duration_s]
    start = PlaneState(cart=course.path.locate(way[0], 0.0), cart_velocity=gait.speed_m_s)
    pendulum = Pendulum(gravity_m_s2, tables.com_height_mean_m, body.mass_kg, scaling)
    if standing is None and pacing is None:
        carted = roll_out(pendulum, start, gait.speed_m_s, SAMPLE_S, count - 1)[:, 0].tolist()
    else:
        carted = _ways(course.path, way)
    carts = [course.path.point(s) for s in carted]
    heights = tables.table.value(rhythm.phase + gait.stride_frequency_hz * times)[:, 0]
    return Plan(
        times, _places(way, heights), _places(np.array(carts), np.zeros(count)),
        _places(np.array([f[2] for f in footsteps]), np.zeros(len(footsteps))), np.array([f[0] for f in footsteps]),
        np.array([0 if f[1] == "L" else 1 for f in footsteps]), np.array([f[3] for f in footsteps]), wish.speed_m_s,
        wish.stride_frequency_hz, wish.froude)


def _ways(path: Path, plane: np.ndarray) -> list[float]:
    """Lengths of a path beside places (N,)."""
    ways, before = [], 0.0
    for place in plane.tolist():
        before = path.locate(place, before)
        ways.append(before)
    return ways


def _shifted(
    way: np.ndarray, times: np.ndarray, com: complex, sought: complex, standing: StandingSteps, omega: float
) -> tuple[complex, int]:
    """Fill the COM's way until the first foot lifts, at rest first, then with a centre of pressure that brings the capture
    point to where it is sought in time; gives the COM then, and how many samples are filled."""
    grown = math.exp(omega * (standing.lift_s - standing.shift_s))
    pressure = (sought - com * grown) / (1.0 - grown)
    count = int(np.searchsorted(times, standing.lift_s - 1e-9))
    since = np.append(np.maximum(times[:count] - standing.shift_s, 0.0), standing.lift_s - standing.shift_s)
    gone = pressure + (com - pressure) * np.cosh(omega * since)  # c'' = omega^2 (c - r), from rest
    way[:count] = gone[:-1]
    return complex(gone[-1]), count


def _places(plane: np.ndarray, heights: np.ndarray) -> np.ndarray:
    """Places (N, 3) of complex ones (N,) and their heights (N,)."""
    return np.column_stack([plane.real, plane.imag, heights])


def _leaves(steps: StepPlanner, footprint: tuple[complex, float], sign: int) -> complex:
    """Where the centre of pressure leaves a foot."""
    place, heading = footprint
    return steps.cop_places(place, sign, heading_vector(heading))[-1]


def _geometry(prints: Sequence[tuple[complex, float]], sign: int) -> StepGeometry:
    """The steps between footprints, of which the first is on the side of `sign`, in the frame of the first."""
    facing, moves = heading_vector(prints[0][1]), list(zip(prints, prints[1:], strict=False))
    return StepGeometry(tuple((b[0] - a[0]) / facing for a, b in moves),
                        tuple(sign * (-1) ** (i + 1) for i in range(len(moves))),
                        tuple(heading_vector(b[1]) / facing for _, b in moves))
