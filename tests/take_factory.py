# SPDX-License-Identifier: GPL-3.0-or-later
"""A made-up walking take whose measures are known beforehand. Its limbs do not move; its feet's points do."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from lope.addon.bodies.body import Body
from lope.addon.bodies.human.landmarks import SIDES
from lope.addon.bodies.makers import make_body
from lope.addon.sim.take import Take
from lope.addon.specs.shot import BodySpec, Shot, World

STATS = {"planned_speed_m_s": 1.2, "planned_stride_frequency_hz": 0.8, "qp_solves": 2400, "qp_fallbacks": 3,
         "time_fell_s": None}


@dataclass(frozen=True)
class Walk:
    """What the take shows. Each foot is down for `duty` of its cycle, the right half a cycle after the left by default."""

    speed: float = 1.2
    frequency: float = 0.8
    duty: float = 0.6
    heading: float = 0.0
    turn_rate: float = 0.0
    bob: float = 0.02
    height: float = 0.95
    slip: float = 0.0
    depth: float = 0.0
    load: float = 1.0
    seconds: float = 10.0
    rate: float = 100.0
    gravity: float = 9.81
    pose_error: float = 2.0
    right: float = 0.5  # when in the left foot's cycle the right one lands


def phase_of(walk: Walk, time: np.ndarray, foot: int) -> np.ndarray:
    """Cycles since the foot's first strike at t = 0 (left) or its share of a cycle later (right)."""
    return time * walk.frequency - walk.right * foot


def make_take(walk: Walk, body: Body | None = None, stats: dict | None = None) -> Take:
    """A take of that walk: contacts, footprints, forces and events agree with one another."""
    body = body or make_body(BodySpec())
    time = np.arange(0.0, walk.seconds + 0.5 / walk.rate, 1.0 / walk.rate)
    count, points, dofs = len(time), len(body.contact_points), body.degrees_of_freedom
    forward = np.array([np.cos(walk.heading), np.sin(walk.heading)])
    weight = body.mass_kg * walk.gravity
    com = np.zeros((count, 3))
    com[:, :2] = walk.speed * time[:, None] * forward
    com[:, 2] = walk.height + 0.5 * walk.bob * np.sin(4 * np.pi * walk.frequency * time)
    yaw = walk.heading + walk.turn_rate * time
    contact = np.zeros((count, 2), bool)
    places = np.zeros((count, points, 3))
    forces = np.zeros((count, points))
    for foot, side in enumerate(SIDES):
        phase = phase_of(walk, time, foot)
        cycle = np.floor(phase + 1e-9)
        within = phase - cycle
        contact[:, foot] = within < walk.duty - 1e-9
        stride = walk.speed / walk.frequency
        here = [i for i, p in enumerate(body.contact_points) if p.side == side]
        along = (cycle + 0.5 * foot) * stride + walk.slip * np.clip(within / walk.duty, 0.0, 1.0)
        places[:, here, :2] = along[:, None, None] * forward
        places[:, here, 2] = np.where(contact[:, foot], -walk.depth, 0.05)[:, None]
        forces[:, here] = contact[:, foot, None] * walk.load * weight / (2.0 * walk.duty) / len(here)
    grf = np.zeros((count, 2, 3))
    for foot, side in enumerate(SIDES):
        grf[:, foot, 2] = forces[:, [p.side == side for p in body.contact_points]].sum(axis=1)
    kinds, sides, times = events_of(walk)
    quaternion = np.zeros((count, 4))
    quaternion[:, 0], quaternion[:, 3] = np.cos(yaw / 2), np.sin(yaw / 2)
    joints = np.zeros((count, len(body.segments) - 1, 4))
    joints[..., 0] = 1.0
    velocity = np.gradient(com, time, axis=0)
    arrays = {
        "time_s": time, "root_position_m": com.copy(), "root_quaternion": quaternion, "joint_quaternions": joints,
        "com_m": com, "com_velocity_m_s": velocity, "contact": contact, "grf_n": grf, "contact_point_m": places,
        "contact_point_force_n": forces, "torque_nm": np.full((count, dofs - 6), -7.0), "plan_com_m": com.copy(),
        "plan_footstep_m": np.zeros((0, 3)), "plan_footstep_time_s": np.zeros(0), "plan_footstep_side": np.zeros(0, int),
        "plan_heading_rad": yaw, "pose_error_deg": np.full(count, walk.pose_error),
        "event_time_s": times, "event_kind": kinds, "event_side": sides,
    }
    shot = Shot(world=World("test", walk.gravity), duration_s=walk.seconds, seed=5)
    return Take(shot, body, arrays, {**STATS, **(stats or {})})


def events_of(walk: Walk) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Kinds, sides and times of all strikes and offs within the take."""
    events = []
    for foot in (0, 1):
        for cycle in range(int(walk.seconds * walk.frequency) + 1):
            strike = (cycle + walk.right * foot) / walk.frequency
            events += [(strike, 0, foot), (strike + walk.duty / walk.frequency, 1, foot)]
    events = sorted(e for e in events if e[0] <= walk.seconds)
    times, kinds, sides = zip(*events, strict=True)
    return np.array(kinds), np.array(sides), np.array(times)
