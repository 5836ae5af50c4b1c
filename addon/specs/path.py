# SPDX-License-Identifier: GPL-3.0-or-later
"""The way a shot asks the character to go (straight, a circle, or through points), footprints that an artist has laid, and the
ground: a plane, a slope, steps or a field of heights. Plain numbers that travel as JSON."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..checks import Choice, Maybe, Number, Series, Whole
from ..errors import InputError
from .settings import Checked, check_fields, setting


@dataclass(frozen=True)
class PathSpec(Checked):
    """The way on the ground. The character starts at the origin and first faces +x turned by `heading_deg`. "circle": of
    `radius_m`, to the left when positive, to the right when negative; 0 chooses a radius for the gait and gravity. "points": a
    smooth line from the origin through `points_m` (x, y)."""

    FIELD = "path field"
    kind: str = setting("straight", rule=Choice("path", ("straight", "circle", "points")))
    heading_deg: float = setting(0.0, -360.0, 360.0, "degrees")
    radius_m: float = setting(0.0, -1e4, 1e4, "m")
    points_m: tuple[tuple[float, float], ...] = setting(
        (), rule=Series(Series(Number(-1e5, 1e5, "m"), 2), each="Point {i} of the path"))

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.kind == "points" and not self.points_m:
            raise InputError("A path through points needs at least one point besides the start, got none.")


MOST_NUMBER = 20_000
"""Steps of the longest shot at the quickest strides, and some."""


@dataclass(frozen=True)
class Footprint(Checked):
    """The place of one landing, locked. `number` counts the plan's footprints from the foot that the shot starts on, 0: odd
    ones are the right foot's. `x_m`, `y_m` is the point under the ankle, from the shot's origin; `yaw_deg` the direction in
    which the foot then goes, 0 along +x, 90 along +y, its usual turning out not counted; None for the way's own."""

    FIELD = "footprint field"
    number: int = setting(rule=Whole(1, MOST_NUMBER))
    x_m: float = setting(rule=Number(-1e5, 1e5, "m"), words="place")
    y_m: float = setting(rule=Number(-1e5, 1e5, "m"), words="place")
    yaw_deg: float | None = setting(None, rule=Maybe(Number(-1e4, 1e4, "degrees")), words="direction")

    def __post_init__(self) -> None:
        if isinstance(self.number, bool) or not isinstance(self.number, int) or not 1 <= self.number <= MOST_NUMBER:
            raise InputError(f"A footprint's number must be a whole number between 1 and {MOST_NUMBER}, got "
                             f"{self.number!r}: 1 is the first foot to land; the one the shot starts on cannot be moved.")
        check_fields(self, f"Footprint {self.number}'s")

    @property
    def place(self) -> complex:
        """Its place, x + iy [m]."""
        return complex(self.x_m, self.y_m)


def check_for_flight(footprints: Sequence[Footprint]) -> None:
    """Raises InputError for any: of gaits with a moment in the air."""
    if footprints:
        raise InputError("Only walking gaits take locked footprints: this gait leaves the ground. Reset the footprints, or "
                         "choose a walk.")


def check_footprints(footprints: Sequence[Footprint], *, standing: bool, gravity_changes: bool) -> None:
    """Raises InputError for two footprints of one number, and for shots whose plan does not know beforehand which foot lands
    where: from or to `standing`, or with a gravity that changes."""
    numbers = [footprint.number for footprint in footprints]
    twice = next((number for number in numbers if numbers.count(number) > 1), None)
    if twice is not None:
        raise InputError(f"Footprint {twice} is locked twice: keep one of the two.")
    if numbers and standing:
        raise InputError("Footprints can be locked only in a shot that begins and ends moving: let it, or reset the "
                         "footprints.")
    if numbers and gravity_changes:
        raise InputError("Footprints can be locked only where gravity stays the same: take the change out, or reset the "
                         "footprints.")


SLOPE_RANGE_DEG = (-35.0, 35.0)


@dataclass(frozen=True)
class GroundSpec(Checked):
    """What is walked on. Everything is level at the origin, where the character starts. "slope": rises by `slope_deg` towards
    `direction_deg` (0 is +x, 90 is +y). "steps": treads of `run_m` that rise by `rise_m` (negative: go down) each towards
    `direction_deg`, the first edge one `run_m` ahead. "field": `heights_m`, rows along x from `origin_m`, columns along y,
    `spacing_m` apart; beyond its edges the border's heights go on."""

    FIELD = "ground field"
    kind: str = setting("plane", rule=Choice("ground", ("plane", "slope", "steps", "field")))
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
