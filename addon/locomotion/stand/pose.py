# SPDX-License-Identifier: GPL-3.0-or-later
"""The reference pose of somebody who stands: an upright body that may lean, legs to the feet wherever they are. A trunk that is
turned faster and faster over the hips takes angular momentum at a rate H', which has the ground push as if its pressure lay H' /
(m g) beyond the soles; it must be braked as hard as it was turned (Kudoh 2006; Stephens 2007)."""

from __future__ import annotations

import cmath
import math
from dataclasses import dataclass

import mujoco
import numpy as np

from ...bodies.body import Body
from ...bodies.human.landmarks import SIDES
from ...bodies.human.load import carrying_pose
from ...bodies.kinematics import solve_leg
from ...bodies.state import BodyState
from ...maths.rotations import Quaternion, Vector, from_rotvec, inverse, product, rotated, z_turn
from ...specs.shot import EARTH_GRAVITY_M_S2
from ..legged.targets import FeetPose
from .stance import LEG_M

ARM_OUT_RAD, ARM_AHEAD_RAD, ELBOW_RAD = 0.1, 0.06, 0.25
"""How arms hang at rest: a little off the trunk, elbows a little bent (first guess)."""
FLY_OUT_RAD, FLY_AHEAD_RAD, FLY_ELBOW_RAD = 0.9, 0.7, 0.5
"""How far arms fly out at most: to the side, against the fall, and the elbows' bend (first guess)."""
LEGS_FOLLOW = 1.25
"""The hips give way to a leaning trunk by its own shift of the centre of mass times this, as the legs then shift too."""
LEG = ("thigh", "shank", "foot", "toes")


class StandingPose:
    """Builds generalised coordinates (nq,) of one body. `root_m` (3,) is the root's place from the centre of mass at rest, by
    heading, once `settle` was told a pose at rest; `free` the sides whose arm carries nothing, with their signs."""

    def __init__(self, state: BodyState) -> None:
        body, model = state.body, state.model
        self._model = model
        self._slots = {name: int(model.joint(name).qposadr[0]) for name in body.joint_segments}
        held = {} if body.carries is None else body.carries.held
        self.free = {side: out for side, out in (("L", 1.0), ("R", -1.0)) if f"upper_arm_{side}" not in held}
        self._hip = {s: tuple(float(x) for x in body.segment(f"thigh_{s}").offset) for s in SIDES}
        self.thigh_m = float(np.linalg.norm(body.segment("shank_L").offset))
        self.shank_m = float(np.linalg.norm(body.segment("foot_L").offset))
        self._toe_most = {s: body.segment(f"toes_{s}").range_rad[1] for s in SIDES if f"toes_{s}" in body.index}
        self._rest = self._resting(body, model.qpos0)
        w, x, y, z = self._rest[3:7].tolist()
        self._pelvis: Quaternion = w, x, y, z
        upper = [s for s in body.segments if not s.name.startswith(LEG)]
        data = mujoco.MjData(model)
        data.qpos[:] = self._rest
        mujoco.mj_kinematics(model, data)
        mujoco.mj_comPos(model, data)
        mass = sum(s.mass_kg for s in upper)
        middle = sum(s.mass_kg * data.xipos[model.body(s.name).id] for s in upper) / mass - data.qpos[:3]
        self._upper, self._upper_share = tuple(middle.tolist()), mass / body.mass_kg
        self.root_m = self._rest[:3] - data.subtree_com[1]

    def _resting(self, body: Body, neutral: np.ndarray) -> np.ndarray:
        q = neutral.copy()
        q[:3], q[3:7] = 0.0, (1.0, 0.0, 0.0, 0.0)
        for side, out in (("L", 1.0), ("R", -1.0)):
            arm, elbow = self._slots[f"upper_arm_{side}"], self._slots[f"forearm_{side}"]
            q[arm:arm + 4] = from_rotvec((out * ARM_OUT_RAD, -ARM_AHEAD_RAD, 0.0))
            low, high = body.segment(f"forearm_{side}").range_rad
            q[elbow] = ELBOW_RAD if high > -low else -ELBOW_RAD
        return carrying_pose(q, body)

    def _fly(self, q: np.ndarray, arms: float, fall: complex) -> None:
        """Arms away from the trunk, the one behind the fall more, both against its direction."""
        for side, out in self.free.items():
            arm, elbow = self._slots[f"upper_arm_{side}"], self._slots[f"forearm_{side}"]
            aside = ARM_OUT_RAD + arms * FLY_OUT_RAD * (1.0 - 0.4 * out * fall.imag)
            ahead = ARM_AHEAD_RAD + arms * FLY_AHEAD_RAD * -fall.real
            q[arm:arm + 4] = product(from_rotvec((out * aside, 0.0, 0.0)), from_rotvec((0.0, -ahead, 0.0)))
            q[elbow] += math.copysign(FLY_ELBOW_RAD * arms, q[elbow])

    def _fly_from_own(self, q: np.ndarray, arms: float, fall: complex) -> None:
        """From what the arms do in `q` by themselves to where they would fly."""
        places = [(self._slots[f"{name}_{side}"], size)
                  for side in self.free for name, size in (("upper_arm", 4), ("forearm", 1))]
        own = [q[at:at + size].copy() for at, size in places]
        StandingPose._fly(self, q, arms, fall)
        for (at, size), before in zip(places, own, strict=True):
            if size == 4:
                flown = q[at:at + 4] if before @ q[at:at + 4] >= 0.0 else -q[at:at + 4]
                mixed = (1.0 - arms) * before + arms * flown
                q[at:at + 4] = mixed / np.linalg.norm(mixed)

    def leaning(self, heading: float, lean: complex) -> tuple[Quaternion, Vector]:
        """The pelvis' rotation under a lean [rad] to where it points, and the root's place from the centre of mass."""
        turn = z_turn(heading)
        pelvis, size = product(turn, self._pelvis), abs(lean)
        x, y, z = rotated(turn, self.root_m.tolist())
        if size < 1e-9:
            return pelvis, (x, y, z)
        tilt = from_rotvec((-lean.imag, lean.real, 0.0))
        before = rotated(turn, self._upper)
        after = rotated(tilt, before)
        back = LEGS_FOLLOW * self._upper_share
        return product(tilt, pelvis), (x - back * (after[0] - before[0]), y - back * (after[1] - before[1]), z)

    def hips(self, com: tuple[float, float, float], heading: float, lean: complex) -> dict[str, Vector]:
        """Places of both hips [m]."""
        pelvis, root = self.leaning(heading, lean)
        found = {}
        for side in SIDES:
            x, y, z = rotated(pelvis, self._hip[side])
            found[side] = (com[0] + root[0] + x, com[1] + root[1] + y, com[2] + root[2] + z)
        return found

    def build(
        self, com: tuple[float, float, float], heading: float, lean: complex, feet: FeetPose, arms: float = 0.0,
        fall: complex = 0j,
    ) -> np.ndarray:
        """Coordinates with the centre of mass at a place [m] and the ankles on the feet, whose rotation vectors are the
        world's; `arms` fly out from 0 to 1, against a `fall` (unit, forward and left of the heading)."""
        q = self._rest.copy()
        if arms > 0.0:
            self._fly(q, arms, fall)
        pelvis, away = self.leaning(heading, lean)
        root = [a + b for a, b in zip(com, away, strict=True)]
        q[:3], q[3:7] = root, pelvis
        back = inverse(pelvis)
        for side in SIDES:
            foot, hip = feet[side], self._hip[side]
            x, y, z = rotated(back, [a - b for a, b in zip(foot.ankle.tolist(), root, strict=True)])
            sole = product(back, from_rotvec(foot.rotvec.tolist()))
            axis = self._knee_axis(side, sole)
            thigh, knee, ankle = solve_leg((x - hip[0], y - hip[1], z - hip[2]), sole, axis, self.thigh_m, self.shank_m)
            thigh_at, shank_at, foot_at = (self._slots[f"{name}_{side}"] for name in ("thigh", "shank", "foot"))
            q[thigh_at:thigh_at + 4], q[shank_at], q[foot_at:foot_at + 4] = thigh, knee, ankle
            if side in self._toe_most:
                q[self._slots[f"toes_{side}"]] = min(foot.toe, self._toe_most[side])
        return q

    def _knee_axis(self, side: str, sole: Quaternion) -> Vector:
        """About which a knee bends, in the pelvis' frame: over the foot, half-way to the pelvis' own side."""
        toward = rotated(sole, (0.0, 1.0, 0.0))
        return 0.5 * toward[0], 0.5 * (1.0 + toward[1]), 0.5 * toward[2]

    def settle(self, com: tuple[float, float, float], heading: float, feet: FeetPose) -> None:
        """Set `root_m` so that a pose at rest has its centre of mass over a place, whatever the legs weigh there."""
        data, turn = mujoco.MjData(self._model), z_turn(-heading)
        for _ in range(5):
            data.qpos[:] = self.build(com, heading, 0j, feet)
            mujoco.mj_kinematics(self._model, data)
            mujoco.mj_comPos(self._model, data)
            off = rotated(turn, (np.array(com) - data.subtree_com[1]).tolist())
            self.root_m = self.root_m + np.array(off)

    def shortfall(self, hips: dict[str, Vector], feet: FeetPose, sides: tuple[str, ...], reach: float) -> float:
        """How much lower [m] the hips must be for ankles to be within `reach` of them, over the legs' length."""
        longest, short = reach * (self.thigh_m + self.shank_m), 0.0
        for side in sides:
            x, y, z = hips[side]
            ankle_x, ankle_y, ankle_z = feet[side].ankle.tolist()
            level = min((x - ankle_x) ** 2 + (y - ankle_y) ** 2, (0.98 * longest) ** 2)
            short = max(short, z - ankle_z - math.sqrt(longest * longest - level))
        return short


LEVER_M = 0.10
"""H' / (m g) of a lunge; more only bends the trunk more (docs/notes/standing.md)."""
INERTIA_KG_M2 = 4.8
"""Of a trunk about its hips over legs that turn back, on 75 kg and legs of 0.884 m: momentum over its rate, measured."""
MOST_RAD, MOST_BACK_RAD, MOST_ASIDE_RAD = 0.9, 0.45, 0.6
"""How far a trunk leans at most: forward, back, to the side."""
INSIDE_M = 0.012
"""So far inside the soles' edge it begins, and the capture point is to be when it has been braked."""
BACK_RATE = 3.5
"""Rate of the way back [1/s on Earth]."""
FLY_RATE, CALM_RATE, FLY_M = 7.0, 1.6, 0.35
"""How fast arms fly out and come back [1/s on Earth], and how far the capture point is from rest when they are all out [m]."""
QUIET_M, STILL_RAD_S = 0.06, 0.3


@dataclass(frozen=True)
class Threat:
    """How a body falls: the soles' point nearest to the capture point, how far outside that is [m], the pendulum's rate."""

    edge: complex
    outside_m: float
    capture: complex
    omega: float
    heading: float


@dataclass
class Trunk:
    """The lean [rad] towards `way` (unit, x + iy) with its rate; `arms` from 0, hanging, to 1."""

    mass_kg: float
    leg_m: float
    way: complex = 1 + 0j
    lean: float = 0.0
    rate: float = 0.0
    acceleration: float = 0.0
    arms: float = 0.0
    lunging: bool = False
    braking: bool = False
    gravity_m_s2: float = EARTH_GRAVITY_M_S2

    @property
    def scale(self) -> float:
        """Lengths over those of the body of these figures."""
        return self.leg_m / LEG_M

    @property
    def inertia_kg_m2(self) -> float:
        return INERTIA_KG_M2 * self.mass_kg / 75.0 * self.scale**2

    @property
    def slow(self) -> float:
        return math.sqrt(EARTH_GRAVITY_M_S2 / self.gravity_m_s2)

    @property
    def lever(self) -> float:
        """How far a moment's pivot lies beyond the pressure [m], over the trunk's acceleration."""
        return self.inertia_kg_m2 / (self.mass_kg * self.gravity_m_s2)

    @property
    def pivot(self) -> complex:
        """How far the pivot lies beyond the pressure [m]."""
        return self.lever * self.acceleration * self.way

    def go(self, dt: float, threat: Threat, may: bool, room_m: float) -> None:
        """Let time pass; `may` tells whether to lunge, `room_m` how far the pressure is inside the soles on the way back."""
        strong = LEVER_M * self.scale / self.lever
        if self.lunging and not may:
            self.lunging = False
        elif may and not self.lunging and threat.outside_m > -INSIDE_M * self.scale and self.lean < 0.1:
            away = threat.capture - threat.edge if threat.outside_m > 0.0 else threat.edge - threat.capture
            if abs(away) > 1e-6:
                self.lunging, self.braking, self.way = True, False, away / abs(away)
        if self.lunging:
            self._lunge(threat, strong)
        if not self.lunging:
            rate = BACK_RATE / self.slow
            wanted = -(rate * rate * self.lean + 2.0 * rate * self.rate)
            # it must not go on over while a foot steps, whatever that costs
            most = strong if self.rate > STILL_RAD_S else max(room_m, 0.01) / self.lever
            self.acceleration = min(max(wanted, -most), strong)
        self.lean += dt * (self.rate + 0.5 * dt * self.acceleration)
        self.rate += dt * self.acceleration

    def _lunge(self, threat: Threat, strong: float) -> None:
        """Turn faster and faster until braking as hard will just do, or the trunk leans as far as it may."""
        way = self.way * cmath.exp(-1j * threat.heading)
        most = math.hypot((MOST_BACK_RAD if way.real < 0.0 else MOST_RAD) * way.real, MOST_ASIDE_RAD * way.imag)
        stop_s, lever = max(self.rate, 0.0) / strong, LEVER_M * self.scale
        behind = ((threat.capture - threat.edge) * self.way.conjugate()).real + lever
        left = behind * math.exp(threat.omega * stop_s) - lever
        if left < -INSIDE_M * self.scale or self.lean + 0.5 * self.rate * stop_s > most:
            self.braking = True
        self.acceleration = -strong if self.braking else strong
        if self.braking and self.rate <= 0.0:
            self.lunging = False

    def fly(self, dt: float, off_m: float) -> None:
        wanted = min(max(off_m - QUIET_M * self.scale, 0.0) / (FLY_M * self.scale), 1.0)
        rate = (FLY_RATE if wanted > self.arms else CALM_RATE) / self.slow
        self.arms += (wanted - self.arms) * min(rate * dt, 1.0)
