# SPDX-License-Identifier: GPL-3.0-or-later
"""Korean: pressure on the ground, its button and what is said of it."""

from __future__ import annotations

PRESSURE_SHOWN_WORDS = {
    "Show Pressure": "압력 보기",
    "Show the pressure under the feet of the last take on the ground, from green to red. Pressed again it goes":
        "마지막 테이크의 발밑 압력을 바닥에 초록색에서 빨간색까지로 보여 줍니다. 다시 누르면 사라집니다",
    "Add Pressure": "압력 추가",
    "Add this take's pressure on the ground as objects that render. Pressed again it replaces them and nothing of yours":
        "이 테이크의 압력을 렌더되는 오브젝트로 바닥에 추가합니다. 다시 누르면 그것만 바꾸고 사용자의 것은 그대로 둡니다",
    "Bake first: pressure lies where the baked feet come down": "먼저 베이크하세요. 압력은 베이크된 발이 닿는 곳에 놓입니다",
}

PRESSURE_SHOWN = {
    "This take was read from the pressure {0}, which is no longer there: put it back, or read another.":
        "이 테이크는 압력 {0}에서 읽었는데 그 파일이 이제 없습니다. 다시 가져다 놓거나 다른 것을 읽으세요.",
    "No foot presses on the ground in this take, so there is no pressure to be shown.":
        "이 테이크에서는 어느 발도 바닥을 누르지 않으므로 보여 줄 압력이 없습니다.",
    "{0} is of an insole, which does not tell where a foot stands: only a mat can be laid on the ground.":
        "{0}은(는) 인솔의 압력이라 발이 선 곳을 알 수 없습니다. 매트만 바닥에 놓을 수 있습니다.",
}
