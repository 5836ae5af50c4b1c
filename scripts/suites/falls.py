# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether bodies that are pushed over fall as they should: a walk, a run and one who stands, in four directions, baked to rest.

    scripts/check falls [--worlds earth moon] [--only walk front ...] [--engine mujoco] [--suit NAME] [--strips FOLDER]

Pushes with 6 m/s^2 times the mass for 0.3 s and lets the body go limp. Of each fall: how long after the push it let go; how long
after that it lay still, as on Earth (there are 10 s for it); the deepest place below the ground; the most energy that was gained,
over what there was when push and muscles had ended, the joints' counted; how far a knee bent backwards; the deepest that the
cores of two limbs were in each other (MuJoCo's); how often head and trunk swung against each other by more than 5 degrees in the
second before rest. `--strips` draws each from the side and from the front. """

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from lope.addon.bodies.capsules import body_capsules, line_distance, passing_pairs
from lope.addon.bodies.human.suit import load_suit
from lope.addon.bodies.makers import make_body
from lope.addon.files import written_whole
from lope.addon.maths.rotations import quat_rotate
from lope.addon.reports.plots import new_figure
from lope.addon.sim.take import Take
from lope.addon.specs.motions import Gait
from lope.addon.specs.shot import BodySpec, Push, Shot
from lope.addon.worlds.planets import load_world
from lope.scripts.suites.runner import Case, Figures, Suite, Table, at_least, at_most, simulated, slowness
from lope.scripts.tools.pictures.figures import capsule_ends, draw_lying

WAYS = {"front": (1.0, 0.0), "left": (0.0, 1.0), "back": (-1.0, 0.0), "right": (0.0, -1.0)}
MOTIONS = {"walk": ("walk", "moving", 1.5), "run": ("run", "moving", 1.5), "stand": ("walk", "standing", 0.1)}
"""Gait, how it starts, and when it is pushed [s]: who stands is pushed before the first step."""
PUSH_M_S2, PUSH_S = 6.0, 0.3
LANDED_S = 0.5
"""From then on the head is to lie: before it is thrown."""
STRIP_S = (-0.3, 0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.65, 0.8, 1.0, 1.3, 1.7, 2.2, 3.0)
"""Moments of a strip after the body has let go, on Earth; its last frame is added."""


def cases(args: argparse.Namespace) -> Iterator[tuple[str, tuple[str, str]]]:
    """Every motion pushed every way."""
    for motion in MOTIONS:
        for way in WAYS:
            yield f"{motion} {way}", (motion, way)


def overlap_m(take: Take, rows: np.ndarray) -> float:
    """How deep at most the cores of two segments that cannot pass are in each other [m]."""
    shapes = body_capsules(take.body)
    passing = set(passing_pairs(take.body, shapes))
    places, turns = take.segment_poses
    ends = [tuple(places[rows, i] + quat_rotate(turns[rows, i], point) for point in (s.start, s.end))
            for s in shapes for i in [take.body.index[s.segment]]]
    deepest = 0.0
    for b, one in enumerate(shapes):
        for a, other in enumerate(shapes[:b]):
            if one.segment == other.segment or {(one.segment, other.segment), (other.segment, one.segment)} & passing:
                continue
            reach = one.core_m + other.core_m
            for k in range(len(rows)):
                deepest = max(deepest, reach - line_distance(ends[a][0][k], ends[a][1][k], ends[b][0][k], ends[b][1][k]))
    return deepest


def swings(take: Take, rows: np.ndarray) -> int:
    """How often the head turned back against the trunk, by more than 5 degrees each way."""
    _, turns = take.segment_poses
    head, trunk = (turns[rows, take.body.index[take.body.role(role)]] for role in ("head", "trunk"))
    cosine = np.einsum("ti,ti->t", quat_rotate(head, np.array([0.0, 0.0, 1.0])), quat_rotate(trunk, np.array([1.0, 0.0, 0.0])))
    angle, last, found, rising = np.degrees(np.arcsin(np.clip(cosine, -1.0, 1.0))), None, 0, None
    for value in angle:
        last = value if last is None else last
        if abs(value - last) > 5.0:
            found += rising is not None and (value > last) != rising
            rising, last = value > last, value
        elif rising is not None and (value > last) == rising:
            last = value
    return found


def measure(case: Case, args: argparse.Namespace) -> Figures:
    """What one fall shows."""
    motion, way = case.what
    gait, start, push_s = MOTIONS[motion]
    mass = make_body(BodySpec(), load_suit(args.suit)).mass_kg
    force = tuple(PUSH_M_S2 * mass * part for part in (*WAYS[way], 0.0))
    take, _ = simulated(
        Shot(
            motion=Gait(gait, start=start),
            world=load_world(case.world),
            engine=args.engine,
            suit=args.suit,
            duration_s=10.0,
            pushes=(Push(push_s, PUSH_S, force),),
            after_fall="limp",
        ),
        case,
        args,
    )
    fell, rest, slow = take.stats["time_fell_s"], take.stats.get("time_rest_s"), slowness(case.world)
    if fell is None or take.lost:
        return {"let_go_s": None}
    after = take.time_s > fell + 1e-6
    rows = np.flatnonzero(after)
    energy = take.channels["limp_energy_j"].values[after & (take.time_s >= push_s + PUSH_S)]
    low = min(float((np.minimum(a[after, 2], b[after, 2]) - radius).min()) for _, radius, a, b in capsule_ends(take))
    knees = [take.joint_quaternions[after, take.body.joint_segments.index(f"shank_{side}"), 2] for side in "LR"]
    late = take.time_s[rows] > max((rest or take.time_s[-1]) - 1.0, fell + LANDED_S * slow)
    if args.strips is not None:
        args.strips.mkdir(parents=True, exist_ok=True)
        draw(take, args.strips / f"{case.label.replace(' ', '-')}-{args.engine}.png", f"{case.label} {args.engine}", slow)
    deep_mm = 1e3 * overlap_m(take, rows[::5])
    return {"let_go_s": fell - push_s - PUSH_S, "rest_on_earth_s": None if rest is None else (rest - fell) / slow,
            "deepest_mm": -1e3 * min(low, float(take.contact_point_m[after, :, 2].min())),
            "gain": float((energy - np.minimum.accumulate(energy)).max() / energy[0]),
            "knee_deg": -float(np.degrees(min((2.0 * np.arcsin(knee)).min() for knee in knees))),
            ("limbs_mm" if args.engine == "mujoco" else "limbs_unjudged_mm"): deep_mm, "swings": swings(take, rows[late])}


def draw(take: Take, path: Path, title: str, slow: float) -> None:
    """A strip of the fall."""
    fell = take.stats["time_fell_s"]
    times = fell + np.minimum(slow, 2.0) * np.array(STRIP_S)
    rows = [*np.searchsorted(take.time_s, times[times < take.time_s[-1]]), len(take.time_s) - 1]
    draw_strip(take, rows, path, f"{title}: side (+x to the right), front (+y to the right); seconds since it let go", fell)


def draw_strip(take: Take, rows: Sequence[int], path: Path, title: str, zero_s: float) -> None:
    """Samples of a take from the side and from the front, in a picture; times count from `zero_s`."""
    figure, axes = new_figure(1.75 * len(rows), 4.6, 2)
    for across, axis in enumerate(axes):
        draw_lying(axis, take, rows, across, zero_s)
    axes[0].set_title(title, fontsize=9)
    with written_whole(path, "picture") as partial:
        figure.savefig(partial, dpi=72)


def options(parser: argparse.ArgumentParser) -> None:
    """The suite's own."""
    parser.add_argument("--engine", default="mujoco", choices=("mujoco", "pybullet"))
    parser.add_argument("--suit", default="none")
    parser.add_argument("--strips", type=Path, metavar="FOLDER")


BOUNDS = {"let_go_s": at_least(-10.0), "rest_on_earth_s": at_most(10.0), "deepest_mm": at_most(10.0), "gain": at_most(0.01),
          "knee_deg": at_most(8.0), "limbs_mm": at_most(30.0), "swings": at_most(2)}
"""Knees of people go up to 10 degrees backwards."""
SUITE = Suite({"falls": Table(cases, measure, BOUNDS)}, options, {"only": ["walk front earth"]}, worlds=("earth", "moon"),
              takes=True, jobs=2)
