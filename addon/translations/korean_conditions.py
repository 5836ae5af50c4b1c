# SPDX-License-Identifier: GPL-3.0-or-later
"""Korean: conditions of a body that moves by muscles, as the engine speaks of them."""

from __future__ import annotations

CONDITIONS = {
    "The condition {0} is felt by muscles alone, and torques move this body: let muscles move it, or leave the condition out.":
        "상태 {0}은(는) 근육만 느끼는데 이 몸은 토크로 움직입니다. 근육으로 움직이게 하거나 상태를 빼세요.",
    "The whole body is without gravity: the change {0} has the target {1} and the side {2}, got {3} and {4}.":
        "몸 전체가 무중력에 있습니다. {0} 변화의 대상은 {1}, 쪽은 {2}이어야 하는데 {3}, {4}이(가) 왔습니다.",
    "This body has no {0} on the side {1} that could be out of its place.":
        "이 몸에는 {1}쪽에 어긋날 수 있는 {0}이(가) 없습니다.",
    "Maps are kept for conditions as they ship, and {0} is none: say with --out where this one goes.":
        "맵은 제공되는 그대로의 상태마다 저장되는데 {0}은(는) 그렇지 않습니다. --out으로 저장할 곳을 정하세요.",
}
