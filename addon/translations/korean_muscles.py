# SPDX-License-Identifier: GPL-3.0-or-later
"""Korean: what is said about muscles."""

from __future__ import annotations

MUSCLES = {
    "No muscles pull in the engine {0}: choose the engine {1}, or let torques move the body.":
        "엔진 {0}에서는 근육이 당기지 않습니다. 엔진 {1}을(를) 고르거나 토크로 몸을 움직이세요.",
    "Muscles are laid on a human body; this one is {0}: choose a human, or let torques move the body.":
        "근육은 사람 몸에만 붙습니다. 이 몸은 {0}입니다. 사람을 고르거나 토크로 몸을 움직이세요.",
    "The controller {0} moves no muscles: choose another controller, or let torques move the body.":
        "컨트롤러 {0}은(는) 근육을 움직이지 않습니다. 다른 컨트롤러를 고르거나 토크로 몸을 움직이세요.",
}
