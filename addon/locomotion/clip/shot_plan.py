# SPDX-License-Identifier: GPL-3.0-or-later
"""What a shot asks of a clip: its plan on the shot's body and planet, how long it lasts there, and what the preview shows."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
from scipy.interpolate import CubicSpline

from ...bodies.body import Body
from ...bodies.human.landmarks import SIDES
from ...errors import InputError
from ...specs.disturbances import check_in_motion
from ...specs.motions import PLANET, Clip
from ...specs.shot import DURATION_RANGE_S, EARTH_GRAVITY_M_S2, Shot
from ...worlds.ground import make_ground
from ..controller import Plan
from ..legged.foot_geometry import FootGeometry
from .carried import carried
from .clip import Track, followed_clip, within_ranges
from .clip_plan import ClipPlan, ClipSteps, known_pushes, make_plan
from .flights import flight_pace, schedule_with_flights, with_flights
from .prints import make_prints
from .repeat import find_round, repeated, schedule_of
from .schedule import flights, make_schedule
from .settings import PlanSettings

CATCH_S = 5.0
"""Time that a push or a hit may cost of who catches himself, on Earth (measured: 1.4 to 1.8 s, on one leg up to 5 s)."""
PLAN_STEP_S = 0.05
"""Time from place to place of the previewed centre of mass."""


@dataclass(frozen=True)
class ShotPlan:
    """A clip's plan, how many times longer than in the clip everything lasts, how many times longer than on Earth a push-off
    into a flight does, and whether the clip `repeats`: then the plan ends with the shot, and its clip goes on."""

    plan: ClipPlan
    slow: float
    push_slow: float = 1.0
    repeats: bool = False

    @property
    def duration_s(self) -> float:
        """How long the clip lasts there [s]."""
        return self.plan.end_s * self.slow

    @property
    def whole_s(self) -> float:
        """How much there is to follow [clip s]: the clip to its last frame, one that repeats to the shot's end."""
        return self.plan.end_s if self.repeats else self.plan.clip.duration_s

    @property
    def quicker(self) -> float:
        """How many times as fast as the planet's own pace its quickest parts go: a push-off that keeps the velocity."""
        return max(self.slow / self.push_slow, 1.0) if self.plan.flights else 1.0


def shot_plan(shot: Shot, body: Body, settings: PlanSettings) -> ShotPlan:
    """The plan of a shot. Raises InputError for what no clip is followed on, ClipError for a clip that cannot be followed."""
    follow, gravity = _followed(shot), shot.world.gravity_m_s2
    if shot.world.gravity_ramp:
        raise InputError("A clip is followed under one gravity: take the change of gravity out.")
    if not make_ground(shot.world.ground).plane:
        raise InputError("A clip is followed on level ground or on a slope: choose one of these grounds.")
    clip = followed_clip(follow, body, gravity, trims=not shot.hits)
    if shot.catches:
        clip = within_ranges(clip)
    slow = follow.time_scale(gravity / EARTH_GRAVITY_M_S2, clip.leg_ratio)
    schedule, push_slow = make_schedule(clip), slow
    in_air = flights(schedule)
    if follow.as_people and in_air:  # what flies falls in the planet's time
        slow = push_slow = replace(follow, time=PLANET).time_scale(gravity / EARTH_GRAVITY_M_S2, clip.leg_ratio)
    elif follow.as_people and gravity != EARTH_GRAVITY_M_S2:
        clip = carried(clip, gravity)
    if in_air:
        pace = flight_pace(follow.flight, gravity / EARTH_GRAVITY_M_S2, slow, math.sqrt(clip.leg_ratio))
        schedule = schedule_with_flights(schedule, clip, in_air, pace)
        clip, push_slow = with_flights(clip, in_air, pace), slow * pace.ground
    prints, end_s = None, None
    if follow.repeat:
        prints, end_s = make_prints(clip, schedule, FootGeometry(body, "L")), shot.duration_s / slow
        clip, prints = repeated(clip, prints, find_round(clip, schedule), end_s)
        schedule = schedule_of(prints)
    plan = make_plan(ClipSteps.of(clip, schedule, prints), gravity * slow**2, settings, max(slow / push_slow, 1.0), end_s,
                     known_pushes(shot.pushes, body.mass_kg, slow))
    return ShotPlan(plan, slow, push_slow, follow.repeat)


def moved(planned: ShotPlan, off: complex) -> ShotPlan:
    """A plan moved over the ground (x + iy [m])."""
    plan, shift = planned.plan, np.array([off.real, off.imag, 0.0])
    clip = replace(plan.clip, root_m=plan.clip.root_m + shift, com_m=plan.clip.com_m + shift, ankle_m=plan.clip.ankle_m + shift)
    prints = {side: [replace(one, place=one.place + off) for one in found] for side, found in plan.prints.items()}
    place = plan.com.place
    com = replace(plan.com, place=CubicSpline(place.x, place(place.x) + off))
    return replace(planned, plan=replace(plan, clip=clip, track=Track(clip), prints=prints, com=com))


def _followed(shot: Shot) -> Clip:
    if not isinstance(shot.motion, Clip):
        raise InputError("This shot names no clip to follow.")
    return shot.motion


def cut_to_clip(shot: Shot, planned: ShotPlan) -> Shot:
    """A shot that ends where its clip does, or before; who catches himself may end so much later. Raises InputError for a hit
    after the clip's end."""
    if not planned.repeats:
        check_in_motion(shot.hits, planned.whole_s * planned.slow)
    low, high = DURATION_RANGE_S
    caught = len(shot.hits) + sum(not push.planned for push in shot.pushes) if shot.catches else 0
    whole_s = max(round(planned.duration_s + caught * CATCH_S * planned.slow, 3), low)
    duration_s = min(whole_s, high) if shot.until_end else min(whole_s, shot.duration_s)
    return replace(shot.with_motion(until_end=False), duration_s=duration_s)


def preview(shot: Shot, planned: ShotPlan) -> Plan:
    """What the plan shows: the way of the centre of mass, the pressure under it, and the prints."""
    plan, slow, ground = planned.plan, planned.slow, make_ground(shot.world.ground)
    duration_s = min(shot.duration_s, planned.duration_s)
    times = np.append(np.arange(0.0, duration_s, PLAN_STEP_S), duration_s)
    com, pivot, height = plan.com.place(times / slow), plan.com.pivot(times / slow), plan.com.height(times / slow)
    com_m = np.column_stack([com.real, com.imag, height + ground.height(com.real, com.imag)])
    cart_m = np.column_stack([pivot.real, pivot.imag, ground.height(pivot.real, pivot.imag)])
    prints = sorted((max(one.stance.strike_s * slow, 0.0), SIDES.index(side), one) for side in SIDES for one in plan.prints[side])
    prints = [one for one in prints if one[0] <= duration_s]
    places = np.array([one.place for _, _, one in prints], dtype=complex)
    steps = np.column_stack([places.real, places.imag, ground.height(places.real, places.imag)]).reshape(-1, 3)
    way_m = float(np.abs(np.diff(com)).sum())
    mean_m_s = way_m / max(duration_s, 1e-9)
    strikes = sum(1 for time, _, _ in prints if time > 0.0)
    return Plan(times, com_m, cart_m, steps, np.array([time for time, _, _ in prints]), np.array([side for _, side, _ in prints]),
                np.array([one.yaw for _, _, one in prints]), mean_m_s, 0.5 * strikes / max(duration_s, 1e-9),
                mean_m_s**2 / (shot.world.gravity_m_s2 * plan.clip.body.leg_length_m))


def clip_velocity_sizes(planned: ShotPlan) -> np.ndarray:
    """How large each generalised velocity (nv,) usually is: the root's places the mean speed [m/s], every angular velocity the
    root mean square of its joint's over the clip [rad/s], the same for the three of a ball."""
    clip, slow = planned.plan.clip, planned.slow
    speed = float(np.mean(np.linalg.norm(np.diff(clip.com_m[:, :2], axis=0), axis=1))) / clip.step_s / slow

    def rate(quats: np.ndarray) -> float:
        dots = np.clip(np.abs(np.sum(quats[1:] * quats[:-1], axis=-1)), 0.0, 1.0)
        return math.sqrt(float(np.mean((2.0 * np.arccos(dots)) ** 2))) / clip.step_s / slow

    sizes = [speed] * 3 + [rate(clip.root_quaternion) / math.sqrt(3.0)] * 3
    for i, name in enumerate(clip.body.joint_segments):
        ball = clip.body.segment(name).joint == "ball"
        sizes += [rate(clip.joint_quaternions[:, i]) / (math.sqrt(3.0) if ball else 1.0)] * (3 if ball else 1)
    return np.array(sizes)
