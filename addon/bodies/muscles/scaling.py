# SPDX-License-Identifier: GPL-3.0-or-later
"""From the reference body to any human body: where points of muscles' paths go.

As OpenSim scales models, each segment's points go with that segment's own size: limbs with their length; feet with how far ahead
of and below the ankle the toes are; the pelvis's with the distance of the hips between them and with the pelvis's size outside
of them; along the trunk with the height between its joints. So every joint's centre of the reference is mapped to the body's own.
What belongs to a segment that a body lacks is put on the segment above it, where the missing joint would be.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..body import Body
from ..segments import kind_of

TRUNK = ("pelvis", "lower_spine", "chest", "neck", "head")
ABOVE = {"lower_spine": "pelvis", "chest": "lower_spine", "neck": "chest", "head": "neck", "clavicle": "chest",
         "upper_arm": "clavicle", "forearm": "upper_arm", "hand": "forearm", "thigh": "pelvis", "shank": "thigh", "foot": "shank",
         "toes": "foot"}
"""Kinds of segments, and what carries them."""


def joint_centres(body: Body) -> dict[str, np.ndarray]:
    """Where the joint of each segment is in the neutral pose (3,) [m], from the root's on."""
    centres: dict[str, np.ndarray] = {}
    for segment in body.segments:
        centres[segment.name] = np.zeros(3) if segment.parent is None else centres[segment.parent] + segment.offset
    return centres


def carrier(body: Body, segment: str) -> str:
    """The segment itself, or the nearest one above it that the body has."""
    while segment not in body.index:
        above = ABOVE[kind_of(segment)]
        segment = above if above in TRUNK else above + segment[-2:]
    return segment


@dataclass(frozen=True)
class Place:
    """What a point was mapped to: the body's `segment`, the point in its frame (3,) [m], and by how much lengths along the three
    axes grew there (3,)."""

    segment: str
    position: np.ndarray
    scale: np.ndarray


class Placing:
    """Maps points in the segments' frames of a reference human to those of another body; both as `Body`s in the neutral pose."""

    def __init__(self, reference: Body, body: Body) -> None:
        self.reference, self.body = reference, body
        self.reference_centres, self.centres = self._from, self._to = joint_centres(reference), joint_centres(body)
        self.leg = body.leg_length_m / reference.leg_length_m
        self.width = self._across("thigh") / self._across("thigh", reference)
        self.pelvis = float(np.sqrt(self.width * self.leg))
        """Of the pelvis ahead of and above the hips: between its breadth and the legs' length."""
        knots = [name for name in TRUNK if name in self._from and name in self._to]
        ends = [(c[knots[-1]] + b.segment(knots[-1]).tip) for c, b in ((self._from, reference), (self._to, body))]
        self._knots = np.array([*(self._from[n] for n in knots), ends[0]]), np.array([*(self._to[n] for n in knots), ends[1]])
        shoulders = self._across("upper_arm") / self._across("upper_arm", reference)
        neck = max(i for i, name in enumerate(knots) if name != "head")
        heights = [line[max(neck, 1), 2] for line in self._knots]
        self.trunk = float(np.sqrt(shoulders * heights[1] / heights[0]))
        """Of the trunk across: between the shoulders' breadth and its height."""

    def _across(self, kind: str, body: Body | None = None) -> float:
        """Half the distance between a pair of joints [m]."""
        centres = self._to if body is None else self._from
        return max(0.5 * float(centres[f"{kind}_L"][1] - centres[f"{kind}_R"][1]), 1e-3)

    def place(self, segment: str, position: np.ndarray) -> Place:
        """Where a point in the frame of the reference's `segment` is on the body."""
        kind = kind_of(segment)
        if kind == "pelvis":
            return self._pelvis(position)
        if kind in TRUNK:
            return self._spine(segment, position)
        if kind == "clavicle":  # its muscles are the shoulder blade's, which goes with the shoulder
            return self._about(segment, f"upper_arm{segment[-2:]}", position, np.full(3, self.trunk))
        if kind in ("foot", "toes"):
            return self._about(segment, segment if segment in self.body.index else f"foot{segment[-2:]}", position,
                               self._foot(segment[-2:]))
        length = self.leg
        if segment in self.body.index:
            length = self._length(self.body, segment) / self._length(self.reference, segment)
        return self._about(segment, segment, position, np.full(3, length))

    def _about(self, segment: str, joint: str, position: np.ndarray, scale: np.ndarray) -> Place:
        """A point scaled about a joint that both bodies have, on whatever carries its segment."""
        while joint not in self._to:
            joint = carrier(self.body, joint)
        on = carrier(self.body, segment)
        away = self._from[segment] + position - self._from[joint]
        return Place(on, self._to[joint] + scale * away - self._to[on], scale)

    def _length(self, body: Body, segment: str) -> float:
        return max(float(np.linalg.norm(body.segment(segment).tip)), 1e-3)

    def _pelvis(self, position: np.ndarray) -> Place:
        hip = self._across("thigh", self.reference)
        out = max(abs(position[1]) - hip, 0.0)
        y = np.sign(position[1]) * (min(abs(position[1]), hip) * self.width + out * self.pelvis)
        middle = 0.5 * (self._to["thigh_L"] + self._to["thigh_R"]) - 0.5 * (self._from["thigh_L"] + self._from["thigh_R"])
        place = np.array([self.pelvis * position[0] + middle[0], y, self.pelvis * position[2] + middle[2]])
        return Place("pelvis", place, np.array([self.pelvis, self.pelvis if out else self.width, self.pelvis]))

    def _spine(self, segment: str, position: np.ndarray) -> Place:
        """Along the line of the trunk's joints, which it is beside by as much as the trunk is larger."""
        one, other = self._knots
        point = self._from[segment] + position
        i = int(np.clip(np.searchsorted(one[:, 2], point[2]) - 1, 0, len(one) - 2))
        share = (point[2] - one[i, 2]) / max(one[i + 1, 2] - one[i, 2], 1e-3)
        off = point - (one[i] + share * (one[i + 1] - one[i]))
        on = carrier(self.body, segment)
        along = (other[i + 1, 2] - other[i, 2]) / max(one[i + 1, 2] - one[i, 2], 1e-3)
        place = other[i] + share * (other[i + 1] - other[i]) + self.trunk * off
        return Place(on, place - self._to[on], np.array([self.trunk, self.trunk, along]))

    def _foot(self, side: str) -> np.ndarray:
        """How much longer, wider and higher than the reference's a foot is: by its toe joint, by its end where it has none."""
        toes, foot = f"toes{side}", f"foot{side}"
        if toes in self.body.index:
            mine, theirs = self.body.segment(toes).offset, self.reference.segment(toes).offset
        else:
            mine, theirs = self.body.segment(foot).tip, self.reference.segment(foot).tip
        along = max(mine[0] / theirs[0], 0.1)
        down = max(mine[2] / theirs[2], 0.1)
        return np.array([along, along, down])
