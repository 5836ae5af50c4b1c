# SPDX-License-Identifier: GPL-3.0-or-later
"""The demonstration: ten seconds on four planets at 1.5 m/s, simulated, baked, rendered; a strip, films and a Blender file.

    scripts/demo                                    all of it, in out/demo
    .venv/bin/python scripts/tools/demo.py OUT      the same, in OUT
    .venv/bin/python scripts/tools/demo.py OUT moon jupiter      takes and pictures of these worlds alone

Two processes simulate and render two worlds each, on one thread: what is done between pictures would leave others idle. This one
puts all takes into one Blender file meanwhile, and joins the pictures in the end. The first picture, OUT/first.png, comes first.
"""

from __future__ import annotations

from lope.scripts.tools.common import leave

# isort: split
import contextlib
import math
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from io import StringIO
from pathlib import Path

import bpy
import numpy as np

from lope.addon.cli import main as lope
from lope.addon.errors import InputError, JobError, LopeError
from lope.addon.files import written_whole
from lope.addon.reports.measures import measure
from lope.addon.reports.strides import LEFT, strikes_s
from lope.addon.rigs.astronaut.astronaut import add_astronaut
from lope.addon.rigs.bake.bake import bake_take
from lope.addon.rigs.dust.marks import add_marks
from lope.addon.rigs.render.camera import bone_path, follow_camera
from lope.addon.rigs.render.frames import Picture, PictureSequence, encode_film, quiet_output, render_frames
from lope.addon.rigs.render.pictures import Text, read_picture, write_picture
from lope.addon.rigs.render.renderers import can_denoise, set_engine
from lope.addon.rigs.render.sheets import GAP, INK, Row, contact_sheet, empty_sheet, world_label
from lope.addon.rigs.stage.stage import TEST_FLOOR, add_stage, stage_for
from lope.addon.sim.take import Take
from lope.scripts.tools.pictures.shown import write_jpeg

WORLDS = {"moon": ("apollo-a7lb", "take.npz", "report.json"), "mars": ("mark-iii", "mars.npz", "mars.json"),
          "earth": ("none", "earth.npz", "earth.json"), "jupiter": ("none", "jupiter.npz", "jupiter.json")}
"""Worlds, suits, and the files of take and report."""
SHARES = (("moon", "jupiter"), ("mars", "earth"))
"""Of the two processes."""
SHOT = ("--gait", "auto", "--speed", "1.5", "--seconds", "10")
SCENE_FPS = 24
FILM_STEP = 3
FILM_SIZE, FILM_SAMPLES = (288, 162), 2
FIRST_SIZE, FIRST_SAMPLES = (480, 270), 6
STRIP_PICTURES, STRIP_SPAN_S = 7, 1.8
STRIP_SIZE, STRIP_SAMPLES = (240, 320), 4
_SETTLED_STRIDES = 2
_TITLE = 0.1  # height of a title line, as a share of a picture's
DUST = 2.0
"""How much dust there is: these pictures are small."""


@dataclass(frozen=True)
class Shown:
    """A take on stage: its scene, the armature, and its first and last frame."""

    take: Take
    scene: bpy.types.Scene
    armature: bpy.types.Object
    frames: tuple[int, int]


def simulated(world: str, out: Path) -> Take:
    """Simulate and measure ten seconds on a world. Raises JobError where a command fails, or the character falls."""
    suit, take, report = WORLDS[world]
    told = StringIO()
    with contextlib.redirect_stdout(told):
        if lope(("simulate", *SHOT, "--world", world, "--suit", suit, "--out", str(out / take))) != 0:
            raise JobError(f"The character on {world} fell, or could not be simulated: lope measure {out / take} tells how.")
        told.truncate(told.seek(0))
        lope(("measure", str(out / take), "--json"))
    (out / report).write_text(told.getvalue(), encoding="utf-8")
    return Take.load(out / take)


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


def first_picture(shown: Shown, path: Path) -> None:
    """Render one moment, before all others."""
    moment = shown.frames[0] + round(float(strip_times(shown.take)[0]) * SCENE_FPS)
    (made,) = rendering(shown, [moment], path.parent / "frames", Picture(*FIRST_SIZE, samples=FIRST_SAMPLES), "first").paths
    made.replace(path)
    say(f"look at {path}")


def pictures(shown: Shown, out: Path) -> None:
    """Render the pictures of a take's film and of its strip, from the side, into `out`/frames."""
    scene, take, (begin, end) = shown.scene, shown.take, shown.frames
    rendering(shown, range(begin, end + 1, FILM_STEP), out / "frames", Picture(*FILM_SIZE, samples=FILM_SAMPLES), "film")
    width, height = STRIP_SIZE
    scene.camera = follow_camera(scene, shown.armature, "side", shown.frames, aspect=width / height)
    frames = [min(begin + round(time_s * SCENE_FPS), end) for time_s in strip_times(take)]
    rendering(shown, frames, out / "frames", Picture(width, height, samples=STRIP_SAMPLES), "strip")
    say(f"rendered {take.shot.world.name}")


def rendering(shown: Shown, frames: Sequence[int], folder: Path, picture: Picture, kind: str) -> PictureSequence:
    """Render frames on one thread."""
    shown.scene.render.threads_mode, shown.scene.render.threads = "FIXED", 1
    picture = replace(picture, denoise=can_denoise("cycles"))
    return render_frames(shown.scene, frames, folder, picture, prefix=f"{kind}_{shown.take.shot.world.name}_")


def rendered(kind: str, take: Take, out: Path) -> list[Path]:
    """The pictures of a take's strip or film, in order."""
    return sorted((out / "frames").glob(f"{kind}_{take.shot.world.name}_*.png"))


def title(take: Take) -> str:
    """World, gait, gravity, speed and strides a second, and that the ground is none of that world's where it is not."""
    world = take.shot.world
    numbers = [f"{world_label(world)}: {take.called}", *take_numbers(take)]
    return GAP.join(numbers + ["on a test floor"] if stage_for(world.name) == TEST_FLOOR else numbers)


def take_numbers(take: Take) -> list[str]:
    """Gravity, speed and strides a second of a take, as measured; those that it is too short to tell are left out."""
    measures = measure(take)
    numbers = [f"{take.shot.world.gravity_m_s2:.2f} m/s²"]
    if measures["mean_speed_m_s"] is not None:
        numbers.append(f"{measures['mean_speed_m_s']:.2f} m/s")
    if measures["stride_frequency_hz"] is not None:
        numbers.append(f"{measures['stride_frequency_hz']:.2f} strides/s")
    return numbers


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


def join(takes: Sequence[Take], out: Path) -> None:
    """The strip, a row a take, as PNG and JPEG; the film of the first take, and that of all, two by two at the same time and
    true speed."""
    rows = [Row(title(take), pictures, [f"{(int(path.stem[-4:]) - 1) / SCENE_FPS:.2f} s" for path in pictures])
            for take in takes for pictures in [rendered("strip", take, out)]]
    contact_sheet(rows, out / "strip.png")
    write_jpeg(out / "strip.png", out / "strip.jpg")
    films = [rendered("film", take, out) for take in takes]
    encode_film(films[0], out / "moonwalk.mp4", SCENE_FPS / FILM_STEP)
    films_side_by_side([title(take) for take in takes], films, out / "planets.mp4", SCENE_FPS / FILM_STEP, out / "frames")


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


def say(text: str) -> None:
    """Tell how far it is."""
    print(f"scripts/demo: {text}", file=sys.stderr, flush=True)


def a_share(worlds: Sequence[str], out: Path) -> None:
    """Simulate some worlds and render them: a picture of the first before the others are simulated."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    shown = stage_take(simulated(worlds[0], out))
    if worlds[0] == next(iter(WORLDS)):
        first_picture(shown, out / "first.png")
    others = [simulated(world, out) for world in worlds[1:]]
    pictures(shown, out)
    for take in others:
        bpy.ops.wm.read_factory_settings(use_empty=True)
        pictures(stage_take(take), out)


@contextlib.contextmanager
def shares(out: Path) -> Iterator[list[subprocess.Popen]]:
    """The two processes; they end with this one, also where it is ended."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    running = [subprocess.Popen([sys.executable, __file__, str(out), *worlds], stdout=subprocess.DEVNULL) for worlds in SHARES]
    try:
        yield running
    finally:
        for one in running:
            one.terminate()
            one.wait()


def demonstrate(out: Path) -> None:
    """All of it. Raises JobError where a process fails."""
    begun = time.monotonic()
    for old in [*out.glob("*.npz"), *(out / "frames").glob("*.png")]:
        old.unlink()
    with shares(out) as running:
        waiting, takes = dict(WORLDS), dict[str, Take]()
        bpy.ops.wm.read_factory_settings(use_empty=True)
        while waiting or any(one.poll() is None for one in running):
            if any(one.poll() for one in running):
                raise JobError("A part of the demonstration failed; what it said stands above.")
            for world, (_, take, _) in list(waiting.items()):
                if (out / take).is_file():
                    takes[world] = Take.load(out / take)
                    stage_take(takes[world])
                    del waiting[world]
                    if not waiting:
                        save_file(out / "moonwalk.blend")
            time.sleep(0.2)
    join([takes[world] for world in WORLDS], out)
    say(f"done in {time.monotonic() - begun:.0f} s; look at {out / 'strip.png'} and {out / 'planets.mp4'}")


def main(words: list[str]) -> int:
    """0 where all is made; 2 for what cannot be used, 1 where something fails."""
    if not words or any(world not in WORLDS for world in words[1:]):
        print(f"usage: scripts/tools/demo.py OUT [WORLD ...], worlds of {', '.join(WORLDS)}", file=sys.stderr)
        return 2
    out = Path(words[0])
    out.mkdir(parents=True, exist_ok=True)
    try:
        if len(words) == 1:
            demonstrate(out)
        else:
            a_share(words[1:], out)
    except LopeError as error:
        print(f"scripts/demo: {error}", file=sys.stderr)
        return 2 if isinstance(error, InputError) else 1
    return 0


if __name__ == "__main__":
    leave(main(sys.argv[1:]))
