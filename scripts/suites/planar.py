# SPDX-License-Identifier: GPL-3.0-or-later
"""What the planar body and its twelve printed gaits do (docs/notes/planar.md): Yin 2007, rows L1 to L6.

    scripts/check planar [gaits mujoco pushes skip planets torque steps slopes speed chain noisy ...] [--seconds 60] [--gaits NAME
    ...] scripts/check planar chain noisy [--list LIST.toml] [--chain-seeds 5] [--noise 0.05] scripts/check planar chain --search
    [--stay 2.4]

`chain`: the chain of gaits of section 7.4, without its back-flip, the first shot of docs/lists/planar-chain.toml; `noisy` also
starts it with noise, which is told and not judged. `--search` prints the lines `steer` of a chain like it: each change is asked
for at the earliest time, from `--stay` seconds after the one before, at which the next gait stands until its own change; where
there is none, a change before is tried later. """

from __future__ import annotations

import argparse
import json
import math
import os
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from lope.addon.batch.plan import plan_list
from lope.addon.batch.shot_list import read_list
from lope.addon.errors import InputError
from lope.addon.gaits.pose_gaits import PLANAR, load_pose_gait, pose_gait_names
from lope.addon.sim.simulation import Simulation
from lope.addon.specs.motions import KeyPoses
from lope.addon.specs.path import GroundSpec
from lope.addon.specs.pose_gait import PoseGait
from lope.addon.specs.shot import PLANAR_MASS_KG, BodySpec, Push, Shot, World
from lope.addon.specs.steering import Steering
from lope.addon.worlds.planets import load_world
from lope.scripts.suites.runner import STANDS, Case, Figures, Row, Suite, Table, at_least, at_most, simulated, slowness
from lope.scripts.tools.common import ROOT

PRINTED = ("walk", "in_place", "fast_walk", "high_step", "half_bent", "bent", "crouch", "scissor_hop", "backwards", "fast_run",
           "run", "skipping")
FRICTION = 0.65
"""The thesis's, section 7.3.1."""
PLANETS = ("earth", "moon", "mars", "neptune", "jupiter")
PUSHES, EVERY_S, PUSH_S = 10, 5.0, 0.1
WALK_PUSH_N, SKIP_PUSH_N = (600.0, -500.0), (40.0, -50.0)
LIMITS_NM = {"walk": 90.0, "fast_run": 1000.0}
OTHER_LIMIT_NM = 370.0
STEP_DOWN_M, STEPS_APART_M, SLOPE_DEG = 0.2, 3.0, 6.0


LIST = ROOT / "docs" / "lists" / "planar-chain.toml"
STEP_S, TRIES, LASTS_S = 0.06, 48, 3.0
"""Times at which a change is tried, how many, and how long the next gait must stand."""


def ran(gait: str, seconds: float, engine: str = "springs", world: World | None = None, **values: Any) -> Figures:
    """Simulate a gait of the planar body from its stored start: when it fell, how long it went, its speed in the second half, the
    time of a step, how far it came down, and simulated seconds a CPU second."""
    world = replace(world or load_world("earth"), friction=FRICTION)
    shot = Shot(
        motion=KeyPoses(load_pose_gait(gait, PLANAR), start="standing"),
        body=BodySpec(kind=PLANAR, mass_kg=PLANAR_MASS_KG),
        engine=engine,
        duration_s=seconds,
        world=world,
        **values,
    )
    simulation, half, began = Simulation(shot), (0.0, 0.0), time.process_time()
    try:
        while not simulation.over:
            simulation.step()
            if simulation.time_s <= 0.5 * seconds:
                half = simulation.time_s, float(simulation.state.qpos[0])
        cpu_s, went, here = time.process_time() - began, simulation.time_s, simulation.state.qpos
        return {"fell_s": simulation.time_fell_s if simulation.lost is None else went, "time_s": went,
                "speed_m_s": (float(here[0]) - half[1]) / max(went - half[0], 1e-9),
                "step_s": simulation.controller.machine.step_s or math.nan,
                "down_m": -float(simulation.state.ground.height(float(here[0]), 0.0)), "rate": went / cpu_s}
    finally:
        simulation.close()


def named(args: argparse.Namespace) -> Iterator[tuple[str, str]]:
    """The gaits."""
    return ((name, name) for name in args.gaits)


def gait(case: Case, args: argparse.Namespace, engine: str = "springs") -> Figures:
    """L1: a printed gait from its stored start; the walk's speed and step are 1.0 and 0.36."""
    found = ran(case.what, args.seconds, engine)
    if case.what == "walk":
        found |= {"speed_off": abs(found["speed_m_s"] - 1.0), "step_off": abs(found["step_s"] / 0.36 - 1.0)}
    return found


def gait_on_mujoco(case: Case, args: argparse.Namespace) -> Figures:
    """The same on MuJoCo's ground."""
    return gait(case, args, "mujoco")


def ten_pushes(case: Case, args: argparse.Namespace) -> Figures:
    """L2, L3: ten pushes of 0.1 s at the top of the trunk, one every five seconds."""
    name, force = case.what
    pushes = tuple(Push(EVERY_S * (i + 1), PUSH_S, (force, 0.0, 0.0)) for i in range(PUSHES))
    return ran(name, EVERY_S * (PUSHES + 1) + 5.0, pushes=pushes)


def planet(case: Case, args: argparse.Namespace) -> Figures:
    """Row 2: the walk, its speed and step as if on Earth."""
    slow = slowness(case.what)
    found = ran("walk", 0.5 * args.seconds * slow, world=load_world(case.what))
    return found | {"speed_as_on_earth": found["speed_m_s"] * slow, "step_as_on_earth": found["step_s"] / slow}


def similar(rows: list[Row], args: argparse.Namespace) -> Iterator[Row]:
    """How far each planet's walk is off the first one's."""
    for row in rows[1:]:
        off = {f"{name}_off_percent": 100.0 * abs(row.figures[name] / rows[0].figures[name] - 1.0)
               for name in ("speed_as_on_earth", "step_as_on_earth")}
        yield Row(row.table, f"{row.case} off {rows[0].case}", off, dict.fromkeys(off, at_most(1.0)))


def limited(case: Case, args: argparse.Namespace) -> Figures:
    """L5: a torque limit."""
    name, most = case.what
    return ran(name, 0.5 * args.seconds, gains={"planar": {"strongest": most}})


def over_ground(case: Case, args: argparse.Namespace) -> Figures:
    """L4: the walk over unseen steps down, or on a slope."""
    return ran("walk", 0.5 * args.seconds, world=World(ground=case.what))


def pace(case: Case, args: argparse.Namespace) -> Figures:
    """L6: simulated seconds a CPU second, 5 on the thesis's machine."""
    return ran("walk", 10.0, case.what)


def of(*values: Any, called: str) -> Callable[[argparse.Namespace], Iterator[tuple[str, Any]]]:
    """Cases that are always the same."""
    return lambda args: ((called.format(value), value) for value in values)


def stands_stands_until(simulation: Simulation, time_s: float) -> bool:
    """Whether it comes to a time standing."""
    while simulation.time_s < time_s - 1e-9 and not simulation.over:
        simulation.step()
    return simulation.time_fell_s is None


def stands_until(simulation: Simulation, time_s: float) -> bool:
    """Whether it comes to a time standing."""
    while simulation.time_s < time_s - 1e-9 and not simulation.over:
        simulation.step()
    return simulation.time_fell_s is None


def branched(answer: Callable[[], list[float] | bool | None]) -> list[float] | bool | None:
    """What a function answers in a process that branches off here: the simulation itself stays where it is."""
    here, there = os.pipe()
    child = os.fork()
    if child == 0:
        said: list[float] | bool | None = None
        try:
            said = answer()
        finally:
            os.write(there, json.dumps(said).encode())
            os._exit(0)
    os.close(there)
    with os.fdopen(here) as told:
        said = json.loads(told.read())
    os.waitpid(child, 0)
    return said


def search(simulation: Simulation, chain: Sequence[PoseGait], stay_s: float) -> list[float] | None:
    """Times [s] of the changes to the gaits of the chain, from where the simulation is; None where there are none."""
    if not chain:
        return [] if stands_until(simulation, simulation.time_s + LASTS_S) else None
    began = simulation.time_s
    for i in range(TRIES):
        if not stands_until(simulation, began + stay_s + i * STEP_S):
            return None
        at = round(simulation.time_s, 3)

        def later(at: float = at) -> list[float] | None:
            simulation.wish(Steering(at, gait=chain[0].name, pose_gait=chain[0]))
            if not branched(lambda: stands_until(simulation, at + LASTS_S)):
                return None
            print(f"{at:.3f},{chain[0].name}", file=sys.stderr, flush=True)
            rest = search(simulation, chain[1:], stay_s)
            return None if rest is None else [at, *rest]

        found = branched(later)
        if isinstance(found, list):
            return found
    return None


def chain(case: Case, args: argparse.Namespace) -> Figures:
    """The chain, and when each gait came."""
    shot = replace(shot_of(args.list), noise=args.noise if case.what else 0.0, seed=case.what)
    take, figures = simulated(shot, case, args)
    changes = take.stats.get("pose_changes", [])
    if case.what:
        figures["noisy_fell_s"] = figures.pop("fell_s")
    return figures | {"changes": len(changes), "of": len(take.shot.motion.steering),
                      "came": ", ".join(f"{name} {time_s:.2f}" for time_s, name in changes)}


def shot_of(path: Path) -> Shot:
    """The first shot of a list. Raises InputError where it is none."""
    planned = plan_list(read_list(path)).shots[0]
    if planned.shot is None:
        raise InputError(planned.problem)
    return planned.shot


def searched(args: argparse.Namespace) -> None:
    """Search a chain where that is asked for, print it, and end."""
    if args.search:
        shot = shot_of(args.list)
        gaits = [one.pose_gait for one in shot.motion.steering if one.pose_gait is not None]
        times = search(Simulation(replace(shot.with_motion(steering=()), duration_s=600.0)), gaits, args.stay)
        if times is None:
            raise InputError("No chain stands: try another --stay.")
        print("steer = [" + ", ".join(f'"{at:g},{one.name}"' for at, one in zip(times, gaits, strict=True)) + "]")
        sys.exit(0)


def options(parser: argparse.ArgumentParser) -> None:
    """The suite's own."""
    parser.add_argument("--seconds", type=float, default=60.0, help="of the gaits; half of it elsewhere")
    parser.add_argument("--gaits", nargs="+", default=list(PRINTED), choices=pose_gait_names(PLANAR), metavar="NAME")
    parser.add_argument("--list", type=Path, default=LIST, metavar="LIST.toml")
    parser.add_argument("--chain-seeds", type=int, default=5, metavar="N")
    parser.add_argument("--noise", type=float, default=0.05)
    parser.add_argument("--stay", type=float, default=2.4, metavar="S")
    parser.add_argument("--search", action="store_true", help="search a chain and print it")


WALK = STANDS | {"speed_off": at_most(0.05), "step_off": at_most(0.05)}
DOWN = {f"20 cm down every {apart:.1f} m": GroundSpec("steps", rise_m=-STEP_DOWN_M, run_m=apart)
        for apart in (STEPS_APART_M, 1.1 * STEPS_APART_M, 1.2 * STEPS_APART_M)}
SLOPES = {f"{slope:+.0f} degrees": GroundSpec("slope", slope_deg=slope) for slope in (SLOPE_DEG, -SLOPE_DEG)}
SUITE = Suite({
    "gaits": Table(named, gait, WALK),
    "mujoco": Table(named, gait_on_mujoco, WALK, may_fail=2.0 / len(PRINTED)),
    "pushes": Table(of(*(("walk", force) for force in WALK_PUSH_N), called="{0[0]} {0[1]:.0f} N"), ten_pushes, STANDS),
    "skip": Table(of(*(("skipping", force) for force in SKIP_PUSH_N), called="{0[0]} {0[1]:.0f} N"), ten_pushes, STANDS),
    "planets": Table(of(*PLANETS, called="{}"), planet, STANDS, end=similar),
    "torque": Table(lambda args: ((f"{name} {most:.0f} N m at most", (name, most)) for name in args.gaits
                                  for most in [LIMITS_NM.get(name, OTHER_LIMIT_NM)]), limited, STANDS),
    "steps": Table(lambda args: DOWN.items(), over_ground, STANDS),
    "slopes": Table(lambda args: SLOPES.items(), over_ground, STANDS),
    "speed": Table(of("springs", "mujoco", called="{}"), pace, {"rate": at_least(5.0)}),
    "chain": Table(of(0, called="chain"), chain, STANDS, begin=searched),
    "noisy": Table(lambda args: ((f"seed {seed}", seed) for seed in range(1, args.chain_seeds + 1)), chain),
}, options, {"seconds": 8.0, "gaits": ["walk", "crouch"], "chain_seeds": 1}, default=(
    "gaits", "mujoco", "pushes", "skip", "planets", "torque", "steps", "slopes", "speed"), takes=True)
