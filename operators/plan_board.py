# SPDX-License-Identifier: GPL-3.0-or-later
"""The plan on show: re-made a moment after a setting has changed, beside Blender, so that neither typing nor dragging waits.

Button: show the plan now.
"""

from __future__ import annotations

import sys
import time
from dataclasses import dataclass, field
from typing import Any

import bpy
from mathutils import Matrix

from ..addon.errors import LopeError, TooShort
from ..addon.specs.motions import AUTO, Followed
from ..addon.specs.shot import Shot
from . import beside, desk
from . import properties as changes
from .context import OnArmature, active_armature, drawn, reports_errors, said, words
from .creature import any_figure_of, how_it_goes
from .figures import Placement, forget
from .follow import drives
from .hit import action_to_hit
from .properties import ignore, listen
from .shot_builder import make_shot
from .verbs import HIT, PRESSURE, verb_of

DELAY_S = 0.15
"""How long settings must rest before the plan is made again."""


@dataclass
class Plan:
    """What the pendulum says about a shot, or the sentence (`error`) why it cannot be planned; `needs_s` is the length that a
    shot wants which is too short for what it asks."""

    armature_uid: int
    armature_name: str
    shot: Shot | None = None
    preview: Any = None
    local: Matrix = field(default_factory=lambda: Matrix.Identity(4))
    height_m: float = 1.8
    leg_length_m: float = 0.0
    duration_s: float = 0.0
    """Of the shot, where it goes until its path's end what that takes."""
    error: str = ""
    unplanned: bool = False
    needs_s: float | None = None
    advice: str | None = None
    choice: Any = None
    """The gait that was chosen, and why; None where the shot names its own."""
    feasible: tuple[float, float] | None = None
    unlike: str = ""
    """What of the body is unlike all that were tried, in a sentence; then nothing is promised."""
    walker: tuple[str, float, str] | None = None
    """Who goes by reflexes: its name, its speed there [m/s], and in a sentence how near that is to the one asked for."""
    pace: tuple[float, float, str] | None = None
    """Of a creature its speed there [m/s], the Froude number of that, and what it means."""
    goes_by: str = ""
    """In sentences, each on a line, what a creature goes by where that was left to be chosen."""

    @property
    def out_of_range(self) -> bool:
        """Whether the speed asked for is outside what is promised, or the one that the gait takes by itself beyond it."""
        from ..addon.gaits.ranges import OWN_SLACK

        if self.feasible is None or self.shot is None:
            return False
        low, high = self.feasible
        if self.shot.motion.speed_m_s is not None:
            return not low <= self.shot.motion.speed_m_s <= high
        return self.preview is not None and self.preview.speed_m_s > OWN_SLACK * high


plan: Plan | None = None
editing = False
"""Whether footprints are being moved: then a plan that cannot be leaves the last one drawn."""
_due_s: float | None = None
_under_way = False
_making: Plan | None = None
"""What is planned; None where nobody wants it any more: planning goes on to its end, and nothing is shown."""


def of(armature: bpy.types.Object) -> Plan | None:
    """The plan of an armature; None while there is none."""
    return plan if plan is not None and plan.armature_uid == armature.session_uid else None


def request(delay_s: float = DELAY_S) -> None:
    """Make the plan again, a moment from now."""
    global _due_s
    _due_s = time.monotonic() + delay_s
    if not bpy.app.background and not bpy.app.timers.is_registered(_step):
        bpy.app.timers.register(_step, first_interval=delay_s)


def _changed() -> None:
    scene = bpy.context.scene
    if scene is None:
        return
    if scene.lope.show_preview:
        request()
    else:
        clear()


def make_now(context: bpy.types.Context, walked: bool = False) -> Plan:
    """The plan of the armature in hand, made while one waits, and shown; where its gait is to be chosen, that of the walk that
    locked footprints will make of it, if `walked`. Raises LopeError."""
    global plan
    made = _begin(active_armature(context), context.scene, walked)
    _fill(made)
    if made.error:
        raise LopeError(made.error) if made.needs_s is None else TooShort(made.error, made.needs_s)
    plan = made
    _show()
    return made


def clear() -> None:
    """Take the plan and its drawing away, and that which is being made."""
    global plan, _due_s, _making
    plan, _due_s, _making = None, None, None
    if (overlay := drawn("overlay")) is not None:
        overlay.hide()
    _redraw()


def _step() -> float | None:
    """The timer: start a plan when settings rest; one that is under way comes first."""
    global plan, _due_s, _under_way, _making
    if _under_way:
        beside.tick()
        return beside.LOOK_S
    if _due_s is None:
        return None
    wait = _due_s - time.monotonic()
    if wait > 0.0:
        return wait
    _due_s = None
    if not wanted(bpy.context):
        clear()
        return None
    from ..addon.jobs.beside import explained

    armature = active_armature(bpy.context)
    try:
        _making = _begin(armature, bpy.context.scene)
    except Exception as error:
        plan = Plan(armature.session_uid, armature.name)
        _tell(plan, *explained(error))
        _show()
        return None
    _under_way = True
    beside.ask("plan", _planned, {"leg_length_m": _making.leg_length_m}, _making.shot.to_dict())
    return beside.LOOK_S


def _planned(answer: beside.Asked) -> None:
    """The plan is made: take it in, if it is still wanted."""
    global plan, _under_way, _making
    made, _under_way, _making = _making, False, None
    if made is None or not wanted(bpy.context):
        return
    if answer.error:
        made.error = answer.error
    else:
        _fill(made, {**answer.found, "shot": Shot.from_dict(answer.found["shot"])})
    plan = made
    _show()


def wanted(context: bpy.types.Context) -> bool:
    """Whether the artist has the preview switched on, and the page is about a shot that is planned."""
    armature = None if context.scene is None or not context.scene.lope.show_preview else active_armature(context)
    if armature is None:
        return False
    verb = verb_of(armature.lope)
    return verb != PRESSURE and not (verb == HIT and action_to_hit(armature) is not None)


def _begin(armature: bpy.types.Object, scene: bpy.types.Scene, walked: bool = False) -> Plan:
    """What a plan needs of the scene. Raises LopeError."""
    from ..addon.gaits.choice import WALK

    global _shape
    _shape = _shape_of(armature)
    figure, shot = any_figure_of(armature, scene), make_shot(armature, scene, fresh=False)
    if shot.motion.name == AUTO and (walked or editing):
        shot = shot.with_motion(name=WALK)
    return Plan(armature.session_uid, armature.name, shot, None, Matrix(Placement.local(figure).tolist()), figure.height_m,
                figure.leg_length_m, goes_by=how_it_goes(armature.lope, shot))


def _fill(made: Plan, found: dict[str, Any] | None = None) -> None:
    """Take in what was `found` of a plan's shot; without it that is worked out now."""
    from ..addon.jobs.beside import planned

    found = planned(made.shot, made.leg_length_m) if found is None else dict(found)
    _tell(made, found.pop("error", ""), found.pop("detail", ""))
    for name, value in found.items():
        setattr(made, name, value)


def _tell(made: Plan, error: str, detail: str) -> None:
    """Note why a plan cannot be; of a fault in Lope the console gets the traceback."""
    made.error = error
    if detail:
        print(detail, file=sys.stderr)


def figures_of(made: Plan) -> tuple[str, ...]:
    """The plan's numbers, as shown in the viewport."""
    preview = made.preview
    notes = (said(preview.note),) if preview.note else ()
    if made.shot is not None and isinstance(made.shot.motion, Followed):
        return (followed_words(made), *notes)
    return (words("{speed:.2f} m/s    {rate:.2f} strides/s    {stride:.2f} m/stride    {pace}",
                  speed=preview.speed_m_s, rate=preview.stride_frequency_hz,
                  stride=preview.speed_m_s / preview.stride_frequency_hz, pace=pace_words(preview.froude)), *notes)


PACES = 0.5, 1.0
"""Froude numbers at which people change from walking to running, and above which a stiff leg leaves the ground."""


def pace_words(froude: float) -> str:
    """What a Froude number is like."""
    walk, fly = PACES
    if froude < walk:
        return words("walking pace")
    return words("at a walk's limit") if froude < fly else words("must leave the ground")


def followed_words(made: Plan) -> str:
    """What the plan says of a motion that is followed: its length there, its way, its landings."""
    preview = made.preview
    return words("{time:.1f} s, {way:.1f} m, {steps} steps", time=made.duration_s, way=preview.speed_m_s * preview.time_s[-1],
                 steps=int((preview.footstep_time_s > 0.0).sum()))


def _show() -> None:
    """Draw the plan, if there is a viewport and a plan to draw."""
    from ..addon.jobs.beside import explained
    from ..addon.viewport import overlay
    from ..addon.viewport import sketch as drawing

    pushed = plan is not None and plan.shot is not None and bool(plan.shot.pushes)
    if plan is None or (plan.preview is None and not pushed):
        if not editing:
            overlay.hide()
    elif _is_driven():  # it goes where it will be steered
        overlay.hide()
    elif plan.preview is None:
        if not bpy.app.background:
            overlay.show(drawing.draw_unplanned(plan.height_m, plan.shot.pushes), to_world)
    elif not bpy.app.background:
        locked = frozenset(footprint.number for footprint in plan.shot.motion.footprints)
        try:
            overlay.show(drawing.draw(plan.preview, plan.height_m, figures_of(plan), locked,
                                      not isinstance(plan.shot.motion, Followed), plan.shot.pushes), to_world)
        except Exception as error:
            overlay.hide()
            _tell(plan, *explained(error))
    _redraw()


def _is_driven() -> bool:
    armature = desk.find(plan.armature_uid, plan.armature_name)
    return armature is not None and drives(armature.lope)


def to_world() -> Matrix | None:
    """From the plan's places to the world, where the armature stands now; None where there is none to be seen."""
    armature = None if plan is None else desk.find(plan.armature_uid, plan.armature_name)
    return None if armature is None else armature.matrix_world @ plan.local


def _redraw() -> None:
    """Draw panel and view again."""
    desk.redraw()
    desk.redraw("WINDOW")


_shape: tuple = ()
"""What of the armature in hand a change of calls for another plan: its size, and whether it is in Edit Mode."""


@bpy.app.handlers.persistent
def _after_change(scene: bpy.types.Scene, depsgraph: bpy.types.Depsgraph) -> None:
    """The scene has changed: where the planned armature was scaled, or has left Edit Mode, what was said of it is old."""
    global _shape
    armature = None if plan is None else scene.objects.get(plan.armature_name)
    if armature is None or not (depsgraph.id_type_updated("OBJECT") or depsgraph.id_type_updated("ARMATURE")):
        return
    if _shape != _shape_of(armature):
        _shape = _shape_of(armature)
        changes.changed()


def _shape_of(armature: bpy.types.Object) -> tuple:
    return armature.session_uid, *(round(size, 5) for size in armature.matrix_world.to_scale()), armature.mode == "EDIT"


@bpy.app.handlers.persistent
def _before_load(*_arguments) -> None:
    clear()
    forget()


def register() -> None:
    """Listen for changes of settings and for other files."""
    changes.listeners.append(_changed)
    listen(load_pre=_before_load, depsgraph_update_post=_after_change)


def unregister() -> None:
    """Take the drawing away and stop listening."""
    global _under_way
    clear()
    _under_way = False
    forget()
    if bpy.app.timers.is_registered(_step):
        bpy.app.timers.unregister(_step)
    if _changed in changes.listeners:
        changes.listeners.remove(_changed)
    ignore(load_pre=_before_load, depsgraph_update_post=_after_change)


class LOPE_OT_preview(OnArmature, bpy.types.Operator):
    """Draw where the feet and the body's weight will go, before anything is simulated, and say how fast that is"""

    bl_idname = "lope.preview"
    bl_label = "Preview"
    bl_options = {"REGISTER"}

    @reports_errors
    def execute(self, context: bpy.types.Context) -> set[str]:
        plan = make_now(context)
        self.report({"INFO"}, f"{active_armature(context).name}: {figures_of(plan)[0]}")
        return {"FINISHED"}
