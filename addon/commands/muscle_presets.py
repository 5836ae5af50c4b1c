# SPDX-License-Identifier: GPL-3.0-or-later
"""What `lope presets` tells of conditions and of sets of muscles."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from ..specs import condition_presets
from ..specs.presets import PRESETS, known_file

MUSCLES_FOLDER = PRESETS / "muscles"


def show_condition(name: str) -> dict[str, Any]:
    """What a condition looks like, what is other than healthy, and whose figures they are."""
    preset = condition_presets.condition_preset(name)
    sides = {"L": " left", "R": " right", "both": ""}
    return {"name": preset.name, "label": preset.label, "sign": preset.sign, "source": preset.source,
            "changes": {f"{change.kind} {change.target}{sides[change.side]}": change.value for change in preset.changes}}


def show_muscles(name: str) -> dict[str, Any]:
    """Whose figures a set of muscles has, and the muscles of one side by what they do first, with their force on its own body."""
    from ..bodies.muscles import sets  # loads the engine, which most kinds do without

    known_file(MUSCLES_FOLDER, "set of muscles", name)
    told = json.loads((MUSCLES_FOLDER / f"{name}.json").read_text(encoding="utf-8"))
    muscles = sets.reference_set(name).muscles
    forces: dict[str, list[str]] = {}
    for muscle in muscles:
        if muscle.side != "R":
            forces.setdefault(muscle.group, []).append(f"{muscle.name.removesuffix('_L')} {muscle.max_force_n:.0f} N")
    return {"name": name, "label": told["label"], "muscles": len(muscles), "source": told["source"],
            "groups": {group: ", ".join(some) for group, some in sorted(forces.items())}}


def read_muscles(path: Path) -> object:
    """A set's file. Raises InputError for a bad one."""
    from ..bodies.muscles import sets

    return sets.read_file(path, sets.Preset, "set of muscles", newest=sets.FORMAT)
