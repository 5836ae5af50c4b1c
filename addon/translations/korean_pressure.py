# SPDX-License-Identifier: GPL-3.0-or-later
"""Korean: pressure under the feet, as the engine speaks of it."""

from __future__ import annotations

PRESSURE = {
    "A motion of {0} in {1} has {2}, and may have name, begin_s, end_s and quiet.":
        "{1}에 있는 {0}의 동작에 {2}이(가) 있습니다. 쓸 수 있는 것은 name, begin_s, end_s, quiet입니다.",
    "A motion of {0} in {1} has no {2}: it must have name, begin_s and end_s.":
        "{1}에 있는 {0}의 동작에 {2}이(가) 없습니다. name, begin_s, end_s가 있어야 합니다.",
    "A motion of {0} in {1} must have name, begin_s and end_s in braces; got {2}.":
        "{1}에 있는 {0}의 동작은 중괄호 안에 name, begin_s, end_s가 있어야 합니다. 받은 것: {2}.",
    "{0} must be a number [s], without quotes; got {1}.": "{0}은(는) 따옴표 없는 숫자[초]여야 합니다. 받은 것: {1}.",
    "quiet of the motion {0} of {1} in {2} must be true or false, without quotes; got {3}.":
        "{2}에 있는 {1}의 동작 {0}의 quiet는 따옴표 없는 true나 false여야 합니다. 받은 것: {3}.",
    "The list of motions has {0}, and the folder has no clip of that name: mend the name in the list, take it out there, or put "
    "the clip back.{1}":
        "동작 목록에 {0}이(가) 있는데 폴더에는 그런 이름의 클립이 없습니다. 목록의 이름을 고치거나 목록에서 빼거나 클립을 되돌려 "
        "놓으세요.{1}",
    "{0} has {1} columns where the names are {2}.": "{0}에 열이 {1}개인데 이름은 {2}개입니다.",
    "{0} has {1} in the column {2}, where a number is to be: write what the sensor told, or 0 where it told nothing.":
        "{0}의 열 {2}에 숫자가 있어야 하는데 {1}이(가) 있습니다. 센서가 알린 값을, 알린 것이 없으면 0을 쓰세요.",
    "{0} has {1} in the column {2}, and no pressure is below 0: take the offset of unloaded sensors out before.":
        "{0}의 열 {2}에 {1}이(가) 있는데 압력은 0보다 작을 수 없습니다. 먼저 하중이 없는 센서의 영점을 빼세요.",
    "{0} is no .npz file, or one that was cut short ({1} bytes): write it, or copy it, again.":
        "{0}은(는) .npz 파일이 아니거나 중간에 잘렸습니다({1}바이트). 다시 쓰거나 다시 복사하세요.",
    "{0} is a take, and no pressure: `lope pressure of` tells what it presses.":
        "{0}은(는) 압력이 아니라 테이크입니다. 테이크가 남기는 압력은 `lope pressure of`가 알려 줍니다.",
    "{0} is a take, and no database of pressure: that is made of a folder of clips.":
        "{0}은(는) 압력 데이터베이스가 아니라 테이크입니다. 데이터베이스는 클립 폴더로 만듭니다.",
    "{0} is pressure, and no database of it: that is made of a folder of clips.":
        "{0}은(는) 데이터베이스가 아니라 압력입니다. 데이터베이스는 클립 폴더로 만듭니다.",
    "The columns of {0} are divided by {1}: between them commas are expected, and points in numbers. Save it as CSV so.":
        "{0}의 열이 {1}(으)로 나뉘어 있습니다. 열 사이에는 쉼표, 소수에는 점이 있어야 합니다. 그렇게 CSV로 저장하세요.",
    "{0} has too few frames to be read.": "{0}은(는) 프레임이 너무 적어 읽을 수 없습니다.",
    "{0} has no frames: a line of column names is expected, then a line for every frame.":
        "{0}에 프레임이 없습니다. 열 이름 한 줄 다음에 프레임마다 한 줄이 있어야 합니다.",
    "{0} breaks off: no frame for {1} s before {2} s, and {3} s at most are bridged. Begin anew.":
        "{0}이(가) 끊겼습니다. {2}초 전 {1}초 동안 프레임이 없는데 {3}초까지만 이을 수 있습니다. 새로 시작하세요.",
    "The times of {0} do not go on: {1} s comes after {2} s.": "{0}의 시각이 이어지지 않습니다. {2}초 다음에 {1}초가 옵니다.",
    "The images of this stream were not kept, so no motion can be laid of them.":
        "이 스트림의 그림을 남기지 않아 동작을 놓을 수 없습니다.",
    "{0} is of insoles: as lines come, only a mat's are read, whose columns are p_ROW_COLUMN. Insoles are read from a file.":
        "{0}은(는) 깔창의 것인데, 들어오는 줄은 열이 p_ROW_COLUMN인 매트의 것만 읽습니다. 깔창은 파일에서 읽습니다.",
    "Frame {0} of {1} has {2} at row {3}, column {4}, all counted from 0: pressure is a number from 0 on. Take the offset of "
    "unloaded sensors out, and write 0 for what a sensor did not tell.":
        "{1}의 프레임 {0}, 행 {3}, 열 {4}(모두 0부터 셈)에 {2}이(가) 있습니다. 압력은 0 이상의 숫자입니다. 하중이 없는 센서의 "
        "영점을 빼고, 센서가 알리지 않은 값은 0으로 쓰세요.",
    "No frame of the pressure is marked as quiet stance: mark where the person only stands.":
        "조용히 선 자세로 표시된 압력 프레임이 없습니다. 사람이 서 있기만 하는 곳을 표시하세요.",
    "Nobody told what a count of {0} is in pascals: give its unit.": "{0}의 한 단계가 몇 파스칼인지 알 수 없습니다. 단위를 주세요.",
    "None of the {0} clips of {1} could be played: see why beside each.":
        "{1}의 클립 {0}개 가운데 재생할 수 있는 것이 없습니다. 각각의 이유를 보세요.",
    "Nothing was recognised in the pressure but quiet stance, and the database has none to show: record a motion that "
    "is in it, or "
    "index a clip of somebody who stands.":
        "압력에서 조용히 선 자세 말고는 알아본 것이 없고, 데이터베이스에는 보여 줄 선 자세가 없습니다. "
        "데이터베이스에 있는 동작을 기록하거나 서 있는 사람의 클립을 색인하세요.",
    "Pressure is images of rows and columns, one after the other: {0} has the shape {1}.":
        "압력은 행과 열로 된 그림이 이어진 것입니다. {0}의 모양은 {1}입니다.",
    "Pressure is written as .csv or .npz; got {0}.": "압력은 .csv나 .npz로 씁니다. 받은 것: {0}.",
    "Pressure of {0} frames is too short to tell quiet stance in: record two seconds at least.":
        "압력 프레임 {0}개는 조용히 선 자세를 가려내기에 너무 짧습니다. 적어도 2초를 기록하세요.",
    "The clip cannot be written to {0}: {1}.": "클립을 {0}에 쓸 수 없습니다: {1}.",
    "The column {0} of {1} is no cell: they are called p_ROW_COLUMN for a mat, left_ROW_COLUMN and right_ROW_COLUMN for insoles, "
    "counted from 0 at the heel and at the right.":
        "{1}의 열 {0}은(는) 칸이 아닙니다. 매트는 p_ROW_COLUMN, 깔창은 left_ROW_COLUMN과 right_ROW_COLUMN이고, "
        "뒤꿈치와 오른쪽에서 0부터 셉니다.",
    "The database cannot be written to {0}: {1}.": "데이터베이스를 {0}에 쓸 수 없습니다: {1}.",
    "The database {0} has no quiet stance, from which motions are told: mark a clip in which somebody only stands, or such a "
    "part of one, as `quiet` in its list of motions, and index again. The stillest: {1}.":
        "데이터베이스 {0}에 동작을 가려낼 조용히 선 자세가 없습니다. 서 있기만 하는 클립이나 클립의 그런 부분을 동작 목록에서 "
        "`quiet`로 표시하고 다시 색인하세요. 가장 조용한 것: {1}.",
    "The database {0} holds no motion but quiet stance: index clips with motions.":
        "데이터베이스 {0}에 조용히 선 자세 말고는 동작이 없습니다. 동작이 있는 클립을 색인하세요.",
    "The feet go over {0} m by {1} m in this take, too far for one mat: choose insoles, a mat of fewer cells, or a shorter shot.":
        "이 테이크에서 발이 {0} m에 {1} m를 다녀 매트 하나로는 모자랍니다. 깔창이나 칸이 더 적은 매트, 더 짧은 숏을 고르세요.",
    "The first column of {0} must be time_s [s]; it is {1}.": "{0}의 첫 열은 time_s [s]여야 하는데 {1}입니다.",
    "The list of motions cannot be written to {0}: {1}.": "동작 목록을 {0}에 쓸 수 없습니다: {1}.",
    "The motion {0} of {1} in {2} is to go from {3} s to {4} s: it must begin at 0 or later and end after that.":
        "{2}에 있는 {1}의 동작 {0}은(는) {3}초에서 {4}초까지라고 되어 있습니다. 0초나 그 뒤에 시작해 그보다 나중에 끝나야 합니다.",
    "The motion {0} of {1} is to go from {2} s to {3} s, and the clip has {4} s: mend its begin and end in the list of motions.":
        "{1}의 동작 {0}은(는) {2}초에서 {3}초까지인데 클립은 {4}초입니다. 동작 목록에서 시작과 끝을 고치세요.",
    "The pressure cannot be written to {0}: {1}.": "압력을 {0}에 쓸 수 없습니다: {1}.",
    "The times of {0} are not even: frame {1} comes {2} s after the one before, most {3} s.":
        "{0}의 시각이 고르지 않습니다. 프레임 {1}은(는) 앞 프레임보다 {2}초 뒤이고 대부분은 {3}초입니다.",
    "The unit of {0} must be one of {1}; got {2}.": "{0}의 단위는 {1} 중 하나여야 합니다. 받은 것: {2}.",
    "The {0} of {1} must lie between {2} and {3}; got {4}.": "{1}의 {0}은(는) {2}에서 {3} 사이여야 합니다. 받은 값: {4}.",
    "There is no database of pressure at {0}: make one of a folder of clips.":
        "{0}에 압력 데이터베이스가 없습니다. 클립 폴더로 만드세요.",
    "There is no pressure at {0}: name a .csv or .npz file, or a folder of pictures.":
        "{0}에 압력이 없습니다. .csv나 .npz 파일, 또는 그림 폴더를 고르세요.",
    "This body has no feet, so it leaves no pressure.": "이 몸에는 발이 없어 압력을 남기지 않습니다.",
    "This take lasts {0} s, too short for pressure at {1} frames a second.":
        "이 테이크는 {0}초로, 초당 {1}프레임의 압력에는 너무 짧습니다.",
    "{0} cannot be read as a picture: {1}.": "{0}을(를) 그림으로 읽을 수 없습니다: {1}.",
    "{0} cannot be read as text: {1}.": "{0}을(를) 글로 읽을 수 없습니다: {1}.",
    "{0} does not tell {1}: pitch_m [m] is how far apart cells are, rate_hz frames a second, unit what the numbers are.":
        "{0}에 {1}이(가) 없습니다. pitch_m [m]은 칸의 간격, rate_hz는 초당 프레임, unit은 수의 단위입니다.",
    "{0} has no array `head`: pressure in .npz has `head` and `images_mat`, or `images_L` and `images_R`.":
        "{0}에 배열 `head`가 없습니다. .npz 압력에는 `head`와 `images_mat`, 또는 `images_L`과 `images_R`이 있습니다.",
    "{0} has fewer than two frames ({1}): a line of column names is expected, then a line for every frame, two at least.":
        "{0}의 프레임이 둘보다 적습니다({1}). 열 이름 한 줄 다음에 프레임마다 한 줄씩, 적어도 두 줄이 있어야 합니다.",
    "{0} has no {1}, which tells rate_hz and pitch_m: no picture does.":
        "{0}에 rate_hz와 pitch_m을 알려 주는 {1}이(가) 없습니다. 그림만으로는 알 수 없습니다.",
    "{0} has {1} pictures ({2}): two at least are a sequence.": "{0}에 그림이 {1}장({2})입니다. 적어도 두 장이어야 합니다.",
    "{0} has {1} pixels, {2} {3}: all must be as large.": "{0}은(는) {1}픽셀, {2}은(는) {3}픽셀입니다. 모두 크기가 같아야 합니다.",
    "{0} is no JSON: {1}.": "{0}은(는) JSON이 아닙니다: {1}.",
    "{0} is no database of pressure, or it is damaged: {1}.": "{0}은(는) 압력 데이터베이스가 아니거나 손상되었습니다: {1}.",
    "{0} is no list of motions, or it is damaged: {1}.": "{0}은(는) 동작 목록이 아니거나 손상되었습니다: {1}.",
    "{0} is no pressure of Lope's, or it is damaged: {1}.": "{0}은(는) Lope의 압력이 아니거나 손상되었습니다: {1}.",
    "{0} is no pressure that Lope reads: a .csv or .npz file, or a folder of pictures ({1}).":
        "{0}은(는) Lope가 읽는 압력이 아닙니다. .csv나 .npz 파일, 또는 그림 폴더({1})여야 합니다.",
    "{0} is of a later Lope (database format {1}): update Lope.":
        "{0}은(는) 더 새로운 Lope의 것입니다(데이터베이스 형식 {1}). Lope를 업데이트하세요.",
    "{0} is of a later Lope (format {1} of the list of motions): update Lope.":
        "{0}은(는) 더 새로운 Lope의 것입니다(동작 목록 형식 {1}). Lope를 업데이트하세요.",
    "{0} is of a later Lope (pressure format {1}): update Lope.":
        "{0}은(는) 더 새로운 Lope의 것입니다(압력 형식 {1}). Lope를 업데이트하세요.",
    "{0} is too short for {1} frames a second.": "{0}은(는) 초당 {1}프레임에는 너무 짧습니다.",
    "{0} must be an object with rate_hz and pitch_m.": "{0}은(는) rate_hz와 pitch_m이 있는 객체여야 합니다.",
    "{0} must be of one of {1}; got {2}.": "{0}은(는) {1} 중 하나의 것이어야 합니다. 받은 것: {2}.",
    "{0} of {1} must be a number, or two with a comma between; got {2}.":
        "{1}의 {0}은(는) 숫자 하나이거나 쉼표로 나눈 둘이어야 합니다. 받은 것: {2}.",
    "Nothing was laid yet: a frame of pressure is laid as soon as the second after it is known.":
        "아직 놓은 동작이 없습니다. 압력 프레임은 그 뒤의 1초를 알게 되면 놓입니다.",
    "The database {0} has no quiet stance to go out from: index a clip of somebody who stands.":
        "데이터베이스 {0}에 출발점이 될 조용히 선 자세가 없습니다. 서 있는 사람의 클립을 색인하세요.",
    "{0} cannot be read while it is written: {1}.": "{0}은(는) 쓰는 동안 읽을 수 없습니다: {1}.",
    "{0} is of insoles, and live a mat is read, which tells where feet stand: Read Pressure reads insoles.":
        "{0}은(는) 깔창의 것인데 실시간으로는 발이 어디 서는지 알려 주는 매트를 읽습니다. 깔창은 압력 읽기가 읽습니다.",
    "{0} was begun anew while it was read: begin anew, too.": "{0}이(가) 읽는 동안 새로 시작되었습니다. 여기서도 새로 시작하세요.",
}
