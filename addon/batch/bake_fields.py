# SPDX-License-Identifier: GPL-3.0-or-later
"""The `bake` entries of a shot: the fields of `BakeOptions` by their names, and the stage that the figure is put on."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from typing import Any

from ..errors import InputError, unknown_name
from ..rigs.options import BakeOptions

STAGE = "stage"
"""true (the default): ground, sun and sky of the world where the rig's file has no lamp; false: the file as it is."""


def check_bake(table: Mapping[str, Any], error: Callable[[str, str], InputError]) -> None:
    """Raises `error(entry's name, words)` for an entry that bakes do not have or that does not fit."""
    known = {field.name for field in dataclasses.fields(BakeOptions)} | {STAGE}
    for name in table:
        if name not in known:
            raise error(name, str(unknown_name("option of the bake", name, known)))
    if not isinstance(table.get(STAGE, True), bool):
        raise error(STAGE, f"{STAGE!r} must be true or false, got {table[STAGE]!r}.")
    try:
        bake_options(table)
    except (InputError, TypeError) as wrong:
        raise error(next(iter(table)), str(wrong)) from None


def bake_options(table: Mapping[str, Any]) -> BakeOptions:
    """The options that a `bake` table describes. Raises InputError."""
    values = {name: value for name, value in table.items() if name != STAGE}
    if isinstance(values.get("frame_range"), list):
        values["frame_range"] = tuple(values["frame_range"])
    return BakeOptions(**values)
