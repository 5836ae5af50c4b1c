# SPDX-License-Identifier: GPL-3.0-or-later
"""How somebody stands, as it is written on a command line."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..errors import InputError, unknown_name
from ..specs.stand import STAND, Stand

NAMES = {"apart": "apart_m", "ahead": "ahead_m", "leg": "one_leg", "hips": "hips", "steps": "steps",
         "reaction": "reaction_s", "swing": "swing_m_s", "sway": "sway"}
"""Fields of `Stand` by what they are called here."""
FORMS = ("apart=M, ahead=M (the left foot), leg=L|R (on one leg), hips=yes|no, steps=N|any, reaction=S, swing=M/S (at most), "
         "sway=SHARE")
ANSWERS: Mapping[str, bool] = {"yes": True, "no": False}
EXAMPLE = "apart=0.4,steps=0"


def stance_from(texts: list[str], gait: str, catches: bool = False) -> Stand | None:
    """The stance of texts such as "apart=0.4,steps=0"; None for a shot that neither stands nor `catches`. Raises InputError."""
    values: dict[str, Any] = {}
    for part in ",".join(texts).split(","):
        if not part.strip():
            continue
        option, _, text = (piece.strip() for piece in part.partition("="))
        if option not in NAMES:
            raise unknown_name("part of a stance", option, NAMES)
        values[NAMES[option]] = _value(option, text, part.strip())
    if gait != STAND and not (catches and values):
        if values:
            raise InputError(f"--stance says how to stand: it goes with --gait {STAND}, or with a clip and --catch.")
        return None
    return Stand(**values)


def _value(option: str, text: str, part: str) -> Any:
    """The value of one part of a stance. Raises InputError."""
    try:
        if option == "leg":
            return text
        if option == "hips":
            return ANSWERS[text]
        if option == "steps":
            return None if text == "any" else int(text)
        return float(text)
    except (KeyError, ValueError):
        raise InputError(f"A stance is written NAME=VALUE,... such as {EXAMPLE}, of {FORMS}; got {part!r}.") from None
