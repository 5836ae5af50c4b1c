# SPDX-License-Identifier: GPL-3.0-or-later
"""A creature's walk made by hand: the trunk goes ahead and sways, neck and tail swing, feet stand and step, and slip a little."""

from __future__ import annotations

import numpy as np

from lope.addon.bodies.creature.body import make_creature
from lope.addon.bodies.kinematics import contact_point_positions
from lope.addon.maths.curves import smoothstep
from lope.addon.maths.rotations import quat_conjugate, quat_from_rotvec, quat_multiply, quat_rotate
from lope.addon.rigs.bake.leg import move_leg
from lope.addon.rigs.bake.own_motion import OwnMotion
from lope.addon.sim.take import Take
from lope.addon.specs import motions
from lope.addon.specs.creature import Creature
from lope.addon.specs.shot import BodySpec, Shot

RATE, STEP_S = 125.0, 0.5
"""Samples a second; the time of a step, of which a foot stands for one and a bit and swings for the rest of two."""
STANDS = 0.6
"""Of two steps: the share in which a foot stands."""


def creature_walk(creature: Creature, seconds: float = 3.0, speed: float = 0.5, slip_m: float = 0.015) -> Take:
    """A Take of it. Each stance slips by `slip_m`, turning a little, as no planted foot does."""
    body = make_creature(creature)
    time = np.arange(round(seconds * RATE) + 1) / RATE
    joints = np.array([part.joint_m for part in creature.parts])
    leg = body.leg_length_m
    sways = 0.02 * leg * np.sin(np.pi * time / STEP_S)
    root = joints[0] + np.column_stack([speed * time, sways, np.full(len(time), -0.06 * leg)])
    turns = np.zeros((len(time), len(body.segments), 4))
    for i, part in enumerate(creature.parts):
        sway = 0.04 if part.parent is None else 0.0 if part.kind == "leg" else 0.15
        own = quat_from_rotvec(sway * np.sin(np.pi * time / STEP_S - 0.4 * i)[:, None] * np.array([0.3, 0.4, 0.85]))
        turns[:, i] = own if part.parent is None or part.kind == "leg" else quat_multiply(turns[:, body.index[part.parent]], own)
    for i, part in enumerate(creature.parts):
        if part.kind == "leg":
            turns[:, i] = turns[:, 0]
    places = np.empty((len(time), len(body.segments), 3))
    places[:, 0] = root
    for i, segment in enumerate(body.segments[1:], start=1):
        above = body.index[segment.hangs_on]
        places[:, i] = places[:, above] + quat_rotate(turns[:, above], np.broadcast_to(segment.offset, root.shape))
    motion = OwnMotion(body, places, turns, frozenset(body.index), 1.0)
    places, turns = places.copy(), turns.copy()
    contact = np.zeros((len(time), 2), dtype=bool)
    for side, foot in enumerate(body.feet):
        row = body.index[foot.segment]
        goal, stands, yaw = _foot(time, joints[row], side, speed, leg, slip_m)
        motion.turns[:, row] = [1.0, 0.0, 0.0, 0.0]
        move_leg(motion, places, turns, foot.name, goal - motion.places[:, row], yaw)
        contact[:, side] = stands
    return _take(creature, body, time, places, turns, contact)


def _foot(time: np.ndarray, joint: np.ndarray, side: int, speed: float, leg: float,
          slip_m: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Where a foot's joint goes (T, 3), whether it stands (T,), and how it turns (T,)."""
    phase = (time / (2.0 * STEP_S) + 0.5 * side) % 1.0
    cycle = np.floor(time / (2.0 * STEP_S) + 0.5 * side)
    stands = phase < STANDS
    swung = smoothstep((phase - STANDS) / (1.0 - STANDS))
    way = 2.0 * STEP_S * speed
    goal = np.tile(joint, (len(time), 1))
    slip = np.where(stands, phase / STANDS, 1.0 - swung)
    goal[:, 0] += way * (cycle - 0.5 * side + 0.25 + swung) + slip_m * slip
    goal[:, 1] += 0.5 * slip_m * slip
    goal[:, 2] += np.where(stands, 0.0, 0.08 * leg * np.sin(np.pi * np.clip((phase - STANDS) / (1.0 - STANDS), 0.0, 1.0)))
    return goal, stands, 0.05 * slip


def _take(creature: Creature, body, time: np.ndarray, places: np.ndarray, turns: np.ndarray, contact: np.ndarray) -> Take:
    parents = [body.index[segment.hangs_on] for segment in body.segments[1:]]
    points = contact_point_positions(body, places, turns)
    weight = body.mass_kg * 9.81 / np.maximum(contact.sum(axis=1), 1)
    loads = np.zeros(points.shape[:2])
    grf = np.zeros((len(time), 2, 3))
    for side, foot in enumerate(body.feet):
        loads[:, list(foot.points)] = (contact[:, side] * weight / len(foot.points))[:, None]
        grf[:, side, 2] = contact[:, side] * weight
    events = [(time[i], 0 if contact[i, side] else 1, side) for side in (0, 1)
              for i in np.flatnonzero(np.diff(contact[:, side])) + 1]
    events.sort()
    arrays = {
        "time_s": time, "root_position_m": places[:, 0], "root_quaternion": turns[:, 0],
        "joint_quaternions": quat_multiply(quat_conjugate(turns[:, parents]), turns[:, 1:]), "com_m": places[:, 0].copy(),
        "com_velocity_m_s": np.gradient(places[:, 0], time, axis=0), "contact": contact, "grf_n": grf, "contact_point_m": points,
        "contact_point_force_n": loads, "torque_nm": np.zeros((len(time), body.degrees_of_freedom - body.root_freedom)),
        "event_time_s": np.array([e[0] for e in events]), "event_kind": np.array([e[1] for e in events], dtype=int),
        "event_side": np.array([e[2] for e in events], dtype=int),
    }
    shot = Shot(body=BodySpec(kind="creature", creature=creature), motion=motions.Creature(), duration_s=float(time[-1]))
    return Take(shot, body, arrays, {"time_fell_s": None, "lost": None}, {})
