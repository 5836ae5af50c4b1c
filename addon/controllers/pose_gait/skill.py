# SPDX-License-Identifier: GPL-3.0-or-later
"""What a body has learned of its gait, and how firmly it holds itself: beside the law, which knows of neither."""

from __future__ import annotations

import math
from typing import Any, Protocol

import mujoco
import numpy as np

from ...bodies.state import BodyState
from .channels import Channels, Springs
from .firmness import Firmness
from .learning import Learner
from .machine import Machine
from .strength import Scale


class Firm(Protocol):
    """A law whose trunk and upper body can be held more or less firmly."""

    def strength_at(self, firmness: float) -> Any:
        """Springs and dampings at a firmness; see `channels.Springs`."""

    def take(self, strength: Any) -> None:
        """From now on the law has these."""


class Skill:
    """Tell it each tick that time passes, with `go`; the law asks it for `known` torques and tells it what feedback gives."""

    def __init__(self, machine: Machine, law: Firm, state: BodyState, scale: Scale, tick_s: float) -> None:
        gait = machine.gait
        self._state, self._firm, self._at = state, Firmness(gait.firmness, gait.reaction, scale), 1.0
        channels = self._channels(law)
        self._trunk = channels.trunk
        self.learner = None if gait.learning is None and gait.learned is None else Learner(
            machine, channels, gait.learning, scale, tick_s)
        self.feedback = self._nothing = np.zeros(len(channels.names))
        self._reacts, self._error_rad = gait.reaction is not None, 0.0
        self._clear()

    def _clear(self) -> None:
        """Forget what was worked out for each firmness."""
        self._springs: dict[float, Springs] = {}
        self._weights: dict[int, np.ndarray] = {}

    def _channels(self, law: Firm) -> Channels:
        """What can learn, from the body as it stands."""
        model = self._state.model
        data, matrix = mujoco.MjData(model), np.zeros((model.nv, model.nv))
        mujoco.mj_forward(model, data)
        mujoco.mj_fullM(model, data, matrix)
        return Channels(self._state.body, law.strength_at(1.0), matrix)

    def begin(self) -> None:
        """Begin with the machine where it is."""
        if self.learner is not None:
            self.learner.begin()

    def rescale(self, law: Firm, scale: Scale) -> None:
        """Gravity has changed, and the law with it."""
        self._firm.set_scale(scale)
        if self.learner is not None:
            self.learner.rescale(self._channels(law), scale)
        self._at = 1.0
        self._clear()

    def go(self, dt: float, law: Firm) -> None:
        """Let time pass [s]: the phase of the step, and how firm the law is."""
        if self.learner is not None:
            self.learner.follow()
        if self._firm.steady:
            return
        firmness = self._firm.go(dt, self._error_rad)
        if firmness != self._at:
            if firmness not in self._springs:
                self._springs[firmness] = law.strength_at(firmness)
            self._at = firmness
            law.take(self._springs[firmness])

    def known(self, strength: Springs, trunk: np.ndarray, torque: np.ndarray, wished: np.ndarray | None) -> np.ndarray:
        """The torques (C,) that are known beforehand, as `Channels` has them. It is told the feedback: what draws the trunk (T,),
        and the joints, without their damping; `wished` are velocities (nv,) of targets that move."""
        rates = self._state.qvel[self._state.body.root_freedom - self._trunk:]
        if self._reacts:
            spring, damping = strength.trunk
            self._error_rad = math.hypot(*((trunk + damping * rates[:self._trunk]) / spring).tolist())
        if self.learner is None:
            return self._nothing
        self.feedback = np.concatenate([trunk, torque - strength.damping * rates[self._trunk:]])
        if self.learner.learns:
            weight = self._weights.get(id(strength))
            if weight is None:
                weight = self._weights[id(strength)] = self.learner.rate_weight(strength)
            if wished is not None:
                rates = rates - wished[-len(rates):]
            self.learner.learn(self.feedback - weight * rates)
        return self.learner.torque

    @property
    def readings(self) -> dict[str, np.ndarray]:
        """The trunk's moment (T,) [N m]: what was known beforehand, and what feedback gave."""
        if self.learner is None:
            return {}
        return {"learned_trunk_nm": self.learner.torque[:self._trunk].copy(), "feedback_trunk_nm": self.feedback[:self._trunk]}


def made_skill(machine: Machine, law: Firm, state: BodyState, scale: Scale, tick_s: float) -> Skill | None:
    """The skill of a machine's gait; None for one that neither learns nor has learned, as firm as any."""
    gait = machine.gait
    plain = gait.learning is None and gait.learned is None and gait.reaction is None and gait.firmness == 1.0
    return None if plain else Skill(machine, law, state, scale, tick_s)
