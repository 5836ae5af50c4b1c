# SPDX-License-Identifier: GPL-3.0-or-later
"""What a body is made of: rigid segments in a tree, the points with which it touches the ground, and feet."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..errors import BodyError

ROOT_JOINTS = ("free", "planar")
"""Of the first segment: "free" has a position and a quaternion; "planar" has x, z and pitch, all within the sagittal plane."""
JOINTS = ("ball", "hinge")
"""Of all other segments."""
COORDINATES = {"free": 7, "planar": 3, "ball": 4, "hinge": 1}
"""How many generalised coordinates a joint has."""
FREEDOM = {"free": 6, "planar": 3, "ball": 3, "hinge": 1}
"""How many generalised velocities a joint has: its degrees of freedom."""
PLANAR_COORDINATES = ("x", "z", "pitch")
"""Of a planar root, in this order: forward [m], up [m], and the angle about the leftward axis [rad], positive nose down."""


@dataclass(frozen=True)
class Segment:
    """One rigid segment. Vectors in its own frame, whose axes are the body frame's in the neutral pose; SI units.

    `offset` is its joint's place in the parent's frame, `tip` its far end, `inertia` (3, 3) is about its centre of mass.
    `joint` is one of `ROOT_JOINTS` for the root and one of `JOINTS` for all others; `limits_rad` is (low, high), for a ball
    (0, cone angle). What is worn resists the joint by -stiffness (angle - rest) - damping rate; a ball's angle is its rotation
    vector, its rest is zero. `flesh_kg` is the mass that takes room (None: all of it), `worn_m` the thickness of what is worn
    over it (a thinner skin's is negative), `ahead_m` how far the middle of its flesh lies ahead of the line from joint to tip.
    """

    name: str
    parent: str | None
    joint: str
    offset: np.ndarray
    tip: np.ndarray
    mass_kg: float
    com: np.ndarray
    inertia: np.ndarray
    axis: np.ndarray | None = None
    limits_rad: tuple[float, float] | None = None
    stiffness_nm_rad: float = 0.0
    damping_nms_rad: float = 0.0
    rest_rad: float = 0.0
    flesh_kg: float | None = None
    worn_m: float = 0.0
    ahead_m: float = 0.0

    @property
    def hangs_on(self) -> str:
        """The parent's name, of every segment but the root. Raises BodyError for the root."""
        if self.parent is None:
            raise BodyError(f"Segment {self.name} is the root and hangs on no other.")
        return self.parent

    @property
    def range_rad(self) -> tuple[float, float]:
        """`limits_rad` of a joint that has them. Raises BodyError for the root."""
        if self.limits_rad is None:
            raise BodyError(f"The joint of segment {self.name} has no limits.")
        return self.limits_rad


@dataclass(frozen=True)
class ContactPoint:
    """A sphere that touches the ground: its segment, centre there and radius.

    `kind` says what of a sole it is, of a human's "heel", "ball" or "toe"; `side` is "L", "R" or, in the middle, "".
    """

    name: str
    side: str
    kind: str
    segment: str
    position: np.ndarray
    radius_m: float


@dataclass(frozen=True)
class Capsule:
    """All points within `radius_m` of the line from `start` to `end` (3,) [m], in the frame of its segment.

    Within `core_m` of it other segments cannot be either: flesh and what is worn give way.
    """

    name: str
    segment: str
    start: np.ndarray
    end: np.ndarray
    radius_m: float
    core_m: float


@dataclass(frozen=True)
class Foot:
    """A foot by its role. `segment` is the one whose joint is the ankle; `leg` names the leg's segments from the one at the hip
    to `segment`, both included; `points` are the rows of its points in `Body.contact_points`. `side` is "L", "R" or "".

    A human's feet are named after their sides.
    """

    name: str
    side: str
    segment: str
    leg: tuple[str, ...]
    points: tuple[int, ...]


def kind_of(name: str) -> str:
    """The segment's name without its side: "thigh" of "thigh_L"."""
    return name.removesuffix("_L").removesuffix("_R")
