# SPDX-License-Identifier: GPL-3.0-or-later
"""Rigs from anywhere, made ready once: a Blender file as it is, other formats through its importers, or a figure made by code;
and a take on its rig in a scene that can be rendered."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import bpy
from mathutils import Vector

from ...errors import RigError
from ...sim.take import Take
from ...specs.bake_options import DUST, STAGE, bake_options
from ...specs.creature import Creature
from ...specs.shot import BodySpec
from ..astronaut.astronaut import add_astronaut
from ..bake.bake import bake_take
from ..bake.loose import bake_along
from ..bake.placing import figure_for, hips_of
from ..creatures.figure import add_creature
from ..dust.marks import add_marks
from ..read.armature import read_figure
from ..read.blend_file import find_armature, open_blend, save_copy
from ..read.hanging import note_springs
from ..read.own_map import load_map
from ..read.poses import way_of
from ..stage.stage import add_stage, lay_ground, stage_for

# isort: split


BVH_IMPORTER = "io_anim_bvh"


def prepare_rig(rig: Mapping[str, Any], out: Path) -> dict[str, Any]:
    """Open or build a rig, check that it is a figure, and save the file as it then is. `rig` holds `file` (None: the astronaut,
    or a creature is made), `armature`, `bone_map` (None: as found), `height_m` (None: its own): an imported rig is scaled to it,
    of one in a Blender file the body alone. Gives the armature's name, bone map and `body`, None of a `creature` (its dict),
    whose shape names its bones. Raises InputError or RigError."""
    creature = rig.get("creature")
    if creature is not None and rig["file"] is None:
        armature = open_creature(Creature.from_dict(creature))
    else:
        armature = open_rig(rig["file"], rig["armature"], rig["height_m"])
    if creature is not None:
        save_copy(out)
        return {"armature": armature.name, "bones": None, "body": None}
    bones = None if rig["bone_map"] is None else load_map(rig["bone_map"])
    if rig["height_m"] is not None and rig["file"] is not None and Path(rig["file"]).suffix.lower() != ".blend":  # imported
        armature.scale *= rig["height_m"] / read_figure(armature, bones).height_m
    figure = read_figure(armature, bones)
    body = figure.body_spec(height_m=figure.simulated_m if rig["height_m"] is None else rig["height_m"])
    save_copy(out)
    return {"armature": armature.name, "bones": bones, "body": dataclasses.asdict(body)}


def open_rig(file: str | None, armature: str | None, height_m: float | None = None) -> bpy.types.Object:
    """The armature of that name, or the only one, in a freshly opened file; without one the astronaut. Raises LopeError."""
    if file is None:
        _empty_file()
        return add_astronaut(bpy.context.scene, height_m=BodySpec().height_m if height_m is None else height_m)
    path = Path(file)
    if path.suffix.lower() == ".blend":
        open_blend(path)
    else:
        import_file(path)
    try:
        return find_armature(armature)
    except RigError as error:
        raise RigError(f"{path}: {error}") from error


def open_creature(creature: Creature) -> bpy.types.Object:
    """The figure made of a creature, in a new file; its armature."""
    _empty_file()
    return add_creature(bpy.context.scene, creature)


def import_file(path: Path) -> bpy.types.Scene:
    """A new file with nothing in it but what is imported; its scene. Raises RigError with the importer's own words."""
    _empty_file()
    _bring_in(path)
    return bpy.context.scene


def _empty_file() -> None:
    """A new file with nothing in it. The preferences stay as they are: without them Lope's own extension would be off."""
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)


def _bring_in(path: Path) -> None:
    """Import a file into the empty scene. Raises RigError with the importer's own words."""
    importers: dict[str, Callable[[str], Any]] = {
        ".fbx": lambda name: bpy.ops.import_scene.fbx(filepath=name),
        ".glb": _bring_in_glb,
        ".gltf": lambda name: bpy.ops.import_scene.gltf(filepath=name),
        ".vrm": lambda name: bpy.ops.import_scene.gltf(filepath=name),  # a glTF by another name
        ".bvh": _bring_in_bvh,
    }
    try:
        importers[path.suffix.lower()](str(path.resolve()))
        if path.suffix.lower() in (".glb", ".vrm"):
            note_springs(path, [item for item in bpy.data.objects if item.type == "ARMATURE"])
    except Exception as error:  # importers are scripts, which fail in any way on a damaged file
        words = str(error).strip().splitlines()
        raise RigError(f"Blender cannot import the rig {path}: {words[-1] if words else type(error).__name__}.") from error


def _bring_in_glb(name: str) -> None:
    """Import a binary glTF. Blender makes bones of joints of skins alone, and libraries of clips ship none: there every node of
    one that moves is called a joint first."""
    data = Path(name).read_bytes()
    boned = _with_joints(data)
    if boned is data:
        bpy.ops.import_scene.gltf(filepath=name)
        return
    with TemporaryDirectory() as folder:
        file = Path(folder) / Path(name).name
        file.write_bytes(boned)
        bpy.ops.import_scene.gltf(filepath=str(file))


def _with_joints(data: bytes) -> bytes:
    """A binary glTF in which what is animated hangs on a skin's joints; the same bytes where there is a skin or nothing moves."""
    kind, size = data[16:20], int.from_bytes(data[12:16], "little")
    content = json.loads(data[20:20 + size]) if kind == b"JSON" else {}
    if content.get("skins") or not content.get("animations"):
        return data
    content["skins"] = [{"joints": [i for i, node in enumerate(content["nodes"]) if not {"mesh", "camera"} & node.keys()]}]
    text = json.dumps(content).encode()
    text += b" " * (-len(text) % 4)
    rest = len(text).to_bytes(4, "little") + kind + text + data[20 + size:]
    return data[:8] + (12 + len(rest)).to_bytes(4, "little") + rest


def _bring_in_bvh(name: str) -> None:
    """Import a BVH clip as an armature, the scene's frame rate kept; its importer may be switched off in this Blender."""
    import addon_utils  # Blender's own, on the path once bpy is loaded

    addon_utils.enable(BVH_IMPORTER)
    bpy.ops.import_anim.bvh(filepath=name, update_scene_fps=False, use_fps_scale=False, rotate_mode="NATIVE")


LEAST_STAGE_M = 10.0
PATH_FRAMES = 40
"""Frames at which the way is looked at, about."""


def bake_shot(options: Mapping[str, Any], out: Path) -> dict[str, Any]:
    """Bake a take on a prepared rig and save the file. `options`: `blend`, `armature`, `bones` (its own map or None), `take`, and
    `bake` (the bake's options, stage, prints and dust). Gives the action's name and frames. Raises InputError or RigError."""
    scene = open_blend(Path(options["blend"]))
    armature = find_armature(options["armature"])
    wanted = bake_options(options["bake"])
    action = bake_take(armature, options["take"], bone_map=options["bones"], scene=scene, options=wanted)
    bake_along(scene, armature, action, options["take"], wanted, options["bones"])
    first, last = (round(frame) for frame in action.frame_range)
    scene.frame_start, scene.frame_end = first, last
    if options["bake"].get(STAGE, True) and not has_lamp(scene):
        put_on_stage(scene, armature, Take.load(options["take"]), (first, last), options["bones"])
    if options["bake"].get(DUST, False):
        add_marks(scene, armature, Take.load(options["take"]), bones=options["bones"])
    scene.frame_set(first)
    save_copy(out)
    return {"action": action.name, "frame_start": first, "frame_end": last}


def has_lamp(scene: bpy.types.Scene) -> bool:
    return any(item.type == "LIGHT" for item in scene.objects)


def put_on_stage(scene: bpy.types.Scene, armature: bpy.types.Object, take: Take, frames: tuple[int, int],
                 bones: Mapping[str, str] | None) -> None:
    """The stage of the take's world under the soles, along the way of the hips over `frames`, or where they face."""
    figure = figure_for(armature, take.body, bones, scene)
    hips = hips_of(armature, figure, bones)
    way = way_of(scene, armature, figure, hips, frames, max(1, (frames[1] - frames[0]) // PATH_FRAMES))
    start, heading, length, aside = way.road()
    stage = add_stage(scene, stage_for(take.shot.world.name), origin=(float(start[0]), float(start[1])), heading_rad=heading,
                      length_m=max(length, LEAST_STAGE_M), aside_m=aside,
                      ground_z=float((armature.matrix_world @ Vector(figure.ground)).z))
    if take.shot.world.ground.kind != "plane":
        lay_ground(stage, armature, figure, take)
