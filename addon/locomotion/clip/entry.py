# SPDX-License-Identifier: GPL-3.0-or-later
"""The follower's entry in the registry."""

from ...engines.engine import Accelerations, Excitations, Torques
from ..entry import Entry

FOLLOW = Entry(
    name="follow",
    maker=".clip.maker",
    title="Follow a Motion",
    summary="A clip's own steps on any planet: its balance is planned anew, a quadratic program drives the whole body",
    kinds=("human",),
    commands=(Torques, Accelerations, Excitations),
    steered_by=("speed_m_s", "turn_rad_s", "turn_rad", "gait"),
)
