# SPDX-License-Identifier: GPL-3.0-or-later
"""A job that is watched as it goes: its poses are shown on the armature, the view goes along, and both are as they were as soon
as it ends, however that comes about; its take is a job's result like any other.

A button that stays while something is watched: it takes keys, and says in the view's header and the status bar how it goes.
"""

from __future__ import annotations

import contextlib
import json
import math
import time
from abc import abstractmethod
from pathlib import Path
from typing import TYPE_CHECKING, Any

import bpy
from mathutils import Vector

from ..addon.jobs.job import RUNNING
from . import context as screen
from . import desk, plan_board
from .bake_settings import options_of
from .context import allows, poll_unposed, poll_view, words
from .figures import Placement, figure_of

if TYPE_CHECKING:
    from ..addon.bodies.body import Body
    from ..addon.children.protocol import Task

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
        from ..addon.rigs.bake.live import LivePose, kept_pose
        from ..addon.viewport.drawing import let_stay

        figure = figure_of(armature, scene)
        self.uid, self.name, self.area, self.out = armature.session_uid, armature.name, area, out
        self._placement = Placement.of(armature, figure)
        kept = json.dumps(kept_pose(armature, figure))
        self.pose = LivePose(armature, scene, figure, body, options_of(armature.lope, scene))
        armature.lope.drive_kept = kept
        self._view = area.spaces.active if area is not None and self.goes_along else None
        self._eye = None if self._view is None else self._view.region_3d
        self._followed = (None, "") if self._view is None else let_stay(self._view)  # it would shake with every step
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
        import numpy as np

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
                self._view.lock_object, self._view.lock_bone = self._followed
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
    from ..addon.rigs.bake.live import put_back

    kept = armature.lope.drive_kept
    if kept:
        put_back(armature, json.loads(kept))
        armature.lope.drive_kept = ""


LOOK_S = 1.0 / 60.0
VIEWS_OWN = ("MOUSEMOVE", "INBETWEEN_MOUSEMOVE", "MIDDLEMOUSE", "WHEELUPMOUSE", "WHEELDOWNMOUSE", "TRACKPADPAN", "TRACKPADZOOM",
             "NDOF_MOTION", "LEFTMOUSE", "WINDOW_DEACTIVATE")
"""What is left to the view and the panels."""


class Sitting:
    """For an operator to inherit. It sits from `sit` on until what it watches has ended."""

    @abstractmethod
    def keys_now(self) -> str:
        """What the keys do now, for the status bar."""

    @abstractmethod
    def how_it_goes(self) -> str:
        """How it goes, for the view's header."""

    @abstractmethod
    def take(self, event: bpy.types.Event) -> bool:
        """A key or a click; whether it was one of ours."""

    def invoke(self, context: bpy.types.Context, _event: bpy.types.Event) -> set[str]:
        """Begin."""
        return self.execute(context)

    def left(self) -> None:
        """The window is no more the active one."""

    def sit(self, context: bpy.types.Context, watched: Watched) -> set[str]:
        """Stay from now on."""
        self._watched, self._area, self._workspace = watched, context.area, context.workspace
        self._timer = context.window_manager.event_timer_add(LOOK_S, window=context.window)
        context.window_manager.modal_handler_add(self)
        self._said = ""
        self._say()
        return {"RUNNING_MODAL"}

    def modal(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        """Blender's events, until it has ended."""
        taken = False
        if not self._watched.ended:
            if event.type == "TIMER":
                self._say()
                return {"PASS_THROUGH"}
            if event.type == "WINDOW_DEACTIVATE":  # keys let go elsewhere are not told
                self.left()
                return {"PASS_THROUGH"}
            taken = self.take(event)
        if self._watched.ended:
            self._end(context)
            return {"FINISHED"}
        return {"RUNNING_MODAL"} if taken else {"PASS_THROUGH"}

    def cancel(self, context: bpy.types.Context) -> None:
        """Blender ends the operator, as when another file is loaded."""
        self._watched.give_up()
        self._end(context)

    def _say(self) -> None:
        """Tell the keys in the status bar, and how it goes in the view's header."""
        text, told = self.keys_now(), self.how_it_goes()
        if text + told != self._said:
            self._said = text + told
            self._workspace.status_text_set(text)
            self._area.header_text_set(told)

    def _end(self, context: bpy.types.Context) -> None:
        """Give keys, header and status bar back."""
        context.window_manager.event_timer_remove(self._timer)
        self._workspace.status_text_set(None)
        self._area.header_text_set(None)


def is_views_own(event: bpy.types.Event) -> bool:
    """Whether an event turns or zooms the view, or is a timer's; no other key does anything meanwhile."""
    return event.type in VIEWS_OWN or event.type.startswith("TIMER")


def poll_idle(cls: type[bpy.types.Operator], context: bpy.types.Context, where: str) -> bool:
    """Whether something can be watched on the armature in hand, in a 3D viewport, as the sentence `where` says; says in the
    tooltip why not."""
    return (poll_unposed(cls, context)
            and allows(cls, not desk.queue.busy, words("Something is being simulated; wait for it, or cancel it"))
            and poll_view(cls, context, where))
