# SPDX-License-Identifier: GPL-3.0-or-later
"""Korean: what is said about following a clip."""

from __future__ import annotations

FOLLOW = {
    "The controller {0} follows a clip, and this shot names none: give it one, or choose the controller tracking.":
        "컨트롤러 {0}은(는) 클립을 따라가는데 이 샷에는 클립이 없습니다. 클립을 주거나 컨트롤러 tracking을 고르세요.",
    "A shot that follows a clip is moved by the controller {0}, not by {1}.":
        "클립을 따라가는 샷은 컨트롤러 {1}이(가) 아니라 {0}이(가) 움직입니다.",
    "A shot that follows a clip takes its motion from there: leave out {0}.":
        "클립을 따라가는 샷은 동작을 클립에서 가져옵니다. {0}을(를) 빼세요.",
}
