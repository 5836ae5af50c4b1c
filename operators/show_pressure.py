# SPDX-License-Identifier: GPL-3.0-or-later
"""Button: show or hide the pressure of the last take on the ground under its character, at the present frame."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from typing import TYPE_CHECKING

import bpy
from mathutils import Matrix

from ..addon.errors import LopeError
from ..addon.rigs.bake.provenance import (
    FRAMES_KEY,
    MOVED_KEY,
    OPTIONS_KEY,
    SHOT_KEY,
    START_KEY,
    follows_object,
    frame_in,
    frame_rate,
    written_frames,
)
from . import context as notes
from . import desk
from .bake import baked_action
from .context import active_armature, allows, poll_take, reports_errors, said, words
from .properties import ignore, listen

if TYPE_CHECKING:
    from ..addon.reports.pressure_on_ground import OnGround
    from ..addon.rigs.bake.placement import BakedMotion
    from ..addon.sim.take import Take
    from ..addon.worlds.ground import Ground


LOOK_S = 0.03
SLACK = 1e-3
"""Of a frame, by which a moment may lie beside the frames that were baked."""
STAMPS = (SHOT_KEY, START_KEY, OPTIONS_KEY, FRAMES_KEY, MOVED_KEY)
"""Properties of a baked action that tell what is baked there, where and when."""


@dataclass(frozen=True)
class Place:
    """Where and when a take's pressure lies in the scene: `matrix` from its places to the world, or `on_object` to the armature
    object, with which it goes; the baked action and its shot; the frames that were baked."""

    baked: BakedMotion
    matrix: Matrix
    on_object: bool
    action: str
    shot: str
    frames: tuple[float, float]


class Showing:
    """A take whose pressure is worked out in a thread, and then shown. Where nobody `asked`, but another bake is to be shown in
    place of one that is, nothing is said if that cannot be."""

    def __init__(self, armature: bpy.types.Object, asked: bool) -> None:
        self.uid, self.name, self.path, self.asked = armature.session_uid, armature.name, armature.lope.take_path, asked
        self.bake = bake_of(armature)
        self.take: Take | None = None
        self.picture: OnGround | None = None
        self.ground: Ground | None = None
        self.place: Place | None = None
        self.error = ""
        self.thread = threading.Thread(target=self._work_out, name="lope pressure", daemon=True)
        self.thread.start()

    def _work_out(self) -> None:
        from ..addon.reports.pressure_on_ground import seen_under
        from ..addon.sim.take import Take
        from ..addon.worlds.ground import make_ground

        try:
            self.take = Take.load(self.path)
            self.picture, self.ground = seen_under(self.take), make_ground(self.take.shot.world.ground)
        except (LopeError, ModuleNotFoundError) as error:
            self.error = str(error)

    def lay(self, armature: bpy.types.Object, scene: bpy.types.Scene) -> None:
        """Find the place in the scene. Raises RigError where the take is not baked, or its way is left out."""
        from ..addon.rigs.bake.placement import baked_motion

        baked = baked_motion(armature, self.take, scene)
        matrix, on_object = Matrix(baked.matrix.tolist()), follows_object(armature, baked.action)
        if on_object:
            matrix = armature.matrix_world.inverted() @ matrix
        self.place = Place(baked, matrix, on_object, baked.action.name, baked.action[SHOT_KEY], written_frames(baked.action))
        self.take = None  # of a long one some hundred megabytes

    def now(self) -> tuple[Matrix, float] | None:
        """The way to the world and the time in the take at the scene's present frame; None where there is nothing to be seen:
        its armature is gone, its bake was undone, or the frame is not of that."""
        armature, scene, place = desk.find(self.uid, self.name), bpy.context.scene, self.place
        if armature is None or place is None or armature.name not in scene.objects:
            return None
        if self.bake != bake_of(armature):  # baked anew, or undone: nothing may be worked out while Blender draws
            self.bake = bake_of(armature)
            _begin(armature, asked=False)
        action = bpy.data.actions.get(place.action)
        if action is None or action.get(SHOT_KEY) != place.shot:
            return None
        frame = frame_in(armature, action, scene.frame_current_final)
        if frame is None or not place.frames[0] - SLACK <= frame <= place.frames[1] + SLACK:
            return None
        time_s = frame / frame_rate(scene) - place.baked.scene_s + place.baked.first_s
        return (armature.matrix_world @ place.matrix if place.on_object else place.matrix), time_s


showing: dict[int, Showing] = {}
"""What is shown, by armature (session_uid)."""
_waiting: dict[int, Showing] = {}
"""What is about to be."""


class LOPE_OT_show_pressure(bpy.types.Operator):
    """Show the pressure under the feet of the last take on the ground, from green to red. Pressed again it goes"""

    bl_idname = "lope.show_pressure"
    bl_label = "Show Pressure"
    bl_options = {"REGISTER"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        return poll_take(cls, context) and allows(
            cls, baked_action(active_armature(context)) or shows(active_armature(context)),
            words("Bake first: pressure lies where the baked feet come down"))

    @reports_errors
    def execute(self, context: bpy.types.Context) -> set[str]:
        armature = active_armature(context)
        if shows(armature):
            hide(armature.session_uid)
            return {"FINISHED"}
        _begin(armature, asked=True)
        if bpy.app.background:
            begun = _waiting[armature.session_uid]
            begun.thread.join()
            _take_in(begun)
            if not shows(armature):
                self.report({"ERROR"}, notes.of(armature).text)
                return {"CANCELLED"}
        return {"FINISHED"}


def shows(armature: bpy.types.Object) -> bool:
    """Whether the pressure of this armature is shown, or about to be."""
    return armature.session_uid in showing or armature.session_uid in _waiting


def renew(armature: bpy.types.Object) -> None:
    """An armature has another take: if its pressure is shown, show that, as soon as it is baked."""
    if shows(armature):
        _begin(armature, asked=False)


def hide(uid: int | None = None) -> None:
    """Take the pressure of an armature away, or of all."""
    from ..addon.viewport import pressure_overlay

    for some in (showing, _waiting):
        if uid is None:
            some.clear()
        else:
            some.pop(uid, None)
    pressure_overlay.hide(uid)
    desk.redraw("WINDOW")


def draw_again(uid: int) -> None:
    """Draw what is shown of an armature, in place of anything that was drawn under it meanwhile."""
    from ..addon.viewport import pressure_overlay

    one = showing.get(uid)
    if one is None:
        pressure_overlay.hide(uid)
    else:
        pressure_overlay.show(uid, one.picture, one.ground.height, one.now, one.name)
    desk.redraw("WINDOW")


def bake_of(armature: bpy.types.Object) -> tuple[str, ...]:
    """What tells a bake on an armature from another one; nothing where there is none."""
    action = baked_action(armature)
    return () if action is None else (action.name, *(str(action.get(key)) for key in STAMPS))


def _begin(armature: bpy.types.Object, *, asked: bool) -> None:
    _waiting[armature.session_uid] = Showing(armature, asked)
    if not bpy.app.background and not bpy.app.timers.is_registered(_look):
        bpy.app.timers.register(_look, first_interval=LOOK_S)


def _look() -> float | None:
    """The timer: wait until what is wanted is worked out."""
    for one in list(_waiting.values()):
        if not one.thread.is_alive():
            _take_in(one)
    return LOOK_S if _waiting else None


def _take_in(one: Showing) -> None:
    """It is worked out: draw it, or say why not."""
    del _waiting[one.uid]
    armature = desk.find(one.uid, one.name)
    if armature is None:
        hide(one.uid)
        return
    if not one.error:
        try:
            one.lay(armature, bpy.context.scene)
        except LopeError as error:
            one.error = str(error)
    if not one.error:
        showing[one.uid] = one
        draw_again(one.uid)
    elif one.asked:
        notes.tell(one.uid, one.name, notes.Note(notes.FAILED, said(one.error)))
    desk.redraw("WINDOW")
    desk.redraw()


@bpy.app.handlers.persistent
def _before_load(*_arguments) -> None:
    hide()


def register() -> None:
    """Listen for other takes and other files."""
    desk.listeners.append(renew)
    listen(load_pre=_before_load)


def unregister() -> None:
    """Take the pressure away and stop listening."""
    hide()
    if renew in desk.listeners:
        desk.listeners.remove(renew)
    if bpy.app.timers.is_registered(_look):
        bpy.app.timers.unregister(_look)
    ignore(load_pre=_before_load)
