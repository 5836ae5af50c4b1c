# SPDX-License-Identifier: GPL-3.0-or-later
"""A shot with hits, simulated once more without them: the difference is what the hits do."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from ..errors import InputError
from ..specs.shot import Shot
from .simulation import Progress, resolved, simulate
from .take import Take


def is_struck(shot: Shot) -> bool:
    """Whether anything unforeseen happens to the body."""
    return bool(shot.hits) or any(not push.planned for push in shot.pushes)


def unhit(shot: Shot) -> Shot:
    """The same shot without its hits and pushes, but for those that are in its motion; its controller could have taken them."""
    if shot.catches:
        shot = shot.with_motion(catch=True)
    return replace(shot, hits=(), pushes=tuple(push for push in shot.pushes if push.planned))


def unhit_file(path: str | Path) -> Path:
    """Where the take without the hits lies beside the one with them."""
    path = Path(path)
    return path.with_name(f"{path.stem}-unhit{path.suffix}")


def with_and_without(shot: Shot, progress: Progress | None = None,
                     cancelled: Callable[[], bool] | None = None) -> tuple[Take, Take]:
    """The takes of a shot and of the same one `unhit`. Raises InputError for a shot in which nothing strikes the body, or in
    which it falls without that; LopeError as `simulate` does."""
    if not is_struck(shot):
        raise InputError("Nothing hits the character: add a hit, a punch or a push.")
    shot = resolved(shot)

    def half(first: float) -> Progress | None:
        return None if progress is None else lambda share, words: progress(first + 0.5 * share, words)

    without = simulate(unhit(shot), half(0.0))
    if without.fell or without.lost:
        raise InputError(f"The character falls after {float(without.time_s[-1]):.1f} s though nothing hits it, as its motion "
                         "does not stand here: take the law Rails, or another gravity.")
    return simulate(shot, half(0.5), cancelled), without
