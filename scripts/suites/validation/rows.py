# SPDX-License-Identifier: GPL-3.0-or-later
"""The cases of the gait law "people": whether the planet shows, what was measured on people, what it costs, whether it stands."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from lope.addon.reports.norms import WALK_ROWS
from lope.addon.specs.motions import AUTO, PEOPLE, Gait
from lope.addon.specs.path import PathSpec
from lope.addon.specs.shot import EARTH_GRAVITY_M_S2, NO_SUIT, Shot, World
from lope.addon.worlds.planets import load_world, world_from_gravity

from .case import PLANETS, ROOT, Case, bumpy, sloped, spread_gravities, thesis_body

SECONDS = 20.0
EQUAL_SPEED_M_S = 1.0
"""Speed at which strides and duty factors are held against one another: within the 0.75 to 1.75 m/s of Donelan and Kram 1997."""
SUIT = "apollo-a7lb"
EFFORT_G = (0.5, 1.5, 2.5)
"""Gravities, in Earth's, beside those of Moon, Mars and Earth."""
ALWAYS_SIMILAR = ("run", "lope")
"""Gaits whose two laws are one from the Earth's gravity on: what is equal needs no run."""


def with_people(cases: Iterable[Case]) -> list[Case]:
    """The same cases by people's law. Takes are not kept: the page on the matrix is the similar gaits'."""
    return [dataclasses.replace(case, name=f"{case.name}, people", shot=case.shot.with_motion(law=PEOPLE),
                                keep=False) for case in cases]


def on_the_moon() -> list[Case]:
    """The walk of both laws, and the gait that people choose."""
    moon = load_world("moon")
    return [Case(name, Shot(motion=Gait(gait, law=law), world=moon, duration_s=SECONDS), "poses")
            for name, gait, law in (("walk, similar", "walk", "similar"), ("walk, people", "walk", PEOPLE),
                                    ("auto", AUTO, PEOPLE))]


def measured_people() -> list[Case]:
    """The shots behind the measurements that need one."""
    def case(name: str, gait: str, world: World, speed_m_s: float | None = None, suit: str = NO_SUIT) -> Case:
        return Case(name, Shot(motion=Gait(gait, law=PEOPLE, speed_m_s=speed_m_s), world=world, duration_s=SECONDS, suit=suit))

    earth, moon, mars = (load_world(name) for name in ("earth", "moon", "mars"))
    quarter, two_fifths = (world_from_gravity(x * EARTH_GRAVITY_M_S2) for x in (0.25, 0.4))
    return [case("walk, Earth", "walk", earth), case("walk, 0.4 g", "walk", two_fifths),
            case("walk, Moon, suited", "walk", moon, suit=SUIT),
            case("walk at equal speed, Earth", "walk", earth, speed_m_s=EQUAL_SPEED_M_S),
            case("walk at equal speed, 0.25 g", "walk", quarter, speed_m_s=EQUAL_SPEED_M_S),
            case("run, Earth", "run", earth), case("run, Mars", "run", mars), case("run, Moon", "run", moon),
            case("auto, Moon, suited", AUTO, moon, suit=SUIT)]


def effort_pairs() -> list[Case]:
    """Gaits of both laws, each at its own speed there."""
    worlds = [(name, load_world(name)) for name in ("moon", "mars")]
    worlds += [(f"{x:g} g", world_from_gravity(x * EARTH_GRAVITY_M_S2)) for x in EFFORT_G]
    worlds.insert(3, ("earth", load_world("earth")))
    return [Case(f"{gait}, {name}", Shot(motion=Gait(gait), world=world, duration_s=SECONDS), "efforts")
            for gait in ("walk", *ALWAYS_SIMILAR, AUTO) for name, world in worlds
            if gait not in ALWAYS_SIMILAR or world.gravity_m_s2 < EARTH_GRAVITY_M_S2]


SHARED = ROOT.parent / "shared" / "motion"
GAITS, RUNNING_GAITS = ("walk", "run", "turn"), ("lope", "skip", "hop")
SEEDS, NOISE = (0, 1, 2), 0.05
SLOPES_DEG = (-10.0, -5.0, 5.0, 10.0)
BETWEEN_G = (0.25, 0.6, 1.7, 2.2)
DIRECTIONS_DEG, PHASES = tuple(range(0, 360, 45)), (0.0, 0.2, 0.4, 0.6, 0.8)
PUSH_LEVELS_M_S = {"earth": (0.1, 0.2, 0.35, 0.45, 0.52, 0.65, 0.85), "moon": (0.08, 0.16, 0.24, 0.32, 0.4, 0.55, 0.75)}
PUSH_FIRST = 2
"""The level tried first: what must be survived everywhere."""
WALKING_WORDS = ("walk", "march")
"""A clip counts as a walking clip when its name holds one of these; the others stand, balance, run, hop, spin or jump."""
NORM_SPEED_M_S = 1.25
SIMILAR = "similar"
"""Rows 1 to 15 are the similar gaits'; people's have rows of their own."""


@dataclass(frozen=True)
class Row:
    """A row of the matrix: its number, what is measured and what must be true in words, and its cases."""

    number: int
    what: str
    must: str
    cases: Callable[[], list[Case]]


def shot_of(gait: str, **more: object) -> Shot:
    """A similar shot of a built-in gait; turning goes round a circle whose radius the gait chooses."""
    path = PathSpec(kind="circle") if gait == "turn" else PathSpec()
    return Shot(motion=Gait(gait, path=path, law=SIMILAR), **more)


def on_planets(engines: tuple[str, ...] = ("mujoco", "pybullet"), seconds: float = 60.0) -> list[Case]:
    """Walk, run and turn on the five worlds."""
    return [Case(f"{gait}, {planet}, {engine}, {seconds:g} s",
                 shot_of(gait, world=load_world(planet), engine=engine, duration_s=seconds), keep=True)
            for gait in GAITS for planet in PLANETS for engine in engines]


def long_and_noisy() -> list[Case]:
    """The same for five minutes, with three starts."""
    return [Case(f"{gait}, {planet}, 300 s, seed {seed}",
                 shot_of(gait, world=load_world(planet), duration_s=300.0, seed=seed, noise=NOISE))
            for gait in GAITS for planet in PLANETS for seed in SEEDS]


def running() -> list[Case]:
    """The gaits of the Moon."""
    return [Case(f"{gait}, {planet}, 30 s", shot_of(gait, world=load_world(planet), duration_s=30.0), keep=True)
            for gait in RUNNING_GAITS for planet in ("moon", "mars")]


def thesis_walks() -> list[Case]:
    """The rows of the thesis's Table 2 that agree with themselves, and Neptune's speed and frequency."""
    return [
        Case(
            f"walk at the thesis's speed and frequency, {planet}",
            Shot(
                motion=Gait(
                    law=SIMILAR, speed_m_s=WALK_ROWS[planet].speed_m_s, stride_frequency_hz=WALK_ROWS[planet].frequency_hz
                ),
                world=load_world(planet),
                body=thesis_body(),
                duration_s=60.0,
            ),
            keep=True,
        )
        for planet in ("moon", "mars", "earth", "neptune")
    ]


def any_gravity() -> list[Case]:
    """Walking with nothing set but gravity."""
    return [Case(f"walk, {gravity / EARTH_GRAVITY_M_S2:.3f} g",
                 Shot(motion=Gait(law=SIMILAR), world=world_from_gravity(gravity), duration_s=60.0), keep=True)
            for gravity in spread_gravities(20)]


def slopes() -> list[Case]:
    """Uphill and downhill."""
    return [
        Case(
            f"walk, {planet}, slope {slope:+g} deg", Shot(motion=Gait(law=SIMILAR), world=sloped(planet, slope), duration_s=30.0)
        )
        for slope in SLOPES_DEG
        for planet in PLANETS
    ]


def bumps() -> list[Case]:
    """Uneven ground."""
    return [Case(f"walk, {planet}, bumps", Shot(motion=Gait(law=SIMILAR), world=bumpy(planet), duration_s=30.0))
            for planet in ("earth", "moon")]


def push_map() -> list[Case]:
    """Eight directions, five phases."""
    return [Case(f"push, {planet}, towards {direction} deg, phase {phase:g}",
                 Shot(motion=Gait(law=SIMILAR), world=load_world(planet)), "push",
                 {"direction_deg": direction, "phase": phase, "levels_m_s": PUSH_LEVELS_M_S[planet], "first": PUSH_FIRST})
            for planet in ("earth", "moon") for direction in DIRECTIONS_DEG for phase in PHASES]


def between() -> list[Case]:
    """Gravities for which nothing was tuned."""
    return [Case(f"{gait}, {ratio:g} g, 60 s",
                 shot_of(gait, world=world_from_gravity(ratio * EARTH_GRAVITY_M_S2), duration_s=60.0))
            for gait in GAITS for ratio in BETWEEN_G]


def naturalness() -> list[Case]:
    """The walk at a speed with norms."""
    return [
        Case(
            "walk at 1.25 m/s on Earth against the norms",
            Shot(motion=Gait(speed_m_s=NORM_SPEED_M_S, law=SIMILAR), duration_s=30.0),
            "norms",
            {"norms": str(SHARED / "gait_norms")},
            keep=True,
        )
    ]


def walking_clips(folder: Path = SHARED / "bvh") -> list[Path]:
    """The clips whose name says that they walk."""
    return [path for path in sorted(folder.glob("*.bvh")) if any(word in path.name for word in WALKING_WORDS)]


def clips() -> list[Case]:
    """Every walking clip on every world, nothing set."""
    return [
        Case(
            f"clip {path.stem}, {planet}",
            Shot(motion=Gait(file=str(path), law=SIMILAR), world=load_world(planet), duration_s=30.0),
        )
        for path in walking_clips()
        for planet in PLANETS
    ]


def speed_of_program() -> list[Case]:
    """The benchmark."""
    return [Case("scripts/bench", Shot(motion=Gait(law=SIMILAR), duration_s=10.0), "bench")]


def people_stand() -> list[Case]:
    """What asks the similar gaits for no fall, but for the five minutes, by people's law."""
    return with_people([*on_planets(), *running(), *any_gravity(), *slopes(), *bumps(), *between()])


ROWS: dict[int, Row] = {row.number: row for row in (
    Row(1, "walk, run, turn on five worlds, 60 s, MuJoCo and PyBullet", "no fall", on_planets),
    Row(2, "the same on MuJoCo, 300 s, three seeds of small initial noise", "no fall", long_and_noisy),
    Row(3, "lope, skip, hop on the Moon and Mars, 30 s", "no fall", running),
    Row(4, "walking at the thesis's Table 2 speed and frequency, the thesis's body, 60 s", "both within 5 %", thesis_walks),
    Row(5, "automatic walk at 20 gravities from 0.05 to 3 g, 60 s", "no fall, Froude number 0.15 to 0.45", any_gravity),
    Row(6, "walking on slopes of -10, -5, 5, 10 degrees on five worlds, 30 s", "no fall at 5; at 10, 8 of 10", slopes),
    Row(7, "bumps of 5 cm and 1 m length, Earth and Moon, 30 s", "no fall", bumps),
    Row(8, "push map: 8 directions, 5 phases, 0.2 s at the chest, Earth and Moon",
        "Moon 0.24 m/s everywhere; Earth sideways 0.35 m/s everywhere, median 0.52 m/s", push_map),
    Row(9, "mean vertical force over strides of row 1, MuJoCo", "within 2 % of m g", lambda: on_planets(("mujoco",))),
    Row(11, "scripts/bench: whole simulation over bare steps of 1 ms", "3 or less", speed_of_program),
    Row(12, "walk, run, turn at 0.25, 0.6, 1.7, 2.2 g, 60 s", "no fall", between),
    Row(13, "walk at 1.25 m/s on Earth against normal gait", "mean standard score 1.5 or less", naturalness),
    Row(14, "joint acceleration peaks at contact over the clip's own, rows 1 and 3, MuJoCo", "reported",
        lambda: on_planets(("mujoco",)) + running()),
    Row(15, "every walking clip on five worlds, 30 s", "90 % stand", clips),
    Row(16, "poses on the Moon against the Earth at equal phase, eleven angles",
        "walk of the gait law people at least 5 degrees RMS, gait auto at least 20; the similar walk reported", on_the_moon),
    Row(17, "the gait law people against ten measurements of people", "8 of 10 inside", measured_people),
    Row(18, "effort a metre of the gait law people over the similar gait's", "at most 1.15, of the lope 1.25", effort_pairs),
    Row(19, "rows 1, 3, 5, 6, 7 and 12 by the gait law people", "no fall", people_stand),
    Row(20, "row 2 by the gait law people", "no fall", lambda: with_people(long_and_noisy())),
    Row(21, "row 15 by the gait law people", "90 % stand", lambda: with_people(clips())),
)}


def quick(case: Case, seconds: float) -> Case:
    """The same case, made short: for tests and the CI, not for a verdict. `seconds` are for the Earth; strides last longer
    under less gravity, and the shot with them."""
    if case.kind == "push":
        return dataclasses.replace(case, options={**case.options, "levels_m_s": case.options["levels_m_s"][:1], "first": 0})
    stretched = seconds * math.sqrt(EARTH_GRAVITY_M_S2 / case.shot.world.gravity_m_s2)
    shot = dataclasses.replace(case.shot, duration_s=round(min(stretched, case.shot.duration_s), 2))
    return dataclasses.replace(case, name=f"{case.name} (quick, {shot.duration_s:g} s)", shot=shot)
