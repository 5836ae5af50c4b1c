# SPDX-License-Identifier: GPL-3.0-or-later
"""Feedback-error learning of a gait from key poses (Yin 2007, section 7.6): what learns, what was learned, and what tightens
when something strikes."""

from __future__ import annotations

from dataclasses import dataclass

from ..checks import Choice, Number, Series, Table, Whole
from ..errors import InputError
from .settings import FIRST_GUESS, Checked, setting

TRUNK, UPPER_BODY, LEGS = PARTS = "trunk", "upper", "legs"
"""What may learn: the moment that holds the pelvis, the joints above it, and the legs (for gaits made from clips)."""
THESIS = "Yin 2007, section 7.6"
MOST_BINS = 1000


@dataclass(frozen=True)
class Learning(Checked):
    """Torques are learned while it goes: over the time of each leg's step, in as many even `bins`, a torque grows by `rate` times
    the mean of what feedback had to give there, once a step, to at most what the joint's spring gives at `most_rad`."""

    WHOSE, FIELD, SOURCE = "The learning's", "field of a learning", THESIS
    joints: tuple[str, ...] = setting((TRUNK, UPPER_BODY), rule=Series(Choice("part that learns", PARTS)))
    rate: float = setting(0.1, 0.0, 1.0)
    bins: int = setting(36, rule=Whole(1, MOST_BINS), source="measured: docs/notes/feedback-error-learning.md")
    most_rad: float = setting(0.2, 0.0, 2.0, "rad", words="most torque over the spring")

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.joints:
            raise InputError(f"A learning without joints learns nothing: name some of {', '.join(PARTS)}, or leave it out.")


@dataclass(frozen=True)
class Learned(Checked):
    """Torques over the steps of a cycle, of a symmetric gait those of its first half: `step_s` is how long each lasts, `bins` in
    how many even parts, and `torque_nm` has the values of all bins of all steps by name: the trunk's and balls' about the axes
    of pelvis and segment (`trunk_y`, `chest_x`), hinges' by their segment (`forearm_L`). On Earth for the standard body."""

    WHOSE, FIELD = "The learned torques'", "field of learned torques"
    step_s: tuple[float, ...] = setting(rule=Series(Number(0.01, 20.0, "s")), words="durations of the steps")
    bins: int = setting(rule=Whole(1, MOST_BINS))
    torque_nm: dict[str, tuple[float, ...]] = setting(rule=Table(Series(Number(-2000.0, 2000.0, "N m"))), words="torque")

    def __post_init__(self) -> None:
        super().__post_init__()
        for name, values in self.torque_nm.items():
            if len(values) != self.bins * len(self.step_s):
                raise InputError(f"The learned torque {name} has {len(values)} values: {len(self.step_s)} steps of {self.bins} "
                                 f"bins need {self.bins * len(self.step_s)}.")


@dataclass(frozen=True)
class Reaction(Checked):
    """What is soft tightens when something strikes: as soon as the trunk is `startle_rad` away from where it is drawn, and after
    the `delay_s` that a nerve takes, the springs of trunk and upper body are `firmness` times as strong for `lasts_s`, up to
    full firmness."""

    WHOSE, FIELD, SOURCE = "The reaction's", "field of a reaction", FIRST_GUESS
    delay_s: float = setting(0.15, 0.0, 2.0, "s", words="delay", source=THESIS)
    lasts_s: float = setting(1.0, 0.0, 20.0, "s", words="duration")
    firmness: float = setting(2.0, 0.1, 5.0)
    startle_rad: float = setting(0.1, 0.0, 1.5, "rad", words="startle")
