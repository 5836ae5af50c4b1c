# SPDX-License-Identifier: GPL-3.0-or-later
"""A step laid on a body's feet: the prints stand still, legs reach them, and pose and velocity go on from the step before."""

from __future__ import annotations

import cmath
import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import NamedTuple

import numpy as np
from scipy.ndimage import gaussian_filter1d, maximum_filter1d

from ....bodies.body import Body
from ....bodies.human.landmarks import SIDES
from ....bodies.human.load import carrying
from ....bodies.kinematics import REACH, solve_legs
from ....maths.curves import smoothstep
from ....maths.rotations import quat_conjugate, quat_from_rotvec, quat_multiply, quat_rotate
from ....motions.fragment import RATE_HZ, STANDING, Fragment
from ....motions.moves import step as layout
from ....motions.moves.step import Place, Step
from ....motions.strides import FOREVER_S, Stance
from ....specs.shot import EARTH_GRAVITY_M_S2
from ...legged.foot_geometry import FootGeometry

FADE_S, LEAST_FLAT_S = 0.06, 0.02
"""Time over which a foot begins to roll and comes to rest; a foot that lands takes at least so long to lie flat."""
ROLL_S = 0.1
"""A foot rolls for at least so long before it leaves the ground: also one that goes back, whose heel leaves last."""
TOES_SHARE = 0.5
"""Share of the swing by which toes bent at the push are straight again, and from which they bend for a landing on them."""
JOIN_SHARE = 0.4
"""Share of the swing over which a foot's own lift and landing fade into the figures' path."""
LIFT_SHARE = 0.8
"""The same of a foot that stood where a step with a flight begins: it has farther to come."""
CLEAR_M, EDGE_SHARE = 0.012, 0.1
"""Least height of the sole in the middle of a swing; a sole that would be in the ground is raised out of it, at either end over
so much of the swing."""


class InAir(NamedTuple):
    """A foot in the air, in a step's frame: its ankle's place and velocity (3,) [m, m/s], yaw and roll [rad], its toes'
    extension [rad]."""

    ankle: np.ndarray
    velocity: np.ndarray
    yaw: float
    roll: float
    toe: float

    def seen_from(self, origin: complex, turn: float) -> InAir:
        """The same in a frame with that origin (x + iy [m]), turned to the left by an angle."""
        back = cmath.exp(-1j * turn)
        place, speed = (complex(*self.ankle[:2]) - origin) * back, complex(*self.velocity[:2]) * back
        return InAir(np.array([place.real, place.imag, self.ankle[2]]), np.array([speed.real, speed.imag, self.velocity[2]]),
                     self.yaw - turn, self.roll, self.toe)


class FootWay(NamedTuple):
    """Where a foot is at N times: its ankle's places (N, 3) [m], its orientations (N, 4), its toes' extensions (N,) [rad]."""

    ankle: np.ndarray
    quaternion: np.ndarray
    toe: np.ndarray

    def until(self, row: int, then: FootWay) -> FootWay:
        """The way to a sample, and another one from there on."""
        return FootWay(*(np.concatenate([a[:row], b]) for a, b in zip(self, then, strict=True)))


class Air(NamedTuple):
    """A foot's flight at N samples: its `share` (N,), its `path` (N, 5: ankle over a flat foot's [leg lengths], yaw, roll), the
    `pitch` (N,) of the foot [rad], and how long it lasts [s]."""

    share: np.ndarray
    path: np.ndarray
    pitch: np.ndarray
    lasts_s: float


class FootWays:
    """The ways of one body's feet; `unit_s` and `leg_m` are the figures' units on it."""

    def __init__(self, geometry: Mapping[str, FootGeometry], leg_m: float, unit_s: float) -> None:
        self._geometry, self._leg_m, self._unit_s = geometry, leg_m, unit_s

    def ways(
        self, step: Step, seconds: np.ndarray, values: np.ndarray, prints: Mapping[str, Place],
        flying: Mapping[str, InAir] | None,
    ) -> tuple[dict[str, FootWay], dict[str, InAir]]:
        """Both feet's ways at the times (N,) [s] of a step, and the foot that is in the air at its end. `values` (N, C) are the
        step's curves, `prints` where feet stand at its begin, `flying` the one that does not; None where the figures say that."""
        own, other, unit = step.own, step.other, self._unit_s
        pitch = {side: values[:, layout.at(f"pitch_{side}")].copy() for side in (own, other)}
        flat_s = -1.0 if step.begins_standing else max(step.flat * unit, LEAST_FLAT_S)
        heel_s = math.inf if step.begins_standing else step.heel_off * unit
        found = {own: self._stands(own, prints[own], pitch[own] * _rolling(seconds, flat_s, heel_s))}
        if step.flies is not None:
            found[own], left = self._leaves(step, seconds, pitch[own], found[own], prints[own])
            found[other] = self._arrives(step, seconds, pitch[other], prints[other], flying)
            return found, {own: left}
        if flying and other in flying:
            found[other] = self._comes_down(step, seconds, pitch[other], flying[other])
        elif step.off is None:
            found[other] = self._stands(other, prints[other], pitch[other] * (1.0 - smoothstep(seconds / FADE_S)))
        else:
            found[other] = self._swings(step, seconds, pitch[other], prints[other])
        return found, {}

    def _stands(self, side: str, place: Place, pitch: np.ndarray) -> FootWay:
        """A foot on a print at pitches (N,)."""
        ankle, toe = self._geometry[side].ways(self._leg_m * complex(place.x, place.y), place.yaw, pitch)
        return FootWay(ankle, _quaternions(np.full(len(pitch), place.yaw), pitch, np.zeros(len(pitch))), toe)

    def _swings(self, step: Step, seconds: np.ndarray, pitch: np.ndarray, left: Place) -> FootWay:
        """The other foot of a step: it rolls off its print, flies, and lands on the next one."""
        side, off_s, end_s = step.other, float(step.off or 0.0) * self._unit_s, float(seconds[-1])
        heel_s = step.other_heel_off * self._unit_s
        if heel_s > 0.0:
            heel_s = min(heel_s, max(off_s - ROLL_S, 0.0))
        rolling = pitch * _rolling(seconds, -1.0, heel_s)
        stands = self._stands(side, left, rolling)
        first = int(np.searchsorted(seconds, off_s))
        flown = step.in_air(np.maximum(seconds[first:], off_s) / self._unit_s)
        share = np.clip((seconds[first:] - off_s) / (end_s - off_s), 0.0, 1.0)
        ease = smoothstep(share)
        turned = math.remainder(step.other_to.yaw - step.other_from.yaw, math.tau)
        laps = math.tau * round((step.other_to.yaw - left.yaw - turned) / math.tau)
        way = np.column_stack([left.x + ease * (step.other_to.x - left.x), left.y + ease * (step.other_to.y - left.y),
                               np.zeros(len(ease)), left.yaw + ease * (step.other_to.yaw - left.yaw - laps), np.zeros(len(ease))])
        pitches = pitch[first:] + _fades(share)[0] * (rolling[first] - pitch[first])
        lifted = _lifted(stands, first, left.yaw)
        return stands.until(first, self._flown(step, Air(share, way + flown, pitches, end_s - off_s), lifted, True))

    def _leaves(self, step: Step, seconds: np.ndarray, pitch: np.ndarray, stands: FootWay, left: Place) -> tuple[FootWay, InAir]:
        """The own foot of a step with a flight: it pushes off and is in the air at the end."""
        off_s, end_s = float(step.flies or 0.0) * self._unit_s, float(seconds[-1])
        first = min(int(np.searchsorted(seconds, off_s)), len(seconds) - 2)
        share = np.clip((seconds[first:] - off_s) / (end_s - off_s), 0.0, 1.0)
        path = layout.design(share, layout.AIR_INTERVALS) @ (step.own_air if step.own_air is not None else step.air).T
        lifted = _lifted(stands, first, left.yaw)
        flown = self._flown(step, Air(share, path, pitch[first:], end_s - off_s), lifted, False, lands=False)
        velocity = (flown.ankle[-1] - flown.ankle[-2]) * RATE_HZ
        return stands.until(first, flown), InAir(flown.ankle[-1], velocity, float(path[-1, 3]), float(path[-1, 4]),
                                                 float(flown.toe[-1]))

    def _arrives(
        self, step: Step, seconds: np.ndarray, pitch: np.ndarray, stood: Place, flying: Mapping[str, InAir] | None,
    ) -> FootWay:
        """The other foot of a step with a flight: in the air from the begin, or lifted there, and landing at the end."""
        share = seconds / seconds[-1]
        path = layout.design(share, layout.AIR_INTERVALS) @ step.air.T
        join = JOIN_SHARE
        if flying is None:
            ankle = self._leg_m * path[:2, :3] + [0.0, 0.0, self._geometry[step.other].ankle_height_m]
            begin = InAir(ankle[0], (ankle[1] - ankle[0]) / seconds[1], float(path[0, 3]), float(path[0, 4]), 0.0)
        elif step.other in flying:
            begin = flying[step.other]
        else:
            pose = self._stands(step.other, stood, pitch[:1] * _rolling(seconds[:1], -1.0, step.other_heel_off * self._unit_s))
            begin, join = InAir(pose.ankle[0], np.zeros(3), stood.yaw, 0.0, float(pose.toe[0])), LIFT_SHARE
        return self._flown(step, Air(share, path, pitch, float(seconds[-1])), begin, False, join=join)

    def _comes_down(self, step: Step, seconds: np.ndarray, pitch: np.ndarray, flying: InAir) -> FootWay:
        """The other foot of a step without a flight that follows one with: it goes on through the air to its print."""
        share = seconds / seconds[-1]
        ease, to = smoothstep(share), step.other_to
        begin = np.array([*flying.ankle[:2] / self._leg_m, 0.0, flying.yaw, flying.roll])
        end = np.array([to.x, to.y, 0.0, _near(to.yaw, flying.yaw), 0.0])
        return self._flown(step, Air(share, begin + ease[:, None] * (end - begin), pitch, float(seconds[-1])), flying, True)

    def _flown(self, step: Step, air: Air, begin: InAir, clear: bool, *, lands: bool = True, join: float = JOIN_SHARE) -> FootWay:
        """The way through the air, which begins as the foot does and, where it lands, ends on the other foot's next print."""
        share, path, pitch = air.share, air.path, air.pitch
        side = step.own if not lands else step.other
        geometry = self._geometry[side]
        ankles = self._leg_m * path[:, :3] + [0.0, 0.0, geometry.ankle_height_m]
        h00, h10 = _fades(share, join)
        own = (ankles[1] - ankles[0]) / max(share[1] - share[0], 1e-9)
        ankles = ankles + h00[:, None] * (begin.ankle - ankles[0]) + h10[:, None] * (begin.velocity * air.lasts_s - own)
        yaw = path[:, 3] + h00 * _near(begin.yaw - path[0, 3], 0.0)
        roll, toes = path[:, 4] + h00 * (begin.roll - path[0, 4]), 0.0
        if lands:
            h01 = _fades(1.0 - share)[0]
            landing = self._stands(side, step.other_to, pitch[-1:])
            ankles, toes = ankles + h01[:, None] * (landing.ankle[0] - ankles[-1]), float(landing.toe[0])
            yaw, roll = yaw + h01 * _near(step.other_to.yaw - yaw[-1], 0.0), roll * (1.0 - h01)
        toe = begin.toe * (1.0 - smoothstep(share / TOES_SHARE)) + toes * smoothstep((share - TOES_SHARE) / (1.0 - TOES_SHARE))
        least = CLEAR_M * 16.0 * (share * (1.0 - share)) ** 2 if clear else 0.0
        raised = np.maximum(least - geometry.lowest_of(ankles[:, 2], pitch, toe), 0.0) * smoothstep(share / EDGE_SHARE)
        if lands:
            raised = raised * smoothstep((1.0 - share) / EDGE_SHARE)
        return FootWay(ankles + raised[:, None] * [0.0, 0.0, 1.0], _quaternions(yaw, pitch, roll), toe)


def _lifted(stands: FootWay, first: int, yaw: float) -> InAir:
    """A foot as it leaves its print, at a sample: as it would go on rolling there."""
    drift = (stands.ankle[first] - stands.ankle[max(first - 1, 0)]) * RATE_HZ
    return InAir(stands.ankle[first], drift, yaw, 0.0, float(stands.toe[first]))


def _fades(share: np.ndarray, join: float = JOIN_SHARE) -> tuple[np.ndarray, np.ndarray]:
    """What a value at the begin of a swing and a slope there [per swing] make of it (N,), fading over the first part."""
    s = np.minimum(share / join, 1.0)
    return 2 * s**3 - 3 * s**2 + 1, join * (s**3 - 2 * s**2 + s)


def _rolling(time_s: np.ndarray, flat_s: float, heel_s: float) -> np.ndarray:
    """How much of its pitch a standing foot has at times (N,): none while it is flat."""
    lying = smoothstep((flat_s - time_s) / min(FADE_S, flat_s)) if flat_s > 0.0 else np.zeros(len(time_s))
    return np.where(time_s < flat_s, lying, smoothstep((time_s - heel_s) / FADE_S))


def _near(angle: float, other: float) -> float:
    """An angle without whole turns from another one [rad]."""
    return other + math.remainder(angle - other, math.tau)


def _quaternions(yaw: np.ndarray, pitch: np.ndarray, roll: np.ndarray) -> np.ndarray:
    """Orientations (N, 4) of a yaw about z, a roll about x and a pitch about y, in this order: in a run feet pitch by more
    than a right angle."""
    def about(axis: int, angle: np.ndarray) -> np.ndarray:
        quat = np.zeros((len(angle), 4))
        quat[:, 0], quat[:, axis] = np.cos(0.5 * angle), np.sin(0.5 * angle)
        return quat

    return quat_multiply(quat_multiply(about(3, yaw), about(1, roll)), about(2, pitch))


SOON_S = 0.05
"""A foot that stands where a step with a flight begins leaves the ground so soon."""
MOST_AHEAD = 0.05
"""How far the pelvis may be before or behind the middle of feet that stand [leg lengths]."""
LOWER_S, BEGIN_LOWER_S = 0.06, 0.1
"""How smoothly the pelvis comes lower where a leg would not reach, and how soon after a begin, where it is as the step before
left it."""


@dataclass(frozen=True)
class End:
    """How a step ended, in the frame of the step that follows, lengths in leg lengths and times in the figures' units: curves
    (C,) and their slopes, where either foot stands, when the heel rises of the one that stood through it, and
    the foot that is in the air."""

    curves: np.ndarray
    slopes: np.ndarray
    prints: dict[str, Place]
    heel_off: float = 0.0
    flying: dict[str, InAir] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class PlacedFragment(Fragment):
    """A fragment from the library: how it ended, what it came from, and what it went by: `speed` is the way's [square roots of
    leg length times g], `move`, `count` say which step of which move it is, `aim` what the move was blended for [rad]."""

    end: End
    move: str = ""
    count: int = 0
    speed: float = 0.0
    aim: float = 0.0


class Layer:
    def __init__(self, body: Body) -> None:
        self.body, self.leg_m = body, body.leg_length_m
        self.unit_s = math.sqrt(self.leg_m / EARTH_GRAVITY_M_S2)
        self.geometry = {side: FootGeometry(body, side) for side in SIDES}
        self._feet = FootWays(self.geometry, self.leg_m, self.unit_s)
        self._hips = {s: tuple(float(x) for x in body.segment(f"thigh_{s}").offset) for s in SIDES}
        self._thigh_m = float(np.linalg.norm(body.segment("shank_L").offset))
        self._shank_m = float(np.linalg.norm(body.segment("foot_L").offset))
        self._at = {name: i for i, name in enumerate(body.joint_segments)}

    def lay(self, step: Step, before: End | None, name: str, gait: str, **told: float | str) -> PlacedFragment:
        """The fragment of a step that goes on where another one ended; without one it begins as its figures say."""
        count = max(round(step.duration * self.unit_s * RATE_HZ), 2)
        times = np.linspace(0.0, step.duration, count + 1)
        values = step.at(times)
        prints = {step.own: step.stands, step.other: step.other_from}
        begin, end = step.slopes()
        if before is not None:
            prints = dict(before.prints)
            if before.heel_off < 0.0 or step.other_heel_off < 0.0:
                step = replace(step, other_heel_off=min(before.heel_off, 0.0))
            values = values + _faded(times / step.duration, before.curves - values[0], (before.slopes - begin) * step.duration)
            if step.ends_standing:
                values = values + np.outer(smoothstep(times / step.duration), _centred(values[-1], prints) - values[-1])
        seconds = times * self.unit_s
        flying = None if before is None else before.flying
        ground, left = self._feet.ways(step, seconds, values, prints, flying)
        stood = {side: np.ones(count + 1, dtype=bool) for side in SIDES}
        if step.flies is not None:
            stood = {step.own: times < step.flies, step.other: np.zeros(count + 1, dtype=bool)}
        root, root_quat, joints, lowered = self._pose(values, ground, stood)
        height = layout.at("root.z")
        values[-1, height] -= lowered[-1] / self.leg_m
        end[height] -= (lowered[-1] - lowered[-2]) / self.leg_m * RATE_HZ * self.unit_s
        landed = {**prints, step.other: step.other_to if step.lands else prints[step.other]}
        last = _next_frame(step, values[-1], end, landed, left, self.leg_m)
        stances = self._stances(step, bool(flying) or (flying is None and step.flies is not None))
        away = root[-1, :2] - root[0, :2]
        root_quat, joints = carrying(root_quat, joints, self.body)
        return PlacedFragment(
            name, gait, self.body, STANDING if step.begins_standing else step.own,
            STANDING if step.ends_standing else step.other, root, root_quat, joints, stances,
            float(np.hypot(*away) / seconds[-1]), step.turn, last, **told)  # type: ignore[arg-type]

    def _stances(self, step: Step, flies: bool) -> tuple[Stance, ...]:
        """Both feet's stances [s]; where the other foot `flies` at the begin, the own one's alone."""
        end, unit = step.duration, self.unit_s
        if step.flies is not None:
            off = step.flies * unit
            own = Stance(step.own, 0.0, min(step.flat * unit, off), min(step.heel_off * unit, off), off)
            return (own,) if flies else (own, Stance(step.other, -FOREVER_S, -FOREVER_S, -FOREVER_S, SOON_S))
        heel = step.heel_off * unit if step.heel_off < end and not step.begins_standing else FOREVER_S
        own = Stance(step.own, -FOREVER_S, -FOREVER_S, FOREVER_S, FOREVER_S) if step.begins_standing else Stance(
            step.own, 0.0, min(max(step.flat, 0.0), end) * unit, heel, FOREVER_S)
        if flies:
            return (own,)
        if step.off is None:
            return own, Stance(step.other, -FOREVER_S, -FOREVER_S, FOREVER_S, FOREVER_S)
        lifted = min(step.other_heel_off, step.off)
        return own, Stance(step.other, -FOREVER_S, -FOREVER_S, lifted * unit if lifted > 0.0 else -FOREVER_S, step.off * unit)

    def _pose(
        self, values: np.ndarray, feet: dict[str, FootWay], stood: dict[str, np.ndarray],
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """Root (N, 3) [m] and (N, 4), joints (N, S-1, 4): trunk and arms by the curves, legs to the feet; and by how much the
        root came lower for that (N,) [m]: for feet only while they `stood` (N,)."""
        x, y, z, yaw, pitch, roll = (values[:, layout.at(name)] for name in layout.ROOT)
        root = self.leg_m * np.stack([x, y, z], axis=1)
        root[:, 2] -= self.body.sole_height_m
        root_quat = quat_multiply(quat_multiply(_about(2, yaw), _about(1, pitch)), _about(0, roll))
        lowered = self._shortfall(root, root_quat, {side: feet[side].ankle for side in SIDES}, stood)
        root[:, 2] -= lowered
        joints = np.zeros((len(values), len(self._at), 4))
        joints[..., 0] = 1.0
        for name, where in layout.upper():
            if name in self._at:
                axis = self.body.segment(name).axis
                joints[:, self._at[name]] = quat_from_rotvec(values[:, where] if axis is None else values[:, where] * axis)
        back = quat_conjugate(root_quat)
        for side in SIDES:
            foot, first = feet[side], layout.at(f"knee_{side}.x")
            way = quat_rotate(back, foot.ankle - root) - np.array(self._hips[side])
            hip, knee, ankle = solve_legs(way, quat_multiply(back, foot.quaternion), values[:, first:first + 3], self._thigh_m,
                                          self._shank_m)
            joints[:, self._at[f"thigh_{side}"]], joints[:, self._at[f"foot_{side}"]] = hip, ankle
            joints[:, self._at[f"shank_{side}"]] = _about(1, knee)
            if f"toes_{side}" in self._at:
                most = self.body.segment(f"toes_{side}").range_rad[1]
                joints[:, self._at[f"toes_{side}"]] = _about(1, -np.minimum(foot.toe, most))
        flips = np.where(np.sum(joints[1:] * joints[:-1], axis=-1) < 0.0, -1.0, 1.0)
        joints[1:] *= np.cumprod(flips, axis=0)[..., None]
        return root, root_quat, joints, lowered

    def _shortfall(
        self, root: np.ndarray, root_quat: np.ndarray, ankles: dict[str, np.ndarray], stood: dict[str, np.ndarray],
    ) -> np.ndarray:
        """How much lower (N,) [m] the pelvis comes for both legs to reach, smoothly."""
        longest = REACH * (self._thigh_m + self._shank_m)
        short = np.zeros(len(root))
        for side in SIDES:
            hip = root + quat_rotate(root_quat, np.broadcast_to(self._hips[side], root.shape))
            level = np.minimum(np.sum((hip - ankles[side])[:, :2] ** 2, axis=1), (0.95 * longest) ** 2)
            lower = hip[:, 2] - ankles[side][:, 2] - np.sqrt(longest**2 - level)
            short = np.maximum(short, np.where(stood[side], lower, 0.0))
        if not short.any():
            return short
        width = max(int(LOWER_S * RATE_HZ), 1)
        return gaussian_filter1d(maximum_filter1d(short, 4 * width + 1), width) * smoothstep(
            np.arange(len(root)) / (RATE_HZ * BEGIN_LOWER_S))


def _about(axis: int, angle: np.ndarray) -> np.ndarray:
    """Quaternions (N, 4) of turns about an axis of the frame."""
    quat = np.zeros((len(angle), 4))
    quat[:, 0], quat[:, 1 + axis] = np.cos(0.5 * angle), np.sin(0.5 * angle)
    return quat


def _faded(share: np.ndarray, away: np.ndarray, slope: np.ndarray) -> np.ndarray:
    """An offset (C,) and its slope over the whole, faded out (N, C) with level ends."""
    s = share
    return np.outer(2 * s**3 - 3 * s**2 + 1, away) + np.outer(s**3 - 2 * s**2 + s, slope)


def _between(prints: dict[str, Place]) -> float:
    """The direction between those of both feet [rad]."""
    left, right = (prints[side].yaw for side in SIDES)
    return left + 0.5 * math.remainder(right - left, math.tau)


def _centred(curves: np.ndarray, prints: dict[str, Place]) -> np.ndarray:
    """Curves (C,) of somebody who stands with the weight between the feet, facing as they do: else whoever starts next would
    have to shift it from wherever the last step left it."""
    curves, heading = curves.copy(), _between(prints)
    x, y, yaw = (layout.at(name) for name in ("root.x", "root.y", "root.yaw"))
    middle, forward = 0.5 * sum(complex(p.x, p.y) for p in prints.values()), cmath.exp(1j * heading)
    ahead = ((complex(curves[x], curves[y]) - middle) * forward.conjugate()).real
    place = middle + min(max(ahead, -MOST_AHEAD), MOST_AHEAD) * forward
    curves[x], curves[y] = place.real, place.imag
    curves[yaw] -= math.remainder(curves[yaw] - heading, math.tau)
    return curves


def _next_frame(
    step: Step, curves: np.ndarray, slopes: np.ndarray, prints: dict[str, Place], left: dict[str, InAir], leg_m: float,
) -> End:
    places = {side: complex(p.x, p.y) for side, p in prints.items()}
    origin = 0.5 * sum(places.values()) if step.ends_standing else places[step.other]
    heading = _between(prints) if step.ends_standing else step.turn
    back = cmath.exp(-1j * heading)
    curves, slopes = curves.copy(), slopes.copy()
    x, y, yaw = (layout.at(name) for name in ("root.x", "root.y", "root.yaw"))
    place, speed = (complex(curves[x], curves[y]) - origin) * back, complex(slopes[x], slopes[y]) * back
    curves[x], curves[y], curves[yaw] = place.real, place.imag, curves[yaw] - heading
    slopes[x], slopes[y] = speed.real, speed.imag
    if step.ends_standing:
        slopes = np.zeros_like(slopes)
    moved = {side: (p - origin) * back for side, p in places.items()}
    return End(curves, slopes, {side: Place(moved[side].real, moved[side].imag, prints[side].yaw - heading) for side in prints},
               0.0 if step.ends_standing or step.begins_standing else step.heel_off - step.duration,
               {side: foot.seen_from(leg_m * origin, heading) for side, foot in left.items()})
