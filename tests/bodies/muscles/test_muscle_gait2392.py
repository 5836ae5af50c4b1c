# SPDX-License-Identifier: GPL-3.0-or-later
"""The muscles of OpenSim's gait2392 on our paths: their moment arms are the file's own, at ten poses."""

from pathlib import Path

import mujoco
import numpy as np
import pytest

from lope.addon.bodies.muscles.paths import PathKinematics
from osim_kit import CHAIN, TURN, Osim, as_body, as_muscles, moving

pytestmark = pytest.mark.slow

FILE = Path(__file__).resolve().parents[3].parent / "shared" / "models" / "opensim_gait" / "gait2392_thelen2003muscle.osim"
needs_file = pytest.mark.skipif(not FILE.exists(), reason=f"the model gait2392 is not there: {FILE}")
RANGES_DEG = {"hip_flexion_r": (-20, 60), "hip_adduction_r": (-10, 10), "hip_rotation_r": (-10, 10), "knee_angle_r": (-100, 0),
              "ankle_angle_r": (-25, 20), "subtalar_angle_r": (-10, 10), "mtp_angle_r": (-10, 20), "lumbar_extension": (-15, 15),
              "lumbar_bending": (-8, 8), "lumbar_rotation": (-8, 8)}
BODY_OF = {"hip": "femur_r", "knee": "tibia_r", "ankle": "talus_r", "subtalar": "calcn_r", "mtp": "toes_r", "lumbar": "torso"}
NEAR_M = 1e-5
"""Finite differences and splines; far below what is demanded of it, 3 mm or 5 %."""


def posed(model, paths: PathKinematics, coordinates: dict[str, float]) -> np.ndarray:
    """Lope's pose (nq,) for the file's coordinates."""
    frames, qpos = model.frames(coordinates), paths.model.qpos0.copy()
    for body, parent in CHAIN.items():
        joint = paths.model.joint(body)
        at = joint.qposadr[0]
        if paths.model.jnt_type[joint.id] == mujoco.mjtJoint.mjJNT_BALL:
            mujoco.mju_mat2Quat(qpos[at:at + 4], (TURN @ frames[parent][1].T @ frames[body][1] @ TURN.T).ravel())
        else:
            qpos[at] = coordinates[next(name for name in RANGES_DEG if BODY_OF[name.split("_")[0]] == body)]
    return qpos


def arms_about(model, paths: PathKinematics, coordinates: dict[str, float], name: str) -> np.ndarray:
    """Our moment arms (M,) [m] about one of the file's coordinates; moving points go with the knee."""
    body = BODY_OF[name.split("_")[0]]
    rows = paths.joint_rows()
    if rows[body].stop - rows[body].start == 1:
        riders = [f"patella_{muscle}" for muscle in moving(model)] if body == "tibia_r" else []
        return sum(paths.arms_m[rows[segment]][0] for segment in (body, *riders))
    before, after = (model.frames({**coordinates, name: coordinates[name] + shift}) for shift in (-1e-6, 1e-6))
    turns = [frames[CHAIN[body]][1].T @ frames[body][1] for frames in (before, after)]
    turn = (turns[0].T @ turns[1]) / 2e-6
    spin = 0.5 * np.array([turn[2, 1] - turn[1, 2], turn[0, 2] - turn[2, 0], turn[1, 0] - turn[0, 1]])
    return (TURN @ spin) @ paths.arms_m[rows[body]]


@needs_file
def test_moment_arms_are_the_files_own_at_ten_poses():
    model, random = Osim(FILE), np.random.default_rng(2392)
    assert len(model.muscles) == 49  # 43 of the right leg, and the trunk's six
    for _ in range(10):
        coordinates = {name: np.radians(random.uniform(*range_deg)) for name, range_deg in RANGES_DEG.items()}
        muscles = as_muscles(model, coordinates)
        paths = PathKinematics(as_body(model, coordinates), muscles)
        paths.update(posed(model, paths, coordinates), np.zeros(paths.model.nv))
        lengths = model.lengths(coordinates)
        np.testing.assert_allclose(paths.length_m, [lengths[name] for name in muscles.names], atol=1e-9)
        for name in RANGES_DEG:
            theirs = model.arms(name, coordinates)
            ours = arms_about(model, paths, coordinates, name)
            np.testing.assert_allclose(ours, [theirs[muscle] for muscle in muscles.names], atol=NEAR_M, err_msg=name)
