# SPDX-License-Identifier: GPL-3.0-or-later
"""Search for the gait that comes nearest to key poses as they were drawn, and walks, on Earth and on the Moon.

What a joint is drawn to is not where it comes to: springs give, the balance turns the swinging leg, and steps end when the foot
is down. So the distance from a pose is measured on the body as it walks, at the end of the pose's state, and what the states draw
to is free.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ..bodies.makers import make_body
from ..controllers.pose_gait.strength import Scale
from ..motions.key_poses import measured
from ..reports.weight import weight_n
from ..specs.pose_gait import CONTROLLERS, PoseGait, PoseState
from ..specs.settings import settings_of
from ..specs.shot import BodySpec, Shot, World
from ..take import Take
from .from_poses import carried
from .pose_gait import run
from .search import RACE_MARGIN
from .trial import Evaluation

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
    gait, at = take.shot.pose_gait, take.channels["pose_state"].values.astype(int)
    if gait is None:
        return None
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
    return tuple(Shot(pose_gait=gait, controller=CONTROLLERS[0], start="standing", body=body, world=world, noise=NOISE,
                      seed=seed + i, duration_s=round((AGAIN_S if i else TRIAL_S) * slow_in(world, body), 2))
                 for i, world in enumerate(worlds))


@dataclass(frozen=True)
class PosesProblem:
    """Search around the gait `start` for one that comes to the poses of `drawn`. Unknowns: what each state draws to and how
    long it lasts, in `UNITS`; the gains of all states; how much more speed is asked for. The pelvis comes
    `sag_rad` farther back than it is drawn to, in each state, as was seen of `start`."""

    drawn: PoseGait
    start: PoseGait
    shots: tuple[Shot, ...]
    sag_rad: tuple[float, ...] = ()
    bound: float = 4.0

    @property
    def unknowns(self) -> list[tuple[int, str]]:
        """State and field of those unknowns that are a state's own."""
        return [(i, name) for i, state in enumerate(self.start.states) for name in UNITS if not (
            name == "lasts_s" and not state.lasts_s)]

    @property
    def size(self) -> int:
        """Number of unknowns."""
        return len(self.unknowns) + len(GAINS) + 1

    def gait_at(self, x: np.ndarray) -> PoseGait:
        """The gait of the search's unknowns, within the fields' ranges and to three digits behind the point."""
        own = len(self.unknowns)
        changes: list[dict[str, Any]] = [{} for _ in self.start.states]
        for (i, name), z in zip(self.unknowns, x[:own].tolist(), strict=True):
            changes[i][name] = held(name, getattr(self.start.states[i], name) + UNITS[name] * z)
        for (name, (unit, low, high)), z in zip(GAINS.items(), x[own:-1].tolist(), strict=True):
            for state, change in zip(self.start.states, changes, strict=True):
                change[name] = round(min(max(getattr(state, name) + unit * z, low), high), 3)
        sags = self.sag_rad or (0.0,) * len(changes)
        states = tuple(carried(replace(state, **change), wanted, sag)
                       for state, change, wanted, sag in zip(self.start.states, changes, self.drawn.states, sags, strict=True))
        return replace(self.start, states=states, ahead_m_s=ahead_held(self.start.ahead_m_s + AHEAD_M_S * float(x[-1])))

    def evaluate(self, x: np.ndarray, limit: float | None = None) -> Evaluation:
        """The cost of the trial in the first world, and of falls in the others, which are left out where it is nobody's best.
        `detail`: `walked` in the first world, or None."""
        return self.judge(self.gait_at(x), limit)

    def judge(self, gait: PoseGait, limit: float | None = None) -> Evaluation:
        """The same of any gait."""
        take = run(replace(self.shots[0], pose_gait=gait))
        seen = walked(take)
        cost, done = self.trial_cost(take, seen), 1
        for shot in self.shots[1:]:  # by similarity a gait looks the same there: what counts is whether it stands
            if seen is None or (limit is not None and cost > limit / RACE_MARGIN):
                break
            cost += fall_cost(run(replace(shot, pose_gait=gait)))
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


def held(name: str, value: float) -> float:
    """A state's value within its range."""
    told = settings_of(PoseState)[name]
    low, high = (-math.inf if told.low is None else told.low), (math.inf if told.high is None else told.high)
    return round(min(max(value, 0.08 if name == "lasts_s" else low), high), 3)


def ahead_held(value: float) -> float:
    """How much more speed is asked for, within what was found to be of use."""
    return round(min(max(value, -MOST_AHEAD_M_S), MOST_AHEAD_M_S), 3)
