# SPDX-License-Identifier: GPL-3.0-or-later
"""A muscle with its tendon: its strength and sizes, its path over the segments; and a set of them as arrays."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Protocol

import numpy as np

from ...errors import BodyError, unknown_name

STRESS_PA, DENSITY_KG_M3 = 0.25e6, 1059.7
"""Of muscle, by which its mass goes: the greatest stress where nothing is said of it, and the density (SCONE's defaults for
Wang 2012's metabolic rate)."""
SLOW_SHARE = 0.5
"""Of a muscle's fibres, where nothing is published of them (Wang 2012's default)."""

Vector = tuple[float, float, float]


@dataclass(frozen=True)
class PathPoint:
    """Where a path passes: `position` in the frame of `segment` [m]. The first and last of a path are where it is attached."""

    segment: str
    position: Vector


@dataclass(frozen=True)
class Wrap:
    """What a path winds around on its way between its neighbours: a cylinder (about `axis`, unit) or a sphere around `position`.

    All in the frame of `segment` [m]. `beside` is a point on that side of it where the path stays, None: the shorter way.
    """

    segment: str
    kind: str
    position: Vector
    radius_m: float
    axis: Vector = (0.0, 1.0, 0.0)
    half_length_m: float = 0.05
    beside: Vector | None = None


@dataclass(frozen=True)
class Muscle:
    """One muscle-tendon unit. `max_velocity` is the fastest shortening [l_opt/s], `slow_share` that of its slow-twitch fibres,
    `stress_pa` the greatest stress: what of its cross section makes the greatest force.

    `passive_force_n` is the force by which its passive tissue goes where `max_force_n` is another (a weak muscle keeps its
    tissue), None: the same. `give` is how many times as far as by the printed curve fibres are stretched for the same passive
    force.

    `side` is "L", "R" or ""; `groups` are those it belongs to, the one it is counted in first. `path` begins and ends with a
    PathPoint; it is empty where lengths come from elsewhere (joint angles).
    """

    name: str
    side: str
    groups: tuple[str, ...]
    max_force_n: float
    optimal_fibre_m: float
    tendon_slack_m: float
    pennation_rad: float = 0.0
    max_velocity: float = 10.0
    slow_share: float = SLOW_SHARE
    path: tuple[PathPoint | Wrap, ...] = ()
    stress_pa: float = STRESS_PA
    passive_force_n: float | None = None
    give: float = 1.0

    @property
    def group(self) -> str:
        """The group that it is counted in; its own name where it has none."""
        return self.groups[0] if self.groups else self.name

    def stronger(self, times: float) -> Muscle:
        """The muscle with so many times its active force, and its own tissue."""
        tissue_n = self.max_force_n if self.passive_force_n is None else self.passive_force_n
        return replace(self, max_force_n=times * self.max_force_n, passive_force_n=tissue_n)


class Sizes(Protocol):
    """What M muscles are to their mechanics: arrays (M,), or (N, M) of N bodies; see `MuscleSet`."""

    @property
    def max_force_n(self) -> np.ndarray: ...
    @property
    def passive_share(self) -> np.ndarray: ...
    @property
    def give(self) -> np.ndarray: ...
    @property
    def optimal_fibre_m(self) -> np.ndarray: ...
    @property
    def tendon_slack_m(self) -> np.ndarray: ...
    @property
    def pennation_rad(self) -> np.ndarray: ...
    @property
    def max_velocity(self) -> np.ndarray: ...
    @property
    def slow_share(self) -> np.ndarray: ...
    @property
    def mass_kg(self) -> np.ndarray: ...
    def __len__(self) -> int: ...


@dataclass(frozen=True)
class MuscleSet:
    """Muscles in a fixed order. Every array is (M,), made once and read-only. Raises BodyError for a name that comes twice."""

    muscles: tuple[Muscle, ...]

    def __post_init__(self):
        twice = {name for name in self.names if self.names.count(name) > 1}
        if twice:
            raise BodyError(f"The set of muscles has {min(twice)} more than once; each muscle needs a name of its own.")

    def __len__(self) -> int:
        return len(self.muscles)

    def __iter__(self) -> Iterator[Muscle]:
        return iter(self.muscles)

    @cached_property
    def names(self) -> tuple[str, ...]:
        return tuple(muscle.name for muscle in self.muscles)

    @cached_property
    def groups(self) -> tuple[str, ...]:
        """All groups that any muscle belongs to, in the order of their first muscle."""
        return tuple(dict.fromkeys(group for muscle in self.muscles for group in muscle.groups))

    def rows(self, group: str, side: str = "") -> np.ndarray:
        """The rows (K,) of a group's muscles, or of the muscle of that name, with `side` only of that side.

        Raises InputError for a group or muscle that the set has not.
        """
        found = [row for row, muscle in enumerate(self.muscles)
                 if (group in muscle.groups or group == muscle.name) and side in ("", muscle.side)]
        if not found:
            raise unknown_name("muscle group", group, (*self.groups, *self.names))
        return np.array(found)

    def changed(self, change: Callable[[Muscle], Muscle]) -> MuscleSet:
        """The set with every muscle as `change` gives it."""
        return MuscleSet(tuple(change(muscle) for muscle in self.muscles))

    @cached_property
    def max_force_n(self) -> np.ndarray:
        """Greatest isometric force."""
        return _fixed(muscle.max_force_n for muscle in self.muscles)

    @cached_property
    def passive_share(self) -> np.ndarray:
        """What passive tissue pulls with by its curve, over what it would by the greatest active force."""
        return _fixed(1.0 if one.passive_force_n is None else one.passive_force_n / one.max_force_n for one in self.muscles)

    @cached_property
    def give(self) -> np.ndarray:
        """How far fibres are stretched for a passive force, over the printed curve's."""
        return _fixed(muscle.give for muscle in self.muscles)

    @cached_property
    def optimal_fibre_m(self) -> np.ndarray:
        """Length of the fibres at which they pull hardest."""
        return _fixed(muscle.optimal_fibre_m for muscle in self.muscles)

    @cached_property
    def tendon_slack_m(self) -> np.ndarray:
        """Length of the tendon from which it pulls."""
        return _fixed(muscle.tendon_slack_m for muscle in self.muscles)

    @cached_property
    def pennation_rad(self) -> np.ndarray:
        """Angle between fibres and tendon at the fibres' optimal length."""
        return _fixed(muscle.pennation_rad for muscle in self.muscles)

    @cached_property
    def max_velocity(self) -> np.ndarray:
        """Fastest shortening [l_opt/s]."""
        return _fixed(muscle.max_velocity for muscle in self.muscles)

    @cached_property
    def slow_share(self) -> np.ndarray:
        """Share of slow-twitch fibres."""
        return _fixed(muscle.slow_share for muscle in self.muscles)

    @cached_property
    def mass_kg(self) -> np.ndarray:
        """Mass of the fibres: cross section by greatest stress, times optimal length and density."""
        area_m2 = self.max_force_n / np.array([muscle.stress_pa for muscle in self.muscles])
        return _fixed(area_m2 * DENSITY_KG_M3 * self.optimal_fibre_m)


def _fixed(numbers: Iterable[float] | np.ndarray) -> np.ndarray:
    array = np.array(numbers if isinstance(numbers, np.ndarray) else list(numbers), dtype=float)
    array.setflags(write=False)
    return array
