# SPDX-License-Identifier: GPL-3.0-or-later
"""A made-up but consistent Take: smooth random joint angles within limits while the root moves forward. No simulation."""

from __future__ import annotations

import numpy as np

from lope.addon.bodies.body import Body
from lope.addon.bodies.kinematics import centre_of_mass, contact_point_positions, segment_poses
from lope.addon.maths.rotations import quat_from_rotvec, quat_multiply
from lope.addon.sim.take import Take
from lope.addon.specs.shot import BodySpec, Shot, World

EVENTS = ((0.2, 0, 0), (0.5, 1, 1), (0.7, 0, 1), (0.9, 1, 0))  # time [s], kind (0 strike, 1 off), side (0 left)


def motion(body: Body, time_s: np.ndarray, seed: int = 0, reach: float = 0.3) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Root position (T, 3), root quaternion (T, 4), joint quaternions (T, S-1, 4) at any times.

    `reach` is the share of each ball's cone that its swing takes; hinges swing within their limits about their true axes.
    """
    rng = np.random.default_rng(seed)
    t = np.asarray(time_s, dtype=float)[:, None]

    def waves(n: int) -> np.ndarray:
        rate, phase = rng.uniform(0.4, 1.6, n), rng.uniform(0.0, 2.0 * np.pi, n)
        return np.sin(2.0 * np.pi * rate * t + phase)

    position = np.array([0.0, 0.0, body.pelvis_height_m]) + np.array([0.1, 0.05, 0.04]) * waves(3)
    position[:, 0] += 0.9 * t[:, 0]
    root = quat_from_rotvec(np.array([0.15, 0.15, 0.6]) * waves(3))
    root = quat_multiply(root, quat_from_rotvec(np.array([0.0, 0.0, 1.0]) * 0.4 * t))
    joints = []
    for segment in body.segments[1:]:
        low, high = segment.limits_rad
        if segment.joint == "hinge":
            angle = 0.5 * (low + high) + 0.4 * (high - low) * waves(1)
            joints.append(quat_from_rotvec(angle * segment.axis))
        else:
            joints.append(quat_from_rotvec(reach * high / np.sqrt(3.0) * waves(3)))
    return position, root, np.stack(joints, axis=1)


def synthetic_take(body: Body, seconds: float = 1.2, seed: int = 0, rate_hz: float = 125.0, reach: float = 0.3) -> Take:
    """A Take of that motion, every array filled to its shape; positions, COM and contacts follow from the kinematics."""
    time = np.arange(round(seconds * rate_hz) + 1) / rate_hz
    position, root, joints = motion(body, time, seed, reach)
    places, turns = segment_poses(body, position, root, joints)
    com = centre_of_mass(body, places, turns)
    points = contact_point_positions(body, places, turns)
    n, torques = len(time), body.degrees_of_freedom - 6
    strikes = [e for e in EVENTS if e[1] == 0]
    arrays = {
        "time_s": time, "root_position_m": position, "root_quaternion": root, "joint_quaternions": joints, "com_m": com,
        "com_velocity_m_s": np.gradient(com, time, axis=0), "contact": np.zeros((n, 2), dtype=bool),
        "grf_n": np.zeros((n, 2, 3)), "contact_point_m": points, "contact_point_force_n": np.zeros(points.shape[:2]),
        "torque_nm": np.zeros((n, torques)), "plan_com_m": com.copy(), "plan_footstep_m": np.zeros((len(strikes), 3)),
        "plan_footstep_time_s": np.array([e[0] for e in strikes]), "plan_footstep_side": np.array([e[2] for e in strikes]),
        "plan_heading_rad": np.zeros(n), "plan_speed_m_s": np.full(n, 0.9), "pose_error_deg": np.zeros(n),
        "event_time_s": np.array([e[0] for e in EVENTS]),
        "event_kind": np.array([e[1] for e in EVENTS]), "event_side": np.array([e[2] for e in EVENTS]),
    }
    spec = BodySpec(mass_kg=body.mass_kg, landmarks={k: tuple(v) for k, v in body.landmarks.items()})
    shot = Shot(body=spec, world=World("moon", 1.62), duration_s=max(seconds, 0.5))
    return Take(shot, body, arrays, {"planned_speed_m_s": 0.9, "time_fell_s": None})
