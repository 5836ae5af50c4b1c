# SPDX-License-Identifier: GPL-3.0-or-later
"""Button: open the page of the handbook that belongs to a panel. The pages come with the extension; nothing is fetched."""

from __future__ import annotations

from pathlib import Path

import bpy
from bpy.props import EnumProperty

from .texts import words

DOCS = Path(__file__).resolve().parents[1] / "docs"
PAGES = (("first-walk", "The First Walk", "From an empty scene to keys, step by step"),
         ("panel", "The Panel", "What every setting and button of the tab Lope does"),
         ("your-rig", "Your Own Rig", "How bones are found, what is wrong with a rig, and feet that stay where they are"),
         ("rigs", "Rigs", "Which rigs are known, what is read from them, what is baked"),
         ("your-gait", "Your Own Gait", "A motion file or an action as style, and gaits of your own"),
         ("pose-gait", "Gaits from Key Poses", "A gait made of a few poses and balance, and how to edit one"),
         ("planets", "Planets", "Which gait suits which gravity, and at which speeds it stands"),
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
