# SPDX-License-Identifier: GPL-3.0-or-later
"""Other bodies: one that muscles move, and a drawn bird that is read and whose gait is searched.
"""

from __future__ import annotations

from collections.abc import Iterator

import bpy
from gui import hand

SECONDS, FPS = 3.0, 24
NEAR = 4.0
BESIDE, BELOW = 120, 40
"""Pixels from the button beside a menu to its middle, and from there into the open menu."""


def opened() -> None:
    """The panels Body and Condition open before they are first drawn: a closed one's head cannot be found by hovering."""
    names = ("LOPE_PT_body", "LOPE_PT_condition", "LOPE_PT_bone_map")
    panels = [getattr(bpy.types, name) for name in names]
    for panel in reversed(panels):
        bpy.utils.unregister_class(panel)
    for panel in panels:
        panel.bl_options = {"DEFAULT_CLOSED"} if panel is panels[-1] else set()
        bpy.utils.register_class(panel)


def asked() -> Iterator[float]:
    """Muscles, and a condition out of the menu."""
    settings = hand.armature().lope
    yield from hand.press_button("lope.actuation", 0.85)
    if settings.actuation != "MUSCLES":
        raise hand.Failure("The click should have chosen muscles.")
    yield 1.0
    yield from hand.picture("muscles-1-healthy")
    yield from hand.find("lope.condition_clear(", 0.89)  # a menu's button has no command that could be found
    place = hand.PLACE[0] - BESIDE, hand.PLACE[1]
    yield from hand.click(*place)
    yield from hand.picture("muscles-2-menu")
    for value in ("PRESS", "RELEASE"):  # the letter that is underlined in Waddle
        hand.window().event_simulate(type="W", value=value, x=int(place[0]), y=int(place[1] - BELOW))
        yield 0.1
    yield from hand.until(lambda: len(settings.condition_changes) > 0, "a condition out of the menu")
    hand.REPORT["added"] = [f"{entry.kind} {entry.side}" for entry in settings.condition_changes]
    yield from hand.press("Z", ctrl=True)
    yield from hand.until(lambda: not len(hand.armature().lope.condition_changes), "no condition by one undo")
    hand.done("a condition was added by the menu, and undone in one step")


def reflexes() -> Iterator[float]:
    """A walk by reflexes on the page Walk: who goes, and how near its speed is to the one that is asked for."""
    settings = hand.armature().lope
    settings.condition_changes.clear()
    settings.gait_source, settings.use_speed, settings.speed_m_s = "REFLEX", True, 2.0
    bpy.ops.ed.undo_push(message="Reflexes")
    board = hand.lope("operators.plan_board")
    board.request()
    yield from hand.scroll(-200)
    yield from hand.until(lambda: board.of(hand.armature()) is not None and board.of(hand.armature()).walker is not None,
                          "a walker")
    hand.REPORT["walker"] = list(board.of(hand.armature()).walker)
    yield 1.0
    yield from hand.picture("muscles-5-reflex")
    hand.done("a walk by reflexes names its walker")


def shown() -> Iterator[float]:
    """The muscles of the take in the view."""
    scene = bpy.context.scene
    yield from hand.scroll(80)
    yield from hand.press_button("lope.show_muscles(", 0.4)
    room = hand.lope("addon.rigs.muscles.shown")
    collection = room.shown_muscles(hand.armature())
    if collection is None:
        raise hand.Failure("No muscles are shown.")
    hand.REPORT["muscles"] = len(collection.objects) - 1
    view = hand.viewport().spaces.active.region_3d
    hips = hand.armature().pose.bones[hand.lope("operators.figures").figure_of(hand.armature(), scene).bone_of["pelvis"]]
    reds = set()
    for frame in (24, 36, 48):
        scene.frame_set(frame)
        view.view_location, view.view_distance = hand.armature().matrix_world @ hips.head, NEAR
        graph = bpy.context.evaluated_depsgraph_get()
        reds |= {round(item.evaluated_get(graph).color[0], 2) for item in collection.objects}
        yield from hand.picture(f"muscles-4-frame-{frame}")
    if len(reds) < 10:
        raise hand.Failure("The muscles should change their colours.")
    hand.done("muscles were shown and changed their colours")
    yield from hand.press_button("lope.hide_muscles(", 0.89)
    if room.shown_muscles(hand.armature()) is not None or any(item.name.startswith("Muscle ") for item in bpy.data.objects):
        raise hand.Failure("Muscles are left.")
    hand.done("muscles were taken away")


def muscles() -> Iterator[float]:
    """All of it, in order."""
    opened()
    yield from hand.clear()
    scene = bpy.context.scene
    scene.render.fps, scene.lope.world, scene.lope.duration_s = FPS, "earth", SECONDS
    yield from hand.add_astronaut()
    hand.armature().lope.suit, hand.armature().lope.bake_when_done = "none", True
    bpy.ops.ed.undo_push(message="Asked")
    yield 0.5
    yield from asked()
    with hand.over_view():
        bpy.ops.lope.condition_add(name="weak_ankle")
        bpy.ops.view3d.view_all()
    yield 1.5
    yield from hand.picture("muscles-3-condition")
    yield from hand.simulate()
    if hand.action() is None:
        raise hand.Failure(f"It was not baked: {hand.REPORT['summary']}")
    hand.done("a body with muscles and a condition was simulated and baked")
    yield from shown()
    yield from reflexes()


CREATURE_S, CREATURE_FPS, SPEED_M_S, MINUTES = 6.0, 24, 0.6, 3.0


def searched() -> Iterator[float]:
    """Find a Gait, until something walks in the view; Keep This One."""
    desk, overlay = hand.lope("operators.desk"), hand.lope("addon.viewport.sketch_overlay")
    yield from hand.press_button("lope.find_gait(", 0.5)
    yield from hand.until(lambda: overlay.is_shown(), "a walker in the view")
    yield 2.0
    yield from hand.picture("creature-2-searching")
    job = desk.queue.jobs[0]
    first = len(job.view["ends"])
    yield from hand.until(lambda: job.ended or "stand" in job.view["words"], "a gait that was judged walks in the view")
    yield 2.0
    yield from hand.picture("creature-3-best-so-far")
    if not job.ended:
        yield from hand.press_button("lope.keep_gait(", 0.4)
    yield from hand.until(lambda: not desk.queue.busy, "the search's end")
    yield 0.5
    if overlay.is_shown():
        raise hand.Failure("The walker is still drawn after its search.")
    hand.REPORT["search"] = {"first_view": first, "said": job.text, "report": {
        name: job.report.get(name) for name in ("gait", "speed_m_s", "trial", "kept", "cpu_s", "generations")}}
    yield from hand.scroll(-200)
    yield from hand.picture("creature-4-found")
    if not job.report.get("kept"):
        raise hand.Failure(f"No gait was kept: {job.report}")
    hand.done("a gait was searched while its best walked in the view, and kept")


def given_up() -> Iterator[float]:
    """A second search, at another speed, is cancelled."""
    desk, overlay = hand.lope("operators.desk"), hand.lope("addon.viewport.sketch_overlay")
    hand.armature().lope.speed_m_s = 0.9
    yield from hand.scroll(-200)
    yield from hand.press_button("lope.find_gait(", 0.5)
    yield from hand.until(lambda: overlay.is_shown(), "another walker in the view")
    bpy.ops.lope.cancel()
    yield from hand.until(lambda: not desk.queue.busy, "its end")
    yield 0.5
    if overlay.is_shown():
        raise hand.Failure("A walker is drawn that nobody searches.")
    hand.armature().lope.speed_m_s = SPEED_M_S
    hand.done("a search was given up, and nothing of it is left")


def look_at_all() -> None:
    """Bring all that there is into the view, wherever it is at this frame."""
    hand.view_all()


def creatures() -> Iterator[float]:
    """All of it, in order."""
    bpy.ops.wm.open_mainfile(filepath=str(hand.OUT / "bird.blend"), load_ui=False)
    yield 1.0
    bird = next(item for item in bpy.context.scene.objects if item.type == "ARMATURE")
    bpy.context.view_layer.objects.active = bird
    yield from hand.press("N")
    yield from hand.open_tab()
    scene = bpy.context.scene
    scene.render.fps, scene.lope.world, scene.lope.duration_s = CREATURE_FPS, "earth", CREATURE_S
    settings = bird.lope
    settings.use_speed, settings.speed_m_s, settings.seek_minutes, settings.bake_when_done = True, SPEED_M_S, MINUTES, True
    bpy.ops.lope.detect_rig()
    bpy.ops.ed.undo_push(message="Asked")
    look_at_all()
    hand.REPORT["read"] = settings.figure
    yield 2.0
    yield from hand.picture("creature-0-read")
    yield 1.0
    yield from hand.picture("creature-1-gait")
    yield from searched()
    yield from given_up()
    yield from hand.scroll(-200)
    yield from hand.simulate()
    if hand.action() is None:
        raise hand.Failure(f"It was not baked: {hand.REPORT['summary']}")
    scene.frame_set(int(0.7 * CREATURE_S * CREATURE_FPS))
    yield 0.5
    look_at_all()  # it has walked out of the view
    yield 1.0
    yield from hand.picture("creature-5-baked")
    yield from hand.press("Z", ctrl=True)
    yield from hand.until(lambda: hand.action() is None, "no keys by one undo")
    hand.done("it was simulated, baked, and the keys undone in one step")
