#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Key poses beside the gaits that were made of them, to be looked at.

    scripts/pose_strips OUT GAIT.json ... [--worlds earth moon] [--seconds 30]

GAIT.json is named as one of the sets of scripts/poses/sets.py. One picture a gait, OUT/GAIT.png: the poses as they were keyed on
the astronaut, from the side and from the front, above a row for each world: moments from the side, then from the front. Nothing
is rendered: the skin is drawn by points. A line for each row tells how long it stood and how fast it went.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from pathlib import Path

import own_python

os.environ.setdefault("BLENDER_USER_RESOURCES", tempfile.mkdtemp(prefix="lope_pose_strips_"))
try:
    import bpy
    import numpy as np

    from baked.skin_cloud import SkinCloud, drawn
    from lope.addon.gaits.pose_gaits import load_pose_gait
    from lope.addon.rigs.bake.bake import bake_take
    from lope.addon.rigs.read.armature import read_figure
    from lope.addon.rigs.render.pictures import Text, write_picture
    from lope.addon.rigs.render.strip import INK, empty_sheet
    from lope.addon.rigs.shots.open_rig import open_rig
    from lope.addon.simulate import simulate
    from lope.addon.specs.bake_options import BakeOptions
    from lope.addon.specs.shot import EARTH_GRAVITY_M_S2, Shot
    from lope.addon.worlds.planets import load_world
    from poses.keyed import key_set
    from poses.sets import SETS
except ImportError as absent:
    own_python.start_again(absent)

FPS, MOMENTS, UNDER_WAY_S, SHOWN_S = 24, 7, 5.0, 1.1
"""Moments of a row; the seconds on Earth after which it begins, and how long it is."""
CELL, TITLE = (96, 150), 18
"""Width and height of a moment, and of a row's title [pixels]."""


def main() -> int:
    """Draw the strips; exit code 1 where one of them fell."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path, metavar="OUT")
    parser.add_argument("gaits", nargs="+", type=Path, metavar="GAIT.json")
    parser.add_argument("--worlds", nargs="+", default=["earth", "moon"], metavar="NAME")
    parser.add_argument("--seconds", type=float, default=30.0, metavar="S")
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    stood = [strip(path, args.worlds, args.seconds, args.out / f"{path.stem}.png") for path in args.gaits]
    return int(not all(stood))


def strip(path: Path, worlds: list[str], seconds: float, out: Path) -> bool:
    """One picture; whether the gait stood in each world."""
    width, height = CELL
    poses, stood, texts = SETS[path.stem], [], []
    armature = open_rig(None, None)
    scene = bpy.context.scene
    scene.render.fps = FPS
    figure = read_figure(armature)
    key_set(armature, path.stem, poses)
    rows = [(f"{path.stem}: the poses as they were keyed, frames 1 and {1 + poses.apart}",
             pictures(armature, scene, [1, 1 + poses.apart], figure.height_m))]
    for name in worlds:
        world = load_world(name)
        slow = (EARTH_GRAVITY_M_S2 / world.gravity_m_s2) ** 0.5
        take = simulate(Shot(body=figure.body_spec(75.0), world=world, pose_gait=load_pose_gait(str(path)),
                             controller="pose_gait", start="standing", duration_s=round(seconds * slow, 1)))
        stood.append(not take.fell)
        late = take.time_s > 0.5 * take.time_s[-1]
        speed = float(np.ptp(take.com_m[late, 0]) / np.ptp(take.time_s[late]))
        said = f"{path.stem} on {name}: {speed:.2f} m/s, " + (f"FELL at {take.stats['time_fell_s']:.1f} s" if take.fell else
                                                              f"stood {seconds * slow:.0f} s")
        print(said, flush=True)
        first = int(min(UNDER_WAY_S * slow, max(float(take.time_s[-1]) - SHOWN_S * slow, 0.1)) * FPS)
        frames = [first + round(k * SHOWN_S * slow * FPS / (MOMENTS - 1)) for k in range(MOMENTS)]
        armature.animation_data.action = None
        bake_take(armature, take, options=BakeOptions(frame_range=(frames[0] - 1, frames[-1] + 1)))
        rows.append((said, pictures(armature, scene, frames, figure.height_m)))
    sheet = empty_sheet(len(rows) * (height + TITLE), 2 * MOMENTS * width)
    for number, (said, cells) in enumerate(rows):
        top = number * (height + TITLE)
        texts.append(Text(said, 4, sheet.shape[0] - top - TITLE + 4, 12, INK, most=sheet.shape[1] - 8))
        for k, cell in enumerate(cells):
            sheet[top + TITLE:top + TITLE + height, k * width:(k + 1) * width] = cell
    write_picture(sheet, out, texts)
    return all(stood)


def pictures(armature: bpy.types.Object, scene: bpy.types.Scene, frames: list[int], height_m: float) -> list[np.ndarray]:
    """Pictures of an armature at frames, from its right side, then as many from the front; it faces -Y."""
    cloud, cells = SkinCloud(armature), []
    views = [cloud.at(scene, frame) @ np.array([[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]]).T for frame in frames]
    for across, near in ((0, (0.0, -1.0)), (1, (1.0, 0.0))):
        for points in views:
            flat = points[:, [across, 2]] - np.array([np.median(points[:, across]), 0.0])
            cells.append(drawn(flat, points[:, :2] @ near, CELL, height_m / 0.8))
    return cells


if __name__ == "__main__":
    sys.exit(main())
