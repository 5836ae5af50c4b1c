# SPDX-License-Identifier: GPL-3.0-or-later
"""The quick creatures' entry in the registry."""

from ...engines.commands import Torques
from ..entry import Entry

CREATURE = Entry(
    name="creature",
    title="Creature",
    summary="A gait for any two legs, by torques scaled to their size and gravity, with no captured motion",
    kinds=("creature",),
    commands=(Torques,),
    steered_by=("speed_m_s", "turn_rad_s", "turn_rad"),
    korean={"Creature": "생물",
            "A gait for any two legs, by torques scaled to their size and gravity, with no captured motion":
            "어떤 두 다리든 그 크기와 중력에 맞춘 토크로 걷습니다. 캡처한 동작이 필요 없습니다"},
)
