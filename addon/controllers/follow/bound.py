# SPDX-License-Identifier: GPL-3.0-or-later
"""What controllers share that take a body along a clip: it goes where its clip goes, and nowhere else."""

from __future__ import annotations

import math

from ...bodies.state import BodyState, Frame
from ...errors import InputError
from ...specs.shot import Shot
from ..alone import Alone
from ..controller import Plan
from ..tracking.tracked import FALL_HEIGHT_FRACTION, FALL_TILT
from .likeness import Likeness
from .shot_plan import ShotPlan, preview


class ClipBound(Alone):
    """The part of `controller.Controller` that says no. A kind of it brings the shot, its state, its plan, how like the clip it
    is, and the trunk."""

    who = "A character that follows a clip"

    shot: Shot
    state: BodyState
    planned: ShotPlan
    likeness: Likeness

    def make_way(self, shot: Shot) -> None:
        """See `Controller.make_way`: no gait takes over from a clip."""
        raise InputError("No gait takes over from a clip: take the keys out.")

    def set_gravity(self, gravity_m_s2: float) -> None:
        """See `Controller.set_gravity`: shots whose gravity changes are refused before (`shot_plan`)."""
        raise InputError("A clip is followed under one gravity: take the change of gravity out.")

    def plan(self) -> Plan:
        """See `Controller.plan`."""
        return preview(self.shot, self.planned)

    def _sunk(self, clip_time_s: float) -> bool:
        """Whether the body is far lower over the ground than the clip is over its own soles."""
        com, ground = self.state.com, self.state.ground
        height = com[2] - ground.height(com[0], com[1])
        return bool(height < FALL_HEIGHT_FRACTION * self.likeness.stature_m(clip_time_s))

    def _lies(self, clip_time_s: float, trunk: Frame) -> bool:
        """Whether the trunk lies, and the clip's does not."""
        tilt = max(FALL_TILT, self.likeness.trunk_tilt(clip_time_s) + 0.5 * FALL_TILT)
        return bool(trunk.matrix[2, 2] < math.cos(tilt))
