# SPDX-License-Identifier: GPL-3.0-or-later
"""Which of a body's coordinates muscles pull at, and which are theirs."""

from __future__ import annotations

import numpy as np

from ..body import Body
from ..segments import FREEDOM
from .mechanics import make_mechanics
from .muscle import MuscleSet
from .paths import PathKinematics

OWN_NM_KG = 0.25
"""What muscles can do both ways about a joint's axis that is theirs, over the body's mass (first guess): about others, such as a
foot's turning about the shank, the joint has a torque of its own."""


def moved_coordinates(body: Body, muscles: MuscleSet) -> np.ndarray:
    """Which coordinates (nv - r,) behind the root any muscle pulls at: those of joints that lie between parts of its path."""
    ways = {segment.name: set(body.way_to(segment.name)) for segment in body.segments}
    moved: set[str] = set()
    for muscle in muscles:
        passed = [ways[part.segment] for part in muscle.path]
        moved |= set().union(*passed) - passed[0].intersection(*passed)
    return np.array([segment.name in moved for segment in body.segments[1:] for _ in range(FREEDOM[segment.joint])])


def own_coordinates(body: Body, muscles: MuscleSet) -> np.ndarray:
    """Which coordinates (nv - r,) muscles can turn both ways, each by `OWN_NM_KG` or more, in the neutral pose, at rest."""
    paths = PathKinematics(body, muscles)
    paths.update(paths.model.qpos0, np.zeros(paths.model.nv))
    active, _ = make_mechanics(muscles).by_activation(paths.length_m, np.zeros(len(muscles)))
    torque = paths.arms_m[body.root_freedom:] * active
    least = OWN_NM_KG * body.bare_mass_kg
    return (torque.clip(min=0.0).sum(axis=1) >= least) & (-torque.clip(max=0.0).sum(axis=1) >= least)
