# SPDX-License-Identifier: GPL-3.0-or-later
"""From the curves of a clip to a gait that walks: how much of them stands, and with which balance. Curves as they were captured
fall within a second or two: the clip's body is another one, its feet were somewhat elsewhere, and nothing says how it would have
caught itself. Between them and a gait from key poses that walks lie all mixtures of both, part by part; a search goes from the
middle towards the clip, with the gains of the balance. A spring that draws to where a joint comes to lags behind by what the
joint carries: a bent knee under the whole weight by half a radian. So the moments that the motion asks of the standard body are
added: inverse dynamics of its mean cycle, the ground's force under the feet by turns (Yin 2007, section 5.3)."""

from __future__ import annotations

import contextlib
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import mujoco
import numpy as np

from ..bodies.human.landmarks import SIDES
from ..bodies.makers import make_body
from ..bodies.model import build_model
from ..bodies.state import BodyState
from ..locomotion.key_poses.law import OUT, Law
from ..locomotion.key_poses.machine import OTHER, ROW, Along, targets_of
from ..locomotion.key_poses.strength import PoseGaitSettings, Scale
from ..maths.curves import basis_at, coefficients_of
from ..motions.key_poses import ClipCurves
from ..sim.take import Take
from ..specs.motions import KeyPoses
from ..specs.pose_gait import ANGLES, PoseCurves, PoseGait, PoseState
from ..specs.settings import settings_of
from ..specs.shot import EARTH_GRAVITY_M_S2, BodySpec, Push, Shot, World
from .gait_from_poses import Budget, until
from .pose_gait import FALL, MISSING, held, take_of
from .search import Evaluation, Plan, Search, SingleProblem, Told, summed

MOMENT_SAMPLES, MOMENT_HARMONICS = 128, 8
SHIFTED = 0.12
"""Share of the cycle in which the weight goes from the foot behind to the one that has come down: people's double support."""
MOST_NM = 200.0
LIGHTEST = 0.3
"""Under less than this share of the weight the place of the ground's force says nothing (first guess)."""


def with_moments(found: ClipCurves) -> PoseCurves:
    """The curves of a clip with the moments that go with them."""
    body = make_body(BodySpec())
    state = BodyState(body, build_model(body, World()))
    law = Law(state, Scale.of(body, EARTH_GRAVITY_M_S2), PoseGaitSettings())
    curves, phases = found.curves, np.arange(MOMENT_SAMPLES) / MOMENT_SAMPLES
    poses = _poses(found, law, state, phases)
    moments = np.zeros((MOMENT_SAMPLES, len(ANGLES)))
    dt = curves.period_s / MOMENT_SAMPLES
    velocities = np.zeros((MOMENT_SAMPLES, state.model.nv))
    for k in range(MOMENT_SAMPLES):
        before, after = _around(poses, k - 1, found), _around(poses, k + 1, found)
        mujoco.mj_differentiatePos(state.model, velocities[k], 2.0 * dt, before, after)
    accelerations = (np.roll(velocities, -1, axis=0) - np.roll(velocities, 1, axis=0)) / (2.0 * dt)
    for k in range(MOMENT_SAMPLES):
        state.update(poses[k], velocities[k])
        moments[k] = _moments(state, accelerations[k], _weights(curves, phases[k]))
    series = coefficients_of(np.fft.rfft(np.clip(moments, -MOST_NM, MOST_NM), axis=0) / MOMENT_SAMPLES, MOMENT_HARMONICS)
    told = {name: tuple(np.round(row, 1).tolist()) for name, row in zip(ANGLES, series, strict=True)}
    return replace(curves, moments=told)


def _poses(found: ClipCurves, law: Law, state: BodyState, phases: np.ndarray) -> np.ndarray:
    """Poses (N, nq) of the mean cycle, heading along x; the body goes on by its speed."""
    along, curves = Along(found.curves), found.curves
    poses = np.tile(state.model.qpos0, (len(phases), 1))
    for pose, phase in zip(poses, phases, strict=True):
        since_s = (phase - curves.touch_left) % 1.0 * curves.period_s
        angles, turns = along.whole(since_s)
        law.posed(pose, angles, turns, 0.0)
        pose[:3] = [float(basis_at(phase, len(one) // 2) @ one) for one in curves.place]
    poses[:, :2] += np.outer(phases * curves.period_s, [found.speed.real, found.speed.imag])
    return poses


def _around(poses: np.ndarray, k: int, found: ClipCurves) -> np.ndarray:
    """The pose at a place of the cycle, or of the one before or after."""
    cycle, row = divmod(k, len(poses))
    pose = poses[row].copy()
    pose[:2] += cycle * found.curves.period_s * np.array([found.speed.real, found.speed.imag])
    return pose


def _weights(curves: PoseCurves, phase: float) -> dict[str, float]:
    """The share of the ground's force that each foot takes, shifted smoothly to the one that has come down."""
    last = min(("L", "R"), key=lambda side: (phase - (curves.touch_left if side == "L" else curves.touch_right)) % 1.0)
    since = (phase - (curves.touch_left if last == "L" else curves.touch_right)) % 1.0
    share = 0.5 - 0.5 * math.cos(math.pi * min(since / SHIFTED, 1.0))
    return {last: share, OTHER[last]: 1.0 - share}


def _moments(state: BodyState, acceleration: np.ndarray, weights: dict[str, float]) -> np.ndarray:
    """The moments (9,) [N m] of `ANGLES` in the state, each towards more of its angle."""
    model, data = state.model, state.data
    needed = np.zeros(model.nv)
    data.qacc[:] = acceleration
    mujoco.mj_rne(model, data, 1, needed)
    root = data.xmat[1].reshape(3, 3)
    force, about_root = needed[:3].copy(), root @ needed[3:6]
    place = data.xpos[1]
    ground_z = float(state.contact_point_m[:, 2].min())
    pressed = place[:2].copy()
    if force[2] > LIGHTEST * state.mass_kg * EARTH_GRAVITY_M_S2:
        up = place[2] - ground_z
        pressed -= np.array([up * force[0] + about_root[1], up * force[1] - about_root[0]]) / force[2]
    for side, weight in weights.items():
        if weight > 0.0:
            jacobian = np.zeros((3, model.nv))
            segment = state.frame(f"foot_{side}").id
            mujoco.mj_jac(model, data, jacobian, None, _under(state, side, pressed, ground_z), segment)
            needed -= jacobian.T @ (weight * force)
    return _moments_told(state, needed, weights)


def _under(state: BodyState, side: str, pressed: np.ndarray, ground_z: float) -> np.ndarray:
    """The place (3,) of a foot's contact points' box that is nearest to where the ground presses (2,)."""
    rows = [i for i, point in enumerate(state.body.contact_points) if point.side == side]
    foot = state.frame(f"foot_{side}")
    local = (state.contact_point_m[rows] - foot.position) @ foot.matrix
    wanted = (np.append(pressed, ground_z) - foot.position) @ foot.matrix
    within = np.clip(wanted, local.min(axis=0), local.max(axis=0))
    return foot.position + foot.matrix @ within


def _moments_told(state: BodyState, needed: np.ndarray, weights: dict[str, float]) -> np.ndarray:
    """Generalised forces (nv,) as moments of `ANGLES`."""
    found, model, root = np.zeros(len(ANGLES)), state.model, state.data.xmat[1].reshape(3, 3)
    both = np.zeros(3)
    for side in SIDES:
        thigh = int(model.joint(f"thigh_{side}").dofadr[0])
        hip = needed[thigh:thigh + 3]
        both += state.frame(f"thigh_{side}").matrix @ hip
        free = 1.0 - weights[side]
        found[ROW[f"hip_{side}"]], found[ROW[f"outward_{side}"]] = -free * hip[1], free * OUT[side] * hip[0]
        found[ROW[f"knee_{side}"]] = -needed[int(model.joint(f"shank_{side}").dofadr[0])]
        found[ROW[f"ankle_{side}"]] = -needed[int(model.joint(f"foot_{side}").dofadr[0]) + 1]
    found[ROW["torso"]] = (root.T @ both)[1]  # what holds the trunk is what both hips take, the other way round
    return found


LEGS = {"hip": "thighs", "outward": "thighs", "knee": "knees", "ankle": "ankles", "torso": "trunk"}
ARMS = ("clavicle", "upper_arm", "forearm", "hand")
PARTS = ("thighs", "knees", "ankles", "trunk", "spine", "arms", "time", "moments")
"""What is mixed by a share of its own."""
MIDDLE, SHARE_UNIT = 0.6, 0.2
UNITS = {"cd": 0.15, "cv": 0.08, "cd_outward": 0.15, "cv_outward": 0.08, "swing_hip": 0.08, "swing_hip_outward": 0.03,
         "swing_knee": 0.12, "ankle_cd": 0.1, "ankle_cv": 0.06}
"""What one unit of the search stands for, of both legs alike [rad, rad/m, rad s/m]."""
BENT_RAD = -0.12
"""The swinging knee is bent by so much more to begin with: feet that were captured pass close over the ground."""
AHEAD_UNIT = 0.2
LACKING, STRAYING, SPEED = 2.0, 0.02, 2.0
"""Penalties: of the mean squared share that is lacking, of the squared distance from the gains that are usual, and of the mean
speed's error [s/m]."""
TRIAL_S = 6.0
TRIALS = ((0.0, 0, (50.0, 50.0, 0.0)), (0.1, 1, (-50.0, 0.0, 0.0)), (0.1, 2, (0.0, -50.0, 0.0)))
"""The trials: noise at the start, its seed, and a push [N] on the way: what only just goes from one start does not stand."""
PUSHED_S, PUSH_S = 3.5, 0.2
OFF_M_S = 0.35
"""A gait that is off its speed by more does not go."""
LAST_S, LAST = 30.0, ((0.0, 0), (0.1, 3), (0.1, 4))
"""The trials that tell whether it stands: their length, and the noise at their starts and its seeds."""
SAMPLES, HARMONICS, LANDS, RAMP = 256, 8, 0.82, 0.07
"""The base's poses over the cycle: when its leg is stretched for the ground, as a share of its step, and how long targets take to
come there, as a share of the cycle."""
STANDING_RAD = -0.2
"""Where a standing thigh is that a gait from key poses draws to nothing: somewhat behind."""
ENOUGH = 0.35
LADDER = (1.0, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3)
CLIMBS = (0.25, 0.15)
"""Shares of the whole clip that are tried, and by how much more of each part then."""
CLIMB = len(LADDER) + len(CLIMBS) * len(PARTS)
GIVES_RAD = math.radians(1.0)

POPULATION, SIGMA = 12, 0.7
"""Trials of one generation of the search, and its first step."""


def gait_along(found: ClipCurves, name: str, source: str) -> PoseGait:
    """The gait of a clip's curves as they are, with the moments that go with them."""
    sideways = found.speed.imag if abs(found.speed.imag) > abs(found.speed.real) * math.tan(math.radians(15.0)) else 0.0
    return PoseGait(name=name, summary=f"Along the curves of {found.cycles:g} cycles", source=source, symmetric=False,
                    states=(PoseState(swing="R"), PoseState(swing="L")), speed_m_s=round(found.speed.real, 3),
                    sideways_m_s=round(sideways, 3), curves=with_moments(found))


def mixed(gait: PoseGait, base: PoseGait, shares: Mapping[str, float]) -> PoseGait:
    """The gait whose curves lie between a base's poses, laid over its steps, and its own."""
    curves, poses = gait.curves, _laid(base, gait)
    assert curves is not None
    angles = {}
    for name, own in zip(ANGLES, poses, strict=True):
        angles[name] = _told(own + shares[LEGS[name.split("_")[0]]] * (_padded(curves.angles[name]) - own))
    turns = {}
    for name, three in curves.turns.items():
        part = "trunk" if name == "pelvis" else "arms" if name.startswith(ARMS) else "spine"
        turns[name] = tuple(_told(shares[part] * np.array(one)) for one in three)
    period = 2.0 * (sum(state.lasts_s or 0.0 for state in base.cycle if state.swing == "R") / LANDS)  # its last state waits
    return replace(gait, curves=PoseCurves(
        round(period + shares["time"] * (curves.period_s - period), 4), angles, turns, curves.touch_left, curves.touch_right,
        curves.place, {name: tuple(np.round(shares["moments"] * np.array(one), 1).tolist())
                       for name, one in curves.moments.items()}))


def _laid(base: PoseGait, gait: PoseGait) -> np.ndarray:
    """Coefficients (9, 2 H + 1) of a base's poses over the cycle of a gait, each leg's from where the other foot comes down."""
    curves = gait.curves
    assert curves is not None
    values = np.zeros((SAMPLES, len(ANGLES)))
    phases = np.arange(SAMPLES) / SAMPLES
    for leg in "RL":
        states = [targets_of(state) for state in base.cycle if state.swing == leg]
        first, last = (np.nan_to_num(one, nan=STANDING_RAD) for one in (states[0], states[-1]))
        begins, takes = curves.begins(leg)
        since = (phases - begins) % 1.0
        values[since < takes] = last
        values[since < LANDS * takes] = first
    values[:, [ANGLES.index("outward_L"), ANGLES.index("outward_R")]] = 0.0
    kernel = np.hanning(round(RAMP * SAMPLES) + 2)
    spectrum = np.fft.rfft(values, axis=0) * np.fft.rfft(kernel / kernel.sum(), SAMPLES)[:, None]
    return coefficients_of(spectrum / SAMPLES, HARMONICS)


def _padded(series: tuple[float, ...]) -> np.ndarray:
    """Coefficients (2 H + 1,) with zeros for the harmonics that a series lacks."""
    h, found = len(series) // 2, np.zeros(2 * HARMONICS + 1)
    found[:h + 1], found[HARMONICS + 1:HARMONICS + 1 + h] = series[:h + 1], series[h + 1:]
    return found


def _told(series: np.ndarray) -> tuple[float, ...]:
    return tuple(np.round(series, 4).tolist())


@dataclass(frozen=True)
class CurvesProblem(SingleProblem):
    """Search of shares, gains and the speed that is asked for, on Earth, from a disturbed start."""

    gait: PoseGait
    base: PoseGait
    body: BodySpec = field(default_factory=BodySpec)

    bound = 3.0

    @property
    def size(self) -> int:
        """Number of unknowns: the shares, both legs' gains and offsets, and how much more speed is asked for."""
        return len(PARTS) + len(UNITS) + 1

    def shares(self, x: np.ndarray) -> dict[str, float]:
        return {name: round(min(max(MIDDLE + SHARE_UNIT * z, 0.0), 1.0), 3) for name, z in zip(PARTS, x.tolist(), strict=False)}

    def gait_at(self, x: np.ndarray) -> PoseGait:
        known, changed = settings_of(PoseState), dict[str, Any]()
        for (name, unit), z in zip(UNITS.items(), x[len(PARTS):-1].tolist(), strict=True):
            changed[name] = held(name, known[name].default + (BENT_RAD if name == "swing_knee" else 0.0) + unit * z)
        made = mixed(self.gait, self.base, self.shares(x))
        return replace(made, states=tuple(replace(state, **changed) for state in made.states),
                       ahead_m_s=round(self.gait.ahead_m_s + AHEAD_UNIT * float(x[-1]), 3))

    def evaluate(self, x: np.ndarray, limit: float | None = None) -> Evaluation:
        lacking = [1.0 - share for share in self.shares(x).values()]
        first = LACKING * float(np.mean(np.square(lacking))) + STRAYING * float(np.square(x[len(PARTS):]).sum())
        gait = self.gait_at(x)
        cost, costs = summed(first, TRIALS, limit, lambda trial: _trial_cost(gait, self.body, trial) / len(TRIALS))
        return Evaluation(cost, cost, len(costs) == len(TRIALS))


def _trial_cost(gait: PoseGait, body: BodySpec, trial: tuple[float, int, tuple[float, float, float]]) -> float:
    """Cost of a gait in one of `TRIALS`."""
    noise, seed, force = trial
    return take_cost(take_of(Shot(motion=KeyPoses(gait, start="standing"), body=body, duration_s=TRIAL_S, noise=noise, seed=seed,
                                  pushes=(Push(PUSHED_S, PUSH_S, force),))))


def stands(gait: PoseGait, body: BodySpec) -> bool:
    """Whether a body stands in every one of the last trials of a gait."""
    takes = (take_of(Shot(motion=KeyPoses(gait, start="standing"), body=body, duration_s=LAST_S, noise=noise, seed=seed))
             for noise, seed in LAST)
    return not any(take.fell or take.lost is not None for take in takes)


def take_cost(take: Take) -> float:
    """A fall by the time that is missing, and the mean speed's error once it is under way."""
    gait, ends = take.shot.motion_as(KeyPoses).gait, float(take.time_s[-1])
    cost = FALL + MISSING * (1.0 - min(ends / TRIAL_S, 1.0)) if take.fell or take.lost is not None else 0.0
    rows = take.time_s > 0.3 * ends
    if rows.sum() < 3:
        return cost
    faster = Scale.of(take.body, take.shot.world.gravity_m_s2).speed
    way = take.com_m[rows][-1, :2] - take.com_m[rows][0, :2]
    off = way / float(np.ptp(take.time_s[rows])) / faster - [gait.speed_m_s, gait.sideways_m_s]
    return cost + SPEED * float(np.hypot(*off))


def nearest_along(gait: PoseGait, base: PoseGait, budget: Budget, told: Told | None = None,
                  body: BodySpec | None = None) -> tuple[PoseGait, list[str], dict[str, Any]]:
    """The gait nearest to a clip's curves that was found, on the standard body or another, what had to give, in words, and the
    search's figures: whether it `stands` in every trial among them."""
    plan = Plan(math.ceil(budget.evaluations / POPULATION), POPULATION, SIGMA, budget.seed, until=ENOUGH)
    problem, tell = CurvesProblem(gait, base, body=body or BodySpec()), until(budget.minutes, told)
    tried, x = 0, np.zeros(problem.size)
    with contextlib.suppress(KeyboardInterrupt):
        for tried, (share, tried_x, goes) in enumerate(climb(problem), 1):
            x = tried_x if goes else x
            if tell is not None:
                tell(min(tried / CLIMB, 1.0), f"{share:.0%} of the clip")
            if tried >= budget.evaluations:
                break
    if not x.any() and budget.evaluations > tried:  # nothing stood: other gains, other shares
        search = Search(problem, plan, problem.evaluate(x))
        search.go(tell)
        x, tried = search.x, tried + 1 + search.evaluations
    best = problem.gait_at(x)
    return best, what_gave(gait, best), {"stands": stands(best, problem.body), "trials": tried, "shares": problem.shares(x)}


def climb(problem: CurvesProblem) -> Iterator[tuple[float, np.ndarray, bool]]:
    """Shares of the clip that are tried with the usual gains, each with the search's unknowns and whether it goes: first of all
    parts alike, from the whole clip down to the first share that stands; then of part after part, upward."""
    x = np.zeros(problem.size)
    for share in LADDER:
        x[:len(PARTS)] = (share - MIDDLE) / SHARE_UNIT + 1e-9  # no zero, which stands for nothing found
        goes = _goes(problem.gait_at(x), problem.body)
        yield share, x.copy(), goes
        if goes:
            break
    else:
        return
    for up in CLIMBS:
        for i in range(len(PARTS)):
            higher = x.copy()
            higher[i] = min(x[i] + up / SHARE_UNIT, (1.0 - MIDDLE) / SHARE_UNIT)
            if higher[i] <= x[i]:
                continue
            goes = _goes(problem.gait_at(higher), problem.body)
            yield MIDDLE + SHARE_UNIT * float(np.mean(higher[:len(PARTS)])), higher, goes
            if goes:
                x = higher


def _goes(gait: PoseGait, body: BodySpec) -> bool:
    """Whether a body stands in every trial of a gait, and goes about as fast as is wished."""
    return all(_trial_cost(gait, body, trial) < SPEED * OFF_M_S for trial in TRIALS)


def what_gave(clip: PoseGait, found: PoseGait) -> list[str]:
    """By how much the curves of a gait are off a clip's, part by part, the largest first."""
    assert clip.curves is not None and found.curves is not None
    off: dict[str, float] = {}
    for name in ANGLES:
        part = LEGS[name.split("_")[0]]
        away = _padded(found.curves.angles[name]) - _padded(clip.curves.angles[name])
        off[part] = max(off.get(part, 0.0), math.hypot(away[0], math.sqrt(0.5) * float(np.linalg.norm(away[1:]))))
    told = [f"{part} by {math.degrees(angle):.0f} degrees" for part, angle in sorted(off.items(), key=lambda one: -one[1])
            if angle > GIVES_RAD]
    longer = found.curves.period_s / clip.curves.period_s - 1.0
    return told + ([f"time by {longer:+.0%}"] if abs(longer) > 0.01 else [])
