# SPDX-License-Identifier: GPL-3.0-or-later
"""Where a swinging foot goes, and the thigh and the fold that bring it there: a single number folds a leg of any number of
hinges. The drawn pose is fold 0. Every hinge bends with the fold the way it is drawn bent (where it is drawn straight, the way
its range allows), each as far in proportion as it is drawn bent; straightening, each stops at straight. A table of the virtual
leg's length and angle over the fold is inverted where the length falls with it."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from ...bodies.body import Body
from ...maths.curves import share as share_of
from ...maths.rotations import length, plane_angle
from .felt import Layout, Seen, off

LANDED_SHARE, GONE_SHARE = 0.05, 0.01
"""A swinging foot that carries this share of the weight has landed, a standing one that carries less than that has left."""
EARLIEST, LATEST = 0.5, 3.0
"""Over the time of a swing: when a foot can land at the earliest, and when it stands whatever it feels."""
LONGEST_LEAN = 2.0
"""Over the time of a swing: nobody leans for longer before the first foot is lifted."""


class LegStates:
    """`stands` (N, 2) tells which legs stand, `since_s` (N, 2) how long each has stood or swung; after a step `landed` and
    `lifted` (N, 2) which have just landed or left, `changed` whether any has, `lasted_s` (N, 2) how long what ended had lasted.
    `over` (N, 2) is how much of the weight is each one's to carry, `leans` (N,) who has not lifted a foot yet, `leaning` whether
    anybody."""

    def __init__(self, n: int) -> None:
        self.stands = np.ones((n, 2), dtype=bool)
        self.since_s = np.zeros((n, 2))
        self.over = np.full((n, 2), 0.5)
        self.lasted_s = np.zeros((n, 2))
        self.leans = np.zeros(n, dtype=bool)
        self.leaning = self.changed = False
        self.landed, self.lifted = np.zeros((2, n, 2), dtype=bool)

    def begin(self, swings: np.ndarray, leans: bool = False) -> None:
        """Every walker stands, and lifts that leg (N,) (0 left, 1 right); who `leans` presses it down first, as if the other one
        had just landed, so that the body goes over to that."""
        first = np.arange(2) == swings[:, None]
        self.lifted[:] = first & (not leans)
        self.stands[:] = ~self.lifted
        self.since_s[:] = np.where(first & leans, 1e-3, 0.0)
        self.over[:] = first if leans else ~first
        self.leans[:] = self.leaning = leans
        self.landed[:] = False

    def go(self, ready: np.ndarray, swing_s: np.ndarray) -> None:
        """Of those that lean who is `ready` (N,), or has leant too long over a swing's time (N,), lets the weight go over."""
        self.leans &= ~(ready | (self.since_s.max(axis=1) > LONGEST_LEAN * swing_s))
        self.leaning = bool(self.leans.any())

    def step(self, dt: float, share: np.ndarray, swing_s: np.ndarray, double_s: np.ndarray) -> None:
        """Go on by `dt` [s], with each foot's `share` (N, 2) of the weight, and the times of a swing and on both feet (N,)."""
        self.since_s += dt
        stands, since = self.stands, self.since_s
        if self.leaning:
            since[self.leans[:, None] & (since < since[:, ::-1])] = 0.0
        gone = since / swing_s[:, None]
        self.landed = ~stands & (((gone > EARLIEST) & (share > LANDED_SHARE)) | (gone > LATEST))
        other = stands[:, ::-1] & (since[:, ::-1] < since)  # the other one came down later: this one is to go
        due = other & ((since[:, ::-1] >= double_s[:, None]) | (share < GONE_SHARE))
        if self.leaning:
            due &= ~self.leans[:, None]
        self.lifted = stands & due
        changed = self.landed | self.lifted
        self.changed = bool(changed.any())
        if self.changed:
            stands ^= changed
            self.lasted_s = since.copy()
            since[changed] = 0.0
        both = stands & stands[:, ::-1]
        taken = share_of(since / np.maximum(double_s, 1e-6)[:, None])
        self.over = np.where(both, np.where(since < since[:, ::-1], taken, 1.0 - taken[:, ::-1]), stands)


STEPS = 400
LEAST_SHARE = 0.35
"""A hinge drawn straighter than the others bends at least this share of what the one drawn most bent does (first guess)."""
DRAWN_BENT_RAD = math.radians(5.0)
"""A hinge drawn straighter than this tells nothing by its drawing."""
LEAST_BEND_RAD = math.radians(3.0)
"""Straightened so far, no farther: a straight hinge has no arm."""
MOST_FOLD_RAD = 2.4


def drawn_bend(body: Body, leg: tuple[str, ...]) -> np.ndarray:
    """Angles (n,) [rad] about their axes by which the hinges of a leg (thigh ... foot) are bent in the drawing: 0 straight."""
    bend = []
    for above, name, below in zip(leg[:-2], leg[1:-1], leg[2:], strict=True):
        axis = np.asarray(body.segment(name).axis, dtype=float)
        one, other = body.segment(name).offset, body.segment(below).offset
        assert above == body.segment(name).parent
        one, other = one - (one @ axis) * axis, other - (other @ axis) * axis
        bend.append(math.atan2(float(np.cross(one, other) @ axis), float(one @ other)))
    return np.array(bend)


def bend_signs(body: Body, leg: tuple[str, ...], bend: np.ndarray) -> np.ndarray:
    """Which way (n,) the hinges bend: as drawn, else to the wider side of their range."""
    signs = np.sign(bend)
    for i, name in enumerate(leg[1:-1]):
        if abs(bend[i]) < DRAWN_BENT_RAD:
            low, high = body.segment(name).range_rad
            signs[i] = 1.0 if high + bend[i] >= -(low + bend[i]) else -1.0
    return signs


class Fold:
    """The fold table of the left leg, by which the right one folds too. `length_m` falls along the table (M,), `angle_rad` and
    `out_rad` are how far ahead and to the left of straight down the line from hip to last joint points in the thigh's frame,
    `hinge_rad` (M, n) the coordinates of the hinges. `drawn_m` is the length as drawn."""

    def __init__(self, body: Body, layout: Layout) -> None:
        leg = tuple(body.segments[row].name for row in layout.legs[0])
        segments = [body.segment(name) for name in leg]
        offsets = np.array([s.offset for s in segments[1:]])
        bend = drawn_bend(body, leg)
        signs = bend_signs(body, leg, bend)
        size = np.abs(bend)
        share = np.maximum(size / size.max(), LEAST_SHARE) if size.max() > DRAWN_BENT_RAD else np.ones(len(bend))
        folds = np.linspace(-math.pi, MOST_FOLD_RAD, STEPS)
        folded = np.maximum(signs * bend + folds[:, None] * share, np.minimum(signs * bend, LEAST_BEND_RAD))
        hinge = signs * folded - bend
        low, high = np.array([s.range_rad for s in segments[1:-1]]).T
        hinge = np.clip(hinge, low, high)
        axes = np.array([s.axis for s in segments[1:-1]], dtype=float)
        tip = _tip(offsets, axes, hinge)
        length = np.linalg.norm(tip, axis=1)
        drawn = int(np.argmin(np.abs(folds)))
        first, last = drawn, drawn
        while first > 0 and length[first - 1] > length[first] + 1e-9:
            first -= 1
        while last + 1 < STEPS and length[last + 1] < length[last] - 1e-9:
            last += 1
        keep = slice(first, last + 1)
        self.length_m, self.hinge_rad = length[keep], hinge[keep]
        self.angle_rad = plane_angle(tip[keep, 0], -tip[keep, 2])
        self.out_rad = plane_angle(tip[keep, 1], np.hypot(tip[keep, 0], tip[keep, 2]))
        self.drawn_m = float(length[drawn])
        self._rising = self.length_m[::-1].copy()
        self._gaps, self._ends = np.diff(self._rising), (self._rising[:1], self._rising[-1:])
        self._columns = np.concatenate([self.angle_rad[:, None], self.out_rad[:, None], self.hinge_rad], axis=1)[::-1].copy()

    def at(self, length_m: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Angle (...) and angle outwards (...) of the virtual leg in the thigh's frame, and hinges (..., n), of lengths [m]."""
        rising = self._rising
        long = length_m.clip(*self._ends)
        row = rising[1:-1].searchsorted(long)
        share = ((long - rising.take(row)) / self._gaps.take(row))[..., None]
        found = self._columns.take(row, 0) * (1.0 - share) + self._columns.take(row + 1, 0) * share
        return found[..., 0], found[..., 1], found[..., 2:]


def _tip(offsets: np.ndarray, axes: np.ndarray, hinge: np.ndarray) -> np.ndarray:
    """The last joint (M, 3) in the thigh's frame at hinges (M, n)."""
    count = len(hinge)
    turn, tip = np.broadcast_to(np.eye(3), (count, 3, 3)), np.broadcast_to(offsets[0], (count, 3))
    for i, axis in enumerate(axes):
        turn = turn @ about(axis, hinge[:, i])
        tip = tip + turn @ offsets[i + 1]
    return tip


def about(axis: np.ndarray, angle: np.ndarray) -> np.ndarray:
    """Rotation matrices (M, 3, 3) about one axis (3,) by angles (M,)."""
    x, y, z = axis
    cross = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    s, c = np.sin(angle)[:, None, None], np.cos(angle)[:, None, None]
    return np.eye(3) + s * cross + (1.0 - c) * (cross @ cross)


ARRIVED = 0.9
"""The foot is over its place after this share of the swing."""
FARTHEST, WIDEST, APART = 0.8, 0.5, 0.04
"""A foot is placed no farther from the centre of mass than this, ahead and to its side, and no nearer to the other one's line,
over the leg's length."""
LOWERED = 0.15
"""How fast a foot that finds no ground in time is lowered: leg's lengths in the time of a swing."""
FASTEST = 6.0
"""Rates of targets are cut here, in units of sqrt(g / L)."""
STEEP = 0.4
"""Share of a foot's height that comes down steadily at the end, so that it lands in time; the rest is down before, softly."""
LEARNT, LANDING = 0.5, (0.7, 1.2)
"""How quickly it is learnt when feet land, over the time of a swing, and the limits of that."""
AHEAD = 0.02
"""Share of a swing by which the target is looked ahead for its rates."""
LOOKS = np.arange(3.0)[:, None, None]
"""How many times as far: now, and twice ahead."""
SIDE = np.array((1.0, -1.0))


class Swing:
    """Targets of swinging legs of N walkers. `place` (N, 2, 2) is where each foot is to land, from the centre of mass as it will
    be then. `pendulum_s` is sqrt(h / g) of the height of the centre of mass."""

    def __init__(self, fold: Fold, gains: Mapping[str, np.ndarray], leg_m: float, time_s: float, ankle_m: float,
                 pendulum_s: float) -> None:
        self._fold, self._leg_m, self._time_s, self._ankle_m = fold, leg_m, time_s, ankle_m
        n = len(gains["swing_time"])
        self._from, self._lands = np.zeros((n, 2, 3)), np.ones((n, 2))
        self._time = gains["swing_time"] * time_s
        self._pendulum_s = pendulum_s
        step = (gains["swing_time"] + gains["double"]) * time_s / pendulum_s
        self._half, self._whole = np.tanh(0.5 * step), 1.0 / np.tanh(step)
        self._over = 0.5 * gains["double"] * time_s / pendulum_s  # by the middle of that time the weight is on the other foot
        self._inside = 2.0 * gains["width"] * leg_m / (1.0 + np.exp(step))
        self.place = np.zeros((n, 2, 2))
        self._pressure_m = (gains["pressure"] * leg_m)[:, None]
        self._before_m = ((gains["place_ahead"] - gains["pressure"]) * leg_m)[:, None]
        self._ahead_gain, self._aside_gain = ((gains[name] * self._whole)[:, None] for name in ("place_gain", "side_gain"))
        self._half_step = self._half[:, None]
        self._aside_m = SIDE * (gains["width"] * leg_m)[:, None]
        self._steady = self._aside_m * self._half_step
        self._look_s = AHEAD * self._time[:, None]
        self._looks_s = LOOKS * self._look_s
        self._shape, self._clearance = gains["lift_shape"][:, None], gains["clearance"][:, None]

    def begin(self, lifted: np.ndarray, foot: np.ndarray) -> None:
        """Legs that are lifted (N, 2) start from where their feet are (N, 2, 3) in the world."""
        self._from[lifted] = foot[lifted]

    def landed(self, landed: np.ndarray, gone: np.ndarray) -> None:
        """Feet have landed (N, 2) when such shares (N, 2) of their swings were gone: so will the next ones, more or less."""
        self._lands += np.where(landed, LEARNT * (gone.clip(*LANDING) - self._lands), 0.0)

    def under_way(self, seen: Seen, pressed: np.ndarray) -> np.ndarray:
        """Who (N,) stands on both feet, `pressed` (N, 2) by shares, and goes so fast sideways that, were the weight to go over
        to the other foot now, it would go on from there as a steady walk does: the capture point y + v sqrt(h / g), that the
        pressure drives away, is as near inside the other foot then."""
        aside = seen.feet[..., 1]
        grown = np.exp(self._over)
        from_y, to_y = (pressed * aside).sum(axis=1), ((1.0 - pressed) * aside).sum(axis=1)
        capture = grown * self._pendulum_s * seen.velocity[:, 1] - (grown - 1.0) * from_y
        return np.sign(to_y - from_y) * (to_y - capture) <= self._inside

    def _places(self, seen: Seen, command: np.ndarray, left: np.ndarray) -> np.ndarray:
        """Where each foot is to be placed (N, 2, 2) `left` (N, 2) [s] from now, ahead and left of the centre of mass
        as it will be then: a pendulum from there on goes at the speed that is aimed at, and as far to each side as it should.
        The pendulum's pivot is the other foot's pressure."""
        leg, unit = self._leg_m, self._pendulum_s
        left = left / unit
        over = -seen.feet[:, ::-1, :2]
        over[..., 0] -= self._pressure_m
        velocity = seen.velocity[:, None, :2] * np.cosh(left)[..., None] + over / unit * np.sinh(left)[..., None]
        command = command[:, None]
        ahead = unit * (self._half_step * command + self._ahead_gain * (velocity[..., 0] - command)) + self._before_m
        aside = self._aside_m + self._aside_gain * (unit * velocity[..., 1] - self._steady)
        coming = seen.velocity[:, None, 1] * unit * left  # about how far the centre of mass still goes aside
        place = np.empty((*aside.shape, 2))
        place[..., 0] = ahead.clip(-FARTHEST * leg, FARTHEST * leg)
        place[..., 1] = SIDE * (SIDE * aside).clip(SIDE * (seen.feet[:, ::-1, 1] - coming) + APART * leg, WIDEST * leg)
        return place

    def target(self, seen: Seen, states: LegStates, command: np.ndarray, com: np.ndarray) -> tuple[np.ndarray, ...]:
        """Thighs (N, 2, 3, 3) in the frame of the heading, hinges (N, 2, n), how fast they turn, (N, 2, 3) and (N, 2, n), and how
        the thighs gather rate (N, 2, 3): as they would with the foot's place as it is now, so that what is felt does not shake
        them. `com` (N, 3) is in the world."""
        left = np.maximum(self._lands * self._time[:, None] - states.since_s, 0.0)
        self.place = self._places(seen, command, left)
        on = self._looks_s
        begun = (self._from - com[:, None]) @ seen.back
        thighs, hinges = self._aim(seen, (states.since_s + on) / self._time[:, None],
                                   begun - on[..., None] * seen.velocity[:, None], np.maximum(left - on, 0.0))
        step, most = self._look_s[..., None], FASTEST / self._time_s
        one, two = off(thighs[1:], thighs[:-1]) / step
        return (thighs[0], hinges[0], one.clip(-most, most), ((hinges[1] - hinges[0]) / step).clip(-most, most),
                ((two - one) / step).clip(-most * most, most * most))

    def _aim(self, seen: Seen, gone: np.ndarray, begun: np.ndarray, left: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Thighs and hinges at shares (..., N, 2) of a swing that began at (..., N, 2, 3) from the centre of mass, `left` [s]."""
        leg = self._leg_m
        eased = share_of(gone / (ARRIVED * self._lands))
        eased = (eased**3 * (10.0 + eased * (6.0 * eased - 15.0)))[..., None]
        place = self.place + seen.velocity[:, None, :2] * left[..., None]
        point = np.empty(begun.shape)
        point[..., :2] = begun[..., :2] + (place - begun[..., :2]) * eased
        ground = seen.soles[:, ::-1] + self._ankle_m  # where the foot's joint is on the ground that the other foot is on
        sine = np.sin(np.pi * share_of(gone) ** self._shape)
        lift = (1.0 - STEEP) * sine ** 2 + STEEP * sine
        lift = leg * np.where(gone > 1.0, -LOWERED * (gone - 1.0), lift * self._clearance)
        point[..., 2] = ground + lift + np.maximum(begun[..., 2] - ground, 0.0) * (1.0 - eased[..., 0])
        way = point - seen.hips
        angle, out, hinge = self._fold.at(length(way))
        x, y, z = way[..., 0], way[..., 1], way[..., 2]
        roll, pitch = plane_angle(y, -z) - out * SIDE, plane_angle(x, np.hypot(y, z)) - angle
        return _rolled_and_pitched(roll, -pitch), hinge


def _rolled_and_pitched(roll: np.ndarray, pitch: np.ndarray) -> np.ndarray:
    """Rx(roll) Ry(pitch), (..., 3, 3)."""
    cr, sr, cp, sp = np.cos(roll), np.sin(roll), np.cos(pitch), np.sin(pitch)
    out = np.zeros((*roll.shape, 3, 3))
    out[..., 0, 0], out[..., 0, 2] = cp, sp
    out[..., 1, 0], out[..., 1, 1], out[..., 1, 2] = sr * sp, cr, -sr * cp
    out[..., 2, 0], out[..., 2, 1], out[..., 2, 2] = -cr * sp, sr, cr * cp
    return out
