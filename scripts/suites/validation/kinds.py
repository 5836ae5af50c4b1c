# SPDX-License-Identifier: GPL-3.0-or-later
"""What can be done with a case: walk a shot and measure it, find the largest push survived, or compare with the norms.

Each function gives plain JSON values. A shot that Lope refuses, or that breaks it, is told in a sentence.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from dataclasses import dataclass, replace
from math import cos, radians, sin
from pathlib import Path
from typing import Any

import numpy as np

from lope.addon.errors import LopeError
from lope.addon.maths.rotations import matrix_from_quat, plane_angle, quat_conjugate, quat_multiply, rotvec_from_quat
from lope.addon.reports.feet import flights
from lope.addon.reports.measures import measure, measure_gait
from lope.addon.reports.norms import curves_of_take, scores
from lope.addon.reports.strides import known_strides
from lope.addon.sim.simulation import preview, simulate
from lope.addon.sim.take import Take
from lope.addon.specs.shot import Push, Shot
from lope.addon.worlds.planets import load_world

from .case import ROOT, Case

PUSH_S = 0.2
BEFORE_STRIDES, AFTER_STRIDES, AFTER_S = 2, 4, 6.0


def run(job: tuple[str, Case], folder: Path, version: str) -> dict[str, Any]:
    """The result of a (key, case): `stood`, `error` (a sentence or None) and what its kind adds. Takes go to `folder`."""
    key, case = job
    start = time.process_time()
    result = {"key": key, "version": version, "name": case.name, "kind": case.kind, "stood": False, "error": None}
    try:
        result |= KINDS[case.kind](case, folder / f"{key}.npz")
    except LopeError as error:
        result["error"] = str(error).replace(f"{ROOT.parent}/", "")
    except Exception as error:  # a fault in one case must not cost the others' results
        result["error"] = f"A fault in Lope ({type(error).__name__}: {error})."
    return result | {"cpu_s": round(time.process_time() - start, 2)}


def walk(case: Case, path: Path) -> dict[str, Any]:
    """Simulate and measure."""
    take = simulate(case.shot)
    return _measured(take, case, path)


def norms(case: Case, path: Path) -> dict[str, Any]:
    """Simulate, measure, and the mean standard scores of hip, knee and ankle."""
    take = simulate(case.shot)
    found = scores(curves_of_take(take), Path(case.options["norms"]))
    return {**_measured(take, case, path), "scores": {joint: score.sd for joint, score in found.items()},
            "adult_deg": {joint: score.adult_deg for joint, score in found.items()}}


def push(case: Case, path: Path) -> dict[str, Any]:
    """The largest of `levels_m_s` (impulse over mass, ascending) after which the character still stands.

    The level at `first` is tried first; then the interval between the largest that stood and the smallest that fell is
    halved, which takes it that who falls at one level falls at all greater ones.
    """
    levels = case.options["levels_m_s"]
    stood, fell = -1, len(levels)
    tried = {}
    at = case.options["first"]
    while True:
        tried[str(levels[at])] = survives = not simulate(pushed(case.shot, case.options, levels[at])).fell
        stood, fell = (at, fell) if survives else (stood, at)
        if fell - stood == 1:
            return {"stood": True, "survived_m_s": levels[stood] if stood >= 0 else 0.0, "tried": tried}
        at = (stood + fell) // 2


def pushed(shot: Shot, options: dict, level_m_s: float) -> Shot:
    """The shot with a push of that impulse over mass at a phase of the planned cycle, towards a direction (90 is left)."""
    stride_s = 1.0 / preview(shot).stride_frequency_hz
    start = (BEFORE_STRIDES + options["phase"]) * stride_s
    force, angle = level_m_s * shot.body.mass_kg / PUSH_S, radians(options["direction_deg"])
    blow = Push(start, PUSH_S, (force * cos(angle), force * sin(angle), 0.0))
    return replace(shot, pushes=(blow,), duration_s=start + PUSH_S + max(AFTER_S, AFTER_STRIDES * stride_s))


def poses(case: Case, path: Path) -> dict[str, Any]:
    """Simulate the shot and the same on the Earth; how far their poses are apart at equal phase [deg]."""
    takes = [simulate(replace(case.shot, world=load_world(name))) for name in (case.shot.world.name, "earth")]
    return {**_measured(takes[0], case, path), "gaits": [take.shot.motion.name for take in takes],
            "apart_deg": pose_distance_deg(*takes)}


def efforts(case: Case, path: Path) -> dict[str, Any]:
    """Simulate the shot by both gait laws; the effort of each, with the gait that people choose by name."""
    found, first = {}, None
    for law in ("people", "similar"):
        take = simulate(case.shot.with_motion(law=law))
        first = first or take
        cost = effort(take)
        found[law] = {"cost_j_kg_m": cost.cost_j_kg_m, "speed_m_s": cost.speed_m_s, "gait": take.shot.motion.name}
    return {**_measured(first, case, path), "efforts": found}


def bench(case: Case, path: Path) -> dict[str, Any]:
    """Processor time of the whole simulation over bare steps of 1 ms, from scripts/bench."""
    done = subprocess.run([sys.executable, ROOT / "scripts" / "bench", "--json", "--seconds", str(case.shot.duration_s),
                           "--muscles"],
                          capture_output=True, text=True)
    try:
        report = json.loads(done.stdout)
    except ValueError:
        return {"error": f"scripts/bench gave no report: {done.stderr.strip()[-300:]}"}
    worlds = {name: value for name, value in report.items() if isinstance(value, dict)}
    return {"stood": True, "ratios": {name: value["over_bare_1ms"] for name, value in worlds.items()}}


def _measured(take: Take, case: Case, path: Path) -> dict[str, Any]:
    """Measures of a take, which is written down where the case asks for it."""
    if case.keep:
        path.parent.mkdir(parents=True, exist_ok=True)
        take.save(path)
    return {"stood": not take.fell, "measures": measure(take) | measure_gait(take)}


KINDS = {"walk": walk, "norms": norms, "push": push, "bench": bench, "poses": poses, "efforts": efforts}


RESTING_W_KG = 1.2
WORK_WEIGHT, TORQUE_WEIGHT = 0.3, 0.3
"""Weights of joint work and of squared torque [W/kg per (N m/kg)^2]; found with the resting rate and the share below."""
EFFICIENCY = (0.25, 1.20)
"""Of positive and of negative work of muscles (Margaria 1968)."""
RETURNED = 0.2
"""Share of a leg's work that tendons give back in gaits with flight."""


@dataclass(frozen=True)
class Effort:
    """Gross cost [J/kg/m] at the speed [m/s] that was reached, and its parts [W/kg]: work of muscles, squared torques, rest."""

    speed_m_s: float
    work_w_kg: float
    torque_w_kg: float

    @property
    def cost_j_kg_m(self) -> float:
        """Cost of a metre."""
        return (RESTING_W_KG + self.work_w_kg + self.torque_w_kg) / self.speed_m_s


def effort(take: Take) -> Effort:
    """The effort of a take's whole strides. Powers are summed over each leg, whose muscles pass work from joint to joint, and
    joint by joint elsewhere. Raises InputError for a take without a whole stride."""
    strides = known_strides(take)
    rows = strides.rows(take.time_s)
    power, names, square = joint_power_w(take)
    power, torque = power[rows] / take.body.mass_kg, float(square[rows].sum(axis=1).mean()) / take.body.mass_kg**2
    springs = RETURNED if flights(take) else 0.0
    work, rest = 0.0, set(names)
    for foot in take.body.feet:
        leg = {*foot.leg, foot.segment, *take.body.children(foot.segment)} & set(names)
        rest -= leg
        work += _work(power[:, [i for i, name in enumerate(names) if name in leg]].sum(axis=1), springs)
    work += sum(_work(power[:, i], 0.0) for i, name in enumerate(names) if name in rest)
    ends = strides.at_boundaries(take.time_s, take.com_m[:, :2])
    speed = float(np.linalg.norm(np.diff(ends, axis=0), axis=1).sum() / strides.duration_s)
    return Effort(speed, WORK_WEIGHT * work, TORQUE_WEIGHT * torque)


def joint_power_w(take: Take) -> tuple[np.ndarray, list[str], np.ndarray]:
    """Power (T, J) [W] of the joints named, and squared torques (T, D-R) [(N m)^2], of the interval that ends at each sample."""
    body, joints = take.body, take.joint_quaternions
    step = np.diff(take.time_s, prepend=2.0 * take.time_s[0] - take.time_s[1])
    turned = quat_multiply(quat_conjugate(joints[:-1]), joints[1:])
    rates = np.concatenate([np.zeros((1, *turned.shape[1:-1], 3)), rotvec_from_quat(turned)]) / step[:, None, None]
    columns, at = [], 0
    for i, name in enumerate(body.joint_segments):
        segment = body.segment(name)
        if segment.joint == "ball":
            columns.append((take.torque_nm[:, at:at + 3] * rates[:, i]).sum(axis=1))
            at += 3
        else:
            columns.append(take.torque_nm[:, at] * (rates[:, i] @ np.asarray(segment.axis, dtype=float)))
            at += 1
    return np.array(columns).T, list(body.joint_segments), take.torque_nm**2


def _work(power: np.ndarray, springs: float) -> float:
    """Mean metabolic power [W/kg] of a power over time (T,), less what springs give back."""
    positive, negative = float(np.maximum(power, 0.0).mean()), float(np.maximum(-power, 0.0).mean())
    returned = springs * min(positive, negative)
    return (positive - returned) / EFFICIENCY[0] + (negative - returned) / EFFICIENCY[1]


PHASES = np.arange(100) / 100.0
ANGLES = {
    "hip": ("pelvis", "thigh"), "knee": ("thigh", "shank"), "ankle": ("shank", "foot"), "shoulder": ("chest", "upper_arm"),
    "elbow": ("upper_arm", "forearm"),
}
"""Sagittal angles of both sides: of the second segment against the first. With the trunk's against the vertical, eleven."""
PAIRED = {"pelvis", "chest"}


def pose_curves(take: Take) -> dict[str, np.ndarray]:
    """Angle [deg] (100,) of each of the eleven over the phase from left strike to left strike, the mean of whole strides. Raises
    InputError for a take without one."""
    strides, body = known_strides(take), take.body
    turn = {name: matrix_from_quat(take.segment_poses[1][:, i]) for name, i in body.index.items()}
    series = {"trunk": plane_angle(turn["chest"][:, 0, 2] * -1.0, turn["chest"][:, 2, 2])}
    for joint, (parent, child) in ANGLES.items():
        for side in "LR":
            above = parent if parent in PAIRED else f"{parent}_{side}"
            relative = np.swapaxes(turn[above], 1, 2) @ turn[f"{child}_{side}"]
            series[f"{joint} {side}"] = plane_angle(relative[:, 0, 2], relative[:, 2, 2])
    found = {}
    for name, values in series.items():
        values = np.degrees(np.unwrap(values))
        rows = [np.interp(start + PHASES * (end - start), take.time_s, values)
                for start, end in zip(strides.time_s, strides.time_s[1:], strict=False)]
        found[name] = np.mean(rows, axis=0)
    return found


def pose_distance_deg(one: Take, other: Take) -> dict[str, float]:
    """Root mean square of the differences at equal phase [deg]: of each joint, both sides together, and of all eleven angles
    ("all")."""
    a, b = pose_curves(one), pose_curves(other)
    squares = {name: float(np.mean((a[name] - b[name]) ** 2)) for name in a}
    joints = {joint: [value for name, value in squares.items() if name.startswith(joint)] for joint in [*ANGLES, "trunk"]}
    return {**{joint: float(np.sqrt(np.mean(values))) for joint, values in joints.items()},
            "all": float(np.sqrt(np.mean(list(squares.values()))))}
