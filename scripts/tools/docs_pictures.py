#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Draw the handbook's pictures, docs/pictures/NAME.png or .jpg, from Lope's own functions and simulations.

    scripts/docs_pictures                 all of them (a few minutes)
    scripts/docs_pictures footsteps map   those whose name holds one of the words
    scripts/docs_pictures --list          their names

Those of rigs, `sheet`, `boxes`, `creatures` and `muscles-shown` need Blender's module (scripts/setup installs it). `own-clip` and
`follow` need the clips that the tests use, beside the project; where they are not, these are left as they are. The pictures in a
Blender window are made by scripts/test-gui.
"""

import argparse
import os
import sys
from pathlib import Path

import own_python

ROOT = Path(__file__).resolve().parents[1]
try:
    from lope.addon.errors import LopeError
    from lope.addon.reports.charts import png
    from pictures import (
        batches,
        boxes,
        creatures,
        falls,
        follow,
        gravity,
        hits,
        measured,
        motions,
        moves,
        muscles,
        plans,
        reflexes,
        shown,
    )
except ImportError as absent:
    own_python.start_again(absent)

OUT = ROOT / "docs" / "pictures"
DRAWN = {
    "gaits-on-the-moon": motions.gaits_on_the_moon, "own-clip": motions.own_clip, "styles": motions.styles,
    "push-and-fall": motions.push_and_fall, "limp": falls.limp, "hits": hits.hits, "follow": follow.follow, "jump": follow.jump,
    "moves": moves.moves, "conditions": muscles.conditions, "muscles-shown": shown.muscles_shown,
    "speed-and-strides": gravity.speed_and_strides, "ranges": gravity.ranges, "footsteps": plans.footsteps,
    "locked-footprint": plans.locked_footprint,
    "pendulum": plans.pendulum, "bounce": plans.bounce, "foot-map": plans.foot_map, "traces": measured.traces,
    "activations": measured.activations, "reflex": reflexes.reflex,
    "sheet": batches.sheet, "boxes": boxes.boxes, "creatures": creatures.creatures,
}
JPEG = b"\xff\xd8"
"""What a JPEG begins with: renders are stored so, at a tenth of a PNG's size."""
OF_RIGS = {"bone-map": "bone_map", "foot-lock": "foot_lock"}
"""Functions of `pictures.rigs`, which is loaded only for them: it starts Blender."""


def main() -> int:
    """Draw. Exit code 2 for a word that no name holds."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("words", nargs="*", metavar="WORD", help="only pictures whose name holds it")
    parser.add_argument("--list", action="store_true", help="tell what would be drawn")
    options = parser.parse_args()
    names = [n for n in (*DRAWN, *OF_RIGS) if not options.words or any(word in n for word in options.words)]
    if not names:
        print(f"docs_pictures: no picture's name holds {' or '.join(options.words)}; there are "
              f"{', '.join((*DRAWN, *OF_RIGS))}.", file=sys.stderr)
        return 2
    for name in names:
        if options.list:
            print(name)
            continue
        try:
            picture = drawn(name)
            picture = picture if isinstance(picture, bytes) else png(picture)
            file = OUT / f"{name}.{'jpg' if picture.startswith(JPEG) else 'png'}"
            file.write_bytes(picture)
            print(file, flush=True)
        except LopeError as error:
            print(f"docs_pictures: {name}: {error}", file=sys.stderr)
    return 0


def drawn(name: str):
    """The figure of that name, or a picture file's bytes."""
    if name in DRAWN:
        return DRAWN[name]()
    from pictures import rigs

    return getattr(rigs, OF_RIGS[name])()


if __name__ == "__main__":
    code = main()
    sys.stdout.flush()
    os._exit(code)  # Blender's module never ends its interpreter once Rigify has made a rig in it
