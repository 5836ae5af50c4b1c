# SPDX-License-Identifier: GPL-3.0-or-later
"""A small kit of shapes in numpy: lofts, tubes, rounded boxes; each vertex knows its bones, each face its material."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ...maths.curves import smoothstep

Weights = Mapping[str, np.ndarray]
"""Bone name to the weight (V,) of each vertex."""


@dataclass
class Patch:
    """A piece of surface: points (V, 3) [m], faces as index tuples, a material name per face, weights per bone."""

    points: np.ndarray
    faces: list[tuple[int, ...]]
    materials: list[str]
    weights: dict[str, np.ndarray]

    def mirrored(self) -> Patch:
        """The same piece on the other side (y to -y), `_L` bones becoming `_R`."""
        weights = {name[:-2] + "_R" if name.endswith("_L") else name: w for name, w in self.weights.items()}
        return Patch(self.points * [1.0, -1.0, 1.0], [face[::-1] for face in self.faces], self.materials, weights)

    def moved(self, rotation: np.ndarray, origin: np.ndarray) -> Patch:
        """The piece turned by `rotation` (3, 3) about `origin` (3,)."""
        return Patch((self.points - origin) @ rotation.T + origin, self.faces, self.materials, self.weights)


def join(patches: Sequence[Patch]) -> Patch:
    offsets = np.cumsum([0] + [len(p.points) for p in patches])
    bones = sorted({name for p in patches for name in p.weights})
    weights = {name: np.zeros(offsets[-1]) for name in bones}
    for patch, start in zip(patches, offsets[:-1], strict=True):
        for name, values in patch.weights.items():
            weights[name][start:start + len(patch.points)] = values
    return Patch(
        np.concatenate([p.points for p in patches]),
        [tuple(int(i + start) for i in face) for p, start in zip(patches, offsets[:-1], strict=True) for face in p.faces],
        [m for p in patches for m in p.materials],
        weights,
    )


def rigid(points: np.ndarray, bone: str) -> dict[str, np.ndarray]:
    """Every point wholly on one bone."""
    return {bone: np.ones(len(points))}


def chain_weights(s: np.ndarray, bones: Sequence[str], joints: Sequence[float], widths: Sequence[float]) -> dict[str, np.ndarray]:
    """Weights along a chain of bones by arc length `s` (V,): at each joint the next bone takes over across its width [m]."""
    weights, rest = {}, np.ones_like(s)
    for bone, joint, width in zip(bones[:-1], joints, widths, strict=True):
        taken = smoothstep((s - joint) / width + 0.5)
        weights[bone] = rest * (1.0 - taken)
        rest = rest * taken
    weights[bones[-1]] = rest
    return weights


def places(*spans: tuple[float, float, int]) -> np.ndarray:
    """Sorted sampling places: each span (start, end, count) adds `count` even steps; shared ends count once."""
    return np.unique(np.round(np.concatenate([np.linspace(a, b, n + 1) for a, b, n in spans]), 6))


def bellows(s: np.ndarray, start: float, end: float, count: int, depth: float) -> np.ndarray:
    """Radius added by `count` convolutes (round ridges, sharp valleys) between two places [m]."""
    x = (s - start) / (end - start)
    inside = (x >= 0.0) & (x <= 1.0)
    fade = smoothstep(np.minimum(x, 1.0 - x) * 6.0)
    return np.where(inside, depth * (np.abs(np.sin(np.pi * count * x)) ** 0.75 - 0.35) * (0.35 + 0.65 * fade), 0.0)


def resampled(knots: Sequence[Sequence[float]], count: int) -> np.ndarray:
    """A smooth curve (count, 3) through the knots, evenly spaced (centripetal in the chord lengths, cubic Hermite)."""
    p = np.asarray(knots, dtype=float)
    t = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(p, axis=0), axis=1))])
    slope = np.gradient(p, t, axis=0)
    fine = np.linspace(0.0, t[-1], count * 4)
    i = np.clip(np.searchsorted(t, fine, side="right") - 1, 0, len(t) - 2)
    h = (t[i + 1] - t[i])[:, None]
    u = ((fine - t[i]) / (t[i + 1] - t[i]))[:, None]
    curve = ((2 * u**3 - 3 * u**2 + 1) * p[i] + (u**3 - 2 * u**2 + u) * h * slope[i]
             + (3 * u**2 - 2 * u**3) * p[i + 1] + (u**3 - u**2) * h * slope[i + 1])
    length = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(curve, axis=0), axis=1))])
    even = np.linspace(0.0, length[-1], count)
    return np.column_stack([np.interp(even, length, curve[:, k]) for k in range(3)])


def frames_along(path: np.ndarray, reference: Sequence[float]) -> tuple[np.ndarray, np.ndarray]:
    """Two unit normals (N, 3) along a path, the first near `reference` at the start, carried without twist."""
    tangent = np.gradient(path, axis=0)
    tangent /= np.linalg.norm(tangent, axis=1, keepdims=True)
    u = np.empty_like(path)
    carried = np.asarray(reference, dtype=float)
    for k, t in enumerate(tangent):
        carried = carried - (carried @ t) * t
        carried = carried / np.linalg.norm(carried)
        u[k] = carried
    return u, np.cross(tangent, u)


def loft(rings: np.ndarray, material: str | Callable[[int], str], weights: Callable[[np.ndarray], Weights],
         caps: tuple[bool, bool] = (False, False)) -> Patch:
    """A surface through closed rings (N, M, 3), counter-clockwise seen from the far end; caps are fans to the middle. `material`
    may depend on the ring number; `weights` maps points (V, 3) to weights."""
    n, m = rings.shape[:2]
    points = rings.reshape(-1, 3)
    name = material if callable(material) else (lambda _: material)
    i, j = np.meshgrid(np.arange(n - 1), np.arange(m), indexing="ij")
    nxt = (j + 1) % m
    quads = np.stack([i * m + j, i * m + nxt, (i + 1) * m + nxt, (i + 1) * m + j], axis=-1)
    faces = [tuple(q) for q in quads.reshape(-1, 4)]
    materials = [name(int(k)) for k in i.ravel()]
    for cap, ring in zip(caps, (0, n - 1), strict=True):
        if not cap:
            continue
        centre = len(points)
        points = np.vstack([points, rings[ring].mean(axis=0)])
        edge = [(ring * m + k, ring * m + (k + 1) % m) for k in range(m)]
        faces += [(b, a, centre) if ring == 0 else (a, b, centre) for a, b in edge]
        materials += [name(min(ring, n - 2))] * m
    return Patch(points, faces, materials, dict(weights(points)))


def ring_points(centre: np.ndarray, u: np.ndarray, v: np.ndarray, ru: np.ndarray, rv: np.ndarray, segments: int,
                power: float = 2.0) -> np.ndarray:
    """Superelliptic rings (N, M, 3) around centres (N, 3), half axes `ru`, `rv` (scalar, (N,) or (N, M)) along `u`, `v`."""
    angle = np.arange(segments) * 2.0 * np.pi / segments
    c, s = (np.sign(f) * np.abs(f) ** (2.0 / power) for f in (np.cos(angle), np.sin(angle)))
    columns = [r[:, None] if r.ndim == 1 else r for r in (np.asarray(ru, float), np.asarray(rv, float))]
    ru, rv = (np.broadcast_to(r, (len(centre), segments)) for r in columns)
    return centre[:, None] + (ru * c)[..., None] * u[:, None] + (rv * s)[..., None] * v[:, None]


@dataclass(frozen=True)
class Cover:
    """What a tube or a ring is covered with, as `loft` takes material, weights and caps; corners of a section, the power of its
    superellipse, and the direction (3,) from which they are counted."""

    material: str | Callable[[int], str]
    weights: Callable[[np.ndarray], Weights]
    segments: int = 24
    power: float = 2.0
    reference: Sequence[float] = (1.0, 0.0, 0.0)
    caps: tuple[bool, bool] = (False, False)


def tube(path: np.ndarray, ru, rv, cover: Cover) -> Patch:
    """A tube around a path (N, 3); `ru` lies along the cover's reference, `rv` across it."""
    u, v = frames_along(path, cover.reference)
    rings = ring_points(path, u, v, ru, rv, cover.segments, cover.power)
    return loft(rings, cover.material, cover.weights, cover.caps)


def band(centre, axis, radius_u: float, radius_v: float, half_width: float, thick: float, cover: Cover) -> Patch:
    """A closed ring of rounded section around `axis`, as the metal rings of a suit."""
    axis = np.asarray(axis, float) / np.linalg.norm(axis)
    turn = np.linspace(0.0, 2.0 * np.pi, 6)
    along, out = -np.cos(turn) * half_width, np.sin(turn) * thick
    u = np.asarray(cover.reference, float) - np.dot(cover.reference, axis) * axis
    u /= np.linalg.norm(u)
    v = np.cross(axis, u)
    n = len(turn)
    centres = np.asarray(centre, float) + along[:, None] * axis
    rings = ring_points(centres, np.tile(u, (n, 1)), np.tile(v, (n, 1)), radius_u + out, radius_v + out, cover.segments,
                        cover.power)
    return loft(rings, cover.material, cover.weights)


def rounded_box(centre, half, bevel: float, material: str, bone: str, *, steps: int = 2, taper: float = 1.0) -> Patch:
    """A box with round edges on one bone; `taper` scales x and y at the lower end (1 at the top)."""
    half = np.asarray(half, float)
    inner = half - bevel
    bow = bevel * np.tan(np.linspace(0.0, np.pi / 4, steps + 1)[1:])
    ticks = [np.concatenate([-(i + bow[::-1]), [-i, i], i + bow]) for i in inner]
    points, faces = [], []
    for axis in range(3):
        a, b = (axis + 1) % 3, (axis + 2) % 3
        for sign in (-1.0, 1.0):
            start = sum(len(p) for p in points)
            grid_a, grid_b = np.meshgrid(ticks[a], ticks[b], indexing="ij")
            face = np.empty((grid_a.size, 3))
            face[:, axis], face[:, a], face[:, b] = sign * half[axis], grid_a.ravel(), grid_b.ravel()
            points.append(face)
            na, nb = len(ticks[a]), len(ticks[b])
            for i in range(na - 1):
                for j in range(nb - 1):
                    here, there = start + i * nb + j, start + (i + 1) * nb + j
                    quad = (here, there, there + 1, here + 1)
                    faces.append(quad if sign > 0 else quad[::-1])
    p = np.concatenate(points)
    core = np.clip(p, -inner, inner)
    out = p - core
    p = core + bevel * out / np.linalg.norm(out, axis=1, keepdims=True)
    shrink = taper + (1.0 - taper) * (p[:, 2:] / (2 * half[2]) + 0.5)
    p = np.column_stack([p[:, :2] * shrink, p[:, 2]]) + np.asarray(centre, float)
    _, first, index = np.unique(np.round(p, 7), axis=0, return_index=True, return_inverse=True)
    index = index.ravel()
    return Patch(p[first], [tuple(int(index[i]) for i in f) for f in faces], [material] * len(faces), rigid(p[first], bone))
