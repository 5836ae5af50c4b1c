# SPDX-License-Identifier: GPL-3.0-or-later
"""Korean: what is said about motion clips and preset files. Holes are numbered in the order of the English sentence."""

from __future__ import annotations

CLIPS = {
    "The clip shows no whole stance of a foot beside its one regular step; use a longer clip.":
        "클립에 고른 걸음 하나 말고는 발을 온전히 디딘 구간이 없습니다. 더 긴 클립을 쓰세요.",
    "The motion file {0} cannot be read: {1}.": "동작 파일 {0}을(를) 읽을 수 없습니다: {1}.",
    "There is no gait file at {0}.": "{0}에 걸음걸이 파일이 없습니다.",
    "There is no motion file at {0}.": "{0}에 동작 파일이 없습니다.",
    "{0} gives {1} frames of {2} s; expected two numbers.": "{0}에 {2}초짜리 프레임 {1}개라고 적혀 있습니다. 수 둘이어야 합니다.",
    "{0} goes straight: it turns by {1} degrees a second on average. A gait that goes in a circle needs a clip of that.":
        "{0}은(는) 곧게 갑니다(평균 초당 {1}도). 원을 도는 걸음걸이에는 도는 클립이 필요합니다.",
    "{0} has a closing brace too many in its HIERARCHY.": "{0}의 HIERARCHY에 닫는 중괄호가 하나 더 있습니다.",
    "{0} has a damaged CHANNELS line at joint {1} ({2}); expected a count and as many of Xposition, Yposition, Zposition, "
    "Xrotation, Yrotation, Zrotation.":
        "{0}의 관절 {1}에서 CHANNELS 줄이 손상되었습니다({2}). 개수와 그만큼의 Xposition, Yposition, Zposition, Xrotation, Yrotation, "
        "Zrotation이 있어야 합니다.",
    "{0} has a damaged HIERARCHY: an OFFSET or CHANNELS line stands outside a joint.":
        "{0}의 HIERARCHY가 손상되었습니다. OFFSET이나 CHANNELS 줄이 관절 밖에 있습니다.",
    "{0} has a damaged {1} line ({2}); expected {3} finite numbers.":
        "{0}의 {1} 줄이 손상되었습니다({2}). 유한한 수 {3}개가 있어야 합니다.",
    "{0} has a default circle of {1} leg lengths; expected at least 0.3 to either side.":
        "{0}의 기본 원이 다리 길이의 {1}배입니다. 어느 쪽이든 0.3배 이상이어야 합니다.",
    "{0} has a frame time of {1} s; expected more than 0 and at most {2} s.":
        "{0}의 프레임 시간이 {1}초입니다. 0보다 크고 {2}초 이하여야 합니다.",
    "{0} has a value that is not finite in frame {1}, channel {2} ({3} in all). Repair or export the clip again.":
        "{0}의 프레임 {1}, 채널 {2}에 유한하지 않은 값이 있습니다(모두 {3}개). 클립을 고치거나 다시 내보내세요.",
    "{0} has an OFFSET before its ROOT.": "{0}에서 OFFSET이 ROOT보다 앞에 있습니다.",
    "{0} has an incomplete HIERARCHY ({1} joints, {2} braces left open): the file is cut short. Export it again.":
        "{0}의 HIERARCHY가 온전하지 않습니다(관절 {1}개, 닫히지 않은 중괄호 {2}개). 파일이 잘렸으니 다시 내보내세요.",
    "{0} has channels with different numbers of harmonics ({1}).": "{0}의 채널마다 배음 수가 다릅니다({1}).",
    "{0} has gait format {1}; this Lope reads formats 1 to {2}. Update Lope.":
        "{0}의 걸음걸이 형식은 {1}인데 이 Lope는 1~{2}만 읽습니다. Lope를 업데이트하세요.",
    "{0} has no MOTION section: the file is cut short or holds only a skeleton. Export it again.":
        "{0}에 MOTION 부분이 없습니다. 파일이 잘렸거나 골격만 있습니다. 다시 내보내세요.",
    "{0} has no steps: {1}. A gait needs a clip of walking or running.": "{0}에 걸음이 없습니다: {1}. 걷거나 뛰는 클립이 필요합니다.",
    "{0} has only {1} frames; expected at least {2} of a moving figure.":
        "{0}에 프레임이 {1}개뿐입니다. 움직이는 모습이 {2}개는 있어야 합니다.",
    "{0} has several roots ({1}, {2}); expected one figure a file. Export each figure to a file of its own.":
        "{0}에 루트가 여럿입니다({1}, {2}). 파일마다 하나여야 합니다. 따로 내보내세요.",
    "{0} has something that is not a number among its frames: {1}.": "{0}의 프레임에 수가 아닌 것이 있습니다: {1}.",
    "{0} has the unknown word {1} in its HIERARCHY; expected JOINT, OFFSET, CHANNELS.":
        "{0}의 HIERARCHY에 모르는 낱말 {1}이(가) 있습니다. JOINT, OFFSET, CHANNELS만 올 수 있습니다.",
    "{0} has the wrong channels (missing: {1}; unknown: {2}).": "{0}의 채널이 맞지 않습니다(빠진 것: {1}, 모르는 것: {2}).",
    "{0} holds no hops: nowhere do both feet land together twice in a row.":
        "{0}에 두 발 뛰기가 없습니다. 두 발이 함께 두 번 이어 착지하는 곳이 없습니다.",
    "{0} holds {1} numbers, which is no whole number of frames of {2} channels.":
        "{0}에 수가 {1}개 있어 채널 {2}개짜리 프레임으로 나누어떨어지지 않습니다.",
    "{0} is cut short: it promises {1} frames of {2} numbers but holds {3} numbers, enough for {4} frames. Export it again.":
        "{0}이(가) 잘렸습니다. 수 {2}개짜리 프레임 {1}개라는데 수가 {3}개, 프레임 {4}개분뿐입니다. 다시 내보내세요.",
    "{0} is damaged: {1}": "{0}이(가) 손상되었습니다: {1}",
    "{0} is no walk or run: the feet do not land in turn ({1}).": "{0}은(는) 걷기도 달리기도 아닙니다. 두 발이 번갈아 닿지 않습니다({1}).",
    "{0} is not a BVH file: it does not begin with HIERARCHY. Of another file import the figure into Blender; an action there is "
    "followed with `lope follow --blend FILE.blend --action NAME`.":
        "{0}은(는) BVH 파일이 아닙니다. HIERARCHY로 시작하지 않습니다. 다른 파일은 Blender로 가져오세요. 그곳의 액션은 "
        "`lope follow --blend FILE.blend --action NAME`으로 따라갑니다.",
    "{0} is not a gait: expected a JSON object with \"schema\": \"{1}\".":
        "{0}은(는) 걸음걸이가 아닙니다. \"schema\": \"{1}\"이 든 JSON 객체여야 합니다.",
    "{0} is not a gait: it cannot be read as JSON ({1}).": "{0}은(는) 걸음걸이가 아닙니다. JSON으로 읽을 수 없습니다({1}).",
    "{0} is not cyclic: its only regular strides travel at {1} m/s, but the figure moves at {2} m/s on average.":
        "{0}은(는) 되풀이되지 않습니다. 고른 주기는 {1} m/s인데 평균은 {2} m/s입니다.",
    "{0} is too short: {1}, and a stride needs two landings of the same foot. Use a longer clip.":
        "{0}이(가) 너무 짧습니다: {1}. 한 주기에는 같은 발이 두 번 닿아야 합니다. 더 긴 클립을 쓰세요.",
    "{0} lacks the lines 'Frames:' and 'Frame Time:' after MOTION; it is cut short or damaged.":
        "{0}의 MOTION 뒤에 'Frames:'와 'Frame Time:' 줄이 없습니다. 잘렸거나 손상되었습니다.",
    "{0} promises {1} frames; expected at least one.": "{0}에 프레임이 {1}개라고 적혀 있습니다. 하나는 있어야 합니다.",
    "{0} shows no whole stance of a foot within its strides; use a longer clip.":
        "{0}의 주기 안에 발을 온전히 디딘 구간이 없습니다. 더 긴 클립을 쓰세요.",
    "{0} steps on the spot: its fastest stride travels at {1} m/s. A gait needs a clip that gets somewhere.":
        "{0}은(는) 제자리걸음입니다. 가장 빠른 주기가 {1} m/s입니다. 나아가는 클립이 필요합니다.",
    "{0} walks {1}: it travels {2} degrees off its facing. Lope's gaits go forward.":
        "{0}은(는) {1} 걷습니다. 바라보는 쪽에서 {2}도 벗어나 갑니다. Lope의 걸음걸이는 앞으로 갑니다.",
    "{0}: left and right hip coincide at rest, so the figure's facing cannot be told.":
        "{0}: 기본 포즈에서 두 엉덩관절이 겹쳐 바라보는 쪽을 알 수 없습니다.",
    "{0}: no foot ever rests on the ground, so there are no steps to find.": "{0}: 발이 땅에 머무는 때가 없어 걸음을 찾을 수 없습니다.",
    "{0}: no figure with two legs and two arms stands in this skeleton of {1} joints. Expected a clip of one whole person; "
    "export it with hips, knees, feet, shoulders and elbows.":
        "{0}: 관절 {1}개의 이 골격에서 두 다리와 두 팔로 선 몸을 찾지 못했습니다. 온전한 한 사람의 클립이어야 합니다. 엉덩관절, 무릎, 발, 어깨, "
        "팔꿈치를 넣어 내보내세요.",
    "{0}: the legs have no length (thigh and shank offsets are zero).": "{0}: 다리에 길이가 없습니다(허벅지와 정강이 오프셋이 0).",
    "{0}: the {1} knee never comes near {2} degrees; its leg bones would have to change by {3} %. Fit this gait without straight "
    "knees.":
        "{0}: {1} 무릎이 {2}도 가까이 가지 않아 다리뼈가 {3}% 바뀌어야 합니다. 곧은 무릎 없이 이 걸음걸이를 만드세요.",
    "The rows of {0} must be sorted by gravity, each gravity once.": "{0}의 행은 중력 순서여야 하고 같은 중력이 두 번 나오면 안 됩니다.",
    "The speed ranges cannot be written to {0}: {1}.": "속도 범위를 {0}에 쓸 수 없습니다: {1}.",
}
