# SPDX-License-Identifier: GPL-3.0-or-later
"""Korean: what is wrong with a creature's shape, and kinds of its parts."""

from __future__ import annotations

CREATURE_BODIES = {
    "part": "부위", "parts": "부위", "trunk": "몸통", "leg": "다리", "neck": "목", "head": "머리", "tail": "꼬리", "arm": "팔",
    "creature": "생물", "planar body": "평면 몸", "beside": "옆에",
    "A creature is as large and as heavy as it is drawn: leave {0} out.": "생물의 크기와 무게는 그려진 대로입니다. {0}을(를) 빼세요.",
    "A {0} wears no suit: take the suit off, or choose a human.": "{0}은(는) 옷을 입지 않습니다. 옷을 벗기거나 사람을 고르세요.",
    "The creature does not stand over its feet: its centre of mass is {0} m {1} its soles; bring the feet under it, or mend the "
    "masses, of which {2} has {3} kg.":
        "생물이 발 위에 서 있지 않습니다. 무게중심이 발바닥보다 {0} m {1} 있습니다. 발을 그 아래로 옮기거나 질량을 고치세요. {2}이(가) {3} kg입니다.",
    "The creature weighs {0} kg on legs of {1} m, where {2} to {3} kg can be: look at the mass and the radius of {4}, {5} kg, "
    "and at the drawing's scale.":
        "다리 {1} m에 생물의 무게가 {0} kg인데 {2}~{3} kg이어야 합니다. {4}({5} kg)의 질량과 반지름, 그림의 축척을 보세요.",
    "The creature {0} has no hips: its first part {1} is a {2}, and must be the trunk on which the legs hang.":
        "생물 {0}에 골반이 없습니다. 첫 부위 {1}은(는) {2}인데, 다리가 달린 몸통이어야 합니다.",
    "The creature {0} has no hips: its legs hang on {1}; hang both on the same part of the trunk.":
        "생물 {0}에 골반이 없습니다. 다리가 {1}에 따로 달려 있습니다. 둘 다 몸통의 같은 부위에 다세요.",
    "The creature {0} has no legs: two chains of parts of the kind leg, from the trunk to the ground, are needed; name their "
    "bones in the bone map.":
        "생물 {0}에 다리가 없습니다. 몸통에서 땅까지 다리 부위의 사슬 두 개가 필요합니다. 본 맵에서 그 본들을 정하세요.",
    "The creature {0} has no part {1}; it has {2}.": "생물 {0}에 부위 {1}이(가) 없습니다. 있는 것: {2}.",
    "The creature {0} has one leg, {1}: a second one, of the other side, is needed; name its bones in the bone map.":
        "생물 {0}의 다리가 {1} 하나뿐입니다. 반대쪽 다리가 필요합니다. 본 맵에서 그 본들을 정하세요.",
    "The creature {0} has {1} legs, {2}: it walks on two; make the others arms, or leave them out.":
        "생물 {0}의 다리가 {1}개({2})입니다. 두 다리로 걷습니다. 나머지는 팔로 하거나 빼세요.",
    "The creature {0} has {1} parts: it needs 1 to {2}.": "생물 {0}의 부위가 {1}개입니다. 1~{2}개여야 합니다.",
    "The foot {0} is {1} m above the ground: stand the creature on it, or bring the rest of the leg down to the ground in the "
    "bone map.":
        "발 {0}이(가) 땅보다 {1} m 위에 있습니다. 생물을 땅에 세우거나, 본 맵에서 다리의 나머지를 땅까지 이으세요.",
    "The foot {0} reaches {1} m into the ground: raise the creature until its soles are on the ground.":
        "발 {0}이(가) 땅속으로 {1} m 들어갑니다. 발바닥이 땅에 놓이게 생물을 올리세요.",
    "The hip of {0} is {1} m over its foot's joint, and a leg so long stands {2} m at least: draw the creature standing.":
        "{0}의 엉덩관절이 발 관절보다 {1} m 높은데, 이 길이의 다리로 서면 적어도 {2} m입니다. 생물을 선 자세로 그리세요.",
    "The left leg {0} has {1} parts, the right one {2} {3}: give both as many.":
        "왼다리 {0}의 부위는 {1}개, 오른다리 {2}의 부위는 {3}개입니다. 같은 수로 하세요.",
    "The left leg {0} is not left of the right one {1}: swap their sides, or turn the creature to face forward.":
        "왼다리 {0}이(가) 오른다리 {1}의 왼쪽에 있지 않습니다. 쪽을 바꾸거나 생물을 앞으로 돌리세요.",
    "The leg {0} branches at {1} into {2}: keep the one that goes on to the ground.":
        "다리 {0}이(가) {1}에서 {2}(으)로 갈라집니다. 땅으로 이어지는 것만 남기세요.",
    "The leg {0} has no hip: it hangs on {1}, a {2}; hang it on the trunk, {3}.":
        "다리 {0}에 엉덩관절이 없습니다. {2}인 {1}에 달려 있습니다. 몸통 {3}에 다세요.",
    "The leg {0} has {1} {2}: it needs {3} to {4}, the foot included; add the bones that it lacks to the bone map, or leave out "
    "those that are none of a leg.":
        "다리 {0}의 {2}가 {1}개입니다. 발까지 {3}~{4}개여야 합니다. 빠진 본을 본 맵에 더하거나 다리가 아닌 것을 빼세요.",
    "The legs are drawn in two poses: {0} and {1} are {2} m from being mirror images; draw the creature standing, both legs "
    "alike.":
        "두 다리의 자세가 다르게 그려져 있습니다. {0}과(와) {1}은(는) 거울상에서 {2} m 어긋납니다. 두 다리가 같게 선 자세로 그리세요.",
    "The legs are unequal: {0} is {1} m long, {2} {3} m; make both as long.":
        "두 다리가 다릅니다. {0}의 길이는 {1} m, {2}의 길이는 {3} m입니다. 같은 길이로 하세요.",
    "The legs {0} and {1} are not one of each side: give all parts of the left one the side L, and of the right one R.":
        "다리 {0}과(와) {1}이(가) 한쪽씩이 아닙니다. 왼다리의 모든 부위는 L, 오른다리는 R로 하세요.",
    "The part {0} has no length: its tip is where its joint is; draw it longer, or leave it out.":
        "부위 {0}에 길이가 없습니다. 끝이 관절과 같은 곳에 있습니다. 더 길게 그리거나 빼세요.",
    "The part {0} is of the side {1}, its leg {2} of the side {3}: give it that side.":
        "부위 {0}은(는) {1}쪽인데 그 다리 {2}은(는) {3}쪽입니다. 같은 쪽으로 하세요.",
    "The part {0} of the creature {1} hangs on nothing: name its parent; only the first part, {2}, has none.":
        "생물 {1}의 부위 {0}이(가) 아무 데도 달려 있지 않습니다. 부모를 정하세요. 첫 부위 {2}만 부모가 없습니다.",
    "The part {0} of the creature {1} hangs on {2}, which does not stand before it in the list of parts: list parents first.":
        "생물 {1}의 부위 {0}이(가) 달린 {2}이(가) 부위 목록에서 앞에 있지 않습니다. 부모를 먼저 적으세요.",
    "The part {0} weighs {1} kg and would weigh {2} kg of water: mend its mass or its radius, or leave the mass out.":
        "부위 {0}의 질량이 {1} kg인데 물이라면 {2} kg입니다. 질량이나 반지름을 고치거나 질량을 빼세요.",
    "The {0} {1} hangs on {2}, a {3}: hang it on a part of the kind {4}.": "{0} {1}이(가) {3}인 {2}에 달려 있습니다. {4} 부위에 다세요.",
    "Two parts of the creature {0} are called {1}: give each a name of its own.":
        "생물 {0}의 부위 둘이 {1}(이)라는 이름입니다. 저마다 다른 이름을 주세요.",
    "The template {0} has legs of {1} segments over the foot: give the lengths of 2 to 4.":
        "틀 {0}의 다리는 발 위로 {1}마디입니다. 길이를 2~4개 적으세요.",
    "The template {0} gives {1} radii of a leg of {2} segments: give one for each, and the foot's at the end.":
        "틀 {0}은(는) {2}마디 다리에 반지름을 {1}개 적었습니다. 마디마다 하나씩, 끝에 발의 것을 적으세요.",
    "The template {0} bends {1} joints of a leg that has {2} between hip and foot: give one angle for each.":
        "틀 {0}은(는) 엉덩관절과 발 사이 관절이 {2}개인 다리에서 {1}개를 굽힙니다. 관절마다 각도를 하나씩 적으세요.",
    "The template {0} has arms of {1} segments: give {2} at most.": "틀 {0}의 팔은 {1}마디입니다. 많아야 {2}마디까지 주세요.",
    "{0} is a rig: read the creature from it first, lope creature from --blend {1} --out creature.json, then give that file.":
        "{0}은(는) 리그입니다. 먼저 lope creature from --blend {1} --out creature.json으로 생물을 읽은 다음 그 파일을 주세요.",
    "Armature {0} has no bone {1}, which is the part {2} of the creature {3}; choose the armature that it was read from, or read "
    "the creature from this one.":
        "아마튜어 {0}에 생물 {3}의 부위 {2}인 본 {1}이(가) 없습니다. 생물을 읽은 아마튜어를 고르거나 이 아마튜어에서 생물을 읽으세요.",
    "Bone {0} of armature {1} rests {2} m from where the creature {3} is drawn to have it; read the creature from this armature "
    "anew.":
        "아마튜어 {1}의 본 {0}이(가) 생물 {3}의 그림보다 {2} m 떨어져 있습니다. 이 아마튜어에서 생물을 다시 읽으세요.",
    "Armature {0} does not stand as the creature {1} is drawn, with the world's z up; turn the armature object upright.":
        "아마튜어 {0}이(가) 월드 z를 위로 하여 생물 {1}의 그림처럼 서 있지 않습니다. 아마튜어 오브젝트를 똑바로 세우세요.",
}
