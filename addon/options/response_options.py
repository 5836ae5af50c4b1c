# SPDX-License-Identifier: GPL-3.0-or-later
"""Pushes that are answered by example, as they are written on a command line: a direction and a speed."""

from __future__ import annotations

import cmath
import math

from ..checks import check_number
from ..errors import InputError, unknown_name
from ..motions.responses.response import STRATEGIES

DIRECTIONS = {"forward": 0.0, "left": 90.0, "back": 180.0, "right": -90.0}
FORM = "degrees, 0 forward and positive to the left, or " + ", ".join(DIRECTIONS)
FASTEST_M_S = 20.0


def shove_from(text: str) -> complex:
    """The push [m/s], x ahead and y left, written as "left,0.6" or "135,0.6". Raises InputError."""
    parts = [part.strip() for part in text.split(",")]
    if len(parts) != 2:
        raise InputError(f"A push is DIRECTION,M/S such as left,0.6 or 135,0.6; got {text!r}.")
    way, speed = parts
    if way in DIRECTIONS:
        degrees = DIRECTIONS[way]
    else:
        try:
            degrees = float(way)
        except ValueError:
            raise unknown_name("direction", way, DIRECTIONS) from None
    check_number("The direction of a push", degrees, -360.0, 360.0, "degrees")
    return cmath.rect(_number(speed, text), math.radians(degrees))


def _number(speed: str, text: str) -> float:
    try:
        value = float(speed)
    except ValueError:
        raise InputError(f"The speed of a push is a number of m/s, got {text!r}.") from None
    check_number("The speed of a push", value, 0.01, FASTEST_M_S, "m/s")
    return value


def then_from(text: str) -> tuple[float, complex]:
    """When [s] after the first push, and the push, written as "0.6,right,0.4". Raises InputError."""
    when, _, push = text.partition(",")
    try:
        seconds = float(when)
    except ValueError:
        raise InputError(f"A push that comes then is T,DIRECTION,M/S such as 0.6,right,0.4; got {text!r}.") from None
    check_number("The time of a push", seconds, 0.0, 60.0, "s")
    return seconds, shove_from(push)


def forces_from(text: str | None) -> tuple[float, ...]:
    """The forces [N] written as "50,100,200"; none without a text. Raises InputError."""
    try:
        forces = tuple(float(part) for part in (text or "").split(",") if part.strip())
    except ValueError:
        raise InputError(f"--forces are numbers of newtons such as 50,100,200; got {text!r}.") from None
    for force in forces:
        check_number("A force", force, 1.0, 5000.0, "N")
    return forces


def allowed_from(text: str | None) -> tuple[str, ...]:
    """The strategies written as "ankles,hips"; all without a text. Raises InputError."""
    if text is None:
        return STRATEGIES
    names = tuple(name.strip() for name in text.split(",") if name.strip())
    for name in names:
        if name not in STRATEGIES:
            raise unknown_name("strategy", name, STRATEGIES)
    if not names:
        raise InputError(f"--allow names strategies: some of {', '.join(STRATEGIES)}.")
    return names
