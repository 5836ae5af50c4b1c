# SPDX-License-Identifier: GPL-3.0-or-later
"""Takes in Blender's window: listed, their ghosts seen, undone and said so, gone back to, a hand key kept, saved and opened."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import bpy
from gui import hand


def note() -> str:
    """The last word about the armature."""
    found = hand.lope("operators.context").of(hand.armature())
    return "" if found is None else found.text


def expect(truth: bool, what: str) -> None:
    """A step of the report, or the end."""
    if not truth:
        raise hand.Failure(what)
    hand.done(what)


def listed_and_seen() -> Iterator[float]:
    """Two takes, both with their ghosts over the view."""
    scene = bpy.context.scene
    yield from hand.simulate()
    scene.lope.world, scene.lope.duration_s = "mars", 3.0
    yield 1.0
    count = len(hand.armature().lope.takes)
    yield from hand.press_button("lope.simulate(")
    yield from hand.until(lambda: len(hand.armature().lope.takes) > count and not hand.lope("operators.desk").queue.busy,
                          "the second take")
    yield 1.0
    expect(len(hand.armature().lope.takes) == 2 and "The keys are there" in note(), "two takes are listed, the second is baked")
    overlay = hand.lope("addon.viewport.sketch_overlay")
    for index in range(2):
        with hand.over_view():
            bpy.ops.lope.take_ghost(index=index)
    yield from hand.until(lambda: len(overlay._ghosts) == 2, "two ghosts")
    scene.frame_set(30)
    hand.view_all()
    yield from hand.picture("takes-ghosts")
    hand.done("two ghosts are seen")


def undone() -> Iterator[float]:
    """Undo takes the keys and says so; redo brings both back."""
    yield from hand.press("Z", ctrl=True)
    expect("The keys were undone" in note(), f"undone: {note()}")
    yield from hand.picture("takes-undone")
    yield from hand.press("Z", ctrl=True, shift=True)
    expect("The keys are there" in note(), f"redone: {note()}")


def gone_back_to() -> Iterator[float]:
    """The first take is the present one again, by its button, and another undo brings the second one's keys."""
    hand.armature().lope.take_index = 0
    end = hand.action().frame_range[1]
    yield from hand.press_button("lope.take_use(")
    yield 1.0
    expect(hand.action().frame_range[1] < end, "gone back to the first take")
    yield from hand.picture("takes-back")
    yield from hand.press("Z", ctrl=True)
    expect(hand.action().frame_range[1] == end, "one step of undo brings the keys before")


def hand_key_kept() -> Iterator[float]:
    """A hand key of an action that a new bake does not write over is kept by one button."""
    bone = hand.armature().pose.bones["head"]
    bone.rotation_mode = "QUATERNION"
    bpy.context.scene.frame_set(20)
    bone.rotation_quaternion = (0.96, 0.28, 0.0, 0.0)
    bone.keyframe_insert("rotation_quaternion", frame=20)
    bpy.ops.ed.undo_push(message="A hand key")
    bpy.context.scene.lope.world = "moon"
    yield 1.0
    old, count = hand.action().name, len(hand.armature().lope.takes)
    yield from hand.scroll(-60)
    yield from hand.press_button("lope.simulate(")
    yield from hand.until(lambda: len(hand.armature().lope.takes) > count and not hand.lope("operators.desk").queue.busy,
                          "the third take")
    yield 1.0
    expect(hand.action().name != old and "Your keys are in" in note(), f"said: {note()}")
    yield from hand.picture("takes-hand-key")
    yield from hand.press_button("lope.keep_keys(")
    yield 1.0
    expect("lie over" in hand.armature().lope.bake_report, hand.armature().lope.bake_report)


def saved_and_opened() -> Iterator[float]:
    """The takes lie beside the file, and are there again when it is opened."""
    path = hand.OUT / "takes" / "shot.blend"
    path.parent.mkdir(exist_ok=True)
    with hand.over_view():
        bpy.ops.wm.save_as_mainfile(filepath=str(path))
    names = sorted(Path(one.path).name for one in hand.armature().lope.takes)
    expect(sorted(file.name for file in (path.parent / "lope").iterdir()) == names, f"beside the file: {', '.join(names)}")
    with hand.over_view():
        bpy.ops.wm.open_mainfile(filepath=str(path))
    yield 2.0
    context = hand.lope("operators.context")
    expect(not context.without_take(hand.armature()), "the take is there in the file that was opened")
    yield from hand.picture("takes-opened")


def takes() -> Iterator[float]:
    """All of it."""
    yield from hand.begin(world="moon", duration_s=2.0)
    for part in (listed_and_seen, undone, gone_back_to, hand_key_kept, saved_and_opened):
        yield from part()
