# SPDX-License-Identifier: GPL-3.0-or-later
"""The numbers of the reflex law as settings of the controller: what a shot says of them goes before what its walker says."""

from __future__ import annotations

import dataclasses
from typing import Any

from ...specs.settings import Checked, setting
from .parameters import PARAMETERS

GROUP = "reflex"
SOURCE = "Geyer and Herr 2010 by hand, and first guesses: where a search begins; each walker has its own"
ReflexNumbers: Any = dataclasses.make_dataclass(
    "ReflexNumbers",
    [(name, float, setting(one.start, one.low, one.high, help=one.words[:1].upper() + one.words[1:]))
     for name, one in PARAMETERS.items()],
    bases=(Checked,), frozen=True, namespace={
        "__doc__": "All numbers of the law, at where a search begins.", "WHOSE": "The reflexes'",
        "FIELD": "number of the reflexes", "SOURCE": SOURCE})
