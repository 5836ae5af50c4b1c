# SPDX-License-Identifier: GPL-3.0-or-later
"""The registry's entry of creatures by muscles."""

from ...engines.commands import Torques
from ..entry import Entry

CREATURE_MUSCLES = Entry(
    name="creature_muscles",
    title="Creature by Muscles",
    summary="A gait for any two legs, by muscles with late nerves, laid on whatever is drawn (after Geijtenbeek et al. 2013)",
    kinds=("creature",),
    commands=(Torques,),
    steered_by=("speed_m_s", "turn_rad_s", "turn_rad"),
    korean={"Creature by Muscles": "근육으로 걷는 생물",
            "A gait for any two legs, by muscles with late nerves, laid on whatever is drawn (after Geijtenbeek et al. 2013)":
            "무엇을 그리든 그 위에 놓인 근육과 늦은 신경으로 어떤 두 다리든 걷습니다(Geijtenbeek 외 2013 참고)"},
)
