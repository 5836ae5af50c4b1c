# SPDX-License-Identifier: GPL-3.0-or-later
"""Korean: muscles and who goes by reflexes in the panel."""

from __future__ import annotations

MUSCLE_WORDS = {
    "Show Muscles": "근육 보기",
    "Show this take's muscles as tubes on the bones, blue at rest, red at work. Pressed again it replaces nothing of yours":
        "이 테이크의 근육을 본 위의 튜브로 보여 줍니다. 쉬면 파랗고 일하면 빨갛습니다. 다시 눌러도 사용자의 것은 바꾸지 않습니다",
    "Bones": "뼈",
    "Plain bones for the muscles to lie on": "근육 아래의 단순한 뼈",
    "Bake first: muscles go with the baked bones": "먼저 베이크하세요. 근육은 베이크된 본을 따라갑니다",
    "Remove Muscles": "근육 치우기",
    "Take the muscles of this armature away again, and nothing of yours": "이 아마추어의 근육을 치우고 다른 것은 그대로 둡니다",
    "This armature shows no muscles": "이 아마추어에는 보이는 근육이 없습니다",
    "No motion and no plan: muscles, each by what it feels, make a walk":
        "동작도 계획도 없습니다. 근육이 저마다 느끼는 대로 움직여 걷습니다",
    "Walker": "보행자", "Walker File": "보행자 파일", "A reflex walker (JSON)": "반사 보행자(JSON)",
    "Who goes by reflexes: each has the one speed to which its search has brought it":
        "반사로 가는 캐릭터입니다. 저마다 탐색이 이끈 속도 하나만 가집니다",
    "Nearest to the Speed": "속도에 가장 가까운 보행자",
    "Of the walkers searched for such a gravity the one whose speed is nearest":
        "이런 중력에서 탐색한 보행자 가운데 속도가 가장 가까운 것입니다",
    "A reflex walker in a file of your own, as lope tune writes them": "lope tune이 쓴, 사용자 파일의 반사 보행자입니다",
    "A walk at people's usual speed": "사람의 보통 속도로 걷기", "A fast walk": "빨리 걷기", "A slow walk with long steps": "긴 걸음으로 천천히 걷기",
    "A walk on Mars at the speed that effort chose": "힘이 덜 드는 속도로 화성에서 걷기",
    "{name} goes at {speed:.2f} m/s here": "{name}: 여기서 {speed:.2f} m/s로 갑니다",
    "A reflex walker is searched on the command line: lope tune --gait reflex":
        "반사 보행자는 명령줄에서 탐색합니다: lope tune --gait reflex",
}
