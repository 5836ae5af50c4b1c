# SPDX-License-Identifier: GPL-3.0-or-later
"""A walk or a run by muscle reflexes alone, as a search found it: plain values that travel as JSON."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

from ...checks import Maybe, Number, Part, Table, Text, Whole
from ..path import PathSpec
from ..settings import Checked, setting, settings_of
from .keys import SPEED
from .motion import STANDING, Motion, refused

REFLEX = "reflex"
"""What a gait by reflexes is called among the gaits."""
FORMAT = 1


@dataclass(frozen=True)
class Trial(Checked):
    """How a walker did in a trial of its own: how long it stood of how long was asked [s], what a kilogram costs it a metre
    [J/kg/m], resting included, and its steps' length [m]. None is not measured."""

    WHOSE, FIELD = "The trial's", "field of a trial"
    stood_s: float | None = setting(None, rule=Maybe(Number(0.0, 1e5, "s")), words="time stood")
    asked_s: float | None = setting(None, rule=Maybe(Number(0.0, 1e5, "s")), words="time asked")
    cost_of_transport_j_kg_m: float | None = setting(None, rule=Maybe(Number(0.0, 1e4, "J/kg/m")), words="cost of transport")
    step_length_m: float | None = setting(None, rule=Maybe(Number(0.0, 20.0, "m")), words="step length")


@dataclass(frozen=True)
class Walker(Checked):
    """One walker: the speed that it comes to and its stride frequency, with the standard body under its own gravity, and the
    numbers of its reflexes by name, with which `locomotion/reflex/parameters.py` deals; those that are not named are as at the
    start of a search. `leg_length_m` is the leg of the body it was searched on, unsaid the standard body's."""

    WHOSE, FIELD = "The walker's", "field of a walker"
    name: str = setting(rule=Text())
    speed_m_s: float = setting(rule=Number(0.05, 15.0, "m/s"))
    stride_frequency_hz: float = setting(rule=Number(0.05, 5.0, "Hz"))
    parameters: dict[str, float] = setting(rule=Table(Number(-1e6, 1e6, "(its own unit)"), each="The parameter {name}"))
    gravity_m_s2: float = setting(9.81, 0.25, 29.43, "m/s^2")
    summary: str = setting("found by a search", rule=Text())
    source: str = setting("found by a search", rule=Text())
    trial: Trial | None = setting(None, rule=Maybe(Part(Trial)))
    format: int = setting(FORMAT, rule=Whole(1, FORMAT))
    leg_length_m: float = setting(0.8838, 0.05, 10.0, "m")


def walker_file(walker: Walker) -> dict[str, Any]:
    """What a walker's file holds: all that is not as it is where nothing is said."""
    always = ("format", "gravity_m_s2")
    told = {name: getattr(walker, name) for name, rule in settings_of(Walker).items()
            if name != "trial" and (name in always or getattr(walker, name) != rule.default)}
    trial = {} if walker.trial is None else {"trial": {
        name: value for name in settings_of(Trial) if (value := getattr(walker.trial, name)) is not None}}
    return {"format": told.pop("format"), **told, **trial}



@dataclass(frozen=True)
class Reflex(Motion):
    """A walk or a run by muscle reflexes alone: a `walker`, None for the shipped one that is nearest to the speed. It goes
    straight on along its path's heading; `force` lets it go under a gravity that it was not searched for."""

    KIND, CONTROLLERS = REFLEX, ("reflex",)
    SUBJECT = "A shot with a reflex walker"
    REFUSES = ("Who goes by reflexes goes straight on over level ground as its reflexes have it: leave {} out, or choose the "
               "controller tracking.")
    WITHOUT = frozenset({"ground", "gravity_ramp", "actuation"})
    WHOSE, FIELD = "", "field of a walk by reflexes"
    controller = CONTROLLERS[0]
    walker: Walker | None = setting(None, rule=Maybe(Part(Walker)), words="reflex walker")
    speed_m_s: float | None = setting(None, rule=Maybe(SPEED))
    path: PathSpec = setting(factory=PathSpec, rule=Part(PathSpec))
    force: bool = setting(False)

    def __post_init__(self) -> None:
        super().__post_init__()
        refused(self.REFUSES, ["the path"] * (self.path.kind != "straight"))

    @property
    def called(self) -> str:
        """Its walker's name."""
        return REFLEX if self.walker is None else self.walker.name

    def to_dict(self) -> dict[str, Any]:
        """See `Motion.to_dict`."""
        return super().to_dict() | ({} if self.walker is None else {"walker": walker_file(self.walker)})

    @classmethod
    def of(cls, wished: Mapping[str, Any]) -> Self:
        """See `Motion.of`; it starts moving."""
        refused(cls.REFUSES, ["standing at its ends"] * (STANDING in (wished.get("start"), wished.get("stop"))))
        return super().of(wished)
