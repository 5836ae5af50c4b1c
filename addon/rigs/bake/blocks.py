# SPDX-License-Identifier: GPL-3.0-or-later
"""Long motions worked on in blocks of frames: what is needed on the way stays small however long the take is."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

FRAMES = 8192
"""Frames of a block: more than two minutes at 60 fps, some tens of megabytes of intermediate arrays on any rig."""


def blocks(count: int) -> Iterator[slice]:
    """Ranges that make up `count` rows."""
    return (slice(start, min(start + FRAMES, count)) for start in range(0, count, FRAMES))


def in_blocks(work: Callable[[slice], np.ndarray], count: int) -> np.ndarray:
    """What `work(rows)` gives for each block of `count` rows, one after another along the first axis."""
    if count <= FRAMES:
        return work(slice(0, count))
    out = None
    for rows in blocks(count):
        part = work(rows)
        if out is None:
            out = np.empty((count, *part.shape[1:]), dtype=part.dtype)
        out[rows] = part
    return out
