# SPDX-License-Identifier: GPL-3.0-or-later
"""What a move's JSON file may hold, field by field."""

from __future__ import annotations

from dataclasses import dataclass

from ...checks import Choice, Maybe, Number, Part, Series, Switch, Table, Text, Whole
from ...specs.settings import Checked, setting

SCHEMA = "lope-move"
FORMAT = 1
KINDS = ("cycle", "turn", "start", "stop")
"""A cycle goes round (one step with its mirror image, or several); the others are gone through once."""
COORDINATE = Number(-50.0, 50.0, "rad or leg lengths")
TIME = Number(-50.0, 50.0, "square roots of leg length over g")
ANGLE = Number(-7.0, 7.0, "rad")
DIGITS = 4


@dataclass(frozen=True)
class StepFile(Checked):
    """One step: see `step.Step`."""

    WHOSE, FIELD = "The step's", "step field"
    own: str = setting(rule=Choice("foot", ("L", "R")))
    duration: float = setting(rule=Number(0.1, 50.0, TIME.unit))
    flat: float = setting(rule=TIME)
    heel_off: float = setting(rule=TIME)
    other_heel_off: float = setting(rule=TIME)
    stands: tuple[float, ...] = setting(rule=Series(COORDINATE, 3))
    other_from: tuple[float, ...] = setting(rule=Series(COORDINATE, 3))
    other_to: tuple[float, ...] = setting(rule=Series(COORDINATE, 3))
    turn: float = setting(rule=ANGLE)
    off_phase: float = setting(rule=Number(0.01, 0.99, "of the step"))
    curves: dict[str, tuple[float, ...]] = setting(rule=Table(Series(COORDINATE)))
    air: dict[str, tuple[float, ...]] = setting(rule=Table(Series(COORDINATE)))
    off: float | None = setting(None, rule=Maybe(TIME))
    flies: float | None = setting(None, rule=Maybe(TIME))
    own_air: dict[str, tuple[float, ...]] = setting(rule=Table(Series(COORDINATE)), factory=dict)
    begins_standing: bool = setting(False, rule=Switch())
    ends_standing: bool = setting(False, rule=Switch())


@dataclass(frozen=True)
class ErrorFile(Checked):
    """How far the figures are from the clip: root mean squares over the move."""

    WHOSE, FIELD = "The fit's", "fit field"
    joints_deg: float = setting(rule=Number(0.0, 90.0, "degrees"))
    root_cm: float = setting(rule=Number(0.0, 100.0, "cm"))
    feet_cm: float = setting(rule=Number(0.0, 100.0, "cm"))


@dataclass(frozen=True)
class MoveFile(Checked):
    """The whole file."""

    FIELD = "move field"
    schema: str = setting(rule=Choice("schema", (SCHEMA,)))
    format: int = setting(rule=Whole(1))
    name: str = setting(rule=Text())
    gait: str = setting(rule=Text())
    kind: str = setting(rule=Choice("kind of move", KINDS))
    clip: str = setting(rule=Text())
    source: str = setting(rule=Text())
    licence: str = setting(rule=Text())
    fit: ErrorFile = setting(rule=Part(ErrorFile))
    steps: tuple[StepFile, ...] = setting(rule=Series(Part(StepFile)))
