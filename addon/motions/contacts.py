# SPDX-License-Identifier: GPL-3.0-or-later
"""When feet touch the ground: heel strike, foot flat, heel off and toe off, from heights and speeds of the sole's points."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..bodies.human.landmarks import SIDES
from .ground import speeds
from .retarget import Motion

LOW_PER_LEG = 0.035  # a point this near the ground may be touching it ...
SLOW_M_S, SLOW_SHARE = 0.40, 0.45  # ... if it is slower than this, or than this share of the figure's own speed
GAP_S = 0.07  # shorter gaps in a contact are noise
BOUT_S = 0.10  # shorter contacts are noise


@dataclass(frozen=True)
class Contact:
    """One stance of one foot: times [s]; not a number where the clip begins or ends within the stance.

    A foot whose heel never touches has `flat_s` = `strike_s` and `heel_off_s` = `strike_s`.
    """

    side: str
    strike_s: float
    flat_s: float
    heel_off_s: float
    toe_off_s: float


def find_contacts(motion: Motion) -> list[Contact]:
    """All stances of both feet, in order of their strikes; those already under way at the first frame come first."""
    points = motion.sole_points()
    travel = float(np.median(speeds(motion.root_position * [1.0, 1.0, 0.0], motion.frame_time_s)))
    slow = max(SLOW_M_S, SLOW_SHARE * travel)
    low = LOW_PER_LEG * motion.skeleton.leg_length_m
    found = []
    for i, side in enumerate(SIDES):
        excess = {part: _excess(motion, points, i, side, part, low, slow) for part in ("heel", "ball", "toe")}
        found += _stances(side, excess, motion.frame_time_s)
    return sorted(found, key=lambda c: c.strike_s if np.isfinite(c.strike_s) else -1.0)


def _excess(motion: Motion, points: np.ndarray, foot: int, side: str, part: str, low: float, slow: float) -> np.ndarray:
    """(T,) Height or speed of a part of a foot over its threshold, whichever is more; below 1 the part touches."""
    rows = [k for k, p in enumerate(motion.body.contact_points) if p.side == side and p.kind == part]
    places = points[:, rows].mean(axis=1)
    height = points[:, rows, 2].min(axis=1)
    resting = motion.resting[:, foot]
    if resting.any():
        height = height - np.median(height[resting])
    return np.maximum(height / low, speeds(places, motion.frame_time_s) / slow)


def _stances(side: str, excess: dict[str, np.ndarray], dt: float) -> list[Contact]:
    """Contacts of one foot from the excess of its heel, ball and toe."""
    foot = np.minimum.reduce(list(excess.values()))
    stances = []
    for start, end in _bouts(foot < 1.0, dt):
        strike = _crossing(foot, start, dt) if start > 0 else np.nan
        off = _crossing(foot, end, dt) if end < len(foot) else np.nan
        heel = np.flatnonzero(excess["heel"][start:end] < 1.0) + start
        ball = np.flatnonzero(np.minimum(excess["ball"], excess["toe"])[start:end] < 1.0) + start
        if len(heel) and len(ball):
            both = max(heel[0], ball[0])
            later = excess["heel"] if heel[0] > ball[0] else np.minimum(excess["ball"], excess["toe"])
            flat = strike if both == start else _crossing(later, both, dt)
            heel_off = off if heel[-1] == end - 1 else _crossing(excess["heel"], heel[-1] + 1, dt)
        else:
            flat = heel_off = strike
        stances.append(Contact(side, strike, flat, max(heel_off, flat) if np.isfinite(flat) else heel_off, off))
    return stances


def _bouts(touching: np.ndarray, dt: float) -> list[tuple[int, int]]:
    """Frame ranges [start, end) of contact, short gaps closed, short contacts dropped."""
    edges = np.flatnonzero(np.diff(np.concatenate([[False], touching, [False]]).astype(int)))
    bouts: list[list[int]] = []
    for start, end in edges.reshape(-1, 2):
        if bouts and (start - bouts[-1][1]) * dt < GAP_S:
            bouts[-1][1] = int(end)
        else:
            bouts.append([int(start), int(end)])
    return [(s, e) for s, e in bouts if (e - s) * dt >= BOUT_S or s == 0 or e == len(touching)]


def _crossing(excess: np.ndarray, frame: int, dt: float) -> float:
    """Time [s] at which `excess` passes 1 between frame - 1 and `frame`."""
    before, after = excess[frame - 1] - 1.0, excess[frame] - 1.0
    share = before / (before - after) if before * after < 0.0 else 0.5
    return float((frame - 1 + share) * dt)
