# SPDX-License-Identifier: GPL-3.0-or-later
"""How high the COM of an upright walk is, from how far people's knees bend while they stand: by the leg's triangle over the
orbit of the COM. Captured skeletons bend the knee twice: near a straight one a bone that is 1 % too long makes 10 degrees."""

from __future__ import annotations

import math

import numpy as np

from ....maths.curves import PeriodicTable
from ....maths.rotations import from_rotvec, rotated
from ....motions.cycle import layout
from ...legged.foot_geometry import FootGeometry, Footstep
from ...legged.foot_path import FootPath
from ...legged.pose import SAMPLES, GaitTables
from .path import PeriodicOrbit
from .pendulum import CmpOrbit

PERCENT = np.array([0.0, 4.0, 8.0, 12.0, 16.0, 20.0, 24.0, 28.0, 32.0, 36.0, 40.0])
KNEE_DEG = np.array([5.0, 10.0, 15.5, 18.5, 18.5, 16.5, 14.0, 11.5, 9.5, 8.0, 7.0])
"""Knee of a standing leg over the percent of the cycle since its strike, of adults at their own pace (Winter 1991, to 1.5
degrees), until the heel rises."""
LOADING_PERCENT, LOADING_WEIGHT = 17.0, 0.3
"""Until then the knee gives way to the load more or less: it counts less."""
UPRIGHT_DEG, CROUCHED_LEGS = 15.0, 0.011
"""A walk whose standing knees come straighter is upright; one lowered by so much, over leg length, is not (as on Mars)."""
SHORT_HEEL, LONG_HEEL = 0.15, 0.25
"""How far the heel is behind the ankle, over how far the ball is ahead (people: 0.57): up to the first nobody goes on straight
knees, from the second on wholly. Of six bodies under 0.13 that had walked three fell or ran away on them, of eight over 0.3
none."""


def upright_share(tables: GaitTables, crouch_m: float) -> float:
    """How far a walk lowered by `crouch_m` [m] goes on knees as straight as people's, from 0 to 1."""
    knees = {side: tables.cycle.part([layout().slices[f"shank_{side}"]]) for side in tables.phases}
    straightest = [knees[side].evaluate(p.strike + np.linspace(0.0, p.toe_off, 64)).min() for side, p in tables.phases.items()]
    crouched, foot = crouch_m / (CROUCHED_LEGS * tables.body.leg_length_m), FootGeometry(tables.body, "L")
    heeled = min(max((-foot.heel_x / foot.ball_x - SHORT_HEEL) / (LONG_HEEL - SHORT_HEEL), 0.0), 1.0)
    return max(1.0 - crouched, 0.0) * heeled * float(max(straightest) < math.radians(UPRIGHT_DEG))


def heights(tables: GaitTables, orbit: PeriodicOrbit, swing: CmpOrbit, paths: dict[str, FootPath]) -> PeriodicTable:
    """Height [m] of the COM over the phase of a steady walk straight on, the same wave in every step: more of its harmonics would
    bend the knee twice again."""
    body, shares, wanted = tables.body, [], []
    thigh, shank = (float(np.linalg.norm(body.segment(f"{name}_L").offset)) for name in ("shank", "foot"))
    for side, phases in tables.phases.items():
        hip, (since, coms) = tuple(body.segment(f"thigh_{side}").offset.tolist()), orbit.straight(side)
        poses = paths[side].standing(Footstep(side, 0j, tables.foot_yaw[side]), since.tolist(), 0.0)
        rows = tables.table.value(phases.strike + since)[:, 1:7].tolist()
        for share, com, pose, row in zip(since.tolist(), coms.tolist(), poses, rows, strict=True):
            off, place = rotated(from_rotvec(row[3:]), hip), com + swing.at((phases.strike + share) % 1.0).com
            away = math.hypot(place.real + row[0] + off[0] - pose.ankle[0], place.imag + row[1] + off[1] - pose.ankle[1])
            knee = math.radians(float(np.interp(100.0 * share, PERCENT, KNEE_DEG)))
            leg = thigh * thigh + shank * shank + 2.0 * thigh * shank * math.cos(knee)
            shares.append(share)
            wanted.append(pose.ankle[2] + math.sqrt(max(leg - away * away, 0.0)) - row[2] - off[2])
    at = np.array(shares)
    root = np.sqrt(np.where(100.0 * at < LOADING_PERCENT, LOADING_WEIGHT, 1.0) * (100.0 * at < PERCENT[-1]))
    found = np.linalg.lstsq(root[:, None] * _wave(at), root * np.array(wanted), rcond=None)[0]
    return PeriodicTable(_wave(np.arange(SAMPLES) / SAMPLES - tables.phases["L"].strike) @ found[:, None])


def _wave(share: np.ndarray) -> np.ndarray:
    """(n, 3): a constant and one wave a step, at shares (n,) of the cycle."""
    return np.stack([np.ones_like(share), np.cos(4.0 * math.pi * share), np.sin(4.0 * math.pi * share)], axis=1)
