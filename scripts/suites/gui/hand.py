# SPDX-License-Identifier: GPL-3.0-or-later
"""Hands and eyes in a Blender window: clicks, keys, buttons found by hovering, pictures, waiting. Used by drive.py.

What takes time is a generator that yields how long [s] to wait before it goes on.
"""

from __future__ import annotations

import importlib
import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path

import bpy

OUT = Path(sys.argv[sys.argv.index("--") + 1])
REPORT: dict[str, object] = {"blender": bpy.app.version_string, "clicks": 0, "steps": []}
PATIENCE_S = 120.0
"""Time for anything on a machine that does nothing else."""
PICTURE_S = 4.0
SCAN_PIXELS = 7
HOVER_S = 0.12
LOOKS = 4
PAGES, PAGE = 5, 12
"""So often the sidebar is turned on for a button, by so many clicks of the mouse's wheel."""


class Failure(Exception):
    """A step did not do what it should."""


def window() -> bpy.types.Window:
    return bpy.context.window_manager.windows[0]


def viewport() -> bpy.types.Area:
    return max((area for area in window().screen.areas if area.type == "VIEW_3D"), key=lambda area: area.width * area.height)


def view_region() -> bpy.types.Region:
    return next(region for region in viewport().regions if region.type == "WINDOW")


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
    """Move the mouse down the sidebar until a button that does this is under it, turning the sidebar's pages where it stands
    further down or up; its place is then in `PLACE`."""
    for turns in (0, -200, *PAGES * (PAGE,)):
        if turns:
            yield from scroll(turns)
        if (yield from _seen(wanted, share)):
            return
    raise Failure(f"There is no button for {wanted} in the sidebar.")


def _seen(wanted: str, share: float) -> Iterator[float]:
    """Whether such a button is in sight."""
    region = sidebar()
    x = region.x + share * (region.width - 20)
    move(viewport().x + 200, viewport().y + 200)  # off the last button first
    yield 4 * HOVER_S
    for y in range(region.y + region.height - 8, region.y + 4, -SCAN_PIXELS):
        move(x, y)
        yield HOVER_S
        if wanted not in hovered():
            continue
        PLACE[:] = [x, y - 4]
        for wiggle in range(LOOKS):  # a sidebar drawn anew forgets for a moment what is under the mouse
            move(x, y - 4 - wiggle % 2)
            yield 3 * HOVER_S
            if wanted in hovered():
                return True
    return False


def scroll(times: int) -> Iterator[float]:
    """Turn the mouse's wheel over the sidebar: down for positive `times`."""
    region = sidebar()
    x, y = region.x + region.width // 2, region.y + region.height // 2
    move(x, y)
    yield HOVER_S
    for _ in range(abs(times)):
        window().event_simulate(type="WHEELDOWNMOUSE" if times > 0 else "WHEELUPMOUSE", value="PRESS", x=x, y=y)
        yield 0.05
    yield 0.4


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
    """A picture of the screen: scripts/gui takes it, on the display named in the wish."""
    yield 0.6
    wish = OUT / f"{name}.wish"
    wish.write_text(os.environ.get("DISPLAY", ""), encoding="utf-8")
    end = time.monotonic() + PICTURE_S
    while wish.exists() and time.monotonic() < end:
        yield 0.1


def until(arrived: Callable[[], bool], what: str) -> Iterator[float]:
    """Wait for something, on a busy machine as much longer as others keep it busy."""
    left, last = PATIENCE_S, time.monotonic()
    while not arrived():
        now = time.monotonic()
        left -= (now - last) * min((os.cpu_count() or 1) / max(os.getloadavg()[0], 0.1), 1.0)
        last = now
        if left < 0.0:
            raise Failure(f"Waited in vain for {what}.")
        yield 0.05


def done(step: str) -> None:
    REPORT["steps"].append(step)
    print(f"gui: {step}", flush=True)


def lope(name: str):
    """A module of the installed extension."""
    package = next(key for key in sys.modules if key.endswith(".lope.operators.desk")).removesuffix(".operators.desk")
    return importlib.import_module(f"{package}.{name}")


def armature() -> bpy.types.Object | None:
    return next((item for item in bpy.data.objects if item.type == "ARMATURE"), None)


def over_view() -> AbstractContextManager:
    """What Blender's commands need to work as if the mouse were over the view."""
    return bpy.context.temp_override(window=window(), area=viewport(), region=view_region())


def view_all() -> None:
    """Bring everything into the view."""
    with over_view():
        bpy.ops.view3d.view_all()


def page(verb: str) -> Iterator[float]:
    """The page of a verb."""
    bpy.context.scene.lope.verb = verb
    sidebar().tag_redraw()
    yield 0.6


def clear() -> Iterator[float]:
    """An empty scene, and Lope's tab open."""
    for item in list(bpy.data.objects):
        bpy.data.objects.remove(item)
    yield 0.5
    yield from press("N")
    yield from open_tab()


def add_astronaut() -> Iterator[float]:
    """The astronaut, by its button."""
    yield from press_button("lope.add_astronaut(", 0.4)
    yield from until(lambda: armature() is not None, "the astronaut")


def begin(fps: int | None = None, **settings: object) -> Iterator[float]:
    """How nearly all begin: an empty scene with settings of Lope's, and the astronaut."""
    yield from clear()
    scene = bpy.context.scene
    scene.render.fps = fps or scene.render.fps
    for name, value in settings.items():
        setattr(scene.lope, name, value)
    yield from add_astronaut()


def simulate() -> Iterator[float]:
    """Press Simulate and wait for the take; what is said of it goes into the report."""
    yield from press_button("lope.simulate(")
    yield from until(lambda: not lope("operators.desk").queue.busy and bool(armature().lope.take_summary), "the take")
    yield 1.0
    REPORT["summary"] = armature().lope.take_summary


def action() -> bpy.types.Action | None:
    """The armature's action."""
    data = armature().animation_data
    return None if data is None else data.action
