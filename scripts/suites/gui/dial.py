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
from gui import hand

FRAME, SECONDS = 25, 6.0
DRAGS = ((0.35, 0.0), (0.2, 0.45), (-0.3, 0.1), (0.0, -0.6), (-0.4, 0.25), (0.9, 0.0))
"""Pushes (ahead, left) over the dial's radius; the last one falls."""
PREVIEW_LIMIT_MS, RESPONSE_LIMIT_S = 50.0, 2.0
LOOK_S = 1.2
"""Time between drags, in which previews are looked at [s]."""


def pose() -> dict[str, tuple]:
    """Every bone's channels."""
    return {bone.name: (*bone.location, *bone.rotation_quaternion, *bone.scale) for bone in hand.armature().pose.bones}


def pixels(ahead: float, left: float) -> tuple[int, int]:
    """Where a push, over the dial's radius, lies in the window."""
    session = hand.lope("operators.push_dial").dialled
    dial = session.dial
    place = session.placement.to_scene([dial.centre_m[0] + ahead * dial.radius_m, dial.centre_m[1] + left * dial.radius_m, 0.0])
    region = hand.view_region()
    at = location_3d_to_region_2d(region, hand.viewport().spaces.active.region_3d, place)
    return int(region.x + at.x), int(region.y + at.y)


def mouse(kind: str, value: str, at: tuple[int, int]) -> None:
    hand.window().event_simulate(type=kind, value=value, x=at[0], y=at[1])


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
    with hand.over_view():
        bpy.ops.wm.redraw_timer(type="DRAW_WIN_SWAP", iterations=5)
    return round(1e3 * (time.perf_counter() - began) / 5, 1)


def begin_dial() -> Iterator[float]:
    """The dial, by its button."""
    push_dial = hand.lope("operators.push_dial")
    yield from hand.press_button("lope.push_dial(")
    yield from hand.until(lambda: push_dial.dialled is not None, "the dial")


def drag_to(watch: Watch, push: tuple[float, float]) -> Iterator[float]:
    """Press in the middle, drag outwards in a few moves, each timed until its pose is drawn, and let go."""
    at = pixels(0.12 * push[0], 0.12 * push[1])
    hand.move(*at)
    yield 0.1
    mouse("LEFTMOUSE", "PRESS", at)
    yield 0.1
    for share in (0.4, 0.6, 0.8, 1.0):
        watch.dragged()
        hand.move(*pixels(share * push[0], share * push[1]))
        yield from hand.until(lambda: not watch.waiting() or watch.without(), "the preview's pose")
        yield 0.05


def dial() -> Iterator[float]:
    """All of it, in order."""
    yield from hand.begin(world=os.environ.get("LOPE_WORLD", "earth"), duration_s=SECONDS)
    scene = bpy.context.scene
    hand.armature().lope.motion, hand.armature().lope.suit = "STAND", "none"
    scene.frame_set(FRAME)
    hand.view_all()
    bpy.ops.ed.undo_push(message="Ready")
    yield 1.0
    before = pose()
    yield from begin_dial()
    session = hand.lope("operators.push_dial").dialled
    hand.viewport().spaces.active.region_3d.view_distance *= 1.15
    yield from hand.picture("dial-1-map")
    yield from hand.until(lambda: session.ready, "the warm process")
    watch, begins, waits, took, worked = Watch(session), [], [], [], []
    for number, push in enumerate(DRAGS):
        yield from drag_to(watch, push)
        if number == 1:
            yield 0.4
            yield from hand.picture("dial-2-dragging")
        mouse("LEFTMOUSE", "RELEASE", pixels(*push))
        yield from hand.until(lambda: session.state == "shown", "the simulated response")
        begins.append(session.began_s - session.released_s)
        waits.append(session.arrived_s - session.released_s)
        took.append(session.outcome["took_s"])
        worked.append(session.outcome["worked_s"])
        yield LOOK_S
        if number in (1, 5):
            yield from hand.picture(f"dial-3-simulated-{number}")
    watch.end()
    hand.REPORT["drag_to_pose_ms"], hand.REPORT["drag_to_drawn_ms"] = figures(1e3, watch.posed_s), figures(1e3, watch.drawn_s)
    hand.REPORT["drag_to_pose_processor_ms"] = figures(1e3, watch.worked_s)
    hand.REPORT["one_drawing_of_the_window_ms"] = drawing_ms()
    hand.REPORT["of_motion_s"] = round(session.lasts_s, 2)
    hand.REPORT["release_to_its_beginning_s"] = figures(1.0, begins)
    hand.REPORT["release_to_response_s"] = figures(1.0, waits)
    hand.REPORT["simulated_in_s"], hand.REPORT["simulated_in_processor_s"] = figures(1.0, took), figures(1.0, worked)
    hand.done("dialled")
    yield from hand.press("ESC")
    yield from hand.until(lambda: hand.lope("operators.push_dial").dialled is None, "the end")
    if pose() != before or len(hand.armature().lope.pushes):
        raise hand.Failure("Esc left something behind.")
    yield from hand.picture("dial-4-given-up")
    yield from taken(before)
    limits = (("drag to pose", "drag_to_pose_ms", "median", PREVIEW_LIMIT_MS),
              ("drag to pose", "drag_to_pose_processor_ms", "p95", PREVIEW_LIMIT_MS),
              ("release to response", "release_to_response_s", "median", RESPONSE_LIMIT_S))
    late = [name for name, figure, part, limit in limits if hand.REPORT[figure][part] > limit]
    if late:
        raise hand.Failure(f"Too slow: {', '.join(late)}.")


def taken(before: dict[str, tuple]) -> Iterator[float]:
    """A push is taken, and undone as one step."""
    yield from begin_dial()
    session = hand.lope("operators.push_dial").dialled
    watch = Watch(session)
    yield from drag_to(watch, DRAGS[1])
    watch.end()
    mouse("LEFTMOUSE", "RELEASE", pixels(*DRAGS[1]))
    yield from hand.until(lambda: session.state == "shown", "the simulated response")
    yield from hand.press("RET")
    yield from hand.until(lambda: hand.lope("operators.push_dial").dialled is None, "the end")
    if pose() != before or len(hand.armature().lope.pushes) != 1 or hand.armature().lope.pushes[0].frame != FRAME:
        raise hand.Failure("Enter did not leave the armature as it was and one push in the shot.")
    (hand.OUT / "push.txt").write_text(f"{hand.armature().lope.pushes[0].force_n}\n", encoding="utf-8")
    yield from hand.picture("dial-5-taken")
    yield from hand.press("Z", ctrl=True)
    yield from hand.until(lambda: hand.armature() is not None and not len(hand.armature().lope.pushes),
                          "the undoing of the push in one step")
    if hand.armature().lope.motion != "STAND" or pose() != before:
        raise hand.Failure("Undo took more than the push.")
    yield from hand.press("Z", ctrl=True, shift=True)
    yield from hand.until(lambda: len(hand.armature().lope.pushes) == 1, "the redoing of the push")
    hand.done("taken, undone, redone")
