# SPDX-License-Identifier: GPL-3.0-or-later
"""What any creature can do by the quick law: each walks on Earth and on the Moon after a short search; gravity is similarity.

A search takes minutes, so a result is kept under the creature's shape and what is asked of it, whatever code made it (which is
noted beside it); gaits found are kept as files, from which a search goes on or a shot can be made.
"""

from __future__ import annotations

import hashlib
import json
import math
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from lope.addon.bodies.creature.body import CreatureBody, make_creature
from lope.addon.bodies.creature.template import creature_names, find_creature
from lope.addon.bodies.makers import make_body
from lope.addon.errors import LopeError
from lope.addon.files import write_whole
from lope.addon.locomotion.creature.parameters import straight_leg_m, time_unit_s, vector_of
from lope.addon.locomotion.creature.stored import shipped_gaits
from lope.addon.reports.card import physics_card
from lope.addon.reports.measures import measured
from lope.addon.search.creature import CreatureProblem, CreatureSearch
from lope.addon.search.creature_muscles_problem import MusclePopulation
from lope.addon.search.creature_objective import Wish
from lope.addon.search.creature_problem import Population, QuickProblem, Shove, Trials
from lope.addon.search.creature_search import STOPPED, Plan
from lope.addon.sim.simulation import simulate
from lope.addon.sim.take import Take
from lope.addon.specs.creature import CREATURE, Creature
from lope.addon.specs.motions.creature import CreatureGait, creature_gait_file
from lope.addon.specs.path import GroundSpec
from lope.addon.specs.shot import EARTH_GRAVITY_M_S2, BodySpec, Shot, World
from lope.addon.worlds.planets import load_world

from .case import code_version

WALKS, PLANETS, ROBUST = "walks", "planets", "robust"
ROWS = (WALKS, PLANETS, ROBUST)
RESULTS = "creatures.jsonl"
SPEED = 0.36
"""Asked for, over sqrt(g L); `LEAST` of it must be reached, which is the square root of a Froude number v^2 / (g L) of 0.09."""
LEAST = 0.3
SECONDS, STARTS, MOST_FELL, FIXED_STARTS = 30.0, 8, 1, 2
SHARE = 0.8
"""Of all bodies so many must walk."""
PEAK, UPRIGHT, GAP_M, SPREAD = 3.5, 0.85, -0.01, 0.03
"""Most force of a landing over the weight; least length of a leg that carries over that as it is drawn; how deep legs, neck and
tail may go into one another [m]; by how much dimensionless speeds on the planets may differ."""
EARTH, MOON, JUPITER = "earth", "moon", "jupiter"
FIVE = (MOON, "mars", EARTH, "neptune", JUPITER)


@dataclass(frozen=True)
class Case:
    """One creature of a row; `minutes` of processor time for its search."""

    row: str
    name: str
    creature: Creature
    minutes: float

    @property
    def key(self) -> str:
        """Of row, shape and what is asked."""
        what = json.dumps([self.row, self.creature.to_dict(), self.minutes, SPEED, SECONDS, STARTS], sort_keys=True)
        return hashlib.sha256(what.encode()).hexdigest()[:16]


def cases(rows: Sequence[str], drawn: Mapping[str, Creature], minutes: float) -> Iterator[Case]:
    """All cases of some rows: shipped creatures first, then those `drawn`, by name."""
    every = {name: find_creature(name) for name in creature_names()} | dict(drawn)
    for row in ROWS:
        if row in rows:
            yield from (Case(row, name, creature, minutes) for name, creature in every.items()
                        if row == WALKS or name in creature_names())


def fill(wanted: Sequence[Case], folder: Path, anew: bool = False) -> Iterator[dict[str, Any]]:
    """The result of each case; those that there are none of are made, and kept at once."""
    folder.mkdir(parents=True, exist_ok=True)
    known = {} if anew else kept(folder)
    for case in wanted:
        if case.key not in known:
            begun = time.process_time()
            try:
                found = MADE[case.row](case, folder)
            except LopeError as error:
                found = {"error": str(error)}
            known[case.key] = {"key": case.key, "row": case.row, "name": case.name, "code": code_version(), **found,
                               "all_cpu_s": time.process_time() - begun}
            with (folder / RESULTS).open("a", encoding="utf-8") as file:
                file.write(json.dumps(known[case.key], default=float) + "\n")
        yield known[case.key]


def kept(folder: Path) -> dict[str, dict[str, Any]]:
    """Results by their keys, the last of each; a line that a stop cut short is passed over."""
    found, path = {}, folder / RESULTS
    for line in path.read_text(encoding="utf-8").splitlines() if path.is_file() else ():
        try:
            result = json.loads(line)
        except ValueError:
            continue
        found[result["key"]] = result
    return found


def found_gait(case: Case, folder: Path) -> dict[str, Any]:
    """The gait of a creature on Earth: searched as `lope tune --creature` does, or taken up where it was stopped; kept as a
    file."""
    path = folder / "gaits" / f"{case.name}.json"
    path.parent.mkdir(exist_ok=True)
    if path.is_file() and (known := json.loads(path.read_text(encoding="utf-8")))["key"] == case_key(case):
        return known
    spec = BodySpec(kind=CREATURE, creature=case.creature)
    body, world = make_body(spec), load_world(EARTH)
    speed = SPEED * math.sqrt(world.gravity_m_s2 * straight_leg_m(body))
    checkpoint = path.with_suffix(".checkpoint")
    problem = CreatureProblem(spec, world, speed)
    searching = CreatureSearch(problem, Plan(minutes=case.minutes), checkpoint=checkpoint, resume=True)
    search = searching.search
    ended = search.go()
    if ended == STOPPED:
        raise KeyboardInterrupt
    judged_there = {} if search.champion is None else dict(search.champion.judged.figures)
    found = {"key": case_key(case), "gait": creature_gait_file(searching.gait(case.name)), "began": searching.began,
             "ended": ended, "generations": len(search.log), "cpu_s": search.cpu_s, "judged": judged_there}
    write_whole(path, json.dumps(found, indent=1, default=float), "table")
    checkpoint.unlink(missing_ok=True)
    return found


def case_key(case: Case) -> str:
    """Of the search alone, which rows share."""
    return replace(case, row=WALKS).key


LONG = Trials(long_t=0.0, long_s=SECONDS)
"""So many seconds on any planet."""
SIMILAR = Trials(long_t=95.0, long_s=0.0)
"""So many of the leg's times on any planet: 30 s for a leg of 1 m on Earth."""


def tried(case: Case, gait: CreatureGait, world: World, trials: Trials = LONG) -> dict[str, Any]:
    """How a gait does from eight noisy starts in a world, by similarity."""
    problem = QuickProblem(make_creature(case.creature), world, Wish(speed=SPEED), trials=trials)
    return dict(problem.judged(problem.point(vector_of(gait.parameters))[None])[0].figures)


def taken(case: Case, gait: CreatureGait, world: World, scaling: str = "similar", seed: int = 1, noise: float = 0.0) -> Take:
    """A take of a creature by a gait, at the speed asked for."""
    body = make_creature(case.creature)
    speed = SPEED * math.sqrt(world.gravity_m_s2 * straight_leg_m(body))
    return simulate(Shot(body=BodySpec(kind=CREATURE, creature=case.creature), world=world, controller="creature", creature=gait,
                         speed_m_s=speed, duration_s=SECONDS, scaling=scaling, seed=seed, noise=noise))


def walks(case: Case, folder: Path) -> dict[str, Any]:
    """Eight noisy starts on Earth and Moon, and a take of each with its measures."""
    found = found_gait(case, folder)
    gait, worlds = CreatureGait.from_dict(found["gait"]), {}
    (folder / "takes").mkdir(exist_ok=True)
    for name in (EARTH, MOON):
        world = load_world(name)
        figures, take = tried(case, gait, world), taken(case, gait, world)
        take.save(folder / "takes" / f"{case.name}-{name}.npz")
        told = measured(take).values
        worlds[name] = {"starts": figures, "measures": told, "card": physics_card(take).grade} | judged(figures, told)
    return {"search": {name: found[name] for name in ("began", "ended", "generations", "cpu_s")}, "worlds": worlds,
            "held": all(one["walks"] for one in worlds.values())}


def judged(figures: Mapping[str, Any], told: Mapping[str, Any]) -> dict[str, Any]:
    """Whether it walks, and what else is not as it must be, in words."""
    speed = figures.get("speed")
    stood = figures["stood"] >= STARTS - MOST_FELL
    quick = speed is not None and math.isfinite(speed) and speed >= LEAST
    lacks = [] if stood else [f"{STARTS - figures['stood']} of {STARTS} fall"]
    lacks += [] if quick else ["slow"]
    tests = {"hard landings": figures.get("force_peak", 0.0) <= PEAK,
             "crouch": (told.get("leg_in_stance") or 1.0) >= UPRIGHT,
             "legs cross": (told.get("legs_gap_m") or 0.0) >= GAP_M, "parts cross": (told.get("body_gap_m") or 0.0) >= GAP_M,
             "no double support": figures.get("double_support", 0.0) > 0.0,
             "toes drag": (told.get("toe_drag_share") or 0.0) <= 0.1}
    return {"walks": stood and quick, "lacks": lacks + [name for name, holds in tests.items() if not holds]}


def planets(case: Case, folder: Path) -> dict[str, Any]:
    """One gait by similarity on five planets; and with Earth's gains, times and lengths of steps on the Moon and Jupiter."""
    gait = CreatureGait.from_dict(found_gait(case, folder)["gait"])
    scaled = {name: tried(case, gait, load_world(name), SIMILAR) for name in FIVE}
    fixed = {name: max(taken(case, gait, load_world(name), "fixed", seed, 1.0).stats["time_fell_s"] or SECONDS
                       for seed in range(1, FIXED_STARTS + 1)) for name in (MOON, JUPITER)}
    speeds = [one.get("speed", math.nan) for one in scaled.values()]
    stand = all(one["stood"] >= STARTS - MOST_FELL for one in scaled.values())
    spread = (max(speeds) - min(speeds)) / (sum(speeds) / len(speeds)) if stand else math.nan
    return {"scaled": scaled, "spread": spread, "fixed_fell_s": fixed,
            "held": stand and spread <= SPREAD and all(at < SECONDS for at in fixed.values())}


def robust(case: Case, folder: Path) -> dict[str, Any]:
    """Pushes, slopes and turning: of the gait that was found, and of one by muscles where it is stored."""
    gaits = {"torques": CreatureGait.from_dict(found_gait(case, folder)["gait"])}
    gaits |= {f"muscles, {gait.name}": gait for gait in shipped_gaits()
              if gait.creature == case.creature.name and gait.muscles is not None}
    stood = {how: survived(make_creature(case.creature), gait) for how, gait in gaits.items()}
    return {"stood": stood, "held": all(stand == of for one in stood.values() for stand, of in one.values())}


MADE = {WALKS: walks, PLANETS: planets, ROBUST: robust}


def table(results: Sequence[Mapping[str, Any]]) -> str:
    """The results as Markdown, row by row, and how many of the bodies walk."""
    lines: list[str] = []
    mine = [one for one in results if one["row"] == WALKS]
    if mine:
        lines += ["| creature | world | search | stand | v / sqrt(g L) | Froude | double support | flight | peak force | leg | "
                  "gaps m | lacks |", "|---|---|---|---|---|---|---|---|---|---|---|---|"]
        for one in mine:
            lines += [f"| {one['name']} | | {one['error']} | | | | | | | | | |"] if "error" in one else [
                _line(one, name) for name in one["worlds"]]
        walk = sum(one.get("held", False) for one in mine)
        lines += ["", f"{walk} of {len(mine)} walk in both worlds ({walk / len(mine):.0%}; {SHARE:.0%} must)."]
    others = [one for one in results if one["row"] == PLANETS]
    if others:
        lines += ["", f"| creature | {' | '.join(f'v* on {name}' for name in FIVE)} | differ by | law of Earth: falls on the "
                  "Moon, Jupiter after s | holds |", "|---" * (len(FIVE) + 4) + "|"]
        lines += [f"| {one['name']} | {' | '.join(_number(one['scaled'][name].get('speed'), 3) for name in FIVE)} | "
                  f"{one['spread']:.1%} | {', '.join(f'{at:.1f}' for at in one['fixed_fell_s'].values())} | "
                  f"{'yes' if one['held'] else 'no'} |" for one in others if "error" not in one]
    thrown = [one for one in results if one["row"] == ROBUST and "error" not in one]
    if thrown:
        lines += ["", head_row(), *(row_of(one["name"], how, stood) for one in thrown for how, stood in one["stood"].items())]
    return "\n".join(lines)


def _line(one: Mapping[str, Any], world: str) -> str:
    here = one["worlds"][world]
    figures, told = here["starts"], here["measures"]
    search = f"{one['search']['cpu_s']:.0f} s, {one['search']['ended']}" if world == EARTH else ""
    gaps = ", ".join(_number(told.get(name), 2) for name in ("legs_gap_m", "body_gap_m"))
    speed = figures.get("speed")
    return (f"| {one['name']} | {world} | {search} | {figures['stood']} of {figures['starts']} | {_number(speed, 2)} | "
            f"{_number(None if speed is None else speed**2, 2)} | {_number(figures.get('double_support'), 2)} | "
            f"{_number(figures.get('flight'), 2)} | {_number(figures.get('force_peak'), 1)} | "
            f"{_number(told.get('leg_in_stance'), 2)} | {gaps} | {', '.join(here['lacks'])} |")


def _number(value: float | None, digits: int) -> str:
    return "" if value is None or not math.isfinite(value) else f"{value:.{digits}f}"


ROBUST_S, PUSHED_S, PUSH_S = 20.0, 10.0, 0.2
"""On Earth, of any leg."""
PUSH_N, OF_KG = 50.0, 72.5
"""Geijtenbeek's push, and the mass of his human: a creature's goes with its mass."""
SIDES = 8
SLOPE_DEG, TURN_DEG_S = 3.0, 6.0
NOISE, NOISY = 0.5, 4
FIELD_M, LEVEL_M, WIDE_M = 60, 3, 30
"""Length of the ground that changes every metre; of what is level about the start; and how far it reaches to each side."""
PUSHES, UP, DOWN, BROKEN, TURN = "pushes", "up", "down", "every metre", "turning"
TRIALS = (PUSHES, UP, DOWN, BROKEN, TURN)


def survived(body: CreatureBody, gait: CreatureGait) -> dict[str, list[int]]:
    """Of each trial how many stand to its end, and of how many; by muscles where the gait has some."""
    return {name: list(_tried(body, gait, name)) for name in TRIALS}


def _tried(body: CreatureBody, gait: CreatureGait, trial: str) -> tuple[int, int]:
    n = SIDES if trial == PUSHES else NOISY
    world, rest = World(ground=ground_of(trial)), dict[str, Any]()
    population, numbers = population_of(body, gait, world, n)
    if trial == PUSHES:
        angles = 2.0 * math.pi * np.arange(n) / n
        force = PUSH_N * body.mass_kg / OF_KG * np.stack([np.cos(angles), np.sin(angles), 0.0 * angles], axis=1)
        rest["shoves"] = (Shove(PUSHED_S, PUSH_S, force),)
    else:
        rest["noise"] = population.noise((3, 1), NOISE, n)
    if trial == TURN:
        rest["turn_rad_s"] = math.radians(TURN_DEG_S)
    leg = straight_leg_m(body)
    speed = gait.dimensionless_speed * leg / time_unit_s(leg, world.gravity_m_s2)
    ended_s = population.run(np.tile(numbers, (n, 1)), ROBUST_S, speed, **rest)
    return int((ended_s >= ROBUST_S).sum()), n


def population_of(body: CreatureBody, gait: CreatureGait, world: World, n: int) -> tuple[Population, np.ndarray]:
    """Walkers that go by a gait, and its numbers (K,)."""
    quick = vector_of(gait.parameters)
    if gait.muscles is None:
        return Population(body, world, n), quick
    from lope.addon.bodies.creature.muscles import creature_muscles
    from lope.addon.locomotion.creature.muscle_numbers import MuscleNumbers

    muscles = MuscleNumbers(creature_muscles(body, EARTH_GRAVITY_M_S2)).vector_of(gait.muscles)
    return MusclePopulation(body, world, n), np.concatenate([quick, muscles])


def ground_of(trial: str) -> GroundSpec:
    """A plane, a slope, or a ground whose slope is another one every metre."""
    if trial in (UP, DOWN):
        return GroundSpec(kind="slope", slope_deg=SLOPE_DEG if trial == UP else -SLOPE_DEG)
    if trial != BROKEN:
        return GroundSpec()
    slopes = np.random.default_rng(5).uniform(-1.0, 1.0, FIELD_M) * math.tan(math.radians(SLOPE_DEG))
    slopes[:2 * LEVEL_M] = 0.0
    heights = np.concatenate([[0.0], np.cumsum(slopes)])
    rows = tuple((float(height),) * (2 * WIDE_M + 1) for height in heights)
    return GroundSpec(kind="field", heights_m=rows, spacing_m=1.0, origin_m=(-float(LEVEL_M), -float(WIDE_M)))


def row_of(name: str, how: str, stood: Mapping[str, Any]) -> str:
    """One creature's line of the table."""
    return f"| {name} | {how} | " + " | ".join(f"{stood[trial][0]} of {stood[trial][1]}" for trial in TRIALS) + " |"


def head_row() -> str:
    """The table's head."""
    return (f"| creature | by | {PUSH_N:g} N x {PUSH_S:g} s, {SIDES} sides | {SLOPE_DEG:g} deg up | {SLOPE_DEG:g} deg down | "
            f"every metre up to {SLOPE_DEG:g} deg | {TURN_DEG_S:g} deg/s |\n|---|---|---|---|---|---|---|")
