# SPDX-License-Identifier: GPL-3.0-or-later
"""The demonstration: takes on the built-in astronaut, each on its world's stage, as a Blender file, a strip and films.

`python -m lope.addon.rigs.shots.demo TAKE.npz [TAKE.npz ...] FOLDER`

The demonstration's film of several takes side by side, at the same time, each with its title.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import bpy
import numpy as np

from ...errors import InputError, LopeError
from ...files import written_whole
from ...reports.strides import LEFT, strikes_s
from ...sim.take import Take
from ..astronaut.astronaut import add_astronaut
from ..bake.bake import bake_take
from ..dust.marks import add_marks
from ..render.camera import bone_path, follow_camera
from ..render.film import encode_film
from ..render.frames import Picture, Progress, quiet_output, render_frames
from ..render.pictures import Text, read_picture, write_jpeg, write_picture
from ..render.renderers import can_denoise, set_engine
from ..render.sheets import GAP, INK, Row, contact_sheet, empty_sheet, take_numbers, world_label
from ..stage.stage import TEST_FLOOR, add_stage, stage_for

_TITLE = 0.1  # height of a title line, as a share of a picture's


def films_side_by_side(titles: Sequence[str], films: Sequence[Sequence[Path]], path: Path, fps: float, folder: Path) -> None:
    """A film of several takes' pictures, two in a row, with a title over each; as long as the shortest.

    The joined pictures are left in `folder`. The film is small enough to stand in a README.
    """
    board, corners = _board(titles, read_picture(films[0][0]).shape, folder / "planets.png")
    joined = []
    for number, pictures in enumerate(zip(*films, strict=False), start=1):
        for (top, left), picture in zip(corners, pictures, strict=True):
            values = read_picture(picture)
            board[top:top + values.shape[0], left:left + values.shape[1]] = values
        joined.append(folder / f"planets_{number:04d}.png")
        write_picture(board, joined[-1])
    encode_film(joined, path, fps, quality="LOW")


def _board(titles: Sequence[str], shape: tuple[int, ...], scratch: Path) -> tuple[np.ndarray, list[tuple[int, int]]]:
    """The background (H, W, 3) of even size with the titles on it, and where each picture's upper left corner goes."""
    height, width = shape[:2]
    bar, gap = math.ceil(_TITLE * height), max(2, height // 90)
    columns = min(2, len(titles))
    rows = -(-len(titles) // columns)
    total_height, total_width = rows * (bar + height) + gap, columns * width + (columns - 1) * gap
    board = empty_sheet(total_height + total_height % 2, total_width + total_width % 2)
    corners = [((k // columns) * (bar + height) + bar, (k % columns) * (width + gap)) for k in range(len(titles))]
    texts = [Text(title, left + 0.3 * bar, board.shape[0] - top + 0.3 * bar, 0.55 * bar, INK, most=width - 0.6 * bar)
             for title, (top, left) in zip(titles, corners, strict=True)]
    write_picture(board, scratch, texts)
    return read_picture(scratch).copy(), corners


FILES = ("moonwalk.blend", "strip.png", "strip.jpg", "moonwalk.mp4", "planets.mp4")
SCENE_FPS = 24
FILM_STEP = 2
FILM_SIZE, FILM_SAMPLES = (384, 216), 2
STRIP_PICTURES, STRIP_SPAN_S = 9, 1.8
STRIP_SIZE, STRIP_SAMPLES = (240, 320), 8
_SETTLED_STRIDES = 2
DUST = 2.0
"""How much dust there is: these pictures are small."""


@dataclass(frozen=True)
class Shown:
    """A take on stage: its scene, the armature, and its first and last frame."""

    take: Take
    scene: bpy.types.Scene
    armature: bpy.types.Object
    frames: tuple[int, int]


def make_demo_scene(takes: list[Take], out_dir: str | Path, progress: Progress | None = None) -> dict[str, Path]:
    """Put takes on stage, one scene each, and render them.

    Leaves `moonwalk.blend` with all scenes, `strip.png` with a row per take and the same as `strip.jpg`, `moonwalk.mp4` of
    the first take and `planets.mp4` of all, two by two at the same time and true speed; returns their paths by those names.
    Raises InputError for an empty request.
    """
    if not takes:
        raise InputError("The demonstration needs at least one take.")
    out, say = Path(out_dir), progress or (lambda fraction, text: None)
    out.mkdir(parents=True, exist_ok=True)
    shown = []
    for number, take in enumerate(takes):
        say(0.01 * number / len(takes), f"building the scene of {title(take)}")
        shown.append(stage_take(take))
    files = {name: out / name for name in FILES}
    say(0.02, "saving moonwalk.blend")
    save_file(files["moonwalk.blend"])
    share = 0.25 / len(shown)
    rows = [strip_row(each, out / "frames", _part(say, 0.03 + share * number, share, "strip"))
            for number, each in enumerate(shown)]
    contact_sheet(rows, files["strip.png"])
    write_jpeg(files["strip.png"], files["strip.jpg"])
    share = 0.68 / len(shown)
    films = [film_frames(each, out / "frames", _part(say, 0.28 + share * number, share, "film"))
             for number, each in enumerate(shown)]
    say(0.97, "making the films")
    encode_film(films[0], files["moonwalk.mp4"], SCENE_FPS / FILM_STEP)
    films_side_by_side([title(take) for take in takes], films, files["planets.mp4"], SCENE_FPS / FILM_STEP, out / "frames")
    say(1.0, "done")
    return files


def stage_take(take: Take) -> Shown:
    """A scene with the stage, the astronaut walking the take on it, and a camera going along."""
    world = take.shot.world.name
    scene = _empty_scene(f"{world.title()} {take.called}")
    scene.render.fps, scene.render.fps_base = SCENE_FPS, 1.0
    armature = add_astronaut(scene, height_m=take.shot.body.height_m)
    action = bake_take(armature, take, start_frame=1, scene=scene)
    first, last = (round(frame) for frame in action.frame_range)
    scene.frame_start, scene.frame_end = first, last
    _, path = bone_path(scene, armature, "pelvis", (first, last), step=max(1, (last - first) // 40))
    travel = path[-1, :2] - path[0, :2]
    length = float(np.linalg.norm(travel))
    heading = math.atan2(travel[1], travel[0]) if length > 0.3 else -math.pi / 2
    add_stage(scene, stage_for(world), origin=tuple(path[0, :2]), heading_rad=heading, length_m=max(length, 10.0))
    if stage_for(world) != TEST_FLOOR:  # tiles take no prints
        add_marks(scene, armature, take, dust=DUST)
    width, height = FILM_SIZE
    scene.camera = follow_camera(scene, armature, "three_quarter", (first, last), aspect=width / height)
    scene.render.resolution_x, scene.render.resolution_y = 1920, 1080
    set_engine(scene, "cycles", 32)
    scene.frame_set(first)
    return Shown(take, scene, armature, (first, last))


def _empty_scene(name: str) -> bpy.types.Scene:
    """The open scene where it is empty, a new one otherwise."""
    scene = bpy.context.scene
    if len(scene.objects):
        return bpy.data.scenes.new(name)
    scene.name = name
    return scene


def save_file(path: Path) -> None:
    """Save a copy of everything. Raises InputError where that fails."""
    try:
        with quiet_output(), written_whole(path, "Blender file") as partial:
            bpy.ops.wm.save_as_mainfile(filepath=str(partial), copy=True, compress=True)
    except RuntimeError as error:
        raise InputError(f"Blender cannot write {path}: {error}.") from error


def title(take: Take) -> str:
    """World, gait, gravity, speed and strides a second, and that the ground is none of that world's where it is not."""
    world = take.shot.world
    numbers = [f"{world_label(world)}: {take.called}", *take_numbers(take)]
    return GAP.join(numbers + ["on a test floor"] if stage_for(world.name) == TEST_FLOOR else numbers)


def strip_times(take: Take, count: int = STRIP_PICTURES, span_s: float = STRIP_SPAN_S) -> np.ndarray:
    """Times [s] (count,) at even steps over `span_s`, from a left strike after the first strides: rows of several takes have one
    clock, so that a slow gait is seen to be slow.

    A take too short for that is shown from its start, or whole.
    """
    whole = float(take.time_s[-1] - take.time_s[0])
    span_s = min(span_s, whole)
    fitting = [time for time in strikes_s(take, LEFT) - take.time_s[0] if time + span_s <= whole]
    start = fitting[min(_SETTLED_STRIDES, len(fitting) - 1)] if fitting else 0.0
    return start + np.linspace(0.0, span_s, count)


def strip_row(shown: Shown, folder: Path, progress: Progress | None = None) -> Row:
    """Render one take's row of the strip, seen from the side."""
    scene, take, (first, last) = shown.scene, shown.take, shown.frames
    frames = [min(first + round(time * SCENE_FPS), last) for time in strip_times(take)]
    width, height = STRIP_SIZE
    film_camera = scene.camera
    scene.camera = follow_camera(scene, shown.armature, "side", shown.frames, aspect=width / height)
    try:
        picture = Picture(width, height, samples=STRIP_SAMPLES, denoise=can_denoise("cycles"))
        pictures = render_frames(scene, frames, folder, picture, prefix=f"strip_{take.shot.world.name}_", progress=progress)
    finally:
        scene.camera = film_camera
    seconds = [(frame - first) / SCENE_FPS for frame in frames]
    return Row(title(take), pictures.paths, [f"{time:.2f} s" for time in seconds])


def film_frames(shown: Shown, folder: Path, progress: Progress | None = None) -> list[Path]:
    """Render the film's pictures of one take, through the camera that goes along."""
    first, last = shown.frames
    picture = Picture(*FILM_SIZE, samples=FILM_SAMPLES, denoise=can_denoise("cycles"))
    return render_frames(shown.scene, range(first, last + 1, FILM_STEP), folder, picture,
                         prefix=f"film_{shown.take.shot.world.name}_", progress=progress).paths


def _part(say: Progress, start: float, share: float, what: str) -> Progress:
    """Progress of a part of the whole."""
    return lambda fraction, text: say(start + share * fraction, f"{what}: {text}")


def main(arguments: list[str]) -> int:
    """The command: takes and the folder in, 0 out; 2 for input that cannot be used."""
    from ...progress import Progress as Bar

    if len(arguments) < 2:
        print("usage: python -m lope.addon.rigs.shots.demo TAKE.npz [TAKE.npz ...] FOLDER", file=sys.stderr)
        return 2
    bar = Bar(sys.stderr)
    try:
        takes = [Take.load(path) for path in arguments[:-1]]
        bpy.ops.wm.read_factory_settings(use_empty=True)
        make_demo_scene(takes, arguments[-1], bar)
    except LopeError as error:
        print(f"lope: {error}", file=sys.stderr)
        return 2
    finally:
        bar.close()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
