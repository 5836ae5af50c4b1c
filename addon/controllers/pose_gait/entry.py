# SPDX-License-Identifier: GPL-3.0-or-later
"""The key poses' entry in the registry."""

from ...engines.commands import Torques
from ..entry import Entry

POSE_GAIT = Entry(
    name="pose_gait",
    title="Gait from Key Poses",
    summary="Two to eight key poses and balance feedback of hips and ankles make a gait, with no captured motion (SIMBICON)",
    kinds=("human", "planar"),
    commands=(Torques,),
    steered_by=("speed_m_s", "turn_rad_s", "turn_rad", "gait", "pose_gait", "over_s", "via"),
    korean={"Gait from Key Poses": "키 포즈 걸음",
            "Two to eight key poses and balance feedback of hips and ankles make a gait, with no captured motion (SIMBICON)":
            "키 포즈 두세 개와 엉덩이·발목의 균형 되먹임으로 걸음을 만듭니다. 캡처한 동작이 필요 없습니다(SIMBICON)"},
)
