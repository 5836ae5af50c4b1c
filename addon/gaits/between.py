# SPDX-License-Identifier: GPL-3.0-or-later
"""Gaits between two gaits from key poses: the same states, each number on the way from one to the other."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

from ..checks import check_number
from ..errors import InputError
from ..specs.pose_gait import PoseGait, PoseState
from ..specs.settings import settings_of

Vector = tuple[float, float, float]


def interpolated(a: PoseGait, b: PoseGait, share: float) -> PoseGait:
    """The gait a share of the way from `a` to `b`: its poses, times, balance, speed and arms lie evenly between theirs; 0 is `a`
    itself, 1 `b`. Raises InputError for gaits whose states are not alike, and for a share that is none."""
    share = check_number("The share of one gait in another", share, 0.0, 1.0, "(no unit)")
    check_alike(a, b)
    if share in (0.0, 1.0):
        return b if share else a
    both = a.symmetric and b.symmetric
    states = zip(a.states, b.states, strict=True) if both else zip(a.cycle, b.cycle, strict=True)
    return dataclasses.replace(
        a, **_numbers(a, b, share), name=f"{a.name}:{share:g}:{b.name}", symmetric=both,
        summary=f"{share:.0%} of the way from {a.name} to {b.name}", source=f"between {a.name} and {b.name}",
        states=tuple(_state(one, other, share) for one, other in states))


def check_alike(a: PoseGait, b: PoseGait) -> None:
    """Raises InputError where there are no gaits between two: other states, swinging legs, or ends of states."""
    if len(a.cycle) != len(b.cycle):
        raise InputError(f"There is nothing between the pose gaits {a.name} and {b.name}, which have {len(a.cycle)} and "
                         f"{len(b.cycle)} states a cycle: change from one to the other instead, at a change of state.")
    if a.curves != b.curves:
        raise InputError(f"There is nothing between the pose gaits {a.name} and {b.name}, which go along other curves: change "
                         "from one to the other instead, at a change of state.")
    for i, (one, other) in enumerate(zip(a.cycle, b.cycle, strict=True)):
        if _kind(one) != _kind(other):
            raise InputError(f"There is nothing between the pose gaits {a.name} and {b.name}, as their states {i + 1} do not "
                             "swing the same leg, stand on as many, or end alike, by time or by touch-down: change from one to "
                             "the other instead.")


def _kind(state: PoseState) -> tuple[Any, ...]:
    """What of a state is no number that lies on a way."""
    return state.swing, state.stands, state.touch, state.touch_ends, state.lasts_s is None


def _numbers(a: Any, b: Any, share: float) -> dict[str, Any]:
    """The numbers that both have, on the way from one to the other."""
    found = {}
    kind: type = type(a)
    for name in settings_of(kind):
        here, there = getattr(a, name), getattr(b, name)
        if isinstance(here, float) and isinstance(there, (int, float)):
            found[name] = here + share * (there - here)
    return found


def _state(a: PoseState, b: PoseState, share: float) -> PoseState:
    """The state between two."""
    upper, shares = _upper(a, b, share)
    return dataclasses.replace(a, **_numbers(a, b, share), upper=upper or None, upper_share=shares or None)


def _upper(a: PoseState, b: PoseState, share: float) -> tuple[dict[str, Vector], dict[str, float]]:
    """What joints are drawn to, and how far those that are posed in one of the two only, or that hang in part."""
    here, there = a.upper or {}, b.upper or {}
    vectors: dict[str, Vector] = {}
    shares: dict[str, float] = {}
    for name in sorted(here.keys() | there.keys()):
        one, other = here.get(name, there.get(name)), there.get(name, here.get(name))
        assert one is not None and other is not None
        vectors[name] = tuple(x + share * (y - x) for x, y in zip(one, other, strict=True))  # type: ignore[assignment]
        posed = (1.0 - share) * _posed(a, name, here) + share * _posed(b, name, there)
        if posed < 1.0:
            shares[name] = posed
    return vectors, shares


def _posed(state: PoseState, name: str, upper: Mapping[str, Vector]) -> float:
    return (state.upper_share or {}).get(name, 1.0) if name in upper else 0.0
