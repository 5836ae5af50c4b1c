# SPDX-License-Identifier: GPL-3.0-or-later
"""What a body that stands does meanwhile by itself, as its balance needs to know it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Flow:
    """A motion of a body that stands, at one time: its horizontal `velocity` (x + iy [m/s]), how far its pressure is from its
    capture point and its pivot from that pressure [m], how fast it rises and that rate's rate."""

    velocity: complex = 0j
    pressure: complex = 0j
    pivot: complex = 0j
    rising: float = 0.0
    bend: float = 0.0


AT_REST = Flow()
