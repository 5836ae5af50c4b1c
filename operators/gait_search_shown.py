# SPDX-License-Identifier: GPL-3.0-or-later
"""The walker that a search has come to, in the viewport while the search goes on: it starts where its armature stands."""

from __future__ import annotations

from typing import Any

import bpy
from mathutils import Matrix

from ..addon.errors import LopeError
from ..addon.viewport.sketch import Sketch
from . import desk
from .creature_figures import creature_figure_of
from .figures import Placement
from .found_gait import TASK
from .order import Order
from .screen import redraw
from .texts import said

LOOK_S = 1.0 / 24.0

_view: dict[str, Any] | None = None
_order: Order | None = None


def watch() -> None:
    """Show what searches come to, as long as there are any."""
    if not bpy.app.background and not bpy.app.timers.is_registered(_step):
        bpy.app.timers.register(_step, first_interval=LOOK_S)


def _step() -> float | None:
    """The timer: take in what the running search shows, and let it walk on."""
    global _view, _order
    from ..addon.viewport import sketch_overlay

    running = [order for order in desk.orders.values() if order.job.task.kind == TASK]
    if not running:
        stop()
        return None
    _order = next((order for order in running if order.job.view), None)
    view = None if _order is None else _order.job.view
    if view is not _view:
        _view, sketch = view, None if view is None else Sketch.of(view, said(view.get("words", "")))
        if sketch is not None:
            sketch_overlay.show(sketch, place)
    if sketch_overlay.is_shown():
        redraw("WINDOW")
    return LOOK_S


def place() -> Matrix | None:
    """From a take's places to the world; None where the armature is gone or no creature any more."""
    armature = None if _order is None else desk.find(_order.object_uid, _order.object_name)
    if armature is None:
        return None
    try:
        figure = creature_figure_of(armature, bpy.context.scene)
    except LopeError:
        return None
    return Matrix(Placement.of(armature, figure).matrix.tolist())


def stop() -> None:
    """Draw nothing, and look no more."""
    global _view, _order
    from ..addon.viewport import sketch_overlay

    _view = _order = None
    sketch_overlay.hide()
    redraw("WINDOW")
    if bpy.app.timers.is_registered(_step):
        bpy.app.timers.unregister(_step)
