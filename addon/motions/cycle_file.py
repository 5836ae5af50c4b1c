# SPDX-License-Identifier: GPL-3.0-or-later
"""What a gait's JSON file may hold, field by field."""

from __future__ import annotations

from dataclasses import dataclass

from ..checks import Choice, Maybe, Number, Part, Series, Table, Text, Whole
from ..specs.settings import Checked, setting

SCHEMA = "lope-cycle"
PHASE = Number(0.0, 1.0, "cycles")
COEFFICIENT = Number(-1e3, 1e3, "rad or leg lengths")


@dataclass(frozen=True)
class PhasesFile(Checked):
    """One foot's stance."""

    WHOSE, FIELD = "The contact phase", "contact phase"
    strike: float = setting(rule=PHASE)
    flat: float = setting(rule=PHASE)
    heel_off: float = setting(rule=PHASE)
    toe_off: float = setting(rule=PHASE)


@dataclass(frozen=True)
class SidesFile(Checked):
    """Both feet's."""

    FIELD = "side"
    L: PhasesFile = setting(rule=Part(PhasesFile))
    R: PhasesFile = setting(rule=Part(PhasesFile))


@dataclass(frozen=True)
class SeriesFile(Checked):
    """One channel."""

    WHOSE, FIELD = "A channel's", "channel field"
    mean: float = setting(rule=COEFFICIENT)
    cos: tuple[float, ...] = setting(rule=Series(COEFFICIENT))
    sin: tuple[float, ...] = setting(rule=Series(COEFFICIENT))


@dataclass(frozen=True)
class CircleFile(Checked):
    """The circle that a gait goes round by itself."""

    WHOSE, FIELD = "The default path's", "default path field"
    kind: str = setting(rule=Choice("kind of default path", ("circle",)))
    radius_leg_lengths: float = setting(rule=Number(-100.0, 100.0, "leg lengths"))


@dataclass(frozen=True)
class CycleFile(Checked):
    """The whole file."""

    FIELD = "gait field"
    schema: str = setting(rule=Choice("schema", (SCHEMA,)))
    format: int = setting(rule=Whole(1))
    name: str = setting(rule=Text())
    source: str = setting(rule=Text())
    speed_m_s: float = setting(rule=Number(0.05, 15.0, "m/s"))
    stride_frequency_hz: float = setting(rule=Number(0.05, 10.0, "Hz"))
    leg_length_m: float = setting(rule=Number(0.1, 3.0, "m"))
    step_width_m: float = setting(rule=Number(-1.0, 1.0, "m"))
    contact_phases: SidesFile = setting(rule=Part(SidesFile))
    channels: dict[str, SeriesFile] = setting(rule=Table(Part(SeriesFile)))
    default_path: CircleFile | None = setting(None, rule=Maybe(Part(CircleFile)))
    sided: bool = setting(False)
