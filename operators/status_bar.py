# SPDX-License-Identifier: GPL-3.0-or-later
"""What Lope says in Blender's status bar: how far a job is, and what became of the last one.

Button: open the page of the handbook that belongs to a panel. The pages come with the extension; nothing is fetched.
"""

from __future__ import annotations

import math
from pathlib import Path

import blf
import bpy
from bpy.props import EnumProperty

from ..addon.jobs.job import LIVE
from . import context as notes
from . import desk
from .context import said, words

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


DOCS = Path(__file__).resolve().parents[1] / "docs"
PAGES = (("first-walk", "The First Walk", "From an empty scene to keys, step by step"),
         ("panel", "The Panel", "What every setting and button of the tab Lope does"),
         ("your-rig", "Your Own Rig", "How bones are found, what is wrong with a rig, and feet that stay where they are"),
         ("rigs", "Rigs", "Which rigs are known, what is read from them, what is baked"),
         ("your-gait", "Your Own Gait", "A motion file or an action as style, and gaits of your own"),
         ("pose-gait", "Gaits from Key Poses", "A gait made of a few poses and balance, and how to edit one"),
         ("follow", "Follow", "Clips and actions, gone step by step by this body in that gravity"),
         ("standing", "Standing", "Somebody who stands, is shoved, and catches himself"),
         ("drive", "Drive", "At the wheel: keys, clicks and targets that steer it while it goes"),
         ("creatures", "Creatures", "Two legs of any make: how they are read, and how a gait is found"),
         ("planets", "Planets", "Which gait suits which gravity, and at which speeds it keeps its feet"),
         ("hits", "Hit, and Back", "Balls, punches and thrown objects on an action, and how the body takes them"),
         ("pressure", "Pressure", "What a mat under the feet tells of a motion, and motions made of it"),
         ("muscles", "Muscles", "A body that muscles move: what may be weak, tight or sore, and muscles that are seen"),
         ("measures", "Measures", "What the numbers of a take mean"),
         ("troubleshooting", "Troubleshooting", "What you see, why, and what to do about it"))


class LOPE_OT_help(bpy.types.Operator):
    """Open the page of Lope's handbook about this"""

    bl_idname = "lope.help"
    bl_label = "Help"
    bl_options = {"REGISTER", "INTERNAL"}

    page: EnumProperty(name="Page", description="The page to open", items=PAGES, default="panel")

    def execute(self, _context: bpy.types.Context) -> set[str]:
        path = page_file(self.page)
        if not path.is_file():
            self.report({"ERROR"}, words("The handbook's page {path} is not there; install Lope's zip again", path=path))
            return {"CANCELLED"}
        if path.suffix == ".html":
            return bpy.ops.wm.url_open(url=path.as_uri())
        return bpy.ops.wm.path_open(filepath=str(path))


def page_file(page: str) -> Path:
    """The file of a page of the handbook: for the browser, as the zip has it, or the text that it is made of in the sources."""
    made = DOCS / f"{page}.html"
    return made if made.is_file() else made.with_suffix(".md")
