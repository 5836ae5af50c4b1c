# SPDX-License-Identifier: GPL-3.0-or-later
"""An engine that is given excitations: muscles around any engine that takes torques. It needs nothing of them but joint torques,
anew at every physics step: what they resist with their speed is the body's damper. The part of it by which a joint's torque falls
with its own rate is handed over as damping too, which engines treat implicitly: else steps of a millisecond would shake a light
foot between stiff calf muscles."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from ..bodies.muscles.paths import PathActuator
from .engine import Command, Engine, Excitations, Torques


class Muscled:
    """Takes `Torques` too: muscles then have the excitation `tone`. `muscle_torque` (nv - r,) [N m] is the last mean."""

    senses_contact: ClassVar[bool] = True

    def __init__(self, inner: Engine, actuator: PathActuator, tone: float = 0.0) -> None:
        self.inner, self.actuator = inner, actuator
        self.step_s, self.qpos, self.qvel = inner.step_s, inner.qpos, inner.qvel
        self.object_pose = inner.object_pose
        self.contact_force_n = np.zeros_like(inner.contact_force_n)
        self.touched: dict[tuple[int, str], np.ndarray] = {}
        self.muscle_torque = np.zeros_like(actuator.damping)
        self._rates = self.qvel[self.qvel.size - actuator.damping.size:]
        self._tone = np.full(len(actuator.names), tone)
        self._own_damping = np.zeros_like(actuator.damping)
        self._begun = False
        self.push, self.throw, self.close = inner.push, inner.throw, inner.close
        self.set_gravity, self.bar_itself = inner.set_gravity, inner.bar_itself

    @property
    def watches(self) -> bool:
        return self.inner.watches

    @watches.setter
    def watches(self, watches: bool) -> None:
        self.inner.watches = watches

    def reset(self, qpos: np.ndarray, qvel: np.ndarray) -> None:
        """See `Engine.reset`. Muscles will be as active as the first command excites them, unless they are told to `begin`."""
        self.inner.reset(qpos, qvel)
        self.contact_force_n[:] = 0.0
        self._own_damping = np.zeros_like(self._own_damping)
        self.begin(self._tone)
        self._begun = False

    def begin(self, activation: np.ndarray) -> None:
        """Muscles are as active (M,) as this now."""
        self.actuator.reset(self.qpos, self.qvel, activation)
        self._begun = True

    def begin_with(self, command: Command) -> None:
        """Muscles that have not begun are as active as a command excites them."""
        if not self._begun:
            self.begin(self._excitation(command))

    def _excitation(self, command: Command) -> np.ndarray:
        return command.excitation if isinstance(command, Excitations) else self._tone

    def apply(self, command: Any, seconds: float) -> None:
        actuator, inner, step = self.actuator, self.inner, self.step_s
        excitation = self._excitation(command)
        self.begin_with(command)
        if command.damping is not None:
            self._own_damping = np.array(command.damping)
        steps = max(1, round(seconds / step))
        self.muscle_torque[:] = 0.0
        self.contact_force_n[:] = 0.0
        self.touched.clear()
        for _ in range(steps):
            torque = actuator.step(excitation, self.qpos, self.qvel, step)
            self.muscle_torque += torque
            held, damping = torque + command.torque, actuator.damping
            inner.apply(Torques(held + damping * self._rates, self._own_damping + damping), step)
            self.contact_force_n += inner.contact_force_n
            for where, impulse in inner.touched.items():
                self.touched[where] = self.touched.get(where, 0.0) + impulse
        self.muscle_torque /= steps
        self.contact_force_n /= steps
