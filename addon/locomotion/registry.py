# SPDX-License-Identifier: GPL-3.0-or-later
"""The controllers by name: Lope's own, a line each in a table, and those of other installed packages, which name theirs as entry
points of the group `lope.controllers`. A controller is imported when it is asked for by its name, so the names cost nothing:
Blender's menus and the command line's help need no more."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from ..errors import InputError, unknown_name
from ..specs.disturbances import HIT
from ..specs.shot import END
from .settings import Values, changed_groups

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

    from .controller import Controller

GROUP = "lope.controllers"
"""The group of entry points in which a package names its controllers: name = "module:Class"."""


@dataclass(frozen=True)
class Listing:
    """What is known of a controller before it is imported; `place` is its module, named from this package, and its class."""

    name: str
    place: str
    title: str
    summary: str
    after_fall: bool = False

    def load(self) -> type[Controller]:
        """Its class."""
        module, _, name = self.place.partition(":")
        return getattr(importlib.import_module(module, __package__), name)


@dataclass(frozen=True)
class Plugin(Listing):
    """A controller of another package, `owner`."""

    entry: EntryPoint | None = None
    owner: str = ""

    def load(self) -> type[Controller]:
        """Its class. Raises InputError where it is none that can be used."""
        from .controller import Controller

        assert self.entry is not None
        try:
            found = self.entry.load()
        except Exception as error:  # whatever somebody else's code may raise
            raise InputError(f"The controller {self.name} of the package {self.owner} cannot be loaded "
                             f"({type(error).__name__}: {error}): mend the package, or uninstall it.") from error
        if not (isinstance(found, type) and issubclass(found, Controller)) or getattr(found, "name", None) != self.name:
            raise InputError(f"The controller {self.name} of the package {self.owner} is no class of that name that derives from "
                             "lope.addon.locomotion.controller.Controller: mend the package, or uninstall it.")
        return found


BUILT_IN: dict[str, Listing] = {one.name: one for one in (
    Listing("tracking", ".gait.controller:TrackingController", "Gait",
            "A gait by planet: a pendulum plans the steps, a quadratic program drives the whole body"),
    Listing("follow", ".clip.follow:Follow", "Follow a Motion",
            "A clip's own steps on any planet: its balance is planned anew, a quadratic program drives the whole body"),
    Listing("lee", ".lee.controller:LeeController", "Follow a Motion, Data-Driven",
            "A clip's pose, modulated as it goes and tracked joint by joint (Lee 2014); every motion needs gains of its own"),
    Listing("pose_gait", ".key_poses.controller:PoseGaitController", "Gait from Key Poses",
            "Two to eight key poses and balance feedback of hips and ankles make a gait, with no captured motion (SIMBICON)"),
    Listing("reflex", ".reflex.controller:ReflexController", "Muscle Reflexes",
            "Eight muscles a leg and their delayed reflexes make a walk or a run, with no captured motion (Wang et al. 2012)"),
    Listing("creature", ".creature.controller:CreatureController", "Creature",
            "A gait for any two legs, by torques scaled to their size and gravity, with no captured motion"),
    Listing("creature_muscles", ".creature.muscle_law:CreatureMuscleController", "Creature by Muscles",
            "A gait for any two legs, by muscles with late nerves, laid on whatever is drawn (after Geijtenbeek et al. 2013)"),
    Listing("standing", ".stand.controller:StandingController", "Stand",
            "Stands, and stays up when pushed: with ankles, hips and steps to where the body would fall"),
    Listing("jumping", ".jump.controller:JumpController", "Jump",
            "Jumps off both feet, by the strength of its own legs, and lands standing"),
    Listing(HIT, ".hit.rails:RailsController", "Hit Reaction",
            "Plays a motion; what is hit yields and comes back to it, on its feet or with the hips on the motion's rails"),
    Listing("limp", ".limp.controller:LimpController", "Go Limp", "A body that lets go: it falls, lands and comes to rest",
            after_fall=True),
    Listing("get_up", ".get_up.controller:GetUpController", "Get Up",
            "Who falls lies still, gets up over hands, knees and a half kneel, and stands", after_fall=True),
)}


@lru_cache(maxsize=1)
def plugins() -> Mapping[str, Plugin]:
    """The controllers of other packages by name, none of them imported; what a menu or a list says is the package's summary of
    itself."""
    from importlib.metadata import entry_points  # slow to import, and many processes ask for no name

    found = {}
    for entry in entry_points(group=GROUP):
        assert entry.dist is not None  # an entry point that was found in a package
        owner = entry.dist.name
        summary = str(entry.dist.metadata.json.get("summary", f"A controller of the package {owner}"))
        found[entry.name] = Plugin(entry.name, entry.value, entry.name.replace("_", " ").title(), summary, entry=entry,
                                   owner=owner)
    return found


def controller_names() -> tuple[str, ...]:
    """The names of all controllers, Lope's own first."""
    return (*BUILT_IN, *(name for name in plugins() if name not in BUILT_IN))


def find_listing(name: str) -> Listing:
    """What is known of a controller before it is imported. Raises InputError naming the nearest for an unknown name, and for one
    that another package has taken from Lope."""
    if name in BUILT_IN:
        if name in plugins():
            raise InputError(f"The package {plugins()[name].owner} names a controller {name}, which is one of Lope's own: give "
                             "it another name, or uninstall the package.")
        return BUILT_IN[name]
    if name not in plugins():
        raise unknown_name("controller", name, controller_names())
    return plugins()[name]


def find_controller(name: str) -> type[Controller]:
    """The class of a controller. Raises InputError as `find_listing` does, and for one of another package that cannot be used."""
    return find_listing(name).load()


def after_fall_names() -> tuple[str, ...]:
    """What a shot may say that happens after a fall: that it ends, or one of Lope's controllers that go on from there."""
    return (END, *(one.name for one in BUILT_IN.values() if one.after_fall))


def checked_after_fall(name: str) -> str:
    """A name that is one of `after_fall_names()`, or a controller of another package that goes on after a fall. Raises InputError
    for another."""
    if name not in after_fall_names() and not (name in plugins() and find_controller(name).after_fall):
        raise unknown_name("way to go on after a fall", name, after_fall_names())
    return name


def find_follower(name: str) -> type[Controller] | None:
    """The controller that takes over after a fall; None where the shot ends. Raises InputError for another name."""
    return None if checked_after_fall(name) == END else find_controller(name)


def check_settings(controller: str, after_fall: str, values: Values | None) -> None:
    """Raises InputError for settings that neither a shot's controller nor the one that takes over after a fall has, and for
    values out of their range."""
    found = [one for one in (find_controller(controller), find_follower(after_fall)) if one is not None]
    groups = {name: group for one in reversed(found) for name, group in one.groups().items()}
    former = {old: now for one in reversed(found) for old, now in one.former_groups.items()}
    changed_groups(groups, values or {}, former)
