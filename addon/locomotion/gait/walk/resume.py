# SPDX-License-Identifier: GPL-3.0-or-later
"""Going on from a body as it is: phase, stance and footsteps of a walk read off its state.

The phase is the one at which the steady walk has its COM as far ahead of the standing foot, and its swinging foot as far along,
as the body has. What is off the plan then fades (`handover.py`), and the first steps make good what the phase leaves.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from ....specs.shot import EARTH_GRAVITY_M_S2
from ...legged.foot_path import swing_start
from .footsteps import OTHER
from .planner import WalkPlanner
from .standing_ends import StandingEnds

CANDIDATES = 24
LATEST = 0.97
"""Share of a step after which a body is not taken to be in it any more."""
SWING_SHARE = 0.5
"""How much the swinging foot's place counts beside the COM's, each over the length of a step."""

CATCHING_SWING = 0.93
"""Least duration of a swing, over sqrt(l / g) on Earth, of a walk that has taken over a body faster than its own pace: that of
`StepSettings` with a leg of 0.88 m. In proportion to the leg, as the steps are: of one time for all, short legs had no step left
that is quick enough to catch their body."""


def resume_walk(walk: WalkPlanner, loaded: Mapping[str, bool], way_m: float) -> None:
    """Go on as a walk in the midst of its step, `way_m` [m] along the path. `loaded` tells which feet carry weight."""
    state, course, rhythm = walk.state, walk.course, walk.rhythm
    com = complex(*state.com[:2].tolist())
    course.s = course.stance_s = course.path.locate(com, way_m)
    course.follow(com, 0.0)
    course.heading = course.path.heading(course.s)
    forward = course.forward
    measured = {side: state.frame(f"foot_{side}") for side in ("L", "R")}
    steps = {side: walk.terrain.stood(side, frame.position, frame.matrix[:, 0], course.heading)
             for side, frame in measured.items()}
    ahead = {side: ((step.place - com) / forward).real for side, step in steps.items()}
    down = [side for side in ("L", "R") if loaded[side]] or [min(steps, key=lambda s: float(measured[s].position[2]))]
    stance = max(down, key=ahead.__getitem__)
    swinging = len(down) == 1
    walk.feet.stand(steps)
    rhythm.stance, rhythm.rate_factor = stance, 1.0
    walk.cart.begin(complex(walk.gait.speed_m_s))
    course.stand(steps[stance].place)
    rhythm.local = _phase(walk, com, steps[stance].place, steps[OTHER[stance]].place, swinging)
    walk.feet.target = steps[stance]  # for `plan_step`, which asks for one, and sets the next
    walk.feet.target = walk.step_at(walk.plan_step(walk.desired_velocity())[1])
    if swinging:
        walk.feet.lift(OTHER[stance], course.path.heading(course.stance_s))
    walk.body.take_height(float(state.com[2]))


def _phase(walk: WalkPlanner, com: complex, foot: complex, other: complex, swinging: bool) -> float:
    """Phase since the standing foot's strike, within its single support or the double support before it, at which the steady
    walk is most like the body."""
    rhythm, forward, step = walk.rhythm, walk.course.forward, walk.course.step_length
    double, whole = rhythm.fractions(rhythm.stance)
    away, swung, side = ((com - foot) / forward).real, ((other - foot) / forward).real, OTHER[rhythm.stance]
    column, path = walk.tables.foot_slice(side).start, walk.feet[side].path
    phases = np.linspace(double, LATEST * whole, CANDIDATES) if swinging else np.linspace(0.0, double, CANDIDATES)
    costs = []
    for phase in phases.tolist():
        rhythm.local = phase
        cost = ((float(walk.orbit.now(walk.course.turn)[0].real) - away) / step) ** 2
        if swinging:
            x = float(walk.tables.table.value(rhythm.phase)[column])
            progress = walk.tables.swing_progress(side, x, path.phases.since_strike(rhythm.phase))
            cost += SWING_SHARE * ((2.0 * progress - 1.0) - swung / step) ** 2
        costs.append(cost)
    return float(phases[int(np.argmin(costs))])


def lay_swing(walk: WalkPlanner) -> None:
    """Where a foot swings, the path that leads it to where it is to land passes through where it is."""
    side, heading = OTHER[walk.rhythm.stance], walk.course.path.heading(walk.course.stance_s)
    foot, target = walk.feet[side], walk.feet.target
    if not foot.swinging or foot.landed or target is None:
        return
    since = foot.path.phases.since_strike(walk.rhythm.phase)
    foot.lift = swing_start(walk.state, foot.path, target, walk.gait.stride_length_m * walk.course.forward, since, heading,
                            lambda lift: foot.path.swinging(lift, target, [since], heading)[0])


def quicken(walk: WalkPlanner) -> None:
    """Let a walk take steps as quick as those with which a body that is too fast catches itself."""
    shortest = CATCHING_SWING * math.sqrt(walk.state.body.leg_length_m / EARTH_GRAVITY_M_S2)
    steps = walk.steps
    steps.settings = replace(steps.settings, shortest_swing_s=min(steps.settings.shortest_swing_s, shortest))


def resume_standing(ends: StandingEnds, way_m: float) -> None:
    """Go on as a body that stands on both feet, where they are."""
    walk = ends.walk
    course, state = walk.course, walk.state
    com = complex(*state.com[:2].tolist())
    walk.rhythm.local = walk.rhythm.fractions("L")[0]
    walk.show_amplitude(0.0)
    course.s = course.stance_s = course.path.locate(com, way_m)
    course.follow(com, 0.0)
    for side in ("L", "R"):
        frame = state.frame(f"foot_{side}")
        walk.feet[side].step = walk.terrain.stood(side, frame.position, frame.matrix[:, 0], course.heading)
    course.stand(walk.feet["L"].step.place)
    walk.feet.target = walk.feet["R"].step
    walk.body.take_height(float(state.com[2]))
