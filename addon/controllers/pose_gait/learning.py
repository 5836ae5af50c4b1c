# SPDX-License-Identifier: GPL-3.0-or-later
"""Feedback-error learning: torques over the time of each leg's step that take over what feedback had to give there.

Yin 2007, section 7.6: tau_ff(phase) += rate * mean feedback in its bin, once a visit; what is applied is tau_ff + tau_fb. Only
tracking is learned: what the balance feedback adds to a leg's target is no part of it.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from ...specs.pose_gait import PoseGait, PoseState
from ...specs.pose_learning import Learned, Learning
from .channels import Channels, Springs
from .machine import Machine
from .strength import Scale

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

    def __init__(
        self, machine: Machine, channels: Channels, learning: Learning | None, scale: Scale, tick_s: float,
    ) -> None:
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
        """See `Channels.rate_weight`."""
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
        """The gait's table, as it was left or as the gait brings it."""
        table = self._tables.get(gait.name)
        if table is None or len(table.runs) != len(self._machine.states):
            bins = self._bins or (gait.learned.bins if gait.learned else 1)
            table = self._tables[gait.name] = Table(gait, self._machine.states, self.channels, bins, self._scale,
                                                    self._tick_s)
        return table

    def follow(self) -> None:
        """Take over where in its step the machine is now."""
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
