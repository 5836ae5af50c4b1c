# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether who stands stays up: quiet standing, and pushes from all sides, as a table and as a map.

    scripts/check standing [quiet sway leg slope map steady ...] [--seconds 60] [--worlds earth ...] [--step 50] [--most 400]
                           [--directions 16] [--seeds 1] [--stance NAME=VALUE,...] [--height 1.8] [--mass 75] [--engine mujoco]
                           [--picture FILE.png]

`quiet`: so many seconds (Earth's, longer where things fall slowly) with start noise: no step, and no drift of 5 cm; `sway`:
the way of the centre of pressure within that of people, 10 to 90 % of 42 trials of 60 s, young, eyes open, firm ground
(Santos and Duarte 2016, doi 10.7717/peerj.2648, CC BY 4.0), and how far head, elbows and trunk go; `leg`: as `quiet` on one
leg, 30 s at most; `slope`: on ten degrees, up, across and down, 30 s at most. `map`: pushes of 0.2 s at the chest in steps of
so many newtons from so many directions, with force times mass over 75 kg and gravity over Earth's, time over the root of
that; of each whether it stood, with how many steps, how near the legs came, the ground's most over m g, the fastest ankle and
the time from the push's beginning to the first lift; three in a hundred may fall. `steady`: 80 % of what a person stands,
with another mass or less friction. """

from __future__ import annotations

import argparse
import math
from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from lope.addon.bodies.body import Capsule
from lope.addon.bodies.capsules import leg_pairs
from lope.addon.files import written_whole
from lope.addon.maths.rotations import quat_rotate
from lope.addon.options.motion_options import stance_from
from lope.addon.reports.feet import between
from lope.addon.sim.take import Take
from lope.addon.specs.path import GroundSpec
from lope.addon.specs.shot import EARTH_GRAVITY_M_S2, BodySpec, Push, Shot, World
from lope.addon.worlds.planets import load_world
from lope.scripts.suites.runner import STANDS, Case, Figures, Row, Suite, Table, at_most, is_, simulated, within

SHORT_S, SLOPE_DEG = 30.0, 10.0
SETTLE_S, MOST_HZ = 5.0, 10.0
"""Start of a shot whose sway is not counted, and the rate over which it is left out, as people's was."""
AFTER_S, PUSHED_S, PUSH_S, NOISE, LIFT_M = 6.0, 1.0, 0.2, 0.1, 0.015
"""A foot in the air whose ankle went so far is lifted."""
FACTORS = {0.0: 450.0, 90.0: 400.0, 180.0: 350.0}
"""Pushes [N] on 75 kg by direction of which `steady` takes 80 %."""
CHANGES = {"as it is": (None, 1.0), "mass -5 %": (None, 0.95), "mass -10 %": (None, 0.9), "friction 0.4": (0.4, 1.0)}
COLOURS = {"ankles": "#2c7fb8", "hips": "#41b6c4", "step": "#a1dab4", "steps": "#fecc5c"}


def shot(args: argparse.Namespace, world: World, stance: tuple[str, ...] = (), mass: float = 1.0, **values) -> Shot:
    """A shot of somebody who stands."""
    return Shot(world=world, motion=stance_from([*args.stance, *stance], True), engine=args.engine,
                body=BodySpec(height_m=args.height, mass_kg=mass * args.mass), **values)


def scale(args: argparse.Namespace, world: World) -> tuple[float, float]:
    """Factors of forces, and of times."""
    ratio = world.gravity_m_s2 / EARTH_GRAVITY_M_S2
    return ratio * args.mass / 75.0, 1.0 / math.sqrt(ratio)


def still(case: Case, args: argparse.Namespace) -> Figures:
    """Whether nobody steps or drifts while nothing happens."""
    seconds, stance, towards = case.what
    world = load_world(case.world)
    if towards is not None:
        world = replace(world, ground=GroundSpec(kind="slope", slope_deg=SLOPE_DEG, direction_deg=towards))
    take, figures = simulated(shot(args, world, stance, duration_s=round(min(args.seconds, seconds) * scale(args, world)[1], 1),
                                   noise=NOISE, seed=case.seed), case, args)
    off = 100.0 * np.hypot(*(take.com_m[:, :2] - take.com_m[0, :2]).T)
    feet = [take.segment_poses[0][:, take.body.index[foot.segment], :2] for foot in take.body.feet]
    return figures | {"steps": take.stats["steps_taken"], "drift_cm": float(off.max()), "deviation_cm": float(np.std(off)),
                      "feet_cm": 100.0 * max(float(np.hypot(*(foot - foot[0]).T).max()) for foot in feet)}


def swaying(case: Case, args: argparse.Namespace) -> Figures:
    """Where the pressure of somebody goes who stands, ahead and to the left, and how far joints go."""
    from scipy.signal import butter, detrend, filtfilt, periodogram

    world = load_world(case.world)
    slow = scale(args, world)[1]
    seconds = round((args.seconds + SETTLE_S) * slow, 1)
    take, figures = simulated(shot(args, world, duration_s=seconds, seed=case.seed), case, args)
    after = take.time_s >= SETTLE_S * slow
    force, rate = take.arrays["contact_point_force_n"][after], 1.0 / float(np.diff(take.time_s).mean())
    way = 1e3 * (force[..., None] * take.arrays["contact_point_m"][after][..., :2]).sum(axis=1) / force.sum(axis=1)[:, None]
    way = filtfilt(*butter(4, 2.0 * MOST_HZ / rate), way - way.mean(axis=0), axis=0)
    hertz, power = periodogram(detrend(way, axis=0), rate, axis=0)
    joints, names = take.arrays["joint_quaternions"][after], list(take.body.joint_segments)
    turned = {name: math.degrees(2.0 * math.acos(min(float(np.abs(joints[:, at] @ joints[0, at]).min()), 1.0)))
              for name, at in ((name, names.index(name)) for name in ("head", "forearm_L", "forearm_R", "chest"))}
    mean_hz = (hertz[:, None] * power).sum(axis=0) / power.sum(axis=0)
    return figures | {"ahead_mm": float(way[:, 0].std()), "aside_mm": float(way[:, 1].std()),
                      "speed_mm_s": float(np.hypot(*np.diff(way, axis=0).T).mean() * rate * slow),
                      "ahead_hz": float(mean_hz[0]) * slow, "aside_hz": float(mean_hz[1]) * slow} | {
                          f"{name}_deg": degrees for name, degrees in turned.items()}


def pushed(case: Case, args: argparse.Namespace, world: World, force_n: float, degrees: float, mass: float = 1.0) -> tuple[
        Take, Figures]:
    """A take of one push; the force is for the mass of the options."""
    force, slow = scale(args, world)
    way = force * force_n * complex(math.cos(math.radians(degrees)), math.sin(math.radians(degrees)))
    push = Push(PUSHED_S, round(PUSH_S * slow, 3), (way.real, way.imag, 0.0))
    return simulated(shot(args, world, mass=mass, pushes=(push,), duration_s=round(PUSHED_S + AFTER_S * slow, 2),
                          seed=case.seed, noise=NOISE if args.seeds > 1 else 0.0), case, args)


def grid(args: argparse.Namespace) -> Iterator[tuple[str, tuple[float, float]]]:
    """The pushes of a map."""
    for k in range(args.directions):
        for force in np.arange(args.step, args.most + 1e-9, args.step).tolist():
            yield f"{360.0 * k / args.directions:.1f} degrees {force:.0f} N", (360.0 * k / args.directions, force)


def cell(case: Case, args: argparse.Namespace) -> Figures:
    """A push of the map: the ground's most over m g, the fastest ankle, and the first lift of a foot that goes somewhere."""
    degrees, force = case.what
    take, figures = pushed(case, args, load_world(case.world), force, degrees)
    time_s, body = take.time_s, take.body
    after, fastest, lift = time_s > PUSHED_S, 0.0, math.inf
    for k, foot in enumerate(body.feet):
        ankle = take.segment_poses[0][:, body.index[foot.segment]]
        fastest = max(fastest, float(np.linalg.norm(np.gradient(ankle, time_s, axis=0), axis=1).max()))
        stood = ankle[np.searchsorted(time_s, PUSHED_S)]
        lifted = after & ~take.contact[:, k] & (np.linalg.norm(ankle - stood, axis=1) > LIFT_M)
        if lifted.any():
            lift = min(lift, float(time_s[lifted.argmax()]) - PUSHED_S)
    ground = float(take.grf_n[:, :, 2].sum(axis=1).max()) / (body.mass_kg * take.shot.world.gravity_m_s2)
    return figures | {"strategy": take.stats["strategy"], "steps": take.stats["steps_taken"], "leg_gap_cm": 100 * leg_gap_m(take),
                      "ground_over_weight": ground, "ankle_m_s": fastest, "first_lift_s": None if lift == math.inf else lift,
                      "degrees": degrees, "force_n": force}


def steady(case: Case, args: argparse.Namespace) -> Figures:
    """A push on a body that is lighter, or on less friction."""
    (friction, mass), degrees = case.what
    world = load_world(case.world)
    there = world if friction is None else replace(world, friction=friction)
    return pushed(case, args, there, 0.8 * FACTORS[degrees], degrees, mass)[1]


def draw(rows: list[Row], args: argparse.Namespace) -> list[Row]:
    """The map as a picture: a polar dial a world, coloured by strategy, falls as crosses."""
    if args.picture:
        worlds = list(dict.fromkeys(row.case.split()[4] for row in rows))
        from matplotlib.figure import Figure

        figure = Figure(figsize=(4.6 * len(worlds), 4.8), layout="constrained")
        axes = figure.subplots(1, len(worlds), subplot_kw={"projection": "polar"}, squeeze=False)[0]
        for axis, world in zip(axes, worlds, strict=True):
            axis.set_theta_zero_location("N")
            for row in (row for row in rows if row.case.split()[4] == world):
                fell, colour = row.figures["fell_s"] is not None, COLOURS[row.figures["strategy"]]
                mark = {"marker": "x", "color": "#d7301f"} if fell else {"marker": "o", "color": colour}
                axis.scatter(math.radians(row.figures["degrees"]), row.figures["force_n"], s=42, **mark)
            axis.set_title(f"{world}: N on 75 kg, as on Earth", fontsize=9)
        for strategy, colour in COLOURS.items():
            axes[0].scatter([], [], color=colour, label=strategy)
        axes[0].scatter([], [], color="#d7301f", marker="x", label="falls")
        figure.legend(loc="outside lower center", ncols=5, fontsize=8, frameon=False)
        with written_whole(args.picture, "picture") as partial:
            figure.savefig(partial, dpi=90)
    return []


def options(parser: argparse.ArgumentParser) -> None:
    """The suite's own."""
    parser.add_argument("--seconds", type=float, default=60.0, metavar="S")
    parser.add_argument("--step", type=float, default=50.0, metavar="N")
    parser.add_argument("--most", type=float, default=400.0, metavar="N")
    parser.add_argument("--directions", type=int, default=16, metavar="N")
    parser.add_argument("--stance", action="append", default=[], metavar="NAME=VALUE,...")
    parser.add_argument("--height", type=float, default=1.8, metavar="M")
    parser.add_argument("--mass", type=float, default=75.0, metavar="KG")
    parser.add_argument("--engine", default="mujoco", metavar="NAME")
    parser.add_argument("--picture", metavar="FILE.png", help="draw the map")


STILL = STANDS | {"steps": is_(0), "drift_cm": at_most(5.0)}
SWAY = STANDS | {"ahead_mm": within(2.6, 6.5), "aside_mm": within(1.2, 4.4), "speed_mm_s": within(5.1, 14.5),
                 "ahead_hz": within(0.12, 0.36), "aside_hz": within(0.15, 0.36)}
SUITE = Suite({
    "quiet": Table(lambda args: [("quiet", (math.inf, (), None))], still, STILL),
    "sway": Table(lambda args: [("sway", None)], swaying, SWAY),
    "leg": Table(lambda args: ((f"leg {side}", (SHORT_S, (f"leg={side}",), None)) for side in "LR"), still, STILL),
    "slope": Table(lambda args: ((f"slope {way:.0f}", (SHORT_S, (), way)) for way in (0.0, 90.0, 180.0)), still, STILL),
    "map": Table(grid, cell, STANDS, may_fail=0.03, end=draw),
    "steady": Table(lambda args: ((f"{words}, {degrees:.0f} degrees", (change, degrees)) for words, change in CHANGES.items()
                                  for degrees in FACTORS), steady, STANDS),
}, options, {"seconds": 4.0, "step": 100.0, "most": 100.0, "directions": 2}, default=("quiet",), worlds=("earth",),
    seeds=1, takes=True)


def leg_gap_m(take: Take) -> float:
    """Least distance [m] of the capsules of the left leg from those of the right, of every third sample; negative where they
    go into one another. Two thighs are not looked at: flesh gives way there."""
    places, turns = take.segment_poses
    names = [segment.name for segment in take.body.segments]

    def ends(capsule: Capsule) -> list[np.ndarray]:
        i = names.index(capsule.segment)
        return [places[::3, i] + quat_rotate(turns[::3, i], np.asarray(end, dtype=float)[None])
                for end in (capsule.start, capsule.end)]

    return min(float(between(*ends(one), *ends(other)).min()) - one.radius_m - other.radius_m
               for one, other in leg_pairs(take.body))
