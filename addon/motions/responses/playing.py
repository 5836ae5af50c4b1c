# SPDX-License-Identifier: GPL-3.0-or-later
"""A found response on a body: from the stance it stands in, or from the midst of another response, as generalised coordinates."""

from __future__ import annotations

import cmath
from dataclasses import dataclass

import numpy as np

from ...bodies.body import Body
from ...specs.shot import EARTH_GRAVITY_M_S2
from .adaptation import Adapted, adapted
from .figure import figure_of, grounded, levels_of
from .laying import laid, led, standing
from .measuring import Motion, channels_of
from .now import Now
from .response import Response, reference_body, unit_s
from .selection import Found

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
        """From one pose to the next."""
        return float(self.times_s[1] - self.times_s[0])

    def index(self, time_s: float) -> int:
        """The pose at a time [s], the last one after the end."""
        return min(max(round(time_s / self.step_s), 0), len(self.times_s) - 1)

    def at(self, time_s: float) -> Now:
        """The body at a time, for a second push."""
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
