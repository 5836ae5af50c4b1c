# SPDX-License-Identifier: GPL-3.0-or-later
"""Where in which motion a stream is, pose by pose, from what its frames are found to be as they come."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy.ndimage import gaussian_filter1d

from .database import MOTION_HZ, PER_FRAME, Database, PressedMotion
from .laying import MOST_PACE, PACE_S
from .recognition import AHEAD, QUIET, Match
from .synthesis import SHORTEST_FRAMES

POSES = (AHEAD + 1) * PER_FRAME
"""That are planned at once."""
SETTLES_S = 0.1
"""How fast a plan that has changed is come up with (first guess)."""
KEPT = round(4.0 * PACE_S * MOTION_HZ)


class Track:
    """Which motion goes on (`motion`), and where in it the coming poses are (`at`, `POSES` of them); `began` where it has just
    begun, in place of another one."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._row: int | None = None
        self._frame = 0
        self._raw = np.zeros(0)
        self._count, self._last, self._rate = 0, 0.0, 1.0
        self.at, self.began = np.zeros(POSES), False

    @property
    def motion(self) -> PressedMotion:
        """What goes on."""
        assert self._row is not None
        found = self._database.stance if self._row == QUIET else self._database.active[self._row]
        assert found is not None
        return found

    def push(self, ahead: Sequence[Match]) -> None:
        """The next frame's match, and those after it as far as they are known; `at` begins with this frame's poses."""
        if self._row is not None:
            self._gone()
        row = self._next_row(ahead)
        self.began = row is not None
        if row is not None:
            first = next(match for match in ahead if match.row == row)
            self._row, self._frame, self._raw, self._count = row, first.frame - (row != QUIET), np.zeros(0), 0
        if self._row == QUIET:
            last = len(self.motion) - 1
            self.at = np.abs((self._count + np.arange(POSES) + last) % max(2 * last, 1) - last).astype(float)
            return
        frames = self._frames(ahead)
        self._frame = int(frames[0])
        knots = np.arange(len(frames)) * float(PER_FRAME)
        wanted = np.interp(np.arange(POSES), knots, PER_FRAME * frames)
        raw = self._no_faster(wanted)
        plan = gaussian_filter1d(np.concatenate([self._raw, raw]), PACE_S * MOTION_HZ, mode="nearest")[len(self._raw):]
        self.at = plan if self.began else self._steady(plan)
        self._raw = np.concatenate([self._raw, raw])[:len(self._raw) + PER_FRAME][-KEPT:]

    def _gone(self) -> None:
        """The last frame's poses have been given."""
        self._count += PER_FRAME
        self._last, self._rate = self.at[PER_FRAME - 1], self.at[PER_FRAME - 1] - self.at[PER_FRAME - 2]

    def _next_row(self, ahead: Sequence[Match]) -> int | None:
        """The row of a motion that begins now; None where the one before goes on, or this is a slip of the recognition."""
        if self._row is None:
            return next((match.row for i, match in enumerate(ahead) if _lasts(ahead[i:])), ahead[0].row)
        first = ahead[0]
        if first.row == self._row and (first.row == QUIET or first.frame >= self._frame):
            return None
        return first.row if _lasts(ahead) else None

    def _frames(self, ahead: Sequence[Match]) -> np.ndarray:
        """The motion's frames, from this one on, one more than there are matches; slips, and what comes after another motion has
        begun, go on by one."""
        found, last = [], float(self._frame)
        gone = False
        for i, match in enumerate(ahead):
            mine = match.row == self._row and match.frame >= last
            gone = gone or (not mine and _lasts(ahead[i:]))
            last = float(match.frame) if mine and not gone else last + 1.0
            found.append(last)
        while len(found) <= AHEAD + 1:
            found.append(found[-1] + 1.0)
        return np.array(found)

    def _no_faster(self, wanted: np.ndarray) -> np.ndarray:
        """What is wanted, at no more than `MOST_PACE`, behind where it is to be until it is come up with."""
        out = wanted.copy()
        last = self._raw[-1] if len(self._raw) else wanted[0] - MOST_PACE
        for i, one in enumerate(wanted):
            last = out[i] = max(min(one, last + MOST_PACE), last)
        return out

    def _steady(self, plan: np.ndarray) -> np.ndarray:
        """A plan that goes on where the last pose was, never back and never too fast."""
        off = self._last + self._rate - plan[0]
        out = plan + off * np.exp(-np.arange(POSES) / (SETTLES_S * MOTION_HZ))
        last = self._last
        for i, one in enumerate(out):
            last = out[i] = min(max(one, last), last + MOST_PACE)
        return out


def _lasts(ahead: Sequence[Match]) -> bool:
    """Whether the first match is of a run that is long enough to be no slip, as far as is known."""
    first, last = ahead[0], ahead[0].frame
    for match in ahead[1:SHORTEST_FRAMES]:
        if match.row != first.row or (first.row != QUIET and match.frame < last):
            return False
        last = match.frame
    return True
