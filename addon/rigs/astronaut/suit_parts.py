# SPDX-License-Identifier: GPL-3.0-or-later
"""The soft suit: torso, arms and legs as tubes with bellows at the joints. Built for 1.80 m, body frame, left side first."""

from __future__ import annotations

import numpy as np

from ...bodies.human.anthropometry import standing_landmarks
from .mesh_kit import (
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
    smoothstep,
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
    waist = band((-0.014, 0, 1.128), UP, 0.107, 0.136, 0.013, 0.009, "metal", _trunk_weights, segments=34, power=2.5)
    belt = band((-0.011, 0, 0.985), UP, 0.1135, 0.161, 0.014, 0.0045, "trim", _trunk_weights, segments=34, power=2.35)
    neck = band((0.002, 0, 1.552), UP, 0.108, 0.110, 0.011, 0.010, "metal", lambda p: rigid(p, "chest"), segments=26)
    collar = band((0.002, 0, 1.537), UP, 0.106, 0.109, 0.008, 0.008, "accent_blue", lambda p: rigid(p, "chest"), segments=26)
    return [upper, lower, waist, belt, neck, collar]


# ------------------------------------------------------------------------------------------------------------------- arm
_ROOT = np.array([P["shoulder_L"][0], 0.112, 1.470])
_ROOT_LENGTH = 0.088  # arc length from the arm's root inside the torso to the shoulder joint
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


def _arm_axis_place(points: np.ndarray) -> np.ndarray:
    """Place [m] of points along the A-posed arm, 0 at the shoulder joint."""
    return (points - P["shoulder_L"]) @ (arm_rotation("L") @ -UP)


def arm_weights(points: np.ndarray) -> Weights:
    """Weights of the left arm's cloth in the A-pose."""
    s = _arm_axis_place(points)
    # Beside the shoulder the split follows the sideways distance too, so that the cap of the shoulder bends, not shears.
    lateral = points[:, 1] - P["shoulder_L"][1]
    s_root = np.where(s < 0.12, 0.55 * s + 0.45 * (lateral + 0.02), s)
    weights = chain_weights(s_root, ["clavicle_L", "upper_arm_L"], [0.0], [0.11])
    lower = chain_weights(s, ["upper", "forearm_L", "hand_L"], [_ELBOW_S, _WRIST_S], [0.11, 0.03])
    weights["upper_arm_L"] = weights["upper_arm_L"] * lower["upper"]
    return weights | {"forearm_L": lower["forearm_L"], "hand_L": lower["hand_L"]}


def arm() -> list[Patch]:
    """The left arm, shoulder to wrist, with its rings and stripe."""
    segments = 20
    angle = np.arange(segments) * 2 * np.pi / segments
    s = places((-0.085, -0.045, 2), (*SHOULDER_FOLDS[:2], 16), (0.085, 0.262, 6), (*ELBOW_FOLDS[:2], 24), (0.408, 0.592, 6))
    folds = bellows(s, *SHOULDER_FOLDS, 0.009) + bellows(s, *ELBOW_FOLDS, 0.0085)
    slack = wrinkles(angle, s, 0.0028, 2.9) * smoothstep((0.57 - s) / 0.05)[:, None]
    ru, rv = (_profile(s, _ARM, k)[:, None] + folds[:, None] + slack for k in (1, 2))
    sleeve = tube(_arm_path(s), ru, rv, segments, "fabric", arm_weights)
    down = arm_rotation("L") @ -UP

    def cuff(place, ru, rv, half_width, thick, material, weights=arm_weights):
        centre = _arm_path(np.array([place]))[0]
        return band(centre, down, ru, rv, half_width, thick, material, weights, segments=segments)

    on = {name: (lambda p, bone=name: rigid(p, bone)) for name in ("clavicle_L", "forearm_L", "upper_arm_L")}
    scye = band(_ROOT + [0, 0.016, 0.0], (0.0, 1.0, -0.16), 0.086, 0.084, 0.011, 0.010, "metal", on["clavicle_L"],
                segments=26)
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
    """Weights of the left leg's cloth."""
    return chain_weights(-points[:, 2], ["pelvis", "thigh_L", "shank_L", "foot_L"],
                         [-0.945, -P["knee_L"][2], -0.105], [0.10, 0.15, 0.06])


def leg() -> list[Patch]:
    """The left leg, hip to boot, with its rings, stripe and pocket."""
    segments = 22
    angle = np.arange(segments) * 2 * np.pi / segments
    z = places((0.135, 0.235, 2), (0.235, 0.415, 8), (*KNEE_FOLDS[:2], 28),
               (0.625, 0.775, 6), (*HIP_FOLDS[:2], 16), (0.905, 1.0, 4))[::-1]
    folds = bellows(z, *KNEE_FOLDS, 0.0095) + bellows(z, *HIP_FOLDS, 0.0085)
    slack = wrinkles(angle, z, 0.0035, 5.3) * smoothstep((0.98 - z) / 0.06)[:, None]
    centre = np.column_stack([_profile(z, _LEG, 1), np.full_like(z, _HIP_Y), z])
    ru, rv = (_profile(z, _LEG, k)[:, None] + folds[:, None] + slack for k in (2, 3))
    trouser = tube(centre, ru, np.minimum(rv, 0.0885), segments, "fabric", leg_weights)

    def cuff(height, extra, half_width, thick, material, bone=None):
        ring = [_profile(np.array([height]), _LEG, k)[0] for k in (1, 2, 3)]
        weights = leg_weights if bone is None else (lambda p: rigid(p, bone))
        return band((ring[0], _HIP_Y, height), -UP, ring[1] + extra, min(ring[2] + extra, 0.0875), half_width, thick,
                    material, weights, segments=segments)

    pocket = rounded_box((0.0, _HIP_Y + 0.082, 0.700), (0.052, 0.016, 0.062), 0.012, "fabric", "thigh_L")
    flap = rounded_box((0.0, _HIP_Y + 0.086, 0.748), (0.055, 0.017, 0.018), 0.010, "trim", "thigh_L", steps=1)
    return [
        trouser, pocket, flap,
        cuff(0.655, 0.0015, 0.019, 0.002, "accent_red", "thigh_L"),
        cuff(0.768, 0.001, 0.008, 0.0055, "trim", "thigh_L"),
        cuff(0.372, 0.001, 0.007, 0.005, "trim", "shank_L"),
    ]


def strap(knots, width: float, thick: float, bone: str, material: str = "trim", reference=(0.0, 1.0, 0.0)) -> Patch:
    """A flat strap along a curve, on one bone."""
    path = resampled(knots, 14)
    u, v = frames_along(path, reference)
    rings = ring_points(path, u, v, np.full(14, width), np.full(14, thick), 8, 4.0)
    return loft(rings, material, lambda p: rigid(p, bone), (True, True))
