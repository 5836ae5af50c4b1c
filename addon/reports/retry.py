# SPDX-License-Identifier: GPL-3.0-or-later
"""Shots that are simulated more than once: one that leaves its speed open and falls, or is not done otherwise (`Card.undone`),
is tried again, slower or at another rate, and says what was changed; one with hits is simulated without them, too: the difference
is what the hits do."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from ..errors import InputError
from ..gaits.ranges import feasible_range
from ..sim.simulation import Progress, resolved, simulate
from ..sim.take import Take
from ..specs.shot import END, Shot
from .card import physics_card

TRIES = ((0.85, 1.0), (0.7, 1.0), (0.85, 1.1), (1.15, 1.0))
"""Speed and stride frequency of the tries, over those at which the shot fell; it is else the speed's own (first guesses)."""
AT_SPEED = "At {0} m/s, its own speed here, {1}; now it goes at {2} m/s."
AT_RATE = "At {0} m/s, its own speed here, {1}; now it goes at {2} m/s with {3} strides a second."
FELL = "it fell after {0} s"
STILL, NO_BETTER = "It fell at other speeds, too: {0} m/s.", "Other speeds are no better: {0} m/s."


def attempt(shot: Shot, progress: Progress | None = None, cancelled: Callable[[], bool] | None = None) -> Take:
    """Simulate a shot as `simulate.simulate` does; where it asks for a `retry` and falls at the speed that Lope chose, again at
    others within the gait's range; so where it stands and is not done. The first that is done is given, its shot the one that
    was simulated, so that it repeats; `Take.stats["tries"]` lists the others before it, `Take.stats["changed"]` says it in a
    sentence. Where none is done the first that stands is given, else the first. The same shot gives the same take. Raises
    LopeError as `simulate` does."""
    first = simulate(shot, progress, cancelled)
    why = _why_not(first) if may_retry(shot) else ""
    if not why or first.lost or (cancelled and cancelled()):
        return first
    failed, standing = [_fall(first)], None if first.fell else first
    again = None if progress is None else lambda share, words: progress(share, f"{words}, at another speed")
    for wanted in tries(shot, first):
        take = simulate(wanted, again, cancelled)
        if not _why_not(take):
            take.stats.update(tries=failed, changed=changed(failed[0], take, why))
            return take
        failed.append(_fall(take))
        standing = take if standing is None and not (take.fell or take.lost) else standing
        if cancelled and cancelled():
            break
    if failed[1:]:
        speeds = dict.fromkeys(f"{one['speed_m_s']:.2f}" for one in failed[1:])  # at another rate at one that was tried
        told = (STILL if standing is None else NO_BETTER).format(", ".join(speeds))
        if standing not in (None, first):
            told = changed(failed[0], standing, why)
        (standing or first).stats.update(tries=failed, changed=told)
    return standing or first


def _why_not(take: Take) -> str:
    """Why a take is not done, in a clause; empty where it is."""
    if take.fell or take.lost:
        return FELL.format(f"{take.stats.get('time_fell_s') or float(take.time_s[-1]):.1f}")
    return ", ".join(physics_card(take).undone[:1])


def may_retry(shot: Shot) -> bool:
    """Whether a fall of a shot may be tried again at another speed: nobody asked for this one, nor for what may fell it."""
    motion = shot.motion
    asked = motion.speed_m_s is not None or motion.stride_frequency_hz is not None or bool(motion.keys)
    struck = bool(shot.pushes or shot.hits)
    troubled = shot.motion.force or shot.motion.after is not None or struck or shot.noise > 0.0 or shot.after_fall != END
    return shot.motion.retry and not asked and not troubled


def tries(asked: Shot, fallen: Take) -> list[Shot]:
    """The shots to try after one that fell, in turn: of the same gait, within its range where that is known."""
    shot = asked.with_motion(name=fallen.shot.motion.name)
    speed, rate = fallen.stats.get("planned_speed_m_s"), fallen.stats.get("planned_stride_frequency_hz")
    if not speed or not rate:
        return []
    known = None if shot.motion.file else feasible_range(shot.motion.name, shot.world.gravity_m_s2, fallen.body.leg_length_m)
    low, high = known or (0.0, float("inf"))
    return [shot.with_motion(retry=False, speed_m_s=_short(faster * speed),
                             stride_frequency_hz=None if quicker == 1.0 else _short(quicker * rate))
            for faster, quicker in TRIES if low <= _short(faster * speed) <= high]


def changed(fall: dict[str, Any], take: Take, why: str) -> str:
    """What is not as it was in the shot that was not done, which says `why`, in a sentence."""
    before, after, rate = f"{fall['speed_m_s']:.2f}", f"{take.shot.motion.speed_m_s:.2f}", take.shot.motion.stride_frequency_hz
    return AT_SPEED.format(before, why, after) if rate is None else AT_RATE.format(before, why, after, f"{rate:.2f}")


def _fall(take: Take) -> dict[str, Any]:
    told = take.stats.get
    return {"speed_m_s": told("planned_speed_m_s"), "stride_frequency_hz": told("planned_stride_frequency_hz"),
            "time_fell_s": told("time_fell_s")}


def _short(value: float) -> float:
    """A number of three digits: it stands in the shot."""
    return float(f"{value:.3g}")


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
    if math.isinf(shot.struck_s):
        raise InputError("Nothing hits the character: add a hit, a punch or a push.")
    shot = resolved(shot)

    def half(first: float) -> Progress | None:
        return None if progress is None else lambda share, words: progress(first + 0.5 * share, words)

    without = simulate(unhit(shot), half(0.0))
    if without.fell or without.lost:
        raise InputError(f"The character falls after {float(without.time_s[-1]):.1f} s though nothing hits it, as its motion "
                         "does not stand here: take the law Rails, or another gravity.")
    return simulate(shot, half(0.5), cancelled), without
