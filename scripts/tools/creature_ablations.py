# SPDX-License-Identifier: GPL-3.0-or-later
"""What free routing and whole muscles are worth: searches of a creature's gait by muscles with the same budget, as a table.

    scripts/tools/creature_ablations.py [CREATURE ...] [--speed 1.2] [--generations 60] [--gait FILE.json] [--out out/ablations]

Three searches each, from the same start (the untuned law, or a gait): routing free within its ranges and muscles whole; routing
fixed in the middle of its ranges; and force that is excitation times the greatest at once. Of each the cost of its best gait over
20 s from 4 starts, and who stands; of the last one also what its gait costs with whole muscles. A
search that was stopped goes on, one that has ended is not done again.
"""

from __future__ import annotations

from lope.scripts.tools.common import parser_of

# isort: split
import argparse
import math
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np

from lope.addon.bodies.creature.body import make_creature
from lope.addon.bodies.creature.template import find_creature
from lope.addon.files import write_whole
from lope.addon.locomotion.creature.muscle_law import Kind
from lope.addon.locomotion.creature.parameters import START, vector_of
from lope.addon.locomotion.creature.stored import load_gait
from lope.addon.search.creature_muscles_problem import BY_MUSCLES, MuscleProblem
from lope.addon.search.creature_objective import Wish
from lope.addon.search.search import STOPPED, Evaluation, Search
from lope.addon.specs.shot import World

KINDS = {"free routing, whole muscles": Kind(), "fixed routing": Kind(free=False), "force at once": Kind(ideal=True)}
HEAD = ("| creature | muscles | numbers | generations | CPU s | cost | stand | speed m/s | lacks | with whole muscles |\n"
        "|---|---|---|---|---|---|---|---|---|---|")


def main() -> int:
    """Search what is missing, tell it generation by generation, print the table."""
    parser = parser_of(__doc__)
    parser.add_argument("creatures", nargs="*", default=["ostrich"], metavar="CREATURE", help="default: ostrich")
    parser.add_argument("--speed", type=float, default=1.2, metavar="M/S", help="default: %(default)g")
    parser.add_argument("--generations", type=int, default=60, metavar="N", help="of each search (default: %(default)s)")
    parser.add_argument("--gait", metavar="FILE.json", help="begin at the quick law's numbers of this gait")
    parser.add_argument("--out", type=Path, default=Path("out/ablations"), help="default: %(default)s")
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    start = START if args.gait is None else vector_of(load_gait(args.gait).parameters)
    lines = [HEAD]
    for name in args.creatures:
        for words, kind in KINDS.items():
            search = searched(name, words, kind, start, args)
            if search.ended == STOPPED:
                return 130
            lines.append(row(name, words, search, problem_of(name, args.speed, Kind())))
            write_whole(args.out / "ablations.md", "\n".join(lines) + "\n", "table")
    print("\n".join(lines))
    return 0


def problem_of(name: str, speed_m_s: float, kind: Kind) -> Endless:
    """A creature's gait by muscles of a kind on Earth."""
    body, world = make_creature(find_creature(name)), World()
    wish = Wish(speed=speed_m_s / math.sqrt(world.gravity_m_s2 * body.leg_length_m))
    return Endless(body, world, wish, kind=kind)


def searched(name: str, words: str, kind: Kind, start: np.ndarray, args: argparse.Namespace) -> Search:
    """The search of one kind, to its last generation, whatever passes on the way."""
    problem = problem_of(name, args.speed, kind)
    problem.begin_at(problem.point(start))
    plan = replace(BY_MUSCLES, generations=args.generations, minutes=math.inf)
    checkpoint = args.out / f"{name}-{words.replace(', ', '-').replace(' ', '_')}.checkpoint.json"
    search = Search(problem, plan, checkpoint=checkpoint, resume=True)
    search.go(lambda share, told: print(name, words, told, file=sys.stderr))
    return search


class Endless(MuscleProblem):
    """A problem whose gaits never pass, so that all searches have the same budget."""

    def judged(self, xs: np.ndarray) -> list[Evaluation]:
        """See `BatchProblem.judged`."""
        return [replace(one, passes=False) for one in super().judged(xs)]


def row(name: str, words: str, search: Search, whole: MuscleProblem) -> str:
    """One line of the table."""
    champion, own = search.champion, search.problem
    figures = champion.judged.detail
    again = ""
    if own.kind.ideal:
        found = whole.judged(champion.x[None])[0]
        again = f"cost {found.cost:.1f}, {found.detail['stood']} of {found.detail['starts']}"
    unit = own.speed_m_s / own.wish.speed
    speed = f"{figures['speed'] * unit:.2f}" if "speed" in figures else ""
    return (f"| {name} | {words} | {own.size} | {len(search.log)} | {search.cpu_s:.0f} | {champion.judged.cost:.1f} | "
            f"{figures['stood']} of {figures['starts']} | {speed} | {', '.join(figures['lacks'])} | {again} |")


if __name__ == "__main__":
    sys.exit(main())
