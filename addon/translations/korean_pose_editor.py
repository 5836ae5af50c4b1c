# SPDX-License-Identifier: GPL-3.0-or-later
"""Korean: the editor of key poses."""

from __future__ import annotations

POSE_EDITOR = {
    "The gait from key poses that was chosen is not among yours on this machine; choose another one.":
        "고른 키 포즈 걸음이 이 컴퓨터의 내 걸음에 없습니다. 다른 것을 고르세요.",
    "This character has no key poses of its own yet; choose a gait under Key Poses and press Edit.":
        "이 캐릭터에는 아직 자기 키 포즈가 없습니다. 키 포즈에서 걸음을 고르고 편집을 누르세요.",
    "This is the gait's only state, and a gait has one at least: change it instead.":
        "걸음에는 상태가 하나는 있어야 하는데 이것이 하나뿐입니다. 지우지 말고 바꾸세요.",
    "You have a gait called {0} already: tick Replace It, or save this one under another name.":
        "{0}(이)라는 내 걸음이 이미 있습니다. 바꿔 놓기를 켜거나 다른 이름으로 저장하세요.",
    "{0} is a gait that comes with Lope, and stays as it is: save yours under another name.":
        "{0}은(는) Lope에 들어 있는 걸음이라 바꿀 수 없습니다. 다른 이름으로 저장하세요.",
    "The state whose pose was shown has been removed; leave the pose.": "포즈를 보이던 상태가 지워졌습니다. 포즈를 떠나세요.",
    "{0} goes along the curves of a clip: its states have no poses to be shown.":
        "{0}은(는) 클립의 곡선을 따라갑니다. 상태에 보일 포즈가 없습니다.",
    "{0} shows a key pose, which is nobody's motion: take it or leave it, then bake.":
        "{0}이(가) 키 포즈를 보이고 있어 동작이 아닙니다. 가져오거나 떠난 뒤 베이크하세요.",
    "State {0} belongs to the library that this character is linked from, and can be removed in that file alone: give it another "
    "pose, or open a gait with more states.":
        "상태 {0}은(는) 이 캐릭터가 링크된 라이브러리에 있어 그 파일에서만 지울 수 있습니다. 다른 포즈를 주거나 상태가 더 많은 걸음을 여세요.",
}
POSE_EDITOR_WORDS = {
    "A gait has 16 states at most": "걸음의 상태는 16개까지입니다", "Active State": "활성 상태",
    "Add a copy of the chosen state after it, to be changed from there": "고른 상태의 복사본을 뒤에 추가해 거기서 바꿉니다",
    "Ahead (m/s)": "더 바라기 (m/s)", "Distance": "거리", "Distance, Side": "거리, 옆",
    "Speed": "속도", "Speed, Side": "속도, 옆",
    "Bring the gait back as it was opened, or saved last": "걸음을 열었을 때나 마지막으로 저장했을 때로 되돌립니다",
    "Close the key poses; the character keeps its gait": "키 포즈를 닫습니다. 캐릭터의 걸음은 그대로입니다",
    "Down": "아래로", "Up": "위로", "Earlier": "앞으로", "Later": "뒤로", "Way": "방향", "Where to": "어디로",
    "Each Leg by Itself": "두 다리 따로", "Mirror One Leg": "한 다리를 거울처럼", "Mirror the Legs": "다리 대칭",
    "Edit Key Poses": "키 포즈 편집", "Elbows": "팔꿈치",
    "How far arms that hang swing against the thighs": "늘어뜨린 팔이 허벅지와 반대로 흔들리는 정도",
    "How far elbows of arms that hang are bent": "늘어뜨린 팔의 팔꿈치를 굽힌 각",
    "How far the standing ankle presses its toes down for each metre that the hips are ahead of it":
        "엉덩이가 디딘 발보다 1 m 앞설 때마다 디딘 발목이 발끝을 누르는 각",
    "How far the standing ankle tilts for each metre to the side": "옆으로 1 m마다 디딘 발목이 기우는 각",
    "How far the swinging thigh turns for each m/s that the body goes faster than asked":
        "바라는 속도보다 1 m/s 빠를 때마다 내딛는 허벅지가 도는 각",
    "How far the swinging thigh turns for each metre that the hips are ahead of the standing foot":
        "엉덩이가 디딘 발보다 1 m 앞설 때마다 내딛는 허벅지가 도는 각",
    "How long the state lasts on Earth, for an adult; longer under less gravity and on longer legs":
        "지구에서 어른이 이 상태에 머무는 시간. 중력이 작거나 다리가 길면 더 깁니다",
    "Its speed to the left; negative goes to the right": "왼쪽으로 가는 속도. 음수면 오른쪽으로 갑니다",
    "Left": "왼쪽", "Right": "오른쪽", "The left leg swings": "왼다리가 나갑니다", "The right leg swings": "오른다리가 나갑니다",
    "Swings": "나가는 다리", "The leg that swings in this state": "이 상태에서 나가는 다리",
    "List both legs' states, each to be changed by itself; or one leg's, which the other leg mirrors":
        "두 다리의 상태를 모두 따로 두거나, 한 다리의 상태만 두고 다른 다리는 거울처럼 따르게 합니다",
    "Mirrored": "대칭", "The states are those of one leg's step; the other leg's are mirrored":
        "한 다리의 걸음 상태만 있고 다른 다리는 거울처럼 따릅니다",
    "Move the chosen state to another place in the list": "고른 상태를 목록의 다른 자리로 옮깁니다", "Move State": "상태 옮기기",
    "Name": "이름", "What the gait is called": "걸음의 이름", "What the preset is called": "프리셋의 이름",
    "Nothing has been changed": "바뀐 것이 없습니다",
    "Open this gait as the character's own: its states can be changed, and are kept in this file":
        "이 걸음을 캐릭터 자신의 걸음으로 엽니다. 상태를 바꿀 수 있고 이 파일에 저장됩니다",
    "Own Gait": "자기 걸음", "The character's own gait from key poses": "캐릭터 자신의 키 포즈 걸음",
    "This Character's Own": "이 캐릭터의 것", "The gait that is edited here, and kept in this file": "여기서 편집하고 이 파일에 저장하는 걸음",
    "A gait that you kept": "내가 저장한 걸음",
    "To the Left (m/s)": "왼쪽으로 (m/s)", "Starts at (m/s)": "시작 속도 (m/s)",
    "Starts Spread": "시작할 때 벌림",
    "Posed": "포즈 있음", "Whether this joint is drawn to a pose; else it hangs, and arms swing":
        "이 관절을 포즈로 이끄는지 여부. 아니면 늘어뜨리고, 팔은 흔들립니다",
    "Put this gait in the place of the character's own?": "이 걸음을 캐릭터 자신의 걸음 자리에 놓을까요?",
    "Put this gait in the place of the preset of that name": "같은 이름의 프리셋 자리에 이 걸음을 놓습니다",
    "{name} has not been saved as a preset": "{name}은(는) 프리셋으로 저장되지 않았습니다",
    "Remove the chosen state": "고른 상태를 지웁니다", "Remove State": "상태 지우기", "Add State": "상태 추가",
    "Remove this preset of yours; characters that go in it keep nothing of it":
        "내 프리셋을 지웁니다. 이것으로 걷던 캐릭터에도 남지 않습니다",
    "Remove Preset": "프리셋 지우기", "Replace": "바꾸기", "Replace It": "바꿔 놓기", "Save as Preset": "프리셋으로 저장",
    "Save this gait as a preset of yours, for all your files": "이 걸음을 내 프리셋으로 저장해 모든 파일에서 씁니다",
    "Saved in {path}": "{path}에 저장했습니다", "You have a gait of that name": "같은 이름의 걸음이 있습니다",
    "Show the states of the gait at the top of the tab": "걸음의 상태를 탭 위쪽에 보입니다",
    "Standing Ankle": "디딘 발목", "Standing Knee": "디딘 무릎", "Swinging Ankle": "내딛는 발목", "Swinging Knee": "내딛는 무릎",
    "Swinging Thigh": "내딛는 허벅지", "Thigh Outward": "허벅지 바깥쪽", "Trunk Back": "몸통 뒤로",
    "States": "상태", "The key poses, in the order they are gone through": "거쳐 가는 순서대로 놓은 키 포즈",
    "The state chosen in the list": "목록에서 고른 상태",
    "The balance asks for so much more than is wished for, where the gait stays behind":
        "걸음이 뒤처질 때 균형이 바라는 속도보다 이만큼 더 바랍니다",
    "The same for each m/s that the body goes faster than asked": "바라는 속도보다 1 m/s 빠를 때마다 같은 값",
    "The same for each m/s to the side": "옆으로 1 m/s마다 같은 값", "The same of the distance to the side": "옆 거리에 대한 같은 값",
    "The same of the speed to the side": "옆 속도에 대한 같은 값",
    "The speed at which a shot begins; 0 begins standing": "샷이 시작할 때의 속도. 0이면 서서 시작합니다",
    "The speed that the balance asks for on Earth, for an adult": "지구에서 어른일 때 균형이 바라는 속도",
    "The standing ankle; toes up is positive": "디딘 발목. 발끝이 위로 가면 양수입니다",
    "The standing knee; bent is negative": "디딘 무릎. 굽히면 음수입니다",
    "The state lasts until the swinging foot touches the ground": "나가는 발이 땅에 닿을 때까지 이 상태에 머뭅니다",
    "The swinging ankle; toes up is positive": "내딛는 발목. 발끝이 위로 가면 양수입니다",
    "The swinging knee; bent is negative": "내딛는 무릎. 굽히면 음수입니다",
    "The swinging thigh against the world, forward": "월드에 대한 내딛는 허벅지의 각, 앞쪽",
    "The swinging thigh against the world, to its own side": "월드에 대한 내딛는 허벅지의 각, 자기 쪽 바깥",
    "The thighs' spread where a shot begins, the left one forward": "샷이 시작할 때 허벅지를 벌린 각, 왼쪽이 앞",
    "The trunk's lean against the world; negative leans forward": "월드에 대한 몸통의 기울기. 음수면 앞으로 기웁니다",
    "This character has no key poses of its own": "이 캐릭터에는 자기 키 포즈가 없습니다",
    "Time (s)": "시간 (s)", "Until Touch-Down": "발이 닿을 때까지", "Touch-Down": "발이 닿을 때", "Upper Body": "상체", "Whole Gait": "걸음 전체",
    "Turns the joint about the axes of the body: to its right side down, forward, to the left":
        "몸의 축을 중심으로 관절을 돌립니다: 오른쪽이 내려가게, 앞으로, 왼쪽으로",
    "Gaits from Key Poses": "키 포즈 걸음", "A gait made of a few poses and balance, and how to edit one":
        "포즈 몇 개와 균형으로 만든 걸음, 그리고 편집하는 법",
    "Let the armature stand as before, and the state as it is": "아마튜어를 전처럼 세우고 상태는 그대로 둡니다",
    "Show the chosen state's pose on the armature, to change it there with Blender's own tools. Nothing is keyed, and "
    "it stands as "
    "before when you take or leave the pose":
        "고른 상태의 포즈를 아마튜어에 보여 블렌더의 도구로 바꿀 수 있게 합니다. 키는 찍지 않고, 가져오거나 떠나면 전처럼 섭니다",
    "State {state}: the {joint} was posed at {angle:.0f}°, and is taken as {held:.0f}°":
        "상태 {state}: {joint}의 포즈가 {angle:.0f}°라서 {held:.0f}°로 가져왔습니다",
    "The character is driven; stop that first": "캐릭터를 주행하는 중입니다. 먼저 멈추세요",
    "No key pose is shown on this armature": "이 아마추어에 표시된 키 포즈가 없습니다",
    "Write the pose of the armature into the state, and let the armature stand as before. The standing thigh is not taken: it "
    "follows from the balance":
        "아마튜어의 포즈를 상태에 쓰고 아마튜어를 전처럼 세웁니다. 디딘 허벅지는 균형을 따르므로 가져오지 않습니다",
    "The armature shows a key pose; take it or leave it first": "아마튜어가 키 포즈를 보이고 있습니다. 먼저 가져오거나 떠나세요",
    "The standing thigh follows from the balance and is not taken": "디딘 허벅지는 균형을 따르므로 가져오지 않습니다",
    "Left leg swings": "왼다리가 나갑니다", "Right leg swings": "오른다리가 나갑니다",
    "At the wheel it goes as {gait}; a change here brings this gait back":
        "지금 주행에서는 {gait}(으)로 갑니다. 여기서 바꾸면 이 걸음으로 돌아옵니다",
    "Take State {number} from Rig": "상태 {number} 리그에서 가져오기",
    "Leave": "떠나기", "Pose on Rig": "리그에 포즈", "Take from Rig": "리그에서 가져오기",
    "A flight: no leg stands, both thighs are drawn": "공중: 디딘 다리가 없고 두 허벅지를 모두 이끕니다",
    "Any Foot": "아무 발", "Other Foot": "다른 발", "Swinging Foot": "나가는 발", "Both Legs": "두 다리", "Both legs stand": "두 다리로 섭니다",
    "One Leg": "한 다리", "The leg that does not swing stands": "나가지 않는 다리로 섭니다", "Neither": "없음 (공중)",
    "Begins In": "시작 상태", "The state in which a shot begins": "샷이 시작하는 상태", "Contact": "접촉",
    "Pace in (s)": "속도 맞추기 (s)",
    "It asks for more or less by itself until it goes as fast as is wished for, about in that time; 0 does not":
        "이 시간쯤에 바라는 속도로 가도록 스스로 더 또는 덜 바랍니다. 0이면 하지 않습니다",
    "In a flight the other thigh against the world, forward": "공중에서 월드에 대한 다른 허벅지의 각, 앞쪽",
    "In a flight the other thigh, to its own side": "공중에서 다른 허벅지의 각, 자기 쪽 바깥",
    "It turns by itself so fast, to the left positive": "스스로 도는 빠르기. 왼쪽이 양수입니다", "Turns (rad/s)": "돌기 (rad/s)",
    "Lands": "닿는 발", "Stands": "디딘 다리", "Other Thigh": "다른 허벅지", "Other Outward": "다른 허벅지 바깥쪽",
    "The state lasts until one of the feet lands": "어느 발이든 땅에 닿을 때까지 이 상태에 머뭅니다",
    "The state lasts until the other foot lands, as in a hop": "깡충 뛸 때처럼 다른 발이 닿을 때까지 이 상태에 머뭅니다",
    "The state lasts until the swinging foot lands": "나가는 발이 닿을 때까지 이 상태에 머뭅니다",
    "Which legs stand in this state, and so carry the trunk": "이 상태에서 몸통을 떠받치며 디디는 다리",
    "Whose touch-down ends the state": "어느 발이 닿으면 상태가 끝나는지",
    "Done": "완료", "Edit": "편집", "Revert": "되돌리기",
}
