# SPDX-License-Identifier: GPL-3.0-or-later
"""The numbers of the law as settings of the controller: what a shot says of them goes before what its gait says."""

from __future__ import annotations

import dataclasses
from typing import Any

from ...specs.settings import Checked, setting
from .parameters import PARAMETERS

GROUP = "creature"
SOURCE = "Where a search begins: by hand, on an ostrich, a dinosaur, a human and two others; a searched gait has its own"
CreatureNumbers: Any = dataclasses.make_dataclass(
    "CreatureNumbers",
    [(name, float, setting(one.start, one.low, one.high, help=one.words)) for name, one in PARAMETERS.items()],
    bases=(Checked,), frozen=True, namespace={
        "__doc__": "All numbers of the law, at where a search begins; see `parameters.py`.", "WHOSE": "The creature's",
        "FIELD": "number of the creature's law", "SOURCE": SOURCE})
