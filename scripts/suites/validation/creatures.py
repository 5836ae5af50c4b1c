# SPDX-License-Identifier: GPL-3.0-or-later
"""Which creatures walk by the quick law, and whether gravity is similarity.

    scripts/check creatures [walks planets robust ...] [--shapes FILE.json ...] [--random 20] [--minutes 5] [--only TEXT ...]
                            [--out out/creatures] [--anew]

`walks`: the shipped creatures, those of `--shapes` (as `lope creature from` writes them of rigs) and so many drawn at random;
each is searched for so many minutes of processor time at most and then tried for 30 s on Earth and on the Moon from 8 noisy
starts; four in five must walk in both. `planets`: the shipped ones' gaits on five planets, scaled; and on the Moon and Jupiter by
the law of Earth, which must fall. `robust`: the shipped ones on Earth, pushed from eight sides, up and down, over ground that
changes every metre, turning; by torques, and by muscles where a gait is stored.

A search takes minutes, so a result is kept under the creature's shape and what is asked of it, whatever code made it (which is
noted beside it); gaits found are kept as files, from which a search goes on or a shot can be made.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import math
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from lope.addon.bodies.creature.body import CreatureBody, make_creature
from lope.addon.bodies.creature.feet import off_soles_m
from lope.addon.bodies.creature.findings import creature_findings
from lope.addon.bodies.creature.template import Template, creature_names, find_creature
from lope.addon.bodies.makers import make_body
from lope.addon.errors import LopeError
from lope.addon.files import write_whole
from lope.addon.locomotion.creature.parameters import time_unit_s, vector_of
from lope.addon.locomotion.creature.stored import shipped_gaits
from lope.addon.reports.card import physics_card
from lope.addon.reports.measures import measured
from lope.addon.search.creature import CreatureProblem, CreatureSearch
from lope.addon.search.creature_muscles_problem import MusclePopulation
from lope.addon.search.creature_objective import Wish
from lope.addon.search.creature_problem import CreaturePopulation, QuickProblem, Trials
from lope.addon.search.population import Shove
from lope.addon.search.search import STOPPED, Search
from lope.addon.sim.simulation import simulate
from lope.addon.sim.take import Take
from lope.addon.specs import motions
from lope.addon.specs.creature import CREATURE, Creature
from lope.addon.specs.motions import CreatureGait, creature_gait_file
from lope.addon.specs.path import GroundSpec
from lope.addon.specs.shot import EARTH_GRAVITY_M_S2, BodySpec, Shot, World
from lope.addon.worlds.planets import load_world
from lope.scripts.suites.runner import REFUSED, Figures, Suite, Table, is_
from lope.scripts.suites.runner import Case as Measured

from .case import code_version, results_in

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
    known = {} if anew else results_in(folder / RESULTS)
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


def found_gait(case: Case, folder: Path) -> dict[str, Any]:
    """The gait of a creature on Earth: searched as `lope tune --creature` does, or taken up where it was stopped; kept as a
    file."""
    path = folder / "gaits" / f"{case.name}.json"
    path.parent.mkdir(exist_ok=True)
    if path.is_file() and (known := json.loads(path.read_text(encoding="utf-8")))["key"] == case_key(case):
        return known
    spec = BodySpec(kind=CREATURE, creature=case.creature)
    body, world = make_body(spec), load_world(EARTH)
    speed = SPEED * math.sqrt(world.gravity_m_s2 * body.leg_length_m)
    checkpoint = path.with_suffix(".checkpoint")
    problem = CreatureProblem(spec, world, speed)
    plan = replace(CreatureSearch.usual, minutes=case.minutes)
    searching = CreatureSearch(problem, plan)
    search = searching.search = Search(searching.tries, plan, checkpoint=checkpoint, resume=True)
    ended = search.go()
    if ended == STOPPED:
        raise KeyboardInterrupt
    judged_there = {} if search.champion is None else dict(search.champion.judged.detail)
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
    return dict(problem.judged(problem.point(vector_of(gait.parameters))[None])[0].detail)


def taken(case: Case, gait: CreatureGait, world: World, scaling: str = "similar", seed: int = 1, noise: float = 0.0) -> Take:
    """A take of a creature by a gait, at the speed asked for."""
    body = make_creature(case.creature)
    speed = SPEED * math.sqrt(world.gravity_m_s2 * body.leg_length_m)
    return simulate(
        Shot(
            motion=motions.Creature(gait, speed_m_s=speed, scaling=scaling),
            body=BodySpec(kind=CREATURE, creature=case.creature),
            world=world,
            duration_s=SECONDS,
            seed=seed,
            noise=noise,
        )
    )


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
        population.shoves = (Shove(PUSHED_S, PUSH_S, force),)
    else:
        rest["noise"] = population.noise((3, 1), NOISE, n)
    if trial == TURN:
        rest["turn_rad_s"] = math.radians(TURN_DEG_S)
    leg = body.leg_length_m
    speed = gait.dimensionless_speed * leg / time_unit_s(leg, world.gravity_m_s2)
    ended_s = population.run(np.tile(numbers, (n, 1)), ROBUST_S, speed, **rest)
    return int((ended_s >= ROBUST_S).sum()), n


def population_of(body: CreatureBody, gait: CreatureGait, world: World, n: int) -> tuple[CreaturePopulation, np.ndarray]:
    """Walkers that go by a gait, and its numbers (K,)."""
    quick = vector_of(gait.parameters)
    if gait.muscles is None:
        return CreaturePopulation(body, world, n), quick
    from lope.addon.bodies.creature.muscles import creature_muscles
    from lope.addon.locomotion.creature.muscle_law import MuscleNumbers

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


def measure(case: Measured, args: argparse.Namespace) -> Figures:
    """The figures of a creature, kept or made: of each world, planet or trial those that are told."""
    (result,) = fill([case.what], args.out, args.anew)
    if "error" in result:
        return {REFUSED: result["error"]}
    found: Figures = {"held": result["held"]}
    for name, value in result.get("search", {}).items():
        found[f"search_{name}"] = value
    for world, one in result.get("worlds", {}).items():
        told = one["starts"] | one["measures"] | one
        found |= {f"{world}_{name}": told.get(name) for name in (
            "stood", "speed", "double_support", "flight", "force_peak", "leg_in_stance", "legs_gap_m", "body_gap_m", "card")}
        found[f"{world}_lacks"] = ", ".join(one["lacks"]) or None
    found |= {f"{world}_speed": one.get("speed") for world, one in result.get("scaled", {}).items()}
    found |= {f"{world}_by_earths_law_fell_s": at for world, at in result.get("fixed_fell_s", {}).items()}
    found |= {name: result[name] for name in ("spread",) if name in result}
    for how, trials in result.get("stood", {}).items():
        found |= {f"{how}, {trial}": f"{stood} of {of}" for trial, (stood, of) in trials.items()}
    return found


def named(row: str) -> Callable[[argparse.Namespace], Iterator[tuple[str, Case]]]:
    """The creatures of a row by their names."""
    def found(args: argparse.Namespace) -> Iterator[tuple[str, Case]]:
        drawn = {Path(name).stem: find_creature(name) for name in args.shapes}
        drawn |= {f"random_{seed:02}": random_creature(seed) for seed in range(1, args.random + 1)}
        return ((case.name, case) for case in cases([row], drawn, args.minutes))
    return found


def options(parser: argparse.ArgumentParser) -> None:
    """The suite's own."""
    parser.add_argument("--shapes", nargs="*", default=[], metavar="FILE.json", help="more creatures, such as rigs'")
    parser.add_argument("--random", type=int, default=20, metavar="N", help="so many drawn at random (default: %(default)s)")
    parser.add_argument("--minutes", type=float, default=5.0, help="processor time of a search at most (default: %(default)g)")
    parser.add_argument("--out", type=Path, default=Path("out/creatures"), help="default: %(default)s")
    parser.add_argument("--anew", action="store_true", help="do again what there are results of")


SUITE = Suite({row: Table(named(row), measure, {"held": is_(True)}, 1.0 - SHARE if row == WALKS else 0.0) for row in ROWS},
              options, {"minutes": 0.1, "random": 0, "only": ["ostrich"], "tables": [WALKS, PLANETS]})


LEG_M = 0.5, 1.2
SEGMENTS = 2, 3
CHAIN = 8
"""Most segments of a neck and of a tail."""
TRIES = 200


def random_creature(seed: int) -> Creature:
    """The creature of that seed: legs of 0.5 to 1.2 m in 2 or 3 segments and a foot, a trunk at any pitch, necks and tails of
    0 to 8 segments; it stands over its feet. All other sizes are shares of its leg, in ranges about those of people and birds
    (first guesses)."""
    rng = np.random.default_rng(seed)
    for _ in range(TRIES):
        creature = random_template(f"random_{seed}", rng).creature()
        if not creature_findings(creature) and not off_soles_m(creature).any():
            return creature
    raise AssertionError(f"No creature of seed {seed} stands in {TRIES} tries.")


def random_template(name: str, rng: np.random.Generator) -> Template:
    """Sizes of one, which may not stand."""
    def between(low: float, high: float) -> float:
        return float(rng.uniform(low, high))

    leg, count = between(*LEG_M), int(rng.integers(SEGMENTS[0], SEGMENTS[1] + 1))
    inverted = count == SEGMENTS[1] or rng.random() < 0.3
    shares = np.array([between(0.6, 1.0) if count == SEGMENTS[1] and i == 0 else between(0.8, 1.2) for i in range(count)])
    knee = between(45.0, 75.0)
    single = between(25.0, 50.0) if inverted else between(8.0, 25.0)
    bends = (knee, knee * between(0.6, 0.85)) if count == SEGMENTS[1] else (single,)
    thick = np.geomspace(between(0.06, 0.08), between(0.022, 0.04), count)
    upright = rng.random() < 0.4
    trunk, neck, tail = between(0.35, 0.65), int(rng.integers(0, CHAIN + 1)), int(rng.integers(0, CHAIN + 1))
    return Template(
        name, tuple(map(float, leg * shares / shares.sum())), (*map(float, leg * thick), leg * between(0.022, 0.03)),
        foot_m=leg * between(0.22, 0.34), trunk_m=leg * trunk, trunk_radius_m=leg * trunk * between(0.2, 0.3),
        legs="inverted" if inverted else "human", bend_deg=bends,
        heel_share=between(0.08, 0.2) if inverted else between(0.2, 0.3), foot_height_m=leg * between(0.05, 0.085),
        foot_width_m=leg * between(0.09, 0.14), hip_width_m=leg * between(0.16, 0.28), hips_share=0.0 if upright else None,
        trunk_pitch_deg=between(65.0, 90.0) if upright else between(-5.0, 50.0),
        neck=neck, neck_m=leg * min(between(0.08, 0.16), 1.0 / max(neck, 1)), neck_pitch_deg=between(20.0, 85.0),
        neck_radius_m=leg * between(0.03, 0.05), head_m=leg * between(0.12, 0.22), head_pitch_deg=between(-20.0, 20.0),
        head_radius_m=leg * between(0.045, 0.075),
        tail=tail, tail_m=leg * min(between(0.08, 0.15), 1.0 / max(tail, 1)), tail_pitch_deg=between(-25.0, 25.0),
        tail_radius_m=leg * between(0.03, 0.06), taper=between(0.35, 1.0), source="drawn at random")
