# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether gaits from key poses stand: gaits by worlds by seeds, pushes from eight sides, and changes from gait to gait.

    scripts/check pose_gaits [stand|speeds|planets|looks|pushes|changes|learning ...] [--gaits NAME ...]
                             [--worlds earth moon ...] [--seeds 3] [--seconds 60] [--engine mujoco]

`stand`: each gait in each world, so many seeds, with noise 0.1 at the start; `seconds` are Earth's, longer where things fall
slowly; one that was made for a slope goes up it. Speeds are along the way, and in brackets as if on Earth.
`speeds`: the walk asked for 0 to 1.5 m/s, and the heading's error. `planets`: the printed walk from rest on five of them,
by both engines, its speed as if on Earth. `looks`: the largest force over the weight, time on both feet, how long heels are
down first and toes last, the knee as it lands, and the chest's roll. `pushes`: the largest of 30, 60 ... N for 0.4 s at
the chest that is survived for 6 s, in place and at the gait's own speed. `changes`: from each gait to each other one, asked
for at six times: how many stand for 6 s more, and after how long [s] the first of the others falls. `learning`: the trunk's swing
in the walk, and in the plane's walks, as it is, after a minute of learning in more and fewer bins, and at half the firmness: it
is to be a quarter as large, and to walk on softer. Exit code 1 where more than one in twenty that are to stand do not, or one in
five changes.
"""

from __future__ import annotations

import argparse
import math
import os
import sys
from dataclasses import replace

import numpy as np

from lope.addon.errors import LopeError
from lope.addon.gaits.pose_gaits import load_pose_gait, pose_gait_names
from lope.addon.reports.events import Treading, treading
from lope.addon.reports.measures import ways_m
from lope.addon.reports.strides import whole_strides
from lope.addon.search.pose_gait import Walked, learn, walked
from lope.addon.sim.simulation import Simulation, simulate
from lope.addon.sim.take import Take
from lope.addon.specs.keys import Steering
from lope.addon.specs.motions.key_poses import Learning, PoseGait
from lope.addon.specs.path import GroundSpec
from lope.addon.specs.shot import EARTH_GRAVITY_M_S2, PLANAR_MASS_KG, BodySpec, Push, Shot
from lope.addon.worlds.planets import load_world

LEARNERS = (("human", "walk", (14, 36)), ("planar", "walk", (14, 72, 180, 36)), ("planar", "in_place", (14, 72, 180, 36)))
"""Kinds of bodies, gaits, and bins in which they learn: the last as Lope does."""
LEARN_S = 60.0
WORLDS = ("earth", "moon", "mars", "jupiter")
PLANETS, ENGINES = ("earth", "moon", "mars", "neptune", "jupiter"), ("mujoco", "pybullet")
LOOKED_FROM_S = 3.0
SPEEDS_M_S = (0.0, 0.25, 0.5, 0.75, 1.0, 1.25, 1.5)
PUSH_S, PUSHED_S, AFTER_S, STEP_N, MOST_N = 0.4, 5.0, 6.0, 30.0, 400.0
ASKED_S = tuple(4.0 + 0.13 * i for i in range(6))
"""When a change is asked for: six times within a stride."""
CHANGED_S, THROUGH_S = 6.0, 4.0
"""How long it must stand from then on, and how much longer where it goes through a third gait."""
MAY_FALL = {"changes": 0.2}
MAY_FALL_ELSE = 0.05


def shot(name: str, **values) -> Shot:
    """A shot of a gait."""
    gait = load_pose_gait(name)
    if "asked" in values:
        gait = replace(gait, speed_m_s=values.pop("asked"))
    if gait.slope_deg:
        slope = GroundSpec(kind="slope", slope_deg=gait.slope_deg)
        values["world"] = replace(values.get("world") or load_world("earth"), ground=slope)
    return Shot(pose_gait=gait, controller="pose_gait", start="standing", **values)


def settled_speed(take: Take) -> float:
    """Mean speed [m/s] along the way, round a bend too, over the whole strides that begin in the second half. Not a number where
    there is none."""
    strides = whole_strides(take)
    late = None if strides is None else strides.time_s[:-1] > 0.5 * take.time_s[-1]
    if late is None or not late.any():
        return math.nan
    return float(ways_m(take, strides)[late].sum() / np.diff(strides.time_s)[late].sum())


def stand(args: argparse.Namespace) -> tuple[int, int]:
    """How many stood, of how many."""
    stood = tried = 0
    for name in args.gaits:
        for world in args.worlds:
            slow = math.sqrt(EARTH_GRAVITY_M_S2 / load_world(world).gravity_m_s2)
            row = []
            for seed in range(args.seeds):
                take = simulate(shot(name, world=load_world(world), duration_s=round(args.seconds * slow, 1), noise=0.1,
                                     seed=seed, engine=args.engine))
                tried, stood = tried + 1, stood + (not take.fell)
                row.append(f"fell {take.stats['time_fell_s']:.1f} s" if take.fell else
                           f"{settled_speed(take):.2f} m/s ({settled_speed(take) * slow:.2f})")
            print(f"{name:12} {world:8} {'; '.join(row)}", flush=True)
    return stood, tried


def planets(args: argparse.Namespace) -> tuple[int, int]:
    """How many stood, of how many."""
    stood = 0
    for engine in ENGINES:
        row = []
        for world in PLANETS:
            slow = math.sqrt(EARTH_GRAVITY_M_S2 / load_world(world).gravity_m_s2)
            take = simulate(shot("walk", world=load_world(world), duration_s=round(args.seconds * slow, 1), engine=engine))
            row.append(f"{world} fell {take.stats['time_fell_s']:.1f} s" if take.fell else
                       f"{world} {settled_speed(take) * slow:.3f}")
            stood += not take.fell
        print(f"walk by {engine}: {', '.join(row)}", flush=True)
    return stood, len(ENGINES) * len(PLANETS)


def looks(args: argparse.Namespace) -> tuple[int, int]:
    """How many stood, of how many."""
    stood = 0
    for name in args.gaits:
        take = simulate(shot(name, duration_s=args.seconds, noise=0.1, engine=args.engine))
        found = None if take.fell else treading(take, LOOKED_FROM_S)
        stood += found is not None
        print(f"{name:12} {'fell' if found is None else looked(found)}", flush=True)
    return stood, len(args.gaits)


def looked(found: Treading) -> str:
    """Figures of how feet tread, in words."""
    return (f"peak {found.peak:.2f} of the weight, on both feet {found.double_support:.0%}, in the air {found.flight:.0%}, "
            f"heel {1e3 * found.heel_first_s:+.0f} ms before the rest, toes {1e3 * found.toes_last_s:+.0f} ms after it, "
            f"knee at landing {math.degrees(found.knee_at_strike):.0f} degrees, chest rolls {math.degrees(found.roll):.1f} "
            "degrees rms")


def speeds(args: argparse.Namespace) -> tuple[int, int]:
    """How many stood, of how many."""
    stood = 0
    for asked in SPEEDS_M_S:
        take = simulate(shot("walk", asked=asked, duration_s=args.seconds, engine=args.engine))
        w, x, y, z = take.segment_poses[1][:, 0].T
        yaw = np.arctan2(2.0 * (w * z + x * y), 1.0 - 2.0 * (y * y + z * z))
        off = np.degrees(np.sqrt(np.mean(np.square(yaw[take.time_s > 3.0] - take.plan_heading_rad[take.time_s > 3.0]))))
        print(f"walk asked {asked:.2f} m/s: {'fell' if take.fell else f'{settled_speed(take):.2f} m/s'}, heading off {off:.1f} "
              "degrees rms", flush=True)
        stood += not take.fell
    return stood, len(SPEEDS_M_S)


def pushes(args: argparse.Namespace) -> tuple[int, int]:
    """The largest pushes; counts as standing what survives the first."""
    stood = tried = 0
    for name in args.gaits:
        for asked in (0.0, None):
            largest = []
            for k in range(8):
                angle, force = 0.25 * math.pi * k, 0.0
                while force + STEP_N <= MOST_N and survives(name, asked, angle, force + STEP_N, args.engine):
                    force += STEP_N
                largest.append(force)
            stood, tried = stood + sum(force > 0.0 for force in largest), tried + 8
            print(f"{name:12} {'in place ' if asked == 0.0 else 'own speed'} forward, then to the left round: "
                  f"{', '.join(f'{force:.0f}' for force in largest)} N", flush=True)
    return stood, tried


def survives(name: str, asked: float | None, angle: float, force: float, engine: str) -> bool:
    """Whether a push is survived."""
    values = {} if asked is None else {"asked": asked}
    push = Push(PUSHED_S, PUSH_S, (force * math.cos(angle), force * math.sin(angle), 0.0))
    return not simulate(shot(name, duration_s=PUSHED_S + AFTER_S, pushes=(push,), engine=engine, **values)).fell


def changes(args: argparse.Namespace) -> tuple[int, int]:
    """How many changes stood, of how many: each gait goes on by itself until a change is asked for, and from there, in processes
    that branch off, becomes each other one."""
    others, asked = args.to or args.gaits, ASKED_S[::args.every]
    stood = tried = 0
    print(f"{'from, to':12} {' '.join(f'{name[:9]:>9}' for name in others)}")
    for name in args.gaits:
        fell: dict[str, list[float]] = {other: [] for other in others}
        simulation = Simulation(shot(name, duration_s=asked[-1] + CHANGED_S + THROUGH_S, engine=args.engine))
        for at in asked:
            while simulation.time_s < at - 1e-9 and not simulation.over:
                simulation.step()
            for other in others:
                lasted = 0.0 if simulation.over else branched(simulation, other, args.direct)
                if other != name and lasted < CHANGED_S:
                    fell[other].append(lasted)
        simulation.close()
        row = []
        for other in others:
            good = len(asked) - len(fell[other])
            row.append("-" if other == name else f"{good}/{len(asked)}" + (f" {min(fell[other]):.1f}" if fell[other] else ""))
            stood, tried = stood + good * (other != name), tried + len(asked) * (other != name)
        print(f"{name:12} {' '.join(f'{cell:>9}' for cell in row)}", flush=True)
    return stood, tried


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
            lasts = CHANGED_S + THROUGH_S * (simulation.shot.steering[-1].via is not None)
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


def learning(args: argparse.Namespace) -> tuple[int, int]:
    """How many swing a quarter as much, and walk on at half the firmness, of how many."""
    good = tried = 0
    for kind, name, bins in LEARNERS:
        body = BodySpec() if kind == "human" else BodySpec(kind=kind, mass_kg=PLANAR_MASS_KG)
        gait = load_pose_gait(name, kind)
        before = swing(gait, 20.0, body, f"{kind} {name}")
        for count in bins:
            after = swing(replace(gait, learning=Learning(bins=count)), LEARN_S, body, f"{kind} {name}, {count} bins")
        plain = swing(replace(gait, firmness=0.5), 20.0, body, f"{kind} {name}, half as firm, unlearned")
        found, report = learn(replace(gait, firmness=0.5), body)
        print(f"{kind} {name}, half as firm, learned: {report['trunk_swing_after_deg']:.2f} degrees from least to most, "
              f"{report['trunk_rms_after_deg']:.2f} rms, {report['speed_after_m_s']:.2f} m/s for {gait.speed_m_s:g} asked"
              f"{', while it learns on' if found.learning else ''}", flush=True)
        tried += 2
        good += bool(before and after and quarter(before, after, kind))
        good += plain is None or report["trunk_rms_after_deg"] < 0.5 * plain.rms_deg
    return good, tried


def quarter(before: Walked, after: Walked, kind: str) -> bool:
    """Whether the trunk is a quarter as unsteady: the whole pelvis, or in the plane its swing."""
    return after.rms_deg <= 0.25 * before.rms_deg if kind == "human" else after.swing_deg <= 0.25 * before.swing_deg


def swing(gait: PoseGait, seconds: float, body: BodySpec, what: str) -> Walked | None:
    """What a walk is like, printed; None where it falls."""
    try:
        found = walked(gait, seconds, body)
    except LopeError as error:
        print(f"{what}: {error}", flush=True)
        return None
    share = "" if found.feedback_share is None else f", feedback {found.feedback_share:.1%} of what is learned, by squares"
    print(f"{what}: {found.swing_deg:.2f} degrees from least to most, {found.rms_deg:.2f} rms, {found.speed_m_s:.2f} m/s{share}",
          flush=True)
    return found


CHECKS = {"stand": stand, "speeds": speeds, "planets": planets, "looks": looks, "pushes": pushes, "changes": changes,
          "learning": learning}


def main() -> int:
    """Run the checks and print a line each."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("checks", nargs="*", default=["stand"], metavar="CHECK", help=f"of {', '.join(CHECKS)} (default: stand)")
    parser.add_argument("--gaits", nargs="+", default=pose_gait_names(), metavar="NAME")
    parser.add_argument("--to", nargs="+", metavar="NAME", help="changes: to these gaits alone")
    parser.add_argument("--direct", action="store_true", help="changes: go through no third gait")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="changes: every so manieth of the six times")
    parser.add_argument("--worlds", nargs="+", default=list(WORLDS), metavar="NAME")
    parser.add_argument("--seeds", type=int, default=3, metavar="N")
    parser.add_argument("--seconds", type=float, default=60.0, metavar="S")
    parser.add_argument("--engine", default="mujoco", metavar="NAME")
    args = parser.parse_args()
    unknown = set(args.checks) - set(CHECKS)
    if unknown:
        parser.error(f"there is no check named {', '.join(sorted(unknown))}")
    try:
        results = {name: CHECKS[name](args) for name in args.checks}
    except LopeError as error:
        parser.error(str(error))
    for name, (good, tried) in results.items():
        print(f"{name}: {good} of {tried}")
    return int(any(good < (1.0 - MAY_FALL.get(name, MAY_FALL_ELSE)) * tried for name, (good, tried) in results.items()))


if __name__ == "__main__":
    sys.exit(main())
