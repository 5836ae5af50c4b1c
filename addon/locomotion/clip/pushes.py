# SPDX-License-Identifier: GPL-3.0-or-later
"""Pushes that a clip shows: where its centre of mass moves as no ground could move it, somebody pushed.

About the pressure p under the feet the moments of weight, of a force F at the height h and of what the body does add up:
m (c - p) (g + c_z'') = m (c_z c'' + L) - h F, with L the rate of the angular momentum over the mass. Without F that asks for a
pressure off the soles; the least F that brings it back to their edge is what is found. So it is a lower bound: what the ground
may have done is taken for done by the ground.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
from scipy.ndimage import gaussian_filter1d

from ...bodies.human.landmarks import SIDES
from ...bodies.of_shot import shot_body
from ...errors import InputError
from ...maths.curves import runs
from ...maths.rotations import quat_rotate
from ...specs.motions import Clip
from ...specs.shot import EARTH_GRAVITY_M_S2, Shot
from .clip import FollowedClip, followed_clip
from .clip_plan import KnownPush, chest_height, pivot_shift, shot_pushes
from .schedule import flights, make_schedule
from .settings import shot_controls
from .shot_plan import shot_plan

LOW_PASS_S = 0.040
"""Standard deviation of the Gaussian on the centre of mass: twice differentiated, 30 frames a second are noise beyond it."""
LEAST_M_S, LEAST_S = 0.05, 0.05
"""Less impulse over the mass than that is none, nor is what lasts shorter: of 12 clips the steps back show 0.02 m/s at most."""
FAINT = 0.02
"""Force over the weight on Earth from which on something pushes."""
APART_S = 0.1
"""What is nearer to another push is a part of it."""
AROUND_S = 0.1
"""A foot counts as down so long before it is found to land and after it lifts, and nothing is looked for so near to the clip's
ends: about a landing a capture's times and its slopes are not surer than that."""
DIRECTIONS = 64
"""Directions in which the soles' edge is looked for."""


def least_force(clip: FollowedClip) -> np.ndarray:
    """The least force (N, 2) on the chest over the mass [m / clip s^2] that explains how a clip moves on the Earth; zero where no
    foot stands."""
    dt = clip.step_s
    gravity = EARTH_GRAVITY_M_S2 * clip.leg_ratio  # the clip's own, in the body's metres
    com = gaussian_filter1d(clip.com_m, LOW_PASS_S / dt, axis=0, mode="nearest")
    bend = np.gradient(np.gradient(com, dt, axis=0), dt, axis=0)
    lift = np.maximum(gravity + bend[:, 2], 0.3 * gravity)
    turning = pivot_shift(clip, gravity, 0.5)
    asked = com[:, :2] - bend[:, :2] * com[:, 2:] / lift[:, None] - np.column_stack([turning.real, turning.imag])
    return lift[:, None] / chest_height(clip)[:, None] * _back_to_soles(clip, asked)


def _back_to_soles(clip: FollowedClip, asked: np.ndarray) -> np.ndarray:
    """The least way (N, 2) [m] from a pressure that is asked for to the soles that stand."""

    positions, orientations = clip.poses()
    points = clip.body.contact_points
    rows = [clip.body.index[p.segment] for p in points]
    places = (positions[:, rows] + quat_rotate(orientations[:, rows], np.array([p.position for p in points])))[..., :2]
    schedule = make_schedule(clip)
    down = np.array([[any(s.strike_s - AROUND_S <= time <= s.off_s + AROUND_S for s in schedule[side]) for side in SIDES]
                     for time in clip.times_s])
    down &= ((clip.times_s > AROUND_S) & (clip.times_s < clip.duration_s - AROUND_S))[:, None]
    feet = np.array([SIDES.index(p.side) for p in points])
    out = np.zeros_like(asked)
    for i in np.flatnonzero(down.any(axis=1)):
        out[i] = nearest_in_hull(asked[i], places[i, down[i, feet]]) - asked[i]
    return out


def nearest_in_hull(place: np.ndarray, points: np.ndarray) -> np.ndarray:
    """The place (2,) of the convex hull of points (K, 2) that is nearest to a place (2,)."""
    angles = 2.0 * np.pi * np.arange(DIRECTIONS) / DIRECTIONS
    ways = np.stack([np.cos(angles), np.sin(angles)])
    if ((place @ ways) <= (points @ ways).max(axis=0)).all():
        return place
    best, near = np.inf, place
    for a in points:
        for b in points:
            way = b - a
            share = np.clip((place - a) @ way / max(way @ way, 1e-12), 0.0, 1.0)
            there = a + share * way
            distance = float(np.hypot(*(place - there)))
            if distance < best:
                best, near = distance, there
    return near


def find_pushes(clip: FollowedClip) -> list[KnownPush]:
    """The pushes of a clip, in order, each with the mean force that gives its whole impulse."""
    force = least_force(clip)
    on = np.hypot(*force.T) > FAINT * EARTH_GRAVITY_M_S2
    joined: list[list[int]] = []
    for start, end in runs(on):
        if joined and (start - joined[-1][1]) * clip.step_s < APART_S:
            joined[-1][1] = end
        else:
            joined.append([start, end])
    found = [KnownPush(start * clip.step_s, end * clip.step_s, complex(*force[start:end].mean(axis=0).tolist()))
             for start, end in joined]
    return [one for one in found if one.end_s - one.start_s >= LEAST_S and one.impulse >= LEAST_M_S]


def with_clip_pushes(shot: Shot) -> Shot:
    """A shot with the pushes that its clip shows, as they are on its body and planet, beside those that it has. Raises InputError
    where the clip shows none or leaves the ground, LopeError for a clip that cannot be followed."""
    if not isinstance(shot.motion, Clip):
        raise InputError("Pushes are found in a clip that is followed, and this shot follows none: give it a clip.")
    body = shot_body(shot)
    name = Path(shot.motion.file).stem
    clip = followed_clip(shot.motion, body, shot.world.gravity_m_s2, trims=not shot.hits)
    if flights(make_schedule(clip)):
        raise InputError(f"{name} leaves the ground: pushes are found in clips whose feet stay on it.")
    planned = shot_plan(replace(shot, pushes=()), body, shot_controls(shot).clip_plan)
    last_s = planned.plan.end_s if shot.until_end else min(shot.duration_s / planned.slow, planned.plan.end_s)
    found = [one for one in find_pushes(clip) if one.end_s < last_s]
    if not found:
        raise InputError(f"{name} shows no push that its own feet could not have made: leave the search out, or push with a "
                         "force of your own.")
    theirs = tuple(one for one in shot.pushes if not one.planned)
    return replace(shot, pushes=theirs + shot_pushes(found, body.mass_kg, planned.slow))
