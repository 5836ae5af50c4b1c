# SPDX-License-Identifier: GPL-3.0-or-later
"""Loose objects in Bullet. Bullet itself is handed in: it greets whoever imports it."""

from __future__ import annotations

from collections.abc import Sequence
from types import ModuleType

import numpy as np

from ..specs.loose import LooseObject
from ..specs.shot import World

ROLLING_M, SPINNING_M = 0.001, 0.005
"""Rolling and spinning friction of spheres, as in MuJoCo's model."""
ALL = -1
"""Collision mask that meets everything."""


class BulletObjects:
    """The objects in one simulation. `pose` (K, 7) holds places [m] and w-x-y-z.

    Bullet multiplies the frictions of both sides: on the ground an object has its own coefficient; on another object or on
    the character it has what comes of that.
    """

    def __init__(self, bullet: ModuleType, client: int, objects: Sequence[LooseObject]) -> None:
        self._bullet, self._at, self._objects = bullet, {"physicsClientId": client}, list(objects)
        self._made = tuple(objects)
        self.pose = np.zeros((len(self._objects), 7))
        self.touched: dict[tuple[int, str], np.ndarray] = {}
        """Impulse (3,) [N s] by object and segment."""
        self.bodies: list[int] = []
        """Bullet's numbers for them."""
        self._held: list[int] = []

    def build(self, world: World) -> None:
        """Add them to a fresh simulation, where they begin; what is thrown from the start on moves."""
        self._objects[:] = self._made
        self.bodies = [self._body(item, world) for item in self._objects]
        self._held = list(range(len(self._objects)))
        for body in self.bodies:
            self._bullet.setCollisionFilterGroupMask(body, -1, 0, 0, **self._at)
        self.release(0.0)
        self.read()

    def release(self, time_s: float) -> None:
        """Hold those whose time is not yet come for the coming control step, and let go of the others."""
        for i in list(self._held):
            item, body = self._objects[i], self.bodies[i]
            self._bullet.resetBasePositionAndOrientation(body, item.place_m, _turned(item), **self._at)
            free = item.release_s <= time_s + 1e-9
            self._bullet.resetBaseVelocity(body, item.velocity_m_s if free else (0.0,) * 3,
                                           item.spin_rad_s if free else (0.0,) * 3, **self._at)
            if free:
                self._held.remove(i)
                self._bullet.setCollisionFilterGroupMask(body, -1, 1, ALL, **self._at)

    def throw(self, i: int, place_m: np.ndarray, velocity_m_s: np.ndarray) -> None:
        """It is here from now on, and let go with this velocity at the next `release`."""
        self._objects[i] = self._objects[i].thrown(place_m, velocity_m_s)
        if i not in self._held:
            self._held.append(i)

    def feel(self, figure: int, names: Sequence[str], step_s: float) -> None:
        """Add to `touched` what objects gave the segments of the figure, by their links from the base on, in a physics step."""
        for row, body in enumerate(self.bodies):
            for c in self._bullet.getContactPoints(figure, body, **self._at):
                force = c[9] * np.array(c[7]) + c[10] * np.array(c[11]) + c[12] * np.array(c[13])
                key = row, names[c[3] + 1]
                self.touched[key] = self.touched.get(key, 0.0) + step_s * force

    def read(self) -> None:
        """Take over where they are."""
        for i, body in enumerate(self.bodies):
            place, (x, y, z, w) = self._bullet.getBasePositionAndOrientation(body, **self._at)
            self.pose[i] = (*place, w, x, y, z)

    def _body(self, item: LooseObject, world: World) -> int:
        """Body id of one of them."""
        bullet, at = self._bullet, self._at
        half = [0.5 * x for x in item.size_m]
        if item.shape == "sphere":
            shape = bullet.createCollisionShape(bullet.GEOM_SPHERE, radius=half[0], **at)
        else:
            shape = bullet.createCollisionShape(bullet.GEOM_BOX, halfExtents=half, **at)
        body = bullet.createMultiBody(item.weighs_kg, shape, basePosition=item.place_m, baseOrientation=_turned(item), **at)
        rolls = item.shape == "sphere"
        bullet.changeDynamics(body, -1, lateralFriction=item.friction / world.friction, restitution=0.0, linearDamping=0.0,
                              angularDamping=0.0, rollingFriction=ROLLING_M if rolls else 0.0,
                              spinningFriction=SPINNING_M if rolls else 0.0,
                              activationState=bullet.ACTIVATION_STATE_DISABLE_SLEEPING, **at)
        return body


def _turned(item: LooseObject) -> tuple[float, float, float, float]:
    """Orientation as Bullet has it, x-y-z-w, of unit length."""
    w, x, y, z = np.array(item.orientation) / np.linalg.norm(item.orientation)
    return (float(x), float(y), float(z), float(w))
