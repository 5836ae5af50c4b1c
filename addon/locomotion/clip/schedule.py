# SPDX-License-Identifier: GPL-3.0-or-later
"""When each foot of a clip stands, made whole: open ends, gaps too short to be flights, and feet that turn on the spot."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from ...bodies.human.landmarks import SIDES
from ...bodies.kinematics import contact_point_positions
from ...maths.curves import runs
from ...motions.strides import FOREVER_S, SLOW_M_S, Contact, Stance
from ...specs.shot import EARTH_GRAVITY_M_S2
from .clip import FollowedClip

SHORT_AIR_S = 0.06
"""A gap between the stances of two feet up to this long is a fault of the contacts, not a flight (two frames at 30 Hz)."""
FALLING = 0.6
"""In a flight a clip's body falls by at least this share of gravity from its begin to its end (measured: flights of captured
runs and hops 0.74 and more, quick steps on feet that slide 0.43 and less)."""
OVERLAP_S = 0.01
TOUCHING_PER_LEG = 0.009
"""A sole lower than this over where it stands touches, as a share of the leg (as in `motions.touching`)."""
EDGE_S = 0.06
"""A strike so soon after a clip's first frame, and an off so soon before its last, are taken for a stance under way there."""
TURN_RAD, TURN_RATE = 0.2, 0.5
"""A standing foot that turns by more, faster than that [rad, rad/s], is set down anew where the other foot stands meanwhile."""
SETTING_S = 0.3
"""Least time to set such a foot down anew."""
BOTH_S = 0.13
"""Two feet that strike within so long come down together (measured: captured jumps and hops up to 0.12, runs 0.14 and more)."""
BESIDE_S = 0.05
"""The other foot stands for so long before and after."""


Schedule = dict[str, list[Stance]]
"""The stances of each foot, in their order."""


def make_schedule(clip: FollowedClip) -> Schedule:
    """The stances of a clip: those found, without gaps that are no flights, and with turning feet set down anew."""
    stances = {side: [_whole(c, clip.duration_s) for c in clip.contacts if c.side == side] for side in SIDES}
    _join_turns(stances, clip)
    _sharpen(stances, clip)
    _close_gaps(stances, clip)
    return {side: [part for stance in stances[side] for part in _unturned(clip, stance, stances[other])]
            for side, other in zip(SIDES, reversed(SIDES), strict=True)}


def _whole(contact: Contact, duration_s: float) -> Stance:
    """A contact with times for what a clip of that length does not show; one that ends without the heel down has lost it
    before. Speeds, which tell contacts, are worst at a clip's ends."""
    strike = contact.strike_s if contact.strike_s > EDGE_S else -FOREVER_S
    off = contact.toe_off_s if contact.toe_off_s < duration_s - EDGE_S else FOREVER_S
    flat = contact.flat_s if np.isfinite(contact.flat_s) else strike
    heel_off = contact.heel_off_s if np.isfinite(contact.heel_off_s) else FOREVER_S if off == FOREVER_S else strike
    return Stance(contact.side, strike, flat, max(heel_off, flat), off)


def flights(schedule: Schedule) -> list[tuple[float, float]]:
    """When no foot stands, (from, to) [clip s], between stances."""
    spans = sorted((s.strike_s, s.off_s) for stances in schedule.values() for s in stances)
    found, until = [], spans[0][1] if spans else 0.0
    for strike, off in spans[1:]:
        if strike > until:
            found.append((until, strike))
        until = max(until, off)
    return found


def lands_on_both(schedule: Schedule, strike_s: float) -> bool:
    """Whether both feet come down at about a time, as after a jump; in a run one does, and the other one swings on."""
    return all(any(abs(s.strike_s - strike_s) < BOTH_S for s in stances) for stances in schedule.values())


def _join_turns(stances: Schedule, clip: FollowedClip) -> None:
    """Make one stance of two of a foot that stays on the ground between them, though no foot stands meanwhile: it turns on
    the spot, too fast for a contact, or the capture trembles."""
    for start, end in flights(stances):
        for i, found in enumerate(stances.values()):
            k = next((k for k, s in enumerate(found[:-1]) if s.off_s <= start and found[k + 1].strike_s >= end), None)
            if k is not None and _stays(clip, i, found[k].off_s, found[k + 1].strike_s):
                before, after = found[k], found.pop(k + 1)
                heel_off = after.heel_off_s if after.heel_off_s > after.flat_s else before.heel_off_s
                found[k] = replace(before, heel_off_s=heel_off, off_s=after.off_s)


def _stays(clip: FollowedClip, foot: int, start_s: float, end_s: float) -> bool:
    """Whether a foot's sole is on the ground between two times, its ball all the way no faster than a standing one."""
    rows = slice(max(int(start_s / clip.step_s), 0), min(int(end_s / clip.step_s) + 2, len(clip.root_m)))
    points = contact_point_positions(clip.body, *(part[rows] for part in clip.poses()))
    own = [k for k, point in enumerate(clip.body.contact_points) if point.side == SIDES[foot]]
    balls = [k for k in own if clip.body.contact_points[k].kind == "ball"]
    way = points[-1, balls].mean(axis=0) - points[0, balls].mean(axis=0)
    low = points[:, own, 2].min(axis=1) < TOUCHING_PER_LEG * clip.body.leg_length_m
    return bool(low.all()) and float(np.hypot(way[0], way[1])) < SLOW_M_S * max(end_s - start_s, clip.step_s)


def _sharpen(stances: Schedule, clip: FollowedClip) -> None:
    """Bring the stances on either side of a flight as near to it as their soles stay on the ground: contacts are found by
    slowness too, and a foot that takes off is fast before it leaves the ground."""
    spans = flights(stances)
    if not spans:
        return
    soles = contact_point_positions(clip.body, *clip.poses())[..., 2]
    for i, (side, found) in enumerate(stances.items()):
        rows = [k for k, point in enumerate(clip.body.contact_points) if point.side == side]
        low = soles[:, rows].min(axis=1)
        standing = weights(stances, clip.times_s, 0.02)[:, i] >= 0.5
        low = low - np.median(low[standing]) if standing.any() else low
        touching = low < TOUCHING_PER_LEG * clip.body.leg_length_m
        for k, stance in enumerate(found):
            for start, end in spans:
                inside = (clip.times_s > start) & (clip.times_s < end)
                if stance.off_s == start:
                    air = clip.times_s[inside & ~touching]
                    stance = replace(stance, off_s=float(air[0]) if len(air) else start)
                if stance.strike_s == end:
                    air = clip.times_s[inside & ~touching]
                    strike = float(air[-1]) if len(air) else end
                    stance = replace(stance, strike_s=strike, flat_s=max(stance.flat_s, strike))
            found[k] = stance


def _close_gaps(stances: Schedule, clip: FollowedClip) -> None:
    """Let feet meet across gaps that are no flights: too short, or the body does not fall in them, so that it stands on feet that
    are too fast for a contact."""
    climbing = np.gradient(clip.com_m[:, 2], clip.step_s)
    for start, end in flights(stances):
        before, after = np.interp((start, end), clip.times_s, climbing)
        falls = after - before < -FALLING * EARTH_GRAVITY_M_S2 * clip.leg_ratio * (end - start)
        if end - start > SHORT_AIR_S and falls:
            continue
        middle = 0.5 * (start + end)
        for found in stances.values():
            for i, stance in enumerate(found):
                if stance.off_s == start:
                    found[i] = replace(stance, off_s=middle + OVERLAP_S)
                elif stance.strike_s == end:
                    found[i] = replace(stance, strike_s=middle - OVERLAP_S, flat_s=max(stance.flat_s, middle))


def _unturned(clip: FollowedClip, stance: Stance, others: Sequence[Stance]) -> list[Stance]:
    """A stance, cut wherever its foot turns on the spot while the other one stands."""
    first, last = max(stance.strike_s, 0.0), min(stance.off_s, clip.duration_s)
    rows = slice(int(first / clip.step_s), int(last / clip.step_s) + 1)
    times, yaw = clip.times_s[rows], clip.foot_yaw[rows, SIDES.index(stance.side)]
    if len(times) < 3:
        return [stance]
    turning = np.abs(np.gradient(yaw, clip.step_s)) > TURN_RATE
    parts = [stance]
    for start, end in runs(turning):
        if abs(yaw[end - 1] - yaw[start]) < TURN_RAD:
            continue
        middle, half = 0.5 * (times[start] + times[end - 1]), 0.5 * max(times[end - 1] - times[start], SETTING_S)
        lift, land = middle - half, middle + half
        held = any(s.strike_s < lift - BESIDE_S and s.off_s > land + BESIDE_S for s in others)
        if held and parts[-1].strike_s < lift - BESIDE_S and stance.off_s > land + BESIDE_S:
            before = parts.pop()
            parts += [replace(before, flat_s=min(before.flat_s, lift), heel_off_s=lift, off_s=lift),
                      replace(stance, strike_s=land, flat_s=land, heel_off_s=max(stance.heel_off_s, land))]
    return parts


def weights(schedule: Schedule, times: np.ndarray, ramp_s: float) -> np.ndarray:
    """How much of the weight each foot carries (..., 2) at times (...,): from nothing at its strike up, down to nothing at its
    off, over `ramp_s`; of both together 1. In a flight zeros."""
    found = np.zeros((*np.shape(times), 2))
    for i, side in enumerate(SIDES):
        for s in schedule[side]:
            ramp = np.minimum((times - s.strike_s) / ramp_s, (s.off_s - times) / ramp_s)
            found[..., i] = np.maximum(found[..., i], np.clip(ramp, 0.0, 1.0))
    return found / np.maximum(found.sum(axis=-1, keepdims=True), 1e-9)


def standing(schedule: Schedule, side: str, time_s: float) -> Stance | None:
    return next((s for s in schedule[side] if s.strike_s <= time_s < s.off_s), None)
