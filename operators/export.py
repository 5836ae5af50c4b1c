# SPDX-License-Identifier: GPL-3.0-or-later
"""What leaves Blender. What the buttons share that write a file: the place they ask for, and the frame of a moment.

Button: write the character and its motion for a game engine.

Button: write the course of the last take to a CSV file.

Button: write the foot events of the last take to a CSV file.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import bpy
from bpy.props import BoolProperty, EnumProperty, StringProperty

from ..addon.rigs.read.actions import frame_rate
from . import context as notes
from .context import active_armature, allows, poll_armature, poll_take, reports_errors, take_of, words
from .figures import Placement, figure_of

if TYPE_CHECKING:
    from ..addon.sim.take import Take


class WritesFile:
    """Mixed into an operator that writes a file about an armature; `suffix` ends the name it suggests."""

    suffix, ending = "", ".csv"

    filepath: StringProperty(name="File", description="The file to write", subtype="FILE_PATH")
    check_existing: BoolProperty(default=True, options={"HIDDEN"})

    def invoke(self, context: bpy.types.Context, _event: bpy.types.Event) -> set[str]:
        if not self.filepath:
            self.filepath = str(self.beside(context))
        context.window_manager.fileselect_add(self)
        return {"RUNNING_MODAL"}

    def chosen(self, context: bpy.types.Context) -> Path:
        """The file to write: the one that was chosen, or the one suggested."""
        return Path(bpy.path.abspath(self.filepath)) if self.filepath else self.beside(context)

    def beside(self, context: bpy.types.Context) -> Path:
        """A file next to the .blend file; where that was never saved, next to the take, or at home."""
        armature = active_armature(context)
        kept = bpy.data.filepath or (armature.lope.take_path and take_of(armature))
        folder = Path(kept).parent if kept else Path.home()
        return folder / f"{bpy.path.clean_name(armature.name)} {self.suffix}{self.ending}"


class WritesCsv(WritesFile):
    """Mixed into an operator that writes a CSV file about the last take."""

    filter_glob: StringProperty(default="*.csv", options={"HIDDEN"})

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        return poll_take(cls, context)


def frames_of(take: Take, scene: bpy.types.Scene) -> Callable[[float], float]:
    """Frame, fractions included, of a time in a take that starts at the scene's first."""
    start = float(take.time_s[0])
    return lambda time: scene.frame_start + (time - start) * frame_rate(scene)


class LOPE_OT_export_csv(WritesCsv, bpy.types.Operator):
    """Write the last take as a table: way, height, speed, ground force, contacts and joint angles at every moment"""

    bl_idname = "lope.export_csv"
    bl_label = "Export Table"
    bl_options = {"REGISTER"}
    suffix = "take"

    @reports_errors
    def execute(self, context: bpy.types.Context) -> set[str]:
        from ..addon.reports.events import traces_of, write_traces
        from ..addon.sim.take import Take

        take = Take.load(take_of(active_armature(context)))
        path = self.chosen(context)
        write_traces(traces_of(take), path, frames_of(take, context.scene))
        self.report({"INFO"}, words("{count} moments written to {path}", count=len(take.time_s), path=path))
        return {"FINISHED"}


class LOPE_OT_export_events(WritesCsv, bpy.types.Operator):
    """Write when and where each foot strikes and leaves the ground, how fast and how hard, for dust and sound"""

    bl_idname = "lope.export_events"
    bl_label = "Export Foot Events"
    bl_options = {"REGISTER"}
    suffix = "events"

    @reports_errors
    def execute(self, context: bpy.types.Context) -> set[str]:
        from ..addon.reports.events import foot_events, write_events
        from ..addon.sim.take import Take

        armature, scene = active_armature(context), context.scene
        take = Take.load(take_of(armature))
        placement = Placement.of(armature, figure_of(armature, scene))
        events = foot_events(take, placement.to_scene)
        path = self.chosen(context)
        write_events(events, path, frames_of(take, scene))
        self.report({"INFO"}, words("{count} foot events written to {path}", count=len(events), path=path))
        return {"FINISHED"}


ENGINES = (
    ("unreal", "Unreal", "FBX in centimetres; the armature object, or the rig's own root bone, carries the way"),
    ("unity", "Unity", "FBX in metres, Y up"),
    ("godot", "Godot", "glTF (.glb), which Blender, web viewers and other engines read too"),
)


class LOPE_OT_export(WritesFile, bpy.types.Operator):
    """Write the character and the motion that it shows for a game engine, the way on a root: FBX or glTF, every frame"""

    bl_idname = "lope.export"
    bl_label = "Export"
    bl_options = {"REGISTER"}

    engine: EnumProperty(name="For", items=ENGINES, description="Which engine the file is for", default="unreal")

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        return poll_armature(cls, context) and allows(cls, context.mode == "OBJECT", words("Leave Edit or Pose mode first"))

    @property
    def suffix(self) -> str:
        """The engine's name ends the file's."""
        return self.engine

    @property
    def ending(self) -> str:
        """The kind of file that the engine takes."""
        return ".glb" if self.engine == "godot" else ".fbx"

    def beside(self, context: bpy.types.Context) -> Path:
        """A file next to the .blend file, or at home: a game's files are not looked for among takes."""
        return (Path(bpy.data.filepath).parent if bpy.data.filepath else Path.home()) / super().beside(context).name

    def check(self, _context: bpy.types.Context) -> bool:
        """The file's ending, and its name as far as it is Lope's, go with the engine while the file is chosen."""
        path = Path(self.filepath)
        name, _, engine = path.stem.rpartition(" ")
        stem = f"{name} {self.engine}" if engine in (key for key, _, _ in ENGINES) else path.stem
        ended = str(path.with_name(stem + self.ending))
        changes = ended != self.filepath
        self.filepath = ended
        return changes

    @reports_errors
    def execute(self, context: bpy.types.Context) -> set[str]:
        from ..addon.rigs.shots.export import export_character

        told = export_character(context.scene, active_armature(context), self.engine, self.chosen(context))
        text = words("{clip}, frames {first} to {last}, written to {path}", clip=told.clip, first=told.frames[0],
                     last=told.frames[1], path=told.path)
        self.report({"INFO"}, text)
        armature = active_armature(context)
        notes.tell(armature.session_uid, armature.name, notes.Note(notes.DONE, text))
        return {"FINISHED"}
