# SPDX-License-Identifier: GPL-3.0-or-later
"""What lies in the scene, as a Shot wants it: curves and targets as a path, a mesh as a field of heights."""

from __future__ import annotations

import math

import bpy
import numpy as np
from mathutils import Matrix, Vector
from mathutils.bvhtree import BVHTree
from mathutils.geometry import interpolate_bezier

from ..addon.errors import InputError
from ..addon.specs.ground import GroundSpec
from ..addon.specs.path import PathSpec
from .figures import Placement, plain

DRAWN = ("CURVE", "TARGETS")
"""Paths that have an end."""
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
