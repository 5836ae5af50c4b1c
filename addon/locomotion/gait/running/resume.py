# SPDX-License-Identifier: GPL-3.0-or-later
"""Going on from a body as it is: running step, fraction and footholds of a gait with flight read off its state."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

import numpy as np

from ...legged.foot_geometry import FootPose
from ...legged.foot_path import swing_start
from ...legged.targets import SIDES
from .heights import fall_time
from .planner import RunningPlanner

FRACTIONS = np.linspace(0.0, 0.94, 48)
"""Fractions of a ground phase at which a body may be found in it."""
OTHER_SPEED = 0.1
"""Share of the gait's speed from which on a body that goes at another is first led by steps of its own speed."""
SLACK = 0.12
"""How far, over the ground phase, a foot may carry weight before and after it should."""
RISING_SHARE = 0.5
"""How much the COM's rise or fall, over sqrt(g l), counts beside the COM's place."""


def resume_run(run: RunningPlanner, loaded: Mapping[str, bool], way_m: float) -> None:
    """Go on in the midst of a running step or of a flight, `way_m` [m] along the path. `loaded` tells which feet carry weight."""
    com, velocity = complex(*run.state.com[:2].tolist()), complex(*run.state.com_velocity[:2].tolist())
    run.frame.arc_length = way_m
    run.frame.follow(com)
    speed = (velocity / run.direction).real
    if abs(speed - run.gait.speed_m_s) > OTHER_SPEED * run.gait.speed_m_s:
        run.take_over(speed)
    down = {side for side in SIDES if loaded[side]}
    clock = run.clock
    clock.stretch, clock.lag = 1.0, 0.0
    steps = {}
    for side in SIDES:
        frame = run.state.frame(f"foot_{side}")
        steps[side] = run.terrain.stood(side, frame.position, frame.matrix[:, 0], run.heading)
        foot = run.feet[side]
        foot.step = foot.target = steps[side]
    places = {side: run.frame.local(step.place) for side, step in steps.items()}
    clock.grounded = bool(down)
    run.landed = down
    run.over_ground(com, velocity)
    if down:
        clock.index, clock.fraction = _grounded(run, down, run.frame.local(com), places)
    else:
        _in_flight(run, places)
    for side in SIDES:
        foot = run.feet[side]
        if side in down:
            run.feet.land(side)
            continue
        foot.target = run.footstep(side, foot.step.place + 0.5 * run.gait.stride_length_m * run.direction)
        run.feet.lift(side, run.heading, clock.rate)
    if down:
        rise = run.heights.nominal(clock.index).at(clock.fraction * clock.ground_s[clock.index])
        run.heights.begin(*run.rise(), max(float(rise.acceleration), -run.gravity))


def leap_in(run: RunningPlanner, stance: str, way_m: float) -> None:
    """Go on from another gait on the foot that carries the weight, as from the walk before a run from standing."""
    com = complex(*run.state.com[:2].tolist())
    run.frame.arc_length = way_m
    run.frame.follow(com)
    run.take_over(float((complex(*run.state.com_velocity[:2].tolist()) / run.direction).real))
    frames = {side: run.state.frame(f"foot_{side}") for side in SIDES}
    steps = {side: run.terrain.stood(side, frame.position, frame.matrix[:, 0], run.heading) for side, frame in frames.items()}
    run.step_in(steps, stance)


def lay_swings(run: RunningPlanner) -> None:
    """Feet in the air are led to where they are to land on paths that pass through where they are. A flight that is nearly over,
    in which no foothold is chosen any more, is taken up where it is, now that they are."""
    clock = run.clock
    if not clock.grounded:
        clock.fraction = max(clock.fraction, 1.0 - clock.left_s / clock.flight_s[clock.index])
    phase, stride = clock.smooth_phase, run.gait.stride_length_m * run.direction
    for side in SIDES:
        foot = run.feet[side]
        since = foot.path.phases.since_strike(phase)
        if foot.swinging and since >= foot.path.phases.toe_off:
            foot.lift = swing_start(run.state, foot.path, foot.target, stride, since, run.heading, partial(_pose, run, side))


def _pose(run: RunningPlanner, side: str, lift: FootPose) -> FootPose:
    """The planned pose of a foot in the air now, had it left the ground so."""
    run.feet[side].lift = lift
    com, velocity = complex(*run.state.com[:2].tolist()), complex(*run.state.com_velocity[:2].tolist())
    return run.body.feet_poses(run.feet, run.heading, com, velocity, run.heights)[1][side]


def _grounded(run: RunningPlanner, down: set[str], com: complex, places: Mapping[str, complex]) -> tuple[int, float]:
    """The running step and the fraction of its ground phase that are most like the body."""
    clock, leg = run.clock, run.state.body.leg_length_m
    rising, pace = run.rise()[1], (run.gravity * leg) ** 0.5
    best, least = (0, 0.0), np.inf
    for k, step in enumerate(clock.steps):
        row = run.footholds.orbit.at(k, run.footholds.velocity)
        coms, nominal = run.footholds.orbit_coms(k, FRACTIONS.tolist()), run.heights.nominal(k)
        for fraction, place in zip(FRACTIONS.tolist(), coms, strict=True):
            bears = {c.side: complex(p) for c, p in zip(step.contacts, row.places.tolist(), strict=True)
                     if c.on - SLACK <= fraction <= c.off + SLACK}
            if not down <= set(bears):
                continue
            ahead = np.mean([(place - bears[side]).real - (com - places[side]).real for side in sorted(down)])
            off = rising - float(nominal.at(fraction * clock.ground_s[k]).velocity)
            cost = (float(ahead) / leg) ** 2 + RISING_SHARE * (off / pace) ** 2
            if cost < least:
                best, least = (k, fraction), cost
    if not np.isfinite(least):  # feet that this gait never has on the ground together: its first step on one of them
        index = next(k for k, b in enumerate(clock.steps) if b.contacts[0].side in down)
        return index, 0.0
    return best


def _in_flight(run: RunningPlanner, places: Mapping[str, complex]) -> None:
    """The flight whose coming footholds are most like where the body's feet are on their way, and how much of it is left."""
    clock, heights = run.clock, run.heights
    height, rising = run.rise()
    found = []
    for k in range(len(clock.steps)):
        following = (k + 1) % len(clock.steps)
        left = fall_time(height - heights.touch_down_m[following], rising, run.gravity)
        fraction = min(max(1.0 - left / clock.flight_s[k], 0.0), run.settings.hold_from - 0.01)
        phase = (clock.steps[k].start + clock.steps[k].ground + fraction * clock.steps[k].flight) % 1.0
        row = run.tables.table.value(phase)
        apart = [float(row[run.tables.foot_slice(side).start]) for side in SIDES]
        off = (apart[0] - apart[1]) - (places["L"] - places["R"]).real
        found.append((abs(off), k, left, fraction))
    _, clock.index, clock.left_s, clock.fraction = min(found)
