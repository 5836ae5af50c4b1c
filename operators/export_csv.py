# SPDX-License-Identifier: GPL-3.0-or-later
"""Button: write the course of the last take to a CSV file."""

from __future__ import annotations

import bpy

from .context import active_armature, reports_errors
from .csv_files import WritesCsv, frames_of
from .texts import words


class LOPE_OT_export_csv(WritesCsv, bpy.types.Operator):
    """Write the last take as a table: way, height, speed, ground force, contacts and joint angles at every moment"""

    bl_idname = "lope.export_csv"
    bl_label = "Export Table"
    bl_options = {"REGISTER"}
    suffix = "take"

    @reports_errors
    def execute(self, context: bpy.types.Context) -> set[str]:
        from ..addon.reports.traces import traces_of, write_traces
        from ..addon.take import Take

        take = Take.load(active_armature(context).lope.take_path)
        path = self.chosen(context)
        write_traces(traces_of(take), path, frames_of(take, context.scene))
        self.report({"INFO"}, words("{count} moments written to {path}", count=len(take.time_s), path=path))
        return {"FINISHED"}
