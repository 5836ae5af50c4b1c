# SPDX-License-Identifier: GPL-3.0-or-later
"""Korean: conditions of a body that moves by muscles, as the engine speaks of them."""

from __future__ import annotations

CONDITIONS = {
    "There is no condition's file {0}: look at its folder and its name.": "상태 파일 {0}이(가) 없습니다. 폴더와 이름을 확인하세요.",
    "The file {0} is no condition: it says nothing of its {1}. One that ships, such as {2}, shows how it is written.":
        "파일 {0}은(는) 상태가 아닙니다. {1}이(가) 없습니다. 쓰는 법은 함께 제공되는 {2}에서 볼 수 있습니다.",
    "A condition is felt by muscles alone, and torques move this body: let muscles move it, or leave the condition out.":
        "상태는 근육만 느끼는데 이 몸은 토크로 움직입니다. 근육으로 움직이게 하거나 상태를 빼세요.",
    "{0} is no joint that can be out of its place: that can be {1}.": "{0}은(는) 어긋날 수 있는 관절이 아닙니다. 어긋날 수 있는 것: {1}.",
    "The name {0} has a side in it, which stands beside the name: write {1}:{2} on a command line, or choose {3} and the side "
    "{4}.":
        "이름 {0}에 쪽이 들어 있는데 쪽은 이름과 따로 적습니다. 명령줄에서는 {1}:{2}로 적고, 아니면 {3}와(과) 쪽 {4}을(를) 고르세요.",
    "There is no muscle and no group of muscles named {0}. Nearest: {1}. All of them: lope presets muscles legs, or full.":
        "이름이 {0}인 근육이나 근육 무리가 없습니다. 가까운 이름: {1}. 모두 보기: lope presets muscles legs 또는 full.",
    "The muscles that move this body have no {0}, which the set {1} has: choose that one, or leave the change out.":
        "이 몸을 움직이는 근육에는 {0}이(가) 없고 근육 세트 {1}에 있습니다. 그 세트를 고르거나 변화를 빼세요.",
    "The whole body is without gravity: the change {0} has the target {1} and the side {2}, got {3} and {4}.":
        "몸 전체가 무중력에 있습니다. {0} 변화의 대상은 {1}, 쪽은 {2}이어야 하는데 {3}, {4}이(가) 왔습니다.",
    "This body has no {0} on the side {1} that could be out of its place.":
        "이 몸에는 {1}쪽에 어긋날 수 있는 {0}이(가) 없습니다.",
    "Maps are kept for conditions as they ship, and {0} is none: say with --out where this one goes.":
        "맵은 제공되는 그대로의 상태마다 저장되는데 {0}은(는) 그렇지 않습니다. --out으로 저장할 곳을 정하세요.",
}
