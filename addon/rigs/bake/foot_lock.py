# SPDX-License-Identifier: GPL-3.0-or-later
"""Planted feet: while points of a sole carry weight they stay where they are; the leg follows, and swing blends it out. From
frame to frame the foot gets the shift and the turn about the vertical that keep its loaded points in place (least squares: a
planar Procrustes fit), so that it rolls from heel to ball to toes without sliding. As long as the heel carries weight, heel and
ball are held as points of the foot; then the ball as a point of the toes. Each stance's shifts are centred about zero, the more
so where the leg is nearly straight: there a millimetre bends the knee by degrees. Where a planted foot would be out of the leg's
reach the hips sink a little, smoothly. The skin of a foot is what one sees of it, whatever the contact points are."""

from __future__ import annotations

import cmath
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from ...bodies.human.landmarks import neutral_alignments
from ...maths.curves import cubic, runs
from ...maths.rotations import matrix_from_quat, quat_rotate
from ...rows import Rows, blocks, in_blocks, let_go
from ...worlds.ground import Ground
from ..read.figure import Figure
from .leg import REACH, joint_sense, may_reach, move_leg, reach_of
from .own_motion import OwnMotion

_PITCHES, _ROLLS = np.radians(np.linspace(-75.0, 75.0, 21)), np.radians(np.linspace(-40.0, 40.0, 9))
_ANKLES, _TOES = np.radians([-30.0, 0.0, 30.0]), np.radians([-20.0, 0.0, 20.0, 40.0, 60.0])
"""Turns of a foot, the shank over it and the toes on it: no other point of skin than the lowest in one is ever lowest."""

UNSEEN_M, UNSEEN = 0.008, 0.009
"""Skin so far off the ground or in it stays, by the lesser of a length and a share of the leg: it would bend the knee."""


def seen_off(motion: OwnMotion, heights: np.ndarray) -> np.ndarray:
    """How far (T,) [m] skin at heights (T,) over the ground is seen to be off it: shoes are round, and toes curl."""
    room = min(UNSEEN_M, UNSEEN * motion.body.leg_length_m)
    return heights - np.clip(heights, -room, room)


def sole_heights(figure: Figure, motion: OwnMotion, ground: Ground) -> dict[str, np.ndarray]:
    """Side -> height (T,) [m] of the lowest skin of its foot over the ground, scaled as the path is; of feet with a skin."""
    return {side: _heights(figure, motion, ground, side) for side in figure.soles}


def _heights(figure: Figure, motion: OwnMotion, ground: Ground, side: str) -> np.ndarray:
    body, marks = motion.body, figure.points
    turns = neutral_alignments(marks)
    points, shares = figure.soles[side]
    joints = {f"shank_{side}": "knee", f"foot_{side}": "ankle", f"toes_{side}": "toes"}
    carriers = [name for name in joints if name in body.index]
    if len(carriers) < len(joints):
        shares = np.column_stack([shares[:, 0], shares[:, 1] + shares[:, 2]])
    local = [(points - marks[f"{joints[name]}_{side}"]) @ turns[name].T for name in carriers]
    kept = _lowest_of_all(local, shares, [body.segment(name).offset for name in carriers])
    local, shares = [points[kept] for points in local], shares[kept]
    rows_of = [body.index[name] for name in carriers]

    def lowest(rows: slice) -> np.ndarray:
        places = sum(share[:, None] * _placed(motion, rows, i, points)
                     for i, points, share in zip(rows_of, local, shares.T, strict=True))
        if ground.level:
            return places[..., 2].min(axis=1)
        under = motion.scale * ground.height(places[..., 0] / motion.scale, places[..., 1] / motion.scale)
        return (places[..., 2] - under).min(axis=1)

    return in_blocks(lowest, len(motion.places), motion.places, motion.turns)


def _placed(motion: OwnMotion, rows: slice, segment: int, local: np.ndarray) -> np.ndarray:
    """Places (T, N, 3) of points (N, 3) of a segment."""
    turned = np.einsum("tij,nj->tni", matrix_from_quat(motion.turns[rows, segment]), local)
    return turned + motion.places[rows, segment][:, None]


def _lowest_of_all(local: list[np.ndarray], shares: np.ndarray, offsets: list[np.ndarray]) -> np.ndarray:
    """Rows of the points (N, 3), as points of shank, foot and toes with their shares (N, 2 or 3) of them, that are lowest in
    some turn of these; `offsets` are the joints in the segments before."""
    pitch, roll = (grid.ravel() for grid in np.meshgrid(_PITCHES, _ROLLS))
    up = np.column_stack([-np.sin(pitch) * np.cos(roll), np.sin(roll), np.cos(pitch) * np.cos(roll)])
    found = []
    for ankle in _ANKLES:
        turn = _raised(ankle)
        bent = shares[:, :1] * ((local[0] - offsets[1]) @ turn.T) + shares[:, 1:2] * local[1]
        for toes in _TOES if shares.shape[1] > 2 else ():
            found.append((up @ (bent + shares[:, 2:] * (local[2] @ _raised(toes).T + offsets[2])).T).argmin(axis=1))
        if shares.shape[1] == 2:
            found.append((up @ bent.T).argmin(axis=1))
    return np.unique(np.concatenate(found))


def _raised(angle: float) -> np.ndarray:
    """Rotation (3, 3) that raises what is ahead by an angle [rad]."""
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[c, 0.0, -s], [0.0, 1.0, 0.0], [s, 0.0, c]])


_BLOCK = 256
"""Rows that are worked on at once, so that memory grows with the length and not with its square."""


def smooth_cover(need: np.ndarray, time_s: np.ndarray, window_s: np.ndarray) -> np.ndarray:
    """A smooth curve (T,) nowhere below `need` (T,) >= 0: each value spreads over its window (the largest within `window_s` (T,),
    its own or the other's), then the mean weighted by a triangle as wide is taken. `time_s` (T,) rises."""
    most, out = np.zeros(len(need)), np.zeros(len(need))
    for rows, near, columns in _blocks(time_s, window_s):
        if need[columns].any():
            reach = np.maximum(window_s[rows, None], window_s[None, columns])
            most[rows] = np.where(near <= reach, need[None, columns], 0.0).max(axis=1)
    for rows, near, columns in _blocks(time_s, window_s):
        if most[columns].any():
            weight = np.clip(1.0 - near / window_s[rows, None], 0.0, None)
            out[rows] = (weight @ most[columns]) / weight.sum(axis=1)
    return out


def _blocks(time_s: np.ndarray, window_s: np.ndarray):
    """Blocks of rows, the time between them and the columns that any of them can reach, and those columns."""
    widest = float(window_s.max())
    for start in range(0, len(time_s), _BLOCK):
        end = min(start + _BLOCK, len(time_s))
        first, last = np.searchsorted(time_s, [time_s[start] - 1.001 * widest, time_s[end - 1] + 1.001 * widest])
        rows, columns = slice(start, end), slice(int(first), int(last))
        yield rows, np.abs(time_s[rows, None] - time_s[None, columns]), columns


LEAST_SPREAD_M = 0.02
"""Loaded points nearer to one another than this do not tell the foot's turn."""

ON_GROUND_M = 0.004
"""A point of a stiff foot that is higher than its lowest by this has left the ground; a foot's pad gives way by less."""

REAL_SLIDE = 0.06
"""A stance in which a loaded point slides by more than this share of the leg is a slide, on ice say, and stays one."""

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
    """`share` (T, P) of the weight on each contact point, 0 where it is free, and the places (T, P, 3) at which points were
    simulated, scaled to the figure. From `let_go_s` on, after a fall, no foot stands. `skin_m`: side -> height (T,) [m] of its
    lowest skin over the ground, of figures that have one."""

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
    all_places, all_turns, still = Rows(), Rows(), (np.zeros((len(time_s), 3)), np.zeros(len(time_s)), None)
    for rows in blocks(len(time_s)):
        part = motion.part(rows)
        places, turns = part.places.copy(), part.turns.copy()
        places[..., 2] -= sink[rows, None]
        for side in (foot.name for foot in motion.body.feet):
            shift, yaw, _ = plans.get(side, still)
            move_leg(part, places, turns, side, shift[rows], yaw[rows])
        all_places.extend(places)
        all_turns.extend(turns)
        let_go(motion.places, motion.turns)
    return replace(motion, places=all_places.array(), turns=all_turns.array())


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
    """Shares (T, P) and lift (T,) [m] of a foot without toes, which rolls to its tip in one piece, of points `deep` (T, P) [m]
    under where they were simulated. The lowest comes to the ground; what is off it by then carries nothing."""
    rolls = share[:, kinds == "ball"].any(axis=1)[:, None] & (kinds == "toe")
    candidates = (share > 0.0) | rolls
    lowest = np.where(candidates, deep, -np.inf).max(axis=1)
    on = candidates & (deep >= lowest[:, None] - ON_GROUND_M)
    return np.where(on, np.maximum(share, np.finfo(float).tiny), 0.0), np.where(candidates.any(axis=1), lowest, 0.0)


def _stances(loaded: np.ndarray, time_s: np.ndarray, shortest_s: np.ndarray) -> list[tuple[int, int]]:
    """Half-open ranges of frames in which a foot is loaded, gaps of less than `shortest_s` (T,) included."""
    found: list[tuple[int, int]] = []
    for start, end in runs(loaded):
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
    """Shifts (n, 3) of the ankle and turns (n,) about it in a stance, least where the knee is most sensitive (`sense` (n,))."""
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
