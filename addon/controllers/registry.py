# SPDX-License-Identifier: GPL-3.0-or-later
"""The controllers by name. A new one is a folder beside this file, with an `entry.py` and a `maker.py`, and a line here."""

from __future__ import annotations

from ..errors import unknown_name
from .entry import Entry
from .tracking.entry import TRACKING

ENTRIES: dict[str, Entry] = {entry.name: entry for entry in (
    TRACKING,
)}


def controller_names() -> tuple[str, ...]:
    """The names of all controllers."""
    return tuple(ENTRIES)


def find_controller(name: str) -> Entry:
    """The entry of a controller. Raises InputError naming the nearest for an unknown name."""
    if name not in ENTRIES:
        raise unknown_name("controller", name, ENTRIES)
    return ENTRIES[name]
