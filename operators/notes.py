# SPDX-License-Identifier: GPL-3.0-or-later
"""The last word about each armature's jobs, for the top of the tab and for the status bar."""

from __future__ import annotations

import time
from dataclasses import dataclass, field

import bpy

DONE, CANCELLED, FELL, WARNED, FAILED = "done", "cancelled", "fell", "warned", "failed"
LEVELS = {DONE: "INFO", CANCELLED: "INFO", FELL: "WARNING", WARNED: "WARNING", FAILED: "ERROR"}
ICONS = {DONE: "CHECKMARK", CANCELLED: "X", FELL: "ERROR", WARNED: "ERROR", FAILED: "CANCEL"}
FRESH_S = 120.0
"""How long the status bar holds a word."""


@dataclass(frozen=True)
class Note:
    """What happened, in a sentence; `needs_s` is the length that a shot wants which was too short for what it asks, `button` the
    operator that could not do its work."""

    kind: str
    text: str
    needs_s: float | None = None
    button: str = ""
    at_s: float = field(default_factory=time.monotonic)

    @property
    def level(self) -> str:
        """The kind as Blender's reports have it."""
        return LEVELS[self.kind]

    @property
    def icon(self) -> str:
        """The sign in front of it."""
        return ICONS[self.kind]


_notes: dict[int, tuple[str, Note]] = {}


def tell(uid: int, name: str, note: Note) -> None:
    """Keep the last word about the armature of this number (session_uid) and name."""
    _notes.pop(uid, None)
    _notes[uid] = name, note


def drop(uid: int) -> None:
    """Nothing is to be said about that armature any more."""
    _notes.pop(uid, None)


def drop_refusals() -> None:
    """A setting has changed, or a button did its work: what a button could not do may be possible now."""
    for uid in [uid for uid, (_, note) in _notes.items() if note.button]:
        del _notes[uid]


def of(armature: bpy.types.Object) -> Note | None:
    """The last word about an armature; None where there is none."""
    return _notes.get(armature.session_uid, ("", None))[1]


def last() -> tuple[str, Note] | None:
    """The youngest word and its armature's name, while it is fresh."""
    found = next(reversed(_notes.values()), None)
    return found if found is not None and time.monotonic() - found[1].at_s < FRESH_S else None


def forget() -> None:
    """Drop everything: another file is coming."""
    _notes.clear()
