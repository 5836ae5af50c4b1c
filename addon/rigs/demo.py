# SPDX-License-Identifier: GPL-3.0-or-later
"""The demonstration: takes on the built-in astronaut, on their worlds' stages, as a Blender file, a strip and a film.

`python -m lope.addon.rigs.demo TAKE.npz [TAKE.npz ...] FOLDER`; the first take is the film's.
"""

from __future__ import annotations

import math
import sys
from dataclasses import dataclass
from pathlib import Path

import bpy
import numpy as np

from ..errors import InputError, LopeError
from ..reports.strides import LEFT, strikes_s
from ..take import Take
from ..worlds.planets import FOLDER, read_preset
from .astronaut import add_astronaut
from .bake import bake_take
from .camera import bone_path, follow_camera
from .render import Progress, encode_video, quiet_output, render_frames, set_engine
from .stage import add_stage
from .strip import Row, contact_sheet

SCENE_FPS = 24
FILM_STEP = 2
FILM_SIZE, FILM_SAMPLES = (480, 270), 4
STRIP_PICTURES, STRIP_STRIDES = 9, 1.5
STRIP_SIZE, STRIP_SAMPLES = (300, 400), 10
_SETTLED_STRIDES = 2


@dataclass(frozen=True)
class Shown:
    """A take on stage: its scene, the armature, and its first and last frame."""

    take: Take
    scene: bpy.types.Scene
    armature: bpy.types.Object
    frames: tuple[int, int]


def make_demo_scene(takes: dict[str, Take], out_dir: str | Path, progress: Progress | None = None) -> dict[str, Path]:
    """Put takes (by the name of their stage) on stage, one scene each, and render them.

    Leaves `moonwalk.blend` and `moonwalk.mp4` of the first take, and `strip.png` with a row per take; returns their paths
    by those names. Raises InputError for an unknown stage or an empty request.
    """
    if not takes:
        raise InputError("The demonstration needs at least one take.")
    out, say = Path(out_dir), progress or (lambda fraction, text: None)
    out.mkdir(parents=True, exist_ok=True)
    shown = []
    for number, (world, take) in enumerate(takes.items()):
        say(0.01 * number, f"building the {world} scene")
        shown.append(stage_take(take, world))
    files = {name: out / name for name in ("moonwalk.blend", "strip.png", "moonwalk.mp4")}
    say(0.03, "saving moonwalk.blend")
    save_file(files["moonwalk.blend"])
    rows = []
    share = 0.36 / len(shown)
    for number, each in enumerate(shown):
        rows.append(strip_row(each, out / "frames", _part(say, 0.04 + share * number, share, "strip")))
    contact_sheet(rows, files["strip.png"])
    film(shown[0], files["moonwalk.mp4"], out / "frames", _part(say, 0.40, 0.58, "film"))
    say(1.0, "done")
    return files


def stage_take(take: Take, world: str) -> Shown:
    """A scene with the stage, the astronaut walking the take on it, and a camera going along."""
    scene = _empty_scene(f"{world.title()} walk")
    scene.render.fps, scene.render.fps_base = SCENE_FPS, 1.0
    armature = add_astronaut(scene, height_m=take.shot.body.height_m)
    action = bake_take(armature, take, start_frame=1, scene=scene)
    first, last = (round(frame) for frame in action.frame_range)
    scene.frame_start, scene.frame_end = first, last
    _, path = bone_path(scene, armature, "pelvis", (first, last), step=max(1, (last - first) // 40))
    travel = path[-1, :2] - path[0, :2]
    length = float(np.linalg.norm(travel))
    heading = math.atan2(travel[1], travel[0]) if length > 0.3 else -math.pi / 2
    add_stage(scene, world, origin=tuple(path[0, :2]), heading_rad=heading, length_m=max(length, 10.0))
    width, height = FILM_SIZE
    scene.camera = follow_camera(scene, armature, "three_quarter", (first, last), aspect=width / height)
    scene.render.resolution_x, scene.render.resolution_y = 4 * width, 4 * height
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
        with quiet_output():
            bpy.ops.wm.save_as_mainfile(filepath=str(path.resolve()), copy=True, compress=True)
    except RuntimeError as error:
        raise InputError(f"Blender cannot write {path}: {error}.") from error


def strip_times(take: Take, count: int = STRIP_PICTURES, strides: float = STRIP_STRIDES) -> np.ndarray:
    """Times [s] (count,) at regular phases over `strides` strides, from a left strike after the first strides.

    A take with too few steps for that is shown at even times from start to end.
    """
    left = strikes_s(take, LEFT) - take.time_s[0]
    span = float(take.time_s[-1] - take.time_s[0])
    if len(left) < 2:
        return np.linspace(0.0, span, count)
    phases = np.linspace(0.0, strides, count)
    stride = float(np.median(np.diff(left)))
    latest = span - strides * stride
    fitting = [k for k, time in enumerate(left) if time <= latest]
    if not fitting:
        return np.linspace(0.0, span, count)
    start = min(_SETTLED_STRIDES, fitting[-1])
    known = np.concatenate([left[start:], left[-1] + stride * np.arange(1, 4)])
    return np.minimum(np.interp(phases, np.arange(len(known)), known), span)


def strip_row(shown: Shown, folder: Path, progress: Progress | None = None) -> Row:
    """Render one take's row of the strip, seen from the side."""
    scene, take, (first, last) = shown.scene, shown.take, shown.frames
    times = strip_times(take)
    frames = [min(first + round(time * SCENE_FPS), last) for time in times]
    width, height = STRIP_SIZE
    film_camera = scene.camera
    scene.camera = follow_camera(scene, shown.armature, "side", shown.frames, aspect=width / height)
    try:
        pictures = render_frames(scene, frames, folder, width=width, height=height, samples=STRIP_SAMPLES,
                                 prefix=f"strip_{take.shot.world.name}_", progress=progress)
    finally:
        scene.camera = film_camera
    seconds = [(frame - first) / SCENE_FPS for frame in frames]
    return Row(row_label(take), pictures, [f"{time:.2f} s" for time in seconds])


def row_label(take: Take) -> str:
    """Planet, gravity and the speed walked."""
    time = take.time_s
    settled = time >= time[0] + 0.3 * (time[-1] - time[0])
    way, span = take.com_m[settled][[0, -1], :2], np.ptp(time[settled])
    speed = float(np.linalg.norm(way[1] - way[0]) / span)
    world = take.shot.world
    preset = FOLDER / f"{world.name}.json"
    label = read_preset(preset)["label"] if preset.is_file() else world.name.title()
    return f"{label}    {world.gravity_m_s2:.2f} m/s²    {speed:.2f} m/s"


def film(shown: Shown, path: Path, folder: Path, progress: Progress | None = None) -> None:
    """Render the take from its camera and make a film at true speed."""
    first, last = shown.frames
    width, height = FILM_SIZE
    pictures = render_frames(shown.scene, range(first, last + 1, FILM_STEP), folder, width=width, height=height,
                             samples=FILM_SAMPLES, prefix="film_", progress=progress)
    encode_video(pictures, path, SCENE_FPS // FILM_STEP)


def _part(say: Progress, start: float, share: float, what: str) -> Progress:
    """Progress of a part of the whole."""
    return lambda fraction, text: say(start + share * fraction, f"{what}: {text}")


def main(arguments: list[str]) -> int:
    """The command: takes and the folder in, 0 out; 2 for input that cannot be used."""
    from ..commands.progress import Progress as Bar

    if len(arguments) < 2:
        print("usage: python -m lope.addon.rigs.demo TAKE.npz [TAKE.npz ...] FOLDER", file=sys.stderr)
        return 2
    bar = Bar(sys.stderr)
    try:
        loaded = [Take.load(path) for path in arguments[:-1]]
        bpy.ops.wm.read_factory_settings(use_empty=True)
        make_demo_scene({take.shot.world.name: take for take in loaded}, arguments[-1], bar)
    except LopeError as error:
        print(f"lope: {error}", file=sys.stderr)
        return 2
    finally:
        bar.close()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
