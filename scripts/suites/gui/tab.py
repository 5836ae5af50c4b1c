# SPDX-License-Identifier: GPL-3.0-or-later
"""The tab in Blender's window: every page, whatever object is active and in whatever mode; and its head, which must not move."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator

import bpy
import numpy as np
from gui import hand

VERBS = ("WALK", "FOLLOW", "STAND", "DRIVE", "POSES", "PUSH", "HIT", "CREATURE", "PRESSURE")
FILLED = {"PUSH": "pushes", "HIT": "hits"}
"""Lists that a picture of a page shall not show empty."""
SECONDS = 4.0
LONG_S = 3000.0
"""A job of this length is still there when it is cancelled."""
ALIKE = 8.0 / 255.0
"""Two pictures of a button are of the same place where no more than one pixel in `FEW` differs by more: what moves by a pixel
differs along its edges and letters."""
FEW = 0.002
GREY = 0.02
"""So much of the big button's shape differs at the most where its letters are pale."""
UP_PX, BUTTON_PX, VERBS_PX = 1, 18, 52
"""A button is found near its upper edge: so far up from there, and down, it is compared [pixels]; the verbs in all rows."""
ADD: dict[str, Callable[[], object]] = {
    "camera": lambda: bpy.ops.object.camera_add(location=(0.0, -8.0, 2.0)),
    "light": lambda: bpy.ops.object.light_add(type="SUN"),
    "curve": lambda: bpy.ops.curve.primitive_bezier_curve_add(), "empty": lambda: bpy.ops.object.empty_add(),
    "mesh": lambda: bpy.ops.mesh.primitive_cube_add(location=(3.0, 3.0, 0.0)), "text": lambda: bpy.ops.object.text_add(),
    "lattice": lambda: bpy.ops.object.add(type="LATTICE"), "speaker": lambda: bpy.ops.object.speaker_add(),
    "surface": lambda: bpy.ops.surface.primitive_nurbs_surface_sphere_add(), "meta": lambda: bpy.ops.object.metaball_add()}
MODES = (("ARMATURE", "EDIT"), ("ARMATURE", "POSE"), ("MESH", "EDIT"), ("MESH", "SCULPT"), ("MESH", "WEIGHT_PAINT"),
         ("CURVE", "EDIT"))


def away() -> Iterator[float]:
    """The mouse over the view, so that no button is lit and no tooltip is shown."""
    hand.move(hand.viewport().x + 200, hand.viewport().y + 120)
    yield 0.6


def pages(when: str) -> Iterator[float]:
    """A picture of every page."""
    for verb in VERBS:
        bpy.context.scene.lope.verb = verb
        armature = hand.armature()
        if armature is not None and verb in FILLED:
            bpy.ops.lope.list_add(name=FILLED[verb])
        yield 2.0
        yield from away()
        yield from hand.picture(f"page-{when}-{verb.lower()}")
        if armature is not None and verb in FILLED:
            getattr(armature.lope, FILLED[verb]).clear()  # what follows goes unpushed and is not hit
    bpy.context.scene.lope.verb = "WALK"
    hand.done(f"pages, {when}")


def whatever_is_active() -> Iterator[float]:
    """The big button is there with each kind of object active, with none, and in each mode."""
    for name, add in ADD.items():
        with hand.over_view():
            add()
        yield from hand.find("lope.simulate(")
        hand.REPORT["steps"].append(f"active: {name}")
    bpy.context.view_layer.objects.active = None
    yield from hand.find("lope.simulate(")
    yield from away()
    yield from hand.picture("active-none")
    for kind, mode in MODES:
        active = next(item for item in bpy.context.scene.objects if item.type == kind and item.name != "Astronaut body")
        bpy.context.view_layer.objects.active = active
        with hand.over_view():
            bpy.ops.object.mode_set(mode=mode)
        yield from hand.find("lope.simulate(")
        yield from away()
        yield from hand.picture(f"mode-{kind.lower()}-{mode.lower()}")
        with hand.over_view():
            bpy.ops.object.mode_set(mode="OBJECT")
        hand.REPORT["steps"].append(f"mode: {kind} {mode}")


def cancelled_from_a_camera() -> Iterator[float]:
    """A job is seen and cancelled with a camera active."""
    desk = hand.lope("operators.desk")
    bpy.context.scene.lope.duration_s = LONG_S
    yield 1.5
    yield from hand.press_button("lope.simulate(")
    yield from hand.until(lambda: desk.queue.jobs and desk.queue.jobs[0].share > 0.0, "progress")
    bpy.context.view_layer.objects.active = next(item for item in bpy.context.scene.objects if item.type == "CAMERA")
    yield 0.5
    yield from hand.picture("job-of-a-camera")
    yield from hand.press_button("lope.cancel(", 0.92)
    yield from hand.until(lambda: not desk.queue.busy, "the end of the job")
    yield from away()
    yield from hand.picture("cancelled")
    bpy.context.scene.lope.duration_s = SECONDS
    hand.done("a job was cancelled with a camera active")


PLACES: dict[str, tuple[float, float]] = {}
"""Where the big button and the first row of verbs are [pixels of the window]."""
PICTURES: list[str] = []


def seen(name: str) -> Iterator[float]:
    """A picture of the head after something has happened, to be compared with the first."""
    yield 1.0
    yield from away()
    yield from hand.picture(f"head-{name}")
    PICTURES.append(name)


def places() -> Iterator[float]:
    """Find the big button and the verbs."""
    for name, wanted in (("button", "lope.simulate("), ("verbs", ".lope.verb")):
        yield from hand.find(wanted, 0.5)
        PLACES[name] = tuple(hand.PLACE)


def hour_of_work() -> Iterator[float]:
    """Simulated, baked, undone, redone, cancelled, refused, too short, fallen: a picture of the head after each."""
    desk = hand.lope("operators.desk")
    bpy.context.scene.lope.duration_s = SECONDS
    yield 2.0
    yield from places()
    yield from seen("ready")
    yield from hand.press_button("lope.simulate(")
    yield from hand.until(lambda: desk.queue.busy, "the job")
    yield from seen("simulating")
    yield from hand.until(lambda: not desk.queue.busy and hand.action() is not None, "the keys")
    yield from seen("baked")
    yield from hand.press("Z", ctrl=True)
    yield from seen("undone")
    yield from hand.press("Z", ctrl=True, shift=True)
    yield from seen("redone")
    bpy.context.scene.lope.duration_s = LONG_S
    yield 2.0
    yield from hand.press_button("lope.simulate(")
    yield from hand.until(lambda: desk.queue.jobs and desk.queue.jobs[0].share > 0.0, "progress")
    yield from hand.press_button("lope.cancel(", 0.92)
    yield from hand.until(lambda: not desk.queue.busy, "the end of the job")
    yield from seen("cancelled")
    bpy.context.scene.lope.duration_s = SECONDS
    armature = hand.armature()
    armature.lope.path = "CURVE"  # none is chosen
    yield 2.0
    yield from hand.press_button("lope.simulate(")
    yield from seen("refused")
    armature.lope.path = "straight"
    armature.lope.start = armature.lope.stop = "standing"
    yield 2.0
    yield from seen("too-short")
    armature.lope.start = armature.lope.stop = "moving"
    armature.lope.gait, armature.lope.use_speed, armature.lope.speed_m_s, armature.lope.force = "walk", True, 2.6, True
    yield 2.0
    before = len(armature.lope.takes)
    yield from hand.press_button("lope.simulate(")
    yield from hand.until(lambda: len(armature.lope.takes) > before, "the fall")  # the job may end within a click
    yield from seen("fallen")
    armature.lope.use_speed = armature.lope.force = False
    armature.lope.gait = "auto"
    bpy.context.scene.lope.world = "custom"
    yield from seen("custom-world")
    bpy.context.scene.lope.world = "moon"
    hand.armature().name = "A Character with a Name That Is Far Too Long for Any Sidebar"
    yield from seen("long-name")
    hand.armature().name = "Astronaut"


def unmoved() -> None:
    """Compare the pictures of the head: raises Failure where the verbs or the big button moved."""
    first, worst = None, {}
    region = hand.sidebar()
    across = slice(int(region.x + 12), int(region.x + region.width - 34))
    for name in PICTURES:
        image = bpy.data.images.load(str(hand.OUT / f"head-{name}.png"))
        width, height = image.size
        pixels = np.array(image.pixels[:], dtype=np.float32).reshape(height, width, 4)[..., :3]  # from the lowest row up
        bpy.data.images.remove(image)
        button, verbs = (int(PLACES[key][1]) for key in ("button", "verbs"))
        parts = {"verbs": pixels[verbs - VERBS_PX:verbs + UP_PX, across]}
        edge = pixels[button - BUTTON_PX:button + UP_PX, across]
        parts["button"] = (edge.mean(axis=2) - np.median(edge)) > 0.0  # its shape: letters pale when it is grey
        if first is None:
            first = parts
        worst[name] = {"verbs": float((np.abs(parts["verbs"] - first["verbs"]).max(axis=2) > ALIKE).mean()),
                       "button": float((parts["button"] != first["button"]).mean())}
    hand.REPORT["head"] = worst
    moved = [name for name, found in worst.items() if found["verbs"] > FEW or found["button"] > GREY]
    if moved:
        raise hand.Failure(f"The button or the verbs are not where they were: {', '.join(moved)}.")
    hand.done("the head did not move")


def opened() -> None:
    """The closed panels open before they are first drawn: a closed one's head cannot be found by hovering."""
    panels = [getattr(bpy.types, f"LOPE_PT_{name}") for name in ("body", "condition", "bone_map", "bake", "advanced")]
    for panel in sorted(panels, key=lambda panel: not hasattr(panel, "bl_parent_id")):
        bpy.utils.unregister_class(panel)
    for panel in panels:
        panel.bl_options = set()
        bpy.utils.register_class(panel)


def bodies() -> Iterator[float]:
    """What is closed at first: Body with a condition, Bake, Advanced; and the popovers of the head."""
    hand.armature().lope.actuation = "MUSCLES"
    bpy.context.scene.lope.verb = "CREATURE"  # the shortest page
    yield 1.0
    for name, turns in (("1", 0), ("2", 12), ("3", 12), ("4", 12), ("5", 12)):
        yield from hand.scroll(turns)
        yield from away()
        yield from hand.picture(f"body-{name}")
    yield from hand.scroll(-200)
    for name in ("said", "world"):
        with bpy.context.temp_override(window=hand.window(), area=hand.viewport(), region=hand.sidebar()):
            bpy.ops.wm.call_panel(name=f"LOPE_PT_{name}", keep_open=True)
        yield from hand.picture(f"popover-{name}")
        yield from hand.press("ESC")
    with hand.over_view():
        bpy.ops.lope.add_creature()
    yield 1.5
    yield from away()
    yield from hand.picture("page-creature-of-one")
    hand.done("what is closed at first")


def tab() -> Iterator[float]:
    """All of it, in order; or the parts that are named behind the kind."""
    parts = ("nobody", "work", "pages", "active")
    wanted = [part for part in (*parts, "body") if part in sys.argv] or parts
    if "body" in wanted:
        opened()
        hand.lope("panels.advanced").shows_advanced = lambda _context: True
    yield from hand.clear()
    if "nobody" in wanted:
        yield from pages("nobody")
    yield from hand.add_astronaut()
    hand.view_all()
    yield 1.0
    if "work" in wanted:
        yield from hour_of_work()
    if "pages" in wanted:
        yield from pages("person")
    if "active" in wanted:
        yield from whatever_is_active()
        yield from cancelled_from_a_camera()
    if "work" in wanted:
        unmoved()
    if "body" in wanted:
        yield from bodies()
