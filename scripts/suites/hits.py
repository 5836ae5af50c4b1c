# SPDX-License-Identifier: GPL-3.0-or-later
"""What balls do to somebody who stands, walks, follows a clip or goes on rails: how far the struck chain flies, and who falls.

    scripts/check hits [free] [--motions stand walk CLIP.bvh ...] [--segments upper_arm_L chest ...] [--speeds 3 6 9] [--direction
    -1,0,0]
                       [--mass 4.19] [--time 1] [--seconds 4] [--law balance] [--low 0.15] [--hold 0.15] [--back 0.25]
    scripts/check hits rails --motions CLIP.bvh ... [--worlds earth moon] [--speeds 3 6 9] [--parts arm chest head thigh] [--at
    0.4]

Every shot is simulated with the ball and without it. `free`: the root mean square over the coordinates of the struck chain's
joints of the angles between the two, at most, how long after the hit it was back under 5 degrees to stay so for 0.3 s, and when
it was last over them; beside it the first two against the pose that was wanted, as a take tells it by itself. Who stands or
follows must not fall; an arm must fly 25 to 60 degrees off and be back at the pose that is wanted within 0.7 s: who is pushed off
balance flings the arms out on purpose, and on the Moon for seconds. `rails`: a ball of 4.19 kg comes at so much of the clip, from
where the hips face; a motion that nobody hits must be played to 0.2 degrees, and a chain be below 5 degrees for good within a
second. """

from __future__ import annotations

import argparse
import math
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np

from lope.addon.bodies.makers import make_body
from lope.addon.errors import InputError
from lope.addon.locomotion.hit.rails import played_clip
from lope.addon.locomotion.settings import read_settings
from lope.addon.maths.rotations import matrix_from_quat, quat_conjugate, quat_multiply
from lope.addon.reports.hits import hits_of
from lope.addon.sim.simulation import simulate
from lope.addon.sim.take import Take
from lope.addon.specs.disturbances import BALL_KG, LAWS, Hit, Reaction
from lope.addon.specs.motions import Clip, Gait, Stand
from lope.addon.specs.shot import Shot
from lope.addon.worlds.planets import load_world
from lope.scripts.suites.runner import STANDS, Case, Figures, Suite, Table, at_most, simulated, slowness, within

CLIP = ".bvh"
"""Of a file whose motion is followed by somebody who may be caught."""
MOTIONS = {"stand": Stand(), "walk": Gait("walk")}
ARM = ("clavicle", "upper_arm", "forearm", "hand")
PARTS = {
    "arm": ("forearm_L", ("clavicle_L", "upper_arm_L", "forearm_L", "hand_L")),
    "chest": ("chest", ("lower_spine", "chest")),
    "head": ("head", ("neck", "head")),
    "thigh": ("thigh_L", ("thigh_L", "shank_L", "foot_L")),
}
"""What is struck on rails, and the chain that yields. The ball flies against where the hips face."""
BACK_DEG = 5.0


def free_cases(args: argparse.Namespace) -> Iterator[tuple[str, tuple[str, str, float]]]:
    """Every motion, segment and speed."""
    for motion in args.motions or ["stand"]:
        if not motion.endswith(CLIP) and motion not in MOTIONS:
            raise InputError(f"There is no motion named {motion!r}: expected {', '.join(MOTIONS)} or a clip's file.")
        for segment in args.segments:
            for speed in args.speeds:
                yield f"{Path(motion).stem} {segment} {speed:g} m/s", (motion, segment, speed)


def free_shot(args: argparse.Namespace, motion: str, world: str, *hits: Hit) -> Shot:
    """The shot of a motion on a world."""
    reaction = Reaction(law=args.law, low=args.low, hold_s=args.hold, back_s=args.back, looseness=args.looseness)
    shot = Shot(world=load_world(world), engine=args.engine, hits=hits, reaction=reaction)
    if motion.endswith(CLIP):
        return replace(shot, motion=Clip(motion, catch=True, until_end=True))
    return replace(shot, duration_s=args.seconds, motion=MOTIONS[motion])


WITHOUT: dict[tuple[str, str], Take] = {}
"""Takes without a ball."""


def free(case: Case, args: argparse.Namespace) -> Figures:
    """What one ball did."""
    motion, segment, speed = case.what
    clip = motion.endswith(CLIP)
    hit = Hit(args.time * (slowness(case.world) if clip else 1.0), segment, args.mass, speed,
              tuple(float(x) for x in args.direction.split(",")))
    if (motion, case.world) not in WITHOUT:
        WITHOUT[motion, case.world] = simulate(free_shot(args, motion, case.world))
    take, figures = simulated(free_shot(args, motion, case.world, hit), case, args)
    found, own = hits_of(take, WITHOUT[motion, case.world])[0], hits_of(take)[0]
    end = figures.pop("fell_s")
    arm = found.segment.startswith(ARM) and found.peak_deg is not None
    figures |= {"fell_s" if motion == "stand" or clip else "walk_fell_s": end, "struck": found.segment,
                "time_s": found.time_s, "impulse_ns": found.impulse_ns, "arm_peak_deg" if arm else "peak_deg": found.peak_deg,
                "back_s": found.back_s, "last_s": found.last_s, "own_peak_deg": own.peak_deg,
                "arm_own_back_s" if arm else "own_back_s": own.back_s}
    more = {name: take.stats.get(name) for name in ("steps_taken", "handed_over_s", "spliced_back_s", "followed_fraction")}
    return figures | {name: value for name, value in more.items() if value is not None}


def rail_cases(args: argparse.Namespace) -> Iterator[tuple[str, tuple[str, str, float]]]:
    """Every clip, part and speed, and each clip without a hit."""
    for clip in args.motions:
        yield f"{Path(clip).stem} unhit", (clip, "", 0.0)
        for part in args.parts:
            for speed in args.speeds:
                yield f"{Path(clip).stem} {part} {speed:g} m/s", (clip, part, speed)


@cache
def unhit(clip: str, world: str, engine: str, looseness: float, settings: tuple[str, ...]) -> tuple[Shot, Take]:
    """A clip on rails that nobody hits."""
    shot = Shot(
        motion=Clip(clip, time="clip", controller="hit", until_end=True),
        world=load_world(world),
        engine=engine,
        reaction=Reaction(law="rails", looseness=looseness),
        gains=read_settings(list(settings)) or None,
    )
    return shot, simulate(shot)


def rails(case: Case, args: argparse.Namespace) -> Figures:
    """What a ball did to a body on rails."""
    clip, part, speed = case.what
    shot, without = unhit(clip, case.world, args.engine, args.looseness, tuple(args.setting))
    if not part:
        return {"drift_deg": float(without.channels["hit_off_motion_deg"].values.max())}
    played = played_clip(shot, make_body(shot.body))
    x = matrix_from_quat(played.clip.root_quaternion[int(args.at * len(played.clip.root_quaternion))])[:, 0]
    way = math.atan2(x[1], x[0]) + math.pi
    segment, chain = PARTS[part]
    hit = Hit(round(args.at * played.duration_s, 2), segment, speed_m_s=speed, direction=(math.cos(way), math.sin(way), 0.0))
    take, figures = simulated(replace(shot, hits=(hit,)), case, args)
    return judged(take, without, chain) | {"cpu_s_per_s": figures["cpu_s_per_s"]}


def off_deg(take: Take, free: Take, chain: tuple[str, ...]) -> dict[str, np.ndarray]:
    """How far each joint of a chain is from where it is in the other take (T, 3), rotation vectors [deg]."""
    names, count = take.body.joint_segments, min(len(take.time_s), len(free.time_s))
    found = {}
    for name in chain:
        row = names.index(name)
        turn = quat_multiply(quat_conjugate(free.joint_quaternions[:count, row]), take.joint_quaternions[:count, row])
        turn = turn * np.where(turn[:, :1] < 0.0, -1.0, 1.0)
        size = np.linalg.norm(turn[:, 1:], axis=1, keepdims=True)
        found[name] = np.degrees(2.0 * np.arctan2(size, turn[:, :1]) / np.maximum(size, 1e-12) * turn[:, 1:])
    return found


def judged(take: Take, without: Take, chain: tuple[str, ...]) -> Figures:
    """Largest root mean square [deg], largest turn [deg] and whose, when the chain is back [s], and what was struck first."""
    off = off_deg(take, without, chain)
    coordinates = sum(1 if take.body.segment(name).joint == "hinge" else 3 for name in chain)
    mean = np.sqrt(sum((turn**2).sum(axis=1) for turn in off.values()) / coordinates)
    most = {name: float(np.linalg.norm(turn, axis=1).max()) for name, turn in off.items()}
    farthest = max(most, key=lambda name: most[name])
    strikes = take.stats.get("strikes", [])
    if not strikes:
        return {"struck": "nothing"}
    since = take.time_s[:len(mean)] - strikes[0]["time_s"]
    return {"peak_deg": float(mean.max()), "joint_deg": most[farthest], "joint": farthest,
            "back_on_rails_s": float(since[mean > BACK_DEG].max(initial=0.0)), "struck": strikes[0]["segment"]}


def options(parser: argparse.ArgumentParser) -> None:
    """The suite's own."""
    parser.add_argument("--motions", nargs="+", default=[], metavar="MOTION",
                        help=f"of {', '.join(MOTIONS)}, or a clip's file (default: stand; rails need clips)")
    parser.add_argument("--segments", nargs="+", default=["upper_arm_L", "chest", "head", "thigh_L"], metavar="NAME")
    parser.add_argument("--parts", nargs="+", default=tuple(PARTS), choices=PARTS, help="rails: what is struck")
    parser.add_argument("--speeds", nargs="+", type=float, default=[3.0, 6.0, 9.0], metavar="M/S")
    parser.add_argument("--direction", default="-1,0,0", metavar="X,Y,Z")
    parser.add_argument("--mass", type=float, default=BALL_KG, metavar="KG")
    parser.add_argument("--time", type=float, default=1.0, metavar="S")
    parser.add_argument("--at", type=float, default=0.4, metavar="SHARE", help="rails: of the clip")
    parser.add_argument("--seconds", type=float, default=4.0, metavar="S")
    parser.add_argument("--engine", default="mujoco", metavar="NAME")
    parser.add_argument("--law", default="balance", choices=LAWS)
    parser.add_argument("--setting", action="append", default=[], metavar="GROUP.NAME=VALUE", help="rails: gains")
    for name in ("low", "hold", "back", "looseness"):
        default = getattr(Reaction(), name if hasattr(Reaction(), name) else f"{name}_s")
        parser.add_argument(f"--{name}", type=float, default=default)


SUITE = Suite(
    {"free": Table(free_cases, free, STANDS | {"arm_peak_deg": within(25.0, 60.0), "arm_own_back_s": at_most(0.7)}),
     "rails": Table(rail_cases, rails, {"drift_deg": at_most(0.2), "back_on_rails_s": at_most(1.0)}, worlds=("earth", "moon"))},
    options, {"segments": ["upper_arm_L"], "parts": ("arm",), "speeds": [6.0], "worlds": ["earth"], "seconds": 3.0},
    default=("free",), worlds=("earth",), takes=True)
