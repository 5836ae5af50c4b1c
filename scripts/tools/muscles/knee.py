# SPDX-License-Identifier: GPL-3.0-or-later
"""Paths over a knee that is a hinge, fitted so that moment arms follow those of a knee that slides and has a patella.

The quadriceps winds around one cylinder in the thigh, which stands for patella and condyles, to the tibial tuberosity: centre,
radius and tuberosity are searched. Of the other muscles the parts beyond the knee are shifted forward and up.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import mujoco
import numpy as np
from scipy.optimize import minimize

from lope.addon.bodies.body import Body
from lope.addon.bodies.muscles.muscle import MuscleSet
from lope.addon.bodies.muscles.paths import PathKinematics
from lope.addon.bodies.muscles.sets import MuscleEntry, muscle_from
from lope.addon.specs.settings import read_fields

from . import tables
from .myoleg import MyoLeg

QUADRICEPS = ("rectus_femoris", "vastus_intermedius", "vastus_lateralis", "vastus_medialis")
SHIFTED = ("biceps_femoris_long", "biceps_femoris_short", "gracilis", "sartorius", "semimembranosus", "semitendinosus",
           "tensor_fasciae_latae")
CALVES = ("gastrocnemius_lateral", "gastrocnemius_medial")
FITTED_DEG = np.arange(0.0, 121.0, 5.0)
TRUSTED_DEG = 100.0
"""From there on the arm is to stay as it is there: MyoLeg's coupled knee leaves what was measured, its arms run away."""
WEIGHT = np.where(FITTED_DEG > TRUSTED_DEG, 0.05, 1.0)[:, None]
LEAST_M, FLIPPED = 0.004, 2.0
"""An arm that falls below so much of its own sign counts so many times as much."""
STAY = 0.15
"""Weight of a metre of shift beside a metre of arm, so that nothing moves far for little (first guess)."""
START = np.array([0.012, -0.395, 0.030, 0.034, -0.055])
"""Of the quadriceps: centre of the cylinder ahead of and above the hip, radius, and the tuberosity in the shank's frame [m]."""
CALF_START = np.array([-0.015, -0.375, 0.0, -0.405, 0.020])
"""Of a head of the gastrocnemius: its origin, and the centre and radius of the cylinder of the condyles, in the thigh's frame."""
CONDYLE = {"segment": "thigh", "position": np.array([0.0, 0.0, -0.405]), "wrap": "cylinder", "radius_m": 0.03,
           "axis": np.array([0.0, 1.0, 0.0]), "beside": np.array([-0.06, 0.0, -0.405])}
"""What the long head of the biceps winds around near extension, where MyoLeg's knee slides."""
SOURCE_NAME = {name: short for short, name in tables.LEG.items()}


def made(entries: list[dict[str, Any]], sides: str = "L") -> MuscleSet:
    """The entries as muscles."""
    plain = [{**entry, "path": [{k: v.tolist() if isinstance(v, np.ndarray) else v for k, v in part.items()}
                                for part in entry["path"]]} for entry in entries]
    return MuscleSet(tuple(muscle_from(read_fields(MuscleEntry, entry), side) for entry in plain for side in sides))


def knee_pose(model: mujoco.MjModel, lean_rad: float, knee_rad: float, hip_rad: float = 0.0,
              ankle_rad: float = 0.0) -> np.ndarray:
    """Lope's pose (nq,) for the source's angles of the left leg: its knee at zero has the shank lean backward by `lean_rad`."""
    qpos = model.qpos0.copy()
    for joint, angle in (("thigh_L", -hip_rad), ("foot_L", -lean_rad - ankle_rad)):
        at = model.joint(joint).qposadr[0]
        mujoco.mju_axisAngle2Quat(qpos[at:at + 4], np.array([0.0, 1.0, 0.0]), angle)
    qpos[model.joint("shank_L").qposadr[0]] = knee_rad + lean_rad
    return qpos


def knee_arms(paths: PathKinematics, lean_rad: float, degrees: np.ndarray) -> np.ndarray:
    """Moment arms (K, M) [m] about the left knee over its angles, hip and ankle straight."""
    column = paths.model.joint("shank_L").dofadr[0]
    still = np.zeros(paths.model.nv)
    rows = []
    for angle in np.radians(degrees):
        paths.update(knee_pose(paths.model, lean_rad, angle), still)
        rows.append(paths.arms_m[column].copy())
    return np.array(rows)


def fit_knee(entries: list[dict[str, Any]], leg: MyoLeg, body: Body, lean_rad: float) -> None:
    """Change the entries' paths over the knee in place."""
    by_name = {entry["name"]: entry for entry in entries}
    source = [leg.arms("knee_angle_r", knee_angle_r=float(np.radians(min(d, TRUSTED_DEG)))) for d in FITTED_DEG]
    _fit_quadriceps([by_name[name] for name in QUADRICEPS], source, body, lean_rad)
    by_name["biceps_femoris_long"]["path"].insert(1, dict(CONDYLE))
    for name in (*SHIFTED, *CALVES):
        fit = _fit_calf if name in CALVES else _fit_shift
        fit(by_name[name], np.array([[row[SOURCE_NAME[name]]] for row in source]), body, lean_rad)


def _quadriceps(entries: list[dict[str, Any]], values: np.ndarray) -> None:
    """Lay the four around the cylinder and to the tuberosity, beside each other as they were."""
    x, z, radius, tuber_x, tuber_z = values
    for entry in entries:
        before = [part for part in entry["path"] if part["segment"] != "shank" and "wrap" not in part]
        across = entry["across"]
        centre, below = np.array([x, 0.0, z]), np.array([np.sqrt(0.5), 0.0, -np.sqrt(0.5)])
        wrap = {"segment": "thigh", "position": centre, "wrap": "cylinder", "radius_m": float(radius),
                "axis": np.array([0.0, 1.0, 0.0]), "beside": centre + (radius + 0.02) * below}
        entry["path"] = [*before, wrap, {"segment": "shank", "position": np.array([tuber_x, across, tuber_z])}]


def _fit_quadriceps(entries: list[dict[str, Any]], source: list[dict[str, float]], body: Body, lean_rad: float) -> None:
    wanted = np.array([[row[SOURCE_NAME[entry["name"]]] for entry in entries] for row in source])
    for entry in entries:
        entry["across"] = float(entry["path"][-1]["position"][1])

    def off(values: np.ndarray) -> np.ndarray:
        _quadriceps(entries, values)
        stripped = [{k: v for k, v in entry.items() if k != "across"} for entry in entries]
        arms = knee_arms(PathKinematics(body, made(stripped)), lean_rad, FITTED_DEG)
        return np.concatenate([_misses(arms, wanted), STAY * (values - START)])

    _quadriceps(entries, _searched(off, START, np.array([0.02, 0.025, 0.008, 0.012, 0.025])))
    for entry in entries:
        del entry["across"]


def _searched(off: Callable[[np.ndarray], np.ndarray], start: np.ndarray, reach: np.ndarray) -> np.ndarray:
    """The least squares of `off` within `reach` of a start, to a tenth of a millimetre; by simplexes, as wraps come and go."""
    low, high = start - reach, start + reach
    best = start
    for size in (0.5, 0.1):
        simplex = np.vstack([best, *(np.clip(best + size * step, low, high) for step in np.diag(reach))])
        best = minimize(lambda x: 1e6 * float(np.sum(off(x) ** 2)), best, method="Nelder-Mead",
                        bounds=list(zip(low, high, strict=True)), options={"initial_simplex": simplex, "maxfev": 200}).x
    return np.round(best, 4)


def _misses(arms: np.ndarray, wanted: np.ndarray) -> np.ndarray:
    """What the fit makes small: the arms' errors, and by how much an arm comes near its other sign."""
    sign = np.sign(wanted.mean(axis=0))
    flips = FLIPPED * np.minimum(sign * arms - LEAST_M, 0.0) * (abs(wanted).min(axis=0) > LEAST_M)
    return np.concatenate([(WEIGHT * (arms - wanted)).ravel(), flips.ravel()])


def _fit_shift(entry: dict[str, Any], wanted: np.ndarray, body: Body, lean_rad: float) -> None:
    """Shift what lies beyond the knee, and shift and grow what the muscle winds around there."""
    rest = [(part, {key: part[key] for key in ("position", "beside", "radius_m") if key in part})
            for part in entry["path"] if part["segment"] == "shank" or "wrap" in part]
    wrapped = any("wrap" in part for part in entry["path"])

    def lay(values: np.ndarray) -> None:
        for part, was in rest:
            dx, dz = values[:2] * (part["segment"] == "shank") + (values[2:4] if "wrap" in part and len(values) > 2 else 0.0)
            for key in was.keys() - {"radius_m"}:
                part[key] = was[key] + np.array([dx, 0.0, dz])
            if "wrap" in part and len(values) > 2:
                part["radius_m"] = float(was["radius_m"] + values[4])

    def off(values: np.ndarray) -> np.ndarray:
        lay(values)
        arms = knee_arms(PathKinematics(body, made([entry])), lean_rad, FITTED_DEG)
        return np.concatenate([_misses(arms, wanted), STAY * values])

    reach = np.array([0.02, 0.02, 0.015, 0.015, 0.01])
    grid = [np.array([x, z]) for x in np.linspace(-0.016, 0.016, 5) for z in np.linspace(-0.016, 0.016, 5)]
    found = _searched(off, min(grid, key=lambda shift: float(np.sum(off(shift) ** 2))), reach[:2])
    if wrapped:
        found = _searched(off, np.array([*found, 0.0, 0.0, 0.0]), reach)
    lay(found)


def _fit_calf(entry: dict[str, Any], wanted: np.ndarray, body: Body, lean_rad: float) -> None:
    """A head of the gastrocnemius winds around the condyles from behind: origin, centre and radius of that cylinder."""
    origin, *_, heel = entry["path"]
    across = float(origin["position"][1])

    def lay(values: np.ndarray) -> None:
        x, z, wrap_x, wrap_z, radius = values
        wrap = {"segment": "thigh", "position": np.array([wrap_x, 0.0, wrap_z]), "wrap": "cylinder", "radius_m": float(radius),
                "axis": np.array([0.0, 1.0, 0.0]), "beside": np.array([wrap_x - radius - 0.02, 0.0, wrap_z])}
        entry["path"] = [{"segment": "thigh", "position": np.array([x, across, z])}, wrap, heel]

    def off(values: np.ndarray) -> np.ndarray:
        lay(values)
        arms = knee_arms(PathKinematics(body, made([entry])), lean_rad, FITTED_DEG)
        return np.concatenate([_misses(arms, wanted), STAY * (values - CALF_START)])

    reach = np.array([0.015, 0.015, 0.012, 0.012, 0.008])
    lay(_searched(off, CALF_START, reach))
