# SPDX-License-Identifier: GPL-3.0-or-later
"""One drive: its job is told what the hands do, its poses are shown on the armature, the view goes along.

Armature and view are as they were as soon as the drive ends, however that comes about; the take is a job's result like any other.
"""

from __future__ import annotations

import contextlib
import json
import math
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import bpy
import numpy as np
from mathutils import Vector

from ..addon.bodies.human.suit import load_suit
from ..addon.bodies.makers import make_body
from ..addon.children.protocol import Task
from ..addon.controllers.registry import find_controller
from ..addon.drive import live
from ..addon.drive_script import ENDING
from ..addon.drive_wishes import NUMBERS, Wheel, amounts, chosen, now_told, reach_of, to_tell, towards, turned
from ..addon.errors import InputError
from ..addon.jobs.job import RUNNING
from ..addon.jobs.wheel import ANEW, DRIVING, FELL, GO, PUSH, READY, STEER
from ..addon.rigs.bake.kept_pose import kept_pose, put_back
from ..addon.rigs.bake.live import LivePose
from ..addon.simulate import resolved
from ..addon.specs.pose_gait import pose_gait_file
from . import changes, desk, plan_board, screen
from .bake_settings import options_of
from .figures import Placement, figure_of, plain
from .loose_shown import ShownObjects
from .pose_gait_settings import pose_gait_of
from .shot_builder import make_shot
from .texts import words

PUSH_S = 0.2
"""How long a click pushes [s]."""
TRUNK = "chest"
LONGEST_S = 0.1
"""A held key counts for no longer than this where Blender was busy meanwhile."""
VIEW_LAG_S = 0.25
"""The view goes along this late, so that the steps do not shake it."""
EDITED_S = 0.1
"""A gait that is edited while it is driven is told no more often [s]."""


class Drive:
    """One drive. `step` moves it on; `held` are the keys that are down, by Blender's names."""

    def __init__(self, armature: bpy.types.Object, scene: bpy.types.Scene, area: bpy.types.Area | None, out: Path) -> None:
        """Begin to drive what the settings ask for; `area` is the view that goes along, `out` the file of the take. Raises
        LopeError for a shot or an armature that cannot be driven."""
        shot = resolved(live(make_shot(armature, scene)))
        figure = figure_of(armature, scene)
        self.uid, self.name, self.held, self.area = armature.session_uid, armature.name, set[str](), area
        self.target = armature.lope.drive_target
        self._placement = Placement.of(armature, figure)
        body = make_body(shot.body, load_suit(shot.suit))
        entry = find_controller(shot.controller)
        can = entry.steerable(shot)
        self.reach = reach_of(shot.world.gravity_m_s2, (can.low_m_s, can.high_m_s), can.gaits, entry.steered_by)
        self._first = self.wheel = self._told = Wheel(can.speed_m_s)
        self.out = out
        kept = json.dumps(kept_pose(armature, figure))
        self.pose = LivePose(armature, scene, figure, body, options_of(armature.lope, scene))
        armature.lope.drive_kept = kept
        self.objects = ShownObjects(scene, shot.objects, self._placement)
        self._push_n = plain(armature.lope.drive_push_n)
        self._eye = None if area is None else area.spaces.active.region_3d
        self._looked = None if self._eye is None else self._eye.view_location.copy()
        self._at: Vector | None = None
        self._steps_s = time.perf_counter()
        self._shown: dict[str, Any] = {}
        self._shown_s = time.perf_counter()
        self._words: dict[int, float] = {}
        self.delays_s: list[float] = []
        self.ended = False
        task = Task("drive", shot.to_dict(), str(self.out), {"script": str(self.script)})
        self._first_gait = self._told_gait = shot.pose_gait
        self._edited, self._edited_s, self.unfit = False, 0.0, ""
        if shot.pose_gait is not None:
            changes.listeners.append(self._note_change)
        self.order = desk.submit(task, armature, scene, bake=armature.lope.bake_when_done and not bpy.app.background)

    @property
    def script(self) -> Path:
        """Where the drive is noted."""
        return self.out.with_suffix(ENDING)

    @property
    def view(self) -> dict[str, Any]:
        """What there is to be seen; empty before anything is."""
        return self.order.job.view

    @property
    def state(self) -> str:
        """The wheel's state; "" while its process is being started."""
        return self.view.get("state", "")

    def step(self) -> None:
        """Take in what came, show it, and tell what the hands do."""
        job, now = self.order.job, time.perf_counter()
        seconds, self._steps_s = min(now - self._steps_s, LONGEST_S), now
        job.poll()
        if self.ended:
            return
        armature = desk.find(self.uid, self.name)
        if armature is None or job.state != RUNNING:
            self.close()
            return
        if self.view and self.view is not self._shown:  # the desk's own timer takes messages in, too
            self._show(armature)
        if self.state == DRIVING:
            self._steer(seconds)
            if self._edited and now - self._edited_s > EDITED_S:
                self._tell_gait(armature, now)

    def _note_change(self) -> None:
        """A setting has changed: it may be one of the gait's."""
        self._edited = True

    def _tell_gait(self, armature: bpy.types.Object, now: float) -> None:
        """Let the gait that is edited be the one that is driven; one that does not fit is said, and the last one goes on."""
        self._edited, self._edited_s = False, now
        try:
            gait, self.unfit = pose_gait_of(armature.lope), ""
        except InputError as error:
            self.unfit = str(error)
            return
        if gait is not None and gait != self._told_gait:
            self._told_gait = gait
            self._told = self.wheel = replace(self.wheel, gait=None)
            self._tell(STEER, {"pose_gait": pose_gait_file(gait), "speed_m_s": round(self.wheel.speed_m_s, 3)})

    def _show(self, armature: bpy.types.Object) -> None:
        """Bring the pose that came onto the armature, and the view along."""
        self._shown = view = self.view
        self.pose.show(np.array(view["root_m"]), np.array(view["turns"]))
        self.objects.show(view.get("objects"))
        heard = [number for number in self._words if number <= view["heard"]]
        now = time.perf_counter()
        self.delays_s += [now - self._words.pop(number) for number in heard]
        self._go_along(Vector(self._placement.to_scene(np.array(view["root_m"]))), now - self._shown_s)
        self._shown_s = now
        for region in self.area.regions if self.area is not None else ():
            if region.type == "WINDOW":
                region.tag_redraw()

    def _go_along(self, at: Vector, seconds: float) -> None:
        """Let the view follow the hips over the ground."""
        before, self._at = self._at, at if self._at is None else self._at.lerp(at, 1.0 - math.exp(-seconds / VIEW_LAG_S))
        if before is not None and self._eye is not None and self._eye.view_perspective != "CAMERA":
            self._eye.view_location += self._at - before

    def _steer(self, seconds: float) -> None:
        """Turn the wheel as the hands, or the target, have it."""
        faster, left = amounts(self.held)
        if self.target is not None and self.target.name in bpy.data.objects:
            place = self._placement.to_take(np.array(self.target.matrix_world.translation, dtype=float))
            root, turn = self.view["root_m"], self.view["turns"][0]
            away = (float(place[0] - root[0]), float(place[1] - root[1]))
            self.wheel = towards(self.wheel, away, heading_of(turn), self._first.speed_m_s, self.reach)
        else:
            self.wheel = turned(self.wheel, faster, left, seconds, self.reach)
        wish = to_tell(self._told, self.wheel, not faster, self.reach)
        if wish:
            self._tell(STEER, wish)
            self._told = now_told(self._told, wish)

    def _tell(self, kind: str, values: dict | None = None) -> None:
        """Say a word, and note when."""
        number = self.order.job.tell(kind, values)
        if number:
            self._words[number] = time.perf_counter()

    def press(self, key: str) -> None:
        """A key of those that steer has been pressed."""
        if key in NUMBERS:
            self.wheel = chosen(self.wheel, key, self.reach)
        else:
            self.held.add(key)

    def release(self, key: str) -> None:
        """A key has been let go."""
        self.held.discard(key)

    def push(self, way: np.ndarray) -> None:
        """Push the trunk along a direction of the world."""
        force = self._push_n * self._placement.direction_to_take(way)
        self._tell(PUSH, {"duration_s": PUSH_S, "force_n": [round(float(x), 3) for x in force], "segment": TRUNK})

    def space(self) -> None:
        """Begin; stop and keep what was driven; begin anew after a fall."""
        if self.state == READY:
            self._tell(GO)
        elif self.state == DRIVING:
            self.keep()
        elif self.state == FELL:
            self.wheel = self._told = self._first
            self._told_gait, self._edited = self._first_gait, self._first_gait is not None
            self._tell(ANEW)

    def keep(self) -> None:
        """Stop, and keep what was driven."""
        if self.state in (DRIVING, FELL):
            self.order.job.finish()
            self.close()

    def give_up(self) -> None:
        """Leave everything as it was before."""
        self.order.job.cancel()
        self.close()

    def close(self) -> None:
        """Put armature and view back as they were."""
        if self.ended:
            return
        self.ended = True
        if self._note_change in changes.listeners:
            changes.listeners.remove(self._note_change)
        if bpy.context.scene is not None and bpy.context.scene.lope.show_preview:
            plan_board.request()
        armature = desk.find(self.uid, self.name)
        if armature is not None:
            self.pose.restore()
            armature.lope.drive_kept = ""
        self.objects.restore()
        with contextlib.suppress(ReferenceError):
            if self._eye is not None and self._looked is not None:
                self._eye.view_location = self._looked
        screen.redraw("WINDOW")

    def wheel_words(self) -> str:
        """What the wheel stands at."""
        return words("wished: {speed:.1f} m/s", speed=self.wheel.speed_m_s) + (f", {self.wheel.gait}" if self.wheel.gait else "")

    def trunk(self) -> Vector | None:
        """Where the trunk is about, in the world; None before anything is to be seen."""
        return None if not self.view else Vector(self._placement.to_scene(np.array(self.view["root_m"])))


def tidied(armature: bpy.types.Object) -> None:
    """Let an armature stand as before a drive of which undo, or a file, has brought back a moment."""
    kept = armature.lope.drive_kept
    if kept:
        put_back(armature, json.loads(kept))
        armature.lope.drive_kept = ""


def heading_of(turn: list[float]) -> float:
    """The heading [rad] of a root whose orientation is w-x-y-z."""
    w, x, y, z = turn
    return math.atan2(2.0 * (w * z + x * y), 1.0 - 2.0 * (y * y + z * z))
