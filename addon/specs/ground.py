# SPDX-License-Identifier: GPL-3.0-or-later
"""The ground a shot asks for: a plane, a slope, steps or a field of heights; plain numbers that travel as JSON."""

from __future__ import annotations

import math
from dataclasses import dataclass

from ..checks import check_number
from ..errors import InputError, unknown_name

KINDS = ("plane", "slope", "steps", "field")
SLOPE_RANGE_DEG = (-35.0, 35.0)


@dataclass(frozen=True)
class GroundSpec:
    """What is walked on. Everything is level at the origin, where the character starts.

    "slope": rises by `slope_deg` towards `direction_deg` (0 is +x, 90 is +y). "steps": treads of `run_m` that rise by `rise_m`
    (negative: go down) each towards `direction_deg`, the first edge one `run_m` ahead. "field": `heights_m`, rows along x
    from `origin_m`, columns along y, `spacing_m` apart; beyond its edges the border's heights go on.
    """

    kind: str = "plane"
    slope_deg: float = 0.0
    direction_deg: float = 0.0
    rise_m: float = 0.0
    run_m: float = 0.3
    heights_m: tuple[tuple[float, ...], ...] = ()
    spacing_m: float = 0.1
    origin_m: tuple[float, float] = (0.0, 0.0)

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise unknown_name("ground", self.kind, KINDS)
        check_number("Slope", self.slope_deg, *SLOPE_RANGE_DEG, "degrees")
        check_number("Direction", self.direction_deg, -360.0, 360.0, "degrees")
        check_number("Step rise", self.rise_m, -2.0, 2.0, "m")
        check_number("Step run", self.run_m, 0.05, 10.0, "m")
        check_number("Spacing of the height field", self.spacing_m, 0.005, 10.0, "m")
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
            for j, height in enumerate(row):
                if not isinstance(height, (int, float)) or not math.isfinite(height):
                    raise InputError(f"The height field holds {height!r} in row {i}, column {j}; every height must be a number "
                                     "in m.")

    @classmethod
    def from_dict(cls, data: dict) -> GroundSpec:
        """A GroundSpec from `dataclasses.asdict`'s output, lists being tuples."""
        data = dict(data)
        data["heights_m"] = tuple(tuple(row) for row in data.get("heights_m", ()))
        data["origin_m"] = tuple(data.get("origin_m", (0.0, 0.0)))
        return cls(**data)
