# SPDX-License-Identifier: GPL-3.0-or-later
"""Korean: what is said about bodies that are no tree of segments, and about what a body or a take lacks."""

from __future__ import annotations

BODIES = {
    "{0} cannot be steered.": "{0}은(는) 조종할 수 없습니다.",
    "A body needs at least one segment.": "몸에는 부분이 하나 이상 있어야 합니다.",
    "Two segments of this body have the name {0}.": "이 몸의 두 부분이 같은 이름 {0}을(를) 씁니다.",
    "The joint of segment {0} is {1}; there it must be {2} or {3}.": "{0} 부분의 관절이 {1}입니다. {2} 또는 {3}이어야 합니다.",
    "The parent of segment {0}, {1}, must stand before it in the list of segments; only the first has none.":
        "{0} 부분의 부모 {1}은(는) 부분 목록에서 그보다 앞에 있어야 합니다. 첫 부분만 부모가 없습니다.",
    "The {0} is on segment {1}, which this body does not have.": "{0}이(가) 이 몸에 없는 {1} 부분에 있습니다.",
    "contact point {0}": "접촉점 {0}", "role {0}": "역할 {0}", "foot {0}": "발 {0}",
    "The root of a body is its first segment, {0}, not {1}.": "몸의 뿌리는 {1}이(가) 아니라 첫 부분 {0}입니다.",
    "The leg of foot {0} must be a chain of segments that ends in {1}, got {2}.":
        "발 {0}의 다리는 {1}에서 끝나는 부분의 사슬이어야 하는데 {2}을(를) 받았습니다.",
    "The foot {0} needs a contact point on its segment {1}.": "발 {0}에는 {1} 부분 위의 접촉점이 필요합니다.",
    "Muscles are for humans, and this body is of kind {0}: move it by torques.": "근육은 인간의 몸에만 있는데 이 몸의 종류는 {0}입니다. 토크로 움직이세요.",
    "The set of muscles has {0} more than once; each muscle needs a name of its own.":
        "근육 집합에 {0}이(가) 두 번 이상 있습니다. 근육마다 이름이 따로 있어야 합니다.",
    "The body has no segment in the role {0}; it has {1}.": "몸에 {0} 역할의 부분이 없습니다. 있는 것: {1}.",
    "The body has no foot {0}; its feet are: {1}.": "몸에 {0} 발이 없습니다. 있는 발: {1}.",
    "PyBullet moves only bodies whose root is free; this one's is {0}. Choose the engine mujoco.":
        "PyBullet은 뿌리가 자유로운 몸만 움직입니다. 이 몸의 뿌리는 {0}입니다. 엔진 mujoco를 고르세요.",
    "A take holds no arrays {0}; what a controller adds is a channel.":
        "테이크에는 배열 {0}이(가) 없습니다. 제어기가 더하는 것은 채널입니다.",
    "This take holds no sample.": "이 테이크에는 샘플이 없습니다.",
    "The array {0} of this take has the shape {1}; expected {2}.": "이 테이크의 배열 {0}의 모양이 {1}입니다. {2}이어야 합니다.",
    "A channel cannot be called {0}: letters, digits, points, _ and - make its name, and it is none of a take's arrays.":
        "채널을 {0}(이)라고 부를 수 없습니다. 이름은 글자, 숫자, 점, _, -로 되고 테이크의 배열 이름이 아니어야 합니다.",
    "The channel {0} needs a row of numbers for each of {1} samples, got the shape {2} of {3}.":
        "채널 {0}에는 샘플 {1}개마다 수의 행이 있어야 하는데 {3}의 모양 {2}을(를) 받았습니다.",
    "This take holds no {0}: its controller does not plan it.": "이 테이크에는 {0}이(가) 없습니다. 제어기가 계획하지 않습니다.",
    "This body has no feet; what was asked for needs legs.": "이 몸에는 발이 없습니다. 요청한 것에는 다리가 필요합니다.",
    "The controller {0} moves bodies of the kind {1}; this one is {2}: choose another controller.":
        "제어기 {0}은(는) {1} 종류의 몸을 움직입니다. 이 몸은 {2}입니다. 다른 제어기를 고르세요.",
    "The controller {0} gives no {1}, which this engine takes: choose the engine mujoco or pybullet.":
        "제어기 {0}은(는) 이 엔진이 받는 {1}을(를) 주지 않습니다. 엔진 mujoco나 pybullet을 고르세요.",
    "Segment {0} is the root and hangs on no other.": "부분 {0}은(는) 뿌리이며 다른 부분에 달려 있지 않습니다.",
    "The joint of segment {0} has no limits.": "부분 {0}의 관절에는 한계가 없습니다.",
}
