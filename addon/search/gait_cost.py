# SPDX-License-Identifier: GPL-3.0-or-later
"""What a simulated gait costs: how far it is from its reference motion, from itself a stride later, and whether it falls (Kim
2017, eq. 16 and 17), with the penalty per frame after a fall of Lee et al. 2014 ("Locomotion control for many-muscle humanoids");
optionally what it spends, and what hurts (Lee 2014, chapter 4: contact force and muscle force in the objective). All terms are
without unit and similar under any gravity."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field

import numpy as np

from ..bodies.body import Body
from ..bodies.kinematics import centre_of_mass, segment_poses
from ..bodies.muscles.conditioned import pain_weights
from ..bodies.of_shot import muscles_of
from ..errors import unknown_name
from ..maths.rotations import quat_conjugate, quat_multiply, quat_rotate, rotvec_from_quat
from ..motions.cycle import Cycle, pose
from ..reports.effort import FORCE
from ..reports.feet import stance_slips
from ..reports.needs import cost_of_transport
from ..reports.strides import LEFT, STRIKE, end_of_walking_s, sample_lengths_s, shortest_phase_s, strikes_s, weight_n
from ..sim.take import Take


def pain_term(take: Take, rows: np.ndarray) -> float | None:
    """Mean square of what hurts over samples (T,) bool, weighed by how much: each sore foot's force over the weight, each sore
    muscle's over its greatest. None of a take in which nothing hurts, or of one without muscles."""
    shot = take.shot
    if shot.condition is None or shot.actuation is None or FORCE not in take.channels or not rows.any():
        return None
    muscles = muscles_of(shot, take.body)
    pain = pain_weights(muscles, shot.condition)
    if not pain.any:
        return None
    force = take.channels[FORCE].values[rows] / muscles.max_force_n
    feet = np.array([pain.foot.get(foot.side, 0.0) for foot in take.body.feet])
    load = np.linalg.norm(take.grf_n[rows], axis=2) / weight_n(take)[rows, None]
    return float(((force**2) @ pain.muscle + (load**2) @ feet).mean() / (pain.muscle.sum() + feet.sum()))


STRIDE_FRAMES = 50
"""Frames of a stride that are compared with the next stride's: N_s of eq. 17."""
CONTACT_SHARE = 0.06
"""Share of a stride around a strike in which its peak of joint acceleration is looked for."""
TRACKING_TOLERANCE = 0.05
"""Relative error of speed or stride frequency that costs as much as one untuned term."""
TYPICAL = {"pose": 1e-3, "stride": 5e-5, "effort": 1e-3, "slip": 7e-3, "smooth": 20.0, "speed": 1.0,
           "transport": 0.5, "pain": 0.1}
"""Size of each term in the untuned walk on Earth: the measure of a term that the untuned gait fell too early to have. The
error of speed and frequency is always measured by its tolerance."""


@dataclass(frozen=True)
class CostWeights:
    """Weights of the terms, each over its untuned value (the thesis prints none; E_pd and E_sd count alike), and the penalty
    for falling at once; a later fall, or the engine's loss of the simulation, costs the fraction of frames that are missing."""

    pose: float = 1.0
    stride: float = 1.0
    fall: float = 10.0
    effort: float = 0.0
    slip: float = 0.25
    smooth: float = 0.25
    speed: float = 0.25
    transport: float = 0.0
    pain: float = 0.0


@dataclass(frozen=True)
class Terms:
    """The terms of one take; `values` holds None for one that the take is too short for, or that is no number in a
    simulation that the engine lost. `stood` is the fraction of the asked time before a fall or the loss."""

    values: Mapping[str, float | None] = field(default_factory=dict)
    stood: float = 1.0

    def total(self, reference: Terms, weights: CostWeights) -> float:
        """The cost. A term without a value counts as untuned: the fall that took it away has its own penalty."""
        penalty = asdict(weights)
        cost = penalty.pop("fall") * (1.0 - self.stood)
        for name, weight in penalty.items():
            value, unit = self.values.get(name), reference.values.get(name) if name != "speed" else None
            unit = unit if unit else TYPICAL[name]
            cost += weight * (1.0 if value is None else value / unit)
        return cost


def terms_of(take: Take, cycle: Cycle, asked_s: float) -> Terms:
    """All terms of a take of a gait whose reference motion is `cycle`, of which `asked_s` seconds were asked for."""
    end_s = end_of_walking_s(take)
    strikes = strikes_s(take, LEFT)
    strikes = strikes[(strikes > shortest_phase_s(take)) & (strikes <= end_s)]  # a take begins in a stance that may chatter
    up = take.time_s <= end_s
    values = dict.fromkeys(TYPICAL)
    values["effort"] = _effort(take, up)
    if len(strikes):
        cloud = point_cloud(take.body, *take.segment_poses)[up]
        values["pose"] = _pose_term(take, cycle, strikes, cloud, up)
        values["stride"] = _stride_term(take.time_s[up], strikes, cloud)
        values["slip"] = float(np.mean([s.slip_m for s in stance_slips(take)])) / take.body.leg_length_m
        values["smooth"] = _smooth_term(take, up)
        values["speed"] = _speed_term(take, strikes)
        values["transport"] = _transport_term(take, up & (take.time_s >= strikes[0]))
    values["pain"] = pain_term(take, up)
    measured = {name: value if value is not None and np.isfinite(value) else None for name, value in values.items()}
    return Terms(measured, min(end_s / asked_s, 1.0) if take.fell or take.lost else 1.0)


def point_cloud(body: Body, positions: np.ndarray, orientations: np.ndarray) -> np.ndarray:
    """Points (T, 2 S, 3) over leg length, relative to the centre of mass: each segment's joint and far end, from its joint
    (T, S, 3) and orientation (T, S, 4)."""
    ends = positions + quat_rotate(orientations, np.array([s.tip for s in body.segments]))
    com = centre_of_mass(body, positions, orientations)
    return (np.concatenate([positions, ends], axis=1) - com[:, None]) / body.leg_length_m


def pose_distance(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Mean squared distances (T,) of two point clouds (T, N, 3) turned about the vertical so that they fit best: d_pose of Kim
    2017, eq. 16 (Kovar, Gleicher and Pighin 2002 solve it in closed form). Their centres of mass lie on each other."""
    along = (a[..., :2] * b[..., :2]).sum(axis=(1, 2))
    across = (a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0]).sum(axis=1)
    upright = (a[..., 2] * b[..., 2]).sum(axis=1)
    squares = (a**2).sum(axis=(1, 2)) + (b**2).sum(axis=(1, 2))
    return np.maximum(squares - 2.0 * (np.hypot(along, across) + upright), 0.0) / a.shape[1]


def phases_of(time_s: np.ndarray, strikes: np.ndarray, frequency_hz: float) -> np.ndarray:
    """Strides (T,) since the first of the left strikes (K,), whole numbers at the strikes; beyond them as the frequency."""
    phases = np.interp(time_s, strikes, np.arange(len(strikes)))
    before, after = np.minimum(time_s - strikes[0], 0.0), np.maximum(time_s - strikes[-1], 0.0)
    return phases + frequency_hz * (before + after)


def _pose_term(take: Take, cycle: Cycle, strikes: np.ndarray, cloud: np.ndarray, up: np.ndarray) -> float:
    """Eq. 16 as a mean: distance from the reference motion, warped in time so that it strikes when the take does."""
    phases = phases_of(take.time_s[up], strikes, take.stats["planned_stride_frequency_hz"])
    channels = cycle.evaluate(phases + cycle.contact_phases["L"].strike)
    reference = point_cloud(take.body, *segment_poses(take.body, *pose(channels, take.body)))
    return float(pose_distance(cloud, reference).mean())


def _stride_term(time_s: np.ndarray, strikes: np.ndarray, cloud: np.ndarray) -> float | None:
    """Eq. 17 as a mean: distance of each whole stride from the next, at the same shares of both."""
    if len(strikes) < 3:
        return None
    shares = np.arange(STRIDE_FRAMES) / STRIDE_FRAMES
    moments = strikes[:-1, None] + shares * np.diff(strikes)[:, None]
    flat = cloud.reshape(len(cloud), -1)
    rows = np.searchsorted(time_s, moments.ravel()).clip(1, len(time_s) - 1)
    part = ((moments.ravel() - time_s[rows - 1]) / (time_s[rows] - time_s[rows - 1]))[:, None]
    frames = ((1.0 - part) * flat[rows - 1] + part * flat[rows]).reshape(len(strikes) - 1, STRIDE_FRAMES, -1, 3)
    return float(pose_distance(frames[:-1].reshape(-1, *frames.shape[2:]), frames[1:].reshape(-1, *frames.shape[2:])).mean())


def _effort(take: Take, up: np.ndarray) -> float:
    """Mean square of the joint torques over weight times leg length."""
    unit = take.body.mass_kg * take.shot.world.gravity_m_s2 * take.body.leg_length_m
    return float(np.mean((take.torque_nm[up] / unit) ** 2))


def _transport_term(take: Take, rows: np.ndarray) -> float | None:
    """What a metre costs over gravity: joules over weight and metre."""
    cost = cost_of_transport(take, rows)
    return None if cost is None else cost / take.shot.world.gravity_m_s2


def _smooth_term(take: Take, up: np.ndarray) -> float | None:
    """Mean over the strikes of the peak of joint acceleration near them (root mean square over joints), over g / l."""
    time, joints = take.time_s[up], take.joint_quaternions[up]
    if len(time) < 3:
        return None
    turn = rotvec_from_quat(quat_multiply(quat_conjugate(joints[:-1]), joints[1:]))
    rates = turn / sample_lengths_s(time)[1:, None, None]
    size = np.sqrt((np.diff(rates, axis=0) ** 2).sum(axis=2).mean(axis=1)) / np.diff(time)[1:]
    near = CONTACT_SHARE / take.stats["planned_stride_frequency_hz"]
    strikes = take.event_time_s[(take.event_kind == STRIKE) & (take.event_time_s <= time[-2])]
    peaks = [size[np.abs(time[1:-1] - strike) <= near].max(initial=0.0) for strike in strikes]
    unit = take.shot.world.gravity_m_s2 / take.body.leg_length_m
    return float(np.mean(peaks)) / unit if peaks else None


def _speed_term(take: Take, strikes: np.ndarray) -> float | None:
    """Squares of the relative errors of speed and stride frequency over whole strides, over the tolerance's."""
    if len(strikes) < 2:
        return None
    rows = np.searchsorted(take.time_s, strikes).clip(max=len(take.time_s) - 1)
    way = np.linalg.norm(np.diff(take.com_m[rows, :2], axis=0), axis=1).sum()
    spent = strikes[-1] - strikes[0]
    speed = way / spent / take.stats["planned_speed_m_s"] - 1.0
    frequency = (len(strikes) - 1) / spent / take.stats["planned_stride_frequency_hz"] - 1.0
    return float(speed**2 + frequency**2) / TRACKING_TOLERANCE**2


GAIT, EFFORT, EASE = "gait", "effort", "ease"
OBJECTIVES: Mapping[str, CostWeights] = {
    GAIT: CostWeights(),
    EFFORT: CostWeights(pose=0.25, stride=0.5, transport=4.0),
    EASE: CostWeights(pose=0.25, stride=0.5, transport=2.0, pain=4.0),
}
"""By name. "gait": near to the reference motion and even; "effort": what a metre costs, by the metabolic rate of muscles where
they move the body, else by the joints' work (`reports/needs.py`), which then counts four times as much as the gait's look (first
guess); "ease": the same with what hurts in a condition, which counts as much (Lee 2014)."""


def weights_for(objective: str) -> CostWeights:
    """The weights of an objective. Raises InputError naming the nearest for an unknown one."""
    if objective not in OBJECTIVES:
        raise unknown_name("objective", objective, OBJECTIVES)
    return OBJECTIVES[objective]
