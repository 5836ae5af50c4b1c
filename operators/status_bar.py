# SPDX-License-Identifier: GPL-3.0-or-later
"""What Lope says in Blender's status bar: how far a job is, and what became of the last one."""

from __future__ import annotations

import bpy

from . import desk, notes
from .texts import said


def draw(self: bpy.types.Header, _context: bpy.types.Context) -> None:
    """The first job with its progress, else the last word while it is fresh; nothing where there is neither."""
    if desk.queue.busy:
        job = desk.queue.jobs[0]
        text = f"Lope: {job.label}, {said(job.text)}: {100.0 * job.share:.0f} %"
        self.layout.label(text=text, icon="PHYSICS", translate=False)
        return
    found = notes.last()
    if found is not None:
        name, note = found
        text = note.text if note.kind == notes.FAILED else f"{name}: {note.text}"
        self.layout.label(text=f"Lope: {text}".replace("\n", " "), icon=note.icon, translate=False)


def register() -> None:
    """Speak in the status bar."""
    bpy.types.STATUSBAR_HT_header.prepend(draw)


def unregister() -> None:
    """Be silent."""
    bpy.types.STATUSBAR_HT_header.remove(draw)
