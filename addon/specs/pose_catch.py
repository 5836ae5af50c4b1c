# SPDX-License-Identifier: GPL-3.0-or-later
"""Steps that catch somebody who was pushed, found by search over pushes (Yin 2007, sections 6.3 and 6.4)."""

from __future__ import annotations

from dataclasses import dataclass

from ..checks import Number, Series
from .settings import Checked, setting

SAMPLE = 4
"""Numbers of a sample before the offsets of a second step."""


@dataclass(frozen=True)
class Catching(Checked):
    """A gait that waits in its first state, standing on both feet, until a push, then goes once through its others.

    It was pushed when its centre of mass goes faster than `from_m_s` on Earth on standard legs; `reaction_s` later it steps, the
    first foot the one that the push unloads. Each of `samples` is a velocity of the centre of mass then, ahead and away from that
    foot [m/s], and what the swinging thigh is turned more, ahead and outward [rad], in the first step, the second, and so on;
    between samples go thin-plate splines.
    """

    WHOSE, FIELD, SOURCE = "The catching's", "field of a catching", "Yin 2007, section 6.3"
    samples: tuple[tuple[float, ...], ...] = setting(rule=Series(Series(Number(-10.0, 10.0, "m/s and rad"))))
    from_m_s: float = setting(0.3, 0.0, 5.0, "m/s", words="speed of a push", source="found by hand: less is taken in place")
    reaction_s: float = setting(0.2, 0.0, 2.0, "s", words="reaction delay")
