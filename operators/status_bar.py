# SPDX-License-Identifier: GPL-3.0-or-later
"""What Lope says in Blender's status bar: how far a job is, and what became of the last one."""

from __future__ import annotations

import math

import blf
import bpy

from ..addon.jobs.job import LIVE
from . import desk, notes
from .texts import said

LABEL_PX, ASIDE_PX = 11.0, 140.0
"""Size of a label's letters, and what the word's icon and Blender's version take of the line, in pixels before the interface's
scale."""


def draw(self: bpy.types.Header, context: bpy.types.Context) -> None:
    """The first job with its progress, else the last word while it is fresh; nothing where there is neither."""
    if desk.queue.busy:
        job = desk.queue.jobs[0]
        if job.task.kind in LIVE:  # whoever drives says it all
            return
        text = f"Lope: {job.label}, {said(job.text)}: {100.0 * job.share:.0f} %"
        self.layout.label(text=text, icon="PHYSICS", translate=False)
        return
    found = notes.last()
    if found is not None:
        name, note = found
        text = note.text if note.kind == notes.FAILED else f"{name}: {note.text}"
        self.layout.label(text=cut(f"Lope: {text}".replace("\n", " "), _room(context)), icon=note.icon, translate=False)


def _room(context: bpy.types.Context) -> float:
    """Width [pixels] that a word may take: the window's, but for what Blender itself says in that line; endless without one."""
    scale = context.preferences.system.ui_scale
    blf.size(0, LABEL_PX * scale)
    width = 0 if context.window is None else context.window.width
    return width - ASIDE_PX * scale if width else math.inf


def cut(text: str, room: float) -> str:
    """A text no wider than `room` pixels in the size that `blf` is set to: whole words, and that there is more. The tab has the
    rest."""
    if blf.dimensions(0, text)[0] <= room:
        return text
    kept = text.split(" ")
    while len(kept) > 1 and blf.dimensions(0, f"{' '.join(kept)} ...")[0] > room:
        kept.pop()
    return f"{' '.join(kept)} ..."


def register() -> None:
    """Speak in the status bar."""
    bpy.types.STATUSBAR_HT_header.prepend(draw)


def unregister() -> None:
    """Be silent."""
    bpy.types.STATUSBAR_HT_header.remove(draw)
