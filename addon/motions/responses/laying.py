# SPDX-License-Identifier: GPL-3.0-or-later
"""A response laid over the stance of a body, and a body led from the midst of another response into it."""

from __future__ import annotations

import cmath
from dataclasses import dataclass, replace

import numpy as np
from scipy.interpolate import CubicSpline
from scipy.ndimage import gaussian_filter1d

from ...bodies.body import Body
from ...maths.curves import runs
from ...maths.rotations import continuous, quat_from_rotvec, quat_rotate
from ...specs.shot import EARTH_GRAVITY_M_S2
from ..cycle import layout, pose
from .feet import Figure, faded, figure_of, grounded, heading_of, joined, levels_of, over, spin_of, with_feet
from .measuring import Motion, channels_of
from .response import Response, reference_body, unit_s
from .selection import Adapted, Found, Now, adapted

BLEND_S = 0.3
"""In which a body goes from the midst of one response into another (Earth's time; first guess)."""
FOLLOW_S = 0.12
"""How smoothly the root goes along with feet that go elsewhere (Earth's time; first guess)."""
CARRIES = 0.4
"""A foot that comes down goes on by this share of its speed times the time that it takes."""
LAND_S = 0.2
"""In which a foot comes down that is up where the other response has it on the ground (Earth's time; first guess)."""


def standing(frames: Adapted, body: Body) -> Figure:
    """One pose of a body that nobody posed: as the response begins, its feet level."""
    root, turn, joints = pose(frames.channels[:1].copy(), body)
    figure = with_feet(body, root, turn, joints)
    ankles = body.leg_length_m * frames.ankles[:1]
    ankles[..., 2] = -body.sole_height_m
    return replace(figure, ankles=ankles, soles=np.stack([heading_of(sole) for sole in figure.soles[0]])[None])


def laid(frames: Adapted, at: np.ndarray, body: Body, stance: Figure) -> tuple[Figure, np.ndarray]:
    """What changes since a response's first frame, laid over one pose of a body by its heading, at frames `at` (N,), which may
    lie between; and heel and ball of each foot on the ground (N, F, 2)."""
    heading, leg = heading_of(stance.turn[0]), body.leg_length_m
    first, values = frames.channels[0], _between(frames.channels, at)
    ankles, feet = _between(frames.ankles, at), _between(continuous(frames.feet), at)
    feet /= np.linalg.norm(feet, axis=-1, keepdims=True)
    root = stance.root + leg * quat_rotate(heading[None], values[:, :3] - first[:3])
    turn = over(quat_from_rotvec(first[3:6]), quat_from_rotvec(values[:, 3:6]), stance.turn[0], heading)
    joints = np.repeat(stance.joints, len(at), axis=0)
    places = layout()
    for i, name in enumerate(body.joint_segments):
        if name in places.slices:
            axis, where = places.axes[name], places.slices[name]
            vectors, begin = values[:, where], first[where]
            if axis is not None:
                vectors, begin = vectors * axis, begin * axis
            joints[:, i] = over(quat_from_rotvec(begin), quat_from_rotvec(vectors), stance.joints[0, i])
    ways = stance.ankles + leg * quat_rotate(heading[None, None], ankles - frames.ankles[0])
    soles = np.stack([over(frames.feet[0, f], feet[:, f], stance.soles[0, f], heading) for f in range(len(body.feet))], axis=1)
    return Figure(root, turn, joints, ways, soles), frames.planted[np.round(at).astype(int)]


def led(
    figure: Figure, planted: np.ndarray, before: Figure, stands: np.ndarray, step_s: float, slow: float,
) -> tuple[Figure, np.ndarray]:
    """Poses (N) `step_s` apart that begin where a body is, with the speed that it has: `before` are two poses of it one step
    apart, `stands` (F,) tells which feet are on the ground. What it is off by fades; feet that stand stay, a foot that is up
    comes down, and its next swing brings it to where it belongs. `slow` is the world's time over Earth's."""
    times = step_s * np.arange(len(figure.root))
    blend = BLEND_S * slow
    planted, lands = planted.copy(), ~stands & planted[0].any(axis=1)
    for f in np.flatnonzero(lands):
        planted[times < LAND_S * slow, f] = False
    off = _feet_off(figure, planted, lands, before, step_s)
    ways = figure.ankles.copy()
    ways[..., 0] += off.real
    ways[..., 1] += off.imag
    drop = before.ankles[0, :, 2] - figure.ankles[0, :, 2]
    ways[..., 2] += faded(times, LAND_S * slow, drop, _rate(before.ankles, step_s)[:, 2] - _rate(figure.ankles, step_s)[:, 2])
    soles = joined(figure.soles, times, LAND_S * slow, before.soles[0], _spin(before.soles, figure.soles, step_s))
    mean = off.mean(axis=1)
    middle = np.stack([mean.real, mean.imag, np.zeros(len(times))], axis=1)
    middle = gaussian_filter1d(middle, FOLLOW_S * slow / step_s, axis=0, mode="nearest")
    root = figure.root + middle
    root += faded(times, blend, before.root[0] - root[0], _rate(before.root, step_s) - _rate(root, step_s))
    turn = joined(figure.turn, times, blend, before.turn[0], _spin(before.turn, figure.turn, step_s))
    joints = joined(figure.joints, times, blend, before.joints[0], _spin(before.joints, figure.joints, step_s))
    return Figure(root, turn, joints, ways, soles), planted


def _feet_off(figure: Figure, planted: np.ndarray, lands: np.ndarray, before: Figure, step_s: float) -> np.ndarray:
    """(N, F) complex [m]: how far feet are from where the response has them: as at first while they stand, and as far as the
    other foot is once they have swung; one that `lands` (F,) only, comes down where it is."""
    here, rate = before.ankles[0] - figure.ankles[0], _rate(before.ankles, step_s) - _rate(figure.ankles, step_s)
    off = np.repeat((here[:, 0] + 1j * here[:, 1])[None], len(figure.root), axis=0)
    swings = sorted((a, b, f) for f in range(off.shape[1]) for a, b in runs(~planted[:, f].any(axis=1)))
    for a, b, f in swings:
        last = min(b, len(off) - 1)
        others = np.delete(off[last], f)
        begin = off[max(a - 1, 0), f]
        speed = complex(*rate[f, :2]) if a == 0 else 0j
        comes_down = a == 0 and lands[f]
        to = begin + CARRIES * speed * step_s * (b - a) if comes_down or not len(others) else others.mean()
        times = step_s * np.arange(b - a)
        off[a:b, f] = to + faded(times, step_s * (b - a), np.array(begin - to), np.array(speed))
        off[b:, f] = to
    return off


def _rate(places: np.ndarray, step_s: float) -> np.ndarray:
    return (places[1] - places[0]) / step_s


def _spin(before: np.ndarray, after: np.ndarray, step_s: float) -> np.ndarray:
    return spin_of(before[:2], step_s) - spin_of(after[:2], step_s)


def _between(values: np.ndarray, at: np.ndarray) -> np.ndarray:
    return CubicSpline(np.arange(len(values)), values, axis=0)(at)


RATE_HZ = 60.0


@dataclass(frozen=True)
class Played:
    """A response on a body: `times_s` (N,) from the push's onset on, generalised coordinates `qpos` (N, nq), heel and ball of
    each of `Body.feet` on the ground `planted` (N, F, 2), `momentum` (N,) over mass in the library's measure. `stance` (nq,) is
    how the body stood before. After its end the body stays as it is."""

    found: Found
    body: Body
    times_s: np.ndarray
    qpos: np.ndarray
    planted: np.ndarray
    momentum: np.ndarray
    stance: np.ndarray

    @property
    def contacts(self) -> np.ndarray:
        """(N, F) bool: each of `Body.feet` on the ground."""
        return self.planted.any(axis=2)

    @property
    def step_s(self) -> float:
        return float(self.times_s[1] - self.times_s[0])

    def index(self, time_s: float) -> int:
        """The pose at a time [s], the last one after the end."""
        return min(max(round(time_s / self.step_s), 0), len(self.times_s) - 1)

    def at(self, time_s: float) -> Now:
        i = self.index(time_s)
        j = min(i + 1, len(self.times_s) - 1)
        poses = figure_of(self.body, self.qpos[[i, j]])
        one = Motion(self.body, self.step_s, poses.root[:1], poses.turn[:1], poses.joints[:1], self.body.sole_height_m)
        stood = figure_of(self.body, self.stance[None])
        return Now(channels_of(one, stood.turn[0])[0], self.contacts[i], complex(self.momentum[i]) if j > i else 0j, self.stance,
                   poses, self.step_s)


def play(
    found: Found, body: Body, gravity_m_s2: float = EARTH_GRAVITY_M_S2, stance: np.ndarray | None = None, now: Now | None = None,
    rate_hz: float = RATE_HZ,
) -> Played:
    """A response from the push on. `stance` (nq,) is how the body stands, wherever and whichever way it
    faces: the response is laid over it, and it ends as it began but for feet that have stepped. With `now` it goes on in the
    midst of another response. Raises InputError for a body that is no person's."""
    frames, unit = adapted(found.response, found.adaptation), unit_s(body, gravity_m_s2)
    step_s = 1.0 / rate_hz if now is None else now.step_s
    count = int((len(frames.channels) - 1 - found.begin) * frames.step * unit / step_s) + 1
    times = step_s * np.arange(max(count, 2))
    at = np.minimum(found.begin + times / (frames.step * unit), len(frames.channels) - 1.0)
    if now is not None:
        stance = now.stance
    elif stance is None:
        stance = _unposed(frames, body)
    stood = figure_of(body, np.asarray(stance, dtype=float)[None])
    figure, planted = laid(frames, at, body, stood)
    if now is not None:
        slow = unit / unit_s(reference_body())
        figure, planted = led(figure, planted, now.poses, now.stands, step_s, slow)
    figure = grounded(body, figure, planted, step_s, levels_of(body, stood))
    return Played(found, body, times, figure.coordinates(body), planted, _momentum(found, at), np.asarray(stance))


def _unposed(frames: Adapted, body: Body) -> np.ndarray:
    """How a body stands that nobody posed (nq,)."""
    feet = len(body.feet)
    return grounded(body, standing(frames, body), np.ones((1, feet, 2), dtype=bool), 1.0, np.zeros(feet)).coordinates(body)[0]


def _momentum(found: Found, at: np.ndarray) -> np.ndarray:
    """Momentum over mass (N,) at frames `at` of a response with its adaptation, in the measure of its index."""
    response: Response = found.response
    by = found.adaptation
    size = response.recoverable[response.peak] / max(abs(response.momentum[response.peak]), 1e-12)
    values = response.momentum.real + 1j * (1.0 - 2.0 * by.neutral) * response.momentum.imag
    values = values * size * (1.0 - by.eps) * (1.0 + 0.5 * by.eps) * cmath.exp(1j * by.turn_rad)
    rows = np.arange(len(values))
    return np.interp(at, rows, values.real) + 1j * np.interp(at, rows, values.imag)
