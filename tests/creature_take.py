# SPDX-License-Identifier: GPL-3.0-or-later
"""Made-up takes of bodies with any number of feet, by a controller without a plan: they hop in place, all feet together."""

import numpy as np

from body_kit import creature
from lope.addon.bodies.body import Body
from lope.addon.bodies.kinematics import contact_point_positions, segment_poses
from lope.addon.sim.take import Channel, Take
from lope.addon.specs.shot import Shot

HOP_HZ, DUTY, HEIGHT_M = 2.0, 0.6, 0.8


def creature_take(feet: int = 2, seconds: float = 4.0, rate: float = 100.0, body: Body | None = None,
                  stats: dict | None = None, channels: dict[str, Channel] | None = None) -> Take:
    """A take that holds what every take must, and nothing of a plan."""
    body = body or creature(feet)
    time = np.arange(round(seconds * rate) + 1) / rate
    count, feet, points = len(time), len(body.feet), len(body.contact_points)
    down = (time * HOP_HZ) % 1.0 < DUTY - 1e-9
    root = np.zeros((count, 3))
    root[:, 2] = HEIGHT_M + np.where(down, 0.0, 0.05)
    turn, joints = np.zeros((count, 4)), np.zeros((count, len(body.segments) - 1, 4))
    turn[:, 0] = joints[..., 0] = 1.0
    force = np.where(down, body.mass_kg * 9.81 / DUTY, 0.0) / max(feet, 1)
    grf = np.zeros((count, feet, 3))
    grf[..., 2] = force[:, None]
    loads = np.zeros((count, points))
    for foot in body.feet:
        loads[:, list(foot.points)] = force[:, None] / len(foot.points)
    events = [(time[i], 0 if down[i] else 1, foot) for i in np.flatnonzero(np.diff(down)) + 1 for foot in range(feet)]
    arrays = {
        "time_s": time, "root_position_m": root, "root_quaternion": turn, "joint_quaternions": joints, "com_m": root.copy(),
        "com_velocity_m_s": np.zeros((count, 3)), "contact": np.repeat(down[:, None], feet, axis=1), "grf_n": grf,
        "contact_point_m": contact_point_positions(body, *segment_poses(body, root, turn, joints)),
        "contact_point_force_n": loads, "torque_nm": np.ones((count, body.degrees_of_freedom - body.root_freedom)),
        "event_time_s": np.array([e[0] for e in events]), "event_kind": np.array([e[1] for e in events], dtype=int),
        "event_side": np.array([e[2] for e in events], dtype=int),
    }
    return Take(Shot(duration_s=max(seconds, 0.5)), body, arrays, stats or {"time_fell_s": None, "lost": None}, channels or {})
