# SPDX-License-Identifier: GPL-3.0-or-later
"""Motions made by numbers for a database of pressure, and measures of what is laid of them."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np

from lope.addon.bodies.kinematics import contact_point_positions, segment_poses
from lope.addon.maths.curves import runs, smoothstep
from lope.addon.maths.rotations import quat_from_rotvec
from lope.addon.motions.pressure.database import MOTION_HZ, PER_FRAME, Database, PressedMotion
from lope.addon.motions.pressure.features import features_of
from lope.addon.motions.pressure.files import read_pressure, write_pressure
from lope.addon.motions.pressure.images import MAT_RATE_HZ, Counts, MatGrid, Pressure, insole_pressure, mat_pressure, side_by_side
from lope.addon.motions.pressure.recognition import Match
from lope.addon.motions.pressure.synthesis import Synthesis
from lope.addon.motions.responses.feet import Figure, grounded, with_feet
from lope.addon.motions.responses.response import reference_body

ON_GROUND_M = 0.005
"""A point of a stiff foot that is higher than this is in the air."""
SINK_M = 0.04


def step_motion(name: str, ahead_m: float, left_m: float, quiet: bool = False) -> PressedMotion:
    """A right foot that steps, root and arms along with it, two seconds in all; nothing but standing where `quiet`."""
    body, count = reference_body(), round(2.0 * MOTION_HZ)
    times = np.arange(count) / MOTION_HZ
    u = smoothstep((times - 0.6) / 0.6)
    step = u[:, None] * np.array([ahead_m, left_m, 0.0])
    turn = np.tile([1.0, 0.0, 0.0, 0.0], (count, 1))
    joints = np.tile([1.0, 0.0, 0.0, 0.0], (count, len(body.joint_segments), 1))
    arm = body.joint_segments.index("upper_arm_L")
    joints[:, arm] = quat_from_rotvec(np.outer(u, [0.0, -0.8, 0.0]))
    root = np.tile([0.0, 0.0, body.pelvis_height_m - SINK_M], (count, 1)) + 0.5 * step
    stood = with_feet(body, np.tile([0.0, 0.0, body.pelvis_height_m], (count, 1)), turn, joints)
    ankles = stood.ankles.copy()
    ankles[:, 1] += step
    planted = np.ones((count, 2, 2), dtype=bool)
    if not quiet:
        planted[(times > 0.6) & (times < 1.2), 1] = False
        ankles[:, 1, 2] += 0.4 * u * (1.0 - u)
    figure = grounded(body, Figure(root, turn, joints, ankles, stood.soles), planted, 1.0 / MOTION_HZ, np.zeros(2))
    features = np.random.default_rng(0).normal(size=(count // PER_FRAME, 10))
    felt = mat_of(figure.root, figure.turn, figure.joints, planted)
    return PressedMotion(name, "", figure.root, figure.turn, figure.joints, planted, features, Counts.of(felt), features, quiet)


def write_steps(folder: Path) -> Pressure:
    """Write a database of a stance and two steps, `steps.npz`, and the pressure of somebody who stands, steps ahead, and stands,
    `steps.csv`; gives the latter."""
    motions, mats = [], []
    for name, ahead, left in (("stands", 0.0, 0.0), ("ahead", 0.35, 0.0), ("aside", 0.0, -0.25)):
        motion = step_motion(name, ahead, left, name == "stands")
        mats.append(on_mat(motion))
        soles = features_of(side_by_side(*in_soles(motion, MAT_RATE_HZ)))
        motions.append(replace(motion, features=features_of(mats[-1]), sole_features=soles))
    Database("steps", "CC0-1.0", tuple(motions)).save(folder / "steps.npz")
    mat = replace(mats[1], images=np.concatenate([mats[0].images[:12], mats[1].images]))
    write_pressure(folder / "steps.csv", [mat])
    return mat


def points_m(motion: Synthesis) -> np.ndarray:
    """Lowest places (N, P, 3) of the body's contact points."""
    figure = motion.figure
    return contact_point_positions(reference_body(), *segment_poses(reference_body(), figure.root, figure.turn, figure.joints))


def slip_m(motion: Synthesis, planted: np.ndarray | None = None) -> float:
    """The farthest that a planted point goes over the ground while it is on it."""
    body, points, most = reference_body(), points_m(motion), 0.0
    stands = motion.planted if planted is None else planted
    for f, foot in enumerate(body.feet):
        for k, part in enumerate(("heel", "ball")):
            for row in (i for i in foot.points if body.contact_points[i].kind == part):
                on = stands[:, f, k] & ((points[:, row, 2] < ON_GROUND_M) | (planted is not None))
                for begin, end in runs(on):
                    most = max(most, float(np.ptp(points[begin:end, row, :2], axis=0).max()))
    return most


def penetration_m(motion: Synthesis) -> float:
    """How deep the lowest point goes below the ground."""
    return max(-float(points_m(motion)[..., 2].min()), 0.0)


def jumps_deg(motion: Synthesis) -> float:
    """The most that a joint turns from one frame to the next."""
    joints = motion.figure.joints
    return float(np.degrees(2.0 * np.arccos(np.clip(np.abs((joints[1:] * joints[:-1]).sum(axis=-1)), 0.0, 1.0))).max())


def on_mat(motion: PressedMotion) -> Pressure:
    """What a mat of FootSee's feels of a made motion whose weight all planted points bear alike."""
    return mat_of(motion.root, motion.turn, motion.joints, motion.planted)


def mat_of(root: np.ndarray, turn: np.ndarray, joints: np.ndarray, planted: np.ndarray) -> Pressure:
    """The same of poses (N, ...) and what stands (N, 2, 2)."""
    body = reference_body()
    points = points_m(Synthesis(with_feet(body, root, turn, joints), planted))
    return mat_pressure(body, np.arange(len(root)) / MOTION_HZ, points, _forces(planted), MatGrid(middle_m=(0.1, 0.0)))


def in_soles(motion: PressedMotion, rate_hz: float) -> tuple[Pressure, ...]:
    """What insoles feel of it."""
    return insole_pressure(reference_body(), np.arange(len(motion)) / MOTION_HZ, _forces(motion.planted), rate_hz=rate_hz)


def _forces(planted: np.ndarray) -> np.ndarray:
    """The weight, borne by all points alike that stand (N, 2, 2)."""
    body = reference_body()
    bears = np.zeros((len(planted), len(body.contact_points)))
    for f, foot in enumerate(body.feet):
        for row in foot.points:
            bears[:, row] = planted[:, f, 0 if body.contact_points[row].kind == "heel" else 1]
    return body.mass_kg * 9.81 * bears / bears.sum(axis=1, keepdims=True)


def written_steps(folder: Path) -> Path:
    """The same folder, with that, and besides the same pressure with half as many frames a second, of insoles, and of nothing but
    stance."""
    mat = write_steps(folder)
    write_pressure(folder / "slow.csv", [replace(mat, rate_hz=6.0)])
    write_pressure(folder / "soles.csv", [replace(mat, place=place, origin_m=None) for place in ("L", "R")])
    write_pressure(folder / "still.npz", [replace(mat, images=np.concatenate([mat.images[:12]] * 4))])
    return folder


def write_long(folder: Path, times: int) -> None:
    """The same again, and that of somebody who steps so often, each time 3 s (`long.csv`)."""
    written_steps(folder)
    (mat,) = read_pressure(folder / "steps.csv")
    write_pressure(folder / "long.csv", [replace(mat, images=np.concatenate([mat.images] * times))])


@cache
def database() -> Database:
    """A stance, a step ahead and a step aside with the right foot."""
    return Database("steps", "CC0-1.0", (step_motion("stands", 0.0, 0.0, True), step_motion("ahead", 0.35, 0.0),
                                         step_motion("aside", 0.0, -0.25)))


def plain(row: int, pace: float = 1.0) -> list[Match]:
    """The matches of somebody who does a motion at so much of its pace."""
    frames = len(database().active[row]) // PER_FRAME
    return [Match(row, min(round(pace * i), frames - 1)) for i in range(math.ceil(frames / pace))]


def user_ankles(motion: Synthesis, shift_m: np.ndarray) -> np.ndarray:
    """A user's ankles on the mat, known where feet stand: as a motion's, but where the right foot lands."""
    rows = np.arange(0, len(motion.planted), PER_FRAME)
    stands = motion.planted.any(axis=2)[rows]
    ankles = motion.figure.ankles[rows, :, :2].copy()
    ankles[np.arange(len(rows)) > np.argmin(stands[:, 1]), 1] += shift_m
    ankles[~stands] = np.nan
    return ankles + np.array([3.0, -1.0])
