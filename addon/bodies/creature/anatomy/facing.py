# SPDX-License-Identifier: GPL-3.0-or-later
"""Where a creature faces: feet, head against tail, knees and names vote."""

from __future__ import annotations

import numpy as np

from ...human.anatomy.hints import side_of
from ...human.anatomy.limb import View
from .core import Stance, head_end, middle_ends, tail_end
from .leg import Leg
from .words import kinds_of

_FOOT, _HEAD, _KNEE, _NAMES = 2.0, 1.5, 0.7, 1.2
"""Weights of the votes, each plus or minus one at most."""
_CLEAR = 0.6
"""Votes that leave no doubt."""
_LEAST_FOOT = 0.08
"""Of the leg: a shorter foot tells less."""


def facing(view: View, leg: Leg, hips: np.ndarray, high: float) -> tuple[np.ndarray, bool, bool]:
    """Forward (3,), whether that is sure, and whether the leg's own joints are of the left side."""
    ahead = np.cross(view.mirror.normal, view.up)
    ahead = ahead / max(float(np.linalg.norm(ahead)), 1e-12)
    side = float(np.sign(view.mirror.side(view.skeleton.heads[leg.joints[0]])))
    vote = _FOOT * _foot(view, leg, ahead) + _KNEE * _knee(view, leg, ahead)
    vote += _HEAD * _head(Stance(view, leg, hips, high, ahead), ahead) + _NAMES * side * _named(view, leg)
    forward = ahead if vote >= 0.0 else -ahead
    left = np.cross(view.up, forward)
    return forward, bool(abs(vote) > _CLEAR), bool(side * (view.mirror.normal @ left) > 0.0)


def _foot(view: View, leg: Leg, ahead: np.ndarray) -> float:
    """How far the foot reaches ahead of the ankle rather than behind."""
    if not leg.has_foot:
        return 0.0
    skeleton = view.skeleton
    below = skeleton.below(leg.joints[-1])
    along = (np.concatenate([skeleton.heads[below], skeleton.ends[below]]) - leg.ankle) @ ahead
    reach = float(along.max() - along.min())
    least = _LEAST_FOOT * float(np.linalg.norm(leg.ankle - skeleton.heads[leg.joints[0]]))
    return float(along.max() + along.min()) / max(reach, least)


def _knee(view: View, leg: Leg, ahead: np.ndarray) -> float:
    """How far the first bend lies ahead of the line from hip to ankle, over a tenth of it."""
    if len(leg.joints) < 2 + leg.has_foot:
        return 0.0
    hip, knee = (view.skeleton.heads[joint] for joint in leg.joints[:2])
    line = leg.ankle - hip
    length = max(float(np.linalg.norm(line)), 1e-12)
    off = knee - hip - ((knee - hip) @ line) / length**2 * line
    return float(np.clip(10.0 * float(off @ ahead) / length, -1.0, 1.0))


def _head(stance: Stance, ahead: np.ndarray) -> float:
    """Whether what is highest lies ahead and what is called a tail behind: both ways are tried."""
    votes = []
    skeleton = stance.view.skeleton
    for forward in (ahead, -ahead):
        way = stance.faced(forward)
        ends = middle_ends(way)
        head = head_end(way, ends)
        tail = tail_end(way, ends, head)
        told = 0.0 if head is None else float(np.clip(2.0 * way.ahead(head), -1.0, 1.0))
        if tail is not None and any("tail" in kinds_of(skeleton.names[joint]) for joint in skeleton.line(tail)[:3]):
            told += float(np.clip(-2.0 * way.ahead(tail), -1.0, 1.0))
        votes.append(told)
    return float(np.clip(votes[0] - votes[1], -1.0, 1.0))


def _named(view: View, leg: Leg) -> float:
    """What names say of sides: see `human.anatomy.facing`."""
    names, partner = view.skeleton.names, view.mirror.partner
    votes = []
    for joint in leg.joints:
        mine, yours = side_of(names[joint]), side_of(names[int(partner[joint])]) if partner[joint] >= 0 else None
        if mine is not None and yours is not None and mine != yours:
            votes.append(1.0 if mine == "L" else -1.0)
    return float(np.mean(votes)) if votes else 0.0
