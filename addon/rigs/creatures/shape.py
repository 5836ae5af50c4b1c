# SPDX-License-Identifier: GPL-3.0-or-later
"""Shapes of animals in numpy: round chains along bones, balls and spikes. Body frame: x forward, y left, z up [m]. How skins are
painted: darker backs, lighter bellies, bands; all by place and normal."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy.interpolate import PchipInterpolator

from ...maths.curves import smoothstep
from ..astronaut.mesh_kit import Patch, chain_weights, resampled, rigid, tube
from .made import Paint

SKIN = "skin"
AROUND = 20
"""Corners of a ring."""
_STEP = 0.35
"""Rings lie a share of the thickness apart."""
_ROUND_END = np.sin(np.linspace(0.0, 0.5 * np.pi, 6))[:, None]


def chain(knots: Sequence[Sequence[float]], thick: Sequence[Sequence[float]], bones: Sequence[tuple[str, int]],
          material: str = SKIN, reference: Sequence[float] = (0.0, 0.0, 1.0)) -> Patch:
    """A round, closed chain through knots (K, 3), its half axes at each being `thick` (K, 2): along `reference` and across it.
    `bones`: name of each bone along it and the knot at which it begins; the first one's is not asked for. Both ends are round."""
    knots, thick = np.asarray(knots, float), np.asarray(thick, float)
    way = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(knots, axis=0), axis=1))])
    count = max(8, int(way[-1] / (_STEP * float(thick.mean()))))
    path = resampled(knots, count) if len(knots) > 2 else np.linspace(knots[0], knots[1], count)
    s = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(path, axis=0), axis=1))])
    at = np.array([s[int(np.argmin(np.linalg.norm(path - knot, axis=1)))] for knot in knots])
    radii = np.column_stack([_smooth(s, at, thick[:, k]) for k in range(2)])
    path, radii, s = _with_round_ends(path, radii, s)
    starts = [float(at[knot]) for _, knot in bones[1:]]
    widths = [2.0 * float(thick[knot].mean()) for _, knot in bones[1:]]
    along = np.append(np.repeat(s, AROUND), [s[0], s[-1]])
    weights = chain_weights(along, [name for name, _ in bones], starts, widths)
    return tube(path, radii[:, 0], radii[:, 1], AROUND, material, lambda _: weights, reference=reference, caps=(True, True))


def ball(centre: Sequence[float], half: Sequence[float], bone: str, material: str = SKIN) -> Patch:
    turn = np.linspace(0.04, np.pi - 0.04, 12)
    path = np.asarray(centre, float) + np.column_stack([-np.cos(turn) * half[0], np.zeros((12, 2))])
    return tube(path, half[2] * np.sin(turn), half[1] * np.sin(turn), AROUND, material, lambda p: rigid(p, bone),
                reference=(0.0, 0.0, 1.0), caps=(True, True))


def spike(base: Sequence[float], tip: Sequence[float], radius: float, bone: str, material: str, bow: float = 0.0,
          flat: float = 1.0) -> Patch:
    """A claw, tooth or beak from a base to a tip, bowed upwards by a share of its length; `flat` scales its width."""
    base, tip = np.asarray(base, float), np.asarray(tip, float)
    u = np.linspace(0.0, 1.0, 8)[:, None]
    path = base + u * (tip - base) + bow * np.linalg.norm(tip - base) * u * (1.0 - u) * 4.0 * np.array([0.0, 0.0, 1.0])
    thick = radius * np.sqrt(np.maximum(1.0 - u[:, 0], 0.02))
    return tube(path, thick, flat * thick, 12, material, lambda p: rigid(p, bone), reference=(0.1, 0.0, 1.0),
                caps=(True, True))


def _smooth(s: np.ndarray, at: np.ndarray, values: np.ndarray) -> np.ndarray:
    """Values (K,) at places `at` (K,), smoothly in between at `s` (N,): cubic, without overshoot."""
    if len(at) < 3:
        return np.interp(s, at, values)
    return PchipInterpolator(at, values)(np.clip(s, at[0], at[-1]))


def _with_round_ends(path: np.ndarray, radii: np.ndarray, s: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The path, half axes and arc lengths with half a ball at either end."""
    for _ in range(2):
        out = path[0] - path[1]
        out /= np.linalg.norm(out)
        reach = float(radii[0].min())
        beyond = reach * np.sqrt(1.0 - _ROUND_END[:-1] ** 2)
        path = np.concatenate([path[0] + beyond * out, path])
        radii = np.concatenate([radii[0] * np.maximum(_ROUND_END[:-1], 0.03), radii])
        s = np.concatenate([s[0] + (-beyond[:, 0] if s[0] <= s[-1] else beyond[:, 0]), s])
        path, radii, s = path[::-1], radii[::-1], s[::-1]
    return path, radii, s


Colour = Sequence[float]


def mixed(a: np.ndarray | Colour, b: np.ndarray | Colour, share: np.ndarray) -> np.ndarray:
    """Colours (V, 3) a share (V,) of the way from one to the other."""
    return np.asarray(a) * (1.0 - share[:, None]) + np.asarray(b) * share[:, None]


def countershaded(back: Colour, belly: Colour, bands: Colour | None = None, width_m: float = 0.1) -> Paint:
    """Back above, belly below; bands across the back of about that width."""
    def paint(points: np.ndarray, normals: np.ndarray) -> np.ndarray:
        colour = mixed(belly, back, smoothstep(0.5 + 0.9 * normals[:, 2] + 0.25))
        if bands is not None:
            x, y, z = points.T
            wave = np.sin(np.pi * (x + 0.35 * z) / width_m + 1.3 * np.sin(7.0 * z) + 2.0 * np.abs(y))
            colour = mixed(colour, bands, 0.8 * smoothstep(3.0 * wave - 1.0) * smoothstep(1.0 + 2.0 * normals[:, 2]))
        return colour

    return paint


def legs_in(paint: Paint, colour: Colour, below_m: float, fade_m: float) -> Paint:
    """The paint, but for what is lower than a height."""
    def painted(points: np.ndarray, normals: np.ndarray) -> np.ndarray:
        return mixed(colour, paint(points, normals), smoothstep((points[:, 2] - below_m) / fade_m + 0.5))

    return painted
