# SPDX-License-Identifier: GPL-3.0-or-later
"""Bodies of many kinds for tests of muscles, and poses of their left leg."""

import mujoco
import numpy as np

from lope.addon.bodies.human.body import Human
from lope.addon.specs.shot import BodySpec


def human(height_m: float = 1.75, mass_kg: float = 70.0, *lacking: str) -> Human:
    """A person of the anthropometric table, without some landmarks."""
    body = Human.from_spec(BodySpec(height_m=height_m, mass_kg=mass_kg))
    marks = {name: point for name, point in body.landmarks.items() if name.removesuffix("_L").removesuffix("_R") not in lacking}
    return Human.from_landmarks(marks, mass_kg)


def stylised(wide: float = 1.6, legs: float = 0.6) -> Human:
    """A figure with hips and shoulders far apart, short legs and long feet."""
    marks = {name: point.copy() for name, point in human(1.5, 60.0).landmarks.items()}
    lower = marks["hip_L"][2] * (1.0 - legs)
    for name, point in marks.items():
        kind = name.removesuffix("_L").removesuffix("_R")
        if kind in ("hip", "knee", "ankle", "heel", "toes", "toe_tip"):
            point *= [1.4 if kind in ("heel", "toes", "toe_tip") else 1.0, wide, legs]
        else:
            point -= [0.0, 0.0, lower]
            if kind in ("shoulder", "elbow", "wrist", "hand_tip", "clavicle"):
                point *= [1.0, 1.3, 1.0]
    return Human.from_landmarks(marks, 60.0)


BODIES = {"adult": human(), "child": human(1.1, 19.0), "tall": human(2.05, 95.0), "toeless": human(1.75, 70.0, "toes", "toe_tip"),
          "stiff": human(1.75, 70.0, "lower_spine", "neck", "clavicle"), "stylised": stylised(),
          "broad": stylised(1.3, 1.0)}


def turned(model: mujoco.MjModel, qpos: np.ndarray, joint: str, axis: tuple[float, float, float], degrees: float) -> None:
    """Turn a ball of a pose (nq,)."""
    at = model.joint(joint).qposadr[0]
    mujoco.mju_axisAngle2Quat(qpos[at:at + 4], np.array(axis), np.radians(degrees))


def leg_pose(model: mujoco.MjModel, hip_deg: float = 0.0, knee_deg: float = 0.0, ankle_deg: float = 0.0) -> np.ndarray:
    """A pose (nq,) with the left leg's joints flexed, the ankle lifted; all else neutral."""
    qpos = model.qpos0.copy()
    turned(model, qpos, "thigh_L", (0.0, 1.0, 0.0), -hip_deg)
    turned(model, qpos, "foot_L", (0.0, 1.0, 0.0), -ankle_deg)
    qpos[model.joint("shank_L").qposadr[0]] = np.radians(knee_deg)
    return qpos
