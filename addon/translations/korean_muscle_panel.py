# SPDX-License-Identifier: GPL-3.0-or-later
"""Korean: muscles and conditions in the panel."""

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
}
