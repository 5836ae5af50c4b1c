# SPDX-License-Identifier: GPL-3.0-or-later
"""Hip, knee and ankle over the cycle beside published normal gait.

Norms: Schwartz, Rozumalski and Trost 2008 (J. Biomech. 41:1639), five speeds, interpolated to the gait's dimensionless speed
v / sqrt(g l); and the adult of OpenSim's example "subject01". The tables are CSV files in a folder that the caller names.
The standard score, the mean of |angle - norm's mean| over the norm's deviation at 100 points of the cycle, is that of Wang et al.
2012 ("Optimizing locomotion controllers using biologically-based actuators and objectives"), whose norm are 20 adults.
"""

from __future__ import annotations

import csv
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ..bodies.body import Body
from ..bodies.human.body import KIND as HUMAN
from ..bodies.kinematics import segment_poses
from ..bodies.makers import make_body
from ..bodies.planar import KIND as PLANAR
from ..errors import InputError
from ..maths.angles import plane_angle
from ..maths.quaternions import matrix_from_quat
from ..motions.channels import pose
from ..motions.cycle import Cycle
from ..specs.shot import EARTH_GRAVITY_M_S2, BodySpec
from ..take import Take
from .strides import SKIPPED, end_of_walking_s, strikes_s

PERCENT = np.arange(100.0)
LEGGED = (HUMAN, PLANAR)
"""Kinds of bodies whose legs are a human's."""
SOURCE = ("Schwartz, Rozumalski and Trost 2008 (J. Biomech. 41:1639): 83 children and adolescents, whose spread is wider than "
          "adults', at the take's own dimensionless speed")
JOINTS = {"hip": "hip_flexion_deg", "knee": "knee_flexion_deg", "ankle": "ankle_dorsiflexion_deg"}
TILT = "pelvis_tilt_deg"


@dataclass(frozen=True)
class Curves:
    """Angles [deg] over the cycle from heel strike: joint -> (N strides, 100); pelvis pitch (N, 100), forward positive."""

    title: str
    angles: dict[str, np.ndarray]
    pelvis: np.ndarray
    speed_star: float


@dataclass(frozen=True)
class Score:
    """Of one joint: mean absolute standard score, mean absolute difference from the adult [deg], and the curves behind them.

    `own` (N, 100) are the strides' angles, `mean` and `sd_deg` (100,) the norm, `adult` (100,); all in the norm's pelvis plane.
    """

    sd: float
    adult_deg: float
    own: np.ndarray
    mean: np.ndarray
    sd_deg: np.ndarray
    adult: np.ndarray


def joint_angles(body: Body, orientations: np.ndarray, side: str) -> dict[str, np.ndarray]:
    """Sagittal angles [deg] (T,): hip flexion, knee flexion, ankle dorsiflexion, and the forward pitch of the pelvis, of a planar
    body that of its trunk."""
    root = body.segments[0].name
    turn = {name: matrix_from_quat(orientations[:, body.index[name]])
            for name in (root, f"thigh_{side}", f"shank_{side}", f"foot_{side}")}

    def relative(parent: str, child: str) -> np.ndarray:
        return np.swapaxes(turn[parent], 1, 2) @ turn[child]

    thigh = relative(root, f"thigh_{side}")
    shank = relative(f"thigh_{side}", f"shank_{side}")
    foot = relative(f"shank_{side}", f"foot_{side}")
    forward, up = turn[root][:, :, 0], turn[root][:, :, 2]
    level = forward[:, :2] / np.linalg.norm(forward[:, :2], axis=1, keepdims=True)
    found = {"hip": plane_angle(-thigh[:, 0, 2], thigh[:, 2, 2]), "knee": plane_angle(shank[:, 0, 2], shank[:, 2, 2]),
             "ankle": plane_angle(foot[:, 2, 0], foot[:, 0, 0]),
             "pelvis": plane_angle((up[:, :2] * level).sum(axis=1), up[:, 2])}
    return {name: np.degrees(values) for name, values in found.items()}


def curves_of_cycle(cycle: Cycle) -> Curves:
    """Curves of both legs of a gait, on the standard body."""
    body = make_body(BodySpec())
    rows = []
    for side in "LR":
        phases = cycle.contact_phases[side].strike + PERCENT / 100.0
        _, orientations = segment_poses(body, *pose(cycle.evaluate(phases), body))
        rows.append(joint_angles(body, orientations, side))
    return _curves(f"gait {cycle.name}, {cycle.speed_m_s:.2f} m/s", rows,
                   cycle.speed_m_s / np.sqrt(EARTH_GRAVITY_M_S2 * cycle.leg_length_m))


def curves_of_take(take: Take) -> Curves:
    """Curves of all strides of both legs but the first two. Raises InputError for a take without strides, or of another body."""
    if take.body.kind not in LEGGED:
        raise InputError(f"Normal gait is a human's; this take is of a body of the kind {take.body.kind}.")
    rows, speeds = [], []
    for i, foot in enumerate(take.body.feet):
        angles = joint_angles(take.body, take.segment_poses[1], foot.side)
        strikes = strikes_s(take, i)
        strikes = strikes[strikes <= end_of_walking_s(take)]
        for start, end in list(zip(strikes, strikes[1:], strict=False))[SKIPPED:]:
            times = start + PERCENT / 100.0 * (end - start)
            rows.append({name: np.interp(times, take.time_s, values) for name, values in angles.items()})
            places = [[np.interp(t, take.time_s, take.root_position_m[:, k]) for k in (0, 1)] for t in (start, end)]
            speeds.append(np.linalg.norm(np.subtract(places[0], places[1])) / (end - start))
    if not rows:
        raise InputError(f"This take has fewer than {SKIPPED + 1} whole strides; simulate for longer.")
    gravity = take.shot.world.gravity_m_s2
    title = f"take on {take.shot.world.name}, {take.shot.engine}, {np.mean(speeds):.2f} m/s, {len(rows)} strides"
    return _curves(title, rows, float(np.mean(speeds) / np.sqrt(gravity * take.body.leg_length_m)))


def _curves(title: str, rows: list[dict[str, np.ndarray]], speed_star: float) -> Curves:
    angles = {joint: np.array([r[joint] for r in rows]) for joint in JOINTS}
    return Curves(title, angles, np.array([r["pelvis"] for r in rows]), speed_star)


def scores(curves: Curves, folder: Path) -> dict[str, Score]:
    """Each joint's distance from the norms in `folder`. Raises InputError where they are not there.

    The published pelvis plane leans forward of ours; both our pelvis and the adult's are given the norm's mean tilt, which
    shifts the hip's curve and leaves its shape.
    """
    norm, grown = schwartz(folder, curves.speed_star), adult(folder)
    tilt = float(norm[TILT][0].mean())
    found = {}
    for joint, column in JOINTS.items():
        own, other = curves.angles[joint], grown[column]
        if joint == "hip":
            own = own + tilt - curves.pelvis.mean()
            other = other + tilt + grown[TILT].mean()  # OpenSim's pelvis tilt is positive backward
        mean, sd = norm[column]
        usual = own.mean(axis=0)
        standard, degrees = np.abs(usual - mean) / sd, np.abs(usual - other)
        found[joint] = Score(float(standard.mean()), float(degrees.mean()), own, mean, sd, other)
    return found


def score_rows(take: Take, folder: Path) -> dict[str, Any]:
    """What `lope measure` tells of a take beside the norms in `folder`: standard scores by joint and their mean, plain values.
    Raises InputError as `curves_of_take` and `scores` do."""
    curves = curves_of_take(take)
    found = scores(curves, folder)
    return {**{f"{joint}_score": score.sd for joint, score in found.items()},
            "mean_score": float(np.mean([score.sd for score in found.values()])), "strides": len(curves.pelvis),
            "speed_over_sqrt_gl": curves.speed_star, "source": SOURCE}


def schwartz(folder: Path, speed_star: float) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """column -> (mean, SD) over PERCENT at a dimensionless speed, linear between the published five, and between their points."""
    rows = read_table(folder / "schwartz2008_children_5speeds.csv")
    stars, points = (sorted({float(r[column]) for r in rows}) for column in ("v_star", "percent"))
    out = {}
    for column in (*JOINTS.values(), TILT):
        both = []
        for kind in ("mean", "sd"):
            table = np.array([[float(r[f"{column}_{kind}"]) for r in rows if float(r["v_star"]) == v] for v in stars])
            at_speed = [np.interp(speed_star, stars, table[:, k]) for k in range(table.shape[1])]
            both.append(np.interp(PERCENT, points, at_speed))
        out[column] = both[0], both[1]
    return out


def adult(folder: Path) -> dict[str, np.ndarray]:
    """column -> mean over PERCENT of the OpenSim adult's cycles."""
    rows = read_table(folder / "opensim_subject01_adult_walk.csv")
    return {column: np.array([np.mean([float(r[column]) for r in rows if float(r["percent"]) == p]) for p in PERCENT])
            for column in (*JOINTS.values(), TILT)}


def read_table(path: Path) -> list[dict[str, str]]:
    """Rows of a norm file, comments left out. Raises InputError where it is not there."""
    if not path.is_file():
        raise InputError(f"There is no norm file at {path}; say with --norms where the folder gait_norms is.")
    with path.open(encoding="utf-8") as lines:
        return list(csv.DictReader(line for line in lines if not line.startswith("#")))
