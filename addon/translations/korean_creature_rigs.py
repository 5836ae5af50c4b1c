# SPDX-License-Identifier: GPL-3.0-or-later
"""Korean: what is said of rigs that are read as creatures, and of their bone maps."""

from __future__ import annotations

CREATURE_RIGS = {
    "Armature {0} has no two legs that Lope can walk on; the likeliest are {1}, which are hardly legs. Say which bones they "
    "are "
    "in its bone map.":
        "아마튜어 {0}에 Lope가 걸을 수 있는 두 다리가 없습니다. 가장 비슷한 것은 {1}이지만 다리라고 하기 어렵습니다. 본 맵에서 어느 본인지 "
        "알려 주세요.",
    "Armature {0} does not stand in its rest pose: its legs point along another axis than the world's z; turn the armature "
    "object upright.":
        "아마튜어 {0}의 기본 포즈가 서 있지 않습니다. 다리가 월드 z가 아닌 다른 축을 향합니다. 아마튜어 오브젝트를 세우세요.",
    "Armature {0} stands on one leg, by the bone {1}, which has no mirror image: draw a second leg, or say which bones the "
    "legs "
    "are in its bone map.":
        "아마튜어 {0}은(는) 한 다리로 섭니다. 본 {1}에 거울상이 없습니다. 둘째 다리를 그리거나 본 맵에서 어느 본이 다리인지 알려 주세요.",
    "Armature {0} has no two bones that are mirror images of one another, so no two legs are found: draw the legs alike on "
    "both "
    "sides, or say which bones they are in its bone map.":
        "아마튜어 {0}에 서로 거울상인 두 본이 없어 두 다리를 찾을 수 없습니다. 양쪽 다리를 똑같이 그리거나 본 맵에서 어느 본인지 알려 주세요.",
    "No two bones of armature {0} go down to the ground on both sides, with the world's z up: turn the armature object "
    "upright, "
    "or say which bones the legs are in its bone map.":
        "월드 z를 위로 하여 아마튜어 {0}에서 양쪽으로 땅까지 내려가는 두 본이 없습니다. 아마튜어 오브젝트를 세우거나 본 맵에서 어느 본이 다리인지 "
        "알려 주세요.",
    "Armature {0} has no legs that reach the ground: the likeliest, {1}, end {2} m over the lowest bone; move the feet down, "
    "or "
    "say which bones the legs are in its bone map.":
        "아마튜어 {0}에 땅에 닿는 다리가 없습니다. 가장 비슷한 {1}은(는) 가장 낮은 본보다 {2} m 위에서 끝납니다. 발을 내리거나 본 맵에서 어느 본이 "
        "다리인지 알려 주세요.",
    "Armature {0} stands on a third leg, by the bone {1}: Lope walks on two. Lift it off the ground, or call it a tail in the "
    "bone "
    "map.":
        "아마튜어 {0}은(는) 본 {1}의 셋째 다리로도 섭니다. Lope는 두 다리로 걷습니다. 그것을 땅에서 들거나 본 맵에서 꼬리로 정하세요.",
    "Which way armature {0} faces is a guess: neither feet, knees, head nor names tell; turn its feet ahead, or say which leg "
    "is "
    "the left one in its bone map.":
        "아마튜어 {0}이(가) 어디를 보는지는 짐작입니다. 발, 무릎, 머리, 이름 어느 것도 알려 주지 않습니다. 발을 앞으로 돌리거나 본 맵에서 어느 쪽이 "
        "왼다리인지 알려 주세요.",
    "The legs of armature {0} are of unequal length: {1} m from {2}, {3} m from {4}. Make them alike.":
        "아마튜어 {0}의 두 다리 길이가 다릅니다. {2}부터 {1} m, {4}부터 {3} m입니다. 똑같게 하세요.",
    "The legs of armature {0} have no knee: {1} goes from the hip straight to the foot. Give each leg two bones over the foot.":
        "아마튜어 {0}의 다리에 무릎이 없습니다. {1}이(가) 엉덩이에서 발까지 곧장 갑니다. 다리마다 발 위에 본을 둘 두세요.",
    "The legs of armature {0} have no bone for the foot below {1}: its feet turn with the shins. Give each a bone of its own.":
        "아마튜어 {0}의 다리에 {1} 아래 발 본이 없습니다. 발이 정강이와 함께 돕니다. 발마다 본을 하나씩 두세요.",
    "The legs of armature {0} bend sideways at {1}, as a spider's do; Lope's steps bend them forward and back.":
        "아마튜어 {0}의 다리는 {1}에서 거미처럼 옆으로 굽습니다. Lope의 걸음은 앞뒤로 굽힙니다.",
    "Armature {0} stands on four legs, by the bones {1}, and {2}: Lope walks on two. Lift the other pair off the ground in "
    "the rest "
    "pose.":
        "아마튜어 {0}은(는) 본 {1} 그리고 {2}의 네 다리로 섭니다. Lope는 두 다리로 걷습니다. 기본 포즈에서 다른 한 쌍을 땅에서 드세요.",
    "The legs of armature {0} are of unequal bones: {1} has no mirror image in the other leg. Give both legs the same bones.":
        "아마튜어 {0}의 두 다리는 본이 다릅니다. {1}의 거울상이 다른 다리에 없습니다. 두 다리에 같은 본을 두세요.",
    "The foot {0} of armature {1} is {2} m over the ground in its rest pose: stand it on both feet.":
        "아마튜어 {1}의 발 {0}이(가) 기본 포즈에서 땅보다 {2} m 위에 있습니다. 두 발로 세우세요.",
    "The legs of armature {0} hang on nothing: give them a bone at the hips that carries both.":
        "아마튜어 {0}의 다리가 아무것에도 달려 있지 않습니다. 둘을 함께 나르는 골반 본을 두세요.",
    "Armature {0} has no bones; choose the armature of the creature.":
        "아마튜어 {0}에 본이 없습니다. 생물의 아마튜어를 고르세요.",
    "Armature {0}, or a parent of it, is scaled unevenly; apply the scale (Ctrl+A) first.":
        "아마튜어 {0}이나 그 부모의 스케일이 고르지 않습니다. 먼저 스케일을 적용하세요 (Ctrl+A).",
    "Armature {0} stands {1} m tall, expected {2} to {3} m of a creature; scale the object to its real size, or give the "
    "height it "
    "stands for.":
        "아마튜어 {0}의 키가 {1} m입니다. 생물은 {2}~{3} m여야 합니다. 오브젝트를 실제 크기로 바꾸거나 그것이 뜻하는 키를 주세요.",
    "The meshes of armature {0} are not closed, so its masses are those of capsules as thick as its skin.":
        "아마튜어 {0}의 메시가 닫혀 있지 않아 질량은 피부만큼 굵은 캡슐의 것입니다.",
    "Armature {0} would weigh {1} kg as dense as water, on legs of {2} m: it is taken for hollow, {3} kg in all.":
        "아마튜어 {0}은(는) 물과 같은 밀도라면 {2} m 다리에 {1} kg이 됩니다. 속이 빈 것으로 보아 모두 {3} kg으로 합니다.",
    "The creature map for {0} gives two parts the same bone: {1}.":
        "{0}의 생물 맵이 두 부위에 같은 본을 줍니다: {1}.",
    "The creature map for {0} says that there is no {1}: no creature walks without; name its bone.":
        "{0}의 생물 맵에 {1}이(가) 없다고 되어 있습니다. 그것 없이는 어떤 생물도 걷지 못합니다. 본을 정하세요.",
    "The creature map for {0} names the bone {1} for {2}, which the armature does not have.":
        "{0}의 생물 맵이 {2}에 본 {1}을(를) 정했지만 아마튜어에 그 본이 없습니다.",
}
"""Sentences: English template -> Korean."""
