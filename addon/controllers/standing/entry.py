# SPDX-License-Identifier: GPL-3.0-or-later
"""The standing controller's entry in the registry."""

from ...engines.commands import Accelerations, Excitations, Torques
from ..entry import Entry

STANDING = Entry(
    name="standing",
    title="Stand",
    summary="Stands, and stays up when pushed: with ankles, hips and steps to where the body would fall",
    kinds=("human",),
    commands=(Torques, Accelerations, Excitations),
    takes_over=True,
    korean={"Stand": "서 있기",
            "Stands, and stays up when pushed: with ankles, hips and steps to where the body would fall":
            "서 있다가 밀리면 발목과 엉덩이로, 모자라면 넘어질 곳으로 발을 내디뎌 버팁니다"},
)
