# SPDX-License-Identifier: GPL-3.0-or-later
"""Places and bodies of the matrix: the five worlds of Kim 2017, slopes, bumps, and the thesis's walking body."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from lope.addon.bodies.human.anthropometry import standing_landmarks
from lope.addon.specs.ground import GroundSpec
from lope.addon.specs.shot import EARTH_GRAVITY_M_S2, BodySpec, World
from lope.addon.worlds.planets import load_world

PLANETS = ("moon", "mars", "earth", "neptune", "jupiter")

BUMP_HEIGHT_M, BUMP_LENGTH_M = 0.05, 1.0
BUMP_SPACING_M = 0.1
BUMP_TURN = np.radians(27.0)
"""The bumps' rows are turned against the way, so that the feet meet every part of them."""
BUMP_AHEAD_M, BUMP_BEHIND_M, BUMP_ASIDE_M = 60.0, 1.0, 6.0
BUMP_FADE_M = 1.0
"""The bumps rise to their height over this way from the start, which is level."""

THESIS_HEIGHT_M, THESIS_LEG_M, THESIS_MASS_KG = 1.60, 0.82, 62.0
"""The walking model of Kim 2017, Table 1."""


def sloped(name: str, slope_deg: float) -> World:
    """That world, the ground rising straight ahead."""
    return replace(load_world(name), ground=GroundSpec(kind="slope", slope_deg=slope_deg))


def bumpy(name: str) -> World:
    """That world, its ground an egg crate of bumps `BUMP_HEIGHT_M` high and `BUMP_LENGTH_M` long."""
    x = np.arange(-BUMP_BEHIND_M, BUMP_AHEAD_M + 1e-9, BUMP_SPACING_M)[:, None]
    y = np.arange(-BUMP_ASIDE_M, BUMP_ASIDE_M + 1e-9, BUMP_SPACING_M)[None, :]
    along, across = x * np.cos(BUMP_TURN) + y * np.sin(BUMP_TURN), y * np.cos(BUMP_TURN) - x * np.sin(BUMP_TURN)
    wave = [0.5 - 0.5 * np.cos(2.0 * np.pi * part / BUMP_LENGTH_M) for part in (along, across)]
    fade = np.clip(np.hypot(x, y) / BUMP_FADE_M, 0.0, 1.0)
    heights = np.round(BUMP_HEIGHT_M * fade * wave[0] * wave[1], 4)
    rows = tuple(tuple(row) for row in heights.tolist())
    ground = GroundSpec(kind="field", heights_m=rows, spacing_m=BUMP_SPACING_M, origin_m=(-BUMP_BEHIND_M, -BUMP_ASIDE_M))
    return replace(load_world(name), ground=ground)


def spread_gravities(count: int, low_g: float = 0.05, high_g: float = 3.0) -> list[float]:
    """Gravities [m/s^2] from `low_g` to `high_g`, each the same multiple of the one before."""
    inner = np.geomspace(low_g, high_g, count) * EARTH_GRAVITY_M_S2
    return [round(float(g), 6) for g in inner]


def thesis_body() -> BodySpec:
    """The thesis's walking body: our proportions, legs stretched to its leg length, trunk kept within its height."""
    points = standing_landmarks(THESIS_HEIGHT_M)
    ankle, hip = points["ankle_L"][2], points["hip_L"][2]
    new_hip = ankle + THESIS_LEG_M
    out = {}
    for name, (x, y, z) in points.items():
        out[name] = (float(x), float(y), float(np.interp(z, [0.0, ankle, hip, THESIS_HEIGHT_M],
                                                         [0.0, ankle, new_hip, THESIS_HEIGHT_M])))
    for side in "LR":
        drop = points[f"shoulder_{side}"][2] - out[f"shoulder_{side}"][2]
        for part in ("elbow", "wrist", "hand_tip"):
            x, y, z = points[f"{part}_{side}"]
            out[f"{part}_{side}"] = (float(x), float(y), float(z - drop))
    return BodySpec(THESIS_HEIGHT_M, THESIS_MASS_KG, out)
