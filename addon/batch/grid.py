# SPDX-License-Identifier: GPL-3.0-or-later
"""Grids: a table whose entries are lists becomes one shot for every combination, each with a name that tells which."""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

AXES = ("rig", "gait", "motion", "follow", "world", "gravity", "speed", "seed")
"""What comes first in the names, and turns slowest; other fields follow as they stand in the list."""


def expanded(grid: Mapping[str, Any], plain: frozenset[str]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Name and fields of every shot of a grid; fields in `plain` hold one value even where that is a list."""
    axes = [name for name, value in grid.items() if isinstance(value, list) and name not in plain]
    axes.sort(key=lambda name: AXES.index(name) if name in AXES else len(AXES))
    fixed = {name: value for name, value in grid.items() if name not in axes and name != "name"}
    for values in itertools.product(*(grid[axis] for axis in axes)):
        labels = [label(axis, value) for axis, value in zip(axes, values, strict=True)]
        yield "-".join([str(grid["name"]), *labels]), fixed | dict(zip(axes, values, strict=True))


def count(grid: Mapping[str, Any], plain: frozenset[str]) -> int:
    """How many shots a grid has."""
    return math.prod(len(value) for name, value in grid.items() if isinstance(value, list) and name not in plain)


def label(axis: str, value: Any) -> str:
    """A value as part of a name: files by their stem, numbers that do not tell by themselves with their axis."""
    if isinstance(value, Mapping):
        value = value.get("file", axis)
    if isinstance(value, str):
        text = Path(value).stem if axis in ("rig", "motion", "follow") else value
    elif isinstance(value, bool):
        text = axis if value else f"no{axis}"
    else:
        text = f"{axis}{value:g}"
    return safe(text)


def safe(text: str) -> str:
    """Text that may be a folder's name on every system."""
    return re.sub(r"[^A-Za-z0-9._+]+", "_", text).strip("._") or "x"
