# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs inside a Blender with a window, started by scripts/gui: goes an animator's way by clicks, takes pictures,
measures stalls, and writes a report. Usage: blender --enable-event-simulate --python gui/drive.py -- OUT_FOLDER
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

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))  # the folder of this one, `gui`, a package
from gui.creatures import creatures
from gui.dial import dial
from gui.hand import (
    OUT,
    PATIENCE_S,
    PICTURE_S,
    PLACE,
    REPORT,
    Failure,
    armature,
    click,
    done,
    find,
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
from gui.hit import hit
from gui.live import live
from gui.muscles import muscles
from gui.outcomes import outcomes
from gui.poses import poses
from gui.pressure import pressure
from gui.stand import stand
from gui.wheel import wheel

JOB_S = 60.0
"""Length of the shot during which stalls are measured [s]."""
STALL_LIMIT_S = 0.05


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
    bpy.context.scene.frame_set(19)
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


OWN: dict[str, tuple[float, float]] = {}
"""The longest call [s] of each piece of Lope's: by the clock, and of the processor, which other programs do not lengthen."""


@contextlib.contextmanager
def timed(name: str) -> Iterator[None]:
    """Note in `OWN` how long a piece of Lope's took."""
    began, worked = time.perf_counter(), time.thread_time()
    yield
    clock, processor = OWN.get(name, (0.0, 0.0))
    OWN[name] = max(clock, time.perf_counter() - began), max(processor, time.thread_time() - worked)


def watch() -> None:
    """Time what Lope does in Blender's main thread: its panels, what it draws over the view, its timers, its buttons."""
    def watched_draw(draw: Callable, name: str) -> Callable:
        def timed_draw(self, context):  # Blender counts the arguments
            with timed(name):
                return draw(self, context)
        return timed_draw

    def watched(call: Callable, name: str) -> Callable:
        def timed_call():
            with timed(name):
                return call()
        return timed_call

    for panel in lope("panels")._classes():
        if issubclass(panel, bpy.types.Panel) and hasattr(panel, "draw"):
            panel.draw = watched_draw(panel.draw, panel.__name__)
    simulate = bpy.types.LOPE_OT_simulate
    simulate.execute = watched_draw(simulate.execute, simulate.__name__)
    for name, calls in (("operators.desk", ("tick",)), ("operators.plan_board", ("_step",)),
                        ("operators.show_plots", ("_look",)), ("addon.viewport.overlay", ("_draw_lines", "_draw_words")),
                        ("addon.viewport.plots", ("_draw",))):
        for call in calls:
            setattr(lope(name), call, watched(getattr(lope(name), call), f"{name}.{call}"))
    for overlay in ("overlay", "plot_overlay"):  # shown from now on by the watched functions
        lope(f"addon.viewport.{overlay}").hide()


def plots() -> Iterator[float]:
    """The plots of the take over the view, by their button."""
    yield from scroll(40)
    yield from press_button("lope.show_plots(")
    yield from until(lope("addon.viewport.plots").is_shown, "the plots")
    bpy.context.scene.frame_set(60)
    yield from picture("8-plots")
    done("plots")


def korean() -> Iterator[float]:
    """The tab in Korean, where this Blender has Korean."""
    view = bpy.context.preferences.view
    before = view.language
    try:
        view.language = "ko_KR"
    except TypeError:
        REPORT["korean"] = "this Blender has no Korean"
        return
    yield from picture("9-korean")
    view.language = before
    done("Korean")


def stalls() -> Iterator[float]:
    """The longest stall while a long job runs, against the longest while nothing runs; the longest call of Lope's own."""
    desk = lope("operators.desk")
    armature().lope.bake_when_done = False
    bpy.context.scene.lope.duration_s = JOB_S
    yield 1.5
    yield from gaps(5.0, lambda: True)
    REPORT["longest_gap_idle_ms"] = round(1e3 * max(GAPS), 1)
    OWN.clear()
    yield from press_button("lope.simulate(")
    yield from gaps(None, lambda: desk.queue.busy)
    REPORT["longest_gap_during_job_ms"] = round(1e3 * max(GAPS), 1)
    REPORT["gaps_over_limit"] = sum(gap > STALL_LIMIT_S for gap in GAPS)
    REPORT["gaps_counted"] = len(GAPS)
    REPORT["longest_calls_of_lope_during_job_ms"] = {
        name: {"clock": round(1e3 * clock, 1), "processor": round(1e3 * processor, 1)}
        for name, (clock, processor) in sorted(OWN.items(), key=lambda item: -item[1][1])}
    REPORT["longest_call_of_lope_during_job_ms"] = round(1e3 * max(processor for _, processor in OWN.values()), 1)
    done("stalls measured")


def cancelling() -> Iterator[float]:
    """Cancel by the panel's button; then leave Blender with a job running."""
    desk = lope("operators.desk")
    bpy.context.scene.lope.duration_s = 3000.0
    yield 1.0
    yield from press_button("lope.simulate(")
    yield from until(lambda: desk.queue.jobs and desk.queue.jobs[0].share > 0.0, "progress")
    job = desk.queue.jobs[0]
    yield from find("lope.cancel(", 0.89)
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
    """Everything, in order; with the word `outcomes` after the folder what can come of a shot, for its pictures; with `wheel` a
    minute at the wheel, with `wheel killed` one that ends with Blender; with `poses` the editor of key poses; with `stand`
    somebody who is shoved; with `dial` the push dial; with `hit` an action that is hit; with `muscles` a
    body that muscles move; with `pressure` the pressure on the ground under a character, with
    `live` pressure that is shown as motion while it comes."""
    yield 2.0
    if "wheel" in sys.argv:
        yield from wheel()
        return
    if "poses" in sys.argv:
        yield from poses()
        return
    if "dial" in sys.argv:
        yield from dial()
        return
    if "hit" in sys.argv:
        yield from hit()
        return
    if "stand" in sys.argv:
        yield from stand()
        return
    if "creatures" in sys.argv:
        yield from creatures()
        return
    if "muscles" in sys.argv:
        yield from muscles()
        return
    if "pressure" in sys.argv:
        yield from pressure()
        return
    if "live" in sys.argv:
        yield from live()
        return
    yield from first_walk()
    if "outcomes" in sys.argv:
        yield from outcomes()
        yield from cancelling()
        return
    yield from undo_and_redo()
    yield from play()
    watch()
    yield from plots()
    yield from korean()
    yield from scroll(-80)
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
