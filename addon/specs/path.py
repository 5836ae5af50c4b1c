# SPDX-License-Identifier: GPL-3.0-or-later
"""The way a shot asks the character to go: straight, a circle, or through points; plain numbers that travel as JSON."""

from __future__ import annotations

from dataclasses import dataclass

from ..checks import Choice, Number, Series
from ..errors import InputError
from .settings import Checked, setting

KINDS = ("straight", "circle", "points")


@dataclass(frozen=True)
class PathSpec(Checked):
    """The way on the ground. The character starts at the origin and first faces +x turned by `heading_deg`.

    "circle": of `radius_m`, to the left when positive, to the right when negative; 0 chooses a radius for the gait and
    gravity. "points": a smooth line from the origin through `points_m` (x, y).
    """

    FIELD = "path field"
    kind: str = setting("straight", rule=Choice("path", KINDS))
    heading_deg: float = setting(0.0, -360.0, 360.0, "degrees")
    radius_m: float = setting(0.0, -1e4, 1e4, "m")
    points_m: tuple[tuple[float, float], ...] = setting(
        (), rule=Series(Series(Number(-1e5, 1e5, "m"), 2), each="Point {i} of the path"))

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.kind == "points" and not self.points_m:
            raise InputError("A path through points needs at least one point besides the start, got none.")
