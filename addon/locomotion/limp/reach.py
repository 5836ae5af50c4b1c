# SPDX-License-Identifier: GPL-3.0-or-later
"""Hands ahead of a fall: what the muscles of arms and neck still do when somebody who stood goes down. The hands reach for the
ground under and ahead of the shoulders, in the direction in which the trunk falls: to the front, to the back with bent elbows,
to the side with the near arm alone; the head is turned up from the ground. Each joint is drawn to a pose by a spring that is no
stronger than its muscles, and damped. An arm that touches the ground gives: its spring lets go, its damping stays."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from ...bodies.body import Body, PassiveJoint
from ...bodies.state import BodyState
from ...maths.rotations import quat_from_rotvec, quat_rotate
from ...specs.shot import EARTH_GRAVITY_M_S2
from .joints import rotation_vector, to_torque

STRENGTH = 10.0
"""A joint's strongest moment over what its relaxed tissue gives at the end of its range: 60 N m at an adult's shoulder, 40 at
the elbow, 50 at the neck (first guess, as strong as people are)."""
SOFT_RAD = 0.5
"""So far from its aim a joint's muscles pull with all their strength, on Earth (first guess)."""
DAMPED_S = 0.07
"""Damping over stiffness, on Earth: an arm comes to its aim without swinging past (first guess)."""
ROUSED_S = 0.03
"""Time in which the muscles come on, on Earth (first guess)."""
LEAD = 0.5
"""How far ahead of the shoulder the hand is to touch, over how far below."""
STRAIGHT, BENT, PRESS = 0.95, 0.6, 0.15
"""The way from shoulder to hand over the arm's length: at most, at least, and how far below the ground the hand is aimed."""
GIVE_S, NEAR = 0.06, 0.1
"""Time in which an arm's spring lets go at the ground, on Earth, and how near that is, over the arm's length (first guess)."""
BEHIND = 0.15
"""How much shorter it is at most behind the back."""
TUCK_RAD = 0.35
"""How far each joint under the head bends away from the ground."""
LOOSE = 0.9
"""How much of a joint's range is reached for."""


@dataclass(frozen=True)
class _Drawn:
    """A joint that is drawn to a pose: where its coordinates and velocities are, its tissue, and the child's segment."""

    place: int
    column: int
    joint: PassiveJoint
    segment: str


class Reach:
    """The muscles of arms and neck of a body through a fall. `strength` scales them, 0 to 1."""

    def __init__(self, body: Body, state: BodyState, strength: float) -> None:
        self._state, self._strength = state, strength
        drawn = _joints(body)
        self._chest = state.frame(body.pushed("chest")[0])
        self._neck = [drawn[name] for name in ("neck", "head") if name in drawn]
        self._arms = [_Arm(body, state, drawn, side) for side in "LR" if f"upper_arm_{side}" in drawn and f"hand_{side}" in drawn]
        self._fall_s: float | None = None

    def draw(self, let_go_s: float, gravity_m_s2: float, torque: np.ndarray, damping: np.ndarray, step_s: float) -> None:
        """Add the muscles' moments (nv - r,) [N m] and damping [N m s] in the state as it is."""
        slow = math.sqrt(EARTH_GRAVITY_M_S2 / gravity_m_s2)
        chest, trunk = self._chest.position, self._chest.matrix
        height = max(float(chest[2] - self._state.ground.height(chest[0], chest[1])), 0.0)
        if self._fall_s is None:
            self._fall_s = math.sqrt(2.0 * height / gravity_m_s2)
        late_s = let_go_s - self._fall_s
        share = self._strength * (1.0 - math.exp(-let_go_s / (ROUSED_S * slow)))
        share *= min(1.0, math.exp(-2.0 * late_s / self._fall_s))
        ahead = self._state.velocity_of(self._chest)[:2] + math.sqrt(gravity_m_s2 * height) * trunk[:2, 2]
        ahead = np.append(ahead / max(float(np.linalg.norm(ahead)), 1e-6), 0.0)
        stiff = share / (SOFT_RAD * slow**2)

        def pull(drawn: _Drawn, aim: np.ndarray, used: float, left: float = 1.0) -> None:
            """Towards an aim; of the spring is this `left`. Straight in rotation vectors, so that a ball stays in its range."""
            here = self._state.qpos[drawn.place:drawn.place + 4]
            vector = rotation_vector(here[None])[0] if len(aim) == 3 else here[:1]
            away = vector - aim
            most = STRENGTH * drawn.joint.end_nm * used
            size = most * stiff * float(np.linalg.norm(away))
            part = slice(drawn.column, drawn.column + len(away))
            pulled = -left * most * stiff * away * min(1.0, most * share / max(size, 1e-9))
            torque[part] += to_torque(vector[None], pulled[None])[0] if len(aim) == 3 else pulled
            damping[part] += most * stiff * (DAMPED_S * slow + step_s)

        up = np.array([-ahead[0], -ahead[1], 1.0])
        tuck = trunk.T @ np.cross(trunk[:, 2], up / math.sqrt(2.0)) * TUCK_RAD
        for drawn in self._neck:
            pull(drawn, within(tuck, drawn.joint), 1.0)
        for arm in self._arms:
            near = float(np.clip(1.0 + arm.outwards(trunk) @ (ahead - [0.0, 0.0, 1.0]), 0.0, 1.0))
            if near > 0.0:
                aim, bend = arm.aim(self._state, ahead, trunk)
                left = math.exp(-arm.touched_for(self._state, let_go_s) / (GIVE_S * slow))
                pull(arm.shoulder, aim, near, left)
                pull(arm.elbow, np.array([bend]), near, left)


class _Arm:
    def __init__(self, body: Body, state: BodyState, drawn: dict[str, _Drawn], side: str) -> None:
        self.shoulder, self.elbow = drawn[f"upper_arm_{side}"], drawn[f"forearm_{side}"]
        self._out = 1.0 if side == "L" else -1.0
        forearm, hand = body.segment(self.elbow.segment), body.segment(f"hand_{side}")
        self._upper, self._lower = np.asarray(forearm.offset), np.asarray(hand.offset) + np.asarray(hand.com)
        self._axis = np.asarray(forearm.axis)
        self._frame = state.frame(self.shoulder.segment)
        self._low = [state.frame(name) for name in (forearm.name, hand.name)]
        self._touched_s: float | None = None
        self._parent = state.frame(str(body.segment(self.shoulder.segment).parent))

    def outwards(self, trunk: np.ndarray) -> np.ndarray:
        """The way out of the trunk on the arm's side, in the world."""
        return self._out * trunk[:, 1]

    def touched_for(self, state: BodyState, now_s: float) -> float:
        """For how long [s] elbow or wrist have been down."""
        if self._touched_s is None:
            near_m = NEAR * (np.linalg.norm(self._upper) + np.linalg.norm(self._lower))
            if all(f.position[2] - state.ground.height(*f.position[:2]) > near_m for f in self._low):
                return 0.0
            self._touched_s = now_s
        return now_s - self._touched_s

    def aim(self, state: BodyState, ahead: np.ndarray, trunk: np.ndarray) -> tuple[np.ndarray, float]:
        """The shoulder's rotation vector and the elbow's angle that bring the hand to the ground."""
        way = (LEAD * ahead - [0.0, 0.0, 1.0]) / math.hypot(LEAD, 1.0)
        place = self._frame.position
        over = float(place[2] - state.ground.height(place[0], place[1]))
        a, b = float(np.linalg.norm(self._upper)), float(np.linalg.norm(self._lower))
        straight = STRAIGHT - BEHIND * max(0.0, -float(trunk[:, 0] @ ahead))
        far = (a + b) * float(np.clip(over / -way[2] / (a + b) + PRESS, BENT, straight))
        bend = math.acos(float(np.clip((far**2 - a**2 - b**2) / (2.0 * a * b), -1.0, 1.0)))
        joint = self.elbow.joint
        bend = float(np.clip(bend, joint.low[0], joint.high[0]))
        hand = self._upper + quat_rotate(quat_from_rotvec(bend * self._axis), self._lower)
        return within(between(hand, self._parent.matrix.T @ way), self.shoulder.joint), bend


def _joints(body: Body) -> dict[str, _Drawn]:
    found, place, column = {}, body.root_coordinates, 0
    for segment in body.segments[1:]:
        found[segment.name] = _Drawn(place, column, body.passive_joint(segment.name), segment.name)
        place, column = (place + 4, column + 3) if segment.joint == "ball" else (place + 1, column + 1)
    return found


def between(one: np.ndarray, other: np.ndarray) -> np.ndarray:
    """Rotation vector (3,) [rad] of the shortest turn from one direction (3,) to another."""
    axis = np.cross(one, other)
    sine = float(np.linalg.norm(axis))
    return axis * (math.atan2(sine, float(one @ other)) / max(sine, 1e-9))


def within(aim: np.ndarray, joint: PassiveJoint) -> np.ndarray:
    """A ball's rotation vector (3,) [rad], brought into its loose range."""
    ends = LOOSE * np.where(aim < 0.0, joint.low, joint.high)
    return aim / max(1.0, float(np.linalg.norm(aim / ends)))
