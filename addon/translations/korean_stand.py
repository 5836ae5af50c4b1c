# SPDX-License-Identifier: GPL-3.0-or-later
"""Korean: standing, as the panel shows it and as the engine speaks of it."""

from __future__ import annotations

STAND = {
    "ankles": "발목", "hips": "엉덩이",
    "Who is caught in a clip stands as the clip does: leave out how far apart or ahead the feet are, and the leg.":
        "클립에서 버티는 사람은 클립대로 섭니다. 발 사이 거리, 앞뒤 거리, 서는 다리를 빼세요.",
    "Only who stands has a stance: choose the controller {0}, or leave the stance out.":
        "자세는 서 있는 캐릭터에게만 있습니다. 컨트롤러 {0}을(를) 고르거나 자세를 빼세요.",
    "A stance that was posed has its feet where they were posed: leave their distances and the leg out.":
        "포즈로 잡은 자세는 발도 포즈대로 둡니다. 발 사이 거리와 서는 다리를 빼세요.",
    "This pose does not stand: its weight is lower than its knees would be. Pose it on its feet.":
        "이 포즈로는 설 수 없습니다. 무게 중심이 무릎 높이보다 낮습니다. 발로 선 포즈를 잡으세요.",
    "No foot is on the ground: the lower one is {0} cm above it. Lower the hips until it stands.":
        "땅에 닿은 발이 없습니다. 낮은 쪽 발이 땅에서 {0} cm 떠 있습니다. 설 때까지 골반을 내리세요.",
    "The stance that was posed cannot be read any more: press From Pose again, or drop it.":
        "포즈로 잡은 자세를 더는 읽을 수 없습니다. 포즈에서를 다시 누르거나 자세를 버리세요.",
}
STAND_WORDS = {
    "Stood {time:.1f} s on {world}; steps taken: {steps}": "{world}에서 {time:.1f}초 동안 섰습니다. 내디딘 걸음: {steps}",
    "Stood {time:.1f} s on {world} by its {strategy}": "{world}에서 {strategy}(으)로 {time:.1f}초 동안 섰습니다",
    "{text}; caught at {given:.1f} s, then standing": "{text}. {given:.1f}초에 발을 내디뎌 버틴 뒤 서 있습니다",
    "{text}; caught at {given:.1f} s, with the motion again at {taken:.1f} s":
        "{text}. {given:.1f}초에 발을 내디뎌 버티고 {taken:.1f}초에 동작을 이어 갑니다",
    "{text}; steps taken: {steps}": "{text}. 내디딘 걸음: {steps}",
    "It stands, and stays up when it is pushed": "서 있다가 밀려도 버팁니다",
    "Stands On": "딛는 다리", "The legs that it stands on while nothing pushes it": "아무것도 밀지 않을 때 딛고 서는 다리입니다",
    "Both Legs": "두 다리", "It stands on both feet": "두 발로 섭니다",
    "Left Leg": "왼다리", "It stands on its left leg and holds the right foot up": "왼다리로 서고 오른발을 듭니다",
    "Right Leg": "오른다리", "It stands on its right leg and holds the left foot up": "오른다리로 서고 왼발을 듭니다",
    "Set Feet Apart": "발 간격 지정", "Ask for a distance of the feet. Off: as people stand":
        "두 발의 간격을 정합니다. 끄면 사람이 서는 대로입니다",
    "Feet Apart (m)": "발 간격 (m)", "From ankle to ankle, to the side": "발목에서 발목까지 옆으로 잰 거리입니다",
    "Left Ahead (m)": "왼발 앞으로 (m)", "How far the left foot stands ahead of the right one":
        "왼발이 오른발보다 얼마나 앞에 있는지입니다",
    "Hips May Lunge": "엉덩이로 버티기", "The trunk may lunge over the edge of the soles. Off: ankles alone, and steps":
        "발바닥 가장자리 너머로 몸통을 숙여 버틸 수 있습니다. 끄면 발목과 걸음만 씁니다",
    "Limit Steps": "걸음 제한", "Allow only so many steps, none on a ledge. Off: as many as it needs":
        "이만큼만 내딛게 합니다. 난간 위라면 0입니다. 끄면 필요한 만큼 내딛습니다",
    "Steps at Most": "최대 걸음 수", "Steps that it may take to catch itself": "넘어지지 않으려고 내디딜 수 있는 걸음 수입니다",
    "Reaction (s)": "반응 시간 (s)", "No foot is lifted sooner than this after a push is felt. A person's: 0.2":
        "밀린 것을 느낀 뒤 이보다 빨리 발을 들지 않습니다. 사람은 0.2",
    "Fastest Foot (m/s)": "발의 최고 속력 (m/s)", "How fast a foot may go in a step. A person's: 6":
        "내딛는 발이 낼 수 있는 속력입니다. 사람은 6",
    "Sway": "흔들림", "How much it sways while nothing happens, over a person's":
        "아무 일이 없을 때 얼마나 흔들리는지, 사람에 대한 배수입니다",
    "From Pose": "포즈에서",
    "Let the character stand as its armature is posed at this frame: feet, weight, trunk and arms. Nothing is keyed":
        "캐릭터가 이 프레임의 아마튜어 포즈대로 섭니다. 발, 무게, 몸통, 팔 모두입니다. 키는 넣지 않습니다",
    "Drop the Stance": "자세 버리기",
    "Drop the stance that was posed: the character stands upright again, its feet as the settings say":
        "포즈로 잡은 자세를 버립니다. 캐릭터는 다시 똑바로 서고 발은 설정대로 놓입니다",
    "Stance: as posed": "자세: 포즈대로", "No stance was posed for this armature": "이 아마튜어에 포즈로 잡은 자세가 없습니다",
    "Posed Stance": "포즈로 잡은 자세", "The turns of a stance that was posed": "포즈로 잡은 자세의 관절 회전입니다",
    "It stands as posed": "포즈대로 섭니다",
    "It stands as posed; its weight, not over its feet, is brought over them by {moved:.0f} cm":
        "포즈대로 섭니다. 발 위에 있지 않은 무게 중심은 {moved:.0f} cm 옮겨 발 위로 가져옵니다",
    "Whether the character goes in a gait, follows a motion, stands, or is driven":
        "캐릭터가 걸음걸이로 가는지, 동작을 따라가는지, 서 있는지, 직접 모는지",
}
