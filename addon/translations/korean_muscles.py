# SPDX-License-Identifier: GPL-3.0-or-later
"""Korean: what is said about muscles."""

from __future__ import annotations

MUSCLES = {
    "It goes at {0} m/s: of the walkers there are here ({1} m/s) that is the nearest to {2} m/s. A reflex walker has one speed, "
    "that of its search.":
        "{0} m/s로 갑니다. 여기 있는 반사 보행자({1} m/s) 가운데 {2} m/s에 가장 가깝습니다. 반사 보행자는 탐색한 속도 하나만 가집니다.",
    "It goes at {0} m/s, not at {1} m/s: a reflex walker has one speed, that of its search.":
        "{1} m/s가 아니라 {0} m/s로 갑니다. 반사 보행자는 탐색한 속도 하나만 가집니다.",
    "A shot with a reflex walker is moved by the controller {0}, not by {1}.":
        "반사로 걷는 사람이 있는 샷은 컨트롤러 {1}이(가) 아니라 {0}이(가) 움직입니다.",
    "Who goes by reflexes goes straight on over level ground as its reflexes have it: leave {0} out, or choose the controller "
    "tracking.":
        "반사로 가는 사람은 평평한 땅을 반사가 시키는 대로 똑바로 갑니다. {0}을(를) 빼거나 컨트롤러 tracking을 고르세요.",
    "No muscles pull in the engine {0}: choose the engine {1}, or let torques move the body.":
        "엔진 {0}에서는 근육이 당기지 않습니다. 엔진 {1}을(를) 고르거나 토크로 몸을 움직이세요.",
    "Muscles are laid on a human body; this one is {0}: choose a human, or let torques move the body.":
        "근육은 사람 몸에만 붙습니다. 이 몸은 {0}입니다. 사람을 고르거나 토크로 몸을 움직이세요.",
    "The controller {0} cannot move a shot's muscles: leave them out, or choose another controller.":
        "컨트롤러 {0}은(는) 샷의 근육을 움직일 수 없습니다. 근육을 빼거나 다른 컨트롤러를 고르세요.",
    "This take has no muscles to show: simulate it with muscles in place of torques, and bake that.":
        "이 테이크에는 보여 줄 근육이 없습니다. 토크 대신 근육으로 시뮬레이션하고 베이크하세요.",
    "This take is not baked on {0}; bake it first: its muscles go with the baked bones.":
        "이 테이크는 {0}에 베이크되지 않았습니다. 먼저 베이크하세요. 근육은 베이크된 본을 따라갑니다.",
    "Where the muscles of this take lie is not known on {0}: none of them is in the set.":
        "이 테이크의 근육이 {0}의 어디에 붙는지 알 수 없습니다. 근육 세트에 하나도 없습니다.",
    "No reflex walker is shipped: give a walker's file.": "기본 제공 반사 보행자가 없습니다. 보행자 파일을 주세요.",
    "No reflex walker was searched for a gravity of {0} m/s^2: there are some for {1} m/s^2. Search one (lope tune --gait "
    "reflex), or force the shot to see how one of those falls.":
        "중력 {0} m/s^2에서 탐색한 반사 보행자가 없습니다. 있는 것은 {1} m/s^2용입니다. 하나를 탐색하거나(lope tune --gait reflex) "
        "샷을 강제해 그중 하나가 어떻게 넘어지는지 보세요.",
    "There is no reflex walker; choose its file under Gait.": "반사 보행자가 없습니다. 걸음걸이에서 파일을 고르세요.",
    "The reflex walker {0} was searched for a gravity of {1} m/s^2, too far from {2} m/s^2: choose another one, search one (lope "
    "tune --gait reflex), or force the shot to see how it falls.":
        "반사 보행자 {0}은(는) 중력 {1} m/s^2에서 탐색한 것이라 {2} m/s^2와 너무 다릅니다. 다른 보행자를 고르거나, 하나를 탐색하거나(lope tune "
        "--gait reflex), 샷을 강제해 어떻게 넘어지는지 보세요.",
    "Reflex walkers were searched on Lope's own figure of 1.5 to 2.2 m: figures of other proportions mostly fall. "
    "Search one for this body: lope tune --gait reflex --blend FILE.":
        "반사 보행자는 키 1.5~2.2 m인 Lope의 기본 체형에서 탐색했습니다. 비율이 다른 체형은 대부분 넘어집니다. 이 몸에 맞는 보행자를 탐색하세요: "
        "lope tune --gait reflex --blend FILE",
    "A reflex walker has no {0}: its legs have {1}.": "반사로 걷는 캐릭터에는 {0}이(가) 없습니다. 다리에 있는 것: {1}.",
    "A reflex walker's muscles can be weak or tight; a change of the kind {0} is for a body whose muscles are all there: choose "
    "the controller tracking with muscles.":
        "반사로 걷는 캐릭터의 근육은 약하거나 짧을 수만 있습니다. {0} 변화는 근육이 다 있는 몸을 위한 것입니다. "
        "근육과 함께 tracking 컨트롤러를 고르세요.",
}
