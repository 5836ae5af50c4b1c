# SPDX-License-Identifier: GPL-3.0-or-later
"""The moves that ship, arranged by what they do: steps of a gait at any speed and turn, sharp turns by any angle, and standing.
Speeds are in square roots of leg length times g, angles in radians, to the left positive."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cache, cached_property

import numpy as np

from ..fragment import other_side
from . import step as layout
from .library import Move, load_move, move_names
from .step import Place, Step, bent, blended, mirrored_place, stretched

LEAST_RATIO, MOST_RATIO = 0.5, 1.3
"""How much slower and faster than captured a step is made by stretching it; by eye."""
MOST_WALK, MOST_STEPPED = 1.1, 1.15
"""The same of the fastest walk, and of gaits that step back or sideways or march: faster side steps fell on Jupiter."""
STAND_TIME = 1.0
"""How long a piece of standing lasts, 0.3 s on Earth: who is told to go waits for its end."""
HURRY = 1.4
"""How much quicker than captured, by people who did as they liked, somebody walks off who is steered."""
MOST_CURVE = 1.35
"""How much tighter than the captured curves a walk's steps are made; beyond, the step is bent."""
TRIED, NEAR = 241, 0.05
"""How many turns are tried for one that leaves so much over, and what a turn off that which was aimed for counts."""
TURN_RATIOS = (0.85, 1.2)
"""How much slower and faster than captured a sharp turn is made."""


def speed_of(step: Step) -> float:
    """How fast a step goes that is repeated straight on with its mirror image."""
    return abs(step.other_to.x) / step.duration


@dataclass(frozen=True, eq=False)
class Shelf:
    moves: dict[str, Move]

    @cached_property
    def walks(self) -> list[Step]:
        """Straight walks from slow to fast, each the step that the left foot begins."""
        found = [m.steps[0].begun_by("L") for m in self._walk_cycles(1)]
        return sorted(found, key=speed_of)

    @cached_property
    def curves(self) -> list[dict[str, Step]]:
        """Walks round a circle to the left, slow ones first: the step that either foot begins."""
        sides = [{step.own: step for step in m.steps} for m in self._walk_cycles(2)]
        return sorted(sides, key=lambda steps: speed_of(steps["L"]) + speed_of(steps["R"]))

    def _walk_cycles(self, steps: int) -> list[Move]:
        return [m for m in self.moves.values() if (m.gait, m.kind, len(m.steps)) == ("walk", "cycle", steps)]

    def turns(self, own: str) -> list[Move]:
        return sorted((m for m in self.moves.values() if m.kind == "turn" and m.steps[0].own == own), key=lambda m: m.turn)

    def walk(self, own: str, speed: float, turn: float) -> Step:
        """A step of the walk at a speed, in which the way turns by so much; a foot begins it."""
        inner = own if turn >= 0.0 else other_side(own)
        step = self.straight(speed).begun_by(inner)
        if turn:
            slow, fast = (steps[inner] for steps in (self.curves[0], self.curves[-1]))
            share = (speed - speed_of(slow)) / (speed_of(fast) - speed_of(slow))
            share = min(max(share, 0.0), 1.0)
            curved = blended([slow, fast], [1.0 - share, share])
            curve = min(abs(turn) / curved.turn, MOST_CURVE)
            step = blended([step, curved, self.straight(speed_of(curved)).begun_by(inner)], [1.0, curve, -curve])
        step = step.begun_by(own)
        return bent(step, turn - step.turn) if abs(turn - step.turn) > 1e-9 else step

    def straight(self, speed: float) -> Step:
        """The left foot's step of a walk straight on: a blend of the two captured walks next to that speed."""
        speeds = [speed_of(step) for step in self.walks]
        at = min(max(speed, speeds[0]), speeds[-1])
        i = min(max(int(np.searchsorted(speeds, at)) - 1, 0), len(speeds) - 2)
        a, b = self.walks[i], self.walks[i + 1]
        # The speed of a blend is its way over its time: (1 - w) (x_a - v t_a) + w (x_b - v t_b) = 0.
        slow, fast = (abs(step.other_to.x) - at * step.duration for step in (a, b))
        share = slow / (slow - fast)
        return _paced(blended([a, b], [1.0 - share, share]), speed / at)

    def sharp(self, own: str, aim: float, count: int, speed: float) -> Step:
        """One of the steps of a sharp turn by an angle in all; a foot begins the turn."""
        moves = self.turns(own if aim > 0.0 else other_side(own))
        at = min(max(abs(aim), moves[0].turn), moves[-1].turn)
        i = min(max(int(np.searchsorted([m.turn for m in moves], at)) - 1, 0), len(moves) - 2)
        a, b = moves[i], moves[i + 1]
        share = (at - a.turn) / (b.turn - a.turn)
        step = blended([a.steps[count], b.steps[count]], [1.0 - share, share])
        ratio = min(max(speed / self.turn_speed, TURN_RATIOS[0]), TURN_RATIOS[1])
        step = _paced(step, ratio)
        return step if aim > 0.0 else step.mirrored()

    @cached_property
    def turn_speed(self) -> float:
        """How fast the sharp turns go on when they are over."""
        return float(np.mean([speed_of(m.steps[-1]) for m in self.moves.values() if m.kind == "turn"]))

    def aim(self, own: str, left_over: float, count: int, aim: float) -> float:
        """By how much a sharp turn that a foot began is to turn in all, for so much to be left before one of its steps: of
        several answers the one nearest to what was aimed for so far."""
        sign = math.copysign(1.0, aim)
        moves = self.turns(own if sign > 0.0 else other_side(own))
        whole = [m.turn for m in moves]
        tried = np.linspace(whole[0], whole[-1], TRIED)
        rest = np.interp(tried, whole, [sum(step.turn for step in m.steps[count:]) for m in moves])
        return sign * float(tried[np.argmin(np.abs(rest - sign * left_over) + NEAR * np.abs(tried - abs(aim)))])

    def cycle(self, gait: str, own: str, speed: float) -> Step:
        """A step of a gait that is no walk: march, backward, side_left."""
        move = self._move(gait, "cycle")
        step = next((s for s in move.steps if s.own == own), move.steps[0])
        if len(move.steps) == 1:
            step = step.begun_by(own)
        ratio = speed / self.gait_speed(gait)
        if step.flies is not None:  # what is in the air comes down as soon however far it goes
            return stretched(step, min(max(ratio, LEAST_RATIO), MOST_RATIO), 1.0)
        return _paced(step, ratio)

    def begins(self, gait: str) -> tuple[Step, ...]:
        return tuple(stretched(step, 1.0, 1.0 / HURRY) for step in self._move(gait, "start").steps)

    def stands(self, gait: str) -> bool:
        """Whether a gait is begun from standing and ended there; others are by way of one that is."""
        return bool(self._stored(gait, "start") or self._stored(_turned_word(gait), "start"))

    def flies(self, gait: str) -> bool:
        return gait in self.gaits and self._move(gait, "cycle").steps[0].flies is not None

    def ends(self, gait: str) -> tuple[Step, ...]:
        return self._move(gait, "stop").steps

    @cached_property
    def turned_start(self) -> Move:
        return max((m for m in self.moves.values() if m.kind == "start" and m.gait == "walk"), key=lambda m: m.turn)

    def _move(self, gait: str, kind: str) -> Move:
        """The move of a kind of a gait to either side; where it goes to the right, the mirror image."""
        found = self._stored(gait, kind) or self._stored(_turned_word(gait), kind)
        if not found:
            raise KeyError(f"{gait} {kind}")
        move = min(found, key=lambda m: abs(m.turn))
        return move if move.gait == gait else replace(move, gait=gait, steps=tuple(s.mirrored() for s in move.steps))

    def _stored(self, gait: str, kind: str) -> list[Move]:
        return [m for m in self.moves.values() if (m.gait, m.kind) == (gait, kind)]

    @cached_property
    def gaits(self) -> tuple[str, ...]:
        """The gaits that can be wished for, standing aside."""
        stored = {m.gait for m in self.moves.values()}
        return tuple(sorted(stored | {_turned_word(gait) for gait in stored}))

    def gait_speed(self, gait: str) -> float:
        if gait == "walk":
            return speed_of(self.walks[(len(self.walks) - 1) // 2])
        steps = self._move(gait, "cycle").steps
        way = complex(sum(s.other_to.x for s in steps), sum(s.other_to.y for s in steps) if len(steps) > 1 else 0.0)
        return abs(way) / sum(s.duration for s in steps)

    def speed_range(self, gait: str) -> tuple[float, float]:
        """Least and largest speed at which a gait is made."""
        slow, fast = (speed_of(self.walks[0]), speed_of(self.walks[-1])) if gait == "walk" else [self.gait_speed(gait)] * 2
        most = MOST_WALK if gait == "walk" else MOST_RATIO if self.flies(gait) else MOST_STEPPED
        return LEAST_RATIO * slow, most * fast

    @cached_property
    def stand(self) -> Step:
        """Standing as the walk's start begins it, made the same left and right."""
        begin = self.begins("walk")[0].begun_by("L")
        image = begin.mirrored()
        still = np.repeat(0.5 * (begin.curves[:, :1] + image.curves[:, :1]), layout.INTERVALS + 3, axis=1)
        left = Place(*(0.5 * (x + y) for x, y in zip(begin.stands, image.other_from, strict=True)))
        return replace(begin, duration=STAND_TIME, off=None, ends_standing=True, turn=0.0, curves=still, stands=left,
                       other_from=mirrored_place(left), other_to=mirrored_place(left))


def _turned_word(gait: str) -> str:
    """The gait to the other side; the same where it has none."""
    for left, right in (("_left", "_right"), ("_right", "_left")):
        if gait.endswith(left):
            return gait[:-len(left)] + right
    return gait


def _paced(step: Step, ratio: float) -> Step:
    """The step so many times as fast, in equal parts by its length and by its time, as people walk (walk ratio: Sekiya 1996)."""
    if abs(ratio - 1.0) < 1e-9:
        return step
    ratio = min(max(ratio, LEAST_RATIO), MOST_RATIO)
    return stretched(step, ratio**0.5, ratio**-0.5)


@cache
def shelf() -> Shelf:
    return Shelf({name: load_move(name) for name in move_names()})
