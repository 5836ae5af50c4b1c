# SPDX-License-Identifier: GPL-3.0-or-later
"""A step laid on a body's feet: the prints stand still, legs reach them, and pose and velocity go on from the step before."""

from __future__ import annotations

import cmath
import math
from dataclasses import dataclass, field, replace

import numpy as np
from scipy.ndimage import gaussian_filter1d, maximum_filter1d

from ....bodies.body import Body
from ....bodies.human.landmarks import SIDES
from ....bodies.leg_ik import REACH, solve_legs
from ....maths.curves import smoothstep
from ....maths.quaternions import quat_conjugate, quat_from_rotvec, quat_multiply, quat_rotate
from ....motions.fragment import RATE_HZ, STANDING, Fragment
from ....motions.moves import layout
from ....motions.moves.step import Place, Step
from ....motions.stance import FOREVER_S, Stance
from ....specs.shot import EARTH_GRAVITY_M_S2
from ...tracking.planners.foot_geometry import FootGeometry
from .foot_ways import FootWay, FootWays, InAir

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
    """Lays steps on one body."""

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
            values = values + _faded(times / step.duration, before.curves - values[0],
                                     (before.slopes - begin) * step.duration)
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
    """What is at a step's end, told in the frame of the next."""
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
