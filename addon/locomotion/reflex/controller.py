# SPDX-License-Identifier: GPL-3.0-or-later
"""The reflex walker as a controller, and its reflexes for another gravity or longer legs: similar motion has forces that go with
g and times with sqrt(l / g); muscles keep their strength over the mass, and their arms go with the leg. So what excites them in
proportion to an angle or a length goes with g, in proportion to a rate with g times the time, and what answers to a share of
their own force stays. The law itself scales what it holds by springs, and the speed at the start."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ...bodies.body import Body
from ...bodies.human.landmarks import SIDES
from ...bodies.makers import KIND as PLANAR
from ...engines.engine import Command, Torques
from ...errors import InputError
from ...maths.rotations import quat_from_rotvec, quat_multiply, quat_rotate
from ...specs.path import PathSpec
from ...specs.shot import EARTH_GRAVITY_M_S2, END, SAGITTAL, Shot
from ..controller import Controller, Part, Physics, Reading, Sensed, Setup, State
from ..tracking.tracker import FALL_HEIGHT_FRACTION, FALL_TILT
from .law import STANDARD_LEG_M, STEP_S, ReflexLaw, is_planar, step_of
from .muscles import BASAL_W_KG
from .parameters import PARAMETERS
from .planar import STEP_S as PLANAR_STEP_S
from .units import ANATOMY, NAMES, conditioned
from .walkers import own_frequency_hz, own_speed_m_s, walker_of

POWERS: tuple[tuple[tuple[str, ...], float, float], ...] = (
    (("trunk_rate_", "land_rate_"), 0.5, 0.5),
    (("begin_hip_rate", "begin_knee_rate"), 0.5, -0.5), (("begin_late",), -0.5, 0.5),
    (("roll_rate", "yaw_rate", "out_damping"), -0.5, 0.5),
    (("out_speed", "ankle_speed"), -0.5, -0.5),
    (("out_distance", "ankle_distance"), 0.0, -1.0),
    (("stance_", "swing_", "length_", "knee_VAS", "trunk_", "off_", "on_", "lean_swing", "land_GLU", "land_HFL", "land_VAS",
      "begin_SOL_", "begin_GAS_", "begin_HFL_", "begin_VAS_", "begin_GLU_", "begin_HAM_", "begin_TA_"), 1.0, 0.0),
)
"""Beginnings of names, and the powers of gravity and of the leg's length that go with them: gains of rates; rates; dampings
beside springs that the law scales; gains of speeds and of distances; excitations, and their gains of angles and lengths. The
first that fits counts."""
ALIKE = 1e-3
"""Sizes that differ by less are one and the same."""


def scaled(parameters: Mapping[str, float], gravity_m_s2: float, own_m_s2: float = EARTH_GRAVITY_M_S2,
           leg_m: float = STANDARD_LEG_M, own_leg_m: float = STANDARD_LEG_M) -> dict[str, float]:
    """The parameters of a walker of `own_m_s2` and `own_leg_m` for another gravity and leg, within their ranges."""
    heavier, longer = (0.0 if abs(size) < ALIKE else size for size in (
        math.log(gravity_m_s2 / own_m_s2), math.log(leg_m / own_leg_m)))
    out = {}
    for name, one in PARAMETERS.items():
        of_gravity, of_length = next((powers for names, *powers in POWERS if name.startswith(names)), (0.0, 0.0))
        value = parameters.get(name, one.start) * math.exp(of_gravity * heavier + of_length * longer)
        out[name] = min(max(value, one.low), one.high)
    return out


SAMPLED_S = 0.005
"""A take is sampled every second of these; reflexes act more often."""
NOISE_M_S, NOISE_RAD_S = 0.1, 0.5
"""Deviation of the start's velocities for a noise of 1, on Earth: those of who stands."""
OWN_FIGURE = ("Reflex walkers were searched on Lope's own figure of 1.5 to 2.2 m: figures of other proportions mostly fall. "
              "Search one for this body: lope tune --gait reflex --blend FILE.")


class ReflexController(Controller):
    """See `controller.Controller`. Raises InputError where there is no walker for the shot, or none of its muscles is meant."""

    name = "reflex"
    kinds = ("human", PLANAR, SAGITTAL)
    who = "A reflex walker"
    subject = "reflex walk"

    def __init__(self, setup: Setup) -> None:
        shot, self.body, self.state = setup.shot, setup.body, setup.state
        self.shot, self.control_step_s = shot, step_of(self.body)
        self._flat = is_planar(self.body)
        if self._flat and shot.motion.path != PathSpec():
            raise InputError("A planar body goes straight on, along +x: leave its path and heading out, or choose a human.")
        self.walker, self.note = walker_of(shot, self.body)
        gravity = shot.world.gravity_m_s2
        parameters = scaled(self.walker.parameters, gravity, self.walker.gravity_m_s2, self.body.leg_length_m,
                            self.walker.leg_length_m)
        self.law = ReflexLaw(self.body, parameters, 1, gravity)
        self.law.heading = math.radians(shot.motion.path.heading_deg)
        if shot.condition is not None:
            conditioned(self.law.muscles.routing, shot.condition)
        self.names = tuple(f"{ANATOMY[name]}_{side}" for side in SIDES for name in NAMES)
        self.speed_m_s = own_speed_m_s(self.walker, self.body, gravity)
        self.frequency_hz = own_frequency_hz(self.walker, self.body, gravity)
        self._sensed: Sensed | None = None
        self._height_m, self._fell = 0.0, False

    @classmethod
    def check_parts(cls, parts: Sequence[Part], body: Body) -> None:
        raise InputError("A reflex walker has one gait and one speed: take the keys out, or choose the controller tracking.")

    @classmethod
    def physics(cls, shot: Shot) -> Physics:
        """See `Controller.physics`: a millisecond, two and a half of a planar body, reflexes as often, feet on the ground. Thighs
        pass each other more closely than the cores of their capsules allow, which the searches did not know."""
        step_s = PLANAR_STEP_S if shot.body.kind in (PLANAR, SAGITTAL) else STEP_S
        parts = 1 if shot.after_fall == END else math.ceil(step_s / STEP_S)  # who takes over wants a millisecond at most
        return Physics(step_s / parts, acts=round(SAMPLED_S / step_s), passes=True)

    def start(self, state: State | None = None) -> State:
        """See `Controller.start`: in a step, the left foot just down."""
        if state is not None:
            raise InputError("A reflex walker begins in a step of its own, and takes no body over.")
        qpos, qvel = (values[0] for values in self.law.begin())
        if not self._flat:
            turn = quat_from_rotvec(np.array([0.0, 0.0, self.law.heading]))
            qpos[:3], qpos[3:7] = quat_rotate(turn, qpos[:3]), quat_multiply(turn, qpos[3:7])
            qvel[:3] = quat_rotate(turn, qvel[:3])
        if self.shot.noise:
            sizes = np.full(len(qvel), NOISE_RAD_S)
            sizes[:2 if self._flat else 3] = NOISE_M_S
            slow = math.sqrt(EARTH_GRAVITY_M_S2 / self.shot.world.gravity_m_s2)
            qvel = qvel + self.shot.noise / slow * sizes * np.random.default_rng(self.shot.seed).standard_normal(len(qvel))
        return qpos, qvel

    def sense(self, sensed: Sensed) -> None:
        if self._sensed is None:
            self.law.reset(sensed.qpos[None], sensed.qvel[None])
            self._height_m = float(self.state.com[2])
        self._sensed = sensed

    def act(self) -> Command:
        sensed = self._sensed
        if sensed is None or sensed.contact_force_n is None:
            raise RuntimeError("Reflexes feel the ground: an engine without contact cannot be walked in.")
        torque = self.law.step(sensed.qpos[None], sensed.qvel[None], sensed.contact_force_n[None])
        return Torques(torque[0], self.law.damping)

    def make_way(self, shot: Shot) -> None:
        raise InputError("No gait takes over from a reflex walker: take the keys out.")

    def set_gravity(self, gravity_m_s2: float) -> None:
        raise InputError("A reflex walker knows one gravity: take the gravity's ramp out.")

    def fallen(self) -> bool:
        upright = float(self.state.frame(self.body.role("trunk")).matrix[2, 2])
        self._fell = bool(self.state.com[2] < FALL_HEIGHT_FRACTION * self._height_m) or upright < math.cos(FALL_TILT)
        return self._fell

    def channels(self) -> Mapping[str, Reading]:
        """See `Controller.channels`: what the muscles do, left leg first, what they cost with the resting body, and the legs'
        states: 0 stance, 1 beginning of the swing, 2 swing, 3 preparation of landing."""
        muscles = self.law.muscles
        rate = muscles.metabolic_w()[0].ravel()
        return {"activation": Reading("1", muscles.activation[0].ravel()),
                "muscle_force": Reading("N", muscles.force_n[0].ravel()),
                "fibre_length": Reading("l_opt", muscles.fibre[0].ravel()),
                "muscle_metabolic_rate": Reading("W", rate),
                "metabolic_rate": Reading("W", float(rate.sum()) + BASAL_W_KG * self.body.bare_mass_kg),
                "reflex_state": Reading("", np.asarray(self.law.states.number()[0], dtype=float)),
                "plan_heading_rad": Reading("rad", self.law.heading)}

    def stats(self) -> Mapping[str, Any]:
        told = {"reflex": self.walker.name, "planned_speed_m_s": self.speed_m_s,
                "planned_stride_frequency_hz": self.frequency_hz, "muscles": list(self.names),
                "reserve_nm_rms": 0.0, "reserve_nm_most": 0.0}  # what has muscles has nothing else
        note = " ".join(filter(None, (self.note, OWN_FIGURE if self._fell and self.shot.body.landmarks is not None else "")))
        return {**told, "changed": note} if note else told
