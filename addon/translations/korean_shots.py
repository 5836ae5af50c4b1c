# SPDX-License-Identifier: GPL-3.0-or-later
"""Korean: what is said about shots, gaits, worlds, paths, jobs and takes. Holes are numbered as in the English sentence."""

from __future__ import annotations

SHOTS = {
    "A circle of radius 0 takes the radius of the gait, and this gait has none; give the path a radius in m, positive to the "
    "left.":
        "반지름이 0인 원은 걸음걸이의 반지름을 쓰는데 이 걸음걸이에는 없습니다. 경로에 m 단위 반지름을 주세요. 양수는 왼쪽입니다.",
    "A cycle needs {0} channels of an odd number of coefficients, got {1}.":
        "주기에는 계수가 홀수 개인 채널 {0}개가 있어야 하는데 {1}을(를) 받았습니다.",
    "A height field needs at least 2 rows and 2 columns of heights, got {0} x {1}.":
        "높이 격자는 적어도 2행 2열이어야 하는데 {0} x {1}을(를) 받았습니다.",
    "A mean needs at least one cycle.": "평균을 내려면 주기가 하나는 있어야 합니다.",
    "A path through points needs at least one point besides the start, got none.":
        "점을 지나는 경로에는 시작점 말고 점이 하나는 있어야 합니다.",
    "With these keys a shot that stops standing needs at least {0} s under this gravity, got {1} s: lengthen it, set its keys "
    "earlier, or let it end moving.":
        "이 키로는 서서 멈추는 샷이 이 중력에서 적어도 {0}초가 필요한데 {1}초입니다. 길이를 늘리거나 키를 앞당기거나 움직이며 끝나게 하세요.",
    "A shot that {0} standing needs at least {1} s under this gravity, got {2} s: lengthen it, or let it begin and end moving.":
        "선 채로 {0} 샷은 이 중력에서 적어도 {1}초가 필요한데 {2}초입니다. 길이를 늘리거나 움직이며 시작하고 끝나게 하세요.",
    "A speed of {0} m/s is outside what {1} can do under {2} m/s^2 with legs of {3} m: {4} to {5} m/s; {6}. Choose another speed "
    "or gait, or force it.":
        "속도 {0} m/s는 {2} m/s^2에서 다리 {3} m로 {1}에 가능한 범위 {4}~{5} m/s를 벗어납니다. {6}. 속도나 걸음걸이를 바꾸거나 아무 속도나 "
        "시도를 켜세요.",
    "Every row of a height field needs {0} heights; row {1} has {2}.": "높이 격자의 모든 행에는 높이가 {0}개 있어야 하는데 {1}행에는 {2}개입니다.",
    "Gravity changes in this shot, and this plan does not know of it: it is made for {0} m/s^2.":
        "이 샷에서는 중력이 바뀌지만 이 계획은 그것을 모릅니다. {0} m/s^2로 만들었습니다.",
    "This plan ends at {0} s: then the run slows down to stop, and in how many steps only the simulation knows.":
        "이 계획은 {0}초에서 끝납니다. 그때부터 달리기가 멈추려고 느려지며, 몇 걸음이 걸릴지는 시뮬레이션해야 압니다.",
    "This plan ends at {0} s: there the character falls.": "이 계획은 {0}초에서 끝납니다. 거기서 캐릭터가 넘어집니다.",
    "MuJoCo lost the simulation at {0} s (its state was not a number).":
        "MuJoCo가 {0}초에 시뮬레이션을 잃었습니다(상태가 수가 아닙니다).",
    "Nothing stands on a slope of {0} degrees with a friction of {1}: it must exceed the slope's tangent, {2}.":
        "{0}도 비탈에서는 마찰 {1}로 아무것도 서지 못합니다. 비탈의 탄젠트 {2}보다 커야 합니다.",
    "Only built-in gaits can be tuned; choose a preset under Gait.": "기본 제공 걸음걸이만 조정할 수 있습니다. 걸음걸이에서 프리셋을 고르세요.",
    "Skipping and hopping neither start from standing nor stop to it. Let this gait begin and end moving, or choose a walk, a "
    "run or a lope.":
        "스킵과 깡충 뛰기는 선 채로 시작하거나 멈추지 않습니다. 이 걸음걸이는 움직이며 시작하고 끝나게 하거나 걷기, 달리기, 로핑을 고르세요.",
    "Gaits with flight stop to standing up to {0} times Earth's gravity only, and this world has {1}: let this gait end moving, "
    "or choose a walk.":
        "공중에 뜨는 걸음걸이는 지구 중력의 {0}배까지만 선 채로 멈추는데 이 세계는 {1}배입니다. 이 걸음걸이는 움직이며 끝나게 하거나 걷기를 고르세요.",
    "Only walking gaits take the style's {0}: this gait leaves the ground. Set it back, or choose a walk.":
        "스타일의 {0}은(는) 걷는 걸음걸이에만 됩니다. 이 걸음걸이는 땅에서 떨어집니다. 되돌리거나 걷기를 고르세요.",
    "The checkpoint {0} belongs to another search: its shot, weights, population, step, seed or untuned cost differ. Give the "
    "same options, or leave out --resume to start anew.":
        "중간 기록 {0}은(는) 다른 탐색의 것입니다. 샷, 가중치, 개체 수, 보폭, 시드나 조정 전 비용이 다릅니다. 같은 옵션을 주거나 --resume 없이 "
        "새로 시작하세요.",
    "The checkpoint {0} cannot be read ({1}); delete it to start anew.":
        "중간 기록 {0}을(를) 읽을 수 없습니다({1}). 지우고 새로 시작하세요.",
    "There is no norm file at {0}; say with --norms where the folder gait_norms is.":
        "{0}에 표준 파일이 없습니다. --norms로 gait_norms 폴더를 알려 주세요.",
    "This take has fewer than {0} whole strides; simulate for longer.":
        "이 테이크에는 온전한 보행 주기가 {0}개도 없습니다. 더 길게 시뮬레이션하세요.",
    "Tuning needs the package cma, which is not installed: pip install 'lope[tune]'.":
        "조정에는 cma 패키지가 필요한데 설치되어 있지 않습니다: pip install 'lope[tune]'.",
    "A footprint's number must be a whole number between 1 and {0}, got {1}: 1 is the first foot to land; the one the shot "
    "starts on cannot be moved.":
        "발자국 번호는 1과 {0} 사이의 정수여야 하는데 {1}을(를) 받았습니다. 1은 처음 닿는 발이며 샷이 시작하는 발은 옮길 수 없습니다.",
    "Footprint {0} cannot be at {1}, {2}: {3}. {4}": "발자국 {0}은(는) {1}, {2}에 둘 수 없습니다: {3}. {4}",
    "Footprint {0} cannot face {1} degrees: on its way there it can face from {2} to {3} degrees.":
        "발자국 {0}은(는) {1}도를 향할 수 없습니다. 그리로 가는 길에는 {2}~{3}도까지 됩니다.",
    "Footprint {0} is locked twice: keep one of the two.": "발자국 {0}이(가) 두 번 잠겼습니다. 하나만 남기세요.",
    "Footprints can be locked only in a shot that begins and ends moving: let it, or reset the footprints.":
        "움직이며 시작하고 끝나는 샷에서만 발자국을 잠글 수 있습니다. 그렇게 하거나 발자국을 되돌리세요.",
    "Footprints can be locked only where gravity stays the same: take the change out, or reset the footprints.":
        "중력이 그대로인 곳에서만 발자국을 잠글 수 있습니다. 중력 변화를 빼거나 발자국을 되돌리세요.",
    "Only walking gaits take locked footprints: this gait leaves the ground. Reset the footprints, or choose a walk.":
        "걷는 걸음걸이만 발자국을 잠글 수 있습니다. 이 걸음걸이는 땅에서 떨어집니다. 발자국을 되돌리거나 걷기를 고르세요.",
    "The plan has footprints 1 to {0} that can be locked, got {1}; the foot on which the shot starts cannot be moved.":
        "계획에서 잠글 수 있는 발자국은 1~{0}인데 {1}을(를) 받았습니다. 샷이 시작하는 발은 옮길 수 없습니다.",
    "All points of the path lie within {0} m of the origin, where the path starts; give it one that is further away.":
        "경로의 모든 점이 시작점에서 {0} m 안에 있습니다. 더 먼 점을 주세요.",
    "This path has no end: a straight line and a circle go on. Give the shot a duration, or choose a path through points.":
        "이 경로에는 끝이 없습니다. 직선과 원은 계속됩니다. 샷의 길이를 정하거나 점을 지나는 경로를 고르세요.",
    "This path takes {0} s, and a shot has at most {1} s: make it shorter.":
        "이 경로는 {0}초가 걸리는데 샷은 길어야 {1}초입니다. 경로를 줄이세요.",
    "The controller {0} follows no path: give the shot a duration of its own.":
        "컨트롤러 {0}은(는) 경로를 따라가지 않습니다. 샷의 길이를 정하세요.",
    "PyBullet has no room for another simulation; close other engines of this process first.":
        "PyBullet에 시뮬레이션을 더 넣을 자리가 없습니다. 이 프로세스의 다른 엔진을 먼저 닫으세요.",
    "PyBullet is not installed in this Python {0}. It is built for Linux x86-64 with Python 3.11 only: there `pip install "
    "pybullet==3.2.7` adds it; elsewhere choose the engine mujoco.":
        "이 파이썬 {0}에 PyBullet이 없습니다. 리눅스 x86-64와 파이썬 3.11용으로만 나옵니다. 거기서는 `pip install pybullet==3.2.7`로 "
        "설치하고, 다른 곳에서는 mujoco 엔진을 고르세요.",
    "PyBullet lost the simulation at {0} s (its state was not a number).":
        "PyBullet이 {0}초에 시뮬레이션을 잃었습니다(상태가 수가 아닙니다).",
    "The ideal engine lost the motion at {0} s (its state was not a number).":
        "이상적 엔진이 {0}초에 동작을 잃었습니다(상태가 수가 아닙니다).",
    "This Blender file holds no actions.": "이 블렌더 파일에는 액션이 없습니다.",
    "The action {0} is {1} frames long; expected {2} to {3}.": "액션 {0}은(는) {1}프레임 길이입니다. {2}~{3}프레임이어야 합니다.",
    "The body has no segment {0}; it has {1}.": "몸에 {0} 부분이 없습니다. 있는 것: {1}.",
    "The curve {0} has no Bézier or poly spline to walk along; set its spline type to Bézier.":
        "커브 {0}에 따라 걸을 베지어나 폴리 스플라인이 없습니다. 스플라인 유형을 베지어로 바꾸세요.",
    "The curve {0} is only {1} m long; make it longer, or choose another path.":
        "커브 {0}의 길이가 {1} m뿐입니다. 더 길게 하거나 다른 경로를 고르세요.",
    "The cycle {0} holds coefficients that are not finite.": "주기 {0}에 유한하지 않은 계수가 있습니다.",
    "The events cannot be written to {0}: {1}.": "이벤트를 {0}에 쓸 수 없습니다: {1}.",
    "The gait cannot be written to {0}: {1}.": "걸음걸이를 {0}에 쓸 수 없습니다: {1}.",
    "The gravity of {0} cannot be set to {1} g; for any other gravity use a custom world.":
        "{0}의 중력은 {1} g로 정할 수 없습니다. 다른 중력은 사용자 지정 세계를 쓰세요.",
    "The gravity of {0} is set as {1}:FRACTION of Earth's, such as {2}:0.3; got {3}.":
        "{0}의 중력은 {1}:비율(지구의 몇 배)로 정합니다. 예: {2}:0.3. 받은 값: {3}.",
    "The ground has no mesh; choose a mesh object, or another ground.": "지면에 메쉬가 없습니다. 메쉬 오브젝트나 다른 지면을 고르세요.",
    "The mesh {0} does not lie under the way of the character; move it there, or choose another ground.":
        "메쉬 {0}이(가) 캐릭터가 가는 길 아래에 있지 않습니다. 옮기거나 다른 지면을 고르세요.",
    "The path ends where the character stands; move its last point away.":
        "경로가 캐릭터가 선 곳에서 끝납니다. 마지막 점을 옮기세요.",
    "The path has a turn of a radius of {0} m, and this gait needs {1} m: it goes no slower than {2} m/s here. Walk it, or widen "
    "the path.":
        "경로에 반지름 {0} m의 굽이가 있는데 이 걸음걸이에는 {1} m가 필요합니다. 여기서는 {2} m/s보다 느리게 갈 수 없습니다. 걷거나 경로를 "
        "넓히세요.",
    "The path has no curve; choose a curve object, or another path.": "경로에 커브가 없습니다. 커브 오브젝트나 다른 경로를 고르세요.",
    "The path has no targets; add objects to its list, or choose another path.":
        "경로에 목표가 없습니다. 목록에 오브젝트를 추가하거나 다른 경로를 고르세요.",
    "The push at frame {0} comes before the shot's first frame, {1}; give it a later frame.":
        "프레임 {0}의 밀기가 샷의 첫 프레임 {1}보다 앞섭니다. 더 뒤 프레임을 주세요.",
    "The push at {0} s lasts {1} s and ends after the shot, which is {2} s long: shorten the push or lengthen the shot.":
        "{0}초의 밀기가 {1}초 이어져 {2}초짜리 샷보다 늦게 끝납니다. 밀기를 줄이거나 샷을 늘리세요.",
    "The shot stored in the action {0} cannot be read: {1}.": "액션 {0}에 저장된 샷을 읽을 수 없습니다: {1}.",
    "The table cannot be written to {0}: {1}.": "표를 {0}에 쓸 수 없습니다: {1}.",
    "The take cannot be written to {0}: {1}.": "테이크를 {0}에 쓸 수 없습니다: {1}.",
    "The tuning result cannot be written to {0}: {1}.": "조정 결과를 {0}에 쓸 수 없습니다: {1}.",
    "The worker cannot be started: {0}.": "작업 프로세스를 시작할 수 없습니다: {0}.",
    "Planning failed: {0}. This is a fault in Lope; please report it.": "계획에 실패했습니다: {0}. Lope의 잘못이니 알려 주세요.",
    "The controller {0} plans nothing ahead; simulate to see what it does.":
        "컨트롤러 {0}은(는) 미리 계획하지 않습니다. 시뮬레이션해서 확인하세요.",
    "The worker failed: {0}. This is a fault in Lope; please report it.": "작업 프로세스가 실패했습니다: {0}. Lope의 잘못이니 알려 주세요.",
    "The worker said something that is no message: {0}.": "작업 프로세스가 메시지가 아닌 것을 보냈습니다: {0}.",
    "The simulation's process ended by itself ({0}) before it had a result; simulate again, and free some memory if it happens "
    "again.":
        "시뮬레이션 프로세스가 결과를 내기 전에 스스로 끝났습니다({0}). 다시 시뮬레이션하고, 또 그러면 메모리를 비우세요.",
    "The {0} by {1} m at once, which is higher than the character's knee at {2} m: make the steps lower or the character taller.":
        "{0}. 한 번에 {1} m로 캐릭터의 무릎 높이 {2} m보다 높습니다. 단을 낮추거나 캐릭터를 키우세요.",
    "The {0} foot of this cycle never comes down to the ground.": "이 주기에서는 {0} 발이 땅에 닿지 않습니다.",
    "There is no action to take the style from; choose one under Gait, or choose a preset.":
        "스타일을 가져올 액션이 없습니다. 걸음걸이에서 액션이나 프리셋을 고르세요.",
    "There is no motion file; choose a BVH clip or a gait's JSON file under Gait, or a preset.":
        "동작 파일이 없습니다. 걸음걸이에서 BVH 클립이나 걸음걸이 JSON 파일, 또는 프리셋을 고르세요.",
    "There is no take at {0}.": "{0}에 테이크가 없습니다.",
    "There is no file {0}: give the file of a {1}, or one of {2}.":
        "파일 {0}이(가) 없습니다. {1} 파일이나 다음 중 하나를 주세요: {2}.",
    "There is no {0} named {1}.{2} Known: {3}.": "이름이 {1}인 {0}이(가) 없습니다.{2} 아는 것: {3}.",
    "This Blender's Python has no package {0}, which Lope's zip brings for Blender 4.5 and 5.2; install the zip made for this "
    "platform.":
        "이 블렌더의 파이썬에 {0} 패키지가 없습니다. Lope의 zip이 블렌더 4.5와 5.2용으로 담고 있으니 이 플랫폼용 zip을 설치하세요.",
    "Blender's own Python was not found in {0}; reinstall Blender.": "{0}에서 블렌더의 파이썬을 찾지 못했습니다. 블렌더를 다시 설치하세요.",
    "This take lacks the arrays {0}.": "이 테이크에 배열 {0}이(가) 없습니다.",
    "Tuning was ended before anything was tried; the gait stays as it was.":
        "아무것도 시도하기 전에 조정이 끝났습니다. 걸음걸이는 그대로입니다.",
    "{0} is not a Lope take, or it is damaged: {1}.": "{0}은(는) Lope 테이크가 아니거나 손상되었습니다: {1}.",
    "{0} must be {1} x {2} numbers, got the shape {3}.": "{0}은(는) {1} x {2}개의 수여야 하는데 모양이 {3}입니다.",
    "{0} must be {1} x {2} numbers: {3}.": "{0}은(는) {1} x {2}개의 수여야 합니다: {3}.",
    "{0} must hold numbers within +-{1} leg lengths, got {2}.": "{0}에는 다리 길이의 ±{1}배 안의 수만 올 수 있는데 {2}을(를) 받았습니다.",
    "{0} must lie between {1} and {2} {3}, got {4}.": "{0}은(는) {1}~{2} {3}이어야 하는데 {4}을(를) 받았습니다.",
    "The bone map {0} cannot be used: {1}": "본 맵 {0}을(를) 쓸 수 없습니다: {1}",
    "The speed range file {0} must hold at least one row.": "속도 범위 파일 {0}에는 행이 하나는 있어야 합니다.",
    "The {0} {1} calls itself {2}; its name must be its file's name.": "{0} {1}의 이름이 {2}입니다. 파일 이름과 같아야 합니다.",
    "The {0} {1} is no JSON: it is cut short or mistyped at line {2}, column {3}. Mend it there, or save it again.":
        "{0} {1}은(는) JSON이 아닙니다. {2}번째 줄 {3}번째 칸에서 끊겼거나 잘못 적혔습니다. 그곳을 고치거나 다시 저장하세요.",
    "The {0} {1} cannot be read: {2}.": "{0} {1}을(를) 읽을 수 없습니다: {2}.",
    "The {0} {1} cannot be used: {2}": "{0} {1}을(를) 쓸 수 없습니다: {2}",
    "The {0} {1} has format {2}; this Lope reads up to {3}. Update Lope.":
        "{0} {1}의 형식은 {2}인데 이 Lope는 {3}까지만 읽습니다. Lope를 업데이트하세요.",
    "{0} cannot be the name of a {1}: a name holds no path.": "{0}은(는) {1}의 이름이 될 수 없습니다. 이름에는 경로가 들어가지 않습니다.",
    "{0} cannot be used: {1}": "{0}을(를) 쓸 수 없습니다: {1}",
    "{0} must be true or false, got {1}.": "{0}은(는) 참이나 거짓이어야 하는데 {1}을(를) 받았습니다.",
    "{0} must be text, got {1}.": "{0}은(는) 글이어야 하는데 {1}을(를) 받았습니다.",
    "{0} must be a whole number of {1} or more, got {2}.": "{0}은(는) {1} 이상의 정수여야 하는데 {2}을(를) 받았습니다.",
    "{0} must be a list, got {1}.": "{0}은(는) 목록이어야 하는데 {1}을(를) 받았습니다.",
    "{0} must be a list of {1} values, got {2}.": "{0}은(는) 값 {1}개의 목록이어야 하는데 {2}개를 받았습니다.",
    "{0} must be a table of names and values, got {1}.": "{0}은(는) 이름과 값의 표여야 하는데 {1}을(를) 받았습니다.",
    "{0} must be a {1}, got {2}.": "{0}은(는) {1}이어야 하는데 {2}을(를) 받았습니다.",
    "The {0}s must be a table of names and values, got {1}.": "{0} 항목은 이름과 값의 표여야 하는데 {1}을(를) 받았습니다.",
    "The {0}s lack {1}.": "{0} 항목에 {1}이(가) 없습니다.",
    "{0} must be a number in {1}, got {2}.": "{0}은(는) {1} 단위 수여야 하는데 {2}을(를) 받았습니다.",
    "{0} was written by Lope {1} (take format {2}); this is Lope {3}, which reads up to format {4}. Update Lope.":
        "{0}은(는) Lope {1}(테이크 형식 {2})이 썼습니다. 이 Lope {3}은(는) 형식 {4}까지만 읽습니다. Lope를 업데이트하세요.",
    "A setting is written GROUP.NAME=VALUE, such as walk.clearance_m=0.02; got {0}.":
        "설정은 walk.clearance_m=0.02처럼 GROUP.NAME=VALUE로 씁니다. {0}을(를) 받았습니다.",
    "{0} is not a file of gains that this Lope reads: {1}. Make one with lope tune --gains.":
    "{0}은(는) 이 Lope가 읽는 게인 파일이 아닙니다: {1}. lope tune --gains로 만드세요.",
    "A task was expected, got {0}.": "작업이 와야 하는데 {0}을(를) 받았습니다.",
    "This take has no whole stride.": "이 테이크에는 온전한 한 주기가 없습니다.",
}
