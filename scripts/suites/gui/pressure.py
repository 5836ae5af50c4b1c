# SPDX-License-Identifier: GPL-3.0-or-later
"""Pressure on the ground in a Blender window, part of drive.py: a walk is simulated and baked, its pressure shown by the
button while it plays, from near and far, and on a stage; undone, and taken away; then under a motion that is read from a mat's
file, which scripts/gui lays there, and as objects that render. Drawing is timed.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

import bpy
from gui import hand
from mathutils import Euler, Vector

SECONDS, FPS = 4.0, 24
PLAYED_S = 3.0
NEAR_M, FAR_M = 2.2, 6.0
DRAW_LIMIT_MS = 10.0
"""Of one drawing: a quarter of a frame at 24 a second."""
DRAWN: list[float] = []


def timed() -> None:
    """Note in `DRAWN` how long [s] each drawing takes; shown from now on by the timed functions."""
    def measured(call: Callable[[], None]) -> Callable[[], None]:
        def drawn() -> None:
            began = time.perf_counter()
            call()
            DRAWN.append(time.perf_counter() - began)
        return drawn

    handlers = hand.lope("addon.viewport.pressure_overlay")._handlers
    handlers.draws = [(measured(draw), kind) for draw, kind in handlers.draws]


def look(frame: int, distance_m: float, down_deg: float, turn_deg: float) -> None:
    """Show a frame, the character's feet in the middle of the view."""
    scene = bpy.context.scene
    scene.frame_set(frame)
    view = hand.viewport().spaces.active.region_3d
    view.view_perspective = "PERSP"
    one = hand.lope("operators.show_pressure").showing.get(hand.armature().session_uid)
    there = None if one is None else one.now()
    if there is not None:
        matrix, moment = there
        centre = one.picture.frames[one.picture.at(moment)].centre_m
        view.view_location = matrix @ Vector((*centre, 0.1))
    view.view_distance = distance_m
    view.view_rotation = Euler((1.5708 - down_deg / 57.2958, 0.0, turn_deg / 57.2958)).to_quaternion()


def simulated(name: str) -> Iterator[float]:
    """Simulate, and wait until it is baked."""
    desk = hand.lope("operators.desk")
    before = hand.armature().lope.take_path
    with hand.over_view():
        bpy.ops.lope.simulate()
    yield from hand.until(lambda: not desk.queue.busy and hand.armature().lope.take_path not in ("", before),
                          f"the take of {name}")
    yield 1.0
    if hand.action() is None:
        raise hand.Failure(f"It was not baked: {hand.armature().lope.take_summary}")
    hand.done(f"{name} was simulated and baked")


def played() -> Iterator[float]:
    """Frames a second while it plays, without pressure and with it, and what a drawing takes."""
    show = hand.lope("operators.show_pressure")
    for called in ("with", "without"):
        if show.shows(hand.armature()) != (called == "with"):
            with hand.over_view():
                bpy.ops.lope.show_pressure()
            yield from hand.until(lambda: not show._waiting, "the pressure")
        bpy.context.scene.frame_set(1)
        DRAWN.clear()
        seen: list[int] = []

        def counted(*_arguments, seen=seen) -> None:
            seen.append(bpy.context.scene.frame_current)

        bpy.app.handlers.frame_change_post.append(counted)
        yield from hand.press("SPACE")
        yield PLAYED_S
        yield from hand.press("SPACE")
        bpy.app.handlers.frame_change_post.remove(counted)
        took = sorted(DRAWN)
        if (called == "with") != bool(took):
            raise hand.Failure(f"{called.capitalize()} pressure there are {len(took)} drawings of it.")
        hand.REPORT[f"played_{called}_pressure"] = {
            "frames_per_s": round(len(seen) / PLAYED_S, 1), "drawings": len(took),
            **({"median_ms": round(1e3 * took[len(took) // 2], 2), "worst_ms": round(1e3 * took[-1], 2)} if took else {})}
        if took and 1e3 * took[len(took) // 2] > DRAW_LIMIT_MS:
            raise hand.Failure(f"A drawing takes {1e3 * took[len(took) // 2]:.1f} ms.")
    hand.done("pressure was shown while it played")


def undone() -> Iterator[float]:
    """Undoing the bake takes the picture away, redoing it brings it back."""
    show = hand.lope("operators.show_pressure")
    uid = hand.armature().session_uid

    def drawn() -> bool:
        return uid in show.showing and show.showing[uid].now() is not None

    bpy.context.scene.frame_set(20)
    yield from hand.until(drawn, "the picture")
    bpy.ops.ed.undo_push(message="Before")
    animation = hand.armature().animation_data
    animation.action = None
    bpy.ops.ed.undo_push(message="Unlinked")
    if drawn():
        raise hand.Failure("Pressure is drawn without its action.")
    yield from hand.press("Z", ctrl=True)
    yield from hand.until(drawn, "the picture after undo")
    hand.done("undo brought the bake and its pressure back")


def read() -> Iterator[float]:
    """A motion that is read from a mat's file: what is shown goes over to that mat by itself, once it is baked."""
    show, settings = hand.lope("operators.show_pressure"), hand.armature().lope
    settings.pressure_path, settings.pressure_database = str(hand.OUT / "steps.csv"), str(hand.OUT / "steps.npz")
    before = settings.take_path
    with hand.over_view():
        bpy.ops.lope.read_pressure()
    yield from hand.until(lambda: hand.armature().lope.take_path != before and not hand.lope("operators.desk").queue.busy,
                          "the motion")
    uid = hand.armature().session_uid
    yield from hand.until(lambda: show.showing[uid].path == hand.armature().lope.take_path, "the mat under it")
    for name, frame, *view in (("8-mat", 12, NEAR_M, 25.0, 30.0), ("9-mat-later", 42, NEAR_M, 70.0, 60.0)):
        look(frame, *view)
        yield from hand.picture(f"pressure-{name}")
    hand.done("under a motion that was read lies its mat")


def rendered() -> Iterator[float]:
    """Objects that render, in solid view."""
    with hand.over_view():
        bpy.ops.lope.add_pressure()
    if "Pressure" not in bpy.data.objects:
        raise hand.Failure("Nothing was added that renders.")
    yield from hand.picture("pressure-a-objects")
    hand.done("objects that render were added")


def pressure() -> Iterator[float]:
    """All of it, in order."""
    yield from hand.begin(fps=FPS, world="earth", duration_s=SECONDS)
    hand.armature().lope.suit, hand.armature().lope.bake_when_done = "none", True
    hand.view_all()
    timed()
    yield from simulated("a walk")
    yield from hand.scroll(80)
    yield from hand.press_button("lope.show_pressure(", 0.4)
    show = hand.lope("operators.show_pressure")
    yield from hand.until(lambda: hand.armature().session_uid in show.showing, "the pressure")
    yield 1.0
    for name, frame, *view in (("1-far", 30, FAR_M, 20.0, 40.0), ("2-near", 30, NEAR_M, 25.0, 30.0),
                               ("3-near-later", 38, NEAR_M, 25.0, 30.0), ("4-above", 44, NEAR_M, 75.0, 90.0),
                               ("5-from-behind", 50, NEAR_M, 20.0, 180.0)):
        look(frame, *view)
        yield from hand.picture(f"pressure-{name}")
    hand.done("pressure was shown by its button")
    yield from played()
    with hand.over_view():
        bpy.ops.lope.show_pressure()
        bpy.ops.lope.add_stage()
    yield from hand.until(lambda: hand.armature().session_uid in show.showing, "the pressure")
    look(34, FAR_M, 20.0, 60.0)
    yield from hand.picture("pressure-6-stage")
    yield from undone()
    with hand.over_view():
        bpy.ops.lope.show_pressure()
    if hand.lope("addon.viewport.pressure_overlay").is_shown():
        raise hand.Failure("Pressure is drawn after the button was pressed again.")
    yield from hand.picture("pressure-7-away")
    hand.done("pressure was taken away")
    with hand.over_view():
        bpy.ops.lope.show_pressure()
    yield from hand.until(lambda: hand.armature().session_uid in show.showing, "the pressure")
    yield from read()
    with hand.over_view():
        bpy.ops.lope.show_pressure()
    yield from rendered()
