# SPDX-License-Identifier: GPL-3.0-or-later
"""How a gait's own style is bent: sliders an artist thinks in, each within the range over which the default walk stands."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass

from ...errors import InputError
from ..settings import Checked, setting, settings_of

WALKS_ONLY = frozenset({"step_width_m", "foot_lift_m", "bounce", "crouch_m", "heel_strike", "cadence_exponent"})
"""Sliders that only walking gaits have: they change where the feet or the centre of mass go, not the pose alone."""
FLIGHTS_ONLY = frozenset({"flight_height", "counter_turn"})
"""Sliders that only gaits with flight have."""
PEOPLE_ONLY = frozenset({"carriage", "cadence_exponent", "counter_turn", "breath"})
"""Sliders of the gait law "people"."""


@dataclass(frozen=True)
class Style(Checked):
    """Changes of a gait's style; the defaults change nothing."""

    WHOSE, FIELD = "The style's", "style slider"
    arm_swing: float = setting(1.0, 0.0, 2.0)
    """Swing of the arms over the gait's own; 0 lets them hang still."""
    trunk_lean_deg: float = setting(0.0, -20.0, 20.0, "degrees")
    """The trunk bent forward (negative: back) beyond the gait's own; head and arms stay upright."""
    hip_sway: float = setting(1.0, 0.0, 2.0)
    """Drop and turn of the pelvis over the gait's own; trunk and legs keep their directions."""
    head_steadiness: float = setting(0.0, 0.0, 1.0)
    """How much of the head's turning about its mean is taken out: 1 holds it still."""
    step_width_m: float = setting(0.0, -0.03, 0.15, "m")
    """How much further apart the feet go than the gait's."""
    foot_lift_m: float = setting(0.0, 0.0, 0.15, "m")
    """How much higher the swinging foot is lifted at its middle."""
    bounce: float = setting(1.0, 0.0, 2.0)
    """Rise and fall of the centre of mass over the gait's own; 0 glides, with knees bent."""
    arm_spread_deg: float = setting(0.0, -10.0, 40.0, "degrees")
    """The arms held out to the sides (negative: in) beyond the gait's own."""
    crouch_m: float = setting(0.0, 0.0, 0.1, "m")
    """How much lower the centre of mass goes, on bent knees."""
    heel_strike: float = setting(1.0, 0.0, 1.5)
    """How far the toes are up when the foot lands, over the gait's own; 0 sets it down flat."""
    flight_height: float = setting(1.0, 0.25, 2.0)
    """Height of the flights over the gait's own there; the steps last as much longer or shorter as they do."""
    counter_turn: float = setting(1.0, 0.0, 1.0)
    """How far the pelvis turns with the legs, against the shoulders, and a loaded trunk less: 0 leaves both as they were
    captured, the pelvis a quarter of a stride behind the legs."""
    breath: float = setting(1.0, 0.0, 3.0)
    """Breath of a body that stands, over a quiet one: 0 holds it."""
    carriage: float = setting(1.0, 0.0, 2.0)
    """How much of the planet's own carriage is shown: what `gaits.people` adds to the sliders above by gravity."""
    cadence_exponent: float = setting(0.0, -0.25, 0.25)
    """Exponent of gravity over Earth's in the stride frequency at equal speed, below Earth's gravity: 0 keeps the Earth's
    frequency of that speed, 0.21 is similarity's, -0.13 what people took whose trunk alone a harness carried."""

    @property
    def changed(self) -> tuple[str, ...]:
        """Names of the sliders that are not at their defaults."""
        return tuple(f.name for f in dataclasses.fields(self) if getattr(self, f.name) != f.default)

    def check_for_flight(self) -> None:
        """Raises InputError where a slider of walking gaits is set: for gaits with a moment in the air."""
        wrong = [SLIDERS[name].words for name in self.changed if name in WALKS_ONLY]
        if wrong:
            raise InputError(f"Only walking gaits take the style's {' and '.join(wrong)}: this gait leaves the ground. Set "
                             "it back, or choose a walk.")

    def check_for_walk(self) -> None:
        """Raises InputError where a slider of gaits with flight is set: for gaits that leave no ground."""
        wrong = [SLIDERS[name].words for name in self.changed if name in FLIGHTS_ONLY]
        if wrong:
            raise InputError(f"Only gaits with flight take the style's {' and '.join(wrong)}: this gait always has a foot down. "
                             "Set it back, or choose a run, a lope, a skip or a hop.")

    def check_for_similar(self) -> None:
        """Raises InputError where a slider of the gait law "people" is set: for similar gaits."""
        wrong = [SLIDERS[name].words for name in self.changed if name in PEOPLE_ONLY]
        if wrong:
            raise InputError(f"Only the gait law people takes the style's {' and '.join(wrong)}: this shot's gait is similar. "
                             "Set it back, or choose the gait law people.")


SLIDERS = settings_of(Style)
"""The sliders by name: their words, ranges and units."""
