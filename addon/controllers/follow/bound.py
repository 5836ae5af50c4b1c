# SPDX-License-Identifier: GPL-3.0-or-later
"""What controllers share that take a body along a clip: it goes where its clip goes, and nowhere else."""

from __future__ import annotations

import math

from ...bodies.state import BodyState, Frame
from ...errors import InputError
from ...specs.shot import Shot
from ..controller import Plan, Taken, Wish, not_steered
from ..tracking.tracked import FALL_HEIGHT_FRACTION, FALL_TILT
from .likeness import Likeness
from .shot_plan import ShotPlan, preview


class ClipBound:
    """The part of `controller.Controller` that says no. A kind of it brings the shot, its state, its plan, how like the clip it
    is, and the trunk."""

    shot: Shot
    state: BodyState
    planned: ShotPlan
    likeness: Likeness

    def steer(self, wish: Wish) -> None:
        """See `Controller.steer`: a clip goes where it goes."""
        raise not_steered("A character that follows a clip")

    def make_way(self, shot: Shot) -> None:
        """See `Controller.make_way`: no gait takes over from a clip."""
        raise InputError("No gait takes over from a clip: take the keys out.")

    def gives_way(self) -> Taken | None:
        """See `Controller.gives_way`."""
        return None

    def set_gravity(self, gravity_m_s2: float) -> None:
        """See `Controller.set_gravity`: shots whose gravity changes are refused before (`shot_plan`)."""
        raise InputError("A clip is followed under one gravity: take the change of gravity out.")

    def done(self) -> bool:
        """See `Controller.done`: the shot is as long as its clip."""
        return False

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
