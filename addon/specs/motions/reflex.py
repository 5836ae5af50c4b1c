# SPDX-License-Identifier: GPL-3.0-or-later
"""A walk or a run by muscle reflexes alone, as a search found it: plain values that travel as JSON."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ...checks import Maybe, Number, Part, Table, Text, Whole
from ...errors import InputError
from ..settings import Checked, setting, settings_of

REFLEX = "reflex"
"""What a gait by reflexes is called among the gaits."""
CONTROLLERS = ("reflex",)
"""Controllers that go by reflexes: no other shot has a walker."""
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


def check_reflex(walker: Walker | None, controller: str, refused: Mapping[str, Any]) -> None:
    """Raises InputError where a shot has a walker but no controller that goes by reflexes, and for what such a controller cannot
    be asked: `refused` in words."""
    if controller not in CONTROLLERS:
        if walker is not None:
            raise InputError(f"A shot with a reflex walker is moved by the controller {CONTROLLERS[0]}, not by {controller}.")
        return
    lost = [words for words, asked in refused.items() if asked]
    if lost:
        raise InputError("Who goes by reflexes goes straight on over level ground as its reflexes have it: leave "
                         f"{' and '.join(lost)} out, or choose the controller tracking.")
