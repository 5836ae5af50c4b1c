# SPDX-License-Identifier: GPL-3.0-or-later
"""Make the asset library of moves that Lope brings: simulate the shots of a list, bake each on the astronaut, and write the
actions with their previews, catalogues and licence to FOLDER/moves.blend. And pressure to try: what a mat feels of a few steps,
mat.npz, with a database of four of the moves, steps.npz.

    scripts/tools/make_library.py                     docs/lists/library.toml to presets/library
    scripts/tools/make_library.py --only walks falls --folder OUT     those whose name holds one of these, to look at

A shot is called CATALOGUE.NAME. Takes lie in --takes (default out/library) and are made anew where the shot has changed. Nothing
is written where a character falls outside the catalogue `falls`, does not fall in it, or slides. Needs Blender's module of the
oldest Blender that Lope runs in: newer ones read what it writes. Some five minutes of processor time.
"""

from __future__ import annotations

from lope.scripts.tools.common import ROOT, leave, parser_of

# isort: split
import dataclasses
import re
import sys
import tempfile
import uuid
from pathlib import Path

import bpy
import numpy as np

from lope.addon.batch.plan import shot_from_values
from lope.addon.batch.shot_list import ListedShot, read_list
from lope.addon.errors import LopeError
from lope.addon.files import write_whole
from lope.addon.motions.bvh import write_bvh
from lope.addon.motions.pressure.database import write_spans
from lope.addon.motions.pressure.files import write_pressure
from lope.addon.reports.measures import measure
from lope.addon.reports.pressure import mat_of
from lope.addon.reports.retry import attempt
from lope.addon.rigs.astronaut.astronaut import add_astronaut
from lope.addon.rigs.bake.bake import bake_take
from lope.addon.rigs.read.actions import curves_of
from lope.addon.rigs.render.camera import follow_camera
from lope.addon.rigs.render.frames import Picture, render_frames
from lope.addon.rigs.render.pictures import read_picture
from lope.addon.rigs.shots.library import CATALOGUES, DATABASE, FILE, MAT, RIG
from lope.addon.rigs.stage.stage import add_plain_light
from lope.addon.search.pressed_clips import index_clips
from lope.addon.sim.take import Take
from lope.addon.specs.bake_options import bake_options
from lope.addon.specs.shot import END, Shot

FPS = 30
PREVIEW_PX, SAMPLES, CLOSER = 128, 8, 1.3
LICENCE, AUTHOR = "CC0-1.0", "Lope"
ROOT_CATALOGUE = "Lope"
NAMESPACE = uuid.UUID("3f0d1f0a-5c6e-4d0b-9f4f-0c1f6a4e6f10")
"""Of the catalogues' numbers, which so are the same in every build."""
PRESSED = {"standing.stand_quietly": "stands", "starts_and_stops.a_few_steps": "a few steps",
           "standing.shoved_from_behind": "a step ahead", "standing.shoved_from_the_right": "a step to the left"}
RECORDED = "starts_and_stops.a_few_steps"
"""The moves that pressure is known of, and that of the recording."""
CLIP_HZ = 60.0
MOST_SLIP_MM = 30.0
"""Up to here the physics card is not red, and a bake plants the feet."""
PARTS = np.array([64.0, 8192.0])
"""Parts of a frame, and of a radian or a metre."""
EVERY = 3
"""Frames of which one is looked at for the preview's."""


def main() -> int:
    """Make the library. Exit code 1 where a move is not as its catalogue says, 2 for bad input."""
    parser = parser_of(__doc__)
    parser.add_argument("--list", type=Path, default=ROOT / "docs/lists/library.toml")
    parser.add_argument("--folder", type=Path, default=ROOT / "presets/library")
    parser.add_argument("--takes", type=Path, default=ROOT / "out/library")
    parser.add_argument("--only", nargs="+", default=[], metavar="WORD")
    asked = parser.parse_args()
    listed = [one for one in read_list(asked.list).shots if not asked.only or any(word in one.name for word in asked.only)]
    if asked.only and asked.folder == parser.get_default("folder"):
        print("make_library: a part of the library takes not its place: say with --folder where it goes.", file=sys.stderr)
        return 2
    takes, wrong = {}, 0
    for one in listed:
        try:
            take = takes[one.name] = simulated(one, asked.takes)
            told = "" if take.fell == one.name.startswith("falls.") else "fell" if take.fell else "did not fall"
            told = told or slides(take)
        except LopeError as error:
            told = f"cannot be simulated: {error}"
        if told:
            print(f"make_library: {one.name} {told}", file=sys.stderr, flush=True)
        wrong += bool(told)
    if wrong:
        return 1
    asked.folder.mkdir(parents=True, exist_ok=True)
    write_library(listed, takes, asked.folder)
    if not asked.only:
        write_pressed(takes, asked.folder)
    size = (asked.folder / FILE).stat().st_size
    print(f"{len(takes)} moves in {asked.folder / FILE}, {size / 1e6:.2f} MB")
    return 0


def slides(take: Take) -> str:
    """How far planted feet slide in a take, in words; "" where they hold, and of falls."""
    slip = None if take.fell else measure(take)["foot_slip_mm_per_stride"]
    return "" if slip is None or slip <= MOST_SLIP_MM else f"slides by {slip:.0f} mm a stride"


def simulated(listed: ListedShot, folder: Path) -> Take:
    """The take of a listed shot, made before of just this shot or now."""
    path, shot = folder / f"{listed.name}.npz", shot_from_values(listed.values)
    if path.is_file():
        take = Take.load(path)
        if take.shot == shot:
            return take
    take = attempt(shot)
    folder.mkdir(parents=True, exist_ok=True)
    take.save(path)
    print(f"{listed.name}: {take.time_s[-1]:.1f} s{', fell' if take.fell else ''}", flush=True)
    return take


def write_library(listed: list[ListedShot], takes: dict[str, Take], folder: Path) -> None:
    """Bake the takes on one astronaut, and write its actions, catalogues and armature."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    scene = bpy.context.scene
    scene.render.fps, scene.render.fps_base = FPS, 1.0
    armature = add_astronaut(scene)
    armature.name = armature.data.name = RIG
    catalogues: dict[str, str] = {}
    actions = set()
    with tempfile.TemporaryDirectory() as pictures:
        for one in listed:
            catalogue, name = one.name.split(".", 1)
            options = bake_options(one.bake | {"target": "new", "name": title(name)})
            action = bake_take(armature, takes[one.name], options=options)
            round_keys(action)
            catalogues[catalogue] = str(uuid.uuid5(NAMESPACE, catalogue))
            mark(action, takes[one.name].shot, one, catalogues[catalogue])
            preview(scene, armature, action, Path(pictures))
            actions.add(action)
            print(f"{one.name}: {action.name}", flush=True)
    armature.animation_data_clear()
    for child in list(armature.children):
        bpy.data.objects.remove(child)
    bpy.data.libraries.write(str(folder / FILE), {*actions, armature}, fake_user=True, compress=True)
    lines = [f"{uuid.uuid5(NAMESPACE, ROOT_CATALOGUE)}:{ROOT_CATALOGUE}:{ROOT_CATALOGUE}"]  # or Blender wants to save it
    lines += [f"{number}:{ROOT_CATALOGUE}/{title(name)}:{ROOT_CATALOGUE}-{title(name)}" for name, number in catalogues.items()]
    write_whole(folder / CATALOGUES, "VERSION 1\n\n" + "\n".join(sorted(lines)) + "\n", "catalogue")


def write_pressed(takes: dict[str, Take], folder: Path) -> None:
    """The database of some moves, known by their pressure, and a recording of one of them that went a little otherwise."""
    with tempfile.TemporaryDirectory() as clips:
        paths = []
        for name, called in PRESSED.items():
            take, path = takes[name], Path(clips) / f"{called}.bvh"
            step_s = (take.time_s[-1] - take.time_s[0]) / (len(take.time_s) - 1)
            every = max(1, round(1.0 / (CLIP_HZ * step_s)))
            write_bvh(path, take.body, every * step_s, take.root_position_m[::every], take.root_quaternion[::every],
                      take.joint_quaternions[::every])
            paths.append(path)
        database, spans = index_clips(DATABASE.stem, LICENCE, paths)
    database.save(folder / DATABASE.name)
    write_spans(folder / DATABASE.with_suffix(".json").name, spans)
    other = attempt(dataclasses.replace(takes[RECORDED].shot, seed=1, noise=0.1))
    write_pressure(folder / MAT.name, [mat_of(other)])


def title(name: str) -> str:
    """The name of a catalogue or of a move as it is shown."""
    return re.sub("[-_]+", " ", name).capitalize()


def round_keys(action: bpy.types.Action) -> None:
    """Keys and handles in whole parts of two's powers, so that the file packs to two thirds; bones go by less than 0.2 mm."""
    for curve in curves_of(action):
        for part in ("co", "handle_left", "handle_right"):
            values = np.empty(2 * len(curve.keyframe_points), dtype=np.float32)
            curve.keyframe_points.foreach_get(part, values)
            rounded = np.round(values.reshape(-1, 2) * PARTS) / PARTS
            curve.keyframe_points.foreach_set(part, rounded.astype(np.float32).ravel())


def mark(action: bpy.types.Action, shot: Shot, listed: ListedShot, catalogue: str) -> None:
    """Make an action an asset: where it stands, whose it is, how it was made."""
    action.asset_mark()
    data = action.asset_data
    data.catalog_id, data.author, data.license, data.copyright = catalogue, AUTHOR, LICENCE, "None: public domain"
    world = f"{shot.world.name.title()}, {shot.world.gravity_m_s2:.2f} m/s²"
    told = ", ".join(f"{name} {value}" for name, value in listed.values.items() if name not in ("no_retry", "world"))
    data.description = f"{world}; {told}. Simulated by Lope for a body of {shot.body.height_m:.2f} m and {shot.body.mass_kg:g} kg"
    for tag in dict.fromkeys((shot.world.name, shot.called, *(("fall",) if shot.after_fall != END else ()))):
        data.tags.new(tag, skip_if_exists=True)


def preview(scene: bpy.types.Scene, armature: bpy.types.Object, action: bpy.types.Action, folder: Path) -> None:
    """Draw an action's picture: the frame in which the figure is farthest from how it rests."""
    first, last = (round(frame) for frame in action.frame_range)
    frame = max(range(first, last + 1, EVERY), key=lambda number: away(scene, armature, number))
    camera = scene.camera = follow_camera(scene, armature, "three_quarter", (frame - 1, frame + 1), aspect=1.0)
    camera.data.lens *= CLOSER
    sun = add_plain_light(scene)
    path = render_frames(scene, [frame], folder, Picture(PREVIEW_PX, PREVIEW_PX, samples=SAMPLES)).paths[0]
    picture = np.ones((PREVIEW_PX, PREVIEW_PX, 4), dtype=np.float32)
    picture[..., :3] = read_picture(path)[::-1]
    shown = action.preview_ensure()
    shown.image_size = (PREVIEW_PX, PREVIEW_PX)
    shown.image_pixels_float.foreach_set(picture.ravel())
    for item in (camera, sun):
        bpy.data.objects.remove(item)


def away(scene: bpy.types.Scene, armature: bpy.types.Object, frame: int) -> float:
    """How far the bones are from where they rest, seen from the hips and from how these are turned about the vertical [m]."""
    scene.frame_set(frame)
    posed = np.array([bone.head for bone in armature.pose.bones])
    rest = np.array([bone.bone.head_local for bone in armature.pose.bones])
    posed, rest = posed - posed[0] * (1.0, 1.0, 0.0), rest - rest[0] * (1.0, 1.0, 0.0)
    turn = np.angle(np.sum((posed[:, 0] - 1j * posed[:, 1]) * (rest[:, 0] + 1j * rest[:, 1])))
    seen = (posed[:, 0] + 1j * posed[:, 1]) * np.exp(1j * turn)
    return float(np.abs(seen - rest[:, 0] - 1j * rest[:, 1]).sum() + np.abs(posed[:, 2] - rest[:, 2]).sum())


if __name__ == "__main__":
    leave(main())
