# SPDX-License-Identifier: GPL-3.0-or-later
"""The editor of key poses in a Blender window, part of drive.py: a gait is opened, a state added, posed on the rig and taken,
driven and changed meanwhile, saved as a preset; undo, each button one step.
"""

from __future__ import annotations

import math
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import bpy
from gui import hand
from gui.wheel import key, pose, ready

BONE, TURN_DEG = "shin.R", 30
DIGITS = ("ZERO", "ONE", "TWO", "THREE", "FOUR", "FIVE", "SIX", "SEVEN", "EIGHT", "NINE")
DRIVEN_S = 3.0
FOLDED = (85, 64, 43, 22)
"""How far [px] below a button the headers are that follow it, from the last."""
LIST_BUTTONS = 0.89
"""How far to the right in the sidebar the buttons beside a list stand."""


def own() -> bpy.types.PropertyGroup:
    return hand.armature().lope.own_gait


def drag(wanted: str, pixels: int) -> Iterator[float]:
    """Drag a slider so far."""
    yield from hand.find(wanted, 0.75)
    yield from pull(pixels)


def pull(pixels: int) -> Iterator[float]:
    """Drag the slider that was found so far."""
    x, y = (int(place) for place in hand.PLACE)
    hand.window().event_simulate(type="LEFTMOUSE", value="PRESS", x=x, y=y)
    yield hand.HOVER_S
    for step in range(1, 11):
        hand.move(x + step * pixels // 10, y)
        yield 0.05
    hand.window().event_simulate(type="LEFTMOUSE", value="RELEASE", x=x + pixels, y=y)
    yield 0.4


def typed(digit: str) -> None:
    """A digit typed over the viewport."""
    area = hand.viewport()
    x, y = area.x + area.width // 3, area.y + area.height // 2
    hand.window().event_simulate(type=DIGITS[int(digit)], value="PRESS", unicode=digit, x=x, y=y)
    hand.window().event_simulate(type=DIGITS[int(digit)], value="RELEASE", x=x, y=y)


def poses() -> Iterator[float]:
    """All of it, in order."""
    yield from hand.begin(world="earth")
    hand.armature().lope.gait_source, hand.armature().lope.suit = "POSES", "none"  # the walk carries no pack
    hand.view_all()
    yield 1.0
    yield from hand.picture("poses-1-before")
    yield from hand.press_button("lope.pose_gait_edit(")
    yield from hand.until(lambda: len(own().states) == 2, "the states")
    yield 0.5
    yield from hand.picture("poses-2-open")
    hand.done("opened")
    yield from states()
    yield from on_rig()
    yield from driven()
    yield from saved()
    yield from unfolded()


def unfolded() -> Iterator[float]:
    """What is folded away, open: no name is cut."""
    own().states[0].drawn[1] = True
    yield from hand.scroll(4)  # the headers below it are to be seen
    yield from hand.find("lope.pose_on_rig(")
    x, y = hand.PLACE
    for below in FOLDED:
        yield from hand.click(x, y - below)
    yield from hand.scroll(-40)
    yield from hand.scroll(9)
    yield from hand.picture("poses-10-unfolded")
    yield from hand.scroll(9)
    yield from hand.picture("poses-11-unfolded")
    hand.done("unfolded")


def states() -> Iterator[float]:
    """A state is duplicated, a slider dragged; undo takes each back in one step."""
    yield from hand.press_button("lope.pose_state_add(", LIST_BUTTONS)
    yield from hand.until(lambda: len(own().states) == 3, "the state")
    yield from hand.press("Z", ctrl=True)
    yield from hand.until(lambda: len(own().states) == 2, "one state less by undo")
    before = own().states[0].swing_knee
    own().state_index = 0
    yield from drag("swing_knee", -40)
    if not own().states[0].swing_knee < before - 0.05:
        raise hand.Failure(f"The knee's slider went from {before} to {own().states[0].swing_knee}.")
    yield from hand.press("Z", ctrl=True)
    yield from hand.until(lambda: abs(own().states[0].swing_knee - before) < 1e-6, "the knee as it was by undo")
    hand.done("a state and a slider, each undone in one step")


def on_rig() -> Iterator[float]:
    """A state's pose is shown, a knee bent with Blender's own tool, and taken."""
    before, knee = pose(), own().states[0].swing_knee
    yield from hand.press_button("lope.pose_on_rig(")
    yield from hand.until(lambda: hand.armature().mode == "POSE", "the pose")
    bpy.ops.pose.select_all(action="DESELECT")
    bone = next(b for b in hand.armature().pose.bones if b.name in (BONE, "shank_R", "shank.R"))
    if hasattr(bone, "select"):
        bone.select = True
    else:
        bone.bone.select = True
    hand.armature().data.bones.active = bone.bone
    hand.view_all()
    yield from hand.picture("poses-3-on-rig")
    for name in ("R", "X", "X"):
        yield from hand.press(name)
    for digit in str(TURN_DEG):
        typed(digit)
        yield hand.HOVER_S
    yield from hand.press("RET")
    yield from hand.picture("poses-4-bent")
    yield from hand.press_button("lope.take_from_rig(")
    yield from hand.until(lambda: hand.armature().mode == "OBJECT", "the taken pose")
    hand.REPORT["knee_turned_deg"] = round(math.degrees(own().states[0].swing_knee - knee), 2)
    if abs(abs(hand.REPORT["knee_turned_deg"]) - TURN_DEG) > 1.0:
        raise hand.Failure(f"The knee was bent by {TURN_DEG} degrees, and taken by {hand.REPORT['knee_turned_deg']}.")
    if pose() != before or hand.armature().animation_data is not None:
        raise hand.Failure("The armature does not stand as before, or has keys.")
    yield from hand.picture("poses-5-taken")
    yield from hand.press("Z", ctrl=True)
    yield from hand.until(lambda: abs(own().states[0].swing_knee - knee) < 1e-6 and hand.armature().lope.pose_kept,
                          "the pose by undo")
    yield from hand.press_button("lope.leave_rig(", LIST_BUTTONS)
    yield from hand.until(lambda: not hand.armature().lope.pose_kept, "the armature as before")
    if pose() != before:
        raise hand.Failure("The armature does not stand as before after undo.")
    hand.done("posed on the rig and taken")


def driven() -> Iterator[float]:
    """It is driven, a slider dragged meanwhile; the take repeats byte for byte, and undo leaves no moment of the drive."""
    driving, desk, before = hand.lope("operators.driving"), hand.lope("operators.desk"), pose()
    hand.armature().lope.motion, hand.armature().lope.drive_by = "DRIVE", "GAIT"
    hand.armature().lope.bake_when_done = False
    yield 0.5
    yield from ready()
    yield from hand.find("swing_knee", 0.75)  # nothing is found by hovering while every moment is drawn
    drive = driving.going
    key("SPACE", "PRESS")
    key("SPACE", "RELEASE")
    yield from hand.until(lambda: drive.state == "driving" and drive.view["time_s"] > DRIVEN_S, "the drive")
    knee, told = own().states[0].swing_knee, drive._told_gait
    yield from pull(-30)
    yield from hand.picture("poses-6-driven")
    if drive._told_gait == told or drive.state != "driving":
        raise hand.Failure("The slider did not reach what is driven, or it fell.")
    here = drive.view["time_s"]
    yield from hand.until(lambda: drive.view["time_s"] > here + DRIVEN_S or drive.state == "fell", "the drive")
    if drive.state == "fell":
        raise hand.Failure("It fell after the slider was moved.")
    key("SPACE", "PRESS")
    key("SPACE", "RELEASE")
    yield from hand.until(lambda: driving.going is None and not desk.queue.busy, "the take")
    changed = own().states[0].swing_knee
    again = hand.OUT / "again.npz"
    subprocess.run(hand.lope("addon.children.child").verb_command(["drive", "--script", str(drive.script), "--out", str(again)]),
                   check=True)
    hand.REPORT["replay_identical"] = again.read_bytes() == Path(drive.out).read_bytes()
    take = hand.lope("addon.sim.take").Take.load(drive.out)
    hand.REPORT["gaits_wished"] = sum(one.pose_gait is not None for one in take.shot.motion.steering)
    if not hand.REPORT["replay_identical"] or not hand.REPORT["gaits_wished"]:
        raise hand.Failure("The script gives another take, or has no gait in it.")
    if pose() != before:
        raise hand.Failure("The armature does not stand as before the drive.")
    for _ in range(3):
        if abs(own().states[0].swing_knee - knee) < 1e-6:
            break
        yield from hand.press("Z", ctrl=True)
    if abs(own().states[0].swing_knee - knee) > 1e-6 or changed == knee or pose() != before:
        raise hand.Failure("Undo after the drive left a moment of it, or the knee as it was changed.")
    hand.done("driven, changed meanwhile, repeated")


def saved() -> Iterator[float]:
    """It is saved as a preset, through its dialog."""
    folder = hand.lope("operators.context").pose_gaits_folder()
    for path in folder.glob("My*.json"):
        path.unlink()
    yield from drag("swing_hip", 30)
    yield from hand.press_button("lope.pose_gait_save(", 0.73)
    yield from hand.picture("poses-7-save")
    for value in ("PRESS", "RELEASE"):
        hand.window().event_simulate(type="RET", value=value, x=int(hand.PLACE[0]), y=int(hand.PLACE[1]))
        yield 0.1
    yield from hand.until(lambda: list(folder.glob("My*.json")), "the preset")
    hand.REPORT["presets"] = [path.name for path in folder.glob("*.json")]
    hand.move(hand.viewport().x + 5, hand.viewport().y + 5)
    yield from hand.picture("poses-8-saved")
    yield from hand.press_button("lope.pose_gait_save(", 0.73)
    yield from hand.picture("poses-9-asked")
    yield from hand.press("ESC")
    if os.environ.get("DISPLAY"):
        bpy.context.preferences.view.language = "ko_KR"
        yield from hand.picture("poses-12-korean")
        bpy.context.preferences.view.language = "en_US"
    for path in folder.glob("My*.json"):
        path.unlink()
    hand.done("saved")
