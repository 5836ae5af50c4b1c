# SPDX-License-Identifier: GPL-3.0-or-later
"""Files of gains: settings of a controller that a search has found, for `lope simulate --gains-file`."""

from __future__ import annotations

import json
from pathlib import Path

from ..errors import InputError
from ..specs.shot import Shot
from .registry import find_controller

SCHEMA, FORMAT = "lope-gains", 1


def read_gains(path: Path) -> dict[str, dict[str, float]]:
    """The gains of a file that `lope tune --gains` wrote; one that names no controller is of the default one. Raises InputError
    saying what is wrong with it."""
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        if data["schema"] != SCHEMA or data["format"] > FORMAT:
            raise ValueError(f"schema {data['schema']!r}, format {data['format']!r}")
        find_controller(data.get("controller", Shot().controller)).check_settings(data["gains"])
        return data["gains"]
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise InputError(f"{path} is not a file of gains that this Lope reads: {error!r}. Make one with lope tune "
                         "--gains.") from error
