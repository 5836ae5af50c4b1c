# SPDX-License-Identifier: GPL-3.0-or-later
"""Korean: what is said about shots that go on from a take, and about speed and gait keyed over a shot."""

from __future__ import annotations

MOTIONS = {
    "Footprints can be locked only in a shot of one gait and speed that starts by itself: take the keys and the take to go on "
    "from out, or reset the footprints.":
        "발자국은 걸음걸이와 속도가 하나이고 스스로 시작하는 샷에서만 고정할 수 있습니다. 키와 이어 갈 테이크를 빼거나 발자국을 초기화하세요.",
    "Gaits with flight become a walk up to {0} times Earth's gravity only, and this world has {1}: let the gait stay, or "
    "choose a lighter world.":
        "공중에 뜨는 걸음걸이는 지구 중력의 {0}배까지만 걷기로 바뀌는데 이 세계는 {1}배입니다. 걸음걸이를 그대로 두거나 더 가벼운 세계를 고르세요.",
    "How long a path takes is not known beforehand where speed or gait are keyed: give the shot a duration, or take the keys "
    "out.":
        "속도나 걸음걸이에 키가 있으면 경로에 걸리는 시간을 미리 알 수 없습니다. 샷의 길이를 정하거나 키를 빼세요.",
    "Shots go on from takes of a human body; that of {0} is {1}.": "샷은 사람 몸의 테이크에서만 이어집니다. {0}의 몸은 {1}입니다.",
    "The controller tracking goes on from the end of a take or from another gait, not from any state: put it first.":
        "컨트롤러 tracking은 테이크의 끝이나 다른 걸음걸이에서 이어지며, 아무 상태에서나 이어지지는 않습니다. 맨 앞에 두세요.",
    "The gait cannot change to or from {0}: skipping and hopping have no step on one foot to change on. Choose a walk, a run "
    "or a lope.":
        "{0}(으)로, 또는 그것에서 걸음걸이를 바꿀 수 없습니다. 스킵과 홉에는 바꿀 한 발 걸음이 없습니다. 걷기, 달리기, 로프를 고르세요.",
    "The hash of a take is 64 hexadecimal digits, its SHA-256, got {0}.":
        "테이크의 해시는 SHA-256, 곧 16진수 64자리여야 하는데 {0}을(를) 받았습니다.",
    "The key at {0} s asks for nothing: give it a gait, a speed, or both.":
        "{0}초의 키는 아무것도 요구하지 않습니다. 걸음걸이나 속도, 또는 둘 다 주세요.",
    "The key at {0} s does not come after the one at {1} s: give every key a time of its own, in order.":
        "{0}초의 키가 {1}초의 키보다 뒤에 있지 않습니다. 키마다 다른 시간을 순서대로 주세요.",
    "The take {0} does not end on its feet ({1}): go on from one that stands to its end.":
        "테이크 {0}은(는) 발로 선 채 끝나지 않습니다({1}). 끝까지 서 있는 테이크에서 이어 가세요.",
    "The take {0} ends moving, and this shot is to start standing: leave its start on moving.":
        "테이크 {0}은(는) 움직이며 끝나는데 이 샷은 서서 시작하게 되어 있습니다. 시작을 움직임으로 두세요.",
    "The take {0} has changed since this shot was made to go on from it: choose it anew, or bring the old file back.":
        "이 샷이 이어 가도록 정한 뒤에 테이크 {0}이(가) 바뀌었습니다. 다시 고르거나 예전 파일을 되돌리세요.",
    "The take {0} is of another body than this shot's: go on with the same proportions, mass and suit.":
        "테이크 {0}의 몸이 이 샷의 몸과 다릅니다. 같은 비율, 질량, 우주복으로 이어 가세요.",
    "The take {0} is on another ground than this shot's: go on over the same ground.":
        "테이크 {0}의 지면이 이 샷의 지면과 다릅니다. 같은 지면에서 이어 가세요.",
    "The take {0} is too short to go on from: it holds {1} samples, and three tell how the body moves.":
        "테이크 {0}은(는) 이어 가기에 너무 짧습니다. 샘플이 {1}개인데, 몸의 움직임을 알려면 세 개가 필요합니다.",
    "This plan ends at {0} s: then the gait changes, and on which step only the simulation knows.":
        "이 계획은 {0}초에서 끝납니다. 그때부터 걸음걸이가 바뀌며, 어느 걸음에서 바뀌는지는 시뮬레이션해야 압니다.",
    "Speed is keyed in this shot, and this plan does not know of it: it is made for {0} m/s.":
        "이 샷에서는 속도에 키가 있지만 이 계획은 그것을 모릅니다. {0} m/s로 만들었습니다.",
    "This shot goes on from a take: its plan starts where that ends, but in its own gait and on a step of its own.":
        "이 샷은 테이크에서 이어집니다. 계획은 그 끝에서 시작하지만 자기 걸음걸이와 자기 걸음으로 시작합니다.",
}
