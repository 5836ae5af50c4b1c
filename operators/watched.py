# SPDX-License-Identifier: GPL-3.0-or-later
"""A job that is watched as it goes: its poses are shown on the armature, the view goes along, and both are as they were as soon
as it ends, however that comes about; its take is a job's result like any other."""

from __future__ import annotations

import contextlib
import json
import math
import time
from pathlib import Path
from typing import Any

import bpy
import numpy as np
from mathutils import Vector

from ..addon.bodies.body import Body
from ..addon.children.protocol import Task
from ..addon.jobs.job import RUNNING
from ..addon.rigs.bake.kept_pose import kept_pose, put_back
from ..addon.rigs.bake.live import LivePose
from . import desk, plan_board, screen
from .bake_settings import options_of
from .figures import Placement, figure_of

VIEW_LAG_S = 0.25
"""The view goes along this late, so that the steps do not shake it."""


class Watched:
    """What is shown on an armature while its job goes on. `step` moves it on."""

    goes_along = True
    """Whether the view follows the hips."""

    def __init__(self, armature: bpy.types.Object, scene: bpy.types.Scene, area: bpy.types.Area | None, out: Path,
                 body: Body) -> None:
        """Get an armature ready for poses of a body; `area` is the view that goes along, `out` the file of the take. Raises
        LopeError for an armature that cannot take them."""
        figure = figure_of(armature, scene)
        self.uid, self.name, self.area, self.out = armature.session_uid, armature.name, area, out
        self._placement = Placement.of(armature, figure)
        kept = json.dumps(kept_pose(armature, figure))
        self.pose = LivePose(armature, scene, figure, body, options_of(armature.lope, scene))
        armature.lope.drive_kept = kept
        self._eye = area.spaces.active.region_3d if area is not None and self.goes_along else None
        self._looked = None if self._eye is None else self._eye.view_location.copy()
        self._at: Vector | None = None
        self._shown: dict[str, Any] = {}
        self._shown_s = time.perf_counter()
        self.ended = False

    def _submit(self, task: Task, armature: bpy.types.Object, scene: bpy.types.Scene, *, bake: bool) -> None:
        """Begin the job, whose take is baked, or is not."""
        self.order = desk.submit(task, armature, scene, bake=bake)

    @property
    def view(self) -> dict[str, Any]:
        """What there is to be seen; empty before anything is."""
        return self.order.job.view

    @property
    def state(self) -> str:
        """The job's own state; "" while its process is being started."""
        return self.view.get("state", "")

    def step(self) -> None:
        """Take in what came, and show it."""
        job = self.order.job
        job.poll()
        if self.ended:
            return
        armature = desk.find(self.uid, self.name)
        if armature is None:  # nobody is there to be shown anything
            self.give_up()
            return
        if job.state != RUNNING:
            self.close()
            return
        if self.view and self.view is not self._shown:  # the desk's own timer takes messages in, too
            self._show(armature)

    def _show(self, armature: bpy.types.Object) -> None:
        """Bring the pose that came onto the armature, and the view along."""
        self._shown = view = self.view
        if "root_m" not in view:
            return
        self.pose.show(np.array(view["root_m"]), np.array(view["turns"]))
        now = time.perf_counter()
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

    def give_up(self) -> None:
        """Leave everything as it was before."""
        self.order.job.cancel()
        self.close()

    def close(self) -> None:
        """Put armature and view back as they were."""
        if self.ended:
            return
        self.ended = True
        if bpy.context.scene is not None and bpy.context.scene.lope.show_preview:
            plan_board.request()
        armature = desk.find(self.uid, self.name)
        if armature is not None:
            self.hide()
            armature.lope.drive_kept = ""
        with contextlib.suppress(ReferenceError):
            if self._eye is not None and self._looked is not None:
                self._eye.view_location = self._looked
        screen.redraw("WINDOW")

    def hide(self) -> None:
        """Let the scene be as it is without this, as when it is saved."""
        self.pose.restore()

    def show_again(self) -> None:
        """Go on after `hide`."""
        self.pose.make_ready()

    def tidy(self) -> None:
        """The job has ended: look after what it leaves."""


def tidied(armature: bpy.types.Object) -> None:
    """Let an armature stand as before a show of which undo, or a file, has brought back a moment."""
    kept = armature.lope.drive_kept
    if kept:
        put_back(armature, json.loads(kept))
        armature.lope.drive_kept = ""
