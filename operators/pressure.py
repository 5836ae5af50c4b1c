# SPDX-License-Identifier: GPL-3.0-or-later
"""Buttons: read a motion from pressure, make a database of a folder of clips, mend the list of its motions."""

from __future__ import annotations

import zipfile
from pathlib import Path

import bpy
from bpy.props import BoolProperty, StringProperty

from ..addon.errors import InputError
from ..addon.specs.motions import Clip
from .context import OnOwnArmature, active_armature, allows, poll_own_armature, reports_errors, words
from .creature import is_creature
from .figures import plain
from .pressure_outcome import INDEX, READ, database_seen, pressure_seen
from .pressure_settings import changed_outside, list_of, mended, path_of, pressure_of, show_list
from .shot_builder import make_shot
from .simulate import check_ends, run_task, take_file

LEAST_TO_SPLIT_S = 0.4
"""A motion of less is not split: each half must have some frames of pressure."""


def poll_person(cls: type[bpy.types.Operator], context: bpy.types.Context) -> bool:
    """Whether an operator that gives an armature a person's motion can run; says in the tooltip why not."""
    return poll_own_armature(cls, context) and allows(
        cls, not is_creature(active_armature(context), context.scene),
        words("Pressure is read as a person's motion, and this is a creature"))


def poll_chosen(cls: type[bpy.types.Operator], context: bpy.types.Context) -> bool:
    """Whether an operator that needs pressure and a database has both; says in the tooltip why not."""
    return poll_person(cls, context) and allows(
        cls, active_armature(context).lope.pressure_path,
        words("Choose a file of pressure first")) and poll_database(cls, context)


def poll_database(cls: type[bpy.types.Operator], context: bpy.types.Context) -> bool:
    """Whether an operator that needs a database has one; says in the tooltip why not."""
    return poll_own_armature(cls, context) and allows(
        cls, active_armature(context).lope.pressure_database, words("Choose a database first, or index a folder of clips"))


def read_again(operator: bpy.types.Operator, context: bpy.types.Context, source: dict[str, str]) -> set[str]:
    """Queue the reading of pressure by a database, for the armature in hand. `source` has the paths of both."""
    from ..addon.children.protocol import Task

    return run_task(operator, context, Task(READ, {}, take_file(active_armature(context), source), source))


def read_pressure(operator: bpy.types.Operator, context: bpy.types.Context) -> set[str]:
    """Queue the reading of the chosen pressure for the armature in hand, laid or followed as it asks for. Raises LopeError."""
    from ..addon.children.protocol import Task

    armature = active_armature(context)
    pressure, database = pressure_of(armature.lope), path_of(armature.lope.pressure_database)
    if pressure is None or database is None:
        raise InputError("Pressure is read with a database of motions: choose both under Pressure.")
    pressure_seen(pressure)
    database_seen(database)
    source = {"pressure": str(pressure), "database": str(database)}
    if not armature.lope.pressure_physical:
        return read_again(operator, context, source)
    shot = make_shot(armature, context.scene, given=Clip(str(pressure), database=str(database), until_end=True))
    check_ends(shot)
    data = shot.to_dict()
    return run_task(operator, context, Task(READ, data, take_file(armature, data), source))


class LOPE_OT_read_pressure(bpy.types.Operator):
    """Find in the background which motions the pressure is of, and bake them on this armature as a new action"""

    bl_idname = "lope.read_pressure"
    bl_label = "Read Pressure"
    bl_options = {"REGISTER"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        return poll_chosen(cls, context)

    @reports_errors
    def execute(self, context: bpy.types.Context) -> set[str]:
        return read_pressure(self, context)


class LOPE_OT_index_clips(OnOwnArmature, bpy.types.Operator):
    """Make a database of a folder of clips (BVH) in the background: each is simulated once, and the pressure under it recorded"""

    bl_idname = "lope.index_clips"
    bl_label = "Index a Folder"
    bl_options = {"REGISTER"}

    directory: StringProperty(name="Folder", subtype="DIR_PATH",
                              description="The folder of clips; the database is written into it")
    filter_folder: BoolProperty(default=True, options={"HIDDEN"})
    licence: StringProperty(name="Licence", default="not told",
                            description="Under which licence the clips are; the database keeps it")

    def invoke(self, context: bpy.types.Context, _event: bpy.types.Event) -> set[str]:
        context.window_manager.fileselect_add(self)
        return {"RUNNING_MODAL"}

    @reports_errors
    def execute(self, context: bpy.types.Context) -> set[str]:
        folder = path_of(self.directory)
        if folder is None or not folder.is_dir():
            raise InputError(f"The folder of clips {folder or ''} is not there: choose it again.")
        return _index(self, context, folder, folder / f"{folder.name}.npz", self.licence, None)


class LOPE_OT_index_again(bpy.types.Operator):
    """Make the database anew from its clips, in the background, with the motions as the list has them"""

    bl_idname = "lope.index_again"
    bl_label = "Index Again"
    bl_options = {"REGISTER"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        return poll_database(cls, context) and allows(
            cls, active_armature(context).lope.pressure_clips, words("Choose the folder of its clips first"))

    @reports_errors
    def execute(self, context: bpy.types.Context) -> set[str]:
        settings = active_armature(context).lope
        database, folder = path_of(settings.pressure_database), path_of(settings.pressure_clips)
        assert database is not None and folder is not None
        if changed_outside(settings):
            raise InputError(f"The list of motions {list_of(settings)} has been changed since it was read here: read it again, "
                             "and change here what is still to be changed.")
        known = mended(settings)
        if known and not any((folder / clip).is_file() for clip in known):
            raise InputError(f"None of the clips of the list is in {folder}: choose the folder that the database was made of.")
        licence = database_seen(database).licence if database.is_file() else "not told"
        return _index(self, context, folder, database, licence, known)


def _index(operator: bpy.types.Operator, context: bpy.types.Context, folder: Path, out: Path, licence: str,
           known: dict | None) -> set[str]:
    """Queue the making of a database. Raises InputError, before, for what lies in its place."""
    from ..addon.children.protocol import Task
    from ..addon.motions.pressure.database import read_list

    if out.exists() and not _is_database(out):
        raise InputError(f"{out} is no database of pressure, and would be overwritten: rename it, or rename the folder.")
    read_list(out.with_suffix(".json"))
    return run_task(operator, context, Task(INDEX, {}, str(out), {"folder": str(folder), "licence": licence, "known": known}))


def _is_database(path: Path) -> bool:
    """Whether a file is a database, of whatever Lope."""
    try:
        with zipfile.ZipFile(path) as archive:
            return "database.json" in archive.namelist()
    except (OSError, zipfile.BadZipFile):
        return False


class LOPE_OT_motions_read(bpy.types.Operator):
    """Read the list of motions beside the database once more; what was changed here since Index Again is gone"""

    bl_idname = "lope.motions_read"
    bl_label = "Read the List Again"
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        return poll_database(cls, context)

    @reports_errors
    def execute(self, context: bpy.types.Context) -> set[str]:
        settings = active_armature(context).lope
        path = list_of(settings)
        if path is None or not path.is_file():
            raise InputError(f"There is no list of motions at {path}: Index a Folder makes one beside its database.")
        show_list(settings)
        return {"FINISHED"}


class LOPE_OT_motion_split(bpy.types.Operator):
    """Split the chosen motion in the middle, where two were taken for one; then set where the first ends"""

    bl_idname = "lope.motion_split"
    bl_label = "Split Motion"
    bl_options = {"REGISTER", "UNDO", "INTERNAL"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        return poll_own_armature(cls, context) and allows(
            cls, active_armature(context).lope.pressure_motions, words("The list is empty"))

    @reports_errors
    def execute(self, context: bpy.types.Context) -> set[str]:
        settings = active_armature(context).lope
        at = min(settings.pressure_motion_index, len(settings.pressure_motions) - 1)
        whole = settings.pressure_motions[at]
        begin, end = plain(whole.begin_s), plain(whole.end_s)
        if end - begin < LEAST_TO_SPLIT_S:
            raise InputError(f"The motion {whole.called} lasts {end - begin:.2f} s: only one of {LEAST_TO_SPLIT_S:g} s or more "
                             "is split.")
        kept = {"clip": whole.clip, "called": whole.called, "quiet": whole.quiet}
        middle = round(0.5 * (begin + end), 2)
        whole.end_s = middle
        half = settings.pressure_motions.add()
        for name, value in kept.items():
            setattr(half, name, value)
        half.begin_s, half.end_s = middle, end
        settings.pressure_motions.move(len(settings.pressure_motions) - 1, at + 1)
        settings.pressure_motion_index = at + 1
        return {"FINISHED"}
