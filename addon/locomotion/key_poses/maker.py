# SPDX-License-Identifier: GPL-3.0-or-later
"""What the registry asks of the key poses."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...bodies.body import Body
from ...bodies.human.suit import load_suit
from ...bodies.makers import KIND as PLANAR
from ...bodies.makers import make_body
from ...errors import InputError
from ...gaits import pose_gaits
from ...gaits.pose_gaits import load_pose_gait, pose_gait_names
from ...specs.shot import Shot
from ..controller import Part, Physics, Setup, Steerable
from .controller import PoseGaitController, pose_gait_in
from .planar_law import PlanarSettings, acts
from .strength import PoseGaitSettings, Scale

FASTER, SLOWEST_MOST_M_S = 1.4, 1.0
"""How much faster than its own speed a gait may be asked to go, and to what speed on Earth at the least."""


def make(setup: Setup) -> PoseGaitController:
    """The controller of a setup. Raises InputError for a shot without key poses."""
    return PoseGaitController(setup)


def check_parts(parts: Sequence[Part], body: Body) -> None:
    """Key poses have no gait of the planner's to key. Raises InputError."""
    raise InputError("A gait from key poses cannot be keyed with gaits of the planner: steer it to other gaits from key poses, "
                     "or choose the controller tracking.")


def physics(shot: Shot) -> Physics:
    """A millisecond, and feet on the ground; the law in the plane acts more often."""
    if shot.body.kind != PLANAR:
        return Physics()
    return Physics(acts=acts(Scale.of(make_body(shot.body), shot.world.gravity_m_s2)))


def plan(shot: Shot) -> None:
    """Nobody knows its steps beforehand."""
    return None


def steerable(shot: Shot) -> Steerable:
    """The shipped gaits at their own speeds, and from standing to somewhat faster than the shot's own gait goes."""
    gait = pose_gait_in(shot)
    faster = Scale.of(make_body(shot.body, load_suit(shot.suit)), shot.world.gravity_m_s2).speed
    kind = shot.body.kind
    own = gait.speed_m_s * faster if shot.speed_m_s is None else shot.speed_m_s
    gaits = tuple((name, round(max(load_pose_gait(name, kind).speed_m_s, 0.0) * faster, 3)) for name in pose_gait_names(kind))
    return Steerable(own, 0.0, max(FASTER * own, SLOWEST_MOST_M_S * faster), gaits)


def carried(shot: Shot) -> Shot:
    """Its steering with the pose gaits themselves. Raises InputError."""
    return pose_gaits.carried(shot)


def settings() -> dict[str, Any]:
    """The strength of the joints, and how targets change, of a human and of the planar body."""
    return {"pose_gait": PoseGaitSettings(), "planar": PlanarSettings()}


def searched(shot: Shot) -> tuple[str, ...]:
    """The group of its settings that is the body's."""
    return ("planar" if shot.body.kind == PLANAR else "pose_gait",)
