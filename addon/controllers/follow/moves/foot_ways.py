# SPDX-License-Identifier: GPL-3.0-or-later
"""Where the feet of a step go: still on their prints, rolling over heel and ball, and through the air from print to print."""

from __future__ import annotations

import cmath
import math
from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from ....maths.curves import smoothstep
from ....maths.quaternions import quat_multiply
from ....motions.fragment import RATE_HZ
from ....motions.moves import layout
from ....motions.moves.step import Place, Step
from ...tracking.planners.foot_geometry import FootGeometry

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
        return stands.until(first, self._flown(step, share, way + flown, pitches, lifted, end_s - off_s, True))

    def _leaves(
        self, step: Step, seconds: np.ndarray, pitch: np.ndarray, stands: FootWay, left: Place,
    ) -> tuple[FootWay, InAir]:
        """The own foot of a step with a flight: it pushes off and is in the air at the end."""
        off_s, end_s = float(step.flies or 0.0) * self._unit_s, float(seconds[-1])
        first = min(int(np.searchsorted(seconds, off_s)), len(seconds) - 2)
        share = np.clip((seconds[first:] - off_s) / (end_s - off_s), 0.0, 1.0)
        path = layout.design(share, layout.AIR_INTERVALS) @ (step.own_air if step.own_air is not None else step.air).T
        lifted = _lifted(stands, first, left.yaw)
        flown = self._flown(step, share, path, pitch[first:], lifted, end_s - off_s, False, lands=False)
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
        return self._flown(step, share, path, pitch, begin, float(seconds[-1]), False, join=join)

    def _comes_down(self, step: Step, seconds: np.ndarray, pitch: np.ndarray, flying: InAir) -> FootWay:
        """The other foot of a step without a flight that follows one with: it goes on through the air to its print."""
        share = seconds / seconds[-1]
        ease, to = smoothstep(share), step.other_to
        begin = np.array([*flying.ankle[:2] / self._leg_m, 0.0, flying.yaw, flying.roll])
        end = np.array([to.x, to.y, 0.0, _near(to.yaw, flying.yaw), 0.0])
        return self._flown(step, share, begin + ease[:, None] * (end - begin), pitch, flying, float(seconds[-1]), True)

    def _flown(
        self, step: Step, share: np.ndarray, path: np.ndarray, pitch: np.ndarray, begin: InAir, lasts_s: float, clear: bool, *,
        lands: bool = True, join: float = JOIN_SHARE,
    ) -> FootWay:
        """The way along a path (N, 5: ankle over a flat foot's [leg lengths], yaw, roll) at shares (N,) of a flight, which begins
        as the foot does and, where it lands, ends on the other foot's next print."""
        side = step.own if not lands else step.other
        geometry = self._geometry[side]
        ankles = self._leg_m * path[:, :3] + [0.0, 0.0, geometry.ankle_height_m]
        h00, h10 = _fades(share, join)
        own = (ankles[1] - ankles[0]) / max(share[1] - share[0], 1e-9)
        ankles = ankles + h00[:, None] * (begin.ankle - ankles[0]) + h10[:, None] * (begin.velocity * lasts_s - own)
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
