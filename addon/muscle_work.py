# SPDX-License-Identifier: GPL-3.0-or-later
"""A shot's muscles in the loop: the engine that they are around, and what of them is kept in the Take."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from .bodies.body import Body
from .bodies.muscles.actuator import MuscleActuator
from .bodies.muscles.metabolic import basal_w
from .bodies.muscles.of_shot import actuator_of
from .controllers.controller import Reading
from .engines.commands import Command, Excitations
from .engines.engine import Engine
from .engines.muscled import Muscled
from .onward import MusclesBefore
from .specs.shot import Shot


def muscles_at_work(shot: Shot, body: Body, engine: Engine) -> MuscleWork | NoMuscles:
    """The muscles that a shot says, on a body in an engine. Raises LopeError for a body on which they cannot be laid."""
    if shot.actuation is None:
        return NoMuscles(engine)
    return MuscleWork(engine, actuator_of(shot, body), shot.actuation.tone, basal_w(body.bare_mass_kg))


class MuscleWork:
    """The muscles of the body in an engine. `engine` is that one with them around it; `rest_w` [W] is what the body spends at
    rest."""

    def __init__(self, engine: Engine, actuator: MuscleActuator, tone: float, rest_w: float) -> None:
        self.engine, self.state, self._rest_w = Muscled(engine, actuator, tone), actuator, rest_w
        self._commands, self._beside, self._most = 0, np.zeros(actuator.moved.shape), 0.0

    def go_on(self, before: MusclesBefore | None) -> None:
        """Be as active as the muscles of the same names were before; others begin as the first command excites them."""
        if before is not None and before.names == self.state.names:
            self.engine.begin(before.activation)

    def readings(self, command: Command) -> dict[str, Reading]:
        """What the Take keeps of the sample at which a command begins, as single floats: there are many."""
        self.engine.begin_with(command)
        state = self.state
        told = {name: Reading(unit, values.astype(np.float32)) for name, unit, values in (
            ("activation", "1", state.activation), ("muscle_force", "N", state.force_n),
            ("fibre_length", "l_opt", state.fibre_length))}
        rates = state.metabolic_w
        told["muscle_metabolic_rate"] = Reading("W", rates.astype(np.float32))
        told["metabolic_rate"] = Reading("W", float(rates.sum()) + self._rest_w)
        return told

    def gather(self, command: Command) -> np.ndarray:
        """The joints' torque (nv - r,) [N m] through the stretch that a command was held for; what it asked for beside the
        muscles, of joints that have some, is noted."""
        if isinstance(command, Excitations):
            self._beside += command.torque**2
            self._most = max(self._most, float(np.abs(command.torque[self.state.own]).max(initial=0.0)))
            self._commands += 1
        return command.torque + self.engine.muscle_torque

    def stats(self) -> dict[str, Any]:
        """The muscles' names; root mean square and largest of the torques [N m] that joints had beside theirs about axes that are
        the muscles' own, and root mean square of those about the other axes of joints that muscles pass."""
        own, moved = self.state.own, self.state.moved
        return {"muscles": list(self.state.names), "reserve_nm_rms": self._rms(own), "reserve_nm_most": self._most,
                "beside_nm_rms": self._rms(moved & ~own)}

    def _rms(self, which: np.ndarray) -> float:
        """Over commands and coordinates (nv - r,)."""
        return math.sqrt(float(self._beside[which].mean()) / max(self._commands, 1)) if which.any() else 0.0


class NoMuscles:
    """The same of a body that torques move."""

    state = None

    def __init__(self, engine: Engine) -> None:
        self.engine = engine

    def go_on(self, before: MusclesBefore | None) -> None:
        """See `MuscleWork.go_on`."""

    def readings(self, command: Command) -> dict[str, Reading]:
        """See `MuscleWork.readings`."""
        return {}

    def gather(self, command: Command) -> np.ndarray:
        """See `MuscleWork.gather`."""
        return command.torque

    def stats(self) -> dict[str, Any]:
        """See `MuscleWork.stats`."""
        return {}
