# SPDX-License-Identifier: GPL-3.0-or-later
"""Blender files for the command line: open one, find an armature in it, write a copy; library overrides of linked characters."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import bpy

from ...errors import InputError, RigError, unknown_name
from ...files import written_whole
from .actions import curves_of

MANY_KEYS = 1_000_000
"""From so many keys on an action is not evaluated for a save: the copy that Blender makes of it takes 72 bytes a key."""
LITTLE_ROOM = 50_000_000
"""Bytes left on a disk below which a failed save is put down to it: a file with a stage and a rig takes some 10 MB."""


def open_blend(path: Path) -> bpy.types.Scene:
    """Open a file and give its scene. Scripts in it do not run. Raises InputError for a file that Blender cannot read."""
    try:
        bpy.ops.wm.open_mainfile(filepath=str(path.resolve()), load_ui=False, use_scripts=False)
    except RuntimeError as error:
        raise InputError(f"Blender cannot open {path}: {_reason(error)}") from error
    return bpy.context.scene


def blender_version() -> tuple[tuple[int, ...], str]:
    return tuple(bpy.app.version), bpy.app.binary_path or f"the bpy module {Path(bpy.__file__).parent}"


def open_file() -> Path | None:
    return Path(bpy.data.filepath) if bpy.data.filepath else None


def scene_at_hand() -> bpy.types.Scene:
    return bpy.context.scene


def find_armature(name: str | None) -> bpy.types.Object:
    """The armature object of that name, or the only one. Raises InputError listing the armatures in the open file."""
    items = sorted(bpy.data.objects, key=lambda o: o.library is None)  # of an override and what it is of, the override
    armatures = {o.name: o for o in items if o.type == "ARMATURE"}
    if not armatures:
        raise RigError("This Blender file holds no armature.")
    if name is None and len(armatures) == 1:
        return next(iter(armatures.values()))
    if name is None:
        raise RigError(f"This Blender file holds {len(armatures)} armatures; choose one with --armature: "
                       f"{', '.join(sorted(armatures))}.")
    if name not in armatures:
        raise unknown_name("armature", name, armatures)
    return armatures[name]


def files_beside() -> list[Path]:
    """What the open file reads besides itself: libraries, pictures, films and sounds."""
    return [Path(path) for path in bpy.utils.blend_paths(absolute=True)]


def save_copy(path: Path) -> None:
    """Write the open file to another place, whole or not at all. Raises InputError where that fails."""
    try:
        with written_whole(path, "Blender file") as partial, _large_actions_unevaluated():
            bpy.ops.wm.save_as_mainfile(filepath=str(partial), copy=True)
    except RuntimeError as error:
        free = shutil.disk_usage(path.parent).free  # a full disk Blender does not say
        room = f" (only {free / 1e6:.1f} MB are left on that disk: make room)" if free < LITTLE_ROOM else ""
        raise InputError(f"Blender cannot write {path}: {_reason(error)}{room}") from error


@contextmanager
def _large_actions_unevaluated() -> Iterator[None]:
    """Blender evaluates the scene before and after every operator, for which it copies each action that it meets: objects have
    their large ones only while the file is written, and afterwards again."""
    held = [(data, data.action, data.action_slot) for item in bpy.data.objects for data in [item.animation_data]
            if data is not None and data.action is not None
            and sum(len(curve.keyframe_points) for curve in curves_of(data.action, data.action_slot)) >= MANY_KEYS]

    def give(*_: object) -> None:
        for data, action, slot in held:
            data.action, data.action_slot = action, slot

    def take(*_: object) -> None:
        for data, _action, _slot in held:
            data.action = None

    handlers = bpy.app.handlers
    handlers.save_pre.append(give)
    handlers.save_post.append(take)
    take()
    try:
        yield
    finally:
        handlers.save_pre.remove(give)
        handlers.save_post.remove(take)
        give()


def _reason(error: RuntimeError) -> str:
    return "; ".join(line.removeprefix("Error: ") for line in str(error).strip().splitlines())


def picture_size(scene: bpy.types.Scene) -> tuple[int, int]:
    """Width and height [pixels] that the scene would be rendered in, brought to even numbers, which films need."""
    share = scene.render.resolution_percentage / 100.0
    width, height = (max(4, 2 * round(share * n / 2.0)) for n in (scene.render.resolution_x, scene.render.resolution_y))
    return width, height


def override_character(armature: bpy.types.Object, scene: bpy.types.Scene) -> bpy.types.Object | None:
    """Override a linked armature together with what hangs on it, a linked collection as a whole; gives the override, active and
    shown in place of what was linked, or None where Blender refuses."""
    layer = scene.view_layers[0]
    active = layer.objects.active == armature
    holder = next((one for one in scene.collection.children_recursive
                   if one.library is not None and armature in list(one.all_objects)), None)
    if holder is None:
        for item in _hanging_on(armature, scene):
            item.override_create(remap_local_usages=True)
        made = armature.override_create(remap_local_usages=True)  # last: what hangs on it is remapped to it
    else:
        made = _of_collection(armature, holder, scene)
    if made is not None and active:
        layer.objects.active = made
    return made


def _of_collection(armature: bpy.types.Object, holder: bpy.types.Collection, scene: bpy.types.Scene) -> bpy.types.Object | None:
    """The armature's override among those of a whole linked collection, which takes that one's place."""
    made = holder.override_hierarchy_create(scene, scene.view_layers[0])
    if made is None:
        return None
    for above in (scene.collection, *scene.collection.children_recursive):
        if above.library is None and holder in list(above.children):
            above.children.unlink(holder)
    return next((item for item in made.all_objects
                 if item.override_library is not None and item.override_library.reference == armature), None)


def _hanging_on(armature: bpy.types.Object, scene: bpy.types.Scene) -> Iterator[bpy.types.Object]:
    below = set(armature.children_recursive)
    for item in list(scene.objects):
        if item.library is not None and (item in below or any(
                modifier.type == "ARMATURE" and modifier.object == armature for modifier in item.modifiers)):
            yield item
