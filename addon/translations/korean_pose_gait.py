# SPDX-License-Identifier: GPL-3.0-or-later
"""Korean: what is said about gaits from key poses."""

from __future__ import annotations

POSE_GAIT = {
    "The pose gait {0} catches pushes: then it is not symmetric, begins in its first state, which stands on both feet, and the "
    "right leg swings in its second.":
        "포즈 보행 {0}은(는) 밀림을 받아 냅니다. 그러려면 대칭이 아니어야 하고, 두 발로 서는 첫 상태에서 시작해야 하며, 둘째 상태에서 "
        "오른다리가 움직여야 합니다.",
    "The pose gait {0} catches pushes by samples of 4, 6, 8 ... numbers each, all of one length: two of a velocity [m/s], and "
    "two angles [rad] a step.":
        "포즈 보행 {0}은(는) 표본으로 밀림을 받아 냅니다. 표본은 모두 같은 길이로 4, 6, 8 ...개의 수입니다. 속도 [m/s] 두 개와 걸음마다 각도 "
        "[rad] 두 개입니다.",
    "The controller {0} goes by key poses, and this shot has no pose gait: give it one, or choose the controller tracking.":
        "컨트롤러 {0}은(는) 키 포즈로 움직이는데 이 샷에는 키 포즈 걸음이 없습니다. 하나를 주거나 컨트롤러 tracking을 고르세요.",
    "A shot with a pose gait is moved by the controller {0}, not by {1}.":
        "키 포즈 걸음이 있는 샷은 컨트롤러 {1}이(가) 아니라 {0}이(가) 움직입니다.",
    "A planar body goes straight on, along +x: leave its path and heading out, or choose a human.":
        "평면 몸은 +x 쪽으로 곧게만 갑니다. 경로와 방향을 빼거나 사람을 고르세요.",
    "The pose gait {0} is one of the planar body: go as that body (--planar), or choose one of {1}.":
        "키 포즈 걸음 {0}은(는) 평면 몸의 걸음입니다. 그 몸으로 가거나(--planar) 다음에서 고르세요: {1}.",
    "The pose gait {0} has {1} states: it needs 1 to {2}.":
        "키 포즈 걸음 {0}의 상태가 {1}개입니다. 1~{2}개여야 합니다.",
    "The pose gait {0} never rests in a state, as each lasts 0 s: give one a time, or the swinging foot's touch-down.":
        "키 포즈 걸음 {0}은(는) 모든 상태가 0초라서 어느 상태에도 머물지 않습니다. 시간을 주거나, 내딛는 발이 닿을 때까지로 하세요.",
    "The pose gait {0} begins in state {1}, but has {2}: choose one that there is.":
        "키 포즈 걸음 {0}은(는) 상태 {1}에서 시작한다는데 상태가 {2}개뿐입니다. 있는 상태를 고르세요.",
    "State {0} of the pose gait {1} says that the leg {2} swings, but the gait is symmetric: leave that out, or list all of "
    "its states and say that it is not symmetric.":
        "키 포즈 걸음 {1}의 상태 {0}에 내딛는 다리 {2}이(가) 적혀 있지만 이 걸음은 대칭입니다. 그것을 빼거나, 모든 상태를 적고 대칭이 아니라고 하세요.",
    "State {0} of the pose gait {1} does not say which leg swings: a gait that is not symmetric says it in every state, L or R.":
        "키 포즈 걸음 {1}의 상태 {0}에 어느 다리가 나가는지 없습니다. 대칭이 아닌 걸음은 상태마다 L이나 R을 적습니다.",
    "The pose gait {0} can be changed to between {1} and {2} m/s, which is no range: give the slower speed first.":
        "키 포즈 걸음 {0}(으)로 바꿀 수 있는 속력 {1}~{2} m/s는 범위가 아닙니다. 느린 쪽을 먼저 주세요.",
    "There is nothing between the pose gaits {0} and {1}, which have {2} and {3} states a cycle: change from one to the other "
    "instead, at a change of state.":
        "키 포즈 걸음 {0}와(과) {1}은(는) 한 주기의 상태가 {2}개와 {3}개라 그 사이의 걸음이 없습니다. 상태가 바뀔 때 다른 걸음으로 바꾸세요.",
    "There is nothing between the pose gaits {0} and {1}, as their states {2} do not swing the same leg, stand on as "
    "many, or end "
    "alike, by time or by touch-down: change from one to the other instead.":
        "키 포즈 걸음 {0}와(과) {1} 사이의 걸음이 없습니다. 상태 {2}에서 흔드는 다리나 딛는 다리 수가 다르거나, 한쪽은 시간으로 다른 쪽은 "
        "발이 닿아 끝나기 때문입니다. 그 대신 다른 걸음으로 바꾸세요.",
    "There is nothing between the pose gaits {0} and {1}, which go along other curves: change from one to the other "
    "instead, at a "
    "change of state.":
        "키 포즈 걸음 {0}와(과) {1}은(는) 따라가는 곡선이 달라 그 사이의 걸음이 없습니다. 상태가 바뀔 때 다른 걸음으로 바꾸세요.",
    "The curves of a pose gait lack {0}: each of {1} has a series.":
        "키 포즈 걸음의 곡선에 {0}이(가) 없습니다. {1}마다 계수가 있어야 합니다.",
    "The curve of {0} has {1} coefficients: it has a mean and as many cosines as sines, at most {2} of each.":
        "{0}의 곡선에 계수가 {1}개 있습니다. 평균 하나와 같은 수의 코사인과 사인(각각 {2}개까지)이어야 합니다.",
    "The curves' feet come down at the phases {0} and {1}: there must be a tenth of a cycle between them at least.":
        "곡선에서 두 발이 위상 {0}와(과) {1}에 닿습니다. 그 사이가 적어도 한 주기의 10분의 1이어야 합니다.",
    "The pose gait {0} has curves: then a state is the whole step of a leg, until its foot touches the ground, so "
    "there is one of "
    "them, or one for each leg where it is not symmetric.":
        "키 포즈 걸음 {0}에 곡선이 있습니다. 그때 상태 하나는 발이 닿을 때까지 한 다리의 걸음 전체이므로, 상태는 하나이거나 대칭이 아니면 다리마다 하나입니다.",
    "A planar body cannot turn: it goes ahead and back alone.": "평면 몸은 돌 수 없습니다. 앞뒤로만 갑니다.",
    "The pose gait {0} starts in a state of the planar body: choose that body, or take the start out of the gait's file.":
        "키 포즈 걸음 {0}은(는) 평면 몸의 상태에서 시작합니다. 그 몸을 고르거나 걸음 파일에서 시작 상태를 빼세요.",
    "The ground of springs is for planar bodies: choose the engine mujoco, or a planar body.":
        "용수철 바닥은 평면 몸을 위한 것입니다. 엔진 mujoco나 평면 몸을 고르세요.",
    "On the ground of springs only soles meet the ground, so that no body can fall there: let the shot end with the "
    "fall, or choose "
    "the engine mujoco.":
        "용수철 바닥에는 발바닥만 닿으므로 몸이 그 위로 넘어질 수 없습니다. 넘어지면 샷을 끝내거나 엔진 mujoco를 고르세요.",
    "The ground of springs lost the simulation at {0} s (its state was not a number).":
        "용수철 바닥에서 {0}초에 시뮬레이션을 잃었습니다(상태가 수가 아니었습니다).",
    "The pose gait {0} goes along curves, which a planar body does not: choose a human.":
        "키 포즈 걸음 {0}은(는) 곡선을 따라가는데 평면 몸은 그러지 못합니다. 사람을 고르세요.",
    "A learning without joints learns nothing: name some of {0}, or leave it out.":
        "관절이 없는 학습은 아무것도 배우지 않습니다. {0} 중에서 고르거나 학습을 빼세요.",
    "The gait {0} falls after {1} s while it learns: choose one that stands, or a greater firmness.":
        "걸음 {0}이(가) 배우는 동안 {1}초 만에 넘어집니다. 서 있는 걸음이나 더 큰 단단함을 고르세요.",
    "The learned torque {0} has {1} values: {2} steps of {3} bins need {4}.":
        "배운 토크 {0}의 값이 {1}개입니다. 구간이 {3}개인 걸음 {2}개에는 {4}개가 필요합니다.",
    "In the plane no suit is worn: choose No Suit under Character, or switch Planar (2-D) off under Gait.":
        "평면에서는 우주복을 입지 않습니다. 캐릭터에서 우주복 없음을 고르거나 걸음걸이에서 평면(2-D)을 끄세요.",
    "There is no gait from key poses; choose its file under Gait.": "키 포즈 걸음이 없습니다. 걸음걸이에서 파일을 고르세요.",
}
POSE_GAIT_WORDS = {
    "Planar (2-D)": "평면(2-D)",
    "Simulate a flat body that goes ahead and back and cannot fall sideways, with the thesis's own gaits; legs are baked as "
    "simulated, arms hang and swing":
        "앞뒤로만 가고 옆으로 넘어지지 않는 납작한 몸을 논문의 걸음으로 시뮬레이션합니다. 다리는 시뮬레이션대로 베이크하고 팔은 늘어뜨려 흔듭니다",
    "The gait that is made of key poses, for the planar body": "평면 몸을 위한, 키 포즈로 만든 걸음",
    "What computes the physics of the planar body": "평면 몸의 물리를 계산하는 것",
    "The gait that the planar body goes over to, with the next change of state": "다음 상태로 바뀔 때 평면 몸이 넘어갈 걸음",
    "It goes straight on, without a suit": "우주복 없이 똑바로 갑니다",
    "A gait of the planar body cannot be posed on a rig; change its file, or a gait of the whole body":
        "평면 몸의 걸음은 리그에서 포즈를 잡을 수 없습니다. 그 파일을 고치거나 온몸의 걸음을 고치세요",
    "Back And Forth": "왔다 갔다", "Backwards": "뒤로", "Bent": "굽힌 걸음", "Big Step": "큰 걸음", "Fast Run": "빠른 달리기",
    "Fast Walk": "빠른 걷기", "Half Bent": "반쯤 굽힌 걸음", "High Step": "높은 걸음", "Scissor Hop": "가위뛰기",
    "Stand On One": "한 발로 서기", "Crouch": "웅크린 걸음", "Skipping": "깡충깡충",
    "Stepping two strides ahead and two back": "앞으로 두 활보, 뒤로 두 활보", "A walk backwards, leaning backwards": "뒤로 기울인 뒷걸음",
    "A walk with the trunk bent far forward": "몸통을 앞으로 깊이 굽힌 걸음",
    "A big step with the right leg, then a plain one": "오른발로 크게 한 걸음, 이어 보통 한 걸음",
    "A walk on bent knees": "무릎을 굽힌 걸음", "A run of short quick steps": "짧고 빠른 걸음의 달리기", "A fast walk": "빠른 걸음",
    "A walk with the trunk a little bent": "몸통을 조금 굽힌 걸음", "A walk that lifts its knees high": "무릎을 높이 드는 걸음",
    "A walk on the spot": "제자리에서 걷기", "A run": "달리기", "Hops with legs that open and close like scissors": "다리를 가위처럼 벌렸다 오므리며 뛰기",
    "Skipping: two hops on each leg": "다리마다 두 번씩 뛰는 깡충걸음",
    "Standing on both feet, whichever bears the weight": "어느 발에 실리든 두 발로 서기",
    "Standing on the left foot, the right knee raised": "오른 무릎을 들고 왼발로 서기", "A walk, brisk and upright": "곧고 활기찬 걸음",
    "Learn": "배우기", "Firmness": "단단함",
    "Learn on the way to hold trunk and upper body steadier; it takes half a minute":
        "가는 동안 몸통과 상체를 더 안정되게 잡는 법을 배웁니다. 30초쯤 걸립니다",
    "How firmly trunk and upper body are held; half of it looks easy, once it has learned":
        "몸통과 상체를 얼마나 단단히 잡을지. 배운 뒤에는 절반이면 편안해 보입니다",
    "Key Poses": "키 포즈", "My File": "내 파일", "A gait from key poses (JSON)": "키 포즈 걸음 파일(JSON)",
    "No motion at all: two to eight key poses and the body's balance make the gait":
        "동작이 필요 없습니다. 키 포즈 두 개에서 여덟 개와 몸의 균형으로 걸음을 만듭니다",
    "The gait that is made of key poses and balance alone": "키 포즈와 균형만으로 만든 걸음",
    "A gait from key poses in a file of your own, as lope poses and lope tune write them":
        "lope poses와 lope tune이 쓰는, 내 키 포즈 걸음 파일",
    "Run": "달리기", "Sneak": "살금살금", "A run, elbows bent, a fifth of it in the air": "팔꿈치를 굽히고 5분의 1은 떠서 달리기",
    "Crouched, bent forward, hands ahead, feet lifted high": "웅크리고 앞으로 굽혀 손을 앞에 두고 발을 높이 드는 걸음",
    "Stands until it is pushed, then steps twice to where it is caught":
        "밀릴 때까지 서 있다가 두 걸음을 내디뎌 받아 냅니다",
    "Walk": "걷기", "March": "행진", "Shoved": "떠밀림", "Proud": "으스대기", "Stroll": "산책", "Tired": "지친 걸음",
    "A brisk, upright walk": "곧고 활기찬 걸음", "A slow, easy walk with low knees and swinging arms": "무릎을 낮게 들고 팔을 흔드는 느긋한 걸음",
    "Bent, head and arms hanging, feet hardly lifted": "몸을 굽히고 머리와 팔을 늘어뜨린 채 발을 거의 들지 않는 걸음",
    "Knees high, arms swinging, short steps": "무릎을 높이 들고 팔을 흔드는 짧은 걸음",
    "Backward": "뒤로 걷기", "Diagonal": "비스듬히 걷기", "Tai Chi": "태극권", "Turn": "돌기", "Uphill": "오르막",
    "A walk ahead and to the left at once": "앞과 왼쪽으로 함께 나아가는 걸음", "A walk backwards, toes first": "발끝부터 딛는 뒷걸음",
    "A walk round to the left, a whole turn in 14 s": "왼쪽으로 도는 걸음, 14초에 한 바퀴",
    "Sideways to the left on soft knees, arms floating": "무릎을 부드럽게 굽히고 팔을 띄운 채 왼쪽으로 가는 옆걸음",
    "Up a slope of 20 degrees, leaning into it; from some starts it falls in its first steps":
        "앞으로 기울여 20도 비탈을 오르는 걸음. 시작에 따라 처음 몇 걸음에서 넘어지기도 합니다",
    "Chest out, elbows back, arms swinging wide": "가슴을 내밀고 팔꿈치를 뒤로 당겨 팔을 크게 흔드는 걸음", "Natural Walk": "자연스러운 걷기",
    "A soft walk: heels land first, toes leave last, shoulders turn":
        "뒤꿈치가 먼저 닿고 발끝이 나중에 떨어지며 어깨가 도는 부드러운 걸음",
    "Stepping on the spot": "제자리걸음",
}
