# SPDX-License-Identifier: GPL-3.0-or-later
"""Shoulders against hips in gaits with flight: the pelvis turns with the legs, and a loaded trunk turns less.

In the captured run the pelvis lags the legs by a quarter of a stride, so that shoulders, which turn against the legs, go neither
against the hips nor with them. Other runners' pelvis lags little (Preece, Mason and Bramah 2016), as in a walk.
"""

from __future__ import annotations

import cmath
import dataclasses

import numpy as np

from ..bodies.body import Body
from ..bodies.human.body import Human
from ..bodies.kinematics import segment_poses
from ..maths.quaternions import matrix_from_quat, quat_conjugate, quat_from_rotvec, quat_multiply
from .channels import layout, pose
from .cycle import Cycle
from .lean import SPINE
from .style import ROOT_TURN, fitted, sample_phases

LEGS, FEET = ("thigh_L", "thigh_R"), ("foot_L", "foot_R")
UPPER_BODY = (*SPINE, "neck", "head")
LEAST_LOADED_TURN = 0.4
"""Of what the bare trunk turns, whatever it carries: taste. By inertia alone one with a Moon suit's pack would hardly turn."""
STILL = 1e-3
"""Turn of the pelvis [rad] and lead of a foot [leg lengths] below which there is none."""


def counter_turned(cycle: Cycle, body: Body, share: float) -> Cycle:
    """The cycle with its pelvis turning with the legs by a `share` (0: as it was, 1: wholly), legs and trunk facing where they
    did; and with a trunk that turns as much less, by the same share, as `loaded_turn` says. Where the legs swing alike, or the
    pelvis does not turn, it stays."""
    if share == 0.0 or any(name not in body.index for name in (*SPINE, *LEGS, *FEET)):
        return cycle
    less = 1.0 - share * (1.0 - loaded_turn(body))
    turned = _with_pelvis_along(cycle, body, share)
    return turned if less == 1.0 else _with_trunk_turn(turned, body, less)


def loaded_turn(body: Body) -> float:
    """How far a body's trunk turns over what it would bare: as much less as what it wears adds to the inertia of trunk and head
    about the upright axis, at least `LEAST_LOADED_TURN`. With packs people turn their trunks less (LaFiandra et al. 2003)."""
    if not isinstance(body, Human) or body.suit.mass_kg == 0.0:
        return 1.0
    bare = Human.from_landmarks(body.landmarks, body.bare_mass_kg)
    return max(_upright_inertia(bare) / _upright_inertia(body), LEAST_LOADED_TURN)


def _upright_inertia(body: Body) -> float:
    """Inertia [kg m^2] of trunk and head about the upright axis through the root, in the neutral pose."""
    place, total = np.zeros(3), 0.0
    for name in UPPER_BODY:
        if name in body.index:
            segment = body.segment(name)
            place = place + segment.offset
            away = place + segment.com
            total += float(segment.inertia[2, 2] + segment.mass_kg * (away[0] ** 2 + away[1] ** 2))
    return total


def _with_pelvis_along(cycle: Cycle, body: Body, share: float) -> Cycle:
    """The pelvis' turn brought into step with the legs: its first harmonic later or earlier, as far as it went before."""
    own, coefficients, sines = cycle.coefficients, cycle.coefficients.copy(), 1 + cycle.harmonics
    turn, ahead = complex(own[ROOT_TURN, 1], -own[ROOT_TURN, sines]), _lead(cycle, body)
    if abs(turn) < STILL or abs(ahead) < STILL:
        return cycle
    late = cmath.phase(-ahead / turn)  # a turn is positive to the left: with the left leg ahead it is negative
    turn *= cmath.exp(1j * share * late)
    coefficients[ROOT_TURN, 1], coefficients[ROOT_TURN, sines] = turn.real, -turn.imag
    along = dataclasses.replace(cycle, coefficients=coefficients)
    before, after = (quat_from_rotvec(c.evaluate(sample_phases())[:, 3:6]) for c in (cycle, along))
    back, values = quat_multiply(quat_conjugate(after), before), cycle.evaluate(sample_phases())
    facing = coefficients.copy()
    for name in (*LEGS, SPINE[0]):
        rows = layout().slices[name]
        facing[rows] = fitted(quat_multiply(back, quat_from_rotvec(values[:, rows])), cycle.harmonics)
    return dataclasses.replace(cycle, coefficients=facing)


def _with_trunk_turn(cycle: Cycle, body: Body, scale: float) -> Cycle:
    """The chest's turn about the upright axis, away from its mean, scaled; the spine shares it, the head faces where it did."""
    values = cycle.evaluate(sample_phases())
    _, orientations = segment_poses(body, *pose(values, body))
    chest = matrix_from_quat(orientations[:, body.index["chest"]])
    yaw = np.unwrap(np.arctan2(chest[:, 1, 0], chest[:, 0, 0]))
    change = (scale - 1.0) * (yaw - yaw.mean())
    coefficients, below = cycle.coefficients.copy(), orientations[:, 0]
    chain = [(SPINE[0], 0.5), (SPINE[1], 1.0), *[("neck", 0.0)] * ("neck" in body.index)]
    for name, part in chain:
        upright = quat_from_rotvec(np.outer(part * change, (0.0, 0.0, 1.0)))
        turned = quat_multiply(upright, orientations[:, body.index[name]])
        coefficients[layout().slices[name]] = fitted(quat_multiply(quat_conjugate(below), turned), cycle.harmonics)
        below = turned
    return dataclasses.replace(cycle, coefficients=coefficients)


def _lead(cycle: Cycle, body: Body) -> complex:
    """First harmonic of the left foot's lead over the right one, over leg length: its size and phase."""
    phases = sample_phases()
    places, _ = segment_poses(body, *pose(cycle.evaluate(phases), body))
    left, right = (places[:, body.index[name], 0] for name in FEET)
    return complex(2.0 * np.mean((left - right) * np.exp(-2j * np.pi * phases)) / body.leg_length_m)
