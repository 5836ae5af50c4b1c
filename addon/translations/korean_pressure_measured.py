# SPDX-License-Identifier: GPL-3.0-or-later
"""Korean: pressure that was measured, beside a clip too, and what no mat can have measured."""

from __future__ import annotations

PRESSURE_MEASURED = {
    "A mat of {0} by {1} cells of {2} mm is too small for this take: {3} of what presses is beside it. Take {4} by {5} cells, "
    "larger ones, or insoles.":
        "{2} mm 칸이 {0} x {1}개인 매트는 이 테이크에 너무 작습니다. 누르는 힘의 {3}이(가) 매트 밖에 있습니다. {4} x {5}칸이나 "
        "더 큰 칸, 또는 깔창을 쓰세요.",
    "{0} bears {1}, which is nobody's weight: a person's is {2} to {3} N. Is the unit, {4}, right, and the pitch, {5} mm?":
        "{0}에 걸린 힘 {1}은(는) 누구의 무게도 아닙니다. 사람의 무게는 {2}~{3} N입니다. 단위 {4}와(과) 칸 간격 {5} mm가 맞습니까?",
    "{0} N in the mean": "평균 {0} N", "{0} N at most": "최대 {0} N",
    "{0} has the column {1} twice: a cell has one column. Take one of them out.":
        "{0}에 열 {1}이(가) 두 번 있습니다. 칸마다 열은 하나입니다. 하나를 빼세요.",
    "{0} lacks {1} of the columns of its mat of {2} rows by {3} columns, the first {4}: each cell has one, in which 0 stands "
    "where no sensor is.":
        "{0}에 행 {2}개, 열 {3}개인 매트의 열 {1}개가 없습니다. 첫째는 {4}입니다. 칸마다 열이 있어야 하고 센서가 없으면 0을 씁니다.",
    "Beside {0} lie {1} and {2}: leave the pressure that was measured with it, and take the other one away.":
        "{0} 옆에 {1}와(과) {2}이(가) 있습니다. 함께 잰 압력만 남기고 다른 하나는 치우세요.",
    "Feet and centre of pressure on the mat of {0} are {1} cm off those of its clip (median), and may be {2}: is it of that "
    "clip, and does it begin {3} s into it?":
        "{0}의 매트에 있는 발과 압력 중심이 클립의 것에서 {1} cm 벗어나 있고(중앙값) {2} cm까지 허용됩니다. 그 클립의 압력이 "
        "맞고, 클립의 {3}초에서 시작합니까?",
    "No two frames of {0} and of its clip have a foot wholly down in both: nobody can tell how the mat lay.":
        "{0}와(과) 그 클립 모두에서 발이 완전히 닿은 프레임이 두 개도 없어 매트가 어떻게 놓였는지 알 수 없습니다.",
    "Nobody can tell when in its clip {0} begins: at the best time, {1} s, its force and that of the clip's motion have a "
    "correlation of {2}, under {3}. Say it (`# start_s`, or `starts_s` in the list of motions), or see whether it is of that "
    "clip.":
        "{0}이(가) 클립의 언제 시작하는지 알 수 없습니다. 가장 잘 맞는 {1}초에서도 힘과 클립 동작의 힘 사이 상관이 {2}로 {3}보다 "
        "작습니다. `# start_s`나 동작 목록의 `starts_s`로 알려 주거나, 그 클립의 압력이 맞는지 확인하세요.",
    "start_s of {0} must be a number [s], when in the clip its first frame is: {1}.":
        "{0}의 start_s는 첫 프레임이 클립의 몇 초인지 나타내는 숫자여야 합니다: {1}.",
    "{0} and its clip have less than {1} s in common: it lasts {2} s, the clip {3} s. Record both at once.":
        "{0}와(과) 그 클립이 겹치는 시간이 {1}초도 안 됩니다. 압력은 {2}초, 클립은 {3}초입니다. 둘을 함께 기록하세요.",
    "{0} has {1} frames a second: a database is made of {2} or more.":
        "{0}은(는) 초당 {1}프레임입니다. 데이터베이스는 {2} 이상으로 만듭니다.",
    "{0} is of insoles, which do not tell where a foot stands: beside a clip lies what a mat measured.":
        "{0}은(는) 깔창의 것이라 발이 어디에 있는지 알 수 없습니다. 클립 옆에는 매트가 잰 압력이 있어야 합니다.",
    "{0} is to begin at {1} s of its clip, which lasts {2} s, and lasts {3} s: they have no time in common.":
        "{0}은(는) {2}초짜리 클립의 {1}초에 시작해 {3}초 동안이라고 되어 있어 겹치는 시간이 없습니다.",
}
