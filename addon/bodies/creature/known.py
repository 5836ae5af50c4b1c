# SPDX-License-Identifier: GPL-3.0-or-later
"""Creatures by name, from the shipped templates or an artist's own file: a template, or a shape as a rig was read."""

from __future__ import annotations

from pathlib import Path

from ...errors import InputError
from ...specs.creature import Creature, read_creature
from ...specs.presets import PRESETS, file_of, names_in, read_json, read_preset
from .template import FORMAT, Template

FOLDER = PRESETS / "creatures"
RIG_FILES = (".blend", ".fbx", ".glb", ".gltf", ".vrm", ".bvh")
"""Endings of files that hold a rig, of which a creature is read first."""


def creature_names() -> list[str]:
    """Names of the shipped ones, sorted."""
    return names_in(FOLDER)


def read_template(path: Path) -> Template:
    """The template of a file. Raises InputError naming the file and what does not fit."""
    return read_preset(path, Template, "creature's template", newest=FORMAT)


def creature_from_file(path: Path) -> Creature:
    """The creature of a file, which holds its parts or a template. Raises InputError naming the file and what does not fit."""
    data = read_json(path, "creature")
    if isinstance(data, dict) and "parts" in data:
        return read_creature(path)
    return read_template(path).creature()


def find_creature(name: str) -> Creature:
    """The creature of a shipped one's name, or of a file whose name ends in .json. Raises InputError for neither."""
    if Path(name).suffix.lower() in RIG_FILES and Path(name).is_file():
        raise InputError(f"{name} is a rig: read the creature from it first, lope creature from --blend {name} --out "
                         "creature.json, then give that file.")
    return creature_from_file(file_of(FOLDER, "creature", name))
