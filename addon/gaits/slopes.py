# SPDX-License-Identifier: GPL-3.0-or-later
"""How fast and with which steps one goes on slopes and stairs when nobody asks for it."""

from __future__ import annotations

import math

from ..specs.ground import GroundSpec
from ..specs.path import PathSpec
from .froude import GaitVariables

UPHILL_LOSS = 1.15
"""Share of the speed that is lost per slope (rise over run) uphill: 0.50 to 0.45 m/s at 5 degrees on the Moon (Kim 2017,
chapter VI). Downhill the speed of level ground is kept; the thesis's walker got faster there."""
LEAST_SHARE = 0.4
"""Share of the speed kept on the steepest slopes."""
MOST_CLIMB = 0.25
"""Largest rise of one step that skips treads, over the leg's length."""


def ground_wishes(
    gait: GaitVariables, ground: GroundSpec, path: PathSpec, speed_m_s: float | None, frequency_hz: float | None
) -> tuple[float | None, float | None]:
    """Speed [m/s] and stride frequency [1/s] to ask for on a ground, from what was asked (None: nothing) and the gait that
    this gives on level ground. Uphill it is slower; on stairs the steps are as long as treads, at the level's frequency."""
    if ground.kind == "slope":
        share = slope_share(ground, path)
        return (share * gait.speed_m_s if speed_m_s is None and share < 1.0 else speed_m_s), frequency_hz
    run = run_along(ground, path)
    if run is None or frequency_hz is not None:
        return speed_m_s, frequency_hz
    stride = 2.0 * tread_step(0.5 * gait.stride_length_m, run, ground.rise_m, gait.leg_length_m)
    if speed_m_s is None:
        return stride * gait.stride_frequency_hz, gait.stride_frequency_hz
    return speed_m_s, speed_m_s / stride


def uphill_slope(ground: GroundSpec, path: PathSpec) -> float:
    """Largest slope (rise over run) that the way goes up; 0 on ground without one slope. A way that turns meets it all."""
    if ground.kind != "slope":
        return 0.0
    steepest = math.tan(math.radians(ground.slope_deg))
    if path.kind != "straight":
        return abs(steepest)
    return max(steepest * math.cos(math.radians(path.heading_deg - ground.direction_deg)), 0.0)


def slope_share(ground: GroundSpec, path: PathSpec) -> float:
    """Share of the speed on level ground that is kept on a way."""
    return max(1.0 - UPHILL_LOSS * uphill_slope(ground, path), LEAST_SHARE)


def run_along(ground: GroundSpec, path: PathSpec) -> float | None:
    """Length [m] of a tread along a straight way; None where there are no treads or the way goes rather along them."""
    if ground.kind != "steps" or ground.rise_m == 0.0 or path.kind != "straight":
        return None
    share = abs(math.cos(math.radians(path.heading_deg - ground.direction_deg)))
    return ground.run_m / share if share > 0.5 else None


def tread_step(step_m: float, run_m: float, rise_m: float, leg_length_m: float) -> float:
    """The length nearest to a step's [m] that is a whole number of treads, or of which a tread is a whole number."""
    if run_m > step_m:
        return run_m / max(round(run_m / step_m), 1)
    most = max(int(MOST_CLIMB * leg_length_m / max(abs(rise_m), 1e-9)), 1)
    return run_m * min(max(round(step_m / run_m), 1), most)
