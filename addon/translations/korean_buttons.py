# SPDX-License-Identifier: GPL-3.0-or-later
"""Korean: buttons, panels, lists, and the sentences that Lope says."""

from __future__ import annotations

BUTTONS = {
    "Go On from Here": "여기서 이어 가기",
    "Let the next shot start where this armature's last take ends: pose, speed, place and direction. Then simulate":
        "다음 샷이 이 아마튜어의 마지막 테이크가 끝나는 자세, 속도, 자리, 방향에서 시작합니다. 그다음 시뮬레이션하세요",
    "The next shot goes on from frame {frame:.0f}": "다음 샷은 프레임 {frame:.0f}에서 이어집니다",
    "Goes on from frame {frame:.0f}": "프레임 {frame:.0f}에서 이어짐",
    "Start Anew": "새로 시작", "Let the next shot start by itself again, at the scene's first frame":
        "다음 샷이 다시 씬의 첫 프레임에서 스스로 시작합니다",
    "The shot starts by itself": "샷이 스스로 시작합니다",
    "Changes on the Way": "도중의 변화",
    "Add Astronaut": "우주인 추가", "Add a suited astronaut with an armature that Lope can walk":
        "Lope가 걷게 할 수 있는 아마튜어와 우주복을 갖춘 우주인을 추가합니다",
    "Add Stage": "무대 추가",
    "Add ground, rocks, sun and sky to walk in. The ground is level where the character goes; the scene gets a new sky":
        "걸어갈 땅과 바위, 해와 하늘을 추가합니다. 캐릭터가 가는 곳은 평평하며, 씬의 하늘이 바뀝니다",
    "Add Prints and Dust": "발자국과 먼지 추가",
    "Add this take's footprints, and the dust that its feet throw up. Pressed again it replaces them and nothing of yours":
        "이 테이크의 발자국과 발이 일으키는 먼지를 추가합니다. 다시 누르면 그것만 바꾸고 직접 만든 것은 건드리지 않습니다",
    "No Air": "공기 없음",
    "Bake first: prints lie where the baked feet come down": "먼저 구우세요. 발자국은 구운 발이 닿는 곳에 놓입니다",
    "Prints": "발자국", "Footprints in the ground, each there from its foot's landing on": "발이 닿은 때부터 땅에 남는 발자국",
    "Dust": "먼지", "How much dust there is: 0 for none, 1 as usual": "먼지의 양. 0은 없음, 1은 보통",
    "Air": "공기", "What the dust flies through": "먼지가 지나가는 것",
    "Air where the world has some at its ground; a world of your own by its gravity":
        "세계의 땅에 공기가 있으면 그 공기. 직접 만든 세계는 중력에 따라 정합니다",
    "Every grain flies its parabola and falls down again: sheets, and no cloud stays":
        "알갱이마다 포물선을 그리고 다시 떨어집니다. 얇은 막처럼 날고 구름은 남지 않습니다",
    "Thin, as on Mars": "화성처럼 옅게", "Coarse grains fly on, fine dust is braked and hangs in the air for a while":
        "굵은 알갱이는 계속 날고 고운 먼지는 멈추어 잠시 떠 있습니다",
    "As on Earth": "지구처럼", "Dust is braked at once, drifts and sinks slowly": "먼지가 곧 멈추어 떠다니다 천천히 가라앉습니다",
    "Stage": "무대", "Which world it looks like": "어느 세계처럼 보일지 정합니다",
    "As the World": "세계와 같게",
    "The Moon, Mars or the Earth, as the panel's world is; another world gets the one most like it":
        "패널의 세계에 따라 달, 화성, 지구 가운데 하나. 다른 세계는 가장 비슷한 것을 씁니다",
    "Test Floor": "시험용 바닥", "Bare grey tiles of a metre, for worlds without a ground": "땅이 없는 세계를 위한 1m 잿빛 타일",
    "Grey dust under a black sky": "검은 하늘 아래 잿빛 먼지", "Red rocks under a dusty sky": "먼지 낀 하늘 아래 붉은 바위",
    "A path across a meadow": "풀밭을 가로지르는 길",
    "Detect Bones": "본 찾기", "Find hips, knees, feet and the rest in this armature, and say what was found":
        "이 아마튜어에서 엉덩이, 무릎, 발 등을 찾아 무엇을 찾았는지 알려 줍니다",
    "Plan the shot without simulating all of it: footprints, the way of the centre of mass, speed and Froude number":
        "시뮬레이션하지 않고 샷을 계획합니다: 발자국, 무게 중심의 경로, 속도, 프루드 수",
    "Simulate": "시뮬레이션",
    "Simulate this armature's shot in the background. Nothing in the scene moves until the keys are baked":
        "이 아마튜어의 샷을 백그라운드에서 시뮬레이션합니다. 키를 굽기 전에는 씬에서 아무것도 움직이지 않습니다",
    "Tune": "조정",
    "Try many small changes of how the feet move and keep what goes best under this gravity. Takes long; finish any time":
        "발의 움직임을 조금씩 바꿔 보며 이 중력에서 가장 좋은 것을 남깁니다. 오래 걸리며 언제든 마칠 수 있습니다",
    "Iterations": "반복 횟수", "Rounds of the search, a dozen variations each; more of them find a better one":
        "탐색 횟수. 한 번에 열두 가지쯤 시도하며, 많을수록 더 좋은 것을 찾습니다",
    "Cancel": "취소", "Give up every simulation that runs or waits": "실행 중이거나 기다리는 시뮬레이션을 모두 그만둡니다",
    "Finish Now": "지금 마치기", "End the running simulation and keep what there is so far":
        "실행 중인 시뮬레이션을 끝내고 지금까지의 결과를 남깁니다",
    "Bake": "굽기",
    "Write the last simulation on this armature's bones or controls. No key of yours is lost":
        "마지막 시뮬레이션을 이 아마튜어의 본이나 컨트롤에 씁니다. 직접 만든 키는 잃지 않습니다",
    "The action before, {name}, is as it was": "이전 액션 {name}은(는) 그대로입니다",
    "The range of this scene, which is yours, ends before the bake does": "직접 정하신 이 씬의 범위는 베이크보다 먼저 끝납니다",
    "Nothing in this scene gives light, its renders are black: Add Stage brings sun and sky":
        "이 씬에는 빛이 없어 렌더가 검게 나옵니다. 무대 추가로 해와 하늘을 넣으세요",
    "Fix": "고치기", "Put this right on the armature, in one undo step": "아마튜어에서 이것을 바로잡습니다. 한 번에 실행 취소할 수 있습니다",
    "Apply Scale": "스케일 적용", "Give Them a Length": "길이 주기", "Leave Tweak Mode": "트윅 모드 나가기",
    "Make Editable": "편집 가능하게", "Make Library Override": "라이브러리 오버라이드 만들기", "Mute Constraints": "제약 끄기",
    "Mute Drivers": "드라이버 끄기", "Mute Scale Keys": "스케일 키 끄기",
    "Scale to 1.75 m": "1.75m로 스케일", "Show Action Fully": "액션 온전히 보이기", "Show It": "보이기",
    "Show Pose": "포즈 보이기",
    "Finding": "진단", "Which of the doctor's findings to put right": "진단 가운데 무엇을 바로잡을지 정합니다",
    "Bone Map": "본 맵",
    "Every part of the body has its bone": "몸의 모든 부분에 본이 있습니다",
    "Set Bone": "본 정하기", "Say which bone this part of the body is; the map is kept on the armature, in the file":
        "몸의 이 부분이 어느 본인지 정합니다. 맵은 파일 안의 아마튜어에 남습니다",
    "Lower Spine": "허리", "Neck": "목", "Left Clavicle": "왼쪽 쇄골", "Right Clavicle": "오른쪽 쇄골",
    "Left Upper Arm": "왼쪽 위팔", "Right Upper Arm": "오른쪽 위팔", "Left Forearm": "왼쪽 아래팔",
    "Right Forearm": "오른쪽 아래팔", "Left Hand": "왼손", "Right Hand": "오른손", "Left Shin": "왼쪽 정강이",
    "Right Shin": "오른쪽 정강이", "Left Toes": "왼쪽 발가락", "Right Toes": "오른쪽 발가락",
    "Part": "부분", "The part of the body": "몸의 부분", "Bone": "본",
    "The bone that moves this part. Empty: none does": "이 부분을 움직이는 본. 비우면 없음",
    "Save Bone Map": "본 맵 저장", "Save which bone is which to a JSON file, to use it on other rigs of the kind and to share it":
        "어느 본이 무엇인지 JSON 파일로 저장하여 같은 종류의 리그에 쓰고 나눕니다",
    "The JSON file to write": "쓸 JSON 파일", "The JSON file to read": "읽을 JSON 파일",
    "{count} bones written to {path}": "본 {count}개를 {path}에 썼습니다",
    "Load Bone Map": "본 맵 불러오기", "Load which bone is which from a JSON file, and keep it on this armature":
        "어느 본이 무엇인지 JSON 파일에서 불러와 이 아마튜어에 남깁니다",
    "Forget Bone Map": "본 맵 지우기", "Forget the bone map kept on this armature; its bones are then found by names and structure "
    "again":
        "이 아마튜어에 남긴 본 맵을 지웁니다. 그러면 본을 다시 이름과 구조로 찾습니다",
    "No bone map is kept on this armature; its bones are found by names and structure":
        "이 아마튜어에 남긴 본 맵이 없습니다. 본은 이름과 구조로 찾습니다",
    "Stand It Up": "일으켜 세우기", "Disconnect Them": "연결 끊기",
    "Other Side Too": "반대쪽도", "Give the same part on the other side the bone that is the mirror image of this one":
        "반대쪽 같은 부분에 이 본과 거울상인 본을 정합니다",
    "Rows with a question mark are a guess: look at them": "물음표가 있는 줄은 짐작입니다. 살펴보세요",
    "{count} of them are a guess: see Bone Map": "그 가운데 {count}개는 짐작입니다. 본 맵을 보세요",
    "found by structure": "구조로 찾음", "own map": "직접 만든 맵",
    "Run Again": "다시 실행",
    "Simulate the shot stored in this armature's action once more; the same shot gives the same motion":
        "이 아마튜어의 액션에 저장된 샷을 다시 시뮬레이션합니다. 샷이 같으면 동작도 같습니다",
    "Export Foot Events": "발 이벤트 내보내기",
    "Write when and where each foot strikes and leaves the ground, how fast and how hard, for dust and sound":
        "먼지와 소리를 위해 발이 언제 어디서 얼마나 빠르고 세게 땅에 닿고 떨어지는지 씁니다",
    "Plots": "그래프",
    "Show the course of the last take over the view: height, speed, ground force, contacts and joint angles":
        "마지막 테이크의 높이, 속도, 지면 힘, 접촉, 관절 각도가 변하는 모습을 뷰 위에 보여 줍니다",
    "Height of the centre of mass over the way (m)": "이동 거리에 따른 무게 중심의 높이 (m)",
    "Vertical ground force over weight": "체중에 대한 수직 지면 힘",
    "Feet on the ground": "땅에 닿은 발",
    "Feet on the ground: left above, right below": "땅에 닿은 발: 위는 왼발, 아래는 오른발",
    "Hip flexion (°)": "엉덩관절 굽힘 (°)", "Knee flexion (°)": "무릎 굽힘 (°)", "Ankle, toes up (°)": "발목, 발끝 들림 (°)",
    "Export Table": "표 내보내기",
    "Write the last take as a table: way, height, speed, ground force, contacts and joint angles at every moment":
        "마지막 테이크를 표로 씁니다: 순간마다의 이동 거리, 높이, 속도, 지면 힘, 접촉, 관절 각도",
    "{count} moments written to {path}": "{count}개 순간을 {path}에 썼습니다",
    "File": "파일", "The CSV file to write": "쓸 CSV 파일",
    "Add": "추가", "Add an entry to this list; selected objects are taken as targets, the present frame as its frame":
        "목록에 항목을 추가합니다. 선택한 오브젝트는 목표로, 현재 프레임은 항목의 프레임으로 씁니다",
    "Remove": "제거", "Remove the chosen entry from this list": "목록에서 고른 항목을 제거합니다",
    "Help": "도움말", "Open the page of Lope's handbook about this": "이 부분을 다루는 Lope 안내서를 엽니다",
    "Page": "쪽", "The page to open": "열 쪽",
    "The First Walk": "첫 걸음", "From an empty scene to keys, step by step": "빈 씬에서 키까지 한 단계씩",
    "Your Own Rig": "나의 리그", "How bones are found, what is wrong with a rig, and feet that stay where they are":
        "본을 찾는 방법, 리그의 문제점, 제자리에 머무는 발",
    "Your Own Gait": "나의 걸음걸이", "A motion file or an action as style, and gaits of your own":
        "모션 파일이나 액션을 스타일로 쓰기, 직접 만든 걸음걸이",
    "Planets": "행성", "Which gait suits which gravity, and at which speeds it stands":
        "어느 중력에 어느 걸음걸이가 맞는지, 어느 속도에서 서 있는지",
    "Troubleshooting": "문제 해결", "What you see, why, and what to do about it": "보이는 증상, 원인, 해결 방법",
    "The Panel": "패널", "What every setting and button of the tab Lope does": "Lope 탭의 모든 설정과 버튼이 하는 일",
    "Rigs": "리그", "Which rigs are known, what is read from them, what is baked": "알고 있는 리그, 읽는 것, 굽는 것",
    "Measures": "측정값", "What the numbers of a take mean": "테이크의 수치가 뜻하는 것",
    "Add Gait Preset": "걸음걸이 프리셋 추가", "Keep the gait's settings as a preset of yours, or remove one":
        "걸음걸이 설정을 내 프리셋으로 저장하거나 제거합니다",
    "Add World Preset": "세계 프리셋 추가", "Keep the world's settings as a preset of yours, or remove one":
        "세계 설정을 내 프리셋으로 저장하거나 제거합니다",
    "Add Character Preset": "캐릭터 프리셋 추가", "Keep the character's mass and suit as a preset of yours, or remove one":
        "캐릭터의 질량과 우주복을 내 프리셋으로 저장하거나 제거합니다",
    "Add Bake Preset": "굽기 프리셋 추가", "Keep the settings of baking as a preset of yours, or remove one":
        "굽기 설정을 내 프리셋으로 저장하거나 제거합니다",
    "Gait Presets": "걸음걸이 프리셋", "World Presets": "세계 프리셋", "Character Presets": "캐릭터 프리셋", "Bake Presets": "굽기 프리셋",
    "More": "더 보기", "Ground and Gravity": "지면과 중력", "Physics": "물리",
    "Pick an armature, or add the astronaut": "아마튜어를 고르거나 우주인을 추가하세요",
    "Leave Edit or Pose mode first": "먼저 에디트 모드나 포즈 모드에서 나오세요",
    "Select an armature, or a mesh that an armature moves": "아마튜어, 또는 아마튜어가 움직이는 메쉬를 선택하세요",
    "Simulate first: this armature has no take": "먼저 시뮬레이션하세요. 이 아마튜어에는 테이크가 없습니다",
    "The armature's action was not baked by Lope": "이 아마튜어의 액션은 Lope가 구운 것이 아닙니다",
    "Nothing is being simulated": "시뮬레이션 중인 것이 없습니다",
    "The list is empty": "목록이 비어 있습니다",
    "Cancelled; nothing was changed": "취소했습니다. 바뀐 것이 없습니다",
    "Show the Fall": "넘어지는 곳 보기",
    "Go to the frame at which the character falls, and look there. A take that is not baked yet is baked as far as it goes":
        "캐릭터가 넘어지는 프레임으로 가서 그곳을 봅니다. 테이크를 아직 굽지 않았으면 있는 데까지 굽습니다",
    "Show the Fall, Frame {frame}": "넘어지는 {frame} 프레임 보기",
    "Try Again": "다시 해 보기",
    "Change the one setting that the fall speaks against most, as the button says, and simulate again":
        "넘어진 원인일 가능성이 가장 큰 설정 하나를 버튼에 적힌 대로 바꾸고 다시 시뮬레이션합니다",
    "Try Again, {share:.0f} % of the Push": "미는 힘의 {share:.0f}%로 다시 해 보기",
    "Try Again, {share:.0f} % of the Condition": "상태의 {share:.0f}%로 다시 해 보기",
    "Try Again, Muscles {strength:.1f} Times as Strong": "{strength:.1f}배 강한 근육으로 다시 해 보기",
    "Try Again by Torques": "토크로 다시 해 보기",
    "Try Again at {speed:.2f} m/s": "{speed:.2f} m/s로 다시 해 보기",
    "Try Again, Own Stride Rate": "본래의 보행 주기로 다시 해 보기", "Try Again without Variation": "변화 없이 다시 해 보기",
    "Try Again as a Walk": "걷기로 다시 해 보기",
    "The last take of this armature did not end in a fall": "이 아마튜어의 마지막 테이크는 넘어져서 끝나지 않았습니다",
    "Nothing is known that would help; see the help page": "도움이 될 만한 것을 알지 못합니다. 도움말을 보세요",
    "Set Duration": "길이 정하기", "Give the shot the length that it needs": "샷에 필요한 길이를 줍니다",
    "Make It {seconds:g} s Long": "{seconds:g}초로 늘리기",
    "Go to Frame": "프레임으로 가기", "Go to this frame, and let the view follow the character there":
        "이 프레임으로 가고 뷰가 캐릭터를 따라가게 합니다",
    "Frame": "프레임", "The frame to go to": "갈 프레임", "Worst at Frame {frame}": "가장 나쁜 프레임: {frame}",
    "Shot": "샷", "Fine: {count}": "좋음: {count}", "Not judged: {count}": "판단하지 않음: {count}",
    "Nothing is wrong with this motion": "이 동작에는 잘못된 것이 없습니다",
    "{what}. Try {advice}": "{what}. 해 볼 것: {advice}", "Look at the Take panel: {what}": "테이크 패널을 보세요: {what}",
    "{share}, {left} left": "{share}, {left} 남음",
    "{text}. The keys are there: press Space to play": "{text}. 키를 넣었습니다. 스페이스 바로 재생하세요",
    "Fall": "넘어짐", "When the last take ended in a fall, and what to change, as JSON":
        "마지막 테이크가 언제 넘어져 끝났는지, 무엇을 바꿀지(JSON)",
    "Baked to the action {name} at {rate:.6g} frames a second. {changes}":
        "액션 {name}에 초당 {rate:.6g}프레임으로 구웠습니다. {changes}",
    "Bones: {family}, {height:.2f} m tall": "본: {family}, 키 {height:.2f} m",
    "{count} of {all} parts have a bone": "부분 {all}개 가운데 {count}개에 본이 있습니다",
    "{segments} segments, {freedom} degrees of freedom": "몸 부분 {segments}개, 자유도 {freedom}",
    "Added the collection {name}": "컬렉션 {name}을(를) 추가했습니다",
    "This Blender's Python has no package {name}, which Lope's zip brings for Blender 4.5 and 5.2; install the zip made for "
    "this platform":
        "이 블렌더의 파이썬에 {name} 패키지가 없습니다. Lope의 zip이 블렌더 4.5와 5.2용으로 담고 있으니 이 플랫폼용 zip을 설치하세요",
    "{name} is gone; its take is kept in {path}": "{name}이(가) 없어졌습니다. 테이크는 {path}에 남아 있습니다",
    "{name} is no longer in the scene {scene}; its take is kept, bake it by hand":
        "{name}이(가) 더는 씬 {scene}에 없습니다. 테이크는 남아 있으니 직접 구우세요",
    "{name} was edited meanwhile; its take is kept: bake it as it is, or simulate again":
        "그사이 {name}이(가) 편집되었습니다. 테이크는 남아 있으니 그대로 굽거나 다시 시뮬레이션하세요",
    "The take is kept, but was not baked: {reason}": "테이크는 남아 있지만 굽지 못했습니다: {reason}",
    "Tuned {gait} for {world}: cost {before:.3g} to {after:.3g}; used from the next simulation on":
        "{world}의 {gait}을(를) 조정했습니다: 비용 {before:.3g}에서 {after:.3g}로. 다음 시뮬레이션부터 씁니다",
    "{reason} That is no fall: try another engine, or a gentler shot":
        "{reason} 넘어진 것이 아닙니다. 다른 엔진이나 더 순한 숏을 써 보세요",
    "Fell after {time:.1f} s on {world}": "{world}에서 {time:.1f}초 뒤에 넘어졌습니다",
    "Fell after {time:.1f} s on {world}; simulated on to {end:.1f} s":
        "{world}에서 {time:.1f}초 뒤에 넘어졌습니다. {end:.1f}초까지 이어서 시뮬레이션했습니다",
    "{time:.1f} s on {world}, {way:.1f} m": "{world}에서 {time:.1f}초, {way:.1f} m",
    "{time:.1f} s, {way:.1f} m, {steps} steps": "{time:.1f}초, {way:.1f} m, {steps}걸음",
    "{text} (ended early)": "{text} (일찍 마침)",
    "{count} foot events written to {path}": "발 이벤트 {count}개를 {path}에 썼습니다",
    "The handbook's page {path} is not there; install Lope's zip again": "안내서 쪽 {path}이(가) 없습니다. Lope의 zip을 다시 설치하세요",
    "{speed:.2f} m/s    {rate:.2f} strides/s    {stride:.2f} m/stride    Fr {froude:.2f}":
        "{speed:.2f} m/s    초당 {rate:.2f}주기    주기당 {stride:.2f} m    Fr {froude:.2f}",
    "{time:.1f} s to the end of the path": "경로 끝까지 {time:.1f}초",
    "Slows down to {speed:.2f} m/s where the path bends": "경로가 굽은 곳에서 {speed:.2f} m/s까지 느려집니다",
    "Stands from {low:.2f} to {high:.2f} m/s here": "여기서는 {low:.2f}~{high:.2f} m/s에서 버팁니다",
    "This gait does not stand at that speed; change it, or tick Try Any Speed":
        "이 걸음걸이는 그 속도에서 버티지 못합니다. 속도를 바꾸거나 '아무 속도나 시도'를 켜세요",
    "Lope {version}, seed {seed}, body {body}": "Lope {version}, 시드 {seed}, 몸 {body}",
}
