# SPDX-License-Identifier: GPL-3.0-or-later
"""From key poses to a gait that walks: a mixture to begin with, a search from there towards the poses, and what had to give. What
a joint is drawn to is not where it comes to: springs give, the balance turns the swinging leg, and steps end when the foot is
down. So the distance from a pose is measured on the body as it walks, at the end of the pose's state, and what the states draw to
is free."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ..bodies.makers import make_body
from ..errors import InputError
from ..locomotion.key_poses.strength import Scale
from ..motions.key_poses import measured
from ..reports.strides import weight_n
from ..sim.take import Take
from ..specs.motions import KeyPoses
from ..specs.pose_gait import PoseGait, PoseState
from ..specs.settings import settings_of
from ..specs.shot import BodySpec, Shot, World
from ..worlds.planets import load_world
from .pose_gait import held, take_of, unknowns_of
from .search import RACE_MARGIN, Evaluation, Plan, Search, SingleProblem, Told

LENT = ("stance_knee", "stance_ankle", "swing_hip", "swing_hip_outward", "swing_knee", "swing_ankle", "torso")
"""What a base lends; the upper body is the poses' own from the beginning."""
STARTS = ((0.5, 1.0, 0.0), (0.8, 1.0, 0.0), (0.0, 1.0, 0.0), (0.5, 0.7, 0.5), (0.0, 1.0, 0.5), (0.3, 1.0, 0.0), (0.0, 1.0, 1.0),
          (1.0, 1.0, 0.0), (0.0, 1.0, -0.6))
"""Shares of the poses, shares of their times, and the speed that is asked for [m/s]; what comes first stood most often."""

SPINE, MOST_BENT_RAD = "lower_spine", 0.6
"""The joint above the pelvis, and how far it is bent forward or back at most; with what else turns it, it does 0.78."""


@dataclass(frozen=True)
class Given:
    """A part of a pose that had to give: which pose (from 1), what of it in words, and by how much [rad]."""

    state: int
    words: str
    angle_rad: float

    def __str__(self) -> str:
        return f"pose {self.state}: {self.words} by {math.degrees(self.angle_rad):+.0f} degrees"


def mixed(base: PoseGait, gait: PoseGait, share: float, time: float = 1.0, asked_m_s: float = 0.0) -> PoseGait:
    """The gait whose angles lie between those of a base and its own, by a share, whose states last as long as its own times a
    factor, and that asks for a speed; all else is its own. A base of other states lends those at the same point of a step."""
    states = []
    for i, state in enumerate(gait.states):
        last = i + 1 == len(gait.states) or gait.states[i + 1].swing != state.swing  # of its leg's step
        from_ = base.states[-1 if last else 0]
        changed = {name: round(getattr(from_, name) + share * (getattr(state, name) - getattr(from_, name)), 3) for name in LENT}
        lasts_s = state.lasts_s and round(time * state.lasts_s, 3)
        gains = {name: getattr(from_, name) for name in ("cd", "cv", "cd_outward", "cv_outward")}
        states.append(carried(replace(state, lasts_s=lasts_s, **gains, **changed), state))
    return replace(gait, states=tuple(states), ahead_m_s=round(asked_m_s - gait.speed_m_s, 3))


def carried(state: PoseState, drawn: PoseState, sag_rad: float = 0.0) -> PoseState:
    """A state whose pelvis leans otherwise than in the pose that was drawn, with chest, head and arms as they were drawn: the
    spine makes up for the pelvis, which has to balance. The pelvis comes `sag_rad` farther back than it is drawn to."""
    upper = dict(drawn.upper or {})
    x, y, z = upper.get(SPINE, (0.0, 0.0, 0.0))
    bent = min(max(y + state.torso + sag_rad - drawn.torso, -MOST_BENT_RAD), MOST_BENT_RAD)
    return replace(state, upper={**upper, SPINE: (x, round(bent, 3), z)})


WEIGHTS = {"torso": 0.7, "swing_hip": 1.0, "swing_hip_outward": 0.7, "swing_knee": 1.0, "swing_ankle": 0.4, "stance_knee": 1.0,
           "stance_ankle": 0.3}
"""What is compared of a pose, and how much it shows (first guess); above a pelvis that leans the chest stays as drawn."""
UNITS = {"torso": 0.05, "swing_hip": 0.12, "swing_knee": 0.2, "stance_knee": 0.1, "lasts_s": 0.05}
"""What one unit of the search stands for, in each state [rad, s]."""
GAINS = {"cd": (0.12, 0.0, 1.2), "cv": (0.06, 0.0, 0.6), "cd_outward": (0.12, 0.0, 1.0), "cv_outward": (0.06, 0.05, 0.6)}
"""Gains of all states alike: one unit, and the range in which gaits were found to stand [rad/m, rad s/m]."""
AHEAD_M_S, MOST_AHEAD_M_S = 0.15, 2.0
APART_RAD, UNSTEADY_RAD, SPEED_M_S, STEP_S, PEAK_FREE = math.radians(10.0), math.radians(5.0), 0.3, 0.15, 2.5
"""What costs 1: an angle's distance from the pose (squared), its spread from step to step, the speed's error, a step's time
beside that of the keys; and the peak of the ground's force over the weight that is free, beyond which 1 costs 1."""
FALL, MISSING = 6.0, 30.0
"""A fall, and all of the time after it where that is the whole trial."""
SHORTEST_S = 0.08
"""A state that ends by time lasts no less."""
SETTLE_S, TRIAL_S, AGAIN_S = 2.5, 7.0, 4.5
"""What is not judged, a trial in the first world, and in each further one: on Earth, longer where things fall slowly."""
NOISE = 0.1


@dataclass(frozen=True)
class Walked:
    """How a gait goes: the angles (states, fields of `WEIGHTS`) at the end of each state, their means and spreads [rad], and its
    speed forward [m/s] and a step's time [s] as they would be on Earth and the standard body's legs."""

    mean: np.ndarray
    spread: np.ndarray
    speed_m_s: float
    step_s: float


def walked(take: Take) -> Walked | None:
    """What a take of a pose gait shows once it is under way. None where it is too short for each pose to be seen twice."""
    gait, at = take.shot.motion_as(KeyPoses).gait, take.channels["pose_state"].values.astype(int)
    scale = Scale.of(take.body, take.shot.world.gravity_m_s2)
    slow = scale.time
    rows = [i for i in np.flatnonzero(np.diff(at)) if take.time_s[i] > SETTLE_S * slow]
    found: list[list[list[float]]] = [[] for _ in gait.states]
    for i in rows:
        turns = np.concatenate([take.root_quaternion[i][None], take.joint_quaternions[i]])
        angles = measured(take.body, take.root_position_m[i], turns, gait.cycle[at[i]].swing).angles
        found[at[i] % len(gait.states)].append([angles[name] for name in WEIGHTS])
    after = take.time_s > SETTLE_S * slow
    if any(len(visits) < 2 for visits in found) or after.sum() < 3:
        return None
    ahead = float(take.com_m[after][-1, 0] - take.com_m[after][0, 0])  # trials go straight ahead
    mean, spread = (np.array([part(visits, axis=0) for visits in found]) for part in (np.mean, np.std))
    landed = np.flatnonzero(np.diff([gait.cycle[i].swing == "L" for i in at]))
    step_s = float(np.mean(np.diff(take.time_s[landed][take.time_s[landed] > SETTLE_S * slow]))) / slow
    return Walked(mean, spread, ahead / float(np.ptp(take.time_s[after])) / scale.speed, step_s)


def slow_in(world: World, body: BodySpec) -> float:
    """How many times longer everything takes a body in a world than the standard one on Earth."""
    return Scale.of(make_body(body), world.gravity_m_s2).time


def trials(worlds: Sequence[World], seed: int, body: BodySpec) -> tuple[Shot, ...]:
    """The shots of the cost: starts of a body that are disturbed, in each world; they lack their gait."""
    gait = PoseGait("trial", "trial", "trial", (PoseState(lasts_s=0.3), PoseState()))
    return tuple(Shot(motion=KeyPoses(gait, start="standing"), body=body, world=world, noise=NOISE, seed=seed + i,
                      duration_s=round((AGAIN_S if i else TRIAL_S) * slow_in(world, body), 2)) for i, world in enumerate(worlds))


@dataclass(frozen=True)
class PosesProblem(SingleProblem):
    """Search around the gait `begin` for one that comes to the poses of `drawn`. Unknowns: what each state draws to and how
    long it lasts, in `UNITS`; the gains of all states; how much more speed is asked for. The pelvis comes
    `sag_rad` farther back than it is drawn to, in each state, as was seen of `begin`."""

    drawn: PoseGait
    begin: PoseGait
    shots: tuple[Shot, ...]
    sag_rad: tuple[float, ...] = ()

    bound = 4.0

    @property
    def unknowns(self) -> list[tuple[int, str]]:
        """State and field of those unknowns that are a state's own."""
        return unknowns_of(self.begin, UNITS)

    @property
    def size(self) -> int:
        return len(self.unknowns) + len(GAINS) + 1

    def gait_at(self, x: np.ndarray) -> PoseGait:
        """The gait of the search's unknowns, within the fields' ranges and to three digits behind the point."""
        own = len(self.unknowns)
        changes: list[dict[str, Any]] = [{} for _ in self.begin.states]
        for (i, name), z in zip(self.unknowns, x[:own].tolist(), strict=True):
            low = SHORTEST_S if name == "lasts_s" else -math.inf
            changes[i][name] = held(name, getattr(self.begin.states[i], name) + UNITS[name] * z, low)
        for (name, (unit, low, high)), z in zip(GAINS.items(), x[own:-1].tolist(), strict=True):
            for state, change in zip(self.begin.states, changes, strict=True):
                change[name] = round(min(max(getattr(state, name) + unit * z, low), high), 3)
        sags = self.sag_rad or (0.0,) * len(changes)
        states = tuple(carried(replace(state, **change), wanted, sag)
                       for state, change, wanted, sag in zip(self.begin.states, changes, self.drawn.states, sags, strict=True))
        ahead_m_s = self.begin.ahead_m_s + AHEAD_M_S * float(x[-1])  # within what was found to be of use
        return replace(self.begin, states=states, ahead_m_s=round(min(max(ahead_m_s, -MOST_AHEAD_M_S), MOST_AHEAD_M_S), 3))

    def evaluate(self, x: np.ndarray, limit: float | None = None) -> Evaluation:
        """The cost of the trial in the first world, and of falls in the others, which are left out where it is nobody's best.
        `detail`: `walked` in the first world, or None."""
        return self.judge(self.gait_at(x), limit)

    def judge(self, gait: PoseGait, limit: float | None = None) -> Evaluation:
        take = take_of(self.shots[0].with_motion(gait=gait))
        seen = walked(take)
        cost, done = self.trial_cost(take, seen), 1
        for shot in self.shots[1:]:  # by similarity a gait looks the same there: what counts is whether it stands
            if seen is None or (limit is not None and cost > limit / RACE_MARGIN):
                break
            cost += fall_cost(take_of(shot.with_motion(gait=gait)))
            done += 1
        return Evaluation(cost, cost, done == len(self.shots), {"walked": seen})

    def trial_cost(self, take: Take, seen: Walked | None) -> float:
        """Cost of one trial. One that ends before the poses can be seen costs as if it had fallen at once."""
        if take.fell or take.lost is not None:
            return fall_cost(take)
        if seen is None:
            return FALL + MISSING
        apart = (seen.mean - poses_of(self.drawn)) / APART_RAD
        shows = np.array(list(WEIGHTS.values()))
        cost = float((shows * np.square(apart)).sum(axis=1).mean() / shows.sum())
        cost += float((shows * seen.spread).sum(axis=1).mean() / shows.sum()) / UNSTEADY_RAD
        cost += abs(seen.speed_m_s - self.drawn.speed_m_s) / SPEED_M_S + abs(seen.step_s - step_s_of(self.drawn)) / STEP_S
        peak = float((take.grf_n[:, :, 2].sum(axis=1) / weight_n(take))[take.time_s > 0.3 * take.shot.duration_s].max())
        return cost + max(peak - PEAK_FREE, 0.0)


def fall_cost(take: Take) -> float:
    """Cost of a fall, and none where there is none."""
    if not take.fell and take.lost is None:
        return 0.0
    return FALL + MISSING * (1.0 - min(float(take.time_s[-1]) / take.shot.duration_s, 1.0))


def sag_of(gait: PoseGait, seen: Walked) -> tuple[float, ...]:
    """How far behind what it is drawn to the pelvis of a walking body comes, in each state [rad]."""
    torso = list(WEIGHTS).index("torso")
    return tuple(round(float(seen.mean[i, torso]) - state.torso, 3) for i, state in enumerate(gait.states))


def upright(gait: PoseGait, drawn: PoseGait, seen: Walked) -> PoseGait:
    """The gait with its chest as it was drawn, above a pelvis that leans as was seen."""
    return replace(gait, states=tuple(carried(state, wanted, sag) for state, wanted, sag in zip(
        gait.states, drawn.states, sag_of(gait, seen), strict=True)))


def step_s_of(gait: PoseGait) -> float:
    """How long a step takes by the poses' times [s]: the last pose of a step lasts as long as those before it do in the mean."""
    steps = 1 if gait.symmetric else sum(state.lasts_s is None for state in gait.states)
    timed = [state.lasts_s for state in gait.states if state.lasts_s]
    return sum(timed) / max(len(timed), 1) * len(gait.states) / max(steps, 1)


def poses_of(gait: PoseGait) -> np.ndarray:
    """The angles (states, fields of `WEIGHTS`) [rad] that a gait's states draw to."""
    return np.array([[getattr(state, name) for name in WEIGHTS] for state in gait.states])


EVALUATIONS, MOST_EVALUATIONS = 140, 100000
"""Trials of the search, and the most that may be asked for."""
SEARCHING = "searching for what comes nearest to the poses"
"""What is told while it can be ended with the best so far."""


@dataclass(frozen=True)
class Budget:
    """Evaluations of the search, and minutes after which it ends with the best so far; None for no end. The same seed and
    evaluations give the same gait, where no minutes end it."""

    evaluations: int = EVALUATIONS
    minutes: float | None = None
    seed: int = 0


POPULATION, SIGMA = 10, 0.5
"""Trials of one generation of the search, and its first step."""
TRIED_ALWAYS = 4
"""Mixtures that are tried also where one of them stands already."""
PROOF_S = 30.0
"""So long, on Earth, a gait has to stand before it is given, in each world; longer where things fall slowly."""
SHOWN_RAD = math.radians(3.0)
"""What is less off its pose is not told."""
BEGUN, SEARCHED = 0.08, 0.9
"""Share of the way at which the search begins, and ends."""


@dataclass(frozen=True)
class Made:
    """A gait made of poses: what of them gave, the largest first, and figures: its speed on Earth [m/s], the poses' mean distance
    [degrees], the worlds in which it falls, evaluations, and time of the processor [s]."""

    gait: PoseGait
    gave: list[Given]
    figures: dict[str, Any]


def worlds_tried() -> tuple[World, ...]:
    """Where a gait has to stand: on Earth and on the Moon."""
    return World(), load_world("moon")


def make_gait(drawn: PoseGait, base: PoseGait, budget: Budget | None = None, told: Told | None = None,
              body: BodySpec | None = None) -> Made:
    """The gait nearest to the poses of `drawn` that was found to walk, on the standard body or another; `told(share, words)` may
    raise KeyboardInterrupt, which ends the search with the best so far. Raises InputError where not even the base's legs walk
    under the poses' upper body."""
    budget, worlds, cpu, body = budget or Budget(), worlds_tried(), time.process_time(), body or BodySpec()

    def say(low: float, high: float, share: float, words: str) -> None:
        if told is not None:
            told(low + (high - low) * min(share, 1.0), words)

    searching = until(budget.minutes, lambda share, _: say(BEGUN, SEARCHED, share, SEARCHING))
    shots = trials(worlds, budget.seed, body)
    start, before = begun(drawn, base, shots, lambda share: say(0.0, BEGUN, share, "trying where to begin"))
    problem = PosesProblem(drawn, start, shots, sag_of(start, before.detail["walked"]))
    search = Search(problem, Plan(budget.evaluations // POPULATION, POPULATION, SIGMA, budget.seed), before)
    search.go(searching)
    best = problem.gait_at(search.x) if search.evaluations else start
    last = search.best.detail["walked"]
    found, seen = _proved([*([] if last is None else [upright(best, drawn, last)]), best, start], worlds, body, lambda share: say(
        SEARCHED, 1.0, share, "walking half a minute on Earth and on the Moon"))
    names = [world.name for world, each in zip(worlds, seen, strict=True) if each is None]
    first = next((each for each in seen if each is not None), None)
    gave = [] if first is None else off_poses(drawn, first)
    figures: dict[str, Any] = {
        "falls_on": names, "evaluations": search.evaluations, "cost": round(search.best.cost, 2),
        "cpu_s": round(time.process_time() - cpu, 1), "asked_m_s": drawn.speed_m_s}
    if first is not None:
        figures |= {"speed_m_s": round(first.speed_m_s, 2), "off_deg": round(mean_off_deg(drawn, first), 1)}
        found = at_own_speed(found, first.speed_m_s)
    return Made(found, gave, figures)


def until(minutes: float | None, told: Told | None) -> Told | None:
    """What is told how far a search has come, and ends it after so many minutes."""
    if minutes is None:
        return told
    ends = time.monotonic() + 60.0 * minutes

    def tell(share: float, words: str) -> None:
        if told is not None:
            told(share, words)
        if time.monotonic() > ends:
            raise KeyboardInterrupt  # what a search ends by, with the best so far

    return tell


def begun(drawn: PoseGait, base: PoseGait, shots: tuple[Shot, ...], told: Callable[[float], None]) -> tuple[PoseGait, Evaluation]:
    """The mixture of poses and base that costs least, and its evaluation. Raises InputError where each of them falls at once."""
    problem = PosesProblem(drawn, drawn, shots)
    best: tuple[PoseGait, Evaluation] | None = None
    for i, gait in enumerate(mixed(base, drawn, *start) for start in STARTS):
        told(i / len(STARTS))
        if i >= TRIED_ALWAYS and best is not None and best[1].detail["walked"] is not None:
            break
        found = problem.judge(gait, None if best is None else best[1].cost)
        if best is None or (found.complete and found.cost < best[1].cost):
            best = gait, found
    if best is None or best[1].detail["walked"] is None:
        raise InputError(f"With these poses' upper body not even the legs of the gait {base.name} go: give them less of a "
                         "lean or a reach, or more time from pose to pose.")
    return best


def _proved(gaits: Sequence[PoseGait], worlds: Sequence[World], body: BodySpec,
            told: Callable[[float], None]) -> tuple[PoseGait, list[Walked | None]]:
    """The first gait that stands everywhere, or the one that stands in most worlds, and how it goes in each, None for a fall."""
    tried: list[tuple[PoseGait, list[Walked | None]]] = []
    for i, gait in enumerate(gaits):
        seen: list[Walked | None] = []
        for k, world in enumerate(worlds):
            told((i + k / len(worlds)) / len(gaits))
            take = take_of(Shot(motion=KeyPoses(gait, start="standing"), body=body, world=world,
                                duration_s=round(PROOF_S * slow_in(world, body), 1)))
            seen.append(None if take.fell or take.lost is not None else walked(take))
        tried.append((gait, seen))
        if all(each is not None for each in seen):
            break
    return max(tried, key=lambda one: sum(each is not None for each in one[1]))


def at_own_speed(gait: PoseGait, speed_m_s: float) -> PoseGait:
    """The gait with the speed that it goes at as its own; the feedback asks for the same as before."""
    own = round(speed_m_s, 2)
    return replace(gait, speed_m_s=own, ahead_m_s=round(gait.ahead_m_s + gait.speed_m_s - own, 3))


def off_poses(drawn: PoseGait, seen: Walked) -> list[Given]:
    """How far the walking body is from each pose, joint by joint, the largest first."""
    known, off = settings_of(PoseState), seen.mean - poses_of(drawn)
    given = [Given(i + 1, known[name].words, float(off[i, k]))
             for i in range(len(drawn.states)) for k, name in enumerate(WEIGHTS)]
    return sorted((one for one in given if abs(one.angle_rad) > SHOWN_RAD), key=lambda one: -abs(one.angle_rad))


def mean_off_deg(drawn: PoseGait, seen: Walked) -> float:
    """How far it is from the poses in the mean over their angles [degrees], by how much each shows."""
    shows = np.array(list(WEIGHTS.values()))
    off = np.abs(seen.mean - poses_of(drawn))
    return math.degrees(float((off * shows).sum(axis=1).mean() / shows.sum()))
