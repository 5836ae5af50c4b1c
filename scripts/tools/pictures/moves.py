# SPDX-License-Identifier: GPL-3.0-or-later
"""Pictures of the library of moves: what comes out of it where it is steered, without a simulation."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from lope.addon.bodies.body import Body
from lope.addon.bodies.kinematics import segment_poses
from lope.addon.bodies.makers import make_body
from lope.addon.controllers.follow.moves.source import LibrarySource
from lope.addon.maths.quaternions import matrix_from_quat, quat_multiply, quat_rotate
from lope.addon.motions.fragment import RATE_HZ, StreamState, Wish
from lope.addon.reports.charts import new_figure
from lope.addon.specs.shot import BodySpec

from .sticks import Moment, draw_row

MOMENTS = 11
ROWS = (
    ("walk at\n0.5 m/s", (Wish(speed_m_s=0.5), 5), (Wish(speed_m_s=0.5), 2)),
    ("walk at\n1.9 m/s", (Wish(speed_m_s=1.9), 8), (Wish(speed_m_s=1.9), 4)),
    ("turn left\nby 90 degrees", (Wish(speed_m_s=1.1), 4), (Wish(speed_m_s=1.1, turn_rad=0.5 * math.pi), 4)),
    ("turn left\nby 120 degrees,\na blend", (Wish(speed_m_s=1.1), 4), (Wish(speed_m_s=1.1, turn_rad=math.radians(120.0)), 4)),
    ("stop", (Wish(speed_m_s=1.0), 5), (Wish(speed_m_s=0.0), 3)),
    ("turn right on\nthe spot", (Wish(), 1), (Wish(gait="stand", turn_rad=-2.2), 4)),
    ("march", (Wish(gait="march"), 4), (Wish(gait="march"), 3)),
    ("from a march\ninto a run", (Wish(gait="march"), 4), (Wish(gait="run"), 6)),
)
"""What is said of a row, the wish before it and for how many fragments, and the wish that it shows."""


def moves():
    """Rows of figures: walks, turns, a stop, a turn on the spot, a march, and how it becomes a run."""
    body = make_body(BodySpec())
    figure, axes = new_figure(11.0, 2.2 * len(ROWS), len(ROWS))
    for axis, (label, before, shown) in zip(axes, ROWS, strict=True):
        draw_row(axis, body, played(body, before, shown), label)
    return figure


def played(body: Body, before: tuple[Wish, int], shown: tuple[Wish, int]) -> list[Moment]:
    """Moments of the fragments that answer the second wish, laid one behind the other, the first facing right."""
    source, state = LibrarySource(body), StreamState(None)
    for _ in range(before[1]):
        state = StreamState(source.next(state, before[0]))
    wish, laid = shown[0], []
    for _ in range(shown[1]):
        fragment = source.next(state, wish)
        laid.append(_laid(laid, fragment.root_m, fragment.root_quaternion, fragment.joint_quaternions))
        state = StreamState(fragment)
        if wish.turn_rad is not None:
            wish = Wish(wish.speed_m_s, None, wish.turn_rad - fragment.turn_rad, wish.gait)
    root, quats, joints = (np.concatenate(parts) for parts in zip(*laid, strict=True))
    rows = np.linspace(0, len(root) - 1, MOMENTS).astype(int)
    positions, orientations = segment_poses(body, root[rows], quats[rows], joints[rows])
    return [Moment(p, q, f"{row / RATE_HZ:.1f} s") for p, q, row in zip(positions, orientations, rows, strict=True)]


def _laid(before: Sequence[tuple[np.ndarray, np.ndarray, np.ndarray]], root: np.ndarray, quats: np.ndarray,
          joints: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """A fragment laid where the last one ends."""
    to, place = (_yaw(before[-1][1][-1]), before[-1][0][-1]) if before else (0.0, np.zeros(3))
    angle = 0.5 * (to - _yaw(quats[0]))
    turn = np.array([math.cos(angle), 0.0, 0.0, math.sin(angle)])
    turned = quat_rotate(turn, root)
    return turned + (place - turned[0]) * [1.0, 1.0, 0.0], quat_multiply(turn, quats), joints


def _yaw(quat: np.ndarray) -> float:
    forward = matrix_from_quat(quat)[:, 0]
    return math.atan2(forward[1], forward[0])
