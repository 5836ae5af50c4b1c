# SPDX-License-Identifier: GPL-3.0-or-later
"""A drive on disk: the shot as it began, then line by line what was wished for and pushed, and how far it has come. It is written
as it happens, so that a process that is ended leaves all of it but the last moment, and the shot that it gives makes the same
Take again. Lines are JSON: first {"drive": 1, "shot": ...}; then {"steer": ...} and {"push": ...}, each with its time; {"time_s":
...} says how far it came; {"end_s": ...} ends it."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator
from dataclasses import asdict, replace
from pathlib import Path
from typing import IO, Any

from ..errors import InputError
from ..files import DAMAGED, parse_json, read_text, reading, why
from ..specs.pose_gait import PoseGait, pose_gait_file
from ..specs.shot import DURATION_RANGE_S, Push, Shot
from ..specs.steering import Steering

FORMAT = 1
ENDING = ".drive"
"""What the file of a drive ends with."""


class ScriptWriter:
    """Writes a drive as it happens; every line is handed to the system at once. Raises InputError where it cannot be written."""

    def __init__(self, path: str | Path, shot: Shot) -> None:
        self.path = Path(path)
        try:
            self._file: IO[str] = self.path.open("w", encoding="utf-8")
        except OSError as error:
            raise InputError(f"The drive cannot be written to {path}: {error.strerror or error}.") from error
        self._write({"drive": FORMAT, "shot": shot.to_dict()})

    def steer(self, steering: Steering) -> None:
        """Note a wish."""
        gaits = {name: pose_gait_file(value) for name, value in steering.wish.items() if isinstance(value, PoseGait)}
        self._write({"steer": {"time_s": steering.time_s, **steering.wish, **gaits}})

    def push(self, push: Push) -> None:
        """Note a push."""
        self._write({"push": asdict(push)})

    def came_to(self, time_s: float) -> None:
        """Note how far it has come."""
        self._write({"time_s": time_s})

    def end(self, time_s: float) -> None:
        """Note that it ended."""
        self._write({"end_s": time_s})
        self._file.close()

    def close(self) -> None:
        """Let go of the file as it is."""
        self._file.close()

    def _write(self, line: dict[str, Any]) -> None:
        try:
            self._file.write(json.dumps(line) + "\n")
            self._file.flush()
        except OSError as error:
            raise InputError(f"The drive cannot be written to {self.path}: {error.strerror or error}.") from error


def end_of(shot: Shot, time_s: float) -> float:
    """How long [s] a drive that came to a time has to be: no push is cut short, and there is a least length."""
    return max(time_s, DURATION_RANGE_S[0], *(push.start_s + push.duration_s for push in shot.pushes),
               *(one.time_s for one in shot.motion.steering[-1:]))


def read_script(path: str | Path) -> Shot:
    """The shot of a drive's file, of one that was cut short as far as it came. Raises InputError for a file that is none."""
    path = Path(path)
    with reading(f"There is no drive to be read in {path}"):
        lines = read_text(path).splitlines()
    said = []
    for number, line in enumerate(lines, start=1):
        try:
            said.append(parse_json(line))
        except ValueError as error:
            if number < len(lines):
                raise InputError(f"Line {number} of {path} is no JSON, {why(error)}: it is not a drive, or damaged.") from error
    first = said[0] if said else None
    if not isinstance(first, dict) or first.get("drive") != FORMAT or "shot" not in first:
        raise InputError(f"{path} is no drive: its first line must say {{\"drive\": {FORMAT}, \"shot\": ...}}.")
    shot, at = Shot.from_dict(first["shot"]), 0.0
    steering, pushes = list(shot.motion.steering), list(shot.pushes)
    for number, one in enumerate(said[1:], start=2):
        with _told(path, number):
            if "steer" in one:
                steering.append(Steering.from_dict(one["steer"]))
                at = max(at, steering[-1].time_s)
            elif "push" in one:
                pushes.append(Push.from_dict(one["push"]))
                at = max(at, pushes[-1].start_s)
            else:
                at = float(one["end_s"] if "end_s" in one else one["time_s"])
    shot = replace(shot.with_motion(steering=tuple(steering)), duration_s=DURATION_RANGE_S[1], pushes=tuple(pushes))
    return replace(shot, duration_s=end_of(shot, at))


@contextlib.contextmanager
def _told(path: Path, number: int) -> Iterator[None]:
    """Say which line does not fit."""
    try:
        yield
    except (InputError, *DAMAGED) as error:
        raise InputError(f"Line {number} of {path} does not fit in a drive: {error}") from error
