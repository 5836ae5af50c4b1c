# SPDX-License-Identifier: GPL-3.0-or-later
"""One drive: its job is told what the hands do, its poses are shown on the armature, the view goes along."""

from __future__ import annotations

import math
import time
from dataclasses import replace
from pathlib import Path

import bpy
import numpy as np
from mathutils import Vector

from ..addon.bodies.of_shot import shot_body
from ..addon.children.protocol import Task
from ..addon.errors import InputError
from ..addon.jobs.job import CANCELLED, FAILED
from ..addon.jobs.wheel import ANEW, DRIVING, FELL, GO, PUSH, READY, STEER
from ..addon.locomotion.registry import find_controller
from ..addon.sim.drive_script import ENDING, read_script
from ..addon.sim.live import live
from ..addon.sim.simulation import resolved
from ..addon.specs.motions import KeyPoses
from ..addon.specs.pose_gait import pose_gait_file
from ..addon.specs.shot import DURATION_RANGE_S
from . import desk
from . import properties as changes
from .context import words
from .figures import plain
from .pose_gait_settings import pose_gait_of
from .shot_builder import make_shot
from .surroundings import ShownObjects
from .watched import Watched
from .wheel import NUMBERS, Wheel, amounts, chosen, now_told, reach_of, to_tell, towards, turned

PUSH_S = 0.2
"""How long a click pushes [s]."""
TRUNK = "chest"
LONGEST_S = 0.4
"""A held key counts for no longer than this where Blender was busy meanwhile; drawing by the processor takes 0.15 to 0.3 s."""
EDITED_S = 0.1
"""A gait that is edited while it is driven is told no more often [s]."""


class Drive(Watched):
    """One drive. `step` moves it on; `held` are the keys that are down, by Blender's names."""

    def __init__(self, armature: bpy.types.Object, scene: bpy.types.Scene, area: bpy.types.Area | None, out: Path) -> None:
        """Begin to drive what the settings ask for; `area` is the view that goes along, `out` the file of the take. Raises
        LopeError for a shot or an armature that cannot be driven."""
        shot = resolved(live(make_shot(armature, scene)))
        controller = find_controller(shot.controller)
        controller.check_kind(shot.body.kind)
        can = controller.steerable(shot)
        super().__init__(armature, scene, area, out, shot_body(shot))
        self.held, self.target = set[str](), armature.lope.drive_target
        self.reach = reach_of(shot.world.gravity_m_s2, (can.low_m_s, can.high_m_s), can.gaits, controller.steered_by,
                              plain(armature.lope.drive_faster_m_s2), can.highest_m_s)
        self._first = self.wheel = self._told = Wheel(can.speed_m_s)
        self.objects = ShownObjects(scene, shot.objects, self._placement)
        self._push_n = plain(armature.lope.drive_push_n)
        self._steps_s = time.perf_counter()
        self._words: dict[int, float] = {}
        self.delays_s: list[float] = []
        task = Task("drive", shot.to_dict(), str(self.out), {"script": str(self.script)})
        self._first_gait = self._told_gait = shot.motion.gait if isinstance(shot.motion, KeyPoses) else None
        self._edited, self._edited_s, self.unfit = False, 0.0, ""
        if isinstance(shot.motion, KeyPoses):
            changes.listeners.append(self._note_change)
        self._submit(task, armature, scene, bake=armature.lope.bake_when_done and not bpy.app.background)

    @property
    def script(self) -> Path:
        """Where the drive is noted."""
        return self.out.with_suffix(ENDING)

    def step(self) -> None:
        """Take in what came, show it, and tell what the hands do."""
        now = time.perf_counter()
        seconds, self._steps_s = min(now - self._steps_s, LONGEST_S), now
        super().step()
        if self.ended or self.state != DRIVING:
            return
        self._steer(seconds)
        armature = desk.find(self.uid, self.name)
        if self._edited and now - self._edited_s > EDITED_S and armature is not None:
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
        """Bring the pose that came onto the armature, and everything along."""
        super()._show(armature)
        self.objects.show(self.view.get("objects"))
        now = time.perf_counter()
        for number in [number for number in self._words if number <= self.view["heard"]]:
            self.delays_s.append(now - self._words.pop(number))

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

    def close(self) -> None:
        """Put armature, objects and view back as they were."""
        if self._note_change in changes.listeners:
            changes.listeners.remove(self._note_change)
        if not self.ended:
            self.objects.restore()
        super().close()

    def hide(self) -> None:
        """Let the scene be as it is without the drive."""
        super().hide()
        self.objects.restore()

    def tidy(self) -> None:
        """Of one that was given up nothing stays; one whose process was ended is put together again."""
        state, armature = self.order.job.state, desk.find(self.uid, self.name)
        if state == CANCELLED:
            self.script.unlink(missing_ok=True)
        elif state == FAILED and armature is not None and self.view.get("time_s", 0.0) >= DURATION_RANGE_S[0]:
            recover(armature, bpy.context.scene, self.script)

    def wheel_words(self) -> str:
        """What the wheel stands at."""
        return words("wished: {speed:.1f} m/s", speed=self.wheel.speed_m_s) + (f", {self.wheel.gait}" if self.wheel.gait else "")

    def trunk(self) -> Vector | None:
        """Where the trunk is about, in the world; None before anything is to be seen."""
        return None if not self.view else Vector(self._placement.to_scene(np.array(self.view["root_m"])))


def recover(armature: bpy.types.Object, scene: bpy.types.Scene, script: Path) -> None:
    """Simulate again what a script holds of a drive that was cut short. Raises InputError for a script that cannot be read."""
    task = Task("simulate", read_script(script).to_dict(), str(script.with_suffix(".npz")))
    desk.submit(task, armature, scene, bake=False)


def heading_of(turn: list[float]) -> float:
    """The heading [rad] of a root whose orientation is w-x-y-z."""
    w, x, y, z = turn
    return math.atan2(2.0 * (w * z + x * y), 1.0 - 2.0 * (y * y + z * z))
