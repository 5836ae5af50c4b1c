# SPDX-License-Identifier: GPL-3.0-or-later
"""Strength, fibres and tendons of a creature's muscles: sized by their torque and arms, then free about that; N bodies at
once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..body import Body
from ..muscles.muscle import DENSITY_KG_M3, SLOW_SHARE, STRESS_PA
from .routing import FreeMuscle, FreePaths, posed, routing_names

FIBRE_ARMS, FIBRE_PATH = 2.0, 0.8
"""Optimal fibre length over the longest arm, at most over the whole path: fibres change by half their length a radian (of a
human 0.45 to 0.7, Geyer and Herr 2010)."""
LEAST_ARM = 0.02
"""Of a muscle's longest arm over its path: one that lies on its joint is not made ever stronger."""
MAX_VELOCITY = 12.0
"""Fastest shortening [l_opt/s] (Geyer and Herr 2010)."""
SPREAD = 4.0
"""Strength is free from 1 over this to this (first guess)."""
FIBRE_SPREAD, SLACK_SPREAD = 1.8, 0.35
"""Fibres' optimal length likewise; the tendon's slack length is free by so much of the fibres' either way (first guesses)."""


@dataclass
class Properties:
    """What N bodies' M muscles are, as `bodies.muscles.mechanics.Mechanics` reads a set of muscles; all arrays (N, M) or
    (M,)."""

    max_force_n: np.ndarray
    optimal_fibre_m: np.ndarray
    tendon_slack_m: np.ndarray
    max_velocity: np.ndarray
    pennation_rad: np.ndarray
    passive_share: np.ndarray
    give: np.ndarray
    slow_share: np.ndarray

    def __len__(self) -> int:
        return self.max_velocity.shape[-1]

    @property
    def mass_kg(self) -> np.ndarray:
        """Mass of the fibres: cross section by greatest stress, times optimal length and density."""
        return self.max_force_n / STRESS_PA * DENSITY_KG_M3 * self.optimal_fibre_m


def resting(paths: FreePaths) -> tuple[np.ndarray, np.ndarray]:
    """Length (N, M) and longest arm (N, M) [m] of each muscle in its own reference pose. Leaves `paths` in another pose."""
    length, arm = np.zeros((paths.n, paths.count)), np.zeros((paths.n, paths.count))
    poses: dict[tuple[tuple[str, float], ...], list[int]] = {}
    for m, muscle in enumerate(paths.muscles):
        poses.setdefault(tuple(sorted(muscle.reference.items())), []).append(m)
    for pose, rows in poses.items():
        position, matrix = posed(paths.body, dict(pose))
        paths.update(np.repeat(position, paths.n, axis=0), np.repeat(matrix, paths.n, axis=0))
        length[:, rows] = paths.length_m[:, rows]
        by_joint = np.zeros((paths.n, paths.count, len(paths.body.segments)))
        for i, (m, joint) in enumerate(zip(paths.muscle, paths.joint, strict=True)):
            by_joint[:, m, joint] += paths.arms_m[:, i] ** 2
        arm[:, rows] = np.sqrt(by_joint.max(axis=2))[:, rows]
    return length, arm


def properties(body: Body, muscles: Sequence[FreeMuscle], paths: FreePaths, strength: np.ndarray, fibre: np.ndarray,
               slack: np.ndarray) -> Properties:
    """Of N bodies whose routing `paths` has, by factors of strength and optimal fibre length, and by what the tendon is longer,
    in optimal fibre lengths, all (N, M). Strength and fibres are those of the middle of all routing, the tendon is as long as
    each one's own path asks for."""
    middle = FreePaths(body, muscles, np.full((1, len(routing_names(muscles))), 0.5))
    length, arm = resting(middle)
    force = np.array([muscle.torque_nm for muscle in muscles]) / np.maximum(arm, LEAST_ARM * length)
    optimal = np.minimum(FIBRE_ARMS * np.maximum(arm, LEAST_ARM * length), FIBRE_PATH * length) * fibre
    own, _ = resting(paths)
    optimal = np.minimum(optimal, own)
    count = len(muscles)
    return Properties(force * strength, optimal, np.maximum(own - optimal + slack * optimal, 0.0), np.full(count, MAX_VELOCITY),
                      np.zeros(count), np.ones(count), np.ones(count), np.full(count, SLOW_SHARE))
