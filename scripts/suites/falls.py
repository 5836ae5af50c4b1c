# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether bodies that are pushed over fall as they should: a walk, a run and one who stands, in four directions, baked to rest.

    scripts/check falls [--worlds earth moon] [--motions walk run stand] [--ways front left back right] [--engine mujoco]
                        [--suit NAME] [--strips FOLDER]

Pushes with 6 m/s^2 times the mass for 0.3 s and lets the body go limp. Of each fall it prints how long after the push it let go
and how long after that it lay still; the deepest place below the ground; the most energy that was gained, over what there was
when push and muscles had ended, the joints' counted; how far a knee bent backwards; the deepest that the cores of two limbs were
in each other; how often head and trunk swung against each other by more than 5 degrees in the second before rest. Exit code 1
where a fall is outside the limits. `--strips` draws each from the side and from the front.
"""

from __future__ import annotations

import argparse
import sys
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import numpy as np

from lope.addon.bodies.capsules import body_capsules, line_distance, passing_pairs
from lope.addon.bodies.human.suit import load_suit
from lope.addon.bodies.makers import make_body
from lope.addon.files import written_whole
from lope.addon.maths.rotations import quat_rotate
from lope.addon.sim.simulation import simulate
from lope.addon.sim.take import Take
from lope.addon.specs.shot import BodySpec, Push, Shot
from lope.addon.worlds.planets import load_world
from lope.scripts.tools.pictures.figures import capsule_ends, draw_lying

WAYS = {"front": (1.0, 0.0), "left": (0.0, 1.0), "back": (-1.0, 0.0), "right": (0.0, -1.0)}
MOTIONS = {"walk": ("walk", "moving", 1.5), "run": ("run", "moving", 1.5), "stand": ("walk", "standing", 0.1)}
"""Gait, how it starts, and when it is pushed [s]: who stands is pushed before the first step."""
PUSH_M_S2, PUSH_S = 6.0, 0.3
DEEPEST_M, MOST_GAIN, LONGEST_S = 0.01, 0.01, 10.0
"""Limits: below the ground, energy gained over what there was, time to rest on Earth (scales with 1 / sqrt(g))."""
KNEE_DEG, OVERLAP_M = 8.0, 0.03
"""Limits on looks: a knee's hyperextension, of which people have up to 10 degrees, and how deep two limbs' cores may be in each
other."""
LANDED_S = 0.5
"""From then on the head is to lie: before it is thrown."""
STRIP_S = (-0.3, 0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.65, 0.8, 1.0, 1.3, 1.7, 2.2, 3.0)
"""Moments of a strip after the body has let go, on Earth; its last frame is added."""


def fall(motion: str, world: str, way: str, engine: str, suit: str) -> Take:
    """The take of one fall."""
    gait, start, push_s = MOTIONS[motion]
    mass = make_body(BodySpec(), load_suit(suit)).mass_kg
    force = tuple(PUSH_M_S2 * mass * part for part in (*WAYS[way], 0.0))
    return simulate(Shot(gait=gait, start=start, world=load_world(world), engine=engine, suit=suit, duration_s=10.0,
                         pushes=(Push(push_s, PUSH_S, force),), after_fall="limp"))


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


def judge(case: tuple[str, str, str, str, str], folder: Path | None) -> tuple[str, list[str]]:
    """A line on one fall, and what of it is outside the limits."""
    motion, world, way, engine, _suit = case
    take = fall(*case)
    title = f"{motion:5} {world:5} {way:5} {engine}"
    fell, rest = take.stats["time_fell_s"], take.stats.get("time_rest_s")
    if fell is None or take.lost:
        return f"{title}: {take.lost or 'did not fall'}", ["no fall"]
    push_end = MOTIONS[motion][2] + PUSH_S
    after = take.time_s > fell + 1e-6
    energy = take.channels["limp_energy_j"].values[after & (take.time_s >= push_end)]
    gain = float((energy - np.minimum.accumulate(energy)).max() / energy[0])
    low = min(float((np.minimum(a[after, 2], b[after, 2]) - radius).min()) for _, radius, a, b in capsule_ends(take))
    low = min(low, float(take.contact_point_m[after, :, 2].min()))
    knees = [take.joint_quaternions[after, take.body.joint_segments.index(f"shank_{side}"), 2] for side in "LR"]
    knee_deg = -float(np.degrees(min((2.0 * np.arcsin(knee)).min() for knee in knees)))
    rows = np.flatnonzero(after)
    deep = overlap_m(take, rows[::5])
    slow = (9.81 / take.shot.world.gravity_m_s2) ** 0.5
    bobs = swings(take, rows[take.time_s[rows] > max((rest or take.time_s[-1]) - 1.0, fell + LANDED_S * slow)])
    wrong = [text for text, bad in (
        ("never at rest" if rest is None else "late at rest", rest is None or rest - fell > LONGEST_S * slow),
        ("below the ground", low < -DEEPEST_M), ("gains energy", gain > MOST_GAIN), ("knee", knee_deg > KNEE_DEG),
        ("limbs", deep > OVERLAP_M and engine == "mujoco"), ("head", bobs > 2)) if bad]
    if folder is not None:
        draw(take, folder / f"{motion}-{world}-{way}{'' if engine == 'mujoco' else '-' + engine}.png", title, slow)
    lay = "-" if rest is None else f"{rest - fell:.2f}"
    return (f"{title}: lets go {fell - push_end:+.2f} s after the push, rests after {lay} s, {1e3 * -low:.1f} mm deep, "
            f"gain {100 * gain:.2f} %, knee {knee_deg:.0f} deg, limbs {1e3 * deep:.0f} mm, head {bobs}"
            f"{'  WRONG: ' + ', '.join(wrong) if wrong else ''}", wrong)


def draw(take: Take, path: Path, title: str, slow: float) -> None:
    """A strip from the side and one from the front."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    fell = take.stats["time_fell_s"]
    times = fell + np.minimum(slow, 2.0) * np.array(STRIP_S)
    rows = [*np.searchsorted(take.time_s, times[times < take.time_s[-1]]), len(take.time_s) - 1]
    figure, axes = plt.subplots(2, 1, figsize=(1.75 * len(rows), 4.6))
    for across, axis in enumerate(axes):
        draw_lying(axis, take, rows, across, fell)
    axes[0].set_title(f"{title}: side (+x to the right), front (+y to the right); seconds since it let go", fontsize=9)
    figure.tight_layout()
    with written_whole(path, "picture") as partial:
        figure.savefig(partial, dpi=72)
    plt.close(figure)


def main() -> int:
    """Let them fall, print, and judge."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--worlds", nargs="+", default=["earth", "moon"])
    parser.add_argument("--motions", nargs="+", default=list(MOTIONS), choices=list(MOTIONS))
    parser.add_argument("--ways", nargs="+", default=list(WAYS), choices=list(WAYS))
    parser.add_argument("--engine", default="mujoco", choices=("mujoco", "pybullet"))
    parser.add_argument("--suit", default="none")
    parser.add_argument("--strips", type=Path, metavar="FOLDER")
    args = parser.parse_args()
    if args.strips:
        args.strips.mkdir(parents=True, exist_ok=True)
    cases = [(motion, world, way, args.engine, args.suit)
             for motion in args.motions for world in args.worlds for way in args.ways]
    wrong = 0
    with ProcessPoolExecutor(2) as pool:
        for line, found in pool.map(judge, cases, [args.strips] * len(cases)):
            wrong += bool(found)
            print(line, flush=True)
    print(f"{len(cases) - wrong} of {len(cases)} as they should be")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
