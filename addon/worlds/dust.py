# SPDX-License-Identifier: GPL-3.0-or-later
"""How dust flies: without air every grain on its own parabola, in air braked at once, then sinking slowly. Grains are small
enough for Stokes' law, by which a grain's way has a closed form with one constant, its relaxation time."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..specs.shot import EARTH_GRAVITY_M_S2
from .planets import preset_of

SOIL_KG_M3 = 2900.0
"""Density of a grain: basalt, of which the dust of Moon and Mars is made."""

HALVINGS = 30


@dataclass(frozen=True)
class Air:
    """What a grain flies through: viscosity [Pa s] and mean free path [m]."""

    viscosity_pa_s: float
    free_path_m: float


EARTHS = Air(1.81e-5, 6.6e-8)
MARSS = Air(1.06e-5, 4.3e-6)
AIRS = {"earth": EARTHS, "orbit-station": EARTHS, "mars": MARSS, "titan": Air(6.3e-6, 9e-9), "venus": Air(3.4e-5, 1.7e-9)}
"""Worlds with air at the ground. Viscosities of air at 288 K, CO2 at 210 K and 735 K, N2 at 94 K; mean free paths by kinetic
theory from them and the pressures of NASA's planetary fact sheets (1013, 6.1, 92,000 and 1,467 hPa). The others have none to
speak of."""

LIKE_MARS_G, LIKE_EARTH_G = 0.28, 0.61
"""Gravities [g] from which a world without a name has air like Mars and like the Earth: halfway between Moon, Mars and Earth."""


def air_of(world: str, gravity_m_s2: float) -> Air | None:
    """The air of a world by its name, of one that nobody knows by its gravity; None for none."""
    if world in AIRS:
        return AIRS[world]
    if preset_of(world) is not None:
        return None
    share = gravity_m_s2 / EARTH_GRAVITY_M_S2
    return EARTHS if share >= LIKE_EARTH_G else MARSS if share >= LIKE_MARS_G else None


def relaxation_s(air: Air | None, size_m: np.ndarray) -> np.ndarray:
    """Relaxation times (N,) [s] of grains of these diameters: Stokes' drag, with Cunningham's correction for grains that are not
    large beside the free path (Davies 1945). Infinite without air."""
    if air is None:
        return np.full(np.shape(size_m), np.inf)
    path = 2.0 * air.free_path_m / size_m
    slip = 1.0 + path * (1.257 + 0.4 * np.exp(-1.1 / path))
    return SOIL_KG_M3 * size_m**2 * slip / (18.0 * air.viscosity_pa_s)


def flight(time_s: np.ndarray, velocity_m_s: np.ndarray, gravity_m_s2: float, relaxation_s: np.ndarray) -> np.ndarray:
    """How far grains (N, 3) [m] have come after `time_s` (N,), sent off at `velocity_m_s` (N, 3), up being z. With a relaxation
    time T the velocity falls off as exp(-t/T) towards that of sinking, g T; with an endless one this is the parabola v t - g t^2
    / 2."""
    time, relaxation = np.broadcast_arrays(np.asarray(time_s, float), np.asarray(relaxation_s, float))
    free = np.isinf(relaxation)
    braked = np.where(free, 1.0, relaxation)
    reach = np.where(free, time, -braked * np.expm1(-time / braked))
    drop = gravity_m_s2 * np.where(free, 0.5 * time**2, braked * (time - reach))
    out = np.asarray(velocity_m_s, float) * reach[:, None]
    out[:, 2] -= drop
    return out


def landing_s(velocity_m_s: np.ndarray, height_m: np.ndarray, gravity_m_s2: float, relaxation_s: np.ndarray) -> np.ndarray:
    """When grains (N,) [s] that are sent off at `height_m` (N,) over level ground are on it, by halving."""
    up, height = np.maximum(np.asarray(velocity_m_s)[:, 2], 0.0), np.asarray(height_m, float)
    late = (up + np.sqrt(up**2 + 2.0 * gravity_m_s2 * height)) / gravity_m_s2  # without air; in air it sinks at last at g T
    braked = np.isfinite(relaxation_s)
    late[braked] += (height + up * relaxation_s)[braked] / (gravity_m_s2 * relaxation_s[braked]) + relaxation_s[braked]
    early = np.zeros_like(late)
    for _ in range(HALVINGS):
        middle = 0.5 * (early + late)
        above = height + flight(middle, velocity_m_s, gravity_m_s2, relaxation_s)[:, 2] > 0.0
        early, late = np.where(above, middle, early), np.where(above, late, middle)
    return late
