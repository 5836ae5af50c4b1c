# SPDX-License-Identifier: GPL-3.0-or-later
"""Korean: what is said about loose objects."""

from __future__ import annotations

OBJECTS = {
    "A shot has at most {0} loose objects, got {1}: take some out.":
        "한 샷의 느슨한 물체는 많아야 {0}개인데 {1}개입니다. 몇 개를 빼세요.",
    "The engine {0} knows no contact, so nothing can be touched there: take the loose objects out, or choose the engine "
    "mujoco.":
        "엔진 {0}은(는) 접촉을 모르므로 아무것도 닿을 수 없습니다. 느슨한 물체를 빼거나 엔진 mujoco를 고르세요.",
    "The loose object {0} begins {1} cm within {2}: move it out, or it would be flung away.":
        "느슨한 물체 {0}이(가) {2} 안으로 {1} cm 들어간 채 시작합니다. 밖으로 옮기세요. 그대로 두면 튕겨 나갑니다.",
    "The collection {0} holds no mesh that could be loose: put some into it, or choose another collection.":
        "컬렉션 {0}에는 느슨해질 수 있는 메시가 없습니다. 메시를 넣거나 다른 컬렉션을 고르세요.",
    "The loose object {0} is {1} m large; each side must lie between {2} and {3} m: scale it, or take it out of the collection.":
        "느슨한 물체 {0}의 크기는 {1} m입니다. 각 변은 {2} m에서 {3} m 사이여야 합니다. 크기를 바꾸거나 컬렉션에서 빼세요.",
    "The loose objects were left as they are: a loop, or a walk on the spot, does not come by where they were touched; bake the "
    "whole way for that.":
        "느슨한 물체는 그대로 두었습니다. 루프나 제자리 걸음은 물체가 닿은 곳을 지나지 않습니다. 온 길을 구우세요.",
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
OBJECT_WORDS = {
    "Loose Objects": "느슨한 물체",
    "Meshes of this collection are loose: they stand where they are until the character touches them, then they fall. The bake "
    "keys them":
        "이 컬렉션의 메시는 느슨합니다. 캐릭터가 닿을 때까지 그 자리에 있다가 쓰러집니다. 굽기가 키를 줍니다",
    "Density (kg/m³)": "밀도 (kg/m³)",
    "What loose objects weigh for their size: 30 a cardboard box with little in it, 500 wood. Active rigid bodies have their own "
    "mass":
        "느슨한 물체의 크기당 무게입니다. 거의 빈 종이 상자는 30, 나무는 500입니다. 능동 강체는 자기 질량을 씁니다",
    "Keyed {count} loose objects": "느슨한 물체 {count}개에 키를 주었습니다",
}
"""What the panel shows of them."""
