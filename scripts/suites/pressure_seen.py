# SPDX-License-Identifier: GPL-3.0-or-later
"""What a motion that was laid of pressure shows, for `check_pressure_motion` and `check_pressure_steps`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from lope.addon.bodies.kinematics import contact_point_positions, segment_poses
from lope.addon.maths.quaternions import quat_conjugate, quat_multiply, rotvec_from_quat
from lope.addon.motions.pressure.database import Database
from lope.addon.motions.pressure.laying import MOST_PACE
from lope.addon.motions.pressure.reading import Reading
from lope.addon.motions.pressure.recognition import QUIET
from lope.addon.motions.pressure.synthesis import Synthesis
from lope.addon.motions.pressure.warp import at_frames
from lope.addon.motions.responses.measuring import spans
from lope.addon.motions.responses.response import reference_body

BODY = reference_body()
ON_GROUND_M = 0.005


@dataclass(frozen=True)
class Seen:
    """What a motion shows: slip and depth [mm], jump beyond the clips' own [deg], jump and plain turn [deg], how far the root
    sinks [mm], and the joint and frame of the first jump."""

    slip_mm: float
    deep_mm: float
    beyond_deg: float
    jump_deg: float
    plain_deg: float
    sunk_mm: float
    where: str


def off(frames: np.ndarray, away: Callable[[np.ndarray, np.ndarray], np.ndarray]) -> np.ndarray:
    """Twice how far frames (N, ...) are off a cubic through the two before and the two after each; `away` tells from each to
    another."""
    middle = frames[2:-2]
    ways = [away(middle, frames[2 + k:len(frames) - 2 + k]) for k in (-2, -1, 1, 2)]
    return 2.0 * np.linalg.norm((4.0 * (ways[1] + ways[2]) - ways[0] - ways[3]) / 6.0, axis=-1)


def turned(one: np.ndarray, other: np.ndarray) -> np.ndarray:
    """From one orientation to another (..., 3) [deg]."""
    return np.degrees(rotvec_from_quat(quat_multiply(quat_conjugate(one), other)))


def slip_m(motion: Synthesis, points: np.ndarray) -> float:
    """The farthest that a planted point of (N, P, 3) goes over the ground while it is on it."""
    most = 0.0
    for f, foot in enumerate(BODY.feet):
        for k, part in enumerate(("heel", "ball")):
            for row in (i for i in foot.points if BODY.contact_points[i].kind == part):
                for begin, end in spans(motion.planted[:, f, k] & (points[:, row, 2] < ON_GROUND_M)):
                    places = points[begin:end, row, 0] + 1j * points[begin:end, row, 1]
                    most = max(most, float(max(np.abs(places - place).max() for place in places[::3])))
    return most


def own_jumps(database: Database) -> np.ndarray:
    """How far each joint jumps in each motion (M, S) [deg], when it is laid at one pace or another."""
    found = []
    for motion in database.motions:
        quats = np.concatenate([motion.turn[:, None], motion.joints], axis=1)
        paced = [at_frames(np.arange(0.0, len(motion) - 1.0, pace), quats) for pace in np.linspace(0.7, MOST_PACE, 9)]
        found.append(np.max([off(one, turned).max(axis=0) for one in paced], axis=0))
    return np.array(found)


def seen(reading: Reading, database: Database, own: np.ndarray) -> Seen:
    """What the motion of a reading shows."""
    motion, figure = reading.motion, reading.motion.figure
    points = contact_point_positions(BODY, *segment_poses(BODY, figure.root, figure.turn, figure.joints))
    quats = np.concatenate([figure.turn[:, None], figure.joints], axis=1)
    jumps, plain = off(quats, turned), np.linalg.norm(turned(quats[:-1], quats[1:]), axis=-1)
    ones = [one for one in (database.stance if run.row == QUIET else database.active[run.row] for run in reading.runs)
            if one is not None]
    clips = own[[database.motions.index(one) for one in ones]].max(axis=0)
    beyond = np.where(jumps > clips, jumps, 0.0)
    frame, joint = np.unravel_index(int(beyond.argmax()), beyond.shape)
    deep, sunk = -float(points[..., 2].min()), min(float(one.root[:, 2].min()) for one in ones) - float(figure.root[:, 2].min())
    return Seen(1e3 * slip_m(motion, points), 1e3 * max(deep, 0.0), float(beyond.max()), float(jumps.max()), float(plain.max()),
                1e3 * max(sunk, 0.0), f"{('root', *BODY.joint_segments)[joint]} at {int(frame) + 2}")
