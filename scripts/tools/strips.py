# SPDX-License-Identifier: GPL-3.0-or-later
"""Strips to look at: moments of a motion beside one another, from the side and from the front. Nothing is rendered.

    scripts/tools/strips.py rigs OUT [FILE ...] [--gaits walk run] [--worlds moon earth] [--redo]
    scripts/tools/strips.py clips OUT CLIP.bvh ... [--worlds earth moon] [--moments 9] [--flight height]
    scripts/tools/strips.py poses OUT GAIT.json ... [--worlds earth moon] [--seconds 30]

`rigs`: gaits on planets, baked on the astronaut, or on rigs from files: one picture a rig and gait, a row for each world, with
one clock. `clips`: the clip, and the body that follows it on some worlds, at the same moments of the clip. `poses`: key poses
beside the gait that was made of them; GAIT.json is named as one of the sets of make_pose_sets.py. The skin as it is baked is
drawn by points, a clip's body by sticks. A line for each row tells speed and fall; exit code 1 where a gait from poses fell.
"""

from __future__ import annotations

from lope.addon.files import written_whole
from lope.scripts.tools.common import leave, parser_of

# isort: split
import argparse
from collections.abc import Sequence
from pathlib import Path

import bpy
import numpy as np

from lope.addon.bodies.makers import make_body
from lope.addon.errors import LopeError
from lope.addon.gaits.pose_gaits import load_pose_gait
from lope.addon.locomotion.clip.clip import FollowedClip, read_clip
from lope.addon.maths.rotations import quat_multiply, quat_rotate
from lope.addon.reports.following import CLIP_TIME
from lope.addon.reports.measures import measure
from lope.addon.reports.plots import new_figure
from lope.addon.reports.strides import LEFT, strikes_s
from lope.addon.rigs.bake.bake import bake_take
from lope.addon.rigs.read.armature import meshes_of, metres_per_unit, read_figure
from lope.addon.rigs.render.pictures import Text, write_picture
from lope.addon.rigs.render.sheets import BACKGROUND, INK, empty_sheet
from lope.addon.rigs.shots.open_rig import open_rig
from lope.addon.sim.simulation import simulate
from lope.addon.sim.take import Take
from lope.addon.specs.bake_options import BakeOptions
from lope.addon.specs.motions import PEOPLE, Clip, Gait, KeyPoses
from lope.addon.specs.shot import EARTH_GRAVITY_M_S2, BodySpec, Shot
from lope.addon.worlds.planets import load_world
from lope.scripts.tools.make_pose_sets import SETS, key_set
from lope.scripts.tools.pictures.figures import Moment, draw_row

GAITS, WORLDS = ("walk", "run", "lope", "skip", "hop", "auto"), ("moon", "mars", "earth", "jupiter")
FPS, MOMENTS, STEP_FRAMES, UNDER_WAY_S = 24, 9, 4, 2.5
"""Of rigs: the first left strike after so long on Earth begins the strip."""
POSE_MOMENTS, POSED_AFTER_S, SHOWN_S = 7, 5.0, 1.1
"""Of gaits from poses: moments of a row; the seconds on Earth after which it begins, and how long it is."""
CELL, TITLE = (84, 135), 18
"""Width and height of a moment, and of a row's title [pixels]; the figure is four fifths as high."""
ENDS = 0.08
"""Share of a clip that is left out at either end."""
POINTS = 24000
"""Enough that a figure of a hundred pixels has no holes."""
Row = tuple[str, list[np.ndarray]]
"""What is said of a row, and its pictures."""


class SkinCloud:
    """Points spread evenly over the meshes that an armature moves; the same ones at every frame."""

    def __init__(self, armature: bpy.types.Object) -> None:
        rng, self._meshes = np.random.default_rng(1), []
        items = [item for item, _, _ in meshes_of(armature) if not item.hide_render]
        surfaces = [_triangles(item) for item in items]
        areas = [_areas(*surface) for surface in surfaces]
        whole = sum(float(area.sum()) for area in areas)
        for item, (_, corners), area in zip(items, surfaces, areas, strict=True):
            count = round(POINTS * float(area.sum()) / whole)
            chosen = corners[rng.choice(len(corners), count, p=area / area.sum())]
            weights = rng.dirichlet((1.0, 1.0, 1.0), count)
            self._meshes.append((item, chosen, weights))

    def at(self, scene: bpy.types.Scene, frame: int) -> np.ndarray:
        """Places (P, 3) in the world [units] at a frame."""
        scene.frame_set(frame)
        depsgraph = bpy.context.evaluated_depsgraph_get()
        parts = []
        for item, corners, weights in self._meshes:
            places, _ = _triangles(item, depsgraph)
            parts.append(np.einsum("pk,pki->pi", weights, places[corners]))
        return np.concatenate(parts)


def _triangles(item: bpy.types.Object, depsgraph: bpy.types.Depsgraph | None = None) -> tuple[np.ndarray, np.ndarray]:
    """Vertices (V, 3) in the world, and the corners (T, 3) of triangles, of a mesh as it is evaluated."""
    evaluated = item.evaluated_get(depsgraph or bpy.context.evaluated_depsgraph_get())
    mesh = evaluated.to_mesh()
    try:
        places, mesh_triangles = np.empty(3 * len(mesh.vertices), dtype=np.float32), mesh.loop_triangles
        mesh.vertices.foreach_get("co", places)
        mesh.calc_loop_triangles()
        corners = np.empty(3 * len(mesh_triangles), dtype=np.int32)
        mesh_triangles.foreach_get("vertices", corners)
    finally:
        evaluated.to_mesh_clear()
    to_world = np.array(evaluated.matrix_world, dtype=float)
    return places.reshape(-1, 3) @ to_world[:3, :3].T + to_world[:3, 3], corners.reshape(-1, 3)


def _areas(places: np.ndarray, corners: np.ndarray) -> np.ndarray:
    a, b, c = (places[corners[:, k]] for k in range(3))
    return np.linalg.norm(np.cross(b - a, c - a), axis=1) + 1e-12


def drawn(flat: np.ndarray, depth: np.ndarray, size: tuple[int, int], high: float) -> np.ndarray:
    """Points (P, 2), across and up from the ground [m], as a picture (H, W, 3) `high` metres high; the greater the depth, the
    nearer: what is near is bright, what is far blue."""
    width, height = size
    scale, order = height / high, np.argsort(depth)
    x = np.round(width / 2 + scale * flat[order, 0]).astype(int)
    y = np.round(height * 0.95 - scale * flat[order, 1]).astype(int)
    near = (depth[order] - depth.min()) / max(float(np.ptp(depth)), 1e-9)
    inks = np.column_stack([0.15 + 0.8 * near, 0.25 + 0.7 * near, 0.55 + 0.4 * near])
    picture = np.empty((height, width, 3), dtype=np.float32)
    picture[:] = BACKGROUND
    picture[round(height * 0.95)] = 0.4
    inside = (x >= 0) & (x < width - 1) & (y >= 0) & (y < height)
    picture[y[inside], x[inside] + 1] = inks[inside]
    picture[y[inside], x[inside]] = inks[inside]
    return picture


def views(points: Sequence[np.ndarray], height_m: float) -> list[np.ndarray]:
    """Pictures of clouds [m] from the right side, then as many from the front; they face +x."""
    cells = []
    for across, near in ((0, (0.0, -1.0)), (1, (1.0, 0.0))):  # what is nearest there
        for places in points:
            flat = places[:, [across, 2]] - np.array([np.median(places[:, across]), 0.0])
            cells.append(drawn(flat, places[:, :2] @ near, CELL, height_m / 0.8))
    return cells


def write_rows(rows: Sequence[Row], count: int, path: Path) -> None:
    """A picture of rows, one under the other, of so many moments from either side."""
    width, height = CELL
    sheet, texts = empty_sheet(len(rows) * (height + TITLE), 2 * count * width), []
    for number, (said, cells) in enumerate(rows):
        top = number * (height + TITLE)
        texts.append(Text(said, 4, sheet.shape[0] - top - TITLE + 4, 11, INK, most=sheet.shape[1] - 8))
        for k, cell in enumerate(cells):
            sheet[top + TITLE:top + TITLE + height, k * width:(k + 1) * width] = cell
    write_picture(sheet, path, texts)


def slower(world: str) -> float:
    """How many times as long things take there as on Earth."""
    return (EARTH_GRAVITY_M_S2 / load_world(world).gravity_m_s2) ** 0.5


def rigs(args: argparse.Namespace) -> bool:
    """A picture a rig and gait."""
    for rig in args.rigs or [None]:
        for gait in args.gaits:
            path = args.out / f"{rig.stem if rig else 'astronaut'}-{gait}.png"
            if args.redo or not path.is_file():
                rows = [rig_row(rig, gait, world) for world in args.worlds or WORLDS]
                print("\n".join(f"{path.stem} {said}" for said, _ in rows), flush=True)
                write_rows(rows, MOMENTS, path)
    return True


def rig_row(rig: Path | None, gait: str, world: str) -> Row:
    """One rig and gait in a world."""
    armature = open_rig(None if rig is None else str(rig), None)
    if armature.animation_data is not None:
        armature.animation_data.action = None
    scene = bpy.context.scene
    scene.render.fps, scene.render.fps_base = FPS, 1.0
    slow = min(slower(world), 2.0)
    try:
        figure = read_figure(armature)
        take = simulate(
            Shot(
                motion=Gait(gait, law=PEOPLE),
                body=figure.body_spec(75.0),
                world=load_world(world),
                duration_s=round((UNDER_WAY_S + 1.5) * slow + MOMENTS * STEP_FRAMES / FPS, 2),
            )
        )
        frames = moments(take, UNDER_WAY_S * slow)
        bake_take(armature, take, options=BakeOptions(frame_range=(frames[0] - 1, frames[-1] + 1)))
    except LopeError as error:
        return f"{gait} {world}: {error}", []
    said = f"{gait} on {world}: {take.shot.motion.name} at {take.stats['planned_speed_m_s']:.2f} m/s"
    said += f", FELL at {take.stats['time_fell_s']:.1f} s" if take.fell else ""
    cloud, metre = SkinCloud(armature), metres_per_unit(scene)
    seen = [cloud.at(scene, frame) * metre for frame in frames]
    return said, views([levelled(each, seen) for each in seen], figure.height_m)


def moments(take: Take, since_s: float) -> list[int]:
    """Frames of the moments: from a left strike on, or as late as the take allows."""
    last = int((take.time_s[-1] - take.time_s[0]) * FPS) - 1
    strikes = [time - take.time_s[0] for time in strikes_s(take, LEFT) if time - take.time_s[0] > since_s]
    first = round(strikes[0] * FPS) if strikes else last
    first = max(2, min(first, last - (MOMENTS - 1) * STEP_FRAMES))
    return [1 + first + k * STEP_FRAMES for k in range(MOMENTS)]


def levelled(points: np.ndarray, seen: list[np.ndarray]) -> np.ndarray:
    """The points with the way of travel along x."""
    way = seen[-1].mean(axis=0) - seen[0].mean(axis=0)
    cosine, sine = way[:2] / max(float(np.linalg.norm(way[:2])), 1e-9)
    return points @ np.array([[cosine, -sine, 0.0], [sine, cosine, 0.0], [0.0, 0.0, 1.0]])


def clips(args: argparse.Namespace) -> bool:
    """A picture a clip."""
    for clip in args.clips:
        figure = clip_strip(clip, args.worlds or ("earth", "moon"), args.moments, args.flight)
        with written_whole(args.out / f"{clip.stem}.png", "picture") as partial:
            figure.savefig(partial, dpi=100)
        print(args.out / f"{clip.stem}.png", flush=True)
    return True


def clip_strip(path: Path, worlds: Sequence[str], count: int, flight: str):
    """One picture."""
    body = make_body(BodySpec())
    clip = read_clip(path, body)
    times = np.linspace(ENDS, 1.0 - ENDS, count) * clip.duration_s
    rows = [("the clip", clip.times_s, *lowered(clip))]
    for world in worlds:
        take = simulate(Shot(motion=Clip(str(path), flight=flight, until_end=True), world=load_world(world)))
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


def poses(args: argparse.Namespace) -> bool:
    """A picture a gait; whether all stood in each world."""
    stood = [pose_strip(path, args.worlds or ("earth", "moon"), args.seconds, args.out) for path in args.gaits]
    return all(stood)


def pose_strip(path: Path, worlds: Sequence[str], seconds: float, out: Path) -> bool:
    """One gait: the poses as they were keyed, and a row for each world."""
    keyed, stood = SETS[path.stem], []
    armature, scene = open_rig(None, None), bpy.context.scene
    scene.render.fps = FPS
    figure = read_figure(armature)
    key_set(armature, path.stem, keyed)

    def seen(frames: list[int]) -> list[np.ndarray]:
        cloud, ahead = SkinCloud(armature), np.array([[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])  # it faces -Y
        return views([cloud.at(scene, frame) @ ahead.T for frame in frames], figure.height_m)

    rows = [(f"{path.stem}: the poses as they were keyed, frames 1 and {1 + keyed.apart}", seen([1, 1 + keyed.apart]))]
    for name in worlds:
        slow = slower(name)
        take = simulate(
            Shot(
                motion=KeyPoses(load_pose_gait(str(path)), start="standing"),
                body=figure.body_spec(75.0),
                world=load_world(name),
                duration_s=round(seconds * slow, 1),
            )
        )
        stood.append(not take.fell)
        late = take.time_s > 0.5 * take.time_s[-1]
        speed = float(np.ptp(take.com_m[late, 0]) / np.ptp(take.time_s[late]))
        said = f"{path.stem} on {name}: {speed:.2f} m/s, " + (f"FELL at {take.stats['time_fell_s']:.1f} s" if take.fell else
                                                              f"stood {seconds * slow:.0f} s")
        print(said, flush=True)
        first = int(min(POSED_AFTER_S * slow, max(float(take.time_s[-1]) - SHOWN_S * slow, 0.1)) * FPS)
        frames = [first + round(k * SHOWN_S * slow * FPS / (POSE_MOMENTS - 1)) for k in range(POSE_MOMENTS)]
        armature.animation_data.action = None
        bake_take(armature, take, options=BakeOptions(frame_range=(frames[0] - 1, frames[-1] + 1)))
        rows.append((said, seen(frames)))
    write_rows(rows, POSE_MOMENTS, out / f"{path.stem}.png")
    return all(stood)


def main() -> None:
    """Draw the strips."""
    parser = parser_of(__doc__)
    kinds = parser.add_subparsers(required=True)
    one = kinds.add_parser("rigs")
    one.set_defaults(run=rigs)
    one.add_argument("out", type=Path, metavar="OUT")
    one.add_argument("rigs", type=Path, nargs="*", metavar="FILE")
    one.add_argument("--gaits", nargs="+", default=GAITS)
    one.add_argument("--redo", action="store_true", help="also pictures that there are")
    one = kinds.add_parser("clips")
    one.set_defaults(run=clips)
    one.add_argument("out", type=Path, metavar="OUT")
    one.add_argument("clips", type=Path, nargs="+", metavar="CLIP")
    one.add_argument("--moments", type=int, default=9)
    one.add_argument("--flight", default=Clip.flight)
    one = kinds.add_parser("poses")
    one.set_defaults(run=poses)
    one.add_argument("out", type=Path, metavar="OUT")
    one.add_argument("gaits", type=Path, nargs="+", metavar="GAIT.json")
    one.add_argument("--seconds", type=float, default=30.0, metavar="S")
    for one in kinds.choices.values():
        one.add_argument("--worlds", nargs="+", metavar="NAME")
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    leave(0 if args.run(args) else 1)


if __name__ == "__main__":
    main()
