# SPDX-License-Identifier: GPL-3.0-or-later
"""Korean: names of worlds, gaits, reflex walkers and suits."""

from __future__ import annotations

WORLDS = {
    "Jupiter": "목성", "Neptune": "해왕성", "Saturn": "토성", "Earth": "지구", "Uranus": "천왕성", "Venus": "금성", "Mars": "화성",
    "Mercury": "수성", "Io": "이오", "Moon": "달", "Ganymede": "가니메데", "Titan": "타이탄", "Europa": "유로파", "Callisto": "칼리스토",
    "Triton": "트리톤", "Pluto": "명왕성", "Ceres": "세레스", "Orbit station": "궤도 정거장", "Custom": "사용자 지정",
}

WALKERS = {"Walk": "걷기", "Slow Walk": "느린 걷기", "Fast Walk": "빠른 걷기", "Mars Walk": "화성 걷기"}

GAITS = {
    "Walk": "걷기", "Run": "달리기", "Turn": "돌며 걷기", "Lope": "로핑", "Skip": "스킵", "Hop": "깡충 뛰기", "Jog": "조깅",
    "March": "행진", "Sneak": "살금살금 걷기", "Stride": "성큼 걷기",
}
CHOSEN_GAIT = ("As People Choose", "사람이 고르는 대로")
MADE_OF_GAIT = ("The built-in {}", "기본 제공 동작: {}")

SUITS = {
    "No Suit": "우주복 없음", "Apollo A7LB with backpack": "아폴로 A7LB(생명 유지 배낭 포함)", "Mark III planetary suit": "마크 III 행성 우주복",
}
MADE_OF_SUIT = ("{}: its mass, its pack and its stiff joints change the gait", "{}: 질량과 배낭, 뻣뻣한 관절이 걸음걸이를 바꿉니다")
