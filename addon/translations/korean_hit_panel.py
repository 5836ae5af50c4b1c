# SPDX-License-Identifier: GPL-3.0-or-later
"""Korean: the panel Hits, and what is said of an action that is hit."""

from __future__ import annotations

HIT_ACTIONS = {
    "No bone is active: click one in Pose mode.": "활성 본이 없습니다. 포즈 모드에서 하나를 클릭하세요.",
    "Nothing hits the body in this take: add a hit.": "이 테이크에서는 아무것도 몸을 때리지 않습니다. 타격을 추가하세요.",
    "Nothing hits the character: add a hit, a punch or a push.": "캐릭터를 때리는 것이 없습니다. 타격이나 주먹이나 밀기를 추가하세요.",
    "Nothing hits the character: add a hit.": "캐릭터를 때리는 것이 없습니다. 타격을 추가하세요.",
    "The impulse of a punch must lie between {0} and {1} N s, got {2}: a boxer's has 10 to 30.":
        "주먹의 충격량은 {0}~{1} N s여야 하는데 {2}입니다. 권투 선수의 주먹은 10~30입니다.",
    "The action {0} has modifiers on its curves ({1}), which would alter other frames too: bake it to keys first (Bake Action).":
        "액션 {0}의 커브({1})에 모디파이어가 있어 다른 프레임까지 바뀝니다. 먼저 키로 베이크하세요(액션 베이크).",
    "The character falls after {0} s though nothing hits it, as its motion does not stand here: take the law Rails, or another "
    "gravity.": "아무것도 때리지 않는데 {0}초 뒤에 넘어집니다. 여기서는 이 동작으로 서 있지 못합니다. 법칙 레일이나 다른 중력을 고르세요.",
    "The hit at frame {0} comes before the first frame of the motion; give it a later frame.":
        "프레임 {0}의 타격이 동작의 첫 프레임보다 앞에 있습니다. 더 늦은 프레임으로 옮기세요.",
    "The hit at frame {0} is outside of the action {1}, which goes from frame {2} to {3}: move it there.":
        "프레임 {0}의 타격이 액션 {1} 밖에 있습니다. 이 액션은 프레임 {2}부터 {3}까지입니다. 그 안으로 옮기세요.",
    "The hit at frame {0} strikes no bone: click one in the view, or choose it under Hits.":
        "프레임 {0}의 타격에 맞는 본이 없습니다. 뷰에서 클릭하거나 타격에서 고르세요.",
    "The hit at frame {0} throws no object: choose a mesh of the scene, or let a ball hit.":
        "프레임 {0}의 타격에 던질 오브젝트가 없습니다. 씬의 메쉬를 고르거나 공으로 하세요.",
    "The object {0} has no volume, as its mesh is open or flat: close it, or throw another one.":
        "오브젝트 {0}의 메쉬가 열려 있거나 납작해서 부피가 없습니다. 메쉬를 닫거나 다른 것을 던지세요.",
    "The rig {0} has no part of the body that could be struck; map its bones.":
        "리그 {0}에 맞을 수 있는 몸의 부분이 없습니다. 본을 지정하세요.",
    "The take ends {0} s after the hit, before any frame could show it: let the hit come earlier.":
        "테이크가 맞은 뒤 {0}초 만에 끝나 어느 프레임에도 보이지 않습니다. 더 일찍 맞게 하세요.",
    "{0} has no action that could be hit: choose one under Hits, or let the character stand.":
        "{0}에 맞을 액션이 없습니다. 타격에서 하나를 고르거나 캐릭터를 세우세요.",
    "{0} is a rig of controls, on which only whole takes are baked: bake the take of the hit, or give the hit to the skeleton "
    "that the rig moves.": "{0}은(는) 컨트롤 리그라서 테이크 전체만 베이크됩니다. 타격의 테이크를 베이크하거나 리그가 움직이는 골격을 때리세요.",
}
HIT_WORDS = {
    "Hit, and Back": "맞고 돌아오기", "Balls, punches and thrown objects on an action, and how the body takes them":
        "액션을 때리는 공과 주먹과 던진 오브젝트, 그리고 몸이 받는 방법입니다",
    "Hits": "타격", "Simulate Hit": "타격 시뮬레이션",
    "Simulate what the hits do to this action, in the background, and bake the frames around them on a copy of it":
        "타격이 이 액션에 하는 일을 배경에서 시뮬레이션하고, 그 앞뒤 프레임을 액션의 사본에 베이크합니다",
    "What hits the character, and when": "무엇이 언제 캐릭터를 때리는지입니다",
    "The hits": "타격들", "Active Hit": "활성 타격", "The hit chosen in the list": "목록에서 고른 타격입니다",
    "Frame at which the bone is struck": "본이 맞는 프레임입니다",
    "Hit By": "때리는 것", "What strikes": "무엇이 때리는지입니다",
    "Ball": "공", "A ball flies at the bone, strikes it and falls": "공이 본으로 날아와 때리고 떨어집니다",
    "Punch": "주먹", "A fist, which nobody sees: an impulse within three hundredths of a second":
        "보이지 않는 주먹입니다. 0.03초 동안의 충격량입니다",
    "An object of the scene is thrown, as a ball of its mass and volume": "씬의 오브젝트를 그 질량과 부피의 공으로 던집니다",
    "The bone that is struck; its part of the body yields": "맞는 본입니다. 몸의 그 부분이 밀립니다",
    "Click a Bone": "본 클릭", "Click on the character where it is to be struck. With Shift it is struck along your view":
        "캐릭터에서 맞을 곳을 클릭하세요. Shift를 누르면 보는 방향으로 맞습니다",
    "Active Bone": "활성 본", "Let the hit strike the bone that is active in Pose mode": "포즈 모드의 활성 본이 맞게 합니다",
    "A bone is clicked in a 3D viewport": "본은 3D 뷰포트에서 클릭합니다", "There is no bone here": "여기에는 본이 없습니다",
    "Click where it is struck. Shift: along the view. Esc: leave it": "맞을 곳을 클릭하세요. Shift: 보는 방향으로. Esc: 그만두기",
    "How fast it comes": "얼마나 빨리 오는지입니다",
    "Of the ball: with its density it says what the ball weighs": "공의 반지름입니다. 밀도와 함께 공의 무게가 됩니다",
    "What it weighs for its size: 1000 water, 80 a football. An active rigid body has its own mass":
        "크기에 비해 얼마나 무거운지입니다. 물 1000, 축구공 80. 활성 리지드 바디는 제 질량을 씁니다",
    "Impulse (N s)": "충격량 (N s)", "How hard the punch is: a boxer's has 10 to 30": "주먹의 세기입니다. 권투 선수는 10~30",
    "The mesh that is thrown; the bake keys it": "던져지는 메쉬입니다. 베이크가 키를 넣습니다",
    "An object whose local Z axis is the way it flies, such as an Empty of type Single Arrow. None: the numbers count":
        "로컬 Z축이 날아가는 방향인 오브젝트입니다. 단일 화살표 엠프티 같은 것입니다. 없으면 숫자를 씁니다",
    "Speed by Length": "길이로 속도", "The arrow's length says how fast it comes: 10 m/s for a metre, a punch 30 N s":
        "화살표의 길이가 속도입니다. 1미터에 10 m/s, 주먹은 30 N s",
    "The way it flies, as the character stands at the start: x forward, y to its left, z up; -1, 0, 0 comes from ahead":
        "날아가는 방향입니다. 시작할 때 캐릭터를 기준으로 x 앞, y 왼쪽, z 위. -1, 0, 0은 앞에서 옵니다",
    "The action that is hit; it stays as it is, a copy gets the keys. Empty: this armature's own":
        "맞는 액션입니다. 그대로 남고 사본에 키가 들어갑니다. 비우면 이 아마튜어의 액션입니다",
    "It has no action yet; hits count for what is simulated above": "아직 액션이 없습니다. 타격은 위에서 시뮬레이션하는 것에 쓰입니다",
    "Its own action {name} is hit": "자신의 액션 {name}이(가) 맞습니다",
    "Law": "법칙", "How hits are taken": "타격을 어떻게 받는지입니다",
    "The whole body keeps its balance, with steps if it must; the struck limb yields and comes back":
        "온몸이 균형을 잡고 필요하면 발을 내딛습니다. 맞은 곳은 밀렸다가 돌아옵니다",
    "Loose": "느슨하게", "As Balance, but every joint is only as firm as it works: limbs come home slowly":
        "균형과 같지만 모든 관절이 일하는 만큼만 단단합니다. 팔다리가 천천히 돌아옵니다",
    "Rails": "레일", "Quick: the hips stay on the action's own way, and limbs yield by its own forces; nobody steps or falls":
        "빠릅니다. 골반은 액션의 길을 그대로 가고 팔다리는 제 힘만큼 밀립니다. 발을 내딛거나 넘어지지 않습니다",
    "Looseness": "느슨함", "How much the struck limb gives way: 0 stiff, 1 as people do":
        "맞은 곳이 얼마나 밀리는지입니다. 0 뻣뻣하게, 1 사람처럼",
    "Set Way Back": "돌아올 시간 지정", "Ask for the time in which the action is back. Off: when the body is back":
        "액션으로 돌아올 시간을 정합니다. 끄면 몸이 돌아왔을 때입니다",
    "Way Back (s)": "돌아올 시간 (s)", "So long after the last hit the action has its own keys again":
        "마지막 타격에서 이만큼 지나면 액션의 제 키로 돌아갑니다",
    "Frames {first} to {last} of {name} are new; {action} is as it was":
        "{name}의 프레임 {first}~{last}이(가) 새것입니다. {action}은(는) 그대로입니다",
    "{text}. Steps taken: {steps}": "{text}. 내디딘 걸음: {steps}",
    "{text}. It does not come back: its feet stand {off:.2f} m from there": "{text}. 돌아오지 않습니다. 발이 {off:.2f} m 떨어져 섭니다",
    "The action {name} is gone; the take of the hit is kept": "액션 {name}이(가) 없어졌습니다. 타격의 테이크는 남아 있습니다",
}
