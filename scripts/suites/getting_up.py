# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether bodies that are pushed over get up again: one who stands, walks and runs, in four directions, on three worlds.

    scripts/check getting_up [--worlds earth mars moon] [--seeds 3] [--only stand front ...] [--engine NAME] [--suit NAME]
        [--slope DEG] [--strips FOLDER]

Pushes with 6 m/s^2 times the mass for 0.3 s, at another moment and with sensors as noisy as people's for every seed. Of each:
the time from lying still until it is up, over the 12 s of Earth that go by the root of gravity, 25 s at most; how often it came
down on the way; how far a ball joint left people's range; how far a hand slid that bears; the deepest place below the ground; and
the greatest force of the ground, a mean over 50 ms, over weight. `--strips` draws each from the side and from the front. """

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np

from lope.addon.bodies.human.suit import load_suit
from lope.addon.bodies.makers import make_body
from lope.addon.maths.rotations import quat_conjugate, quat_multiply, rotvec_from_quat
from lope.addon.sim.take import Take
from lope.addon.specs.motions import Gait, Stand
from lope.addon.specs.shot import BodySpec, GroundSpec, Push, Shot
from lope.addon.worlds.ground import make_ground
from lope.addon.worlds.planets import load_world
from lope.scripts.suites import falls
from lope.scripts.suites.falls import PUSH_M_S2, PUSH_S, WAYS, cases, draw_strip
from lope.scripts.suites.runner import Case, Figures, Row, Suite, Table, at_least, at_most, is_, simulated, slowness
from lope.scripts.tools.pictures.figures import capsule_ends

MOTIONS = {"stand": (Stand(), 0.5), "walk": (Gait("walk", start="moving"), 1.5), "run": (Gait("run", start="moving"), 1.5)}
"""Motion, and when it is pushed [s]."""
LATER_S, NOISE = 0.13, 0.1
"""So much later the next seed is pushed; noise of all seeds but the first."""
UP_S, MOST_UP_S = 12.0, 25.0
"""How long getting up may take on Earth, and anywhere."""
TOUCHES_M, OFF_M = 0.003, 0.05
"""A hand lower than this bears while the trunk is higher than that."""
MEAN_S, FRAMES = 0.05, 14


def measure(case: Case, args: argparse.Namespace) -> Figures:
    """What one fall and getting up shows."""
    motion, push_s = MOTIONS[case.what[0]]
    seed, slow, world = case.seed or 0, slowness(case.world), load_world(case.world)
    if args.slope:
        world = replace(world, ground=GroundSpec("slope", slope_deg=args.slope))
    force = PUSH_M_S2 * make_body(BodySpec(), load_suit(args.suit)).mass_kg * np.array((*WAYS[case.what[1]], 0.0))
    shot = Shot(motion=motion, world=world, engine=args.engine, suit=args.suit, duration_s=4.0, after_fall="get_up", seed=seed,
                noise=NOISE if seed else 0.0, pushes=(Push(push_s + LATER_S * seed, PUSH_S, tuple(force.tolist())),))
    take, _ = simulated(shot, case, args)
    if take.stats["time_fell_s"] is None:
        return {"fell": False}
    lay, up = take.stats.get("time_rest_s"), take.stats.get("time_up_s")
    found: Figures = {"up_s": up, "up_share": None if up is None else up / min(UP_S * slow, MOST_UP_S),
                      "retries": take.stats.get("retries"), "lost": take.lost}
    if lay is not None:
        rows = np.flatnonzero((take.time_s >= lay) & (take.time_s <= lay + (1e9 if up is None else up)))
        slid, deep = on_ground(take, rows)
        found |= {"past_deg": past_deg(take, rows), "slid_mm": slid, "deepest_mm": deep, "force": force_over_weight(take, rows)}
    if args.strips is not None:
        draw(take, args.strips, case.label)
    return found


def past_deg(take: Take, rows: np.ndarray) -> float:
    """How far [deg] a part of a ball joint's rotation vector left people's range."""
    most = 0.0
    for i, name in enumerate(take.body.joint_segments):
        if take.body.segment(name).joint == "ball":
            turn, joint = rotvec_from_quat(take.joint_quaternions[rows, i]), take.body.passive_joint(name)
            most = max(most, float(np.maximum(joint.low - turn, turn - joint.high).max()))
    return float(np.degrees(most))


def on_ground(take: Take, rows: np.ndarray) -> tuple[float, float]:
    """How far [mm] a hand slid while it bore, of what it did not roll, and the deepest place below the ground [mm]."""
    ground = make_ground(take.shot.world.ground)
    _, turns = take.segment_poses
    lows, trunk, slid = [], np.full(len(rows), np.inf), 0.0
    places: list[tuple[str, float, np.ndarray, np.ndarray]] = []
    for segment, radius, start, end in capsule_ends(take):
        for place in (start[rows], end[rows]):
            low = place[:, 2] - radius - ground.height(place[:, 0], place[:, 1])
            lows.append(float(low.min()))
            if segment in (take.body.role("root"), take.body.role("trunk")):
                trunk = np.minimum(trunk, low)
            places.append((segment, radius, place, low))
    for segment, radius, place, low in places:
        if segment.startswith("hand"):
            turn = turns[rows, take.body.index[segment]]
            rolled = rotvec_from_quat(quat_multiply(turn[1:], quat_conjugate(turn[:-1])))
            slip = np.diff(place[:, :2], axis=0) - radius * np.stack([rolled[:, 1], -rolled[:, 0]], axis=1)
            bears = (low < TOUCHES_M) & (trunk > OFF_M)
            for spell in np.split(np.arange(len(rows) - 1), np.flatnonzero(np.diff(bears[:-1])) + 1):
                if len(spell) and bears[spell[0]]:
                    slid = max(slid, float(np.linalg.norm(np.cumsum(slip[spell], axis=0), axis=1).max()))
    return 1e3 * slid, -1e3 * min(lows)


def force_over_weight(take: Take, rows: np.ndarray) -> float:
    """The greatest force of the ground, a mean over 50 ms, over weight."""
    time, speed, gravity = take.time_s[rows], take.com_velocity_m_s[rows], take.shot.world.gravity_m_s2
    count = max(1, round(MEAN_S / float(np.median(np.diff(time)))))
    pull = (speed[count:] - speed[:-count]) / (time[count:] - time[:-count])[:, None] + (0.0, 0.0, gravity)
    return float(np.linalg.norm(pull, axis=1).max()) / gravity


def draw(take: Take, folder: Path, label: str) -> None:
    """A strip from the side and one from the front, from lying still until it is up."""
    lay = take.stats.get("time_rest_s") or take.time_s[-1]
    last = lay + (take.stats.get("time_up_s") or 60.0)
    rows = np.searchsorted(take.time_s, np.linspace(lay, min(last, take.time_s[-1]), FRAMES)).clip(0, len(take.time_s) - 1)
    folder.mkdir(parents=True, exist_ok=True)
    draw_strip(take, rows, folder / f"{label.replace(' ', '-')}.png",
               f"{label}: side (+x to the right), front (+y to the right); seconds since it lay still", lay)


def of_all(rows: list[Row], args: argparse.Namespace) -> Iterator[Row]:
    """How many got up at the first try; those that did not fall do not count."""
    fell = [row.figures for row in rows if "retries" in row.figures]
    if fell:
        first = sum(one["up_s"] is not None and one["retries"] == 0 for one in fell) / len(fell)
        yield Row("getting_up", "of all", {"first_try": first, "falls": len(fell)}, {"first_try": at_least(0.85)})


def options(parser: argparse.ArgumentParser) -> None:
    """The suite's own, beside those of falls."""
    falls.options(parser)
    parser.add_argument("--slope", type=float, default=0.0, metavar="DEG", help="of the ground (default: %(default)s)")


BOUNDS = {"up_share": at_most(1.0), "lost": is_(None)}
SUITE = Suite({"getting_up": Table(cases, measure, BOUNDS, may_fail=0.05, end=of_all)}, options,
              {"only": ["stand front earth 0"], "seeds": 1}, worlds=("earth", "mars", "moon"), seeds=3, takes=True, jobs=2)
