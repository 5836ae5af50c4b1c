# SPDX-License-Identifier: GPL-3.0-or-later
"""A stream of motion: fragments laid one behind the other as far as the plan looks ahead, chosen anew whenever the wish changes,
and the plan that moves along with them.

What lies behind is forgotten. The fragment that is under way is never changed, nor where its foot lands: a wish counts from the
touch-down with which it ends.

Whoever steers sees the body all the while, so that no plan step may take long: the next window is drafted beside the one in
force, a fragment a step, and takes its place when it is laid. By steps, not by a clock: the same wishes give the same motion.

The centre of mass of a stream, planned anew from where the running plan is: the least squares of `clip_plan.py` over a window
that begins now, in the running plan's place and with its velocity, quick enough for a body that is steered while it walks.
"""

from __future__ import annotations

import cmath
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from scipy.interpolate import CubicSpline
from scipy.linalg import solveh_banded

from ...bodies.body import Body
from ...bodies.human.landmarks import SIDES
from ...motions.fragment import STANDING, Source, StreamState, Wish, wish_from
from ..legged.foot_geometry import FootGeometry
from .clip import FollowedClip, Track
from .clip_plan import (
    BALLISTIC_WEIGHT,
    LEAST_FORCE,
    MOST_FORCE,
    NODE_EVERY,
    ClipPlan,
    ClipSteps,
    ComPlan,
    bounded_height,
    divergence,
    plan_height,
    pressure_wish,
    shift_of,
)
from .prints import Prints
from .schedule import Schedule, flights
from .settings import PlanSettings
from .splice import SAME_S, SAMPLED, Laid, joined, lay, piece_of, with_prints

PASSES = 2
"""Rounds in which the pressure between two standing feet is taken from the solution before; the last plan is near already."""
PINNED = 3
"""Nodes that go on from the running plan by its place, velocity and acceleration."""
PIN_WEIGHT = 1e9
"""Far more than what pulls at them: pivots of nodes so close have coefficients of 1e3."""
HEIGHT_FADE_S = 0.3
"""Time over which the height comes from the running plan's to the window's own."""
BANDS = 4


class Running(NamedTuple):
    """Where a plan is now: place, velocity and acceleration (x + iy), height and its rate, in metres and clip seconds."""

    place: complex
    velocity: complex
    pull: complex
    height: float
    rising: float


def running(com: ComPlan, time_s: float, moved: complex = 0j) -> Running:
    """Where a plan is at a time that is moved over the ground (x + iy [m])."""
    now = com.at(time_s)
    return Running(now.place + moved, now.velocity, complex(com.place(time_s, 2)), now.height, now.rising)


def roll_com(
    steps: ClipSteps, momentum: np.ndarray, gravity: float, settings: PlanSettings, now: Running | None, omega: float | None,
) -> ComPlan:
    """The centre of mass over a window of a stream, whose angular momentum over mass is (N, 3), from where it is `now` on; at a
    stream's begin there is no running plan and no pendulum's rate `omega`, which stays the stream's."""
    window, rows = steps.clip, slice(None, None, NODE_EVERY)
    times, step = window.times_s[rows], NODE_EVERY * window.step_s
    in_air = [span for span in flights(steps.schedule) if span[1] > times[0] and span[0] < times[-1]]
    height = plan_height(window, in_air, gravity) if in_air else bounded_height(window, gravity, settings)
    if now is not None:
        height = _from_now(height, times, now)
    if omega is None:
        omega = float(np.sqrt(gravity / height(times).mean()))
    place = window.com_m[rows, 0] + 1j * window.com_m[rows, 1]
    shift = shift_of(momentum, window.step_s, gravity, settings.pivot_m)[rows]
    most = MOST_FORCE if in_air else settings.height_acceleration
    rising = np.clip(height(times, 2), max(-most, LEAST_FORCE - 1.0) * gravity, most * gravity)
    square = (gravity + rising) / height(times)
    wish = pressure_wish(steps, times, step, place, settings)
    pressure = wish.pressure
    squares = _Squares(place, wish.weight, square, wish.aloft, step, settings, now)
    for _ in range(PASSES):
        found = squares.solve(wish.wanted(pressure) + shift)
        if not wish.settled.any():
            break
        pressure = found - _second(found, step) / square - shift
    growing = divergence(times, height, wish.aloft, gravity, omega) if in_air else None
    ends = "not-a-knot" if now is None else ((1, now.velocity), (2, 0.0))
    return ComPlan(CubicSpline(times, found, bc_type=ends), height, CubicSpline(times, shift), omega, gravity, growing)


def _from_now(height: CubicSpline, times: np.ndarray, now: Running) -> CubicSpline:
    """A height that begins in the running plan's, and comes to its own within `HEIGHT_FADE_S`."""
    share = np.clip((times - times[0]) / HEIGHT_FADE_S, 0.0, 1.0)
    away, rate = now.height - float(height(times[0])), now.rising - float(height(times[0], 1))
    values = height(times) + away * (1.0 - share**2 * (3.0 - 2.0 * share)) + rate * HEIGHT_FADE_S * share * (1.0 - share) ** 2
    return CubicSpline(times, values, bc_type=((1, now.rising), (2, 0.0)))


def _second(values: np.ndarray, step: float) -> np.ndarray:
    """Second differences (K,), those of the ends their neighbours'."""
    inner = (values[2:] - 2.0 * values[1:-1] + values[:-2]) / step**2
    return np.concatenate([inner[:1], inner, inner[-1:]])


class _Squares:
    """The least squares of the plan, summed up band by band once for all that is wanted of the pivots."""

    def __init__(
        self, place: np.ndarray, weight: np.ndarray, square: np.ndarray, flying: np.ndarray, step: float, settings: PlanSettings,
        now: Running | None,
    ) -> None:
        count = len(place)
        self._bands, self._right = np.zeros((BANDS + 1, count)), np.zeros(count, dtype=complex)
        self._add(np.ones((count, 1)), 0, np.where(flying, 1e-4, 1.0) * settings.com_weight, place)
        bend = 1.0 / (step**2 * square[1:-1])
        self._pivots = np.stack([-bend, 1.0 + 2.0 * bend, -bend], axis=1)
        self._weight = weight[1:-1]
        self._add(self._pivots, 0, self._weight, np.zeros(count - 2))
        before, own, after = self._pivots[:-2], self._pivots[1:-1], self._pivots[2:]
        rough = np.zeros((count - 4, 5))
        rough[:, :3] += before
        rough[:, 1:4] -= 2.0 * own
        rough[:, 2:] += after
        self._add(rough / step**2, 0, np.full(count - 4, settings.smooth_weight), np.zeros(count - 4))
        self._add(np.tile([1.0, -2.0, 1.0], (count - 2, 1)) / step**2, 0, BALLISTIC_WEIGHT * flying[1:-1], np.zeros(count - 2))
        if now is not None:
            ahead = step * np.arange(PINNED)
            self._add(np.ones((PINNED, 1)), 0, np.full(PINNED, PIN_WEIGHT),
                      now.place + ahead * now.velocity + 0.5 * ahead**2 * now.pull)

    def _add(self, rows: np.ndarray, first: int, weight: np.ndarray, wanted: np.ndarray) -> None:
        """Add rows (R, m), of which each stands one column further than the one before, the first at column `first`."""
        count, width = rows.shape
        for p in range(width):
            for q in range(p, width):
                self._bands[BANDS - (q - p), first + q:first + q + count] += weight * rows[:, p] * rows[:, q]
        self._right += self._sums(rows, first, weight, wanted)

    def _sums(self, rows: np.ndarray, first: int, weight: np.ndarray, wanted: np.ndarray) -> np.ndarray:
        found = np.zeros(len(self._right), dtype=complex)
        for p in range(rows.shape[1]):
            found[first + p:first + p + len(rows)] += weight * rows[:, p] * wanted
        return found

    def solve(self, pivots: np.ndarray) -> np.ndarray:
        """Places (K,) with pivots near those wanted (K,)."""
        right = self._right + self._sums(self._pivots, 0, self._weight, pivots[1:-1])
        found = solveh_banded(self._bands, np.column_stack([right.real, right.imag]))
        return found[:, 0] + 1j * found[:, 1]


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
        while len(self._links) > 1 and self._links[0].laid.end_s <= now_s + SAME_S:
            self._links.pop(0)
            if self._draft is not None:
                self._draft.links.pop(0)
            wish = self._wish  # what begins is under way to the turn that is wished for in all
            if wish.turn_rad is not None:
                self._wish = replace(wish, turn_rad=wish.turn_rad - self._links[0].turn_rad)

    def _append(self, draft: Draft) -> None:
        """Lay the next fragment; where the foot lands that begins it is kept from what was planned before."""
        last, before = draft.links[-1] if draft.links else None, draft.before if len(draft.links) == 1 else None
        state = StreamState(None) if last is None else last.state
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
        steps, omega = ClipSteps(window, schedule, prints, self._geometry), None if last is None else last.com.omega
        com: ComPlan = roll_com(steps, momentum[row:], self._gravity, self._settings, now, omega)
        shown = _from_row(whole, max(row - BEHIND, 0))
        self._plan = ClipPlan(shown, Track(shown), schedule, prints, com, shown.end_s)
        return self._plan


def in_stream(wish: Mapping[str, float | str], slow: float, before: Wish) -> Wish:
    """What is wished for on a planet where everything lasts `slow` times as long as on Earth, in the stream's own time."""
    rates: dict[str, float | str] = {name: slow * float(wish[name]) for name in ("speed_m_s", "turn_rad_s") if name in wish}
    return wish_from({**wish, **rates}, before)


def _from_row(clip: FollowedClip, row: int) -> FollowedClip:
    return replace(clip, start_s=clip.start_s + row * clip.step_s, **{name: getattr(clip, name)[row:] for name in SAMPLED})


def _moved(clip: FollowedClip, by: complex) -> FollowedClip:
    way = np.array([by.real, by.imag, 0.0])
    return replace(clip, root_m=clip.root_m + way, com_m=clip.com_m + way, ankle_m=clip.ankle_m + way)


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
