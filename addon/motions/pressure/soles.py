# SPDX-License-Identifier: GPL-3.0-or-later
"""From the forces on contact points to what the cells of a mat or an insole feel: a patch of sole for every point.

A point of the simulated sole stands for the flesh around it. Its force is spread as a Gaussian over the cells, each of which gets
the integral over itself, so that neither the force nor its centre change.
"""

from __future__ import annotations

import numpy as np
from scipy.special import erf

from ...bodies.body import Body
from ...errors import BodyError
from .images import MAT, Pressure

PATCH_SHARE = 0.3
"""Standard deviation of a point's patch over the least distance between the points of one sole: heel and ball are pressed all
over, the arch is not (first guess, by eye beside published pressure pictures)."""
MAT_CELLS, MAT_PITCH_M, MAT_RATE_HZ = (80, 64), 0.0127, 12.0
"""The mat of FootSee: 80 by 64 cells of half an inch, 12 frames a second (Yin 2007, section 3.3)."""
INSOLE_PITCH_M, INSOLE_RATE_HZ = 0.007, 50.0
"""Insoles of the same time (Yin 2007, section 3.3.1)."""
MARGIN_M = 0.02
"""Of an insole around the points of its sole."""


def patch_m(body: Body) -> float:
    """Standard deviation [m] of the patch that a contact point stands for. Raises BodyError without feet."""
    nearest = []
    for foot in body.feet:
        places = np.array([_neutral(body, row)[:2] for row in foot.points])
        apart = np.linalg.norm(places[:, None] - places[None], axis=2) + np.diag(np.full(len(places), np.inf))
        nearest.append(apart.min())
    if not nearest:
        raise BodyError("This body has no feet, so it leaves no pressure.")
    return PATCH_SHARE * float(min(nearest))


def mat_pressure(
    body: Body, time_s: np.ndarray, point_m: np.ndarray, force_n: np.ndarray, *, rate_hz: float = MAT_RATE_HZ,
    cells: tuple[int, int] = MAT_CELLS, pitch_m: float = MAT_PITCH_M, middle_m: tuple[float, float] | None = None,
) -> Pressure:
    """What a mat on the ground feels of contact points at `point_m` (T, P, 3) that press with `force_n` (T, P), at evenly spaced
    times (T,). Its middle is where the feet are at first unless it is told; what is beside the mat presses nobody.

    Raises BodyError for a body without feet."""
    if middle_m is None:
        first = point_m[0, :, :2].mean(axis=0)
        middle_m = (float(first[0]), float(first[1]))
    spread = patch_m(body)
    origin = [middle - 0.5 * (n - 1) * pitch_m for middle, n in zip(middle_m, cells, strict=True)]
    share = [shares(point_m[:, :, axis], origin[axis], pitch_m, cells[axis], spread) for axis in (0, 1)]
    images = np.einsum("tp,tpr,tpc->trc", np.maximum(force_n, 0.0), *share, optimize=True) / pitch_m**2
    whole = Pressure(images, (pitch_m, pitch_m), _rate_hz(time_s), "Pa", MAT, (origin[0], origin[1]), float(time_s[0]),
                     "the mat's pressure")
    return whole.at_rate(rate_hz)


def insole_pressure(body: Body, time_s: np.ndarray, force_n: np.ndarray, *, rate_hz: float = INSOLE_RATE_HZ,
                    pitch_m: float = INSOLE_PITCH_M) -> tuple[Pressure, ...]:
    """What insoles feel of contact points that press with `force_n` (T, P), one for each of the body's feet. Raises BodyError
    for a body without feet."""
    spread, found = patch_m(body), []
    for foot in body.feet:
        at = np.array([_neutral(body, row) - _ankle(body, foot.segment) for row in foot.points])[:, :2]
        low, high = at.min(axis=0) - 2.0 * spread - MARGIN_M, at.max(axis=0) + 2.0 * spread + MARGIN_M
        cells = np.ceil((high - low) / pitch_m).astype(int)
        share = [shares(at[:, axis], low[axis], pitch_m, int(cells[axis]), spread) for axis in (0, 1)]
        weights = np.einsum("pr,pc->prc", *share) / pitch_m**2
        images = np.einsum("tp,prc->trc", np.maximum(force_n[:, list(foot.points)], 0.0), weights, optimize=True)
        found.append(Pressure(images, (pitch_m, pitch_m), _rate_hz(time_s), "Pa", foot.side, (float(low[0]), float(low[1])),
                              float(time_s[0]), f"the insole {foot.name}").at_rate(rate_hz))
    return tuple(found)


def shares(at: np.ndarray, origin_m: float, pitch_m: float, cells: int, spread_m: float) -> np.ndarray:
    """Share (..., cells) of a point's force in each cell along one axis; `at` (...) are the points' places."""
    edges = origin_m + pitch_m * (np.arange(cells + 1) - 0.5)
    return 0.5 * np.diff(erf((edges - at[..., None]) / (np.sqrt(2.0) * spread_m)), axis=-1)


def _rate_hz(time_s: np.ndarray) -> float:
    return round((len(time_s) - 1) / float(time_s[-1] - time_s[0]), 9)


def _neutral(body: Body, row: int) -> np.ndarray:
    """Place (3,) of a contact point in the neutral pose, from the root."""
    point = body.contact_points[row]
    return _ankle(body, point.segment) + point.position


def _ankle(body: Body, segment: str) -> np.ndarray:
    return np.sum([body.segment(name).offset for name in body.way_to(segment)[1:]], axis=0)
