# SPDX-License-Identifier: GPL-3.0-or-later
"""Button: write the foot events of the last take to a CSV file."""

from __future__ import annotations

import bpy

from .context import active_armature, reports_errors
from .csv_files import WritesCsv, frames_of
from .figures import Placement, figure_of
from .texts import words


class LOPE_OT_export_events(WritesCsv, bpy.types.Operator):
    """Write when and where each foot strikes and leaves the ground, how fast and how hard, for dust and sound"""

    bl_idname = "lope.export_events"
    bl_label = "Export Foot Events"
    bl_options = {"REGISTER"}
    suffix = "events"

    @reports_errors
    def execute(self, context: bpy.types.Context) -> set[str]:
        from ..addon.reports.events import foot_events, write_events
        from ..addon.take import Take

        armature, scene = active_armature(context), context.scene
        take = Take.load(armature.lope.take_path)
        placement = Placement.of(armature, figure_of(armature, scene))
        events = foot_events(take, placement.to_scene)
        path = self.chosen(context)
        write_events(events, path, frames_of(take, scene))
        self.report({"INFO"}, words("{count} foot events written to {path}", count=len(events), path=path))
        return {"FINISHED"}
