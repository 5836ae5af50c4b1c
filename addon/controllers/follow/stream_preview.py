# SPDX-License-Identifier: GPL-3.0-or-later
"""What the plan of a steered shot shows: the stream as it would run, were every step as planned."""

from __future__ import annotations

from collections import deque

import numpy as np

from ...bodies.body import Body
from ...bodies.human.landmarks import SIDES
from ...motions.fragment import Source
from ...specs.shot import Shot
from ...worlds.ground import make_ground
from ..controller import Plan
from .prints import Print
from .settings import PlanSettings
from .stream import Stream, in_stream

PLAN_STEP_S = 0.05
"""Time from place to place of the previewed centre of mass."""
AFTER_S = 10.0
"""So long after the last wish a plan ends: from there on it goes on as it is."""
GOES_ON = "The plan ends ten seconds after the last wish: the character goes on so."


def preview_stream(shot: Shot, source: Source, body: Body, settings: PlanSettings, slow: float) -> Plan:
    """The plan of a steered shot; everything lasts `slow` times as long as on Earth."""
    stream = Stream(source, body, shot.world.gravity_m_s2 * slow**2, settings)
    last_s = shot.steering[-1].time_s if shot.steering else 0.0
    duration_s = min(shot.duration_s, last_s + AFTER_S)
    times = np.append(np.arange(0.0, duration_s, PLAN_STEP_S), duration_s)
    wishes, found, steps = deque(shot.steering), [], {}
    plan = None
    for time_s in times.tolist():
        while wishes and wishes[0].time_s <= time_s:
            stream.steer(in_stream(wishes.popleft().wish, slow, stream.wish))
        now_s = time_s / slow
        plan = stream.plan_at(now_s) or plan
        if plan is None:
            raise RuntimeError("A stream has a plan at its begin.")
        now = plan.com.at(now_s)
        found.append((now.place, now.pivot, now.height))
        steps.update(_landed(plan.prints, now_s))
    com, pivot, height = (np.array(column) for column in zip(*found, strict=True))
    ground = make_ground(shot.world.ground)
    com_m = np.column_stack([com.real, com.imag, height + ground.height(com.real, com.imag)])
    cart_m = np.column_stack([pivot.real, pivot.imag, ground.height(pivot.real, pivot.imag)])
    prints = [steps[key] for key in sorted(steps)]
    places = np.array([one.place for one in prints], dtype=complex)
    step_m = np.column_stack([places.real, places.imag, ground.height(places.real, places.imag)]).reshape(-1, 3)
    step_s = np.array([max(one.stance.strike_s * slow, 0.0) for one in prints])
    mean_m_s = float(np.abs(np.diff(com)).sum()) / max(duration_s, 1e-9)
    return Plan(times, com_m, cart_m, step_m, step_s, np.array([SIDES.index(one.side) for one in prints]),
                np.array([one.yaw for one in prints]), mean_m_s, 0.5 * float((step_s > 0.0).sum()) / max(duration_s, 1e-9),
                mean_m_s**2 / (shot.world.gravity_m_s2 * body.leg_length_m),
                note=GOES_ON if duration_s < shot.duration_s else "")


def _landed(prints: dict[str, list[Print]], now_s: float) -> dict[tuple[float, int], Print]:
    """The prints that are stood on by a time, by their strike and side."""
    return {(max(one.stance.strike_s, 0.0), i): one for i, side in enumerate(SIDES) for one in prints[side]
            if one.stance.strike_s <= now_s}
