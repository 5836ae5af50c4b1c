# SPDX-License-Identifier: GPL-3.0-or-later
"""Gloves with fingers and treaded boots. Built for 1.80 m, body frame, left side; the sole lies at z = 0."""

from __future__ import annotations

import numpy as np

from ...maths.curves import smoothstep
from .mesh_kit import Patch, Weights, band, bellows, loft, places, rigid, ring_points, tube
from .skeleton import arm_rotation
from .suit_parts import P

_WRIST, _ANKLE, _BALL = P["wrist_L"], P["ankle_L"], P["toes_L"]
_HEEL_X, _TIP_X = float(P["heel_L"][0]), float(P["toe_tip_L"][0])
_HAND = lambda points: rigid(points, "hand_L")  # noqa: E731


def _finger(start, direction, length: float, radius: float, curl_deg: float) -> list[Patch]:
    """A finger bent towards the palm (-y), its last part in rubber."""
    n = 12
    direction = np.asarray(direction, float) / np.linalg.norm(direction)
    palm = np.array([0.0, -1.0, 0.0])
    palm = palm - (palm @ direction) * direction
    palm /= np.linalg.norm(palm)
    turn = np.radians(curl_deg) * np.linspace(0.0, 1.0, n)
    steps = (np.cos(turn)[:, None] * direction + np.sin(turn)[:, None] * palm) * (length / (n - 1))
    path = np.asarray(start, float) + np.concatenate([[np.zeros(3)], np.cumsum(steps[:-1], axis=0)])
    t = np.linspace(0.0, 1.0, n)
    knuckles = 1.0 + 0.07 * np.cos(2 * np.pi * t * 2.6)
    r = radius * (1.05 - 0.18 * t) * knuckles * np.sqrt(np.clip(1.0 - np.clip((t - 0.86) / 0.15, 0.0, 1.0) ** 2, 0.05, 1.0))
    return [tube(path, r, r, 9, lambda ring: "rubber" if ring >= n - 5 else "glove", _HAND, caps=(True, True))]


def glove() -> list[Patch]:
    """The left glove in the A-pose: gauntlet, palm, four fingers and a thumb, at rest."""
    x, y, z = _WRIST
    s = np.array([-0.030, -0.026, -0.010, 0.004, 0.016, 0.030, 0.050, 0.070, 0.088, 0.098, 0.103])
    ru = np.array([0.044, 0.048, 0.047, 0.040, 0.036, 0.040, 0.046, 0.048, 0.047, 0.043, 0.034])
    rv = np.array([0.041, 0.045, 0.044, 0.036, 0.029, 0.027, 0.026, 0.025, 0.0225, 0.019, 0.012])
    forward = np.array([0, 0, 0, 0, 0.001, 0.003, 0.004, 0.003, 0.002, 0.001, 0.001])
    centre = np.column_stack([x + forward, np.full_like(s, y), z - s])
    n = len(s)
    down_v = np.cross([0.0, 0.0, -1.0], [1.0, 0.0, 0.0])
    rings = ring_points(centre, np.tile([1.0, 0, 0], (n, 1)), np.tile(down_v, (n, 1)), ru, rv, 20, 2.5)
    palm = loft(rings, lambda k: "glove" if k > 2 else "fabric", _HAND, (False, True))
    strap = band((x + 0.001, y, z - 0.014), (0, 0, -1), 0.0385, 0.0315, 0.006, 0.004, "trim", _HAND, segments=20, power=2.5)
    parts = [palm, strap]
    fingers = ((0.034, 0.066, 0.0120), (0.0115, 0.074, 0.0124), (-0.0115, 0.069, 0.0120), (-0.033, 0.056, 0.0110))
    for offset, length, radius in fingers:
        parts += _finger((x + offset, y, z - 0.090), (0.10 * offset / 0.034, -0.16, -1.0), length, radius, 62.0)
    parts += _finger((x + 0.036, y - 0.008, z - 0.036), (0.62, -0.30, -0.74), 0.066, 0.0135, 38.0)
    knuckles = rigid_pad((x, y + 0.021, z - 0.078))
    return [part.moved(arm_rotation("L"), P["shoulder_L"]) for part in parts + [knuckles]]


def rigid_pad(centre) -> Patch:
    """The padded back of the glove."""
    c = np.asarray(centre, float)
    path = c + np.array([[0, 0.0, 0.030], [0, 0.004, 0.018], [0, 0.004, -0.006], [0, -0.002, -0.016]])
    return tube(path, [0.024, 0.034, 0.036, 0.030], [0.004, 0.006, 0.006, 0.003], 12, "rubber", _HAND, power=3.0,
                caps=(True, True))


# ------------------------------------------------------------------------------------------------------------------ boot
def boot_weights(points: np.ndarray) -> Weights:
    """Toes bend ahead of the ball of the foot; the shaft follows the shank from the ankle up."""
    low = smoothstep((0.150 - points[:, 2]) / 0.075)
    toes = smoothstep((points[:, 0] - _BALL[0]) / 0.050 + 0.5) * low
    return {"toes_L": toes, "foot_L": low - toes, "shank_L": 1.0 - low}


def _outline(back, front, width, count: int) -> np.ndarray:
    """Foot-shaped outlines (N, count, 2) about the foot's axis: narrower at the heel, fullest at the ball."""
    angle = np.arange(count) * 2 * np.pi / count
    back, front, width = (np.asarray(value, float)[:, None] for value in (back, front, width))
    cos, sin = (np.sign(f) * np.abs(f) ** (2.0 / 2.6) for f in (np.cos(angle), np.sin(angle)))
    x = 0.5 * (back + front) + 0.5 * (front - back) * cos
    along = np.clip((x - _HEEL_X) / (_TIP_X - _HEEL_X), 0.0, 1.0)
    shape = 0.80 + 0.24 * smoothstep(along / 0.72) - 0.10 * smoothstep((along - 0.55) / 0.3)
    long = np.clip((front - back - 0.15) / 0.12, 0.0, 1.0)
    shape = 1.0 + (shape - 1.0) * long
    lean = 0.006 * long * smoothstep((along - 0.35) / 0.5)  # the ball lies a little inwards of the ankle
    return np.stack([x, width * shape * sin - lean], axis=-1)


def _slices(table, count: int) -> np.ndarray:
    """Rings (N, count, 3) of a table (height, back, front, half width)."""
    z, back, front, width = np.array(table).T
    plan = _outline(back, front, width, count)
    height = np.broadcast_to(z[:, None, None], (*plan.shape[:2], 1))
    return np.concatenate([plan, height], axis=-1) + [0.0, _ANKLE[1], 0.0]


def boot() -> list[Patch]:
    """The left boot: treads, sole, upper with a soft ankle, cuff."""
    m = 28
    upper_table = [
        (0.026, -0.081, 0.200, 0.0500), (0.034, -0.084, 0.2015, 0.0515), (0.048, -0.084, 0.198, 0.0515),
        (0.062, -0.082, 0.188, 0.0505),
        (0.074, -0.080, 0.168, 0.0495), (0.086, -0.078, 0.140, 0.0490), (0.098, -0.076, 0.112, 0.0495),
        (0.110, -0.074, 0.094, 0.0510),
        (0.120, -0.071, 0.084, 0.0480),
    ]
    upper = loft(_slices(upper_table, m), "boot", boot_weights)
    z = places((0.110, 0.185, 12))
    grow = bellows(z, 0.112, 0.183, 3, 0.006)
    t = smoothstep((z - 0.110) / 0.075)
    shaft_table = np.column_stack([z, -0.074 - 0.004 * t - grow, 0.094 - 0.014 * t + grow, 0.0510 + 0.010 * t + grow])
    shaft = loft(_slices(shaft_table, m), "boot", boot_weights)
    cuff_table = [(0.180, -0.080, 0.082, 0.0615), (0.188, -0.085, 0.086, 0.0665), (0.235, -0.088, 0.083, 0.0705),
                  (0.246, -0.086, 0.080, 0.0700),
                  (0.248, -0.080, 0.074, 0.0640)]
    cuff = loft(_slices(cuff_table, m), "fabric", boot_weights)
    sole_table = [(0.0065, -0.076, 0.196, 0.0490), (0.0075, -0.083, 0.203, 0.0535), (0.0200, -0.086, 0.2055, 0.0550),
                  (0.0270, -0.085, 0.205, 0.0545), (0.0320, -0.083, 0.2025, 0.0515), (0.0320, -0.072, 0.190, 0.0420)]
    sole = loft(_slices(sole_table, m), "rubber", boot_weights, (True, False))
    toe_cap = [(0.024, 0.100, 0.2040, 0.0535), (0.034, 0.104, 0.2050, 0.0540), (0.044, 0.112, 0.2025, 0.0520),
               (0.050, 0.122, 0.1990, 0.0490)]
    cap = loft(_slices(toe_cap, 26), "rubber", boot_weights)
    strap = _instep_strap()
    buckle = band((-0.003, _ANKLE[1], 0.205), (0, 0, 1), 0.0865, 0.0685, 0.007, 0.004, "trim", lambda p: rigid(p, "shank_L"),
                  segments=m, power=2.6)
    return [upper, shaft, cuff, sole, cap, strap, buckle] + _treads()


def _instep_strap() -> Patch:
    """A strap over the instep, leaning with it."""
    angle = np.linspace(-0.15 * np.pi, 1.15 * np.pi, 16)
    y = _ANKLE[1] + 0.0550 * np.cos(angle)
    over = np.clip(np.sin(angle), 0.0, 1.0)
    path = np.column_stack([0.070 + 0.024 * over, y, 0.036 + 0.077 * over**0.62 + 0.012 * np.minimum(np.sin(angle), 0.0)])
    return tube(path, 0.011, 0.0035, 8, "trim", boot_weights, power=4.0, caps=(True, True))


def _treads() -> list[Patch]:
    """Chevron bars under the sole, from z = 0."""
    bars = []
    for x in np.linspace(-0.066, 0.184, 11):
        plan = _outline([-0.085], [0.2045], [0.0545], 180)[0]
        half = np.interp(np.clip(x, -0.083, 0.2025), *_upper_edge(plan)) - 0.0005
        y = np.linspace(-half, half, 5)
        bow = 0.009 * (1.0 - (y / half) ** 2)
        ring = []
        for z, w in ((0.0, 0.0062), (0.0085, 0.0075)):
            front = np.column_stack([x + bow + w, y + _ANKLE[1], np.full(5, z)])
            rear = np.column_stack([x + bow - w, y + _ANKLE[1], np.full(5, z)])[::-1]
            ring.append(np.concatenate([front, rear]))
        bars.append(loft(np.array(ring), "rubber", boot_weights, (True, False)))
    return bars


def _upper_edge(plan: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The outline's left side as (x ascending, y)."""
    side = plan[plan[:, 1] > 0.0]
    side = side[np.argsort(side[:, 0])]
    return side[:, 0], side[:, 1]
