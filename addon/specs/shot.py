# SPDX-License-Identifier: GPL-3.0-or-later
"""What the artist asks for: a frozen, validated description that round-trips through JSON."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass, field
from typing import Any

from ..checks import check_number
from ..errors import InputError, unknown_name
from .footprints import Footprint, check_footprints, footprints_from
from .path import PathSpec
from .style import Style
from .ground import GroundSpec

EARTH_GRAVITY_M_S2 = 9.81
GRAVITY_RANGE_M_S2 = (round(0.05 * EARTH_GRAVITY_M_S2, 9), round(3.0 * EARTH_GRAVITY_M_S2, 9))
WORLD_GRAVITY_RANGE_M_S2 = (0.25, GRAVITY_RANGE_M_S2[1])
"""A world with a name may be lighter than a number that is asked for: Ceres has 0.28 m/s^2."""
HEIGHT_RANGE_M = (0.5, 3.0)
MASS_RANGE_KG = (10.0, 400.0)
DURATION_RANGE_S = (0.5, 3600.0)
ENGINES = ("mujoco", "pybullet", "ideal")
SCALINGS = ("similar", "fixed")
ENDS = ("moving", "standing")
NO_SUIT = "none"


@dataclass(frozen=True)
class BodySpec:
    """How the body is made: from height and mass, or from the landmarks of a rig (see `bodies.human.landmarks`)."""

    height_m: float = 1.80
    mass_kg: float = 75.0
    landmarks: dict[str, tuple[float, float, float]] | None = None

    def __post_init__(self) -> None:
        check_number("Height", self.height_m, *HEIGHT_RANGE_M, "m")
        check_number("Mass", self.mass_kg, *MASS_RANGE_KG, "kg")


@dataclass(frozen=True)
class World:
    """Gravity [m/s^2], the ground and its friction coefficient.

    `gravity_ramp` are (time [s], gravity [m/s^2]) pairs: from `gravity_m_s2` at the start, gravity changes linearly from
    one to the next and stays at the last.
    """

    name: str = "earth"
    gravity_m_s2: float = EARTH_GRAVITY_M_S2
    friction: float = 0.9
    ground: GroundSpec = field(default_factory=GroundSpec)
    gravity_ramp: tuple[tuple[float, float], ...] = ()

    def __post_init__(self) -> None:
        check_number("Gravity", self.gravity_m_s2, *WORLD_GRAVITY_RANGE_M_S2, "m/s^2")
        check_number("Friction", self.friction, 0.1, 2.0, "(no unit)")
        last = 0.0
        for time, gravity in self.gravity_ramp:
            last = check_number("Each time of a gravity ramp", time, last, DURATION_RANGE_S[1], "s, after the one before")
            check_number("Gravity of a ramp", gravity, *GRAVITY_RANGE_M_S2, "m/s^2")

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> World:
        """A World from `dataclasses.asdict`'s output."""
        data = dict(data)
        ground = GroundSpec.from_dict(data.pop("ground", {}))
        ramp = tuple(tuple(pair) for pair in data.pop("gravity_ramp", ()))
        return cls(ground=ground, gravity_ramp=ramp, **data)


@dataclass(frozen=True)
class Push:
    """A force [N], world axes, on a segment for a while. The controller is not told; it feels it."""

    start_s: float
    duration_s: float
    force_n: tuple[float, float, float]
    segment: str = "chest"

    def __post_init__(self) -> None:
        check_number("Push start", self.start_s, 0.0, DURATION_RANGE_S[1], "s")
        check_number("Push duration", self.duration_s, 0.001, 60.0, "s")
        if len(self.force_n) != 3:
            raise InputError(f"A push needs three force components FX,FY,FZ, got {len(self.force_n)}.")
        for component in self.force_n:
            check_number("Push force", component, -1e5, 1e5, "N")


@dataclass(frozen=True)
class Shot:
    """Everything a simulation needs. The same Shot gives the same Take on the same engine build.

    `start` and `stop` tell whether the character moves or stands at the shot's ends. `noise` is the standard deviation of
    what is added to the start's velocities, over each one's natural size; drawn from `seed`. `tuned` uses the gait's tuned
    foot paths where there are any; `force` simulates even a speed outside the gait's feasible range. `gains` are settings of
    the controller in place of the shipped ones, group by group (see `controls`).
    """

    body: BodySpec = field(default_factory=BodySpec)
    world: World = field(default_factory=World)
    gait: str = "walk"
    motion: str | None = None
    speed_m_s: float | None = None
    stride_frequency_hz: float | None = None
    duration_s: float = 10.0
    engine: str = "mujoco"
    scaling: str = "similar"
    pushes: tuple[Push, ...] = ()
    seed: int = 0
    path: PathSpec = field(default_factory=PathSpec)
    suit: str = NO_SUIT
    start: str = "moving"
    stop: str = "moving"
    noise: float = 0.0
    tuned: bool = True
    force: bool = False
    style: Style = field(default_factory=Style)
    footprints: tuple[Footprint, ...] = ()
    gains: dict[str, dict[str, float]] | None = None

    def __post_init__(self) -> None:
        check_number("Duration", self.duration_s, *DURATION_RANGE_S, "s")
        if self.engine not in ENGINES:
            raise unknown_name("engine", self.engine, ENGINES)
        if self.scaling not in SCALINGS:
            raise unknown_name("gain scaling", self.scaling, SCALINGS)
        if self.speed_m_s is not None:
            check_number("Speed", self.speed_m_s, 0.05, 15.0, "m/s")
        if self.stride_frequency_hz is not None:
            check_number("Stride frequency", self.stride_frequency_hz, 0.05, 5.0, "Hz")
        for end in (self.start, self.stop):
            if end not in ENDS:
                raise unknown_name("way to start or stop", end, ENDS)
        check_number("Noise", self.noise, 0.0, 1.0, "(no unit)")
        for push in self.pushes:
            if push.start_s + push.duration_s > self.duration_s + 1e-9:
                raise InputError(f"The push at {push.start_s:g} s lasts {push.duration_s:g} s and ends after the shot, which is "
                                 f"{self.duration_s:g} s long: shorten the push or lengthen the shot.")
        check_footprints(self.footprints, standing="standing" in (self.start, self.stop),
                         gravity_changes=bool(self.world.gravity_ramp))
        for group, values in (self.gains or {}).items():
            for name, value in values.items():
                check_number(f"The gain {group}.{name}", value, -1e6, 1e6, "(its own unit)")
        if not isinstance(self.seed, int) or self.seed < 0:
            raise InputError(f"Seed must be a whole number of 0 or more, got {self.seed!r}.")

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON types; `from_dict` gives an equal Shot back."""
        return dataclasses.asdict(self)

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Shot:
        """A Shot from `to_dict`'s output. Raises InputError for unknown or ill-typed fields."""
        data = dict(data)
        try:
            body = dict(data.pop("body", {}))
            if body.get("landmarks") is not None:
                body["landmarks"] = {k: tuple(float(x) for x in v) for k, v in body["landmarks"].items()}
            pushes = tuple(Push(**{**p, "force_n": tuple(p["force_n"])}) for p in data.pop("pushes", ()))
            path, style = PathSpec.from_dict(data.pop("path", {})), Style.from_dict(data.pop("style", {}))
            footprints = footprints_from(data.pop("footprints", ()))
            world = World.from_dict(data.pop("world", {}))
            return cls(body=BodySpec(**body), world=world, pushes=pushes, path=path, style=style, footprints=footprints,
                       **data)
        except (TypeError, ValueError, KeyError, AttributeError) as error:
            raise InputError(f"This shot cannot be read: {error}.") from error
