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
from bpy_extras.view3d_utils import location_3d_to_region_2d

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))  # the folder of this one, `gui`, a package
from gui import hand
from gui.dial import dial
from gui.faults import faults
from gui.hit import hit, stand
from gui.live import live
from gui.muscles import creatures, muscles
from gui.poses import poses
from gui.pressure import pressure
from gui.tab import tab
from gui.takes import takes
from gui.wheel import wheel

JOB_S = 60.0
"""Length of the shot during which stalls are measured [s]."""
STALL_LIMIT_S = 0.05


def first_walk() -> Iterator[float]:
    """The first walk: tab, astronaut, planet, Simulate; the keys are baked when it is done."""
    yield from hand.clear()
    yield from hand.picture("1-tab")
    hand.done("tab Lope")
    yield from hand.add_astronaut()
    hand.view_all()
    yield 0.5
    yield from hand.picture("2-astronaut")
    hand.done("astronaut")
    yield from hand.press_button(".lope.world")
    yield from hand.picture("3-planets")
    yield from hand.click(*hand.PLACE)
    if bpy.context.scene.lope.world != "moon":
        raise hand.Failure(f"The world is {bpy.context.scene.lope.world}, not the Moon.")
    hand.done("Moon")
    yield from hand.press_button("lope.simulate(")
    desk = hand.lope("operators.desk")
    yield from hand.until(lambda: desk.queue.busy or hand.action() is not None, "the job")
    yield from hand.picture("4-simulating")
    yield from hand.until(lambda: not desk.queue.busy, "the take")
    yield from hand.until(lambda: hand.action() is not None, "the keys")
    hand.REPORT["clicks_to_first_walk"] = hand.REPORT["clicks"]
    hand.REPORT["summary"] = hand.armature().lope.take_summary
    yield from hand.picture("5-baked")
    hand.done("simulated and baked")


def play() -> Iterator[float]:
    """Play it. Blender makes an undo step of its own of that."""
    yield from hand.press("SPACE")
    yield from hand.until(lambda: bpy.context.scene.frame_current > 12, "the playback")
    yield from hand.press("SPACE")
    bpy.context.scene.frame_set(19)
    yield from hand.picture("6-played")
    hand.done("played")


def undo_and_redo() -> Iterator[float]:
    """One undo takes the bake away, and nothing else; redo brings it back."""
    yield from hand.press("Z", ctrl=True)
    yield from hand.until(lambda: hand.armature() is not None and hand.action() is None, "the undoing of the bake in one step")
    if not hand.armature().lope.take_path:
        raise hand.Failure("Undo took the take away with the bake.")
    yield from hand.press("Z", ctrl=True, shift=True)
    yield from hand.until(lambda: hand.action() is not None, "the redoing of the bake")
    hand.done("undo and redo")


def gaps(seconds: float | None, running: Callable[[], bool]) -> Iterator[float]:
    """Note in `GAPS` how long it takes from one turn of the event loop to the next."""
    GAPS.clear()
    end = time.monotonic() + (seconds or hand.PATIENCE_S)
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

    for panel in hand.lope("panels")._classes():
        if issubclass(panel, bpy.types.Panel) and hasattr(panel, "draw"):
            panel.draw = watched_draw(panel.draw, panel.__name__)
    simulate = bpy.types.LOPE_OT_simulate
    simulate.execute = watched_draw(simulate.execute, simulate.__name__)
    for name, call in (("operators.desk", "tick"), ("operators.plan_board", "_step"), ("operators.beside", "tick")):
        setattr(hand.lope(name), call, watched(getattr(hand.lope(name), call), f"{name}.{call}"))
    for name in ("addon.viewport.overlay", "addon.viewport.plots"):
        hand.lope(name).hide()  # shown from now on by the watched functions
        handlers = hand.lope(name)._handlers
        handlers.draws = [(watched(draw, f"{name}.{draw.__name__}"), kind) for draw, kind in handlers.draws]


def plots() -> Iterator[float]:
    """The plots of the take over the view, by their button."""
    yield from hand.scroll(40)
    yield from hand.press_button("lope.show_plots(")
    yield from hand.until(hand.lope("addon.viewport.plots").is_shown, "the plots")
    bpy.context.scene.frame_set(60)
    yield from hand.picture("8-plots")
    hand.done("plots")


def korean() -> Iterator[float]:
    """The tab in Korean, where this Blender has Korean."""
    view = bpy.context.preferences.view
    before = view.language
    try:
        view.language = "ko_KR"
    except TypeError:
        hand.REPORT["korean"] = "this Blender has no Korean"
        return
    yield from hand.picture("9-korean")
    view.language = before
    hand.done("Korean")


def stalls() -> Iterator[float]:
    """The longest stall while a long job runs, against the longest while nothing runs; the longest call of Lope's own."""
    desk = hand.lope("operators.desk")
    hand.armature().lope.bake_when_done = False
    bpy.context.scene.lope.duration_s = JOB_S
    yield 1.5
    yield from gaps(5.0, lambda: True)
    hand.REPORT["longest_gap_idle_ms"] = round(1e3 * max(GAPS), 1)
    OWN.clear()
    yield from hand.press_button("lope.simulate(")
    yield from gaps(None, lambda: desk.queue.busy)
    hand.REPORT["longest_gap_during_job_ms"] = round(1e3 * max(GAPS), 1)
    hand.REPORT["gaps_over_limit"] = sum(gap > STALL_LIMIT_S for gap in GAPS)
    hand.REPORT["gaps_counted"] = len(GAPS)
    hand.REPORT["longest_calls_of_lope_during_job_ms"] = {
        name: {"clock": round(1e3 * clock, 1), "processor": round(1e3 * processor, 1)}
        for name, (clock, processor) in sorted(OWN.items(), key=lambda item: -item[1][1])}
    hand.REPORT["longest_call_of_lope_during_job_ms"] = round(1e3 * max(processor for _, processor in OWN.values()), 1)
    hand.done("stalls measured")


def cancelling() -> Iterator[float]:
    """Cancel by the panel's button; then leave Blender with a job running."""
    desk = hand.lope("operators.desk")
    bpy.context.scene.lope.duration_s = 3000.0
    yield 1.0
    yield from hand.press_button("lope.simulate(")
    yield from hand.until(lambda: desk.queue.jobs and desk.queue.jobs[0].share > 0.0, "progress")
    job = desk.queue.jobs[0]
    yield from hand.find("lope.cancel(", 0.89)
    ended: list[float] = []
    conclude = desk._conclude
    desk._conclude = lambda order: (ended.append(time.monotonic()), conclude(order))
    yield from hand.click(*hand.PLACE)
    yield from hand.until(lambda: not desk.queue.busy, "the end of the job")
    desk._conclude = conclude
    hand.REPORT["click_to_cancelled_s"] = round(ended[-1] - hand.REPORT.pop("last_click_s"), 2)
    hand.REPORT["cancelled"] = job.state
    yield from hand.picture("7-cancelled")
    hand.done("cancelled")
    with hand.over_view():
        bpy.ops.lope.simulate()
    yield from hand.until(lambda: desk.queue.jobs and desk.queue.jobs[0].share > 0.0, "progress")
    hand.REPORT["worker_at_quit"] = desk.queue.jobs[0].process_id


def waits() -> Iterator[float]:
    """How long it is from Simulate to the keys of a walk on Earth: right after Blender's start, and with the worker ready."""
    yield from hand.clear()
    yield from hand.add_astronaut()
    bpy.context.scene.lope.world = "earth"
    for name in ("start", "ready"):
        yield from hand.press_button("lope.simulate(")
        yield from hand.until(lambda: hand.action() is not None, "the keys")
        hand.REPORT[f"simulate_to_keys_s_{name}"] = round(time.monotonic() - hand.REPORT.pop("last_click_s"), 2)
        yield 10.0
        yield from hand.press("Z", ctrl=True)
        yield from hand.until(lambda: hand.action() is None, "the undoing of the bake")
    hand.done("two presses of Simulate")


KINDS = {"waits": waits, "wheel": wheel, "poses": poses, "dial": dial, "hit": hit, "stand": stand, "creatures": creatures,
         "muscles": muscles, "pressure": pressure, "live": live, "tab": tab, "faults": faults, "takes": takes}


def whole() -> Iterator[float]:
    """Everything, in order; or what the word after the folder asks for."""
    yield 2.0
    kind = next((word for word in sys.argv if word in (*KINDS, "outcomes")), "")
    if kind in KINDS:
        yield from KINDS[kind]()
        return
    yield from first_walk()
    if kind == "outcomes":
        yield from outcomes()
        yield from cancelling()
        return
    yield from undo_and_redo()
    yield from play()
    watch()
    yield from plots()
    yield from korean()
    yield from hand.scroll(-80)
    yield from stalls()
    yield from cancelling()


def write() -> None:
    (hand.OUT / "report.json").write_text(json.dumps(hand.REPORT, indent=1) + "\n", encoding="utf-8")


def main() -> None:
    """Run the steps by a timer, so that Blender lives between them; quit at the end."""
    bpy.context.preferences.view.show_splash = False
    bpy.context.preferences.use_preferences_save = False
    steps = whole()

    def turn() -> float | None:
        try:
            return next(steps)
        except StopIteration:
            hand.REPORT["passed"] = True
        except Exception as error:
            hand.REPORT["passed"] = False
            hand.REPORT["error"] = f"{type(error).__name__}: {error}"
            traceback.print_exc()
            (hand.OUT / "failed.wish").write_text(os.environ.get("DISPLAY", ""), encoding="utf-8")
            time.sleep(hand.PICTURE_S)
        write()
        bpy.ops.wm.quit_blender()
        return None

    bpy.app.timers.register(turn, first_interval=1.0, persistent=True)




FALL_M_S = 2.6
"""No walk on the Moon stands at this speed."""
MASS_KG = 82.0
"""A setting of an override, not as shipped."""


def in_view():
    """Blender's context over the viewport."""
    return hand.over_view()


def fresh() -> bpy.types.Object:
    """A scene with the astronaut alone, all settings as shipped."""
    for item in list(bpy.data.objects):
        bpy.data.objects.remove(item)
    bpy.context.scene.lope.duration_s, bpy.context.scene.lope.world = 10.0, "moon"
    bpy.context.scene.frame_set(1)
    with in_view():
        bpy.ops.lope.add_astronaut()
        bpy.ops.view3d.view_all()
    return hand.armature()


def note():
    """What the tab says of the armature."""
    return hand.lope("operators.context").of(hand.armature())


def planned():
    """The plan that the tab shows of the armature; None while there is none."""
    return hand.lope("operators.plan_board").of(hand.armature())


def simulated() -> Iterator[float]:
    """Press Simulate, and wait until the job has ended."""
    desk = hand.lope("operators.desk")
    yield from hand.press_button("lope.simulate(")
    yield from hand.until(lambda: desk.queue.busy or note() is not None, "the job")
    yield from hand.until(lambda: not desk.queue.busy, "its end")


def fall() -> Iterator[float]:
    """A walk far too fast: it falls, the fall is shown, and the advice is tried."""
    settings = fresh().lope
    settings.gait, settings.suit, settings.use_speed, settings.speed_m_s, settings.force = "walk", "none", True, FALL_M_S, True
    yield from hand.scroll(-80)
    yield from simulated()
    yield from hand.picture("fall-1-said")
    if note().kind != "fell":
        raise hand.Failure(f"It should have fallen, and the tab says {note().text!r}.")
    yield from hand.press_button("lope.show_fall(", 0.25)
    yield from hand.until(lambda: bpy.context.scene.frame_current > 1, "the frame of the fall")
    yield from hand.picture("fall-2-shown")
    hand.REPORT["fell_at_frame"] = bpy.context.scene.frame_current
    region, bone = hand.viewport().regions[-1], hand.armature().pose.bones["pelvis"]
    at = location_3d_to_region_2d(region, hand.viewport().spaces.active.region_3d, hand.armature().matrix_world @ bone.head)
    if at is None or not (0.0 < at.x < region.width and 0.0 < at.y < region.height):
        raise hand.Failure(f"The fall is shown out of the view, at {at}.")
    yield from hand.press_button("lope.try_again(", 0.8)
    desk = hand.lope("operators.desk")
    yield from hand.until(lambda: desk.queue.busy, "the next try")
    yield from hand.picture("fall-3-trying")
    yield from hand.until(lambda: not desk.queue.busy, "its end")
    yield from hand.picture("fall-4-tried")
    hand.REPORT["tried_again"] = f"{settings.speed_m_s:.2f} m/s: {note().text}"
    hand.done("a fall")


def too_short() -> Iterator[float]:
    """From standing to standing in a shot that is too short: said before, and the length is a button."""
    settings = fresh().lope
    settings.gait, settings.start, settings.stop = "walk", "standing", "standing"
    yield from hand.until(lambda: planned() is not None and planned().needs_s is not None, "the plan that does not fit")
    yield from hand.picture("short-1-said")
    yield from hand.press_button("lope.set_duration(")
    yield from hand.until(lambda: planned() is not None and planned().needs_s is None, "the plan that fits")
    yield from hand.picture("short-2-longer")
    hand.REPORT["length_given_s"] = bpy.context.scene.lope.duration_s
    hand.done("a shot too short")


def unknown_rig() -> Iterator[float]:
    """An armature that is no figure."""
    fresh()
    for item in list(bpy.data.objects):
        bpy.data.objects.remove(item)
    with in_view():
        bpy.ops.object.armature_add()
    yield 2.0
    yield from hand.picture("unknown-1-rig")
    yield from hand.press_button("lope.simulate(")
    yield 1.0
    if note() is None or note().kind != "failed":
        raise hand.Failure("The tab does not say why nothing is simulated.")
    yield from hand.picture("unknown-2-simulated")
    hand.done("an unknown rig")


def override() -> Iterator[float]:
    """The astronaut of another file, as a library override: simulated, baked, its settings there after saving and loading."""
    fresh()
    library = hand.OUT / "library.blend"
    with in_view():
        bpy.ops.wm.save_as_mainfile(filepath=str(library), copy=True)
    for item in list(bpy.data.objects):
        bpy.data.objects.remove(item)
    with bpy.data.libraries.load(str(library), link=True) as (there, wanted):
        wanted.objects = list(there.objects)
    for item in wanted.objects:
        bpy.context.scene.collection.objects.link(item)
    bpy.context.view_layer.objects.active = next(item for item in wanted.objects if item.type == "ARMATURE")
    yield 2.0
    yield from hand.picture("override-1-linked")
    yield from hand.press_button("lope.doctor_fix(")
    own = bpy.context.view_layer.objects.active
    if own is None or own.override_library is None or own.override_library.is_system_override:
        raise hand.Failure(f"There is no override to work on, but {own}.")
    bpy.context.scene.lope.duration_s = 4.0
    yield from simulated()
    yield from hand.picture("override-2-baked")
    hand.REPORT["override"] = hand.lope("operators.context").of(own).text
    own.lope.mass_kg = MASS_KG
    with in_view():
        bpy.ops.wm.save_as_mainfile(filepath=str(hand.OUT / "shot.blend"), copy=True)
        bpy.ops.wm.open_mainfile(filepath=str(hand.OUT / "shot.blend"), load_ui=False)
    yield 2.0
    if hand.armature().override_library is None or hand.armature().lope.mass_kg != MASS_KG:
        raise hand.Failure(f"The override comes back as {hand.armature()}, of {hand.armature().lope.mass_kg:g} kg.")
    yield from hand.picture("override-3-loaded")
    hand.done("an override")


def two_strips() -> Iterator[float]:
    """Two shots pushed down to the NLA, one after the other."""
    settings = fresh().lope
    settings.bake_push_down = True
    bpy.context.scene.lope.duration_s = 4.0
    for count in (1, 2):
        settings.seed, settings.bake_go_on = count, count > 1
        yield from simulated()
        strips = [strip for track in hand.armature().animation_data.nla_tracks for strip in track.strips]
        if len(strips) != count:
            raise hand.Failure(f"There should be {count} strips, and there are {len(strips)}.")
        yield from hand.picture(f"nla-{count}")
    hand.REPORT["strips"] = [[strip.frame_start, strip.frame_end] for strip in strips]
    hand.done("two strips")


def outcomes() -> Iterator[float]:
    """All of them, in order."""
    for part in (fall, too_short, unknown_rig, override, two_strips):
        yield from part()
        yield from hand.scroll(-80)


main()
