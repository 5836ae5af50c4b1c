# SPDX-License-Identifier: GPL-3.0-or-later
"""What becomes of a gait that was searched for a creature: it lies in the user's own folder, where the next shot finds it."""

from __future__ import annotations

from typing import Any

from . import changes, notes
from .texts import words

TASK = "creature"
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
        return notes.Note(notes.WARNED, words("No gait stands yet: press Find a Gait again to go on, or ask for a slower speed"))
    return notes.Note(notes.DONE, words(
        "Found {name}: {speed:.2f} m/s, {stood} of {starts} starts stood {seconds:.0f} s; used from the next simulation on",
        name=report["gait"], speed=report["speed_m_s"], stood=trial["stood"], starts=trial["starts"], seconds=trial["seconds"]))
