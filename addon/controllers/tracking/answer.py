# SPDX-License-Identifier: GPL-3.0-or-later
"""How a body led by the tracker answers to a plan: by less than is planned, and otherwise, where it cannot do all at once.

The tracker's own program is solved once a plan, on the body in its planned pose. What it gives up of the planned forces for
angular momentum, trunk and swinging legs changes the velocity with which the body takes off by up to a tenth. And where a sole
comes down, the legs behind it are stopped with it.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import mujoco
import numpy as np

from ...bodies.state import BodyState
from .planners.rollout import PlannedState, at
from .planners.targets import Targets
from .tracker import Tracker
from .weights import TrackerSettings

LEAST_SINGULAR = 1e-6
"""Share of the greatest singular value below which a sole's points are taken for rigidly joined."""
EASE = 1e-6
"""Weight that makes the tasks' quadratic form positive definite."""


class TrackedAnswer:
    """See `rollout.Answer`. `angular_momentum` [kg m^2/s], about the COM, goes on with the forces on the ground."""

    def __init__(self, state: PlannedState, friction: float, settings: TrackerSettings) -> None:
        self._body = BodyState(state.body, state.model, state.ground)
        self._tracker = Tracker(self._body, friction, settings)
        self._names = [foot.name for foot in state.body.feet]
        self._rows = {foot.name: list(foot.points) for foot in state.body.feet}
        self._segments = [state.model.body(p.segment).id for p in state.body.contact_points]
        self.angular_momentum: Any = None  # (3,) from the first pose on

    def _pose(self, targets: Targets, ahead_s: float) -> tuple[np.ndarray, np.ndarray]:
        """Take the planned pose; gives the matrix (3, nv) to angular momentum, and this (3,), as planned."""
        body, pose = self._body, targets.pose
        if ahead_s:
            pose = pose.copy()
            mujoco.mj_integratePos(body.model, pose, targets.pose_velocity, ahead_s)
        body.update(pose, targets.pose_velocity)
        matrix, _ = body.angular_momentum()
        planned = matrix @ body.qvel
        if self.angular_momentum is None:
            self.angular_momentum = planned
        return matrix, planned

    def strike(self, state: PlannedState, targets: Targets, ahead_s: float, feet: set[str]) -> None:
        """See `Answer.strike`: the soles stop at once with all their points, without a rebound, and the joints give way
        freely: with J the points' Jacobian and v their velocities, the impulse is -(J M^-1 J^T)^-1 v."""
        self._pose(targets, ahead_s)
        body, jacobians, velocities, points = self._body, [], [], []
        for name in sorted(feet):
            beyond = state.feet[name][1] - at(targets.feet[name], ahead_s)[1]
            for i in self._rows[name]:
                jacobian = np.zeros((3, body.model.nv))
                mujoco.mj_jac(body.model, body.data, jacobian, None, body.contact_point_m[i], self._segments[i])
                jacobians.append(jacobian)
                velocities.append(jacobian @ body.qvel + beyond)
                points.append(body.contact_point_m[i] - body.com)
        jacobian = np.vstack(jacobians)
        inertia = jacobian @ np.linalg.solve(body.mass_matrix, jacobian.T)
        impulses = -(np.linalg.pinv(inertia, rcond=LEAST_SINGULAR) @ np.concatenate(velocities)).reshape(-1, 3)
        total = impulses.sum(axis=0)
        if total[2] > 0.0:
            state.com_velocity += total / body.mass_kg
            self.angular_momentum = self.angular_momentum + np.cross(points, impulses).sum(axis=0)

    def respond(self, state: PlannedState, targets: Targets, dt: float) -> None:
        """See `Answer.respond`."""
        body, tracker = self._body, self._tracker
        matrix, planned = self._pose(targets, 0.0)
        away = body.com - state.com
        height, rising, bend = targets.height
        asked = replace(targets, cmp=targets.cmp + complex(away[0], away[1]), height=(height + float(away[2]), rising, bend))
        qvel = targets.pose_velocity + self._strayed(state, asked, matrix, planned)
        body.update(targets.pose, qvel)
        motion, feet = tracker.frames.take_over(), dict(asked.feet)
        for i, name in enumerate(self._names):  # the feet are not where the pose has them: their errors are
            foot, (place, velocity) = feet[name], state.feet[name]
            if not foot.stance:
                feet[name] = replace(foot, position=foot.position + motion.position[i] - place,
                                     velocity=foot.velocity + motion.twist[i, :3] - velocity)
        tracker.solve(replace(asked, feet=feet), 0.0)
        gain = tracker.settings.swing_gain
        for i, name in enumerate(self._names):
            foot, (place, velocity) = targets.feet[name], state.feet[name]
            wanted = gain * (foot.position - place) + 2.0 * np.sqrt(gain) * (foot.velocity - velocity) + foot.acceleration
            given = motion.jacobian[i, :3] @ tracker.acceleration + motion.bias_acceleration[i, :3]
            state.foot_excess[name] = np.zeros(3) if foot.stance else given - wanted
        force = tracker.contact_force_n
        if targets.active.any():
            state.excess = force.sum(axis=0) / body.mass_kg + body.gravity - tracker.com.acceleration
            self.angular_momentum = self.angular_momentum + dt * np.cross(body.contact_point_m - body.com, force).sum(axis=0)
        else:
            state.excess = np.zeros(3)

    def _strayed(self, state: PlannedState, asked: Targets, matrix: np.ndarray, planned: np.ndarray) -> np.ndarray:
        """Generalised velocity (nv,) beyond the planned one that gives the body the momenta it really has, as the tracker
        would have let it deviate: at the least cost of all tasks but those of the momenta themselves."""
        body, tracker, nv = self._body, self._tracker, self._body.model.nv
        hessian = tracker.build(replace(asked, angular_momentum=None), 0.0).hessian[:nv, :nv].copy()
        com = tracker.com.root_weight[:, None] * body.com_jacobian
        hessian -= com.T @ com
        np.einsum("ii->i", hessian)[:] += EASE
        momenta = np.vstack([body.com_jacobian, matrix / body.mass_kg])
        eased = np.linalg.solve(hessian, momenta.T)
        missing = np.concatenate([state.com_velocity - body.com_velocity, (self.angular_momentum - planned) / body.mass_kg])
        return eased @ np.linalg.solve(momenta @ eased, missing)
