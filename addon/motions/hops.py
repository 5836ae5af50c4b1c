# SPDX-License-Identifier: GPL-3.0-or-later
"""The cycle of a clip of hops on both feet, whose feet land together instead of in turn."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from ..errors import ClipError
from .bvh import read_bvh
from .contacts import Contact, find_contacts
from .cycle import Cycle
from .derive import in_phase
from .fitting import fit_cycle
from .retarget import retarget
from .strides import DURATION_SPREAD, Stride

TOGETHER = 0.15
"""Largest share of a hop by which its feet may land apart."""


def cycle_from_hops(path: str | Path) -> Cycle:
    """The mean hop of a BVH clip, both sides doing the same. Raises ClipError for a clip without two hops in a row."""
    motion = retarget(read_bvh(path))
    contacts = find_contacts(motion)
    return in_phase(fit_cycle(motion, contacts, _hops(contacts, str(path))))


def _hops(contacts: list[Contact], path: str) -> list[Stride]:
    """Strides from a landing of both feet to the next one, the unusually long or short ones left out."""
    left, right = (np.array([c.strike_s for c in contacts if c.side == side and np.isfinite(c.strike_s)]) for side in "LR")
    hops = []
    for start, end in zip(left, left[1:], strict=False):
        apart = (right - start) / (end - start) if len(right) else np.array([np.inf])
        nearest = float(apart[np.abs(apart).argmin()])
        if abs(nearest) <= TOGETHER:
            hops.append(Stride("L", float(start), float(end), nearest, 0.0, 0.0))
    if not hops:
        raise ClipError(f"{path} holds no hops: nowhere do both feet land together twice in a row.")
    usual = float(np.median([h.duration_s for h in hops]))
    return [h for h in hops if abs(h.duration_s / usual - 1.0) < DURATION_SPREAD]
