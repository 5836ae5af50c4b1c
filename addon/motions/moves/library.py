# SPDX-License-Identifier: GPL-3.0-or-later
"""The moves that ship, read from their files: what one may hold, field by field."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from ...checks import Choice, Maybe, Number, Part, Series, Switch, Table, Text, Whole
from ...errors import InputError
from ...specs.settings import PRESETS, Checked, known_file, names_in, read_preset, setting
from . import step as layout
from .step import Place, Step

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


MOVES_FOLDER = PRESETS / "moves"
FIGURES = ("duration", "flat", "heel_off", "other_heel_off", "turn", "off_phase")
PLACES = ("stands", "other_from", "other_to")


@dataclass(frozen=True)
class Move:
    """A move: its steps in their order, what an animator calls it (`gait`), where it is from, and how well its figures fit
    the clip (`joints_deg`, `root_cm`, `feet_cm`)."""

    name: str
    gait: str
    kind: str
    clip: str
    source: str
    licence: str
    fit: dict[str, float]
    steps: tuple[Step, ...]

    @property
    def turn(self) -> float:
        """By how much the way turns to the left over all steps [rad]."""
        return sum(step.turn for step in self.steps)


def move_names() -> tuple[str, ...]:
    return tuple(names_in(MOVES_FOLDER))


@cache
def load_move(name: str) -> Move:
    """The shipped move of that name. Raises InputError listing the known ones."""
    return read_move(known_file(MOVES_FOLDER, "move", name))


def read_move(path: str | Path) -> Move:
    """A move from its JSON file. Raises InputError saying what is wrong with it."""
    path = Path(path)
    found = read_preset(path, MoveFile, "move", newest=FORMAT)
    if not found.steps:
        raise InputError(f"The move {path} has no step; expected at least one.")
    return Move(found.name, found.gait, found.kind, found.clip, found.source, found.licence, dict(vars(found.fit)),
                tuple(_step(step, f"The move {path}, step {i + 1},") for i, step in enumerate(found.steps)))


def _step(file: StepFile, where: str) -> Step:
    curves = _matrix(file.curves, layout.names(), layout.INTERVALS + 3, where)
    lands = file.off is not None or file.flies is not None
    air = (_matrix(file.air, layout.AIR, layout.AIR_INTERVALS + 3, where) if lands
           else np.zeros((len(layout.AIR), layout.AIR_INTERVALS + 3)))
    own_air = None if file.flies is None else _matrix(file.own_air, layout.AIR, layout.AIR_INTERVALS + 3, where)
    for lifts in (file.off, file.flies):
        if lifts is not None and not 0.0 < lifts < file.duration:
            raise InputError(f"{where} lifts its foot at {lifts:g}; expected within its duration, {file.duration:g}.")
    figures: dict[str, Any] = {name: float(getattr(file, name)) for name in FIGURES}
    figures |= {name: Place(*map(float, getattr(file, name))) for name in PLACES}
    return Step(file.own, file.begins_standing, file.ends_standing, off=file.off, curves=curves, air=air,
                flies=file.flies, own_air=own_air, **figures)


def _matrix(found: dict[str, tuple[float, ...]], names: tuple[str, ...], count: int, where: str) -> np.ndarray:
    """Coefficients (C, count) from a file's curves. Raises InputError for curves that lack, are unknown or of another length."""
    missing, unknown = sorted(set(names) - set(found)), sorted(set(found) - set(names))
    if missing or unknown:
        raise InputError(f"{where} has the wrong curves (missing: {', '.join(missing) or 'none'}; unknown: "
                         f"{', '.join(unknown) or 'none'}).")
    wrong = [name for name in names if len(found[name]) != count]
    if wrong:
        raise InputError(f"{where} has {len(found[wrong[0]])} figures in the curve {wrong[0]}; expected {count}.")
    return np.array([found[name] for name in names], dtype=float)


