# SPDX-License-Identifier: GPL-3.0-or-later
"""The style's sliders, as they are written on a command line."""

from __future__ import annotations

from ..errors import InputError, unknown_name
from ..style_spec import SLIDERS, Style

OPTIONS = {name.removesuffix("_deg").removesuffix("_m").replace("_", "-"): name for name in SLIDERS}
"""A slider's name on the command line ("arm-swing") and in `Style`."""
FORMS = ", ".join(f"{option}={SLIDERS[name].low:g}..{SLIDERS[name].high:g}" for option, name in OPTIONS.items())


def style_from(texts: list[str]) -> Style:
    """The Style of texts such as "arm-swing=1.5,trunk-lean=10". Raises InputError."""
    values: dict[str, float] = {}
    for part in ",".join(texts).split(","):
        if not part.strip():
            continue
        option, _, text = (piece.strip() for piece in part.partition("="))
        if option not in OPTIONS:
            raise unknown_name("style slider", option, OPTIONS)
        try:
            values[OPTIONS[option]] = float(text)
        except ValueError:
            raise InputError("A style is written NAME=VALUE,... such as arm-swing=1.5,trunk-lean=10; got "
                             f"{part.strip()!r}.") from None
    return Style(**values)
