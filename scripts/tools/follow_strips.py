#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Strips of followed clips to look at: the clip itself, and the body that follows it on some worlds, at the same moments of the
clip, from the right side and from the front of where the clip's hips face.

    scripts/follow_strips OUT CLIP.bvh ... [--worlds earth moon] [--moments 9] [--flight height]

One picture a clip, OUT/CLIP.png: a row for the clip and for each world, with how far it was followed and how far joints were off.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import own_python

try:
    import numpy as np

    from lope.addon.bodies.makers import make_body
    from lope.addon.controllers.follow.clip import FollowedClip, read_clip
    from lope.addon.maths.quaternions import quat_multiply, quat_rotate
    from lope.addon.reports.charts import new_figure
    from lope.addon.reports.following import CLIP_TIME
    from lope.addon.reports.measures import measure
    from lope.addon.simulate import simulate
    from lope.addon.specs.follow import Follow
    from lope.addon.specs.shot import BodySpec, Shot
    from lope.addon.worlds.planets import load_world
    from pictures.sticks import Moment, draw_row
except ImportError as absent:
    own_python.start_again(absent)

ENDS = 0.08
"""Share of the clip that is left out at either end."""


def main() -> int:
    """Draw the strips; exit code 0."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path, metavar="OUT")
    parser.add_argument("clips", type=Path, nargs="+", metavar="CLIP")
    parser.add_argument("--worlds", nargs="+", default=("earth", "moon"))
    parser.add_argument("--moments", type=int, default=9)
    parser.add_argument("--flight", default=Follow.flight)
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    for clip in args.clips:
        figure = strip(clip, args.worlds, args.moments, args.flight)
        figure.savefig(args.out / f"{clip.stem}.png", dpi=100)
        print(args.out / f"{clip.stem}.png", flush=True)
    return 0


def strip(path: Path, worlds: list[str], count: int, flight: str):
    """One picture."""
    body = make_body(BodySpec())
    clip = read_clip(path, body)
    times = np.linspace(ENDS, 1.0 - ENDS, count) * clip.duration_s
    rows = [("the clip", clip.times_s, *lowered(clip))]
    for world in worlds:
        take = simulate(Shot(world=load_world(world), follow=Follow(str(path), flight=flight), controller="follow",
                             until_end=True))
        found = measure(take)
        said = f"{world.title()}\n{found['followed_fraction']:.0%} followed\njoints {found['joint_error_rms_deg']:.1f}° off"
        rows.append((said + ("\nFELL" if take.fell else ""), take.channels[CLIP_TIME].values, *take.segment_poses))
    figure, axes = new_figure(26.0, 2.9 * len(rows), len(rows), 2)
    yaws = np.array([facing(clip, time) for time in times])
    for pair, (said, clip_s, positions, orientations) in zip(zip(axes[::2], axes[1::2], strict=True), rows, strict=True):
        last = [min(int(np.searchsorted(clip_s, time)), len(clip_s) - 1) for time in times]
        for axis, quarter in zip(pair, (0.0, -0.5 * np.pi), strict=True):
            draw_row(axis, body, [turned(positions[i], orientations[i], quarter - yaw, f"{time:.2f} s")
                                  for i, yaw, time in zip(last, yaws, times, strict=True)], said)
    return figure


def lowered(clip: FollowedClip) -> tuple[np.ndarray, np.ndarray]:
    """The clip's own poses, with its lowest ankles at the height of ones that stand."""
    positions, orientations = clip.poses()
    feet = [clip.body.index["foot_L"], clip.body.index["foot_R"]]
    low = np.quantile(positions[:, feet, 2].min(axis=1), 0.1) + clip.body.sole_height_m
    return positions - [0.0, 0.0, low], orientations


def facing(clip: FollowedClip, time_s: float) -> float:
    """Where the clip's hips face at a time [rad]."""
    w, _, _, z = clip.root_quaternion[min(int(time_s / clip.step_s), len(clip.root_m) - 1)]
    return 2.0 * float(np.arctan2(z, w))


def turned(positions: np.ndarray, orientations: np.ndarray, yaw: float, said: str) -> Moment:
    """One figure turned about the vertical."""
    turn = np.array([np.cos(0.5 * yaw), 0.0, 0.0, np.sin(0.5 * yaw)])
    return Moment(quat_rotate(turn, positions), quat_multiply(turn, orientations), said)


if __name__ == "__main__":
    sys.exit(main())
