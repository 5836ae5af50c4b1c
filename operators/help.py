# SPDX-License-Identifier: GPL-3.0-or-later
"""Button: open the page of the handbook that belongs to a panel. The pages come with the extension; nothing is fetched."""

from __future__ import annotations

from pathlib import Path

import bpy
from bpy.props import EnumProperty

from .texts import words

DOCS = Path(__file__).resolve().parents[1] / "docs"
PAGES = (("panel", "The Panel", "What every setting and button of the tab Lope does"),
         ("rigs", "Rigs", "Which rigs are known, what is read from them, what is baked"),
         ("measures", "Measures", "What the numbers of a take mean"))


class LOPE_OT_help(bpy.types.Operator):
    """Open the page of Lope's handbook about this"""

    bl_idname = "lope.help"
    bl_label = "Help"
    bl_options = {"REGISTER", "INTERNAL"}

    page: EnumProperty(name="Page", description="The page to open", items=PAGES, default="panel")

    def execute(self, _context: bpy.types.Context) -> set[str]:
        path = DOCS / f"{self.page}.md"
        if not path.is_file():
            self.report({"ERROR"}, words("The handbook's page {path} is not there; install Lope's zip again", path=path))
            return {"CANCELLED"}
        return bpy.ops.wm.path_open(filepath=str(path))
