# SPDX-License-Identifier: GPL-3.0-or-later
"""The suit: torso, arms and legs as tubes with bellows at the joints, gloves, treaded boots, helmet, pack, chest box, hoses.
Built for 1.80 m, body frame, left side first; the sole lies at z = 0."""

from __future__ import annotations

import numpy as np

from ...bodies.human.anthropometry import standing_landmarks
from ...maths.curves import smoothstep
from .mesh_kit import (
    Cover,
    Patch,
    Weights,
    band,
    bellows,
    chain_weights,
    frames_along,
    loft,
    places,
    resampled,
    rigid,
    ring_points,
    rounded_box,
    tube,
)
from .skeleton import arm_rotation

BASE_HEIGHT_M = 1.80
P = standing_landmarks(BASE_HEIGHT_M)
FORWARD, LEFT, UP = np.eye(3)


def wrinkles(angle: np.ndarray, s: np.ndarray, depth: float, seed: float) -> np.ndarray:
    """Uneven slack of the cloth [m], (N, M) over places `s` (N,) and angles (M,): a few incommensurate waves."""
    a, x = angle[None, :], s[:, None]
    waves = (np.sin(2 * a + 31.0 * x + seed) + 0.7 * np.sin(3 * a - 47.0 * x + 2.1 * seed)
             + 0.6 * np.sin(a + 73.0 * x + 0.6 * np.sin(2 * a + seed)) + 0.4 * np.sin(5 * a + 19.0 * x - seed))
    return depth * waves / 2.7


def _profile(s: np.ndarray, knots: list[tuple[float, ...]], column: int) -> np.ndarray:
    """Smooth interpolation of one column of a table of (place, value, value, ...)."""
    table = np.array(knots)
    i = np.clip(np.searchsorted(table[:, 0], s, side="right") - 1, 0, len(table) - 2)
    u = np.clip((s - table[i, 0]) / (table[i + 1, 0] - table[i, 0]), 0.0, 1.0)
    smooth = 0.5 * u + 0.5 * smoothstep(u)
    return table[i, column] + (table[i + 1, column] - table[i, column]) * smooth


# ------------------------------------------------------------------------------------------------------------------ trunk
# Height, middle forward, half depth, half width.
_TORSO = [
    (1.105, -0.014, 0.100, 0.128), (1.150, -0.014, 0.108, 0.132), (1.230, -0.014, 0.118, 0.138),
    (1.320, -0.014, 0.124, 0.146), (1.400, -0.016, 0.122, 0.153), (1.460, -0.018, 0.112, 0.150),
    (1.500, -0.016, 0.104, 0.136), (1.530, -0.010, 0.100, 0.118), (1.548, -0.004, 0.100, 0.105),
]
_BRIEF = [
    (0.862, -0.004, 0.030, 0.045), (0.868, -0.004, 0.060, 0.085), (0.885, -0.006, 0.090, 0.128),
    (0.915, -0.008, 0.110, 0.158), (0.955, -0.010, 0.116, 0.168), (1.000, -0.012, 0.112, 0.158),
    (1.040, -0.013, 0.104, 0.142), (1.075, -0.014, 0.100, 0.132), (1.130, -0.014, 0.098, 0.126),
]


def _trunk_weights(points: np.ndarray) -> Weights:
    chain = chain_weights(points[:, 2], ["pelvis", "lower_spine", "chest"], [1.055, 1.165], [0.09, 0.07])
    for side, sign in (("L", 1.0), ("R", -1.0)):  # the seat gives way a little to the thighs
        share = 0.45 * smoothstep((0.93 - points[:, 2]) / 0.06) * smoothstep(sign * points[:, 1] / 0.05)
        chain[f"thigh_{side}"] = chain["pelvis"] * share
    chain["pelvis"] = chain["pelvis"] - chain["thigh_L"] - chain["thigh_R"]
    return chain


def _stack(table, z: np.ndarray, segments: int, power: float, swell: np.ndarray) -> np.ndarray:
    centre = np.column_stack([_profile(z, table, 1), np.zeros_like(z), z])
    rx, ry = (_profile(z, table, k)[:, None] + swell for k in (2, 3))
    n = len(z)
    return ring_points(centre, np.tile(FORWARD, (n, 1)), np.tile(LEFT, (n, 1)), rx, ry, segments, power)


def trunk() -> list[Patch]:
    """Hard upper torso, soft waist and brief with the waist ring."""
    segments = 34
    angle = np.arange(segments) * 2 * np.pi / segments
    z = places((1.105, 1.46, 12), (1.46, 1.548, 6))
    upper = loft(_stack(_TORSO, z, segments, 2.6, wrinkles(angle, z, 0.0015, 0.4)), "fabric", _trunk_weights)
    z = places((0.862, 0.885, 4), (0.885, 1.005, 6), (1.005, 1.118, 16), (1.118, 1.13, 1))
    folds = bellows(z, 1.005, 1.118, 4, 0.009)[:, None]
    slack = wrinkles(angle, z, 0.003, 1.7) * smoothstep((z - 0.87) / 0.04)[:, None]
    lower = loft(_stack(_BRIEF, z, segments, 2.35, folds + slack), "fabric", _trunk_weights, caps=(True, False))
    waist = band((-0.014, 0, 1.128), UP, 0.107, 0.136, 0.013, 0.009, Cover("metal", _trunk_weights, segments=34, power=2.5))
    belt = band((-0.011, 0, 0.985), UP, 0.1135, 0.161, 0.014, 0.0045, Cover("trim", _trunk_weights, segments=34, power=2.35))
    neck = band((0.002, 0, 1.552), UP, 0.108, 0.110, 0.011, 0.010, Cover("metal", lambda p: rigid(p, "chest"), segments=26))
    collar = band((0.002, 0, 1.537), UP, 0.106, 0.109, 0.008, 0.008,
                  Cover("accent_blue", lambda p: rigid(p, "chest"), segments=26))
    return [upper, lower, waist, belt, neck, collar]


# ------------------------------------------------------------------------------------------------------------------- arm
_ROOT = np.array([P["shoulder_L"][0], 0.112, 1.470])
_ELBOW_S = float(P["shoulder_L"][2] - P["elbow_L"][2])
_WRIST_S = float(P["shoulder_L"][2] - P["wrist_L"][2])
# Place along the arm from the shoulder joint [m], radius forward, radius sideways.
_ARM = [
    (-0.09, 0.076, 0.074), (-0.04, 0.083, 0.080), (0.00, 0.082, 0.078),
    (0.05, 0.074, 0.069), (0.13, 0.064, 0.060), (0.24, 0.059, 0.056),
    (0.335, 0.057, 0.055), (0.43, 0.055, 0.053), (0.53, 0.046, 0.043),
    (0.60, 0.042, 0.040),
]
ELBOW_FOLDS, SHOULDER_FOLDS = (0.262, 0.408, 6), (-0.045, 0.085, 4)


def _arm_path(s: np.ndarray) -> np.ndarray:
    """Points along the arm's axis in the A-pose: a bend from the torso into the straight arm."""
    shoulder, down = P["shoulder_L"], arm_rotation("L") @ -UP
    bend = resampled([_ROOT, shoulder + [0, -0.045, 0.004], shoulder + [0, -0.003, -0.001], shoulder + 0.05 * down,
                      shoulder + 0.10 * down], 60)
    length = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(bend, axis=0), axis=1))])
    at = s - (0.10 - length[-1])
    curve = np.column_stack([np.interp(at, length, bend[:, k]) for k in range(3)])
    straight = shoulder + s[:, None] * down
    return np.where((s >= 0.10)[:, None], straight, curve)


def arm_weights(points: np.ndarray) -> Weights:
    s = (points - P["shoulder_L"]) @ (arm_rotation("L") @ -UP)  # along the A-posed arm, 0 at the shoulder
    # Beside the shoulder the split follows the sideways distance too, so that the cap of the shoulder bends, not shears.
    lateral = points[:, 1] - P["shoulder_L"][1]
    s_root = np.where(s < 0.12, 0.55 * s + 0.45 * (lateral + 0.02), s)
    weights = chain_weights(s_root, ["clavicle_L", "upper_arm_L"], [0.0], [0.11])
    lower = chain_weights(s, ["upper", "forearm_L", "hand_L"], [_ELBOW_S, _WRIST_S], [0.11, 0.03])
    weights["upper_arm_L"] = weights["upper_arm_L"] * lower["upper"]
    return weights | {"forearm_L": lower["forearm_L"], "hand_L": lower["hand_L"]}


def arm() -> list[Patch]:
    segments = 20
    angle = np.arange(segments) * 2 * np.pi / segments
    s = places((-0.085, -0.045, 2), (*SHOULDER_FOLDS[:2], 16), (0.085, 0.262, 6), (*ELBOW_FOLDS[:2], 24), (0.408, 0.592, 6))
    folds = bellows(s, *SHOULDER_FOLDS, 0.009) + bellows(s, *ELBOW_FOLDS, 0.0085)
    slack = wrinkles(angle, s, 0.0028, 2.9) * smoothstep((0.57 - s) / 0.05)[:, None]
    ru, rv = (_profile(s, _ARM, k)[:, None] + folds[:, None] + slack for k in (1, 2))
    sleeve = tube(_arm_path(s), ru, rv, Cover("fabric", arm_weights, segments))
    down = arm_rotation("L") @ -UP

    def cuff(place, ru, rv, half_width, thick, material, weights=arm_weights):
        centre = _arm_path(np.array([place]))[0]
        return band(centre, down, ru, rv, half_width, thick, Cover(material, weights, segments=segments))

    on = {name: (lambda p, bone=name: rigid(p, bone)) for name in ("clavicle_L", "forearm_L", "upper_arm_L")}
    scye = band(_ROOT + [0, 0.016, 0.0], (0.0, 1.0, -0.16), 0.086, 0.084, 0.011, 0.010,
                Cover("metal", on["clavicle_L"], segments=26))
    return [
        sleeve, scye,
        cuff(0.150, 0.0645, 0.0605, 0.020, 0.0022, "accent_red", on["upper_arm_L"]),
        cuff(0.222, 0.0615, 0.0585, 0.008, 0.006, "trim", on["upper_arm_L"]),
        cuff(0.575, 0.0465, 0.0440, 0.010, 0.007, "metal", on["forearm_L"]),
        cuff(0.553, 0.0468, 0.0440, 0.006, 0.006, "accent_blue", on["forearm_L"]),
    ]


# ------------------------------------------------------------------------------------------------------------------- leg
_HIP_Y = float(P["hip_L"][1])
# Height, middle forward, radius forward, radius sideways.
_LEG = [
    (0.115, -0.006, 0.060, 0.055), (0.230, -0.008, 0.070, 0.064), (0.340, -0.014, 0.080, 0.071),
    (0.430, -0.008, 0.078, 0.071), (0.513, 0.002, 0.079, 0.073), (0.600, 0.003, 0.085, 0.078),
    (0.740, 0.000, 0.096, 0.084), (0.860, -0.004, 0.106, 0.0875), (0.960, -0.008, 0.104, 0.080),
    (1.000, -0.010, 0.085, 0.066),
]
KNEE_FOLDS, HIP_FOLDS = (0.415, 0.625, 7), (0.775, 0.905, 4)


def leg_weights(points: np.ndarray) -> Weights:
    return chain_weights(-points[:, 2], ["pelvis", "thigh_L", "shank_L", "foot_L"],
                         [-0.945, -P["knee_L"][2], -0.105], [0.10, 0.15, 0.06])


def leg() -> list[Patch]:
    segments = 22
    angle = np.arange(segments) * 2 * np.pi / segments
    z = places((0.135, 0.235, 2), (0.235, 0.415, 8), (*KNEE_FOLDS[:2], 28),
               (0.625, 0.775, 6), (*HIP_FOLDS[:2], 16), (0.905, 1.0, 4))[::-1]
    folds = bellows(z, *KNEE_FOLDS, 0.0095) + bellows(z, *HIP_FOLDS, 0.0085)
    slack = wrinkles(angle, z, 0.0035, 5.3) * smoothstep((0.98 - z) / 0.06)[:, None]
    centre = np.column_stack([_profile(z, _LEG, 1), np.full_like(z, _HIP_Y), z])
    ru, rv = (_profile(z, _LEG, k)[:, None] + folds[:, None] + slack for k in (2, 3))
    trouser = tube(centre, ru, np.minimum(rv, 0.0885), Cover("fabric", leg_weights, segments))

    def cuff(height, extra, half_width, thick, material, bone=None):
        ring = [_profile(np.array([height]), _LEG, k)[0] for k in (1, 2, 3)]
        weights = leg_weights if bone is None else (lambda p: rigid(p, bone))
        return band((ring[0], _HIP_Y, height), -UP, ring[1] + extra, min(ring[2] + extra, 0.0875), half_width, thick,
                    Cover(material, weights, segments=segments))

    pocket = rounded_box((0.0, _HIP_Y + 0.082, 0.700), (0.052, 0.016, 0.062), 0.012, "fabric", "thigh_L")
    flap = rounded_box((0.0, _HIP_Y + 0.086, 0.748), (0.055, 0.017, 0.018), 0.010, "trim", "thigh_L", steps=1)
    return [
        trouser, pocket, flap,
        cuff(0.655, 0.0015, 0.019, 0.002, "accent_red", "thigh_L"),
        cuff(0.768, 0.001, 0.008, 0.0055, "trim", "thigh_L"),
        cuff(0.372, 0.001, 0.007, 0.005, "trim", "shank_L"),
    ]


def strap(knots, width: float, thick: float, bone: str, material: str = "trim", reference=(0.0, 1.0, 0.0)) -> Patch:
    path = resampled(knots, 14)
    u, v = frames_along(path, reference)
    rings = ring_points(path, u, v, np.full(14, width), np.full(14, thick), 8, 4.0)
    return loft(rings, material, lambda p: rigid(p, bone), (True, True))


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
    return [tube(path, r, r, Cover(lambda ring: "rubber" if ring >= n - 5 else "glove", _HAND, 9, caps=(True, True)))]


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
    strap = band((x + 0.001, y, z - 0.014), (0, 0, -1), 0.0385, 0.0315, 0.006, 0.004,
                 Cover("trim", _HAND, segments=20, power=2.5))
    parts = [palm, strap]
    fingers = ((0.034, 0.066, 0.0120), (0.0115, 0.074, 0.0124), (-0.0115, 0.069, 0.0120), (-0.033, 0.056, 0.0110))
    for offset, length, radius in fingers:
        parts += _finger((x + offset, y, z - 0.090), (0.10 * offset / 0.034, -0.16, -1.0), length, radius, 62.0)
    parts += _finger((x + 0.036, y - 0.008, z - 0.036), (0.62, -0.30, -0.74), 0.066, 0.0135, 38.0)
    knuckles = rigid_pad((x, y + 0.021, z - 0.078))
    return [part.moved(arm_rotation("L"), P["shoulder_L"]) for part in parts + [knuckles]]


def rigid_pad(centre) -> Patch:
    c = np.asarray(centre, float)
    path = c + np.array([[0, 0.0, 0.030], [0, 0.004, 0.018], [0, 0.004, -0.006], [0, -0.002, -0.016]])
    return tube(path, [0.024, 0.034, 0.036, 0.030], [0.004, 0.006, 0.006, 0.003],
                Cover("rubber", _HAND, 12, power=3.0, caps=(True, True)))


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
    buckle = band((-0.003, _ANKLE[1], 0.205), (0, 0, 1), 0.0865, 0.0685, 0.007, 0.004,
                  Cover("trim", lambda p: rigid(p, "shank_L"), segments=m, power=2.6))
    return [upper, shaft, cuff, sole, cap, strap, buckle] + _treads()


def _instep_strap() -> Patch:
    angle = np.linspace(-0.15 * np.pi, 1.15 * np.pi, 16)
    y = _ANKLE[1] + 0.0550 * np.cos(angle)
    over = np.clip(np.sin(angle), 0.0, 1.0)
    path = np.column_stack([0.070 + 0.024 * over, y, 0.036 + 0.077 * over**0.62 + 0.012 * np.minimum(np.sin(angle), 0.0)])
    return tube(path, 0.011, 0.0035, Cover("trim", boot_weights, 8, power=4.0, caps=(True, True)))


def _treads() -> list[Patch]:
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
    skirt = band((0.004, 0.0, 1.562), (0, 0, 1), 0.098, 0.100, 0.020, 0.008, Cover("shell", _on("head"), segments=30))
    parts = [visor, shell, rim, skirt]
    for side, colour in ((1.0, "accent_red"), (-1.0, "trim")):
        parts += [
            rounded_box((0.045, side * 0.151, 1.752), (0.036, 0.017, 0.020), 0.008, "shell", "head", steps=1),
            band((0.081, side * 0.151, 1.752), (1, 0, 0), 0.011, 0.013, 0.004, 0.003,
                 Cover("dark", _on("head"), segments=14, reference=(0, 1, 0))),
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
    return tube(path, radii, radii, Cover(material, _on(bone), segments, reference=reference, caps=(False, True)))


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
    seams = [band((-0.232, 0, z), (0, 0, 1), 0.0935 * t, 0.1775 * t, 0.004, 0.0032,
                  Cover("trim", _on("chest"), segments=36, power=7.0))
             for z, t in ((1.470, 0.982), (1.105, 0.925))]
    radii = [0.005, 0.004, 0.0035, 0.002]
    mast = tube(np.array([[-0.262, -0.118, z] for z in (1.60, 1.70, 1.80, 1.815)]), radii, radii,
                Cover("metal", _on("chest"), 8, caps=(False, True)))
    foot = band((-0.262, -0.118, 1.644), (0, 0, 1), 0.009, 0.009, 0.012, 0.004, Cover("dark", _on("chest"), segments=12))
    return box + vents + labels + bolts + seams + [mast, foot]


def chest_box() -> list[Patch]:
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
    path = resampled(knots, count)
    rib = radius * (1.0 + 0.13 * np.where(np.arange(count) % 2 == 0, 1.0, -1.0))
    return tube(path, rib, rib, Cover(material, _on("chest"), 8, reference=(0.13, 0.41, 0.9), caps=(True, True)))


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
            band((0.140, y(0.048), 1.222), (0, 0, 1), 0.015, 0.015, 0.010, 0.004, Cover(colour, _on("chest"), segments=14)),
            band((0.112, y(0.080), 1.392), (0, 0, 1), 0.014, 0.014, 0.010, 0.004, Cover(colour, _on("chest"), segments=14)),
            band((-0.172, y(0.162), 1.131), (1, y(0.1), 0), 0.015, 0.015, 0.009, 0.004,
                 Cover("metal", _on("chest"), segments=14, reference=(0, 0, 1))),
        ]
        over = [(-0.150, y(0.070), 1.540), (-0.060, y(0.106), 1.541), (0.030, y(0.103), 1.526), (0.088, y(0.078), 1.470),
                (0.111, y(0.060), 1.410), (0.115, y(0.050), 1.345)]
        parts.append(strap(over, 0.017, 0.004, "chest"))
    return parts
