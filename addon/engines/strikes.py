# SPDX-License-Identifier: GPL-3.0-or-later
"""What strikes a body in a shot: balls that are thrown at a segment wherever it then is, and punches; what has struck it; and
loose objects that begin within something, which any engine would fling out."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import mujoco
import numpy as np

from ..bodies.body import Body, Capsule
from ..bodies.capsules import body_capsules, line_distance
from ..bodies.model import build_model, object_name
from ..bodies.state import BodyState
from ..errors import InputError
from ..specs.disturbances import BALL, PUNCH, PUNCH_S, Hit, LooseObject
from ..specs.shot import World
from ..worlds.ground import Ground
from .engine import Engine

LEAD_S = 0.06
"""A ball is let go so long before it touches: the struck segment's way until then is known to a centimetre or two (an arm that
swings gains 10 m/s^2), and the ball is still clear of it (first guess)."""
FLIGHT_S = 1.0
"""What a take shows of a ball's flight before that is at most so long, and begins where the flight leaves the ground."""
SHOWN_STEP_S = 0.005
CLEAR_M = 0.002
"""A ball is thrown from where it is so far from every segment at least."""
INTO_M, BACK_M = 0.01, 0.01
"""A ball that would be thrown from so deep within the body is thrown from in front of it, found in steps of so much."""
NEAR_M = 1e-6
"""A ball that is so near to a segment touches it."""


class Strikes:
    """The hits of one shot. `flights` has, for each thrown ball by its row among the loose objects, when it was let go [s], where
    (3,) [m] and how fast (3,) [m/s]. Raises BodyError for a segment that the body does not have."""

    def __init__(self, body: Body, state: BodyState, hits: Sequence[Hit], first: int) -> None:
        """`first` is the row of the first ball among the engine's loose objects."""
        self._body, self._state, self._later = body, state, mujoco.MjData(state.model)
        self._segment = {hit.segment: body.pushed(hit.segment)[0] for hit in hits}
        balls = [hit for hit in hits if hit.kind == BALL]
        self._waiting = list(enumerate(balls, start=first))
        self._radius = {row: hit.radius_m for row, hit in self._waiting}
        self._punches = [hit for hit in hits if hit.kind == PUNCH]
        self._capsules = body_capsules(body) if hits else ()
        self.flights: dict[int, tuple[float, np.ndarray, np.ndarray]] = {}

    def throw(self, time_s: float, step_s: float, engine: Engine) -> None:
        """Let go of the balls whose time is near, for the coming control step of `step_s`: each as soon as its start is clear, at
        its time at the latest."""
        for row, hit in list(self._waiting):
            left_s = hit.time_s - time_s
            if left_s > LEAD_S + 1e-9:
                continue
            place, velocity = self._start(hit, max(left_s, 0.0))
            if left_s > step_s and not self._clear(place, hit.radius_m):
                continue
            while self._gap_of(place, hit.radius_m) < -INTO_M:  # another part is in the way: it strikes that
                place = place - BACK_M * np.array(hit.way)
            self._waiting.remove((row, hit))
            self.flights[row] = time_s, place, velocity
            engine.throw(row, place, velocity)

    def punches(self, time_s: float, step_s: float) -> Iterator[tuple[str, np.ndarray, np.ndarray]]:
        """Segment, mean force (3,) [N] over the coming control step, and where it acts in that segment's frame (3,) [m], of every
        punch that is on its way: half a sine within `PUNCH_S` that gives its whole impulse."""
        for hit in self._punches:
            begin, end = (min(max(t - hit.time_s, 0.0), PUNCH_S) for t in (time_s, time_s + step_s))
            share = 0.5 * (math.cos(math.pi * begin / PUNCH_S) - math.cos(math.pi * end / PUNCH_S))
            if share > 1e-12:
                segment = self._segment[hit.segment]
                yield segment, share * hit.impulse_ns / step_s * np.array(hit.way), self._spot(segment, hit.along)

    def show(self, arrays: Mapping[str, np.ndarray], ground: Ground) -> None:
        """Write each ball's flight before it was let go into a take's arrays: as it must have come, from the ground or from
        `FLIGHT_S` before; until then it waits there."""
        time_s = arrays["time_s"]
        for row, (thrown_s, place, velocity) in self.flights.items():
            back = np.arange(0.0, FLIGHT_S, SHOWN_STEP_S)
            x, y, z = self._flown(place, velocity, -back).T
            under = np.flatnonzero(z - self._radius[row] < ground.height(x, y))
            longest_s = float(back[max(under[0] - 1, 0)]) if len(under) else FLIGHT_S
            before = time_s <= thrown_s
            arrays["object_pose"][before, row, :3] = self._flown(
                place, velocity, np.maximum(time_s[before] - thrown_s, -longest_s))

    def _flown(self, place: np.ndarray, velocity: np.ndarray, since_s: np.ndarray) -> np.ndarray:
        """Places (T, 3) of what flies freely, so long (T,) after it was at a place with a velocity."""
        return place + since_s[:, None] * velocity + 0.5 * since_s[:, None] ** 2 * self._state.gravity

    def _spot(self, segment: str, along: float) -> np.ndarray:
        """A place (3,) [m] in a segment's frame, so far along from its joint to its end in the middle of its flesh."""
        own = [shape for shape in self._capsules if shape.segment == segment]
        if not own:
            return along * self._body.segment(segment).tip
        start, end = (np.mean([getattr(shape, name) for shape in own], axis=0) for name in ("start", "end"))
        return (1.0 - along) * start + along * end

    def _start(self, hit: Hit, left_s: float) -> tuple[np.ndarray, np.ndarray]:
        """Where and how fast a ball is to be now, so that it touches after `left_s` with its own velocity."""
        state, later = self._state, self._later
        later.qpos[:] = state.qpos
        mujoco.mj_integratePos(state.model, later.qpos, state.qvel, left_s)
        mujoco.mj_kinematics(state.model, later)
        segment = self._segment[hit.segment]
        at = state.model.body(segment).id
        turn = later.xmat[at].reshape(3, 3)
        own = [shape for shape in self._capsules if shape.segment == segment]
        way = np.array(hit.way)
        middle = later.xpos[at] + turn @ self._spot(segment, hit.along)
        place = _touching(middle, way, hit.radius_m, [_placed(shape, later.xpos[at], turn) for shape in own])
        velocity = hit.speed_m_s * way
        return place - left_s * velocity + 0.5 * left_s**2 * state.gravity, velocity - left_s * state.gravity

    def _clear(self, place: np.ndarray, radius_m: float) -> bool:
        """Whether a ball there is clear of the body as it is."""
        return self._gap_of(place, radius_m) > CLEAR_M

    def _gap_of(self, place: np.ndarray, radius_m: float) -> float:
        """Distance [m] of a ball there from the body as it is; negative within it."""
        state = self._state
        frames = {name: state.model.body(name).id for name in {shape.segment for shape in self._capsules}}
        return min((_gap(place, radius_m, _placed(shape, state.data.xpos[at], state.data.xmat[at].reshape(3, 3)))
                    for shape in self._capsules for at in (frames[shape.segment],)), default=np.inf)


Placed = tuple[np.ndarray, np.ndarray, float]
"""Ends (3,) and radius [m] of a capsule in the world."""


def _placed(shape: Capsule, origin: np.ndarray, turn: np.ndarray) -> Placed:
    return origin + turn @ shape.start, origin + turn @ shape.end, shape.radius_m


def _gap(place: np.ndarray, radius_m: float, capsule: Placed) -> float:
    """Distance [m] of a ball from a capsule; negative within it."""
    start, end, thick = capsule
    return line_distance(place, place, start, end) - thick - radius_m


def _touching(middle: np.ndarray, way: np.ndarray, radius_m: float, capsules: Sequence[Placed]) -> np.ndarray:
    """Where the middle (3,) of a ball that flies along `way` towards `middle` is as it first touches one of the capsules: it goes
    as far as the nearest one is away, again and again."""
    size = max((float(np.linalg.norm(end - start)) + thick for start, end, thick in capsules), default=0.0)
    place, left = middle - (size + radius_m) * way, size + radius_m
    while capsules and left > 0.0:
        gap = min(_gap(place, radius_m, capsule) for capsule in capsules)
        if gap < NEAR_M:
            break
        place, left = place + min(gap, left) * way, left - gap
    return place


APART_S = 0.1
"""What touches a segment again after so long strikes anew (first guess: a ball leaves within 25 to 50 ms)."""
LEAST_M_S = 1e-3
"""What gives the whole body less speed than this is no strike: something that leans on it, or brushes by (first guess)."""


class Touches:
    """Collects impulses of one shot to strikes. `mass_kg` is the body's."""

    def __init__(self, mass_kg: float) -> None:
        self._least_ns = LEAST_M_S * mass_kg
        self._found: list[tuple[float, str, str, np.ndarray]] = []
        self._last: dict[tuple[str, str], tuple[int, float]] = {}

    def note(self, time_s: float, impulses: Mapping[tuple[str, str], np.ndarray]) -> None:
        """Impulses (3,) [N s] of a control step that begins at a time [s], by what struck and by the struck segment."""
        for (by, segment), impulse in impulses.items():
            row, last_s = self._last.get((by, segment), (-1, 0.0))
            if row < 0 or time_s - last_s > APART_S:
                row = len(self._found)
                self._found.append((time_s, segment, by, np.zeros(3)))
            self._found[row][3][:] += impulse
            self._last[by, segment] = row, time_s

    def strikes(self) -> list[dict[str, Any]]:
        """Every strike in the order of time, plain JSON values: `time_s`, `segment`, `by`, and its whole `impulse_ns` (3,)."""
        return [{"time_s": round(time_s, 6), "segment": segment, "by": by, "impulse_ns": [round(x, 6) for x in impulse.tolist()]}
                for time_s, segment, by, impulse in self._found if np.linalg.norm(impulse) > self._least_ns]


DEEPEST_M = 0.01
"""What begins deeper within something else than this is refused (first guess)."""


def check_clear(body: Body, world: World, objects: Sequence[LooseObject], qpos: np.ndarray) -> None:
    """Raises InputError, naming both, for an object that is loose from the start and then lies deeper than `DEEPEST_M` within the
    ground, another such object, or the body in its first pose (nq,)."""
    begin = [item for item in objects if item.release_s == 0.0]
    if not begin:
        return
    model = build_model(body, world, objects=begin)
    data = mujoco.MjData(model)
    data.qpos[:len(qpos)] = qpos
    mujoco.mj_forward(model, data)
    numbers = {object_name(i): item.name for i, item in enumerate(begin)}
    for contact in data.contact:
        names = [model.body(model.geom_bodyid[geom]).name for geom in contact.geom]
        found = [name for name in names if name in numbers]
        if found and contact.dist < -DEEPEST_M:
            other = names[1 - names.index(found[0])]
            within = (f"the loose object {numbers[other]!r}" if other in numbers else "the ground" if other == "world"
                      else f"the character's {other}")
            raise InputError(f"The loose object {numbers[found[0]]!r} begins {-100.0 * contact.dist:.1f} cm within {within}: "
                             "move it out, or it would be flung away.")
