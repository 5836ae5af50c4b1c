# SPDX-License-Identifier: GPL-3.0-or-later
"""One response to one push: how somebody moved, which feet stood, and the momentum that was taken out.

Everything is free of the body's size and of gravity: lengths over the leg's, times over the root of leg length over g, speeds
over the root of leg length times g. So a response fits any body on any planet, as dynamic similarity has it.
"""

from __future__ import annotations

import cmath
import math
from dataclasses import dataclass, replace
from functools import cache, cached_property

import numpy as np

from ...bodies.body import Body
from ...bodies.human.landmarks import SIDES
from ...bodies.kinematics import contact_point_positions, segment_poses
from ...bodies.makers import make_body
from ...specs.shot import EARTH_GRAVITY_M_S2, BodySpec
from ..channels import layout, pose

STRATEGIES = ("ankles", "hips", "arms", "step", "steps")
"""From the mildest to the strongest: in place, or by one step, or by several (Yin 2007, 4.2: hip, arm, step)."""
IN_PLACE = STRATEGIES[:3]
PARTS = ("heel", "ball")


@cache
def reference_body() -> Body:
    """The body on which responses are kept: the standard one."""
    return make_body(BodySpec())


def unit_s(body: Body, gravity_m_s2: float = EARTH_GRAVITY_M_S2) -> float:
    """What times are over [s]."""
    return math.sqrt(body.leg_length_m / gravity_m_s2)


def unit_m_s(body: Body, gravity_m_s2: float = EARTH_GRAVITY_M_S2) -> float:
    """What speeds, and momentum over mass, are over [m/s]."""
    return math.sqrt(body.leg_length_m * gravity_m_s2)


@dataclass(frozen=True, eq=False)
class Response:
    """N frames from the push's onset on, `step` apart. `channels` (N, 54) as in `channels.layout`, x forward, the middle of the
    ankles over the origin at first; `planted` (N, 2, 2) bool: heel and ball of the left and right foot stand still on the
    ground; `momentum` (N,) complex: horizontal momentum over mass. `push` (complex) is the index: what the push brought, known
    where it was simulated, else the maximum of the momentum (Yin 2007, 4.3); `spin` (2,) the maximum of the angular momentum
    about the forward and the leftward axis, over mass. `strategy` is the strongest one it shows, one of STRATEGIES, with
    `steps` steps; who is `limited` was allowed no stronger one, and would have used it."""

    name: str
    source: str
    strategy: str
    steps: int
    push: complex
    spin: tuple[float, float]
    step: float
    channels: np.ndarray
    planted: np.ndarray
    momentum: np.ndarray
    limited: bool = False

    @property
    def direction_rad(self) -> float:
        """Direction of the push, 0 forward, positive to the left."""
        return cmath.phase(self.push)

    @property
    def strength(self) -> float:
        """Momentum over mass that was recovered."""
        return abs(self.push)

    @property
    def in_place(self) -> bool:
        """Whether the feet stayed where they were."""
        return self.strategy in IN_PLACE

    @property
    def frames(self) -> int:
        """N."""
        return len(self.channels)

    @property
    def duration(self) -> float:
        """From the first frame to the last."""
        return self.step * (self.frames - 1)

    @cached_property
    def peak(self) -> int:
        """The frame of the most momentum along the push, on the way out."""
        return int(np.argmax(self._along[:max(int(np.argmax(np.abs(np.cumsum(self.momentum)))), 1) + 1]))

    @cached_property
    def _along(self) -> np.ndarray:
        return (self.momentum * np.conj(self.push)).real / max(self.strength, 1e-12)

    @cached_property
    def recoverable(self) -> np.ndarray:
        """(N,) Momentum along the push that a body in each frame's pose gets rid of: the frame's own, before the peak the
        whole (Yin 2007, 4.4), in the index's own measure."""
        along = self._along
        found = along * (self.strength / max(float(along[self.peak]), 1e-12))
        found[:self.peak] = self.strength
        return found

    @cached_property
    def stood(self) -> complex:
        """From the right ankle to the left one before the push, over the leg's length."""
        return complex(apart(self.channels[:1])[0])

    def mirrored(self) -> Response:
        """Its mirror image in the sagittal plane."""
        places = layout()
        return replace(self, name=mirrored_name(self.name), push=self.push.conjugate(), spin=(-self.spin[0], self.spin[1]),
                       channels=self.channels[:, places.mirror_order] * places.mirror_sign, planted=self.planted[:, ::-1],
                       momentum=np.conj(self.momentum))


def mirrored_name(name: str) -> str:
    """The name of a response's mirror image."""
    return f"{name} (mirrored)"


def feet_of(channels: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Ankles (N, 2, 3), heights over where they rest, and orientations (N, 2, 4) of the feet in channels (N, 54)."""
    positions, orientations, _ = reference_poses(channels)
    feet = [reference_body().index[f"foot_{side}"] for side in SIDES]
    ankles = positions[:, feet] / reference_body().leg_length_m
    ankles[..., 2] += reference_body().sole_height_m / reference_body().leg_length_m
    return ankles, orientations[:, feet]


def apart(channels: np.ndarray) -> np.ndarray:
    """(N,) complex: from the right ankle to the left one, over the leg's length, in poses (N, 54)."""
    ankles, _ = feet_of(channels)
    away = ankles[:, 0] - ankles[:, 1]
    return away[:, 0] + 1j * away[:, 1]


def reference_poses(channels: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Joint centres (N, S, 3) [m], orientations (N, S, 4) and contact points (N, P, 3) [m] on the reference body."""
    body = reference_body()
    root, turn, joints = pose(channels.copy(), body)
    positions, orientations = segment_poses(body, root, turn, joints)
    return positions, orientations, contact_point_positions(body, positions, orientations)
