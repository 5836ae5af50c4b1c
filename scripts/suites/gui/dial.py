# SPDX-License-Identifier: GPL-3.0-or-later
"""The push dial in a Blender window, part of drive.py: dragged, simulated, given up, taken, undone; how long it is from a
drag to the first pose of the preview on the screen, and from letting go to the simulated response.
"""

from __future__ import annotations

import os
import statistics
import time
from collections.abc import Iterator

import bpy
from bpy_extras.view3d_utils import location_3d_to_region_2d
from gui.hand import (
    OUT,
    REPORT,
    Failure,
    armature,
    done,
    lope,
    move,
    open_tab,
    picture,
    press,
    press_button,
    until,
    viewport,
    window,
)

FRAME, SECONDS = 25, 6.0
DRAGS = ((0.35, 0.0), (0.2, 0.45), (-0.3, 0.1), (0.0, -0.6), (-0.4, 0.25), (0.9, 0.0))
"""Pushes (ahead, left) over the dial's radius; the last one falls."""
PREVIEW_LIMIT_MS, RESPONSE_LIMIT_S = 50.0, 2.0
LOOK_S = 1.2
"""Time between drags, in which previews are looked at [s]."""


def pose() -> dict[str, tuple]:
    """Every bone's channels."""
    return {bone.name: (*bone.location, *bone.rotation_quaternion, *bone.scale) for bone in armature().pose.bones}


def view_region() -> bpy.types.Region:
    return next(region for region in viewport().regions if region.type == "WINDOW")


def pixels(ahead: float, left: float) -> tuple[int, int]:
    """Where a push, over the dial's radius, lies in the window."""
    session = lope("operators.push_dial").dialled
    dial = session.dial
    place = session.placement.to_scene([dial.centre_m[0] + ahead * dial.radius_m, dial.centre_m[1] + left * dial.radius_m, 0.0])
    region = view_region()
    at = location_3d_to_region_2d(region, viewport().spaces.active.region_3d, place)
    return int(region.x + at.x), int(region.y + at.y)


def mouse(kind: str, value: str, at: tuple[int, int]) -> None:
    window().event_simulate(type=kind, value=value, x=at[0], y=at[1])


class Watch:
    """How long it is from a drag to the drawing that has its pose in it."""

    def __init__(self, session) -> None:
        self.drawn_s: list[float] = []
        self._session, self._dragged_s, self._shown, self._dialled = session, 0.0, False, False
        self.posed_s: list[float] = []
        self.worked_s: list[float] = []
        self._show, self._drag = session._show, session.drag
        session._show, session.drag = self._note, self._drag_timed
        self._handler = bpy.types.SpaceView3D.draw_handler_add(self._draw, (), "WINDOW", "POST_PIXEL")

    def dragged(self) -> None:
        """A drag is on its way."""
        self._dragged_s, self._shown, self._dialled = time.perf_counter(), False, False

    def _drag_timed(self, place_m) -> None:
        began, worked = time.perf_counter(), time.thread_time()
        self._drag(place_m)
        self._dialled = True
        if self._session.posed:
            self.posed_s.append(time.perf_counter() - began)
            self.worked_s.append(time.thread_time() - worked)

    def _note(self) -> None:
        self._show()
        self._shown = self._shown or (self._dragged_s > 0.0 and self._session.state == "dragging" and self._session.posed)

    def _draw(self) -> None:
        if self._dragged_s and self._shown:
            self.drawn_s.append(time.perf_counter() - self._dragged_s)
            self._dragged_s = 0.0

    def waiting(self) -> bool:
        return self._dragged_s > 0.0

    def without(self) -> bool:
        """Whether the push has come, and no example takes it."""
        return self._dialled and not self._session.posed

    def end(self) -> None:
        bpy.types.SpaceView3D.draw_handler_remove(self._handler, "WINDOW")
        self._session._show, self._session.drag = self._show, self._drag


def figures(unit: float, times_s: list[float]) -> dict[str, float]:
    """Count, median, 95th percentile and most of times, so many of a unit in a second."""
    times = sorted(unit * one for one in times_s)
    return {"count": len(times), **{name: round(value, 2) for name, value in (
        ("median", statistics.median(times)), ("p95", times[int(0.95 * (len(times) - 1))]), ("most", times[-1]))}}


def drawing_ms() -> float:
    """How long the window takes to be drawn by itself: without a graphics card nothing is seen sooner."""
    began = time.perf_counter()
    with bpy.context.temp_override(window=window(), area=viewport(), region=view_region()):
        bpy.ops.wm.redraw_timer(type="DRAW_WIN_SWAP", iterations=5)
    return round(1e3 * (time.perf_counter() - began) / 5, 1)


def begin() -> Iterator[float]:
    """The dial, by its button."""
    push_dial = lope("operators.push_dial")
    yield from press_button("lope.push_dial(")
    yield from until(lambda: push_dial.dialled is not None, "the dial")


def drag_to(watch: Watch, push: tuple[float, float]) -> Iterator[float]:
    """Press in the middle, drag outwards in a few moves, each timed until its pose is drawn, and let go."""
    at = pixels(0.12 * push[0], 0.12 * push[1])
    move(*at)
    yield 0.1
    mouse("LEFTMOUSE", "PRESS", at)
    yield 0.1
    for share in (0.4, 0.6, 0.8, 1.0):
        watch.dragged()
        move(*pixels(share * push[0], share * push[1]))
        yield from until(lambda: not watch.waiting() or watch.without(), "the preview's pose")
        yield 0.05


def dial() -> Iterator[float]:
    """All of it, in order."""
    for item in list(bpy.data.objects):
        bpy.data.objects.remove(item)
    yield 0.5
    yield from press("N")
    yield from open_tab()
    scene = bpy.context.scene
    scene.lope.world, scene.lope.duration_s = os.environ.get("LOPE_WORLD", "earth"), SECONDS
    yield from press_button("lope.add_astronaut(", 0.4)
    yield from until(lambda: armature() is not None, "the astronaut")
    armature().lope.motion, armature().lope.suit = "STAND", "none"
    scene.frame_set(FRAME)
    with bpy.context.temp_override(window=window(), area=viewport(), region=view_region()):
        bpy.ops.view3d.view_all()
    bpy.ops.ed.undo_push(message="Ready")
    yield 1.0
    before = pose()
    yield from begin()
    session = lope("operators.push_dial").dialled
    viewport().spaces.active.region_3d.view_distance *= 1.15
    yield from picture("dial-1-map")
    yield from until(lambda: session.ready, "the warm process")
    watch, begins, waits, took, worked = Watch(session), [], [], [], []
    for number, push in enumerate(DRAGS):
        yield from drag_to(watch, push)
        if number == 1:
            yield 0.4
            yield from picture("dial-2-dragging")
        mouse("LEFTMOUSE", "RELEASE", pixels(*push))
        yield from until(lambda: session.state == "shown", "the simulated response")
        begins.append(session.began_s - session.released_s)
        waits.append(session.arrived_s - session.released_s)
        took.append(session.outcome["took_s"])
        worked.append(session.outcome["worked_s"])
        yield LOOK_S
        if number in (1, 5):
            yield from picture(f"dial-3-simulated-{number}")
    watch.end()
    REPORT["drag_to_pose_ms"], REPORT["drag_to_drawn_ms"] = figures(1e3, watch.posed_s), figures(1e3, watch.drawn_s)
    REPORT["drag_to_pose_processor_ms"] = figures(1e3, watch.worked_s)
    REPORT["one_drawing_of_the_window_ms"] = drawing_ms()
    REPORT["of_motion_s"] = round(session.lasts_s, 2)
    REPORT["release_to_its_beginning_s"] = figures(1.0, begins)
    REPORT["release_to_response_s"] = figures(1.0, waits)
    REPORT["simulated_in_s"], REPORT["simulated_in_processor_s"] = figures(1.0, took), figures(1.0, worked)
    done("dialled")
    yield from press("ESC")
    yield from until(lambda: lope("operators.push_dial").dialled is None, "the end")
    if pose() != before or len(armature().lope.pushes):
        raise Failure("Esc left something behind.")
    yield from picture("dial-4-given-up")
    yield from taken(before)
    late = [name for name, found, limit in (("drag to pose", REPORT["drag_to_pose_ms"]["median"], PREVIEW_LIMIT_MS),
                                            ("drag to pose", REPORT["drag_to_pose_processor_ms"]["p95"], PREVIEW_LIMIT_MS),
                                            ("release to response", REPORT["release_to_response_s"]["median"], RESPONSE_LIMIT_S))
            if found > limit]
    if late:
        raise Failure(f"Too slow: {', '.join(late)}.")


def taken(before: dict[str, tuple]) -> Iterator[float]:
    """A push is taken, and undone as one step."""
    yield from begin()
    session = lope("operators.push_dial").dialled
    watch = Watch(session)
    yield from drag_to(watch, DRAGS[1])
    watch.end()
    mouse("LEFTMOUSE", "RELEASE", pixels(*DRAGS[1]))
    yield from until(lambda: session.state == "shown", "the simulated response")
    yield from press("RET")
    yield from until(lambda: lope("operators.push_dial").dialled is None, "the end")
    if pose() != before or len(armature().lope.pushes) != 1 or armature().lope.pushes[0].frame != FRAME:
        raise Failure("Enter did not leave the armature as it was and one push in the shot.")
    (OUT / "push.txt").write_text(f"{armature().lope.pushes[0].force_n}\n", encoding="utf-8")
    yield from picture("dial-5-taken")
    yield from press("Z", ctrl=True)
    yield from until(lambda: armature() is not None and not len(armature().lope.pushes), "the undoing of the push in one step")
    if armature().lope.motion != "STAND" or pose() != before:
        raise Failure("Undo took more than the push.")
    yield from press("Z", ctrl=True, shift=True)
    yield from until(lambda: len(armature().lope.pushes) == 1, "the redoing of the push")
    done("taken, undone, redone")
