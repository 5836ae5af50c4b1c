# SPDX-License-Identifier: GPL-3.0-or-later
"""The key poses' entry in the registry."""

from ...engines.engine import Torques
from ..entry import Entry

POSE_GAIT = Entry(
    name="pose_gait",
    maker=".key_poses.maker",
    title="Gait from Key Poses",
    summary="Two to eight key poses and balance feedback of hips and ankles make a gait, with no captured motion (SIMBICON)",
    kinds=("human", "planar"),
    commands=(Torques,),
    steered_by=("speed_m_s", "turn_rad_s", "turn_rad", "gait", "pose_gait", "over_s", "via"),
)
