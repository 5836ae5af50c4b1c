# SPDX-License-Identifier: GPL-3.0-or-later
"""A character that muscles move in a Blender window, part of drive.py: Actuation > Muscles, a condition out of the menu,
undone in one step; simulated and baked; its muscles shown, changing colour, and taken away.
"""

from __future__ import annotations

from collections.abc import Iterator

import bpy
from gui.hand import (
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

SECONDS, FPS = 3.0, 24
NEAR = 4.0
REACH = 9
"""Turns of the wheel from the sidebar's top to the panel Gait."""
BESIDE, BELOW = 120, 40
"""Pixels from the button beside a menu to its middle, and from there into the open menu."""


def opened() -> None:
    """The panel Condition open before it is first drawn: a closed one's head cannot be found by hovering."""
    panel = bpy.types.LOPE_PT_condition
    bpy.utils.unregister_class(panel)
    panel.bl_options = set()
    bpy.utils.register_class(panel)


def asked() -> Iterator[float]:
    """Muscles, and a condition out of the menu."""
    settings = armature().lope
    yield from press_button("lope.actuation", 0.85)
    if settings.actuation != "MUSCLES":
        raise Failure("The click should have chosen muscles.")
    yield 1.0
    yield from picture("muscles-1-healthy")
    yield from find("lope.condition_clear(", 0.89)  # a menu's button has no command that could be found
    place = PLACE[0] - BESIDE, PLACE[1]
    yield from click(*place)
    yield from picture("muscles-2-menu")
    for value in ("PRESS", "RELEASE"):  # the letter that is underlined in Waddle
        window().event_simulate(type="W", value=value, x=int(place[0]), y=int(place[1] - BELOW))
        yield 0.1
    yield from until(lambda: len(settings.condition_changes) > 0, "a condition out of the menu")
    REPORT["added"] = [f"{entry.kind} {entry.side}" for entry in settings.condition_changes]
    yield from press("Z", ctrl=True)
    yield from until(lambda: not len(armature().lope.condition_changes), "no condition by one undo")
    done("a condition was added by the menu, and undone in one step")


def reflexes() -> Iterator[float]:
    """A walk by reflexes in the panel Gait: who goes, and how near its speed is to the one that is asked for."""
    settings = armature().lope
    settings.condition_changes.clear()
    settings.gait_source, settings.use_speed, settings.speed_m_s = "REFLEX", True, 2.0
    bpy.ops.ed.undo_push(message="Reflexes")
    board = lope("operators.plan_board")
    board.request()
    yield from scroll(-200)
    yield from scroll(REACH)
    yield from until(lambda: board.of(armature()) is not None and board.of(armature()).walker is not None, "a walker")
    REPORT["walker"] = list(board.of(armature()).walker)
    yield 1.0
    yield from picture("muscles-5-reflex")
    done("a walk by reflexes names its walker")


def shown() -> Iterator[float]:
    """The muscles of the take in the view."""
    scene = bpy.context.scene
    yield from scroll(80)
    yield from press_button("lope.show_muscles(", 0.4)
    room = lope("addon.rigs.muscles.shown")
    collection = room.shown_muscles(armature())
    if collection is None:
        raise Failure("No muscles are shown.")
    REPORT["muscles"] = len(collection.objects) - 1
    view = viewport().spaces.active.region_3d
    hips = armature().pose.bones[lope("operators.figures").figure_of(armature(), scene).bone_of["pelvis"]]
    reds = set()
    for frame in (24, 36, 48):
        scene.frame_set(frame)
        view.view_location, view.view_distance = armature().matrix_world @ hips.head, NEAR
        graph = bpy.context.evaluated_depsgraph_get()
        reds |= {round(item.evaluated_get(graph).color[0], 2) for item in collection.objects}
        yield from picture(f"muscles-4-frame-{frame}")
    if len(reds) < 10:
        raise Failure("The muscles should change their colours.")
    done("muscles were shown and changed their colours")
    yield from press_button("lope.hide_muscles(", 0.89)
    if room.shown_muscles(armature()) is not None or any(item.name.startswith("Muscle ") for item in bpy.data.objects):
        raise Failure("Muscles are left.")
    done("muscles were taken away")


def muscles() -> Iterator[float]:
    """All of it, in order."""
    for item in list(bpy.data.objects):
        bpy.data.objects.remove(item)
    opened()
    yield 0.5
    yield from press("N")
    yield from open_tab()
    scene = bpy.context.scene
    scene.render.fps, scene.lope.world, scene.lope.duration_s = FPS, "earth", SECONDS
    yield from press_button("lope.add_astronaut(", 0.4)
    yield from until(lambda: armature() is not None, "the astronaut")
    armature().lope.suit, armature().lope.bake_when_done = "none", True
    bpy.ops.ed.undo_push(message="Asked")
    yield 0.5
    yield from asked()
    with bpy.context.temp_override(window=window(), area=viewport(), region=viewport().regions[-1]):
        bpy.ops.lope.condition_add(name="weak_ankle")
        bpy.ops.view3d.view_all()
    yield 1.5
    yield from picture("muscles-3-condition")
    yield from press_button("lope.simulate(")
    yield from until(lambda: not lope("operators.desk").queue.busy and bool(armature().lope.take_summary), "the take")
    yield 1.0
    REPORT["summary"] = armature().lope.take_summary
    if armature().animation_data is None or armature().animation_data.action is None:
        raise Failure(f"It was not baked: {REPORT['summary']}")
    done("a body with muscles and a condition was simulated and baked")
    yield from shown()
    yield from reflexes()
