# SPDX-License-Identifier: GPL-3.0-or-later
"""Which motion goes on, and where in it: the cheapest way through known motions, as frames come in. Every frame of every known
motion is a state; quiet stance and what is like no motion, in which a body stands, are too. A frame that comes in costs its
distance from each; going on frame by frame is free, a time warp costs a little, a jump to another motion a lot (Viterbi 1967).
After `AHEAD` more frames the way back from the cheapest state tells what a frame was: a stream with a fixed delay. A whole file
is the same with all that follows known. It does what Yin 2007 (section 3.4.3) does by windows of ten numbers and by a time warp
before a jump."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from .features import Quiet

AHEAD = 10
"""Frames that a stream waits for: with the one that comes in and the one that is shown 1 s at 12 a second (Yin 2007)."""
QUIET = -1
"""The row of a frame in which the person only stands."""
WARP = 0.7
"""What a frame that is held, or left out, costs, in squared deviations of a feature (found on simulated sessions)."""
JUMP = 12.0
"""What it costs to go from one motion to another, or into a motion's middle."""
BEGIN = 3.0
"""What it costs to begin a motion out of quiet stance, or to be over before a motion's end."""
UNLIKE, SWAY = 0.75, 0.02
"""A frame that is like no motion costs this share of what it does as quiet stance: a motion has to tell a quarter of what
somebody does (Yin 2007, section 3.4.3, sets the distance against how active both are, too); and so much more, so that who sways
stands. Found with `AWAY` on simulated sessions, by databases that know the motion and by those that do not."""
AWAY = 8.0
"""What it costs to begin what is like no motion. It ends in quiet stance at no cost."""
MOST = 9.0
"""The most a feature's squared deviation counts: one that is far off says no more than that."""


@dataclass(frozen=True, eq=False)
class Known:
    """One occurrence of a motion: its name, and its features (T, F), frame by frame."""

    name: str
    features: np.ndarray

    def __len__(self) -> int:
        return len(self.features)


@dataclass(frozen=True)
class Match:
    """What a frame was found to be: the row of the known motion, or `QUIET`, and the frame of it. Where it is not `known` the
    person does something that is like none of the motions, and `QUIET` is what is shown of it."""

    row: int
    frame: int = 0
    known: bool = True


class Recogniser:
    """The known motions as states. `scale` (F,) is each feature's deviation over the database."""

    def __init__(self, known: Sequence[Known], quiet: Quiet, scale: np.ndarray) -> None:
        self.known, self.quiet, self._scale = tuple(known), quiet, scale
        lengths = [len(one) for one in self.known]
        features = [one.features for one in self.known]
        self._states = np.concatenate([quiet.mean[None], *features, quiet.mean[None]])  # the last is like no motion
        self._row = np.concatenate([[QUIET], np.repeat(np.arange(len(lengths)), lengths), [QUIET]]).astype(int)
        self._frame = np.concatenate([[0], *(np.arange(n) for n in lengths), [0]]).astype(int)
        self._first = np.concatenate([[1], 1 + np.cumsum(lengths)]).astype(int)
        inside = np.arange(len(self._states))
        self._one, self._two = inside - 1, inside - 2
        self._no_one, self._no_two = self._frame < 1, self._frame < 2
        self._no_one[[0, -1]] = self._no_two[[0, -1]] = True
        self._begins = self._first[:-1]
        self._ends = self._first[1:] - 1

    def cost(self, features: np.ndarray) -> np.ndarray:
        """What a frame's features (F,) cost as each state (S,)."""
        costs = self.apart(self._states, features)
        costs[-1] = UNLIKE * costs[0] + SWAY
        return costs

    def apart(self, features: np.ndarray, others: np.ndarray) -> np.ndarray:
        """How far features (..., F) are from others: the mean of the squared deviations."""
        return np.asarray(np.minimum(((features - others) / self._scale) ** 2, MOST).mean(axis=-1))

    def step(self, so_far: np.ndarray, cost: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """What each state (S,) costs with one more frame, and the state (S,) before it, from what each cost before."""
        best = int(np.argmin(so_far))
        total, before = so_far + WARP, np.arange(len(so_far))
        total[[0, -1]] = so_far[[0, -1]]
        for back, none, price in ((self._one, self._no_one, 0.0), (self._two, self._no_two, WARP)):
            way = np.where(none, np.inf, so_far[back] + price)
            nearer = way < total
            total, before = np.where(nearer, way, total), np.where(nearer, back, before)
        self._offer(total, before, np.arange(1, len(total)), so_far[best] + JUMP, best)
        for stands in (0, len(total) - 1):
            self._offer(total, before, self._begins, so_far[stands] + BEGIN, stands)
        if len(self._ends):
            done = int(self._ends[np.argmin(so_far[self._ends])])
            self._offer(total, before, np.array([0, *self._begins]), so_far[done], done)
        self._offer(total, before, np.array([0]), so_far[best] + BEGIN, best)
        self._offer(total, before, np.array([0]), so_far[-1], len(total) - 1)
        self._offer(total, before, np.array([len(total) - 1]), so_far[best] + AWAY, best)
        total += cost
        return total - total.min(), before

    @staticmethod
    def _offer(total: np.ndarray, before: np.ndarray, states: np.ndarray, price: float, origin: int) -> None:
        cheaper = states[total[states] > price]
        total[cheaper], before[cheaper] = price, origin

    def start(self) -> np.ndarray:
        """What each state (S,) costs before the first frame: a file may begin within a motion."""
        costs = np.full(len(self._states), JUMP)
        costs[0], costs[self._begins] = 0.0, BEGIN
        return costs

    def match(self, state: int) -> Match:
        return Match(int(self._row[state]), int(self._frame[state]), state < len(self._states) - 1)

    def state(self, match: Match) -> int:
        return int(self._first[match.row]) + match.frame if match.row != QUIET else 0

    def likeness(self, matches: Sequence[Match], features: np.ndarray) -> float:
        """How like what they were found to be frames (T, F) are: 1 as the database's own, 0 no nearer than quiet stance. The
        distance set against how active both are (Yin 2007, section 3.4.3)."""
        found, still = self._states[[self.state(match) for match in matches]], self._states[0]
        active = self.apart(features, still).sum() + self.apart(found, still).sum()
        return float(1.0 - self.apart(features, found).sum() / active) if active > 0.0 else 0.0

    def alone(self, features: np.ndarray) -> dict[str, float]:
        """What frames (T, F) cost as each motion by itself, by its name, from any of its frames on and at any pace."""
        costs = self.apart(self._states, features[0])
        for frame in features[1:]:
            total = costs + WARP
            for back, none, price in ((self._one, self._no_one, 0.0), (self._two, self._no_two, WARP)):
                total = np.minimum(total, np.where(none, np.inf, costs[back] + price))
            costs = total + self.apart(self._states, frame)
        found: dict[str, float] = {}
        for one, begin, end in zip(self.known, self._begins, self._ends + 1, strict=True):
            found[one.name] = min(found.get(one.name, np.inf), float(costs[begin:end].min()))
        return found


class Stream:
    """Takes one frame's features after the other, and tells what the frame `AHEAD` before each was."""

    def __init__(self, recogniser: Recogniser) -> None:
        self._recogniser, self._costs = recogniser, recogniser.start()
        self._back: deque[np.ndarray] = deque(maxlen=AHEAD)
        self.ahead: tuple[Match, ...] = ()
        """What the frame last told and those after it look like by now; only the first is settled."""

    def push(self, features: np.ndarray) -> Match | None:
        """The next frame's features (F,); what the frame `AHEAD` before it is, None while there is none yet."""
        full = len(self._back) == AHEAD
        self._costs, before = self._recogniser.step(self._costs, self._recogniser.cost(features))
        state = int(np.argmin(self._costs))
        self._back.append(before)
        if not full:
            return None
        way = [state]
        for before in reversed(self._back):
            way.append(int(before[way[-1]]))
        self.ahead = tuple(self._recogniser.match(state) for state in reversed(way))
        return self.ahead[0]


def streamed(recogniser: Recogniser, features: np.ndarray) -> list[Match]:
    """What each frame (T, F) of a sequence is, as a stream would have told it; it ends as it last was."""
    stream = Stream(recogniser)
    told = [stream.push(frame) for frame in (*features, *[features[-1]] * AHEAD)]
    return [one for one in told if one is not None]


def recognised(recogniser: Recogniser, features: np.ndarray) -> list[Match]:
    """What each frame (T, F) of a sequence is, with all of it known."""
    costs, ways = recogniser.start(), []
    for frame in features:
        costs, before = recogniser.step(costs, recogniser.cost(frame))
        ways.append(before)
    state, found = int(np.argmin(costs)), []
    for before in reversed(ways):
        found.append(recogniser.match(state))
        state = int(before[state])
    return found[::-1]
