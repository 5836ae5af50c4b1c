# SPDX-License-Identifier: GPL-3.0-or-later
"""One push dial: what is dialled, the response that is shown on the armature meanwhile, and the process that simulates it.

Armature and scene are as they were as soon as the dial ends, but for the push where it was taken.
"""

from __future__ import annotations

import json
import math
import time
from typing import Any

import bpy
import numpy as np
from mathutils import Matrix

from ..addon.bodies.human.suit import load_suit
from ..addon.bodies.kinematics import segment_poses
from ..addon.bodies.makers import make_body
from ..addon.children.protocol import Task
from ..addon.errors import InputError
from ..addon.gaits.push_domain import find_domain
from ..addon.jobs.job import RUNNING, Job
from ..addon.jobs.rehearsal import READY, REFUSED, SHOWN, TRY
from ..addon.maths.quaternions import quat_rotate
from ..addon.rigs.bake.bake import frame_rate
from ..addon.rigs.bake.kept_pose import kept_pose
from ..addon.rigs.bake.live import LivePose
from ..addon.specs.shot import EARTH_GRAVITY_M_S2
from ..addon.viewport import dial_turns as turns
from ..addon.viewport.dial import Aim, Dial
from ..addon.viewport.playback import Playback
from . import desk
from .bake_settings import options_of
from .context import takes_folder
from .figures import Placement, figure_of
from .push_dial_example import Examples
from .shot_builder import make_shot

PUSH_S = 0.2
"""How long a dialled push lasts [s], as those of the map."""
PUSHED = "chest"
RESPONSE_S = 3.0
"""So much of a response is simulated on Earth [s]; elsewhere over the root of gravity."""


class PushDial:
    """One dial of an armature that stands. `step` moves it on; `state` is one of `dial_turns`."""

    def __init__(self, armature: bpy.types.Object, scene: bpy.types.Scene) -> None:
        """Raises LopeError for a shot or an armature that a push cannot be dialled for."""
        shot, figure = make_shot(armature, scene), figure_of(armature, scene)
        self.uid, self.name, self.scene, self.frame = armature.session_uid, armature.name, scene, scene.frame_current
        at_s = (self.frame - scene.frame_start) / frame_rate(scene)
        if not 0.0 <= at_s <= shot.duration_s - PUSH_S:
            raise InputError(f"Frame {self.frame} is not in the shot, or too near to its end for a push: go to one from "
                             f"{scene.frame_start} to {scene.frame_start + int((shot.duration_s - PUSH_S) * frame_rate(scene))}.")
        self.placement, gravity = Placement.of(armature, figure), shot.world.gravity_m_s2
        self.world = shot.world.name
        self._body = make_body(shot.body, load_suit(shot.suit))
        assert shot.stand is not None
        self.stand, self.lasts_s = shot.stand, RESPONSE_S * math.sqrt(EARTH_GRAVITY_M_S2 / gravity)
        self.dial = Dial((0.0, 0.0), 0.0, find_domain(gravity, self._body.leg_length_m), shot.stand.steps,
                         self._body.mass_kg, PUSH_S, self._body.leg_length_m)
        self._kept = json.dumps(kept_pose(armature, figure))
        self._pose = LivePose(armature, scene, figure, self._body, options_of(armature.lope, scene))
        self._pose.restore()  # nothing is shown before something is dialled
        self.posed = False
        self._examples = Examples(self._body, gravity, shot.stand)
        self.state, self.outcome = turns.AIMING, dict[str, Any]()
        self.aim: Aim | None = None
        self._playing: Playback | None = None
        self._began_s, self._told, self._tried, self._number, self._stands = 0.0, 0, 0, 0, dict[str, Any]()
        self.refused = ""
        self.released_s = self.began_s = self.arrived_s = 0.0
        self._viewed: dict[str, Any] | None = None
        self._seen: tuple[Playback | None, int] = None, 0
        out = str(takes_folder() / "rehearsal")  # nothing is written there
        self.job = Job(Task("rehearse", shot.to_dict(), out, {"at_s": at_s, "lasts_s": self.lasts_s}), armature.name)
        self.job.start()

    @property
    def ended(self) -> bool:
        """Whether it is over: the push was taken, or given up."""
        return self.state in turns.ENDED

    @property
    def ready(self) -> bool:
        """Whether the process is there to try a push at once."""
        return bool(self._stands)

    @property
    def area(self) -> int | None:
        """In which area of the map the push lies."""
        return None if self.aim is None else self.dial.area(self.aim)

    def press(self, place_m: tuple[float, float] | None) -> None:
        """The mouse is pressed over a place of the ground."""
        if place_m is not None:
            self._turn(turns.PRESS)
            self.outcome, self.refused = {}, ""
            self._playing, self._began_s = None, time.perf_counter()
            self.drag(place_m)

    def drag(self, place_m: tuple[float, float] | None) -> None:
        """The mouse is dragged there: the push is another one, and its response by example is shown at once."""
        if self.state != turns.DRAGGING or place_m is None:
            return
        self.aim = self.dial.aim(place_m)
        if self.aim is None:
            self._playing = None
            self.show_nothing()
            return
        self._playing = self._examples.response(self.dial.direction_rad(self.aim), self.aim.speed_m_s, self._stands.get("stance"))
        if self._playing is None:  # no example takes it: it stands until that is simulated
            self.show_nothing()
        self._show()

    def release(self) -> None:
        """The mouse is let go: the push is simulated."""
        if self.state != turns.DRAGGING:
            return
        self._turn(turns.DROP if self.aim is None else turns.RELEASE)
        if self.aim is not None:
            self.released_s, self._told = time.perf_counter(), self._told + 1
            self._tell()

    def accept(self) -> bool:
        """Take the push into the shot; False where there is none yet."""
        self._turn(turns.ACCEPT)
        if self.state != turns.ACCEPTED:
            return False
        self.close()
        armature = desk.find(self.uid, self.name)
        if armature is None or self.aim is None:
            return False
        self._add(armature, self.aim)
        return True

    def give_up(self) -> None:
        """Leave everything as it was."""
        self._turn(turns.LEAVE)
        self.close()

    def close(self) -> None:
        """Put the armature back as it stood, and end the process."""
        self.show_nothing()
        self.job.cancel()

    def step(self) -> None:
        """Take in what the process says, and go on playing."""
        self.job.poll()
        if self.ended:
            return
        if desk.find(self.uid, self.name) is None:
            self._turn(turns.LEAVE)
            self.close()
            return
        if self.job.ended:
            self.refused = self.refused or self.job.error
        elif self.job.state == RUNNING:
            self._take_in(self.job.view)
        self._show()

    def show_nothing(self) -> None:
        """Let the armature stand as it stood before."""
        if self.posed:
            self._pose.restore()
            self.posed = False
            armature = desk.find(self.uid, self.name)
            if armature is not None:
                armature.lope.drive_kept = ""
                armature.update_tag(refresh={"DATA"})

    def to_world(self) -> Matrix | None:
        """From the shot's places to the world."""
        return None if self.ended else Matrix(self.placement.matrix.tolist())

    def _turn(self, what: str) -> None:
        self.state = turns.after(self.state, what)

    def _tell(self) -> None:
        """Have the push tried, as soon as somebody is there to try it."""
        if self.ready and self._tried < self._told and self.aim is not None:
            self._tried = self._told
            self._number = self.job.tell(TRY, {"duration_s": PUSH_S, "force_n": list(self.force_n(self.aim)), "segment": PUSHED})

    def _take_in(self, view: dict[str, Any]) -> None:
        """What the process shows."""
        if view.get("state") == READY and not self._stands:
            self._stands = view
            x, y, _ = view["root_m"][0]
            w, i, j, k = view["turns"][0][0]
            self.dial = self.dial.at((x, y), math.atan2(2.0 * (w * k + i * j), 1.0 - 2.0 * (j * j + k * k)))
        if self.state != turns.WAITING:
            return
        self._tell()
        if self._tried < self._told or view.get("tried") != self._number:
            return
        if view["state"] == REFUSED:
            self.refused = view["why"]
        elif view is not self._viewed:
            self._viewed, whole, now = view, view["state"] == SHOWN, time.perf_counter()
            if self.began_s < self.released_s:  # in the example's place, from its own beginning
                self.began_s = self._began_s = now
            self._playing = Playback(view["rate_hz"], np.array(view["root_m"]), np.array(view["turns"]), whole)
            if whole:
                self._turn(turns.ARRIVE)
                self.arrived_s, self.outcome = now, view

    def _show(self) -> None:
        """Bring the present pose of the response onto the armature."""
        armature = desk.find(self.uid, self.name)
        if self._playing is None or armature is None or self.state not in (turns.DRAGGING, turns.WAITING, turns.SHOWN):
            return
        row = self._playing.row(time.perf_counter() - self._began_s)
        if self.posed and self._seen[0] is self._playing and self._seen[1] == row:
            return
        if not self.posed:
            armature.lope.drive_kept = self._kept  # whatever keeps this moment, as an automatic save, can be put right again
            self._pose.make_ready()
            self.posed = True
        self._pose.show(self._playing.root_m[row], self._playing.turns[row])
        self._seen = self._playing, row

    def force_n(self, aim: Aim) -> tuple[float, float, float]:
        """The force of a push in the shot's axes, to a newton."""
        force = round(aim.force_n)
        return round(force * aim.way[0], 3), round(force * aim.way[1], 3), 0.0

    def _add(self, armature: bpy.types.Object, aim: Aim) -> None:
        """Add the push to the shot."""
        settings = armature.lope
        push = settings.pushes.add()
        push.frame, push.duration_s, push.force_n, push.segment = self.frame, PUSH_S, round(aim.force_n), PUSHED
        push.direction = (*aim.way, 0.0)
        settings.push_index = len(settings.pushes) - 1
        if settings.dial_arrow:
            push.arrow = self._empty(armature, aim)

    def _empty(self, armature: bpy.types.Object, aim: Aim) -> bpy.types.Object:
        """An empty whose arrow goes along the push and ends at the chest."""
        scale = float(np.cbrt(np.linalg.det(self.placement.matrix[:3, :3])))
        way = self.placement.matrix[:3, :3] @ (*aim.way, 0.0) / scale
        up = self.placement.matrix[:3, 2] / scale
        empty = bpy.data.objects.new("Push", None)
        empty.empty_display_type, empty.empty_display_size = "SINGLE_ARROW", ARROW_M * scale
        turn = Matrix((np.cross(up, way).tolist(), up.tolist(), way.tolist())).transposed()
        place = self.placement.to_scene(self._chest()) - ARROW_M * scale * way
        empty.matrix_world = Matrix.LocRotScale(place.tolist(), turn, None)
        (armature.users_collection or (self.scene.collection,))[0].objects.link(empty)
        return empty

    def _chest(self) -> np.ndarray:
        """Where the push acts (3,) [m], of the body as it stands."""
        segment, at = self._body.pushed(PUSHED)
        if not self._stands:
            return np.array([*self.dial.centre_m, 1.5 * self.dial.leg_length_m])
        root, pose = np.array(self._stands["root_m"]), np.array(self._stands["turns"])
        places, turned = segment_poses(self._body, root, pose[:, 0], pose[:, 1:])
        row = self._body.index[segment]
        return places[0, row] + quat_rotate(turned[0, row], at)


ARROW_M = 0.6
"""Length of an empty's arrow [m]."""
