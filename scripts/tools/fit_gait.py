# SPDX-License-Identifier: GPL-3.0-or-later
"""Fit a gait preset: the mean stride of one or more BVH clips, symmetrised, as Fourier figures in a JSON file.

    scripts/tools/fit_gait.py CLIP [CLIP...] --name NAME --out presets/gaits/NAME.json [--source TEXT]
                     [--keep-sides] [--level-head] [--straightest-knee DEG] [--sharp-contacts]
                     [--trunk-lean DEG] [--circle]
"""

from lope.scripts.tools.common import parser_of

# isort: split
import dataclasses
import math
import sys

from lope.addon.errors import LopeError
from lope.addon.motions.fitting import cycle_from_clip
from lope.scripts.tools.gait_making import (
    circle_of_clip,
    mean_cycle,
    save_gait,
    straightened_cycle,
    with_level_head,
    with_sharp_contacts,
    with_trunk_lean,
)


def main() -> int:
    """Fit, say what came out, write the file. Exit code 2 for bad input."""
    parser = parser_of(__doc__)
    parser.add_argument("clips", nargs="+", metavar="CLIP", help="BVH files of the same gait")
    parser.add_argument("--name", required=True, help="the gait's name")
    parser.add_argument("--out", required=True, metavar="FILE", help="where the JSON goes")
    parser.add_argument("--source", help="who made the clips, in words; default: the file names")
    parser.add_argument("--keep-sides", action="store_true", help="keep the differences between left and right")
    parser.add_argument("--level-head", action="store_true", help="let the head look at the horizon on average")
    parser.add_argument("--straightest-knee", type=float, metavar="DEG",
                        help="set the clips' leg bones so that their knees straighten to this flexion")
    parser.add_argument("--sharp-contacts", action="store_true",
                        help="take strikes and toe-offs from the soles' heights (for gaits with flight)")
    parser.add_argument("--trunk-lean", type=float, metavar="DEG", help="let the chest lean forward so far on average")
    parser.add_argument("--circle", action="store_true",
                        help="a gait that goes round the clips' circle where no path is asked for")
    options = parser.parse_args()
    try:
        cycles = []
        for clip in options.clips:
            knee = options.straightest_knee
            cycle = cycle_from_clip(clip) if knee is None else straightened_cycle(clip, math.radians(knee))
            print(describe(cycle), file=sys.stderr)
            cycles.append(cycle)
        source = options.source or "; ".join(cycle.source for cycle in cycles)
        mean = mean_cycle(cycles, options.name, source)
        mean = mean if options.keep_sides else mean.symmetrised()
        mean = mean if options.trunk_lean is None else with_trunk_lean(mean, math.radians(options.trunk_lean))
        mean = with_level_head(mean) if options.level_head else mean
        mean = with_sharp_contacts(mean) if options.sharp_contacts else mean
        if options.circle:
            radius = sum(circle_of_clip(clip) for clip in options.clips) / len(options.clips)
            mean = dataclasses.replace(mean, circle_radius_legs=radius)
        save_gait(mean, options.out)
    except LopeError as error:
        print(f"fit_gait: {error}", file=sys.stderr)
        return 2
    print(describe(mean), file=sys.stderr)
    return 0


def describe(cycle) -> str:
    """One line of figures."""
    return (f"{cycle.name}: {cycle.speed_m_s:.3f} m/s, {cycle.stride_frequency_hz:.3f} strides/s, "
            f"leg {cycle.leg_length_m:.3f} m, Froude {cycle.froude:.3f}, duty factor {cycle.duty_factor:.3f}, "
            f"step width {cycle.step_width_m:.3f} m, {cycle.harmonics} harmonics")


if __name__ == "__main__":
    sys.exit(main())
