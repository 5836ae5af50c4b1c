# SPDX-License-Identifier: GPL-3.0-or-later
"""Somebody who stands and is shoved in a Blender window, part of drive.py: Motion > Stand, a pose for a stance, a push,
Simulate."""

from __future__ import annotations

from collections.abc import Iterator

import bpy
from gui.hand import REPORT, Failure, armature, done, lope, open_tab, picture, press, press_button, until, viewport, window
from mathutils import Matrix

FORCE_N, FRAME, SECONDS = 300.0, 25, 5.0
ARMS_RAD = 1.2


def posed() -> Iterator[float]:
    """The forearms are raised, and the stance taken of it: undone in one step, and taken again."""
    for bone in armature().pose.bones:
        if bone.name.startswith("forearm"):
            head = Matrix.Translation(bone.matrix.translation)
            bone.matrix = head @ Matrix.Rotation(-ARMS_RAD, 4, "X") @ head.inverted() @ bone.matrix
    bpy.ops.ed.undo_push(message="Posed")
    yield 0.5
    yield from picture("stand-0-upright")
    yield from press_button("lope.stance_from_pose(")
    yield from until(lambda: bool(armature().lope.stand_pose), "the stance")
    yield from press("Z", ctrl=True)
    yield from until(lambda: not armature().lope.stand_pose, "no stance by undo")
    yield from press_button("lope.stance_from_pose(")
    yield from until(lambda: bool(armature().lope.stand_pose), "the stance again")
    done("a stance was taken from the pose, and undone in one step")


def stand() -> Iterator[float]:
    """All of it, in order."""
    for item in list(bpy.data.objects):
        bpy.data.objects.remove(item)
    yield 0.5
    yield from press("N")
    yield from open_tab()
    scene = bpy.context.scene
    scene.lope.world, scene.lope.duration_s = "earth", SECONDS
    yield from press_button("lope.add_astronaut(", 0.4)
    yield from until(lambda: armature() is not None, "the astronaut")
    armature().lope.motion, armature().lope.suit = "STAND", "none"
    yield from posed()
    push = armature().lope.pushes.add()
    push.frame, push.force_n, push.duration_s = FRAME, FORCE_N, 0.2
    with bpy.context.temp_override(window=window(), area=viewport(), region=viewport().regions[-1]):
        bpy.ops.view3d.view_all()
    yield 1.5
    yield from picture("stand-1-asked")
    yield from press_button("lope.simulate(")
    yield from until(lambda: not lope("operators.desk").queue.busy and bool(armature().lope.take_summary), "the take")
    yield 1.0
    REPORT["summary"] = armature().lope.take_summary
    if "Stood" not in REPORT["summary"]:
        raise Failure(f"It did not stay up: {REPORT['summary']}")
    scene.frame_set(FRAME + 14)
    yield 0.5
    yield from picture("stand-2-stepping")
    done("stood, was shoved, stayed up")
