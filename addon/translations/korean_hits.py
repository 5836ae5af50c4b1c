# SPDX-License-Identifier: GPL-3.0-or-later
"""Korean: hits, as the panel shows them and as the engine speaks of them."""

from __future__ import annotations

HITS = {
    "The hit at {0} s flies in no direction: give its direction a length, such as -1, 0, 0 for one from ahead.":
        "{0}초의 타격에 방향이 없습니다. 앞에서 오는 것이면 -1, 0, 0처럼 길이가 있는 방향을 주세요.",
    "The hit at {0} s comes after the end of the shot, which is {1} s long: let it come earlier or lengthen the shot.":
        "{0}초의 타격은 {1}초 길이인 샷이 끝난 뒤에 옵니다. 더 일찍 오게 하거나 샷을 늘리세요.",
    "The engine {0} knows no contact, so no ball can hit there: take a punch, or the engine mujoco.":
        "엔진 {0}에는 접촉이 없어 공이 맞을 수 없습니다. 주먹을 쓰거나 엔진 mujoco를 고르세요.",
    "The ball that hits at {0} s would have a radius of {1} m, and may have {2} to {3} m: change its mass or its density.":
        "{0}초에 맞는 공의 반지름이 {1} m가 되는데, {2}~{3} m여야 합니다. 질량이나 밀도를 바꾸세요.",
    "A shot has at most {0} balls: take some hits out.": "샷 하나에 공은 {0}개까지입니다. 타격을 몇 개 빼세요.",
    "This engine knows no contact, so nothing can be thrown there: choose the engine mujoco.":
        "이 엔진에는 접촉이 없어 아무것도 던질 수 없습니다. 엔진 mujoco를 고르세요.",
}
