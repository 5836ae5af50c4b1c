# SPDX-License-Identifier: GPL-3.0-or-later
"""Korean: what is said about making a gait of one's own poses."""

from __future__ import annotations

POSES = {
    "There is no frame {0} in {1}: it has frames {2} to {3}.": "{1}에는 프레임 {0}이(가) 없습니다. 프레임 {2}~{3}이 있습니다.",
    "There is no frame {0} in the action {1}: it has frames {2} to {3}.":
        "액션 {1}에는 프레임 {0}이(가) 없습니다. 프레임 {2}~{3}이 있습니다.",
    "A gait takes 2 to {0} key poses in the order of their frames, got {1}: {2}.":
        "걸음에는 프레임 순서대로 키 포즈 2~{0}개가 필요한데 {1}개를 받았습니다: {2}.",
    "A gait takes 2 to {0} key poses, got {1}: add poses.": "걸음에는 키 포즈 2~{0}개가 필요한데 {1}개를 받았습니다. 포즈를 추가하세요.",
    "The pose at {0} has the {1} at {2} degrees, which the joint does not do: it goes from {3} to {4}; change the pose.":
        "{0}의 포즈에서 {1}이(가) {2}도인데 관절은 {3}~{4}도까지만 움직입니다. 포즈를 바꾸세요.",
    "The pose at {0} turns the joint of {1} by {2} degrees, which it does not do: it goes from {3} to {4}; change the pose.":
        "{0}의 포즈에서 {1}의 관절이 {2}도 돌았는데 {3}~{4}도까지만 움직입니다. 포즈를 바꾸세요.",
    "The action {0} keys no bones: choose one that poses {1}.": "액션 {0}에는 본 키가 없습니다. {1}의 포즈가 담긴 액션을 고르세요.",
    "The action {0} poses another rig: {1} has no bone {2}, nor {3} others of the {4} that it keys.":
        "액션 {0}은(는) 다른 리그의 포즈입니다. 키가 있는 본 {4}개 가운데 {2} 외 {3}개가 {1}에 없습니다.",
    "Of these key poses the legs swing {0}: give first all of one leg's step, then all of the other's, or those of one step alone.":
        "이 키 포즈에서 내딛는 다리는 {0}입니다. 한 다리의 걸음을 모두 준 다음 다른 다리의 걸음을 주거나, 한 걸음만 주세요.",
    "With these poses' upper body not even the legs of the gait {0} go: give them less of a lean or a reach, or more time from pose "
    "to pose.":
        "이 포즈의 상체로는 걸음 {0}의 다리조차 걷지 못합니다. 덜 기울이거나 덜 뻗고, 포즈 사이의 시간을 늘리세요.",
    "State {0} of the pose gait {1} can never be left: it waits for the touch-down of a foot that the swinging knee, bent by {2} "
    "degrees, holds off the ground; straighten the knee, or give the state a time.":
        "키 포즈 걸음 {1}의 상태 {0}은(는) 끝날 수 없습니다. 발이 닿기를 기다리는데 {2}도 굽은 내딛는 무릎이 발을 땅에서 들고 있습니다. 무릎을 펴거나 "
        "시간을 주세요.",
    "State {0} of the pose gait {1} turns the joint of {2} {3} degrees beyond what it does, {4} to {5} degrees: turn it {6}.":
        "키 포즈 걸음 {1}의 상태 {0}이(가) {2}의 관절을 움직이는 범위({4}~{5}도)보다 {3}도 더 돌립니다. 줄이세요({6}).",
    "less": "덜", "less, and about its hinge alone": "덜, 경첩 축으로만",
}
