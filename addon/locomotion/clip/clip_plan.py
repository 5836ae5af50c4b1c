# SPDX-License-Identifier: GPL-3.0-or-later
"""Everything that is planned of a followed clip before it is followed: schedule, prints, centre of mass, and where it ends.
Pushes that the motion has in it are known: the plan goes along with them, as whoever was captured did.

The clip's own centre of mass, differentiated twice, asks for a centre of pressure 5 to 25 cm off the standing foot. A linear
least squares over nodes in time finds one that moves a few centimetres from it and asks for a pressure on the foot's line: with
the pivot p = c - c'' / omega^2 and omega^2 = (g + z'') / z (Popovic, Goswami and Herr 2005), in flight c'' = 0. Its height is
near the clip's on the ground, and in free fall in the air.

Over a pressure p the error obeys c'' = w(t)^2 (c - p), w^2 = (g + z'') / z, zero in the air. It dies out where c' = -k (c - p)
with k' = k^2 - w^2 (the time-varying divergent component of motion of Hopkins, Hong and Leonessa 2014): the capture point is c
+ c' / k, its error grows at w^2 / k. With a steady force k = w. Before a landing 1 / k is the time that is left in the air and
what the landing is worth: hard landings turn a body much faster than it falls over afterwards.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from scipy.interpolate import CubicSpline
from scipy.linalg import solveh_banded
from scipy.ndimage import gaussian_filter1d
from scipy.sparse import csr_matrix, diags, identity, spmatrix, vstack

from ...bodies.human.landmarks import SIDES
from ...bodies.kinematics import specific_angular_momentum_of_poses
from ...errors import ClipError
from ...maths.rotations import quat_rotate
from ...motions.strides import FOREVER_S
from ...specs.shot import Push
from ..legged.foot_geometry import FootGeometry
from .clip import FollowedClip, Track
from .prints import Print, Prints, make_prints
from .schedule import Schedule, flights, make_schedule, standing, weights
from .settings import PlanSettings

PUSHED = "chest"


@dataclass(frozen=True)
class KnownPush:
    """A push on the chest: from when to when [clip s], and its force over the mass, x + iy [m / clip s^2]."""

    start_s: float
    end_s: float
    force: complex

    @property
    def impulse(self) -> float:
        """Impulse over the mass [m / clip s]."""
        return abs(self.force) * (self.end_s - self.start_s)


def known_pushes(pushes: Iterable[Push], mass_kg: float, slow: float) -> tuple[KnownPush, ...]:
    """Those of a shot that its motion has in it, in the clip's time: everything lasts `slow` times as long in the shot."""
    return tuple(KnownPush(one.start_s / slow, (one.start_s + one.duration_s) / slow,
                           complex(*one.force_n[:2]) / mass_kg * slow**2) for one in pushes if one.planned)


def shot_pushes(pushes: Iterable[KnownPush], mass_kg: float, slow: float) -> tuple[Push, ...]:
    """The other way round."""
    return tuple(Push(one.start_s * slow, (one.end_s - one.start_s) * slow,
                      (one.force.real * mass_kg / slow**2, one.force.imag * mass_kg / slow**2, 0.0), PUSHED, planned=True)
                 for one in pushes)


def pushing(pushes: Sequence[KnownPush], time_s: float) -> complex:
    """Their force over the mass, x + iy [m / clip s^2], at a time [clip s]."""
    return sum((one.force for one in pushes if one.start_s <= time_s < one.end_s), start=0j)


def chest_height(clip: FollowedClip) -> np.ndarray:
    """Height (N,) [m] of the chest's centre of mass, where engines push it."""
    positions, orientations = clip.poses()
    row = clip.body.index[PUSHED]
    return positions[:, row, 2] + quat_rotate(orientations[:, row], clip.body.segments[row].com)[:, 2]


SHARES, ASIDE_M = (0.1, 0.9), 0.05
"""Between two standing feet the pressure stays within these shares of their distance and so near to their line."""
PRESSURE_SMOOTHING_S = 0.15
"""Low-pass of the clip's own centre of mass for the first guess of the pressure between two standing feet."""
VELOCITY_SMOOTHING_S = 0.10
SIGN = {"L": 1, "R": -1}


@dataclass(frozen=True, eq=False)
class ClipSteps:
    """A clip and the steps that are planned for it: when its feet stand, on which prints, and what a foot is like."""

    clip: FollowedClip
    schedule: Schedule
    prints: Prints
    geometry: FootGeometry

    @classmethod
    def of(cls, clip: FollowedClip, schedule: Schedule | None = None, prints: Prints | None = None) -> ClipSteps:
        """By the clip's own schedule and with its own prints where none are given. Raises ClipError where no foot stands."""
        geometry = FootGeometry(clip.body, "L")
        schedule = make_schedule(clip) if schedule is None else schedule
        if not any(schedule.values()):
            raise ClipError(f"{clip.path}: no foot ever stands on the ground, so there is nothing to follow.")
        return cls(clip, schedule, make_prints(clip, schedule, geometry) if prints is None else prints, geometry)


@dataclass(frozen=True)
class PressureWish:
    """Over K nodes: `lines` (K, 2) of the feet, the pressure `by_shares` (K,) that their shares of the weight make of them, and
    which way that goes, `outward` and `ahead` (K,), for every metre that they lie further out or ahead; the `weight` (K,) of the
    wish, whether both feet stand and neither lands or lifts soon (`settled`), or none does (`aloft`); and a first guess of the
    `pressure` (K,). Places are x + iy [m]."""

    lines: np.ndarray
    by_shares: np.ndarray
    outward: np.ndarray
    ahead: np.ndarray
    weight: np.ndarray
    settled: np.ndarray
    aloft: np.ndarray
    pressure: np.ndarray

    def wanted(self, pressure: np.ndarray) -> np.ndarray:
        """The wanted pressure (K,), given the one (K,) that the plan before has."""
        found, settled = self.by_shares.copy(), self.settled
        found[settled] = between(pressure[settled], self.lines[settled])
        return found


def pressure_wish(steps: ClipSteps, times: np.ndarray, step: float, place: np.ndarray, settings: PlanSettings) -> PressureWish:
    """The wish at nodes `step` [clip s] apart (K,), at which the clip's centre of mass is at places (K,)."""
    clip, schedule = steps.clip, steps.schedule
    shares = weights(schedule, times - (0.0 if flights(schedule) else settings.lag_s), settings.ramp_s)
    velocity = _smoothed(np.gradient(place, step), VELOCITY_SMOOTHING_S / step)
    found = [pressure_line(clip, steps.prints[side], times, velocity, steps.geometry, settings) for side in SIDES]
    lines, ahead = (np.stack(part, axis=1) for part in zip(*found, strict=True))
    outward = 1j * np.array([SIGN[side] for side in SIDES]) * ahead
    standing = (shares > 0.0).sum(axis=1)
    weight = np.where(standing == 2, settings.double_weight, 1.0) * (standing > 0)
    events = np.array([x for stances in schedule.values() for s in stances for x in (s.strike_s, s.off_s)])
    settled = (np.abs(times[:, None] - events) > settings.settled_s).all(axis=1) & (standing == 2)
    by_shares, out, on = ((shares * part).sum(axis=1) for part in (lines, outward, ahead))
    return PressureWish(lines, by_shares, out, on, weight, settled, standing == 0, _smoothed(place, PRESSURE_SMOOTHING_S / step))


def pressure_line(
    clip: FollowedClip, prints: list[Print], times: np.ndarray, velocity: np.ndarray, geometry: FootGeometry,
    settings: PlanSettings,
) -> tuple[np.ndarray, np.ndarray]:
    """Centre of pressure (K,) under a foot at times (K,), were all the weight on it, and where it faces (K,): from heel to ball
    over its stance, the other way round where the body passes backward, and at mid foot where it stays. Between
    stances it is the next one's, or the last one's."""
    leg = clip.body.leg_length_m
    found, faced = np.zeros((2, len(times)), dtype=complex)
    heel, ball = settings.cop_heel * leg, settings.cop_ball * geometry.ball_x
    middle = 0.5 * (heel + ball)
    until = -FOREVER_S
    for i, one in enumerate(prints):
        stance = one.stance
        rows = times > until
        until = FOREVER_S if i == len(prints) - 1 else stance.off_s
        start = stance.strike_s if stance.strike_s > -0.5 * FOREVER_S else clip.start_s
        end = min(stance.off_s, clip.end_s)
        facing, place, turning = _turned(one, times[rows])
        share = np.clip((times[rows] - start) / max(end - start, 1e-6), 0.0, 1.0)
        passing = np.clip((velocity[rows] / facing).real / settings.passing_m_s, -1.0, 1.0)
        along = middle + passing * (heel + (ball - heel) * share - middle)
        under = along - 1j * SIGN[one.side] * settings.cop_inward * leg
        if one.turn is not None:
            under = under + turning * (one.turn.pivot - under)
        found[rows], faced[rows] = place + facing * under, facing
    return found, faced


def _turned(one: Print, times: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Facing (k,) as unit vectors, places (k,) and shares of turning (k,) of a print at times (k,)."""
    if one.turn is None:
        return np.full(len(times), np.exp(1j * one.yaw)), np.full(len(times), one.place), np.zeros(len(times))
    steps = [one.planned(time) for time in times.tolist()]
    return (np.exp(1j * np.array([step.yaw for step in steps])), np.array([step.place for step in steps]),
            np.array([one.turn.share(time) for time in times.tolist()]))


def _smoothed(values: np.ndarray, width: float) -> np.ndarray:
    return gaussian_filter1d(values, width, mode="nearest")


def between(pressure: np.ndarray, lines: np.ndarray) -> np.ndarray:
    """Pressures (k,) moved between two feet (k, 2)."""
    way = lines[:, 1] - lines[:, 0]
    long = np.maximum(np.abs(way), 1e-6)
    local = (pressure - lines[:, 0]) / (way / long)
    return lines[:, 0] + way / long * (np.clip(local.real, SHARES[0] * long, SHARES[1] * long)
                                       + 1j * np.clip(local.imag, -ASIDE_M, ASIDE_M))


HEIGHT_NODE_EVERY = 1
"""Samples of the clip from node to node: 120 a second."""
SMOOTHING_S = 0.03
"""Standard deviation of the Gaussian on the clip's vertical acceleration on the ground."""
BANDS = 4
"""Diagonals beside the middle one of what is solved here."""
FORCES = (0.2, 4.0)
"""Vertical forces over the weight that the ground phases are kept within: legs push, and no leg pushes more."""
GROUND_WEIGHT, AIR_WEIGHT = 1e-5, 1e-1
"""Weights of vertical acceleration [(m/s^2)^-2] beside 1 for the height [m^-2]: in the air it is gravity's."""


def plan_height(clip: FollowedClip, flights: Sequence[tuple[float, float]], gravity: float, quicker: float = 1.0) -> CubicSpline:
    """Height of the centre of mass [m] over the clip's time under a gravity in that time [m / clip s^2], by linear least
    squares: on the ground the clip's height and, within what legs can push, its acceleration; in the flights free fall. Where
    push-offs are `quicker` than in that time legs push by its square harder over the weight."""
    rows = slice(None, None, HEIGHT_NODE_EVERY)
    times, step, own = clip.times_s[rows], HEIGHT_NODE_EVERY * clip.step_s, clip.com_m[rows, 2]
    flying = np.zeros(len(times), dtype=bool)
    for start, end in flights:
        flying |= (times >= start - step) & (times <= end + step)
    second = second_differences(len(times), step)
    pushed = gaussian_filter1d(second @ own, SMOOTHING_S / quicker / step, mode="nearest")
    wanted = np.where(flying, -gravity, np.clip(pushed, (FORCES[0] - 1.0) * gravity, (FORCES[1] - 1.0) * gravity * quicker**2))
    near = np.where(flying, 1e-2, 1.0)
    root = np.sqrt(np.where(flying, AIR_WEIGHT, GROUND_WEIGHT))
    parts = vstack([diags(near) @ identity(len(times)), diags(root) @ second]).tocsr()
    found = solve_banded(parts.T @ parts, parts.T @ np.concatenate([near * own, root * wanted]))
    return CubicSpline(times, found)


def second_differences(count: int, step: float) -> csr_matrix:
    """Matrix (K, K) of second differences of K nodes a `step` apart, those of the ends their neighbours'."""
    matrix = diags([1.0, -2.0, 1.0], [-1, 0, 1], shape=(count, count)).tolil()
    matrix[0, :3], matrix[-1, -3:] = (1.0, -2.0, 1.0), (1.0, -2.0, 1.0)
    return matrix.tocsr() / step**2


def solve_banded(normal: spmatrix, right: np.ndarray) -> np.ndarray:
    """The solution of a symmetric, positive definite system of few diagonals (K, K), for right sides (K,) or (K, n)."""
    whole = normal.todia()
    bands = np.zeros((BANDS + 1, whole.shape[0]))
    for offset, values in zip(whole.offsets, whole.data, strict=True):
        if 0 <= offset <= BANDS:
            bands[BANDS - offset] = values
    return solveh_banded(bands, right)


class Divergence(NamedTuple):
    """At times (N,) [clip s] from 0 on: `lead_s` is 1 / k [clip s], `growth` the integral of w^2 / k since the first."""

    times: np.ndarray
    lead_s: np.ndarray
    growth: np.ndarray

    def lead(self, time_s: float) -> float:
        """1 / k at a time."""
        return float(np.interp(time_s, self.times, self.lead_s))

    def grown(self, start_s: float, end_s: float) -> float:
        """By the exponential of how much an error grows from one time to another."""
        return float(np.interp(end_s, self.times, self.growth) - np.interp(start_s, self.times, self.growth))


def divergence(times: np.ndarray, height: CubicSpline, flying: np.ndarray, gravity: float, omega: float) -> Divergence:
    """Of a height [m] over times (N,) [clip s] under a gravity in that time, in which the body is `flying` (N,) bool; behind the
    clip's end the force is steady, at a pendulum's rate `omega`."""
    square = np.where(flying, 0.0, np.maximum(gravity + height(times, 2), 0.0)) / height(times)
    step, rate = float(times[1] - times[0]), np.empty(len(times))
    rate[-1] = omega
    for i in range(len(times) - 2, -1, -1):
        k, mean = rate[i + 1], 0.5 * (square[i] + square[i + 1])
        w = math.sqrt(mean)
        if w * step < 1e-6:
            rate[i] = k / (1.0 + k * step)
        else:
            turned = math.tanh(w * step)
            rate[i] = w * (k + w * turned) / (w + k * turned)
    speed = square / rate
    growth = np.concatenate([[0.0], np.cumsum(0.5 * step * (speed[1:] + speed[:-1]))])
    return Divergence(times, 1.0 / rate, growth)


LOW_PASS_S = 0.050
"""Standard deviation of the Gaussian on the angular momentum: twice differentiated poses of 30 Hz are noise beyond it."""


def specific_momentum(clip: FollowedClip) -> np.ndarray:
    """Angular momentum (N, 3) about the centre of mass over mass [m^2 / clip s], world axes."""
    return specific_angular_momentum_of_poses(clip.body, *clip.poses(), clip.step_s)


def pivot_shift(clip: FollowedClip, gravity: float, most_m: float) -> np.ndarray:
    """How far (N,) the centroidal moment pivot lies from the centre of pressure, x + iy [m], under a gravity in the clip's time
    (Popovic, Goswami and Herr 2005, eq. 10); at most `most_m`."""
    return shift_of(specific_momentum(clip), clip.step_s, gravity, most_m)


def shift_of(momentum: np.ndarray, step_s: float, gravity: float, most_m: float) -> np.ndarray:
    """The same (N,) of angular momentum over mass (N, 3)."""
    smoothed = gaussian_filter1d(momentum, LOW_PASS_S / step_s, axis=0, mode="nearest")
    rate = np.gradient(smoothed, step_s, axis=0)
    shift = (rate[:, 1] - 1j * rate[:, 0]) / gravity
    return shift * np.minimum(1.0, most_m / np.maximum(np.abs(shift), 1e-9))


NODE_EVERY = 2
"""Samples of the clip from node to node: 60 a second."""
PASSES = 6
"""Rounds in which the pressure between two standing feet is taken from the solution before."""
BALLISTIC_WEIGHT = 1e-2
"""Weight of horizontal acceleration in flight: it wins over all that pulls there."""
SWAY_SMOOTHING_S = 0.4
"""Standard deviation of the Gaussian that leaves of a way what is slower than the sway from foot to foot."""
ON_TOES = 0.75
"""Share of the toes onto which the pressure may be moved ahead: on their tips a slow walk fell."""
SHOWN = 0.83
"""Share of a planned sway that a run shows: a foot that has just landed stands on its inner edge (measured on five clips)."""
STEP_SMOOTHING_S = 0.25
"""Low-pass of the height that leaves no rise and fall of a step."""
LEAST_FORCE, MOST_FORCE = 0.2, 3.0
"""Least vertical force over the weight, and most acceleration over gravity, that a clip with flights is taken to have on the
ground: less is the capture's noise about a landing."""


class Moment(NamedTuple):
    """The plan at one time: place, velocity, capture point, pivot and its shift from the pressure (x + iy), height, its rate and
    second derivative; in metres and seconds of the clip."""

    place: complex
    velocity: complex
    capture: complex
    pivot: complex
    shift: complex
    height: float
    rising: float
    bend: float


@dataclass(frozen=True)
class ComPlan:
    """Splines over the clip's time: `place` (x + iy [m]) and `height` [m] of the centre of mass, `shift` of the centroidal moment
    pivot from the centre of pressure, what a known push adds to it included; `omega` [1 / clip s] is the pendulum's rate, one for
    the whole clip, and `gravity` that in the clip's time [m / clip s^2]. Of a clip that flies pivot and capture point go with the
    force at every moment, in a jump far from the weight (`diverging`); else with that one rate, as the noise of the height would
    go into it."""

    place: CubicSpline
    height: CubicSpline
    shift: CubicSpline
    omega: float
    gravity: float
    diverging: Divergence | None = None

    @property
    def flies(self) -> bool:
        return self.diverging is not None

    def lead_s(self, time_s: float) -> float:
        """How far ahead of the centre of mass its capture point is, over the velocity [clip s]."""
        return 1.0 / self.omega if self.diverging is None else self.diverging.lead(time_s)

    def grown(self, start_s: float, end_s: float) -> float:
        """By the exponential of how much an error of the capture point grows from one time to another."""
        return self.omega * (end_s - start_s) if self.diverging is None else self.diverging.grown(start_s, end_s)

    def pivot(self, times: np.ndarray) -> np.ndarray:
        """Centroidal moment pivot (...,) at times (...,)."""
        square = self.omega**2
        if self.flies:
            square = np.maximum(self.gravity + self.height(times, 2), LEAST_FORCE * self.gravity) / self.height(times)
        return self.place(times) - self.place(times, 2) / square

    @cached_property
    def _pieces(self) -> list[list[list[float]]]:
        """The polynomials of place (x, y), height and shift (x, y), node by node, the highest power first."""
        parts = [self.place.c.real, self.place.c.imag, self.height_pieces, self.shift.c.real, self.shift.c.imag]
        return np.stack(parts, axis=2).transpose(1, 2, 0).tolist()

    @property
    def height_pieces(self) -> np.ndarray:
        """The height's polynomials (4, K - 1) on the nodes of the place."""
        if len(self.height.x) == len(self.place.x):
            return self.height.c
        return CubicSpline(self.place.x, self.height(self.place.x)).c

    @cached_property
    def _level(self) -> np.ndarray:
        """The height at the nodes without its rise and fall in every step [m]."""
        nodes = self.place.x
        return gaussian_filter1d(self.height(nodes), STEP_SMOOTHING_S / (nodes[1] - nodes[0]), mode="nearest")

    def level(self, time_s: float) -> float:
        """Height without its rise and fall in every step [m]."""
        return float(np.interp(time_s, self.place.x, self._level))

    def at(self, time_s: float) -> Moment:
        """The plan at one time, without an array: a plan step asks for all of it at once."""
        nodes, start = self._pieces, float(self.place.x[0])
        step = float(self.place.x[1]) - start
        row = min(max(int((time_s - start) / step), 0), len(nodes) - 1)
        u = time_s - start - row * step
        (x, y, z, sx, sy) = nodes[row]
        value = [((a * u + b) * u + c) * u + d for a, b, c, d in (x, y, z, sx, sy)]
        rate = [(3.0 * a * u + 2.0 * b) * u + c for a, b, c, _ in (x, y, z)]
        second = [6.0 * a * u + 2.0 * b for a, b, _, _ in (x, y, z)]
        place, pull = complex(value[0], value[1]), complex(second[0], second[1])
        velocity = complex(rate[0], rate[1])
        square, capture = self.omega**2, place + velocity / self.omega
        if self.diverging is not None:
            square = max(self.gravity + second[2], LEAST_FORCE * self.gravity) / value[2]
            capture = place + velocity * self.diverging.lead(time_s)
        return Moment(place, velocity, capture, place - pull / square, complex(value[3], value[4]), value[2], rate[2], second[2])

    def capture(self, times: np.ndarray) -> np.ndarray:
        """Capture point (...,) at times (...,)."""
        return self.place(times) + self.place(times, 1) / self.omega


def plan_com(
    steps: ClipSteps, gravity: float, settings: PlanSettings, quicker: float = 1.0, pushes: Sequence[KnownPush] = ()
) -> ComPlan:
    """The centre of mass of a clip's steps under a gravity in the clip's time [m / clip s^2], with push-offs into flights that
    are `quicker` than in that time. Known pushes move it as they move the clip's."""
    clip, rows = steps.clip, slice(None, None, NODE_EVERY)
    times, step = clip.times_s[rows], NODE_EVERY * clip.step_s
    flying = flights(steps.schedule)
    height = plan_height(clip, flying, gravity, quicker) if flying else bounded_height(clip, gravity, settings)
    place = clip.com_m[rows, 0] + 1j * clip.com_m[rows, 1]
    shift = pivot_shift(clip, gravity, settings.pivot_m)[rows]
    most = MOST_FORCE * quicker**2 if flying else settings.height_acceleration
    rising = np.clip(height(times, 2), max(-most, LEAST_FORCE - 1.0) * gravity, most * gravity)
    square = (gravity + rising) / height(times)
    if pushes:
        felt = np.array([pushing(pushes, time) for time in times.tolist()])
        shift = shift - chest_height(clip)[rows] / height(times) * felt / square
    wish = pressure_wish(steps, times, step, place, settings)
    pressure = wish.pressure
    for _ in range(PASSES):
        found = _solve(place, wish.wanted(pressure) + shift, wish.weight, square, wish.aloft, step, settings)
        pressure = found - second_differences(len(found), step) @ found / square - shift
        if not wish.settled.any():
            break
    steps_taken = any(0.0 < stance.strike_s < FOREVER_S for stances in steps.schedule.values() for stance in stances)
    if settings.sways and steps_taken and not flying:  # who only stands does not sway from foot to foot
        ahead, more = (_solve(np.zeros(len(place)), way, wish.weight, square, wish.aloft, step, settings)
                       for way in (wish.ahead, wish.outward))
        found = found + _ahead_m(ahead, place - found, steps.geometry, settings) * ahead
        found = found + _outward_m(more, place - found, step, steps.geometry.half_width_m, settings, clip) * more
    omega = float(np.sqrt(gravity / height(times).mean()))
    growing = divergence(times, height, wish.aloft, gravity, omega) if flying else None
    return ComPlan(CubicSpline(times, found), height, CubicSpline(times, shift), omega, gravity, growing)


def _ahead_m(ahead: np.ndarray, lacking: np.ndarray, geometry: FootGeometry, settings: PlanSettings) -> float:
    """How much further ahead [m] under the soles the pressure has to lie for the centre of mass to be where the clip's is, of
    which it is `lacking` so much (K,), where it goes by `ahead` (K,) for every metre: at most onto the toes. Behind the clip's a
    body is out of its legs' reach at every landing. Not back: who goes backward ends beyond heels that reach less far."""
    wanted = float(np.vdot(ahead, lacking).real / max(np.vdot(ahead, ahead).real, 1e-12))
    most = ON_TOES * (geometry.tip_x - geometry.ball_x)
    return min(max(wanted, 0.0), most)


def _outward_m(
    more: np.ndarray, lacking: np.ndarray, step: float, half_width_m: float, settings: PlanSettings, clip: FollowedClip,
) -> float:
    """How much further out [m] under the soles the pressure has to lie for the centre of mass to sway as the clip's, of which it
    is `lacking` so much (K,), where it sways by `more` (K,) for every metre: at most to the soles' outer edge, over what of it
    comes about."""
    sway, short = (part - _smoothed(part, SWAY_SMOOTHING_S / step) for part in (more, lacking))
    wanted = float(np.vdot(sway, short).real / max(np.vdot(sway, sway).real, 1e-12))
    return min(max(wanted / SHOWN, 0.0), half_width_m + settings.cop_inward * clip.body.leg_length_m)


def bounded_height(clip: FollowedClip, gravity: float, settings: PlanSettings) -> CubicSpline:
    """The clip's height of the centre of mass, smoothed until a foot that stands can give and take its acceleration."""
    smoothing = 1.0
    while True:
        height = CubicSpline(clip.times_s, gaussian_filter1d(clip.com_m[:, 2], smoothing, mode="nearest"))
        if np.quantile(np.abs(height(clip.times_s, 2)), 0.98) <= settings.height_acceleration * gravity:
            return height
        smoothing *= 1.3


def _solve(
    place: np.ndarray, wanted: np.ndarray, weight: np.ndarray, square: np.ndarray, flying: np.ndarray, step: float,
    settings: PlanSettings,
) -> np.ndarray:
    """Places (K,) of least squares: near `place`, with pivots near `wanted` by `weight` (K,), without acceleration in flight."""
    second = second_differences(len(place), step)
    pivots = identity(len(place), format="csr") - diags(1.0 / square) @ second
    smooth = (second @ pivots)[2:-2] * np.sqrt(settings.smooth_weight)
    near = np.sqrt(np.where(flying, 1e-4, 1.0) * settings.com_weight)
    ballistic = diags(np.sqrt(BALLISTIC_WEIGHT) * flying) @ second
    rows = vstack([diags(near), diags(np.sqrt(weight)) @ pivots, smooth, ballistic]).tocsr()
    normal = rows.T @ rows
    right = rows[:len(place)].T @ (near * place) + rows[len(place):2 * len(place)].T @ (np.sqrt(weight) * wanted)
    found = solve_banded(normal, np.column_stack([right.real, right.imag]))
    return found[:, 0] + 1j * found[:, 1]


AFTER_STRIKE_S = 0.2
"""A clip that ends in mid stride is followed until so long after its last strike: for the step after it shows no landing."""
OVER_FEET = 0.17
"""A capture point within so many leg lengths of a standing foot's print, or of the line between two, is held: within the sole
ahead of the ankle. At 0.12 a march that sways lost its last tenth, at 0.14 a kick the foot's coming down."""


@dataclass(frozen=True)
class ClipPlan:
    """A clip's plan; `end_s` is the clip time until which it is followed."""

    clip: FollowedClip
    track: Track
    schedule: Schedule
    prints: Prints
    com: ComPlan
    end_s: float
    pushes: tuple[KnownPush, ...] = ()

    @property
    def flights(self) -> list[tuple[float, float]]:
        """When no foot stands, (from, to) [clip s], as far as the clip is followed and is not behind."""
        return [(start, end) for start, end in flights(self.schedule) if start < self.end_s and end > self.clip.start_s]


def make_plan(steps: ClipSteps, gravity: float, settings: PlanSettings, quicker: float = 1.0, end_s: float | None = None,
              pushes: Sequence[KnownPush] = ()) -> ClipPlan:
    """The plan of a clip's steps under a gravity in its own time [m / clip s^2], to its own end where none is given, with
    push-offs into flights that are `quicker` than in that time."""
    clip, schedule, prints = steps.clip, steps.schedule, steps.prints
    com = plan_com(steps, gravity, settings, quicker, pushes)
    return ClipPlan(clip, Track(clip), schedule, prints, com,
                    _end_s(clip, schedule, prints, com) if end_s is None else end_s, tuple(pushes))


def _end_s(clip: FollowedClip, schedule: Schedule, prints: Prints, com: ComPlan) -> float:
    """Where the clip ends: with the last frame in which the body is held up by the feet that stand there, at the earliest soon
    after its last strike."""
    def held(time_s: float) -> bool:
        places = [prints[side][schedule[side].index(stance)].place for side in SIDES
                  if (stance := standing(schedule, side, time_s - 1e-3)) is not None]
        return bool(places) and _distance(complex(com.capture(np.array(time_s))), places) < OVER_FEET * clip.body.leg_length_m

    last = clip.duration_s
    strikes = [s.strike_s for stances in schedule.values() for s in stances if -FOREVER_S < s.strike_s < last]
    least = min(last, max(strikes) + AFTER_STRIKE_S) if strikes else last
    return next((float(time) for time in np.arange(last, least, -clip.step_s) if held(float(time))), least)


def _distance(point: complex, places: list[complex]) -> float:
    if len(places) == 1:
        return abs(point - places[0])
    way = places[1] - places[0]
    share = min(max(((point - places[0]) / way).real, 0.0), 1.0) if way else 0.0
    return abs(point - places[0] - share * way)
