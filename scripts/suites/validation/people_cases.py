# SPDX-License-Identifier: GPL-3.0-or-later
"""The cases of the gait law "people": whether the planet shows, what was measured on people, what it costs, whether it stands."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable

from lope.addon.specs.shot import AUTO, EARTH_GRAVITY_M_S2, PEOPLE, Shot, World
from lope.addon.worlds.planets import load_world, world_from_gravity

from .case import Case

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
    return [dataclasses.replace(case, name=f"{case.name}, people", shot=dataclasses.replace(case.shot, gait_law=PEOPLE),
                                keep=False) for case in cases]


def on_the_moon() -> list[Case]:
    """The walk of both laws, and the gait that people choose."""
    moon = load_world("moon")
    return [Case(name, Shot(gait=gait, world=moon, gait_law=law, duration_s=SECONDS), "poses")
            for name, gait, law in (("walk, similar", "walk", "similar"), ("walk, people", "walk", PEOPLE),
                                    ("auto", AUTO, PEOPLE))]


def measured_people() -> list[Case]:
    """The shots behind the measurements that need one."""
    def case(name: str, gait: str, world: World, **more: object) -> Case:
        return Case(name, Shot(gait=gait, world=world, gait_law=PEOPLE, duration_s=SECONDS, **more))

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
    return [Case(f"{gait}, {name}", Shot(gait=gait, world=world, duration_s=SECONDS), "efforts")
            for gait in ("walk", *ALWAYS_SIMILAR, AUTO) for name, world in worlds
            if gait not in ALWAYS_SIMILAR or world.gravity_m_s2 < EARTH_GRAVITY_M_S2]
