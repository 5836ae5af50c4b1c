# SPDX-License-Identifier: GPL-3.0-or-later
"""Live pressure in a Blender window, part of drive.py: a recording moves the character, is stopped by the button, kept,
undone; lines that are written meanwhile, Esc; what cannot be shown. scripts/gui lays the files there.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Iterator

import bpy
from gui import hand
from gui.dial import drawing_ms, pose
from mathutils import Euler

HEAD = 4
"""Lines of a file before its first frame."""
OWN_LIMIT_MS = 10.0
"""Of the processor, for a pose and what lies under it: the rest of a moment is the window's own drawing."""
SHOWN = next((path for path in (hand.OUT / "pressure.npz", hand.OUT / "long.csv") if path.is_file()), hand.OUT / "long.csv")
DATABASE = next((path for path in (hand.OUT / "database.npz", hand.OUT / "steps.npz") if path.is_file()), hand.OUT / "steps.npz")
"""What is shown as a recording: somebody's own, or made steps."""


def going():
    """What is shown live."""
    return hand.lope("operators.driving").live()


def seen(name: str, *, words: str = "") -> Iterator[float]:
    """A picture of the panel as it is to be seen, which is to say these words."""
    yield from hand.picture(name)
    note = hand.lope("operators.context").of(hand.armature())
    if words and (note is None or words not in note.text):
        raise hand.Failure(f"The panel should say {words!r}, and says {note and note.text!r}.")


def unposed(before: dict[str, tuple], what: str) -> None:
    """The armature must be as it was."""
    if pose() != before or hand.armature().lope.drive_kept:
        raise hand.Failure(f"The armature is not as it was {what}.")


def over() -> bool:
    return hand.lope("operators.driving").going is None and not hand.lope("operators.desk").queue.busy


def stopped() -> bool:
    """Whether the button that stays has gone: the header is the view's own again."""
    return not hand.window().modal_operators


def recording(before: dict[str, tuple]) -> Iterator[float]:
    """A recording, to its end by the button; kept, and undone."""
    hand.REPORT["one_drawing_of_the_window_ms"] = {"before": drawing_ms()}
    yield from hand.press_button("lope.live_pressure(")
    yield from hand.until(lambda: going() is not None and going().view.get("time_s", 0.0) > 0.5, "the first pose")
    live, shown, took = going(), [], []
    show = live._show

    def timed(armature) -> None:
        began = time.thread_time()
        show(armature)
        took.append(1e3 * (time.thread_time() - began))
        shown.append(time.perf_counter())

    live._show = timed
    yield from hand.until(lambda: going() is None or live.view["time_s"] > 1.6, "a second of it")
    yield from hand.picture("live-1-shown")
    if pose() == before or not hand.lope("addon.viewport.pressure_overlay").is_shown(hand.armature().session_uid):
        raise hand.Failure("Nothing moves, or no pressure lies under it.")
    for number in (2, 3, 4):
        yield 1.0
        yield from hand.picture(f"live-{number}-later")
    hand.REPORT["poses_a_second"] = round((len(shown) - 1) / (shown[-1] - shown[0]), 1)
    hand.REPORT["one_drawing_of_the_window_ms"]["live"] = drawing_ms()
    hand.REPORT["own_ms_a_pose"] = {"median": round(statistics.median(took), 2), "most": round(max(took), 2)}
    yield from hand.click(*hand.PLACE)  # Stop lies where Live did
    yield from hand.until(lambda: live.ended, "the end")
    unposed(before, "after Stop")
    yield from hand.until(lambda: over() and stopped(), "the take")
    if hand.armature().lope.take_path or (hand.armature().animation_data and hand.armature().animation_data.action):
        raise hand.Failure("Something was kept unasked.")
    yield from seen("live-5-offered", words="came live: Keep bakes them")
    yield from hand.press_button("lope.live_keep(", 0.3)
    yield from hand.until(lambda: hand.action() is not None, "the keys")
    hand.REPORT["kept"] = hand.armature().lope.take_summary
    bpy.context.scene.frame_set(40)
    yield from seen("live-6-kept")
    yield from hand.press("Z", ctrl=True)
    yield from hand.until(lambda: not (hand.armature().animation_data and hand.armature().animation_data.action),
                          "the undoing in one step")
    if hand.armature().lope.pressure_path != str(SHOWN):
        raise hand.Failure("Undo took more than the keys.")
    if statistics.median(took) > OWN_LIMIT_MS:
        raise hand.Failure(f"A pose takes {statistics.median(took):.1f} ms.")
    hand.done("a recording was shown, kept, and undone")


def written() -> Iterator[float]:
    """Lines that are appended meanwhile; they stop; Esc."""
    lines = (hand.OUT / "long.csv").read_text(encoding="utf-8").splitlines(keepends=True)
    path = hand.OUT / "sensor.csv"
    path.write_text("".join(lines[:HEAD]), encoding="utf-8")
    settings = hand.armature().lope
    settings.pressure_path, settings.pressure_database, settings.pressure_live = str(path), str(hand.OUT / "steps.npz"), "WRITTEN"
    before = pose()
    yield from hand.press_button("lope.live_pressure(")
    yield from hand.until(lambda: going() is not None and going().state == "waits", "the sensor's first line")
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
        raise hand.Failure("The last pose should stay while no line comes.")
    yield from hand.press("ESC")
    yield from hand.until(lambda: over() and stopped(), "the end")
    unposed(before, "after Esc")
    yield from hand.press_button("lope.live_discard(", 0.8)
    yield from hand.until(lambda: hand.lope("operators.pressure_outcome").of(hand.armature().session_uid) is None,
                          "the throwing away")
    hand.done("lines of a sensor were shown")


def refused() -> Iterator[float]:
    """What cannot be shown is said in the panel."""
    before, settings = pose(), hand.armature().lope
    settings.pressure_live = "PLAYED"
    for name, file, words in (("live-9-insoles", "soles.csv", "is of insoles"),
                              ("live-a-gone", "none.csv", "There is no pressure")):
        settings.pressure_path = str(hand.OUT / file)
        yield from hand.press_button("lope.live_pressure(")
        yield 0.5
        yield from hand.until(lambda: over() and stopped(), "the refusal")
        yield from seen(name, words=words)
        unposed(before, "after a refusal")
    hand.done("what cannot be shown was said")


def live() -> Iterator[float]:
    """All of it, in order."""
    yield from hand.clear()
    bpy.context.scene.lope.show_preview = False
    yield from hand.add_astronaut()
    yield from hand.page("PRESSURE")
    settings = hand.armature().lope
    settings.suit = "none"
    settings.pressure_path, settings.pressure_database = str(SHOWN), str(DATABASE)
    hand.armature().pose.bones["head"].rotation_mode = "XYZ"
    hand.armature().pose.bones["head"].rotation_euler[2] = 0.4
    hand.view_all()
    view = hand.viewport().spaces.active.region_3d
    view.view_rotation = Euler((1.2, 0.0, 0.6)).to_quaternion()
    view.view_distance *= 0.9
    bpy.ops.ed.undo_push(message="Ready")
    yield 1.0
    yield from recording(pose())
    yield from written()
    yield from refused()
