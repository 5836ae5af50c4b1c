# SPDX-License-Identifier: GPL-3.0-or-later
"""What a body that lies or kneels is held by: beside the points of its soles the ends of all its capsules, in a state of the
controller's own. The engine has the capsules themselves."""

from __future__ import annotations

import copy
from collections.abc import Iterable

import numpy as np

from ...bodies.body import Body, ContactPoint
from ...bodies.capsules import body_capsules
from ...bodies.human.landmarks import SIDES
from ...bodies.model import build_model
from ...bodies.state import BodyState
from ...specs.shot import World
from ...worlds.ground import Ground

SAME_M = 0.02
"""Ends of capsules nearer to each other than this are one point, the thicker one's."""


def supported(body: Body) -> Body:
    """The same body with a contact point at every capsule's ends, after those of the soles."""
    made = copy.copy(body)
    made.contact_points = (*body.contact_points, *_ends(body))
    return made


def _ends(body: Body) -> list[ContactPoint]:
    origin = {body.segments[0].name: np.zeros(3)}
    for segment in body.segments[1:]:
        origin[segment.name] = origin[segment.hangs_on] + segment.offset
    found: list[tuple[np.ndarray, ContactPoint]] = []
    for shape in body_capsules(body):
        if shape.segment.startswith("toes"):
            continue  # under their own points
        for where, place in (("start", shape.start), ("end", shape.end)):
            point = ContactPoint(f"{shape.name}_{where}", "", where, shape.segment, place, shape.radius_m)
            at = origin[shape.segment] + place
            near = [i for i, (other, _) in enumerate(found) if float(np.linalg.norm(at - other)) < SAME_M]
            if not near:
                found.append((at, point))
            elif found[near[0]][1].radius_m < shape.radius_m:
                found[near[0]] = at, point
    return [point for _, point in found]


class Support:
    """The points of a body by what they are of it: a knee, a wrist, the fingers, a sole's ball, by side."""

    def __init__(self, body: Body, world: World, ground: Ground) -> None:
        self.body = supported(body)
        self.state = BodyState(self.body, build_model(self.body, world), ground)
        points = self.body.contact_points
        names: dict[str, list[int]] = {}
        for side in SIDES:
            names |= {f"knee_{side}": self._nearest(f"thigh_{side}", f"shank_{side}"),
                      f"elbow_{side}": self._nearest(f"upper_arm_{side}", f"forearm_{side}"),
                      f"wrist_{side}": self._nearest(f"forearm_{side}", f"hand_{side}"),
                      f"fingers_{side}": self._nearest(f"hand_{side}" if f"hand_{side}" in body.index else f"forearm_{side}")}
            for kind in ("heel", "ball", "toe"):
                names[f"{kind}_{side}"] = [i for i, p in enumerate(points) if p.side == side and p.kind == kind]
        self.rows: dict[str, list[int]] = names
        limbs = {i for rows in names.values() for i in rows}
        limbs |= {i for i, p in enumerate(points) if p.segment.startswith(("foot", "toes", "shank"))}
        torso = set(body.way_to(body.role("trunk")))
        self.torso = np.array([p.segment in torso for p in points])
        self.trunk = np.array([i not in limbs and not p.segment.startswith(("thigh", "upper_arm", "clavicle"))
                               for i, p in enumerate(points)])
        """Points (P,) of trunk and head, which are to be off the ground as soon as somebody is on hands and knees."""

    def _nearest(self, segment: str, below: str | None = None) -> list[int]:
        """The point at the end of a segment, where that below it begins."""
        part = self.body.segment(segment)
        place = self.body.segment(below).offset if below is not None and below in self.body.index else part.tip
        rows = [(float(np.linalg.norm(point.position - place)), i) for i, point in enumerate(self.body.contact_points)
                if point.segment == segment]
        if below is not None and below in self.body.index:
            rows += [(float(np.linalg.norm(point.position)), i) for i, point in enumerate(self.body.contact_points)
                     if point.segment == below]
        return [min(rows)[1]] if rows else []

    def mask(self, names: Iterable[str]) -> np.ndarray:
        """Which points (P,) those are."""
        found = np.zeros(len(self.body.contact_points), dtype=bool)
        for name in names:
            found[self.rows[name]] = True
        return found

    def place(self, name: str) -> np.ndarray:
        """Where a part touches or would touch (3,) [m]: the mean of its points in the state."""
        return self.state.contact_point_m[self.rows[name]].mean(axis=0)
