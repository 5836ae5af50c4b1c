# SPDX-License-Identifier: GPL-3.0-or-later
"""The chains of a body: what moves together when one of its segments is struck. Read off the tree and its roles."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...bodies.body import Body
from ...bodies.segments import FREEDOM

OFF = "hit_off_deg"
"""Channel of a take: how far each chain's joints are from the pose that is wanted, in the order of `chains_of`."""


@dataclass(frozen=True)
class Chain:
    """Segments whose joints yield together, from the one next to the trunk (of the trunk: next to the root) on. `base` is what
    they hang on; `columns` are their joints' places among the generalised velocities."""

    base: str
    segments: tuple[str, ...]
    columns: np.ndarray


def chains_of(body: Body) -> tuple[Chain, ...]:
    """All chains of a body. The trunk's comes first: what leads from the root to the segment in that role; then, in the order of
    the segments, whatever hangs on root or trunk, each with all that it carries: a head with its neck, an arm with its clavicle,
    a leg. A body whose trunk is its root has limbs only."""
    trunk = body.way_to(body.role("trunk"))
    limbs: dict[str, list[str]] = {}
    for segment in body.segments:
        first = next((name for name in body.way_to(segment.name) if name not in trunk), None)
        if first is not None:
            limbs.setdefault(first, []).append(segment.name)
    found = [(trunk[0], trunk[1:])] if len(trunk) > 1 else []
    found += [(body.segment(first).hangs_on, tuple(names)) for first, names in limbs.items()]
    columns = _columns(body)
    return tuple(Chain(base, names, np.concatenate([columns[name] for name in names])) for base, names in found)


def chain_at(chains: tuple[Chain, ...], segment: str) -> int | None:
    """Which chain a segment that is struck belongs to; what hits the root folds the trunk. None for a root without a trunk."""
    for i, chain in enumerate(chains):
        if segment in chain.segments:
            return i
    return next((i for i, chain in enumerate(chains) if chain.base == segment), None)


def off_deg(chains: tuple[Chain, ...], error: np.ndarray) -> np.ndarray:
    """Root mean square (C,) [degrees] of the errors (nv,) [rad] of each chain's coordinates."""
    return np.degrees([np.sqrt(np.mean(error[chain.columns] ** 2)) for chain in chains])


def _columns(body: Body) -> dict[str, np.ndarray]:
    """Places of each segment's joint among the generalised velocities."""
    found, at = {}, 0
    for segment in body.segments:
        found[segment.name] = np.arange(at, at + FREEDOM[segment.joint])
        at += FREEDOM[segment.joint]
    return found
