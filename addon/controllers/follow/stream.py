# SPDX-License-Identifier: GPL-3.0-or-later
"""A stream of motion: fragments laid one behind the other as far as the plan looks ahead, chosen anew whenever the wish changes,
and the plan that moves along with them.

What lies behind is forgotten. The fragment that is under way is never changed, nor where its foot lands: a wish counts from the
touch-down with which it ends.

Whoever steers sees the body all the while, so that no plan step may take long: the next window is drafted beside the one in
force, a fragment a step, and takes its place when it is laid. By steps, not by a clock: the same wishes give the same motion.
"""

from __future__ import annotations

import cmath
from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from ...bodies.body import Body
from ...bodies.human.landmarks import SIDES
from ...motions.fragment import STANDING, Source, StreamState, Wish, wish_from
from ..tracking.planners.foot_geometry import FootGeometry
from .clip import FollowedClip
from .clip_plan import ClipPlan
from .com_plan import ComPlan
from .piece import SAME_S, SAMPLED, piece_of
from .prints import Prints
from .rolling_plan import Running, roll_com, running
from .schedule import Schedule
from .settings import PlanSettings
from .splice import Laid, joined, lay, with_prints
from .track import Track

HORIZON_S = 2.4
"""How far the plan looks ahead at least, on Earth: 1.6 s fell once in six (measured on a prototype), this as rarely as the plan
of a whole clip."""
RUSHED_S, RUSHED = 0.8, 3
"""Where a draft that answers a wish is not through by the touch-down, the plan looks only so far ahead until it is, and over so
many fragments at least, with the one that ends there: two steps' prints."""
BEHIND = 6
"""Samples of the pose that are kept before now: feet's velocities are taken across it."""


@dataclass(frozen=True)
class Link:
    """One fragment of a stream: how it is laid, the prints of the stream up to its own, where the stream is when it ends, and how
    far it turns [rad], and what an animator calls it."""

    laid: Laid
    prints: Prints
    state: StreamState
    turn_rad: float
    gait: str


@dataclass
class Draft:
    """The links of a window that is being laid; of one that is `wished`, where feet were to land `before`."""

    links: list[Link]
    wished: bool = False
    before: Prints | None = None

    def reaches(self, time_s: float) -> bool:
        """Whether it is laid to a time."""
        return bool(self.links) and self.links[-1].laid.end_s >= time_s


class Stream:
    """The fragments from now on. Times are the stream's, on Earth; `gravity` is that in its time [m/s^2]."""

    def __init__(self, source: Source, body: Body, gravity: float, settings: PlanSettings, wish: Wish | None = None) -> None:
        self._source, self._gravity, self._settings = source, gravity, settings
        self._geometry = FootGeometry(body, "L")
        self._wish, self._changed = wish or Wish(), False
        self._links: list[Link] = []
        self._draft: Draft | None = None
        self._plan: ClipPlan | None = None
        self._moved = 0j

    @property
    def current(self) -> Link:
        """The fragment under way."""
        return self._links[0]

    @property
    def wish(self) -> Wish:
        """What is wished for now; of a turn, what is left of it after the fragment that is under way."""
        return self._wish

    def steer(self, wish: Wish) -> None:
        """Wish for something else from the next touch-down on."""
        if wish != self._wish:
            self._wish, self._changed = wish, True

    def plan_at(self, now_s: float, astray: complex = 0j) -> ClipPlan | None:
        """The plan from now on where it is another one than before; else None. To be asked at every plan step: each lays one
        fragment at most, but for the first and one at a touch-down by which a wish is not answered yet. Whoever goes by the plan
        is so far `astray` of it (x + iy [m]): a stream has no home, so another plan is moved there as a whole."""
        draft, rushed = self._draft, False
        if draft is not None and draft.wished and self._links[0].laid.end_s <= now_s + SAME_S:
            while len(draft.links) < RUSHED or not draft.reaches(now_s + RUSHED_S):
                self._append(draft)
            self._links, self._draft, rushed = draft.links, None, True
        self._pass(now_s)
        if self._changed:
            before = self._links[1].prints if len(self._links) > 1 else None
            self._draft, self._changed = Draft(self._links[:1], True, before), False
        elif self._draft is None and not Draft(self._links).reaches(now_s + HORIZON_S):
            self._draft = Draft(list(self._links))
        return self._made(now_s, astray) if rushed or self._drafted(now_s) else None

    def _drafted(self, now_s: float) -> bool:
        """Go on with the draft; whether it is through and in force."""
        draft = self._draft
        if draft is None:
            return False
        if self._plan is None:
            while not draft.reaches(now_s + HORIZON_S):
                self._append(draft)
        elif not draft.reaches(now_s + HORIZON_S):
            self._append(draft)
            return False
        self._links, self._draft = draft.links, None
        return True

    def _pass(self, now_s: float) -> None:
        """Forget the fragments that are over."""
        while len(self._links) > 1 and self._links[0].laid.end_s <= now_s + SAME_S:
            self._links.pop(0)
            if self._draft is not None:
                self._draft.links.pop(0)
            self._count_turn()

    def _count_turn(self) -> None:
        """Take what the fragment that begins turns off what is wished for in all: it is under way, and answers that."""
        wish = self._wish
        if wish.turn_rad is not None:
            self._wish = replace(wish, turn_rad=wish.turn_rad - self._links[0].turn_rad)

    def _append(self, draft: Draft) -> None:
        """Lay the next fragment; where the foot lands that begins it is kept from what was planned before."""
        last, before = draft.links[-1] if draft.links else None, draft.before if len(draft.links) == 1 else None
        state = _state_after(last)
        ahead = sum(link.turn_rad for link in draft.links[1:])
        wish = self._wish if self._wish.turn_rad is None else replace(self._wish, turn_rad=self._wish.turn_rad - ahead)
        fragment = self._source.next(state, wish)
        laid = lay(piece_of(fragment), last.laid if last else None)
        laid.reckon()
        if last is None:
            prints = laid.prints
        else:
            prints = with_prints(last.prints, _landing_kept(laid, before) if before is not None else laid)
        after = StreamState(fragment, laid.end_s, *_where(laid, prints))
        draft.links.append(Link(laid, prints, after, fragment.turn_rad, fragment.gait))

    def _made(self, now_s: float, astray: complex) -> ClipPlan:
        """The plan of the window from now on, in force, so far from where the one before is."""
        self._moved += astray
        laid, last = [link.laid for link in self._links], self._plan
        whole = _moved(joined(laid), self._moved)
        row = min(max(int((now_s - whole.start_s) / whole.step_s + 1e-6), 0), len(whole.root_m) - 8)
        window, momentum = _from_row(whole, row), np.concatenate([*(part.momentum[:-1] for part in laid[:-1]), laid[-1].momentum])
        self._links = [replace(link, prints=_recent(link.prints, now_s)) for link in self._links]
        prints = {side: [replace(one, place=one.place + self._moved) for one in self._links[-1].prints[side]] for side in SIDES}
        schedule: Schedule = {side: [one.stance for one in prints[side]] for side in SIDES}
        now: Running | None = None if last is None else running(last.com, window.start_s, astray)
        com: ComPlan = roll_com(window, momentum[row:], schedule, prints, self._geometry, self._gravity, self._settings, now,
                                None if last is None else last.com.omega)
        shown = _from_row(whole, max(row - BEHIND, 0))
        self._plan = ClipPlan(shown, Track(shown), schedule, prints, com, shown.end_s)
        return self._plan


def in_stream(wish: Mapping[str, float | str], slow: float, before: Wish) -> Wish:
    """What is wished for on a planet where everything lasts `slow` times as long as on Earth, in the stream's own time."""
    rates: dict[str, float | str] = {name: slow * float(wish[name]) for name in ("speed_m_s", "turn_rad_s") if name in wish}
    return wish_from({**wish, **rates}, before)


def _from_row(clip: FollowedClip, row: int) -> FollowedClip:
    """A clip from one of its samples on."""
    return replace(clip, start_s=clip.start_s + row * clip.step_s, **{name: getattr(clip, name)[row:] for name in SAMPLED})


def _moved(clip: FollowedClip, by: complex) -> FollowedClip:
    """A clip moved over the ground."""
    way = np.array([by.real, by.imag, 0.0])
    return replace(clip, root_m=clip.root_m + way, com_m=clip.com_m + way, ankle_m=clip.ankle_m + way)


def _state_after(link: Link | None) -> StreamState:
    return StreamState(None) if link is None else link.state


def _where(laid: Laid, prints: Prints) -> tuple[tuple[float, float], float]:
    """Where a stream is at the end of a fragment: the pelvis's place, and the direction of its feet's last prints."""
    x, y = laid.own.root_m[-1, :2].tolist()
    total = sum(cmath.exp(1j * prints[side][-1].yaw) for side in SIDES if prints[side])
    return (x, y), cmath.phase(total) if total else 0.0


def _landing_kept(laid: Laid, before: Prints) -> Laid:
    """A laid piece whose first foot lands where it was to land before."""
    side = laid.piece.begins
    if side == STANDING or not laid.prints[side]:
        return laid
    first = laid.prints[side][0]
    planned = next((one for one in before[side] if abs(one.stance.strike_s - first.stance.strike_s) < SAME_S), None)
    if planned is None:
        return laid
    kept = replace(first, place=planned.place, yaw=planned.yaw)
    return replace(laid, prints={**laid.prints, side: [kept, *laid.prints[side][1:]]})


def _recent(prints: Prints, now_s: float) -> Prints:
    """The prints of the stances that are under way or to come, and of each foot the last one before."""
    found = {}
    for side in SIDES:
        past = [i for i, one in enumerate(prints[side]) if one.stance.off_s <= now_s]
        found[side] = prints[side][past[-1]:] if past else prints[side]
    return found
