# SPDX-License-Identifier: GPL-3.0-or-later
"""Korean: what is said about gaits from key poses."""

from __future__ import annotations

POSE_GAIT = {
    "The controller {0} goes by key poses, and this shot has no pose gait: give it one, or choose the controller tracking.":
        "컨트롤러 {0}은(는) 키 포즈로 움직이는데 이 샷에는 키 포즈 걸음이 없습니다. 하나를 주거나 컨트롤러 tracking을 고르세요.",
    "A shot with a pose gait is moved by the controller {0}, not by {1}.":
        "키 포즈 걸음이 있는 샷은 컨트롤러 {1}이(가) 아니라 {0}이(가) 움직입니다.",
    "The pose gait {0} has {1} states: it needs 1 to {2}.":
        "키 포즈 걸음 {0}의 상태가 {1}개입니다. 1~{2}개여야 합니다.",
    "The pose gait {0} never rests in a state, as each lasts 0 s: give one a time, or the swinging foot's touch-down.":
        "키 포즈 걸음 {0}은(는) 모든 상태가 0초라서 어느 상태에도 머물지 않습니다. 시간을 주거나, 내딛는 발이 닿을 때까지로 하세요.",
    "State {0} of the pose gait {1} says that the leg {2} swings, but the gait is symmetric: leave that out, or list all of its "
    "states and say that it is not symmetric.":
        "키 포즈 걸음 {1}의 상태 {0}에 내딛는 다리 {2}이(가) 적혀 있지만 이 걸음은 대칭입니다. 그것을 빼거나, 모든 상태를 적고 대칭이 아니라고 하세요.",
    "State {0} of the pose gait {1} does not say which leg swings: a gait that is not symmetric says it in every state, L or R.":
        "키 포즈 걸음 {1}의 상태 {0}에 어느 다리가 나가는지 없습니다. 대칭이 아닌 걸음은 상태마다 L이나 R을 적습니다.",
}
