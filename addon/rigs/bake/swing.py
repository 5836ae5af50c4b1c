# SPDX-License-Identifier: GPL-3.0-or-later
"""How chains of bones swing whose body moves as it is given: hair, hoses, straps, antennas. Every bone is a thin rod of even
weight on a ball joint, so that a chain that hangs free beats as sqrt(S g / I) / 2 pi, S its first and I its second moment about
the joint. The unknowns of a step are the rods' angular velocities w (n, 3), of all chains at once:

    sum_l d_k x A_kl (w_l x d_l) = d_k x (sum_l A_kl v_l + h f_k) + h t_k,

d the rods' directions, v = w x d before the step, A_kl the weight that rods k and l both carry times their lengths, f the forces
(weight, the joint's own acceleration, air), t the springs. Projecting the old v on the new directions takes energy away and never
adds any; springs, contacts and held ends are implicit, so no step explodes, however stiff it is. No Blender."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...specs.shot import EARTH_GRAVITY_M_S2

STEP_S = 0.007
"""The longest step."""
SETTLE_S, SETTLE_DAMPING, AT_REST_RAD_S = 1.2, 5.0, 0.1
"""Chains come to rest in the first pose for so long at most, damped so many times as much, until none turns faster."""
TWIST_INERTIA, TWIST_STIFFNESS = 0.02, 0.5
"""Of a rod about its own length: a share of its inertia, and of what its weight needs to stand (first guesses: rods have next to
none, and what is skinned to them must not spin)."""
FREE_BEND_RAD, STOP_STIFFNESS = 1.2, 5.0
"""A joint that is bent by more than this is pushed back, at so many times what its weight needs [a radian]."""
DRAG = 1.1
"""Drag coefficient of a long rod across the stream (Hoerner 1965)."""
CONTACT_WEIGHT, END_WEIGHT = 60.0, 1e5
"""How strictly contacts and held ends are kept, in weights of the chain: a contact yields where two squeeze it."""
PUSH_OUT_S, PUSH_OUT_M_S = 0.01, 1.0
"""What lies within the body comes out over this time, at most so fast; a held end that is off comes back as fast at most twice.
Both move the rods, and do not become a part of their motion: where two squeeze a chain it would gain ever more."""
CONTACT_ROUNDS = 3
"""How often it is looked again which contacts hold: none that would have to pull does."""
MEETINGS = 3
"""How often a held end that is off is corrected at a frame."""
MOST_TURN_RAD = 0.3
"""No rod turns by more than that in a step: 43 rad/s, a blow's."""
NEAR_M, FRAME_M = 0.04, 0.2
"""Contacts are looked for within this distance, among the capsules that are within the other one at a frame."""

_SKEW = np.zeros((3, 9))
for _i, _j, _k in ((0, 1, 2), (1, 2, 0), (2, 0, 1)):
    _SKEW[_i, 3 * _k + _j], _SKEW[_i, 3 * _j + _k] = 1.0, -1.0


@dataclass(frozen=True)
class Rods:
    """One chain of n rods, the first on the body: `lengths` (n,) [m], `ways` (n, 3) unit directions in the bone's own axes,
    `rest` (n, 3, 3) rotation at rest from the bone before (or the carrier), `mass` (n,) [kg], `stiffness` (n,) [N m / rad],
    `damping` (n,) [N m s / rad], `lifted` (n, 3) [N m] torque by which a spring carries at rest, in the axes of the bone before,
    `radius` [m]. `pinned`: whether its end is held."""

    lengths: np.ndarray
    ways: np.ndarray
    rest: np.ndarray
    mass: np.ndarray
    stiffness: np.ndarray
    damping: np.ndarray
    lifted: np.ndarray
    radius: float
    pinned: bool = False


@dataclass(frozen=True)
class Given:
    """What is given at every frame: `gravity` (T, 3) [m/s^2]; of each chain `place` (T, C, 3) [m] and `turn` (T, C, 3, 3) of what
    carries it, and `ends` (T, C, 3) where its end is held; the lines of the body's capsules from `heads` to `tails` (T, K, 3),
    and how far from each the rods' middles, then their ends, have to keep: `clear` (C, 2 n, K) [m]. `air` [kg/m^3]."""

    rate: float
    gravity: np.ndarray
    place: np.ndarray
    turn: np.ndarray
    ends: np.ndarray
    heads: np.ndarray
    tails: np.ndarray
    clear: np.ndarray
    air: float = 0.0


def moments(lengths: np.ndarray, ways: np.ndarray, mass: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """First (n,) [kg m] and second (n,) [kg m^2] moments about each joint of what hangs on it, rods lying as `ways` (n, 3)."""
    count = len(lengths)
    first, second = np.zeros(count), np.zeros(count)
    joints = np.vstack([np.zeros(3), np.cumsum(lengths[:, None] * ways, axis=0)])
    middles = 0.5 * (joints[1:] + joints[:-1])
    for i in range(count):
        away = middles[i:] - joints[i]
        first[i] = mass[i:] @ np.linalg.norm(away, axis=1)
        second[i] = mass[i:] @ (np.sum(away**2, axis=1) + lengths[i:] ** 2 / 12.0)
    return first, second


def swing(chains: list[Rods], given: Given) -> np.ndarray:
    """Rotations (T, C, n, 3, 3) of the bones of all chains, n of the longest, at every frame; they rest at the first."""
    state = _Chains(chains, given)
    substeps = max(1, int(np.ceil(1.0 / (given.rate * STEP_S))))
    step = 1.0 / (given.rate * substeps)
    near = state.near(given, 0)
    for _ in range(int(np.ceil(SETTLE_S / STEP_S))):
        still = np.zeros((len(chains), 3))
        state.advance(STEP_S, _Moment(given, 0, 0.0, near), still, still, SETTLE_DAMPING)
        if state.fastest < AT_REST_RAD_S:
            break
    state.meet(given, 0)
    found = [state.turns.copy()]
    speeds = np.gradient(given.place, 1.0 / given.rate, axis=0) if len(given.place) > 1 else np.zeros_like(given.place)
    for frame in range(len(given.place) - 1):
        spin = _rotvec(given.turn[frame + 1] @ given.turn[frame].transpose(0, 2, 1)) * given.rate
        near = state.near(given, frame)
        speed, now = speeds[frame], _Moment(given, frame, 0.0, near)
        for number in range(1, substeps + 1):
            share = number / substeps
            before, speed = speed, _hermite_speed(given, speeds, frame, share)
            now = _Moment(given, frame, share, near, (speeds, spin), now)
            state.advance(step, now, speed - before, spin, 1.0)
        state.square_up()
        state.meet(given, frame + 1)
        found.append(state.turns.copy())
    return np.array(found)


def _hermite_speed(given: Given, speeds: np.ndarray, frame: int, s: float) -> np.ndarray:
    """Velocity (C, 3) at a share of the way between two frames, of the cubic that has their places and speeds."""
    way = (given.place[frame + 1] - given.place[frame]) * given.rate
    return (6 * s - 6 * s * s) * way + (1 - 4 * s + 3 * s * s) * speeds[frame] + (3 * s * s - 2 * s) * speeds[frame + 1]


class _Moment:
    """What is given at a share of the way from a frame to the next, and how far it has gone since the moment `before`; of
    capsules those of the numbers `which`."""

    def __init__(self, given: Given, frame: int, share: float, which: np.ndarray,
                 moving: tuple[np.ndarray, np.ndarray] | None = None, before: _Moment | None = None) -> None:
        after = min(frame + 1, len(given.place) - 1)

        def between(values: np.ndarray) -> np.ndarray:
            return values[frame] + share * (values[after] - values[frame])

        self.gravity, self.ends = between(given.gravity), between(given.ends)
        self.heads, self.tails = between(given.heads)[which], between(given.tails)[which]
        self.place, self.turn = given.place[frame], given.turn[frame]
        if moving is not None:
            (speeds, spin), s, span = moving, share, 1.0 / given.rate
            self.place = ((1 + 2 * s) * (1 - s) ** 2 * self.place + s * s * (3 - 2 * s) * given.place[after]
                          + span * s * (1 - s) * ((1 - s) * speeds[frame] - s * speeds[after]))
            self.turn = _exp(spin * (share * span)) @ self.turn
        self.air, self.clear = given.air, given.clear[:, :, which]
        before = before or self
        self.gone_place, self.gone_ends = self.place - before.place, self.ends - before.ends
        self.gone_heads, self.gone_tails = self.heads - before.heads, self.tails - before.tails


class _Chains:
    """All chains side by side, shorter ones with rods of no length and weight at their ends."""

    def __init__(self, chains: list[Rods], given: Given) -> None:
        count, most = len(chains), max(len(one.lengths) for one in chains)
        self.count, self.most = count, most

        def padded(name: str, fill: float | np.ndarray = 0.0) -> np.ndarray:
            first = getattr(chains[0], name)
            out = np.empty((count, most, *first.shape[1:]))
            out[:] = fill
            for i, one in enumerate(chains):
                out[i, :len(one.lengths)] = getattr(one, name)
            return out

        self.lengths, self.ways = padded("lengths"), padded("ways", np.array([0.0, 1.0, 0.0]))
        self.rest, self.mass = padded("rest", np.eye(3)), padded("mass")
        self.stiffness, self.damping, self.lifted = padded("stiffness"), padded("damping"), padded("lifted")
        self.radius = np.array([one.radius for one in chains])
        self.pinned = np.array([one.pinned for one in chains])
        first = np.zeros((count, most))
        second = np.zeros((count, most))
        for i, one in enumerate(chains):
            n = len(one.lengths)
            first[i, :n], second[i, :n] = moments(one.lengths, np.tile([0.0, 0.0, -1.0], (n, 1)), one.mass)
        self.damping += np.where(self.lengths > 0.0, 0.0, second.max(axis=1, keepdims=True))  # those of nothing go along
        self.stop = first * EARTH_GRAVITY_M_S2
        beyond = np.flip(np.cumsum(np.flip(self.mass, 1), 1), 1) - self.mass  # what hangs on a rod's end
        k, m = np.arange(most), np.maximum.outer(np.arange(most), np.arange(most))
        own = np.where(np.equal.outer(k, k), 1.0 / 3.0, 0.5)
        self.both = (beyond[:, m] + own * self.mass[:, m]) * self.lengths[:, :, None] * self.lengths[:, None, :]
        self.lever = self.lengths[:, :, None] * (np.triu(np.ones((most, most)), 1) + 0.5 * np.eye(most))
        self.twist_inertia = TWIST_INERTIA * np.maximum(second, 1e-3 * second.max(axis=1, keepdims=True))
        self.twist_stiffness = TWIST_STIFFNESS * np.maximum(self.stop, 1e-3 * self.stop.max(axis=1, keepdims=True))
        self.total = self.mass.sum(axis=1)
        along = np.concatenate([np.tril(np.ones((most, most)), -1) + 0.5 * np.eye(most), np.tril(np.ones((most, most)))])
        self.points = along[None] * self.lengths[:, None, :]  # (C, 2 n, n): middles, then ends
        self.real = np.concatenate([self.lengths, self.lengths], axis=1) > 0.0
        self.turns = np.empty((count, most, 3, 3))
        above = given.turn[0]
        for i in range(most):
            above = self.turns[:, i] = above @ self.rest[:, i]
        self.directions = _times(self.turns, self.ways)
        self.speeds = np.zeros((count, most, 3))
        self.rates = np.zeros((count, most, 3))
        self.speed = np.gradient(given.place, 1.0 / given.rate, axis=0)[0] if len(given.place) > 1 else np.zeros((count, 3))

    def advance(self, step: float, now: _Moment, gained: np.ndarray, spin: np.ndarray, damped: float) -> None:
        """One step [s], after which the carriers are as `now`, their speed having `gained` (C, 3) [m/s] and turning with `spin`
        (C, 3) [rad/s]; joints are `damped` so many times as much as they are."""
        d, count, most = self.directions, self.count, self.most
        before = np.concatenate([now.turn[:, None], self.turns[:, :-1]], axis=1)
        away = _rotvec(self.turns @ (before @ self.rest).transpose(0, 1, 3, 2))
        bend = np.sqrt(np.sum(away * away, axis=2))
        stiff = self.stiffness + self.stop * STOP_STIFFNESS * np.maximum(1.0 - FREE_BEND_RAD / np.maximum(bend, 1e-9), 0.0)
        turning = step * (_times(before, self.lifted) - stiff[..., None] * away)
        hold = step * (step * stiff + damped * self.damping)
        forces = self.mass[..., None] * (step * now.gravity - gained[:, None]) + self._drag(step, now)
        pushed = self.both @ self.speeds + self.lever @ forces
        torque = _times(_skew(d), pushed) + turning
        torque[:, :-1] -= turning[:, 1:]
        torque[:, 0] += hold[:, :1] * spin
        matrix = self._matrix(hold)
        damping = 0.3 * np.sqrt(self.twist_stiffness * self.twist_inertia)
        about = step * (step * self.twist_stiffness + damping) + self.twist_inertia
        matrix_view = matrix.reshape(count, most, 3, most, 3)
        own = np.arange(most)
        matrix_view[:, own, :, own, :] += (about[..., None, None] * (d[..., :, None] * d[..., None, :])).swapaxes(0, 1)
        torque += d * np.sum(d * (self.twist_inertia[..., None] * self.rates - step * self.twist_stiffness[..., None] * away),
                             axis=2, keepdims=True)
        both = np.repeat(torque.reshape(count, -1, 1), 2, axis=2)
        if self.pinned.any():
            self._hold_ends(step, now, matrix, both)
        rates = np.linalg.solve(matrix, both)
        if len(now.heads):
            rates = self._against(step, now, rates, matrix, both)
        fastest = np.sqrt(np.sum(rates.reshape(count, most, 3, 2) ** 2, axis=2).max(axis=(1, 2)))
        rates *= np.minimum(1.0, MOST_TURN_RAD / np.maximum(step * fastest, 1e-12))[:, None, None]
        self.fastest = fastest.max()
        turning, self.rates = np.moveaxis(rates.reshape(count, most, 3, 2), 3, 0)
        self.turns = _exp(step * turning) @ self.turns
        self.speeds = _times(_skew(self.rates), d)
        self.directions = _times(self.turns, self.ways)
        self.speed = self.speed + gained

    def _matrix(self, hold: np.ndarray) -> np.ndarray:
        """The left side (C, 3 n, 3 n): inertia, and springs and dampers of joints, `hold` (C, n)."""
        d, count, most = self.directions, self.count, self.most
        after = np.concatenate([hold[:, 1:], np.zeros((count, 1))], axis=1)
        scalar = self.both * (d @ d.transpose(0, 2, 1))
        own = np.arange(most)
        scalar[:, own, own] += hold + after
        scalar[:, own[1:], own[:-1]] -= hold[:, 1:]
        scalar[:, own[:-1], own[1:]] -= hold[:, 1:]
        matrix = np.einsum("ckl,cli,ckj->ckilj", -self.both, d, d)
        for axis in range(3):
            matrix[:, :, axis, :, axis] += scalar
        return matrix.reshape(count, 3 * most, 3 * most)

    def _drag(self, step: float, now: _Moment) -> np.ndarray | float:
        """Impulses (C, n, 3) of still air on the rods, never more than stops them."""
        if now.air <= 0.0:
            return 0.0
        moved = self.speed[:, None] + self.lever.transpose(0, 2, 1) @ self.speeds
        fast = np.sqrt(np.sum(moved * moved, axis=2))
        rate = step * now.air * DRAG * self.radius[:, None] * self.lengths * fast
        return -(rate * self.mass / np.maximum(self.mass + rate, 1e-12))[..., None] * moved

    def _hold_ends(self, step: float, now: _Moment, matrix: np.ndarray, torque: np.ndarray) -> None:
        """Take held ends along as what holds them moves, and with the first of the two columns of `torque` back to it too."""
        arms = self.lengths[..., None] * self.directions
        rows = -_skew(arms).transpose(0, 2, 1, 3).reshape(self.count, 3, -1)
        along = now.gone_ends - now.gone_place
        off = now.ends - now.place - arms.sum(axis=1) - along
        far = np.sqrt(np.sum(off * off, axis=1, keepdims=True))
        off *= np.minimum(1.0, 2.0 * PUSH_OUT_M_S * step / np.maximum(far, 1e-12))
        wanted = np.stack([along + off, along], axis=2) / step
        weight = np.where(self.pinned, END_WEIGHT * self.total, 0.0)[:, None, None]
        matrix += weight * (rows.transpose(0, 2, 1) @ rows)
        torque += weight * (rows.transpose(0, 2, 1) @ wanted)

    def _against(self, step: float, now: _Moment, rates: np.ndarray, matrix: np.ndarray, torque: np.ndarray) -> np.ndarray:
        """Rates (C, 3 n, 2) with which no rod goes into the body: in the first column, what lies within comes out too."""
        points = now.place[:, None] + self.points @ self.directions
        chain, point, normal, gap, carried = _near(points, self.real, now)
        if not len(chain):
            return rates
        arms = self.points[chain, point][..., None] * self.directions[chain]
        rows = _times(_skew(arms), normal[:, None]).reshape(len(chain), -1)
        out = np.where(gap > 0.0, -gap / step, np.minimum(-gap / PUSH_OUT_S, PUSH_OUT_M_S))
        wanted = np.stack([out, np.minimum(out, carried / step)], axis=1)
        found = rates
        for _ in range(CONTACT_ROUNDS):
            touching = np.sum(rows * found[chain, :, 0], axis=1) < out
            if not touching.any():
                return rates
            held, whose = rows[touching], chain[touching]
            weight = CONTACT_WEIGHT * self.total[whose]
            stiffer, pushed = matrix.copy(), torque.copy()
            np.add.at(stiffer, whose, weight[:, None, None] * (held[:, :, None] * held[:, None, :]))
            np.add.at(pushed, whose, (weight[:, None] * wanted[touching])[:, None, :] * held[:, :, None])
            again, found = np.unique(whose), rates.copy()
            found[again] = np.linalg.solve(stiffer[again], pushed[again])
        return found

    def near(self, given: Given, frame: int) -> np.ndarray:
        """Numbers of the capsules that a chain may meet before the next frame."""
        points = given.place[frame][:, None] + self.points @ self.directions
        _, _, gap = _away(points, given.heads[frame], given.tails[frame], given.clear)
        return np.flatnonzero(np.where(self.real[:, :, None], gap, np.inf).min(axis=(0, 1)) < FRAME_M)

    def meet(self, given: Given, frame: int) -> None:
        """Bring held ends by the smallest turns to where a frame has them: steps leave off what is quadratic in them."""
        if not self.pinned.any():
            return
        for _ in range(MEETINGS):
            arms = self.lengths[..., None] * self.directions
            off = np.where(self.pinned[:, None], given.ends[frame] - given.place[frame] - arms.sum(axis=1), 0.0)
            rows = -_skew(arms).transpose(0, 2, 1, 3).reshape(self.count, 3, -1)
            square = rows @ rows.transpose(0, 2, 1)
            square += 1e-6 * np.trace(square, axis1=1, axis2=2)[:, None, None] * np.eye(3)
            turn = (rows.transpose(0, 2, 1) @ np.linalg.solve(square, off[..., None])).reshape(self.count, self.most, 3)
            size = np.sqrt(np.sum(turn * turn, axis=2, keepdims=True)).max(axis=1, keepdims=True)
            self.turns = _exp(turn * np.minimum(1.0, MOST_TURN_RAD / np.maximum(size, 1e-12))) @ self.turns
            self.directions = _times(self.turns, self.ways)

    def square_up(self) -> None:
        """Take rounding out of the rotations."""
        x, y = self.turns[..., 0], self.turns[..., 1]
        x = x / np.linalg.norm(x, axis=-1, keepdims=True)
        y = y - np.sum(x * y, axis=-1, keepdims=True) * x
        y = y / np.linalg.norm(y, axis=-1, keepdims=True)
        self.turns = np.stack([x, y, np.cross(x, y)], axis=-1)


def _away(points: np.ndarray, heads: np.ndarray, tails: np.ndarray, clear: np.ndarray) -> tuple[np.ndarray, ...]:
    """Ways (C, P, K, 3) to points (C, P, 3) from the nearest ones on lines, the share (C, P, K) of the line at which those lie,
    and how much farther off than `clear` (C, P, K) the points are."""
    along = tails - heads
    by_square = along / np.maximum(np.sum(along * along, axis=1), 1e-12)[:, None]
    share = np.clip(points @ by_square.T - np.sum(heads * by_square, axis=1), 0.0, 1.0)
    away = points[:, :, None] - heads - share[..., None] * along
    return away, share, np.sqrt(np.einsum("cpki,cpki->cpk", away, away)) - clear


def _near(points: np.ndarray, real: np.ndarray, now: _Moment) -> tuple[np.ndarray, ...]:
    """Of points (C, P, 3) near the body: chains (N,), points (N,), ways out (N, 3), distances (N,) that are left, and how far the
    body has come along the ways out in the step, less than what carries the chain (N,)."""
    away, share, gap = _away(points, now.heads, now.tails, now.clear)
    chain, point, which = np.nonzero((gap < NEAR_M) & real[:, :, None])
    normal = away[chain, point, which]
    normal = normal / np.maximum(np.sqrt(np.sum(normal * normal, axis=1, keepdims=True)), 1e-9)
    at = share[chain, point, which][:, None]
    gone = (1.0 - at) * now.gone_heads[which] + at * now.gone_tails[which] - now.gone_place[chain]
    return chain, point, normal, gap[chain, point, which], np.sum(gone * normal, axis=1)


def _skew(v: np.ndarray) -> np.ndarray:
    """Matrices (..., 3, 3) that take the cross product with vectors (..., 3)."""
    return (v @ _SKEW).reshape(*v.shape, 3)


def _times(matrices: np.ndarray, vectors: np.ndarray) -> np.ndarray:
    return (matrices @ vectors[..., None])[..., 0]


def _exp(vectors: np.ndarray) -> np.ndarray:
    """Rotations (..., 3, 3) by rotation vectors (..., 3)."""
    angle = np.sqrt(np.sum(vectors * vectors, axis=-1))[..., None, None]
    safe = np.maximum(angle, 1e-9)
    k = _skew(vectors)
    return np.eye(3) + np.sin(safe) / safe * k + (1.0 - np.cos(safe)) / safe**2 * (k @ k)


def _rotvec(m: np.ndarray) -> np.ndarray:
    """Rotation vectors (..., 3) of rotations; of half turns a little less, so that they keep a side."""
    axis = 0.5 * np.stack([m[..., 2, 1] - m[..., 1, 2], m[..., 0, 2] - m[..., 2, 0], m[..., 1, 0] - m[..., 0, 1]], axis=-1)
    sine = np.sqrt(np.sum(axis * axis, axis=-1))
    angle = np.arctan2(sine, 0.5 * (np.trace(m, axis1=-2, axis2=-1) - 1.0))
    return axis * (angle / np.maximum(sine, 1e-9))[..., None]
