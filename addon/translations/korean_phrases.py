# SPDX-License-Identifier: GPL-3.0-or-later
"""Korean: phrases that stand inside the engine's sentences, and what is said about a gait's speed."""

from __future__ import annotations

PHRASES = {
    "few": "적습니다", "many": "많습니다", "left": "왼쪽", "right": "오른쪽", "over": "위에", "under": "아래에", "ahead of": "앞에", "behind": "뒤에",
    "starts": "시작하는", "stops": "멈추는", "starts and stops": "시작하고 멈추는",
    "{0} and {1} more": "{0} 외 {1}개",
    " Did you mean {0}?": " 혹시 {0}입니까?",
    "gait": "걸음걸이", "world": "세계", "suit": "우주복", "engine": "엔진", "path": "경로", "ground": "지면", "stage": "무대",
    "creature's gait": "생물의 걸음걸이", "reflex walker": "반사 보행자", "pose gait": "키 포즈 걸음",
    "bone map": "본 맵", "creature map": "생물 맵",
    "task": "작업", "style slider": "스타일 슬라이더",
    "Height": "키", "Mass": "질량", "Gravity": "중력", "Speed": "속도", "Stride frequency": "보행 주기", "Duration": "길이",
    "Push start": "밀기 시작", "Push duration": "밀기 길이", "Push force": "미는 힘", "Slope": "기울기", "Step rise": "단 높이",
    "Step run": "단 너비", "Heading": "방향", "Radius": "반지름", "Gravity of a ramp": "변하는 중력",
    "Each time of a gravity ramp": "중력이 변하는 때", "The error of key reduction": "키 줄이기 오차",
    "height field rises": "높이 격자가 솟습니다", "steps rise": "단이 솟습니다",
    "{0} can do it": "{0}(으)로는 됩니다",
    "no other gait's stored range holds that speed": "그 속도에 맞는 다른 걸음걸이가 없습니다",
    "the left foot lands {0} times, the right {1} times in {2} s": "{2}초 동안 왼발이 {0}번, 오른발이 {1}번 닿습니다",
    "Fr {0} at {1} m/s {2}: {3}{4}": "{2} {1} m/s에서 Fr {0}: {3}{4}",
    "{0}; try {1}": "{0}. {1}을(를) 써 보세요",
    "above the walking limit": "걷기의 한계를 넘습니다", "people walk at this speed": "사람은 이 속도에서 걷습니다",
    "a slow walk": "느린 걸음", "a comfortable walk": "편안한 걸음", "a brisk walk": "빠른 걸음",
    "people change between walking and running here (Fr {0} to {1})": "사람이 걷기와 달리기를 바꾸는 곳입니다(Fr {0}~{1})",
    "{0} people stop walking between {1} and {2} m/s: {3}": "{0} 사람은 {1}~{2} m/s에서 걷기를 그만둡니다. {3}",
    "at {0} m/s they {1}": "{0} m/s의 걸음걸이: {1}", "at {0} m/s they {1}, and {2} is what stands at it":
        "{0} m/s의 걸음걸이: {1}. 그 속도에서 버티는 것은 {2}", "of their own choice they {0}": "스스로 고르는 걸음걸이: {0}",
    "of their own choice they walk, slowly and heavily": "스스로 고르면 느리고 무겁게 걷습니다",
    "in bends as tight as these people walk: a radius of {0} m leaves {1} m/s, and to {2} takes {3} m/s":
        "이렇게 급한 굽이에서 사람은 걷습니다. 반지름 {0} m에서는 {1} m/s까지이고, {2}에는 {3} m/s가 필요합니다",
    "at {0} m/s, not {1} m/s; {2}": "{1} m/s 대신 {0} m/s로 갑니다. {2}",
    "At {0} m/s, its own speed here, it fell after {1} s; now it goes at {2} m/s.":
        "여기 알맞은 속도인 {0} m/s에서 {1}초 뒤에 넘어져, 이제 {2} m/s로 갑니다.",
    "At {0} m/s, its own speed here, it fell after {1} s; now it goes at {2} m/s with {3} strides a second.":
        "여기 알맞은 속도인 {0} m/s에서 {1}초 뒤에 넘어져, 이제 {2} m/s, 초당 {3}보로 갑니다.",
    "It fell at other speeds, too: {0} m/s.": "다른 속도에서도 넘어졌습니다: {0} m/s.",
    "the character stands to the end: {0}": "캐릭터가 끝까지 서 있습니다: {0}",
    "legs as short as these under so high a body walk": "이렇게 높은 몸 아래 이렇게 짧은 다리로는 걷습니다",
    "Not promised to stand: its centre of mass is {0} leg lengths high, {1} to {2} in the bodies that were tried":
        "버틴다고 약속할 수 없습니다. 무게중심이 다리 길이의 {0}배 높이에 있는데, 시험한 몸에서는 {1}~{2}배였습니다",
    "Not promised to stand: its hips are {0} leg lengths apart, {1} to {2} in the bodies that were tried":
        "버틴다고 약속할 수 없습니다. 두 엉덩관절이 다리 길이의 {0}배 떨어져 있는데, 시험한 몸에서는 {1}~{2}배였습니다",
    "Not promised to stand: its ankles are {0} leg lengths high, {1} to {2} in the bodies that were tried":
        "버틴다고 약속할 수 없습니다. 발목이 다리 길이의 {0}배 높이에 있는데, 시험한 몸에서는 {1}~{2}배였습니다",
    "Not promised to stand: its toes reach {0} leg lengths ahead, {1} to {2} in the bodies that were tried":
        "버틴다고 약속할 수 없습니다. 발끝이 발목보다 다리 길이의 {0}배 앞에 있는데, 시험한 몸에서는 {1}~{2}배였습니다",
    "Not promised to stand: its heels reach {0} leg lengths back, {1} to {2} in the bodies that were tried":
        "버틴다고 약속할 수 없습니다. 뒤꿈치가 발목보다 다리 길이의 {0}배 뒤에 있는데, 시험한 몸에서는 {1}~{2}배였습니다",
    "footprints are locked, which only a walk keeps": "발자국이 잠겨 있는데 걷기만 그것을 지킵니다",
    "on the Moon": "달에서", "on {0}": "{0}에서", "under {0} m/s^2": "{0} m/s^2에서",
    "walk": "걷기", "run": "달리기", "lope": "로핑", "skip": "스킵", "hop": "깡충 뛰기", "turn": "돌며 걷기",
    "The other locked footprints leave no room for it: move or reset them as well.":
        "잠긴 다른 발자국 때문에 자리가 없습니다. 그것도 옮기거나 되돌리세요.",
    "On the way there from its own place it can go as far as {0}, {1}.": "제자리에서 그리로 {0}, {1}까지 갈 수 있습니다.",
    "the step from footprint {0} to {1} would be {2} m long, and the legs reach {3} m":
        "발자국 {0}에서 {1}까지 걸음이 {2} m인데 다리는 {3} m까지 닿습니다",
    "the step from footprint {0} to {1} would go {2} m back, and the legs reach {3} m":
        "발자국 {0}에서 {1}까지 {2} m 뒤로 가는데 다리는 {3} m까지 닿습니다",
    "the step from footprint {0} to {1} would be {2} m wide, and the legs reach {3} m":
        "발자국 {0}에서 {1}까지 폭이 {2} m인데 다리는 {3} m까지 닿습니다",
    "the step from footprint {0} to {1} would cross the other leg; the feet must stay {2} cm apart across":
        "발자국 {0}에서 {1}까지 다른 다리를 가로지릅니다. 두 발은 옆으로 {2} cm 떨어져야 합니다",
    "the character stands to the end": "캐릭터가 끝까지 서 있습니다", "the character falls after {0} s": "캐릭터가 {0}초 뒤에 넘어집니다",
}
