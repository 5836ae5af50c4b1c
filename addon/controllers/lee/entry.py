# SPDX-License-Identifier: GPL-3.0-or-later
"""The data-driven controller's entry in the registry."""

from ...engines.commands import Accelerations, Torques
from ..entry import Entry

LEE = Entry(
    name="lee",
    title="Follow a Motion, Data-Driven",
    summary="A clip's pose, modulated as it goes and tracked joint by joint (Lee 2014); every motion needs gains of its own",
    kinds=("human",),
    commands=(Torques, Accelerations),
    per_motion=True,
    korean={"Follow a Motion, Data-Driven": "동작 따라가기(데이터 기반)",
            "A clip's pose, modulated as it goes and tracked joint by joint (Lee 2014); every motion needs gains of its own":
            "클립의 자세를 그때그때 바꾸며 관절마다 따라갑니다(Lee 2014). 동작마다 맞는 이득이 따로 필요합니다"},
)
