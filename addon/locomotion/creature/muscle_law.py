# SPDX-License-Identifier: GPL-3.0-or-later
"""Creatures by muscles of any routing, after Geijtenbeek 2013: the quick law's torques, as excitations that come 5, 10 or 20 ms
late; muscles that stretch a leg feed back their force in stance, and constants go with the leg's state. There (eq. 16 to 18)
each muscle carries the whole torque by itself, over its arm. Here each carries its share, by its arms over what all muscles
there could make; repeated for the rest, with excitations that cannot be negative, that is Cimmino's method of least squares:
nothing is divided by an arm that may be none, and muscles past two joints find what both want."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import mujoco
import numpy as np

from ...bodies.body import FREEDOM, Body
from ...bodies.creature.body import CreatureBody
from ...bodies.creature.muscles import FIBRE_SPREAD, FOOT_S, HIP_S, KNEE_S, SLACK_SPREAD, SPREAD, creature_muscles, properties
from ...bodies.creature.routing import FreeMuscle, FreePaths, posed, routing_names
from ...bodies.model import build_model
from ...bodies.muscles.mechanics import EQUAL, GEYER, RigidTendons, basal_w, metabolic_w
from ...bodies.muscles.paths import alone_inertia, unborne
from ...engines.engine import Command, Torques
from ...errors import InputError, unknown_name
from ...specs.motions import Creature
from ...specs.shot import EARTH_GRAVITY_M_S2, World
from ..controller import Physics, Reading, Sensed, Setup
from ..reflex.muscles import Delays
from .controller import CreatureController
from .felt import Felt
from .law import LOADED_SHARE, CreatureLaw
from .parameters import ORDER, TICK_STEPS, creature_physics, vector_of

Range = tuple[float, float, float]
"""Where a search begins, and the bounds."""

LAW: dict[str, tuple[Range, str]] = {
    "tone": ((0.02, 0.01, 0.2), "Excitation of every muscle, always"),
    "slower": ((1.06, 0.7, 2.0), "Time of a swing over the quick law's"),
    "damped": ((1.0, 0.5, 3.0), "Damping over the quick law's, which knows no late nerves"),
    "damping": ((0.9, 0.0, 1.5), "Share of that damping that is wished of the muscles"),
    "bandwidth": ((1.3, 0.1, 4.0), "How stiff a swinging leg is held at most: its own frequency times how late its muscles are"),
    "passive": ((1.5, 0.2, 4.0), "Damping of the joints themselves, over the least that stood"),
    "chains": ((0.5, 0.0, 1.0), "Share of the quick law's damping that the joints of neck, tail, spine and arms keep themselves"),
    "lift": ((-0.3, -0.7, 0.1), "How far behind the centre of mass, in legs, a standing foot begins to lift (less than 0)"),
    "prepare": ((0.1, -0.3, 0.6), "How far ahead of it a swinging foot prepares to land"),
    "lift_hip": ((0.0, 0.0, 1.0), "While it lifts, more excitation of hip muscles ahead, and as much less of those behind"),
    "lift_knee": ((0.0, 0.0, 1.0), "While it lifts, less excitation of the muscle that stretches the knee"),
}
"""Of all muscles together (bounds and starts are first guesses)."""
KIND: dict[str, tuple[Range, str]] = {
    "gain": ((1.2, 0.2, 6.0), "Excitation over what the wish asks for"),
    "stance": ((0.0, -0.2, 0.4), "Excitation in stance and lift-off beside that"),
    "swing": ((0.0, -0.2, 0.4), "Excitation in swing and preparation beside that"),
    "force": ((0.0, 0.0, 1.5), "Excitation by its own force in stance, of muscles that stretch a leg"),
    "strength": ((0.0, -1.0, 1.0), f"Greatest force, as a power of {SPREAD:g}"),
    "fibre": ((0.0, -1.0, 1.0), f"Optimal length of the fibres, as a power of {FIBRE_SPREAD:g}"),
    "slack": ((0.0, -SLACK_SPREAD, SLACK_SPREAD), "How much longer the tendon is, in optimal fibre lengths"),
}
"""Of each kind of muscle; those of both sides are one kind."""
ROUTING = "routing"
GROUPS = ("law", *KIND, ROUTING)


class MuscleNumbers:
    """The numbers of some muscles: `names` (Q,) of (group, name), `start`, `low`, `high` (Q,)."""

    def __init__(self, muscles: Sequence[FreeMuscle]) -> None:
        self.kinds = tuple(dict.fromkeys(muscle.kind for muscle in muscles))
        self.kind_of = np.array([self.kinds.index(muscle.kind) for muscle in muscles])
        stretch = {muscle.kind for muscle in muscles if muscle.extends}
        legs = {muscle.kind for muscle in muscles if muscle.hip or muscle.reference}
        rows: dict[tuple[str, str], Range] = {("law", name): span for name, (span, _) in LAW.items()}
        for group, (span, _) in KIND.items():
            which: Collection[str] = legs if group in ("stance", "swing", "slack") else self.kinds
            which = stretch if group == "force" else which
            rows |= {(group, kind): span for kind in self.kinds if kind in which}
        rows |= {(ROUTING, name): (0.5, 0.0, 1.0) for name in routing_names(muscles)}
        self.names = tuple(rows)
        self.start, self.low, self.high = np.array(list(rows.values())).T
        self._row = {name: i for i, name in enumerate(self.names)}

    def rows(self, groups: Iterable[str]) -> np.ndarray:
        """Which numbers (k,) are of some groups."""
        wanted = set(groups)
        return np.array([i for i, (group, _) in enumerate(self.names) if group in wanted], dtype=int)

    def vector_of(self, values: Mapping[str, Mapping[str, float]]) -> np.ndarray:
        """Values (Q,) by group and name: the start's where nothing is said. Raises InputError for what is not known."""
        vector = self.start.copy()
        for group, named in values.items():
            for name, value in named.items():
                if (group, name) not in self._row:
                    known = [n for g, n in self.names if g == group] or list(GROUPS)
                    raise unknown_name("number of the creature's muscles", name if len(known) > len(GROUPS) else group, known)
                vector[self._row[group, name]] = value
        return vector

    def values_of(self, vector: np.ndarray) -> dict[str, dict[str, float]]:
        """What is not as at the start, by group and name; `vector_of` makes the same vector of it."""
        values: dict[str, dict[str, float]] = {}
        for (group, name), value, start in zip(self.names, vector, self.start, strict=True):
            if value != start:
                values.setdefault(group, {})[name] = float(value)
        return values

    def law(self, vectors: np.ndarray, name: str) -> np.ndarray:
        """One number (N,) of all muscles together, of vectors (N, Q)."""
        return vectors[:, self._row["law", name]].copy()

    def of_muscles(self, vectors: np.ndarray, group: str) -> np.ndarray:
        """A group's numbers (N, M), 0 of muscles whose kind has none."""
        found = np.zeros((len(vectors), len(self.kinds)))
        for k, kind in enumerate(self.kinds):
            if (group, kind) in self._row:
                found[:, k] = vectors[:, self._row[group, kind]]
        return found[:, self.kind_of]

    def routing(self, vectors: np.ndarray) -> np.ndarray:
        """The routing (N, R)."""
        return vectors[:, self.rows((ROUTING,))]


ROUNDS = 4
RELAXATION = 1.8
"""Of each round's change; below 2 it converges."""
OWN_SHARE = 0.2
"""A joint's axis is the muscles' own where they make at least this share of what they make about its strongest."""


class Shares:
    """The wish of N walkers' muscles. `own` (nv - r,) tells which axes are the muscles' own; about others they make little."""

    def __init__(self, paths: FreePaths, force_n: np.ndarray) -> None:
        """`paths` is in the pose by which axes are judged; `force_n` (N, M) is the muscles' greatest force."""
        self.paths, self._force_n = paths, force_n
        self._joint = np.zeros((len(paths.body.segments), paths.freedom))
        for i, segment in enumerate(paths.body.segments[1:], start=1):
            assert len(paths.columns[segment.name]) == FREEDOM[segment.joint]
            self._joint[i, paths.columns[segment.name]] = 1.0
        self._joint_of = self._joint.argmax(axis=0)
        self._floor = OWN_SHARE * self._strongest(self._sums()[1])
        mean = self._sums()[1].mean(axis=0)
        self.own = (mean >= OWN_SHARE * self._strongest(mean[None])[0]) & (mean > 0.0)

    def _sums(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Torques (N, K) of wholly excited muscles, their sums about each axis (N, nv - r) and of each muscle (N, M)."""
        made = self.paths.arms_m * self._force_n.take(self.paths.muscle, axis=1)
        size = np.abs(made)
        return made, size @ self.paths.of_column, size @ self.paths.of_muscle

    def _strongest(self, sums: np.ndarray) -> np.ndarray:
        """The most about any axis of the same joint (N, nv - r)."""
        by_joint = np.where(self._joint > 0.0, sums[:, None, :], 0.0).max(axis=2)
        return by_joint[:, self._joint_of]

    def wish(self, torque: np.ndarray, least: np.ndarray) -> np.ndarray:
        """Activations (N, M) that make torques (N, nv - r) [N m], none below `least` (N, 1)."""
        paths = self.paths
        made, about, of_each = self._sums()
        per_axis = self.own / np.maximum(np.maximum(about, self._floor), 1e-9)
        per_muscle = RELAXATION / np.maximum(of_each, 1e-9)
        wish = np.broadcast_to(least, of_each.shape)
        for _ in range(ROUNDS):
            lack = torque - (made * wish.take(paths.muscle, axis=1)) @ paths.of_column
            lack *= per_axis
            wish = wish + per_muscle * ((made * lack.take(paths.column, axis=1)) @ paths.of_muscle)
            wish = np.minimum(np.maximum(wish, least), 1.0)
        return wish


PULLS = 4
"""Steps of muscles and physics from one wish to the next: a millisecond each of a leg of a metre on Earth, so that delays of 5,
10 and 20 ms are told apart and what fibres resist with their speed stays small against a light limb's inertia."""


def muscle_physics(body: Body, gravity_m_s2: float) -> Physics:
    physics = creature_physics(body, gravity_m_s2)
    return replace(physics, step_s=physics.step_s * TICK_STEPS / PULLS, acts=PULLS)


PASSIVE_LEG, PASSIVE_FOOT = 0.006, 0.012
"""Damping of a leg's joints themselves over m g L T: 1 and 2 N m s/rad of a human (a prototype's)."""
STARTS_AT = 0.02
"""Activation of all muscles at the start (Geijtenbeek 2013, section 6)."""


@dataclass(frozen=True)
class Kind:
    """`free`: routed as their numbers say, else in mid-range; `ideal`: force is excitation times its greatest, at once."""

    free: bool = True
    ideal: bool = False


WHOLE = Kind()


class CreatureMuscleLaw:
    """N walkers of one body: `quick` is their quick law, with parameters (N, K) or by name, `numbers` name the muscles' own, (N,
    Q) or by group and name. `decide` at every tick of the quick law, `pull` at every step of the muscles, which take `step_s`
    [s]. Readings after a step, all (N, M): `activation`, `force_n`, `fibre_length` [l_opt], `excitation`; `state` (N, 2), left
    leg first: 0 stance, 1 lift-off, 2 swing, 3 preparation; `beside` (N, nv - 6) [N m] what the joints have of no muscle, about
    axes where these make little."""

    def __init__(self, body: CreatureBody, parameters: Mapping[str, float] | np.ndarray,
                 muscles: Mapping[str, Mapping[str, float]] | np.ndarray, n: int = 1, gravity_m_s2: float = EARTH_GRAVITY_M_S2,
                 step_s: float = 0.001, kind: Kind = WHOLE) -> None:
        self.body, self.n, self.step_s, self.ideal = body, n, step_s, kind.ideal
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
        self.paths = FreePaths(body, self.muscles, routing if kind.free else np.full_like(routing, 0.5))
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
        self._delays = Delays(delays * (not kind.ideal))
        self._force_delays = Delays(delays * (not kind.ideal))
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
        self.excitation = self.mechanics.activation
        self._decided: Felt | None = None  # what paths were last brought up to date with by `decide`
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
        self._decided = felt
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
        """Torques and damping (N, nv - 6) [N m], [N m s/rad] of the coming step; of `felt` only places, turns and rates count."""
        paths, sizes, mechanics = self.paths, self.sizes, self.mechanics
        rates = felt.qvel[:, self.body.root_freedom:]
        if felt is not self._decided:
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


class CreatureMuscleController(CreatureController):
    """See `controller.Controller`. Raises InputError for a gait whose muscles are others than the body's."""

    name = "creature_muscles"

    def __init__(self, setup: Setup) -> None:
        super().__init__(setup)
        self._acts, self._beside, self._begun = 0, 0.0, False

    @classmethod
    def steps_of(cls, body: Body, gravity_m_s2: float) -> Physics:
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
        if self._acts % PULLS:
            self._sensed, self._felt = sensed, self.senses.moved(self._felt, lambda name: getattr(self.state.data, name)[None])
            return
        super().sense(sensed)
        if not self._begun:
            self.muscles.reset(self._felt, sensed.time_s)
            self._begun = True

    def act(self) -> Command:
        assert self._sensed is not None
        if self._acts % PULLS == 0:
            com = self.state.com
            self.course.go(complex(com[0], com[1]), PULLS * self.control_step_s)
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
