# SPDX-License-Identifier: GPL-3.0-or-later
"""From a phase to a motion: the key pose at its end, by inverse kinematics from the body as it is, and poses on the way to it in
which what is held stays where it is."""

from __future__ import annotations

import cmath
import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from ...maths.rotations import quat_conjugate, quat_from_rotvec, quat_multiply, rotvec_from_quat
from ...specs.shot import EARTH_GRAVITY_M_S2, World
from ...worlds.ground import Ground
from ..legged.targets import turn_quat
from .inverse import Aim, Poser, between
from .motion import Motion, rest_to_rest
from .phases import Build, Phase
from .support import Support

KNOTS = (0.25, 0.5, 0.75)
TURN_WEIGHT, PLACE_WEIGHT, LYING_WEIGHT = 3.0, 0.3, 3.0
NAMED_WEIGHT, FREE_WEIGHT = 0.3, 0.12
"""Weights of the pelvis' rotation and place, of joints that a phase names, and of others."""
FOOT = ("heel", "ball", "toe")
LIMBS = {"wrist": ("elbow", "wrist", "fingers"), "ball": FOOT, "toe": FOOT, "knee": ("knee",)}
"""What moves with a wrist, a ball, the toes, a knee."""
MOVES_M = 0.04
"""A part that goes farther than this is not held on the way."""


class PhasePlanner:
    """Plans one phase after the other. `heading` [rad] is where the head lies as it begins, `lead` the foot that comes first."""

    def __init__(self, support: Support, world: World, ground: Ground, lead: str = "L") -> None:
        self.support, self._state, self._ground = support, support.state, ground
        self.build = Build.of(support.body)
        self.poser = Poser(support.body, world, ground)
        self._columns = {name: self._of_joint(name) for name in support.body.joint_segments}
        self._rest = self._rest_pose()
        self.slow = math.sqrt(EARTH_GRAVITY_M_S2 / world.gravity_m_s2)
        self.lead, self.heading, self.origin, self._low = lead, 0.0, 0j, 0.0

    def _of_joint(self, name: str) -> tuple[int, int, int]:
        joint = self._state.model.joint(name)
        return int(joint.qposadr[0]), int(joint.dofadr[0]), 3 if self.support.body.segment(name).joint == "ball" else 1

    def _rest_pose(self) -> np.ndarray:
        pose = self._state.model.qpos0.copy()
        for name in self._columns:
            self._bend(pose, name, np.degrees(self.support.body.passive_joint(name).rest))
        return pose

    def _bend(self, pose: np.ndarray, name: str, angles_deg: Sequence[float]) -> None:
        place, _, size = self._columns[name]
        turn = np.radians(np.asarray(angles_deg, dtype=float))
        pose[place:place + (4 if size == 3 else 1)] = quat_from_rotvec(turn) if size == 3 else turn

    def begin(self) -> float:
        """The body's place and the way of its head are what all phases to come go by, and which foot leads: over that side it
        rolls from where it lies. Gives how far [rad] it is turned from lying prone, to the right in all plans."""
        turn = self._state.data.xmat[1].reshape(3, 3)
        forward, up = turn[:, 0], turn[:, 2]
        self._low = float(self._state.qpos[2] - (self._state.contact_point_m[self.support.torso, 2]).min())
        self.origin, self.heading = complex(*self._state.qpos[:2]), math.atan2(up[1], up[0])
        aside = forward[1] * math.cos(self.heading) - forward[0] * math.sin(self.heading)
        rolled = math.atan2(aside, -forward[2])
        self.lead = "R" if rolled > 0.0 else "L"
        return abs(rolled)

    def mirrored(self, name: str) -> str:
        """A part or segment of a plan for who leads with the left foot, of who leads with the other."""
        if self.lead == "L" or not name.endswith(("_L", "_R")):
            return name
        return name[:-1] + ("R" if name.endswith("L") else "L")

    def _flip(self, place: complex) -> complex:
        return place if self.lead == "L" else place.conjugate()

    def spot(self, name: str) -> complex:
        """Where a part is, in the plan's frame."""
        x, y, _ = self.support.place(self.mirrored(name))
        return self._flip((complex(x, y) - self.origin) * cmath.exp(-1j * self.heading))

    def _world(self, place: complex) -> complex:
        return self.origin + self._flip(place) * cmath.exp(1j * self.heading)

    def _on_ground(self, place: complex) -> np.ndarray:
        return np.array([place.real, place.imag, float(self._ground.height(place.real, place.imag))])

    def held(self, phase: Phase) -> list[str]:
        """The parts that a phase holds."""
        return [self.mirrored(name) for name in phase.held]

    def plan(self, phase: Phase) -> Motion:
        """The motion of a phase from the body as it is."""
        state, poser = self._state, self.poser
        start, com = state.qpos.copy(), state.com.copy()
        places, moving = self._places(phase), self.moving(phase)
        aim = self._aim(phase, places)
        end, _ = poser.best([start, aim.pose], aim)
        places = self._rolled(places, end, moving)
        aim = replace(aim, places=places)
        end, _ = poser.find(end, aim)
        poser.state.update(end, poser.still)
        there = poser.state.com.copy()
        begin = {i: state.contact_point_m[i].copy() for i in places}
        weights = aim.joints.copy()
        weights[6:] = NAMED_WEIGHT
        poses = [start]
        for s in KNOTS:
            way, bump = {}, 4.0 * s * (1.0 - s) * phase.lift
            clear = dict.fromkeys(moving.nonzero()[0].tolist(), bump) if phase.lies else {}
            for i, place in places.items():
                if i in clear:
                    continue
                way[i] = begin[i] + s * (place - begin[i])
                if float(np.linalg.norm((place - begin[i])[:2])) > MOVES_M:
                    way[i][2] += bump
            middle = Aim(between(state.model, start, end, s), weights, way, com + s * (there - com), clear)
            poses.append(poser.find(middle.pose, middle)[0])
        return Motion(state.model, (0.0, *KNOTS, 1.0), [*poses, end], phase.time_s * self.slow, rest_to_rest)

    def _rolled(self, places: dict[int, np.ndarray], end: np.ndarray, moving: np.ndarray) -> dict[int, np.ndarray]:
        """The places with what stays on the ground rolled on, as round as it is, by as much as its segment turns up to `end`."""
        state, there, found = self._state, self.poser.state, dict(places)
        there.update(end, self.poser.still)
        for i in places:
            point = self.support.body.contact_points[i]
            if not moving[i]:
                row = state.model.body(point.segment).id
                turn = rotvec_from_quat(quat_multiply(there.data.xquat[row], quat_conjugate(state.data.xquat[row])))
                found[i] = places[i] + point.radius_m * np.cross(turn, state.contact_normal[i])
        return found

    def goes(self, phase: Phase) -> set[str]:
        """The parts that go farther than a little."""
        found = set()
        for name, where in phase.places.items():
            if abs(self._world(where(self.spot)) - self._world(self.spot(name))) > MOVES_M:
                found.add(self.mirrored(name))
        return found

    def moving(self, phase: Phase) -> np.ndarray:
        """The points (P,) of limbs that go somewhere in a phase: nothing is to rest on them."""
        parts = [part for part in self.goes(phase) if not part.startswith("fingers")]
        return self.support.mask([f"{name}_{part[-1]}" for part in parts for name in LIMBS[part[:-2]]])

    def _places(self, phase: Phase) -> dict[int, np.ndarray]:
        """Where the points of what is held are to be (3,) [m], by row."""
        found: dict[int, np.ndarray] = {}
        for name in phase.held:
            where, part = phase.places.get(name), self.mirrored(name)
            ball = f"ball_{name[-1]}"
            rows = self.support.rows[part]
            if where is None and name[:-2] in ("toe", "heel") and ball in phase.places:
                target = self._world(phase.places[ball](self.spot))
                anchor = self.support.rows[self.mirrored(ball)]
            elif where is None:
                for i in rows:
                    x, y, _ = self._state.contact_point_m[i]
                    found[i] = self._on_ground(complex(x, y))
                continue
            else:
                target, anchor = self._world(where(self.spot)), rows
            middle = np.mean([self._in_foot(i) for i in anchor], axis=0)
            for i in rows:
                away = self._in_foot(i) - middle
                found[i] = self._on_ground(target + complex(away[0], away[1]) * cmath.exp(1j * self.heading))
        return found

    def _in_foot(self, i: int) -> np.ndarray:
        """A point's place in the frame of the foot that it is on, else in that of its segment."""
        point = self.support.body.contact_points[i]
        segment = self.support.body.segment(point.segment)
        return point.position + (segment.offset if point.segment.startswith("toes") else 0.0)

    def _aim(self, phase: Phase, places: dict[int, np.ndarray]) -> Aim:
        """What is asked of the pose at a phase's end."""
        state, pose = self._state, self._rest.copy()
        weights = np.full(state.model.nv, FREE_WEIGHT)
        for name, angles in phase.joints.items():
            segment = self.mirrored(name)
            if segment not in self._columns:
                continue
            mirrored = angles if segment == name or len(angles) == 1 else (-angles[0], angles[1], -angles[2])
            self._bend(pose, segment, mirrored)
            _, column, size = self._columns[segment]
            weights[column:column + size] = NAMED_WEIGHT
        pose[:7] = state.qpos[:7]
        weights[:3], weights[3:6] = LYING_WEIGHT if phase.lies else PLACE_WEIGHT, TURN_WEIGHT
        if phase.pitch is not None or phase.roll is not None:
            bowed = quat_from_rotvec(np.radians([0.0, 90.0 if phase.pitch is None else phase.pitch, 0.0]))
            rolled = turn_quat(math.radians(phase.roll or 0.0) * (1.0 if self.lead == "L" else -1.0))
            pose[3:7] = quat_multiply(turn_quat(self.heading), quat_multiply(bowed, rolled))
        if phase.roll is not None:
            weights[:2] = PLACE_WEIGHT
            pose[2] = self._ground.height(*pose[:2]) + self._low  # arms give way to the trunk, and do not prop it up
        com = np.full(3, np.nan)
        if phase.com is not None:
            there = self._world(phase.com(self.spot))
            com[:2] = there.real, there.imag
        return Aim(pose, weights, places, com)
