# SPDX-License-Identifier: GPL-3.0-or-later
"""Feet that are where the user's are though no known motion has them there: in the first stance, and after a step in which none
was recognised (Yin 2007, section 3.5.2, has them drift until a known motion steps)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from .database import MOTION_HZ, PER_FRAME
from .laying import Run
from .recognition import QUIET

FAR_M = 0.1
"""A foot that is seen to stand so far from where it stood has stepped."""
SWING_S, WAITS_S = 0.25, 1.5
"""Poses of a step last so long at least; a foot that is nowhere for longer was not seen, rather than up."""


def first_shifts(ankles_m: np.ndarray, stands: np.ndarray, wanted: np.ndarray, most_m: float) -> np.ndarray:
    """How far (2, 2) from where the motion has them feet stand until they are lifted, to be as the user's (`wanted` (T, 2, 2))
    are beside one another; the motion's ankles are (N, 2, 2), and each stands (N, 2). Nothing where both are not known, or one is
    farther off than that [m]: then it is no foot."""
    frames = np.minimum(PER_FRAME * np.arange(len(wanted)), len(stands) - 1)
    away = wanted - ankles_m[frames]
    known = np.logical_and.accumulate(stands, axis=0)[frames] & np.isfinite(away).all(axis=2)
    if not known.any(axis=0).all():
        return np.zeros((2, 2))
    found = np.array([np.median(away[known[:, foot], foot], axis=0) for foot in (0, 1)])
    return found - found.mean(axis=0) if np.linalg.norm(found, axis=1).max() <= most_m else np.zeros((2, 2))


def stays(run: Run, ankles_m: np.ndarray | None) -> bool:
    """Whether both feet of the user are seen to stand as a run begins: none steps unseen."""
    return ankles_m is not None and bool(np.isfinite(ankles_m[run.begin]).all())


def unknown_steps(runs: Sequence[Run], stands: np.ndarray, ankles_m: np.ndarray) -> np.ndarray:
    """Poses (N, 2) in which a foot is up as the user's was, who stepped where nothing but quiet stance was recognised; feet that
    stand (N, 2) then."""
    quiet, found = np.zeros(len(ankles_m), dtype=bool), np.zeros_like(stands)
    for run in runs:
        quiet[run.begin:run.end] = run.row == QUIET
    for foot in (0, 1):
        told = np.flatnonzero(np.isfinite(ankles_m[:, foot]).all(axis=1))
        far = np.linalg.norm(np.diff(ankles_m[told, foot], axis=0), axis=1) > FAR_M
        for last, first in zip(told[:-1][far], told[1:][far], strict=True):
            end = PER_FRAME * int(first)
            begin = min(PER_FRAME * (int(last) + 1), end - round(SWING_S * MOTION_HZ))
            stood = begin > 0 and quiet[last:first + 1].all() and stands[begin - 1:end + 1].all()
            if stood and end - begin < WAITS_S * MOTION_HZ:
                found[begin:end, foot] = True
    return found
