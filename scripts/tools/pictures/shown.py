# SPDX-License-Identifier: GPL-3.0-or-later
"""Pictures of creatures, muscles, boxes and batches."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from lope.addon.bodies.muscle import Muscle, PathPoint
from lope.addon.bodies.muscles.sets import muscles_for
from lope.addon.cli import main
from lope.addon.errors import JobError, LopeError
from lope.addon.maths.rotations import quat_rotate
from lope.addon.reports.plots import new_figure
from lope.addon.reports.retry import attempt
from lope.addon.reports.strides import LEFT, strikes_s
from lope.addon.sim.take import Take
from lope.addon.specs.motions import PEOPLE, Gait
from lope.addon.specs.muscles import Actuation, condition_preset
from lope.addon.specs.shot import Shot

SECONDS = 4.0
FROM, TO, EVERY = 30, 56, 6
"""Frames of a stride on its way, at 24 a second."""


def muscles_shown() -> bytes:
    """A healthy walk by muscles on the astronaut, from the side and from ahead: the sheet as a JPEG."""
    return sheet("--gait", "walk", "--world", "earth", "--actuation", "muscles")


def sheet(*shot: str) -> bytes:
    """The JPEG of a sheet of a shot's muscles. Raises LopeError where a command fails, or the character falls."""
    with tempfile.TemporaryDirectory() as folder:
        take, blend, picture = (str(Path(folder) / name) for name in ("take.npz", "baked.blend", "sheet.png"))
        for words in (
            ("simulate", *shot, "--seconds", str(SECONDS), "--out", take),
            ("bake", "--blend", "astronaut", "--take", take, "--out", blend),
            ("render", "--blend", blend, "--show-muscles", take, "--sheet", picture, "--frames", f"{FROM},{TO},{EVERY}",
             "--sheet-frames", str((TO - FROM) // EVERY + 1), "--size", "300x480", "--camera", "follow:side,front"),
        ):
            if main(words) != 0:
                raise LopeError(f"lope {words[0]} did not do its work.")
        return jpeg_of(picture)


def write_jpeg(picture: str | Path, path: Path) -> None:
    """Write a copy of a picture file as a JPEG, a sixth the size. Raises InputError where that fails."""
    import bpy

    from lope.addon.files import written_whole
    from lope.addon.rigs.render.pictures import PICTURE_FAILED

    image = bpy.data.images.load(str(Path(picture).resolve()), check_existing=False)
    try:
        with written_whole(path, PICTURE_FAILED) as partial:
            image.pixels[0]  # Blender loads a picture when it is looked at, and saves none that it has not loaded
            image.file_format, image.filepath_raw = "JPEG", str(partial.resolve())
            image.save(quality=85)
    finally:
        bpy.data.images.remove(image)


def jpeg_of(picture: str | Path) -> bytes:
    """A picture file as a JPEG. Starts Blender."""
    out = Path(picture).with_suffix(".jpg")
    write_jpeg(picture, out)
    return out.read_bytes()


WALKERS = ("bird", "alien")
CREATURE_S = 5.0
FIRST, LAST, STEP = 66, 98, 8
"""Frames of a stride on its way, at 24 a second."""
SIZE, SAMPLES = "300x320", 8


def creatures() -> bytes:
    """A bird and an alien, a row each, by the quick law: the sheet as a JPEG."""
    with tempfile.TemporaryDirectory() as folder:
        rows = [_row(Path(folder), name) for name in WALKERS]
        return _stacked(rows, Path(folder) / "creatures.png")


def _row(folder: Path, name: str) -> Path:
    """The sheet of one creature from the side. Raises LopeError where a command fails, or the creature falls."""
    import bpy

    from lope.scripts.tools.make_creatures import make

    endings = (".blend", ".json", ".npz", "-baked.blend", ".png")
    rig, shape, take, blend, sheet = (folder / f"{name}{ending}" for ending in endings)
    bpy.ops.wm.read_factory_settings(use_empty=True)
    armature, _ = make(name, bpy.context.scene)
    called = armature.name
    bpy.ops.wm.save_as_mainfile(filepath=str(rig))
    for words in (
        ("creature", "from", "--blend", str(rig), "--armature", called, "--out", str(shape)),
        ("simulate", "--creature", str(shape), "--quick", "--seconds", str(CREATURE_S), "--out", str(take)),
        ("bake", "--blend", str(rig), "--armature", called, "--take", str(take), "--stage", "auto", "--out", str(blend)),
        ("render", "--blend", str(blend), "--sheet", str(sheet), "--frames", f"{FIRST},{LAST},{STEP}",
         "--sheet-frames", str((LAST - FIRST) // STEP + 1), "--size", SIZE, "--samples", str(SAMPLES),
         "--camera", "follow:side"),
    ):
        if main(words) != 0:
            raise LopeError(f"lope {words[0]} did not do its work.")
    return sheet


def _stacked(sheets: list[Path], out: Path) -> bytes:
    """Pictures of one width, one under the other."""
    import numpy as np

    from lope.addon.rigs.render.pictures import read_picture, write_picture

    write_picture(np.concatenate([read_picture(sheet)[..., :3] for sheet in sheets]), out)
    return jpeg_of(out)


SHOWN = ("waddle", "weak_ankle", "flexed_knee", "painful_limb", "painful_calf")
WALK_S, STRIDE = 6.0, 3
"""Of each walk, and which left strike the strip begins with."""
FROM_SIDE, FROM_AHEAD = (0.0, 0.17, 0.33, 0.5, 0.67, 0.83), (0.25, 0.75)
"""Moments of the stride, left strike to left strike: either leg's stance is seen from ahead."""
APART_M, GAP_M = 0.95, 0.5
COLOURS = ("#2a55c8", "#8a2aa0", "#e01020", "#ff4a10")
AT = (0.0, 0.2, 0.5, 1.0)
BONE = "#b9b2a2"
WIDTH = 2.6
LIMBS = (("pelvis", "lower_spine"), ("lower_spine", "chest"), ("chest", "neck"), ("neck", "head"),
         *((a + side, b + side) for side in ("_L", "_R") for a, b in (
             ("thigh", "shank"), ("shank", "foot"), ("foot", "toes"), ("clavicle", "upper_arm"), ("upper_arm", "forearm"),
             ("forearm", "hand"))), *((("pelvis"), f"thigh_{side}") for side in "LR"))


def conditions():
    """A healthy walk and five conditions: a stride from the right side, and both stances from ahead."""
    rows = [("healthy", _walk(actuation=Actuation()))]
    for name in SHOWN:
        preset = condition_preset(name)
        rows.append((preset.label, _walk(actuation=Actuation(), condition=preset.condition)))
    figure, axes = new_figure(10.0, 2.2 * len(rows), len(rows))
    for axis, (label, shot) in zip(axes, rows, strict=True):
        take = attempt(shot)
        if len(strikes_s(take, LEFT)) < 2:
            raise LopeError(f"The walk {label} falls after {take.stats['time_fell_s']:.1f} s, before it has made a stride.")
        way = take.root_position_m[-1, 0] - take.root_position_m[0, 0]
        told = f"falls after {take.stats['time_fell_s']:.1f} s" if take.fell else f"{way / take.time_s[-1]:.2f} m/s"
        _draw(axis, take, f"{label}\n{told}")
    return figure


def _walk(**fields) -> Shot:
    return Shot(motion=Gait("walk", law=PEOPLE, retry=True), duration_s=WALK_S, **fields)


def _draw(axis, take: Take, label: str) -> None:
    """A row of moments on a ground line."""
    from matplotlib.colors import LinearSegmentedColormap

    colours = LinearSegmentedColormap.from_list("activation", list(zip(AT, COLOURS, strict=True)))
    actuation = take.shot.actuation
    muscles = {muscle.name: muscle for muscle in muscles_for(take.body, "legs" if actuation is None else actuation.muscles)}
    strikes = strikes_s(take, LEFT)
    first = min(STRIDE, len(strikes) - 2)
    begin, end = strikes[first:first + 2]
    views = [(share, 0) for share in FROM_SIDE] + [(share, 1) for share in FROM_AHEAD]
    axis.axhline(0.0, color="0.6", linewidth=1.0)
    for k, (share, across) in enumerate(views):
        row = int(np.searchsorted(take.time_s, begin + share * (end - begin)).clip(max=len(take.time_s) - 1))
        place = k * APART_M + (GAP_M if across else 0.0)
        _figure(axis, take, row, across, place, muscles, colours)
        axis.text(place, -0.06, f"{100 * share:.0f} %", ha="center", va="top", fontsize=8, color="0.35")
    axis.text(-0.7, 1.0, label, ha="right", va="center", fontsize=10)
    axis.set(aspect="equal", xlim=(-2.3, (len(views) - 0.4) * APART_M + GAP_M), ylim=(-0.22, 1.85))
    axis.set_axis_off()


def _figure(axis, take: Take, row: int, across: int, place: float, muscles: dict[str, Muscle], colours) -> None:
    """One moment: bones, and muscles over them, the nearer side in front."""
    places, turns = (part[row] for part in take.segment_poses)
    index = take.body.index
    sign = 1.0 if across == 0 else -1.0  # from ahead, the left is on the right of the picture
    shift = place - sign * places[index["pelvis"], across]

    def line(points: Sequence[np.ndarray], colour, width: float, order: float) -> None:
        x, z = sign * np.array(points)[:, across] + shift, np.array(points)[:, 2]
        axis.plot(x, z, color=colour, linewidth=width, solid_capstyle="round", solid_joinstyle="round", zorder=order)

    for a, b in LIMBS:
        if a in index and b in index:
            line((places[index[a]], places[index[b]]), BONE, 2.0, 1.0)
    head = index["head"]
    tip = places[head] + quat_rotate(turns[head], np.array(take.body.segments[head].tip))
    line((places[head], tip), BONE, 9.0, 1.0)
    work = take.channels["activation"].values[row]
    strongest = max(muscle.max_force_n for muscle in muscles.values())
    for name, value in zip(take.stats["muscles"], work, strict=True):
        if name not in muscles or not muscles[name].path:
            continue
        points = [places[index[part.segment]] + quat_rotate(turns[index[part.segment]], np.array(part.position))
                  for part in muscles[name].path if isinstance(part, PathPoint)]
        near = {"R": 3.0, "L": 2.0}.get(muscles[name].side, 2.5) if across == 0 else 2.0 + points[0][0] - places[0, 0]
        width = WIDTH * (0.4 + 0.6 * (muscles[name].max_force_n / strongest) ** 0.5)
        line(points, colours(float(value)), width, near)


SHOT = ("--seconds", "5", "--boxes", "3x4,0.35,1,2,0")
FRAMES = "28,103,15"
FILM_FRAMES = "24,108,2"
LOOK = ("--size", "280x210", "--samples", "8")


def boxes() -> bytes:
    """The sheet as a PNG: from the side and from the front. Raises JobError where a command fails."""
    return _baked(lambda file, out: ("render", "--blend", file, "--camera", "follow:side,three_quarter", "--frames", FRAMES,
                                     "--sheet-frames", "6", "--sheet", out, *LOOK), "sheet.png")


def film() -> bytes:
    """The film."""
    return _baked(lambda file, out: ("render", "--blend", file, "--camera", "follow:three_quarter", "--frames", FILM_FRAMES,
                                     "--out", out, "--size", "480x270", "--samples", "6"), "boxes.mp4")


def _baked(render: Callable[[str, str], tuple[str, ...]], name: str) -> bytes:
    """What a rendering of the baked shot writes."""
    with tempfile.TemporaryDirectory(prefix="lope-boxes-") as folder:
        take, file, out = (str(Path(folder) / one) for one in ("take.npz", "walked.blend", name))
        for words in (("simulate", *SHOT, "--out", take),
                      ("bake", "--blend", "astronaut", "--take", take, "--stage", "auto", "--out", file), render(file, out)):
            run = subprocess.run([sys.executable, "-m", "lope", *words], stdout=subprocess.PIPE, text=True)
            if run.returncode != 0:
                raise JobError(f"lope {words[0]} ended with {run.returncode}:\n{run.stdout}")
        return Path(out).read_bytes()


LIST = """out = "out"
sheet = true

[defaults]
seconds = 5.0
render = { size = "320x240", samples = 8, frames = "90,90" }

[[grids]]
name = "all"
gait = ["walk", "lope", "hop"]
world = ["moon", "mars", "earth"]
"""


def batch_sheet() -> bytes:
    """The sheet as a PNG. Raises JobError with the batch's last words where it fails."""
    with tempfile.TemporaryDirectory(prefix="lope-sheet-") as folder:
        file = Path(folder) / "night.toml"
        file.write_text(LIST, encoding="utf-8")
        run = subprocess.run([sys.executable, "-m", "lope", "batch", str(file)], stdout=subprocess.PIPE, text=True)
        if run.returncode != 0:
            raise JobError(f"The batch ended with {run.returncode}:\n{run.stdout}")
        return (Path(folder) / "out" / "sheet.png").read_bytes()
