# SPDX-License-Identifier: GPL-3.0-or-later
"""The parts of a body as plain JSON values and back. Floats come back to the last bit."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from .segments import ContactPoint, Foot, Segment

_ARRAYS = ("offset", "tip", "com", "inertia", "axis", "position")
_TUPLES = ("limits_rad", "leg", "points")


def parts_to_dict(segments: Sequence[Segment], points: Sequence[ContactPoint], feet: Sequence[Foot]) -> dict[str, Any]:
    """Segments, contact points and feet, each a list of their fields."""
    return {"segments": [_plain(s) for s in segments], "contact_points": [_plain(p) for p in points],
            "feet": [_plain(f) for f in feet]}


def parts_from_dict(data: Mapping[str, Any]) -> tuple[list[Segment], list[ContactPoint], list[Foot]]:
    """What `parts_to_dict` was given. Raises KeyError, TypeError or ValueError for anything else."""
    return ([Segment(**_read(row)) for row in data["segments"]],
            [ContactPoint(**_read(row)) for row in data["contact_points"]], [Foot(**_read(row)) for row in data["feet"]])


def _plain(part: Segment | ContactPoint | Foot) -> dict[str, Any]:
    """The fields of a part as JSON values."""
    return {name: _value(value) for name, value in dataclasses.asdict(part).items()}


def _value(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        return value.tolist()
    if isinstance(value, tuple):
        return [_value(item) for item in value]
    return value.item() if isinstance(value, np.generic) else value


def _read(row: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of a part, from JSON values."""
    out = dict(row)
    for name in row.keys() & set(_ARRAYS):
        out[name] = None if row[name] is None else np.array(row[name], dtype=float)
    for name in row.keys() & set(_TUPLES):
        out[name] = None if row[name] is None else tuple(row[name])
    return out
