# SPDX-License-Identifier: GPL-3.0-or-later
"""Where a figure faces, and so which of its sides is the left one: feet, knees, elbows and names vote."""

from __future__ import annotations

import numpy as np

from .hints import side_of
from .limb import Limb, View

_FOOT, _KNEE, _ELBOW, _NAMES = 4.0, 12.0, 6.0, 1.0
"""Weights of the votes. The feet's is their reach ahead over half a foot's length (people: 0.07 of the leg over 0.14); a knee's
or an elbow's how far it bends aside, of its limb; the names' plus or minus one."""
_CLEAR = 0.5
"""Votes that leave the side sure."""


def facing(view: View, legs: Limb, arms: Limb | None) -> tuple[np.ndarray, bool, bool]:
    """Axes (3, 3), forward, left and up as columns; whether that is sure; and whether the limbs' joints are the left ones."""
    ahead = np.cross(view.mirror.normal, view.up)
    side = np.sign(view.mirror.side(view.skeleton.heads[legs.upper]))  # the limbs' own side along the normal
    vote = np.clip(_FOOT * _feet(view, legs, ahead), -2.0, 2.0)
    vote += np.clip(_KNEE * _bend(view, legs, ahead), -0.8, 0.8)
    if arms is not None and arms.end is not None:
        vote -= np.clip(_ELBOW * _bend(view, arms, ahead), -0.5, 0.5)
    vote += _NAMES * side * _named(view, legs, arms)
    forward = ahead if vote >= 0.0 else -ahead
    left = np.cross(view.up, forward)
    near_is_left = bool(side * (view.mirror.normal @ left) > 0.0)
    return np.column_stack([forward, left, view.up]), bool(abs(vote) > _CLEAR), near_is_left


def _feet(view: View, legs: Limb, ahead: np.ndarray) -> float:
    """How far the feet reach ahead of the ankle rather than behind, both sides' mean, over half a foot's length."""
    skeleton = view.skeleton
    leg = view.apart(legs.upper, legs.lower) + view.apart(legs.lower, legs.joints[-1])
    reach = []
    for ankle in (legs.joints[-1], int(view.mirror.partner[legs.joints[-1]])):
        below = skeleton.below(ankle)
        places = np.concatenate([skeleton.heads[below], skeleton.ends[below]]) if len(below) > 1 else skeleton.ends[below]
        along = (places - skeleton.heads[ankle]) @ ahead
        reach.append(float(along.max() + along.min()) / (0.14 * leg))
    return 0.5 * float(np.mean(reach))


def _bend(view: View, limb: Limb, ahead: np.ndarray) -> float:
    """How far a limb's middle joint lies ahead of the line between its ends, of the limb's length; both sides' mean."""
    skeleton, partner = view.skeleton, view.mirror.partner
    found = []
    for joints in (limb.joints, [int(partner[joint]) for joint in limb.joints]):
        start, bend, end = (skeleton.heads[joint] for joint in joints)
        line = end - start
        length = max(float(np.linalg.norm(line)), 1e-12)
        foot = start + ((bend - start) @ line) / length**2 * line
        found.append(float((bend - foot) @ ahead) / length)
    return float(np.mean(found))


def _named(view: View, legs: Limb, arms: Limb | None) -> float:
    """What names say: 1 where the limbs' joints are the side that they would be if the figure faced ahead, -1 where the other.

    Facing along n x u, a figure's left is along u x (n x u) = n."""
    skeleton, partner = view.skeleton, view.mirror.partner
    votes = []
    for joint in (*legs.joints, *(() if arms is None else arms.joints)):
        mine, yours = side_of(skeleton.names[joint]), side_of(skeleton.names[int(partner[joint])])
        if mine is not None and yours is not None and mine != yours:
            votes.append(1.0 if mine == "L" else -1.0)
    return float(np.mean(votes)) if votes else 0.0
