# SPDX-License-Identifier: GPL-3.0-or-later
"""PyBullet with the body's root on rails. Imported only through `factory.make_engine`.

The multibody's base itself is as heavy as `rails.HEAVY`, with its centre of mass at the root's origin. Bullet has no contacts of
chosen pairs at a depth of their own: segments do not bar each other's way, and the ground meets no sole.
"""

from __future__ import annotations

import copy
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from ..bodies.body import Body
from ..bodies.model import PHYSICS_STEP_S
from ..specs.loose import LooseObject
from ..specs.shot import World
from .bullet_damping import ImplicitDamping
from .commands import Torques
from .pybullet_engine import PyBulletEngine, pybullet
from .rails import HEAVY, Rails


def with_heavy_root(body: Body) -> Body:
    """The body with a root that nothing moves, as thick as it was."""
    made, root = copy.copy(body), body.segments[0]
    flesh_kg = root.mass_kg if root.flesh_kg is None else root.flesh_kg
    made.segments = (replace(root, mass_kg=HEAVY, com=np.zeros(3), inertia=HEAVY * np.eye(3), flesh_kg=flesh_kg),
                     *body.segments[1:])
    return made


class PyBulletOnRails(PyBulletEngine):
    """See `engine.Engine` and `pybullet_engine.PyBulletEngine`."""

    def __init__(self, body: Body, world: World, *, rails: Rails, step_s: float = PHYSICS_STEP_S, capsules: bool = False,
                 objects: Sequence[LooseObject] = ()) -> None:
        super().__init__(with_heavy_root(rails.reaching(body)), world, step_s=step_s, capsules=capsules, objects=objects)

    def _build(self) -> None:
        super()._build()
        at = {"physicsClientId": self._client}
        grounds = [body for i in range(pybullet.getNumBodies(**at))
                   if (body := pybullet.getBodyUniqueId(i, **at)) not in (self._figure, *self._objects.bodies)]
        for ground in grounds:
            for link in self._feet:
                pybullet.setCollisionFilterPair(ground, self._figure, -1, link, 0, **at)

    def apply(self, command: Torques, seconds: float) -> None:
        """See `Engine.apply`; the root has the command's acceleration."""
        self._objects.release(self._time_s)
        self.touched.clear()
        self._damping = np.zeros(self.qvel.size - 6) if command.damping is None else np.array(command.damping)
        if self._damper is None:
            self._damper = ImplicitDamping(self.body, replace(self.world, gravity_m_s2=self._gravity_m_s2), self.step_s)
        push = HEAVY * (np.zeros(6) if command.root is None else command.root)
        push[2] += HEAVY * self._gravity_m_s2
        for _ in range(max(1, round(seconds / self.step_s))):
            torque = self._damper.torque(self.qpos, self.qvel, command.torque, self._damping, push)
            self._push_root(push)
            self.advance(torque, 1)

    def _push_root(self, push: np.ndarray) -> None:
        """A force, world axes, and a moment, the root's own axes, on the root through the next call of Bullet's step."""
        at = {"physicsClientId": self._client}
        pybullet.applyExternalForce(self._figure, -1, push[:3].tolist(), self.qpos[:3].tolist(), pybullet.WORLD_FRAME, **at)
        moment = self._matrix.reshape(3, 3) @ push[3:]
        pybullet.applyExternalTorque(self._figure, -1, moment.tolist(), pybullet.WORLD_FRAME, **at)
