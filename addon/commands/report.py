# SPDX-License-Identifier: GPL-3.0-or-later
"""`lope report`: a page on a matrix of takes, which are simulated first where there are none."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

from ..batch.station import BLENDER
from ..checks import check_number
from ..errors import InputError
from ..options.outputs import check_output
from ..progress import Progress
from ..specs.shot import DURATION_RANGE_S
from .outcome import Outcome, table

EXAMPLE = """examples:
  lope report --matrix out/matrix          simulate every gait on five worlds, then write out/matrix/report.html
  lope report --matrix out/validation      the takes are there already (as scripts/validate leaves them): only the page"""
SECONDS = 30.0


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--matrix", required=True, metavar="OUT", help="folder of takes, and where the page goes; a folder "
                        "without takes, or whose matrix was begun here, gets them simulated first")
    parser.add_argument("--gaits", metavar="A,B", help="simulate only these gaits (default: all)")
    parser.add_argument("--worlds", metavar="A,B", help="simulate only these worlds (default: moon, mars, earth, "
                                                        "neptune, jupiter)")
    parser.add_argument("--seconds", type=float, default=SECONDS, metavar="S",
                        help="length of each simulation on Earth; others last as many strides (default: %(default)g)")
    parser.add_argument("--no-plots", action="store_true",
                        help="only sentences and tables, as inside Blender, which does not bring the matplotlib that "
                        "plots need")


def run(args: argparse.Namespace) -> Outcome:
    """Simulate what is missing, measure, write. The report names the files."""
    with_plots = not args.no_plots and _can_plot()  # before minutes of simulation
    folder = Path(args.matrix)
    check_number("Length", args.seconds, *DURATION_RANGE_S, "s")
    from ..reports.matrix import fill, find_takes, read_entries
    from ..reports.page import PLOTS, TABLES, write_page

    check_output(args, "matrix", folder / "report.html", reads=find_takes(folder))

    with Progress(sys.stderr, args.json) as progress:
        refused = fill(folder, names(args.gaits), names(args.worlds), args.seconds, progress)
        entries, unread = read_entries(find_takes(folder), progress)
        if not entries:
            raise InputError(f"There is no take in {folder} to report on. " + " ".join(refused + unread))
        progress(1.0, "writing the page")
        page = write_page(entries, folder, refused + unread, with_plots=with_plots)
    report = {"page": str(page), "takes": len(entries), "fell": sum(e.measures["fell"] for e in entries),
              "lost": sum(e.measures["lost"] is not None for e in entries),
              "plots": sorted(str(p) for p in (folder / PLOTS).glob("*.png")),
              "tables": sorted(str(p) for p in (folder / TABLES).glob("*.csv")), "refused": refused + unread}
    return Outcome(report, table(report))


def _can_plot() -> bool:
    """Whether plots can be drawn. Inside Blender, whose Python nobody adds packages to, the page is written without them, and
    says so; elsewhere raises InputError with what to install."""
    from ..reports.plots import need_matplotlib

    try:
        need_matplotlib()
    except InputError:
        if BLENDER not in os.environ:  # Blender says there which one it is, before it hands over to its Python
            raise
        print("Blender has no matplotlib: the page is written without its plots. `lope report` in a Python with lope[plot] draws "
              "them from the same takes.", file=sys.stderr)
        return False
    return True


def names(text: str | None) -> tuple[str, ...] | None:
    """Names written with commas."""
    return None if text is None else tuple(part.strip() for part in text.split(",") if part.strip())
