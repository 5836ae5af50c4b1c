# SPDX-License-Identifier: GPL-3.0-or-later
"""How a suited body holds itself: the trunk leans until the centre of mass stands over the hips as without the pack, and the
arms give way to the suit's springs."""

from __future__ import annotations

import dataclasses
import math

import numpy as np
from scipy.optimize import brentq

from ..bodies.body import Body
from ..bodies.human.body import Human
from ..bodies.kinematics import centre_of_mass, segment_poses
from ..bodies.segments import kind_of
from .channels import layout, pose
from .cycle import Cycle

SPINE, NECK, ARMS = ("lower_spine", "chest"), ("neck", "head"), ("upper_arm_L", "upper_arm_R")
"""Joints that share the lean, those that take it back so that the eyes stay on the way, and arms, which go on hanging."""
MOST_LEAN_RAD = math.radians(30.0)
"""Beyond that a back would ache; what is left of the load behind stays to the legs."""
SAMPLES = 24
ARM_STIFFNESS_NM_RAD = {"upper_arm": 15.0, "forearm": 10.0, "hand": 3.0}
"""How stiffly people hold their arms while these swing: of the order that was measured at the elbow in cyclic movement (Bennett
et al. 1992, Experimental Brain Research 88:433-442). Legs do not give way: their feet have to be where they are planned."""


def yielded(cycle: Cycle, body: Body) -> Cycle:
    """The cycle with arms where two springs in a row bring them to rest: the wearer's towards the gait's angles, the suit's
    towards its own rest pose; the cycle itself where the suit has no springs in its arms."""
    coefficients = cycle.coefficients.copy()
    for name in body.joint_segments:
        own, suit = ARM_STIFFNESS_NM_RAD.get(kind_of(name)), body.segment(name)
        if own is not None and suit.stiffness_nm_rad > 0.0:
            rows, share = layout().slices[name], own / (own + suit.stiffness_nm_rad)
            coefficients[rows] *= share
            coefficients[rows, 0] += (1.0 - share) * suit.rest_rad
    changed = not np.array_equal(coefficients, cycle.coefficients)
    return dataclasses.replace(cycle, coefficients=coefficients) if changed else cycle


def load_lean_rad(cycle: Cycle, body: Body) -> float:
    """How far the trunk leans forward (or back) to bring the COM of `body`, suit and all, over the hips as far as the bare body's
    is in the cycle; 0 for a body without suit or without a spine."""
    if not isinstance(body, Human) or body.suit.mass_kg == 0.0 or not any(name in body.index for name in SPINE):
        return 0.0
    bare = com_ahead(cycle, Human.from_landmarks(body.landmarks, body.bare_mass_kg))

    def miss(lean: float) -> float:
        return com_ahead(bent(cycle, body, lean), body) - bare

    if miss(MOST_LEAN_RAD) <= 0.0:
        return MOST_LEAN_RAD
    if miss(-MOST_LEAN_RAD) >= 0.0:
        return -MOST_LEAN_RAD
    return float(brentq(miss, -MOST_LEAN_RAD, MOST_LEAN_RAD, xtol=1e-4))


def bent(cycle: Cycle, body: Body, lean_rad: float) -> Cycle:
    """The cycle with its spine bent forward by `lean_rad` in all, head and arms as upright as before."""
    coefficients = cycle.coefficients.copy()
    for names, total in ((SPINE, lean_rad), (NECK, -lean_rad), (ARMS, -len(ARMS) * lean_rad)):
        present = [name for name in names if name in body.index]
        for name in present:  # mean rotation vectors of the trunk lie so near each other that they may be added
            coefficients[layout().slices[name].start + 1, 0] += total / len(present)
    return dataclasses.replace(cycle, coefficients=coefficients)


def com_ahead(cycle: Cycle, body: Body) -> float:
    """Mean distance [m] of the centre of mass ahead of the pelvis origin, which lies between the hips."""
    root, root_quats, joints = pose(cycle.evaluate(np.arange(SAMPLES) / SAMPLES), body)
    com = centre_of_mass(body, *segment_poses(body, root, root_quats, joints))
    return float((com - root)[:, 0].mean())
