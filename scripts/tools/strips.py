#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Strips to look at: gaits on planets, baked on the astronaut and on rigs from files, from the side and from the front.

    scripts/strips OUT [--rigs astronaut FILE ...] [--gaits walk run] [--worlds moon earth] [--redo]

One picture a rig and gait, OUT/RIG-GAIT.png: a row for each world, nine moments from the side, then the same from the front, all
with one clock. Nothing is rendered: the skin as it is baked is drawn by points, which takes no graphics card and no time. A line
for each row tells gait, speed and fall. A picture that there is stays, without --redo.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from pathlib import Path

for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ[name] = "1"  # before numpy is loaded
os.environ.setdefault("BLENDER_USER_RESOURCES", tempfile.mkdtemp(prefix="lope_strips_"))

try:
    import bpy
    import numpy as np

    from baked.skin_cloud import SkinCloud, drawn
    from lope.addon.errors import LopeError
    from lope.addon.reports.strides import LEFT, strikes_s
    from lope.addon.rigs.bake.bake import bake_take
    from lope.addon.rigs.read.armature import metres_per_unit, read_figure
    from lope.addon.rigs.render.pictures import Text, write_picture
    from lope.addon.rigs.render.strip import INK, empty_sheet
    from lope.addon.rigs.shots.open_rig import open_rig
    from lope.addon.simulate import simulate
    from lope.addon.specs.bake_options import BakeOptions
    from lope.addon.specs.shot import EARTH_GRAVITY_M_S2, PEOPLE, Shot
    from lope.addon.take import Take
    from lope.addon.worlds.planets import load_world
except ImportError:
    python = Path(__file__).resolve().parents[1] / ".venv" / "bin" / "python"
    if not python.exists() or Path(sys.prefix) == python.parents[1]:
        raise
    os.execv(python, [str(python), __file__, *sys.argv[1:]])

ASTRONAUT = "astronaut"
GAITS, WORLDS = ("walk", "run", "lope", "skip", "hop", "auto"), ("moon", "mars", "earth", "jupiter")
FPS, MOMENTS, STEP_FRAMES = 24, 9, 4
CELL = (72, 120)
"""Width and height of a moment [pixels]; the figure is four fifths as high."""
TITLE = 16
UNDER_WAY_S = 2.5
"""On Earth; the first left strike after that begins the strip."""


def main() -> int:
    """Draw the strips; exit code 0."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path, metavar="OUT")
    parser.add_argument("--rigs", nargs="+", default=[ASTRONAUT], metavar="FILE")
    parser.add_argument("--gaits", nargs="+", default=GAITS)
    parser.add_argument("--worlds", nargs="+", default=WORLDS)
    parser.add_argument("--redo", action="store_true")
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    for rig in options.rigs:
        for gait in options.gaits:
            path = options.out / f"{Path(rig).stem}-{gait}.png"
            if options.redo or not path.is_file():
                strip(rig, gait, options.worlds, path)
    sys.stdout.flush()
    os._exit(0)  # Blender's module does not end its interpreter once Rigify has run in it


def strip(rig: str, gait: str, worlds: list[str], path: Path) -> None:
    """One picture."""
    width, height = CELL
    sheet, texts = empty_sheet(len(worlds) * (height + TITLE), 2 * MOMENTS * width), []
    for number, world in enumerate(worlds):
        top = number * (height + TITLE)
        said, cells = row(rig, gait, world)
        print(f"{Path(rig).stem} {said}", flush=True)
        texts.append(Text(said, 4, sheet.shape[0] - top - TITLE + 4, 11, INK, most=sheet.shape[1] - 8))
        for k, cell in enumerate(cells):
            sheet[top + TITLE:top + TITLE + height, k * width:(k + 1) * width] = cell
    write_picture(sheet, path, texts)


def row(rig: str, gait: str, world: str) -> tuple[str, list[np.ndarray]]:
    """What is said of a row, and its pictures: from the side, then from the front."""
    armature = open_rig(None if rig == ASTRONAUT else rig, None)
    if armature.animation_data is not None:
        armature.animation_data.action = None
    scene = bpy.context.scene
    scene.render.fps, scene.render.fps_base = FPS, 1.0
    place = load_world(world)
    slow = min((EARTH_GRAVITY_M_S2 / place.gravity_m_s2) ** 0.5, 2.0)
    try:
        figure = read_figure(armature)
        shot = Shot(body=figure.body_spec(75.0), world=place, gait=gait, gait_law=PEOPLE,
                    duration_s=round((UNDER_WAY_S + 1.5) * slow + MOMENTS * STEP_FRAMES / FPS, 2))
        take = simulate(shot)
        frames = moments(take, UNDER_WAY_S * slow)
        bake_take(armature, take, options=BakeOptions(frame_range=(frames[0] - 1, frames[-1] + 1)))
    except LopeError as error:
        return f"{gait} {world}: {error}", []
    said = f"{gait} on {world}: {take.shot.gait} at {take.stats['planned_speed_m_s']:.2f} m/s"
    if take.fell:
        said += f", FELL at {take.stats['time_fell_s']:.1f} s"
    metre, cloud, cells = metres_per_unit(scene), SkinCloud(armature), []
    views = [cloud.at(scene, frame) * metre for frame in frames]
    level = [turned(each, views) for each in views]
    for across, near in ((0, (0.0, -1.0)), (1, (1.0, 0.0))):  # from the right side, from the front: what is nearest there
        for points in level:
            flat = points[:, [across, 2]] - np.array([np.median(points[:, across]), 0.0])
            cells.append(drawn(flat, points[:, :2] @ near, CELL, figure.height_m / 0.8))
    return said, cells


def moments(take: Take, since_s: float) -> list[int]:
    """Frames of the moments: from a left strike on, or as late as the take allows."""
    last = int((take.time_s[-1] - take.time_s[0]) * FPS) - 1
    strikes = [time - take.time_s[0] for time in strikes_s(take, LEFT) if time - take.time_s[0] > since_s]
    first = round(strikes[0] * FPS) if strikes else last
    first = max(2, min(first, last - (MOMENTS - 1) * STEP_FRAMES))
    return [1 + first + k * STEP_FRAMES for k in range(MOMENTS)]


def turned(points: np.ndarray, views: list[np.ndarray]) -> np.ndarray:
    """The points with the way of travel along x."""
    way = views[-1].mean(axis=0) - views[0].mean(axis=0)
    cosine, sine = way[:2] / max(float(np.linalg.norm(way[:2])), 1e-9)
    return points @ np.array([[cosine, -sine, 0.0], [sine, cosine, 0.0], [0.0, 0.0, 1.0]])


if __name__ == "__main__":
    sys.exit(main())
