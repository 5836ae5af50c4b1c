# SPDX-License-Identifier: GPL-3.0-or-later
"""What an armature's motion is read from: a file of pressure and a database; and the list of the database's motions."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import bpy

from ..addon.errors import InputError, LopeError
from .figures import plain
from .properties import BoolProperty, CollectionProperty, EnumProperty, FloatProperty, IntProperty, StringProperty

if TYPE_CHECKING:
    from ..addon.motions.pressure.database import Span


class LopePressedMotion(bpy.types.PropertyGroup):
    """One motion of a database's clips."""

    clip: StringProperty(name="Clip", description="File of the clip that the motion is of")
    called: StringProperty(name="Name", description="What the motion is called; those of one name are one kind of motion")
    begin_s: FloatProperty(name="Begin (s)", default=0.0, min=0.0, soft_max=30.0, precision=2, step=10,
                           description="Where in the clip the motion begins")
    end_s: FloatProperty(name="End (s)", default=1.0, min=0.0, soft_max=30.0, precision=2, step=10,
                         description="Where in the clip it ends")
    quiet: BoolProperty(name="Quiet Stance", default=False,
                        description="Nothing happens in it: it tells how somebody stands, and is no motion")


def _database_chosen(settings: bpy.types.PropertyGroup, _context: bpy.types.Context) -> None:
    """Another database has been chosen: its list is shown, where it has one that can be read, and its clips are looked for beside
    it."""
    try:
        show_list(settings)
    except LopeError:
        _clear(settings)
        return
    path = path_of(settings.pressure_database)
    if path is not None and any((path.parent / one.clip).is_file() for one in settings.pressure_motions):
        settings.pressure_clips = str(path.parent)


WRITTEN, PLAYED = "WRITTEN", "PLAYED"
SOURCES = (
    (PLAYED, "Recording", "The file as it is, from its beginning, at the pace at which it was recorded"),
    (WRITTEN, "Lines as They Come", "A CSV file that a sensor's program appends lines to: what comes from now on"),
)
"""Where live pressure comes from."""


class PressureSettings:
    """Motion from pressure, for a property group to inherit."""

    pressure_path: StringProperty(name="Pressure", subtype="FILE_PATH",
                                  description="What a mat has felt: CSV, NPZ, or any of a folder of pictures")
    pressure_database: StringProperty(name="Database", subtype="FILE_PATH", update=_database_chosen,
                                      description="The motions that are known by their pressure (NPZ); Index a Folder makes one "
                                                  "of your clips")
    pressure_physical: BoolProperty(name="Physical", default=False,
                                    description="Simulate the character as it follows the motion in the World above, in place of "
                                                "laying the motion as it is; it may fall there")
    pressure_live: EnumProperty(name="Live Shows", items=SOURCES, default=PLAYED, description="What of the file Live shows")
    pressure_clips: StringProperty(name="Clips", subtype="DIR_PATH", description="The folder whose clips the database is made of")
    pressure_motions: CollectionProperty(name="Motions", type=LopePressedMotion,
                                         description="The motions of the database's clips; what is changed here counts from "
                                                     "Index Again on")
    pressure_motion_index: IntProperty(name="Active Motion", description="The motion chosen in the list")
    pressure_listed: StringProperty(name="List as Read", options={"HIDDEN"},
                                    description="The list of motions as it was read, as JSON")
    take_pressure: StringProperty(name="Found Motions", description="What the last take was read as, as JSON")


def path_of(text: str) -> Path | None:
    """A path as the settings have it; None where none is chosen."""
    return Path(bpy.path.abspath(text)) if text.strip() else None


def pressure_of(settings: bpy.types.PropertyGroup) -> Path | None:
    """The pressure that is chosen, of a picture its folder; None where none is chosen."""
    from ..addon.motions.pressure.files import PICTURES

    path = path_of(settings.pressure_path)
    return path.parent if path is not None and path.suffix.lower() in PICTURES else path


def list_of(settings: bpy.types.PropertyGroup) -> Path | None:
    """The list of motions beside a database; None where no database is chosen."""
    path = path_of(settings.pressure_database)
    return None if path is None else path.with_suffix(".json")


def show_list(settings: bpy.types.PropertyGroup) -> None:
    """Show the list beside a database as it is on disk; changes that were made here go. Raises InputError for one that cannot be
    read."""
    from ..addon.motions.pressure.database import read_list

    path = list_of(settings)
    spans = {} if path is None else read_list(path).spans
    _clear(settings)
    settings.pressure_listed = _text(spans)
    for clip, motions in spans.items():
        for one in motions:
            entry = settings.pressure_motions.add()
            entry.clip, entry.called, entry.quiet = clip, one.name, one.quiet
            entry.begin_s, entry.end_s = one.begin_s, one.end_s


def _clear(settings: bpy.types.PropertyGroup) -> None:
    settings.pressure_motions.clear()
    settings.pressure_motion_index, settings.pressure_listed = 0, ""


def _text(spans: dict[str, list[Span]]) -> str:
    return json.dumps({clip: [vars(one) for one in motions] for clip, motions in spans.items()}, sort_keys=True)


def changed_outside(settings: bpy.types.PropertyGroup) -> bool:
    """Whether the list on disk is no more the one that is shown. Raises InputError where it cannot be read."""
    from ..addon.motions.pressure.database import read_list

    path = list_of(settings)
    return path is not None and bool(settings.pressure_listed) and _text(read_list(path).spans) != settings.pressure_listed


def mended(settings: bpy.types.PropertyGroup) -> dict[str, list[dict[str, Any]]]:
    """The motions of each clip as they are shown; a clip whose motions were all removed keeps none. Raises InputError for one
    that ends before it begins, or has no name."""
    from ..addon.motions.pressure.database import Span

    found: dict[str, list[dict[str, Any]]] = {clip: [] for clip in json.loads(settings.pressure_listed or "{}")}
    for one in settings.pressure_motions:
        begin, end = plain(one.begin_s), plain(one.end_s)
        if not one.called.strip():
            raise InputError(f"A motion of {one.clip} has no name: give it one in the list of motions.")
        if not begin < end:
            raise InputError(f"The motion {one.called} of {one.clip} is to go from {begin:g} s to {end:g} s: it must end after "
                             "it begins.")
        found.setdefault(one.clip, []).append(vars(Span(one.called.strip(), begin, end, one.quiet)))
    return {clip: sorted(of, key=lambda one: one["begin_s"]) for clip, of in found.items()}


def is_mended(settings: bpy.types.PropertyGroup) -> bool:
    """Whether the list is shown with changes that no database has yet."""
    before = [(clip, one["name"], plain(one["begin_s"]), plain(one["end_s"]), one["quiet"])
              for clip, of in json.loads(settings.pressure_listed or "{}").items() for one in of]
    shown = [(one.clip, one.called, plain(one.begin_s), plain(one.end_s), one.quiet) for one in settings.pressure_motions]
    return sorted(before) != sorted(shown)
