#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Make the presets of the moves from captured clips, and say how well the figures fit.

    scripts/fit_moves CLIPS [--only TEXT ...] [--out FOLDER]

CLIPS is the folder with the tests' clips (`bvh`, `turns`).
"""

import argparse
import sys
from pathlib import Path

import own_python

try:
    from lope.addon.errors import LopeError
    from lope.addon.motions.moves.library import MOVES_FOLDER, save_move
    from moves.fit import fitted
    from moves.recipes import RECIPES
except ImportError as absent:
    own_python.start_again(absent)


def main() -> int:
    """Fit, tell, write. Exit code 2 for bad input."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("clips", type=Path, help="folder of the clips, with bvh and turns in it")
    parser.add_argument("--only", nargs="*", default=(), metavar="TEXT", help="only moves whose names hold one of these")
    parser.add_argument("--out", type=Path, default=MOVES_FOLDER, metavar="FOLDER", help="where the files go (default: presets)")
    options = parser.parse_args()
    try:
        for recipe in RECIPES:
            if options.only and not any(text in recipe.name for text in options.only):
                continue
            move = fitted(recipe, options.clips)
            save_move(move, options.out / f"{move.name}.json")
            told = ", ".join(f"{name} {value:g}" for name, value in move.fit.items())
            print(f"{move.name}: {len(move.steps)} steps, {told}", file=sys.stderr)
    except LopeError as error:
        print(f"fit_moves: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
