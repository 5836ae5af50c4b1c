# SPDX-License-Identifier: GPL-3.0-or-later
"""The jobs of this Blender: starts them, watches them by a timer, and brings their results to the armatures they are for.

Between start and end a job knows its armature by number and name only: undo, deletion and other files may take the
object away meanwhile. The take is on disk before anything here looks at the scene.
"""

from __future__ import annotations

import atexit
import os
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import bpy

from ..addon.children import child as launch
from ..addon.jobs.job import CANCELLED, DONE, Job, JobQueue
from ..addon.specs.motions import USER_FOLDER as CREATURE_GAITS
from ..addon.specs.settings import TUNED_FOLDER
from . import beside, outcomes, takes
from . import context as notes
from . import properties as changes
from .context import Order, creature_gaits_folder, redraw, redraw_status_bar, said, tuning_folder, words
from .figures import fingerprint
from .properties import ignore, listen

if TYPE_CHECKING:
    from ..addon.children.protocol import Task

TICK_S = 0.1
DRAW_S = 0.4
"""The panel's progress is drawn no oftener than this."""
WAIT_S = 0.02

queue = JobQueue()
orders: dict[int, Order] = {}
_drawn_s = 0.0
listeners: list[Callable[[bpy.types.Object], None]] = []
"""Called with an armature that has got the result of a job, or another present take."""


def submit(task: Task, armature: bpy.types.Object, scene: bpy.types.Scene, *, bake: bool, made_by: str | None = None) -> Order:
    """Queue a task for an armature; `bake` writes the keys when it is done. It is `made_by` the settings as they are now, unless
    others are given."""
    job = Job(task, armature.name, worker=beside.worker)
    order = Order(job, armature.session_uid, armature.name, scene.name, fingerprint(armature, scene), bake,
                  takes.settings_of(armature, scene) if made_by is None else made_by)
    orders[job.number] = order
    takes.will_write(task.out)
    notes.drop(armature.session_uid)
    if not bpy.app.background and not bpy.data.is_dirty:  # else Blender, asked to quit, would end the job without a question
        bpy.ops.ed.undo_push(message=words("Simulate"))
    queue.add(job)
    tick()
    if not bpy.app.timers.is_registered(_timer):
        bpy.app.timers.register(_timer, first_interval=TICK_S)
    return order


def tick() -> None:
    """Move the jobs on and take in what has ended."""
    global _drawn_s
    began = time.perf_counter()
    ended, changed = queue.tick()
    for job in ended:
        _conclude(orders.pop(job.number))
    if ended:
        beside.warm()
    if changed and (ended or began - _drawn_s > DRAW_S):
        _drawn_s = began
        redraw()
        redraw_status_bar()


def wait(order: Order, progress: Any = None) -> Job:
    """Wait for one job, where Blender has no window to keep alive; `progress(share)` is called now and then."""
    while not order.job.ended:
        time.sleep(WAIT_S)
        tick()
        if progress is not None:
            progress(order.job.share)
    return order.job


def close() -> None:
    """Cancel everything and wait until no process is left."""
    queue.close()
    orders.clear()
    if bpy.app.timers.is_registered(_timer):
        bpy.app.timers.unregister(_timer)


def _timer() -> float | None:
    tick()
    return TICK_S if queue.busy else None


def _conclude(order: Order) -> None:
    """A job has ended: bring its result to its armature, or say what became of it."""
    job = order.job
    armature = find(order.object_uid, order.object_name)
    if job.state == CANCELLED:
        note = notes.Note(notes.CANCELLED, words("Cancelled; nothing was changed"))
    elif job.state != DONE:
        note = notes.Note(notes.FAILED, said(job.error), button=outcomes.button_of(job.task.kind))
        if job.detail:
            print(job.detail)
    elif armature is None:
        note = notes.Note(notes.WARNED, words("{name} is gone; its take is kept in {path}", name=order.object_name,
                                              path=job.task.out))
    else:
        note = outcomes.deliver(order, armature)
        tell_renewed(armature)
    notes.tell(order.object_uid, order.object_name, note)
    if armature is None or note.level != "INFO":
        print(f"Lope: {note.text}")
    redraw()
    redraw_status_bar()


def tell_renewed(armature: bpy.types.Object) -> None:
    """An armature has another present take."""
    for listener in listeners:
        listener(armature)


def find(uid: int, name: str) -> bpy.types.Object | None:
    """The armature of that number, or after undo of that name; None where it is gone from every scene."""
    by_name = bpy.data.objects.get(name)
    found = next((item for item in bpy.data.objects if item.session_uid == uid), by_name)
    if found is None or found.type != "ARMATURE" or not found.users_scene:
        return None
    return found


@bpy.app.handlers.persistent
def _before_load(*_arguments) -> None:
    """Another file is loaded: the jobs were for this one."""
    close()
    notes.forget()
    outcomes.forget()


@bpy.app.handlers.persistent
def _after_load(*_arguments) -> None:
    takes.loaded()


@bpy.app.handlers.persistent
def _before_save(target: str = "", *_others) -> None:
    """The takes go where the file goes."""
    takes.before_save(target)


@bpy.app.handlers.persistent
def _after_save(target: str = "", *_others) -> None:
    takes.saved(target, queue.busy)


@bpy.app.handlers.persistent
def _not_saved(*_arguments) -> None:
    takes.not_saved()


@bpy.app.handlers.persistent
def _after_undo(*_arguments) -> None:
    """Undo has put older settings back: the takes made since are there all the same."""
    outcomes.restore()


_HANDLERS = {"load_pre": _before_load, "undo_post": _after_undo, "redo_post": _after_undo, "load_post": _after_load,
             "save_pre": _before_save, "save_post": _after_save, "save_post_fail": _not_saved}


def register() -> None:
    """Listen for what ends jobs."""
    launch.environment[TUNED_FOLDER] = str(tuning_folder())
    launch.environment[CREATURE_GAITS] = os.environ[CREATURE_GAITS] = str(creature_gaits_folder())
    changes.listeners.append(notes.drop_stale)
    listen(**_HANDLERS)
    atexit.register(close_at_exit)


def unregister() -> None:
    """End all jobs and stop listening."""
    close()
    beside.close()
    os.environ.pop(CREATURE_GAITS, None)
    if notes.drop_stale in changes.listeners:
        changes.listeners.remove(notes.drop_stale)
    notes.forget()
    outcomes.forget()
    ignore(**_HANDLERS)
    atexit.unregister(close_at_exit)


def close_at_exit() -> None:
    """Blender quits: leave no process."""
    queue.close()
    beside.worker.close()
