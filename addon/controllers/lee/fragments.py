# SPDX-License-Identifier: GPL-3.0-or-later
"""A clip cut where feet land: the fragments that the controller goes through, each with who stands and who swings."""

from __future__ import annotations

from dataclasses import dataclass

from ..follow.schedule import FOREVER_S, Schedule, standing

LONG_DOUBLE_S = 0.25
"""A stance on both feet that lasts longer than this is a fragment of its own (Lee 2014, 3.2: "extended double stance")."""
BESIDE_S = 1e-3


@dataclass(frozen=True)
class Fragment:
    """From one change of contact to the next [clip s]. `swing` is the foot that lands at the end, `lift_s` when it leaves the
    ground; None where none does. `stance` are the feet that carry the body."""

    start_s: float
    end_s: float
    stance: tuple[str, ...]
    swing: str | None = None
    lift_s: float = 0.0

    @property
    def duration_s(self) -> float:
        """Its length."""
        return self.end_s - self.start_s


def fragments_of(schedule: Schedule, duration_s: float) -> list[Fragment]:
    """The fragments of a clip, in their order and without gaps."""
    strikes = sorted((s.strike_s, side) for side, stances in schedule.items() for s in stances
                     if 0.0 < s.strike_s < duration_s)
    found: list[Fragment] = []
    start = 0.0
    for strike_s, side in strikes:
        if strike_s - start < BESIDE_S:
            continue
        lifts = [s.off_s for s in schedule[side] if s.off_s < strike_s]
        lift = max(max(lifts, default=start), start)
        if lift - start > LONG_DOUBLE_S:
            found.append(Fragment(start, lift, _standing(schedule, 0.5 * (start + lift))))
            start = lift
        stance = tuple(one for one in schedule if one != side)
        found.append(Fragment(start, strike_s, stance, side, lift))
        start = strike_s
    if duration_s - start > BESIDE_S:
        found += _ending(schedule, start, duration_s)
    return found


def _standing(schedule: Schedule, time_s: float) -> tuple[str, ...]:
    return tuple(side for side in schedule if standing(schedule, side, time_s) is not None)


def _ending(schedule: Schedule, start: float, duration_s: float) -> list[Fragment]:
    """What comes after the last landing: a stance on both feet, or the beginning of a step whose landing is not shown."""
    lifts = [s.off_s for stances in schedule.values() for s in stances if start < s.off_s < min(duration_s, FOREVER_S)]
    if not lifts:
        return [Fragment(start, duration_s, _standing(schedule, duration_s - BESIDE_S) or tuple(schedule))]
    stance = _standing(schedule, 0.5 * (lifts[-1] + duration_s)) or tuple(schedule)
    return [Fragment(start, duration_s, stance)]
