# SPDX-License-Identifier: GPL-3.0-or-later
"""`lope measure`: the measures of a take and its physics card."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..files import write_whole
from ..options.outputs import check_output
from .outcome import Outcome, table

if TYPE_CHECKING:
    from ..sim.take import Take


EXAMPLE = """examples:
  lope measure moon.npz --json
  lope measure walk.npz --norms gait_norms
  lope measure limp.npz --beside walk.npz
  lope measure walk.npz --activations muscles.png"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("take", metavar="TAKE.npz", help="what `lope simulate --out` wrote")
    parser.add_argument("--norms", metavar="FOLDER", help="compare hip, knee and ankle with the published normal gait in this "
                        "folder (schwartz2008_children_5speeds.csv, opensim_subject01_adult_walk.csv)")
    parser.add_argument("--beside", metavar="HEALTHY.npz", help="tell what is other than in this take of the same shot without "
                        "its condition: how far the pelvis drops, how bent knees are, how long each foot stands and more")
    parser.add_argument("--activations", metavar="FILE.png", help="of a take by muscles, draw each one's activation over the "
                        "cycle beside when that of walking people is active")


def run(args: argparse.Namespace) -> Outcome:
    """Measure and judge; the exit code is 0 also for a take in which the character falls."""
    from ..reports.beside import beside
    from ..reports.card import physics_card
    from ..reports.effort import muscle_rows, muscle_table
    from ..reports.hits import hit_rows
    from ..reports.measures import GAIT_UNITS, study, units_of
    from ..reports.norms import score_rows
    from ..sim.take import Take

    norm_files = [] if args.norms is None else Path(args.norms).glob("*.csv")
    picture = None if args.activations is None else check_output(args, "activations", reads=norm_files)
    take = Take.load(args.take)
    found = study(take)
    card = physics_card(take, found)
    units = {name: unit for name, unit in (units_of(take) | GAIT_UNITS).items() if name not in found.reasons}
    shown = found.values | {name: f"not measured: {reason}" for name, reason in found.reasons.items()}
    norms = {} if args.norms is None else {"norms": score_rows(take, Path(args.norms))}
    effort = muscle_table(take)
    text = f"\n\n{effort}" if effort else ""
    text += "".join(f"\n\nbeside normal gait (standard scores)\n{table(rows)}" for rows in norms.values())
    compared = {}
    if args.beside is not None:
        other = beside(take, Take.load(args.beside))
        compared, text = {"beside": other.to_dict()}, f"{text}\n\nbeside {args.beside}\n{other.text()}"
    drawn = {} if picture is None else _draw(take, picture)
    return Outcome({**found.values, **hit_rows(take), **muscle_rows(take), **norms, **compared, **drawn,
                    "not_measured": found.reasons, "card": card.to_dict()}, f"{table(shown, units)}{text}\n\n{card.text()}")


def _draw(take: Take, out: Path) -> dict[str, Any]:
    """Write the picture of activations; gives its place, and how far each muscle is from people's."""
    from ..reports.activations import draw, over_cycle
    from ..reports.plots import need_matplotlib, png

    need_matplotlib()
    found = over_cycle(take)
    write_whole(out, png(draw(found)), "picture")
    print(f"Activations drawn in {out}.", file=sys.stderr)
    return {"activations": {"picture": str(out), "as_people": found.agreement()}}
