# SPDX-License-Identifier: GPL-3.0-or-later
"""Korean: what is said about creatures' gaits."""

from __future__ import annotations

CREATURES = {
    "A shot with a creature's gait is moved by the controller {0}, not by {1}: choose one of them, or leave the gait out.":
        "생물의 걸음걸이가 있는 샷은 제어기 {1}이(가) 아니라 {0}이(가) 움직입니다. 그중 하나를 고르거나 걸음걸이를 빼십시오.",
    "The controller {0} moves creatures, not a body of kind {1}: give a creature, or choose the controller tracking.":
        "제어기 {0}은(는) 종류가 {1}인 몸이 아니라 생물을 움직입니다. 생물을 주거나 제어기 tracking을 고르십시오.",
    "A creature goes by a law of its own, which knows no built-in gait: leave {0} out.":
        "생물은 자기 법칙으로 가며 내장된 걸음걸이를 모릅니다. {0}을(를) 빼십시오.",
}
