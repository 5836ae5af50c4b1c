# SPDX-License-Identifier: GPL-3.0-or-later
"""Poses of a body by its root, its joints and where its feet are: what stands stays where it is, nothing goes through the ground,
legs reach their feet, and offsets from where a body was fade."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.ndimage import gaussian_filter1d, maximum_filter1d

from ...bodies.body import Body, Foot, joint_quaternions, root_pose
from ...bodies.kinematics import REACH, contact_point_positions, segment_poses, solve_legs
from ...errors import InputError
from ...maths.curves import runs, smoothstep
from ...maths.rotations import matrix_from_quat, quat_conjugate, quat_from_rotvec, quat_multiply, quat_rotate, rotvec_from_quat
from .response import PARTS

TOUCHING_M = 0.002
"""A point lower than this touches the ground."""


@dataclass(frozen=True)
class Faults:
    """The lowest place of any contact point [m], and the farthest that one went along the ground from where it touched down."""

    lowest_m: float
    slid_m: float


def faults_of(body: Body, qpos: np.ndarray) -> Faults:
    """The faults of poses (N, nq) on the level ground z = 0."""
    root, turn = root_pose(body, qpos)
    points = contact_point_positions(body, *segment_poses(body, root, turn, joint_quaternions(body, qpos)))
    slid = 0.0
    for i in range(points.shape[1]):
        for a, b in runs(points[:, i, 2] < TOUCHING_M):
            slid = max(slid, float(np.hypot(*(points[a:b, i, :2] - points[a, i, :2]).T).max()))
    return Faults(float(points[..., 2].min()), slid)


def faded(times_s: np.ndarray, long_s: float, offset: np.ndarray, rate: np.ndarray | float = 0.0) -> np.ndarray:
    """(N, ...) a curve from `offset` (...) with its `rate` [1/s] at time 0 to nothing at `long_s`, cubic with a level end."""
    s = np.clip(times_s / max(long_s, 1e-9), 0.0, 1.0)
    stays, slope = 1.0 - s * s * (3.0 - 2.0 * s), s * (1.0 - s) ** 2 * long_s
    shape = (-1, *(1,) * np.ndim(offset))
    return stays.reshape(shape) * offset + slope.reshape(shape) * rate


def joined(
    turns: np.ndarray, times_s: np.ndarray, long_s: float, start: np.ndarray, spin: np.ndarray | float = 0.0,
) -> np.ndarray:
    """Rotations (N, ..., 4) that begin at `start` (..., 4) and, faded, become `turns` (N, ..., 4); `spin` (..., 3) [rad/s], by
    which the start turns faster than they do."""
    away = rotvec_from_quat(quat_multiply(start, quat_conjugate(turns[0])))
    return quat_multiply(quat_from_rotvec(faded(times_s, long_s, away, spin)), turns)


def spin_of(turns: np.ndarray, step_s: float) -> np.ndarray:
    """Angular velocity (..., 3) [rad/s] from the first to the second of rotations (2, ..., 4)."""
    return rotvec_from_quat(quat_multiply(turns[1], quat_conjugate(turns[0]))) / step_s


CLEAR_M, CLEAR_S = 0.02, 0.25
"""Height of a swing's middle over the ground that a foot has at least, of a swing that lasts so long (Earth's time)."""
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
        need = self.toe_need(ankle, turn, level, angle)
        return angle + np.maximum(need, covered(need, wide))

    def toe_need(self, ankle: np.ndarray, turn: np.ndarray, level: float, angle: np.ndarray) -> np.ndarray:
        """By how much (N,) [rad] toes at an `angle` (N,) have to bend to keep their points out of the ground at a `level` [m]."""
        if not len(self.toes):
            return np.zeros(len(angle))
        joint = ankle + quat_rotate(turn, np.broadcast_to(self.toe_joint, ankle.shape))
        found = angle.copy()
        for _ in range(3):
            low = self._toe_heights(joint, turn, found).min(axis=1) - level
            found += np.maximum(-low, 0.0) / max(float(np.abs(self.toes[:, 0]).max()), 1e-6)
        return found - angle

    def grips(self, ankle: np.ndarray, turn: np.ndarray, points: np.ndarray, held: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The points (N, G, 3) of a foot that hold it, and which do (N, G): its own (N, P, 3) with those that are `held` (N, P),
        and with the heel up, as the foot turns about its ball, the toes' joint, which is not there, is to stay, too."""
        if not len(self.toes):
            return points, held
        ball = self.parts[1]
        joint = np.repeat((ankle + quat_rotate(turn, np.broadcast_to(self.toe_joint, ankle.shape)))[:, None], ball.sum(), axis=1)
        joint[..., 2] = points[:, ball, 2]  # as near to the ground as the ball
        return np.concatenate([points, joint], axis=1), np.concatenate([held, held[:, ball]], axis=1)

    @property
    def counts(self) -> np.ndarray:
        """What each of its `grips` (G,) counts."""
        ones = np.ones(len(self.points))
        return np.append(ones, np.full(self.parts[1].sum(), OF_TOES)) if len(self.toes) else ones

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
    for a, b in runs(~held.any(axis=1)):
        if 0 < a and b < len(held) and b - a < SHORTEST * whole:  # from part to part of one stand
            held[a:b] = held[a - 1]
    stands = held.any(axis=1)
    lift = _lift(points[..., 2], sole.lowest(ankle, turn, toe_rad), held, ankle[:, :2], whole)
    shift, yaw = np.zeros(len(ankle), dtype=complex), np.zeros(len(ankle))
    points, held = sole.grips(ankle, turn, points, held)
    flat = points[..., 0] + 1j * points[..., 1]
    middle = ankle[:, 0] + 1j * ankle[:, 1]
    for a, b in runs(stands):
        shift[a:b], yaw[a:b] = Hold(sole, flat[a]).over(flat[a:b], points[a:b, :, 2], held[a:b], middle[a:b])
    _let_go(shift, yaw, runs(~stands))
    out = ankle.copy()
    out[:, 0], out[:, 1], out[:, 2] = middle.real + shift.real, middle.imag + shift.imag, ankle[:, 2] + lift
    about = np.zeros((len(yaw), 3))
    about[:, 2] = yaw
    return out, quat_multiply(quat_from_rotvec(about), turn)


class Hold:
    """What keeps the grips (G,) of a foot that stands where they came to the ground: a shift, and a turn about the ankle."""

    def __init__(self, sole: Sole, grips: np.ndarray, yaw: float = 0.0) -> None:
        """A stand that begins with its grips at those places, the foot already turned by `yaw`."""
        self._counts, self._anchor, self._now = sole.counts, grips, yaw
        self._held = np.zeros(len(grips), dtype=bool)

    def over(self, points: np.ndarray, heights: np.ndarray, held: np.ndarray, ankle: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The shifts (n,) and turns (n,) of the next samples that keep points (n, G) while they are `held` (n, G), each by how
        near to the ground it is and what it counts: what is still high as the sole rolls onto it comes down where it does."""
        shift, yaw = np.zeros(len(points), dtype=complex), np.zeros(len(points))
        high = heights - np.where(held, heights, np.inf).min(axis=1, keepdims=True)
        weight = held / (1.0 + (high / LIGHT_M) ** 2)
        before = np.concatenate([self._held[None], held[:-1]])
        goes = np.where(before, (1.0 - weight) ** 2, 1.0)  # an anchor with its point
        bears = weight * self._counts * np.where((held & before).any(axis=1, keepdims=True), before, 1.0)  # new ones go with them
        share = bears / bears.sum(axis=1, keepdims=True)
        middle = (share * points).sum(axis=1)
        away = points - middle[:, None]
        lever, spread = share * np.conj(away), (share * np.abs(away) ** 2).sum(axis=1)
        for n, apart in enumerate(spread):
            self._now = float(np.angle(lever[n] @ self._anchor)) if apart > LEAST_SPREAD_M**2 else self._now
            turn, there = np.exp(1j * self._now), share[n] @ self._anchor
            yaw[n], shift[n] = self._now, there - ankle[n] - (middle[n] - ankle[n]) * turn
            self._anchor = self._anchor + goes[n] * (there + away[n] * turn - self._anchor)
        self._held = held[-1]
        return shift, yaw


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
    for a, b in runs(~stands):
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
        thighs = [body.segment(foot.leg[0]) for foot in body.feet]
        shank, foot = (body.segment(name) for name in body.feet[0].leg[1:3])
        return cls(np.array([s.offset for s in thighs]), float(np.linalg.norm(shank.offset)), float(np.linalg.norm(foot.offset)))

    def sunk(self, root: np.ndarray, turn: np.ndarray, ankles: np.ndarray, step_s: float) -> np.ndarray:
        """The root's places (N, 3), lower where a leg would not reach its ankle (N, F, 3); at first no lower than that."""
        need = self.too_high(root, turn, ankles)
        if not need.any():
            return root
        wide = max(SINK_S / step_s, 0.5)
        out = root.copy()
        out[:, 2] -= np.maximum(need, smoothstep(np.arange(len(need)) / (2.0 * wide)) * covered(need, wide))
        return out

    def too_high(self, root: np.ndarray, turn: np.ndarray, ankles: np.ndarray) -> np.ndarray:
        """By how much (N,) [m] the root (N, 3) is too high for legs to reach their ankles (N, F, 3)."""
        away = root[:, None] + quat_rotate(turn[:, None], self.hips[None]) - ankles
        longest = REACH * (self.thigh_m + self.shank_m)
        level = np.minimum((away[..., :2] ** 2).sum(axis=-1), (0.999 * longest) ** 2)
        return np.asarray(np.maximum(away[..., 2] - np.sqrt(longest**2 - level), 0.0).max(axis=1))

    def to(self, foot: int, root: np.ndarray, turn: np.ndarray, ankle: np.ndarray, sole: np.ndarray, axis: np.ndarray) -> tuple[
            np.ndarray, np.ndarray, np.ndarray]:
        """Thigh (N, 4), knee (N,) [rad] and foot (N, 4) of a leg to its ankle (N, 3) with the foot turned by (N, 4); the knee's
        `axis` (N, 3) in the root's axes."""
        back = quat_conjugate(turn)
        return solve_legs(quat_rotate(back, ankle - root) - self.hips[foot], quat_multiply(back, sole), axis, self.thigh_m,
                          self.shank_m)


@dataclass(frozen=True)
class Figure:
    """N poses: root (N, 3) [m] and (N, 4), joints (N, S-1, 4) in the order of `Body.joint_segments`, ankles (N, F, 3) [m] and
    feet's orientations (N, F, 4) in the order of `Body.feet`. Legs need not reach their feet before `grounded`."""

    root: np.ndarray
    turn: np.ndarray
    joints: np.ndarray
    ankles: np.ndarray
    soles: np.ndarray

    def coordinates(self, body: Body) -> np.ndarray:
        """Generalised coordinates (N, nq)."""
        columns = [self.root, self.turn]
        for segment, quats in zip(body.segments[1:], np.moveaxis(self.joints, 1, 0), strict=True):
            columns.append(quats if segment.axis is None else hinge_angle(quats, segment.axis)[:, None])
        return np.concatenate(columns, axis=1)


def figure_of(body: Body, qpos: np.ndarray) -> Figure:
    """The poses of generalised coordinates (N, nq). Raises InputError for a body without a person's two legs."""
    if body.kind != "human":
        raise InputError(f"Push responses are people's: a body of the kind {body.kind!r} has none.")
    root, turn = root_pose(body, qpos)
    joints = joint_quaternions(body, qpos)
    return with_feet(body, root, turn, joints)


def with_feet(body: Body, root: np.ndarray, turn: np.ndarray, joints: np.ndarray) -> Figure:
    positions, orientations = segment_poses(body, root, turn, joints)
    feet = [body.index[foot.segment] for foot in body.feet]
    return Figure(root, turn, joints, positions[:, feet], orientations[:, feet])


def levels_of(body: Body, stance: Figure) -> np.ndarray:
    """Height (F,) [m] of the ground under each foot of one pose that stands."""
    return np.array([Sole.of(body, foot).at(stance.ankles[:, f], stance.soles[:, f])[..., 2].min()
                     for f, foot in enumerate(body.feet)])


def grounded(body: Body, figure: Figure, planted: np.ndarray, step_s: float, levels: np.ndarray) -> Figure:
    """Feet whose parts that are `planted` (N, F, 2) stay where they are, out of the ground at `levels` (F,) [m], reached."""
    soles = [Sole.of(body, foot) for foot in body.feet]
    at = {name: i for i, name in enumerate(body.joint_segments)}
    above = figure.ankles - levels[:, None] * np.array([0.0, 0.0, 1.0])
    pairs = []
    for f, (foot, sole) in enumerate(zip(body.feet, soles, strict=True)):
        toes = body.children(foot.segment)
        toe_rad = hinge_angle(figure.joints[:, at[toes[0]]], _hinge(body, toes[0])) if toes else np.zeros(len(above))
        pairs.append(on_ground(sole, above[:, f], figure.soles[:, f], toe_rad, planted[:, f], CLEAR_S / step_s))
    ankles, feet = np.stack([pair[0] for pair in pairs], axis=1), np.stack([pair[1] for pair in pairs], axis=1)
    legs = Legs.of(body)
    ankles[..., 2] += levels
    root = legs.sunk(figure.root, figure.turn, ankles, step_s)
    joints = reaching(body, legs, Figure(root, figure.turn, figure.joints, ankles, feet))
    for f, foot in enumerate(body.feet):
        for name in body.children(foot.segment):
            hinge = _hinge(body, name)
            angle = soles[f].toe_angle(ankles[:, f], feet[:, f], levels[f], hinge_angle(joints[:, at[name]], hinge),
                                       max(TOES_S / step_s, 0.5))
            joints[:, at[name]] = quat_from_rotvec(angle[:, None] * hinge)
    return Figure(root, figure.turn, joints, ankles, feet)


def reaching(body: Body, legs: Legs, figure: Figure) -> np.ndarray:
    """Joints (N, S-1, 4) with which the legs of poses reach their feet."""
    at, joints = {name: i for i, name in enumerate(body.joint_segments)}, figure.joints.copy()
    root, turn, ankles, soles = figure.root, figure.turn, figure.ankles, figure.soles
    for f, foot in enumerate(body.feet):
        hip, knee, ankle = (at[name] for name in foot.leg)
        axis = _hinge(body, foot.leg[1])
        side = np.einsum("nij,j->ni", matrix_from_quat(joints[:, hip]), axis)
        joints[:, hip], bend, joints[:, ankle] = legs.to(f, root, turn, ankles[:, f], soles[:, f], side)
        joints[:, knee] = quat_from_rotvec(bend[:, None] * axis)
    return joints


def _hinge(body: Body, name: str) -> np.ndarray:
    """The axis (3,) of a segment whose joint is a hinge. Raises InputError for one that is none."""
    axis = body.segment(name).axis
    if axis is None:
        raise InputError(f"Push responses are people's: the joint over {name} is no hinge.")
    return axis


def hinge_angle(quats: np.ndarray, axis: np.ndarray) -> np.ndarray:
    """Angles (N,) [rad] of rotations (N, 4) about an axis (3,)."""
    return rotvec_from_quat(quats) @ axis


def heading_of(turn: np.ndarray) -> np.ndarray:
    """The turn (4,) about the vertical of an orientation (4,)."""
    forward = matrix_from_quat(turn)[:, 0]
    return quat_from_rotvec(np.array([0.0, 0.0, np.arctan2(forward[1], forward[0])]))


def over(first: np.ndarray, then: np.ndarray, stance: np.ndarray, heading: np.ndarray | None = None) -> np.ndarray:
    """Rotations (N, 4): `stance` (4,) with the change from `first` (4,) to `then` (N, 4) laid over it, in a `heading`'s axes."""
    inverse = np.array([1.0, -1.0, -1.0, -1.0])
    change = quat_multiply(then, (first * inverse)[None])
    if heading is not None:
        change = quat_multiply(quat_multiply(heading[None], change), (heading * inverse)[None])
    return quat_multiply(change, stance[None])
