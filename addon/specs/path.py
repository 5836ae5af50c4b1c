# SPDX-License-Identifier: GPL-3.0-or-later
"""The way a shot asks the character to go: straight, a circle, or through points; plain numbers that travel as JSON."""

from __future__ import annotations

from dataclasses import dataclass

from ..checks import check_number
from ..errors import InputError, unknown_name

KINDS = ("straight", "circle", "points")


@dataclass(frozen=True)
class PathSpec:
    """The way on the ground. The character starts at the origin and first faces +x turned by `heading_deg`.

    "circle": of `radius_m`, to the left when positive, to the right when negative; 0 chooses a radius for the gait and
    gravity. "points": a smooth line from the origin through `points_m` (x, y).
    """

    kind: str = "straight"
    heading_deg: float = 0.0
    radius_m: float = 0.0
    points_m: tuple[tuple[float, float], ...] = ()

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise unknown_name("path", self.kind, KINDS)
        check_number("Heading", self.heading_deg, -360.0, 360.0, "degrees")
        check_number("Radius", self.radius_m, -1e4, 1e4, "m")
        if self.kind == "points" and not self.points_m:
            raise InputError("A path through points needs at least one point besides the start, got none.")
        for i, point in enumerate(self.points_m):
            if len(point) != 2:
                raise InputError(f"Each point of a path is x,y; point {i} has {len(point)} numbers.")
            for value in point:
                check_number(f"Point {i} of the path", value, -1e5, 1e5, "m")

    @classmethod
    def from_dict(cls, data: dict) -> PathSpec:
        """A PathSpec from `dataclasses.asdict`'s output, lists being tuples."""
        data = dict(data)
        data["points_m"] = tuple(tuple(p) for p in data.get("points_m", ()))
        return cls(**data)
