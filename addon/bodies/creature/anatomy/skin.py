# SPDX-License-Identifier: GPL-3.0-or-later
"""What skin tells of a skeleton: how thick the body is about each bone, and whether a foot stands on its heel."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...human.anatomy.skeleton import Skeleton

LEAST_POINTS = 6
"""Fewer points of skin about a bone tell nothing."""


@dataclass(frozen=True)
class Skin:
    """Points of the skin at rest: `places` (M, 3) in the skeleton's axes, and `owners` (M,), the joint that moves each most."""

    places: np.ndarray
    owners: np.ndarray

    def of(self, joints: np.ndarray | list[int]) -> np.ndarray:
        """The places (K, 3) that some joints move."""
        return self.places[np.isin(self.owners, joints)]

    def only(self, rows: np.ndarray) -> Skin:
        """The skin of some joints alone, by their numbers among these."""
        number = np.full(max(int(self.owners.max(initial=-1)), int(rows.max(initial=-1))) + 1, -1)
        number[rows] = np.arange(len(rows))
        kept = number[self.owners] >= 0
        return Skin(self.places[kept], number[self.owners[kept]])


def thickness(skeleton: Skeleton, skin: Skin | None) -> np.ndarray | None:
    """How far the skin of each joint (N,) lies from its bone, the median; 0 where too little is known, None without skin."""
    if skin is None:
        return None
    found = np.zeros(len(skeleton.names))
    for joint in range(len(found)):
        mine = skin.of([joint])
        if len(mine) >= LEAST_POINTS:
            found[joint] = float(np.median(off_line(mine, skeleton.heads[joint], skeleton.ends[joint])))
    return found


def off_line(places: np.ndarray, start: np.ndarray, end: np.ndarray) -> np.ndarray:
    """Distances (M,) of places from the nearest point of a line from `start` to `end`."""
    way = end - start
    along = np.clip((places - start) @ way / max(float(way @ way), 1e-12), 0.0, 1.0)
    return np.linalg.norm(places - start - along[:, None] * way, axis=1)


def stands_on_heel(skeleton: Skeleton, skin: Skin | None, joint: int, nxt: np.ndarray, up: np.ndarray, ground: float,
                   near: float) -> bool | None:
    """Whether the skin of a joint touches the ground (within `near`) under or behind the first half of the way to the next
    joint, at `nxt` (3,), as a heel does; None where too little is known."""
    mine = None if skin is None else skin.of([joint])
    if mine is None or len(mine) < LEAST_POINTS:
        return None
    way = nxt - skeleton.heads[joint]
    flat = way - (way @ up) * up
    length = float(np.linalg.norm(flat))
    if length < 1e-9:
        return None
    along = (mine - skeleton.heads[joint]) @ flat / length**2
    back = mine[along < 0.4]
    return bool(len(back) and float((back @ up).min()) - ground < near)
