# SPDX-License-Identifier: GPL-3.0-or-later
"""Gaits from key poses by name, from the shipped files or an artist's own."""

from __future__ import annotations

from pathlib import Path

from ..errors import InputError
from ..specs.pose_gait import PoseGait
from ..specs.presets import PRESETS, known_file, names_in, read_preset

FORMAT = 1
FOLDER = PRESETS / "pose_gaits"


def pose_gait_names() -> list[str]:
    """Names of the shipped ones."""
    return names_in(FOLDER)


def read_pose_gait(path: Path) -> PoseGait:
    """The pose gait of a file. Raises InputError naming the file, the state and what does not fit."""
    return read_preset(path, PoseGait, "pose gait", newest=FORMAT)


def load_pose_gait(name: str) -> PoseGait:
    """The pose gait of a shipped one's name, or of a file whose name ends in .json. Raises InputError."""
    if str(name).lower().endswith(".json"):
        if not Path(name).is_file():
            raise InputError(f"There is no file {name}: give a pose gait's file, or one of {', '.join(pose_gait_names())}.")
        return read_pose_gait(Path(name))
    return read_pose_gait(known_file(FOLDER, "pose gait", name))
