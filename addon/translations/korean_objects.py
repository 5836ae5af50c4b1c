# SPDX-License-Identifier: GPL-3.0-or-later
"""Korean: what is said about loose objects."""

from __future__ import annotations

OBJECTS = {
    "A shot has at most {0} loose objects, got {1}: take some out.":
        "한 샷의 느슨한 물체는 많아야 {0}개인데 {1}개입니다. 몇 개를 빼세요.",
    "The engine ideal knows no contact, so nothing can be touched there: take the loose objects out, or choose the engine mujoco.":
        "엔진 ideal은 접촉을 모르므로 아무것도 닿을 수 없습니다. 느슨한 물체를 빼거나 엔진 mujoco를 고르세요.",
    "The loose object {0} begins {1} cm within {2}: move it out, or it would be flung away.":
        "느슨한 물체 {0}이(가) {2} 안으로 {1} cm 들어간 채 시작합니다. 밖으로 옮기세요. 그대로 두면 튕겨 나갑니다.",
    "the ground": "땅", "the character's {0}": "캐릭터의 {0}", "the loose object {0}": "느슨한 물체 {0}",
    "The loose object {0} is a sphere and needs its diameter three times as size, got {1} m: give it one diameter, or make it a "
    "box.":
        "느슨한 물체 {0}은(는) 구이므로 크기에 지름을 세 번 적어야 하는데 {1} m입니다. 지름을 하나로 하거나 상자로 바꾸세요.",
    "The orientation of the loose object {0} must be a unit quaternion w, x, y, z such as 1, 0, 0, 0; got {1}.":
        "느슨한 물체 {0}의 방향은 1, 0, 0, 0 같은 단위 쿼터니언 w, x, y, z여야 하는데 {1}입니다.",
    "This take needs the poses of its {0} loose objects.": "이 테이크에는 느슨한 물체 {0}개의 자세가 있어야 합니다.",
    "Two loose objects are called {0}: give every one a name of its own.":
        "느슨한 물체 둘의 이름이 {0}입니다. 저마다 다른 이름을 주세요.",
}
