# SPDX-License-Identifier: GPL-3.0-or-later
"""A button that stays while something is watched: it takes keys, and says in the view's header and the status bar how it goes."""

from __future__ import annotations

from abc import abstractmethod

import bpy

from . import desk
from .context import poll_unposed, poll_view
from .texts import words
from .watched import Watched

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
    if not poll_unposed(cls, context):
        return False
    if desk.queue.busy:
        cls.poll_message_set(words("Something is being simulated; wait for it, or cancel it"))
        return False
    return poll_view(cls, context, where)
