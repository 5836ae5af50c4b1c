# SPDX-License-Identifier: GPL-3.0-or-later
"""Korean: the push dial, as it is shown and as the engine speaks of it."""

from __future__ import annotations

DIAL = {
    "in place": "제자리", "one step": "한 걸음", "two steps": "두 걸음", "more steps": "여러 걸음",
    "Frame {0} is not in the shot, or too near to its end for a push: go to one from {1} to {2}.":
        "프레임 {0}은(는) 샷 안에 없거나 밀기에는 끝에 너무 가깝습니다. {1}에서 {2} 사이의 프레임으로 가세요.",
    "The character is down by {0} s, before this push: choose an earlier frame, or weaken the pushes before it.":
        "캐릭터가 이 밀기 전인 {0}초에 이미 넘어졌습니다. 더 이른 프레임을 고르거나 앞의 밀기를 약하게 하세요.",
}
DIAL_SHOWN = {
    "Push Dial": "밀기 다이얼",
    "Drag on the ground around the character: whither and how hard it is pushed at the present frame. The response is seen at "
    "once, and simulated when you let go; Enter adds the push to the shot, Esc leaves everything as it was":
        "캐릭터 둘레의 바닥에서 끌어 현재 프레임에서 어느 쪽으로 얼마나 세게 밀지 정합니다. 반응이 바로 보이고, 놓으면 시뮬레이션됩니다. "
        "Enter는 밀기를 샷에 더하고 Esc는 모두 그대로 둡니다",
    "The dial is for somebody who stands; choose Motion > Stand": "다이얼은 서 있는 캐릭터를 위한 것입니다. 동작 > 서기를 고르세요",
    "A push is dialled in a 3D viewport": "밀기는 3D 뷰포트에서 정합니다",
    "As an Arrow": "화살표로",
    "A dialled push gets an empty with an arrow for its direction, to be turned by hand. Off: numbers":
        "다이얼로 정한 밀기의 방향을 손으로 돌릴 수 있는 화살표 엠프티로 둡니다. 끄면 숫자입니다",
    "Drag on the ground: push": "바닥에서 끌기: 밀기",
    "Enter: add the push to the shot": "Enter: 밀기를 샷에 더하기",
    "Esc: leave all as it was": "Esc: 모두 그대로 두기",
    "{force:.0f} N   {speed:.2f} m/s": "힘 {force:.0f} N   속력 {speed:.2f} m/s",
    "Push of {force:.0f} N at frame {frame}: it is in the shot, press Simulate":
        "프레임 {frame}에 {force:.0f} N의 밀기를 샷에 더했습니다. 시뮬레이션을 누르세요",
    "Map: {strategy}": "지도: {strategy}",
    "falls": "넘어짐",
    "Simulating": "시뮬레이션 중",
    "Simulated: falls": "시뮬레이션: 넘어짐",
    "Simulated: steps taken {steps}": "시뮬레이션: 내디딘 걸음 {steps}",
    "Simulated: stays in place": "시뮬레이션: 제자리에서 버팀",
    "{world}, {mass:.0f} kg, pushed for {seconds:g} s": "{world}, {mass:.0f} kg, {seconds:g}초 동안 밂",
}
