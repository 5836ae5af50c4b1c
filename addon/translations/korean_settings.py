# SPDX-License-Identifier: GPL-3.0-or-later
"""Korean: names and tooltips of the settings."""

from __future__ import annotations

SETTINGS = {
    "Where the gait from key poses changes on the way": "도중에 키 포즈 걸음이 바뀌는 곳",
    "Active Change": "활성 변화", "The change chosen in the list": "목록에서 선택한 변화",
    "Frame from which on this is wished for": "이것을 바라기 시작하는 프레임",
    "Go over to another gait from key poses. Off: it stays": "다른 키 포즈 걸음으로 넘어갑니다. 끄면 그대로입니다",
    "The gait that is gone over to, with the next change of state": "다음 상태 변화에서 넘어갈 걸음",
    "Little by Little": "조금씩",
    "Go over evenly, so that the character bows while it walks. Both gaits need the same states. Off: with the next "
    "change of state":
        "고르게 넘어갑니다. 그래서 캐릭터가 걸으면서 몸을 굽힙니다. 두 걸음의 상태가 같아야 합니다. 끄면 다음 상태 변화에서 바뀝니다",
    "Within (s)": "동안 (s)", "Time in which the gait is gone over to": "그 걸음으로 넘어가는 데 걸리는 시간",
    "Ask for a speed. Off: the gait's own": "속력을 바랍니다. 끄면 걸음 자신의 속력입니다",
    "The speed that is asked for from this frame on": "이 프레임부터 바라는 속력",
    "Keys": "키", "Where gait and speed change on the way": "도중에 걸음걸이와 속도가 바뀌는 곳",
    "Active Key": "활성 키", "The key chosen in the list": "목록에서 고른 키",
    "Frame from which on the character goes in this gait, and by which it has this speed":
        "캐릭터가 이 걸음걸이로 가기 시작하고, 이 속도에 이르는 프레임",
    "Set Gait": "걸음걸이 지정", "Change the gait here, on the next step that allows it. Off: it stays":
        "여기서, 바꿀 수 있는 다음 걸음에 걸음걸이를 바꿉니다. 끄면 그대로 갑니다",
    "The gait from this frame on": "이 프레임부터의 걸음걸이",
    "Ask for a speed by this frame, reached evenly from the one before. Off: what suits the gait":
        "이 프레임까지 이를 속도. 앞 속도에서 고르게 변합니다. 끄면 걸음걸이에 맞는 속도로 갑니다",
    "The speed by this frame": "이 프레임까지 이를 속도",
    "Goes On From": "이어 가는 테이크", "File of the take at whose end the shot starts; empty where it starts by itself":
        "샷이 그 끝에서 시작하는 테이크의 파일. 스스로 시작하면 비어 있습니다",
    "Goes On at": "이어 가는 프레임", "Frame at which that take ends": "그 테이크가 끝나는 프레임",
    "Mass (kg)": "질량 (kg)",
    "What the character weighs without its suit; heavier swings and falls no slower, but pushes move it less":
        "우주복을 뺀 캐릭터의 질량. 무거워도 더 느리게 흔들리거나 떨어지지는 않지만, 밀려도 덜 움직입니다",
    "Suit": "우주복",
    "A space suit's mass, pack and stiff joints; the gait changes as the body does":
        "우주복의 질량, 배낭, 뻣뻣한 관절. 몸이 달라지는 만큼 걸음걸이도 달라집니다",
    "The body alone": "몸만",
    "Figure": "체형", "What was found in this armature": "이 아마튜어에서 찾은 것",
    "Motion": "동작",
    "A gait that goes on as long as the shot, along a path, at a speed": "샷이 이어지는 동안 경로를 따라 어떤 속도로 가는 걸음걸이",
    "Follow": "따라가기",
    "A captured clip or an action, step by step from its first frame to its last, as this body would go there":
        "캡처한 클립이나 액션을 첫 프레임부터 끝까지 이 몸이 그곳에서 하듯이 걸음마다 따라갑니다",
    "Follow From": "따라갈 출처", "Where the motion that is followed comes from": "따라갈 동작을 어디서 가져올지 정합니다",
    "Clip": "클립", "A captured clip (BVH) is followed": "캡처한 클립(BVH)을 따라갑니다",
    "An action in this file is followed, keyed by hand or captured": "손으로 키를 넣었든 캡처했든 이 파일의 액션을 따라갑니다",
    "A BVH clip of somebody who stands, walks, turns, runs or jumps": "서거나 걷거나 돌거나 달리거나 뛰는 사람의 BVH 클립",
    "The action that is followed; it stays as it is": "따라갈 액션. 그대로 남습니다",
    "Moves": "움직이는 것", "The armature that the action moves, of any proportions. Empty: this one":
        "액션이 움직이는 아마튜어로 비율은 상관없습니다. 비우면 이 아마튜어입니다",
    "Time": "시간", "In whose time the motion is followed": "누구의 시간으로 동작을 따라갈지 정합니다",
    "The Planet's": "행성의 시간",
    "As slowly as things fall there: the clip's own motion on Earth, calmer where gravity is low, quicker where it is high":
        "그곳에서 물건이 떨어지는 만큼 느립니다. 지구에서는 클립 그대로, 중력이 작으면 느긋하고 크면 빠릅니다",
    "The Clip's Own": "클립의 시간",
    "Steps come as quickly as in the clip whatever the gravity; where that is far from Earth's the character may fall":
        "중력이 어떻든 걸음이 클립만큼 빠릅니다. 지구와 많이 다른 곳에서는 넘어질 수 있습니다",
    "Stretch": "늘이기", "How many times longer everything lasts than that time has it": "그 시간보다 모든 것이 몇 배 오래 걸리는지 정합니다",
    "Jumps Keep": "점프가 지킬 것", "What becomes of jumps, hops and leaps under another gravity than the Earth's":
        "지구와 다른 중력에서 점프와 깡충뛰기와 도약이 어떻게 될지 정합니다",
    "Their Take-off Speed": "도약 속도",
    "The body leaves the ground as fast as in the clip: under a light gravity it flies higher and longer, and lands less surely":
        "몸이 클립만큼 빠르게 땅을 떠납니다. 중력이 작으면 더 높이 더 오래 날고 착지는 덜 확실합니다",
    "Their Height": "높이", "The body rises as high as in the clip: under a light gravity it takes off more softly":
        "몸이 클립만큼 높이 뜹니다. 중력이 작으면 더 부드럽게 도약합니다",
    "Repeat": "반복",
    "The motion goes round, between its two most alike touch-downs of one foot, for as long as the shot's duration":
        "동작에서 한 발이 가장 비슷하게 닿는 두 순간 사이를 샷의 길이만큼 되풀이합니다",
    "Catch": "발 내디뎌 버티기",
    "Where a push is more than the motion's own steps can bear, the character steps as who stands does, and goes on with the "
    "motion from there; of itself where something hits":
        "동작의 걸음만으로 견디지 못할 만큼 밀리면 서 있는 사람처럼 발을 내디뎌 버티고 그 자리에서 동작을 이어 갑니다. 무엇에 맞는 샷에서는 저절로 켜집니다",
    "To Its End": "끝까지", "The shot is as long as the motion lasts there. Off: the shot's duration cuts it short":
        "샷이 그곳에서 동작이 이어지는 만큼 깁니다. 끄면 샷의 길이에서 끊습니다",
    "Style From": "스타일 출처", "What gives the motion its style": "동작의 스타일을 어디서 가져올지 정합니다",
    "Preset": "프리셋", "A built-in gait gives the style": "기본 제공 동작의 스타일을 씁니다",
    "Motion File": "동작 파일",
    "A captured clip (BVH), or a gait saved as JSON, gives the style": "캡처한 클립(BVH)이나 JSON으로 저장한 걸음걸이의 스타일을 씁니다",
    "A BVH clip, or a gait saved as JSON, whose style the character takes on":
        "캐릭터가 따라 할 BVH 클립, 또는 JSON으로 저장한 걸음걸이",
    "Action": "액션",
    "An action of this armature gives the style: at least two strides of it walking or running":
        "이 아마튜어의 액션에서 스타일을 가져옵니다. 걷거나 뛰는 두 주기 이상이 있어야 합니다",
    "An action of this armature whose style the character takes on": "캐릭터가 따라 할 이 아마튜어의 액션",
    "The gait that people take under this gravity, at the speed asked for or of their own choice":
        "이 중력에서 사람이 고르는 걸음걸이. 정한 속도, 또는 스스로 고르는 속도에 맞춥니다",
    "Gait Law": "걸음의 법칙", "How speed, strides, flights and carriage go with gravity":
        "속도, 보폭, 체공, 자세가 중력에 따라 어떻게 달라지는지",
    "As People Go": "사람처럼", "Speed, strides, flights and carriage as was measured on people, where it was":
        "사람에게서 잰 것이 있으면 속도, 보폭, 체공, 자세를 그대로 따릅니다",
    "Similar": "닮은꼴", "The same motion under any gravity, only slower or quicker: one Froude number everywhere":
        "어느 중력에서나 같은 동작이 느려지거나 빨라질 뿐입니다. 어디서나 같은 프루드 수입니다",
    "Gait": "걸음걸이", "The captured motion that gives the gait its style": "걸음걸이에 스타일을 주는 캡처 동작",
    "Set Speed": "속도 지정",
    "Ask for a speed. Off: the speed that suits the legs and the gravity": "속도를 정합니다. 끄면 다리와 중력에 맞는 속도로 갑니다",
    "Speed (m/s)": "속도 (m/s)",
    "Mean speed to go at; strides grow longer and quicker with it": "평균 속도. 빨라질수록 보폭이 길어지고 걸음이 잦아집니다",
    "Set Stride Frequency": "보행 주기 지정",
    "Ask for a number of strides a second. Off: what goes with the speed": "1초당 보행 주기 수를 정합니다. 끄면 속도에 맞춥니다",
    "Strides/s": "초당 주기",
    "Strides, two steps each, in a second; more of them are shorter ones": "1초에 되풀이하는 보행 주기(두 걸음). 많을수록 보폭이 짧아집니다",
    "Start": "시작", "Whether the character is under way when the shot starts": "샷이 시작될 때 캐릭터가 이미 가고 있는지 정합니다",
    "End": "끝", "Whether the character is under way when the shot ends": "샷이 끝날 때 캐릭터가 계속 가고 있는지 정합니다",
    "Controller": "제어기", "What moves the body": "무엇이 몸을 움직이는지 정합니다",
    "What moves the character along the motion": "무엇이 캐릭터를 동작대로 움직이는지 정합니다",
    "A gait by planet: a pendulum plans the steps, a quadratic program drives the whole body":
        "행성에 맞는 걸음걸이: 진자가 걸음을 계획하고 이차 계획법이 온몸을 움직입니다",
    "Settings": "설정", "Settings of the controller that are not as shipped": "기본값에서 바꾼 제어기 설정",
    "Active Setting": "선택한 설정", "The setting chosen in the list": "목록에서 선택한 설정",
    "Setting": "설정 이름", "Which of the controller's settings is changed; type to find one":
        "제어기의 어느 설정을 바꿀지 정합니다. 입력하면 찾아 줍니다",
    "Value": "값", "What it is for this character": "이 캐릭터에 쓰는 값",
    "All settings are as shipped": "모든 설정이 기본값입니다",
    "Choose a setting: type a part of its name": "설정을 고르세요. 이름의 일부를 입력하면 됩니다",
    "{value:g} {unit} as shipped, {low:g} to {high:g}: {source}": "기본값 {value:g} {unit}, {low:g}~{high:g}: {source}",
    "After a Fall": "넘어진 뒤", "What happens when the character has fallen": "캐릭터가 넘어진 뒤 어떻게 할지 정합니다",
    "End the Shot": "샷 끝내기", "The take ends where the character has fallen": "캐릭터가 넘어진 곳에서 테이크가 끝납니다",
    "Moving": "이동 중", "Already under way at the first frame": "첫 프레임에서 이미 가고 있습니다",
    "Still under way at the last frame": "마지막 프레임에서도 계속 갑니다",
    "Standing": "정지", "Stands, then sets off": "서 있다가 출발합니다",
    "Slows down and stands at the end": "속도를 늦추고 끝에는 멈춰 섭니다",
    "Try Any Speed": "아무 속도나 시도",
    "Simulate even a speed at which this gait is not expected to hold; it may fall":
        "이 걸음걸이가 버티기 어려운 속도라도 시뮬레이션합니다. 넘어질 수 있습니다",
    "Tuned Feet": "조정된 발",
    "Use the foot paths that were tuned for this gait and gravity, where there are any":
        "이 걸음걸이와 중력에 맞게 조정된 발 경로가 있으면 씁니다",
    "Variation": "변화",
    "Disturbs the start at random, so that no two takes with different seeds are alike":
        "시작을 무작위로 흐트러뜨려, 시드가 다르면 같은 테이크가 나오지 않게 합니다",
    "Seed": "시드", "The same seed and settings give the same motion": "시드와 설정이 같으면 동작도 같습니다",
    "Engine": "엔진", "What computes the physics": "물리를 계산하는 엔진",
    "MuJoCo": "MuJoCo", "Contacts and joints are simulated; the one to use": "접촉과 관절을 시뮬레이션합니다. 보통 이것을 씁니다",
    "PyBullet": "PyBullet", "Another simulation of the same, where PyBullet is installed":
        "PyBullet이 설치된 곳에서 같은 것을 다른 엔진으로 시뮬레이션합니다",
    "Ideal": "이상적", "The controller's own prediction is believed: no slip and no fall, for comparison":
        "제어기의 예측을 그대로 믿습니다. 미끄러지거나 넘어지지 않으며, 비교용입니다",
    "Springs": "용수철", "Springs and dampers under the soles of a planar body, as in the thesis on key poses":
        "평면 몸의 발바닥 아래 용수철과 감쇠기입니다. 키 포즈 논문의 바닥과 같습니다",
    "Balance": "균형", "How quick the character's balance is under another gravity": "다른 중력에서 캐릭터가 얼마나 빨리 균형을 잡는지 정합니다",
    "With Gravity": "중력에 맞춤",
    "Balance reacts as slowly as things fall: the same style under any gravity":
        "물체가 떨어지는 만큼 천천히 균형을 잡습니다. 어떤 중력에서도 스타일이 같습니다",
    "As on Earth": "지구처럼",
    "Balance reacts as on Earth whatever the gravity: stiffer under a light one":
        "중력과 상관없이 지구에서처럼 균형을 잡습니다. 약한 중력에서는 더 뻣뻣해집니다",
    "Pushed as in the Clip": "클립처럼 밀기",
    "Push the chest where the motion moves as its own feet could not move it, with the least force that explains it: for "
    "captured "
    "people who were pushed":
        "제 발로는 그렇게 움직일 수 없는 곳에서, 그것을 설명하는 가장 작은 힘으로 가슴을 밉니다. 밀린 사람을 캡처한 클립에 씁니다",
    "Path": "경로", "The way the character goes": "캐릭터가 가는 길",
    "Straight": "직선", "Straight on": "곧바로 갑니다",
    "Circle": "원", "Round in a circle": "원을 그리며 돕니다",
    "Curve": "커브", "Along a curve object": "커브 오브젝트를 따라갑니다",
    "Targets": "목표", "Through the places of objects, one after the other": "오브젝트들의 위치를 차례로 지나갑니다",
    "Heading (°)": "방향 (°)",
    "Where it first goes, from where the character faces; positive is to its left":
        "캐릭터가 바라보는 쪽을 기준으로 처음 가는 방향. 양수는 왼쪽입니다",
    "Radius (m)": "반지름 (m)",
    "Radius of the circle: positive turns left, negative right, 0 takes one that suits gait and gravity":
        "원의 반지름. 양수는 왼쪽, 음수는 오른쪽으로 돌고, 0이면 걸음걸이와 중력에 맞는 값을 씁니다",
    "The character walks along this curve, from its first point on, as laid from where it stands":
        "캐릭터가 선 자리에서 이 커브의 첫 점으로 가서 커브를 따라 걷습니다",
    "The places to walk through, in order": "차례로 지나갈 위치들",
    "Active Target": "활성 목표", "The target chosen in the list": "목록에서 고른 목표",
    "Reverse": "반대로", "Go the curve or the targets from the last to the first": "커브나 목표를 끝에서 처음으로 갑니다",
    "Until Its End": "끝까지",
    "The shot is as long as the path, and the character stops standing at its end where its gait can. Off: the shot's duration "
    "counts, and behind the end it goes straight on":
        "샷이 경로만큼 길고, 걸음걸이가 되면 캐릭터가 경로 끝에 멈춰 섭니다. 끄면 샷의 길이를 따르고, 끝을 지나면 곧장 갑니다",
    "Try Again after a Fall": "넘어지면 다시 시도",
    "A shot that falls at a speed that you have not set is simulated again, slower or at another rate, and the panel says what "
    "was changed":
        "속도를 정하지 않은 샷이 넘어지면 더 느리게 또는 다른 보조로 다시 시뮬레이션하고, 바뀐 것을 패널에 알려 줍니다",
    "Target": "목표", "The character walks through the place of this object, such as an Empty":
        "캐릭터가 엠프티 같은 이 오브젝트의 위치를 지나갑니다",
    "Pushes": "밀기", "Pushes that the character has to stand; it does not see them coming":
        "캐릭터가 견뎌야 하는 밀기. 미리 알지 못합니다",
    "Active Push": "활성 밀기", "The push chosen in the list": "목록에서 고른 밀기",
    "Frame": "프레임", "Frame at which the push begins": "밀기가 시작되는 프레임",
    "Duration (s)": "길이 (초)", "How long the push lasts; force times duration is what it gives":
        "미는 시간. 힘과 시간을 곱한 만큼 밀립니다",
    "Force (N)": "힘 (N)", "How hard the push is; 100 N for 0.2 s is a firm shove on Earth":
        "미는 세기. 100 N으로 0.2초면 지구에서 제법 세게 미는 정도입니다",
    "Arrow": "화살표",
    "An object whose local Z axis is the push's direction, such as an Empty of type Single Arrow. None: the numbers count":
        "로컬 Z축이 미는 방향인 오브젝트(예: 단일 화살표 엠프티). 없으면 아래 숫자를 씁니다",
    "Direction": "방향", "Where the push goes, as the character stands at the start: x forward, y to its left, z up":
        "미는 방향. 시작할 때 캐릭터를 기준으로 x는 앞, y는 왼쪽, z는 위입니다",
    "Body Part": "신체 부위", "What is pushed": "밀리는 부위",
    "Chest": "가슴", "Pushed at the chest: the trunk turns and the next steps catch it": "가슴을 밉니다. 몸통이 돌아가고 다음 걸음이 받아 냅니다",
    "Pelvis": "골반", "Pushed at the hips: the whole body is shifted": "엉덩이를 밉니다. 온몸이 옮겨집니다",
    "Head": "머리", "Pushed at the head": "머리를 밉니다",
    "Left Arm": "왼팔", "Pushed at the left upper arm": "왼쪽 위팔을 밉니다",
    "Right Arm": "오른팔", "Pushed at the right upper arm": "오른쪽 위팔을 밉니다",
    "Left Thigh": "왼쪽 넓적다리", "Pushed at the left thigh": "왼쪽 넓적다리를 밉니다",
    "Right Thigh": "오른쪽 넓적다리", "Pushed at the right thigh": "오른쪽 넓적다리를 밉니다",
    "Left Foot": "왼발", "Pushed at the left foot: makes it stumble": "왼발을 밉니다. 비틀거립니다",
    "Right Foot": "오른발", "Pushed at the right foot: makes it stumble": "오른발을 밉니다. 비틀거립니다",
    "Take": "테이크", "File of the last simulation of this armature": "이 아마튜어의 마지막 시뮬레이션 파일",
    "Last Take": "마지막 테이크", "What the last simulation gave": "마지막 시뮬레이션의 결과",
    "Physics Card": "물리 성적표", "Grades of the last take's physics, as JSON": "마지막 테이크의 물리 등급(JSON)",
    "Character": "캐릭터",
    "The armature Lope works on, whatever is selected. Empty: the active armature":
        "무엇을 선택했든 Lope가 다룰 아마튜어. 비워 두면 활성 아마튜어를 씁니다",
    "World": "세계", "Planet or moon whose gravity acts: the gait slows down and changes with it":
        "중력을 미치는 행성이나 위성. 중력에 따라 걸음걸이가 느려지고 달라집니다",
    "Set the gravity by hand": "중력을 직접 정합니다",
    "Gravity (m/s²)": "중력 (m/s²)", "Gravity of the custom world": "사용자 지정 세계의 중력",
    "Gravity Changes": "중력 변화", "Gravity changes on the way, as in an airlock or a spun-up station":
        "가는 도중에 중력이 바뀝니다. 에어록이나 회전하는 정거장처럼",
    "Gravities": "중력 목록", "When gravity has changed, and to what": "중력이 언제 얼마로 바뀌는지",
    "Active Gravity": "활성 중력", "The gravity chosen in the list": "목록에서 고른 중력",
    "Frame by which gravity has changed to this value": "중력이 이 값으로 다 바뀌는 프레임",
    "Gravity from this frame on, reached evenly from the one before": "이 프레임부터의 중력. 앞의 값에서 고르게 바뀝니다",
    "Friction": "마찰", "Grip of the ground: 0.9 dry rock, 0.5 loose dust, 0.2 ice. Feet slip when it is not enough":
        "땅의 마찰: 마른 바위 0.9, 푸석한 먼지 0.5, 얼음 0.2. 모자라면 발이 미끄러집니다",
    "Ground": "지면", "What is walked on": "밟고 가는 땅",
    "Level": "평지", "A level plane": "평평한 땅",
    "Slope": "비탈", "A plane that rises or falls": "오르거나 내리는 평면",
    "Steps": "계단", "Stairs, up or down": "오르거나 내리는 계단",
    "Mesh": "메쉬", "The surface of a mesh object": "메쉬 오브젝트의 표면",
    "Slope (°)": "기울기 (°)", "How steeply the ground rises; negative falls": "땅이 오르는 기울기. 음수면 내려갑니다",
    "Towards (°)": "오르는 쪽 (°)", "Where the ground rises to: 0 where the character faces, 90 to its left":
        "땅이 높아지는 쪽: 0은 캐릭터가 바라보는 쪽, 90은 왼쪽",
    "Rise (m)": "단 높이 (m)", "Height of a step; negative goes down": "계단 한 단의 높이. 음수면 내려갑니다",
    "Run (m)": "단 너비 (m)", "Depth of a step": "계단 한 단의 너비",
    "The mesh whose surface is walked on; it is measured once, when you simulate":
        "표면을 밟고 갈 메쉬. 시뮬레이션할 때 한 번 잽니다",
    "Detail (m)": "정밀도 (m)", "Distance between the places at which the mesh is measured": "메쉬를 재는 위치 사이의 거리",
    "Length of the simulation": "시뮬레이션 길이",
    "Preview": "미리보기", "Draw the plan in the viewport: footprints, the way of the centre of mass and of the cart":
        "뷰포트에 계획을 그립니다: 발자국, 무게 중심과 수레의 경로",
    "Changes": "바뀐 것", "What the last bake changed: controls, keys and bytes": "마지막 굽기가 바꾼 것: 컨트롤, 키, 바이트",
    "Bake When Done": "끝나면 굽기",
    "Write the keys as soon as the simulation has ended. Off: look at the numbers first":
        "시뮬레이션이 끝나자마자 키를 씁니다. 끄면 먼저 수치를 볼 수 있습니다",
    "Write To": "쓸 곳", "Where the keys go": "키를 쓸 곳",
    "Last Lope Action": "마지막 Lope 액션",
    "Keys of the last bake are written anew, where you have not touched them. Your own keys stay: an action that holds some on "
    "the same curves is left as it is, and a new one is made":
        "손대지 않은 마지막 굽기의 키를 새로 씁니다. 직접 만든 키는 남습니다: 같은 커브에 그런 키가 있는 액션은 그대로 두고 새 액션을 만듭니다",
    "Which part of the body gets keys": "몸의 어느 부분에 키를 쓸지 정합니다",
    "All": "모두", "Every bone that the take moves": "테이크가 움직이는 모든 본",
    "Hips and Legs": "골반과 다리",
    "Hips, legs and feet, and what carries the hips; the trunk is kept upright, keys of all other bones stay":
        "골반, 다리, 발과 골반을 나르는 본. 몸통은 똑바로 두고, 다른 본의 키는 모두 남습니다",
    "All but Arms": "팔을 뺀 모두", "Every bone but shoulders, arms and hands, whose keys stay":
        "어깨, 팔, 손을 뺀 모든 본. 뺀 본의 키는 남습니다",
    "Selected Bones": "선택한 본", "The bones that are selected in Pose mode when it is baked; keys of all others stay":
        "구울 때 포즈 모드에서 선택된 본. 다른 본의 키는 모두 남습니다",
    "Keep Old Action": "이전 액션 남기기",
    "Let the file keep the action before, by a fake user. Your own keys are kept anyway":
        "가짜 사용자를 두어 이전 액션을 파일에 남깁니다. 직접 만든 키는 어차피 남습니다",
    "Go On from the Last": "마지막에서 이어 가기",
    "Begin when and where the last baked motion of this character ends, instead of at the scene's first frame":
        "씬의 첫 프레임이 아니라 이 캐릭터의 마지막으로 구운 동작이 끝나는 때와 자리에서 시작합니다",
    "New Action": "새 액션", "Keys go to a new action. The action before stays in the file as it is":
        "새 액션에 키를 씁니다. 이전 액션은 파일에 그대로 남습니다",
    "Replace Range": "범위 바꾸기", "Keys of the baked bones in the baked frames are replaced in a copy of the present action":
        "현재 액션의 복사본에서 구운 본과 구운 프레임의 키를 바꿉니다",
    "New Slot": "새 슬롯", "Keys go to a slot of their own in a copy of the present action":
        "현재 액션의 복사본에 슬롯을 따로 만들어 키를 씁니다",
    "Keys On": "키 대상", "Which of the rig's bones get the keys": "리그의 어느 본에 키를 쓸지 정합니다",
    "Automatic": "자동", "IK controls where the rig has them, else the bones themselves":
        "리그에 IK 컨트롤이 있으면 거기에, 없으면 본에 직접 씁니다",
    "IK Controls": "IK 컨트롤", "Keys on hips and feet's IK controls: the feet stay planted and are easy to edit":
        "엉덩이와 발의 IK 컨트롤에 씁니다. 발이 땅에 붙어 있고 고치기 쉽습니다",
    "FK Bones": "FK 본", "Keys on the bones themselves: every joint turns exactly as simulated":
        "본에 직접 씁니다. 모든 관절이 시뮬레이션한 그대로 움직입니다",
    "Root Motion": "루트 모션", "What carries the character along its way": "무엇이 캐릭터를 길을 따라 옮길지 정합니다",
    "Hips": "엉덩이", "The hips carry the whole way; neither object nor root bone moves":
        "엉덩이가 모든 이동을 맡습니다. 오브젝트도 루트 본도 움직이지 않습니다",
    "Root Bone": "루트 본", "A root bone carries the smooth way and heading, the hips sway about it":
        "루트 본이 매끄러운 경로와 방향을 맡고, 엉덩이는 그 둘레에서 흔들립니다",
    "Object": "오브젝트", "The armature object carries the smooth way and heading, the hips sway about it":
        "아마튜어 오브젝트가 매끄러운 경로와 방향을 맡고, 엉덩이는 그 둘레에서 흔들립니다",
    "In Place": "제자리", "The way is left out: the character walks on the spot, as on a treadmill":
        "이동을 뺍니다. 러닝머신에서처럼 제자리에서 걷습니다",
    "Frame Range": "프레임 범위", "Bake only a part of the take. Off: all of it, from the scene's first frame on":
        "테이크의 일부만 굽습니다. 끄면 씬의 첫 프레임부터 전부 굽습니다",
    "First Frame": "첫 프레임", "First frame that gets keys": "키를 쓸 첫 프레임", "Last Frame": "마지막 프레임",
    "Last frame that gets keys": "키를 쓸 마지막 프레임", "Loop": "반복", "Fewer Keys": "키 줄이기",
    "Step": "간격", "One key every so many frames: fewer keys, but coarser motion":
        "몇 프레임마다 키 하나를 씁니다. 키는 줄지만 동작이 거칠어집니다",
    "Bake one whole stride that joins end to start, and let the action repeat":
        "끝과 시작이 이어지는 보행 한 주기를 굽고 액션을 되풀이합니다",
    "Lock Feet": "발 고정", "Keep the soles still on the ground while they carry weight": "무게가 실린 동안 발바닥이 땅에서 움직이지 않게 합니다",
    "Leave out keys that the curves do not need, and keep within the error below": "커브에 필요 없는 키를 빼되 아래 오차 안에 머뭅니다",
    "Error (mm)": "오차 (mm)", "Farthest that hands, feet and head may leave their simulated places by leaving keys out":
        "키를 빼서 손, 발, 머리가 시뮬레이션한 위치에서 벗어날 수 있는 최대 거리",
    "Push Down to NLA": "NLA로 내리기", "Contact Markers": "접촉 마커",
    "Put the new action on an NLA track, so that hand animation can go on top": "새 액션을 NLA 트랙에 올려 그 위에 손 애니메이션을 얹을 수 있게 합니다",
    "Mark in the action where each foot strikes and leaves the ground":
        "발이 땅에 닿고 떨어지는 곳을 액션에 표시합니다",
    "Exact Contacts": "정확한 접촉", "Add keys between frames, at the exact times of strikes and offs":
        "발이 닿고 떨어지는 정확한 때에 프레임 사이 키를 더합니다",
}
