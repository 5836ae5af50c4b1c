#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Make a reflex walker's preset of what a search stored: try it for 20 s on both engines, measure it, write its file.

    scripts/reflex_walker FILE.json --name walk-1.0 --out presets/reflex [--speed 1.0] [--gravity 9.81] [--source "..."]

FILE.json has its numbers under "parameters". One that falls is not written.
"""

import argparse
import json
import sys
from pathlib import Path

import own_python

try:
    from lope.addon.controllers.reflex.walkers import checked
    from lope.addon.errors import LopeError
    from lope.addon.gaits.tuned_maps import write_json
    from lope.addon.reports.strides import end_of_walking_s
    from lope.addon.simulate import simulate
    from lope.addon.specs.reflex import Walker, walker_file
    from lope.addon.specs.shot import EARTH_GRAVITY_M_S2, Shot, World
    from lope.addon.tuning.reflex import DIGITS, TRIAL_S, measured_walker
except ImportError as absent:
    own_python.start_again(absent)


def made(options: argparse.Namespace) -> Walker:
    """The walker, as it did on MuJoCo. Raises LopeError for one that fell there."""
    numbers = json.loads(Path(options.file).read_text(encoding="utf-8"))["parameters"]
    parameters = {name: float(f"{value:.{DIGITS}g}") for name, value in numbers.items()}
    walker = checked(Walker(options.name, options.speed, 0.9, parameters, options.gravity, **(
        {"summary": options.summary} if options.summary else {})))
    world = World("earth" if options.gravity == EARTH_GRAVITY_M_S2 else "custom", options.gravity)
    for engine in ("pybullet", "mujoco"):
        take = simulate(Shot(world=world, controller="reflex", reflex=walker, duration_s=options.seconds, engine=engine))
        found = measured_walker(take, walker, options.source)
        print(f"{engine}: stood {end_of_walking_s(take):.2f} s at {found.speed_m_s:.2f} m/s, {found.trial}")
    if take.fell:
        raise SystemExit("It fell: not written.")
    return found


def main() -> int:
    """Exit code 2 for bad input."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("file")
    parser.add_argument("--name", required=True)
    parser.add_argument("--out", required=True, help="folder")
    parser.add_argument("--speed", type=float, default=1.25, help="that it was searched for [m/s]")
    parser.add_argument("--gravity", type=float, default=EARTH_GRAVITY_M_S2)
    parser.add_argument("--seconds", type=float, default=TRIAL_S)
    parser.add_argument("--summary", default="")
    parser.add_argument("--source", default="")
    options = parser.parse_args()
    try:
        walker = made(options)
        Path(options.out).mkdir(parents=True, exist_ok=True)
        write_json(Path(options.out) / f"{options.name}.json", walker_file(walker))
    except LopeError as error:
        print(f"reflex_walker: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
