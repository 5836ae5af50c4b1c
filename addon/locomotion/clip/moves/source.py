# SPDX-License-Identifier: GPL-3.0-or-later
"""The library as a source of a stream: the next step by what is wished for, from any motion to any other."""

from __future__ import annotations

import heapq
import math
from dataclasses import replace
from functools import lru_cache

import numpy as np

from ....bodies.body import Body
from ....bodies.human.landmarks import SIDES
from ....bodies.kinematics import segment_poses
from ....errors import unknown_name
from ....maths.rotations import matrix_from_quat, plane_angle
from ....motions.cycle import continuous_rotvec
from ....motions.fragment import RATE_HZ, STANDING, Fragment, StreamState, Wish, other_side
from ....motions.moves import step as layout
from ....motions.moves.shelf import Shelf, shelf
from ....motions.moves.step import Place, Step, bent, blended, stretched
from ..clip import hinge_angles
from .placed import End, Layer, PlacedFragment

STOOD = "stand"
ANGLE_RAD, LENGTH, SPEED = 0.15, 0.15, 0.12
"""Differences that count as one: of a joint's angle (root mean square over trunk and arms), of a foot's place [leg lengths]
and of the pelvis' velocity [square roots of leg length times g]; by eye."""

STOP = 3.5
"""What a stop that nobody wished for counts, in the same; by eye: a march is begun on the way, going back from standing."""


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
    left = _relative(before.stands, before.other_to, before.turn)
    foot = math.hypot(left.x - after.other_from.x, left.y - after.other_from.y)
    return math.sqrt((float(np.sqrt(np.mean(angles**2))) / ANGLE_RAD)**2 + (foot / LENGTH)**2 + (speed / SPEED)**2)


def _relative(left: Place, landed: Place, turn: float) -> Place:
    """Where the foot that stood is, seen from the one that has landed."""
    way = (complex(left.x, left.y) - complex(landed.x, landed.y)) * complex(math.cos(turn), -math.sin(turn))
    return Place(way.real, way.imag, left.yaw - turn)


@lru_cache(maxsize=2)
def ways(shelf: Shelf) -> dict[tuple[str, str], str]:
    """For every gait and every other one, the gait to go to next: the way over others (or over standing) whose joins are least
    unlike, summed up in squares."""
    costs = {(a, b): min(unlike(_step(shelf, a, own), _step(shelf, b, other_side(own))) for own in "LR") ** 2
             for a in shelf.gaits for b in shelf.gaits if a != b}
    for gait in filter(shelf.stands, shelf.gaits):
        end = shelf.ends(gait)[0]
        costs[gait, STOOD] = unlike(_step(shelf, gait, other_side(end.own)), end) ** 2 + STOP**2
        costs[STOOD, gait] = unlike(shelf.begins(gait)[-1], _step(shelf, gait, other_side(shelf.begins(gait)[-1].own))) ** 2
    every = (STOOD, *shelf.gaits)
    return {(a, b): _first(costs, a, b) for a in every for b in every if a != b}


def _step(shelf: Shelf, gait: str, own: str) -> Step:
    speed = shelf.gait_speed(gait)
    return shelf.walk(own, speed, 0.0) if gait == "walk" else shelf.cycle(gait, own, speed)


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


STAND, WALK = "stand", "walk"
SHARP_RAD = math.radians(50.0)
"""A turn that is wished for by so much or more is made as a sharp one; less is walked round."""
MOST_STEP_TURN_RAD = math.radians(34.0)
"""How much a step of a walk turns at most; of other gaits half of it."""
MOST_FASTER, MOST_SLOWER = 0.28, 0.18
"""The most by which a step changes the speed [square roots of leg length times g]; with flight half as much faster."""
SHARP_FROM, STOP_FROM = 0.48, 0.42
"""Speeds above which a walk slows down before it turns sharply, and before it stops."""
MOST_BEND_RAD = math.radians(15.0)
"""How much a step of a sharp turn turns beside its figures, where what is wished for has changed meanwhile."""
ON_SPOT = 0.1
"""How far the steps go of a turn on the spot, over those of one that walks off."""
ROUND_RAD = math.radians(20.0)
"""A turn from standing by less is left to the steps that follow."""


class LibrarySource:
    """Steps of the library for one body. It keeps nothing between calls: what it goes by stands in the fragments."""

    def __init__(self, body: Body, moves: Shelf | None = None) -> None:
        self._layer, self._shelf = Layer(body), moves or shelf()
        self.gaits = (STAND, *self._shelf.gaits)
        self._speed_m_s = self._layer.leg_m / self._layer.unit_s
        self._ways = ways(self._shelf)

    def own_speeds_m_s(self) -> dict[str, float]:
        """The gaits, walking first, and how fast each goes as captured [m/s], on this body on Earth."""
        names = sorted(self._shelf.gaits, key=lambda name: (name != WALK, name))
        return {name: self._shelf.gait_speed(name) * self._speed_m_s for name in names}

    def highest_m_s(self, gait: str) -> float:
        """The highest speed [m/s] that the library's moves are brought to in a gait, on this body on Earth."""
        return self._shelf.speed_range(gait)[1] * self._speed_m_s

    def next(self, state: StreamState, wish: Wish) -> Fragment:
        """See `Source.next`. Raises InputError for a gait that the library does not have."""
        if wish.gait is not None and wish.gait not in self.gaits:
            raise unknown_name("gait in the library of moves", wish.gait, self.gaits)
        last = state.last
        if last is None:
            return self._lay(self._shelf.stand, None, "stand", STAND)
        end, told = end_of(last, self._layer), last if isinstance(last, PlacedFragment) else None
        gait = self._goal(last, wish)
        if last.ends == STANDING:
            return self._from_standing(end, gait, wish)
        speed = told.speed if told is not None else last.speed_m_s / self._speed_m_s
        if told is not None and (kept := self._kept_on(told, end, gait, wish)) is not None:
            return kept
        here = last.gait if last.gait in self._shelf.gaits else WALK
        if gait == here:
            return self._go_on(here, last.ends, end, speed, wish)
        then = self._ways[here, gait]
        if then == STAND:
            return self._stop(here, last.ends, end, speed, wish if gait == STAND else Wish())
        return self._over(here, then, last.ends, end, speed, wish)

    def _over(self, here: str, then: str, own: str, end: End, speed: float, wish: Wish) -> PlacedFragment:
        """The first step of another gait, or, into a flight and out of one, a step nearer to a speed that both gaits have."""
        if self._shelf.flies(here) or self._shelf.flies(then):
            low, high = self._shelf.speed_range(then)
            least, most = self._shelf.speed_range(here)
            nearer = min(max(speed, low, least), high, most)
            if abs(nearer - speed) > 0.25 * MOST_FASTER:
                return self._go_on(here, own, end, speed, replace(wish, speed_m_s=nearer * self._speed_m_s, gait=here))
        return self._go_on(then, own, end, speed, wish)

    def _goal(self, last: Fragment, wish: Wish) -> str:
        if wish.gait == STAND or (wish.speed_m_s is not None and wish.speed_m_s <= 0.0):
            return STAND
        if wish.gait is not None:
            return wish.gait
        here = last.gait if last.gait != STAND else WALK
        return STAND if last.gait == STAND and not wish.speed_m_s else here

    def _wished_speed(self, gait: str, wish: Wish) -> float:
        low, high = self._shelf.speed_range(gait)
        if wish.speed_m_s is None:
            return self._shelf.gait_speed(gait)
        return min(max(wish.speed_m_s / self._speed_m_s, low), high)

    def _from_standing(self, end: End, gait: str, wish: Wish) -> PlacedFragment:
        """A piece of standing, a turn on the spot, or the first step of a gait."""
        angle = wish.turn_rad or 0.0
        if gait == STAND:
            if abs(angle) < ROUND_RAD:
                return self._lay(self._shelf.stand, end, "stand", STAND)
            return self._begin(end, 0, angle, "spot", 0.0)
        if gait == WALK and abs(angle) >= ROUND_RAD:
            return self._begin(end, 0, angle, "start", self._wished_speed(WALK, wish))
        gait = gait if self._shelf.stands(gait) else self._ways[STAND, gait]
        step = self._shelf.begins(gait)[0]
        return self._lay(step, end, f"{gait}_start", gait, move="start", speed=self._shelf.gait_speed(gait))

    def _begin(self, end: End, count: int, aim: float, move: str, speed: float) -> PlacedFragment:
        """A step out of standing that turns: off into a walk ("start") or on the spot ("spot")."""
        turned, plain = self._shelf.turned_start, self._shelf.begins(WALK)
        whole = turned.turn if move == "start" else sum(step.turn for step in turned.steps[:2])
        share = min(abs(aim) / whole, 1.0)
        step = turned.steps[count]
        if move == "start" and count < len(plain):
            step = blended([plain[count].begun_by(step.own), step], [1.0 - share, share])
        elif share < 1.0:
            step = bent(step, (share - 1.0) * step.turn)
        if move == "spot":
            step = stretched(step, ON_SPOT, 1.0)
        if aim < 0.0:
            step = step.mirrored()
        side = "left" if aim > 0.0 else "right"
        return self._lay(step, end, f"{move}_{side}", WALK, move=move, count=count, aim=aim, speed=speed)

    def _kept_on(self, last: PlacedFragment, end: End, gait: str, wish: Wish) -> PlacedFragment | None:
        """The next step of a move that is under way; None where it is through, or something else is wished for."""
        count = last.count + 1
        if last.move == "spot":
            if count < 2:
                return self._begin(end, count, last.aim, "spot", 0.0)
            return self._close(WALK, last.ends, end, replace(wish, turn_rad=wish.turn_rad or 0.0), ON_SPOT)
        if last.move == "stop":
            steps = self._shelf.ends(last.gait)
            if count < len(steps):
                return self._lay(steps[count].begun_by(last.ends), end, f"{last.gait}_stop", last.gait, move="stop", count=count)
            return None
        if last.move == "start" and (gait == last.gait or not self._shelf.stands(gait)) and gait != STAND:
            if last.aim and count < len(self._shelf.turned_start.steps):
                return self._begin(end, count, last.aim, "start", last.speed)
            steps = self._shelf.begins(last.gait)
            if not last.aim and count < len(steps):
                step = steps[count].begun_by(last.ends)
                return self._lay(step, end, f"{last.gait}_start", last.gait, move="start", count=count, speed=last.speed)
        if last.move == "turn" and gait == WALK and count < 3:
            return self._sharp(last, end, count, wish)
        return None

    def _sharp(self, last: PlacedFragment, end: End, count: int, wish: Wish) -> PlacedFragment:
        """A step of a sharp turn after its first: turning what is left of the wish, where that is told."""
        first, aim = last.ends if count % 2 == 0 else other_side(last.ends), last.aim
        if wish.turn_rad is not None and wish.turn_rad * aim > 0.0:
            aim = self._shelf.aim(first, wish.turn_rad, count, aim)
        step = self._shelf.sharp(first, aim, count, last.speed)
        if wish.turn_rad is not None:
            rest = sum(self._shelf.sharp(first, aim, i, last.speed).turn for i in range(count, 3))
            step = bent(step, min(max((wish.turn_rad - rest) / (3 - count), -MOST_BEND_RAD), MOST_BEND_RAD))
        return self._lay(step, end, _turn_name(aim), WALK, move="turn", count=count, aim=aim, speed=last.speed)

    def _go_on(self, gait: str, own: str, end: End, speed: float, wish: Wish) -> PlacedFragment:
        wished = self._wished_speed(gait, wish)
        if gait != WALK:
            if self._shelf.flies(gait):
                wished = min(max(wished, speed - MOST_SLOWER), speed + 0.5 * MOST_FASTER)
            step = self._shelf.cycle(gait, own, wished)
            turn = self._step_turn(wish, step.duration * self._layer.unit_s, 0.5 * MOST_STEP_TURN_RAD)
            step = bent(step, turn)
            return self._lay(step, end, gait, gait, speed=wished)
        sharp = abs(wish.turn_rad or 0.0) >= SHARP_RAD
        if sharp:
            wished = min(wished, SHARP_FROM)
        speed = min(max(wished, speed - MOST_SLOWER), speed + MOST_FASTER)
        if sharp and speed <= SHARP_FROM:
            aim = min(max(wish.turn_rad or 0.0, -math.pi), math.pi)
            step = self._shelf.sharp(own, aim, 0, speed)
            return self._lay(step, end, _turn_name(aim), WALK, move="turn", aim=aim, speed=speed)
        step = self._shelf.straight(speed)
        for _ in range(3):  # steps that turn last otherwise
            turn = self._step_turn(wish, step.duration * self._layer.unit_s, MOST_STEP_TURN_RAD)
            step = self._shelf.walk(own, speed, turn)
        return self._lay(step, end, WALK, WALK, speed=speed)

    def _step_turn(self, wish: Wish, lasts_s: float, most: float) -> float:
        turn = wish.turn_rad if wish.turn_rad is not None else (wish.turn_rad_s or 0.0) * lasts_s
        return min(max(turn, -most), most)

    def _stop(self, gait: str, own: str, end: End, speed: float, wish: Wish) -> PlacedFragment:
        """The step after which both feet stand side by side, or, from a walk that is too fast for it, a slower one."""
        if gait == WALK and speed > STOP_FROM:
            slower = replace(wish, gait=WALK, speed_m_s=0.9 * STOP_FROM * self._speed_m_s)
            return self._go_on(WALK, own, end, speed, slower)
        return self._close(gait, own, end, wish, 1.0 if gait != WALK else min(speed / STOP_FROM, 1.0))

    def _close(self, gait: str, own: str, end: End, wish: Wish, along: float) -> PlacedFragment:
        step: Step = self._shelf.ends(gait)[0]
        if step.own != own:
            if len(self._shelf.ends(gait)) == 2 and not gait.startswith("side"):
                step = step.mirrored()
            else:
                return self._go_on(gait, own, end, self._shelf.gait_speed(gait), Wish())
        turn = self._step_turn(wish, 1.0, 2.0 * MOST_STEP_TURN_RAD)
        return self._lay(bent(stretched(step, along, 1.0), turn), end, f"{gait}_stop", gait, move="stop")

    def _lay(self, step: Step, end: End | None, name: str, gait: str, **told: float | str) -> PlacedFragment:
        return self._layer.lay(step, end, name, gait, **told)


def _turn_name(aim: float) -> str:
    return f"turn_{round(abs(math.degrees(aim)))}_{'left' if aim > 0.0 else 'right'}"


def euler(quats: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Yaw, pitch and roll (N,) [rad] of orientations (N, 4), turned in this order about z, y and x; the yaw without jumps."""
    m = matrix_from_quat(quats)
    return (np.unwrap(plane_angle(m[:, 1, 0], m[:, 0, 0])), plane_angle(-m[:, 2, 0], np.hypot(m[:, 0, 0], m[:, 1, 0])),
            plane_angle(m[:, 2, 1], m[:, 2, 2]))


def end_of(fragment: Fragment, layer: Layer) -> End:
    """The end of a fragment: known of the library's own, read off the last two poses of any other."""
    if isinstance(fragment, PlacedFragment):
        return fragment.end
    body, leg = layer.body, layer.leg_m
    rows = slice(-2, None)
    root, quat, joints = fragment.root_m[rows], fragment.root_quaternion[rows], fragment.joint_quaternions[rows]
    positions, orientations = segment_poses(body, root, quat, joints)
    feet = {side: body.index[f"foot_{side}"] for side in SIDES}
    yaw, pitch, roll = euler(quat)
    heading = float(yaw[-1])
    ways = {side: complex(*positions[-1, i, :2]) for side, i in feet.items()}
    origin = 0.5 * sum(ways.values()) if fragment.ends == STANDING else ways[fragment.ends]
    place = (root[:, 0] + 1j * root[:, 1] - origin) * np.exp(-1j * heading) / leg
    columns = {"root.x": place.real, "root.y": place.imag, "root.z": (root[:, 2] + body.sole_height_m) / leg,
               "root.yaw": yaw - heading, "root.pitch": pitch, "root.roll": roll}
    values = np.zeros((2, len(layout.names())))
    for name, column in columns.items():
        values[:, layout.at(name)] = column
    for name, where in layout.upper():
        if name in body.index:
            own, axis = joints[:, body.joint_segments.index(name)], body.segment(name).axis
            values[:, where] = continuous_rotvec(own) if axis is None else hinge_angles(own, axis)[:, None]
    prints = {}
    for side, i in feet.items():
        first = layout.at(f"knee_{side}.x")
        values[:, first:first + 3] = matrix_from_quat(joints[:, body.joint_segments.index(f"thigh_{side}")])[:, :, 1]
        turned, tilt, _ = euler(orientations[:, i])
        values[:, layout.at(f"pitch_{side}")] = tilt
        at = layer.geometry[side].place_of(positions[-1, i], float(turned[-1]), float(tilt[-1]))
        at = (at - origin) * np.exp(-1j * heading) / leg
        prints[side] = Place(at.real, at.imag, math.remainder(float(turned[-1]) - heading, math.tau))
    slopes = (values[-1] - values[0]) * RATE_HZ * layer.unit_s
    if fragment.ends == STANDING:
        slopes = np.zeros_like(slopes)
    return End(values[-1], slopes, prints)
