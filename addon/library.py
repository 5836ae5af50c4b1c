# SPDX-License-Identifier: GPL-3.0-or-later
"""Lope as a library: what `import lope` offers, for a technical director's own scripts. The handbook's page is docs/library.md.
The package loads this module when the first of these names is asked for, so that `import lope` itself costs nothing."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from .errors import unknown_name
from .locomotion.controller import Plan
from .options.outputs import blender_room
from .reports import retry
from .reports.card import Card, physics_card
from .reports.measures import measure
from .sim import simulation
from .sim import take as plain
from .specs.bake_options import BakeOptions
from .specs.load import Load
from .specs.path import PathSpec
from .specs.shot import Push, Shot, World
from .specs.steering import Steering
from .worlds.planets import load_world, world_from_gravity

Progress = Callable[[float, str], object]
"""Called with the share that is done, 0 to 1, and what is being done; `print` will do."""


class Take(plain.Take):
    """A simulated motion, with what is said of it. Arrays are attributes, such as `com_m` (T, 3) [m] and `time_s` (T,) [s]."""

    @classmethod
    def of(cls, take: plain.Take) -> Self:
        """The same take with what is added here."""
        return cls(take.shot, take.body, take.arrays, take.stats, take.channels)

    def measures(self) -> dict[str, Any]:
        """All measures by name as plain values, None what is not measured; docs/measures.md has their units and definitions."""
        return measure(self)

    def card(self) -> Card:
        """The physics card: `lines` of a grade and a sentence each, and the `grade` of the whole."""
        return physics_card(self)


def world(name_or_gravity: str | float | World) -> World:
    """A world by its name ("moon", "orbit-station:0.3") or by its gravity [m/s^2]. Raises InputError listing the names."""
    if isinstance(name_or_gravity, World):
        return name_or_gravity
    return load_world(name_or_gravity) if isinstance(name_or_gravity, str) else world_from_gravity(name_or_gravity)


def shot(**fields: Any) -> Shot:
    """A Shot of its fields, whose `world` may also be given as the function `world` takes it, and what it is to `carry` as a mass
    [kg] or the fields of a `Load`. Raises InputError for a field that there is not, and for a value that it cannot have."""
    _check_names("shot field", fields, Shot)
    if isinstance(load := fields.get("carry"), (int, float, Mapping)):
        fields["carry"] = Load.from_dict(load if isinstance(load, Mapping) else {"mass_kg": load})
    if "world" in fields:
        fields["world"] = world(fields["world"])
    return Shot(**fields)


def _check_names(kind: str, given: Iterable[str], of: type) -> None:
    """Raises InputError for the first of the given names that is no field of a dataclass."""
    known = [field.name for field in dataclasses.fields(of)]
    for name in given:
        if name not in known:
            raise unknown_name(kind, name, known)


def straight(heading_deg: float = 0.0) -> PathSpec:
    """A way straight on, `heading_deg` to the left of +x."""
    return PathSpec(heading_deg=heading_deg)


def circle(radius_m: float, heading_deg: float = 0.0) -> PathSpec:
    """A way round in a circle: to the left, or with a negative radius to the right."""
    return PathSpec("circle", heading_deg, radius_m)


def through(points_m: Iterable[tuple[float, float]], heading_deg: float = 0.0) -> PathSpec:
    """A smooth way from the origin through points (x, y) [m]."""
    return PathSpec("points", heading_deg, points_m=tuple((float(x), float(y)) for x, y in points_m))


def plan(shot: Shot) -> Plan | None:
    """What will happen in a shot, in milliseconds and without simulating it: footsteps, the centre of mass, speed. None where the
    controller does not plan. Raises LopeError for a shot that cannot be planned."""
    return simulation.preview(shot)


def simulate(shot: Shot, progress: Progress | None = None, cancelled: Callable[[], bool] | None = None) -> Take:
    """Simulate a shot to its end, or until `cancelled()`. A shot that may `retry` is tried again at other speeds where it falls.
    Raises LopeError for a shot that cannot be simulated; a fall is no error, `Take.fell` tells it."""
    return Take.of(retry.attempt(shot, progress, cancelled))  # type: ignore[arg-type]


class Simulation:
    """A simulation that goes step by step, is pushed and is steered:

        with lope.Simulation(shot) as sim:
            while not sim.over:
                sim.step()
        take = sim.take()

    Raises LopeError for a shot that cannot be simulated.
    """

    def __init__(self, shot: Shot) -> None:
        self._inner = simulation.Simulation(shot)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None) -> None:
        self.close()

    @property
    def shot(self) -> Shot:
        """The shot so far, with the pushes and the steering that came on the way: simulated anew it gives the same take."""
        return self._inner.shot

    @property
    def time_s(self) -> float:
        """How much is simulated [s]."""
        return self._inner.time_s

    @property
    def over(self) -> bool:
        """Whether the shot is at its end, or has ended before it by a fall."""
        return self._inner.over

    @property
    def fell(self) -> bool:
        """Whether the character has fallen."""
        return self._inner.time_fell_s is not None

    def step(self, seconds: float = 0.0) -> None:
        """Go on by one control step, or by as many as last `seconds`, but not beyond the shot's end."""
        until = self.time_s + seconds - 0.5 * self._inner.control_step_s
        while not self.over:
            self._inner.step()
            if self.time_s >= until:
                return

    def push(self, segment: str, force_n: tuple[float, float, float], duration_s: float = 0.2) -> None:
        """Push a segment ("chest") from now on, with a force [N] along the world's axes. Raises InputError for a segment that
        there is not."""
        x, y, z = force_n
        self._inner.push(Push(self.time_s, duration_s, (float(x), float(y), float(z)), segment))

    def steer(self, **wish: Any) -> None:
        """Wish from now on for `speed_m_s`, `turn_rad_s`, `turn_rad` or a `gait`. Raises InputError where the controller cannot
        be steered so."""
        self._inner.wish(Steering(self.time_s, **wish))

    def take(self) -> Take:
        """The take of what has been simulated so far."""
        return Take.of(self._inner.take())

    def close(self) -> None:
        """Free what the engine holds; `take` still gives what there is."""
        self._inner.close()


def bake(take: plain.Take | str | Path, armature: Any, **options: Any) -> Any:
    """Inside Blender: write a take, or a take's file, as keys on an armature, a `bpy.types.Object`; gives the action. `options`
    are those of a bake, such as `start_frame`, `root_motion`, `controls` and `reduce_error_m`. Raises InputError outside Blender,
    and RigError for an armature that is no figure, before anything is written."""
    _check_names("option of a bake", options, BakeOptions)
    return blender_room("bake.bake").bake_take(armature, take, options=BakeOptions(**options))
