# SPDX-License-Identifier: GPL-3.0-or-later
"""What an animator once met in the tab and must not meet again, each driven in Blender's window: a size that was mended, keys
that were undone, a person without knees, two characters in step, a T-pose at a clip's start, a search that seems to stand still,
and Blender left while a job runs. Hand keys are in takes.py, the dial's words in dial.py, the wheel's answer in wheel.py.
"""

from __future__ import annotations

import time
from collections.abc import Iterator

import bpy
import numpy as np
from gui import hand

SECONDS = 4.0
SMALL = 0.01
CLIP = "tpose.bvh"
"""A walk behind a T-pose, which scripts/gui lays beside the report."""
SEARCH_SAYS_S = 30.0
"""So soon a search says more than that it starts."""
STRIDE_FRAMES = 24


def told() -> list[str]:
    """All that the tab says."""
    return [one.text for one in hand.lope("panels.status").told(bpy.context)]


def expect(truth: bool, what: str) -> None:
    """A step of the report, or the end."""
    if not truth:
        raise hand.Failure(f"{what}: {told()}")
    hand.done(what)


def anew(**settings: object) -> Iterator[float]:
    """The astronaut alone, all settings as shipped but for the scene's."""
    for item in list(bpy.data.objects):
        bpy.data.objects.remove(item)
    for name, value in {"duration_s": SECONDS, "world": "moon", **settings}.items():
        setattr(bpy.context.scene.lope, name, value)
    bpy.context.scene.frame_set(1)
    with hand.over_view():
        bpy.ops.lope.add_astronaut()
    bpy.ops.ed.undo_push(message="Anew")
    yield 1.5


def size() -> Iterator[float]:
    """A rig of a hundredth of its size is scaled by the button, and one that is scaled back by hand is as before."""
    yield from anew()
    armature = hand.armature()
    for mend in ("button", "hand"):
        armature.scale = (SMALL, SMALL, SMALL)
        yield from hand.until(lambda: any("cm" in text or "tall" in text for text in told()), "word of its size")
        yield 0.5
        yield from hand.picture(f"faults-size-{mend}")
        if mend == "button":
            yield from hand.press_button("lope.doctor_fix(")
        else:
            armature.scale = (1.0, 1.0, 1.0)
        yield from hand.until(lambda: any("keeps its feet" in text for text in told()), "the plan again")
        expect(not any("tall" in text for text in told()), f"nothing is said of its size after the {mend}")


def undone() -> Iterator[float]:
    """Keys that are undone are not said to be there."""
    yield from anew()
    yield from hand.simulate()
    expect("The keys are there" in told()[0], "the keys are there")
    yield from hand.press("Z", ctrl=True)
    expect("The keys were undone" in told()[0], "the keys were undone")
    yield from hand.press("Z", ctrl=True, shift=True)
    expect("The keys are there" in told()[0], "the keys are there again")


def no_knees() -> Iterator[float]:
    """A person without knees: it is asked what it is."""
    yield from anew()
    armature = hand.armature()
    with hand.over_view():
        bpy.ops.object.mode_set(mode="EDIT")
        for bone in [bone for bone in armature.data.edit_bones if bone.name.startswith(("shank", "toes"))]:
            for child in list(bone.children):
                child.parent = bone.parent
            armature.data.edit_bones.remove(bone)
        bpy.ops.object.mode_set(mode="OBJECT")
    yield from hand.until(lambda: any("what is it?" in text for text in told()), "the question what it is")
    yield from hand.picture("faults-no-knees")
    yield from hand.press_button(".lope.body_kind", 0.3)
    yield from hand.until(lambda: any("knee" in text or "shank" in text for text in told()), "word of what a person lacks")
    yield from hand.picture("faults-no-knees-person")
    hand.done("it is asked what a person without knees is, and said what it lacks")


def two() -> Iterator[float]:
    """Two astronauts of one size with all settings as shipped do not go in step."""
    for world in ("earth", "moon"):
        yield from anew(world=world, duration_s=10.0)
        first = hand.armature()
        yield from hand.simulate()
        with hand.over_view():
            bpy.ops.lope.add_astronaut()
        second = bpy.context.object
        takes = second.lope.takes
        second.location.y = 3.0
        yield 1.5
        with hand.over_view():
            bpy.ops.lope.simulate()
        yield from hand.until(lambda takes=takes: not hand.lope("operators.desk").queue.busy and bool(takes), "both takes")
        yield 1.0
        hand.REPORT[f"out_of_step_{world}_frames"] = apart(first, second)
        expect(hand.REPORT[f"out_of_step_{world}_frames"] > 0.1 * STRIDE_FRAMES, f"two are out of step on {world}")


def apart(first: bpy.types.Object, second: bpy.types.Object) -> float:
    """By how many frames, at the most, the left feet of two who were baked come down at other times, in the second half."""
    scene = bpy.context.scene
    heights = []
    for frame in range(scene.frame_start, scene.frame_end + 1):
        scene.frame_set(frame)
        heights.append([(item.matrix_world @ item.pose.bones["foot_L"].head).z for item in (first, second)])
    lows = [[at for at in range(1, len(heights) - 1) if one[at] < one[at - 1] and one[at] <= one[at + 1]]
            for one in np.array(heights).T]
    late = [at for at in lows[0] if at > len(heights) // 2]
    return float(max((min(abs(at - other) for other in lows[1]) for at in late), default=0.0))


def t_pose() -> Iterator[float]:
    """A clip that begins in a T-pose is followed from behind it, and that is said."""
    yield from anew(world="earth")
    hand.armature().lope.suit = "none"
    yield from hand.page("FOLLOW")
    hand.armature().lope.follow_path = str(hand.OUT / CLIP)
    yield from hand.until(lambda: any("steps" in text for text in told()), "the plan")
    yield from hand.simulate()
    bpy.context.scene.frame_set(1)
    yield from hand.picture("faults-t-pose")
    bones = hand.armature().pose.bones
    expect(bones["hand_L"].head.z < bones["upper_arm_L"].head.z - 0.25, "the arms hang at its first frame")
    hand.REPORT["t_pose_said"] = told()


def search() -> Iterator[float]:
    """A search of a gait says within half a minute how far it is, and what its minutes are."""
    for item in list(bpy.data.objects):
        bpy.data.objects.remove(item)
    yield from hand.page("CREATURE")
    with hand.over_view():
        bpy.ops.lope.add_creature()
    yield 2.0
    desk = hand.lope("operators.desk")
    yield from hand.press_button("lope.find_gait(", 0.5)
    began = time.monotonic()
    yield from hand.until(lambda: desk.queue.jobs and desk.queue.jobs[0].text not in ("", "starting"), "word of the search")
    hand.REPORT["search_says_after_s"] = round(time.monotonic() - began, 1)
    hand.REPORT["search_says"] = told()[0]
    yield from hand.picture("faults-search")
    bpy.ops.lope.cancel()
    yield from hand.until(lambda: not desk.queue.busy, "its end")
    expect(hand.REPORT["search_says_after_s"] < SEARCH_SAYS_S, "the search says how far it is")


def asked_to_quit() -> Iterator[float]:
    """Blender is left by its keys in a saved file while a job runs: it asks, and Esc stays."""
    yield from anew(duration_s=3000.0)
    with hand.over_view():
        bpy.ops.wm.save_as_mainfile(filepath=str(hand.OUT / "faults.blend"))
    bpy.context.preferences.view.use_save_prompt = True
    yield 1.0
    yield from hand.press_button("lope.simulate(")
    desk = hand.lope("operators.desk")
    yield from hand.until(lambda: desk.queue.jobs and desk.queue.jobs[0].share > 0.0, "progress")
    expect(bpy.data.is_dirty, "a job counts as a change of the file, so that Blender asks before it quits")
    yield from hand.press("Q", ctrl=True)
    yield 0.5
    yield from hand.picture("faults-quit")
    yield from hand.press("ESC")
    expect(bool(desk.queue.jobs), "the job goes on where quitting was left")
    bpy.ops.lope.cancel()


def faults() -> Iterator[float]:
    """All of them."""
    yield from hand.clear()
    for part in (size, undone, no_knees, two, t_pose, search, asked_to_quit):
        yield from part()
