# SPDX-License-Identifier: GPL-3.0-or-later
"""Somebody is hit: an action whose bone is clicked; and somebody who stands is shoved.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import bpy
from bpy_extras.view3d_utils import location_3d_to_region_2d
from gui import hand
from mathutils import Matrix

FRAME, LAST, FPS = 30, 90, 24
NAME = "Wait"


def note():
    """What the tab says of the armature."""
    return hand.lope("operators.context").of(hand.armature())


def keyed() -> bpy.types.Action:
    """The astronaut waits: arms that swing a little, a head that looks round."""
    bones = hand.lope("operators.figures").figure_of(hand.armature(), bpy.context.scene).bone_of
    for frame, share in ((1, 0.0), (30, 1.0), (60, -0.5), (LAST, 0.0)):
        for segment, axis, degrees in (("upper_arm_L", 0, 20.0), ("upper_arm_R", 0, -15.0), ("head", 1, 25.0)):
            bone = hand.armature().pose.bones[bones[segment]]
            bone.rotation_mode = "XYZ"
            bone.rotation_euler[axis] = math.radians(share * degrees)
            bone.keyframe_insert("rotation_euler", frame=frame)
    action = hand.armature().animation_data.action
    action.name = NAME
    return action


def struck(words: str) -> Iterator[float]:
    """Press the button, and wait for a note with these words."""
    yield from hand.press_button("lope.simulate_hit(")
    desk = hand.lope("operators.desk")
    yield from hand.until(lambda: not desk.queue.busy and note() is not None, "the end of the job")
    if words not in note().text:
        raise hand.Failure(f"The tab should say {words!r}, and says {note().text!r}.")


def hit() -> Iterator[float]:
    """All of it, in order."""
    yield from hand.clear()
    scene = bpy.context.scene
    scene.render.fps, scene.lope.world = FPS, "earth"
    yield from hand.add_astronaut()
    settings = hand.armature().lope
    settings.suit, settings.motion = "none", "STAND"
    action = keyed()
    yield from hand.page("HIT")
    scene.frame_set(FRAME)
    with hand.over_view():
        bpy.ops.view3d.view_axis(type="FRONT")
        bpy.ops.view3d.view_all()
    yield 1.5
    yield from hand.press_button("lope.list_add(", 0.89)
    if len(settings.hits) != 1 or settings.hits[0].frame != FRAME:
        raise hand.Failure("There is no hit at the frame that is shown.")
    yield from hand.press_button("lope.hit_pick(", 0.82)
    bone = hand.armature().pose.bones[hand.lope("operators.figures").figure_of(hand.armature(), scene).bone_of["forearm_L"]]
    region = hand.view_region()
    at = location_3d_to_region_2d(region, hand.viewport().spaces.active.region_3d, hand.armature().matrix_world @ bone.center)
    yield from hand.click(region.x + at.x, region.y + at.y)
    if settings.hits[0].bone != bone.name:
        raise hand.Failure(f"The click should have chosen {bone.name}, and chose {settings.hits[0].bone!r}.")
    yield from hand.picture("hit-1-asked")
    yield from struck("Frames")
    made = hand.armature().animation_data.action
    if made == action or made.name != f"{NAME} hit":
        raise hand.Failure(f"The armature should have {NAME} hit, and has {made.name}.")
    hand.REPORT["said"] = note().text
    scene.frame_set(FRAME + 4)
    yield 0.5
    yield from hand.picture("hit-2-struck")
    yield from hand.press("Z", ctrl=True)
    yield 1.0
    if hand.armature().animation_data.action.name != NAME:
        raise hand.Failure(f"One undo should bring {NAME} back, and there is {hand.armature().animation_data.action.name}.")
    hand.done("an action was hit, and undone in one step")
    hand.armature().lope.hits[0].frame = LAST + 50
    yield from struck("is outside of the action")
    yield from hand.picture("hit-3-outside")
    with hand.over_view():
        bpy.ops.mesh.primitive_plane_add(location=(1.0, 0.0, 0.0))
    bpy.context.view_layer.objects.active = hand.armature()
    entry = hand.armature().lope.hits[0]
    entry.frame, entry.kind, entry.thrown = FRAME, "OBJECT", bpy.data.objects["Plane"]
    yield from struck("has no volume")
    yield from hand.picture("hit-4-flat")
    hand.done("what cannot hit is said")


FORCE_N, SHOVED_FRAME, SECONDS = 300.0, 25, 5.0
ARMS_RAD = 1.2


def posed() -> Iterator[float]:
    """The forearms are raised, and the stance taken of it: undone in one step, and taken again."""
    for bone in hand.armature().pose.bones:
        if bone.name.startswith("forearm"):
            head = Matrix.Translation(bone.matrix.translation)
            bone.matrix = head @ Matrix.Rotation(-ARMS_RAD, 4, "X") @ head.inverted() @ bone.matrix
    bpy.ops.ed.undo_push(message="Posed")
    yield 0.5
    yield from hand.picture("stand-0-upright")
    yield from hand.press_button("lope.stance_from_pose(")
    yield from hand.until(lambda: bool(hand.armature().lope.stand_pose), "the stance")
    yield from hand.press("Z", ctrl=True)
    yield from hand.until(lambda: not hand.armature().lope.stand_pose, "no stance by undo")
    yield from hand.press_button("lope.stance_from_pose(")
    yield from hand.until(lambda: bool(hand.armature().lope.stand_pose), "the stance again")
    hand.done("a stance was taken from the pose, and undone in one step")


def stand() -> Iterator[float]:
    """All of it, in order."""
    yield from hand.begin(world="earth", duration_s=SECONDS)
    hand.armature().lope.motion, hand.armature().lope.suit = "STAND", "none"
    yield from posed()
    push = hand.armature().lope.pushes.add()
    push.frame, push.force_n, push.duration_s = SHOVED_FRAME, FORCE_N, 0.2
    hand.view_all()
    yield 1.5
    yield from hand.picture("stand-1-asked")
    yield from hand.simulate()
    if "Stood" not in hand.REPORT["summary"]:
        raise hand.Failure(f"It did not stay up: {hand.REPORT['summary']}")
    bpy.context.scene.frame_set(SHOVED_FRAME + 14)
    yield 0.5
    yield from hand.picture("stand-2-stepping")
    hand.done("stood, was shoved, stayed up")
