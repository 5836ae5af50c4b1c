# SPDX-License-Identifier: GPL-3.0-or-later
"""The first steps of a gait with flight, rehearsed: its own controller moves its body in an engine, as in the shot to come.

A bounce lives on how far the tracked body falls short of its plan: forces given up for angular momentum, impacts of whole
soles, the centre of pressure held within them. To work that out costs as much as to step the physics for these few landings.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from ...bodies.muscles.actuator import MuscleState
from ...bodies.state import BodyState
from ...engines.commands import Accelerations
from ...engines.engine import Engine
from ..controller import Controller, Sensed


class Rehearsal:
    """A `controller` at work on `state` in an engine, which is closed in the end. `time_s`, and the way so far: `times_s` and
    `coms_m`, a list of numbers and of arrays (3,); `fell` tells whether it ended in a fall. `muscles` are those around the
    engine, where it has some."""

    def __init__(self, controller: Controller, state: BodyState, engine: Engine, muscles: MuscleState | None = None) -> None:
        self._controller, self._state, self._engine, self._muscles = controller, state, engine, muscles
        self.time_s, self.fell = 0.0, False
        self.times_s: list[float] = []
        self.coms_m: list[np.ndarray] = []
        engine.reset(*controller.start())
        self._sense()

    def _sense(self) -> None:
        engine, state = self._engine, self._state
        state.update(engine.qpos, engine.qvel)
        self.times_s.append(self.time_s)
        self.coms_m.append(state.com.copy())
        self._controller.sense(Sensed(self.time_s, engine.qpos, engine.qvel, engine.contact_force_n, muscles=self._muscles))

    def run(self, duration_s: float, enough: Callable[[], bool]) -> None:
        """Go on until it is `enough`, the character falls, or the time is over. Raises EngineError where the engine loses it."""
        controller, tick = self._controller, 0
        try:
            while self.time_s < duration_s and not self.fell and not enough():
                command = controller.act()
                if isinstance(command, Accelerations):
                    raise TypeError("A rehearsal steps an engine of its own, which takes no accelerations.")
                command = replace(command, torque=command.torque + self._state.suit_torque)
                self._engine.apply(command, controller.control_step_s)
                tick += 1
                self.time_s = tick * controller.control_step_s
                self._sense()
                self.fell = controller.fallen()
        finally:
            self._engine.close()
