# SPDX-License-Identifier: GPL-3.0-or-later
"""The machine of key poses: which state it is in, and what every joint is drawn to there."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import numpy as np

from ...specs.pose_gait import PoseGait, PoseState

OTHER = {"L": "R", "R": "L"}
TARGETS = ("torso", "hip_L", "hip_R", "outward_L", "outward_R", "knee_L", "knee_R", "ankle_L", "ankle_R")
ROW = {name: i for i, name in enumerate(TARGETS)}


def targets_of(state: PoseState) -> np.ndarray:
    """What a state draws each of `TARGETS` to [rad]; not a number where it draws to nothing: the standing hip."""
    swing, stance = state.swing, OTHER[state.swing]
    found = np.full(len(TARGETS), np.nan)
    for name, value in ((f"hip_{swing}", state.swing_hip), (f"outward_{swing}", state.swing_hip_outward),
                        (f"knee_{swing}", state.swing_knee), (f"ankle_{swing}", state.swing_ankle),
                        (f"knee_{stance}", state.stance_knee), (f"ankle_{stance}", state.stance_ankle), ("torso", state.torso)):
        found[ROW[name]] = value
    return found


@dataclass
class _Entered:
    """A state that was entered, and what the targets were then."""

    at: int
    since_s: float
    from_: np.ndarray
    upper: Mapping[str, np.ndarray] = field(default_factory=dict)
    drawn_s: float = 0.0
    """How long after that the targets began to go from those to the state's."""


class Machine:
    """The states of a gait one after the other. `slow` is how many times longer they last than on Earth on standard legs."""

    def __init__(self, gait: PoseGait, slow: float, ramp_s: float, touch_s: float) -> None:
        self._own_ramp_s, self._own_touch_s = ramp_s, touch_s
        self.slow_to(slow)
        self.switches = self.steps = 0
        self.time_s = 0.0
        self._stepped_s: list[float] = []
        self._coming: PoseGait | None = None
        self._set(gait)
        self._entered = _Entered(0, 0.0, self._goals[0].copy())

    def slow_to(self, slow: float) -> None:
        """From now on states last so many times longer than on Earth on standard legs."""
        self._slow, self._ramp_s, self._touch_s = slow, self._own_ramp_s * slow, self._own_touch_s * slow

    def _set(self, gait: PoseGait) -> None:
        self.gait, self.states = gait, gait.cycle
        self._goals = [targets_of(state) for state in self.states]
        self._uppers = [{name: np.array(vector) for name, vector in (state.upper or {}).items()} for state in self.states]

    @property
    def at(self) -> int:
        """Which of the states it is in."""
        return self._entered.at

    @property
    def state(self) -> PoseState:
        """The state that it is in."""
        return self.states[self._entered.at]

    def begin(self, now: np.ndarray) -> None:
        """Begin in the first state with the targets (9,) where the joints are."""
        self._entered = _Entered(0, 0.0, now.copy())

    def change_to(self, gait: PoseGait) -> None:
        """From the next change of state on it is another gait: from state n of one to state n + 1 of the other."""
        self._coming = gait

    def revise(self, gait: PoseGait) -> None:
        """It is another gait from now on: at once, where its legs swing as those of this one do, its targets on the way from
        where they are; else from the next change of state on."""
        if [state.swing for state in gait.cycle] != [state.swing for state in self.states]:
            self.change_to(gait)
            return
        before, upper, entered = self.targets(), self.upper(), self._entered
        self._set(gait)
        self._coming = None
        self._entered = _Entered(entered.at, entered.since_s, before, upper, entered.since_s)

    def advance(self, dt: float, touches: Mapping[str, bool], now: Callable[[], np.ndarray]) -> bool:
        """Let time pass [s]; `touches` says which feet are on the ground, `now` gives where thighs and joints are (9,), from
        which a leg that begins to swing is drawn. Returns whether the state changed."""
        self.time_s += dt
        self._entered.since_s += dt
        changed = False
        for _ in range(len(self.states)):
            state, since = self.state, self._entered.since_s
            if state.lasts_s is None:
                over = since > self._touch_s and touches[state.swing]
            else:
                over = since >= state.lasts_s * self._slow - 1e-9
            if not over:
                break
            self._next(now)
            changed = True
        return changed

    def _next(self, now: Callable[[], np.ndarray]) -> None:
        before, upper, was = self.targets(), self.upper(), self.state
        at = self._entered.at + 1
        if self._coming is not None:
            part = at / len(self.states)
            self._set(self._coming)
            self._coming = None
            at = round(part * len(self.states))
        at %= len(self.states)
        self._entered = _Entered(at, 0.0, np.where(np.isnan(before), now(), before), upper)
        self.switches += 1
        if self.state.swing != was.swing:
            self.steps += 1
            self._stepped_s.append(self.time_s)

    @property
    def _share(self) -> float:
        """How far targets have come from those of the state before."""
        return 1.0 if self._ramp_s <= 0.0 else min((self._entered.since_s - self._entered.drawn_s) / self._ramp_s, 1.0)

    def upper(self) -> dict[str, np.ndarray]:
        """Rotation vectors (3,) [rad] that joints of the upper body are drawn to now, of those that the state names."""
        goal, share, before = self._uppers[self._entered.at], self._share, self._entered.upper
        if share >= 1.0:
            return goal
        return {name: vector + (1.0 - share) * (before.get(name, vector) - vector) for name, vector in goal.items()}

    @property
    def step_s(self) -> float | None:
        """How long a step has lasted, the median of all but the first two; None before there are three."""
        return float(np.median(np.diff(self._stepped_s[1:]))) if len(self._stepped_s) > 3 else None

    def targets(self) -> np.ndarray:
        """What the joints are drawn to now (9,) [rad], on the way from the state before to this one's."""
        goal, share = self._goals[self._entered.at], self._share
        return goal if share >= 1.0 else self._entered.from_ + share * (goal - self._entered.from_)
