# SPDX-License-Identifier: GPL-3.0-or-later
"""Korean: style sliders and footprints, as the panel shows them and as the engine speaks of them."""

from __future__ import annotations

STYLE = {
    "Style": "스타일", "Reset Style": "스타일 초기화",
    "Set every slider of the style back to the gait's own": "스타일 슬라이더를 모두 걸음걸이 본래 값으로 되돌립니다",
    "Arm Swing": "팔 흔들기", "Swing of the arms over the gait's own: 0 lets them hang, 2 marches":
        "걸음걸이 본래의 팔 흔들기에 대한 배수. 0이면 늘어뜨리고 2면 행진하듯 흔듭니다",
    "Trunk Lean (°)": "몸통 기울기 (°)",
    "Bends the trunk forward, negative back; head and arms stay upright and the feet find the new balance":
        "몸통을 앞으로 굽힙니다. 음수는 뒤입니다. 머리와 팔은 그대로 서 있고 발이 새 균형을 찾습니다",
    "Hip Sway": "골반 움직임", "Drop and turn of the pelvis over the gait's own; trunk and legs stay":
        "걸음걸이 본래의 골반 기울기와 돌기에 대한 배수. 몸통과 다리는 그대로입니다",
    "Steady Head": "머리 고정", "Takes the gait's nodding and turning out of the head: 1 holds it still":
        "걸음걸이의 머리 끄덕임과 돌기를 뺍니다. 1이면 가만히 있습니다",
    "Step Width (m)": "걸음 폭 (m)", "How much further apart the feet go, negative nearer. Walking gaits only":
        "두 발이 얼마나 더 벌어져 가는지. 음수는 더 가깝게. 걷는 걸음걸이에만 됩니다",
    "Foot Lift (m)": "발 들기 (m)", "How much higher the swinging foot is lifted. Walking gaits only":
        "내딛는 발을 얼마나 더 높이 드는지. 걷는 걸음걸이에만 됩니다",
    "Bounce": "출렁임",
    "Rise and fall of the body over the gait's own: 0 glides on bent knees; above 1 legs and gravity leave room for a "
    "little more. Walking gaits only":
        "걸음걸이 본래의 몸의 오르내림에 대한 배수. 0이면 무릎을 굽히고 미끄러지듯 갑니다. 1보다 크면 다리와 중력이 조금만 더 허락합니다. 걷는 "
        "걸음걸이에만 됩니다",
    "Arms Out (°)": "팔 벌리기 (°)", "Holds the arms out to the sides, negative in": "두 팔을 옆으로 벌립니다. 음수는 안쪽입니다",
    "Crouch (m)": "웅크림 (m)", "How much lower the body goes, on bent knees. Walking gaits only":
        "무릎을 굽혀 몸을 얼마나 낮추는지. 걷는 걸음걸이에만 됩니다",
    "Heel Strike": "뒤꿈치 딛기",
    "How far the toes are up when the foot lands, over the gait's own: 0 sets it down flat. Walking gaits only":
        "발이 닿을 때 발끝이 얼마나 들리는지, 걸음걸이 본래 값에 대한 배수. 0이면 평평하게 디딥니다. 걷는 걸음걸이에만 됩니다",
    "Flight Height": "체공 높이",
    "Height of the flights over the gait's own here; the steps last as much longer or shorter. Gaits with flight only":
        "이곳에서 걸음걸이 본래의 체공 높이에 대한 배수. 걸음도 그만큼 길어지거나 짧아집니다. 뜨는 걸음걸이에만 됩니다",
    "Hips Against Shoulders": "골반과 어깨 엇돌기",
    "How far the pelvis turns with the legs, against the shoulders; 0 leaves it as captured, a quarter "
    "of a stride behind. Gaits with "
    "flight only":
        "골반이 어깨와 엇갈려 다리를 따라 얼마나 도는지. 0이면 담긴 그대로 한 주기의 사분의 일만큼 늦습니다. 뜨는 걸음걸이에만 됩니다",
    "Breath": "숨", "How far chest and shoulders rise with the breath where the body stands: 0 holds it":
        "서 있을 때 숨에 따라 가슴과 어깨가 얼마나 오르내리는지. 0이면 숨을 멈춥니다",
    "Planet's Carriage": "행성의 자세",
    "How much of what the gravity adds is shown: lean, foot lift, landing, arms, bent knees. These are taste, not measured; 0 "
    "leaves them out":
        "중력이 더하는 기울기, 발 들기, 딛기, 팔, 굽힌 무릎을 얼마나 보일지. 잰 값이 아니라 취향입니다. 0이면 뺍니다",
    "Quicker Steps": "잦은 걸음",
    "Exponent of gravity in the stride rate below the Earth's: 0 steps as often as on Earth at that speed, 0.21 as slowly as a "
    "similar walk, -0.13 as quickly as people in a harness. Walking gaits only":
        "지구보다 약한 중력에서 보행 주기에 드는 중력의 지수. 0이면 그 속도의 지구에서처럼, 0.21이면 닮은꼴처럼 느리게, -0.13이면 하네스를 단 사람처럼 "
        "자주 걷습니다. 걷는 걸음걸이에만 됩니다",
    "Footprints": "발자국", "Footprints that are locked where you laid them; the steps around them give way":
        "놓은 자리에 잠근 발자국. 둘레의 걸음이 맞추어 줍니다",
    "Active Footprint": "활성 발자국", "The footprint chosen in the list": "목록에서 고른 발자국",
    "Number": "번호", "Which landing it is, counted from the shot's start: odd ones are the right foot's":
        "샷 시작부터 세어 몇 번째 디딤인지. 홀수는 오른발입니다",
    "Ahead (m)": "앞 (m)", "How far ahead of where the character stands at the start": "시작할 때 캐릭터가 선 곳에서 얼마나 앞인지",
    "Left (m)": "왼쪽 (m)", "How far to the left of where the character stands at the start":
        "시작할 때 캐릭터가 선 곳에서 얼마나 왼쪽인지",
    "Set Direction": "방향 정하기", "Turn this foot. Off: it goes along the way": "이 발을 돌립니다. 끄면 길을 따라 향합니다",
    "Direction (°)": "방향 (°)", "Where the foot faces: 0 where the character faces at the start, 90 to its left":
        "발이 향하는 곳. 0은 시작할 때 캐릭터가 향한 쪽, 90은 그 왼쪽",
    "Move Footprints": "발자국 옮기기",
    "Drag footprints of the plan to where the feet shall land: they are locked there, and the steps around give way. "
    "L locks the one under the mouse where it is or sets it free, Esc during a drag puts it back, Enter ends":
        "계획의 발자국을 발이 디딜 곳으로 끌어 옮깁니다. 그 자리에 잠기고 둘레의 걸음이 맞추어 줍니다. L은 마우스 아래 발자국을 그 자리에 잠그거나 "
        "풀고, 끄는 중의 Esc는 되돌리고, Enter는 끝냅니다",
    "Footprints are moved in a 3D viewport": "발자국은 3D 뷰포트에서 옮깁니다",
    "Drag a footprint   |   L: lock or free   |   Esc while dragging: put back   |   Enter: done":
        "발자국을 끄세요   |   L: 잠그기 또는 풀기   |   끄는 중 Esc: 되돌리기   |   Enter: 완료",
    "Lock or Free Footprint": "발자국 잠그기 또는 풀기",
    "Lock a footprint where the plan has it, so that it stays there whatever else changes; a locked one is set free":
        "계획에 있는 자리에 발자국을 잠가 무엇이 바뀌어도 그 자리에 있게 합니다. 잠긴 것은 풉니다",
    "Reset Footprints": "발자국 초기화", "Set every locked footprint free: the plan lays them again":
        "잠근 발자국을 모두 풉니다. 계획이 다시 놓습니다",
    "Lock Frames": "프레임 잠그기",
    "Keep the keys of some frames as they are, such as those you have polished, when the bake replaces the rest":
        "베이크가 나머지를 바꿀 때 손본 곳처럼 몇몇 프레임의 키는 그대로 둡니다",
    "First Locked": "잠근 첫 프레임", "First frame whose keys are kept": "키를 그대로 둘 첫 프레임",
    "Last Locked": "잠근 마지막 프레임", "Last frame whose keys are kept": "키를 그대로 둘 마지막 프레임",
    "No footprint is locked": "잠긴 발자국이 없습니다",
}

STYLE_SAID = {
    "The style's {0}": "스타일의 {0}", "arm swing": "팔 흔들기", "trunk lean": "몸통 기울기", "hip sway": "골반 움직임",
    "head steadiness": "머리 고정", "step width": "걸음 폭", "foot lift": "발 들기", "bounce": "출렁임",
    "arm spread": "팔 벌리기", "crouch": "웅크림", "heel strike": "뒤꿈치 딛기", "flight height": "체공 높이", "carriage": "행성의 자세",
    "counter turn": "골반과 어깨 엇돌기", "breath": "숨", "cadence exponent": "잦은 걸음",
    "Only gaits with flight take the style's {0}: this gait always has a foot down. Set it back, or choose a run, a lope, a skip "
    "or a hop.":
        "스타일의 {0}은(는) 뜨는 걸음걸이에만 됩니다. 이 걸음걸이는 늘 한 발이 땅에 있습니다. 되돌리거나 달리기, 로핑, 스킵, 깡충 뛰기를 고르세요.",
    "Only the gait law people takes the style's {0}: this shot's gait is similar. Set it back, or choose the gait law people.":
        "스타일의 {0}은(는) 사람처럼 가는 걸음걸이에만 됩니다. 이 샷의 걸음걸이는 닮은꼴입니다. 되돌리거나 '사람처럼'을 고르세요.",
    "Footprint {0}'s place": "발자국 {0}의 위치", "Footprint {0}'s direction": "발자국 {0}의 방향",
    "A footprint's number must be a whole number between 1 and {0}, got {1}: 1 is the first foot to land; the one the shot "
    "starts on cannot be moved.":
        "발자국 번호는 1에서 {0}까지의 정수여야 하는데 {1}을(를) 받았습니다. 1은 처음 디디는 발이고, 샷이 시작하는 발은 옮길 수 없습니다.",
    "Footprint {0} cannot be at {1}, {2}: {3}. {4}": "발자국 {0}은(는) {1}, {2}에 있을 수 없습니다. {3}. {4}",
    "the step from footprint {0} to {1} would": "발자국 {0}에서 {1}(으)로 가는 걸음",
    "{0} be {1} m long, and the legs reach {2} m": "{0}의 길이가 {1} m인데 다리는 {2} m까지 닿습니다",
    "{0} go {1} m back, and the legs reach {2} m": "{0}이(가) 뒤로 {1} m 가는데 다리는 {2} m까지 닿습니다",
    "{0} be {1} m wide, and the legs reach {2} m": "{0}의 폭이 {1} m인데 다리는 {2} m까지 닿습니다",
    "{0} cross the other leg; the feet must stay {1} cm apart across": "{0}이(가) 다른 다리를 가로지릅니다. 두 발은 옆으로 {1} cm 떨어져야 합니다",
    "On the way there from its own place it can go as far as {0}, {1}.": "제자리에서 그리로 가는 길에 {0}, {1}까지 갈 수 있습니다.",
    "The other locked footprints leave no room for it: move or reset them as well.":
        "다른 잠긴 발자국들 때문에 자리가 없습니다. 그것들도 옮기거나 초기화하세요.",
    "Footprint {0} cannot face {1} degrees: on its way there it can face from {2} to {3} degrees.":
        "발자국 {0}은(는) {1}도로 향할 수 없습니다. 그곳의 길에서는 {2}도에서 {3}도까지 향할 수 있습니다.",
    "Locked frames are a first and a last frame, got {0}.": "잠근 프레임은 첫 프레임과 마지막 프레임인데 {0}을(를) 받았습니다.",
    "Each end of the locked frames": "잠근 프레임의 양 끝",
    "Frames can be locked only where keys are replaced: choose Replace Range as what is written to, or unlock them.":
        "프레임은 키를 바꿀 때만 잠글 수 있습니다. 쓸 곳으로 범위 바꾸기를 고르거나 잠금을 푸세요.",
    "Footprint {0} is locked twice: keep one of the two.": "발자국 {0}이(가) 두 번 잠겼습니다. 하나만 남기세요.",
    "Footprints can be locked only in a shot that begins and ends moving: let it, or reset the footprints.":
        "발자국은 움직이며 시작하고 끝나는 샷에서만 잠글 수 있습니다. 그렇게 하거나 발자국을 초기화하세요.",
    "Footprints can be locked only where gravity stays the same: take the change out, or reset the footprints.":
        "발자국은 중력이 그대로인 곳에서만 잠글 수 있습니다. 변화를 빼거나 발자국을 초기화하세요.",
    "Only walking gaits take locked footprints: this gait leaves the ground. Reset the footprints, or choose a walk.":
        "잠긴 발자국은 걷는 걸음걸이에만 됩니다. 이 걸음걸이는 땅에서 떨어집니다. 발자국을 초기화하거나 걷기를 고르세요.",
    "The plan has footprints 1 to {0} that can be locked, got {1}; the foot on which the shot starts cannot be moved.":
        "계획에는 잠글 수 있는 발자국이 1부터 {0}까지 있는데 {1}을(를) 받았습니다. 샷이 시작하는 발은 옮길 수 없습니다.",
}
