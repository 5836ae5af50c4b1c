# SPDX-License-Identifier: GPL-3.0-or-later
"""Lengths, rates and moment arms of muscles on a body, by a MuJoCo model of their own."""

from __future__ import annotations

import mujoco
import numpy as np

from ...specs.shot import World
from ..body import FREEDOM, Body
from ..model import build_model
from ..muscle import ArmsReader, MuscleSet
from .mechanics import Mechanics, make_mechanics, metabolic_w


class PathKinematics:
    """Lengths, rates and moment arms of a set's M muscles on a body of nv degrees of freedom. After `update`: `length_m` (M,),
    `rate_m_s` (M,), positive where a muscle gets longer, and `arms_m` (nv, M) [m], R = -dL/dq. The arrays stay the same ones and
    are filled anew: nothing is allocated."""

    def __init__(self, body: Body, muscles: MuscleSet) -> None:
        self.body, self.muscles = body, muscles
        self.model = build_model(body, World(), muscles=muscles)
        self.data = mujoco.MjData(self.model)
        self.reader = ArmsReader(self.model, self.data)
        self.length_m, self.rate_m_s, self.arms_m = self.reader.length_m, self.reader.rate_m_s, self.reader.arms_m

    def update(self, qpos: np.ndarray, qvel: np.ndarray) -> None:
        model, data = self.model, self.data
        data.qpos[:], data.qvel[:] = qpos, qvel
        mujoco.mj_kinematics(model, data)
        mujoco.mj_comPos(model, data)
        self.reader.read()

    def joint_rows(self) -> dict[str, slice]:
        """The rows of `arms_m` of each joint, by the segment below it."""
        rows = {}
        for name in self.body.joint_segments:
            first = int(self.model.joint(name).dofadr[0])
            rows[name] = slice(first, first + FREEDOM[self.body.segment(name).joint])
        return rows


OWN_NM_KG = 0.25
"""What muscles can do both ways about a joint's axis that is theirs, over the body's mass (first guess): about others, such as a
foot's turning about the shank, the joint has a torque of its own."""


def moved_coordinates(body: Body, muscles: MuscleSet) -> np.ndarray:
    """Which coordinates (nv - r,) behind the root any muscle pulls at: those of joints that lie between parts of its path."""
    ways = {segment.name: set(body.way_to(segment.name)) for segment in body.segments}
    moved: set[str] = set()
    for muscle in muscles:
        passed = [ways[part.segment] for part in muscle.path]
        moved |= set().union(*passed) - passed[0].intersection(*passed)
    return np.array([segment.name in moved for segment in body.segments[1:] for _ in range(FREEDOM[segment.joint])])


def own_coordinates(body: Body, muscles: MuscleSet) -> np.ndarray:
    """Which coordinates (nv - r,) muscles can turn both ways, each by `OWN_NM_KG` or more, in the neutral pose, at rest."""
    paths = PathKinematics(body, muscles)
    paths.update(paths.model.qpos0, np.zeros(paths.model.nv))
    active, _ = make_mechanics(muscles).by_activation(paths.length_m, np.zeros(len(muscles)))
    torque = paths.arms_m[body.root_freedom:] * active
    least = OWN_NM_KG * body.bare_mass_kg
    return (torque.clip(min=0.0).sum(axis=1) >= least) & (-torque.clip(max=0.0).sum(axis=1) >= least)


DAMPING_EVERY_S = 0.005
"""How often the damping is worked out anew: it changes with activations, and steps need its size alone."""


class PathActuator:
    """The M muscles of one body, with the state that the last `reset` or `step` came to. Path lengths, rates and moment arms are
    those of the very state that a step begins in, so that the force is never a step behind the motion. `moved` (nv - r,) tells
    which coordinates behind the root, which has r, any muscle pulls at, `own` (nv - r,) which of them muscles can turn both ways,
    so that no torque has to; `damping` (nv - r,) [N m s] how much of what each coordinate's torque falls by with its own rate an
    engine has to treat implicitly."""

    def __init__(self, body: Body, muscles: MuscleSet, mechanics: Mechanics, own: np.ndarray) -> None:
        self.names, self.muscles = muscles.names, muscles
        self._paths, self._mechanics = PathKinematics(body, muscles), mechanics
        self.moved, self.own = moved_coordinates(body, muscles), own
        self._arms = self._paths.arms_m[body.root_freedom:]
        self._torque, self.damping = np.zeros((2, len(self.moved)))
        self._inertia = alone_inertia(self._paths.model)[body.root_freedom:]
        self._excitation, self._since_s = mechanics.activation, 0.0

    @property
    def activation(self) -> np.ndarray:
        """(M,), 0 to 1."""
        return self._mechanics.activation

    @property
    def force_n(self) -> np.ndarray:
        """Force (M,) in the tendons."""
        return self._mechanics.force_n

    @property
    def fibre_length(self) -> np.ndarray:
        """(M,) [l_opt]."""
        return self._mechanics.fibre_length

    @property
    def fibre_velocity(self) -> np.ndarray:
        """(M,) [l_opt/s], shortening negative."""
        return self._mechanics.fibre_velocity

    @property
    def metabolic_w(self) -> np.ndarray:
        """Metabolic rate (M,) [W] of each muscle by Wang 2012, what the body spends at rest left out; worked out when asked."""
        return metabolic_w(self._mechanics, self._excitation)

    def reset(self, qpos: np.ndarray, qvel: np.ndarray, activation: np.ndarray | None = None) -> None:
        """Begin in a state, with activations (M,), None for none, and fibres in equilibrium that go along with the joints."""
        self._paths.update(qpos, qvel)
        self._mechanics.reset(self._paths.length_m, activation, self._paths.rate_m_s)
        self._excitation = self._mechanics.activation
        self._since_s = DAMPING_EVERY_S

    def step(self, excitation: np.ndarray, qpos: np.ndarray, qvel: np.ndarray, dt_s: float) -> np.ndarray:
        """The muscles' torque (nv - r,) [N m] through a step from a state on; activations and fibres go on by the step. The
        array is the same from step to step."""
        paths, mechanics = self._paths, self._mechanics
        paths.update(qpos, qvel)
        self._excitation = excitation
        np.matmul(self._arms, mechanics.step(excitation, paths.length_m, paths.rate_m_s, dt_s), out=self._torque)
        self._since_s += dt_s
        if self._since_s > DAMPING_EVERY_S - 0.5 * dt_s:
            self.damping[:] = unborne(self._arms**2 @ mechanics.damping_n_s_m, self._inertia, dt_s)
            self._since_s = 0.0
        return self._torque


def unborne(damping: np.ndarray, inertia: np.ndarray, dt_s: float) -> np.ndarray:
    """The part [N m s] of joints' damping that an engine has to treat implicitly so that no step of a velocity overshoots: all
    that explicit steps bear stays out of it, since what is implicit comes a step late."""
    return np.maximum(damping - inertia / dt_s, 0.0)


def alone_inertia(model: mujoco.MjModel) -> np.ndarray:
    """What each coordinate (nv,) has of inertia in the neutral pose where all others are free to go along: the least it has."""
    data, mass = mujoco.MjData(model), np.zeros((model.nv, model.nv))
    mujoco.mj_forward(model, data)
    mujoco.mj_fullM(model, data, mass)
    return 1.0 / np.diag(np.linalg.inv(mass))
