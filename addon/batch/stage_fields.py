# SPDX-License-Identifier: GPL-3.0-or-later
"""The `bake` and `render` entries of a shot: what they may hold, checked before anything runs.

`bake` has the fields of `BakeOptions` by their names, and the stage that the figure is put on; `render` the options of
`lope render`, and whether a film and a sheet are made of the pictures.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from typing import Any

from ..errors import InputError, unknown_name
from ..options.fields import SWITCH, Field, render_fields
from ..specs.bake_options import DUST, STAGE, BakeOptions, bake_options

RENDER_SWITCHES = ("film", "sheet")

Error = Callable[[str, str], InputError]


def check_bake(table: Mapping[str, Any], error: Error) -> None:
    """Raises `error(entry's name, words)` for an entry that bakes do not have or that does not fit."""
    known = {field.name for field in dataclasses.fields(BakeOptions)} | {STAGE, DUST}
    for name in table:
        if name not in known:
            raise error(name, str(unknown_name("option of the bake", name, known)))
    for name in (STAGE, DUST):
        if not isinstance(table.get(name, True), bool):
            raise error(name, f"{name!r} must be true or false, got {table[name]!r}.")
    try:
        bake_options(table)
    except (InputError, TypeError) as wrong:
        raise error(next(iter(table)), str(wrong)) from None


def check_render(table: Mapping[str, Any], error: Error) -> None:
    """Raises `error(entry's name, words)` for an entry that renders do not have or that does not fit."""
    from ..options.render_options import frames_from, size_from

    fields = render_fields()
    known = (*RENDER_SWITCHES, *fields.by_name)
    for name, value in table.items():
        if name not in known:
            raise error(name, str(unknown_name("option of the render", name, known)))
        kind = SWITCH if name in RENDER_SWITCHES else fields.by_name[name].kind
        if not Field(name, "", kind).fits(value):
            raise error(name, f"{name!r} must be {kind}, got {value!r}.")
        try:
            if name in ("frames", "size"):
                {"frames": frames_from, "size": size_from}[name](str(value))
        except InputError as wrong:
            raise error(name, str(wrong)) from None
