# SPDX-License-Identifier: GPL-3.0-or-later
"""Korean: what is said about steering and driving."""

from __future__ import annotations

DRIVE = {
    "The steering at {0} s wishes for nothing: give it one of {1}.": "{0}초의 조종이 아무것도 바라지 않습니다. {1} 중 하나를 주세요.",
    "The steering at {0} s wishes for a turn and for a rate of turning: give it one of them.":
        "{0}초의 조종이 도는 각과 도는 빠르기를 함께 바랍니다. 둘 중 하나만 주세요.",
    "The steering at {0} s says how long a change of gait takes, but wishes for no gait: name it, or leave the time out.":
        "{0}초의 조종이 걸음을 바꾸는 시간만 말하고 걸음은 바라지 않습니다. 걸음을 말하거나 시간을 빼세요.",
    "A shot that is steered goes where its steering says: leave out {0}.": "조종하는 샷은 조종하는 대로 갑니다. {0}을(를) 빼세요.",
    "The steering at {0} s comes before the one at {1} s: put them in order.":
        "{0}초의 조종이 {1}초의 조종보다 앞섭니다. 순서대로 놓으세요.",
    "The controller {0} cannot be steered: choose one that can, or take the steering out.":
        "컨트롤러 {0}은(는) 조종할 수 없습니다. 조종할 수 있는 것을 고르거나 조종을 빼세요.",
    "The controller {0} cannot be steered by {1}; it takes {2}.": "컨트롤러 {0}은(는) {1}(으)로 조종할 수 없고, {2}을(를) 받습니다.",
    "Line {0} of {1} does not fit in a drive: {2}": "{1}의 {0}번째 줄은 주행에 맞지 않습니다: {2}",
    "Line {0} of {1} is no JSON, {2}: it is not a drive, or damaged.":
        "{1}의 {0}번째 줄이 JSON이 아닙니다({2}). 주행 파일이 아니거나 손상되었습니다.",
    "Nothing was driven: the character stands where it began.": "주행한 것이 없습니다. 캐릭터가 시작한 자리에 있습니다.",
    "The drive cannot be written to {0}: {1}.": "주행을 {0}에 쓸 수 없습니다: {1}.",
    "There is no drive to be read in {0}: {1}.": "{0}에서 읽을 주행이 없습니다: {1}.",
    "{0} is no drive: its first line must say {{\"drive\": {1}, \"shot\": ...}}.":
        "{0}은(는) 주행 파일이 아닙니다. 첫 줄이 {{\"drive\": {1}, \"shot\": ...}}이어야 합니다.",
    "No drive of this armature was cut short.": "이 아마튜어의 주행 가운데 끊긴 것이 없습니다.",
}

DRIVE_SHOWN = {
    "Drive": "주행", "Recover the Last Drive": "마지막 주행 되살리기", "Goes To": "목표", "Push (N)": "밀기 (N)",
    "1 to 9: gait": "1~9: 걸음걸이", "Goes By": "방식", "Moves": "동작 모음", "Click: push": "클릭: 밀기", "Esc: give up": "Esc: 그만두기",
    "The library of moves: stands, walks, turns, marches, runs, goes backward and to the side, as you steer":
        "동작 모음: 조종하는 대로 서고, 걷고, 돌고, 행진하고, 달리고, 뒤로 또는 옆으로 갑니다",
    "The gait below, straight on: you steer its speed": "아래 걸음걸이로 똑바로 갑니다. 속도를 조종합니다",
    "What the character goes by while it is driven": "주행하는 동안 캐릭터가 움직이는 방식",
    "Getting ready": "준비하는 중", "It goes to the target": "목표로 갑니다", "Ready: press Space": "준비됨: 스페이스를 누르세요",
    "Left, Right or A, D: turn": "왼쪽, 오른쪽 또는 A, D: 돌기", "Up, Down or W, S: speed": "위, 아래 또는 W, S: 속도",
    "Space: stop and keep": "스페이스: 멈추고 저장", "wished: {speed:.1f} m/s": "바라는 속도: {speed:.1f} m/s",
    "Space: go and record   |   Esc: give up": "스페이스: 출발하고 기록   |   Esc: 그만두기",
    "Space: go and record, then stop and keep. Esc: give up": "스페이스: 출발하고 기록, 다시 누르면 멈추고 저장. Esc: 그만두기",
    "Space: start anew   |   Enter: keep the fall   |   Esc: give up":
        "스페이스: 새로 시작   |   Enter: 넘어진 것을 저장   |   Esc: 그만두기",
    "It fell after {seconds:.1f} s": "{seconds:.1f}초 뒤에 넘어졌습니다",
    "clock at {rate:.2f} x: this machine is slower than the motion": "시계 {rate:.2f}배: 이 컴퓨터가 동작보다 느립니다",
    "A character is driven in a 3D viewport": "캐릭터는 3D 뷰포트에서 주행합니다",
    "No drive of this armature was cut short": "이 아마튜어의 주행 가운데 끊긴 것이 없습니다",
    "Something is being simulated; wait for it, or cancel it": "시뮬레이션이 진행 중입니다. 기다리거나 취소하세요",
    "The controller {name} cannot be steered": "컨트롤러 {name}은(는) 조종할 수 없습니다",
    "The last drive was cut short; it is kept in {path}": "마지막 주행이 끊겼습니다. {path}에 남아 있습니다",
    "An object that the character goes to while it is driven, also while that moves. Empty: the keys steer":
        "주행하는 동안 캐릭터가 따라가는 오브젝트로, 움직여도 됩니다. 비워 두면 키로 조종합니다",
    "How hard a click pushes the character, for 0.2 s": "클릭이 캐릭터를 0.2초 동안 미는 힘",
    "Put the last drive together again, whose Blender or process ended before it was kept":
        "저장하기 전에 블렌더나 프로세스가 끝난 마지막 주행을 다시 만듭니다",
    "Take the wheel: the character goes in the viewport at the speed of the clock, under the world you have chosen. Nothing in "
    "the scene is changed until you keep what you drove":
        "직접 조종합니다. 캐릭터가 뷰포트에서 고른 월드의 중력으로 실제 시간에 맞춰 갑니다. 저장하기 전에는 씬이 바뀌지 않습니다",
    "You steer while it goes, in the viewport, at the speed of the clock": "뷰포트에서 실제 시간에 맞춰 가는 동안 조종합니다",
}
"""Labels, tooltips and words of the panel."""
