# SPDX-License-Identifier: GPL-3.0-or-later
"""Where legs, trunk and all that hangs on them stand in the arrays of a body with two legs."""

from __future__ import annotations

import numpy as np

from ...bodies.body import Body
from ...bodies.segments import COORDINATES, FREEDOM
from ...errors import BodyError

SIDES = ("L", "R")


class Layout:
    """Rows of segments in the body's order, columns of joints among torques (velocities behind the root), left leg first.

    `legs` (2, K) are the rows of the segments of each leg from the thigh to the foot, `hip` (2, 3) the columns of the hips,
    `hinge` (2, K - 2) those of the joints between thigh and foot and `hinge_at` their places in the coordinates, `foot` (2, F)
    the columns of the feet. `others` (B,) are the rows of the segments of ball joints in no leg, `other_parent` (B,) those that
    they hang on, `other` (B, 3) their columns; `bend`, `bend_at` the same of hinges in no leg. `mass_kg` (S,), `subtree_kg` (S,).
    `sole_m` (2, P, 3) and `sole_radius_m` (2, P) are the feet's contact spheres in their frames.
    Raises BodyError for a body without two legs of a ball and one or more hinges each, built alike.
    """

    def __init__(self, body: Body) -> None:
        self.body = body
        feet = sorted(body.feet, key=lambda foot: foot.side)
        if [foot.side for foot in feet] != list(SIDES):
            raise BodyError(f"A creature walks on one left and one right leg; this body's feet are of the sides "
                            f"{', '.join(foot.side or 'none' for foot in feet) or 'none'}.")
        if len(feet[0].leg) != len(feet[1].leg) or len(feet[0].leg) < 3:
            raise BodyError("A creature's legs have the same number of segments each, a thigh, one more or several, and a foot; "
                            f"these have {len(feet[0].leg)} and {len(feet[1].leg)}.")
        root = body.root_freedom
        column, at, columns, places = 0, body.root_coordinates, {}, {}
        for segment in body.segments[1:]:
            columns[segment.name] = list(range(column, column + FREEDOM[segment.joint]))
            places[segment.name] = at
            column, at = column + FREEDOM[segment.joint], at + COORDINATES[segment.joint]
        self.torques = body.degrees_of_freedom - root
        index, in_leg = body.index, {name for foot in feet for name in foot.leg}
        self.legs = np.array([[index[name] for name in foot.leg] for foot in feet])
        self.trunk = index[body.role("trunk")]
        self._check_joints(feet[0].leg)
        self.hip = np.array([columns[foot.leg[0]] for foot in feet])
        self.hinge = np.array([[columns[name][0] for name in foot.leg[1:-1]] for foot in feet])
        self.hinge_at = np.array([[places[name] for name in foot.leg[1:-1]] for foot in feet])
        self.foot = np.array([columns[foot.leg[-1]] for foot in feet])
        rest = [s for s in body.segments[1:] if s.name not in in_leg]
        balls, hinges = [s for s in rest if s.joint == "ball"], [s for s in rest if s.joint == "hinge"]
        self.others = np.array([index[s.name] for s in balls], dtype=int)
        self.other_parent = np.array([index[s.hangs_on] for s in balls], dtype=int)
        self.other = np.array([columns[s.name] for s in balls], dtype=int).reshape(len(balls), 3)
        self.bends = np.array([index[s.name] for s in hinges], dtype=int)
        self.bend = np.array([columns[s.name][0] for s in hinges], dtype=int)
        self.bend_at = np.array([places[s.name] for s in hinges], dtype=int)
        self.bend_axis = np.array([s.axis for s in hinges], dtype=float).reshape(len(hinges), 3)
        self.hinge_axis = np.array([[body.segment(name).axis for name in foot.leg[1:-1]] for foot in feet], dtype=float)
        self.of_foot = np.zeros((2, len(body.contact_points)))
        for row, foot in enumerate(feet):
            self.of_foot[row, list(foot.points)] = 1.0
        points = [[body.contact_points[i] for i in foot.points] for foot in feet]
        self.sole_m = np.array([[p.position for p in own] for own in points])
        self.sole_radius_m = np.array([[p.radius_m for p in own] for own in points])
        self.mass_kg = np.array([s.mass_kg for s in body.segments])
        self.subtree_kg = self.mass_kg.copy()
        for segment in reversed(body.segments[1:]):
            self.subtree_kg[index[segment.hangs_on]] += self.subtree_kg[index[segment.name]]

    def _check_joints(self, leg: tuple[str, ...]) -> None:
        joints = [self.body.segment(name).joint for name in leg]
        if joints[0] != "ball" or set(joints[1:-1]) != {"hinge"}:
            raise BodyError("A creature's hip is a ball and its leg bends at hinges; the joints of this leg are "
                            f"{', '.join(f'{name}: {joint}' for name, joint in zip(leg, joints, strict=True))}.")
