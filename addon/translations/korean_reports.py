# SPDX-License-Identifier: GPL-3.0-or-later
"""Korean: why something about a take is not measured, and what the physics card says of a lost simulation."""

from __future__ import annotations

REPORTS = {
    "the character had not fallen when the simulation was lost": "시뮬레이션을 잃었을 때 캐릭터는 넘어지지 않았습니다",
    "the character falls after {0} s and goes on as the shot says": "캐릭터가 {0}초 뒤에 넘어지고 샷이 정한 대로 이어집니다",
    "the engine kept the simulation to the end": "엔진이 시뮬레이션을 끝까지 지켰습니다",
    "this body has no feet": "이 몸에는 발이 없습니다", "this body does not have two feet": "이 몸의 발은 둘이 아닙니다",
    "this body has no contact points": "이 몸에는 접촉점이 없습니다", "this body has no joints": "이 몸에는 관절이 없습니다",
    "this body is not human: there is nobody to compare it with": "이 몸은 사람이 아니라서 견줄 사람이 없습니다",
    "its controller plans no strides": "제어기가 보행 주기를 계획하지 않습니다",
    "its controller plans no speed": "제어기가 속도를 계획하지 않습니다", "its controller plans no pose": "제어기가 자세를 계획하지 않습니다",
    "its controller solves no quadratic programs": "제어기가 이차 계획을 풀지 않습니다",
    "no whole stride to measure": "잴 만한 온전한 보행 주기가 없습니다", "the motion is not a number": "동작이 수가 아닙니다",
    "no flight": "체공이 없습니다", "there is flight: see the peak force with flight": "체공이 있습니다. 체공이 있는 최대 힘을 보세요",
    "no foot carried weight": "무게를 실은 발이 없습니다", "one foot leads by design": "본래 한 발이 앞서는 걸음걸이입니다",
    "the clip is gone": "클립이 없어졌습니다", "it was asked to stand": "서 있으라고 했습니다", "it does not move on": "나아가지 않습니다",
    "not measured": "재지 않았습니다",
    "This take is of a body of the kind {0}; an armature is keyed by takes of human bodies.":
        "이 테이크의 몸은 {0} 종류입니다. 아마튜어에는 사람 몸의 테이크로 키를 넣습니다.",
    "Normal gait is a human's; this take is of a body of the kind {0}.":
        "정상 보행은 사람의 것인데 이 테이크의 몸은 {0} 종류입니다.",
}
