# SPDX-License-Identifier: GPL-3.0-or-later
"""Make the presets of the gaits of low gravity: lope and skip from the run, hop from a clip of hops.

    scripts/tools/derive_gait.py lope|skip [--out FILE]
    scripts/tools/derive_gait.py hop CLIP [--out FILE]
"""

from lope.scripts.tools.common import parser_of

# isort: split
import dataclasses
import math
import sys
from pathlib import Path

from lope.addon.errors import LopeError
from lope.addon.motions.library import GAITS_FOLDER, load_gait
from lope.addon.specs.shot import EARTH_GRAVITY_M_S2
from lope.scripts.tools.gait_making import (
    cycle_from_hops,
    held,
    on_the_ground,
    rephased,
    retimed,
    save_gait,
    sides_shifted,
    swung,
    with_legs,
    with_level_head,
    with_sharp_contacts,
    with_touch_down_pitch,
    with_trunk_lean,
)

LOPE_STANCE, LOPE_FROUDE, LOPE_RATE = 0.26, 1.5, 0.86
"""Share of the cycle on one foot, Froude number, and stride frequency over the run's. The Apollo crews' loping: long floats
between pushes that end on a leg straight behind them, 1.45 m/s on the Moon, amid their 1.0 to 1.9."""
SKIP_LAG, SKIP_STANCE, SKIP_FROUDE, SKIP_RATE = 0.24, 0.28, 0.6, 1.3
"""How much later the leading foot lands than the trailing one, share of the cycle on each foot, Froude number, and cycles a
second over the run's."""
TRAILING_SWING, LEADING_SWING = (0.55, 0.72), (0.72, 0.45)
"""(share of the leg's own cycle, that of the run whose pose it has then). The trailing leg swings forward while the leading
one pushes, the leading leg only when the trailing one is about to land: in the air the legs are all but still. Were both to
swing there, they would turn the trunk forward by 30 to 50 degrees."""
HOP_STANCE, HOP_FROUDE, HOP_RATE = 0.44, 0.25, 1.4
"""Share of the cycle on the ground, Froude number, and hops a second over the run's strides: short hops, as both legs have
to come forward in the air and turn the trunk against them."""
HOP_ARMS_RAD, HOP_TOUCH_DOWN_RAD = 0.6, 0.1
"""Swing of the arms, forward with the push and back again in the air against the legs; pitch of the foot at landing, on the
ball: a heel that strikes first brings the ball down with 9 times the weight."""


def lope():
    """The run with shorter pushes and longer flights, more upright, arms lower, wider and quieter, heels lower."""
    run = load_gait("run")
    old = run.contact_phases["L"].stance
    cycle = retimed(run, [(0.0, 0.0), (LOPE_STANCE, old), (0.5, 0.5), (0.5 + LOPE_STANCE, 0.5 + old)])
    cycle = held(cycle, {"upper_arm": 0.7, "forearm": 0.6, "thigh": 0.85, "shank": 0.75, "root": 0.8, "lower_spine": 0.8},
                 {"forearm": 1.05, "upper_arm.rx": 0.42, "thigh.ry": -0.25, "shank": 0.72})
    cycle = with_level_head(with_trunk_lean(cycle, math.radians(5.0)))
    return paced(on_the_ground(cycle), LOPE_FROUDE, LOPE_RATE, "lope", "Derived from the run: pushes shortened to 52 % of "
                 "a step, trunk upright, arms lower and wider, legs quieter, slower cadence (scripts/tools/derive_gait.py)")


def skip():
    """The right foot lands soon after the left, then both fly; each leg as in the run but for the time of its swing."""
    run = load_gait("run")
    old = run.contact_phases["L"].stance
    even = retimed(run, [(0.0, 0.0), (SKIP_STANCE, old), (0.5, 0.5), (0.5 + SKIP_STANCE, 0.5 + old)])
    trailing = retimed(run, [(0.0, 0.0), (SKIP_STANCE, old), TRAILING_SWING])
    leading = retimed(rephased(run, 0.5), [(0.0, 0.0), (SKIP_STANCE, old), LEADING_SWING])
    cycle = sides_shifted(with_legs(even, trailing, leading), {"leg_R": SKIP_LAG, "arm_L": SKIP_LAG - 0.5})
    cycle = held(cycle, {"upper_arm": 0.7, "forearm": 0.6, "thigh": 0.55, "shank": 0.55},
                 {"forearm": 1.15, "upper_arm.rx": 0.4, "thigh.ry": -0.28, "shank": 0.70})
    cycle = with_touch_down_pitch(with_level_head(with_trunk_lean(cycle, math.radians(5.0))), 0.0)
    return paced(on_the_ground(cycle), SKIP_FROUDE, SKIP_RATE, "skip", "Derived from the run: the right leg re-phased to "
                 "land 24 % of the cycle after the left, then a flight of both; legs quieter and swung on the ground rather "
                 "than in the air, trunk still, arms quieter (scripts/tools/derive_gait.py)")


def hop(clip):
    """A clip's hops on both feet with the long wait on the ground taken out."""
    cycle = with_sharp_contacts(cycle_from_hops(clip))
    old = cycle.contact_phases["L"].stance
    cycle = retimed(cycle, [(0.0, 0.0), (HOP_STANCE, old)])
    cycle = swung(held(cycle, {"lower_spine": 0.5, "chest": 0.5}, {}), "upper_arm", HOP_ARMS_RAD, HOP_STANCE)
    cycle = with_level_head(with_trunk_lean(cycle, math.radians(8.0)))
    cycle = with_touch_down_pitch(cycle, HOP_TOUCH_DOWN_RAD)
    return paced(cycle, HOP_FROUDE, HOP_RATE, "hop", f"Fitted from the clip {Path(clip).name} of Seoul National University: "
                 "its hops on both feet, sides averaged, the wait on the ground shortened, trunk quieter, arms swung with "
                 "the push, feet landing on the ball (scripts/tools/derive_gait.py)")


def paced(cycle, froude, rate, name, source):
    """The cycle with a speed of that Froude number on Earth and `rate` times the run's strides a second."""
    speed = math.sqrt(froude * EARTH_GRAVITY_M_S2 * cycle.leg_length_m)
    frequency = rate * load_gait("run").stride_frequency_hz
    return dataclasses.replace(cycle, name=name, source=source, speed_m_s=speed, stride_frequency_hz=frequency)


def main() -> int:
    """Derive, say what came out, write the file. Exit code 2 for bad input."""
    parser = parser_of(__doc__)
    parser.add_argument("gait", choices=("lope", "skip", "hop"))
    parser.add_argument("clip", nargs="?", metavar="CLIP", help="BVH file of hops on both feet, for hop")
    parser.add_argument("--out", metavar="FILE", help="where the JSON goes; default: the preset")
    options = parser.parse_args()
    if (options.gait == "hop") != (options.clip is not None):
        parser.error("hop needs a clip, lope and skip need none")
    try:
        cycle = hop(options.clip) if options.gait == "hop" else {"lope": lope, "skip": skip}[options.gait]()
        save_gait(cycle, options.out or GAITS_FOLDER / f"{options.gait}.json")
    except LopeError as error:
        print(f"derive_gait: {error}", file=sys.stderr)
        return 2
    print(f"{cycle.name}: {cycle.speed_m_s:.3f} m/s, {cycle.stride_frequency_hz:.3f} cycles/s, Froude {cycle.froude:.3f}, "
          f"contacts {cycle.contact_phases}", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
