# SPDX-License-Identifier: GPL-3.0-or-later
"""Paths over a knee that is a hinge, fitted so that moment arms follow those of a knee that slides and has a patella.

The quadriceps winds around one cylinder in the thigh, which stands for patella and condyles, to the tibial tuberosity: centre,
radius and tuberosity are searched. Of the other muscles the parts beyond the knee are shifted forward and up.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import mujoco
import numpy as np
from scipy.optimize import least_squares, minimize

from lope.addon.bodies.body import Body, kind_of
from lope.addon.bodies.muscle import Muscle, MuscleSet
from lope.addon.bodies.muscles.mechanics import THELEN
from lope.addon.bodies.muscles.paths import PathKinematics
from lope.addon.bodies.muscles.sets import MuscleEntry, muscle_from
from lope.addon.specs.settings import read_fields

from . import tables
from .sources import MyoLeg

GROUPS = ("plantar_flexors", "dorsiflexors", "ankle_evertors", "ankle_invertors", "toe_flexors", "toe_extensors",
          "knee_extensors", "hamstrings", "knee_flexors", "hip_flexors", "hip_extensors", "hip_abductors", "hip_adductors",
          "hip_rotators", "trunk_extensors", "trunk_flexors", "trunk_benders", "trunk_rotators", "elbow_flexors",
          "elbow_extensors", "shoulder_flexors", "shoulder_extensors", "shoulder_abductors", "shoulder_adductors",
          "shoulder_rotators", "neck_extensors", "neck_flexors", "neck_benders", "shoulder_girdle")
"""Every group. A muscle of several is counted in the one that comes first here."""
HAMSTRINGS = ("biceps_femoris_long", "semimembranosus", "semitendinosus", "hamstrings")
"""The hamstrings by anatomy: from the ischium over hip and knee."""
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


FIBRE_SHARE = 0.6
"""Of a path in the middle of its range: the optimal fibre where nothing is published (first guess)."""
LEAST_TENDON = 0.1
"""Of that path: a tendon has at least so much of it."""
MIDDLE_DEG = {"upper_arm": (25.0, -35.0, 0.0), "forearm": 45.0}
"""The pose in which muscles over the joints of the arm have their optimal length: abducted and lifted forward, elbow bent; of all
other joints the neutral pose (first guesses)."""
FASTEST = 15.0
"""Greatest velocity of the fibres [l_opt/s], as in gait14dof22musc (Ong, made after gait2392 and Rajagopal 2016). With gait2392's
10 hips flex too slowly for a run: psoas and iliacus have a quarter of their force left in its swing."""
KNEE_DEG = np.arange(0.0, 101.0, 10.0)


def slack_as_in_the_source(entries: list[dict[str, Any]], leg: MyoLeg, body: Body, lean_rad: float) -> None:
    """Change slack lengths by as much as the paths changed, on average over the knee's range, so that fibres are as long as the
    source's."""
    paths = PathKinematics(body, made(entries))
    still, changes = np.zeros(paths.model.nv), []
    for angle in np.radians(KNEE_DEG):
        paths.update(knee_pose(paths.model, lean_rad, angle), still)
        theirs = leg.lengths(knee_angle_r=float(angle))
        changes.append([mine - theirs[SOURCE_NAME[entry["name"]]] for mine, entry in zip(paths.length_m, entries, strict=True)])
    for entry, change in zip(entries, np.mean(changes, axis=0), strict=True):
        entry["tendon_slack_m"] = round(entry["tendon_slack_m"] + float(change), 4)


def lengths_by_rule(entries: list[dict[str, Any]], body: Body) -> None:
    """Fibres and tendons of muscles whose paths alone are known: the fibre is optimal in the middle pose."""
    probe = [{**entry, "optimal_fibre_m": 0.1} for entry in entries]
    paths = PathKinematics(body, made(probe))
    qpos = paths.model.qpos0.copy()
    for kind, angle in MIDDLE_DEG.items():
        at = paths.model.joint(f"{kind}_L").qposadr[0]
        if isinstance(angle, float):
            qpos[at] = np.radians(angle)
        else:
            turn = np.radians(angle)
            mujoco.mju_axisAngle2Quat(qpos[at:at + 4], turn / np.linalg.norm(turn), float(np.linalg.norm(turn)))
    paths.update(qpos, np.zeros(paths.model.nv))
    for entry, length in zip(entries, paths.length_m, strict=True):
        fibre = min(entry["optimal_fibre_m"] or FIBRE_SHARE * length, (1.0 - LEAST_TENDON) * length)
        entry["optimal_fibre_m"], entry["tendon_slack_m"] = round(float(fibre), 4), round(float(length - fibre), 4)


def grouped(entries: list[dict[str, Any]], body: Body) -> None:
    """Give every entry its groups and its greatest velocity."""
    muscles = made(entries)
    paths = PathKinematics(body, muscles)
    paths.update(paths.model.qpos0, np.zeros(paths.model.nv))
    rows = {kind_of(name): rows for name, rows in paths.joint_rows().items() if not name.endswith("_R")}
    for entry, muscle, arms in zip(entries, muscles, paths.arms_m.T, strict=True):
        entry["max_velocity"] = FASTEST
        entry["groups"] = list(acting_groups(muscle, {kind: arms[where] for kind, where in rows.items()}))


HIP_DEG = (-15.0, 0.0, 20.0, 40.0, 60.0, 80.0, 100.0)
RELAXED_KNEE_DEG, ANKLE_DEG = (0.0, 15.0, 30.0, 60.0, 90.0, 120.0), (-30.0, 0.0, 20.0)
LIFTED_DEG = 75.0
"""Beyond what the knee bends: so far people's hips flex (straight legs lifted)."""
SURE_NM, SURE_SHARE = 4.0, 0.2
"""How well moments are known: of one person beside the mean, and over the moment (first guesses, their spread is about that)."""
GIVE_STAY = 1.0
"""Weight of a logarithm of 1 of give beside an error that is as large as moments are known (first guess)."""
MOST_GIVE = 4.0
MASS_KG, LEG_M = 75.0, 0.884
"""Of the body that the moments are for (as in `bodies/human/anthropometry.py`); they go with mass times leg."""


def measured_nm(hip_deg: float, knee_deg: float, ankle_deg: float) -> np.ndarray:
    """Passive moments (3,) [N m] of hip flexion, knee flexion and ankle dorsiflexion at these angles: Riener and Edrich 1999,
    J. Biomechanics 32:539, as we remember their coefficients; the ankle's angle there is plantar flexion."""
    h, k, a = hip_deg, knee_deg, -ankle_deg
    hip = np.exp(1.4655 - 0.0034 * k - 0.0750 * h) - np.exp(1.3403 - 0.0226 * k + 0.0305 * h) + 8.072
    knee = (np.exp(1.800 - 0.0460 * a - 0.0352 * k + 0.0217 * h) - np.exp(-3.971 - 0.0004 * a + 0.0495 * k - 0.0128 * h) - 4.820
            + np.exp(2.220 - 0.150 * k))
    ankle = np.exp(2.1016 - 0.0843 * a - 0.0176 * k) - np.exp(-7.9763 + 0.1949 * a + 0.0008 * k) - 1.792
    return np.array([hip, knee, -ankle])


def angles() -> np.ndarray:
    """Poses (K, 3) [deg] in which people's legs were measured, all at once."""
    return np.array([(h, k, a) for h in HIP_DEG for k in RELAXED_KNEE_DEG for a in ANKLE_DEG if h <= LIFTED_DEG + k])


def stretched(body: Body, muscles: MuscleSet, turned: Callable[[Any, np.ndarray], np.ndarray],
              poses: Iterable[np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    """Fibre lengths (K, M) [l_opt] over rigid tendons, and moments (K, 3, M) [N m] for each share of the greatest force."""
    paths = PathKinematics(body, muscles)
    rows = paths.joint_rows()
    where = [rows["thigh_L"].start + 1, rows["shank_L"].start, rows["foot_L"].start + 1]
    fibres, moments = [], []
    for pose in poses:
        paths.update(turned(paths.model, pose), np.zeros(paths.model.nv))
        along = np.maximum((paths.length_m - muscles.tendon_slack_m) / muscles.optimal_fibre_m, 0.05)
        fibre = np.sqrt(along**2 + np.sin(muscles.pennation_rad) ** 2)
        fibres.append(fibre)
        moments.append(np.array([[-1.0], [1.0], [-1.0]]) * paths.arms_m[where] * (muscles.max_force_n * along / fibre))
    return np.array(fibres), np.array(moments)


def fit_give(entries: list[dict[str, Any]], body: Body, lean_rad: float) -> None:
    """Give the entries of a leg their `give`, in place."""
    muscles, poses = made(entries), angles()

    def turned(model: Any, pose: np.ndarray) -> np.ndarray:
        hip, knee, ankle = np.radians(pose)
        return knee_pose(model, lean_rad, float(knee), float(hip), float(ankle))

    fibres, moments = stretched(body, muscles, turned, poses)
    size = body.bare_mass_kg * body.leg_length_m / (MASS_KG * LEG_M)
    wanted = size * np.array([measured_nm(*pose) for pose in poses])
    known = size * SURE_NM + SURE_SHARE * np.abs(wanted)
    beyond = np.maximum(fibres - 1.0, 0.0)

    def errors(log_give: np.ndarray) -> np.ndarray:
        passive = THELEN.passive(1.0 + beyond * np.exp(-log_give))
        off = (np.einsum("kjm,km->kj", moments, passive) - wanted) / known
        return np.concatenate([off.ravel() / np.sqrt(len(poses)), GIVE_STAY * log_give / np.sqrt(len(entries))])

    found = least_squares(errors, np.full(len(entries), 0.5), bounds=(0.0, np.log(MOST_GIVE)))
    for entry, give in zip(entries, np.exp(found.x), strict=True):
        if give > 1.005:
            entry["give"] = round(float(give), 2)


# Joint (the segment below it): groups that turn it the positive and the negative way about x, y, z, of a hinge about its axis.
# A left segment that turns about +x goes to the left, about +y its lower end goes backward, its upper end forward.
_TURNS: Mapping[str, tuple[tuple[str, str], ...]] = {
    "foot": (("ankle_evertors", "ankle_invertors"), ("plantar_flexors", "dorsiflexors")),
    "toes": (("toe_extensors", "toe_flexors"),),
    "shank": (("knee_flexors", "knee_extensors"),),
    "thigh": (("hip_abductors", "hip_adductors"), ("hip_extensors", "hip_flexors"), ("hip_rotators", "hip_rotators")),
    "lower_spine": (("", "trunk_benders"), ("trunk_flexors", "trunk_extensors"), ("trunk_rotators", "trunk_rotators")),
    "forearm": (("elbow_flexors", "elbow_extensors"),),
    "upper_arm": (("shoulder_abductors", "shoulder_adductors"), ("shoulder_extensors", "shoulder_flexors"),
                  ("shoulder_rotators", "shoulder_rotators")),
    "neck": (("", "neck_benders"), ("neck_flexors", "neck_extensors")),
    "head": (("", "neck_benders"), ("neck_flexors", "neck_extensors")),
    "clavicle": (("shoulder_girdle", "shoulder_girdle"),) * 3,
}
SUBTALAR = np.array([0.787, 0.121, 0.605])
"""Axis about which a left foot everts: forward and up, as in Rajagopal et al. 2016."""
SHARE = 0.5
"""Of a muscle's whole arm at a joint: with less it does something else there (first guess)."""
LEAST_ARM_M: Mapping[str, float] = {"toes": 0.003, "shank": 0.005}
LEAST_ELSE_M = 0.006
"""Shorter arms do nothing (first guesses)."""


def acting_groups(muscle: Muscle, arms_m: Mapping[str, np.ndarray]) -> tuple[str, ...]:
    """The groups of a left muscle from its moment arms in the neutral pose: by kind of segment, (3,) of a ball above it and (1,)
    of a hinge. In the order of `GROUPS`."""
    found = {"hamstrings"} if muscle.name.removesuffix("_L") in HAMSTRINGS else set()
    for kind, turns in _TURNS.items():
        arms = np.asarray(arms_m.get(kind, ()), dtype=float)
        if kind == "foot" and len(arms) == 3:
            arms = np.array([arms @ SUBTALAR, arms[1]])
        whole = float(np.linalg.norm(arms))
        for arm, (ahead, back) in zip(arms, turns, strict=False):
            if abs(arm) >= max(SHARE * whole, LEAST_ARM_M.get(kind, LEAST_ELSE_M)):
                found.add(ahead if arm > 0.0 else back)
    return tuple(group for group in GROUPS if group in found)
