# SPDX-License-Identifier: GPL-3.0-or-later
"""Which part of which clip each move is."""

from __future__ import annotations

from dataclasses import dataclass

SNU = ("Seoul National University, Movement Research Laboratory, recorded for Lee, Kim, Lee 2010 (Data-Driven Biped Control): "
       "github.com/snumrl/ys2010")
CMU = "CMU Graphics Lab Motion Capture Database, mocap.cs.cmu.edu; created with funding from NSF EIA-0196217"
APACHE = "Apache-2.0 (the recording; these figures are fitted from it)"
FREE = "free for all uses (the recording; these figures are fitted from it)"


@dataclass(frozen=True)
class Recipe:
    """A move out of a clip: the touch-downs that lie within `start_s` and `end_s` bound its steps. A start begins standing at
    `start_s`, a stop ends standing at `end_s`. Cycles are the mean of all steps, or, with `sided`, of every second one.
    `mirror` exchanges left and right, for the library's turns go left. `facing`: the way's direction is the pelvis'
    at the begin, wherever it goes."""

    name: str
    gait: str
    kind: str
    clip: str
    start_s: float
    end_s: float
    sided: bool = False
    mirror: bool = False
    facing: bool = False
    cycle: str = ""
    """The gait preset that it is made of, in place of a clip."""
    source: str = SNU
    licence: str = APACHE


RECIPES = (
    Recipe("walk_slow", "walk", "cycle", "turns/snu_walk_slow.bvh", 2.7, 6.6),
    Recipe("walk_normal", "walk", "cycle", "turns/snu_walk_normal.bvh", 2.5, 4.7),
    Recipe("walk_fast", "walk", "cycle", "turns/snu_walk_fast.bvh", 2.2, 3.7),
    Recipe("walk_brisk", "walk", "cycle", "bvh/08_06_walk_fast.bvh", 0.5, 2.0, source=CMU, licence=FREE),
    Recipe("curve_left", "walk", "cycle", "bvh/snu_walk_circle_left.bvh", 1.8, 11.2, sided=True),
    Recipe("curve_fast_left", "walk", "cycle", "turns/snu_walk_circle_left_fast.bvh", 0.4, 5.5, sided=True),
    Recipe("turn_45_inner_left", "walk", "turn", "turns/snu_walk_left_45.bvh", 2.4, 4.3),
    Recipe("turn_90_inner_left", "walk", "turn", "turns/snu_walk_through_left_90.bvh", 1.8, 4.1),
    Recipe("turn_180_inner_left", "walk", "turn", "turns/snu_walk_through_left_180.bvh", 2.0, 4.3),
    Recipe("turn_45_outer_left", "walk", "turn", "turns/snu_walk_right_45.bvh", 2.2, 4.1, mirror=True),
    Recipe("turn_90_outer_left", "walk", "turn", "bvh/snu_walk_right_90.bvh", 2.3, 4.2, mirror=True),
    Recipe("turn_135_outer_left", "walk", "turn", "turns/snu_walk_through_left_135.bvh", 2.3, 4.6),
    Recipe("turn_180_outer_left", "walk", "turn", "turns/snu_walk_through_right_180.bvh", 2.0, 4.1, mirror=True),
    Recipe("start", "walk", "start", "turns/snu_walk_normal.bvh", 1.0, 2.7),
    Recipe("start_turn_180_left", "walk", "start", "bvh/snu_stand_turn180_walk_stop.bvh", 0.2, 2.5),
    Recipe("stop", "walk", "stop", "turns/snu_walk_normal.bvh", 5.3, 6.45),
    Recipe("march", "march", "cycle", "bvh/snu_march_soldier.bvh", 2.5, 6.3),
    Recipe("march_start", "march", "start", "bvh/snu_march_soldier.bvh", 0.8, 2.7),
    Recipe("march_stop", "march", "stop", "bvh/snu_march_soldier.bvh", 6.1, 7.9),
    Recipe("run", "run", "cycle", "", 0.0, 1.0, cycle="run", source=CMU, licence=FREE),
    Recipe("lope", "lope", "cycle", "", 0.0, 1.0, cycle="lope", source=CMU, licence=FREE),
    Recipe("backward", "backward", "cycle", "turns/snu_walk_backward_long.bvh", 2.6, 5.9),
    Recipe("backward_start", "backward", "start", "turns/snu_walk_backward_long.bvh", 1.0, 2.7),
    Recipe("backward_stop", "backward", "stop", "turns/snu_walk_backward_long.bvh", 5.7, 7.4),
    Recipe("side_left", "side_left", "cycle", "bvh/snu_walk_sideways_crossing.bvh", 2.9, 4.5, sided=True, facing=True),
    Recipe("side_start_left", "side_left", "start", "bvh/snu_walk_sideways_crossing.bvh", 0.8, 3.0, facing=True),
    Recipe("side_stop_left", "side_left", "stop", "bvh/snu_walk_sideways_crossing.bvh", 4.9, 6.35, facing=True),
)
