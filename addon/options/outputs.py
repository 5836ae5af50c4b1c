# SPDX-License-Identifier: GPL-3.0-or-later
"""Files that the command line reads and writes, checked before the work starts; options that are written NAME=VALUE,...; and the
door to the rooms that need Blender, which says clearly when Blender is not there, or has no file open."""

from __future__ import annotations

import argparse
import importlib
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from ..errors import InputError, unknown_name

if TYPE_CHECKING:
    from ..specs.creature import Creature
    from ..specs.shot import Shot


FILES = frozenset(("activations", "after", "beside", "blend", "body", "checkpoint", "clip", "condition", "creature",
                   "creature_gait", "database", "dust", "film", "fix", "folder", "follow", "gains_file", "grid_sheet",
                   "heightfield", "library", "like", "list", "map", "matrix", "motion", "norms", "objects", "out", "path",
                   "picture", "pictures", "pose_gait", "save_map", "script", "sheet", "show_muscles", "show_pressure", "take",
                   "walker"))
"""Every option of any verb that may name a file or a folder, to read or to write."""
NAMES = frozenset(("condition", "creature", "creature_gait", "library", "like", "pose_gait", "walker"))
"""Those of them whose values without an ending are names of what Lope brings along."""
PICTURES = "frame_"
"""What the names of pictures begin with in a folder of them."""


def check_output(args: argparse.Namespace, option: str, path: str | Path | None = None, reads: Iterable[Path] = ()) -> Path:
    """The file of an option, or `path`, which follows from it, as a Path that can be written; its folder need not be there, who
    writes makes it. Raises InputError otherwise, and where another option or `reads` names it, also by a link."""
    path = Path(getattr(args, option) if path is None else path)
    if path.is_dir():
        raise InputError(f"The output {path} is a folder; give the name of a file in it.")
    check_apart(path, [*_named(args, option), *reads])
    if path.exists() and not path.is_file():
        raise InputError(f"The output {path} is a device or a pipe, and no file; name a file.")
    there = path.parent
    try:
        there = next(folder for folder in path.absolute().parents if folder.exists())
        with tempfile.TemporaryFile(dir=there):
            pass
    except OSError as error:
        reason = "it is a file, not a folder" if there.is_file() else error.strerror or error
        raise InputError(f"The output folder {path.parent} cannot be written: {reason}. Choose another with --out.") from error
    return path


def check_pictures(args: argparse.Namespace, option: str, folder: str | Path | None = None, reads: Iterable[Path] = ()) -> Path:
    """The folder of an option, or `folder`, which follows from it, as a Path in which numbered pictures can be written. Raises
    InputError otherwise, and where another option, or `reads`, names the folder itself or pictures in it."""
    folder = Path(getattr(args, option) if folder is None else folder)
    check_output(args, option, folder / f"{PICTURES}0001.png")
    others = [*_named(args, option), *reads]
    check_apart(folder, others)
    for other in others:
        if other.name.startswith(PICTURES):
            check_apart(folder / other.name, [other])
    return folder


def check_apart(path: Path, others: Iterable[Path]) -> None:
    """Raises InputError where a file that would be written is one of the others, by whatever name or link."""
    for other in others:
        if _is_same(path, other):
            raise InputError(f"The output {path} and {other} are one file, which writing would destroy: give the output another "
                             "name.")


def read_by(shot: Shot) -> list[Path]:
    """The files that a shot reads as it is simulated, whether options name them or a drive's script does."""
    files = (shot.motion.file, shot.motion.database, shot.motion.after.take if shot.motion.after is not None else None)
    return [Path(file) for file in files if file is not None]


def check_input(path: str | Path, what: str) -> Path:
    """`path` as a Path to a file that is there. Raises InputError otherwise; `what` names it in the message."""
    path = Path(path)
    if not path.is_file():
        kind = "a folder, not a file" if path.is_dir() else "not there; check the path"
        raise InputError(f"The {what} {path} is {kind}.")
    return path


def _named(args: argparse.Namespace, but: str) -> Iterator[Path]:
    """What all options but one may name."""
    for option, value in vars(args).items():
        if option in FILES and option != but:
            yield from (path for path in _paths(value) if option not in NAMES or path.suffix)


def _paths(value: Any) -> Iterator[Path]:
    """The files that a value may name: it itself, each of its items, its parts before a comma (FILE,SPACING) and around colons
    (A.json:0.5:B.json)."""
    if isinstance(value, (list, tuple)):
        for item in value:
            yield from _paths(item)
    elif isinstance(value, (str, Path)) and str(value):
        yield from map(Path, dict.fromkeys((str(value), str(value).partition(",")[0], *str(value).split(":"))))


def _is_same(path: Path, other: Path) -> bool:
    """Whether both are one file. Of files that are not there yet, whether they would be."""
    try:
        if path.exists() or other.exists():
            return path.samefile(other)
        return path.resolve() == other.resolve()
    except (OSError, ValueError, RuntimeError):  # no name that a file could have, or a link that leads to itself
        return False


def named_values(texts: Sequence[str], fields: Mapping[str, str], kind: str) -> Iterator[tuple[str, str, str]]:
    """Field, value and the whole part, as texts, of everything in texts such as "apart=0.4,steps=0"; `fields` are by the names
    that are written. Raises InputError for a name that is not known, as a `kind` of thing."""
    for part in (piece.strip() for piece in ",".join(texts).split(",")):
        if not part:
            continue
        option, _, text = (piece.strip() for piece in part.partition("="))
        if option not in fields:
            raise unknown_name(kind, option, fields)
        yield fields[option], text, part


def number_in(text: str) -> float | None:
    """The number that a text is; None for one that is none."""
    try:
        return float(text)
    except ValueError:
        return None


def blender_room(name: str) -> ModuleType:
    """The module `addon.rigs.NAME` ("bake.bake", say). Raises InputError where this Python cannot load Blender."""
    try:
        return importlib.import_module(f"...rigs.{name}", __name__)
    except ImportError as error:
        if error.name is not None and error.name.startswith(__package__.rpartition(".")[0]):
            raise  # one of our own modules is missing: a fault, not an absent Blender
        raise InputError(
            f"This needs Blender or the bpy module, which this Python cannot load ({error}). Run scripts/setup, or run it "
            "inside Blender: blender --background --command lope ...") from error


ASTRONAUT = "astronaut"
"""What stands in place of a file for the built-in figure, in a scene of its own."""
CREATURE = "creature"
"""What stands in place of a file for a figure made of a creature."""


def add_blend_option(parser: argparse.ArgumentParser, what: str, more: str = "") -> None:
    """--blend: the file to work on; `more` is said of it at the end."""
    parser.add_argument("--blend", metavar="IN.blend",
                        help=f"{what}, or a .glb, .gltf, .vrm, .fbx or .bvh, or {ASTRONAUT} for the built-in figure "
                        f"(default: the file that Blender was started with){more}")


def check_blend(blend: str | None) -> Path | None:
    """The file of --blend; None for a figure that is made, and without one. Raises InputError where there is no such file."""
    return None if blend in (None, ASTRONAUT, CREATURE) else check_input(str(blend), "Blender file")


def open_scene(blend: str | None, height_m: float | None = None, creature: Creature | None = None) -> Any:
    """The scene of a Blender file, or of a glTF, FBX or BVH file that is imported; a new one with the astronaut, `height_m` tall,
    or with the figure of a `creature`; without one, of the file that is open. Raises InputError where there is none."""
    path = check_blend(blend)
    if blend == CREATURE:
        if creature is None:
            raise InputError(f"--blend {CREATURE} is the figure made of a creature, and there is none here; take {ASTRONAUT}, or "
                             "a file.")
        return blender_room("shots.open_rig").open_creature(creature).users_scene[0]
    if blend == ASTRONAUT:
        return blender_room("shots.open_rig").open_rig(None, None, height_m).users_scene[0]
    if path is not None and path.suffix.lower() in (".glb", ".gltf", ".vrm", ".fbx", ".bvh"):
        return blender_room("shots.open_rig").import_file(path)
    files = blender_room("read.blend_file")
    if path is not None:
        return files.open_blend(path)
    if files.open_file() is None:
        raise InputError("No Blender file is given: add --blend IN.blend, or start Blender with one "
                         "(blender --background IN.blend --command lope ...).")
    return files.scene_at_hand()


def find_armature(name: str | None) -> Any:
    """The armature object of that name, or the only one, in the open file. Raises InputError listing those there are."""
    return blender_room("read.blend_file").find_armature(name)
