# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether gaits from key poses stand: gaits by worlds by seeds, pushes from eight sides, and changes from gait to gait.

    scripts/check pose_gaits [stand speeds planets looks pushes changes learning ...] [--gaits NAME ...] [--worlds earth moon ...]
                             [--seeds 3] [--seconds 60] [--engine mujoco] [--to NAME ...] [--direct] [--every N]

`stand`: each gait in each world, with noise 0.1 at the start; `seconds` are Earth's, longer where things fall slowly; one that
was made for a slope goes up it. Speeds are along the way. `speeds`: the walk asked for 0 to 1.5 m/s, and the heading's error.
`planets`: the printed walk from rest on five of them, by both engines. `looks`: the largest force over the weight, time on both
feet, how long heels are down first and toes last, the knee as it lands, and the chest's roll. `pushes`: the largest of 30, 60 ...
N for 0.4 s at the chest that is survived for 6 s, in place and at the gait's own speed; the first must be. `changes`: from each
gait to each other one, asked for at six times: each must stand for 6 s more; one in five may fall, elsewhere one in twenty.
`learning`: the trunk's swing in the walk, and in the plane's walks, as it is, after a minute of learning in more and fewer bins,
and at half the firmness: it is to be a quarter as large, and to walk on softer. """

from __future__ import annotations

import argparse
import math
import os
from collections.abc import Iterator
from dataclasses import asdict, replace

import numpy as np

from lope.addon.errors import LopeError
from lope.addon.gaits.pose_gaits import load_pose_gait, pose_gait_names
from lope.addon.reports.events import treading
from lope.addon.reports.measures import ways_m
from lope.addon.reports.strides import whole_strides
from lope.addon.search.pose_gait import Walked, learn, walked
from lope.addon.sim.simulation import Simulation, simulate
from lope.addon.sim.take import Take
from lope.addon.specs.motions import KeyPoses
from lope.addon.specs.path import GroundSpec
from lope.addon.specs.pose_gait import Learning, PoseGait
from lope.addon.specs.shot import PLANAR_MASS_KG, BodySpec, Push, Shot
from lope.addon.specs.steering import Steering
from lope.addon.worlds.planets import load_world
from lope.scripts.suites.runner import STANDS, Case, Figures, Suite, Table, at_least, at_most, simulated, slowness

LEARNERS = (("human", "walk", (14, 36)), ("planar", "walk", (14, 72, 180, 36)), ("planar", "in_place", (14, 72, 180, 36)))
"""Kinds of bodies, gaits, and bins in which they learn: the last as Lope does."""
LEARN_S = 60.0
PLANETS, ENGINES = ("earth", "moon", "mars", "neptune", "jupiter"), ("mujoco", "pybullet")
LOOKED_FROM_S = 3.0
SPEEDS_M_S = (0.0, 0.25, 0.5, 0.75, 1.0, 1.25, 1.5)
PUSH_S, PUSHED_S, AFTER_S, STEP_N, MOST_N = 0.4, 5.0, 6.0, 30.0, 400.0
ASKED_S = tuple(4.0 + 0.13 * i for i in range(6))
"""When a change is asked for: six times within a stride."""
CHANGED_S, THROUGH_S = 6.0, 4.0
"""How long it must stand from then on, and how much longer where it goes through a third gait."""


def shot(name: str, args: argparse.Namespace, **values) -> Shot:
    """A shot of a gait."""
    gait = load_pose_gait(name)
    if "asked" in values:
        gait = replace(gait, speed_m_s=values.pop("asked"))
    if gait.slope_deg:
        slope = GroundSpec(kind="slope", slope_deg=gait.slope_deg)
        values["world"] = replace(values.get("world") or load_world("earth"), ground=slope)
    values.setdefault("engine", args.engine)
    return Shot(motion=KeyPoses(gait, start="standing"), **values)


def settled_speed(take: Take) -> float:
    """Mean speed [m/s] along the way, round a bend too, over the whole strides that begin in the second half. Not a number where
    there is none."""
    strides = whole_strides(take)
    late = None if strides is None else strides.time_s[:-1] > 0.5 * take.time_s[-1]
    if late is None or not late.any():
        return math.nan
    return float(ways_m(take, strides)[late].sum() / np.diff(strides.time_s)[late].sum())


def gaits(args: argparse.Namespace) -> Iterator[tuple[str, str]]:
    """The gaits."""
    return ((name, name) for name in args.gaits)


def stand(case: Case, args: argparse.Namespace) -> Figures:
    """A gait in a world."""
    slow = slowness(case.world)
    take, figures = simulated(shot(case.what, args, world=load_world(case.world), duration_s=round(args.seconds * slow, 1),
                                   noise=0.1, seed=case.seed), case, args)
    return figures | {"speed_m_s": settled_speed(take), "as_on_earth_m_s": settled_speed(take) * slow}


def planet(case: Case, args: argparse.Namespace) -> Figures:
    """The walk on a planet by an engine."""
    engine, world = case.what
    slow = slowness(world)
    one = shot("walk", args, world=load_world(world), duration_s=round(args.seconds * slow, 1), engine=engine)
    take, figures = simulated(one, case, args)
    return figures | {"as_on_earth_m_s": settled_speed(take) * slow}


def look(case: Case, args: argparse.Namespace) -> Figures:
    """How feet tread."""
    take, figures = simulated(shot(case.what, args, duration_s=args.seconds, noise=0.1), case, args)
    return figures | ({} if take.fell else asdict(treading(take, LOOKED_FROM_S)))


def speed(case: Case, args: argparse.Namespace) -> Figures:
    """The walk asked for a speed."""
    take, figures = simulated(shot("walk", args, asked=case.what, duration_s=args.seconds), case, args)
    w, x, y, z = take.segment_poses[1][:, 0].T
    off = np.arctan2(2.0 * (w * z + x * y), 1.0 - 2.0 * (y * y + z * z)) - take.plan_heading_rad
    return figures | {"speed_m_s": settled_speed(take),
                      "heading_off_deg": float(np.degrees(np.sqrt(np.mean(np.square(off[take.time_s > 3.0])))))}


def push(case: Case, args: argparse.Namespace) -> Figures:
    """The largest push from a side that is survived."""
    name, asked, k = case.what
    angle, force = 0.25 * math.pi * k, 0.0
    values = {} if asked is None else {"asked": asked}

    def survives(force_n: float) -> bool:
        one = Push(PUSHED_S, PUSH_S, (force_n * math.cos(angle), force_n * math.sin(angle), 0.0))
        return not simulate(shot(name, args, duration_s=PUSHED_S + AFTER_S, pushes=(one,), **values)).fell

    while force + STEP_N <= MOST_N and survives(force + STEP_N):
        force += STEP_N
    return {"largest_n": force}


def pushes(args: argparse.Namespace) -> Iterator[tuple[str, tuple[str, float | None, int]]]:
    """Eight sides of each gait, in place and at its own speed."""
    return ((f"{name} {'in place' if asked == 0.0 else 'own speed'} {45 * k} degrees", (name, asked, k)) for name in args.gaits
            for asked in (0.0, None) for k in range(8))


def change_cases(args: argparse.Namespace) -> Iterator[tuple[str, tuple[str, int]]]:
    """Each gait to each other one, at each time; one simulation a gait, from which the others branch off."""
    others, asked = args.to or args.gaits, ASKED_S[::args.every]
    for name in args.gaits:
        simulation = Simulation(shot(name, args, duration_s=asked[-1] + CHANGED_S + THROUGH_S))
        for at in asked:
            while simulation.time_s < at - 1e-9 and not simulation.over:
                simulation.step()
            for other in others:
                if other != name:
                    yield f"{name} to {other} at {at:.2f} s", 0.0 if simulation.over else branched(simulation, other, args.direct)
        simulation.close()


def changed(case: Case, args: argparse.Namespace) -> Figures:
    """How long it stood."""
    return {"stood_s": case.what}


def branched(simulation: Simulation, name: str, direct: bool) -> float:
    """How long [s] it stands, at most `CHANGED_S`, if it becomes another gait now, `direct` even where a way through a third one
    is stored; the simulation itself stays where it is."""
    here, there = os.pipe()
    if os.fork() == 0:
        lasted = 0.0
        try:
            began = simulation.time_s
            gait = load_pose_gait(name)
            simulation.wish(Steering(began, gait=name, pose_gait=gait) if direct else Steering(began, gait=name))
            lasts = CHANGED_S + THROUGH_S * (simulation.shot.motion.steering[-1].via is not None)
            while not simulation.over and simulation.time_s < began + lasts:
                simulation.step()
            lasted = CHANGED_S if simulation.time_fell_s is None else min(simulation.time_fell_s - began, CHANGED_S - 0.001)
        finally:
            os.write(there, f"{lasted:.3f}".encode())
            os._exit(0)
    os.close(there)
    os.wait()
    with os.fdopen(here) as answer:
        return float(answer.read())


def learning(case: Case, args: argparse.Namespace) -> Figures:
    """A walk before and after learning, and at half the firmness."""
    kind, name, bins = case.what
    body = BodySpec() if kind == "human" else BodySpec(kind=kind, mass_kg=PLANAR_MASS_KG)
    gait = load_pose_gait(name, kind)
    before, figures, after = swing(gait, 20.0, body), {}, None
    for count in bins:
        after = swing(replace(gait, learning=Learning(bins=count)), LEARN_S, body)
        figures |= {} if after is None else {f"bins_{count}_swing_deg": after.swing_deg, f"bins_{count}_rms_deg": after.rms_deg}
    plain = swing(replace(gait, firmness=0.5), 20.0, body)
    found, report = learn(replace(gait, firmness=0.5), body)
    part = "rms_deg" if kind == "human" else "swing_deg"  # the whole pelvis, or in the plane its swing
    figures |= {"before_deg": None if before is None else getattr(before, part),
                "learned_share": getattr(after, part) / getattr(before, part) if before and after else math.nan,
                "softer_rms_deg": report["trunk_rms_after_deg"], "softer_m_s": report["speed_after_m_s"],
                "softer_learns_on": bool(found.learning)}
    return figures | ({} if plain is None else {"softer_share": report["trunk_rms_after_deg"] / plain.rms_deg})


def swing(gait: PoseGait, seconds: float, body: BodySpec) -> Walked | None:
    """What a walk is like; None where it falls."""
    try:
        return walked(gait, seconds, body)
    except LopeError:
        return None


def options(parser: argparse.ArgumentParser) -> None:
    """The suite's own."""
    parser.add_argument("--gaits", nargs="+", default=pose_gait_names(), metavar="NAME")
    parser.add_argument("--to", nargs="+", metavar="NAME", help="changes: to these gaits alone")
    parser.add_argument("--direct", action="store_true", help="changes: go through no third gait")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="changes: every so manieth of the six times")
    parser.add_argument("--seconds", type=float, default=60.0, metavar="S")
    parser.add_argument("--engine", default="mujoco", metavar="NAME")


SUITE = Suite({
    "stand": Table(gaits, stand, STANDS, may_fail=0.05),
    "speeds": Table(lambda args: ((f"walk asked {asked:.2f} m/s", asked) for asked in SPEEDS_M_S), speed, STANDS, 0.05, False),
    "planets": Table(lambda args: ((f"walk {world} by {engine}", (engine, world)) for engine in ENGINES for world in PLANETS),
                     planet, STANDS, 0.05, False),
    "looks": Table(gaits, look, STANDS, 0.05, False),
    "pushes": Table(pushes, push, {"largest_n": at_least(STEP_N)}, 0.05, False),
    "changes": Table(change_cases, changed, {"stood_s": at_least(CHANGED_S)}, 0.2, False),
    "learning": Table(lambda args: ((f"{kind} {name}", (kind, name, bins)) for kind, name, bins in LEARNERS), learning,
                      {"learned_share": at_most(0.25), "softer_share": at_most(0.5)}, 0.05, False),
}, options, {"gaits": ["walk", "in_place"], "worlds": ["earth"], "seeds": 1, "seconds": 8.0, "every": 6}, default=("stand",),
    worlds=("earth", "moon", "mars", "jupiter"), seeds=3, takes=True)
