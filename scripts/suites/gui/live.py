# SPDX-License-Identifier: GPL-3.0-or-later
"""Live pressure in a Blender window, part of drive.py: a recording moves the character, is stopped by the button, kept,
undone; lines that are written meanwhile, Esc; what cannot be shown. scripts/gui lays the files there.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Iterator

import bpy
from gui.dial import drawing_ms, pose
from gui.hand import (
    OUT,
    PLACE,
    REPORT,
    Failure,
    armature,
    click,
    done,
    lope,
    open_tab,
    picture,
    press,
    press_button,
    scroll,
    until,
    viewport,
    window,
)
from mathutils import Euler

HEAD = 4
"""Lines of a file before its first frame."""
OWN_LIMIT_MS = 10.0
"""Of the processor, for a pose and what lies under it: the rest of a moment is the window's own drawing."""
UP = -3
"""Turns of the wheel from the end of the tab that bring the panel's upper half into a small window."""
SHOWN = next((path for path in (OUT / "pressure.npz", OUT / "long.csv") if path.is_file()), OUT / "long.csv")
DATABASE = next((path for path in (OUT / "database.npz", OUT / "steps.npz") if path.is_file()), OUT / "steps.npz")
"""What is shown as a recording: somebody's own, or made steps."""


def opened() -> None:
    """The panel open before it is first drawn: a closed one's head cannot be found by hovering."""
    panel = bpy.types.LOPE_PT_pressure
    bpy.utils.unregister_class(panel)
    panel.bl_options = set()
    bpy.utils.register_class(panel)


def going():
    """What is shown live."""
    return lope("operators.driving").live()


def reach(wanted: str, share: float = 0.62) -> Iterator[float]:
    """Press a button of the panel, near the end of the tab."""
    yield from scroll(80)
    try:
        yield from press_button(wanted, share)
    except Failure:  # higher up, in a small window
        yield from scroll(UP)
        yield from press_button(wanted, share)


def seen(name: str, *, words: str = "") -> Iterator[float]:
    """A picture of the panel as it is to be seen, which is to say these words."""
    yield from scroll(80)
    yield from picture(name)
    note = lope("operators.context").of(armature())
    if words and (note is None or words not in note.text):
        raise Failure(f"The panel should say {words!r}, and says {note and note.text!r}.")


def unposed(before: dict[str, tuple], what: str) -> None:
    """The armature must be as it was."""
    if pose() != before or armature().lope.drive_kept:
        raise Failure(f"The armature is not as it was {what}.")


def over() -> bool:
    return lope("operators.driving").going is None and not lope("operators.desk").queue.busy


def stopped() -> bool:
    """Whether the button that stays has gone: the header is the view's own again."""
    return not window().modal_operators


def recording(before: dict[str, tuple]) -> Iterator[float]:
    """A recording, to its end by the button; kept, and undone."""
    REPORT["one_drawing_of_the_window_ms"] = {"before": drawing_ms()}
    yield from reach("lope.live_pressure(")
    yield from until(lambda: going() is not None and going().view.get("time_s", 0.0) > 0.5, "the first pose")
    live, shown, took = going(), [], []
    show = live._show

    def timed(armature) -> None:
        began = time.thread_time()
        show(armature)
        took.append(1e3 * (time.thread_time() - began))
        shown.append(time.perf_counter())

    live._show = timed
    yield from until(lambda: going() is None or live.view["time_s"] > 1.6, "a second of it")
    yield from picture("live-1-shown")
    if pose() == before or not lope("addon.viewport.pressure_overlay").is_shown(armature().session_uid):
        raise Failure("Nothing moves, or no pressure lies under it.")
    for number in (2, 3, 4):
        yield 1.0
        yield from picture(f"live-{number}-later")
    REPORT["poses_a_second"] = round((len(shown) - 1) / (shown[-1] - shown[0]), 1)
    REPORT["one_drawing_of_the_window_ms"]["live"] = drawing_ms()
    REPORT["own_ms_a_pose"] = {"median": round(statistics.median(took), 2), "most": round(max(took), 2)}
    yield from click(*PLACE)  # Stop lies where Live did
    yield from until(lambda: live.ended, "the end")
    unposed(before, "after Stop")
    yield from until(lambda: over() and stopped(), "the take")
    if armature().lope.take_path or (armature().animation_data and armature().animation_data.action):
        raise Failure("Something was kept unasked.")
    yield from seen("live-5-offered", words="came live: Keep bakes them")
    yield from reach("lope.live_keep(", 0.3)
    yield from until(lambda: armature().animation_data is not None and armature().animation_data.action is not None, "the keys")
    REPORT["kept"] = armature().lope.take_summary
    bpy.context.scene.frame_set(40)
    yield from seen("live-6-kept")
    yield from press("Z", ctrl=True)
    yield from until(lambda: not (armature().animation_data and armature().animation_data.action), "the undoing in one step")
    if armature().lope.pressure_path != str(SHOWN):
        raise Failure("Undo took more than the keys.")
    if statistics.median(took) > OWN_LIMIT_MS:
        raise Failure(f"A pose takes {statistics.median(took):.1f} ms.")
    done("a recording was shown, kept, and undone")


def written() -> Iterator[float]:
    """Lines that are appended meanwhile; they stop; Esc."""
    lines = (OUT / "long.csv").read_text(encoding="utf-8").splitlines(keepends=True)
    path = OUT / "sensor.csv"
    path.write_text("".join(lines[:HEAD]), encoding="utf-8")
    settings = armature().lope
    settings.pressure_path, settings.pressure_database, settings.pressure_live = str(path), str(OUT / "steps.npz"), "WRITTEN"
    before = pose()
    yield from reach("lope.live_pressure(")
    yield from until(lambda: going() is not None and going().state == "waits", "the sensor's first line")
    yield from seen("live-7-waits")
    began, wrote = time.monotonic(), HEAD
    with path.open("a", encoding="utf-8") as file:
        while going() is not None and going().view["time_s"] < 2.5:
            due = min(HEAD + int(12.0 * (time.monotonic() - began)), len(lines))
            file.writelines(lines[wrote:due])
            file.flush()
            wrote = due
            yield 0.05
    yield 4.0
    yield from seen("live-8-silent")
    if pose() == before:
        raise Failure("The last pose should stay while no line comes.")
    yield from press("ESC")
    yield from until(lambda: over() and stopped(), "the end")
    unposed(before, "after Esc")
    yield from reach("lope.live_discard(", 0.8)
    yield from until(lambda: lope("operators.pressure_outcome").of(armature().session_uid) is None, "the throwing away")
    done("lines of a sensor were shown")


def refused() -> Iterator[float]:
    """What cannot be shown is said in the panel."""
    before, settings = pose(), armature().lope
    settings.pressure_live = "PLAYED"
    for name, file, words in (("live-9-insoles", "soles.csv", "is of insoles"),
                              ("live-a-gone", "none.csv", "There is no pressure")):
        settings.pressure_path = str(OUT / file)
        yield from reach("lope.live_pressure(")
        yield 0.5
        yield from until(lambda: over() and stopped(), "the refusal")
        yield from seen(name, words=words)
        unposed(before, "after a refusal")
    done("what cannot be shown was said")


def live() -> Iterator[float]:
    """All of it, in order."""
    for item in list(bpy.data.objects):
        bpy.data.objects.remove(item)
    opened()
    yield 0.5
    yield from press("N")
    yield from open_tab()
    bpy.context.scene.lope.show_preview = False
    yield from press_button("lope.add_astronaut(", 0.4)
    yield from until(lambda: armature() is not None, "the astronaut")
    settings = armature().lope
    settings.suit = "none"
    settings.pressure_path, settings.pressure_database = str(SHOWN), str(DATABASE)
    armature().pose.bones["head"].rotation_mode = "XYZ"
    armature().pose.bones["head"].rotation_euler[2] = 0.4
    with bpy.context.temp_override(window=window(), area=viewport(), region=viewport().regions[-1]):
        bpy.ops.view3d.view_all()
    view = viewport().spaces.active.region_3d
    view.view_rotation = Euler((1.2, 0.0, 0.6)).to_quaternion()
    view.view_distance *= 0.9
    bpy.ops.ed.undo_push(message="Ready")
    yield 1.0
    yield from recording(pose())
    yield from written()
    yield from refused()
