# SPDX-License-Identifier: GPL-3.0-or-later
"""What a shot goes on from: the end of another shot's take. Plain numbers that travel as JSON."""

from __future__ import annotations

import cmath
import hashlib
import math
import re
from dataclasses import dataclass
from pathlib import Path

from ..checks import Number, Series, Text
from ..errors import InputError
from .settings import Checked, setting

_SHA256 = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True)
class After(Checked):
    """The file of a take, the hash of what is in it, and where it ends: the place [m] from which the path of the shot that goes
    on starts, and the direction in which the character faces there, 0 along +x, 90 along +y; and how long it is [s]."""

    WHOSE, FIELD = "The take to go on from's", "field of what a shot goes on from"
    take: str = setting(rule=Text(), words="file")
    sha256: str = setting(rule=Text(), words="hash")
    place_m: tuple[float, float] = setting(rule=Series(Number(-1e6, 1e6, "m"), 2), words="end")
    heading_deg: float = setting(rule=Number(-1e6, 1e6, "degrees"), words="direction")
    time_s: float = setting(rule=Number(0.0, 1e5, "s"), words="length")

    def __post_init__(self) -> None:
        super().__post_init__()
        if not _SHA256.fullmatch(self.sha256):
            raise InputError(f"The hash of a take is 64 hexadecimal digits, its SHA-256, got {self.sha256!r}.")

    @property
    def place(self) -> complex:
        """Where the path starts, x + iy [m]."""
        return complex(*self.place_m)

    @property
    def turn(self) -> complex:
        """The direction there as a unit vector."""
        return cmath.exp(1j * math.radians(self.heading_deg))


def digest_of(path: str | Path) -> str:
    """The hash by which a take's file is known: its SHA-256, as hexadecimal text."""
    with Path(path).open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
