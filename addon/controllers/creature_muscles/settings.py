# SPDX-License-Identifier: GPL-3.0-or-later
"""The numbers of all muscles together as settings of the controller: what a shot says of them goes before what its gait says."""

from __future__ import annotations

import dataclasses
from typing import Any

from ...specs.settings import Checked, setting
from .numbers import LAW

GROUP = "muscles"
CreatureMuscleNumbers: Any = dataclasses.make_dataclass(
    "CreatureMuscleNumbers",
    [(name, float, setting(*span, help=words)) for name, (span, words) in LAW.items()]
    + [("ideal", float, setting(0.0, 0.0, 1.0, help="At 1 a muscle's force is its excitation times its greatest force, at once",
                                searched=False)),
       ("fixed", float, setting(0.0, 0.0, 1.0, help="At 1 all routing is in the middle of its range", searched=False))],
    bases=(Checked,), frozen=True, namespace={
        "__doc__": "The numbers of all muscles together, at where a search begins; see `numbers.py`.",
        "WHOSE": "The creature's muscles'", "FIELD": "number of the creature's muscles",
        "SOURCE": "Where a search begins: by hand, on five creatures; a searched gait has its own"})
