# SPDX-License-Identifier: GPL-3.0-or-later
"""Tendons' slack lengths on the reference body, and the groups of its muscles."""

from __future__ import annotations

from typing import Any

import mujoco
import numpy as np

from lope.addon.bodies.body import Body
from lope.addon.bodies.muscles.groups import acting_groups
from lope.addon.bodies.muscles.paths import PathKinematics
from lope.addon.bodies.segments import kind_of

from .knee import SOURCE_NAME, knee_pose, made
from .myoleg import MyoLeg

FIBRE_SHARE = 0.6
"""Of a path in the middle of its range: the optimal fibre where nothing is published (first guess)."""
LEAST_TENDON = 0.1
"""Of that path: a tendon has at least so much of it."""
MIDDLE_DEG = {"upper_arm": (25.0, -35.0, 0.0), "forearm": 45.0}
"""The pose in which muscles over the joints of the arm have their optimal length: abducted and lifted forward, elbow bent; of all
other joints the neutral pose (first guesses)."""
FASTEST = 15.0
"""Greatest velocity of the fibres [l_opt/s], as in gait14dof22musc (Ong, made after gait2392 and Rajagopal 2016). With gait2392's
10 hips flex too slowly for a run: psoas and iliacus have a quarter of their force left in its swing."""
KNEE_DEG = np.arange(0.0, 101.0, 10.0)


def slack_as_in_the_source(entries: list[dict[str, Any]], leg: MyoLeg, body: Body, lean_rad: float) -> None:
    """Change slack lengths by as much as the paths changed, on average over the knee's range, so that fibres are as long as the
    source's."""
    paths = PathKinematics(body, made(entries))
    still, changes = np.zeros(paths.model.nv), []
    for angle in np.radians(KNEE_DEG):
        paths.update(knee_pose(paths.model, lean_rad, angle), still)
        theirs = leg.lengths(knee_angle_r=float(angle))
        changes.append([mine - theirs[SOURCE_NAME[entry["name"]]] for mine, entry in zip(paths.length_m, entries, strict=True)])
    for entry, change in zip(entries, np.mean(changes, axis=0), strict=True):
        entry["tendon_slack_m"] = round(entry["tendon_slack_m"] + float(change), 4)


def lengths_by_rule(entries: list[dict[str, Any]], body: Body) -> None:
    """Fibres and tendons of muscles whose paths alone are known: the fibre is optimal in the middle pose."""
    probe = [{**entry, "optimal_fibre_m": 0.1} for entry in entries]
    paths = PathKinematics(body, made(probe))
    qpos = paths.model.qpos0.copy()
    for kind, angle in MIDDLE_DEG.items():
        at = paths.model.joint(f"{kind}_L").qposadr[0]
        if isinstance(angle, float):
            qpos[at] = np.radians(angle)
        else:
            turn = np.radians(angle)
            mujoco.mju_axisAngle2Quat(qpos[at:at + 4], turn / np.linalg.norm(turn), float(np.linalg.norm(turn)))
    paths.update(qpos, np.zeros(paths.model.nv))
    for entry, length in zip(entries, paths.length_m, strict=True):
        fibre = min(entry["optimal_fibre_m"] or FIBRE_SHARE * length, (1.0 - LEAST_TENDON) * length)
        entry["optimal_fibre_m"], entry["tendon_slack_m"] = round(float(fibre), 4), round(float(length - fibre), 4)


def grouped(entries: list[dict[str, Any]], body: Body) -> None:
    """Give every entry its groups and its greatest velocity."""
    muscles = made(entries)
    paths = PathKinematics(body, muscles)
    paths.update(paths.model.qpos0, np.zeros(paths.model.nv))
    rows = {kind_of(name): rows for name, rows in paths.joint_rows().items() if not name.endswith("_R")}
    for entry, muscle, arms in zip(entries, muscles, paths.arms_m.T, strict=True):
        entry["max_velocity"] = FASTEST
        entry["groups"] = list(acting_groups(muscle, {kind: arms[where] for kind, where in rows.items()}))
