# SPDX-License-Identifier: GPL-3.0-or-later
"""At the wheel in a Blender window, part of drive.py: a minute of steering with turns and pushes, kept, baked and simulated
again byte for byte; a fall; Esc. With the word `killed` Blender ends itself in the middle of a drive.
"""

from __future__ import annotations

import os
import signal
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import bpy
from gui import hand

DRIVE_S = 60.0
TURNS = [(3.0 + 5.0 * k, "LEFT_ARROW" if k % 2 else "RIGHT_ARROW", 1.2) for k in range(10)]
SPEEDS = [(12.0, "DOWN_ARROW", 0.5), (26.0, "W", 0.8), (40.0, "S", 0.6)]
GAITS = [(0.5, "ONE"), (33.0, "FOUR"), (38.0, "ONE")]
PUSHES = (9.5, 31.0, 47.0)
PICTURE_AT_S, KILLED_S = 20.0, 8.0
HARD_N, SOFT_N = 4000.0, 60.0


def key(name: str, value: str) -> None:
    """A key over the middle of the viewport."""
    area = hand.viewport()
    hand.window().event_simulate(type=name, value=value, x=area.x + area.width // 3, y=area.y + area.height // 2)


def ready() -> Iterator[float]:
    """The drive's button, until the wheel is ready."""
    driving = hand.lope("operators.driving")
    yield from hand.press_button("lope.drive(")
    yield from hand.until(lambda: driving.going is not None and driving.going.state == "ready", "the wheel")


def hit() -> Iterator[float]:
    """Click beside the character."""
    area = hand.viewport()
    yield from hand.click(area.x + int(0.36 * area.width), area.y + area.height // 2)


def steer(seconds: float) -> Iterator[float]:
    """Press keys by a timetable, and take a picture on the way."""
    drive = hand.lope("operators.driving").going
    began, rates = time.monotonic(), []
    plan = sorted([(at, name, "PRESS") for at, name, _ in TURNS + SPEEDS]
                  + [(at + held, name, "RELEASE") for at, name, held in TURNS + SPEEDS]
                  + [(at, name, value) for at, name in GAITS for value in ("PRESS", "RELEASE")]
                  + [(at, "push", "") for at in PUSHES] + [(PICTURE_AT_S, "picture", "")])
    while time.monotonic() - began < seconds:
        while plan and plan[0][0] <= time.monotonic() - began:
            _, name, value = plan.pop(0)
            if name == "push":
                yield from hit()
            elif name == "picture":
                yield from hand.picture("drive-3-driving")
            else:
                key(name, value)
        if drive.state == "fell":
            raise hand.Failure(f"It fell after {drive.view['time_s']} s.")
        rates.append(drive.view["rate"])
        yield 0.02
    hand.REPORT["clock_rate_least"], hand.REPORT["clock_rate_median"] = min(rates), round(statistics.median(rates), 3)


def wheel() -> Iterator[float]:
    """All of it, in order."""
    yield from hand.begin(world=os.environ.get("LOPE_WORLD", "moon"))
    hand.armature().lope.motion = "DRIVE"
    hand.armature().lope.drive_push_n = SOFT_N
    hand.view_all()
    yield 1.0
    yield from hand.picture("drive-1-before")
    if "killed" in sys.argv:
        yield from killed()
    yield from minute()
    yield from fall()


def killed() -> Iterator[float]:
    """Blender is killed at the wheel."""
    driving = hand.lope("operators.driving")
    yield from ready()
    key("SPACE", "PRESS")
    yield from hand.until(lambda: driving.going.view["time_s"] > KILLED_S, "the drive")
    (hand.OUT / "killed.txt").write_text(f"{driving.going.view['time_s']} {driving.going.script}\n", encoding="utf-8")
    os.kill(os.getpid(), signal.SIGKILL)


class Watch:
    """How long it is from a key to the drawing of the pose that has it in it, and how often the view is drawn."""

    def __init__(self, drive) -> None:
        self.drawn_s, self.times = [], []
        self._told, self._shown, tell, show = {}, [], drive.order.job.tell, drive._show

        def timed_tell(kind, values=None):
            number = tell(kind, values)
            self._told[number] = time.perf_counter()
            return number

        def timed_show(*arguments):
            show(*arguments)
            self._shown += [number for number in self._told if number <= drive.view["heard"] and number not in self._shown]

        drive.order.job.tell, drive._show = timed_tell, timed_show
        self._handler = bpy.types.SpaceView3D.draw_handler_add(self._draw, (), "WINDOW", "POST_PIXEL")

    def _draw(self) -> None:
        now = time.perf_counter()
        self.times.append(now)
        self.drawn_s += [now - self._told.pop(number) for number in self._shown if number in self._told]
        self._shown = []

    def end(self) -> dict[str, float]:
        """The figures."""
        bpy.types.SpaceView3D.draw_handler_remove(self._handler, "WINDOW")
        gaps = [b - a for a, b in zip(self.times, self.times[1:], strict=False)]
        return {**figures(self.drawn_s), "views_a_second": round(1.0 / statistics.mean(gaps), 1),
                "gap_ms_median": round(1e3 * statistics.median(gaps), 1)}


def figures(delays_s: list[float]) -> dict[str, float]:
    """Median, 95th percentile and most of delays, in ms."""
    delays = sorted(1e3 * delay for delay in delays_s)
    return {"count": len(delays), "median": round(statistics.median(delays), 1),
            "p95": round(delays[int(0.95 * (len(delays) - 1))], 1), "most": round(delays[-1], 1)}


def pose() -> dict[str, tuple]:
    """Every bone's channels."""
    return {bone.name: (*bone.location, *bone.rotation_quaternion, *bone.scale) for bone in hand.armature().pose.bones}


def minute() -> Iterator[float]:
    """A minute at the wheel, kept and baked."""
    driving, desk, before = hand.lope("operators.driving"), hand.lope("operators.desk"), pose()
    yield from ready()
    yield from hand.picture("drive-2-ready")
    drive = driving.going
    key("SPACE", "PRESS")
    key("SPACE", "RELEASE")
    yield from hand.until(lambda: drive.state == "driving", "the drive")
    began, watch = time.monotonic(), Watch(drive)
    yield from steer(DRIVE_S)
    hand.REPORT["key_to_drawn_ms"] = watch.end()
    hand.REPORT["driven_clock_s"], hand.REPORT["driven_s"] = round(time.monotonic() - began, 2), drive.view["time_s"]
    key("SPACE", "PRESS")
    key("SPACE", "RELEASE")
    yield from hand.until(lambda: drive.ended, "the end")
    if pose() != before:
        raise hand.Failure("The pose before the drive did not come back.")
    yield from hand.until(lambda: driving.going is None and not desk.queue.busy, "the take")
    hand.REPORT["key_to_pose_ms"] = figures(drive.delays_s)
    hand.REPORT["drive"] = drive.order.job.report["drive"]
    hand.REPORT["summary"], hand.REPORT["fell"] = hand.armature().lope.take_summary, drive.order.job.report["fell"]
    yield from hand.until(lambda: hand.action() is not None, "the keys")
    bpy.context.scene.frame_set(200)
    hand.view_all()
    yield from hand.picture("drive-4-after")
    hand.done("driven, kept and baked")
    launch = hand.lope("addon.children.child")
    again = hand.OUT / "again.npz"
    subprocess.run(launch.verb_command(["drive", "--script", str(drive.script), "--out", str(again)]), check=True)
    hand.REPORT["replay_identical"] = again.read_bytes() == Path(drive.out).read_bytes()
    take = hand.lope("addon.sim.take").Take.load(drive.out)
    hand.REPORT["wishes"], hand.REPORT["pushes"] = len(take.shot.motion.steering), len(take.shot.pushes)
    hand.REPORT["take"], hand.REPORT["script"] = str(drive.out), str(drive.script)
    if not hand.REPORT["replay_identical"]:
        raise hand.Failure("The script gives another take.")
    hand.done("simulated again")


def fall() -> Iterator[float]:
    """A fall, Space begins anew, Esc gives up."""
    driving, desk = hand.lope("operators.driving"), hand.lope("operators.desk")
    hand.armature().animation_data_clear()
    hand.armature().lope.drive_push_n = HARD_N
    yield 1.0
    before = pose()
    yield from ready()
    key("SPACE", "PRESS")
    yield from hand.until(lambda: driving.going.view["time_s"] > 1.0, "the drive")
    yield from hit()
    yield from hand.until(lambda: driving.going.state == "fell", "the fall")
    yield from hand.picture("drive-5-fell")
    key("SPACE", "PRESS")
    yield from hand.until(lambda: driving.going.state == "driving", "the new drive")
    key("ESC", "PRESS")
    yield from hand.until(lambda: driving.going is None and not desk.queue.busy, "the end")
    if pose() != before:
        raise hand.Failure("The pose before the drive did not come back after Esc.")
    hand.move(hand.viewport().x + 5, hand.viewport().y + 5)
    yield from hand.picture("drive-6-given-up")
    hand.done("fall, anew, given up")
