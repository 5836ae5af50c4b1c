# SPDX-License-Identifier: GPL-3.0-or-later
"""Creatures by muscles: what the quick law wishes at the joints, as excitations that come late, of muscles of any routing.

After Geijtenbeek 2013: target features make virtual torques (here the quick law's: trunk upright, thigh to where the foot is to
be placed, leg to its length, foot to the ground, head and chains to their pose), these ask muscles by their arms (`shares.py`);
nerves are 5, 10, 20 ms late; muscles that stretch a leg feed back their force in stance; constants by the leg's state.
"""

from __future__ import annotations

from collections.abc import Mapping

import mujoco
import numpy as np

from ...bodies.creature.body import CreatureBody
from ...bodies.creature.leg_muscles import FOOT_S, HIP_S, KNEE_S
from ...bodies.creature.muscles import creature_muscles
from ...bodies.creature.properties import FIBRE_SPREAD, SPREAD, properties
from ...bodies.creature.routing import FreePaths, posed
from ...bodies.model import build_model
from ...bodies.muscles.curves import GEYER
from ...bodies.muscles.mechanics import EQUAL, RigidTendons
from ...bodies.muscles.metabolic import metabolic_w
from ...bodies.muscles.path_actuator import alone_inertia, unborne
from ...specs.shot import EARTH_GRAVITY_M_S2, World
from ..creature.felt import Felt
from ..creature.law import LOADED_SHARE, CreatureLaw
from ..creature.parameters import ORDER, vector_of
from ..reflex.delays import Delays
from .numbers import KIND, LAW, MuscleNumbers
from .shares import Shares
from .timing import PULLS

ACTIVE, WHOLE = "ideal", "hill"
"""What a muscle's force is: excitation times its greatest, at once; or the whole model: late, by length, rate and
activation."""
PASSIVE_LEG, PASSIVE_FOOT = 0.006, 0.012
"""Damping of a leg's joints themselves over m g L T: 1 and 2 N m s/rad of a human (a prototype's)."""
STARTS_AT = 0.02
"""Activation of all muscles at the start (Geijtenbeek 2013, section 6)."""


class CreatureMuscleLaw:
    """N walkers of one body: `quick` is their quick law, with parameters (N, K) or by name, `numbers` name the muscles' own,
    (N, Q) or by group and name. `decide` at every tick of the quick law, `pull` at every step of the muscles, which take
    `step_s` [s].

    Readings after a step, all (N, M): `activation`, `force_n`, `fibre_length` [l_opt], `excitation`; `state` (N, 2), left leg
    first: 0 stance, 1 lift-off, 2 swing, 3 preparation; `beside` (N, nv - 6) [N m] what the joints have of no muscle, about
    axes where these make little. `ideal` makes force at once of excitation, `free` False keeps all routing in the middle of its
    range.
    """

    def __init__(self, body: CreatureBody, parameters: Mapping[str, float] | np.ndarray,
                 muscles: Mapping[str, Mapping[str, float]] | np.ndarray, n: int = 1, gravity_m_s2: float = EARTH_GRAVITY_M_S2,
                 step_s: float = 0.001, *, ideal: bool = False, free: bool = True) -> None:
        self.body, self.n, self.step_s, self.ideal = body, n, step_s, ideal
        self.tick_s = PULLS * step_s
        self.muscles = creature_muscles(body, gravity_m_s2)
        self.names = tuple(muscle.name for muscle in self.muscles)
        numbers = self.numbers = MuscleNumbers(self.muscles)
        vectors = muscles if isinstance(muscles, np.ndarray) else numbers.vector_of(muscles)
        vectors = np.broadcast_to(vectors, (n, len(numbers.names)))
        quick = parameters if isinstance(parameters, np.ndarray) else vector_of(parameters)
        quick = np.broadcast_to(quick, (n, len(ORDER))).copy()
        for name, times in (("swing_time", "slower"), ("damping", "damped")):
            quick[:, ORDER.index(name)] *= numbers.law(vectors, times)
        self.quick = CreatureLaw(body, quick, n, gravity_m_s2)
        self.quick.extending = np.inf  # its stored gaits were found so, and begin on one foot
        routing = numbers.routing(vectors)
        self.paths = FreePaths(body, self.muscles, routing if free else np.full_like(routing, 0.5))
        group = {name: numbers.of_muscles(vectors, name) for name in KIND}
        self.sizes = properties(body, self.muscles, self.paths, SPREAD ** group["strength"], FIBRE_SPREAD ** group["fibre"],
                                group["slack"])
        self._gain, self._stance, self._swing, self._feedback = (group[name] for name in ("gain", "stance", "swing", "force"))
        number = {name: numbers.law(vectors, name)[:, None] for name in LAW}
        self._number = number
        self.mechanics = RigidTendons(self.sizes, GEYER, EQUAL)
        position, matrix = posed(body, {})
        self._repeat = np.repeat(position, n, axis=0), np.repeat(matrix, n, axis=0)
        self.paths.update(*self._repeat)
        self.shares = Shares(self.paths, self.sizes.max_force_n)
        self._model = build_model(body, World())
        self._inertia = alone_inertia(self._model)[body.root_freedom:]
        self._damp(number["passive"], number["chains"])
        self._limit(number["bandwidth"])
        sides = [foot.side for foot in sorted(body.feet, key=lambda foot: foot.side)]
        self._leg = np.array([sides.index(m.side) if m.side and (m.hip or m.reference) else -1 for m in self.muscles])
        self._in_leg = self._leg >= 0
        self._lifts = (np.array([(1.0 if m.ahead else -1.0) if m.hip else 0.0 for m in self.muscles]) * number["lift_hip"]
                       - np.array([1.0 if m.kind == "vastus" else 0.0 for m in self.muscles]) * number["lift_knee"])
        delays = np.round(np.array([m.delay_s for m in self.muscles]) / step_s).astype(int)
        self._delays = Delays(delays * (not ideal))
        self._force_delays = Delays(delays * (not ideal))
        self.state = np.zeros((n, 2), dtype=int)
        self.beside = np.zeros((n, self.paths.freedom))
        self.damping = np.zeros((n, self.paths.freedom))

    def _damp(self, passive: np.ndarray, chains: np.ndarray) -> None:
        """The joints' own damping, (N, nv - r)."""
        quick = self.quick
        unit = quick.weight_n * quick.leg_m * quick.time_unit_s
        self._passive = chains * quick.damping
        layout = quick.layout
        for columns, size in ((layout.hip, PASSIVE_LEG), (layout.hinge, PASSIVE_LEG), (layout.foot, PASSIVE_FOOT)):
            self._passive[:, columns.ravel()] = size * unit * passive

    def _limit(self, bandwidth: np.ndarray) -> None:
        """What share of its stiffness and of its damping each joint of a leg in the air may have (N, nv - r), so that late
        muscles do not shake what it moves: its inertia in the neutral pose, all below held still."""
        quick, layout = self.quick, self.quick.layout
        unit = quick.weight_n * quick.leg_m
        inertia = neutral_inertia(self._model)[self.body.root_freedom:]
        self._stiff, self._damped = np.ones((2, self.n, self.paths.freedom))
        self._of_leg = np.zeros((2, self.paths.freedom))
        for columns, gain, late_s in ((layout.hip, "hip_gain", HIP_S), (layout.hinge, "leg_gain", KNEE_S),
                                      (layout.foot, "foot_gain", FOOT_S)):
            late_s = late_s + EQUAL.rise_s + 0.5 * self.tick_s
            stiff = (quick.gains[gain] * unit)[:, None]
            damped = (quick.gains["damping"] * quick.gains[gain] * unit * quick.time_unit_s)[:, None]
            for leg in (0, 1):
                own = columns[leg]
                self._stiff[:, own] = np.minimum((bandwidth / late_s) ** 2 * inertia[own] / stiff, 1.0)
                self._damped[:, own] = np.minimum(bandwidth / late_s * inertia[own] / damped, 1.0)
                self._of_leg[leg, own] = 1.0

    @property
    def activation(self) -> np.ndarray:
        return self.mechanics.activation

    @property
    def force_n(self) -> np.ndarray:
        return self.mechanics.force_n

    @property
    def fibre_length(self) -> np.ndarray:
        return self.mechanics.fibre_length

    @property
    def metabolic_w(self) -> np.ndarray:
        """Metabolic rate (N, M) [W] without the basal one (Wang 2012)."""
        return metabolic_w(self.mechanics, self.excitation)

    def reset(self, felt: Felt, time_s: float = 0.0) -> None:
        """Begin in a state: see `CreatureLaw.reset`; nerves have felt it for long."""
        self.quick.reset(felt, time_s, leans=False)
        self.mechanics.reset(self._lengths(felt), np.full((self.n, self.paths.count), STARTS_AT))
        self._begin_nerves()

    def _lengths(self, felt: Felt) -> np.ndarray:
        self.paths.update(felt.place, felt.turn)
        return self.paths.length_m

    def _begin_nerves(self) -> None:
        """Nothing was wished for long."""
        self.excitation = self.mechanics.activation
        self._wish = np.full((self.n, self.paths.count), STARTS_AT)
        self._standing = np.zeros(self._wish.shape, dtype=bool)
        self._base = self._passive
        self._delays.fill(self._wish)
        self._force_delays.fill(self.mechanics.force_n / self.sizes.max_force_n)

    def decide(self, felt: Felt, time_s: float) -> None:
        """Ask the quick law what it wishes, and muscles for it, until the next tick."""
        torque, damping = self.quick.step(felt, time_s)
        own, number = self.shares.own, self._number
        rates = felt.qvel[:, self.body.root_freedom:]
        wanted = torque if self.ideal else self._borne(torque, number["damping"] * damping * rates)
        self.paths.update(felt.place, felt.turn)
        wish = self._gain * self.shares.wish(wanted * own, number["tone"])
        self._wish = wish + self._by_state(felt)
        self.beside = torque * ~own
        self._base = damping.copy() if self.ideal else np.where(own, self._passive, damping)

    def _borne(self, torque: np.ndarray, drag: np.ndarray) -> np.ndarray:
        """Torques less drag (N, nv - r) as late muscles bear them: whole where a leg carries weight."""
        quick = self.quick
        carries = np.clip(quick.seen.share / LOADED_SHARE, 0.0, 1.0) * quick.states.stands
        air = (1.0 - carries) @ self._of_leg
        return torque * (1.0 - (1.0 - self._stiff) * air) - drag * (1.0 - (1.0 - self._damped) * air)

    def _by_state(self, felt: Felt) -> np.ndarray:
        """Constant excitations (N, M) by the states of the legs (paper, eq. 24, 25, 30, 31)."""
        quick, number = self.quick, self._number
        ahead = quick.seen.feet[..., 0] / quick.leg_m
        stands = quick.states.stands
        lifts = stands & ((ahead < number["lift"]) | (stands.all(axis=1, keepdims=True) & (ahead < ahead[:, ::-1])))
        self.state = np.where(stands, np.where(lifts, 1, 0), np.where(ahead > number["prepare"], 3, 2))
        legs = np.maximum(self._leg, 0)
        self._standing = stands[:, legs] & self._in_leg
        return np.where(self._in_leg, np.where(self._standing, self._stance, self._swing) + lifts[:, legs] * self._lifts, 0.0)

    def pull(self, felt: Felt) -> tuple[np.ndarray, np.ndarray]:
        """Torques and damping (N, nv - 6) [N m], [N m s/rad] of the coming step of the muscles; of `felt` only places, turns
        and rates are read."""
        paths, sizes, mechanics = self.paths, self.sizes, self.mechanics
        rates = felt.qvel[:, self.body.root_freedom:]
        paths.update(felt.place, felt.turn)
        wish = self._delays.step(self._wish)
        if self.ideal:
            self.excitation = np.minimum(np.maximum(wish, 0.0), 1.0)
            mechanics.activation, mechanics.force_n = self.excitation, self.excitation * sizes.max_force_n
            self.damping = self._base
            return paths.torque_nm(mechanics.force_n) + self.beside, self.damping
        felt_force = self._force_delays.step(mechanics.force_n / sizes.max_force_n)
        wish = wish + self._standing * self._feedback * felt_force
        self.excitation = np.minimum(np.maximum(wish, EQUAL.least), 1.0)
        force = mechanics.step(self.excitation, paths.length_m, paths.rate_m_s(rates), self.step_s)
        torque = paths.torque_nm(force) + self.beside
        drag = paths.damping_nms(mechanics.damping_n_s_m)
        taken = unborne(drag, self._inertia, self.step_s)
        self.damping = self._base + taken
        return torque + taken * rates, self.damping


def neutral_inertia(model: mujoco.MjModel) -> np.ndarray:
    """What each coordinate (nv,) has of inertia in the neutral pose where all others are held still."""
    data, mass = mujoco.MjData(model), np.zeros((model.nv, model.nv))
    mujoco.mj_forward(model, data)
    mujoco.mj_fullM(model, data, mass)
    return np.diag(mass).copy()
