# SPDX-License-Identifier: GPL-3.0-or-later
"""What the registry knows of a controller. Entries are light: what they name is imported when it is asked for."""

from __future__ import annotations

import importlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ..engines.engine import Command, Excitations
from ..errors import InputError
from ..specs.keys import Steering, check_wishes
from .settings import Row, Values, changed_groups, present_names, rows_of

if TYPE_CHECKING:
    from ..bodies.body import Body
    from ..specs.shot import Shot
    from .controller import Controller, Part, Physics, Plan, Setup, Steerable


@dataclass(frozen=True)
class Entry:
    """One controller. The module `maker`, named from this package, holds `make(setup) -> Controller`, `physics(shot) -> Physics`,
    `plan(shot) -> Plan | None`, `settings() -> {group: settings}`, each a dataclass of `specs.settings` at its defaults, and
    `searched(shot) -> names of groups` that a search of gains may vary; of one that is steered `steerable(shot) -> Steerable`.

    `kinds` are the kinds of bodies that it moves, any where none is named, `commands` what it can give an engine;
    `takes_over` tells whether it goes on from any state, or only begins in one of its own, `after_fall` whether also from a
    fall, so that a shot may name it for that; `steered_by` what of `specs.steering.WISHES` its `steer` takes, nothing for one
    without a wheel.
    """

    name: str
    maker: str
    title: str
    summary: str
    kinds: tuple[str, ...]
    commands: tuple[type[Command], ...]
    takes_over: bool = False
    after_fall: bool = False
    steered_by: tuple[str, ...] = ()
    former_groups: Mapping[str, str] = field(default_factory=dict)
    """What groups of its settings were called before, which shots and files may still say, and are called now."""
    per_motion: bool = False
    """Whether every clip that it follows has gains of its own, searched by `lope tune` and found again by the clip."""

    @property
    def _maker(self) -> Any:
        return importlib.import_module(self.maker, __package__)

    def make(self, setup: Setup) -> Controller:
        """The controller of a setup. Raises LopeError for a shot or a body that it cannot serve."""
        self.check(setup)
        return self._maker.make(setup)

    def check(self, setup: Setup) -> None:
        """Raises InputError for a body of a kind that it does not move, or an engine that it cannot drive."""
        self._check_kind(setup.body.kind)
        if setup.wants is Excitations and Excitations not in self.commands:
            raise InputError(f"The controller {self.name} cannot move a shot's muscles: leave them out, or choose "
                             "another controller.")
        if setup.wants not in self.commands:
            raise InputError(f"The controller {self.name} gives no {setup.wants.__name__.lower()}, which this engine takes: "
                             "choose the engine mujoco or pybullet.")

    def _check_kind(self, kind: str) -> None:
        if self.kinds and kind not in self.kinds:
            raise InputError(f"The controller {self.name} moves bodies of the kind {' or '.join(self.kinds)}; this one is "
                             f"{kind}: choose another controller.")

    def check_steering(self, steering: Sequence[Steering]) -> None:
        """Raises InputError where it cannot be steered by what is wished for."""
        check_wishes(self.name, self.steered_by, [name for one in steering for name in one.wish])

    def carried(self, shot: Shot) -> Shot:
        """A shot whose steering holds all that its wishes name. Raises LopeError for what is not known, or cannot follow."""
        carry = getattr(self._maker, "carried", None) if shot.steering else None
        return shot if carry is None else carry(shot)

    def steerable(self, shot: Shot) -> Steerable:
        """What a shot can be steered to. Raises LopeError where it cannot be steered, or not be simulated."""
        self._check_kind(shot.body.kind)
        check_wishes(self.name, self.steered_by, self.steered_by or ("speed_m_s",))
        return self._maker.steerable(shot)

    def check_parts(self, parts: Sequence[Part], body: Body) -> None:
        """Raises LopeError for parts of one shot that it cannot move one after the other."""
        self._maker.check_parts(parts, body)

    def physics(self, shot: Shot) -> Physics:
        """The physics that it wants for a shot."""
        return self._maker.physics(shot)

    def plan(self, shot: Shot) -> Plan | None:
        """What will happen in a shot, without simulating it to its end. Raises LopeError for a shot that cannot be planned."""
        self._check_kind(shot.body.kind)
        return self._maker.plan(shot)

    def searched(self, shot: Shot) -> dict[str, Any]:
        """Its groups of settings that a search for a shot's gait may vary, at their defaults, by name; none where there is
        nothing to search. Raises LopeError for an unknown gait."""
        groups = self.groups()
        return {name: groups[name] for name in self._maker.searched(shot)}

    def to_path_end(self, shot: Shot) -> Shot:
        """A shot that ends where its path does. Raises LopeError where the path has no end, or the controller goes none."""
        self._check_kind(shot.body.kind)
        make = getattr(self._maker, "to_path_end", None)
        if make is None:
            raise InputError(f"The controller {self.name} follows no path: give the shot a duration of its own.")
        return make(shot)

    def settings(self) -> dict[str, Row]:
        """Its settings by their whole names."""
        return rows_of(self._maker.settings())

    def find_setting(self, name: str) -> Row | None:
        """The setting of a whole name, or of one it had before; None where there is none."""
        group, _, field_name = name.partition(".")
        named = present_names(self._maker.settings(), {group: {field_name: 0.0}}, self.former_groups)
        return next((self.settings().get(f"{now}.{found}") for now, values in named.items() for found in values), None)

    def groups(self) -> dict[str, Any]:
        """Its groups of settings at their defaults, by name."""
        return self._maker.settings()

    def check_settings(self, values: Values) -> None:
        """Raises InputError for settings that it does not have, and for values out of their range."""
        changed_groups(self.groups(), values, self.former_groups)

    def changed(self, values: Values | None) -> dict[str, Any]:
        """Its groups with those settings replaced that are its own. Raises InputError as `check_settings` does."""
        named = present_names(self.groups(), values or {}, self.former_groups)
        return changed_groups(self.groups(), {group: found for group, found in named.items() if group in self.groups()})
