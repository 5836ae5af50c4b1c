# SPDX-License-Identifier: GPL-3.0-or-later
"""The queue of motion fragments and its clock: synchronised with the feet's landings (Lee 2014, 3.3.2)."""

from __future__ import annotations

import numpy as np

from ...bodies.human.landmarks import SIDES
from ...bodies.state import BodyState
from ..follow.clip_plan import ClipPlan
from ..tracking.planners.foot_geometry import FootGeometry, Footstep
from ..tracking.planners.terrain import Terrain
from .fragments import Fragment, fragments_of
from .reference import Reference, Wanted
from .settings import LeeSettings


class Queue:
    """Where in its clip a body is. `time_s` is the clock within the fragment under way [clip s]: past its end where the foot is
    late."""

    def __init__(self, state: BodyState, plan: ClipPlan, slow: float, settings: LeeSettings) -> None:
        self._state, self._plan, self._slow, self._settings = state, plan, slow, settings
        self.fragments = fragments_of(plan.schedule, plan.clip.duration_s)
        self._reference = Reference(plan.clip, state.model)
        self._feet = {side: state.frame(f"foot_{side}") for side in SIDES}
        self._terrain = Terrain(state.ground, FootGeometry(state.body, "L"), state.body.leg_length_m)
        self._at = 0
        self.time_s = 0.0
        self.footsteps: list[tuple[float, Footstep]] = []
        self.touch_downs: list[tuple[float, float]] = []
        """Of every landing so far: by how much it was late [s], and how far from the clip's print [m]."""

    @property
    def fragment(self) -> Fragment:
        """The fragment under way."""
        return self.fragments[self._at]

    @property
    def clip_time_s(self) -> float:
        """How far the clip has come."""
        return min(self.time_s, self.fragment.end_s)

    def motion(self, time_s: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The reference's pose (nq,), rates (nv,) and their rates at a time, per clip s."""
        return self._reference.motion(time_s, self.fragment)

    def wanted(self, ahead_s: float) -> Wanted:
        """What the clip shows so long after its present time."""
        return self._reference.wanted(min(self.time_s + ahead_s, self.fragment.end_s))

    def advance(self, time_s: float, step_s: float, loaded: dict[str, bool], target: np.ndarray) -> bool:
        """Let the clock go on by a step [s]; `target` (nq,) is the pose aimed at. Gives whether a new fragment has begun."""
        self.time_s += step_s / self._slow
        fragment, in_step = self.fragment, self._settings.synchronisation >= 0.5
        due = self.time_s >= fragment.end_s
        if fragment.swing is not None:
            share = (self.time_s - fragment.lift_s) / (fragment.end_s - fragment.lift_s)
            landed = loaded[fragment.swing] and share >= self._settings.early
            if not (landed if in_step else due):
                return False
            self._land(time_s, fragment)
        elif not due:
            return False
        if self._at + 1 >= len(self.fragments):
            self.time_s = min(self.time_s, fragment.end_s)
            return False
        self._at += 1
        if in_step:
            self.time_s = self.fragment.start_s
            self._reference.displace(target, self.fragment, self._settings.ankle_fade)
        return True

    def _land(self, time_s: float, fragment: Fragment) -> None:
        """A foot is down."""
        side = fragment.swing or ""
        x, y, _ = self._feet[side].position.tolist()
        place = complex(x, y)
        one = min(self._plan.prints[side], key=lambda p: abs(p.stance.strike_s - fragment.end_s))
        matrix = self._feet[side].matrix
        step = Footstep(side, place, float(np.arctan2(matrix[1, 0], matrix[0, 0])))
        self.footsteps.append((time_s, self._terrain.footstep(step)))
        self.touch_downs.append(((self.time_s - fragment.end_s) * self._slow, abs(place - one.place)))
