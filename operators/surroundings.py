# SPDX-License-Identifier: GPL-3.0-or-later
"""What lies in the scene, as a Shot wants it: curves and targets as a path, a mesh as a field of heights.

The loose objects of a Shot: meshes of a collection, each as its bounding box, or as a sphere where its rigid body is one.

Loose objects of the scene while somebody drives: shown where they are just now, and put back as they were.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import bpy
import numpy as np
from mathutils import Matrix, Vector
from mathutils.bvhtree import BVHTree
from mathutils.geometry import interpolate_bezier

from ..addon.errors import InputError
from ..addon.specs.disturbances import LooseObject
from ..addon.specs.load import Load
from ..addon.specs.path import GroundSpec, PathSpec
from ..addon.specs.settings import settings_of
from .choices import NOTHING
from .figures import Placement, plain

POINTS_APART_M = 0.5
MOST_POINTS = 400
NEAR_M = 0.1
"""A first point nearer than this to the start is the start."""
BEZIER_PARTS = 16
AROUND_M = 3.0
"""How far beside and behind its way the ground is measured."""
MOST_HEIGHTS = 40000
"""More places than these are not measured, so that the button answers at once."""


def path_of(settings: bpy.types.PropertyGroup, placement: Placement) -> PathSpec:
    """The path that an armature's settings ask for. Raises InputError for a curve or targets that cannot be walked."""
    if settings.path == "CURVE":
        places = _curve_places(settings.curve, placement)
        return _through(places[::-1] if settings.reverse else places)
    if settings.path == "TARGETS":
        targets = [entry.target for entry in settings.targets if entry.target is not None]
        if not targets:
            raise InputError("The path has no targets; add objects to its list, or choose another path.")
        places = np.array([target.matrix_world.translation for target in targets], dtype=float)
        return _through(placement.to_take(places[::-1] if settings.reverse else places)[:, :2])
    return PathSpec(kind=settings.path, heading_deg=plain(settings.heading_deg),
                    radius_m=plain(settings.radius_m) if settings.path == "circle" else 0.0)


def _through(points: np.ndarray) -> PathSpec:
    """A path from the origin through points (N, 2) [m], first headed at the first of them."""
    if np.linalg.norm(points[0]) < NEAR_M:
        points = points[1:]
    if not len(points):
        raise InputError("The path ends where the character stands; move its last point away.")
    heading = math.degrees(math.atan2(points[0][1], points[0][0]))
    return PathSpec(kind="points", heading_deg=heading, points_m=tuple((float(x), float(y)) for x, y in points))


def _curve_places(curve: bpy.types.Object | None, placement: Placement) -> np.ndarray:
    """Places (N, 2) [m] along a curve object, evenly apart, in a take's frame."""
    if curve is None:
        raise InputError("The path has no curve; choose a curve object, or another path.")
    spline = next(iter(curve.data.splines), None)
    if spline is None or spline.type == "NURBS":
        raise InputError(f"The curve {curve.name!r} has no Bézier or poly spline to walk along; set its spline type "
                         f"to Bézier.")
    line = placement.to_take(_spline_places(spline, curve.matrix_world))[:, :2]
    along = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(line, axis=0), axis=1))])
    if along[-1] < NEAR_M:
        raise InputError(f"The curve {curve.name!r} is only {along[-1]:.2g} m long; make it longer, or choose another path.")
    count = int(min(max(along[-1] / POINTS_APART_M, 2), MOST_POINTS)) + 1
    wanted = np.linspace(0.0, along[-1], count)
    return np.column_stack([np.interp(wanted, along, line[:, axis]) for axis in (0, 1)])


def _spline_places(spline: bpy.types.Spline, matrix: Matrix) -> np.ndarray:
    """World places (N, 3) along a spline."""
    if spline.type == "POLY":
        points = [point.co.xyz for point in spline.points]
        closed = points[:1] if spline.use_cyclic_u else []
        return np.array([matrix @ point for point in [*points, *closed]], dtype=float)
    knots = list(spline.bezier_points)
    pairs = list(zip(knots, knots[1:] + (knots[:1] if spline.use_cyclic_u else []), strict=False))
    points = [knots[0].co]
    for a, b in pairs:
        points += interpolate_bezier(a.co, a.handle_right, b.handle_left, b.co, BEZIER_PARTS + 1)[1:]
    return np.array([matrix @ point for point in points], dtype=float)


_measured: dict[tuple, GroundSpec] = {}


def ground_of(settings: bpy.types.PropertyGroup, placement: Placement, path: PathSpec, reach_m: float,
              fresh: bool = True) -> GroundSpec:
    """The ground that a scene's settings ask for; a mesh is measured around the path, up to `reach_m` from the start.

    Unless it shall be `fresh`, what was measured there before will do.
    """
    if settings.ground == "slope":
        return GroundSpec("slope", slope_deg=plain(settings.slope_deg), direction_deg=plain(settings.direction_deg))
    if settings.ground == "steps":
        return GroundSpec("steps", rise_m=plain(settings.rise_m), run_m=plain(settings.run_m),
                          direction_deg=plain(settings.direction_deg))
    if settings.ground == "MESH":
        mesh, spacing, corners = settings.ground_object, plain(settings.ground_spacing_m), _corners(path, reach_m)
        key = (mesh and mesh.session_uid, spacing, placement.matrix.tobytes(), *(corner.tobytes() for corner in corners))
        if fresh or key not in _measured:
            _measured.clear()
            _measured[key] = _field(mesh, spacing, placement, corners)
        return _measured[key]
    return GroundSpec()


def _corners(path: PathSpec, reach_m: float) -> tuple[np.ndarray, np.ndarray]:
    """The rectangle (low, high) around a path [m]."""
    if path.kind == "points":
        places = np.array([(0.0, 0.0), *path.points_m])
    elif path.kind == "circle":
        radius = 2.0 * abs(path.radius_m) if path.radius_m else reach_m
        places = np.array([(-radius, -radius), (radius, radius)])
    else:
        heading = math.radians(path.heading_deg)
        places = np.array([(0.0, 0.0), (reach_m * math.cos(heading), reach_m * math.sin(heading))])
    return places.min(axis=0) - AROUND_M, places.max(axis=0) + AROUND_M


def _field(mesh: bpy.types.Object | None, spacing: float, placement: Placement,
           corners: tuple[np.ndarray, np.ndarray]) -> GroundSpec:
    """Heights of a mesh's evaluated surface, seen from above, in a take's frame."""
    if mesh is None:
        raise InputError("The ground has no mesh; choose a mesh object, or another ground.")
    low, high = corners
    counts = np.ceil((high - low) / spacing).astype(int) + 1
    if counts.prod() > MOST_HEIGHTS:
        spacing *= math.sqrt(counts.prod() / MOST_HEIGHTS)
        counts = np.ceil((high - low) / spacing).astype(int) + 1
    graph = bpy.context.evaluated_depsgraph_get()
    tree = BVHTree.FromObject(mesh.evaluated_get(graph), graph)
    into = Matrix(placement.matrix.tolist()).inverted() @ mesh.matrix_world
    back, turn = into.inverted(), into.inverted().to_3x3()
    down = (turn @ Vector((0.0, 0.0, -1.0))).normalized()
    rows = []
    for i in range(counts[0]):
        row = []
        for j in range(counts[1]):
            above = back @ Vector((low[0] + i * spacing, low[1] + j * spacing, 1e3))
            hit = tree.ray_cast(above, down)[0]
            row.append(math.nan if hit is None else (into @ hit).z)
        rows.append(row)
    return GroundSpec("field", heights_m=_whole(np.array(rows), mesh.name), spacing_m=spacing,
                      origin_m=(float(low[0]), float(low[1])))


def _whole(heights: np.ndarray, name: str) -> tuple[tuple[float, ...], ...]:
    """The heights with what the mesh does not cover filled from its nearest place."""
    from scipy.ndimage import distance_transform_edt

    empty = ~np.isfinite(heights)
    if empty.all():
        raise InputError(f"The mesh {name!r} does not lie under the way of the character; move it there, or choose "
                         f"another ground.")
    nearest = distance_transform_edt(empty, return_distances=False, return_indices=True)
    return tuple(tuple(float(h) for h in row) for row in heights[tuple(nearest)])


_SIZE = settings_of(LooseObject)["size_m"]


def objects_of(settings: bpy.types.PropertyGroup, armature: bpy.types.Object, placement: Placement) -> tuple[LooseObject, ...]:
    """The loose objects that a scene's settings ask for, as they stand before Lope's keys move them, in a take's frame. Passive
    rigid bodies are none, nor is what the armature wears. Raises InputError for a collection without any, and for a flat one."""
    collection = settings.objects
    if collection is None:
        return ()
    meshes = [item for item in collection.all_objects if item.type == "MESH" and not _is_fixed(item)
              and item.parent != armature and item.find_armature() != armature]
    if not meshes:
        raise InputError(f"The collection {collection.name!r} holds no mesh that could be loose: put some into it, or choose "
                         "another collection.")
    return tuple(_object(item, plain(settings.objects_density), placement) for item in meshes)


def load_of(settings: bpy.types.PropertyGroup, placement: Placement) -> Load | None:
    """What the character of these settings is to carry. Raises InputError."""
    from ..addon.rigs.bake.loose import box_of

    if settings.carry == NOTHING:
        return None
    place, _, side = settings.carry.partition("_")
    item, mass_kg = settings.carry_object, round(plain(settings.carry_kg), 6)
    if item is None:
        return Load(mass_kg, place, side or "R")
    wide, deep, high = _plain(box_of(item)[1] / float(np.cbrt(np.linalg.det(placement.matrix[:3, :3]))))
    return Load(mass_kg, place, side or "R", (deep, wide, high), name=item.name)


def _is_fixed(item: bpy.types.Object) -> bool:
    return item.rigid_body is not None and item.rigid_body.type == "PASSIVE"


def _object(item: bpy.types.Object, density: float, placement: Placement) -> LooseObject:
    """One of them. A rigid body knows its mass and friction."""
    from ..addon.maths.rotations import quat_from_matrix
    from ..addon.rigs.bake.loose import box_of, start_of

    world = start_of(item)
    turn = np.array(world.to_quaternion().to_matrix(), dtype=float)
    middle, edges = box_of(item)
    unit = float(np.cbrt(np.linalg.det(placement.matrix[:3, :3])))
    size = edges / unit
    if size.min() < _SIZE.low or size.max() > _SIZE.high:
        raise InputError(f"The loose object {item.name!r} is {' x '.join(f'{x:.3g}' for x in size)} m large; each side must lie "
                         f"between {_SIZE.low:g} and {_SIZE.high:g} m: scale it, or take it out of the collection.")
    place = placement.to_take(turn @ middle + np.array(world.translation, dtype=float))
    quat = quat_from_matrix((placement.matrix[:3, :3] / unit).T @ turn)
    body, extra = item.rigid_body, {}
    if body is not None:
        extra = {"mass_kg": plain(body.mass), "friction": min(plain(body.friction), 2.0)}
    sphere = body is not None and body.collision_shape == "SPHERE"
    sides = np.full(3, size.max()) if sphere else size
    return LooseObject(item.name, "sphere" if sphere else "box", _plain(sides), density_kg_m3=density,
                       place_m=_plain(place), orientation=tuple(float(x) for x in quat), **extra)


def _plain(values: np.ndarray) -> tuple[float, float, float]:
    x, y, z = (round(plain(value), 6) + 0.0 for value in values.tolist())
    return x, y, z


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
        from ..addon.maths.rotations import matrix_from_quat
        from ..addon.rigs.bake.loose import box_of

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
