# SPDX-License-Identifier: GPL-3.0-or-later
"""Feet of a response on the ground: what stands stays where it is, nothing goes through the ground, legs reach their feet."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.ndimage import gaussian_filter1d, maximum_filter1d

from ...bodies.body import Body
from ...bodies.leg_ik import REACH, solve_legs
from ...bodies.segments import Foot
from ...maths.curves import smoothstep
from ...maths.quaternions import quat_conjugate, quat_from_rotvec, quat_multiply, quat_rotate
from .blending import faded
from .measuring import spans
from .response import PARTS

CLEAR_M, CLEAR_S = 0.02, 0.25
"""Height of a swing's middle over the ground that a foot has at least, of a swing that lasts so long (Earth's time; the sole of
the simulated ones comes to 5 cm)."""
LIGHT_M = 0.004
"""A point that is higher than the lowest one by this is held half as much."""
OF_TOES = 0.25
"""What the toes' joint counts beside the ball: both cannot stay when the heel goes up, and the ball bears."""
LEAST_SPREAD_M = 0.01
"""Points nearer to one another than this do not tell the foot's turn."""
SHORTEST = 0.2
"""A swing shorter than this share of a whole one is none."""
OFF_M = 0.003
"""So far off the ground is a foot that has moved as far from where it stood, or has still to move to where it will."""
TOES_S = 0.03
"""How smoothly toes bend for the ground (Earth's time)."""
SINK_S = 0.08
"""How smoothly the hips come lower for a foot out of reach (Earth's time)."""


@dataclass(frozen=True)
class Sole:
    """One foot's points: in its own axes (P, 3) from the ankle with their radii (P,), which of them are heel and ball (2, P), and
    those of the toes in the toes' axes (Q, 3) with the toes' joint from the ankle."""

    points: np.ndarray
    radii: np.ndarray
    parts: np.ndarray
    toes: np.ndarray
    toe_radii: np.ndarray
    toe_joint: np.ndarray

    @classmethod
    def of(cls, body: Body, foot: Foot) -> Sole:
        """The sole of a body's foot."""
        mine = [body.contact_points[i] for i in foot.points]
        own, far = ([p for p in mine if (p.segment == foot.segment) is same] for same in (True, False))
        joint = body.segment(far[0].segment).offset if far else np.zeros(3)
        return cls(np.array([p.position for p in own]), np.array([p.radius_m for p in own]),
                   np.array([[p.kind == part for p in own] for part in PARTS]),
                   np.array([p.position for p in far]).reshape(-1, 3), np.array([p.radius_m for p in far]), joint)

    def at(self, ankle: np.ndarray, turn: np.ndarray) -> np.ndarray:
        """Lowest places (N, P, 3) of the foot's own points, the ankle at (N, 3), turned by (N, 4)."""
        places = ankle[:, None] + quat_rotate(turn[:, None], self.points[None])
        places[..., 2] -= self.radii
        return places

    def lowest(self, ankle: np.ndarray, turn: np.ndarray, toe_rad: np.ndarray) -> np.ndarray:
        """Height (N,) of the lowest point of foot and toes."""
        low = self.at(ankle, turn)[..., 2].min(axis=1)
        if not len(self.toes):
            return low
        joint = ankle + quat_rotate(turn, np.broadcast_to(self.toe_joint, ankle.shape))
        return np.minimum(low, self._toe_heights(joint, turn, toe_rad).min(axis=1))

    def toe_angle(self, ankle: np.ndarray, turn: np.ndarray, level: float, angle: np.ndarray, wide: float) -> np.ndarray:
        """The toes' angles (N,) [rad], no less than what keeps their points out of the ground at a `level` [m], and as much more
        that they bend over so many samples (`wide`)."""
        if not len(self.toes):
            return angle
        joint = ankle + quat_rotate(turn, np.broadcast_to(self.toe_joint, ankle.shape))
        found = angle.copy()
        for _ in range(3):
            low = self._toe_heights(joint, turn, found).min(axis=1) - level
            found += np.maximum(-low, 0.0) / max(float(np.abs(self.toes[:, 0]).max()), 1e-6)
        return angle + np.maximum(found - angle, covered(found - angle, wide))

    def _toe_heights(self, joint: np.ndarray, turn: np.ndarray, angle: np.ndarray) -> np.ndarray:
        up = quat_multiply(turn, quat_from_rotvec(angle[:, None] * np.array([0.0, -1.0, 0.0])))
        return (joint[:, None] + quat_rotate(up[:, None], self.toes[None]))[..., 2] - self.toe_radii


def on_ground(
    sole: Sole, ankle: np.ndarray, turn: np.ndarray, toe_rad: np.ndarray, planted: np.ndarray, whole: float,
) -> tuple[np.ndarray, np.ndarray]:
    """Ankles (N, 3) and turns (N, 4) of a foot of which heel or ball, where they are `planted` (N, 2), stay in place: each stand
    holds what it landed on, by shift and turn about the vertical; what it was held back by goes in the swing that follows. A
    swing of so many samples (`whole`) clears the ground, toes and all (`toe_rad` (N,))."""
    points = sole.at(ankle, turn)
    held = planted @ sole.parts > 0  # (N, P)
    for a, b in spans(~held.any(axis=1)):
        if 0 < a and b < len(held) and b - a < SHORTEST * whole:  # from part to part of one stand
            held[a:b] = held[a - 1]
    stands = held.any(axis=1)
    lift = _lift(points[..., 2], sole.lowest(ankle, turn, toe_rad), held, ankle[:, :2], whole)
    shift, yaw = np.zeros(len(ankle), dtype=complex), np.zeros(len(ankle))
    counts = np.ones(points.shape[1])
    if len(sole.toes):  # with the heel up the foot turns about its ball, and the toes' joint, which is not there, is to stay, too
        ball = sole.parts[1]
        joint = np.repeat((ankle + quat_rotate(turn, np.broadcast_to(sole.toe_joint, ankle.shape)))[:, None], ball.sum(), axis=1)
        joint[..., 2] = points[:, ball, 2]  # as near to the ground as the ball
        points = np.concatenate([points, joint], axis=1)
        held, counts = np.concatenate([held, held[:, ball]], axis=1), np.append(counts, np.full(ball.sum(), OF_TOES))
    flat = points[..., 0] + 1j * points[..., 1]
    middle = ankle[:, 0] + 1j * ankle[:, 1]
    for a, b in spans(stands):
        _hold(flat[a:b], points[a:b, :, 2], held[a:b], counts, middle[a:b], shift[a:b], yaw[a:b])
    _let_go(shift, yaw, spans(~stands))
    out = ankle.copy()
    out[:, 0], out[:, 1], out[:, 2] = middle.real + shift.real, middle.imag + shift.imag, ankle[:, 2] + lift
    about = np.zeros((len(yaw), 3))
    about[:, 2] = yaw
    return out, quat_multiply(quat_from_rotvec(about), turn)


def _hold(points: np.ndarray, heights: np.ndarray, held: np.ndarray, counts: np.ndarray, ankle: np.ndarray,
          shift: np.ndarray, yaw: np.ndarray) -> None:
    """Fill `shift` and `yaw` (n,) of a stand, turns about the ankle (n,), that keep points (n, P) where they came to the ground
    while they are `held` (n, P), each by how near to the ground it is and what it `counts` (P,): what is still high, as the sole
    rolls onto it, comes down where it comes down."""
    high = heights - np.where(held, heights, np.inf).min(axis=1, keepdims=True)
    weight = held / (1.0 + (high / LIGHT_M) ** 2)
    before = np.concatenate([np.zeros_like(held[:1]), held[:-1]])
    goes = np.where(before, (1.0 - weight) ** 2, 1.0)  # an anchor with its point
    bears = weight * counts * np.where((held & before).any(axis=1, keepdims=True), before, 1.0)  # new ones go with them
    share = bears / bears.sum(axis=1, keepdims=True)
    middle = (share * points).sum(axis=1)
    away = points - middle[:, None]
    lever, spread = share * np.conj(away), (share * np.abs(away) ** 2).sum(axis=1)
    anchor, now = points[0], 0.0
    for n, apart in enumerate(spread):
        now = float(np.angle(lever[n] @ anchor)) if apart > LEAST_SPREAD_M**2 else now
        turn, there = np.exp(1j * now), share[n] @ anchor
        yaw[n], shift[n] = now, there - ankle[n] - (middle[n] - ankle[n]) * turn
        anchor = anchor + goes[n] * (there + away[n] * turn - anchor)


def _let_go(shift: np.ndarray, yaw: np.ndarray, swings: list[tuple[int, int]]) -> None:
    """What a stand was shifted and turned by at its end goes in the swing after it."""
    for a, b in swings:
        if a > 0:
            times = np.arange(1.0, b - a + 1.0)
            shift[a:b] = faded(times, b - a + 1.0, shift[a - 1])
            yaw[a:b] = faded(times, b - a + 1.0, yaw[a - 1])


def _lift(heights: np.ndarray, lowest: np.ndarray, held: np.ndarray, places: np.ndarray, whole: float) -> np.ndarray:
    """(N,) [m] that brings held points of `heights` (N, P) to the ground and no point below it, the `lowest` (N,) of all clear of
    it in a swing, through `places` (N, 2)."""
    lift, rows, stands = np.zeros(len(heights)), np.arange(len(heights)), held.any(axis=1)
    standing = np.where(held, heights, np.inf).min(axis=1)
    lift[stands] = -standing[stands]
    known = stands.copy()
    known[0] = True  # who begins in the air is where it is
    lift = np.interp(rows, rows[known], lift[known])
    lift = np.maximum(lift, -heights.min(axis=1))
    for a, b in spans(~stands):
        u = (np.arange(b - a) + (a > 0)) / (b - a + (a > 0))
        clear = CLEAR_M * min((b - a) / whole, 1.0) * 16.0 * (u * (1.0 - u)) ** 2
        ends = [row for row in (a - 1, b) if 0 <= row < len(places)]
        gone = np.min([np.hypot(*(places[a:b] - places[row]).T) for row in ends], axis=0) if ends else np.zeros(b - a)
        clear = np.maximum(clear, np.minimum(gone, OFF_M))
        lift[a:b] = np.maximum(lift[a:b], clear - lowest[a:b])
    return lift


def covered(need: np.ndarray, wide: float) -> np.ndarray:
    """(N,) a smooth curve over what is needed (N,), `wide` samples before and after."""
    most = maximum_filter1d(need, 2 * int(np.ceil(2.0 * wide)) + 1, mode="nearest")
    return np.asarray(gaussian_filter1d(most, wide, mode="nearest", truncate=2.0))


@dataclass(frozen=True)
class Legs:
    """A body's legs, by foot in the order of `Body.feet`: hips from the root (F, 3), lengths [m] of thigh and shank."""

    hips: np.ndarray
    thigh_m: float
    shank_m: float

    @classmethod
    def of(cls, body: Body) -> Legs:
        """The legs of a body."""
        thighs = [body.segment(foot.leg[0]) for foot in body.feet]
        shank, foot = (body.segment(name) for name in body.feet[0].leg[1:3])
        return cls(np.array([s.offset for s in thighs]), float(np.linalg.norm(shank.offset)), float(np.linalg.norm(foot.offset)))

    def sunk(self, root: np.ndarray, turn: np.ndarray, ankles: np.ndarray, step_s: float) -> np.ndarray:
        """The root's places (N, 3), lower where a leg would not reach its ankle (N, F, 3); at first no lower than that."""
        hips = root[:, None] + quat_rotate(turn[:, None], self.hips[None])
        away = hips - ankles
        longest = REACH * (self.thigh_m + self.shank_m)
        level = np.minimum((away[..., :2] ** 2).sum(axis=-1), (0.999 * longest) ** 2)
        need = np.maximum(away[..., 2] - np.sqrt(longest**2 - level), 0.0).max(axis=1)
        if not need.any():
            return root
        wide = max(SINK_S / step_s, 0.5)
        out = root.copy()
        out[:, 2] -= np.maximum(need, smoothstep(np.arange(len(need)) / (2.0 * wide)) * covered(need, wide))
        return out

    def to(self, foot: int, root: np.ndarray, turn: np.ndarray, ankle: np.ndarray, sole: np.ndarray, axis: np.ndarray) -> tuple[
            np.ndarray, np.ndarray, np.ndarray]:
        """Thigh (N, 4), knee (N,) [rad] and foot (N, 4) of a leg to its ankle (N, 3) with the foot turned by (N, 4); the knee's
        `axis` (N, 3) in the root's axes."""
        back = quat_conjugate(turn)
        return solve_legs(quat_rotate(back, ankle - root) - self.hips[foot], quat_multiply(back, sole), axis, self.thigh_m,
                          self.shank_m)
