# SPDX-License-Identifier: GPL-3.0-or-later
"""What becomes of an action that was hit: the frames around the hits are baked on a copy of it, as one undo step."""

from __future__ import annotations

import bpy

from ..addon.errors import LopeError
from ..addon.rigs.bake.hit_bake import bake_hit
from ..addon.take import Take
from ..addon.unhit import unhit_file
from . import notes
from .order import Order
from .texts import said, words

TASK = "hit"
"""Kind of the job."""


def bake_hits(order: Order, armature: bpy.types.Object, scene: bpy.types.Scene) -> notes.Note:
    """Bake the result of a job as one undo step; gives the word on it."""
    options, report = order.job.task.options, order.job.report
    action = bpy.data.actions.get(options["action"])
    if action is None:
        return notes.Note(notes.WARNED, words("The action {name} is gone; the take of the hit is kept", name=options["action"]))
    struck = Take.load(order.job.task.out)
    thrown = {row: scene.objects[name] for row, name in enumerate(options["thrown"]) if name in scene.objects}
    try:
        done = bake_hit(armature, action, struck, Take.load(unhit_file(order.job.task.out)), scene=scene,
                        first_frame=options["first_frame"], thrown=thrown)
    except (LopeError, RuntimeError) as error:
        return notes.Note(notes.FAILED, words("The take is kept, but was not baked: {reason}", reason=said(str(error).strip())))
    bpy.ops.ed.undo_push(message=words("Simulate Hit"))
    told = words("Frames {first} to {last} of {name} are new; {action} is as it was", first=done.first, last=done.last,
                 name=done.action.name, action=action.name)
    if report.get("steps_taken"):
        told = words("{text}. Steps taken: {steps}", text=told, steps=report["steps_taken"])
    if not done.back:
        told = words("{text}. It does not come back: its feet stand {off:.2f} m from there", text=told, off=done.off_m)
    missed = [said(sentence) for sentence in report.get("missed", ())]
    return notes.Note(notes.WARNED, ". ".join([told, " ".join(missed)])) if missed else notes.Note(notes.DONE, told)
