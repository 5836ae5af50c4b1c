# SPDX-License-Identifier: GPL-3.0-or-later
"""The entry in the registry of what plays a motion and takes hits."""

from ...engines.commands import Accelerations, Torques
from ...specs.hit import HIT
from ..entry import Entry

HIT_REACTION = Entry(
    name=HIT,
    title="Hit Reaction",
    summary="Plays a motion; what is hit yields and comes back to it, on its feet or with the hips on the motion's rails",
    kinds=("human",),
    commands=(Torques, Accelerations),
    korean={"Hit Reaction": "맞는 반응",
            "Plays a motion; what is hit yields and comes back to it, on its feet or with the hips on the motion's rails":
            "동작을 그대로 재생하다가 맞은 곳이 밀렸다가 돌아옵니다. 발로 버티거나 골반이 동작의 길을 그대로 갑니다"},
)
