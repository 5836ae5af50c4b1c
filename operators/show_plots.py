# SPDX-License-Identifier: GPL-3.0-or-later
"""Button: show or hide the plots of the last take over the view: height, speed, force, contacts and joint angles.

Button: show or hide the ghost of a take of the list.

Buttons: go to the frame that a line of the physics card speaks of; let the view go along with the character.
"""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

import bpy
from bpy.props import IntProperty
from mathutils import Matrix

from ..addon.errors import InputError, LopeError
from ..addon.rigs.read.actions import frame_rate
from . import beside, desk
from . import context as notes
from .bake import baked_action, start_frame
from .context import (
    OnArmature,
    active_armature,
    allows,
    drawn,
    found_file,
    poll_armature,
    poll_take,
    reports_errors,
    said,
    take_of,
    words,
)
from .creature import any_figure_of
from .figures import Placement
from .properties import ignore, listen
from .stand import stands
from .takes import chosen, named

if TYPE_CHECKING:
    from ..addon.reports.events import Traces
    from ..addon.viewport.plots import Board, Chart, Curve
    from .takes import LopeTake


class Reading:
    """A take that is read beside Blender: a minute of motion takes a fifth of a second, longer than Blender should wait."""

    def __init__(self, armature: bpy.types.Object) -> None:
        self.uid, self.name, self.path = armature.session_uid, armature.name, armature.lope.take_path
        self.traces: Traces | None = None
        self.asked = beside.ask("traces", self._take_in, {"take": str(take_of(armature))})

    def _take_in(self, answer: beside.Asked) -> None:
        """The take is read: draw it, or say why not, unless nobody wants that any more."""
        from ..addon.viewport import plots as plot_overlay

        if shown is not self:
            return
        self.traces = answer.found
        if answer.error:
            notes.tell(self.uid, self.name, notes.Note(notes.FAILED, said(answer.error)))
            hide()
        else:
            plot_overlay.show(board_of(self.traces), _now)
            desk.redraw("WINDOW")
        desk.redraw()


shown: Reading | None = None
"""Whose plots are shown, or about to be."""


class Reader:
    """The lines of a take that are read beside Blender; they become its ghost."""

    def __init__(self, armature: bpy.types.Object, entry: LopeTake) -> None:
        self.uid, self.name, self.key = armature.session_uid, armature.name, named(entry.path)
        self.first_frame, self.words = entry.first_frame, entry.label
        file = found_file(entry.path, armature)
        self.asked = beside.ask("lines", self._take_in, {"take": str(file or entry.path)})

    def _take_in(self, answer: beside.Asked) -> None:
        from ..addon.viewport import sketch_overlay
        from ..addon.viewport.sketch import Sketch

        if _read.get((self.uid, self.key)) is not self:
            return
        del _read[self.uid, self.key]
        if answer.error:
            notes.tell(self.uid, self.name, notes.Note(notes.FAILED, said(answer.error)))
        else:
            sketch = Sketch(answer.found["rate_hz"], answer.found["ends"], answer.found["sides"], self.words)
            sketch_overlay.show_ghost((self.uid, self.key), sketch_overlay.Ghost(sketch, self.now))
        desk.redraw("WINDOW")
        desk.redraw()

    def now(self) -> tuple[Matrix, float] | None:
        """Where in the scene the take lies, where its armature stands without its keys, and the time in it at the present frame;
        None where its armature is gone."""
        from ..addon.rigs.bake.placing import base_matrix  # it loads an engine

        armature, scene = desk.find(self.uid, self.name), bpy.context.scene
        if armature is None or armature.name not in scene.objects:
            return None
        try:
            placed = Placement.local(any_figure_of(armature, scene))
        except LopeError:
            return None
        moment = scene.frame_current_final - self.first_frame
        return base_matrix(armature, scene.frame_start) @ Matrix(placed.tolist()), moment / frame_rate(scene)


_read: dict[tuple[int, str], Reader] = {}
"""Ghosts that are about to be shown, by armature (session_uid) and the name of the take's file."""


class LOPE_OT_take_ghost(bpy.types.Operator):
    """Show this take as a ghost over the view, beside the keys and other takes. Pressed again it goes"""

    bl_idname = "lope.take_ghost"
    bl_label = "Ghost"
    bl_options = {"REGISTER"}

    index: IntProperty(name="Take", default=-1, description="Its place in the list; -1 is the chosen one")

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        return poll_armature(cls, context) and allows(
            cls, len(active_armature(context).lope.takes), words("The list of takes is empty"))

    @reports_errors
    def execute(self, context: bpy.types.Context) -> set[str]:
        from ..addon.viewport import sketch_overlay

        armature = active_armature(context)
        takes = armature.lope.takes
        entry = chosen(armature) if self.index < 0 else takes[min(self.index, len(takes) - 1)]
        key = armature.session_uid, named(entry.path)
        if has_ghost(armature, entry):
            _read.pop(key, None)
            sketch_overlay.hide_ghost(key)
            desk.redraw("WINDOW")
            return {"FINISHED"}
        _read[key] = reader = Reader(armature, entry)
        if bpy.app.background:
            beside.wait(reader.asked)
            if not has_ghost(armature, entry):
                self.report({"ERROR"}, notes.of(armature).text)
                return {"CANCELLED"}
        return {"FINISHED"}


def has_ghost(armature: bpy.types.Object, entry: LopeTake) -> bool:
    """Whether a take's ghost is shown, or about to be."""
    from ..addon.viewport import sketch_overlay

    key = armature.session_uid, named(entry.path)
    return key in _read or sketch_overlay.has_ghost(key)


def hide_ghosts() -> None:
    """Take all ghosts away."""
    _read.clear()
    if (overlay := drawn("sketch_overlay")) is not None:
        overlay.hide_ghosts()


class LOPE_OT_show_plots(bpy.types.Operator):
    """Show the course of the last take over the view: height, speed, ground force, contacts and joint angles"""

    bl_idname = "lope.show_plots"
    bl_label = "Plots"
    bl_options = {"REGISTER"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        return poll_take(cls, context)

    @reports_errors
    def execute(self, context: bpy.types.Context) -> set[str]:
        armature = active_armature(context)
        if shows(armature):
            hide()
            return {"FINISHED"}
        _begin(armature)
        if bpy.app.background:
            beside.wait(shown.asked)
            if shown is None:
                self.report({"ERROR"}, notes.of(armature).text)
                return {"CANCELLED"}
        return {"FINISHED"}


def shows(armature: bpy.types.Object) -> bool:
    """Whether the plots of this armature are shown."""
    return shown is not None and shown.uid == armature.session_uid


def renew(armature: bpy.types.Object) -> None:
    """An armature has another take: if its plots are shown, show that."""
    if shows(armature) and shown.path != armature.lope.take_path:
        _begin(armature)


def hide() -> None:
    """Take the plots away."""
    global shown
    shown = None
    if (overlay := drawn("plots")) is not None:
        overlay.hide()
    desk.redraw("WINDOW")


def _begin(armature: bpy.types.Object) -> None:
    global shown
    shown = Reading(armature)


def _now() -> float | None:
    """Time in the take at the scene's present frame; None where its armature is not there."""
    scene = bpy.context.scene
    if shown is None or shown.traces is None or desk.find(shown.uid, shown.name) is None:
        return None
    moment = scene.frame_current + scene.frame_subframe - scene.frame_start
    return float(shown.traces.time_s[0]) + moment / frame_rate(scene)


def board_of(traces: Traces) -> Board:
    """The plots of a take, of what it holds; left foot and leg in the colour of left footprints, right in that of right ones,
    feet of other bodies in these by turns."""
    import numpy as np

    from ..addon.viewport.plots import Board, Chart, Curve

    def both(joint: str) -> tuple[Curve, ...]:
        return tuple(Curve(traces.angle_deg[f"{joint}_{side}"], side) for side in "LR" if f"{joint}_{side}" in traces.angle_deg)

    def over_time(title: str, *curves: Curve, bars: tuple[Curve, ...] = ()) -> Chart:
        return Chart(title, traces.time_s, curves, bars)

    feet = tuple(Curve(np.asarray(traces.contact[:, i]), "LR"[i % 2]) for i in range(len(traces.feet)))
    two = traces.feet == ("L", "R")
    down = words("Feet on the ground: left above, right below") if two else words("Feet on the ground")
    charts = (
        Chart(words("Height of the centre of mass over the way (m)"), traces.way_m, (Curve(traces.height_m, "com"),)),
        over_time(words("Speed (m/s)"), Curve(traces.speed_m_s, "speed")),
        over_time(words("Vertical ground force over weight"), Curve(traces.load, "load")),
        over_time(down, bars=feet),
        over_time(words("Hip flexion (°)"), *both("hip")),
        over_time(words("Knee flexion (°)"), *both("knee")),
        over_time(words("Ankle, toes up (°)"), *both("ankle")),
    )
    return Board(traces.time_s, tuple(chart for chart in charts if chart.curves or chart.bars))


@bpy.app.handlers.persistent
def _before_load(*_arguments) -> None:
    hide()
    hide_ghosts()


def register() -> None:
    """Listen for other takes and other files."""
    desk.listeners += [renew, go_along]
    listen(load_pre=_before_load)


def unregister() -> None:
    """Take plots and ghosts away and stop listening."""
    hide()
    hide_ghosts()
    desk.listeners[:] = [one for one in desk.listeners if one not in (renew, go_along)]
    ignore(load_pre=_before_load)


class LOPE_OT_go_to_frame(bpy.types.Operator):
    """Go to this frame, and let the view follow the character there"""

    bl_idname = "lope.go_to_frame"
    bl_label = "Go to Frame"
    bl_options = {"REGISTER", "INTERNAL"}

    frame: IntProperty(name="Frame", description="The frame to go to")

    def execute(self, context: bpy.types.Context) -> set[str]:
        show_frame(context, self.frame)
        return {"FINISHED"}


class LOPE_OT_follow_in_view(OnArmature, bpy.types.Operator):
    """Let this 3D view go along with the character, or stay where it is again"""

    bl_idname = "lope.follow_in_view"
    bl_label = "Follow in View"
    bl_options = {"REGISTER"}

    @reports_errors
    def execute(self, context: bpy.types.Context) -> set[str]:
        from ..addon.viewport.drawing import let_stay

        view, armature = context.space_data, active_armature(context)
        if view is None or view.type != "VIEW_3D":
            raise InputError("Only a 3D view can follow a character: press the button in one.")
        if follows_in(view, armature):
            let_stay(view)
        else:
            _follow([view], armature, context.scene)
        return {"FINISHED"}


def _follow(views: list[bpy.types.SpaceView3D], armature: bpy.types.Object, scene: bpy.types.Scene) -> None:
    """Let views go along with an armature's hips. Raises LopeError for one that is no figure."""
    figure = any_figure_of(armature, scene)
    for view in views:
        view.lock_object, view.lock_bone = armature, figure.bone_of[figure.hips]


def go_along(armature: bpy.types.Object) -> None:
    """An armature has its first take, and keys of it: who walks would be out of the view in two seconds, so views that follow
    nobody and look through no camera go along."""
    if len(armature.lope.takes) != 1 or stands(armature.lope) or baked_action(armature) is None:
        return
    views = [area.spaces.active for window in bpy.context.window_manager.windows for area in window.screen.areas
             if area.type == "VIEW_3D"]
    with contextlib.suppress(LopeError):
        _follow([view for view in views if view.lock_object is None and view.region_3d.view_perspective != "CAMERA"],
                armature, bpy.context.scene)


def follows_in(view: bpy.types.Space | None, armature: bpy.types.Object) -> bool:
    """Whether a view goes along with an armature."""
    return view is not None and view.type == "VIEW_3D" and view.lock_object == armature


def show_frame(context: bpy.types.Context, frame: int) -> None:
    """Go to a frame, and let views that do not see the character in hand there follow it."""
    from ..addon.viewport.drawing import bring_into_view

    context.scene.frame_set(frame)
    armature = active_armature(context)
    if armature is not None:
        bring_into_view(armature, context.window)


def frame_at(time_s: float, armature: bpy.types.Object, scene: bpy.types.Scene) -> int:
    """The scene's frame nearest to a time in an armature's last take."""
    return round(start_frame(armature, scene) + time_s * frame_rate(scene))
