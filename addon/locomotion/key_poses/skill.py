# SPDX-License-Identifier: GPL-3.0-or-later
"""What a body has learned of its gait, and how firmly it holds itself. Feedback-error learning (Yin 2007, section 7.6):
tau_ff(phase) += rate * mean feedback in its bin of a leg's step, once a visit; what is applied is tau_ff + tau_fb. Only tracking
is learned: what the balance feedback adds to a leg's target is no part of it."""

from __future__ import annotations

import math
from collections.abc import Iterable
from itertools import pairwise
from typing import Any, Protocol

import mujoco
import numpy as np

from ...bodies.body import FREEDOM, Body
from ...bodies.state import BodyState
from ...specs.pose_gait import LEGS, TRUNK, UPPER, UPPER_BODY, Learned, Learning, PoseGait, PoseState, Reaction
from .machine import Machine
from .strength import Scale

AXES, MIRRORED = "xyz", (-1.0, 1.0, -1.0)
"""A ball's axes, and what becomes of a rotation about each when left and right are exchanged."""
LEG = ("shank", "foot")
"""What of a leg learns: hips place the foot, and carry what the trunk learns."""


class Springs(Protocol):
    """Springs [N m/rad] and dampings [N m s/rad] of the trunk, swinging hips (3 axes, or 1), and joints (nv - R,), 0 for hips."""

    trunk: tuple[float, float]
    hip: tuple[np.ndarray, np.ndarray]
    spring: np.ndarray
    damping: np.ndarray


class Channels:
    """`names` of all C columns and their place in `columns`: `trunk` of them (T) are the trunk's. `spring` (C,) [N m/rad] at full
    firmness. A planar trunk has one, `trunk`."""

    def __init__(self, body: Body, strength: Springs, mass_matrix: np.ndarray) -> None:
        free = body.segments[0].joint == "free"
        self.names = [f"{TRUNK}_{axis}" for axis in AXES] if free else [TRUNK]
        self.trunk = len(self.names)
        springs, sign, at = [np.full(self.trunk, strength.trunk[0])], list(MIRRORED) if free else [1.0], 0
        self._parts = self.trunk * [TRUNK]
        for segment in body.segments[1:]:
            size, stem = FREEDOM[segment.joint], segment.name.removesuffix("_L").removesuffix("_R")
            ball = size == len(AXES)
            self.names += [f"{segment.name}_{axis}" for axis in AXES] if ball else [segment.name]
            self._parts += size * [UPPER_BODY if segment.name in UPPER else LEGS if stem in LEG else ""]
            springs.append(np.broadcast_to(strength.hip[0], size) if stem == "thigh" else strength.spring[at:at + size])
            sign += MIRRORED if ball else size * [1.0]
            at += size
        self.spring, self._sign = np.concatenate(springs), np.array(sign)
        self.columns = {name: i for i, name in enumerate(self.names)}
        self._mirror = np.array([self.columns.get(_other_side(name), i) for i, name in enumerate(self.names)])
        first = body.root_freedom - self.trunk
        self._moved = np.abs(mass_matrix[first:, first:])
        for side in "LR":  # the legs stand: the trunk's moment does not move them
            for row in range(self.trunk):
                thigh = self.columns[f"thigh_{side}_{AXES[row]}" if free else f"thigh_{side}"]
                self._moved[row, row] -= self._moved[thigh, thigh]

    def learning(self, parts: Iterable[str]) -> np.ndarray:
        """Whether each column (C,) is of one of the parts that learn: 1 or 0."""
        chosen = set(parts)
        return np.array([float(part in chosen) for part in self._parts])

    def mirrored(self, rows: np.ndarray) -> np.ndarray:
        """Rows (..., C) with left and right exchanged."""
        return rows[..., self._mirror] * self._sign

    def rate_weight(self, parts: Iterable[str], strength: Springs) -> np.ndarray:
        """What a column's rate counts for in what is learned (C,) [N m s/rad], beyond its damping. A torque on an inertia I with
        a spring k and a damping d shows in k e + w e' by (k + i w o) / (k - I o^2 + i d o), whose real part is positive at every
        frequency o if w >= k I / d: then what is learned takes feedback away and does not feed it. The inertia is that of all
        that hangs on the joint, with what else learns and pulls at the same: the row's sum."""
        spring = np.concatenate([np.full(self.trunk, strength.trunk[0]), strength.spring])
        damping = np.concatenate([np.full(self.trunk, strength.trunk[1]), strength.damping])
        inertia = self._moved @ self.learning(parts)
        return np.maximum(spring * inertia / np.where(damping > 0.0, damping, np.inf) - damping, 0.0)


def _other_side(name: str) -> str:
    return "_".join({"L": "R", "R": "L"}.get(word, word) for word in name.split("_"))


TOUCH_GUESS_S = 0.06
"""How long a state that waits for the foot is thought to last, on Earth, until it was seen."""
PERIOD_SHARE = 0.3
"""How much of a step's duration goes into the estimate of the next one's (first guess)."""
TICKS = 2
"""Control steps in a bin at the least: with one, noise from tick to tick is learned (seen on light joints)."""
TENTH_NM = 1
"""Digits of a learned torque that are kept."""


def runs_of(states: tuple[PoseState, ...]) -> list[int]:
    """Which step of the cycle each state belongs to: states in a row that swing the same leg are one step."""
    found = [0]
    for before, after in pairwise(states):
        found.append(found[-1] + (after.swing != before.swing))
    return found


class Table:
    """Learned torques (S, N, C) [N m] of one gait's S steps in N bins, and how long each step takes [s]."""

    def __init__(
        self, gait: PoseGait, states: tuple[PoseState, ...], channels: Channels, bins: int, scale: Scale, tick_s: float,
    ) -> None:
        self.runs = runs_of(states)
        self.period_s = [0.0] * (self.runs[-1] + 1)
        for state, run in zip(states, self.runs, strict=True):
            self.period_s[run] += (TOUCH_GUESS_S if state.lasts_s is None else state.lasts_s) * scale.time
        most = int(min(self.period_s) / (TICKS * tick_s))
        self.torque = np.zeros((len(self.period_s), max(min(bins, most), 1), len(channels.names)))
        if gait.learned is not None:
            self._take_over(gait.learned, gait.symmetric, channels, scale)

    def _take_over(self, learned: Learned, symmetric: bool, channels: Channels, scale: Scale) -> None:
        """Begin with what was learned before; columns that the body does not have are left out."""
        steps, bins, _ = self.torque.shape
        stored, nearest = len(learned.step_s), ((np.arange(bins) + 0.5) * learned.bins / bins).astype(int)
        half = np.zeros((stored, bins, len(channels.names)))
        for name, values in learned.torque_nm.items():
            if name in channels.columns:
                half[..., channels.columns[name]] = scale.moment * np.reshape(values, (stored, learned.bins))[:, nearest]
        whole = np.concatenate([half, channels.mirrored(half)]) if symmetric else half
        if len(whole) == steps:
            self.torque[:] = whole
            self.period_s = [duration * scale.time for duration in (*learned.step_s, *learned.step_s)[:steps]]


class Learner:
    """Learned torques of the gaits that a machine goes through. Each tick: `follow` the machine, apply `torque` (C,), and `learn`
    from the feedback; without a `learning` they stay as they are."""

    def __init__(self, machine: Machine, channels: Channels, learning: Learning | None, scale: Scale, tick_s: float) -> None:
        self._machine, self.channels, self._scale, self._tick_s = machine, channels, scale, tick_s
        self._rate, self._bins = (0.0, 0) if learning is None else (learning.rate, learning.bins)
        self.learns = learning is not None
        self._parts = () if learning is None else learning.joints
        self._mask = channels.learning(self._parts)
        self._most_rad = 0.0 if learning is None else learning.most_rad
        self._most = self._most_rad * channels.spring
        self._sum, self._count = np.zeros(len(channels.names)), 0
        self._tables: dict[str, Table] = {}
        self.begin()

    def rate_weight(self, strength: Springs) -> np.ndarray:
        return self.channels.rate_weight(self._parts, strength)

    def rescale(self, channels: Channels, scale: Scale) -> None:
        """The body's scale from now on, and its channels: gravity has changed, and what was learned goes with it."""
        for table in self._tables.values():
            table.torque *= scale.moment / self._scale.moment
            table.period_s = [duration * scale.time / self._scale.time for duration in table.period_s]
        self.channels, self._scale = channels, scale
        self._most = self._most_rad * channels.spring

    def begin(self) -> None:
        """Begin anew with the machine where it is; what was learned stays."""
        machine = self._machine
        self._gait, self._table = machine.gait, self._table_of(machine.gait)
        self._switches, self._at, self._since_s = machine.switches, machine.at, machine.time_s
        self._run, self._bin = self._table.runs[machine.at], 0
        self.torque = self._summed = self._table.torque[self._run, 0]
        self._before: np.ndarray | None = None

    def _table_of(self, gait: PoseGait) -> Table:
        table = self._tables.get(gait.name)
        if table is None or len(table.runs) != len(self._machine.states):
            bins = self._bins or (gait.learned.bins if gait.learned else 1)
            table = self._tables[gait.name] = Table(gait, self._machine.states, self.channels, bins, self._scale, self._tick_s)
        return table

    def follow(self) -> None:
        machine = self._machine
        if machine.switches != self._switches:
            self._entered()
        table = self._table
        bins = table.torque.shape[1]
        at = min(int(bins * (machine.time_s - self._since_s) / table.period_s[self._run]), bins - 1)
        if at != self._bin:
            self._bin, self.torque = at, table.torque[self._run, at]

    def _entered(self) -> None:
        """A state was entered: perhaps a step begins, perhaps another gait."""
        machine, before = self._machine, self._at
        self._switches, self._at = machine.switches, machine.at
        if machine.gait is not self._gait:
            self._close()
            self.begin()
            return
        run = self._table.runs[machine.at]
        if run == self._run and machine.at > before:
            return
        lasted, period_s = machine.time_s - self._since_s, self._table.period_s
        period_s[self._run] += PERIOD_SHARE * (lasted - period_s[self._run])
        self._run, self._since_s, self._bin = run, machine.time_s, 0
        self.torque, self._before = self._table.torque[run, 0], None

    def learn(self, feedback: np.ndarray) -> None:
        """Take note of what feedback (C,) gives now. It is what the last tick's torque left, so it counts for that tick's bin:
        for its own it would answer a tick late, and what alternates from tick to tick would grow."""
        if self._before is not None:
            if self._before is not self._summed:
                self._close()
                self._summed = self._before
            self._sum += feedback
            self._count += 1
        self._before = self.torque

    def _close(self) -> None:
        """The bin is left: its torque grows by what feedback gave in the mean."""
        if self._count:
            self._sum *= self._mask
            self._sum *= self._rate / self._count
            self._summed += self._sum
            np.clip(self._summed, -self._most, self._most, out=self._summed)
            self._sum[:], self._count = 0.0, 0

    def learned(self) -> Learned:
        """What was learned for the gait that goes now, as a gait's file holds it: of a symmetric gait the mean of both halves."""
        scale, channels, rows = self._scale, self.channels, self._table.torque
        durations = np.array(self._table.period_s) / scale.time
        if self._gait.symmetric:
            half = len(rows) // 2
            rows = 0.5 * (rows[:half] + channels.mirrored(rows[half:]))
            durations = 0.5 * (durations[:half] + durations[half:])
        values = np.round(rows.reshape(-1, len(channels.names)) / scale.moment, TENTH_NM) + 0.0  # no minus zeros
        return Learned(tuple(np.round(durations, 4).tolist()), rows.shape[1],
                       {name: tuple(column.tolist()) for name, column in zip(channels.names, values.T, strict=True)
                        if column.any()})


SETTLE_S, SOFTEN_S = 2.0, 3.0
"""The steps out of standing are nobody's limit cycle: so long a soft body is held as firm as any, and so long it takes to become
soft, on Earth (found by trying: half and a quarter of the firmness walk on then)."""
LEVELS = 50
"""Steps of firmness in 1: few, as each has its own springs."""


class Firmness:
    """Tell it the time that passes and the trunk's error with `go`; it answers how firm the body is held now."""

    def __init__(self, firmness: float, reaction: Reaction | None, scale: Scale) -> None:
        self._wanted, self._reaction, self.scale = firmness, reaction, scale
        self._time_s, self._struck_s = 0.0, -math.inf

    @property
    def steady(self) -> bool:
        return self._wanted == 1.0 and self._reaction is None

    def go(self, dt: float, error_rad: float) -> float:
        """Let time pass [s], with the trunk so far from where it is drawn [rad]; the firmness now."""
        self._time_s += dt
        firm = self._wanted
        if firm < 1.0:
            share = min(max((self._time_s / self.scale.time - SETTLE_S) / SOFTEN_S, 0.0), 1.0)
            firm = 1.0 + share * (firm - 1.0)
        reaction = self._reaction
        if reaction is not None:
            since = self._time_s - self._struck_s
            if error_rad > reaction.startle_rad and since > reaction.delay_s + reaction.lasts_s:
                self._struck_s, since = self._time_s, 0.0
            if reaction.delay_s <= since <= reaction.delay_s + reaction.lasts_s:
                firm = max(firm, min(firm * reaction.firmness, 1.0))  # firmer than any gait is held, it would shake
        return round(LEVELS * firm) / LEVELS


class Firm(Protocol):
    """A law whose trunk and upper body can be held more or less firmly."""

    def strength_at(self, firmness: float) -> Any:
        """Springs and dampings at a firmness; see `Springs`."""

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
        self._springs: dict[float, Springs] = {}
        self._weights: dict[int, tuple[Springs, np.ndarray]] = {}

    def _channels(self, law: Firm) -> Channels:
        model = self._state.model
        data, matrix = mujoco.MjData(model), np.zeros((model.nv, model.nv))
        mujoco.mj_forward(model, data)
        mujoco.mj_fullM(model, data, matrix)
        return Channels(self._state.body, law.strength_at(1.0), matrix)

    def begin(self) -> None:
        if self.learner is not None:
            self.learner.begin()

    def rescale(self, law: Firm, scale: Scale) -> None:
        self._firm.scale = scale
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
            if id(strength) not in self._weights:  # kept with its springs: the id of what is gone is given out again
                self._weights[id(strength)] = strength, self.learner.rate_weight(strength)
            weight = self._weights[id(strength)][1]
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
