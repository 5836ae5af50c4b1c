# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs inside a Blender with a window, started by scripts/test-gui: presses keys and clicks as an animator would, takes
pictures,
measures stalls, and writes a report. Usage: blender --enable-event-simulate --python scripts/gui_drive.py -- OUT_FOLDER
"""

from __future__ import annotations

import contextlib
import json
import os
import sys
import time
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path

import bpy

OUT = Path(sys.argv[sys.argv.index("--") + 1])
REPORT: dict[str, object] = {"blender": bpy.app.version_string, "clicks": 0, "steps": []}
PATIENCE_S = 120.0
PICTURE_S = 4.0
SCAN_PIXELS = 7
HOVER_S = 0.12
JOB_S = 60.0
"""Length of the shot during which stalls are measured [s]."""
STALL_LIMIT_S = 0.05


class Failure(Exception):
    """A step did not do what it should."""


def window() -> bpy.types.Window:
    return bpy.context.window_manager.windows[0]


def viewport() -> bpy.types.Area:
    return max((area for area in window().screen.areas if area.type == "VIEW_3D"), key=lambda area: area.width * area.height)


def sidebar() -> bpy.types.Region:
    return next(region for region in viewport().regions if region.type == "UI")


def move(x: int, y: int) -> None:
    window().event_simulate(type="MOUSEMOVE", value="NOTHING", x=int(x), y=int(y))


def click(x: int, y: int) -> Iterator[float]:
    """Move there and click."""
    move(x, y)
    yield HOVER_S
    for value in ("PRESS", "RELEASE"):
        window().event_simulate(type="LEFTMOUSE", value=value, x=int(x), y=int(y))
        yield 0.05
    REPORT["clicks"] = int(REPORT["clicks"]) + 1
    REPORT["last_click_s"] = time.monotonic()
    yield 0.4


def press(key: str, **modifiers: bool) -> Iterator[float]:
    """Press a key over the middle of the viewport."""
    area = viewport()
    x, y = area.x + area.width // 3, area.y + area.height // 2
    move(x, y)
    yield HOVER_S
    for value in ("PRESS", "RELEASE"):
        window().event_simulate(type=key, value=value, x=x, y=y, **modifiers)
        yield 0.05
    yield 0.4


def hovered() -> str:
    """What the button under the mouse does: its operator's Python command or its property's path; empty where there is
    none."""
    with bpy.context.temp_override(window=window(), area=viewport(), region=sidebar()):
        for copy, options in ((bpy.ops.ui.copy_python_command_button, {}),
                              (bpy.ops.ui.copy_data_path_button, {"full_path": True})):
            if copy.poll() and copy(**options) == {"FINISHED"}:
                return bpy.context.window_manager.clipboard
    return ""


def find(wanted: str, share: float = 0.62) -> Iterator[float]:
    """Move the mouse down the sidebar until a button that does this is under it; its place is then in `PLACE`."""
    region = sidebar()
    x = region.x + share * (region.width - 20)
    move(viewport().x + 200, viewport().y + 200)  # off the last button first
    yield 4 * HOVER_S
    for y in range(region.y + region.height - 8, region.y + 4, -SCAN_PIXELS):
        move(x, y)
        yield HOVER_S
        if wanted in hovered():
            PLACE[:] = [x, y - 4]
            move(*PLACE)
            yield 4 * HOVER_S
            if wanted in hovered():
                return
    raise Failure(f"There is no button for {wanted} in the sidebar.")


PLACE = [0.0, 0.0]


def press_button(wanted: str, share: float = 0.62) -> Iterator[float]:
    """Find a button and click it."""
    yield from find(wanted, share)
    yield from click(*PLACE)


def open_tab() -> Iterator[float]:
    """Click down the sidebar's tabs until Lope's is open."""
    region = sidebar()
    before = int(REPORT["clicks"])
    for y in range(region.y + region.height - 30, region.y + 20, -30):
        yield from click(region.x + region.width - 10, y)
        if region.active_panel_category == "Lope":
            REPORT["clicks"] = before + 1  # looking for the tab is not the animator's
            return
    raise Failure("There is no tab Lope in the sidebar.")


def picture(name: str) -> Iterator[float]:
    """A picture of the screen: scripts/test-gui takes it, on the display named in the wish."""
    yield 0.6
    wish = OUT / f"{name}.wish"
    wish.write_text(os.environ.get("DISPLAY", ""), encoding="utf-8")
    end = time.monotonic() + PICTURE_S
    while wish.exists() and time.monotonic() < end:
        yield 0.1


def until(arrived: Callable[[], bool], what: str) -> Iterator[float]:
    """Wait for something."""
    end = time.monotonic() + PATIENCE_S
    while not arrived():
        if time.monotonic() > end:
            raise Failure(f"Waited in vain for {what}.")
        yield 0.05


def done(step: str) -> None:
    REPORT["steps"].append(step)
    print(f"test-gui: {step}", flush=True)


def lope(name: str):
    """A module of the installed extension."""
    package = next(key for key in sys.modules if key.endswith(".lope.operators.desk")).removesuffix(".operators.desk")
    return sys.modules[f"{package}.{name}"]


def armature() -> bpy.types.Object | None:
    return next((item for item in bpy.data.objects if item.type == "ARMATURE"), None)


def action() -> bpy.types.Action | None:
    """The armature's action."""
    data = armature().animation_data
    return None if data is None else data.action


def first_walk() -> Iterator[float]:
    """The first walk: tab, astronaut, planet, Simulate; the keys are baked when it is done."""
    for item in list(bpy.data.objects):
        bpy.data.objects.remove(item)
    yield 0.5
    yield from press("N")
    yield from open_tab()
    yield from picture("1-tab")
    done("tab Lope")
    yield from press_button("lope.add_astronaut(", 0.4)
    yield from until(lambda: armature() is not None, "the astronaut")
    with bpy.context.temp_override(window=window(), area=viewport(), region=viewport().regions[-1]):
        bpy.ops.view3d.view_all()
    yield 0.5
    yield from picture("2-astronaut")
    done("astronaut")
    yield from press_button(".lope.world")
    yield from picture("3-planets")
    yield from click(*PLACE)
    if bpy.context.scene.lope.world != "moon":
        raise Failure(f"The world is {bpy.context.scene.lope.world}, not the Moon.")
    done("Moon")
    yield from press_button("lope.simulate(")
    desk = lope("operators.desk")
    yield from until(lambda: desk.queue.busy or action() is not None, "the job")
    yield from picture("4-simulating")
    yield from until(lambda: not desk.queue.busy, "the take")
    yield from until(lambda: action() is not None, "the keys")
    REPORT["clicks_to_first_walk"] = REPORT["clicks"]
    REPORT["summary"] = armature().lope.take_summary
    yield from picture("5-baked")
    done("simulated and baked")


def play() -> Iterator[float]:
    """Play it. Blender makes an undo step of its own of that."""
    yield from press("SPACE")
    yield from until(lambda: bpy.context.scene.frame_current > 12, "the playback")
    yield from press("SPACE")
    bpy.context.scene.frame_set(60)
    yield from picture("6-played")
    done("played")


def undo_and_redo() -> Iterator[float]:
    """One undo takes the bake away, and nothing else; redo brings it back."""
    yield from press("Z", ctrl=True)
    yield from until(lambda: armature() is not None and action() is None, "the undoing of the bake in one step")
    if not armature().lope.take_path:
        raise Failure("Undo took the take away with the bake.")
    yield from press("Z", ctrl=True, shift=True)
    yield from until(lambda: action() is not None, "the redoing of the bake")
    done("undo and redo")


def gaps(seconds: float | None, running: Callable[[], bool]) -> Iterator[float]:
    """Note in `GAPS` how long it takes from one turn of the event loop to the next."""
    GAPS.clear()
    end = time.monotonic() + (seconds or PATIENCE_S)
    last = time.perf_counter()
    while time.monotonic() < end and running():
        yield 0.001
        now = time.perf_counter()
        GAPS.append(now - last)
        last = now


GAPS: list[float] = []


OWN: list[float] = [0.0]


@contextlib.contextmanager
def timed() -> Iterator[None]:
    """Note in `OWN` how long a piece of Lope's took."""
    began = time.perf_counter()
    yield
    OWN[0] = max(OWN[0], time.perf_counter() - began)


def watch(desk) -> None:
    """Time what Lope does in Blender's main thread: drawing its panels, and looking after its jobs."""
    def watched(draw: Callable) -> Callable:
        def timed_draw(self, context):  # Blender counts the arguments
            with timed():
                draw(self, context)
        return timed_draw

    def timed_tick() -> None:
        with timed():
            tick()

    for name in ("request", "outcome"):
        for panel in lope(f"panels.{name}").PANELS:
            panel.draw = watched(panel.draw)
    tick, desk.tick = desk.tick, timed_tick


def stalls() -> Iterator[float]:
    """The longest stall while a long job runs, against the longest while nothing runs; and the longest call of Lope's own."""
    desk = lope("operators.desk")
    watch(desk)
    armature().lope.bake_when_done = False
    bpy.context.scene.lope.duration_s = JOB_S
    yield 1.5
    yield from gaps(5.0, lambda: True)
    REPORT["longest_gap_idle_ms"] = round(1e3 * max(GAPS), 1)
    OWN[0] = 0.0
    yield from press_button("lope.simulate(")
    yield from gaps(None, lambda: desk.queue.busy)
    REPORT["longest_gap_during_job_ms"] = round(1e3 * max(GAPS), 1)
    REPORT["gaps_over_limit"] = sum(gap > STALL_LIMIT_S for gap in GAPS)
    REPORT["gaps_counted"] = len(GAPS)
    REPORT["longest_call_of_lope_during_job_ms"] = round(1e3 * OWN[0], 2)
    done("stalls measured")


def cancelling() -> Iterator[float]:
    """Cancel by the panel's button; then leave Blender with a job running."""
    desk = lope("operators.desk")
    bpy.context.scene.lope.duration_s = 3000.0
    yield 1.0
    yield from press_button("lope.simulate(")
    yield from until(lambda: desk.queue.jobs and desk.queue.jobs[0].share > 0.0, "progress")
    job = desk.queue.jobs[0]
    yield from find("lope.cancel(", 0.8)
    ended: list[float] = []
    conclude = desk._conclude
    desk._conclude = lambda order: (ended.append(time.monotonic()), conclude(order))
    yield from click(*PLACE)
    yield from until(lambda: not desk.queue.busy, "the end of the job")
    desk._conclude = conclude
    REPORT["click_to_cancelled_s"] = round(ended[-1] - REPORT.pop("last_click_s"), 2)
    REPORT["cancelled"] = job.state
    yield from picture("7-cancelled")
    done("cancelled")
    with bpy.context.temp_override(window=window(), area=viewport(), region=viewport().regions[-1]):
        bpy.ops.lope.simulate()
    yield from until(lambda: desk.queue.jobs and desk.queue.jobs[0].share > 0.0, "progress")
    REPORT["worker_at_quit"] = desk.queue.jobs[0].process_id


def whole() -> Iterator[float]:
    """Everything, in order."""
    yield 2.0
    yield from first_walk()
    yield from undo_and_redo()
    yield from play()
    yield from stalls()
    yield from cancelling()


def write() -> None:
    (OUT / "report.json").write_text(json.dumps(REPORT, indent=1) + "\n", encoding="utf-8")


def main() -> None:
    """Run the steps by a timer, so that Blender lives between them; quit at the end."""
    bpy.context.preferences.view.show_splash = False
    bpy.context.preferences.use_preferences_save = False
    steps = whole()

    def turn() -> float | None:
        try:
            return next(steps)
        except StopIteration:
            REPORT["passed"] = True
        except Exception as error:
            REPORT["passed"] = False
            REPORT["error"] = f"{type(error).__name__}: {error}"
            traceback.print_exc()
            (OUT / "failed.wish").write_text(os.environ.get("DISPLAY", ""), encoding="utf-8")
            time.sleep(PICTURE_S)
        write()
        bpy.ops.wm.quit_blender()
        return None

    bpy.app.timers.register(turn, first_interval=1.0, persistent=True)


main()
