# SPDX-License-Identifier: GPL-3.0-or-later
"""A creature by muscles as a controller: the law of one walker around the body of a shot."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from ...bodies.body import Body
from ...bodies.creature.body import CreatureBody
from ...bodies.muscles.mechanics import basal_w
from ...engines.engine import Command, Torques
from ...errors import InputError
from ...specs.motions.creature import Creature
from ..controller import Physics, Reading, Sensed, Setup
from .controller import CreatureController
from .law import CreatureLaw
from .muscle_law import PULLS, CreatureMuscleLaw, muscle_physics


class CreatureMuscleController(CreatureController):
    """See `controller.Controller`. Raises InputError for a gait whose muscles are others than the body's."""

    name = "creature_muscles"

    def __init__(self, setup: Setup) -> None:
        super().__init__(setup)
        self._acts, self._beside, self._begun = 0, 0.0, False

    @classmethod
    def steps_of(cls, body: Body, gravity_m_s2: float) -> Physics:
        """See `CreatureController.steps_of`: a millisecond for a leg of a metre on Earth."""
        return muscle_physics(body, gravity_m_s2)

    def _make_law(self, numbers: Mapping[str, float]) -> CreatureLaw:
        """The quick law within that of the muscles, which is made with it."""
        gait, gravity = self.shot.motion_as(Creature).gait, self.shot.world.gravity_m_s2
        if not isinstance(self.body, CreatureBody):
            raise InputError("Muscles are laid on a creature as it is drawn: give a body of the kind creature.")
        muscles = {} if gait is None or gait.muscles is None else gait.muscles
        self.control_step_s = muscle_physics(self.body, gravity).step_s
        self.muscles = CreatureMuscleLaw(self.body, numbers, muscles, 1, gravity, self.control_step_s)
        return self.muscles.quick

    def sense(self, sensed: Sensed) -> None:
        """See `Controller.sense`."""
        super().sense(sensed)
        if not self._begun:
            self.muscles.reset(self._felt, sensed.time_s)
            self._begun = True

    def act(self) -> Command:
        """See `Controller.act`."""
        assert self._sensed is not None
        if self._acts % PULLS == 0:
            com = self.state.com
            self.course.go(complex(com[0], com[1]), PULLS * self.control_step_s, float(self.law.pace.wished_m_s[0]))
            self.law.heading[:] = self.course.heading
            self.muscles.decide(self._felt, self._sensed.time_s)
            self._beside += float((self.muscles.beside**2)[:, ~self.muscles.shares.own].mean())
        self._acts += 1
        torque, damping = self.muscles.pull(self._felt)
        return Torques(torque[0], damping[0])

    def channels(self) -> Mapping[str, Reading]:
        """See `Controller.channels`: beside the quick law's, what the muscles do, the left leg's first, what they cost with the
        resting body, and the legs' states: 0 stance, 1 lift-off, 2 swing, 3 preparation of landing."""
        muscles = self.muscles
        rate = muscles.metabolic_w[0]
        told = {name: Reading(unit, values[0].astype(np.float32)) for name, unit, values in (
            ("activation", "1", muscles.activation), ("muscle_force", "N", muscles.force_n),
            ("fibre_length", "l_opt", muscles.fibre_length))}
        return {**super().channels(), **told, "muscle_metabolic_rate": Reading("W", rate.astype(np.float32)),
                "metabolic_rate": Reading("W", float(rate.sum()) + basal_w(self.body.bare_mass_kg)),
                "leg_state": Reading("", muscles.state[0].astype(float))}

    def stats(self) -> Mapping[str, Any]:
        """See `Controller.stats`: `beside_nm_rms` is of what joints have of no muscle, about axes where muscles make little."""
        wishes = max(math.ceil(self._acts / PULLS), 1)
        return {**super().stats(), "muscles": list(self.muscles.names), "reserve_nm_rms": 0.0, "reserve_nm_most": 0.0,
                "beside_nm_rms": math.sqrt(self._beside / wishes)}
