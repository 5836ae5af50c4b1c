# SPDX-License-Identifier: GPL-3.0-or-later
"""Korean: motion from pressure as the panel shows it, and what is said of what it is read from."""

from __future__ import annotations

PRESSURE_SAID = {
    "reading the pressure": "압력을 읽는 중", "laying the motion": "동작을 놓는 중", "{0} of {1} clips, {2}": "클립 {1}개 중 {0}개, {2}",
    "A database tells which motion pressure is of, and {0} is none: leave the database out, or follow pressure (.csv, .npz or a "
    "folder of pictures).":
        "데이터베이스는 압력이 어느 동작의 것인지 알려 주는데 {0}은(는) 압력이 아닙니다. 데이터베이스를 빼거나 압력(.csv, .npz 또는 그림 폴더)을 "
        "따라가세요.",
    "{0} is a folder: a clip is a BVH file, and a folder of pressure pictures is followed with the database of the "
    "motions that it "
    "is read by.":
        "{0}은(는) 폴더입니다. 클립은 BVH 파일이고, 압력 그림 폴더는 그것을 읽는 동작 데이터베이스와 함께 따라갑니다.",
    "{0} is pressure, or no clip: name the database of the motions that it is read by, which `lope pressure index` makes.":
        "{0}은(는) 압력이거나 클립이 아닙니다. 그것을 읽는 동작 데이터베이스를 주세요. `lope pressure index`가 만듭니다.",
    "A line of {0} begins with {1} where a time [s] is to be.": "{0}에 시각[초]이 있어야 할 곳에 {1}(으)로 시작하는 줄이 있습니다.",
    "A motion of {0} has no name: give it one in the list of motions.": "{0}의 동작 하나에 이름이 없습니다. 동작 목록에서 이름을 주세요.",
    "Nobody stands on the {0} in {1}: all of its cells are 0.": "{1}의 {0} 위에 아무도 서 있지 않습니다. 모든 칸이 0입니다.",
    "The insoles of {0} reach more than {1} m inwards of the ankle: their origin is to be from under the ankle, ahead "
    "and to the left.":
        "{0}의 깔창이 발목에서 안쪽으로 {1} m 넘게 나갑니다. 원점은 발목 아래에서 앞과 왼쪽으로 주어야 합니다.",
    "The two insoles of {0} differ in their {1}: {2} left, {3} right.": "{0}의 두 깔창은 {1}이(가) 다릅니다. 왼쪽 {2}, 오른쪽 {3}.",
    "{0} is of one insole: motions are recognised from both, or from a mat.":
        "{0}은(는) 깔창 하나의 것입니다. 동작은 둘 다 있거나 매트여야 알아봅니다.",
    "None of the clips of the list is in {0}: choose the folder that the database was made of.":
        "목록의 클립이 {0}에 하나도 없습니다. 데이터베이스를 만든 폴더를 고르세요.",
    "Nothing but quiet stance was recognised in {0}: record a motion that the database {1} knows, the person looking the way the "
    "mat does, or index clips of what was done.":
        "{0}에서 조용히 선 자세 말고는 알아본 것이 없습니다. 사람이 매트와 같은 쪽을 보고 데이터베이스 {1}이(가) 아는 동작을 기록하거나, "
        "한 동작의 클립을 색인하세요.",
    "What was done in {0} is like none of the motions of the database {1}: index clips of it, done as it was there.":
        "{0}에서 한 동작은 데이터베이스 {1}의 어느 동작과도 닮지 않았습니다. 거기서 한 대로 한 클립을 색인하세요.",
    "Pressure is read with a database of motions: choose both under Motion from Pressure.":
        "압력은 동작 데이터베이스로 읽습니다. 압력에서 동작에서 둘 다 고르세요.",
    "The folder of clips {0} is not there: choose it again.": "클립 폴더 {0}이(가) 없습니다. 다시 고르세요.",
    "The folder {0} holds no clips: BVH files are expected. Import others in Blender, and export them as BVH.":
        "폴더 {0}에 클립이 없습니다. BVH 파일이 필요합니다. 다른 것은 블렌더로 가져와 BVH로 내보내세요.",
    "The list of motions {0} has been changed since it was read here: read it again, and change here what is still to "
    "be changed.":
        "동작 목록 {0}이(가) 여기서 읽은 뒤에 바뀌었습니다. 다시 읽고, 아직 바꿀 것을 여기서 바꾸세요.",
    "The motion {0} lasts {1} s: only one of {2} s or more is split.": "동작 {0}은(는) {1}초입니다. {2}초 이상인 것만 나눕니다.",
    "The motion {0} of {1} is to go from {2} s to {3} s: it must end after it begins.":
        "{1}의 동작 {0}은(는) {2}초에서 {3}초까지라고 되어 있습니다. 시작한 뒤에 끝나야 합니다.",
    "The times of {0} do not go on: {1} s, {2} s, and {3} s at its end.":
        "{0}의 시각이 이어지지 않습니다. {1}초, {2}초, 끝은 {3}초입니다.",
    "There is no list of motions at {0}: Index a Folder makes one beside its database.":
        "{0}에 동작 목록이 없습니다. 폴더 색인이 데이터베이스 옆에 만듭니다.",
    "{0} has {1} frames a second: motions are recognised from {2} or more.":
        "{0}은(는) 초당 {1}프레임입니다. 동작은 {2}프레임부터 알아봅니다.",
    "{0} is no database of pressure, and would be overwritten: rename it, or rename the folder.":
        "{0}은(는) 압력 데이터베이스가 아닌데 덮어쓰게 됩니다. 이 파일이나 폴더의 이름을 바꾸세요.",
    "{0} is of a former Lope, which knew motions by other numbers: index its clips again.":
        "{0}은(는) 동작을 다른 수로 알아보던 예전 Lope의 것입니다. 클립을 다시 색인하세요.",
    "{0} is read by Pillow, which is not installed here: save the pictures as PNG, or use CSV.":
        "{0}은(는) Pillow로 읽는데 여기에는 없습니다. 그림을 PNG로 저장하거나 CSV를 쓰세요.",
    "{0} lasts {1} s: motions are recognised in {2} s or more.": "{0}은(는) {1}초입니다. 동작은 {2}초 이상에서 알아봅니다.",
}
PRESSURE_WORDS = {
    "Motion from Pressure": "압력에서 동작", "Pressure": "압력", "Database": "데이터베이스", "Physical": "물리적", "Clips": "클립",
    "Motions": "동작", "Motions of the Database": "데이터베이스의 동작", "Active Motion": "활성 동작", "Found Motions": "찾은 동작",
    "Folder": "폴더", "Licence": "라이선스", "Begin (s)": "시작 (초)", "End (s)": "끝 (초)", "Quiet Stance": "조용히 선 자세",
    "Read Pressure": "압력 읽기", "Index a Folder": "폴더 색인", "Index Again": "다시 색인", "Index Clips": "클립 색인",
    "Read the List Again": "목록 다시 읽기", "Split Motion": "동작 나누기", "stands": "서 있음",
    "What a mat under the feet tells of a motion, and motions made of it": "발밑의 매트가 동작에 대해 알려 주는 것, 그것으로 만든 동작",
    "What a mat has felt: CSV, NPZ, or any of a folder of pictures": "매트가 느낀 것입니다. CSV, NPZ, 또는 그림 폴더의 아무 그림",
    "The motions that are known by their pressure (NPZ); Index a Folder makes one of your clips":
        "압력으로 알아보는 동작들입니다(NPZ). 폴더 색인이 내 클립으로 만듭니다",
    "Simulate the character as it follows the motion in the World above, in place of laying the motion as it is; it "
    "may fall there":
        "동작을 그대로 놓지 않고, 위의 세계에서 캐릭터가 그것을 따라가는 것을 시뮬레이션합니다. 넘어질 수도 있습니다",
    "The folder whose clips the database is made of": "데이터베이스를 만드는 클립이 있는 폴더입니다",
    "The motions of the database's clips; what is changed here counts from Index Again on":
        "데이터베이스 클립들의 동작입니다. 여기서 바꾼 것은 다시 색인한 뒤부터 적용됩니다",
    "The motions of a database of pressure": "압력 데이터베이스의 동작",
    "The motion chosen in the list": "목록에서 고른 동작", "What the last take was read as, as JSON": "마지막 테이크에서 읽은 것, JSON",
    "File of the clip that the motion is of": "동작이 있는 클립 파일입니다",
    "What the motion is called; those of one name are one kind of motion": "동작의 이름입니다. 이름이 같은 것은 한 종류의 동작입니다",
    "Where in the clip the motion begins": "클립에서 동작이 시작하는 곳입니다",
    "Where in the clip it ends": "클립에서 끝나는 곳입니다",
    "Nothing happens in it: it tells how somebody stands, and is no motion": "아무 일도 없습니다. 어떻게 서는지를 알려 줄 뿐 동작이 아닙니다",
    "Find in the background which motions the pressure is of, and bake them on this armature as a new action":
        "압력이 어느 동작의 것인지 백그라운드에서 찾아 이 아마튜어에 새 액션으로 굽습니다",
    "Make a database of a folder of clips (BVH) in the background: each is simulated once, and the pressure under it recorded":
        "클립 폴더(BVH)로 백그라운드에서 데이터베이스를 만듭니다. 하나씩 한 번 시뮬레이션해 그 압력을 기록합니다",
    "Make the database anew from its clips, in the background, with the motions as the list has them":
        "목록에 있는 동작대로 클립에서 데이터베이스를 백그라운드에서 새로 만듭니다",
    "Read the list of motions beside the database once more; what was changed here since Index Again is gone":
        "데이터베이스 옆의 동작 목록을 다시 읽습니다. 다시 색인한 뒤 여기서 바꾼 것은 없어집니다",
    "Split the chosen motion in the middle, where two were taken for one; then set where the first ends":
        "둘을 하나로 본 곳에서, 고른 동작을 가운데에서 나눕니다. 그다음 첫째가 끝나는 곳을 정하세요",
    "The folder of clips; the database is written into it": "클립 폴더입니다. 데이터베이스를 그 안에 씁니다",
    "Under which licence the clips are; the database keeps it": "클립의 라이선스입니다. 데이터베이스에 남습니다",
    "Choose a file of pressure first": "먼저 압력 파일을 고르세요",
    "Choose a database first, or index a folder of clips": "먼저 데이터베이스를 고르거나 클립 폴더를 색인하세요",
    "Choose the folder of its clips first": "먼저 클립 폴더를 고르세요",
    "Pressure is read as a person's motion, and this is a creature": "압력은 사람의 동작으로 읽는데 이것은 생물입니다",
    "Index a Folder makes a database of clips of yours": "폴더 색인이 내 클립으로 데이터베이스를 만듭니다",
    "A mat of {rows} x {columns} cells, {rate:g} Hz, {seconds:.1f} s": "매트 {rows} x {columns}칸, {rate:g} Hz, {seconds:.1f}초",
    "Insoles of {rows} x {columns} cells, {rate:g} Hz, {seconds:.1f} s": "깔창 {rows} x {columns}칸, {rate:g} Hz, {seconds:.1f}초",
    "It has no quiet stance, and needs one: mark a part in which somebody only stands, under Motions of the Database, and "
    "index again":
        "조용히 선 자세가 없는데 있어야 합니다. 데이터베이스의 동작에서 서 있기만 하는 부분을 그렇게 표시하고 다시 색인하세요",
    "No clip is quiet stance, and one is needed: mark one of somebody who only stands, or such a part of one, and index again. "
    "The stillest: {clips}":
        "조용히 선 자세인 클립이 없는데 있어야 합니다. 서 있기만 하는 것이나 그런 부분을 그렇게 표시하고 다시 색인하세요. 가장 "
        "조용한 것: {clips}",
    "{count} motions: {names}": "동작 {count}개: {names}", "{names} and {count} more": "{names} 외 {count}개",
    "like none of these": "닮은 동작 없음", "or {motion}": "또는 {motion}",
    "? Doubtful: little like the motion, as like another, or a pace nobody goes at":
        "? 의심스러움: 동작과 덜 닮았거나, 다른 동작과도 그만큼 닮았거나, 아무도 내지 않는 빠르기",
    "Found: {count}": "찾음: {count}", "{begin:.1f} to {end:.1f} s": "{begin:.1f}~{end:.1f}초",
    "{time:.1f} s read from pressure: {names}": "압력에서 {time:.1f}초를 읽음: {names}",
    "{motions} motions of {clips} clips are in the database {name}": "클립 {clips}개의 동작 {motions}개가 데이터베이스 {name}에 있습니다",
    "Left out: {clip}: {reason}": "빠짐: {clip}: {reason}",
    "The list is changed: Index Again makes the database so": "목록이 바뀌었습니다. 다시 색인하면 데이터베이스가 그렇게 됩니다",
    "{seconds:.2f} s of {clip}, which has {count} in all; {alike} of this name":
        "{clip}의 {seconds:.2f}초. 이 클립에 모두 {count}개, 같은 이름 {alike}개",
}
