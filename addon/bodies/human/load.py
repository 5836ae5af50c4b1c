# SPDX-License-Identifier: GPL-3.0-or-later
"""A carried load as part of the body: who carries it knows it. Its mass lies on the segments that bear it, arms that hold it stay
in one pose, found from their lengths, and the trunk leans against it. A load between the hands is not closed over them: half of
it is on each, and arms held alike keep them together."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...errors import BodyError, InputError
from ...maths.rotations import (
    matrix_from_quat,
    quat_conjugate,
    quat_from_matrix,
    quat_from_rotvec,
    quat_multiply,
)
from ...specs.load import ARMS, BACK, HAND, Load
from ..body import COORDINATES, Body, Capsule, Segment, joint_quaternions
from ..capsules import LEAST_RADIUS_M, body_capsules
from ..kinematics import centre_of_mass, segment_poses
from .suit import with_mass
from .tree import CENTRAL_CHAIN

SPINE, NECK, HIPS = ("lower_spine", "chest"), ("neck", "head"), ("thigh_L", "thigh_R")
TRUNK = ("pelvis", *SPINE)
"""What shares the lean, and joints that take it back, so that the eyes stay on the way and the legs where they go."""
LEANS = {BACK: 0.6}
"""How much of what a load moves the centre of mass by the trunk makes up for as it leans; the legs do the rest. On the back: the
line from hips to neck leans by about 7 and 11 degrees under 20 and 40 % of the body's weight (Kinoshita 1985, Ergonomics
28:1347)."""
OTHER_LEAN = 0.35
"""The same of a load in front or at one side: there a spine bends less (first guess, by strips)."""
OFF_LEGS = 0.05
"""How far a load may leave the centre of mass off its place over the hips, over the leg's length: for what moves it farther the
trunk leans more. With the hips 0.07 behind it a walk on Earth ran away with itself (measured)."""
LEAN_STEPS, LEAN_STEP_RAD = 6, 0.05
MOST_LEAN_RAD = np.radians([[-15.0, -30.0], [15.0, 30.0]])
"""The farthest that a trunk leans: to the left and back, to the right and forward."""
GRIP = 0.5
"""Where on a hand, from wrist to tip, a handle lies."""
BENT, LONGEST = 0.72, 0.96
"""Distance of shoulder and grip over the arm's length: elbows at about 90 degrees, and the most that an arm reaches."""
LEAST_DROP = 0.25
"""How far under the shoulder a grip is at least, over the arm's length."""
HANGS, AHEAD_RAD = 0.985, 0.05
"""The same of an arm that a bag stretches, and how far ahead it hangs."""
ROOM_M, HANDLE_M, PALM_M = 0.02, 0.06, 0.02
"""Between load and trunk or leg; height of a bag's handle; from the middle of a grip to what it holds."""
MOST_OUT_RAD = math.radians(20.0)
BELOW = 0.15
"""A crate is held this share of its height above its middle."""
UNDER = 0.75
"""How far under a load, from its back to its front, forearms reach."""
PALMS_UP_RAD = math.radians(70.0)
ON_TRUNK = 0.5
"""Share of a load in the arms that leans on the trunk (first guess)."""
ELBOWS = (-0.5, 0.25, -1.0)
"""Where the elbow of a left arm that holds something points to."""
SIDES = {"L": 1.0, "R": -1.0}


@dataclass(frozen=True)
class Carried:
    """How a body carries a load. `lean` is how far the trunk leans (to the right, forward) [rad] for the load, `tilt` with what
    it leans for a suit; `held` are the rotations (w-x-y-z) of joints that hold it, by segment; `borne` the load's middle (3,) [m]
    and its turn (4,) in the frame of each segment that bears it. Of what hangs from a hand that is its handle."""

    load: Load
    lean: tuple[float, float] = (0.0, 0.0)
    tilt: tuple[float, float] = (0.0, 0.0)
    held: Mapping[str, tuple[float, ...]] = dataclasses.field(default_factory=dict)
    borne: Mapping[str, tuple[float, ...]] = dataclasses.field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        held, borne = ({name: list(values) for name, values in table.items()} for table in (self.held, self.borne))
        return {"load": dataclasses.asdict(self.load), "lean": list(self.lean), "tilt": list(self.tilt), "held": held,
                "borne": borne}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Carried:
        lean, tilt = tuple(data["lean"]), tuple(data["tilt"])
        return cls(Load.from_dict(data["load"]), lean, tilt, {n: tuple(q) for n, q in data["held"].items()},
                   {n: tuple(p) for n, p in data["borne"].items()})


def carrying(root: np.ndarray, joints: np.ndarray, body: Body) -> tuple[np.ndarray, np.ndarray]:
    """The root's orientations (..., 4) and joint rotations (..., S-1, 4) of a body as it goes with empty hands, with what it
    carries: the trunk leant over the legs, arms held; themselves without a load."""
    carried = body.carries
    if carried is None:
        return root, joints
    found = joints.copy()
    turns = leaning(carried.tilt, body)
    for i, name in enumerate(body.joint_segments):
        own = joints[..., i, :]
        if name in turns:
            found[..., i, :] = quat_multiply(turns[name], own) if name in HIPS else quat_multiply(own, turns[name])
        if name in carried.held:
            found[..., i, :] = carried.held[name]
    return quat_multiply(root, turns[body.role("root")]), found


def carrying_pose(pose: np.ndarray, body: Body) -> np.ndarray:
    """The same of generalised coordinates (nq,)."""
    if body.carries is None:
        return pose
    found, at = pose.copy(), body.root_coordinates
    root, joints = carrying(pose[3:7], joint_quaternions(body, pose[None])[0], body)
    found[3:7] = root
    for segment, quat in zip(body.segments[1:], joints, strict=True):
        size = COORDINATES[segment.joint]
        found[at:at + size] = quat if size == len(quat) else hinge_angle(quat, segment)
        at += size
    return found


def arm_moments(body: Body) -> dict[str, float]:
    """What each joint of the arms that hold a load has to bear while the body stands, over gravity [N m / (m/s^2)]."""
    joints = np.array([body.carries.held.get(name, _ONE) for name in body.joint_segments])
    root = quat_from_rotvec(np.array([*body.carries.tilt, 0.0]))
    places, turns = segment_poses(body, np.zeros(3), root, joints)
    coms = [place + matrix_from_quat(turn) @ segment.com
            for segment, place, turn in zip(body.segments, places, turns, strict=True)]
    found = {}
    for name in body.carries.held:
        beyond = [i for i, segment in enumerate(body.segments) if name in body.way_to(segment.name)]
        away = sum(body.segments[i].mass_kg * (coms[i] - places[body.index[name]]) for i in beyond)
        found[name] = float(np.hypot(away[0], away[1]))
    return found


def hinge_angle(quat: np.ndarray, segment: Segment) -> float:
    """The angle [rad] of a rotation (4,) about the axis of a segment's hinge."""
    return 2.0 * math.atan2(float(quat[1:] @ np.asarray(segment.axis)), float(quat[0]))


def leaning(lean: Sequence[float] | np.ndarray, body: Body) -> dict[str, np.ndarray]:
    """Turns (4,) of root and joints by which a trunk leans from the hips up, head and legs as they were; those of `HIPS` come
    before the joints' own."""
    return {name: quat_from_rotvec(share * np.array([lean[0], lean[1], 0.0])) for name, share in shares(body).items()}


def shares(body: Body) -> dict[str, float]:
    """What of a lean the root and each of the joints turn by."""
    present = [name for name in TRUNK if name in body.index]
    above = [name for name in NECK if name in body.index]
    hips = 1.0 / len(present)
    return {**dict.fromkeys(present, hips), **dict.fromkeys(above, -1.0 / max(len(above), 1)), **dict.fromkeys(HIPS, -hips)}


def loaded(body: Any, bare: Body, load: Load) -> tuple[list[Segment], Carried]:
    """The segments of a dressed body with a load, and how it carries it; `bare` is the body without suit. Raises InputError for a
    load that these arms cannot hold."""
    suited = np.clip(_suit_lean(body, bare), *MOST_LEAN_RAD)
    lean = _lean(body, load, suited)
    hold = _Hold(body, load, suited + lean)
    held = {name: tuple(map(float, quat)) for name, quat in hold.held.items()}
    return list(hold.dressed().segments), Carried(load, _pair(lean), _pair(suited + lean), held, hold.borne())


def _pair(angles: np.ndarray) -> tuple[float, float]:
    return float(angles[0]), float(angles[1])


def _lean(body: Body, load: Load, suited: np.ndarray) -> np.ndarray:
    """The lean (2,) [rad], beside the one for a suit, that makes up for a share of how far the load moves the centre of mass."""
    def off(lean: np.ndarray) -> np.ndarray:
        hold = _Hold(body, load, suited + lean)
        return _over_hips(hold.dressed(), suited + lean, hold.held) - own

    if not any(name in body.index for name in SPINE):
        return np.zeros(2)
    own, lean = _over_hips(body, suited, {}), np.zeros(2)
    upright = off(lean)
    share = load.lean
    if share is None:
        far = float(np.hypot(*upright)) / body.leg_length_m
        share = max(LEANS.get(load.place, OTHER_LEAN), 1.0 - OFF_LEGS / max(far, OFF_LEGS))
    slope = _over_hips(body, suited + [-LEAN_STEP_RAD, LEAN_STEP_RAD], {}) - own
    for _ in range(LEAN_STEPS):
        miss = (off(lean) - (1.0 - share) * upright) * LEAN_STEP_RAD / slope
        lean = np.clip(suited + lean + [miss[0], -miss[1]], *MOST_LEAN_RAD) - suited
    return lean


def _over_hips(body: Body, tilt: np.ndarray, held: Mapping[str, np.ndarray]) -> np.ndarray:
    """How far left of and ahead of the hips (2,) [m] the centre of mass of a body is that stands and leans."""
    turns = leaning(tilt, body) | dict(held)
    joints = np.array([turns.get(name, _ONE) for name in body.joint_segments])
    com = centre_of_mass(body, *segment_poses(body, np.zeros(3), turns[body.role("root")], joints))
    return np.asarray(com[[1, 0]])


def _suit_lean(body: Body, bare: Body) -> np.ndarray:
    """The lean (2,) [rad] of the spine under which a suited body that stands has its centre of mass over the hips as without the
    suit."""
    def ahead(one: Body, pitch: float) -> float:
        joints = np.tile(_ONE, (len(one.segments) - 1, 1))
        for names, sign in ((SPINE, 1.0), (NECK, -1.0)):
            rows = [i for i, name in enumerate(one.joint_segments) if name in names]
            joints[rows] = quat_from_rotvec(np.array([0.0, sign * pitch / max(len(rows), 1), 0.0]))
        return float(centre_of_mass(one, *segment_poses(one, np.zeros(3), _ONE, joints))[0])

    upright, step = ahead(body, 0.0), 1e-3
    slope = (ahead(body, step) - upright) / step
    return np.array([0.0, (ahead(bare, 0.0) - upright) / slope if slope > 0.0 else 0.0])


_ONE = np.array([1.0, 0.0, 0.0, 0.0])


class _Hold:
    """How arms hold a load under a trunk that leans by (2,) [rad], worked out with the trunk upright: places from the root, axes
    the trunk's. `held` are the arms' joints, `pieces` of the load: segment, mass [kg], place (3,), half width of the piece."""

    def __init__(self, body: Any, load: Load, lean: np.ndarray) -> None:
        self.body, self.load, self.held = body, load, dict[str, np.ndarray]()
        self._level, self._pitch = quat_conjugate(quat_from_rotvec(np.array([*lean, 0.0]))), float(lean[1])
        self._joint = _joints(body)
        self.trunk = body.role("trunk")
        if load.place != BACK:
            missing = [name for name in ("upper_arm_L", "forearm_L", "upper_arm_R", "forearm_R") if name not in body.index]
            if missing:
                raise InputError(f"This figure has no {missing[0]} to hold a load with: let it carry it on the back, or set the "
                                 "bone map.")
        place = {HAND: self._in_a_hand, ARMS: self._in_arms, BACK: self._on_back}.get(load.place, self._between_hands)
        self.middle, self.pieces = place()

    def dressed(self) -> Body:
        """The body with the load on it."""
        body = self.body
        poses = self._poses()
        made = {segment.name: segment for segment in body.segments}
        for name, mass, place in self.pieces:
            back = quat_conjugate(poses[1][body.index[name]])
            turn = matrix_from_quat(back)
            centre = turn @ (place - poses[0][body.index[name]])
            axes = turn @ matrix_from_quat(self._level)
            segment = made[name]
            flesh = segment.mass_kg if segment.flesh_kg is None else segment.flesh_kg
            made[name] = dataclasses.replace(with_mass(segment, mass, centre, axes @ self._inertia(mass, place) @ axes.T),
                                             flesh_kg=flesh)
        return Body(list(made.values()), body.contact_points, body.feet, kind=body.kind, roles=body.roles,
                    bare_mass_kg=body.bare_mass_kg)

    def borne(self) -> dict[str, tuple[float, ...]]:
        """See `Carried`."""
        places, turns = self._poses()
        found = {}
        hands = dict.fromkeys(self._hand(name[-1]) for name, _, _ in self.pieces if name != self.trunk)
        for name in hands or (self.trunk,):
            i = self.body.index[name]
            back = quat_conjugate(turns[i])
            middle = matrix_from_quat(back) @ (self.middle - places[i])
            found[name] = tuple(map(float, (*middle, *quat_multiply(back, self._level))))
        return found

    def _poses(self) -> tuple[np.ndarray, np.ndarray]:
        joints = np.array([self.held.get(name, _ONE) for name in self.body.joint_segments])
        return segment_poses(self.body, np.zeros(3), _ONE, joints)

    def _inertia(self, mass: float, place: np.ndarray) -> np.ndarray:
        """Inertia (3, 3) [kg m^2] of a piece in the load's axes: its share of the load's, less what its place off the middle
        gives already."""
        if self.load.place == HAND:
            return 1e-3 * mass * np.eye(3)  # it hangs: the hand feels its weight alone
        spread = np.square(self.load.edges_m) / 12.0
        own = np.maximum(spread - np.square(place - self.middle), 0.1 * spread)
        return mass * np.diag(own.sum() - own)

    def _front_m(self, sign: float, parts: Sequence[Capsule]) -> float:
        """How far forward (or back, for -1) of the root the trunk reaches [m]."""
        central = ("pelvis", *CENTRAL_CHAIN[:2])
        return max(sign * (self._joint[shape.segment][0] + end[0]) + shape.radius_m
                   for shape in parts if shape.segment in central for end in (shape.start, shape.end))

    def _between_hands(self) -> tuple[np.ndarray, list[tuple[str, float, np.ndarray]]]:
        deep, wide, high = self.load.edges_m
        ahead = self._front_m(1.0, body_capsules(self.body)) + ROOM_M + 0.5 * deep
        aside = 0.5 * wide + PALM_M
        grips = self._lowered({side: np.array([ahead, sign * aside]) for side, sign in SIDES.items()})
        for side, grip in grips.items():
            self._hold(side, grip)
        middle = 0.5 * (grips["L"] + grips["R"]) - [0.0, 0.0, BELOW * high]
        return middle, [(self._hand(side), 0.5 * self.load.mass_kg, grip - [0.0, 0.0, BELOW * high])
                        for side, grip in grips.items()]

    def _in_arms(self) -> tuple[np.ndarray, list[tuple[str, float, np.ndarray]]]:
        deep, wide, high = self.load.edges_m
        back = self._front_m(1.0, body_capsules(self.body)) + ROOM_M
        apart = min(abs(self._joint["upper_arm_L"][1]), 0.4 * wide)
        grips = self._lowered({side: np.array([back + UNDER * deep, sign * apart]) for side, sign in SIDES.items()})
        for side, grip in grips.items():
            self._hold(side, grip, PALMS_UP_RAD)
        low = 0.5 * (grips["L"] + grips["R"])
        middle = np.array([back + 0.5 * deep, low[1], low[2] + PALM_M + 0.5 * high])
        mass = self.load.mass_kg
        own = [(f"forearm_{side}", 0.5 * (1.0 - ON_TRUNK) * mass, np.array([middle[0], grips[side][1], middle[2]]))
               for side in SIDES]
        return middle, [*own, (self.trunk, ON_TRUNK * mass, middle)]

    def _in_a_hand(self) -> tuple[np.ndarray, list[tuple[str, float, np.ndarray]]]:
        side = self.load.side
        sign, shoulder, reach = SIDES[side], self._joint[f"upper_arm_{side}"], HANGS * self._arm_m(side)
        leg = max(abs(self._joint[shape.segment][1]) + shape.radius_m for shape in body_capsules(self.body)
                  if shape.segment == f"thigh_{side}")
        need = leg + ROOM_M + 0.5 * self.load.edges_m[1] - abs(shoulder[1])
        out = min(math.asin(min(max(need / reach, 0.03), 1.0)), MOST_OUT_RAD)
        down = np.array([AHEAD_RAD, sign * math.sin(out), -math.cos(out)])
        grip = shoulder + reach * matrix_from_quat(self._level) @ (down / np.linalg.norm(down))
        self._hold(side, grip)
        return grip, [(self._hand(side), self.load.mass_kg, grip)]

    def _on_back(self) -> tuple[np.ndarray, list[tuple[str, float, np.ndarray]]]:
        behind = self._front_m(-1.0, body_capsules(self.body)) + ROOM_M + 0.5 * self.load.edges_m[0]
        trunk = self.body.segment(self.trunk)
        middle = np.array([-behind, 0.0, self._joint[self.trunk][2] + 0.5 * float(trunk.tip[2])])
        return middle, [(self.trunk, self.load.mass_kg, middle)]

    def _hand(self, side: str) -> str:
        return next(name for name in (f"hand_{side}", f"forearm_{side}") if name in self.body.index)

    def _arm_m(self, side: str) -> float:
        """Length of an arm from the shoulder to the grip [m]."""
        upper, lower = self._arm(side)
        return float(np.linalg.norm(upper) + np.linalg.norm(lower))

    def _arm(self, side: str) -> tuple[np.ndarray, np.ndarray]:
        """Upper arm (3,) in its frame, and from elbow to grip (3,) in the forearm's, wrist straight [m]."""
        body, hand = self.body, f"hand_{side}"
        forearm = body.segment(f"forearm_{side}")
        lower = body.segment(hand).offset + GRIP * body.segment(hand).tip if hand in body.index else forearm.tip
        return forearm.offset, lower

    def _lowered(self, level: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
        """Grips (3,) at places (2,) ahead and to the left, both as far under the shoulders as comfortable arms have them, under a
        trunk that leans forward as under an upright one. Raises InputError for what arms do not reach around."""
        heights = []
        for side, (ahead, left) in level.items():
            shoulder, arm = self._joint[f"upper_arm_{side}"], self._arm_m(side)
            away = math.hypot(ahead - shoulder[0], left - shoulder[1])
            if away > LONGEST * arm:
                deep, wide, _ = self.load.edges_m
                raise InputError(f"A load {deep:.2f} m deep and {wide:.2f} m wide is too large for arms of {arm:.2f} m: make it "
                                 "smaller, or let it be carried on the back.")
            reach = min(max(BENT * arm, 1.05 * away), LONGEST * arm)
            drop, most = (math.sqrt(far * far - away * away) for far in (reach, LONGEST * arm))
            drop -= (ahead - shoulder[0]) * math.tan(max(self._pitch, 0.0))
            heights.append(shoulder[2] - min(max(drop, LEAST_DROP * arm), most))
        return {side: np.array([*place, float(np.mean(heights))]) for side, place in level.items()}

    def _hold(self, side: str, grip: np.ndarray, palm_rad: float = 0.0) -> None:
        """Let an arm reach with its grip to a place (3,), elbow down, the hand turned up by `palm_rad` about its length."""
        upper, lower = self._arm(side)
        hinge = self.body.segment(f"forearm_{side}")
        way, sign = grip - self._joint[f"upper_arm_{side}"], SIDES[side]
        angle = _bend(upper, lower, hinge, float(np.linalg.norm(way)))
        local = upper + matrix_from_quat(_about(hinge, angle)) @ lower
        turn = _axes(way, np.array(ELBOWS) * [1.0, sign, 1.0]) @ _axes(local, upper).T
        self.held[f"upper_arm_{side}"] = quat_from_matrix(turn)
        self.held[f"forearm_{side}"] = _about(hinge, angle)
        for name, twist in ((f"clavicle_{side}", 0.0), (f"hand_{side}", sign * palm_rad)):
            if name in self.body.index:
                self.held[name] = quat_from_rotvec(np.array([0.0, 0.0, twist]))


def _joints(body: Body) -> dict[str, np.ndarray]:
    """Places (3,) [m] of the segments' joints from the root's, in the neutral pose."""
    places = {body.segments[0].name: np.zeros(3)}
    for segment in body.segments[1:]:
        places[segment.name] = places[segment.hangs_on] + segment.offset
    return places


def _about(hinge: Segment, angle: float) -> np.ndarray:
    """The rotation (4,) by an angle [rad] about a segment's hinge."""
    return quat_from_rotvec(angle * np.asarray(hinge.axis))


def _bend(upper: np.ndarray, lower: np.ndarray, hinge: Segment, far_m: float) -> float:
    """The angle [rad] of an elbow at which shoulder and grip are that far from each other."""
    low, high = max(hinge.range_rad[0], 0.0), hinge.range_rad[1]
    for _ in range(50):
        angle = 0.5 * (low + high)
        reach = float(np.linalg.norm(upper + matrix_from_quat(_about(hinge, angle)) @ lower))
        low, high = (angle, high) if reach > far_m else (low, angle)
    return angle


def _axes(along: np.ndarray, toward: np.ndarray) -> np.ndarray:
    """Columns (3, 3): a unit vector along one direction, one across it towards the other, and their cross product."""
    first = along / np.linalg.norm(along)
    second = toward - (toward @ first) * first
    if np.linalg.norm(second) < 1e-6 * np.linalg.norm(toward):
        raise BodyError("An arm that holds a load must bend.")
    second /= np.linalg.norm(second)
    return np.column_stack([first, second, np.cross(first, second)])


def load_capsules(body: Body) -> tuple[Capsule, ...]:
    """Capsules about as deep, wide and high as what a body carries, of two hands half on each; none without a load."""
    carried = body.carries
    if carried is None:
        return ()
    load, count = carried.load, len(carried.borne)
    found: list[Capsule] = []
    for name, pose in carried.borne.items():
        turn, edges = matrix_from_quat(np.array(pose[3:])), np.array(load.edges_m)
        side = SIDES.get(name[-1:], 0.0) if count > 1 else 0.0
        edges[1] /= count
        middle = np.array(pose[:3]) + turn @ [0.0, 0.5 * side * edges[1], below_m(load)]
        radius = 0.3 * float(edges.min())
        along, *across = np.argsort(edges)[::-1]
        reach = turn[:, along] * (0.5 * edges[along] - radius)
        rows = [turn[:, axis] * at for axis in across[:1] for at in _spread(edges[axis], radius)]
        found += [Capsule(f"load_{name}_{len(found) + i}", name, place - reach, place + reach, radius, LEAST_RADIUS_M)
                  for i, place in enumerate(middle + row + turn[:, across[1]] * at for row in rows
                                            for at in _spread(edges[across[1]], radius))]
    return tuple(found)


def _spread(edge: float, radius: float) -> np.ndarray:
    """Where along an edge capsules of a radius lie side by side, from its middle [m]."""
    return np.linspace(radius - 0.5 * edge, 0.5 * edge - radius, min(math.ceil(0.5 * edge / radius), 4))


def below_m(load: Load) -> float:
    """How high the middle of what hangs lies over its handle [m], negative; 0 of what is held."""
    return -HANDLE_M - 0.5 * load.edges_m[2] if load.place == HAND else 0.0

