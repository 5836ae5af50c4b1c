# SPDX-License-Identifier: GPL-3.0-or-later
"""Planted feet: while points of a sole carry weight they stay where they are; the leg follows, and swing blends it out.

A tracked walk slips by some millimetres a stance, a figure of other proportions by more. From frame to frame the foot gets
the shift and the turn about the vertical that keep its loaded points in place (least squares: a planar Procrustes fit), so
that it rolls from heel to ball to toes without sliding. As long as the heel carries weight, heel and ball are held as points
of the foot; then the ball is held as a point of the toes, which lie on the ground while the foot turns about their joint.
Each stance's shifts are centred about zero, the more so where the leg is nearly straight: there a millimetre bends the knee by
degrees. Between stances they blend. Where a planted foot would be out of the leg's
reach the hips sink a little, smoothly. Hip and foot given, the leg follows (`leg.py`); it keeps its plane.
"""

from __future__ import annotations

import cmath
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from ...maths.curves import cubic
from ...maths.quaternions import quat_rotate
from .cover import smooth_cover
from .leg import REACH, joint_sense, may_reach, move_leg, reach_of
from .own_motion import OwnMotion
from .soles import seen_off

LEAST_SPREAD_M = 0.02
"""Loaded points nearer to one another than this do not tell the foot's turn."""

ON_GROUND_M = 0.004
"""A point of a stiff foot that is higher than its lowest by this has left the ground; a foot's pad gives way by less."""

REAL_SLIDE = 0.06
"""A stance in which a loaded point was simulated to slide by more than this share of the leg is a slide, on ice say, and
stays one."""

CENTRE_STEPS = 40
"""The centre of a stance's shifts is found to about a share of one in so many of the farthest."""

SINK_WINDOW_S = 0.12
"""Time over which the hips sink to bring a foot within reach, and rise again (at Earth's gravity)."""

LET_GO_S = 0.2
"""Time in which a planted foot comes back to where it was simulated, when the body lets go."""

SHORTEST_SWING_S = 0.1
"""A foot unloaded for less than this (times the square root of Earth's over the world's gravity) has not left the ground."""


@dataclass(frozen=True)
class Loads:
    """What the simulation knows of the ground: `share` (T, P) of the weight on each of the body's contact points, 0 where it
    is free, and the places (T, P, 3) at which the points were simulated, scaled to the figure. From `let_go_s` on, where there is
    a fall, no foot stands any more, whatever lies on the ground. `skin_m`: side -> height (T,) [m] of its lowest skin over the
    ground, of figures that have one."""

    share: np.ndarray
    points_m: np.ndarray
    let_go_s: float | None = None
    skin_m: Mapping[str, np.ndarray] = field(default_factory=dict)


def lock_feet(motion: OwnMotion, loads: Loads, time_s: np.ndarray, gravity_ratio: float | np.ndarray = 1.0) -> OwnMotion:
    """The motion with planted feet. `gravity_ratio` is the world's gravity over Earth's, one or at each of `time_s` (T,)."""
    slowness = np.broadcast_to(1.0 / np.sqrt(gravity_ratio), time_s.shape)
    plans = {}
    for side in (foot.name for foot in motion.body.feet):
        sole = _sole(motion, loads, side)
        mine = [p.side == side for p in motion.body.contact_points]
        stances = [(a, b) for a, b in _stances(sole.loaded, time_s, SHORTEST_SWING_S * slowness)
                   if _slid(loads.points_m[a:b, mine], loads.share[a:b, mine]) < REAL_SLIDE * motion.body.leg_length_m]
        if stances:
            sense = joint_sense(motion, side)
            shift, yaw = _blended(stances, [_planted(sole.part(a, b), sense[a:b]) for a, b in stances], time_s)
            if side in loads.skin_m:
                shift[:, 2] += np.maximum(-seen_off(motion, loads.skin_m[side] + shift[:, 2]), 0.0)
            left = _left_of_locks(time_s, loads.let_go_s)
            plans[side] = shift * left[:, None], yaw * left, sole.loaded
    if not plans:
        return motion
    sink = sink_of(motion, plans, time_s, SINK_WINDOW_S * slowness)
    places, turns = motion.places.copy(), motion.turns.copy()
    places[..., 2] -= sink[:, None]
    for side in (foot.name for foot in motion.body.feet):
        shift, yaw, _ = plans.get(side, (np.zeros((len(time_s), 3)), np.zeros(len(time_s)), None))
        move_leg(motion, places, turns, side, shift, yaw)
    return replace(motion, places=places, turns=turns)


@dataclass(frozen=True)
class _Sole:
    """A foot's ankle (T, 3) and sole: `points` (T, P, 3) that are held, their `share` (T, P) of the weight, `lift` (T,) [m]
    that brings the loaded ones to their height, and the skin to the ground. While the heel is loaded (`heel` (T,)) the points
    of the foot are held, then those of the toes (`on_toes` (P,))."""

    ankle: np.ndarray
    points: np.ndarray
    share: np.ndarray
    lift: np.ndarray
    heel: np.ndarray
    on_toes: np.ndarray

    @property
    def loaded(self) -> np.ndarray:
        return self.share.sum(axis=1) > 0.0

    def part(self, start: int, end: int) -> _Sole:
        rows = slice(start, end)
        return _Sole(self.ankle[rows], self.points[rows], self.share[rows], self.lift[rows], self.heel[rows], self.on_toes)


def _sole(motion: OwnMotion, loads: Loads, side: str) -> _Sole:
    """What is held of one foot. Points of the ball are there twice: as points of the foot and as points of the toes."""
    body = motion.body
    mine = [i for i, p in enumerate(body.contact_points) if p.side == side]
    points, share = motion.sole_points[:, mine], loads.share[:, mine]
    total, deep = share.sum(axis=1), loads.points_m[:, mine, 2] - points[..., 2]
    lift = np.divide(np.sum(share * deep, axis=1), total, out=np.zeros(len(total)), where=total > 0.0)
    kinds = [body.contact_points[i].kind for i in mine]
    heel = share[:, [k == "heel" for k in kinds]].sum(axis=1) > 0.0
    foot = body.foot(side).segment
    on_toes = np.array([body.contact_points[i].segment != foot for i in mine])
    toes = next((body.index[name] for name in body.children(foot)), None)
    if toes is not None:
        ball = [n for n, kind in enumerate(kinds) if kind == "ball" and not on_toes[n]]
        local = np.array([body.contact_points[mine[n]].position for n in ball]) - body.segments[toes].offset
        carried = motion.places[:, [toes]] + quat_rotate(motion.turns[:, [toes]], local[None])
        points = np.concatenate([points, carried], axis=1)
        share = np.concatenate([share, share[:, ball]], axis=1)
        on_toes = np.append(on_toes, np.ones(len(ball), dtype=bool))
    else:
        on_toes[:] = False
        share, lift = _rolling(share, deep, np.array(kinds))
    if side in loads.skin_m:
        lift = lift - seen_off(motion, loads.skin_m[side] + lift)
    return _Sole(motion.places[:, body.index[foot]], points, share, lift, heel, on_toes)


def _rolling(share: np.ndarray, deep: np.ndarray, kinds: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Shares (T, P) and lift (T,) [m] of a foot without toes, which rolls from the ball to its tip in one piece.

    `deep` (T, P) [m] is how far each point would have to be lifted to where it was simulated. The lowest comes to the ground,
    and what is off the ground by then carries nothing, whatever it carried in a simulation with toes.
    """
    rolls = share[:, kinds == "ball"].any(axis=1)[:, None] & (kinds == "toe")
    candidates = (share > 0.0) | rolls
    lowest = np.where(candidates, deep, -np.inf).max(axis=1)
    on = candidates & (deep >= lowest[:, None] - ON_GROUND_M)
    return np.where(on, np.maximum(share, np.finfo(float).tiny), 0.0), np.where(candidates.any(axis=1), lowest, 0.0)


def _stances(loaded: np.ndarray, time_s: np.ndarray, shortest_s: np.ndarray) -> list[tuple[int, int]]:
    """Half-open ranges of frames in which a foot is loaded, gaps of less than `shortest_s` (T,) included."""
    edges = np.flatnonzero(np.diff(np.concatenate([[False], loaded, [False]]).astype(int)))
    found: list[tuple[int, int]] = []
    for start, end in zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True):
        if found and time_s[start] - time_s[found[-1][1] - 1] < shortest_s[start]:
            found[-1] = (found[-1][0], end)
        else:
            found.append((start, end))
    return found


def _slid(points: np.ndarray, share: np.ndarray) -> float:
    """The farthest [m] that any point (n, P, 3) came over the ground while it was loaded."""
    both = (share[1:] > 0.0) & (share[:-1] > 0.0)
    steps = np.diff(points[..., :2], axis=0) * both[..., None]
    return float(np.linalg.norm(np.cumsum(steps, axis=0), axis=-1).max(initial=0.0))


def _planted(sole: _Sole, sense: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Shifts (n, 3) of the ankle and turns (n,) of the foot about it in a stance of n frames, least where the knee is most
    sensitive to them (`sense` (n,))."""
    n = len(sole.ankle)
    yaw, moved = np.zeros(n), np.zeros(n, dtype=complex)
    centre = sole.ankle[:, 0] + 1j * sole.ankle[:, 1]
    arms = sole.points[..., 0] + 1j * sole.points[..., 1] - centre[:, None]
    weights = _pair_weights(sole)
    middles = np.einsum("np,np->n", weights, arms[1:])
    apart = np.einsum("np,np->n", weights, np.abs(arms[1:] - middles[:, None]) ** 2) > LEAST_SPREAD_M**2
    conjugate = weights * np.conj(arms[1:] - middles[:, None])
    loaded = weights.any(axis=1)
    held = centre[0] + arms[0]
    for k in range(1, n):
        moved[k], yaw[k] = moved[k - 1], yaw[k - 1]
        if loaded[k - 1]:
            goal = weights[k - 1] @ held
            if apart[k - 1]:
                yaw[k] = cmath.phase(conjugate[k - 1] @ (held - goal))
            moved[k] = goal - middles[k - 1] * cmath.rect(1.0, yaw[k]) - centre[k]
        held = arms[k] * cmath.rect(1.0, yaw[k]) + (centre[k] + moved[k])
    moved -= _centre(moved, sense)
    return np.column_stack([moved.real, moved.imag, sole.lift]), yaw


def _centre(places: np.ndarray, weights: np.ndarray) -> complex:
    """The place from which the farthest of places (n,) is least far, each by its weight (n,): steps towards the farthest, each
    shorter than the one before (Badoiu and Clarkson, "Smaller core-sets for balls", 2003)."""
    centre = complex(weights @ places / weights.sum())
    for step in range(CENTRE_STEPS):
        centre += (places[int((weights * np.abs(places - centre)).argmax())] - centre) / (step + 2.0)
    return centre


def _pair_weights(sole: _Sole) -> np.ndarray:
    """Weights (n-1, P) of the points that are held from each frame to the next: equal, so that where not all can be held no
    one of them slides far; they sum to 1, or are all 0."""
    before, after = sole.share[:-1], sole.share[1:]
    counts = np.ones_like(before, dtype=bool)
    if sole.on_toes.any():
        counts = np.where((sole.heel[:-1] | sole.heel[1:])[:, None], ~sole.on_toes, sole.on_toes)
    both, either = (before > 0.0) & (after > 0.0) & counts, ((before > 0.0) | (after > 0.0)) & counts
    weights = np.where(both.any(axis=1, keepdims=True), both, either).astype(float)
    total = weights.sum(axis=1, keepdims=True)
    return np.divide(weights, total, out=np.zeros_like(weights), where=total > 0.0)


def _blended(stances: list[tuple[int, int]], fits: list[tuple[np.ndarray, np.ndarray]],
             time_s: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Shifts (T, 3) and turns (T,) of all frames: those of the stances, smoothly from one to the next in between."""
    rows = np.full((len(time_s), 4), np.nan)
    for (start, end), (shift, yaw) in zip(stances, fits, strict=True):
        rows[start:end, :3], rows[start:end, 3] = shift, yaw
    rows[: stances[0][0]] = rows[stances[0][0]]
    rows[stances[-1][1]:] = rows[stances[-1][1] - 1]
    for (_, end), (start, _) in zip(stances, stances[1:], strict=False):
        share = (time_s[end:start] - time_s[end - 1]) / (time_s[start] - time_s[end - 1])
        share = cubic(share)[:, None]
        rows[end:start] = (1.0 - share) * rows[end - 1] + share * rows[start]
    return rows[:, :3], rows[:, 3]


def _left_of_locks(time_s: np.ndarray, let_go_s: float | None) -> np.ndarray:
    """How much (T,) of the feet's shifts and turns is left when the body lets go: all before, smoothly none after."""
    if let_go_s is None:
        return np.ones(len(time_s))
    return 1.0 - cubic(np.clip((time_s - let_go_s) / LET_GO_S, 0.0, 1.0))


def sink_of(motion: OwnMotion, plans: dict, time_s: np.ndarray, window_s: np.ndarray) -> np.ndarray:
    """How far the hips have to sink (T,) [m] so that the legs reach the planted feet, and none that is nearly straight is
    stretched, at which its knee would snap: smooth, never less than needed."""
    need = np.zeros(len(time_s))
    for side, (shift, _, loaded) in plans.items():
        hip, foot, longest = reach_of(motion, side)
        before = motion.places[:, foot] - motion.places[:, hip]
        line = before + shift
        reach = np.minimum(may_reach(np.linalg.norm(before, axis=1), longest), REACH * longest)
        flat = np.linalg.norm(line[:, :2], axis=1)
        down = np.sqrt(np.maximum(reach**2 - flat**2, 0.0))
        need = np.maximum(need, np.where(loaded, np.maximum(-line[:, 2] - down, 0.0), 0.0))
    if not need.any():
        return need
    return smooth_cover(need, time_s, window_s)
