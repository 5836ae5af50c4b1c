# SPDX-License-Identifier: GPL-3.0-or-later
"""The figure of an armature, read once and kept until the rig changes; and where its takes lie in the scene."""

from __future__ import annotations

import zlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

import bpy

if TYPE_CHECKING:
    import numpy as np

    from ..addon.rigs.read.doctor import Finding
    from ..addon.rigs.read.figure import Figure

Kept = TypeVar("Kept")

_KEPT = 16
_kept: dict[tuple, Figure] = {}
_told: dict[tuple, list[Finding]] = {}
_UNREADABLE = ("edit_mode", "uneven_scale", "mirrored")
"""Findings of the doctor with which a figure is not read at all."""


def figure_of(armature: bpy.types.Object, scene: bpy.types.Scene) -> Figure:
    """The figure of an armature at rest. Raises RigError where it is none."""
    from ..addon.rigs.read.armature import read_figure

    return remembered(_kept, key_of(armature, scene), lambda: read_figure(armature, scene=scene))


def findings_of(armature: bpy.types.Object, scene: bpy.types.Scene, *, ask: bool) -> list[Finding]:
    """What the doctor says of an armature: at once what it sees at once, and what it says of the figure where that was asked for
    before, or with `ask`, which may take a second on big meshes."""
    from ..addon.rigs.read.doctor import examine, of_reading

    quick = list(examine(armature, scene))
    if any(finding.key in _UNREADABLE for finding in quick):
        return quick
    key = key_of(armature, scene)
    if ask:
        remembered(_told, key, lambda: list(of_reading(armature, scene)))
    return [*quick, *_told.get(key, ())]


def key_of(armature: bpy.types.Object, scene: bpy.types.Scene) -> tuple:
    """Changes with what a figure is read from; the object's height tells where the ground is."""
    return armature.session_uid, fingerprint(armature, scene), round(float(armature.matrix_world[2][3]), 4)


def remembered(kept: dict[tuple, Kept], key: tuple, find: Callable[[], Kept]) -> Kept:
    """What is `kept` under a key, or is found now; what `find` raises is not kept."""
    if key not in kept:
        found = find()
        while len(kept) >= _KEPT:
            kept.pop(next(iter(kept)))
        kept[key] = found
    return kept[key]


def fingerprint(armature: bpy.types.Object, scene: bpy.types.Scene) -> int:
    """A number that changes with the rig: its bones, their rotation modes, its stored map, its scale, and its meshes'
    size."""
    import numpy as np

    from ..addon.rigs.read.armature import metres_per_unit

    bones = armature.data.bones
    rest = np.empty(16 * len(bones), dtype=np.float32)
    if armature.mode != "EDIT":
        bones.foreach_get("matrix_local", rest)
    tails = np.empty(3 * len(bones), dtype=np.float32)
    bones.foreach_get("tail_local", tails)
    turned = np.round(np.array(armature.matrix_world, dtype=float)[:3, :3], 5)
    skins = [(mesh.name, len(mesh.data.vertices)) for mesh in bpy.data.objects
             if mesh.type == "MESH" and (mesh.parent == armature or mesh.find_armature() == armature)]
    words = [*bones.keys(), armature.mode == "EDIT", *(pose.rotation_mode for pose in armature.pose.bones), skins,
             {key: str(value) for key, value in armature.items() if isinstance(value, (str, bytes))},
             {key: str(value) for key, value in armature.data.items() if isinstance(value, (str, bytes))},
             metres_per_unit(scene)]
    number = zlib.crc32(repr(words).encode())
    for array in (rest, tails, turned):
        number = zlib.crc32(array.tobytes(), number)
    return number


def forget() -> None:
    """Drop every figure that was kept, and what was said of it."""
    _kept.clear()
    _told.clear()


def plain(value: float) -> float:
    """A setting as the artist sees it: Blender keeps 7 digits, 0.9 comes back as 0.899999976."""
    return float(f"{value:.6g}")


@dataclass(frozen=True)
class Placement:
    """Where a take lies in the scene: `matrix` (4, 4) takes its places [m] to world places in Blender units."""

    matrix: np.ndarray

    @classmethod
    def of(cls, armature: bpy.types.Object, figure: Figure) -> Placement:
        """The placement of takes baked on an armature where it stands now."""
        import numpy as np

        return cls(np.array(armature.matrix_world, dtype=float) @ cls.local(figure))

    @staticmethod
    def local(figure: Figure) -> np.ndarray:
        """Matrix (4, 4) from a take's places [m] to armature space."""
        import numpy as np

        local = np.eye(4)
        local[:3, :3], local[:3, 3] = figure.units_per_m * figure.axes, figure.ground
        return local

    def to_scene(self, places: np.ndarray) -> np.ndarray:
        """World places (..., 3) of a take's places (..., 3) [m]."""
        return places @ self.matrix[:3, :3].T + self.matrix[:3, 3]

    def to_take(self, places: np.ndarray) -> np.ndarray:
        """Places (..., 3) [m] in a take's frame of world places (..., 3)."""
        import numpy as np

        return (places - self.matrix[:3, 3]) @ np.linalg.inv(self.matrix[:3, :3]).T

    def direction_to_take(self, directions: np.ndarray) -> np.ndarray:
        """World directions (..., 3), of unit length, in a take's frame."""
        import numpy as np

        turned = directions @ np.linalg.inv(self.matrix[:3, :3]).T
        return turned / np.linalg.norm(turned, axis=-1, keepdims=True)
