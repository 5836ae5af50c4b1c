# SPDX-License-Identifier: GPL-3.0-or-later
"""Button: write the foot events of the last take to a CSV file."""

from __future__ import annotations

from pathlib import Path

import bpy
from bpy.props import StringProperty

from .context import active_armature, poll_take, reports_errors
from .figures import Placement, figure_of
from .texts import words


class LOPE_OT_export_events(bpy.types.Operator):
    """Write when and where each foot strikes and leaves the ground, how fast and how hard, for dust and sound"""

    bl_idname = "lope.export_events"
    bl_label = "Export Foot Events"
    bl_options = {"REGISTER"}

    filepath: StringProperty(name="File", description="The CSV file to write", subtype="FILE_PATH")
    filter_glob: StringProperty(default="*.csv", options={"HIDDEN"})
    check_existing: bpy.props.BoolProperty(default=True, options={"HIDDEN"})

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        return poll_take(cls, context)

    def invoke(self, context: bpy.types.Context, _event: bpy.types.Event) -> set[str]:
        if not self.filepath:
            self.filepath = str(self._beside(context))
        context.window_manager.fileselect_add(self)
        return {"RUNNING_MODAL"}

    @reports_errors
    def execute(self, context: bpy.types.Context) -> set[str]:
        from ..addon.reports.events import foot_events, write_events
        from ..addon.rigs.bake import frame_rate
        from ..addon.take import Take

        armature, scene = active_armature(context), context.scene
        take = Take.load(armature.lope.take_path)
        placement = Placement.of(armature, figure_of(armature, scene))
        events = foot_events(take, placement.to_scene)
        path = Path(bpy.path.abspath(self.filepath)) if self.filepath else self._beside(context)
        start = float(take.time_s[0])
        write_events(events, path, lambda time: scene.frame_start + (time - start) * frame_rate(scene))
        self.report({"INFO"}, words("{count} foot events written to {path}", count=len(events), path=path))
        return {"FINISHED"}

    @staticmethod
    def _beside(context: bpy.types.Context) -> Path:
        """A CSV file next to the .blend file, or next to the take where that was never saved."""
        armature = active_armature(context)
        name = f"{bpy.path.clean_name(armature.name)} events.csv"
        folder = Path(bpy.data.filepath).parent if bpy.data.filepath else Path(armature.lope.take_path).parent
        return folder / name
