# SPDX-License-Identifier: GPL-3.0-or-later
"""An action that is hit in a Blender window, part of drive.py: a hit is added, its bone clicked, simulated, seen, undone;
and what cannot hit is said at the top of the tab.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import bpy
from bpy_extras.view3d_utils import location_3d_to_region_2d
from gui.hand import (
    REPORT,
    Failure,
    armature,
    click,
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

FRAME, LAST, FPS = 30, 90, 24
NAME = "Wait"
SCREEN = -5
"""Turns of the wheel that bring the panel's upper half into a small window."""


def view_region() -> bpy.types.Region:
    return next(region for region in viewport().regions if region.type == "WINDOW")


def note():
    """What the tab says of the armature."""
    return lope("operators.context").of(armature())


def keyed() -> bpy.types.Action:
    """The astronaut waits: arms that swing a little, a head that looks round."""
    bones = lope("operators.figures").figure_of(armature(), bpy.context.scene).bone_of
    for frame, share in ((1, 0.0), (30, 1.0), (60, -0.5), (LAST, 0.0)):
        for segment, axis, degrees in (("upper_arm_L", 0, 20.0), ("upper_arm_R", 0, -15.0), ("head", 1, 25.0)):
            bone = armature().pose.bones[bones[segment]]
            bone.rotation_mode = "XYZ"
            bone.rotation_euler[axis] = math.radians(share * degrees)
            bone.keyframe_insert("rotation_euler", frame=frame)
    action = armature().animation_data.action
    action.name = NAME
    return action


def opened() -> None:
    """The panel Hits open, before it is first drawn, and the last of the tab: a closed one's head cannot be found by hovering."""
    panel = bpy.types.LOPE_PT_hits
    bpy.utils.unregister_class(panel)
    panel.bl_options = set()
    bpy.utils.register_class(panel)


def reach(wanted: str, share: float = 0.62) -> Iterator[float]:
    """Press a button of the panel, at the end of the tab."""
    yield from scroll(80)
    try:
        yield from press_button(wanted, share)
    except Failure:  # higher up, in a small window
        yield from scroll(SCREEN)
        yield from press_button(wanted, share)


def struck(words: str) -> Iterator[float]:
    """Press the button, and wait for a note with these words."""
    yield from reach("lope.simulate_hit(")
    desk = lope("operators.desk")
    yield from until(lambda: not desk.queue.busy and note() is not None, "the end of the job")
    if words not in note().text:
        raise Failure(f"The tab should say {words!r}, and says {note().text!r}.")
    yield from scroll(-80)


def hit() -> Iterator[float]:
    """All of it, in order."""
    for item in list(bpy.data.objects):
        bpy.data.objects.remove(item)
    opened()
    yield 0.5
    yield from press("N")
    yield from open_tab()
    scene = bpy.context.scene
    scene.render.fps, scene.lope.world = FPS, "earth"
    yield from press_button("lope.add_astronaut(", 0.4)
    yield from until(lambda: armature() is not None, "the astronaut")
    settings = armature().lope
    settings.suit, settings.motion = "none", "STAND"
    action = keyed()
    scene.frame_set(FRAME)
    with bpy.context.temp_override(window=window(), area=viewport(), region=view_region()):
        bpy.ops.view3d.view_axis(type="FRONT")
        bpy.ops.view3d.view_all()
    yield 1.5
    yield from reach("lope.list_add(", 0.89)
    if len(settings.hits) != 1 or settings.hits[0].frame != FRAME:
        raise Failure("There is no hit at the frame that is shown.")
    yield from reach("lope.hit_pick(", 0.82)
    bone = armature().pose.bones[lope("operators.figures").figure_of(armature(), scene).bone_of["forearm_L"]]
    region = view_region()
    at = location_3d_to_region_2d(region, viewport().spaces.active.region_3d, armature().matrix_world @ bone.center)
    yield from click(region.x + at.x, region.y + at.y)
    if settings.hits[0].bone != bone.name:
        raise Failure(f"The click should have chosen {bone.name}, and chose {settings.hits[0].bone!r}.")
    yield from picture("hit-1-asked")
    yield from struck("Frames")
    made = armature().animation_data.action
    if made == action or made.name != f"{NAME} hit":
        raise Failure(f"The armature should have {NAME} hit, and has {made.name}.")
    REPORT["said"] = note().text
    scene.frame_set(FRAME + 4)
    yield 0.5
    yield from picture("hit-2-struck")
    yield from press("Z", ctrl=True)
    yield 1.0
    if armature().animation_data.action.name != NAME:
        raise Failure(f"One undo should bring {NAME} back, and there is {armature().animation_data.action.name}.")
    done("an action was hit, and undone in one step")
    armature().lope.hits[0].frame = LAST + 50
    yield from struck("is outside of the action")
    yield from picture("hit-3-outside")
    with bpy.context.temp_override(window=window(), area=viewport(), region=view_region()):
        bpy.ops.mesh.primitive_plane_add(location=(1.0, 0.0, 0.0))
    bpy.context.view_layer.objects.active = armature()
    entry = armature().lope.hits[0]
    entry.frame, entry.kind, entry.thrown = FRAME, "OBJECT", bpy.data.objects["Plane"]
    yield from struck("has no volume")
    yield from picture("hit-4-flat")
    done("what cannot hit is said")
