# SPDX-License-Identifier: GPL-3.0-or-later
"""A creature in a Blender window, part of drive.py: a drawn bird is read, a gait is searched for it, what the search has come
to walks in the view, one is kept, simulated and baked, undone in one step. A search that is given up leaves nothing running.
"""

from __future__ import annotations

from collections.abc import Iterator

import bpy
from gui.hand import (
    OUT,
    REPORT,
    Failure,
    armature,
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

SECONDS, FPS, SPEED_M_S, MINUTES = 6.0, 24, 0.6, 3.0
REACH = 6
"""Turns of the wheel from the sidebar's top to the panel Gait."""


def searched() -> Iterator[float]:
    """Find a Gait, until something walks in the view; Keep This One."""
    desk, overlay = lope("operators.desk"), lope("addon.viewport.sketch_overlay")
    yield from press_button("lope.find_gait(", 0.5)
    yield from until(lambda: overlay.is_shown(), "a walker in the view")
    yield 2.0
    yield from picture("creature-2-searching")
    job = desk.queue.jobs[0]
    first = len(job.view["ends"])
    yield from until(lambda: job.ended or "stand" in job.view["words"], "a gait that was judged walks in the view")
    yield 2.0
    yield from picture("creature-3-best-so-far")
    if not job.ended:
        yield from press_button("lope.keep_gait(", 0.4)
    yield from until(lambda: not desk.queue.busy, "the search's end")
    yield 0.5
    if overlay.is_shown():
        raise Failure("The walker is still drawn after its search.")
    REPORT["search"] = {"first_view": first, "said": job.text, "report": {
        name: job.report.get(name) for name in ("gait", "speed_m_s", "trial", "kept", "cpu_s", "generations")}}
    yield from scroll(-200)
    yield from picture("creature-4-found")
    if not job.report.get("kept"):
        raise Failure(f"No gait was kept: {job.report}")
    done("a gait was searched while its best walked in the view, and kept")


def given_up() -> Iterator[float]:
    """A second search, at another speed, is cancelled."""
    desk, overlay = lope("operators.desk"), lope("addon.viewport.sketch_overlay")
    armature().lope.speed_m_s = 0.9
    yield from scroll(-200)
    yield from scroll(REACH)
    yield from press_button("lope.find_gait(", 0.5)
    yield from until(lambda: overlay.is_shown(), "another walker in the view")
    bpy.ops.lope.cancel()
    yield from until(lambda: not desk.queue.busy, "its end")
    yield 0.5
    if overlay.is_shown():
        raise Failure("A walker is drawn that nobody searches.")
    armature().lope.speed_m_s = SPEED_M_S
    done("a search was given up, and nothing of it is left")


def look_at_all() -> None:
    """Bring all that there is into the view, wherever it is at this frame."""
    with bpy.context.temp_override(window=window(), area=viewport(), region=viewport().regions[-1]):
        bpy.ops.view3d.view_all()


def creatures() -> Iterator[float]:
    """All of it, in order."""
    bpy.ops.wm.open_mainfile(filepath=str(OUT / "bird.blend"), load_ui=False)
    yield 1.0
    bird = next(item for item in bpy.context.scene.objects if item.type == "ARMATURE")
    bpy.context.view_layer.objects.active = bird
    yield from press("N")
    yield from open_tab()
    scene = bpy.context.scene
    scene.render.fps, scene.lope.world, scene.lope.duration_s = FPS, "earth", SECONDS
    settings = bird.lope
    settings.use_speed, settings.speed_m_s, settings.seek_minutes, settings.bake_when_done = True, SPEED_M_S, MINUTES, True
    bpy.ops.lope.detect_rig()
    bpy.ops.ed.undo_push(message="Asked")
    look_at_all()
    REPORT["read"] = settings.figure
    yield 2.0
    yield from picture("creature-0-read")
    yield from scroll(REACH)
    yield 1.0
    yield from picture("creature-1-gait")
    yield from searched()
    yield from given_up()
    yield from scroll(-200)
    yield from press_button("lope.simulate(")
    yield from until(lambda: not lope("operators.desk").queue.busy and bool(armature().lope.take_summary), "the take")
    yield 1.0
    REPORT["summary"] = armature().lope.take_summary
    if armature().animation_data is None or armature().animation_data.action is None:
        raise Failure(f"It was not baked: {REPORT['summary']}")
    scene.frame_set(int(0.7 * SECONDS * FPS))
    yield 0.5
    look_at_all()  # it has walked out of the view
    yield 1.0
    yield from picture("creature-5-baked")
    yield from press("Z", ctrl=True)
    yield from until(lambda: armature().animation_data is None or armature().animation_data.action is None, "no keys by one undo")
    done("it was simulated, baked, and the keys undone in one step")
