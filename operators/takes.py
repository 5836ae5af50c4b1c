# SPDX-License-Identifier: GPL-3.0-or-later
"""The takes of a character: a list that is kept with the file, and over undo; their files lie beside the .blend once it is saved.

A take's file is known by its name: where it is not at its place, it is looked for beside the .blend, so that a file that moved to
another machine with its folder of takes has them all. Only files that this session wrote where nothing was are ever removed.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import shutil
import uuid
from dataclasses import asdict, dataclass
from pathlib import Path

import bpy

from ..addon.errors import LopeError
from ..addon.specs.motion import digest_of
from .context import TAKES, Note, found_file, tell, words
from .context import WARNED as WARN
from .override_settings import dumped, restored
from .properties import CollectionProperty, FloatProperty, IntProperty, StringProperty

SETTINGS = ("take_path", "take_summary", "take_card", "take_fall", "take_pressure")
"""Settings of an armature that tell of its present take; the rest of `Made` stands in the list alone."""
NOT_OF_A_SHOT = {"rna_type", "name", "figure", "pose_kept", "pose_shown", "pose_state", "edits_gait", "poses_said", "drive_kept",
                 "pressure_motions", "pressure_listed", "armature", "verb", "first_verb", "show_preview", "settings_format"}
"""Settings that no shot is made of; nor are those that tell of takes and of the bake."""


@dataclass(frozen=True)
class Made:
    """A take that was made: its file, a sentence, card, fall and pressure as JSON; what moved in which world for how long [s],
    the grade of its card, the Shot as JSON, "" where there is none, its first frame, the SHA-256 of its file, and the settings
    that it was made by, see `settings_of`."""

    path: str
    summary: str
    card: str = "[]"
    fall: str = ""
    pressure: str = ""
    motion: str = ""
    world: str = ""
    length_s: float = 0.0
    verdict: str = ""
    recipe: str = ""
    first_frame: float = 1.0
    sha256: str = ""
    made_by: str = ""

    @property
    def key(self) -> str:
        """The name of its file."""
        return named(self.path)


class LopeTake(bpy.types.PropertyGroup):
    """One take in an armature's list."""

    label: StringProperty(name="Name", description="What the take is called in the list; call it as you like")
    path: StringProperty(name="File", description="File of the take")
    summary: StringProperty(name="Take", description="What the simulation gave")
    card: StringProperty(name="Physics Card", description="Grades of the take's physics, as JSON")
    fall: StringProperty(name="Fall", description="When the last take ended in a fall, and what to change, as JSON")
    pressure: StringProperty(name="Pressure", description="The pressure that the take was read from, as JSON")
    motion: StringProperty(name="Motion", description="What moved the character")
    world: StringProperty(name="World", description="The world it moved in")
    length_s: FloatProperty(name="Length (s)", description="How long the take is")
    verdict: StringProperty(name="Verdict", description="The grade of its physics card")
    first_frame: FloatProperty(name="First Frame", default=1.0, description="The frame at which the take begins")
    recipe: StringProperty(name="Recipe", description="The shot that the take was simulated from, as JSON")
    sha256: StringProperty(name="Hash", description="SHA-256 of the take's file, by which keys know the take they are of")
    made_by: StringProperty(name="Settings", description="What the character and its scene were set to, as JSON")


class TakeSettings:
    """The list, for a property group to inherit."""

    takes: CollectionProperty(name="Takes", type=LopeTake, description="The takes of this character, the youngest last")
    take_index: IntProperty(name="Chosen Take", description="The take chosen in the list")
    takes_removed: StringProperty(name="Removed Takes", default="[]",
                                  description="Names of files of takes that were removed from the list, as JSON")


_made: dict[int, dict[str, Made]] = {}
_present: dict[int, str] = {}
"""By armature (session_uid): the takes that this session made or went back to, by their keys, and the key of the present one."""
_fresh: set[Path] = set()
_ours: set[Path] = set()
"""Files that this session wrote where nothing was: in the folder of takes, where nobody else knows them, and beside a .blend."""


def named(path: str) -> str:
    """The name of a file, whichever system its path is of."""
    return re.split(r"[\\/]", path)[-1]


def will_write(path: str) -> None:
    """A job will write a take there: where nothing is, the file is this session's."""
    if not Path(path).exists():
        _fresh.add(Path(path))


def add(armature: bpy.types.Object, made: Made) -> None:
    """Put a take into the list, in the place of the one of the same file, and make it the present one."""
    if not made.sha256 and Path(made.path).is_file():
        made = Made(**{**asdict(made), "sha256": digest_of(made.path)})
    _made.setdefault(armature.session_uid, {})[made.key] = made
    settings = armature.lope
    settings.takes_removed = json.dumps([name for name in json.loads(settings.takes_removed or "[]") if name != made.key])
    settings.take_index = _write(settings, made)
    make_present(armature, made.key)


def make_present(armature: bpy.types.Object, key: str) -> None:
    """Let an armature's settings tell of that take of the list, and remember that over undo."""
    entry = next(one for one in armature.lope.takes if named(one.path) == key)
    _made.setdefault(armature.session_uid, {}).setdefault(key, of_entry(entry))
    _present[armature.session_uid] = key
    _tell(armature.lope, entry)


def _tell(settings: bpy.types.PropertyGroup, entry: LopeTake) -> None:
    for name in SETTINGS:
        if getattr(settings, name) != getattr(entry, name.removeprefix("take_")):
            setattr(settings, name, getattr(entry, name.removeprefix("take_")))


def of_entry(entry: LopeTake) -> Made:
    """What an entry of the list tells."""
    return Made(**{name: getattr(entry, name) for name in Made.__dataclass_fields__})


def _write(settings: bpy.types.PropertyGroup, made: Made) -> int:
    """Write a take into the list; gives its place there. A name that somebody gave stays."""
    at = next((i for i, one in enumerate(settings.takes) if named(one.path) == made.key), None)
    entry = settings.takes.add() if at is None else settings.takes[at]
    for name, value in asdict(made).items():
        setattr(entry, name, value)
    if at is None:
        entry.label = _called(settings, made)
    return len(settings.takes) - 1 if at is None else at


def _called(settings: bpy.types.PropertyGroup, made: Made) -> str:
    """A name for a new entry that no other has."""
    motion = Path(json.loads(made.pressure)["pressure"]).stem if made.pressure else made.motion
    wanted = " ".join(part for part in (motion, made.world) if part) or made.key.removesuffix(".npz")
    wanted = (wanted[:1].upper() + wanted[1:]).replace("_", " ")
    taken = {one.label for one in settings.takes}
    return next(name for name in (wanted, *(f"{wanted} {number}" for number in range(2, len(taken) + 3))) if name not in taken)


def chosen(armature: bpy.types.Object) -> LopeTake | None:
    """The chosen entry of the list; None where it is empty."""
    entries, at = armature.lope.takes, armature.lope.take_index
    return entries[at] if 0 <= at < len(entries) else None


def settings_of(armature: bpy.types.Object, scene: bpy.types.Scene) -> str:
    """What a shot of an armature is made of: its settings and its scene's that are set, as JSON, for `set_back`."""
    return json.dumps([{name: value for name, value in dumped(group).items() if _of_a_shot(name)}
                       for group in (armature.lope, scene.lope)], sort_keys=True)


def set_back(armature: bpy.types.Object, scene: bpy.types.Scene, made_by: str) -> None:
    """Give an armature and its scene the settings of `settings_of`; those that were not set then are as new."""
    for group, values in zip((armature.lope, scene.lope), json.loads(made_by), strict=True):
        for prop in group.bl_rna.properties:
            if _of_a_shot(prop.identifier):
                group.property_unset(prop.identifier)
        restored(group, values)


def _of_a_shot(name: str) -> bool:
    return name not in NOT_OF_A_SHOT and not name.startswith(("take", "bake_"))


def is_present(armature: bpy.types.Object, entry: LopeTake) -> bool:
    """Whether an entry is the take that the buttons are about."""
    return bool(armature.lope.take_path) and named(entry.path) == named(armature.lope.take_path)


def remove(armature: bpy.types.Object, entry: LopeTake) -> None:
    """Take an entry off the list; the one before it is chosen. Its file goes when the .blend is saved, see `saved`."""
    settings, key = armature.lope, named(entry.path)
    settings.takes_removed = json.dumps([*json.loads(settings.takes_removed or "[]"), key])
    at = next(i for i, one in enumerate(settings.takes) if named(one.path) == key)
    was_present = is_present(armature, entry)
    settings.takes.remove(at)
    settings.take_index = max(min(at, len(settings.takes) - 1), 0)
    if was_present and len(settings.takes):
        make_present(armature, named(settings.takes[settings.take_index].path))
    elif was_present:
        _present.pop(armature.session_uid, None)
        for name in SETTINGS:
            settings.property_unset(name)


def restore() -> None:
    """Undo has put settings back: write the takes of this session in again, but for those that were removed by then."""
    for item in bpy.data.objects:
        made = _made.get(item.session_uid)
        if made is None:
            continue
        gone = json.loads(item.lope.takes_removed or "[]")
        there = {named(one.path) for one in item.lope.takes}
        for key, one in made.items():
            if key not in there and key not in gone:
                _write(item.lope, one)
        present = next((one for one in item.lope.takes if named(one.path) == _present.get(item.session_uid)), None)
        if present is not None:
            _tell(item.lope, present)


def loaded() -> None:
    """Another file is there: a take of an earlier Lope stands in the list, too; what was removed is past."""
    for item in _own_armatures():
        settings = item.lope
        if settings.takes_removed not in ("", "[]"):
            settings.takes_removed = "[]"
        if settings.take_path and not len(settings.takes):
            settings.take_index = _write(settings, Made(*(getattr(settings, name) for name in SETTINGS)))


def forget() -> None:
    """Drop what is remembered: another file is coming."""
    for kept in (_made, _present, _fresh, _ours):
        kept.clear()


def _own_armatures() -> list[bpy.types.Object]:
    return [item for item in bpy.data.objects if item.type == "ARMATURE" and item.library is None]


_before: list[tuple[bpy.types.PropertyGroup, str, str]] = []
"""Settings that name files, with what they said before the file was saved."""
_copied: dict[Path, Path] = {}
"""Files that were brought beside the .blend, and where they were."""


def before_save(target: str) -> None:
    """Bring the takes of every character beside the .blend that is about to be written, and name them relative to it. What cannot
    be brought stays where it is, and a sentence says so."""
    _before.clear()
    _copied.clear()
    if not target:
        return
    folder = Path(target).parent / TAKES
    for item in _own_armatures():
        for owner, name in [*((one, "path") for one in item.lope.takes), (item.lope, "take_path"), (item.lope, "after_path")]:
            path = getattr(owner, name)
            source = found_file(path, item) if path else None
            if source is None:
                continue
            try:
                now = bpy.path.relpath(str(_beside(source, folder)), start=str(folder.parent))
            except (OSError, ValueError) as error:
                tell(item.session_uid, item.name, Note(WARN, words(
                    "The takes cannot be kept beside the file: {reason}. They stay in {folder}",
                    reason=getattr(error, "strerror", None) or error, folder=source.parent)))
                break
            if now != path:
                _before.append((owner, name, path))
                setattr(owner, name, now)


def _beside(source: Path, folder: Path) -> Path:
    """The same file in a folder, made there where it is not there yet, never over another one. Raises OSError."""
    if source.parent.resolve() == folder.resolve():
        return source
    if source in _copied:
        return _copied[source]
    folder.mkdir(parents=True, exist_ok=True)
    partial = folder / f".{uuid.uuid4().hex}.npz"
    try:
        try:
            os.link(source, partial)
        except OSError:  # another disk, or one without links
            shutil.copyfile(source, partial)
        for number in range(1000):
            to = folder / (source.name if number == 0 else f"{source.stem}.{number:03d}{source.suffix}")
            if not to.exists():
                partial.rename(to)
                _ours.add(to)
            elif not _same(source, to):
                continue
            _copied[source] = to
            return to
    finally:
        partial.unlink(missing_ok=True)
    raise OSError(f"{folder} holds a thousand files called {source.stem}")


def _same(one: Path, other: Path) -> bool:
    return other.is_file() and one.stat().st_size == other.stat().st_size and digest_of(one) == digest_of(other)


def not_saved() -> None:
    """The .blend was not written, or a copy of it was: the settings are this file's own again."""
    for owner, name, path in _before:
        setattr(owner, name, path)
    _before.clear()
    _copied.clear()


def saved(target: str, busy: bool) -> None:
    """The .blend is written: files that were brought beside it go from where they were, and those that were removed from the
    lists go with them; but only this session's own, none that another .blend may know, and none while a job may read it."""
    if not target or Path(target) != Path(bpy.data.filepath):
        not_saved()
        return
    former = {(owner.id_data.session_uid, named(getattr(owner, name))): named(path) for owner, name, path in _before}
    for item in _own_armatures():
        uid = item.session_uid
        remembered = _made.get(uid, {})
        for entry in item.lope.takes:
            key = named(entry.path)
            if remembered.pop(former.get((uid, key), key), None) is not None:
                remembered[key] = of_entry(entry)
        if item.lope.take_path and uid in _present:
            _present[uid] = named(item.lope.take_path)
    if not busy:
        for source in _copied:
            if source in _fresh:
                with contextlib.suppress(OSError):
                    source.unlink(missing_ok=True)
        _drop_removed(Path(target).parent)
    _before.clear()
    _copied.clear()


def _drop_removed(folder: Path) -> None:
    """Remove the files of takes that no list has any more."""
    settings = [item.lope for item in _own_armatures()]
    kept = {named(one.path) for each in settings for one in each.takes} | {named(each.after_path) for each in settings}
    gone = {name for each in settings for name in json.loads(each.takes_removed or "[]")} - kept
    alone = len(list(folder.glob("*.blend"))) == 1
    ours = [path for path in _ours if alone and path.parent == folder / TAKES]
    for path in [path for path in (*_fresh, *ours) if path.name in gone]:
        with contextlib.suppress(OSError):
            path.unlink(missing_ok=True)


def facts_of(shot: dict, report: dict) -> dict[str, object]:
    """What the list tells of a take, from its Shot as a dict, {} where there is none, and the report of its job."""
    from ..addon.specs.motions import Gait
    from ..addon.specs.shot import Shot
    from ..addon.worlds.planets import label_of

    motion, world = report.get("gait") or "", ""
    if shot:
        world = label_of(shot["world"]["name"])
        with contextlib.suppress(LopeError):
            made = Shot.from_dict(shot)
            motion = motion if motion and isinstance(made.motion, Gait) else made.called
    return {"motion": motion, "world": world, "length_s": float(report.get("duration_s") or 0.0),
            "recipe": json.dumps(shot, sort_keys=True) if shot else ""}
