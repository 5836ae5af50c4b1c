# SPDX-License-Identifier: GPL-3.0-or-later
"""What hits a body, how it takes that, and loose objects that stand, fly, are touched and fall: plain values of JSON."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ..checks import Choice, Maybe, Number, Series
from ..errors import InputError
from .settings import FIRST_GUESS, Checked, computed, setting

DENSITY_KG_M3 = 30.0
"""Of a cardboard box with little in it: 2 kg at an edge of 0.4 m."""
MOST_OBJECTS = 200
"""More of them take longer than anybody waits for."""


@dataclass(frozen=True)
class LooseObject(Checked):
    """A box or a sphere that only gravity, the ground, the character and other objects move; no controller knows of it. `size_m`
    are a box's edges, of a sphere its diameter three times. It weighs `mass_kg`, or, where that is None, its volume times its
    density. `place_m` is its middle and `orientation` its turn, w-x-y-z, both in the shot's own axes: the character starts at the
    origin and faces +x. From `release_s` on it moves, at first with `velocity_m_s` and turning with `spin_rad_s`; until then it
    stays where it is and touches nothing. `friction` is that of whatever it touches."""

    WHOSE, FIELD = "A loose object's", "field of a loose object"
    name: str = setting("Box", words="name")
    shape: str = setting("box", rule=Choice("shape of a loose object", ("box", "sphere")))
    size_m: tuple[float, float, float] = setting((0.4, 0.4, 0.4), 0.02, 20.0, "m")
    mass_kg: float | None = setting(None, rule=Maybe(Number(0.01, 1e4, "kg")))
    density_kg_m3: float = setting(DENSITY_KG_M3, 1.0, 25000.0, "kg/m^3", source=FIRST_GUESS, words="density")
    place_m: tuple[float, float, float] = setting((1.0, 0.0, 0.2), -1e4, 1e4, "m")
    orientation: tuple[float, float, float, float] = setting((1.0, 0.0, 0.0, 0.0), -1.0, 1.0)
    velocity_m_s: tuple[float, float, float] = setting((0.0, 0.0, 0.0), -200.0, 200.0, "m/s")
    spin_rad_s: tuple[float, float, float] = setting((0.0, 0.0, 0.0), -200.0, 200.0, "rad/s")
    release_s: float = setting(0.0, 0.0, 3600.0, "s", words="time of release")
    friction: float = setting(0.5, 0.0, 2.0, source=FIRST_GUESS)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.shape == "sphere" and max(self.size_m) - min(self.size_m) > 1e-6 * max(self.size_m):
            raise InputError(f"The loose object {self.name!r} is a sphere and needs its diameter three times as size, got "
                             f"{', '.join(f'{x:g}' for x in self.size_m)} m: give it one diameter, or make it a box.")
        if abs(math.sqrt(sum(x * x for x in self.orientation)) - 1.0) > 1e-3:
            raise InputError(f"The orientation of the loose object {self.name!r} must be a unit quaternion w, x, y, z such as "
                             f"1, 0, 0, 0; got {', '.join(f'{x:g}' for x in self.orientation)}.")

    @property
    def volume_m3(self) -> float:
        x, y, z = self.size_m
        return x * y * z * (math.pi / 6.0 if self.shape == "sphere" else 1.0)

    @property
    def weighs_kg(self) -> float:
        return self.volume_m3 * self.density_kg_m3 if self.mass_kg is None else self.mass_kg

    def thrown(self, place_m: Iterable[float], velocity_m_s: Iterable[float]) -> LooseObject:
        x, y, z = (float(x) for x in place_m)
        ahead, left, up = (float(x) for x in velocity_m_s)
        return computed(self, place_m=(x, y, z), velocity_m_s=(ahead, left, up), release_s=0.0)


def check_objects(objects: Sequence[LooseObject], engine: str) -> None:
    """Raises InputError for objects of one name, for too many, and for an engine without contacts of its own."""
    if not objects:
        return
    if engine in ("ideal", "springs"):
        raise InputError(f"The engine {engine} knows no contact, so nothing can be touched there: take the loose objects out, or "
                         "choose the engine mujoco.")
    if len(objects) > MOST_OBJECTS:
        raise InputError(f"A shot has at most {MOST_OBJECTS} loose objects, got {len(objects)}: take some out.")
    names = [item.name for item in objects]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise InputError(f"Two loose objects are called {twice!r}: give every one a name of its own.")


HIT = "hit"
"""What the controller is called that plays an Action and takes hits."""
BALL, PUNCH = "ball", "punch"
KINDS = (BALL, PUNCH)
BALANCE, LOOSE, RAILS = LAWS = ("balance", "loose", "rails")
"""How hits are taken: the whole body keeps its balance and the struck chain yields; the same, with every joint always only as
firm as it works; or the root stays on the motion's rails (Yin 2007, chapter 5)."""
WATER_KG_M3 = 1000.0
BALL_KG = 4.19
"""Of a ball of water of 0.10 m radius (Yin 2007, section 5)."""
PUNCH_S = 0.03
"""How long a fist touches (first guess, within 25 to 50 ms that a ball does)."""
FIST_KG = 2.9
"""A punch's effective mass (Walilko, Viano and Bir 2005, "Biomechanics of the head for Olympic boxer punches to the face")."""
PUNCH_RANGE_NS = (0.3, 500.0)
LEAST_RADIUS_M, LARGEST_RADIUS_M = 0.01, 2.0
"""Of a ball."""
WAITS_M = 3.0
"""A ball that nobody has thrown yet lies on the ground, so far from the shot's origin on the side that it comes from."""


@dataclass(frozen=True)
class Hit(Checked):
    """Something that strikes a segment at a time, wherever the segment is then. A ball of `mass_kg` and `density_kg_m3` comes
    with `speed_m_s`, relative to the ground, along `direction` (world axes, any length: the way it flies) and touches `segment`
    at `time_s`, `along` of the way from its joint to its end. A punch is its impulse, mass times speed, within `PUNCH_S`."""

    WHOSE, FIELD = "A hit's", "field of a hit"
    time_s: float = setting(1.0, 0.0, 3600.0, "s", words="time of a hit")
    segment: str = setting("chest", words="struck segment")
    mass_kg: float = setting(BALL_KG, 0.01, 1000.0, "kg", source="Yin 2007, chapter 5")
    speed_m_s: float = setting(6.0, 0.1, 200.0, "m/s", words="speed of a hit")
    direction: tuple[float, float, float] = setting(
        (-1.0, 0.0, 0.0), rule=Series(Number(-1e3, 1e3), 3), words="direction of a hit")
    kind: str = setting(BALL, rule=Choice("kind of hit", KINDS))
    density_kg_m3: float = setting(WATER_KG_M3, 1.0, 25000.0, "kg/m^3", words="density")
    along: float = setting(0.5, 0.0, 1.0, source=FIRST_GUESS)

    def __post_init__(self) -> None:
        super().__post_init__()
        if math.hypot(*self.direction) < 1e-9:
            raise InputError(f"The hit at {self.time_s:g} s flies in no direction: give its direction a length, such as -1, 0, 0 "
                             "for one from ahead.")
        if self.kind == BALL and not LEAST_RADIUS_M <= self.radius_m <= LARGEST_RADIUS_M:
            raise InputError(f"The ball that hits at {self.time_s:g} s would have a radius of {self.radius_m:.3g} m, and may "
                             f"have {LEAST_RADIUS_M:g} to {LARGEST_RADIUS_M:g} m: change its mass or its density.")

    @property
    def way(self) -> tuple[float, float, float]:
        """Its direction (3,), of length 1."""
        size = math.hypot(*self.direction)
        x, y, z = self.direction
        return x / size, y / size, z / size

    @property
    def radius_m(self) -> float:
        return (0.75 * self.mass_kg / (math.pi * self.density_kg_m3)) ** (1.0 / 3.0)

    @property
    def impulse_ns(self) -> float:
        """Its momentum; of a punch the impulse [N s]."""
        return self.mass_kg * self.speed_m_s


def punch(time_s: float, segment: str, impulse_ns: float, way: tuple[float, float, float]) -> Hit:
    """A punch of that impulse [N s]. Raises InputError for one that no fist has."""
    low, high = PUNCH_RANGE_NS
    if not low <= impulse_ns <= high:
        raise InputError(f"The impulse of a punch must lie between {low:g} and {high:g} N s, got {impulse_ns:g}: a boxer's has "
                         "10 to 30.")
    return Hit(time_s, segment, FIST_KG, impulse_ns / FIST_KG, way, PUNCH)


def balls_of(hits: Sequence[Hit], taken: Sequence[str] = ()) -> tuple[LooseObject, ...]:
    """The loose object of each ball among hits, in their order, with names that are not `taken`: it waits out of the way until it
    is thrown, and is as loose as any other after that."""
    found: list[LooseObject] = []
    for hit in hits:
        if hit.kind == BALL:
            names = {*taken, *(ball.name for ball in found)}
            name = next(name for i in range(1, len(names) + 2) if (name := f"Ball {i}" if i > 1 else "Ball") not in names)
            x, y, _ = hit.way
            found.append(LooseObject(name, "sphere", (2.0 * hit.radius_m,) * 3, mass_kg=hit.mass_kg,
                                     place_m=(-WAITS_M * x, -WAITS_M * y, hit.radius_m), release_s=hit.time_s))
    return tuple(found)


@dataclass(frozen=True)
class Reaction(Checked):
    """How a body takes hits. Under the law "balance" the gains of the struck chain drop to `low` of themselves, stay there for
    `hold_s` and return over `back_s`, exponentially; `looseness` is how much of that drop is made, 0 stiff, 1 all of it. Under
    "loose" nothing needs to be felt: gains go with the joints' torques all the time, and limbs come home slowly. Under "rails"
    gains never change. Outside `before_s` and `after_s` around hits an Action keeps its keys; None: until the body is back."""

    WHOSE, FIELD = "The reaction's", "field of a reaction"
    law: str = setting("balance", rule=Choice("law of a reaction", LAWS))
    looseness: float = setting(1.0, 0.0, 1.0, source=FIRST_GUESS)
    low: float = setting(0.15, 0.01, 1.0, source="docs/notes/hits.md")
    hold_s: float = setting(0.15, 0.0, 2.0, "s", source="docs/notes/hits.md")
    back_s: float = setting(0.2, 0.01, 5.0, "s", source="docs/notes/hits.md")
    before_s: float = setting(0.1, 0.0, 10.0, "s", source=FIRST_GUESS)
    after_s: float | None = setting(None, rule=Maybe(Number(0.05, 60.0, "s")))


def check_in_motion(hits: Sequence[Hit], lasts_s: float) -> None:
    """Raises InputError for a hit after the end of a motion that lasts so long."""
    for hit in hits:
        if hit.time_s > lasts_s + 1e-9:
            raise InputError(f"The hit at {hit.time_s:g} s comes after the end of the motion, which lasts {lasts_s:.2f} s there: "
                             "let it come earlier.")


def check_hits(hits: Sequence[Hit], duration_s: float, until_end: bool, engine: str) -> None:
    """Raises InputError for hits after the end, and for balls in an engine without contacts of its own."""
    late = next((hit for hit in hits if not until_end and hit.time_s > duration_s + 1e-9), None)
    if late is not None:
        raise InputError(f"The hit at {late.time_s:g} s comes after the end of the shot, which is {duration_s:g} s long: let it "
                         "come earlier or lengthen the shot.")
    if sum(hit.kind == BALL for hit in hits) > MOST_OBJECTS:
        raise InputError(f"A shot has at most {MOST_OBJECTS} balls: take some hits out.")
    if engine in ("ideal", "springs") and any(hit.kind == BALL for hit in hits):
        raise InputError(f"The engine {engine} knows no contact, so no ball can hit there: take a punch, or the engine mujoco.")
