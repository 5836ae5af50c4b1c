# SPDX-License-Identifier: GPL-3.0-or-later
"""How a body lets go."""

from __future__ import annotations

from dataclasses import dataclass

from ...specs.settings import FIRST_GUESS, Checked, setting


@dataclass(frozen=True)
class LimpSettings(Checked):
    """The muscles' tone fades with the time constant `fade_s`; some may be kept."""

    WHOSE = "The limp body's"
    SOURCE = FIRST_GUESS
    tone: float = setting(
        4.0, 0.0, 50.0, "1/rad", "Stiffness about the pose that is let go, over the moment at the end of each joint's range")
    braced: float = setting(4.0, 0.0, 50.0, help="What tone adds to the joints' damping, over it")
    fade_s: float = setting(0.1, 0.005, 5.0, "s", "Time in which the tone fades to a third")
    kept: float = setting(0.0, 0.0, 1.0, help="Fraction of the tone that stays, as of someone who braces for the fall")
    hands: float = setting(
        1.0, 0.0, 1.0, help="Strength with which who stood reaches for the ground and keeps the head up, over a person's")
    stiffness: float = setting(1.0, 0.0, 20.0, help="Stiffness of the relaxed joints, over what was measured on people")
    damping: float = setting(1.0, 0.1, 20.0, help="Damping of the relaxed joints, over what was measured on people")
