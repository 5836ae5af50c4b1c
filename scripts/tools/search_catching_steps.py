# SPDX-License-Identifier: GPL-3.0-or-later
"""Search the steps with which a pose gait catches somebody who is pushed, push by push, and write them into its file.

    scripts/tools/search_catching_steps.py GAIT.json [--forces 150 200 ...] [--directions 0 45 90 135 180] [--trials 96]
                                           [--out FILE.json] [--check]

GAIT is a pose gait with a `catching` (docs/pose-gait.md). For every push of 0.2 s at the chest [N on 75 kg], from the weakest of
a direction [degrees, 0 from behind, to the left], CMA-ES looks for the turns of the swinging thigh, ahead and outward in each
step, after which the body stands and is still; a direction ends with the first push that none is found for. The velocity of the
centre of mass when it steps, and the turns, become a sample (Yin 2007, section 6.4.2, with CMA-ES in place of differences).
`--check` pushes with the file as it is, at 50 N from sixteen sides, and prints what stands.
"""

from __future__ import annotations

from lope.scripts.tools.common import parser_of

# isort: split
import json
import math
import sys
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from lope.addon.gaits.pose_gaits import read_pose_gait
from lope.addon.gaits.tuned_maps import write_json
from lope.addon.locomotion.key_poses.machine import Catcher
from lope.addon.search.search import Evaluation, Plan, Search, SingleProblem
from lope.addon.sim.simulation import simulate
from lope.addon.sim.take import Take
from lope.addon.specs.motions import KeyPoses
from lope.addon.specs.pose_gait import PoseGait, pose_gait_file
from lope.addon.specs.shot import Push, Shot

PUSH_AT_S, PUSH_S, LENGTH_S = 1.0, 0.2, 5.0
MOST_RAD, SPREAD_RAD, POPULATION, ENOUGH = 0.8, 0.15, 8, 0.1


def pushed(gait: PoseGait, force_n: float, degrees: float) -> Take:
    """A take of one push."""
    way = force_n * complex(math.cos(math.radians(degrees)), math.sin(math.radians(degrees)))
    return simulate(
        Shot(motion=KeyPoses(gait), duration_s=LENGTH_S, pushes=(Push(PUSH_AT_S, PUSH_S, (way.real, way.imag, 0.0)),))
    )


def cost(take: Take, offsets: np.ndarray) -> float:
    """Time after a fall; speed and steps beyond two where it stands; and turns are to be small."""
    found = 0.1 * float(np.square(offsets).sum())
    if take.fell:
        return found + 5.0 + LENGTH_S - float(take.time_s[-1])
    speed = np.linalg.norm(take.com_m[-1] - take.com_m[-10]) / (take.time_s[-1] - take.time_s[-10])
    return found + min(float(speed), 1.0) + 0.1 * max(take.stats["pose_steps"] - 2, 0)


def stepped_at(gait: PoseGait, force_n: float, degrees: float) -> complex:
    """The velocity of the centre of mass [m/s] when a push is answered; 0 where it is not."""
    found = [0j]

    def told(self: Catcher, velocity: complex) -> PoseGait:
        found.append(velocity)
        return gait_for(self, velocity)

    gait_for, Catcher.gait_for = Catcher.gait_for, told
    try:
        pushed(gait, force_n, degrees)
    finally:
        Catcher.gait_for = gait_for
    return found[min(1, len(found) - 1)]


@dataclass(frozen=True)
class Caught(SingleProblem):
    """Search of the turns after which a push does not fell, from those that caught a weaker one."""

    gait: PoseGait
    force_n: float
    degrees: float
    turns: np.ndarray

    bound = MOST_RAD

    @property
    def size(self) -> int:
        """Number of turns."""
        return len(self.turns)

    @property
    def start(self) -> np.ndarray:
        """See `Problem.start`."""
        return self.turns

    def evaluate(self, x: np.ndarray, limit: float | None = None) -> Evaluation:
        """The cost of turns (size,)."""
        found = cost(pushed(with_sample(self.gait, x), self.force_n, self.degrees), x)
        return Evaluation(found, found)


def search(problem: Caught, trials: int) -> tuple[float, np.ndarray]:
    """The least cost and its turns."""
    one = Search(problem, Plan(trials // POPULATION, POPULATION, SPREAD_RAD, 1, until=ENOUGH))
    one.go()
    return one.best.cost, one.x


def with_sample(gait: PoseGait, offsets: np.ndarray) -> PoseGait:
    """A gait that turns its thighs so, however it was pushed."""
    return replace(gait, catching=replace(gait.catching, samples=((0.5, 0.0, *(float(x) for x in offsets)),)))


def check(gait: PoseGait) -> None:
    """What stands from sixteen sides, in steps of 50 N, and with how many steps."""
    for degrees in np.arange(0.0, 360.0, 22.5):
        takes = {force: pushed(gait, force, degrees) for force in (50.0, 100.0, 150.0, 200.0, 250.0, 300.0, 350.0, 400.0)}
        print(f"{degrees:5.1f}: " + ", ".join(f"{force:.0f} {'falls' if take.fell else take.stats['pose_steps']}"
                                              for force, take in takes.items()), flush=True)


def main() -> int:
    """Search, or check."""
    parser = parser_of(__doc__)
    parser.add_argument("gait", metavar="GAIT.json")
    parser.add_argument("--forces", type=float, nargs="+", default=[150.0, 200.0, 250.0, 300.0, 350.0, 400.0], metavar="N")
    parser.add_argument("--directions", type=float, nargs="+", default=[0.0, 45.0, 90.0, 135.0, 180.0], metavar="DEGREES")
    parser.add_argument("--trials", type=int, default=96, metavar="N")
    parser.add_argument("--out", metavar="FILE.json")
    parser.add_argument("--check", action="store_true")
    args = parser.parse_args()
    gait = read_pose_gait(Path(args.gait))
    if gait.catching is None:
        parser.error(f"{args.gait} catches nobody: give it a catching")
    if args.check:
        check(gait)
        return 0
    samples, size = [], len(gait.catching.samples[0]) - 2
    for degrees in args.directions:
        turns = np.zeros(size)
        for force in args.forces:
            least, found = search(Caught(gait, force, degrees, turns), args.trials)
            print(f"{degrees:.0f} degrees, {force:.0f} N: {least:.2f} with {', '.join(f'{x:.2f}' for x in found)}", flush=True)
            if least >= 5.0:
                break
            turns, velocity = found, stepped_at(with_sample(gait, found), force, degrees)
            if velocity:
                samples.append([round(float(x), 3) for x in (velocity.real, abs(velocity.imag), *found)])
                made = replace(gait, catching=replace(gait.catching, samples=tuple(map(tuple, samples))))
                write_json(Path(args.out or args.gait), json.loads(json.dumps(pose_gait_file(made))))
    return 0


if __name__ == "__main__":
    sys.exit(main())
