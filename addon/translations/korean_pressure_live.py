# SPDX-License-Identifier: GPL-3.0-or-later
"""Korean: pressure that is shown as motion while it comes."""

from __future__ import annotations

PRESSURE_LIVE_WORDS = {
    "Live": "실시간", "Live Shows": "실시간으로 볼 것", "Recording": "기록", "Lines as They Come": "들어오는 줄", "Stop": "멈춤", "Keep": "남기기",
    "Discard": "버리기", "Esc: stop": "Esc: 멈춤",
    "What of the file Live shows": "파일에서 실시간으로 보여 줄 것입니다",
    "The file as it is, from its beginning, at the pace at which it was recorded": "있는 그대로의 파일을 처음부터, 기록된 빠르기로",
    "A CSV file that a sensor's program appends lines to: what comes from now on":
        "센서 프로그램이 줄을 덧붙이는 CSV 파일에서 지금부터 들어오는 것",
    "Show the pressure as motion while it comes: the character moves in the viewport 1 s later. Nothing in the scene is changed "
    "until you keep what came":
        "압력을 들어오는 대로 동작으로 보여 줍니다. 캐릭터가 1초 뒤에 뷰포트에서 움직입니다. 남기기 전에는 씬이 바뀌지 않습니다",
    "End the live motion: the character stands as before, and what came can be kept":
        "실시간 동작을 끝냅니다. 캐릭터는 전처럼 서고, 들어온 것을 남길 수 있습니다",
    "Bake what came live on this armature as a new action. No key of yours is lost":
        "실시간으로 들어온 것을 이 아마튜어에 새 액션으로 굽습니다. 사용자의 키는 없어지지 않습니다",
    "Throw away what came live": "실시간으로 들어온 것을 버립니다",
    "Live pressure is shown in a 3D viewport": "실시간 압력은 3D 뷰포트에서 보여 줍니다",
    "No pressure is shown live": "실시간으로 보여 주는 압력이 없습니다",
    "Nothing that came live waits to be kept": "실시간으로 들어와 남길 것이 없습니다",
    "Waiting for the first line of the sensor": "센서의 첫 줄을 기다리는 중",
    "no line for {seconds:.0f} s: is the sensor still there?": "{seconds:.0f}초 동안 줄이 없습니다. 센서가 아직 있습니까?",
    "{seconds:.1f} s came live: Keep bakes them": "실시간으로 {seconds:.1f}초가 들어왔습니다. 남기기를 누르면 굽습니다",
    "{reason} {seconds:.1f} s came before that: Keep bakes them": "{reason} 그 전에 {seconds:.1f}초가 들어왔습니다. 남기기를 누르면 굽습니다",
}

PRESSURE_LIVE = {
    "{0} cannot be followed while it is written: that goes with a CSV file, to which a sensor's program appends a line a frame.":
        "{0}은(는) 쓰는 동안 따라갈 수 없습니다. 센서 프로그램이 프레임마다 한 줄을 덧붙이는 CSV 파일이어야 합니다.",
}
