# SPDX-License-Identifier: GPL-3.0-or-later
"""Korean: push responses by example, as the engine speaks of them."""

from __future__ import annotations

RESPONSES = {
    "A push of no strength needs no response: give it a direction and a speed.":
        "힘이 없는 밀기에는 반응이 필요 없습니다. 방향과 속력을 주세요.",
    "Push responses are people's: a body of the kind {0} has none.":
        "밀기 반응은 사람의 것입니다. {0} 종류의 몸에는 없습니다.",
    "Push responses are people's: the joint over {0} is no hinge.":
        "밀기 반응은 사람의 것입니다. {0}의 관절이 경첩이 아닙니다.",
    "The library cannot be written to {0}: {1}.": "라이브러리를 {0}에 쓸 수 없습니다: {1}.",
    "The clip cannot be written to {0}: {1}.": "클립을 {0}에 쓸 수 없습니다: {1}.",
    "There is no library of responses at {0}.": "{0}에 반응 라이브러리가 없습니다.",
    "There is no library of responses {0}: known are {1}; or name a file that `lope responses index` wrote.":
        "{0}(이)라는 반응 라이브러리는 없습니다. 있는 것: {1}. 또는 `lope responses index`가 쓴 파일을 고르세요.",
    "There is no strategy {0}: expected some of {1}.": "{0}(이)라는 전략은 없습니다. {1} 중에서 고르세요.",
    "{0} is not a library of responses, or it is damaged: {1}.": "{0}은(는) 반응 라이브러리가 아니거나 손상되었습니다: {1}.",
    "{0} was written by a newer Lope (format {1}); this one reads up to {2}. Update Lope.":
        "{0}은(는) 더 새로운 Lope가 썼습니다(형식 {1}). 이 Lope는 {2}까지 읽습니다. Lope를 업데이트하세요.",
}
