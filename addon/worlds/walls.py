# SPDX-License-Identifier: GPL-3.0-or-later
"""Walls and stacks of loose boxes, set up on the ground."""

from __future__ import annotations

import math

import mujoco
import numpy as np

from ..checks import check_number
from ..errors import InputError
from ..maths.least_turn import rotation_between
from ..specs.loose import MOST_OBJECTS, LooseObject
from .ground import Ground

GAP_M = 0.004
"""Between boxes beside each other, so that they do not jam."""


def wall(columns: int, rows: int, size_m: float, mass_kg: float, place: complex, yaw_deg: float, ground: Ground,
         first: int = 1) -> tuple[LooseObject, ...]:
    """A wall of cubes, `columns` side by side and `rows` one on the other, its foot's middle at a place x + iy [m]; it faces the
    direction `yaw_deg` (0 is +x), and stands on the ground as that lies there. Boxes are numbered from `first` on. Raises
    InputError."""
    for what, count in (("columns", columns), ("rows", rows)):
        check_number(f"A wall's number of {what}", count, 1, MOST_OBJECTS, "boxes")
    if columns * rows > MOST_OBJECTS:
        raise InputError(f"A wall has at most {MOST_OBJECTS} boxes, got {columns} times {rows}.")
    x, y = place.real, place.imag
    up = np.array(ground.normal(x, y), dtype=float).reshape(3)
    c, s = math.cos(math.radians(yaw_deg)), math.sin(math.radians(yaw_deg))
    turn = rotation_between(np.array([0.0, 0.0, 1.0]), up) @ np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
    quat = np.zeros(4)
    mujoco.mju_mat2Quat(quat, turn.ravel())
    foot = np.array([x, y, float(np.ravel(ground.height(x, y))[0])])
    boxes: list[LooseObject] = []
    for row in range(rows):
        for column in range(columns):
            across = (column - 0.5 * (columns - 1)) * (size_m + GAP_M)
            middle = foot + turn @ np.array([0.0, across, (row + 0.5) * size_m])
            boxes.append(LooseObject(f"Box {first + len(boxes)}", size_m=(size_m,) * 3, mass_kg=mass_kg,
                                     place_m=tuple(middle.tolist()), orientation=tuple(quat.tolist())))
    return tuple(boxes)
