# SPDX-License-Identifier: GPL-3.0-or-later
"""The plan alone, without body dynamics: COM, cart and footsteps of a whole shot in milliseconds."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from ..bodies.body import Body
from ..gaits.froude import GaitVariables
from ..motions.cycle import Cycle
from .capture import backward, remaining
from .foot_path import FootGeometry
from .footsteps import PREVIEW_STEPS, StepPlanner, StepSettings, step_geometry
from .gait_tables import GaitTables
from .orbit import PeriodicOrbit
from .pendulum import Pendulum, PlaneState, roll_out
from .rhythm import OTHER, SIGN, Rhythm

SAMPLE_S = 1.0 / 30.0
"""Sampling of the preview, the lineage's own plan step."""
FINE_S = 1.0 / 90.0
"""Step of the COM's integration."""


@dataclass(frozen=True)
class Preview:
    """A plan. Times (T,) [s]; `com_m`, `cart_m` (T, 3); footsteps (N, 3) [m], their times (N,) and sides (N,), 0 left, 1
    right. The walk goes along x and starts a quarter into a left single support, as the simulation does."""

    time_s: np.ndarray
    com_m: np.ndarray
    cart_m: np.ndarray
    footstep_m: np.ndarray
    footstep_time_s: np.ndarray
    footstep_side: np.ndarray
    speed_m_s: float
    stride_frequency_hz: float
    froude: float


def plan_preview(
    body: Body, cycle: Cycle, gait: GaitVariables, gravity_m_s2: float, duration_s: float, scaling: str = "similar",
    displacement: np.ndarray | None = None,
) -> Preview:
    """Plan a straight walk: the cart by its controlled pendulum, the feet by the cart, the COM over the rolling feet.
    `displacement` (6, 3) is the gait's displacement map."""
    tables, settings = GaitTables(cycle, body, displacement), StepSettings()
    omega = math.sqrt(gravity_m_s2 / tables.com_height_mean_m)
    rhythm = Rhythm(tables, gait.stride_frequency_hz, settings.double_hurry)
    geometry = FootGeometry(body, "L")
    shifts = tables.displacement.cop_shifts(rhythm.stance_times("L"), gait.stride_frequency_hz)
    steps = StepPlanner(settings, body.leg_length_m, geometry.ball_x, geometry.tip_x, shifts)
    orbit = PeriodicOrbit(steps, rhythm, 0.5 * gait.stride_length_m, tables.width_m, omega)
    double, whole = rhythm.fractions("L")
    rhythm.local = double + 0.25 * (whole - double)
    count = int(duration_s / SAMPLE_S) + 1
    times = SAMPLE_S * np.arange(count)
    pendulum = Pendulum(gravity_m_s2, tables.com_height_mean_m, body.mass_kg, scaling)
    foot, com = 0.5j * tables.width_m, 0.5j * tables.width_m + orbit.now()[0]
    start = PlaneState(cart=com.real, cart_velocity=gait.speed_m_s)
    cart = roll_out(pendulum, start, gait.speed_m_s, SAMPLE_S, count - 1)[:, 0]
    stride = complex(0.5 * gait.stride_length_m)
    path, footsteps = np.empty(count, dtype=complex), [(0.0, "L", foot)]
    end = steps.cop_places(foot - stride - 1j * tables.width_m, -1, 1 + 0j)[-1]
    strike_s, side, sample = -rhythm.elapsed_s, "L", 0
    while sample < count:
        own, sign = rhythm.stance_times(side), SIGN[side]
        after = foot + stride - 1j * sign * tables.width_m
        pieces = steps.pieces(end, foot, sign, 1 + 0j, own)
        landing = steps.landing_capture(pieces[-1].end, after, step_geometry([stride] * PREVIEW_STEPS, -sign, tables.width_m),
                                        1 + 0j, omega, rhythm.stance_times(OTHER[side]))
        now, last = max(strike_s, 0.0), strike_s + sum(own)
        while now < last and sample < count:
            if now >= times[sample] - 1e-9:
                path[sample] = com
                sample += 1
                continue
            dt = min(FINE_S, last - now, times[sample] - now)
            com += dt * omega * (backward(landing, remaining(pieces, now + 0.5 * dt - strike_s), omega) - com)
            now += dt
        footsteps.append((last, OTHER[side], after))
        end, foot, strike_s, side = pieces[-1].end, after, last, OTHER[side]
    footsteps = [f for f in footsteps if f[0] <= duration_s]
    heights = tables.table.value(rhythm.phase + gait.stride_frequency_hz * times)[:, 0]
    zeros = np.zeros(count)
    return Preview(
        times, np.column_stack([path.real, path.imag, heights]), np.column_stack([cart, zeros, zeros]),
        np.array([[p.real, p.imag, 0.0] for _, _, p in footsteps]), np.array([t for t, _, _ in footsteps]),
        np.array([0 if s == "L" else 1 for _, s, _ in footsteps]), gait.speed_m_s, gait.stride_frequency_hz, gait.froude)
