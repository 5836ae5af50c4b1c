# SPDX-License-Identifier: GPL-3.0-or-later
"""Contact phases of a gait with flight, sharpened: from the soles' own heights instead of a clip's nearness and slowness.

A running foot is near the ground and slow for longer than it is on it: a few centimetres at either end are a tenth of its
stance, and the ground phase that is planned from the contacts would be that much too long.
"""

from __future__ import annotations

import dataclasses

import numpy as np

from ..bodies.kinematics import contact_point_positions, segment_poses
from ..bodies.makers import make_body
from ..errors import ClipError
from ..maths.periodic import shifted
from ..specs.shot import BodySpec
from .channels import pose
from .cycle import ContactPhases, Cycle

SAMPLES = 500
TOUCHING_PER_LEG = 0.009
"""A sole lower than this touches, as a share of the leg; the shoe's and the fit's own error is half of it."""
SEARCH = 0.12
"""How far from the contact phases of the clip the sharpened ones are looked for."""


def with_sharp_contacts(cycle: Cycle) -> Cycle:
    """The cycle with strikes and toe-offs where its soles come within `TOUCHING_PER_LEG` of the ground, seen on the standard
    body; phase 0 is the left strike again. Raises ClipError where a foot never comes down."""
    phases = np.arange(SAMPLES) / SAMPLES
    body = make_body(BodySpec())
    root, quats, joints = pose(cycle.evaluate(phases), body)
    soles = contact_point_positions(body, *segment_poses(body, root, quats, joints))[..., 2]
    contacts = {}
    for side, contact in cycle.contact_phases.items():
        rows = [i for i, p in enumerate(body.contact_points) if p.side == side]
        contacts[side] = _sharpened(soles[:, rows].min(axis=1), contact, TOUCHING_PER_LEG * body.leg_length_m, side)
    return rephased(dataclasses.replace(cycle, contact_phases=contacts), contacts["L"].strike)


def _sharpened(height: np.ndarray, contact: ContactPhases, threshold_m: float, side: str) -> ContactPhases:
    """Contact phases of one foot from the height (SAMPLES,) of its lowest point."""
    since = (np.arange(SAMPLES) / SAMPLES - contact.strike + SEARCH) % 1.0 - SEARCH
    order = np.argsort(since)
    since, height = since[order], height[order]
    standing = (since > 0.0) & (since < contact.stance)
    window = since < contact.stance + SEARCH
    touching = window & (height < np.median(height[standing]) + threshold_m)
    if not touching.any():
        raise ClipError(f"The {'left' if side == 'L' else 'right'} foot of this cycle never comes down to the ground.")
    on, off = since[touching][0], since[touching][-1]
    flat, heel_off, _ = contact.since_strike()
    events = on, min(max(flat, on), off), min(max(heel_off, on), off), off
    return ContactPhases(*((contact.strike + float(x)) % 1.0 for x in events))


def rephased(cycle: Cycle, by: float) -> Cycle:
    """The same motion with phase 0 at phase `by` of the cycle."""
    return dataclasses.replace(cycle, coefficients=shifted(cycle.coefficients, by),
                               contact_phases={side: c.shifted(-by) for side, c in cycle.contact_phases.items()})
