# SPDX-License-Identifier: GPL-3.0-or-later
"""Buttons: simulate, cancel, finish now. The work is done in a process of its own; the take is on disk before anything
else.

Button: tune the gait's foot paths for this body and gravity, in the background.
"""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING

import bpy
from bpy.props import IntProperty

from ..addon.jobs.job import DONE
from ..addon.specs.motions import Followed
from ..addon.specs.shot import Shot
from . import context as notes
from . import desk
from .context import active_armature, allows, poll_armature, reports_errors, takes_folder, tuning_folder, words
from .creature import by_creature, poll_read
from .gait_settings import by_reflexes
from .shot_builder import make_shot

if TYPE_CHECKING:
    from ..addon.children.protocol import Task


def take_file(armature: bpy.types.Object, shot: dict) -> str:
    """Where a shot's take is kept: one file a shot, or what else it is made of, since the same shot gives the same take."""
    digest = hashlib.sha1(json.dumps(shot, sort_keys=True).encode()).hexdigest()[:10]
    return str(takes_folder() / f"{bpy.path.clean_name(armature.name)}-{digest}.npz")


def run_shot(operator: bpy.types.Operator, context: bpy.types.Context, shot: Shot, made_by: str | None = None) -> set[str]:
    """Queue the simulation of a shot for the armature in hand; see `run_task`."""
    from ..addon.children.protocol import Task

    data = shot.to_dict()
    return run_task(operator, context, Task("simulate", data, take_file(active_armature(context), data)), made_by)


def run_task(operator: bpy.types.Operator, context: bpy.types.Context, task: Task, made_by: str | None = None) -> set[str]:
    """Queue a task for the armature in hand, `made_by` settings as `desk.submit` has them. Without a window it is waited for, as
    nothing else could bring the result."""
    armature, background = active_armature(context), bpy.app.background
    order = desk.submit(task, armature, context.scene, bake=armature.lope.bake_when_done and not background, made_by=made_by)
    if not background:
        return {"FINISHED"}
    manager = context.window_manager
    manager.progress_begin(0.0, 100.0)
    try:
        job = desk.wait(order, lambda share: manager.progress_update(100.0 * share))
    finally:
        manager.progress_end()
    note = notes.of(armature)
    operator.report({note.level}, note.text)
    return {"FINISHED"} if job.state == DONE else {"CANCELLED"}


class LOPE_OT_simulate(bpy.types.Operator):
    """Simulate this armature's shot in the background. Nothing in the scene moves until the keys are baked"""

    bl_idname = "lope.simulate"
    bl_label = "Simulate"
    bl_options = {"REGISTER"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        return poll_read(cls, context)

    @reports_errors
    def execute(self, context: bpy.types.Context) -> set[str]:
        shot = make_shot(active_armature(context), context.scene)
        check_ends(shot)
        return run_shot(self, context, shot)


def check_ends(shot: Shot) -> None:
    """Raises, before a process is started, TooShort for a shot too short to come from standing or to stand, ClipError for a clip
    that cannot be followed."""
    if isinstance(shot.motion, Followed) or "standing" in (shot.motion.start, shot.motion.stop):
        from ..addon.sim.simulation import preview

        preview(shot)


class LOPE_OT_cancel(bpy.types.Operator):
    """Give up every simulation that runs or waits"""

    bl_idname = "lope.cancel"
    bl_label = "Cancel"
    bl_options = {"REGISTER"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        return poll_job(cls)

    def execute(self, context: bpy.types.Context) -> set[str]:
        desk.queue.cancel()
        desk.tick()
        return {"FINISHED"}


class LOPE_OT_finish_now(bpy.types.Operator):
    """End the running simulation and keep what there is so far"""

    bl_idname = "lope.finish_now"
    bl_label = "Finish Now"
    bl_options = {"REGISTER"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        return poll_job(cls)

    def execute(self, context: bpy.types.Context) -> set[str]:
        for job in desk.queue.jobs:
            job.finish()
        desk.tick()
        return {"FINISHED"}


def poll_job(cls: type[bpy.types.Operator]) -> bool:
    """Whether any job runs or waits; says in the tooltip why not."""
    return allows(cls, desk.queue.busy, words("Nothing is being simulated"))


STRIDES = 10
"""Strides over which each variation is judged."""


class LOPE_OT_tune(bpy.types.Operator):
    """Try many small changes of how the feet move and keep what goes best under this gravity. Takes long; finish any time"""

    bl_idname = "lope.tune"
    bl_label = "Tune"
    bl_options = {"REGISTER"}

    iterations: IntProperty(name="Iterations", default=60, min=1, max=10000, soft_max=200,
                            description="Rounds of the search, a dozen variations each; more of them find a better one")

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        return (poll_armature(cls, context)
                and allows(cls, not by_reflexes(active_armature(context).lope),
                           words("A reflex walker is searched on the command line: lope tune --gait reflex"))
                and allows(cls, not by_creature(active_armature(context).lope),
                           words("A creature's gait is searched by Find a Gait")))

    @reports_errors
    def execute(self, context: bpy.types.Context) -> set[str]:
        from ..addon.bodies.of_shot import shot_body
        from ..addon.children.protocol import Task
        from ..addon.gaits.choice import with_gait

        asked = make_shot(active_armature(context), context.scene)
        shot = with_gait(asked, shot_body(asked))
        options = {"iterations": self.iterations, "strides": STRIDES}
        return run_task(self, context, Task("tune", shot.to_dict(), str(tuning_folder() / f"{shot.motion.name}.json"), options))
