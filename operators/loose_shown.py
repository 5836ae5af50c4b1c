# SPDX-License-Identifier: GPL-3.0-or-later
"""Loose objects of the scene while somebody drives: shown where they are just now, and put back as they were."""

from __future__ import annotations

from collections.abc import Sequence

import bpy
import numpy as np
from mathutils import Matrix

from ..addon.maths.quaternions import matrix_from_quat
from ..addon.rigs.bake.loose import box_of
from ..addon.specs.loose import LooseObject
from .figures import Placement


class ShownObjects:
    """The objects of a shot that the scene has, by their names."""

    def __init__(self, scene: bpy.types.Scene, objects: Sequence[LooseObject], placement: Placement) -> None:
        self._placement = placement
        self._scale = float(np.cbrt(np.linalg.det(placement.matrix[:3, :3])))
        self._names = [one.name if one.name in scene.objects else None for one in objects]
        self._scene = scene.name
        self._before: dict[str, Matrix] = {}

    def show(self, poses: Sequence[Sequence[float]] | None) -> None:
        """Bring them to poses (K, 7), places [m] and w-x-y-z in the shot's axes."""
        for item, pose in zip(self._items(), poses or (), strict=False):
            if item is None:
                continue
            self._before.setdefault(item.name, item.matrix_basis.copy())
            values = np.array(pose, dtype=float)
            turn = self._placement.matrix[:3, :3] / self._scale @ matrix_from_quat(values[3:] / np.linalg.norm(values[3:]))
            middle, _ = box_of(item)
            place = self._placement.to_scene(values[:3]) - turn @ middle
            item.matrix_world = Matrix.LocRotScale(place, Matrix(turn.tolist()), item.matrix_world.to_scale())

    def restore(self) -> None:
        """Put them back as they were before they were shown elsewhere."""
        for item in self._items():
            if item is not None and item.name in self._before:
                item.matrix_basis = self._before.pop(item.name)

    def _items(self) -> list[bpy.types.Object | None]:
        """The objects, as far as they are still there."""
        scene = bpy.data.scenes.get(self._scene)
        return [None if scene is None or name is None else scene.objects.get(name) for name in self._names]
