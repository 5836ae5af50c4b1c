# SPDX-License-Identifier: GPL-3.0-or-later
"""Keys of speed and gait, as they are written on a command line."""

from __future__ import annotations

from ..errors import InputError
from ..specs.keys import Key

FORM = "T,GAIT, T,SPEED or T,GAIT,SPEED, such as 3,lope or 5,1.4 or 3,run,3.2"


def key_from(text: str) -> Key:
    """The key written as one of `FORM`: a time [s], then the gait that begins there, the speed [m/s] reached there, or both.
    Raises InputError."""
    first, *rest = (part.strip() for part in text.split(","))
    time_s, speed, gait = _number(first), None, None
    for part in rest:
        number = _number(part)
        if number is None and gait is None and part:
            gait = part
        elif number is not None and speed is None:
            speed = number
        else:
            rest = []
    if time_s is None or not rest:
        raise InputError(f"A key is written {FORM}; got {text!r}.")
    return Key(time_s, gait, speed)


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None
