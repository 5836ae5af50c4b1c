# SPDX-License-Identifier: GPL-3.0-or-later
"""Korean: what is said about following a clip."""

from __future__ import annotations

FOLLOW = {
    "There is no action to follow; choose one under Gait.": "따라갈 액션이 없습니다. 걸음걸이에서 고르세요.",
    "Pushes are found in a clip that is followed, and this shot follows none: give it a clip.":
        "미는 힘은 따라가는 클립에서 찾는데 이 샷은 아무 클립도 따라가지 않습니다. 클립을 주세요.",
    "{0} leaves the ground: pushes are found in clips whose feet stay on it.":
        "{0}은(는) 땅을 떠납니다. 미는 힘은 발이 땅에 머무는 클립에서 찾습니다.",
    "{0} shows no push that its own feet could not have made: leave the search out, or push with a force of your own.":
        "{0}에는 제 발로 낼 수 없는 미는 힘이 없습니다. 찾기를 끄거나 직접 정한 힘으로 미세요.",
    "Only a motion that is followed can have a push in it, and only one on the chest: take its planned pushes out, or push "
    "unforeseen.":
        "따라가는 동작만 미는 힘을 담을 수 있고, 그것도 가슴에만 됩니다. 계획된 미는 힘을 빼거나 예고 없이 미세요.",
    "There is no clip to follow; choose a BVH file under Gait.": "따라갈 클립이 없습니다. 걸음걸이에서 BVH 파일을 고르세요.",
    "The controller {0} follows a clip, and this shot names none: give it one, or choose the controller tracking.":
        "컨트롤러 {0}은(는) 클립을 따라가는데 이 샷에는 클립이 없습니다. 클립을 주거나 컨트롤러 tracking을 고르세요.",
    "A motion that is repeated or steered goes on for ever: give the shot a duration.":
        "반복하거나 조종하는 동작은 끝이 없습니다. 샷에 길이를 주세요.",
    "A shot follows either a clip or the moves of the library: name one of them.":
        "샷은 클립이나 동작 모음 가운데 하나를 따라갑니다. 하나만 고르세요.",
    "The moves of the library go on as they are steered: leave the repeating out.":
        "동작 모음은 조종하는 대로 이어집니다. 반복을 빼세요.",
    "A shot that goes by the moves of the library has no clip.": "동작 모음을 따라가는 샷에는 클립이 없습니다.",
    "The plan ends ten seconds after the last wish: the character goes on so.":
        "계획은 마지막 조종 10초 뒤에 끝납니다. 캐릭터는 그대로 계속 갑니다.",
    "A stream of motion cannot be steered by {0}: wish for {1}.": "동작 흐름은 {0}(으)로 조종할 수 없습니다. {1} 가운데 고르세요.",
    "The gait that is wished for must be a name, got {0}.": "바라는 걸음걸이는 이름이어야 하는데 {0}입니다.",
    "The moves of the library are made by the controller {0}, not by {1}.":
        "동작 모음은 컨트롤러 {1}이(가) 아니라 {0}이(가) 움직입니다.",
    "This shot follows nothing.": "이 샷은 아무것도 따라가지 않습니다.",
    "{0} cannot go round: no foot in it touches down twice with the other between. Use a clip with three steps or more, or "
    "follow it once.":
        "{0}은(는) 반복할 수 없습니다. 한 발이 두 번 닿고 그사이 다른 발이 닿는 곳이 없습니다. "
        "세 걸음 이상인 클립을 쓰거나 한 번만 따라가세요.",
    "A shot that follows a clip is moved by the controller {0}, not by {1}.":
        "클립을 따라가는 샷은 컨트롤러 {1}이(가) 아니라 {0}이(가) 움직입니다.",
    "Who follows the moves of the library, or a clip again and again, cannot be caught: leave one of both out.":
        "라이브러리의 동작이나 되풀이하는 클립을 따라갈 때는 발을 내디뎌 버틸 수 없습니다. 둘 중 하나를 빼세요.",
    "Nobody who loses {0} can be caught: its feet never both stand. Hit or push less hard, or follow a clip in which both feet "
    "stand at some time.":
        "{0}을(를) 놓치면 버텨 설 수 없습니다. 두 발이 함께 서는 때가 없기 때문입니다. 더 약하게 치거나 밀고, 아니면 두 발이 함께 서는 때가 있는 클립을 따라가세요.",
    "Who is to be caught is moved by the controller {0}, not by {1}.":
        "발을 내디뎌 버티려면 컨트롤러 {0}이(가) 움직여야 합니다. {1}은(는) 안 됩니다.",
    "A shot that follows a clip takes its motion from there: leave out {0}.":
        "클립을 따라가는 샷은 동작을 클립에서 가져옵니다. {0}을(를) 빼세요.",
    "{0} cannot be followed: its {1} frames last {2} s, less than a step of {3} s. Use a longer clip.":
        "{0}은(는) 따라갈 수 없습니다. {1}프레임이 {2}초로 한 걸음({3}초)보다 짧습니다. 더 긴 클립을 쓰세요.",
    "{0} cannot be followed: no foot touches the ground in frames {1} to {2}, and a body begins on its feet. Cut those frames "
    "off, or use another clip.":
        "{0}을(를) 따라갈 수 없습니다. 프레임 {1}~{2}에서 땅에 닿는 발이 없는데, 몸은 발을 딛고 시작합니다. 그 프레임을 잘라 내거나 다른 클립을 "
        "쓰세요.",
    "{0} cannot be followed: neither foot touches the ground in frames {1} to {2}. Use a clip of somebody "
    "who stands, walks, runs or "
    "jumps.":
        "{0}은(는) 따라갈 수 없습니다. {1}~{2}프레임에서 어느 발도 땅에 닿지 않습니다. 서거나 걷거나 달리거나 뛰는 클립을 쓰세요.",
    "{0} cannot be followed: from frame {1} on no foot touches the ground for {2} s, longer than "
    "anybody jumps: the figure {3} there. "
    "Cut that part off, or use another clip.":
        "{0}은(는) 따라갈 수 없습니다. {1}프레임부터 {2}초 동안 어느 발도 땅에 닿지 않아 누구의 점프보다도 깁니다. 인물이 그때 {3}. "
        "그 부분을 자르거나 다른 클립을 쓰세요.",
    "{0} cannot be followed: from frame {1} on its weight is not over its feet for {2} s, but up to {3} "
    "m beside them: the figure {4} "
    "there. Cut that part off, or use another clip.":
        "{0}은(는) 따라갈 수 없습니다. {1}프레임부터 {2}초 동안 무게가 발 위에 있지 않고 {3} m까지 벗어납니다. 인물이 그때 {4}. "
        "그 부분을 자르거나 다른 클립을 쓰세요.",
    "lies or swims": "누워 있거나 헤엄칩니다", "hangs, floats or sits": "매달리거나 떠 있거나 앉아 있습니다",
    "lies or crawls": "누워 있거나 기어갑니다",
    "sits, leans on something or holds on to it": "앉아 있거나 무언가에 기대거나 붙들고 있습니다",
    "{0} cannot be followed: its root jumps by {1} m from frame {2} to {3}. Repair the clip there, or cut it.":
        "{0}은(는) 따라갈 수 없습니다. 루트가 {2}프레임에서 {3}프레임으로 {1} m 튑니다. 그곳을 고치거나 클립을 자르세요.",
    "{0} cannot be followed: its root turns by {1} degrees from frame {2} to {3}. Repair the clip there, or cut it.":
        "{0}은(는) 따라갈 수 없습니다. 루트가 {2}프레임에서 {3}프레임으로 {1}도 돕니다. 그곳을 고치거나 클립을 자르세요.",
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
