# SPDX-License-Identifier: GPL-3.0-or-later
"""The lowest skin of a moving figure's feet over the ground: what one sees of a sole, whatever the contact points are."""

from __future__ import annotations

import numpy as np

from ...bodies.human.landmarks import neutral_alignments
from ...maths.quaternions import matrix_from_quat
from ...worlds.ground import Ground
from ..read.figure import Figure
from .blocks import in_blocks
from .own_motion import OwnMotion

_PITCHES, _ROLLS = np.radians(np.linspace(-75.0, 75.0, 21)), np.radians(np.linspace(-40.0, 40.0, 9))
_ANKLES, _TOES = np.radians([-30.0, 0.0, 30.0]), np.radians([-20.0, 0.0, 20.0, 40.0, 60.0])
"""Turns of a foot, of the shank over it and of the toes up on it, of which each has a lowest point: no other point of the skin
ever is the lowest."""

UNSEEN_M, UNSEEN = 0.008, 0.009
"""Skin that is no farther off the ground, or in it, stays there, by the lesser of a length and a share of the leg: a millimetre
bends a straight knee by a degree."""


def seen_off(motion: OwnMotion, heights: np.ndarray) -> np.ndarray:
    """How far (T,) [m] skin at heights (T,) over the ground is seen to be off it: shoes are round where contact points are
    not, and toes curl."""
    room = min(UNSEEN_M, UNSEEN * motion.body.leg_length_m)
    return heights - np.clip(heights, -room, room)


def sole_heights(figure: Figure, motion: OwnMotion, ground: Ground) -> dict[str, np.ndarray]:
    """Side -> height (T,) [m] over the ground of the lowest skin of its foot, of feet that have a skin. The take's ground is
    scaled as its path is."""
    return {side: _heights(figure, motion, ground, side) for side in figure.soles}


def _heights(figure: Figure, motion: OwnMotion, ground: Ground, side: str) -> np.ndarray:
    body, marks = motion.body, figure.points
    turns = neutral_alignments(marks)
    points, shares = figure.soles[side]
    joints = {f"shank_{side}": "knee", f"foot_{side}": "ankle", f"toes_{side}": "toes"}
    carriers = [name for name in joints if name in body.index]
    if len(carriers) < len(joints):
        shares = np.column_stack([shares[:, 0], shares[:, 1] + shares[:, 2]])
    local = [(points - marks[f"{joints[name]}_{side}"]) @ turns[name].T for name in carriers]
    kept = _lowest_of_all(local, shares, [body.segment(name).offset for name in carriers])
    local, shares = [points[kept] for points in local], shares[kept]
    rows_of = [body.index[name] for name in carriers]

    def lowest(rows: slice) -> np.ndarray:
        places = sum(share[:, None] * _placed(motion, rows, i, points)
                     for i, points, share in zip(rows_of, local, shares.T, strict=True))
        if ground.level:
            return places[..., 2].min(axis=1)
        under = motion.scale * ground.height(places[..., 0] / motion.scale, places[..., 1] / motion.scale)
        return (places[..., 2] - under).min(axis=1)

    return in_blocks(lowest, len(motion.places))


def _placed(motion: OwnMotion, rows: slice, segment: int, local: np.ndarray) -> np.ndarray:
    """Places (T, N, 3) of points (N, 3) of a segment."""
    turned = np.einsum("tij,nj->tni", matrix_from_quat(motion.turns[rows, segment]), local)
    return turned + motion.places[rows, segment][:, None]


def _lowest_of_all(local: list[np.ndarray], shares: np.ndarray, offsets: list[np.ndarray]) -> np.ndarray:
    """Rows of the points (N, 3), as points of shank, foot and toes with their shares (N, 2 or 3) of them, that are lowest in
    some turn of these; `offsets` are the joints in the segments before."""
    pitch, roll = (grid.ravel() for grid in np.meshgrid(_PITCHES, _ROLLS))
    up = np.column_stack([-np.sin(pitch) * np.cos(roll), np.sin(roll), np.cos(pitch) * np.cos(roll)])
    found = []
    for ankle in _ANKLES:
        turn = _raised(ankle)
        bent = shares[:, :1] * ((local[0] - offsets[1]) @ turn.T) + shares[:, 1:2] * local[1]
        for toes in _TOES if shares.shape[1] > 2 else ():
            found.append((up @ (bent + shares[:, 2:] * (local[2] @ _raised(toes).T + offsets[2])).T).argmin(axis=1))
        if shares.shape[1] == 2:
            found.append((up @ bent.T).argmin(axis=1))
    return np.unique(np.concatenate(found))


def _raised(angle: float) -> np.ndarray:
    """Rotation (3, 3) that raises what is ahead by an angle [rad]."""
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[c, 0.0, -s], [0.0, 1.0, 0.0], [s, 0.0, c]])
