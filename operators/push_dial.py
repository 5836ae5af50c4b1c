# SPDX-License-Identifier: GPL-3.0-or-later
"""Button: dial a push on the ground around somebody who stands; the response is seen at once."""

from __future__ import annotations

from typing import Any

import bpy
import numpy as np
from bpy_extras.view3d_utils import region_2d_to_origin_3d, region_2d_to_vector_3d

from ..addon.gaits.push_domain import STRATEGIES
from ..addon.viewport import dial_overlay
from ..addon.viewport import dial_turns as turns
from ..addon.viewport.picking import on_ground
from ..addon.worlds.planets import label_of
from . import desk, driving
from .changes import changed
from .context import active_armature, poll_unposed, poll_view, reports_errors
from .handlers import ignore, listen
from .push_dial_session import PUSH_S, PushDial
from .stand_settings import stands
from .texts import said, words

LOOK_S = 1.0 / 60.0
VIEWS_OWN = ("INBETWEEN_MOUSEMOVE", "MIDDLEMOUSE", "WHEELUPMOUSE", "WHEELDOWNMOUSE", "TRACKPADPAN", "TRACKPADZOOM", "NDOF_MOTION")
"""What a dial leaves to the view."""

dialled: PushDial | None = None
"""There is one at most."""


class LOPE_OT_push_dial(bpy.types.Operator):
    """Drag on the ground around the character: whither and how hard it is pushed at the present frame. The response is seen at \
once, and simulated when you let go; Enter adds the push to the shot, Esc leaves everything as it was"""

    bl_idname = "lope.push_dial"
    bl_label = "Push Dial"
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        if not poll_unposed(cls, context):
            return False
        if not stands(active_armature(context).lope):
            cls.poll_message_set(words("The dial is for somebody who stands; choose Motion > Stand"))
            return False
        if driving.going is not None or desk.queue.busy:
            cls.poll_message_set(words("Something is being simulated; wait for it, or cancel it"))
            return False
        return poll_view(cls, context, words("A push is dialled in a 3D viewport"))

    def invoke(self, context: bpy.types.Context, _event: bpy.types.Event) -> set[str]:
        return self.execute(context)

    @reports_errors
    def execute(self, context: bpy.types.Context) -> set[str]:
        global dialled
        self._area, self._region = context.area, next(r for r in context.area.regions if r.type == "WINDOW")
        self._workspace = context.workspace
        self._dial = dialled = PushDial(active_armature(context), context.scene)
        self._timer = context.window_manager.event_timer_add(LOOK_S, window=context.window)
        context.window_manager.modal_handler_add(self)
        self._drawn: object = None
        self._said = ""
        self._draw()
        return {"RUNNING_MODAL"}

    def modal(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        dial, left = self._dial, not (event.type in VIEWS_OWN or event.type.startswith("TIMER"))
        if not dial.ended:
            self._take(event)
        self._draw()
        if not dial.ended:
            return {"RUNNING_MODAL"} if left else {"PASS_THROUGH"}
        self._end(context)
        if dial.state == turns.ACCEPTED and dial.aim is not None:
            changed()
            self.report({"INFO"}, words("Push of {force:.0f} N at frame {frame}: it is in the shot, press Simulate",
                                        force=dial.aim.force_n, frame=dial.frame))
            return {"FINISHED"}
        return {"CANCELLED"}

    def cancel(self, context: bpy.types.Context) -> None:
        """Blender ends the operator, as when another file is loaded."""
        self._dial.give_up()
        self._end(context)

    def _take(self, event: bpy.types.Event) -> None:
        """Let the mouse dial, and a key end it."""
        dial = self._dial
        if event.type == "TIMER":
            dial.step()
        elif event.type == "MOUSEMOVE" and dial.state == turns.DRAGGING:
            dial.drag(self._ground(event))
        elif event.type == "LEFTMOUSE" and event.value in ("PRESS", "DOUBLE_CLICK") and self._in_view(event):
            dial.press(self._ground(event))
        elif event.type == "LEFTMOUSE" and event.value == "RELEASE":
            dial.release()
        elif event.type in ("RET", "NUMPAD_ENTER") and event.value == "PRESS":
            dial.accept()
        elif event.type in ("ESC", "RIGHTMOUSE") and event.value == "PRESS":
            dial.give_up()

    def _ground(self, event: bpy.types.Event) -> tuple[float, float] | None:
        """Place on the shot's level ground under the mouse [m]; None where the view does not meet it."""
        view, mouse = self._area.spaces.active.region_3d, (event.mouse_x - self._region.x, event.mouse_y - self._region.y)
        origin = region_2d_to_origin_3d(self._region, view, mouse)
        return on_ground(self._dial.placement.matrix, np.array(origin),
                         np.array(region_2d_to_vector_3d(self._region, view, mouse)))

    def _in_view(self, event: bpy.types.Event) -> bool:
        """Whether the mouse is over the view, and over nothing that lies on it."""
        return over(self._region, event) and not any(
            over(region, event) for region in self._area.regions if region.type != "WINDOW" and region.width > 1)

    def _draw(self) -> None:
        """Draw the dial as it is now, and say what the keys do."""
        dial = self._dial
        if dial.ended:
            return
        if self._drawn is not dial.dial:
            self._drawn = dial.dial
            dial_overlay.show(dial.dial, legend_of(dial), dial.to_world)
        label, keys, header = label_of_push(dial), keys_now(dial), header_now(dial)
        dial_overlay.point(dial.aim, label)
        told = "\n".join((*label, keys, header))
        if told != self._said:
            self._said = told
            self._workspace.status_text_set(keys)
            self._area.header_text_set(header)
            self._region.tag_redraw()

    def _end(self, context: bpy.types.Context) -> None:
        """Give view, header and status bar back."""
        global dialled
        dialled = None
        dial_overlay.hide()
        context.window_manager.event_timer_remove(self._timer)
        self._workspace.status_text_set(None)
        self._area.header_text_set(None)
        self._region.tag_redraw()
        leaving.append(self._dial)
        if not bpy.app.timers.is_registered(bury):
            bpy.app.timers.register(bury, first_interval=LOOK_S)


leaving: list[PushDial] = []
"""Dials that are over, whose processes are leaving."""


def bury() -> float | None:
    """The timer: see to it that no process stays behind."""
    for dial in leaving:
        dial.job.poll()
    leaving[:] = [dial for dial in leaving if not dial.job.ended]
    return 0.1 if leaving else None


def over(region: bpy.types.Region, event: bpy.types.Event) -> bool:
    """Whether the mouse is over a region."""
    return 0 <= event.mouse_x - region.x < region.width and 0 <= event.mouse_y - region.y < region.height


def keys_now(dial: PushDial) -> str:
    """What mouse and keys do now."""
    told = [words("Drag on the ground: push"), words("Esc: leave all as it was")]
    if dial.state in (turns.WAITING, turns.SHOWN):
        told.insert(1, words("Enter: add the push to the shot"))
    return "   |   ".join(told)


def header_now(dial: PushDial) -> str:
    """What stands in the view's header: why something cannot be, or what mouse and keys do."""
    return said(dial.refused) if dial.refused else keys_now(dial)


def label_of_push(dial: PushDial) -> tuple[str, ...]:
    """What stands beside the arrow: force and speed, what the map says, and what was simulated."""
    if dial.aim is None or dial.area is None:
        return ()
    first = words("{force:.0f} N   {speed:.2f} m/s", force=dial.aim.force_n, speed=dial.aim.speed_m_s)
    lines = [first, words("Map: {strategy}", strategy=name_of(dial.area, dial.dial.areas))]
    if dial.state == turns.WAITING and not dial.refused:
        lines.append(words("Simulating") if dial.ready else words("Getting ready"))
    elif dial.state == turns.SHOWN:
        outcome = dial.outcome
        if outcome["fell"] or outcome["lost"]:
            lines.append(words("Simulated: falls"))
        elif outcome["steps_taken"]:
            lines.append(words("Simulated: steps taken {steps}", steps=outcome["steps_taken"]))
        else:
            lines.append(words("Simulated: stays in place"))
    return tuple(lines)


def name_of(area: int, areas: int) -> str:
    """What an area of so many is called."""
    return words("falls") if area == areas else said(STRATEGIES[area])


def legend_of(dial: PushDial) -> list[str]:
    """Where the map holds, and what its colours mean."""
    world = said(label_of(dial.world))
    head = words("{world}, {mass:.0f} kg, pushed for {seconds:g} s", world=world, mass=dial.dial.mass_kg, seconds=PUSH_S)
    return [head, *(name_of(area, dial.dial.areas) for area in range(dial.dial.areas + 1))]


@bpy.app.handlers.persistent
def _before_save(*_arguments: Any) -> None:
    """The file that is written shall be as it is without the dial."""
    if dialled is not None:
        dialled.show_nothing()


@bpy.app.handlers.persistent
def _before_undo(*_arguments: Any) -> None:
    """Undo, and another file, put other objects in the place of those that are posed."""
    if dialled is not None:
        dialled.give_up()


_HANDLERS = {"save_pre": _before_save, "undo_pre": _before_undo, "redo_pre": _before_undo, "load_pre": _before_undo}


def close() -> None:
    """End the dial, and leave no process and no timer."""
    if dialled is not None:
        dialled.give_up()
        leaving.append(dialled)
    while leaving:
        leaving.pop().job.close()
    if bpy.app.timers.is_registered(bury):
        bpy.app.timers.unregister(bury)
    dial_overlay.hide()


def register() -> None:
    """Listen for what must not find the armature posed."""
    listen(**_HANDLERS)


def unregister() -> None:
    """End the dial, and stop listening."""
    close()
    ignore(**_HANDLERS)
