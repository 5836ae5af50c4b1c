# SPDX-License-Identifier: GPL-3.0-or-later
"""Korean: creatures as the panel shows them, and what is said of the gait that they go by."""

from __future__ import annotations

CREATURE_SAID = {
    "a walk": "걷기", "fast: it may bounce": "빨라서 튈 수 있습니다",
    "No gait by muscles is stored for it: it goes by torques at its joints, the quick law.":
        "저장된 근육 걸음걸이가 없어 관절 토크(빠른 법칙)로 갑니다.",
    "It goes by muscles, in the stored gait {0}.": "저장된 걸음걸이 {0}대로 근육으로 갑니다.",
    "It goes by the stored gait {0}, the nearest to its proportions and speed.":
        "비율과 속력이 가장 가까운 저장된 걸음걸이 {0}대로 갑니다.",
    "generation {0}: best cost {1}, {2} of {3} stand": "{0}세대: 최저 비용 {1}, {3} 가운데 {2}이(가) 섬",
    "the best so far stands {0} of {1} starts for {2} s, as asked": "지금까지 가장 나은 것은 시작 {1}번 가운데 {0}번 {2}초 동안 섭니다. 바란 대로입니다",
    "the best so far stands {0} of {1} starts for {2} s; it lacks {3}":
        "지금까지 가장 나은 것은 시작 {1}번 가운데 {0}번 {2}초 동안 섭니다. 모자란 것: {3}",
    "There is no creature's gait; choose its file under Gait.": "생물의 걸음걸이가 없습니다. 걸음걸이에서 파일을 고르세요.",
    "Only a creature's gait is searched: choose Creature under Body.": "생물의 걸음걸이만 찾습니다. 몸에서 생물을 고르세요.",
}
CREATURE_WORDS = {
    "No stored gait is near to this creature and speed, and it may fall: Find a Gait searches one":
        "이 생물과 속력에 가까운 저장된 걸음걸이가 없어 넘어질 수 있습니다. 걸음걸이 찾기로 찾으세요",
    "Body": "몸", "What the armature is read as": "아마튜어를 무엇으로 읽을지입니다",
    "As Drawn": "그린 대로", "A creature where its bones are no person's but two legs carry them":
        "사람의 뼈대가 아니지만 두 다리로 서면 생물입니다",
    "Human": "사람", "A person, whatever its proportions": "비율이 어떻든 사람입니다",
    "Creature": "생물", "Two legs of any make, with a neck, a tail and arms or without":
        "어떤 모양이든 두 다리입니다. 목, 꼬리, 팔은 있어도 없어도 됩니다",
    "What moves the creature": "생물을 움직이는 것입니다",
    "By the muscles that a search found for such a creature; where none did, by torques at its joints":
        "이런 생물을 위해 검색이 찾은 근육으로 갑니다. 없으면 관절 토크로 갑니다",
    "Torques": "토크", "By torques at its joints: quick to search and quick to simulate":
        "관절 토크로 갑니다. 빨리 찾고 빨리 시뮬레이션합니다",
    "A creature's gait in a file of your own, as a search writes them": "검색이 쓴 그대로의 내 생물 걸음걸이 파일입니다",
    "Gait File": "걸음걸이 파일", "A creature's gait (JSON)": "생물의 걸음걸이(JSON)",
    "Minutes": "분", "How long a gait is sought at most. It ends sooner where one stands, and when you keep what you see":
        "걸음걸이를 찾는 최대 시간입니다. 서는 것을 찾거나 보이는 것을 택하면 더 일찍 끝납니다",
    "Find a Gait": "걸음걸이 찾기",
    "Search a gait for this creature, speed and gravity; the best so far walks in the viewport. Keep it when it looks right":
        "이 생물, 속력, 중력에 맞는 걸음걸이를 찾습니다. 지금까지 가장 나은 것이 뷰포트에서 걷습니다. 좋아 보이면 택하세요",
    "Keep This One": "이것으로 하기",
    "End the search with the gait that walks in the viewport, and store it": "뷰포트에서 걷는 걸음걸이로 찾기를 끝내고 저장합니다",
    "A person has gaits of its own; a gait is searched for creatures": "사람에게는 걸음걸이가 있습니다. 걸음걸이 찾기는 생물을 위한 것입니다",
    "A gait is being searched for this creature": "이 생물의 걸음걸이를 찾고 있습니다",
    "No gait is being searched for this creature": "이 생물의 걸음걸이를 찾고 있지 않습니다",
    "A creature's gait is searched by Find a Gait": "생물의 걸음걸이는 걸음걸이 찾기로 찾습니다",
    "{speed:.2f} m/s is a Froude number of {froude:.2f}: {how}": "{speed:.2f} m/s는 프루드 수 {froude:.2f}입니다: {how}",
    "Found {name}: {speed:.2f} m/s, {stood} of {starts} starts stood {seconds:.0f} s; used from the next simulation on":
        "{name} 찾음: {speed:.2f} m/s, 시작 {starts}번 가운데 {stood}번이 {seconds:.0f}초 동안 섰습니다. 다음 시뮬레이션부터 씁니다",
    "Kept {name} as you saw it, untried from other starts; used from the next simulation on":
        "{name}을(를) 본 그대로 택했습니다. 다른 시작에서는 시험하지 않았습니다. 다음 시뮬레이션부터 씁니다",
    "No gait stands yet: press Find a Gait again to go on, or ask for a slower speed":
        "아직 서는 걸음걸이가 없습니다. 걸음걸이 찾기를 다시 눌러 이어서 찾거나 속력을 낮추세요",
    "Creature: {height:.2f} m tall, {mass:.3g} kg": "생물: 키 {height:.2f} m, {mass:.3g} kg",
    "Parts: {leg} a leg, neck {neck}, tail {tail}, arms {arm}": "부위: 다리마다 {leg}, 목 {neck}, 꼬리 {tail}, 팔 {arm}",
    "Say at which bone this part of the creature begins; what is not said is found by the bones' structure":
        "생물의 이 부위가 어느 본에서 시작하는지 정합니다. 정하지 않은 것은 본의 구조로 찾습니다",
    "The bone at which this part begins. Empty: it has none": "이 부위가 시작하는 본입니다. 비우면 없습니다",
    "Forget what was said of this creature's bones; they are found by structure again":
        "이 생물의 본에 대해 정한 것을 잊습니다. 다시 구조로 찾습니다",
    "Nothing was said of this creature's bones; they are found by structure": "이 생물의 본에 대해 정한 것이 없습니다. 구조로 찾습니다",
    "At which bone each part begins; what hangs below goes with it": "각 부위가 어느 본에서 시작하는지입니다. 그 아래는 함께 갑니다",
    "Trunk": "몸통", "Tail": "꼬리",
    "Search a Gait for It": "걸음걸이 찾아 주기",
}
