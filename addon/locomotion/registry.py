# SPDX-License-Identifier: GPL-3.0-or-later
"""The controllers by name. A new one is a folder beside this file, with an `entry.py` and a `maker.py`, and a line here."""

from __future__ import annotations

from ..errors import unknown_name
from ..specs.shot import END
from .clip.entry import FOLLOW
from .creature.entry import CREATURE
from .creature.muscle_entry import CREATURE_MUSCLES
from .entry import Entry
from .gait.entry import TRACKING
from .hit.entry import HIT_REACTION
from .key_poses.entry import POSE_GAIT
from .lee.entry import LEE
from .limp.entry import LIMP
from .reflex.entry import REFLEX
from .settings import Values, changed_groups
from .stand.entry import STANDING

ENTRIES: dict[str, Entry] = {entry.name: entry for entry in (
    TRACKING,
    FOLLOW,
    LEE,
    POSE_GAIT,
    REFLEX,
    CREATURE,
    CREATURE_MUSCLES,
    STANDING,
    HIT_REACTION,
    LIMP,
)}


def controller_names() -> tuple[str, ...]:
    """The names of all controllers."""
    return tuple(ENTRIES)


def after_fall_names() -> tuple[str, ...]:
    """What a shot may say that happens after a fall: that it ends, or a controller that goes on from there."""
    return (END, *(entry.name for entry in ENTRIES.values() if entry.after_fall))


def find_follower(name: str) -> Entry | None:
    """The entry of the controller that takes over after a fall; None where the shot ends. Raises InputError for another name."""
    return None if checked_after_fall(name) == END else ENTRIES[name]


def checked_after_fall(name: str) -> str:
    """A name that is one of `after_fall_names()`. Raises InputError for another."""
    if name not in after_fall_names():
        raise unknown_name("way to go on after a fall", name, after_fall_names())
    return name


def find_controller(name: str) -> Entry:
    """The entry of a controller. Raises InputError naming the nearest for an unknown name."""
    if name not in ENTRIES:
        raise unknown_name("controller", name, ENTRIES)
    return ENTRIES[name]


def check_settings(controller: str, after_fall: str, values: Values | None) -> None:
    """Raises InputError for settings that neither a shot's controller nor the one that takes over after a fall has, and for
    values out of their range."""
    entries = [entry for entry in (find_controller(controller), find_follower(after_fall)) if entry is not None]
    groups = {name: group for entry in reversed(entries) for name, group in entry.groups().items()}
    former = {old: now for entry in reversed(entries) for old, now in entry.former_groups.items()}
    changed_groups(groups, values or {}, former)
