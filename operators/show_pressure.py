# SPDX-License-Identifier: GPL-3.0-or-later
"""Button: show or hide the pressure of the last take on the ground under its character, at the present frame."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import bpy
from mathutils import Matrix

from ..addon.errors import LopeError
from ..addon.rigs.bake.provenance import FRAMES_KEY, MOVED_KEY, OPTIONS_KEY, SHOT_KEY, START_KEY, written_frames
from ..addon.rigs.read.actions import follows_object, frame_in, frame_rate
from . import beside, desk
from . import context as notes
from .bake import baked_action
from .context import active_armature, allows, drawn, poll_take, reports_errors, said, take_of, words
from .properties import ignore, listen

if TYPE_CHECKING:
    import numpy as np

    from ..addon.bodies.body import Body
    from ..addon.reports.pressure_on_ground import OnGround
    from ..addon.rigs.bake.placing import BakedMotion
    from ..addon.specs.shot import Shot
    from ..addon.worlds.ground import Ground

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


@dataclass(frozen=True)
class Head:
    """What of a take says where it lies once it is baked; `time_s` (1,) is its first sample's."""

    shot: Shot
    body: Body
    time_s: np.ndarray


class Showing:
    """A take whose pressure is worked out beside Blender, and then shown. Where nobody `asked`, but another bake is to be shown
    in place of one that is, nothing is said if that cannot be."""

    def __init__(self, armature: bpy.types.Object, asked: bool) -> None:
        self.uid, self.name, self.path, self.asked = armature.session_uid, armature.name, armature.lope.take_path, asked
        self.bake = bake_of(armature)
        self.picture: OnGround | None = None
        self.ground: Ground | None = None
        self.place: Place | None = None
        self.work = beside.ask("under", self._take_in, {"take": str(take_of(armature))})

    def _take_in(self, answer: beside.Asked) -> None:
        """It is worked out: draw it, or say why not, unless nobody wants it any more."""
        if _waiting.get(self.uid) is not self:
            return
        del _waiting[self.uid]
        armature = desk.find(self.uid, self.name)
        if armature is None:
            hide(self.uid)
            return
        error = answer.error
        if not error:
            try:
                self._lay(answer.found, armature, bpy.context.scene)
            except LopeError as wrong:
                error = str(wrong)
        if not error:
            showing[self.uid] = self
            draw_again(self.uid)
        elif self.asked:
            notes.tell(self.uid, self.name, notes.Note(notes.FAILED, said(error)))
        desk.redraw("WINDOW")
        desk.redraw()

    def _lay(self, found: dict[str, Any], armature: bpy.types.Object, scene: bpy.types.Scene) -> None:
        """Find the place in the scene. Raises RigError where the take is not baked, or its way is left out."""
        import numpy as np

        from ..addon.bodies.makers import body_from_dict
        from ..addon.rigs.bake.placing import baked_motion
        from ..addon.specs.shot import Shot
        from ..addon.worlds.ground import make_ground

        head = Head(Shot.from_dict(found["shot"]), body_from_dict(found["body"]), np.array([found["first_s"]]))
        self.picture, self.ground = found["picture"], make_ground(head.shot.world.ground)
        baked = baked_motion(armature, head, scene)
        matrix, on_object = Matrix(baked.matrix.tolist()), follows_object(armature, baked.action)
        if on_object:
            matrix = armature.matrix_world.inverted() @ matrix
        self.place = Place(baked, matrix, on_object, baked.action.name, baked.action[SHOT_KEY], written_frames(baked.action))

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
            beside.wait(_waiting[armature.session_uid].work)
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
    """Take the pressure of an armature away, or of all. What draws it takes half a second to load; where it is not loaded
    nothing is drawn."""
    for some in (showing, _waiting):
        if uid is None:
            some.clear()
        else:
            some.pop(uid, None)
    if (overlay := drawn("pressure_overlay")) is not None:
        overlay.hide(uid)
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
    ignore(load_pre=_before_load)
