# SPDX-License-Identifier: GPL-3.0-or-later
"""Korean: what is said about making a gait of one's own poses."""

from __future__ import annotations

POSES = {
    "There is no frame {0} in {1}: it has frames {2} to {3}.": "{1}에는 프레임 {0}이(가) 없습니다. 프레임 {2}~{3}이 있습니다.",
    "There is no frame {0} in the action {1}: it has frames {2} to {3}.":
        "액션 {1}에는 프레임 {0}이(가) 없습니다. 프레임 {2}~{3}이 있습니다.",
    "Frame {0} is there twice among the key poses: give each frame once.":
        "키 포즈에 프레임 {0}이(가) 두 번 있습니다. 프레임마다 한 번만 주세요.",
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
    "Of these key poses the legs swing {0}: give first all of one leg's step, then all of the other's, or those of one "
    "step alone.":
        "이 키 포즈에서 내딛는 다리는 {0}입니다. 한 다리의 걸음을 모두 준 다음 다른 다리의 걸음을 주거나, 한 걸음만 주세요.",
    "With these poses' upper body not even the legs of the gait {0} go: give them less of a lean or a reach, or more "
    "time from pose "
    "to pose.":
        "이 포즈의 상체로는 걸음 {0}의 다리조차 걷지 못합니다. 덜 기울이거나 덜 뻗고, 포즈 사이의 시간을 늘리세요.",
    "State {0} of the pose gait {1} can never be left: it waits for the touch-down of a foot that the swinging knee, bent by {2} "
    "degrees, holds off the ground; straighten the knee, or give the state a time.":
        "키 포즈 걸음 {1}의 상태 {0}은(는) 끝날 수 없습니다. 발이 닿기를 기다리는데 {2}도 굽은 내딛는 무릎이 발을 땅에서 들고 있습니다. 무릎을 펴거나 "
        "시간을 주세요.",
    "State {0} of the pose gait {1} turns the joint of {2} {3} degrees beyond what it does, {4} to {5} degrees: turn it {6}.":
        "키 포즈 걸음 {1}의 상태 {0}이(가) {2}의 관절을 움직이는 범위({4}~{5}도)보다 {3}도 더 돌립니다. 줄이세요({6}).",
    "less": "덜", "less, and about its hinge alone": "덜, 경첩 축으로만",
    "Pose {0} of the list has no action any more: choose one, or remove it.":
        "목록의 포즈 {0}에 액션이 없습니다. 하나를 고르거나 빼세요.",
    "{0} has no action whose frames could be picked: key the poses, or add the pose as it is.":
        "{0}에는 프레임을 고를 액션이 없습니다. 포즈에 키를 넣거나, 지금 포즈를 추가하세요.",
    "A gait takes at most {0} key poses: remove some from the list first.":
        "걸음에는 키 포즈가 많아야 {0}개입니다. 먼저 목록에서 몇 개를 빼세요.",
    "No marker stands within the action {0}, frames {1} to {2}: press M on the timeline at each pose.":
        "액션 {0}의 프레임 {1}~{2} 안에 마커가 없습니다. 타임라인의 포즈마다 M을 누르세요.",
    "The gait {0} that was made is gone; make it again.": "만든 걸음 {0}이(가) 사라졌습니다. 다시 만드세요.",
}
POSES_WORDS = {
    "Add Pose": "포즈 추가", "Add poses to the list that a gait is made of": "걸음을 만들 목록에 포즈를 추가합니다",
    "From": "가져올 곳", "Where the pose is taken from": "포즈를 가져올 곳",
    "Pose as It Is": "지금 포즈", "The pose that the character is in now, kept as an action of one frame":
        "캐릭터의 지금 포즈를 한 프레임짜리 액션으로 둡니다",
    "Present Frame": "현재 프레임", "The present frame of the character's action": "캐릭터 액션의 현재 프레임",
    "Markers": "마커", "The frames of the timeline's markers, those that are selected if any are, and of the action's own":
        "타임라인 마커(선택한 것이 있으면 그것만)와 액션 자체 마커의 프레임",
    "Remove Pose": "포즈 빼기", "Remove the chosen pose from the list; its action stays": "고른 포즈를 목록에서 뺍니다. 액션은 남습니다",
    "Make Gait from Poses": "포즈로 걸음 만들기",
    "Search, in the background, for the gait that comes nearest to these poses and walks. Takes some minutes; finish any time":
        "이 포즈에 가장 가까우면서 걷는 걸음을 백그라운드에서 찾습니다. 몇 분 걸리며 언제든 끝낼 수 있습니다",
    "Trials": "시도", "How many gaits are tried; more of them come nearer to the poses": "시도할 걸음 수. 많을수록 포즈에 가까워집니다",
    "The action that holds the pose: the character's own, or a pose of a library":
        "포즈가 담긴 액션: 캐릭터의 액션이나 라이브러리의 포즈",
    "Its frame, as the action itself counts them": "액션이 스스로 세는 프레임 번호",
    "Poses": "포즈", "The poses that a gait is made of, in their order: one in the midst of a step first, the one just before the "
    "foot comes down last": "걸음을 만들 포즈, 순서대로: 먼저 발을 옮기는 중간, 마지막은 발이 닿기 직전",
    "Active Pose": "활성 포즈", "The pose chosen in the list": "목록에서 고른 포즈",
    "Gait's Name": "걸음 이름", "What the gait made of the poses is called": "포즈로 만든 걸음의 이름",
    "Time Between (s)": "사이 시간 (s)", "Time from pose to pose where they are of different actions; poses of one action are as far "
    "apart as their frames": "서로 다른 액션의 포즈 사이 시간. 한 액션의 포즈는 프레임 간격을 따릅니다",
    "Ask for a Speed": "속도 지정", "Look for a gait of this speed. Off: what the poses' steps come to":
        "이 속도의 걸음을 찾습니다. 끄면 포즈의 보폭을 따릅니다",
    "The speed that is looked for": "찾을 속도",
    "What Gave": "양보한 것", "What was said of the last gait made of poses": "포즈로 만든 마지막 걸음에 대한 말",
    "From Your Poses": "내 포즈에서", "Pick two poses or more first": "먼저 포즈를 두 개 이상 고르세요",
    "my gait": "내 걸음", "Made {name}; it goes {speed:.2f} m/s on Earth": "{name}을(를) 만들었습니다. 지구에서 {speed:.2f} m/s로 걷습니다",
    "It falls within half a minute: try more trials, or gentler poses": "30초 안에 넘어집니다. 시도를 늘리거나 포즈를 부드럽게 하세요",
    "{speed:.2f} m/s on Earth; the poses ask for {asked:.2f}": "지구에서 {speed:.2f} m/s, 포즈가 바라는 속도는 {asked:.2f}",
    "Pose {number}: {joint} {degrees:+.0f}°": "포즈 {number}: {joint} {degrees:+.0f}°",
    "It comes to every pose": "모든 포즈에 이릅니다",
    "Tried on {name}'s own body": "{name}의 몸으로 시험했습니다",
    "trying where to begin": "시작점을 찾는 중", "searching for what comes nearest to the poses": "포즈에 가장 가까운 걸음을 찾는 중",
    "walking half a minute on Earth and on the Moon": "지구와 달에서 30초 걷는 중",
}
