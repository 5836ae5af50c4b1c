# SPDX-License-Identifier: GPL-3.0-or-later
"""What a creature's gait is searched for: tasks first (not falling, speed, upright, head, straight on), then how it looks (no
crouch, no dragging toes, soft landings, both sides alike, feet neither wide nor crossing), then effort. All without units. Tasks
after Geijtenbeek 2013, table 2; weights as a prototype's searches had them, those of looks first guesses."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any

import numpy as np

from ..bodies.body import COORDINATES, Body
from ..bodies.capsules import body_capsules
from ..checks import Choice, Maybe, Number
from ..locomotion.creature.felt import Felt, Layout
from ..locomotion.creature.law import USUAL_SPEED
from ..locomotion.creature.parameters import time_unit_s
from ..maths.curves import closest
from ..maths.rotations import length, plane_angle
from ..specs.settings import Checked, setting


class Legs:
    """The capsules of the left leg against those of the right one, but for the two thighs, whose flesh gives way."""

    def __init__(self, layout: Layout, body: Body) -> None:
        index, thighs = body.index, set(layout.legs[:, 0].tolist())
        left, right = ([one for one in body_capsules(body) if index[one.segment] in leg] for leg in layout.legs)
        pairs = [(one, other) for one in left for other in right if not {index[one.segment], index[other.segment]} <= thighs]
        self._rows = np.array([[index[one.segment] for one in pair] for pair in pairs]).T
        self._ends = np.array([[(one.start, one.end) for one in pair] for pair in pairs]).transpose(1, 2, 0, 3)
        self._apart_m = np.array([one.radius_m + other.radius_m for one, other in pairs])

    def depth_m(self, felt: Felt) -> np.ndarray:
        """How deep (N,) [m] they are in each other where they are deepest; 0 for legs that are clear of each other."""
        lines = []
        for own, ends in zip(self._rows, self._ends, strict=True):
            place, turn = felt.place.take(own, 1), felt.turn.take(own, 1)
            lines.append(np.stack([place + np.einsum("npij,pj->npi", turn, end) for end in ends], axis=2))
        points = closest(*(line.reshape(-1, 2, 3) for line in lines))
        apart_m = length(points[:, 0] - points[:, 1]).reshape(-1, len(self._apart_m))
        return np.maximum(self._apart_m - apart_m, 0.0).max(axis=1)


@dataclass(frozen=True)
class Look:
    """N walkers at one instant, left before right; of several instants all have an axis before that. `heading`, `pitch` (the
    trunk's lean ahead of how it is drawn), `roll` (N,) [rad]; `ahead` (N,) the centre of mass's speed where the trunk heads,
    `aside` (N,) how far off its first way it is, over how far it has come; `head` (N, 3) the head's place, `nod2` (N,) the square
    of its tilt from how it is drawn [rad^2]; `load` (N, 2); `leg` (N, 2) from hip to foot over the leg; `fore`, `side` (N, 2) the
    feet's places from the centre of mass, ahead and to the left; `low` (N, 2) the height of the lowest point of each sole;
    `points` (N, P, 3) the soles' points; `lap` (N,) how deep the legs are in each other; `off_pose` (N,) mean square turn of the
    joints from the drawing; `power` (N,) of the joints."""

    time: Any
    heading: np.ndarray
    pitch: np.ndarray
    roll: np.ndarray
    ahead: np.ndarray
    aside: np.ndarray
    head: np.ndarray
    nod2: np.ndarray
    load: np.ndarray
    leg: np.ndarray
    fore: np.ndarray
    side: np.ndarray
    low: np.ndarray
    points: np.ndarray
    lap: np.ndarray
    off_pose: np.ndarray
    power: np.ndarray

    def part(self, rows: slice | None) -> Look:
        """Some of several instants, or this one as the only one of several."""
        return Look(*(np.asarray(value)[rows] for value in vars(self).values()))

    def then(self, others: Look) -> Look:
        """These several instants and others."""
        return Look(*(np.concatenate(pair) for pair in zip(vars(self).values(), vars(others).values(), strict=True)))


TOGETHER = 32
"""So many looks at few walkers are worked out in one, which takes hardly longer than one of them."""


class Looker:
    """Makes a Look of what is felt of walkers of one body. `drawn_leg` is the length of the leg as drawn, hip to foot, over its
    segments'; `drawn_width` how far its feet are apart there; `time_s` is sqrt(L / g); `points_of` (2, ...) are the rows of
    each foot's points."""

    def __init__(self, layout: Layout, body: Body, gravity_m_s2: float) -> None:
        self.layout, self._body = layout, body
        self._leg_m = body.leg_length_m
        self.time_s = time_unit_s(self._leg_m, gravity_m_s2)
        self._weight_n = body.mass_kg * gravity_m_s2
        self.points_of = [np.nonzero(row)[0] for row in layout.of_foot]
        self._rows = np.array([body.index[point.segment] for point in body.contact_points])
        self._at = np.array([point.position for point in body.contact_points])
        self._radius = np.array([point.radius_m for point in body.contact_points])
        self._legs = Legs(layout, body)
        self._head = body.index[body.roles.get("head", body.role("trunk"))]
        self._head_tip = body.segments[self._head].tip
        place = _drawn(body)
        hip, foot = place[layout.legs[:, 0]], place[layout.legs[:, -1]]
        self.drawn_leg = float(np.linalg.norm(foot - hip, axis=1).mean() / self._leg_m)
        self.drawn_width = float(abs(foot[0, 1] - foot[1, 1]) / self._leg_m)
        starts = np.cumsum([body.root_coordinates, *(COORDINATES[segment.joint] for segment in body.segments[1:-1])])
        hinge = np.array([segment.joint == "hinge" for segment in body.segments[1:]], dtype=bool)
        self._hinges, self._balls = starts[hinge], starts[~hinge]

    def looks(self, felt: Sequence[Felt], torque: Sequence[np.ndarray], time_s: Sequence[float]) -> Look:
        """Looks at N walkers at several moments, worked out in one: see `look`."""
        names = [one.name for one in fields(Felt)]
        joined = Felt(*(np.concatenate([getattr(one, name) for one in felt]) for name in names))
        whole = vars(self.look(joined, np.concatenate(torque), 0.0))
        rows = {name: value.reshape(len(felt), -1, *value.shape[1:]) for name, value in whole.items() if name != "time"}
        return Look(time=np.array(time_s) / self.time_s, **rows)

    def look(self, felt: Felt, torque: np.ndarray, time_s: float) -> Look:
        """Of walkers moved by torques (N, nv - 6) [N m]."""
        leg_m, layout = self._leg_m, self.layout
        trunk = felt.turn[:, layout.trunk]
        heading = plane_angle(trunk[:, 1, 0], trunk[:, 0, 0])
        cos, sin = np.cos(heading), np.sin(heading)
        points = felt.place.take(self._rows, 1) + np.einsum("nsij,sj->nsi", felt.turn.take(self._rows, 1), self._at)
        feet = np.stack([points[:, rows].mean(axis=1) for rows in self.points_of], axis=1) - felt.com[:, None]
        hip, foot = (felt.place.take(layout.legs[:, at], 1) for at in (0, -1))
        speed = leg_m / self.time_s
        quaternion_w = np.abs(felt.qpos[:, self._balls]).clip(0.0, 1.0)
        turned = (2.0 * np.arccos(quaternion_w))**2
        count = max(len(self._hinges) + len(self._balls), 1)
        return Look(
            time=time_s / self.time_s, heading=heading, pitch=-np.arcsin(trunk[:, 2, 0].clip(-1.0, 1.0)),
            roll=np.arcsin(trunk[:, 2, 1].clip(-1.0, 1.0)),
            ahead=(cos * felt.com_velocity[:, 0] + sin * felt.com_velocity[:, 1]) / speed,
            aside=felt.com[:, 1] / np.maximum(np.abs(felt.com[:, 0]), 5.0 * leg_m),
            head=(felt.place[:, self._head] + felt.turn[:, self._head] @ self._head_tip) / leg_m,
            nod2=(felt.turn[:, self._head, 2, :2]**2).sum(axis=1),
            load=felt.load / self._weight_n, leg=length(foot - hip) / leg_m,
            fore=(cos[:, None] * feet[..., 0] + sin[:, None] * feet[..., 1]) / leg_m,
            side=(-sin[:, None] * feet[..., 0] + cos[:, None] * feet[..., 1]) / leg_m,
            low=np.stack([(points[:, rows, 2] - self._radius[rows]).min(axis=1) for rows in self.points_of], axis=1) / leg_m,
            points=points / leg_m, lap=self._legs.depth_m(felt) / leg_m,
            off_pose=(turned.sum(axis=1) + (felt.qpos[:, self._hinges]**2).sum(axis=1)) / count,
            power=np.abs(torque * felt.qvel[:, self._body.root_freedom:]).sum(axis=1) / (self._weight_n * speed))


def _drawn(body: Body) -> np.ndarray:
    """Places (S, 3) [m] of the joints as drawn, from the root's."""
    place = np.zeros((len(body.segments), 3))
    for row, segment in enumerate(body.segments[1:], 1):
        place[row] = place[body.index[segment.hangs_on]] + segment.offset
    return place


LANDED, LIFTED = 0.1, 0.02
"""A foot has landed when it carries this share of the weight, and is off again below the other."""
PASSING = 0.1
"""Feet pass each other while they are this near ahead and back, over the leg."""


def _summed(total: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """The total (...) with rows (K, ...) added one after the other, so that it does not matter how many come at once."""
    return np.add.accumulate(np.concatenate([total[None], rows]))[-1]


class Steps:
    """Counts the steps of N walkers, look by look."""

    def __init__(self, n: int) -> None:
        self._down = np.ones((n, 2), dtype=bool)
        self._since = np.full(n, np.nan)
        self._count, self._time, self._length = np.zeros((n, 2)), np.zeros((n, 2)), np.zeros((n, 2))
        self._width, self._passes, self._height = np.zeros(n), np.zeros((n, 2)), np.zeros((n, 2))

    def watch(self, looks: Look, alive: np.ndarray) -> None:
        """See N walkers at several instants, of whom some (K, N) are alive."""
        landed, lifted = looks.load > LANDED, looks.load > LIFTED
        down = np.concatenate([self._down[None], landed])
        for k in range(len(alive)):
            down[k + 1] |= down[k] & lifted[k]
        was, down, self._down = down[:-1], down[1:], down[-1]
        landed = down & ~was & alive[..., None]
        for k in np.flatnonzero(landed.any(axis=(1, 2))):
            self._land(looks.time[k], looks.fore[k], looks.side[k], landed[k])
        near = alive & (np.abs(looks.fore[..., 0] - looks.fore[..., 1]) < PASSING)
        passing = near[..., None] & ~down
        self._passes += passing.sum(axis=0)
        self._height = _summed(self._height, np.where(passing, looks.low, 0.0))

    def _land(self, time: float, fore: np.ndarray, side: np.ndarray, landed: np.ndarray) -> None:
        for foot in (0, 1):
            now = landed[:, foot]
            counted = now & np.isfinite(self._since)
            self._count[:, foot] += counted
            self._time[:, foot] += np.where(counted, time - self._since, 0.0)
            self._length[:, foot] += np.where(counted, fore[:, foot] - fore[:, 1 - foot], 0.0)
            self._width += np.where(counted, side[:, 0] - side[:, 1], 0.0)
            self._since = np.where(now, time, self._since)

    def figures(self) -> dict[str, np.ndarray]:
        """Means (N,): `time` from step to step [sqrt(L / g)], `length` and `width` over the leg, `clearance` of the lower of both
        feet, and how `unlike` the sides are in time and length. Nan of who took no step with each foot."""
        with np.errstate(invalid="ignore", divide="ignore"):
            time, length = self._time / self._count, self._length / self._count
            height = self._height / self._passes
            steps = self._count.sum(axis=1)
            return {"time": self._time.sum(axis=1) / steps, "length": self._length.sum(axis=1) / steps,
                    "width": self._width / steps, "clearance": height.min(axis=1),
                    "unlike": np.abs(time[:, 0] - time[:, 1]) / time.mean(axis=1) + np.abs(length[:, 0] - length[:, 1])}


WALK, RUN, ANY = "walk", "run", "any"
"""Never in the air; in the air at every step; as it comes."""
WALKS_UP_TO = 0.6
"""Speed over sqrt(g L) up to which a walk is asked for where nothing is said: people change to a run at 0.7."""
DRAWN_SHARE = 0.93
"""Who is drawn crouching may stand with legs of this share of their drawn length."""
EVERY = 2
"""Ticks from look to look."""


@dataclass(frozen=True)
class Wish(Checked):
    """What is asked for; see each field. Speeds over sqrt(g L), lengths over the leg, forces over the weight."""

    FIELD = "wish of a creature's gait"
    speed: float = setting(USUAL_SPEED, 0.0, 3.0, help="speed over the root of gravity and leg")
    turn: float = setting(0.0, -0.5, 0.5, help="radians to the left in sqrt(L / g)")
    gait: str = setting(WALK, rule=Choice("gait of a creature", (WALK, RUN, ANY)))
    stance_leg: float = setting(0.88, 0.4, 1.0, help="least length of the standing leg")
    trunk_pitch: float = setting(0.0, -1.0, 1.0, "rad", "lean of the trunk ahead of how it is drawn")
    step_width: float = setting(0.2, 0.0, 1.0, help="greatest width of steps")
    step: float | None = setting(None, rule=Maybe(Number(0.0, 3.0)), help="length of a step (default: as animals' go with speed)")
    double_support: float = setting(0.08, 0.0, 0.8, help="least share on both feet of a walk")
    clearance: float = setting(0.03, 0.0, 0.5, help="least height of the toes as the feet pass each other")
    force_peak: float = setting(3.5, 1.0, 20.0, help="greatest force of landing")
    flight: float = setting(0.1, 0.0, 0.8, help="least share in the air of a run")
    pose: float = setting(0.0, 0.0, 100.0, help="weight of staying near the drawn pose")
    effort: float = setting(3.0, 0.0, 100.0, help="weight of the cost of transport")

    @property
    def step_length(self) -> float:
        """The step that is asked for, over the leg: half the stride that animals take at that speed on two or four legs, 2.3
        times the hip's height times the Froude number to the power of 0.3 (Alexander 1976)."""
        return 1.15 * self.speed**0.6 if self.step is None else self.step


def usual_gait(speed: float) -> str:
    """The gait that is asked for at a speed over sqrt(g L) where nothing is said."""
    return WALK if speed <= WALKS_UP_TO else ANY


class Judge:
    """Sums up one run of N walkers, look by look; then `parts`, `figures`. `settled_t` is when judging begins [sqrt(L / g)]."""

    def __init__(self, wish: Wish, layout: Layout, body: Body, gravity_m_s2: float, n: int, settled_t: float) -> None:
        self.wish, self._n, self._settled = wish, n, settled_t
        self.looker = Looker(layout, body, gravity_m_s2)
        self.stance_leg = min(wish.stance_leg, DRAWN_SHARE * self.looker.drawn_leg)
        self._steps = Steps(n)
        self._sums: dict[str, np.ndarray] = {}
        self.step_width = max(wish.step_width, self.looker.drawn_width)
        self._gone, self._time, self._peak, self._lap = np.zeros((4, n))
        self._k, self._at_s = 0, 0.0
        self._low, self._high = np.full(n, np.inf), np.full(n, -np.inf)
        self._last: Look | None = None
        self._waiting: list[tuple[Felt, np.ndarray, float, np.ndarray]] = []

    def watch(self, felt: Felt, torque: np.ndarray, time_s: float, alive: np.ndarray) -> None:
        """See N walkers at one tick; `torque` (N, nv - 6) [N m] is what moves them."""
        self._k += 1
        if self._k % EVERY:
            return
        between_s, self._at_s = time_s - self._at_s, time_s
        if time_s + 1.5 * between_s < self._settled * self.looker.time_s:
            return  # not even the next look is judged, for which this one would be the last
        now = Felt(*(value.copy() for value in vars(felt).values()))  # which is MuJoCo's memory
        self._waiting.append((now, torque, time_s, alive.copy()))
        if len(self._waiting) == TOGETHER:
            self._see_waiting()

    def _see_waiting(self) -> None:
        """Take into account what was seen since."""
        if self._waiting:
            felt, torque, time_s, alive = zip(*self._waiting, strict=True)
            self._waiting = []
            self.see(self.looker.looks(felt, torque, time_s), np.array(alive))

    def see(self, looks: Look, alive: np.ndarray) -> None:
        """Take looks at N walkers at several instants into account, of whom some (K, N) are alive."""
        looks = looks if self._last is None else self._last.then(looks)
        self._last = looks.part(slice(-1, None))
        first = max(int(looks.time.searchsorted(self._settled)), 1)
        now, last = looks.part(slice(first, None)), looks.part(slice(first - 1, -1))
        if not len(now.time):
            return
        alive = alive[-len(now.time):]
        passed = alive * (now.time - last.time)[:, None]
        self._time = _summed(self._time, passed)
        self._gone = _summed(self._gone, passed * now.ahead)
        self._steps.watch(now, alive)
        load = np.where(alive, 0.5 * (now.load + last.load).sum(axis=-1), 0.0)
        self._peak = np.fmax(self._peak, np.fmax.reduce(load))
        self._lap = np.maximum(self._lap, np.where(alive, now.lap, 0.0).max(axis=0))
        self._low = np.minimum(self._low, np.where(alive, now.head[..., 2], np.inf).min(axis=0))
        self._high = np.maximum(self._high, np.where(alive, now.head[..., 2], -np.inf).max(axis=0))
        for name, value in self._terms(now, last).items():
            self._sums[name] = _summed(self._sums.get(name, np.zeros(self._n)), np.where(alive, passed * value, 0.0))

    def _terms(self, look: Look, last: Look) -> dict[str, np.ndarray]:
        """Rates of what is averaged over time (K, N)."""
        wish, stands = self.wish, look.load > 0.05
        between, turned = (look.time - last.time)[:, None], (self.wish.turn * look.time)[:, None]
        head = (look.head - last.head) / between[..., None]
        heading = (look.heading - turned + math.pi) % (2.0 * math.pi) - math.pi
        moved = length((look.points - last.points)[..., :2]) / between[..., None]
        slid = np.stack([moved[..., rows].min(axis=-1) for rows in self.looker.points_of], axis=-1)
        off = np.hypot(head[..., 0] - wish.speed * np.cos(turned), head[..., 1] - wish.speed * np.sin(turned))
        return {
            "pitch": look.pitch, "pitch2": (look.pitch - wish.trunk_pitch) ** 2, "roll2": look.roll**2,
            "head": np.hypot(off, head[..., 2]), "straight": np.abs(heading) + np.abs(look.aside),
            "power": look.power, "both": stands.all(axis=-1), "air": ~stands.any(axis=-1),
            "standing": stands.sum(axis=-1), "leg": (stands * look.leg).sum(axis=-1),
            "left": look.load[..., 0], "right": look.load[..., 1],
            "slide": (np.minimum(look.load, 2.0) * slid).sum(axis=-1), "pose": look.off_pose, "nod2": look.nod2,
        }

    def means(self) -> dict[str, np.ndarray]:
        """Means over the time (N,) that was judged; nan of who fell before."""
        self._see_waiting()
        with np.errstate(invalid="ignore", divide="ignore"):
            return {name: np.where(self._time > 0.0, total / self._time, np.nan) for name, total in self._sums.items()}

    def figures(self) -> dict[str, np.ndarray]:
        """What is told of each walker (N,); see `specs.creature_gait.CreatureTrial` for units. Nan where nothing was judged."""
        means, steps = self.means(), self._steps.figures()
        if not means:
            return {}
        with np.errstate(invalid="ignore", divide="ignore"):
            speed = np.where(self._time > 0.0, self._gone / self._time, np.nan)
            return {"speed": speed, "step": steps["time"], "step_width": steps["width"], "clearance": steps["clearance"],
                    "force_peak": np.where(self._time > 0.0, self._peak, np.nan), "double_support": means["both"],
                    "flight": means["air"], "stance_leg": means["leg"] / np.maximum(means["standing"], 1e-6),
                    "pitch": means["pitch"], "head_bob": np.where(self._time > 0.0, self._high - self._low, np.nan),
                    "transport": means["power"] / np.maximum(np.abs(speed), 0.05), "lap": self._lap,
                    "slide": means["slide"], "unlike": steps["unlike"] + np.abs(means["left"] - means["right"])}

    def parts(self, stood: np.ndarray) -> dict[str, np.ndarray]:
        """The cost (N,) of each part, of walkers that stood for these shares (N,) of their trial."""
        wish, told, means = self.wish, self.figures(), self.means()
        parts = {"fall": 100.0 * (1.0 - stood)}
        if not told:
            return parts
        wanted = max(wish.speed, 0.05)

        def over(value: np.ndarray | float, free: np.ndarray | float) -> np.ndarray:
            return np.maximum(value - free, 0.0)

        looks = {
            "steps": 25.0 * over(0.9 * wish.step_length, told["speed"] * told["step"]),
            "speed": 30.0 * over(np.minimum(np.abs(told["speed"] - wish.speed) / wanted, 2.0), 0.05),
            "trunk": 10.0 * over(np.sqrt(means["pitch2"] + means["roll2"]), 0.05),
            "head": 5.0 * means["head"] + 10.0 * over(np.sqrt(means["nod2"]), 0.05), "straight": 5.0 * means["straight"],
            "peak": 1.5 * over(np.minimum(told["force_peak"], 12.0), 2.0) + 6.0 * over(
                np.minimum(told["force_peak"], 12.0), wish.force_peak - 0.3),
            "crouch": 150.0 * over(self.stance_leg + 0.01 - told["stance_leg"], 0.0),
            "width": 60.0 * over(told["step_width"], self.step_width - 0.02),
            "clearance": 150.0 * over(wish.clearance + 0.01 - told["clearance"], 0.0),
            "lap": 100.0 * told["lap"], "slide": 10.0 * over(means["slide"], 0.02), "unlike": 10.0 * told["unlike"],
            "gait": self._gait(told), "pose": wish.pose * means["pose"],
            "effort": wish.effort * np.minimum(told["transport"], 5.0),
        }
        return parts | {name: np.where(np.isfinite(value), value, 20.0 if name == "speed" else 0.0)
                        for name, value in looks.items()}

    def _gait(self, told: dict[str, np.ndarray]) -> np.ndarray:
        """A walk is never in the air and now and then on both feet; a run is in the air as long as it is asked to."""
        wish, flight = self.wish, told["flight"]
        if wish.gait == WALK:
            both = np.maximum(wish.double_support + 0.02 - told["double_support"], 0.0)
            return 60.0 * (np.maximum(flight - 0.01, 0.0) + both)
        return 60.0 * np.maximum(wish.flight - flight, 0.0) if wish.gait == RUN else 0.0 * flight
