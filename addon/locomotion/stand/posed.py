# SPDX-License-Identifier: GPL-3.0-or-later
"""A stance as an artist posed it: from the turns of the joints to where the feet stand, where the weight is, how all is held."""

from __future__ import annotations

import cmath
import math
from dataclasses import dataclass

import numpy as np

from ...bodies.body import Body
from ...bodies.human.landmarks import SIDES
from ...bodies.human.load import carrying_pose
from ...bodies.kinematics import contact_point_positions, segment_poses
from ...bodies.model import build_model
from ...bodies.state import BodyState
from ...errors import InputError, unknown_name
from ...maths.rotations import Quaternion, Vector, from_rotvec, inverse, product, rotated, rotvec_from_quat, z_turn
from ...specs.motions import HELD_LEGS, StancePose
from ...specs.shot import World
from ..legged.foot_geometry import FootGeometry
from .planner import StandingPlanner
from .pose import StandingPose
from .stance import APART_LEGS, OTHER, SOLE_AHEAD, HeldFoot, Stance, hull, nearest

INSIDE = 0.02
"""The weight rests at least so far inside the soles' edge, over the leg's length (first guess)."""
FLAT_RAD = math.radians(8.0)
"""A standing foot posed with its heel higher stands on its ball, where another one is flat; every other one is flat."""


@dataclass(frozen=True)
class Posed:
    """What a pose comes to on a body: its stance, its coordinates (nq,) with the root at no place, the pelvis from where the body
    faces, the height of the centre of mass over the ground [m], the axes of the knees in the pelvis' frame by side, the standing
    feet's pitches [rad], and how far the weight had to be moved to be over the soles [m]."""

    stance: Stance
    coordinates: np.ndarray
    pelvis: Quaternion
    height_m: float
    knees: dict[str, Vector]
    pitches: dict[str, float]
    moved_m: float


def coordinates(pose: StancePose, state: BodyState) -> np.ndarray:
    """Coordinates (nq,) of a pose, the root at no place. Raises InputError for a segment that the body does not have."""
    q, body = state.model.qpos0.copy(), state.body
    q[:3] = 0.0
    for name, turn in pose.turns.items():
        if name not in body.index:
            raise unknown_name("segment of the body", name, body.index)
        segment = body.segment(name)
        at = 3 if name == body.segments[0].name else int(state.model.joint(name).qposadr[0])
        if segment.joint == "hinge":
            low, high = segment.range_rad
            q[at] = min(max(float(np.dot(turn, np.asarray(segment.axis))), low), high)
        else:
            q[at:at + 4] = from_rotvec(turn)
    return carrying_pose(q, body)


def posed(pose: StancePose, state: BodyState) -> Posed:
    """What a pose comes to on the body of a state. Raises InputError for one that stands on nothing."""
    q, body = coordinates(pose, state), state.body
    here = BodyState(body, state.model)
    here.update(q, np.zeros(state.model.nv))
    rows = {side: [i for i, p in enumerate(body.contact_points) if p.side == side] for side in SIDES}
    lows = {side: float(here.contact_height_m[rows[side]].min()) for side in SIDES}
    ground, leg = min(lows.values()), body.leg_length_m
    if float(here.com[2]) - ground < 0.5 * leg or float(here.data.xmat[1].reshape(3, 3)[2, 2]) < 0.0:
        raise InputError("This pose does not stand: its weight is lower than its knees would be. Pose it on its feet.")
    stands = tuple(side for side in SIDES if lows[side] - ground < HELD_LEGS * leg)
    one_leg = "" if len(stands) == 2 else stands[0]
    geometry = {side: FootGeometry(body, side) for side in SIDES}
    frames = {side: here.frame(f"foot_{side}") for side in SIDES}
    ways = {side: frames[side].matrix[:, 0] for side in SIDES}
    yaws = {side: math.atan2(float(way[1]), float(way[0])) for side, way in ways.items()}
    pitches = {side: math.asin(min(max(-float(way[2]), -1.0), 1.0)) for side, way in ways.items()}
    places = {side: geometry[side].place_of(frames[side].position, yaws[side], pitches[side]) for side in SIDES}
    forward = here.data.xmat[1].reshape(3, 3)[:, 0]
    face = cmath.phase(sum((cmath.exp(1j * yaws[side]) for side in stands), complex(forward[0], forward[1])))
    raised = {side: pitches[side] if side in stands and pitches[side] > FLAT_RAD else 0.0 for side in SIDES}
    if all(raised[side] for side in stands):  # the balls alone are too little to stand on for long
        raised = dict.fromkeys(SIDES, 0.0)
    back = cmath.exp(-1j * face)
    apart = (places["L"] - places["R"]) * back if not one_leg else complex(0.0, APART_LEGS * leg)
    own = tuple(math.remainder(yaws[side] - face, math.tau) if side in stands else 0.0 for side in SIDES)
    sole_m = SOLE_AHEAD * geometry["L"].ball_x
    middle = sum((places[side] + sole_m * cmath.exp(1j * yaws[side]) for side in stands), 0j) / len(stands)
    spots = [[places[side] + cmath.exp(1j * yaws[side]) * complex(x, y * geometry[side].half_width_m)
              for x in (geometry[side].heel_x, geometry[side].ball_x) for y in (-1.0, 1.0)] for side in stands]
    corners = hull(np.array([[p.real, p.imag] for one in spots for p in one]))
    com = complex(float(here.com[0]), float(here.com[1]))
    over = _inside(com, corners, middle, INSIDE * leg)
    held = _held(here, one_leg, places, yaws, ground) if one_leg else None
    stance = Stance(apart.imag, apart.real, sole_m, leg, one_leg, (own[0], own[1]), (over - middle) * back, face, held)
    pelvis = product(z_turn(-face), _quaternion(q[3:7]))
    return Posed(stance, q, pelvis, float(here.com[2]) - ground, {side: _knee(q, state, side) for side in SIDES},
                 raised, abs(over - com))


def _inside(place: complex, corners: list[complex], middle: complex, margin_m: float) -> complex:
    """The place, or the one nearest to it on the way to the middle that is well inside a hull."""
    low, high = 0.0, 1.0
    if nearest(place, corners)[1] <= -margin_m:
        return place
    for _ in range(12):
        share = 0.5 * (low + high)
        low, high = (low, share) if nearest(place + share * (middle - place), corners)[1] <= -margin_m else (share, high)
    return place + high * (middle - place)


def _held(here: BodyState, one_leg: str, places: dict[str, complex], yaws: dict[str, float], ground: float) -> HeldFoot:
    side = OTHER[one_leg]
    frame, back = here.frame(f"foot_{side}"), z_turn(-yaws[one_leg])
    way = rotated(back, (float(frame.position[0]) - places[one_leg].real, float(frame.position[1]) - places[one_leg].imag, 0.0))
    toe = float(here.qpos[int(here.model.joint(f"toes_{side}").qposadr[0])]) if f"toes_{side}" in here.body.index else 0.0
    return HeldFoot((way[0], way[1], float(frame.position[2]) - ground), product(back, _quaternion(frame.quaternion)), toe)


def _knee(q: np.ndarray, state: BodyState, side: str) -> Vector:
    at = int(state.model.joint(f"thigh_{side}").qposadr[0])
    return rotated(_quaternion(q[at:at + 4]), np.asarray(state.body.segment(f"shank_{side}").axis).tolist())


def _quaternion(values: np.ndarray) -> Quaternion:
    w, x, y, z = (float(value) for value in values)
    return w, x, y, z


class PosedPose(StandingPose):
    """Builds coordinates of a body that holds itself as it was posed."""

    def __init__(self, state: BodyState, posed_: Posed) -> None:
        self._posed = posed_
        super().__init__(state)
        self._pelvis = posed_.pelvis
        turned = rotated(product(posed_.pelvis, inverse(_quaternion(posed_.coordinates[3:7]))), self._upper)
        self._upper = turned

    def _resting(self, body: Body, neutral: np.ndarray) -> np.ndarray:
        return self._posed.coordinates.copy()

    def _fly(self, q: np.ndarray, arms: float, fall: complex) -> None:
        self._fly_from_own(q, arms, fall)

    def _knee_axis(self, side: str, sole: Quaternion) -> Vector:
        return self._posed.knees[side]


REACH = 0.997
"""Longest standing leg over a straight one."""


class PosedPlanner(StandingPlanner):
    """Plans balance about `stand.pose`. Raises InputError for a pose that does not stand."""

    def _make_stance(self, geometry: FootGeometry) -> Stance:
        if not isinstance(self.stand.pose, StancePose):
            raise TypeError("This stance was not posed.")
        self.posed = posed(self.stand.pose, self.state)
        self.heading = self.posed.stance.faces
        return self.posed.stance

    def _make_poses(self) -> StandingPose:
        return PosedPose(self.state, self.posed)

    def _settle(self) -> None:
        for side in self.feet.standing:
            self.feet[side].pitch = self.posed.pitches[side]
        rest, high = self.rest(), self.posed.height_m
        self._follow_ground(rest)
        feet = self._feet_poses(0.0, (0.0,))[0]
        for _ in range(3):
            self.poses.settle((rest.real, rest.imag, high + self.terrain.level_m), self.heading, feet)
            hips = self.poses.hips((rest.real, rest.imag, high + self.terrain.level_m), self.heading, 0j)
            high -= max(self.poses.shortfall(hips, feet, self.feet.standing, REACH), 0.0)
        self.height_m = self.stepping.height_m = high
        self.omega = math.sqrt(self.gravity_m_s2 / high)

    def _roll(self, side: str, pitch: float, most: float, dt: float) -> None:
        own = self.posed.pitches[side] if self.stepping.in_place else 0.0
        super()._roll(side, own if abs(pitch) < own else pitch, most, dt)


DIGITS = 4
"""Decimals of the turns [rad] that are kept; a smaller one is none."""


def stance_from_pose(body: Body, place: np.ndarray, turns: np.ndarray) -> tuple[StancePose, Posed]:
    """The stance of a body whose root is at `place` (3,) [m] over level ground at height 0, with `turns` (S, 4), the root's
    first, each other one relative to its parent; and what it comes to. Raises InputError for a pose with no foot on the ground,
    or one that does not stand."""
    places, orientations = segment_poses(body, place[None], turns[None, 0], turns[None, 1:])
    over_m = float(contact_point_positions(body, places, orientations)[0, :, 2].min())
    if over_m > HELD_LEGS * body.leg_length_m:
        raise InputError(f"No foot is on the ground: the lower one is {100.0 * over_m:.0f} cm above it. Lower the hips until it "
                         "stands.")
    vectors = np.round(rotvec_from_quat(turns), DIGITS)
    names = (body.segments[0].name, *body.joint_segments)
    pose = StancePose({name: (x, y, z) for name, (x, y, z) in zip(names, vectors.tolist(), strict=True) if x or y or z})
    return pose, posed(pose, BodyState(body, build_model(body, World())))
