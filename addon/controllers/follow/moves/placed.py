# SPDX-License-Identifier: GPL-3.0-or-later
"""A step laid on a body's feet: the prints stand still, legs reach them, and pose and velocity go on from the step before."""

from __future__ import annotations

import cmath
import math
from dataclasses import dataclass, replace

import numpy as np
from scipy.ndimage import gaussian_filter1d, maximum_filter1d

from ....bodies.body import Body
from ....bodies.human.landmarks import SIDES
from ....maths.curves import bump, smooth, smoothstep
from ....maths.plain_rotations import from_rotvec, inverse, product, rotated, to_rotvec
from ....maths.quaternions import quat_from_rotvec, quat_multiply, quat_rotate
from ....motions.fragment import RATE_HZ, STANDING, Fragment
from ....motions.moves import layout
from ....motions.moves.step import Place, Step
from ....motions.stance import FOREVER_S, Stance
from ....specs.shot import EARTH_GRAVITY_M_S2
from ...tracking.planners.foot_geometry import FootGeometry, FootPose, Footstep
from ...tracking.planners.leg_ik import REACH, solve_leg

FADE_S, LEAST_FLAT_S = 0.06, 0.02
"""Time over which a foot begins to roll and comes to rest; a foot that lands takes at least so long to lie flat."""
ROLL_S = 0.1
"""A foot rolls for at least so long before it leaves the ground: also one that goes back, whose heel leaves last."""
TOES_SHARE = 0.5
"""Share of the swing by which toes bent at the push are straight again, and from which they bend for a landing on them."""
JOIN_SHARE = 0.4
"""Share of the swing over which a foot's own lift and landing fade into the figures' path."""
CLEAR_M = 0.012
"""Least height of the sole in the middle of a swing."""
LOWER_S, BEGIN_LOWER_S = 0.06, 0.1
"""How smoothly the pelvis comes lower where a leg would not reach, and how soon after a begin, where it is as the step before
left it."""


@dataclass(frozen=True)
class End:
    """How a step ended, in the frame of the step that follows, lengths in leg lengths and times in the figures' units: curves
    (C,) and their slopes, where either foot stands, and when the heel rises of the one that stood through it."""

    curves: np.ndarray
    slopes: np.ndarray
    prints: dict[str, Place]
    heel_off: float = 0.0


@dataclass(frozen=True)
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
        seconds = times * self.unit_s
        ground = self._feet(step, seconds, values, prints)
        root, root_quat, joints, lowered = self._pose(values, ground)
        height = layout.at("root.z")
        values[-1, height] -= lowered[-1] / self.leg_m
        end[height] -= (lowered[-1] - lowered[-2]) / self.leg_m * RATE_HZ * self.unit_s
        landed = {**prints, step.other: step.other_to if step.off is not None else prints[step.other]}
        last = _next_frame(step, values[-1], end, landed)
        away = root[-1, :2] - root[0, :2]
        return PlacedFragment(
            name, gait, self.body, STANDING if step.begins_standing else step.own,
            STANDING if step.ends_standing else step.other, root, root_quat, joints, self._stances(step),
            float(np.hypot(*away) / seconds[-1]), step.turn, last, **told)  # type: ignore[arg-type]

    def _stances(self, step: Step) -> tuple[Stance, ...]:
        """Both feet's stances [s]."""
        end, unit = step.duration, self.unit_s
        heel = step.heel_off * unit if step.heel_off < end and not step.begins_standing else FOREVER_S
        own = Stance(step.own, -FOREVER_S, -FOREVER_S, FOREVER_S, FOREVER_S) if step.begins_standing else Stance(
            step.own, 0.0, min(max(step.flat, 0.0), end) * unit, heel, FOREVER_S)
        if step.off is None:
            return own, Stance(step.other, -FOREVER_S, -FOREVER_S, FOREVER_S, FOREVER_S)
        lifted = min(step.other_heel_off, step.off)
        return own, Stance(step.other, -FOREVER_S, -FOREVER_S, lifted * unit if lifted > 0.0 else -FOREVER_S, step.off * unit)

    def _feet(self, step: Step, seconds: np.ndarray, values: np.ndarray, prints: dict[str, Place]) -> dict[str, list[FootPose]]:
        """Both feet's poses at the times of a step; their pitch and toes as they stand or swing."""
        unit = self.unit_s
        own, other = step.own, step.other
        flat_s = -1.0 if step.begins_standing else max(step.flat * unit, LEAST_FLAT_S)
        heel_s = FOREVER_S if step.begins_standing else step.heel_off * unit
        pitch = values[:, layout.at(f"pitch_{own}")]
        found = {own: [self._standing(own, prints[own], p * _rolling(t, flat_s, heel_s))
                       for t, p in zip(seconds.tolist(), pitch.tolist(), strict=True)]}
        pitch = values[:, layout.at(f"pitch_{other}")]
        if step.off is None:
            found[other] = [self._standing(other, prints[other], p * (1.0 - smooth(t / FADE_S)))
                            for t, p in zip(seconds.tolist(), pitch.tolist(), strict=True)]
            return found
        found[other] = self._swinging(step, seconds, pitch, prints[other])
        return found

    def _standing(self, side: str, place: Place, pitch: float) -> FootPose:
        return self.geometry[side].rolled(Footstep(side, self.leg_m * complex(place.x, place.y), place.yaw), pitch, 0.0)

    def _swinging(self, step: Step, seconds: np.ndarray, pitch: np.ndarray, left: Place) -> list[FootPose]:
        """The other foot: it rolls off its print, flies, and lands on the next one."""
        side, off_s, end_s = step.other, float(step.off or 0.0) * self.unit_s, float(seconds[-1])
        heel_s = step.other_heel_off * self.unit_s
        if heel_s > 0.0:
            heel_s = min(heel_s, max(off_s - ROLL_S, 0.0))
        rolling = [p * _rolling(t, -1.0, heel_s) for t, p in zip(seconds.tolist(), pitch.tolist(), strict=True)]
        stands = [self._standing(side, left, p) for p in rolling]
        first = int(np.searchsorted(seconds, off_s))
        flying = step.in_air(np.maximum(seconds[first:], off_s) / self.unit_s)
        share = np.clip((seconds[first:] - off_s) / (end_s - off_s), 0.0, 1.0)
        ease = smoothstep(share)
        turned = math.remainder(step.other_to.yaw - step.other_from.yaw, math.tau)
        yaw = left.yaw + ease * (step.other_to.yaw - left.yaw - math.tau * round(
            (step.other_to.yaw - left.yaw - turned) / math.tau)) + flying[:, 3]
        places = np.stack([left.x + ease * (step.other_to.x - left.x) + flying[:, 0],
                           left.y + ease * (step.other_to.y - left.y) + flying[:, 1]], axis=1) * self.leg_m
        geometry = self.geometry[side]
        ankles = np.column_stack([places, geometry.ankle_height_m + self.leg_m * flying[:, 2]])
        landing = self._standing(side, step.other_to, float(pitch[-1]))
        edge = max(first - 1, 0)
        lifted = stands[edge].ankle
        drift = (stands[edge].ankle - stands[max(edge - 1, 0)].ankle) * RATE_HZ * (end_s - off_s)
        own = (ankles[1] - ankles[0]) * RATE_HZ * (end_s - off_s)
        h00, h10, _ = _hermite(np.minimum(share / JOIN_SHARE, 1.0))
        h10 = JOIN_SHARE * h10
        h01 = _hermite(np.minimum((1.0 - share) / JOIN_SHARE, 1.0))[0]
        ankles = ankles + h00[:, None] * (lifted - ankles[0]) + h10[:, None] * (drift - own) + h01[:, None] * (
            landing.ankle - ankles[-1])
        yaws = yaw + h00 * (left.yaw - yaw[0]) + h01 * (landing_yaw(step, yaw[-1]) - yaw[-1])
        pitches = pitch[first:] + h00 * (rolling[edge] - pitch[first])
        toe = stands[edge].toe
        poses = list(stands[:first])
        for ankle, turn, tilt, roll, s in zip(ankles, yaws, pitches, flying[:, 4] * (1.0 - h00 - h01), share, strict=True):
            rotvec = _rotvec(float(turn), float(tilt), float(roll))
            straightened, bent = smooth(float(s) / TOES_SHARE), smooth((float(s) - TOES_SHARE) / (1.0 - TOES_SHARE))
            bend = toe * (1.0 - straightened) + landing.toe * bent
            low = geometry.lowest(FootPose(ankle, np.array([0.0, tilt, 0.0]), bend))
            poses.append(FootPose(ankle + [0.0, 0.0, max(CLEAR_M * bump(float(s)) - low, 0.0)], rotvec, bend))
        return poses

    def _pose(
        self, values: np.ndarray, feet: dict[str, list[FootPose]],
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """Root (N, 3) [m] and (N, 4), joints (N, S-1, 4): trunk and arms by the curves, legs to the feet; and by how much the
        root came lower for that (N,) [m]."""
        x, y, z, yaw, pitch, roll = (values[:, layout.at(name)] for name in layout.ROOT)
        root = self.leg_m * np.stack([x, y, z], axis=1)
        root[:, 2] -= self.body.sole_height_m
        root_quat = quat_multiply(quat_multiply(_about(2, yaw), _about(1, pitch)), _about(0, roll))
        ankles = {side: np.array([pose.ankle for pose in feet[side]]) for side in SIDES}
        lowered = self._shortfall(root, root_quat, ankles)
        root[:, 2] -= lowered
        joints = np.zeros((len(values), len(self._at), 4))
        joints[..., 0] = 1.0
        for name, where in layout.upper():
            if name in self._at:
                axis = self.body.segment(name).axis
                joints[:, self._at[name]] = quat_from_rotvec(values[:, where] if axis is None else values[:, where] * axis)
        hips = self._hips
        for i, (place, quat) in enumerate(zip(root.tolist(), root_quat.tolist(), strict=True)):
            back = inverse(tuple(quat))
            for side in SIDES:
                foot = feet[side][i]
                at = rotated(back, [a - b for a, b in zip(foot.ankle.tolist(), place, strict=True)])
                way = at[0] - hips[side][0], at[1] - hips[side][1], at[2] - hips[side][2]
                first = layout.at(f"knee_{side}.x")
                sole = product(back, from_rotvec(foot.rotvec.tolist()))
                hip, knee, ankle = solve_leg(way, sole, tuple(values[i, first:first + 3]), self._thigh_m, self._shank_m)
                joints[i, self._at[f"thigh_{side}"]], joints[i, self._at[f"foot_{side}"]] = hip, ankle
                joints[i, self._at[f"shank_{side}"]] = math.cos(0.5 * knee), 0.0, math.sin(0.5 * knee), 0.0
                if f"toes_{side}" in self._at:
                    toe = min(foot.toe, self.body.segment(f"toes_{side}").range_rad[1])
                    joints[i, self._at[f"toes_{side}"]] = math.cos(0.5 * toe), 0.0, -math.sin(0.5 * toe), 0.0
        flips = np.where(np.sum(joints[1:] * joints[:-1], axis=-1) < 0.0, -1.0, 1.0)
        joints[1:] *= np.cumprod(flips, axis=0)[..., None]
        return root, root_quat, joints, lowered

    def _shortfall(self, root: np.ndarray, root_quat: np.ndarray, ankles: dict[str, np.ndarray]) -> np.ndarray:
        """How much lower (N,) [m] the pelvis comes for both legs to reach, smoothly."""
        longest = REACH * (self._thigh_m + self._shank_m)
        short = np.zeros(len(root))
        for side in SIDES:
            hip = root + quat_rotate(root_quat, np.broadcast_to(self._hips[side], root.shape))
            level = np.minimum(np.sum((hip - ankles[side])[:, :2] ** 2, axis=1), (0.95 * longest) ** 2)
            short = np.maximum(short, hip[:, 2] - ankles[side][:, 2] - np.sqrt(longest**2 - level))
        if not short.any():
            return short
        width = max(int(LOWER_S * RATE_HZ), 1)
        return gaussian_filter1d(maximum_filter1d(short, 4 * width + 1), width) * smoothstep(
            np.arange(len(root)) / (RATE_HZ * BEGIN_LOWER_S))


def landing_yaw(step: Step, near: float) -> float:
    """Yaw of the landing's print, without a whole turn from another angle."""
    return step.other_to.yaw + math.tau * round((near - step.other_to.yaw) / math.tau)


def _about(axis: int, angle: np.ndarray) -> np.ndarray:
    """Quaternions (N, 4) of turns about an axis of the frame."""
    quat = np.zeros((len(angle), 4))
    quat[:, 0], quat[:, 1 + axis] = np.cos(0.5 * angle), np.sin(0.5 * angle)
    return quat


def _rotvec(yaw: float, pitch: float, roll: float) -> np.ndarray:
    """Rotation vector (3,) of a yaw, a pitch and a roll."""
    a, b, c = 0.5 * yaw, 0.5 * pitch, 0.5 * roll
    quat = product(product((math.cos(a), 0.0, 0.0, math.sin(a)), (math.cos(b), 0.0, math.sin(b), 0.0)),
                   (math.cos(c), math.sin(c), 0.0, 0.0))
    return np.array(to_rotvec(quat))


def _hermite(share: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """What a value at the begin, a slope there and a value at the end make of the way between (N,)."""
    s = share
    return 2 * s**3 - 3 * s**2 + 1, s**3 - 2 * s**2 + s, 3 * s**2 - 2 * s**3


def _faded(share: np.ndarray, away: np.ndarray, slope: np.ndarray) -> np.ndarray:
    """An offset (C,) and its slope over the whole, faded out (N, C) with level ends."""
    h00, h10, _ = _hermite(share)
    return np.outer(h00, away) + np.outer(h10, slope)


def _rolling(time_s: float, flat_s: float, heel_s: float) -> float:
    """How much of its pitch a standing foot has: none while it is flat."""
    if time_s < flat_s:
        return smooth((flat_s - time_s) / min(FADE_S, flat_s))
    return smooth((time_s - heel_s) / FADE_S)


def _next_frame(step: Step, curves: np.ndarray, slopes: np.ndarray, prints: dict[str, Place]) -> End:
    """What is at a step's end, told in the frame of the next."""
    places = {side: complex(p.x, p.y) for side, p in prints.items()}
    origin = 0.5 * sum(places.values()) if step.ends_standing else places[step.other]
    back = cmath.exp(-1j * step.turn)
    curves, slopes = curves.copy(), slopes.copy()
    x, y, yaw = (layout.at(name) for name in ("root.x", "root.y", "root.yaw"))
    place, speed = (complex(curves[x], curves[y]) - origin) * back, complex(slopes[x], slopes[y]) * back
    curves[x], curves[y], curves[yaw] = place.real, place.imag, curves[yaw] - step.turn
    slopes[x], slopes[y] = speed.real, speed.imag
    if step.ends_standing:
        slopes = np.zeros_like(slopes)
    moved = {side: (p - origin) * back for side, p in places.items()}
    return End(curves, slopes, {side: Place(moved[side].real, moved[side].imag, prints[side].yaw - step.turn) for side in prints},
               0.0 if step.ends_standing or step.begins_standing else step.heel_off - step.duration)
