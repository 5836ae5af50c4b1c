# SPDX-License-Identifier: GPL-3.0-or-later
"""The shot list: one file with defaults, rigs, shots and grids becomes a list of shots (docs/shot-list.md). What is wrong with
the file itself (a misspelt entry, a value of the wrong kind, an unknown gait) is told here, with its line, before anything runs.
What is wrong with one shot (a file that is not there, a speed the gait cannot do) is told when its turn comes."""

from __future__ import annotations

import dataclasses
import itertools
import math
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from ..errors import InputError, unknown_name
from ..options.outputs import ASTRONAUT
from ..options.shot_options import RIVALS, SEVERAL, SWITCH, TEXT, Field, render_fields, shot_fields
from ..specs.bake_options import DUST, STAGE, BakeOptions, bake_options
from ..specs.motions import REFLEX, STAND
from .document import Document, read_document

AXES = ("rig", "gait", "motion", "follow", "world", "gravity", "speed", "seed")
"""What comes first in the names, and turns slowest; other fields follow as they stand in the list."""


def expanded(grid: Mapping[str, Any], plain: frozenset[str]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Name and fields of every shot of a grid; fields in `plain` hold one value even where that is a list."""
    axes = [name for name, value in grid.items() if isinstance(value, list) and name not in plain]
    axes.sort(key=lambda name: AXES.index(name) if name in AXES else len(AXES))
    fixed = {name: value for name, value in grid.items() if name not in axes and name != "name"}
    for values in itertools.product(*(grid[axis] for axis in axes)):
        labels = [label(axis, value) for axis, value in zip(axes, values, strict=True)]
        yield "-".join([str(grid["name"]), *labels]), fixed | dict(zip(axes, values, strict=True))


def count(grid: Mapping[str, Any], plain: frozenset[str]) -> int:
    return math.prod(len(value) for name, value in grid.items() if isinstance(value, list) and name not in plain)


def label(axis: str, value: Any) -> str:
    """A value as part of a name: files by their stem, numbers that do not tell by themselves with their axis."""
    if isinstance(value, Mapping):
        value = value.get("file", axis)
    if isinstance(value, str):
        text = Path(value).stem if axis in ("rig", "motion", "follow") else value
    elif isinstance(value, bool):
        text = axis if value else f"no{axis}"
    else:
        text = f"{axis}{value:g}"
    return safe(text)


def safe(text: str) -> str:
    return re.sub(r"[^A-Za-z0-9._+]+", "_", text).strip("._") or "x"


RENDER_SWITCHES = ("film", "sheet")

Error = Callable[[str, str], InputError]


def check_bake(table: Mapping[str, Any], error: Error) -> None:
    """Raises `error(entry's name, words)` for an entry that bakes do not have or that does not fit."""
    known = {field.name for field in dataclasses.fields(BakeOptions)} | {STAGE, DUST}
    for name in table:
        if name not in known:
            raise error(name, str(unknown_name("option of the bake", name, known)))
    for name in (STAGE, DUST):
        if not isinstance(table.get(name, True), bool):
            raise error(name, f"{name!r} must be true or false, got {table[name]!r}.")
    try:
        bake_options(table)
    except (InputError, TypeError) as wrong:
        raise error(next(iter(table)), str(wrong)) from None


def check_render(table: Mapping[str, Any], error: Error) -> None:
    """Raises `error(entry's name, words)` for an entry that renders do not have or that does not fit."""
    from ..options.render_options import frames_from, size_from

    fields = render_fields()
    known = (*RENDER_SWITCHES, *fields.by_name)
    for name, value in table.items():
        if name not in known:
            raise error(name, str(unknown_name("option of the render", name, known)))
        kind = SWITCH if name in RENDER_SWITCHES else fields.by_name[name].kind
        if not Field(name, "", kind).fits(value):
            raise error(name, f"{name!r} must be {kind}, got {value!r}.")
        try:
            if name in ("frames", "size"):
                {"frames": frames_from, "size": size_from}[name](str(value))
        except InputError as wrong:
            raise error(name, str(wrong)) from None


ENDINGS = (".blend", ".fbx", ".glb", ".gltf", ".vrm", ".bvh")
"""Files that a rig is read from; all but .blend through Blender's importers."""
FIELDS = {"file": "text", "armature": "text", "bone_map": "text"}


@dataclass(frozen=True)
class RigSpec:
    """A rig by its name in the list. `file` is None for the astronaut; `armature` may be None where a file holds one."""

    name: str = ASTRONAUT
    file: str | None = None
    armature: str | None = None
    bone_map: str | None = None

    @property
    def inputs(self) -> dict[str, Path]:
        given = {"rig": self.file, "bone map": self.bone_map}
        return {what: Path(path) for what, path in given.items() if path is not None}

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)


def is_rig_file(text: str) -> bool:
    return Path(text).suffix.lower() in ENDINGS


SECTIONS = ("out", "sheet", "defaults", "rigs", "shots", "grids")
GRADES = ("green", "amber", "red")
OWN_FIELDS = ("rig", "min_card", "bake", "render", "report")
"""Fields of a shot that are no options of the command line."""
FILES, NAMES_OR_FILES = ("motion", "follow", "database", "after"), ("creature", "creature_gait")
"""Options that are files, and those that are the name of a preset or a JSON file."""
SHOT_LIMIT = 100_000
"""More shots than that in one list are a slip of a grid, not a night's work."""
RIGS = "rigs"
"""Folder of the prepared rigs, among those of the shots."""
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._+-]{0,99}")


@dataclass(frozen=True)
class ListedShot:
    """One shot of a list. `values` are its options by name, files as absolute paths; `bake` and `render` are options of
    those stages, None where the stage is left out; `place` is where the shot stands in the list."""

    name: str
    rig: RigSpec
    values: dict[str, Any]
    bake: dict[str, Any] | None
    render: dict[str, Any] | None
    report: bool
    min_card: str | None
    place: tuple[str | int, ...] = field(compare=False, default=())


@dataclass(frozen=True)
class ShotList:
    """A list as read: its file, the folder of its results, whether a sheet of all shots is wanted, and its shots."""

    document: Document
    out: Path
    sheet: bool
    shots: tuple[ListedShot, ...]

    @property
    def path(self) -> Path:
        return self.document.path


def read_list(path: str | Path) -> ShotList:
    """Read and check a shot list. Raises InputError with file and line for what cannot be used."""
    document = read_document(Path(path))
    return _Reader(document).read()


class _Reader:
    def __init__(self, document: Document) -> None:
        self.document, self.data, self.folder = document, document.data, document.path.resolve().parent
        self.fields = shot_fields()
        self.rigs: dict[str, RigSpec] = {ASTRONAUT: RigSpec()}

    def read(self) -> ShotList:
        self._known((), self.data, SECTIONS)
        out = self.folder / self._typed(("out",), self.data.get("out", f"{self.document.path.stem}-out"), TEXT)
        sheet = self._typed(("sheet",), self.data.get("sheet", False), SWITCH)
        for name, table in self._table(("rigs",)).items():
            if name == ASTRONAUT:
                raise self._error(("rigs", name), f"{name!r} is the built-in rig; give yours another name.")
            self.rigs[name] = self._rig_table(("rigs", name), name, table)
        defaults = self._table(("defaults",))
        self._check_entries(("defaults",), defaults, name_needed=False)
        shots = [self._shot(("shots", i), str(table["name"]), table, defaults) for i, table in enumerate(self._tables("shots"))]
        for i, grid in enumerate(self._tables("grids")):
            plain = frozenset(name for name, known in self.fields.by_name.items() if known.kind == SEVERAL)
            total = len(shots) + count(grid, plain)
            if total > SHOT_LIMIT:
                raise self._error(("grids", i), f"this grid brings the list to {total} shots; {SHOT_LIMIT} are the most.")
            shots += [self._shot(("grids", i), name, table, defaults) for name, table in expanded(grid, plain)]
        if not shots:
            raise self._error((), "the list has no shots: add [[shots]] or [[grids]].")
        self._check_names(shots)
        return ShotList(self.document, out, sheet, tuple(shots))

    def _error(self, place: tuple[str | int, ...], words: str) -> InputError:
        return self.document.error(place, words)

    def _table(self, place: tuple[str, ...]) -> dict[str, Any]:
        table = self.data.get(place[0], {})
        if not isinstance(table, dict):
            raise self._error(place, f"{place[0]!r} must be a table, got {table!r}.")
        return table

    def _tables(self, section: str) -> list[dict[str, Any]]:
        tables = self.data.get(section, [])
        if not isinstance(tables, list) or not all(isinstance(table, dict) for table in tables):
            raise self._error((section,), f"{section!r} must be a list of tables, each begun with [[{section}]].")
        for i, table in enumerate(tables):
            self._check_entries((section, i), table, name_needed=True, lists=section == "grids")
        return tables

    def _known(self, place: tuple[str | int, ...], table: Mapping[str, Any], known: tuple[str, ...]) -> None:
        for name in table:
            if name not in known:
                raise self._error((*place, name), str(unknown_name("entry", name, known)))

    def _typed(self, place: tuple[str | int, ...], value: Any, kind: str) -> Any:
        if not Field(str(place[-1]), "", kind).fits(value) or (kind == TEXT and not isinstance(value, str)):
            raise self._error(place, f"{place[-1]!r} must be {kind}, got {value!r}.")
        return value

    def _rig_table(self, place: tuple[str | int, ...], name: str, table: Any) -> RigSpec:
        if not isinstance(table, dict):
            raise self._error(place, f"the rig {name!r} must be a table with \"file\", got {table!r}.")
        self._known(place, table, tuple(FIELDS))
        values = {key: self._typed((*place, key), value, TEXT) for key, value in table.items()}
        if "file" not in values:
            raise self._error(place, f"the rig {name!r} needs \"file\", a file that ends in {', '.join(ENDINGS)}.")
        if not is_rig_file(values["file"]):
            raise self._error((*place, "file"), f"a rig's file ends in {', '.join(ENDINGS)}, got {values['file']!r}.")
        return RigSpec(name, self._path(values["file"]), values.get("armature"),
                       self._path(values["bone_map"]) if "bone_map" in values else None)

    def _rig(self, place: tuple[str | int, ...], value: Any) -> RigSpec:
        if isinstance(value, dict):
            return self._rig_table((*place, "rig"), Path(str(value.get("file", "rig"))).stem, value)
        text = self._typed((*place, "rig"), value, TEXT)
        if text in self.rigs:
            return self.rigs[text]
        if is_rig_file(text):
            return RigSpec(Path(text).stem, self._path(text))
        raise self._error((*place, "rig"), str(unknown_name("rig", text, self.rigs)) + " Or give a file.")

    def _path(self, text: str) -> str:
        """A file's absolute path; relative ones count from the list's folder."""
        return str((self.folder / text).absolute())

    def _check_entries(self, place: tuple[str | int, ...], table: Mapping[str, Any], *, name_needed: bool,
                       lists: bool = False) -> None:
        self._known(place, table, (*(("name",) if name_needed else ()), *OWN_FIELDS, *self.fields.by_name))
        if name_needed:
            if "name" not in table:
                raise self._error(place, "this entry needs a \"name\".")
            if not NAME.fullmatch(str(table["name"])):
                raise self._error((*place, "name"), "a name begins with a letter or digit and holds letters, digits and "
                                                    f". _ + - only, got {table['name']!r}.")
        for rivals in RIVALS:
            both = [name for name in rivals if name in table]
            if len(both) > 1:
                raise self._error((*place, both[1]), f"{both[0]!r} and {both[1]!r} exclude one another: give one of them.")
        for name, value in table.items():
            if name in ("name", "bake", "render", "report", "min_card"):
                continue
            known = self.fields.by_name.get(name)
            many = lists and isinstance(value, list) and (known is None or known.kind != SEVERAL)
            if many and not value:
                raise self._error((*place, name), f"the list of {name!r} is empty, so the grid has no shots.")
            for one in value if many else [value]:
                self._check_value(place, name, known, one)

    def _check_value(self, place: tuple[str | int, ...], name: str, known: Field | None, value: Any) -> None:
        if known is None:
            self._rig(place, value)
            return
        if not known.fits(value):
            raise self._error((*place, name), f"{name!r} must be {known.kind}, got {value!r}.")
        try:
            check_word(name, value)
        except InputError as error:
            raise self._error((*place, name), str(error)) from None

    def _shot(self, place: tuple[str | int, ...], name: str, table: Mapping[str, Any], defaults: Mapping[str, Any]) -> ListedShot:
        merged = {key: value for key, value in defaults.items() if not _rivalled(key, table)} | dict(table)
        given = {key: value for key, value in merged.items() if key in self.fields.by_name}
        grade = merged.get("min_card")
        if grade is not None and grade not in GRADES:
            raise self._error((*self._origin(place, table, "min_card"), "min_card"),
                              str(unknown_name("grade of the physics card", grade, GRADES)))
        report = merged.get("report", True)
        if not isinstance(report, bool):
            raise self._error((*self._origin(place, table, "report"), "report"),
                              f"'report' must be true or false, got {report!r}.")
        bake, render = self._stage(place, "bake", table, defaults), self._stage(place, "render", table, defaults)
        if render is not None and bake is None:
            raise self._error((*self._origin(place, table, "render"), "render"),
                              f"the shot {name!r} is to be rendered but not baked: leave out bake = false, or the render.")
        rig = self._rig(self._origin(place, table, "rig"), merged.get("rig", ASTRONAUT))
        return ListedShot(name, rig, self._with_paths(given), bake, render, report, grade, place)

    def _origin(self, place: tuple[str | int, ...], table: Mapping[str, Any], name: str) -> tuple[str | int, ...]:
        """Where an entry of a shot comes from: the shot, or the defaults."""
        return place if name in table or name not in self.data.get("defaults", {}) else ("defaults",)

    def _stage(self, place: tuple[str | int, ...], stage: str, table: Mapping[str, Any],
               defaults: Mapping[str, Any]) -> dict[str, Any] | None:
        """Options of bake or render, the shot's over the defaults'; None where the stage is left out."""
        found: dict[str, Any] | None = {} if stage == "bake" else None
        for where, source in ((("defaults",), defaults), (place, table)):
            value = source.get(stage)
            if value is None:
                continue
            if not isinstance(value, (bool, dict)):
                raise self._error((*where, stage), f"{stage!r} must be true, false, or a table of options, got {value!r}.")
            if isinstance(value, dict):
                self._check_stage((*where, stage), stage, value)
                found = (found or {}) | value
            else:
                found = (found or {}) if value else None
        return found

    def _check_stage(self, place: tuple[str | int, ...], stage: str, table: Mapping[str, Any]) -> None:
        check = check_bake if stage == "bake" else check_render
        check(table, lambda name, words: self._error((*place, name), words))

    def _with_paths(self, values: Mapping[str, Any]) -> dict[str, Any]:
        found = dict(values)
        for name in (*FILES, *NAMES_OR_FILES):
            if name in found and (name in FILES or str(found[name]).endswith(".json")):
                found[name] = self._path(found[name])
        if "heightfield" in found:
            name, comma, rest = str(found["heightfield"]).partition(",")
            found["heightfield"] = self._path(name) + comma + rest
        if isinstance(found.get("path"), str) and (self.folder / found["path"]).is_file():
            found["path"] = self._path(found["path"])
        return found

    def _check_names(self, shots: list[ListedShot]) -> None:
        """No two shots may have one name, whatever the file system thinks of upper and lower case."""
        seen: dict[str, str] = {}
        for shot in shots:
            if shot.name.lower() == RIGS:
                raise self._error(shot.place, f"no shot may be called {shot.name!r}: that folder holds the rigs.")
            if shot.name.lower() in seen:
                raise self._error(shot.place, f"two shots are called {shot.name!r}; every shot needs a name of its own.")
            seen[shot.name.lower()] = shot.name


def _rivalled(name: str, table: Mapping[str, Any]) -> bool:
    """Whether a shot's own entries take one of the defaults' away, as `gravity` does with `world`."""
    return any(name in rivals and any(other in table for other in rivals if other != name) for rivals in RIVALS)


def check_word(name: str, value: Any) -> None:
    """Raises InputError, with the nearest name, for a gait, world or suit that there is not."""
    if name == "gait":
        from ..motions.library import gait_choices

        known = (*gait_choices(), STAND, REFLEX)
        if value not in known:
            raise unknown_name("gait", value, known)
    elif name == "creature" and not str(value).endswith(".json"):
        from ..bodies.creature.template import find_creature

        find_creature(value)
    elif name == "world":
        from ..worlds.planets import load_world

        load_world(value)
    elif name == "suit":
        from ..bodies.human.suit import load_suit

        load_suit(value)
