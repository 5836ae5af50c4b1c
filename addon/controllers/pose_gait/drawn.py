# SPDX-License-Identifier: GPL-3.0-or-later
"""What one state of a gait from key poses draws legs and trunk to, and how strongly."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from ...specs.pose_curves import ANGLES as TARGETS
from ...specs.pose_gait import ONE, PoseGait, PoseState

OTHER = {"L": "R", "R": "L"}
ROW = {name: i for i, name in enumerate(TARGETS)}
SPRUNG = ("knee_L", "knee_R", "ankle_L", "ankle_R")
"""Joints of which a state says how strong their springs are."""


def targets_of(state: PoseState) -> np.ndarray:
    """What a state draws each of `TARGETS` to [rad]; nan where it draws to nothing: a hip that carries the trunk alone."""
    swing, stance = state.swing, OTHER[state.swing]
    found = np.full(len(TARGETS), np.nan)
    for name, value in ((f"hip_{swing}", state.swing_hip), (f"outward_{swing}", state.swing_hip_outward),
                        (f"knee_{swing}", state.swing_knee), (f"ankle_{swing}", state.swing_ankle),
                        (f"knee_{stance}", state.stance_knee), (f"ankle_{stance}", state.stance_ankle), ("torso", state.torso)):
        found[ROW[name]] = value
    if state.stands != ONE:
        found[ROW[f"hip_{stance}"]], found[ROW[f"outward_{stance}"]] = state.stance_hip, state.stance_hip_outward
    return found


def springs_of(state: PoseState, gait: PoseGait) -> np.ndarray:
    """What a state of a gait makes of the springs and of the dampings of `SPRUNG`, as factors (2, 4)."""
    left = state.swing == "L"
    knees, ankles = ((swing, stance) if left else (stance, swing) for swing, stance in (
        (state.swing_knee_spring, state.stance_knee_spring), (state.swing_ankle_spring, state.stance_ankle_spring)))
    springs = np.array([*knees, *ankles])
    return np.array([springs, springs * np.repeat([gait.knee_damping, gait.ankle_damping], 2)])


def on_slope(targets: np.ndarray, gait: PoseGait, swing: str, rise: float) -> np.ndarray:
    """Targets (9,) on ground that rises ahead by an angle [rad]."""
    if not rise:
        return targets
    found = targets.copy()
    for name, share in ((f"hip_{swing}", gait.slope_hip), (f"knee_{swing}", gait.slope_knee), ("torso", gait.slope_torso),
                        ("ankle_L", gait.slope_ankle), ("ankle_R", gait.slope_ankle)):
        found[ROW[name]] += share * rise
    return found


def touched(state: PoseState, touches: Mapping[str, bool]) -> bool:
    """Whether the foot that a state waits for is on the ground."""
    if state.touch == "any":
        return any(touches.values())
    return touches[state.swing if state.touch == "swing" else OTHER[state.swing]]
