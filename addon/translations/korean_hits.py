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
    "The hit at {0} s comes after the end of the motion, which lasts {1} s there: let it come earlier.":
        "{0}초의 타격은 거기서 {1}초 걸리는 동작이 끝난 뒤에 옵니다. 더 일찍 오게 하세요.",
    "{0} is too short to be hit: it lasts {1} s, and {2} s are needed. Use a longer clip.":
        "{0}은(는) 맞기에 너무 짧습니다. {1}초 길이인데 {2}초가 필요합니다. 더 긴 클립을 쓰세요.",
    "The ball at {0} s did not touch {1}: it touched nothing.": "{0}초의 공은 {1}에 닿지 않았습니다. 아무것에도 닿지 않았습니다.",
    "The ball at {0} s did not touch {1}: it flew past and struck {2}.":
        "{0}초의 공은 {1}에 닿지 않았습니다. 지나쳐 날아가 {2}에 맞았습니다.",
    "The ball at {0} s did not touch {1}: {2} was in its way.": "{0}초의 공은 {1}에 닿지 않았습니다. {2}이(가) 길을 막았습니다.",
    "This shot names no motion to play.": "이 샷에는 재생할 동작이 없습니다.",
    "On rails a motion is played once: leave repeating and the library of moves out.":
        "레일 위에서는 동작을 한 번만 재생합니다. 반복과 움직임 모음을 빼세요.",
    "A motion is played under one gravity: take the change of gravity out.":
        "동작은 한 가지 중력에서 재생합니다. 중력의 변화를 빼세요.",
    "On rails a body is moved by torques: choose the engine mujoco.":
        "레일 위의 몸은 토크로 움직입니다. 엔진 mujoco를 고르세요.",
    "A motion on rails begins in its first frame, not in another state: put it first.":
        "레일 위의 동작은 다른 상태가 아니라 첫 프레임에서 시작합니다. 맨 앞에 두세요.",
    "No gait takes over from a motion that is played: take the keys out.":
        "재생하는 동작에서 이어받는 걸음은 없습니다. 키를 빼세요.",
    "The engine {0} has no rails for a body's root: choose the engine {1}.":
        "엔진 {0}에는 골반이 갈 레일이 없습니다. 엔진 {1}을(를) 고르세요.",
    "This engine knows no contact, so nothing can be thrown there: choose the engine mujoco.":
        "이 엔진에는 접촉이 없어 아무것도 던질 수 없습니다. 엔진 mujoco를 고르세요.",
}
