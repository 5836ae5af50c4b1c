# SPDX-License-Identifier: GPL-3.0-or-later
"""Korean: what is said about creatures' gaits."""

from __future__ import annotations

CREATURES = {
    "A shot with a creature's gait is moved by the controller {0}, not by {1}: choose one of them, or leave the gait out.":
        "생물의 걸음걸이가 있는 샷은 제어기 {1}이(가) 아니라 {0}이(가) 움직입니다. 그중 하나를 고르거나 걸음걸이를 빼십시오.",
    "The controller {0} moves creatures, not a body of kind {1}: give a creature, or choose the controller tracking.":
        "제어기 {0}은(는) 종류가 {1}인 몸이 아니라 생물을 움직입니다. 생물을 주거나 제어기 tracking을 고르십시오.",
    "A creature goes by a law of its own, which knows no built-in gait: leave {0} out.":
        "생물은 자기 법칙으로 가며 내장된 걸음걸이를 모릅니다. {0}을(를) 빼십시오.",
    "A creature walks on one left and one right leg; this body's feet are of the sides {0}.":
        "생물은 왼다리 하나와 오른다리 하나로 걷습니다. 이 몸의 발은 {0} 쪽입니다.",
    "A creature's legs have the same number of segments each, a thigh, one more or several, and a foot; these have {0} "
    "and {1}.":
        "생물의 두 다리는 마디 수가 같아야 합니다. 허벅지, 하나 이상의 마디, 발입니다. 이 다리들은 {0}개와 {1}개입니다.",
    "A creature's hip is a ball and its leg bends at hinges; the joints of this leg are {0}.":
        "생물의 엉덩이는 볼 관절이고 다리는 경첩에서 굽습니다. 이 다리의 관절은 {0}입니다.",
    "It fell while it got under way, so the shot begins at rest.": "걷기 시작하는 동안 넘어졌으므로 샷은 정지 상태에서 시작합니다.",
    "A creature begins as it is drawn, and takes no body over.": "생물은 그려진 자세로 시작하며 다른 몸을 넘겨받지 않습니다.",
    "No gait takes over from a creature's: take the keys out.": "생물의 걸음걸이에서 넘겨받는 걸음걸이는 없습니다. 키를 빼십시오.",
    "A creature knows one gravity: take the gravity's ramp out.": "생물은 중력 하나만 압니다. 중력의 변화를 빼십시오.",
    "A creature has one gait, which goes at any speed: steer it, and take the keys out.":
        "생물은 어떤 속도로든 가는 걸음걸이 하나만 있습니다. 조종하고 키를 빼십시오.",
    "The checkpoint {0} belongs to another search: its creature, world, speed, wishes, start, population, step or seed "
    "differ. Give the same options, or leave out --resume to start anew.":
        "체크포인트 {0}은(는) 다른 탐색의 것입니다. 생물, 세계, 속력, 바람, 시작, 개체 수, 걸음 크기, 시드 가운데 무엇이 다릅니다. 같은 옵션을 주거나 "
        "--resume을 빼고 새로 시작하십시오.",
    "The number {0} of the gait {1} must lie between {2} and {3}, got {4}.":
        "걸음걸이 {1}의 수 {0}은(는) {2}에서 {3} 사이여야 하는데 {4}입니다.",
}
