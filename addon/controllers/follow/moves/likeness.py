# SPDX-License-Identifier: GPL-3.0-or-later
"""Which gait can become which: by how alike the poses are where their steps meet."""

from __future__ import annotations

import heapq
import math
from functools import lru_cache

import numpy as np

from ....motions.fragment import other_side
from ....motions.moves import layout
from ....motions.moves.shelf import Shelf
from ....motions.moves.step import Place, Step

STAND = "stand"
ANGLE_RAD, LENGTH, SPEED = 0.15, 0.15, 0.12
"""Differences that count as one: of a joint's angle (root mean square over trunk and arms), of a foot's place [leg lengths]
and of the pelvis' velocity [square roots of leg length times g]; by eye."""

STOP = 3.5
"""What a stop that nobody wished for counts, in the same; by eye: a walk becomes a march on the way, but goes back from
standing."""


def unlike(before: Step, after: Step) -> float:
    """How unlike the pose and the motion at one step's end are to those at the next one's begin; the same foot is meant to touch
    down there. 1 is a difference that is just seen."""
    end, begin = before.at(np.array([before.duration]))[0], after.at(np.zeros(1))[0]
    leaving, coming = before.slopes()[1], after.slopes()[0]
    places = {name: layout.at(name) for name in layout.ROOT}
    rows = [i for _, where in layout.upper() for i in range(where.start, where.stop)]
    angles = end[rows] - begin[rows]
    turn = complex(math.cos(before.turn), -math.sin(before.turn))
    way = complex(leaving[places["root.x"]], leaving[places["root.y"]]) * turn
    speed = abs(way - complex(coming[places["root.x"]], coming[places["root.y"]]))
    foot = _apart(_relative(before.stands, before.other_to, before.turn), after.other_from)
    return math.sqrt((float(np.sqrt(np.mean(angles**2))) / ANGLE_RAD)**2 + (foot / LENGTH)**2 + (speed / SPEED)**2)


def _relative(left: Place, landed: Place, turn: float) -> Place:
    """Where the foot that stood is, seen from the one that has landed."""
    way = (complex(left.x, left.y) - complex(landed.x, landed.y)) * complex(math.cos(turn), -math.sin(turn))
    return Place(way.real, way.imag, left.yaw - turn)


def _apart(a: Place, b: Place) -> float:
    return math.hypot(a.x - b.x, a.y - b.y)


@lru_cache(maxsize=2)
def ways(shelf: Shelf) -> dict[tuple[str, str], str]:
    """For every gait and every other one, the gait to go to next: the way over others (or over standing) whose joins are least
    unlike, summed up in squares."""
    costs = {(a, b): min(_join(shelf, a, b, own) for own in "LR") ** 2 for a in shelf.gaits for b in shelf.gaits if a != b}
    for gait in filter(shelf.stands, shelf.gaits):
        costs[gait, STAND] = _stops(shelf, gait) ** 2 + STOP**2
        costs[STAND, gait] = unlike(shelf.begins(gait)[-1], _step(shelf, gait, other_side(shelf.begins(gait)[-1].own))) ** 2
    every = (STAND, *shelf.gaits)
    return {(a, b): _first(costs, a, b) for a in every for b in every if a != b}


def _step(shelf: Shelf, gait: str, own: str) -> Step:
    """A step of a gait as captured."""
    speed = shelf.gait_speed(gait)
    return shelf.walk(own, speed, 0.0) if gait == "walk" else shelf.cycle(gait, own, speed)


def _join(shelf: Shelf, before: str, after: str, own: str) -> float:
    return unlike(_step(shelf, before, own), _step(shelf, after, other_side(own)))


def _stops(shelf: Shelf, gait: str) -> float:
    first = shelf.ends(gait)[0]
    return unlike(_step(shelf, gait, other_side(first.own)), first)


def _first(costs: dict[tuple[str, str], float], start: str, goal: str) -> str:
    """The first gait on the cheapest way."""
    queue: list[tuple[float, str, str]] = [(cost, b, b) for (a, b), cost in costs.items() if a == start]
    heapq.heapify(queue)
    done = {start}
    while queue:
        cost, here, first = heapq.heappop(queue)
        if here == goal:
            return first
        if here not in done:
            done.add(here)
            for (a, b), more in costs.items():
                if a == here and b not in done:
                    heapq.heappush(queue, (cost + more, b, first))
    raise KeyError(f"{start} {goal}")
