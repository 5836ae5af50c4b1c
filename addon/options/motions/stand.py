# SPDX-License-Identifier: GPL-3.0-or-later
"""How somebody stands, as it is written on a command line."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...errors import InputError
from ...reading import read_json, why
from ...specs.motions.stand import STAND, StancePose, Stand
from ..outputs import named_values

NAMES = {"apart": "apart_m", "ahead": "ahead_m", "leg": "one_leg", "hips": "hips", "steps": "steps",
         "reaction": "reaction_s", "swing": "swing_m_s", "sway": "sway", "pose": "pose"}
"""Fields of `Stand` by what they are called here."""
FORMS = ("apart=M, ahead=M (the left foot), leg=L|R (on one leg), hips=yes|no, steps=N|any, reaction=S, swing=M/S (at most), "
         "sway=SHARE, pose=FILE.json")
ANSWERS: Mapping[str, bool] = {"yes": True, "no": False}
EXAMPLE = "apart=0.4,steps=0"


def stance_from(texts: list[str], stands: bool, catches: bool = False) -> Stand | None:
    """The stance of texts such as "apart=0.4,steps=0"; None for a shot that neither `stands` nor `catches`. Raises InputError."""
    values: dict[str, Any] = {}
    for name, text, part in named_values(texts, NAMES, "part of a stance"):
        values[name] = _value(name, text, part)
    if not stands and not (catches and values):
        if values:
            raise InputError(f"--stance says how to stand: it goes with --gait {STAND}, or with a clip and --catch.")
        return None
    return Stand(**values)


def pose_in(path: str) -> StancePose:
    """The pose of a file: a table of rotation vectors [rad] by segments. Raises InputError for another file."""
    try:
        data = read_json(path)
    except (OSError, ValueError) as error:
        raise InputError(f"The pose {path} cannot be read: {why(error)}.") from None
    if not isinstance(data, dict) or not isinstance(data.get("turns"), dict):
        raise InputError(f'The pose {path} holds no turns: write {{"turns": {{"thigh_L": [0, -0.4, 0]}}}}, in radians.')
    return StancePose.from_dict({"turns": data["turns"]})


def _value(name: str, text: str, part: str) -> Any:
    """The value of one part of a stance. Raises InputError."""
    try:
        if name == "one_leg":
            return text
        if name == "pose":
            return pose_in(text)
        if name == "hips":
            return ANSWERS[text]
        if name == "steps":
            return None if text == "any" else int(text)
        return float(text)
    except (KeyError, ValueError):
        raise InputError(f"A stance is written NAME=VALUE,... such as {EXAMPLE}, of {FORMS}; got {part!r}.") from None
