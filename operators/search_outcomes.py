# SPDX-License-Identifier: GPL-3.0-or-later
"""What becomes of a gait that was made of poses: its armature goes in it, and the panel says what of the poses gave.

What becomes of a gait that was searched for a creature: it lies in the user's own folder, where the next shot finds it.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import bpy

from ..addon.errors import InputError
from ..addon.specs.settings import names_in
from . import context as notes
from . import properties as changes
from .context import pose_gaits_folder, said, words
from .pose_gait_settings import KEPT
from .properties import changed

MADE_TASK = "poses"
"""Kind of the job."""
MOST_TOLD = 4
"""What gave is told of so many joints."""


def choose(armature: bpy.types.Object, out: str, report: dict[str, Any]) -> str:
    """Let an armature go in the gait that was made; gives a word on it. Raises InputError where it is gone."""
    name = Path(out).stem
    if name not in names_in(pose_gaits_folder()):
        raise InputError(f"The gait {name} that was made is gone; make it again.")
    armature.lope.gait_source = "POSES"
    armature.lope.pose_gait, armature.lope.planar = KEPT + name, False
    armature.lope.poses_said = card(report, armature.name)
    changed()
    bpy.ops.ed.undo_push(message=words("Make Gait from Poses"))
    return words("Made {name}; it goes {speed:.2f} m/s on Earth", name=name, speed=report.get("speed_m_s", 0.0))


def card(report: dict[str, Any], name: str) -> str:
    """What gave, a line for each joint, and on whose body that was tried."""
    lines = []
    if report["falls_on"]:
        lines.append(words("It falls within half a minute: try more trials, or gentler poses"))
    if "speed_m_s" in report:
        lines.append(words("{speed:.2f} m/s on Earth; the poses ask for {asked:.2f}", speed=report["speed_m_s"],
                           asked=report["asked_m_s"]))
    lines += [words("Pose {number}: {joint} {degrees:+.0f}°", number=number, joint=said(joint), degrees=degrees)
              for number, joint, degrees in report["off"][:MOST_TOLD]]
    if not report["off"]:
        lines.append(words("It comes to every pose"))
    lines.append(words("Tried on {name}'s own body", name=name))
    return "\n".join(lines)


FOUND_TASK = "creature"
"""Kind of the job."""


def note_of(report: dict[str, Any]) -> notes.Note:
    """The word for the panel on a search that has ended."""
    changes.changed()  # what the creature goes by is another gait now
    trial = report.get("trial", {})
    if report["kept"] and not trial.get("stood"):
        return notes.Note(notes.DONE, words(
            "Kept {name} as you saw it, untried from other starts; used from the next simulation on",
            name=report["gait"]))
    if not report["kept"]:
        return notes.Note(notes.WARNED, words("No gait keeps its feet yet: press Find a Gait again to go on, or ask for a slower "
                                              "speed"))
    return notes.Note(notes.DONE, words(
        "Found {name}: {speed:.2f} m/s, {stood} of {starts} starts stood {seconds:.0f} s; used from the next simulation on",
        name=report["gait"], speed=report["speed_m_s"], stood=trial["stood"], starts=trial["starts"], seconds=trial["seconds"]))
