# SPDX-License-Identifier: GPL-3.0-or-later
"""A creature's gait as a search found it: plain values that travel as JSON."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from ...checks import Choice, Maybe, Number, Part, Series, Table, Text, Whole
from ...errors import InputError
from ..creature import CREATURE
from ..path import PathSpec
from ..settings import Checked, setting, settings_of
from .gait import SCALINGS
from .keys import SPEED, Steering
from .motion import ENDS, MOVING, Motion

FORMAT = 1
USER_FOLDER = "LOPE_CREATURE_GAITS"
"""Environment variable naming a folder with the gaits that a user's own searches found: Blender's user has one."""
ANY = Number(-1e6, 1e6, "(its own unit)")


@dataclass(frozen=True)
class CreatureTrial(Checked):
    """How a gait did in trials of its own: how many of the starts, each with velocities off by a draw, still stood after
    `seconds`; the rest is of those that stood. Forces are over the weight, shares over a step, lengths over the leg.
    None is not measured."""

    WHOSE, FIELD = "The trial's", "field of a trial"
    starts: int | None = setting(None, rule=Maybe(Whole(1, 10000)), words="number of starts")
    stood: int | None = setting(None, rule=Maybe(Whole(0, 10000)), words="number that stood")
    seconds: float | None = setting(None, rule=Maybe(Number(0.0, 1e5, "s")), words="length")
    speed_m_s: float | None = setting(None, rule=Maybe(Number(-15.0, 15.0, "m/s")), words="speed")
    step_s: float | None = setting(None, rule=Maybe(Number(0.0, 100.0, "s")), words="time from step to step")
    step_width: float | None = setting(None, rule=Maybe(Number(-5.0, 5.0)), words="width of steps over the leg")
    force_peak: float | None = setting(None, rule=Maybe(Number(0.0, 1e3)), words="peak of the landing force over the weight")
    double_support: float | None = setting(None, rule=Maybe(Number(0.0, 1.0)), words="share on both feet")
    flight: float | None = setting(None, rule=Maybe(Number(0.0, 1.0)), words="share in the air")
    stance_leg: float | None = setting(None, rule=Maybe(Number(0.0, 2.0)), words="stance leg's length over the straight leg")
    clearance: float | None = setting(None, rule=Maybe(Number(-1.0, 2.0)), words="toes' height in mid-swing over the leg")
    cpu_s: float | None = setting(None, rule=Maybe(Number(0.0, 1e8, "s")), words="processor time of its search")


@dataclass(frozen=True)
class CreatureGait(Checked):
    """One gait: of which creature it is, the speed that it comes to there under its own gravity, and the numbers of its law by
    name, with which `locomotion/creature/parameters.py` deals; those that are not named are as untuned. `leg_length_m` is
    the sum of a leg's segments without the foot; with `mass_kg` and `proportions` (dimensionless, by name) it tells which other
    body is near. `muscles`, where muscles move it, are groups of numbers by name."""

    WHOSE, FIELD = "The gait's", "field of a creature's gait"
    name: str = setting(rule=Text())
    creature: str = setting(rule=Text(), words="creature's name")
    speed_m_s: float = setting(rule=Number(0.0, 15.0, "m/s"))
    gravity_m_s2: float = setting(9.81, 0.25, 29.43, "m/s^2")
    parameters: dict[str, float] = setting(factory=dict, rule=Table(ANY, each="The parameter {name}"))
    leg_length_m: float = setting(1.0, 0.02, 50.0, "m")
    mass_kg: float = setting(75.0, 0.01, 1e6, "kg")
    proportions: dict[str, float] = setting(factory=dict, rule=Table(ANY, each="The proportion {name}"))
    trial: CreatureTrial | None = setting(None, rule=Maybe(Part(CreatureTrial)))
    source: str = setting("found by a search", rule=Text())
    muscles: dict[str, dict[str, float]] | None = setting(None, rule=Maybe(Table(
        Table(ANY, each="{what}.{name}"), each="The muscles' {name}")))
    format: int = setting(FORMAT, rule=Whole(1, FORMAT))

    @property
    def dimensionless_speed(self) -> float:
        """Its speed over the root of gravity and leg: what a Froude number is the square of."""
        return self.speed_m_s / math.sqrt(self.gravity_m_s2 * self.leg_length_m)


def creature_gait_file(gait: CreatureGait) -> dict[str, Any]:
    """What a gait's file holds: all that is not as it is where nothing is said."""
    always = ("format", "gravity_m_s2", "leg_length_m", "mass_kg")
    told = {name: value for name, rule in settings_of(CreatureGait).items()
            if name != "trial" and ((value := getattr(gait, name)) != rule.default or name in always)}
    trial = {} if gait.trial is None else {"trial": {
        name: value for name in settings_of(CreatureTrial) if (value := getattr(gait.trial, name)) is not None}}
    return {"format": told.pop("format"), **told, **trial}



@dataclass(frozen=True)
class Creature(Motion):
    """A creature on two legs, the shot's body, by a law of its own: by torques, or by muscles. `gait` is the one that it goes by,
    None for the untuned law."""

    KIND, CONTROLLERS = CREATURE, ("creature", "creature_muscles")
    SUBJECT = "A shot with a creature's gait"
    REFUSES = "A creature goes by a law of its own, which knows no built-in gait: leave {} out."
    WITHOUT = frozenset({"suit", "condition", "gravity_ramp", "actuation"})
    WHOSE, FIELD = "", "field of a creature's motion"
    gait: CreatureGait | None = setting(None, rule=Maybe(Part(CreatureGait)), words="creature's gait")
    speed_m_s: float | None = setting(None, rule=Maybe(SPEED))
    path: PathSpec = setting(factory=PathSpec, rule=Part(PathSpec))
    steering: tuple[Steering, ...] = setting((), rule=Series(Part(Steering)))
    start: str = setting(MOVING, rule=Choice("way to start or stop", ENDS))
    scaling: str = setting("similar", rule=Choice("gain scaling", SCALINGS))
    controller: str = setting(CONTROLLERS[0], rule=Choice("controller of a creature", CONTROLLERS))

    @property
    def called(self) -> str:
        """Its gait's name."""
        return CREATURE if self.gait is None else self.gait.name

    def to_dict(self) -> dict[str, Any]:
        """See `Motion.to_dict`."""
        return super().to_dict() | ({} if self.gait is None else {"gait": creature_gait_file(self.gait)})

    def check(self, shot: Any) -> None:
        """See `Motion.check`."""
        if shot.body.kind != CREATURE:
            raise InputError(f"The controller {self.controller} moves creatures, not a body of kind {shot.body.kind}: give a "
                             "creature, or choose the controller tracking.")
        super().check(shot)
