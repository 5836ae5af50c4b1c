# SPDX-License-Identifier: GPL-3.0-or-later
"""The hard parts: helmet with mirrored visor, life-support pack, chest box, hoses. Built for 1.80 m, body frame."""

from __future__ import annotations

import numpy as np

from .mesh_kit import Patch, band, loft, resampled, rigid, rounded_box, tube
from .suit_parts import strap

HELMET_CENTRE = np.array([0.010, 0.0, 1.684])
HELMET_RADII = np.array([0.158, 0.146, 0.160])


def _on(bone: str):
    return lambda points: rigid(points, bone)


def _shell(theta: np.ndarray, phi: np.ndarray, grow: float) -> np.ndarray:
    """Points of the helmet's ellipsoid; `theta` from straight ahead, `phi` about the forward axis (0 left, 90 up)."""
    ray = np.stack([np.cos(theta), np.sin(theta) * np.cos(phi), np.sin(theta) * np.sin(phi)], axis=-1)
    return HELMET_CENTRE + ray * (HELMET_RADII + grow)


def _visor_edge(phi: np.ndarray) -> np.ndarray:
    """Half opening of the visor: wide to the sides, less up and down."""
    wide, up, low = np.radians(80.0), np.radians(50.0), np.radians(56.0)
    high = np.where(np.sin(phi) >= 0.0, up, low)
    power = 2.7
    return (np.abs(np.cos(phi) / wide) ** power + np.abs(np.sin(phi) / high) ** power) ** (-1.0 / power)


def helmet() -> list[Patch]:
    """Shell, gold visor, rim, neck skirt, lamps, camera: all on the head bone."""
    m = 36
    phi = np.arange(m) * 2 * np.pi / m
    edge = _visor_edge(phi)
    inner = np.linspace(0.0, 1.0, 9)[1:, None]
    visor = loft(_shell(inner * (edge + 0.03), phi[None] + 0 * inner, 0.004)[::-1], "visor", _on("head"), (False, True))
    outer = np.linspace(0.0, 1.0, 14)[:-1, None]
    back = _shell(edge + outer * (np.pi - edge), phi[None] + 0 * outer, 0.007)
    shell = loft(back[::-1], "shell", _on("head"), (True, False))
    lip = [_shell(edge + a, phi, g)
           for a, g in ((0.045, 0.006), (0.035, 0.016), (-0.005, 0.019), (-0.035, 0.014), (-0.04, 0.002))]
    rim = loft(np.array(lip), "trim", _on("head"))
    skirt = band((0.004, 0.0, 1.562), (0, 0, 1), 0.098, 0.100, 0.020, 0.008, "shell", _on("head"), segments=30)
    parts = [visor, shell, rim, skirt]
    for side, colour in ((1.0, "accent_red"), (-1.0, "trim")):
        parts += [
            rounded_box((0.045, side * 0.151, 1.752), (0.036, 0.017, 0.020), 0.008, "shell", "head", steps=1),
            band((0.081, side * 0.151, 1.752), (1, 0, 0), 0.011, 0.013, 0.004, 0.003, "dark", _on("head"), segments=14,
                 reference=(0, 1, 0)),
            _disc((0.0815, side * 0.151, 1.752), (1, 0, 0), 0.0125, "lamp", "head"),
            _disc((-0.02, side * 0.155, 1.672), (0, side, 0), 0.030, colour, "head", depth=0.010),
        ]
    parts.append(rounded_box((-0.01, 0.0, 1.842), (0.050, 0.026, 0.014), 0.008, "shell", "head", steps=1))
    parts.append(_disc((0.041, 0.0, 1.842), (1, 0, 0), 0.009, "dark", "head"))
    return parts


def _disc(centre, axis, radius: float, material: str, bone: str, *, depth: float = 0.003, segments: int = 16) -> Patch:
    """A low round boss: a button, a lens, a plug."""
    axis = np.asarray(axis, float)
    reference = (0.0, 0.0, 1.0) if abs(axis[2]) < 0.9 else (1.0, 0.0, 0.0)
    steps = np.array([-depth, depth * 0.6, depth, depth])
    radii = radius * np.array([1.0, 1.0, 0.85, 0.2])
    path = np.asarray(centre, float) + steps[:, None] * axis + np.array([0, 0, 0, 1e-5])[:, None] * axis
    return tube(path, radii, radii, segments, material, _on(bone), reference=reference, caps=(False, True))


def pack() -> list[Patch]:
    """The life-support pack on the chest bone: body, top unit, panels, vents, antenna, labels."""
    box = [
        rounded_box((-0.232, 0, 1.305), (0.094, 0.178, 0.262), 0.036, "pack", "chest", steps=3, taper=0.90),
        rounded_box((-0.250, 0, 1.588), (0.080, 0.150, 0.050), 0.024, "shell", "chest"),
        rounded_box((-0.328, 0, 1.385), (0.012, 0.120, 0.120), 0.009, "shell", "chest", steps=1),
        rounded_box((-0.326, 0, 1.165), (0.012, 0.115, 0.066), 0.009, "trim", "chest", steps=1),
        rounded_box((-0.339, 0.0, 1.470), (0.004, 0.088, 0.012), 0.003, "accent_red", "chest", steps=1),
        rounded_box((-0.250, 0.0, 1.046), (0.072, 0.130, 0.020), 0.012, "dark", "chest", steps=1),
        rounded_box((-0.146, 0.0, 1.300), (0.034, 0.118, 0.205), 0.02, "trim", "chest", steps=1),
    ]
    vents = [rounded_box((-0.339, 0.0, z), (0.004, 0.078, 0.005), 0.002, "dark", "chest", steps=1)
             for z in (1.130, 1.150, 1.170, 1.190, 1.210)]
    labels = [rounded_box((-0.341, y, 1.355), (0.002, 0.030, 0.022), 0.0015, m, "chest", steps=1)
              for y, m in ((0.058, "accent_blue"), (-0.058, "trim"))]
    bolts = [_disc((-0.340, y, z), (-1, 0, 0), 0.007, "metal", "chest", segments=10)
             for y in (-0.104, 0.104) for z in (1.285, 1.485)]
    seams = [band((-0.232, 0, z), (0, 0, 1), 0.0935 * t, 0.1775 * t, 0.004, 0.0032, "trim", _on("chest"), segments=36,
                  power=7.0)
             for z, t in ((1.470, 0.982), (1.105, 0.925))]
    mast = tube(np.array([[-0.262, -0.118, z] for z in (1.60, 1.70, 1.80, 1.815)]), [0.005, 0.004, 0.0035, 0.002],
                [0.005, 0.004, 0.0035, 0.002], 8, "metal", _on("chest"), caps=(False, True))
    foot = band((-0.262, -0.118, 1.644), (0, 0, 1), 0.009, 0.009, 0.012, 0.004, "dark", _on("chest"), segments=12)
    return box + vents + labels + bolts + seams + [mast, foot]


def chest_box() -> list[Patch]:
    """The control unit on the chest: display, knobs, switches."""
    c = "chest"
    parts = [
        rounded_box((0.136, 0, 1.292), (0.044, 0.092, 0.066), 0.016, "shell", c),
        rounded_box((0.176, 0, 1.290), (0.006, 0.080, 0.052), 0.005, "trim", c, steps=1),
        rounded_box((0.182, -0.026, 1.312), (0.004, 0.040, 0.020), 0.003, "screen", c, steps=1),
        _disc((0.184, 0.050, 1.313), (1, 0, 0), 0.017, "dark", c, depth=0.008),
        _disc((0.184, 0.050, 1.268), (1, 0, 0), 0.012, "accent_red", c, depth=0.008),
        _disc((0.140, 0.040, 1.360), (0, 0, 1), 0.014, "dark", c, depth=0.010),
        _disc((0.140, -0.040, 1.360), (0, 0, 1), 0.014, "accent_blue", c, depth=0.010),
    ]
    parts += [rounded_box((0.184, y, 1.262), (0.008, 0.005, 0.010), 0.003, "metal", c, steps=1)
              for y in (-0.060, -0.040, -0.020, 0.0, 0.020)]
    return parts


def hose(knots, radius: float, material: str, count: int) -> Patch:
    """A ribbed hose through the knots, on the chest bone."""
    path = resampled(knots, count)
    rib = radius * (1.0 + 0.13 * np.where(np.arange(count) % 2 == 0, 1.0, -1.0))
    return tube(path, rib, rib, 8, material, _on("chest"), reference=(0.13, 0.41, 0.9), caps=(True, True))


def hoses() -> list[Patch]:
    """Two hoses round the waist, two over the shoulders, with their plugs, and the pack's straps."""
    parts = []
    for side, colour in ((1.0, "accent_blue"), (-1.0, "accent_red")):
        y = lambda value, side=side: value * side  # noqa: E731
        low = [(-0.200, y(0.158), 1.130), (-0.120, y(0.172), 1.135), (-0.020, y(0.162), 1.150), (0.060, y(0.139), 1.172),
               (0.118, y(0.098), 1.190), (0.140, y(0.060), 1.205), (0.140, y(0.048), 1.240)]
        high = [(-0.215, y(0.088), 1.560), (-0.130, y(0.118), 1.578), (-0.030, y(0.124), 1.560), (0.055, y(0.112), 1.520),
                (0.106, y(0.090), 1.460), (0.124, y(0.082), 1.410), (0.110, y(0.080), 1.380)]
        parts += [hose(low, 0.0135, "hose", 36), hose(high, 0.0115, "hose", 36)]
        parts += [
            band((0.140, y(0.048), 1.222), (0, 0, 1), 0.015, 0.015, 0.010, 0.004, colour, _on("chest"), segments=14),
            band((0.112, y(0.080), 1.392), (0, 0, 1), 0.014, 0.014, 0.010, 0.004, colour, _on("chest"), segments=14),
            band((-0.172, y(0.162), 1.131), (1, y(0.1), 0), 0.015, 0.015, 0.009, 0.004, "metal", _on("chest"), segments=14,
                 reference=(0, 0, 1)),
        ]
        over = [(-0.150, y(0.070), 1.540), (-0.060, y(0.106), 1.541), (0.030, y(0.103), 1.526), (0.088, y(0.078), 1.470),
                (0.111, y(0.060), 1.410), (0.115, y(0.050), 1.345)]
        parts.append(strap(over, 0.017, 0.004, "chest"))
    return parts
