# SPDX-License-Identifier: GPL-3.0-or-later
"""The tab in Blender's window: every page, whatever object is active and in whatever mode; and its head, which must not move."""

from __future__ import annotations

from collections.abc import Iterator

import bpy
from gui import hand

VERBS = ("WALK", "FOLLOW", "STAND", "DRIVE", "POSES", "PUSH", "HIT", "CREATURE", "PRESSURE")
SECONDS = 4.0
OBJECTS = {"camera": lambda: bpy.ops.object.camera_add(), "light": lambda: bpy.ops.object.light_add(type="SUN"),
           "curve": lambda: bpy.ops.curve.primitive_bezier_circle_add(), "empty": lambda: bpy.ops.object.empty_add(),
           "mesh": lambda: bpy.ops.mesh.primitive_cube_add(location=(3.0, 3.0, 0.0)),
           "text": lambda: bpy.ops.object.text_add(), "lattice": lambda: bpy.ops.object.add(type="LATTICE"),
           "speaker": lambda: bpy.ops.object.speaker_add()}


def pages() -> Iterator[float]:
    """A picture of every page, with nobody there and with a person."""
    scene = bpy.context.scene
    for verb in VERBS:
        scene.lope.verb = verb
        hand.sidebar().tag_redraw()
        yield from hand.picture(f"page-nobody-{verb.lower()}")
    scene.lope.verb = "WALK"
    yield from hand.add_astronaut()
    hand.view_all()
    for verb in VERBS:
        scene.lope.verb = verb
        if verb == "PUSH":
            hand.armature().lope.pushes.add()
        if verb == "HIT":
            hand.armature().lope.hits.add()
        yield 1.5
        yield from hand.picture(f"page-{verb.lower()}")
    scene.lope.verb = "WALK"
    hand.done("pages")


def tab() -> Iterator[float]:
    """All of it, in order."""
    yield from hand.clear()
    yield from pages()
