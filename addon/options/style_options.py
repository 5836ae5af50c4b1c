# SPDX-License-Identifier: GPL-3.0-or-later
"""The style's sliders and locked footprints, as they are written on a command line."""

from __future__ import annotations

from ..errors import InputError
from ..specs.footprints import Footprint
from ..specs.style import SLIDERS, Style
from .named import named_values

OPTIONS = {slider.words.replace(" ", "-"): name for name, slider in SLIDERS.items()}
"""A slider's name on the command line ("arm-swing") and in `Style`."""
FORMS = ", ".join(f"{option}={SLIDERS[name].low:g}..{SLIDERS[name].high:g}" for option, name in OPTIONS.items())


def style_from(texts: list[str]) -> Style:
    """The Style of texts such as "arm-swing=1.5,trunk-lean=10". Raises InputError."""
    values: dict[str, float] = {}
    for name, text, part in named_values(texts, OPTIONS, "style slider"):
        try:
            values[name] = float(text)
        except ValueError:
            raise InputError(f"A style is written NAME=VALUE,... such as arm-swing=1.5,trunk-lean=10; got {part!r}.") from None
    return Style(**values)


def footprint_from(text: str) -> Footprint:
    """The locked footprint written as "N,X,Y" or "N,X,Y,YAW". Raises InputError."""
    parts = text.split(",")
    try:
        number, place = int(parts[0]), [float(part) for part in parts[1:]]
    except ValueError:
        number, place = 0, []
    if len(place) not in (2, 3):
        raise InputError("A footprint is written N,X,Y or N,X,Y,YAW: its number in the plan, metres and degrees, such as "
                         f"5,3.6,0.1; got {text!r}. `lope plan --json` lists the plan's.")
    return Footprint(number, *place)
