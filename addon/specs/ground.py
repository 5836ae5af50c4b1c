# SPDX-License-Identifier: GPL-3.0-or-later
"""The ground a shot asks for: a plane, a slope, steps or a field of heights; plain numbers that travel as JSON."""

from __future__ import annotations

from dataclasses import dataclass

from ..checks import Choice, Number, Series
from ..errors import InputError
from .settings import Checked, setting

KINDS = ("plane", "slope", "steps", "field")
SLOPE_RANGE_DEG = (-35.0, 35.0)


@dataclass(frozen=True)
class GroundSpec(Checked):
    """What is walked on. Everything is level at the origin, where the character starts.

    "slope": rises by `slope_deg` towards `direction_deg` (0 is +x, 90 is +y). "steps": treads of `run_m` that rise by `rise_m`
    (negative: go down) each towards `direction_deg`, the first edge one `run_m` ahead. "field": `heights_m`, rows along x
    from `origin_m`, columns along y, `spacing_m` apart; beyond its edges the border's heights go on.
    """

    FIELD = "ground field"
    kind: str = setting("plane", rule=Choice("ground", KINDS))
    slope_deg: float = setting(0.0, *SLOPE_RANGE_DEG, "degrees")
    direction_deg: float = setting(0.0, -360.0, 360.0, "degrees")
    rise_m: float = setting(0.0, -2.0, 2.0, "m", words="step rise")
    run_m: float = setting(0.3, 0.05, 10.0, "m", words="step run")
    heights_m: tuple[tuple[float, ...], ...] = setting((), words="height field", rule=Series(
        Series(Number(-1e5, 1e5, "m"), each="{what}, column {i}"), each="{what}, row {i}"))
    spacing_m: float = setting(0.1, 0.005, 10.0, "m", words="spacing of the height field")
    origin_m: tuple[float, float] = setting((0.0, 0.0), -1e5, 1e5, "m", words="origin of the height field")

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.kind == "field":
            self._check_field()

    def _check_field(self) -> None:
        rows = self.heights_m
        if len(rows) < 2 or len(rows[0]) < 2:
            raise InputError("A height field needs at least 2 rows and 2 columns of heights, got "
                             f"{len(rows)} x {len(rows[0]) if rows else 0}.")
        for i, row in enumerate(rows):
            if len(row) != len(rows[0]):
                raise InputError(f"Every row of a height field needs {len(rows[0])} heights; row {i} has {len(row)}.")
