# SPDX-License-Identifier: GPL-3.0-or-later
"""Korean: what the doctor, the bone maps and the bake say. Holes are numbered in the order of the English sentence."""

from __future__ import annotations

RIGS = {
    "A driver moves {0} of armature {1}, which keys cannot overrule; mute or remove it.":
        "아마튜어 {1}의 {0}을(를) 드라이버가 움직여 키가 듣지 않습니다. 드라이버를 끄거나 지우세요.",
    "A loop has the length of one stride, so it takes no frame range; switch off one of the two.":
        "반복은 보행 한 주기 길이이므로 프레임 범위를 쓸 수 없습니다. 둘 가운데 하나를 끄세요.",
    "A loop needs two whole strides after the character has got under way; simulate for longer.":
        "반복하려면 캐릭터가 제 걸음을 찾은 뒤 온전한 보행 주기가 둘 있어야 합니다. 더 길게 시뮬레이션하세요.",
    "Armature {0} ({1}) has no bones for {2}; those joints stay stiff.":
        "아마튜어 {0}({1})에 {2}에 해당하는 본이 없습니다. 그 관절은 움직이지 않습니다.",
    "Armature {0} does not stand in its rest pose: expected head, hips, knees and ankles one above the other, with the world's "
    "z up; turn the armature object upright, or give it a standing rest pose.":
        "아마튜어 {0}의 기본 포즈가 서 있지 않습니다. 월드 z를 위로 하여 머리, 엉덩이, 무릎, 발목이 차례로 놓여야 합니다. 아마튜어 오브젝트를 "
        "세우거나 서 있는 기본 포즈를 주세요.",
    "Armature {0} does not stand in its rest pose: expected its left and right joints side by side at the same height, with the "
    "world's z up; turn the armature object upright.":
        "아마튜어 {0}의 기본 포즈가 서 있지 않습니다. 월드 z를 위로 하여 왼쪽과 오른쪽 관절이 같은 높이에 나란히 있어야 합니다. 아마튜어 "
        "오브젝트를 세우세요.",
    "Armature {0} has a scale of {1} that is not applied; a bake takes it into account, other tools may not.":
        "아마튜어 {0}의 스케일 {1}이(가) 적용되지 않았습니다. 굽기는 이를 고려하지만 다른 도구는 그렇지 않을 수 있습니다.",
    "Armature {0} has delta transforms, which its keys would come on top of; clear them, or choose another root motion.":
        "아마튜어 {0}에 델타 변환이 있어 키가 그 위에 더해집니다. 델타 변환을 지우거나 다른 루트 모션을 고르세요.",
    "Armature {0} has no bones; choose a rig of one of these families: {1}.":
        "아마튜어 {0}에 본이 없습니다. 다음 계열의 리그를 고르세요: {1}.",
    "Armature {0} has no {1}: it looks like a rig of the family {2}, but lacks the bones {3} (for {4}). Choose a rig that has "
    "them, or give a bone map. No person? Choose Creature under Character (lope creature check).":
        "아마튜어 {0}에 {1}이(가) 없습니다. {2} 계열 리그로 보이지만 {4}에 해당하는 본 {3}이(가) 없습니다. 그 본이 있는 리그를 고르거나 "
        "본 맵을 주세요. 사람이 아니면 캐릭터에서 생물을 고르세요(lope creature check).",
    "Armature {0} does not stand in its rest pose: it is turned over by {1} degrees, with the world's z up; stand it up first.":
        "아마튜어 {0}의 기본 포즈가 서 있지 않습니다. 월드 z를 위로 하여 {1}도 넘어져 있습니다. 먼저 일으켜 세우세요.",
    "Armature {0} is a child of {1}, which moves: what is baked moves along with it.":
        "아마튜어 {0}은(는) 움직이는 {1}의 자식입니다. 구운 동작이 그것을 따라 움직입니다.",
    "Bones of armature {0} have to be moved, but are connected to their parents: {1}; disconnect them.":
        "아마튜어 {0}의 본을 옮겨야 하는데 부모에 연결되어 있습니다: {1}. 연결을 끊으세요.",
    "The legs of armature {0} are not under it in its rest pose: thighs turned by {1} degrees, knees bent by {2}, the feet {3} m "
    "{4} the hips; nobody stands or walks from there. Go to a frame in which it stands, as of an idle action, apply the "
    "Armature modifiers of its meshes, and apply the pose as rest pose.":
        "아마튜어 {0}의 다리가 기본 포즈에서 몸 아래에 있지 않습니다. 허벅지가 {1}도 돌아가고 무릎이 {2}도 굽었으며 발이 엉덩이보다 "
        "{3} m {4} 있습니다. 그런 자세에서는 서거나 걸을 수 없습니다. 대기 액션처럼 서 있는 프레임으로 가서 메시의 아마튜어 "
        "모디파이어를 적용한 뒤 포즈를 기본 포즈로 적용하세요.",
    "The soles of armature {0} rest {1} cm {2} the ground; a bake sets them on it.":
        "아마튜어 {0}의 발바닥이 땅보다 {1} cm {2} 있습니다. 구우면 땅에 올려놓습니다.",
    "The trunk of armature {0} rests leaning or bowed, by {1} degrees more than people stand; it is simulated and baked upright "
    "by that much.":
        "아마튜어 {0}의 몸통이 사람이 선 자세보다 {1}도 더 기울거나 굽어 있습니다. 그만큼 세워서 시뮬레이션하고 굽습니다.",
    "Which bones of armature {0} are {1} is a guess; look at them in its bone map.":
        "아마튜어 {0}에서 어느 본이 {1}인지는 짐작입니다. 본 맵에서 살펴보세요.",
    "{0} bones of {1} are disconnected now": "{1}의 본 {0}개의 연결을 끊었습니다",
    "{0} stands upright now": "이제 {0}이(가) 똑바로 섰습니다",
    "Armature {0} has no {1} that Lope can find, by names or by structure (no bones for {2}); say which bones they are in its "
    "bone map. No person? Choose Creature under Character (lope creature check).":
        "아마튜어 {0}에서 이름으로도 구조로도 {1}을(를) 찾지 못했습니다({2}의 본이 없음). 본 맵에서 어느 본인지 알려 주세요."
        " 사람이 아니면 캐릭터에서 생물을 고르세요(lope creature check).",
    "Armature {0} is hardly a figure on two legs with two arms; say which bone is which in its bone map. "
    "No person? Choose Creature under Character (lope creature check).":
        "아마튜어 {0}은(는) 두 다리와 두 팔이 있는 체형으로 보기 어렵습니다. 본 맵에서 어느 본이 무엇인지 알려 주세요."
        " 사람이 아니면 캐릭터에서 생물을 고르세요(lope creature check).",
    "Armature {0} is no figure on two legs with two arms that Lope can find, and its bones ({1}{2}) carry names of no known "
    "family; say which bone is which in its bone map. No person? Choose Creature under Character (lope creature check).":
        "아마튜어 {0}에서 두 다리와 두 팔이 있는 체형을 찾지 못했고, 본 이름({1}{2})도 아는 계열과 맞지 않습니다. 본 맵에서 어느 본이 무엇인지 "
        "알려 주세요. 사람이 아니면 캐릭터에서 생물을 고르세요(lope creature check).",
    "Armature {0} is a library override that is not editable; make it editable first.":
        "아마튜어 {0}은(는) 편집할 수 없는 라이브러리 오버라이드입니다. 먼저 편집 가능하게 만드세요.",
    "Armature {0} is a rig generated by Rigify, but not from a human metarig: its controls (torso, thigh_fk.L, upper_arm_fk.L, "
    "foot_ik.L ...) are not there; choose its metarig, or give a bone map.":
        "아마튜어 {0}은(는) Rigify가 만든 리그이지만 사람 메타리그로 만든 것이 아닙니다. 컨트롤(torso, thigh_fk.L, upper_arm_fk.L, "
        "foot_ik.L 등)이 없습니다. 메타리그를 고르거나 본 맵을 주세요.",
    "Armature {0} is hidden; show it first, so that you see what is baked.":
        "아마튜어 {0}이(가) 숨겨져 있습니다. 굽는 것이 보이도록 먼저 보이게 하세요.",
    "Armature {0} is in Edit Mode; leave Edit Mode first.": "아마튜어 {0}이(가) 에디트 모드에 있습니다. 먼저 에디트 모드에서 나오세요.",
    "Armature {0} is in tweak mode in the NLA editor; leave tweak mode first.":
        "아마튜어 {0}이(가) NLA 에디터에서 트윅 모드에 있습니다. 먼저 트윅 모드에서 나오세요.",
    "Armature {0} is linked from {1}, so a {2} cannot be kept on it; make a library override of it first.":
        "아마튜어 {0}은(는) {1}에서 링크되어 {2}을(를) 남길 수 없습니다. 먼저 라이브러리 오버라이드를 만드세요.",
    "Armature {0} is linked from {1}; make a library override of it first.":
        "아마튜어 {0}은(는) {1}에서 링크되었습니다. 먼저 라이브러리 오버라이드를 만드세요.",
    "Armature {0} is not in the scene {1}, or its collection is excluded from the view layer; put it in.":
        "아마튜어 {0}이(가) 씬 {1}에 없거나 그 컬렉션이 뷰 레이어에서 빠져 있습니다. 넣어 주세요.",
    "Armature {0} itself has constraints, which move it on top of what is baked.":
        "아마튜어 {0} 자체에 제약이 있어 구운 동작 위에 더 움직입니다.",
    "Armature {0} shows its rest position; a bake sets it to show its pose.":
        "아마튜어 {0}이(가) 기본 위치를 보이고 있습니다. 구우면 포즈를 보이게 됩니다.",
    "Armature {0} stands {1} m tall (scene unit {2} m), expected {3} to {4} m; scale the object to its real size, or give the "
    "height it stands for.":
        "아마튜어 {0}의 키가 {1} m입니다(씬 단위 {2} m). {3}~{4} m여야 합니다. 오브젝트를 실제 크기로 맞추거나 나타내는 키를 주세요.",
    "Armature {0} stands {1} m tall, expected {2} to {3} m; scale the armature object to its real size, or give the height it "
    "stands for.":
        "아마튜어 {0}의 키가 {1} m입니다. {2}~{3} m여야 합니다. 아마튜어 오브젝트를 실제 크기로 맞추거나 나타내는 키를 주세요.",
    "Armature {0}, or a parent of it, is mirrored by a negative scale; apply the scale (Ctrl+A).":
        "아마튜어 {0}이나 그 부모가 음의 스케일로 뒤집혀 있습니다. 스케일을 적용하세요(Ctrl+A).",
    "Armature {0}, or a parent of it, is scaled unevenly ({1}, {2}, {3}); apply the scale (Ctrl+A) before baking.":
        "아마튜어 {0}이나 그 부모의 스케일이 고르지 않습니다({1}, {2}, {3}). 굽기 전에 스케일을 적용하세요(Ctrl+A).",
    "Armature {0}, or a parent of it, is scaled unevenly; apply the scale (Ctrl+A) before baking.":
        "아마튜어 {0}이나 그 부모의 스케일이 고르지 않습니다. 굽기 전에 스케일을 적용하세요(Ctrl+A).",
    "Blender cannot apply the scale of {0}: {1}": "블렌더가 {0}의 스케일을 적용하지 못했습니다: {1}",
    "Blender cannot make a library override of {0}; use Object, Library Override, Make.":
        "블렌더가 {0}의 라이브러리 오버라이드를 만들지 못했습니다. 오브젝트 > 라이브러리 오버라이드 > 만들기를 쓰세요.",
    "Bone {0} of {1} has to be moved, but it is connected to its parent {2}; switch Connected off in its bone properties.":
        "{1}의 본 {0}을(를) 옮겨야 하는데 부모 {2}에 연결되어 있습니다. 본 속성에서 연결됨을 끄세요.",
    "Bone {0} of {1} is moved by a driver ({2}.{3}), which keys cannot overrule; remove or mute the driver before baking.":
        "{1}의 본 {0}을(를) 드라이버({2}.{3})가 움직여 키가 듣지 않습니다. 굽기 전에 드라이버를 지우거나 끄세요.",
    "Bone {0} of {1} hangs below {2}, which it has to carry; say which bone is which in its bone map, or give it another parent.":
        "{1}의 본 {0}이(가) 자신이 받쳐야 할 {2} 아래에 달려 있습니다. 본 맵에서 어느 본이 무엇인지 알려 주거나 부모를 바꾸세요.",
    "Bones of armature {0} have no length and so no direction: {1}; give them a length in Edit Mode.":
        "아마튜어 {0}의 본에 길이가 없어 방향도 없습니다: {1}. 에디트 모드에서 길이를 주세요.",
    "Bones of armature {0} that are not baked have no length: {1}.": "아마튜어 {0}의 굽지 않는 본에 길이가 없습니다: {1}.",
    "Constraints on bones of armature {0} would fight the keys: {1}; a bake holds them at influence 0.":
        "아마튜어 {0}의 본에 걸린 제약이 키와 부딪칩니다: {1}. 구우면 영향력을 0으로 둡니다.",
    "Expected an armature, got {0}; select the armature of the character.":
        "아마튜어가 필요한데 {0}을(를) 받았습니다. 캐릭터의 아마튜어를 선택하세요.",
    "No key differs ({0} keys).": "달라진 키가 없습니다(키 {0}개).",
    "The action of armature {0} is blended in ({1}, influence {2}), so a baked one would not show as it is.":
        "아마튜어 {0}의 액션이 섞여 있어({1}, 영향력 {2}) 구운 액션이 그대로 보이지 않습니다.",
    "The action of {0} has keys on locations of bones, which applying the scale would put out; take the action away first.":
        "{0}의 액션에 본 위치 키가 있어 스케일을 적용하면 어긋납니다. 먼저 액션을 떼어 내세요.",
    "The action of {0} shows as it is": "{0}의 액션이 그대로 보입니다",
    "The action {0} does not say how Lope baked it ({1}); bake anew.":
        "액션 {0}에 Lope가 어떻게 구웠는지 적혀 있지 않습니다({1}). 다시 구우세요.",
    "The {0} cannot be written to {1}: {2}.": "{0}을(를) {1}에 쓸 수 없습니다: {2}.",
    "The bone map for {0} gives two segments the same bone: {1}.": "{0}의 본 맵에서 두 부분이 같은 본을 씁니다: {1}.",
    "The bone map for {0} has no {1}: give bones for {2}.": "{0}의 본 맵에 {1}이(가) 없습니다. {2}의 본을 정하세요.",
    "The bone map for {0} names a root bone it does not have: {1}.": "{0}의 본 맵이 없는 루트 본을 가리킵니다: {1}.",
    "The bone map for {0} names bones it does not have: {1}.": "{0}의 본 맵이 없는 본을 가리킵니다: {1}.",
    "The bone map for {0} names segments {1}; known: {2}.": "{0}의 본 맵에 모르는 부분 {1}이(가) 있습니다. 아는 것: {2}.",
    "The bone map {0} holds no bones.": "본 맵 {0}에 본이 없습니다.",
    "The bones of {0} are shared with other objects, so its scale cannot be applied; make them single-user first (Object, "
    "Relations, Make Single User).":
        "{0}의 본을 다른 오브젝트와 함께 쓰고 있어 스케일을 적용할 수 없습니다. 먼저 단일 사용자로 만드세요(오브젝트 > 관계 > 단일 사용자 만들기).",
    "The character turns by {0} degrees in one stride, so that stride cannot be a loop; simulate a straight path.":
        "캐릭터가 한 주기에 {0}도 돌아 반복할 수 없습니다. 곧은 경로로 시뮬레이션하세요.",
    "The doctor finds nothing of the kind {0} on {1}; nothing was changed.":
        "{1}에서 {0}에 해당하는 문제를 찾지 못했습니다. 바뀐 것은 없습니다.",
    "The figure has no {0}; a body needs hips, knees, ankles, shoulders, elbows and a head.":
        "체형에 {0}이(가) 없습니다. 몸에는 엉덩이, 무릎, 발목, 어깨, 팔꿈치, 머리가 있어야 합니다.",
    "The figure's head is not above its feet; expected a standing rest pose with z up.":
        "머리가 발 위에 있지 않습니다. z를 위로 하여 서 있는 기본 포즈가 필요합니다.",
    "The figure's {0} leg has no length.": "{0} 다리에 길이가 없습니다.",
    "The frame range ends at {0}, not after its start at {1}; give a later last frame.":
        "프레임 범위가 시작 {1} 뒤가 아니라 {0}에서 끝납니다. 마지막 프레임을 더 뒤로 하세요.",
    "The keys on the scale of {0} lie in a linked file; mute them there.":
        "{0}의 스케일 키가 링크된 파일에 있습니다. 그 파일에서 끄세요.",
    "The rig {0} ({1}) has no IK controls for its feet that Lope knows; bake on its FK controls.":
        "리그 {0}({1})에 Lope가 아는 발 IK 컨트롤이 없습니다. FK 컨트롤에 구우세요.",
    "The rig {0} has no root bone above its hips that could carry the travel; choose root motion on the object, on the hips, or "
    "in place, or name a root bone in the bone map.":
        "리그 {0}에 엉덩이 위에서 이동을 맡을 루트 본이 없습니다. 루트 모션을 오브젝트, 엉덩이, 제자리 가운데에서 고르거나 본 맵에 루트 본을 적으세요.",
    "The scale of armature {0} is animated, so its steps have no fixed length; mute or delete the keys on its scale.":
        "아마튜어 {0}의 스케일에 애니메이션이 있어 보폭이 정해지지 않습니다. 스케일 키를 끄거나 지우세요.",
    "The scale of {0} is applied": "{0}의 스케일을 적용했습니다",
    "The scene runs at {0} frames a second, too {1} for steps to be read; set 24 to 60 in the output properties.":
        "씬이 초당 {0}프레임입니다. 걸음을 알아보기에 너무 {1}. 출력 속성에서 24~60으로 정하세요.",
    "The take covers no two frames of the range {0} to {1}: with its start at frame {2} it ends at frame {3}.":
        "테이크가 범위 {0}~{1}에서 두 프레임도 덮지 못합니다. 프레임 {2}에서 시작해 프레임 {3}에서 끝납니다.",
    "The {0} foot of armature {1} does not point forward in its rest pose; left and right bones may be swapped, or the feet "
    "turned out too far.":
        "아마튜어 {1}의 {0} 발이 기본 포즈에서 앞을 향하지 않습니다. 왼쪽과 오른쪽 본이 바뀌었거나 발이 너무 벌어졌을 수 있습니다.",
    "This take cannot be baked: its {0} holds values that are not finite; simulate again.":
        "이 테이크는 구울 수 없습니다. {0}에 유한하지 않은 값이 있습니다. 다시 시뮬레이션하세요.",
    "This take holds {0} samples; two are needed to bake a motion.": "이 테이크에는 표본이 {0}개뿐입니다. 구우려면 둘이 있어야 합니다.",
    "Tweak mode is left": "트윅 모드에서 나왔습니다",
    "Unknown landmarks {0}; known: {1}.": "모르는 기준점 {0}. 아는 것: {1}.",
    "Unknown rotation mode {0}; known: QUATERNION, AXIS_ANGLE, {1}.": "모르는 회전 모드 {0}. 아는 것: QUATERNION, AXIS_ANGLE, {1}.",
    "Landmark {0} must be three finite numbers in metres, got {1}.":
        "기준점 {0}은(는) 미터로 된 유한한 수 셋이어야 하는데 {1}을(를) 받았습니다.",
    "{0} Lope cannot do that for you.": "{0} Lope가 대신해 줄 수 없습니다.",
    "{0} bones of {1} have a length now": "{1}의 본 {0}개에 길이가 생겼습니다",
    "{0} can be edited now": "이제 {0}을(를) 편집할 수 있습니다",
    "{0} constraints of {1} are muted": "{1}의 제약 {0}개를 껐습니다",
    "{0} constraints on bones of {1} are muted": "{1}의 본에 걸린 제약 {0}개를 껐습니다",
    "{0} keys written on {1} controls ({2} MB in all); none of your own keys was touched.":
        "컨트롤 {1}개에 키 {0}개를 썼습니다(모두 {2} MB). 직접 만든 키는 하나도 건드리지 않았습니다.",
    "{0} keys written on {1} controls ({2} MB in all); {3} of your own keys gave way here and are still in the action before.":
        "컨트롤 {1}개에 키 {0}개를 썼습니다(모두 {2} MB). 직접 만든 키 {3}개가 여기서 자리를 내주었고 이전 액션에는 그대로 있습니다.",
    "This take is not baked on {0}; bake it first: its prints lie where its feet come down.":
        "이 테이크는 {0}에 구워져 있지 않습니다. 먼저 구우세요. 발자국은 발이 닿는 곳에 놓입니다.",
    "The action {0} is a loop or walks on the spot, so its feet come down elsewhere than in the take; bake the whole way.":
        "액션 {0}은(는) 반복이거나 제자리걸음이라 발이 테이크와 다른 곳에 닿습니다. 온전한 길을 구우세요.",
    "A bake moves none of the chosen bones of {0} ({1}); choose some of those that it moves: {2}.":
        "굽기는 {0}에서 고른 본({1}) 가운데 어느 것도 움직이지 않습니다. 움직이는 본에서 고르세요: {2}.",
    "A loop repeats for ever, so it goes on from no other motion; switch off one of the two.":
        "반복은 끝없이 되풀이되므로 다른 동작에서 이어 갈 수 없습니다. 둘 가운데 하나를 끄세요.",
    "To bake some bones only, choose them: select them, or give their names, together with that choice of what is baked.":
        "일부 본만 구우려면 그 본을 고르세요. 그 선택지와 함께 본을 선택하거나 이름을 주세요.",
    "Armature {0} has no motion of Lope's to go on from; bake one first.":
        "아마튜어 {0}에 이어 갈 Lope 동작이 없습니다. 먼저 하나를 구우세요.",
    "The action {0} does not say where its motion ends, as an older Lope baked it; bake it anew, then go on from it.":
        "액션 {0}은(는) 옛 Lope가 구워 동작이 어디서 끝나는지 말해 주지 않습니다. 새로 구운 뒤 이어 가세요.",
    "{0} curves on the scale of {1} are muted": "{1}의 스케일 커브 {0}개를 껐습니다",
    "{0} drivers of {1} are muted": "{1}의 드라이버 {0}개를 껐습니다",
    "{0} is a library override now": "이제 {0}은(는) 라이브러리 오버라이드입니다",
    "{0} is damaged ({1}); say the bones anew and save it again.":
        "{0}이(가) 손상되었습니다({1}). 본을 다시 정하고 저장하세요.",
    "{0} is of format {1}, version {2}; expected {3}, version {4} or less.":
        "{0}의 형식은 {1}, 버전은 {2}입니다. {3}, 버전 {4} 이하여야 합니다.",
    "{0} is shown": "{0}을(를) 보이게 했습니다",
    "{0} must be a whole number between {1} and {2}, got {3}.": "{0}은(는) {1}과 {2} 사이의 정수여야 하는데 {3}을(를) 받았습니다.",
    "{0} shows its pose": "{0}이(가) 포즈를 보입니다",
    "{0} stands {1} m tall now": "이제 {0}의 키는 {1} m입니다",
}
