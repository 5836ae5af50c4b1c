# SPDX-License-Identifier: GPL-3.0-or-later
"""Korean: what is said about steering and driving."""

from __future__ import annotations

DRIVE = {
    "The steering at {0} s wishes for nothing: give it one of {1}.": "{0}초의 조종이 아무것도 바라지 않습니다. {1} 중 하나를 주세요.",
    "The steering at {0} s wishes for a turn and for a rate of turning: give it one of them.":
        "{0}초의 조종이 도는 각과 도는 빠르기를 함께 바랍니다. 둘 중 하나만 주세요.",
    "A shot that is steered goes where its steering says: leave out {0}.": "조종하는 샷은 조종하는 대로 갑니다. {0}을(를) 빼세요.",
    "The steering at {0} s comes before the one at {1} s: put them in order.":
        "{0}초의 조종이 {1}초의 조종보다 앞섭니다. 순서대로 놓으세요.",
    "The controller {0} cannot be steered: choose one that can, or take the steering out.":
        "컨트롤러 {0}은(는) 조종할 수 없습니다. 조종할 수 있는 것을 고르거나 조종을 빼세요.",
    "The controller {0} cannot be steered by {1}; it takes {2}.": "컨트롤러 {0}은(는) {1}(으)로 조종할 수 없고, {2}을(를) 받습니다.",
    "Line {0} of {1} does not fit in a drive: {2}": "{1}의 {0}번째 줄은 주행에 맞지 않습니다: {2}",
    "Line {0} of {1} is no JSON, {2}: it is not a drive, or damaged.":
        "{1}의 {0}번째 줄이 JSON이 아닙니다({2}). 주행 파일이 아니거나 손상되었습니다.",
    "Nothing was driven: the character stands where it began.": "주행한 것이 없습니다. 캐릭터가 시작한 자리에 있습니다.",
    "The drive cannot be written to {0}: {1}.": "주행을 {0}에 쓸 수 없습니다: {1}.",
    "There is no drive to be read in {0}: {1}.": "{0}에서 읽을 주행이 없습니다: {1}.",
    "{0} is no drive: its first line must say {{\"drive\": {1}, \"shot\": ...}}.":
        "{0}은(는) 주행 파일이 아닙니다. 첫 줄이 {{\"drive\": {1}, \"shot\": ...}}이어야 합니다.",
}
