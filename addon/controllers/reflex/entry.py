# SPDX-License-Identifier: GPL-3.0-or-later
"""The reflex walker's entry in the registry."""

from ...engines.commands import Torques
from ..entry import Entry

REFLEX = Entry(
    name="reflex",
    title="Muscle Reflexes",
    summary="Eight muscles a leg and their delayed reflexes make a walk or a run, with no captured motion (Wang et al. 2012)",
    kinds=("human",),
    commands=(Torques,),
    korean={"Muscle Reflexes": "근육 반사",
            "Eight muscles a leg and their delayed reflexes make a walk or a run, with no captured motion (Wang et al. 2012)":
            "다리마다 근육 여덟 개와 그 늦은 반사가 걷기나 달리기를 만듭니다. 캡처한 동작이 필요 없습니다(Wang 외 2012)"},
)
