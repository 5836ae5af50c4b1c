# SPDX-License-Identifier: GPL-3.0-or-later
"""How a gait's own style is bent: sliders an artist thinks in, each within the range over which the default walk stands."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any

from ..checks import check_number
from ..errors import InputError, unknown_name


@dataclass(frozen=True)
class Slider:
    """Name of a style slider in words, its least and largest value, and its unit as it stands in messages."""

    words: str
    low: float
    high: float
    unit: str = "(no unit)"
    walks_only: bool = False
    """Whether only walking gaits have it: it changes where the feet or the centre of mass go, not the pose alone."""


SLIDERS: dict[str, Slider] = {
    "arm_swing": Slider("arm swing", 0.0, 2.0),
    "trunk_lean_deg": Slider("trunk lean", -20.0, 20.0, "degrees"),
    "hip_sway": Slider("hip sway", 0.0, 2.0),
    "head_steadiness": Slider("head steadiness", 0.0, 1.0),
    "step_width_m": Slider("step width", -0.03, 0.15, "m", walks_only=True),
    "foot_lift_m": Slider("foot lift", 0.0, 0.15, "m", walks_only=True),
    "bounce": Slider("bounce", 0.0, 2.0, walks_only=True),
}


@dataclass(frozen=True)
class Style:
    """Changes of a gait's style; the defaults change nothing. Ranges: `SLIDERS`."""

    arm_swing: float = 1.0
    """Swing of the arms over the gait's own; 0 lets them hang still."""
    trunk_lean_deg: float = 0.0
    """The trunk bent forward (negative: back) beyond the gait's own; head and arms stay upright."""
    hip_sway: float = 1.0
    """Drop and turn of the pelvis over the gait's own; trunk and legs keep their directions."""
    head_steadiness: float = 0.0
    """How much of the head's turning about its mean is taken out: 1 holds it still."""
    step_width_m: float = 0.0
    """How much further apart the feet go than the gait's."""
    foot_lift_m: float = 0.0
    """How much higher the swinging foot is lifted at its middle."""
    bounce: float = 1.0
    """Rise and fall of the centre of mass over the gait's own; 0 glides, with knees bent."""

    def __post_init__(self) -> None:
        for name, slider in SLIDERS.items():
            check_number(f"The style's {slider.words}", getattr(self, name), slider.low, slider.high, slider.unit)

    @property
    def changed(self) -> tuple[str, ...]:
        """Names of the sliders that are not at their defaults."""
        return tuple(f.name for f in dataclasses.fields(self) if getattr(self, f.name) != f.default)

    def check_for_flight(self) -> None:
        """Raises InputError where a slider of walking gaits is set: for gaits with a moment in the air."""
        wrong = [SLIDERS[name].words for name in self.changed if SLIDERS[name].walks_only]
        if wrong:
            raise InputError(f"Only walking gaits take the style's {' and '.join(wrong)}: this gait leaves the ground. Set "
                             "it back, or choose a walk.")

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Style:
        """A Style from `dataclasses.asdict`'s output. Raises InputError for a slider that is not known."""
        for name in data:
            if name not in SLIDERS:
                raise unknown_name("style slider", name, SLIDERS)
        return cls(**data)
