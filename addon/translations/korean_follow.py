# SPDX-License-Identifier: GPL-3.0-or-later
"""Korean: what is said about following a clip."""

from __future__ import annotations

FOLLOW = {
    "The controller {0} follows a clip, and this shot names none: give it one, or choose the controller tracking.":
        "컨트롤러 {0}은(는) 클립을 따라가는데 이 샷에는 클립이 없습니다. 클립을 주거나 컨트롤러 tracking을 고르세요.",
    "A shot that follows a clip is moved by the controller {0}, not by {1}.":
        "클립을 따라가는 샷은 컨트롤러 {1}이(가) 아니라 {0}이(가) 움직입니다.",
    "A shot that follows a clip takes its motion from there: leave out {0}.":
        "클립을 따라가는 샷은 동작을 클립에서 가져옵니다. {0}을(를) 빼세요.",
    "{0} is only {1} s long; a clip to follow lasts at least {2} s.":
        "{0}의 길이가 {1}초뿐입니다. 따라갈 클립은 적어도 {2}초여야 합니다.",
    "{0}: no foot ever stands on the ground, so there is nothing to follow.": "{0}: 발이 땅을 딛는 때가 없어 따라갈 것이 없습니다.",
    "A clip is followed under one gravity: take the change of gravity out.": "클립은 한 중력에서만 따라갑니다. 중력 변화를 빼세요.",
    "A clip is followed on level ground or on a slope: choose one of these grounds.":
        "클립은 평지나 비탈에서 따라갑니다. 그런 지면을 고르세요.",
    "This shot names no clip to follow.": "이 샷에는 따라갈 클립이 없습니다.",
    "The controller follow begins in its clip's first frame, not in another state: put it first.":
        "컨트롤러 follow는 다른 상태가 아니라 클립의 첫 프레임에서 시작합니다. 맨 앞에 두세요.",
    "No gait takes over from a clip: take the keys out.": "클립은 걸음걸이로 이어지지 않습니다. 키를 빼세요.",
    "A clip has neither gait nor speed to key: take the keys out, or choose the controller tracking.":
        "클립에는 키를 줄 걸음걸이나 속도가 없습니다. 키를 빼거나 컨트롤러 tracking을 고르세요.",
}
