# SPDX-License-Identifier: GPL-3.0-or-later
"""Bodies as shaded capsules on a ground with their shadow, seen by a camera that goes along."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import combinations

import numpy as np
from scipy.ndimage import gaussian_filter1d

from ...bodies.body import Body, Capsule
from ...bodies.capsules import body_capsules
from ...bodies.kinematics import segment_poses
from ...maths.rotations import quat_rotate
from ...motions.pressure.database import MOTION_HZ
from ...motions.pressure.images import LEFT, RIGHT
from ...motions.pressure.synthesis import Reading
from ...sim.take import Take

BEHIND_RAD, ABOVE_RAD = math.radians(58.0), math.radians(19.0)
"""The camera stands behind and to the right: left is left, and a foot that kicks ahead is seen beside the standing leg."""
HALF_VIEW_RAD = math.radians(14.0)
"""Half of the vertical angle of view."""
FULL = 0.94
"""Share of the picture that may be used, so that nothing touches its rim."""
LEAST_AWAY_M = 3.0
LIGHT = np.array([-0.45, -0.5, 0.74]) / np.linalg.norm([-0.45, -0.5, 0.74])
SKY = np.array([214.0, 220.0, 228.0])
GROUND, LINE = np.array([188.0, 193.0, 199.0]), np.array([164.0, 170.0, 178.0])
SKIN, FEET = np.array([226.0, 221.0, 212.0]), {LEFT: np.array([232.0, 190.0, 30.0]), RIGHT: np.array([205.0, 58.0, 45.0])}
"""Feet have the colours of the outlines in the pressure."""
SHADE, SOFT_M, SHADE_CELL_M, SHADE_WAY_M, LOW_M = 0.42, 0.03, 0.03, 1.4, 0.25
"""Depth of the shadow, its rim's softness, cells, half width of ground that has it; below what height the sky is shaded."""
SOLE_M = 0.018
"""Half the thickness of a drawn sole, which stands on the ground as its points do."""
FINE = 2
"""Points a pixel along each axis."""


@dataclass(frozen=True, eq=False)
class Capsules:
    """The capsules of a body in motion: both ends (T, C, 3) [m], radii (C,) [m], colours (C, 3); the root's way (T, 2) [m]."""

    starts: np.ndarray
    ends: np.ndarray
    radii: np.ndarray
    colours: np.ndarray
    root: np.ndarray

    @classmethod
    def of(cls, body: Body, positions: np.ndarray, orientations: np.ndarray, skin: np.ndarray = SKIN) -> Capsules:
        """Those of a body whose segments are at (T, S, 3) [m], turned by (T, S, 4)."""
        shapes = [*body_capsules(body), *_soles(body)]
        at = [body.index[shape.segment] for shape in shapes]
        starts, ends = (np.stack([positions[:, i] + quat_rotate(orientations[:, i], getattr(shape, end))
                                  for i, shape in zip(at, shapes, strict=True)], axis=1) for end in ("start", "end"))
        sides = {name: foot.side for foot in body.feet for name in (foot.segment, *body.children(foot.segment))}
        colours = np.array([FEET.get(sides.get(shape.segment, ""), skin) for shape in shapes])
        return cls(starts, ends, np.array([shape.radius_m for shape in shapes]), colours, positions[:, 0, :2])

    def at(self, rows: np.ndarray) -> Capsules:
        return Capsules(self.starts[rows], self.ends[rows], self.radii, self.colours, self.root[rows])

    def __len__(self) -> int:
        return len(self.root)


def _soles(body: Body) -> list[Capsule]:
    """The rims of the soles: capsules between the contact points of each segment of a foot, which stand on the ground."""
    found = []
    for foot in body.feet:
        points = [body.contact_points[row] for row in foot.points]
        for one, other in combinations(points, 2):
            if one.segment == other.segment:
                start, end = (point.position + [0.0, 0.0, SOLE_M - point.radius_m] for point in (one, other))
                found.append(Capsule("sole", one.segment, start, end, SOLE_M, SOLE_M))
    return found


@dataclass(frozen=True, eq=False)
class Camera:
    """A camera `away_m` from its target that never turns; `size` [pixels] is the picture's, `height_m` what it looks at."""

    away_m: float
    size: tuple[int, int]
    height_m: float = 0.85

    @cached_property
    def axes(self) -> np.ndarray:
        """Its axes (3, 3) as rows: to the right, up, and the way it looks."""
        ahead = np.array([math.cos(BEHIND_RAD) * math.cos(ABOVE_RAD), math.sin(BEHIND_RAD) * math.cos(ABOVE_RAD),
                          -math.sin(ABOVE_RAD)])
        right = np.cross(ahead, [0.0, 0.0, 1.0])
        right /= np.linalg.norm(right)
        return np.array([right, np.cross(right, ahead), ahead])

    @cached_property
    def rays(self) -> np.ndarray:
        """The way (height, width, 3) of the ray of each pixel, the upper left one first."""
        return self.rays_of(1)

    @cached_property
    def fine_rays(self) -> np.ndarray:
        """The same of `FINE` points a pixel along each axis."""
        return self.rays_of(FINE)

    def rays_of(self, fine: int) -> np.ndarray:
        """Unit rays of so many points a pixel along each axis."""
        width, height = (fine * n for n in self.size)
        across = ((np.arange(width) + 0.5) / width * 2.0 - 1.0) * width / height
        up = 1.0 - (np.arange(height) + 0.5) / height * 2.0
        slope = math.tan(HALF_VIEW_RAD)
        right, above, ahead = self.axes
        rays = ahead + slope * (across[None, :, None] * right + up[:, None, None] * above)
        return (rays / np.linalg.norm(rays, axis=2, keepdims=True)).astype(np.float32)

    def eye_m(self, target_m: np.ndarray) -> np.ndarray:
        """Where it stands (3,) for a target (2,) on the ground."""
        return np.array([*target_m, self.height_m]) - self.away_m * self.axes[2]

    def box(self, eye: np.ndarray, start: np.ndarray, end: np.ndarray, radius: float) -> tuple[int, int, int, int] | None:
        """The pixels (top, bottom, left, right) that a capsule can be seen in; None where it is outside of the picture."""
        width, height = self.size
        scale = 0.5 * height / math.tan(HALF_VIEW_RAD)
        seen = (np.array([start, end]) - eye) @ self.axes.T
        near = np.maximum(seen[:, 2:] - radius, 0.1)
        corners = np.concatenate([(seen[:, :2] + sign * 1.05 * radius) / deep * scale
                                  for sign in (-1.0, 1.0) for deep in (near, seen[:, 2:] + radius)])
        (left, low), (right, high) = corners.min(axis=0), corners.max(axis=0)
        found = (max(int(0.5 * height - high), 0), min(int(0.5 * height - low) + 2, height),
                 max(int(0.5 * width + left), 0), min(int(0.5 * width + right) + 2, width))
        return found if found[0] < found[1] and found[2] < found[3] else None


def camera_for(bodies: Sequence[Capsules], targets: Sequence[np.ndarray], size: tuple[int, int]) -> Camera:
    """A camera that has all of some bodies in the picture in every frame, where it looks at each one's target (T, 2) [m]."""
    high = max(float((np.maximum(one.starts, one.ends)[..., 2] + one.radii).max()) for one in bodies)
    camera = Camera(LEAST_AWAY_M, size, 0.47 * high)
    slope = math.tan(HALF_VIEW_RAD) * FULL
    wide = slope * size[0] / size[1]
    away = LEAST_AWAY_M
    for one, target in zip(bodies, targets, strict=True):
        middle = np.column_stack([target, np.full(len(target), camera.height_m)])[:, None]
        for ends in (one.starts, one.ends):
            seen = (ends - middle) @ camera.axes.T
            across, up = np.abs(seen[..., 0]) + one.radii, np.abs(seen[..., 1]) + one.radii
            away = max(away, float((across / wide - seen[..., 2]).max()), float((up / slope - seen[..., 2]).max()))
    return Camera(away, size, camera.height_m)


def drawn(camera: Camera, body: Capsules, row: int, target_m: np.ndarray) -> np.ndarray:
    """The picture (height, width, 3) of RGB of one moment of a body, the camera's target being (2,) [m]."""
    eye = camera.eye_m(target_m)
    starts, ends = body.starts[row], body.ends[row]
    picture = _shaded(camera, target_m, starts, ends, body.radii, body.root[row])
    boxes = [camera.box(eye, start, end, float(radius)) for start, end, radius in zip(starts, ends, body.radii, strict=True)]
    shown = [(i, box) for i, box in enumerate(boxes) if box is not None]
    if shown:
        top, left = (min(box[edge] for _, box in shown) for edge in (0, 2))
        bottom, right = (max(box[edge] for _, box in shown) for edge in (1, 3))
        part = picture[top:bottom, left:right].repeat(FINE, axis=0).repeat(FINE, axis=1)
        depth = np.full(part.shape[:2], np.inf, dtype=np.float32)
        for i, box in shown:
            rows, columns = slice(FINE * box[0], FINE * box[1]), slice(FINE * box[2], FINE * box[3])
            ray = camera.fine_rays[rows, columns]
            at = (slice(rows.start - FINE * top, rows.stop - FINE * top),
                  slice(columns.start - FINE * left, columns.stop - FINE * left))
            distance = capsule_distance(eye, ray, starts[i], ends[i], float(body.radii[i]))
            near = distance < depth[at]
            depth[at][near] = distance[near]
            part[at][near] = _lit(eye + distance[near][:, None] * ray[near], ray[near], starts[i], ends[i], body.colours[i])
        picture[top:bottom, left:right] = part.reshape(bottom - top, FINE, right - left, FINE, 3).mean(axis=(1, 3))
    return np.rint(picture).clip(0.0, 255.0).astype(np.uint8)


def capsule_distance(eye: np.ndarray, rays: np.ndarray, start: np.ndarray, end: np.ndarray, radius: float) -> np.ndarray:
    """How far along unit rays (..., 3) from an eye (3,) the first point of a capsule is (...) [m], or infinite: on the round
    side, where the foot of its distance from the axis lies between the ends, else on one of the balls."""
    found = np.minimum(_ball(eye - start, rays, radius), _ball(eye - end, rays, radius))
    along = end - start
    length = float(np.linalg.norm(along))
    if length < 1e-9:
        return found
    axis = along / length
    from_axis = eye - start
    behind = float(from_axis @ axis)
    forward = rays @ axis
    flat_eye = from_axis - behind * axis
    a = 1.0 - forward**2
    b = rays @ flat_eye
    inside = b**2 - a * (float(flat_eye @ flat_eye) - radius**2)
    with np.errstate(invalid="ignore", divide="ignore"):
        distance = (-b - np.sqrt(inside)) / a
        place = behind + distance * forward
        return np.where((inside > 0.0) & (distance > 0.0) & (place > 0.0) & (place < length), distance, found)


def _ball(away: np.ndarray, rays: np.ndarray, radius: float) -> np.ndarray:
    """How far (...) along rays the first point of a ball is, whose middle the eye is `away` (3,) from."""
    b = rays @ away
    inside = b**2 - float(away @ away) + radius**2
    with np.errstate(invalid="ignore"):
        return np.where(inside > 0.0, -b - np.sqrt(inside), np.inf)


def _lit(points: np.ndarray, rays: np.ndarray, start: np.ndarray, end: np.ndarray, paint: np.ndarray) -> np.ndarray:
    """The colours (N, 3) of points on a capsule: sun, sky from above, darker towards the rim and near the ground."""
    along = end - start
    share = np.clip((points - start) @ along / max(float(along @ along), 1e-12), 0.0, 1.0)
    normal = points - start - share[:, None] * along
    normal /= np.linalg.norm(normal, axis=1, keepdims=True)
    sun = np.maximum(normal @ LIGHT, 0.0)
    sky = 0.5 + 0.5 * normal[:, 2]
    facing = np.clip(-np.einsum("nk,nk->n", normal, rays), 0.0, 1.0)
    low = 0.75 + 0.25 * np.clip(points[:, 2] / 0.25, 0.0, 1.0)
    bright = (0.4 * sky + 0.58 * sun + 0.14) * (0.72 + 0.28 * facing**0.7) * low
    return paint * bright[:, None]


@lru_cache(maxsize=4)
def _ground(camera: Camera, ahead_m: float, left_m: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Sky and ground (height, width, 3) around a target, a line every half metre; which pixels are ground (height, width), and
    their places (N, 2) [m]. A camera that stands sees the same again and again."""
    eye, rays = camera.eye_m(np.array([ahead_m, left_m])), camera.rays
    down = rays[..., 2] < -1e-3
    away = -eye[2] / rays[down][:, 2]
    places = eye[:2] + away[:, None] * rays[down][:, :2]
    colour = np.broadcast_to(SKY, rays.shape).copy()
    across = np.abs((places * 2.0 + 0.5) % 1.0 - 0.5).min(axis=1) / 2.0
    line = np.clip(1.5 - across / (0.0012 * away), 0.0, 1.0) * np.clip(1.6 - away / 14.0, 0.0, 1.0)
    floor = GROUND + line[:, None] * (LINE - GROUND)
    far = np.clip((away - 8.0) / 22.0, 0.0, 1.0)[:, None]
    colour[down] = floor + far * (SKY - floor)
    return colour, down, places


def _shaded(camera: Camera, target_m: np.ndarray, starts: np.ndarray, ends: np.ndarray, radii: np.ndarray,
            middle: np.ndarray) -> np.ndarray:
    """Sky and ground (height, width, 3) with the shadow of capsules around `middle` (2,)."""
    colour, down, places = _ground(camera, float(target_m[0]), float(target_m[1]))
    found = colour.copy()
    at = (places - (middle - SHADE_WAY_M)) / SHADE_CELL_M
    shade = _shadow(starts, ends, radii, middle)
    near = ((at > 0.0) & (at < len(shade) - 1.001)).all(axis=1)
    cell = at[near].astype(int)
    (row, column), (x, y) = cell.T, (at[near] - cell).T
    dark = ((1.0 - x) * ((1.0 - y) * shade[row, column] + y * shade[row, column + 1])
            + x * ((1.0 - y) * shade[row + 1, column] + y * shade[row + 1, column + 1]))
    rows, columns = (index[near] for index in np.nonzero(down))
    found[rows, columns] *= (1.0 - dark)[:, None]
    return found


def _shadow(starts: np.ndarray, ends: np.ndarray, radii: np.ndarray, middle: np.ndarray) -> np.ndarray:
    """How dark (n, n) cells of the ground around `middle` (2,) are under capsules: the sun's shadow, near low ones the sky's."""
    side = np.arange(-SHADE_WAY_M, SHADE_WAY_M + SHADE_CELL_M, SHADE_CELL_M)
    places = middle[0] + side[:, None], middle[1] + side[None]
    light, dark = np.ones((len(side), len(side))), np.zeros((len(side), len(side)))
    slope = LIGHT[:2] / LIGHT[2]
    for start, end, radius in zip(starts, ends, radii, strict=True):
        low, high = start[:2] - start[2] * slope, end[:2] - end[2] * slope
        np.maximum(dark, np.clip(0.5 + (radius - _from_line(places, low, high)) / SOFT_M, 0.0, 1.0), out=dark)
        over = max(min(float(start[2]), float(end[2])) - radius, 0.0)
        if over < LOW_M:
            away = _from_line(places, start[:2], end[:2])
            light *= 1.0 - 0.5 * np.exp(-over / 0.06) * np.exp(-np.maximum(away - 0.5 * radius, 0.0) / 0.035)
    return 1.0 - (1.0 - SHADE * dark) * light


def _from_line(places: tuple[np.ndarray, np.ndarray], start: np.ndarray, end: np.ndarray) -> np.ndarray:
    """Distance of places, ahead and to the left, from the line between two points (2,)."""
    along = end - start
    x, y = places[0] - start[0], places[1] - start[1]
    share = np.clip((x * along[0] + y * along[1]) / max(float(along @ along), 1e-12), 0.0, 1.0)
    return np.asarray(np.sqrt((x - share * along[0]) ** 2 + (y - share * along[1]) ** 2))


STAYS_M, SMOOTH_S = 1.5, 0.6
"""A root that stays within so much is seen by a camera that stands; else it goes along, as smoothly."""


@dataclass(frozen=True, eq=False)
class Shown:
    """A body in motion, `rate_hz` moments a second from `start_s` on, and what the camera looks at (T, 2) [m]."""

    capsules: Capsules
    rate_hz: float
    start_s: float
    target_m: np.ndarray

    @classmethod
    def of(cls, capsules: Capsules, rate_hz: float, start_s: float) -> Shown:
        """With a camera that stands, or goes along."""
        low, high = capsules.root.min(axis=0), capsules.root.max(axis=0)
        if float(np.max(high - low)) <= STAYS_M:
            target = np.broadcast_to(0.5 * (low + high), capsules.root.shape)
        else:
            target = gaussian_filter1d(capsules.root, SMOOTH_S * rate_hz, axis=0, mode="nearest")
        return cls(capsules, rate_hz, start_s, target)

    def row(self, time_s: float) -> int:
        """The moment that is shown at a time [s]; before the first and after the last one those stay."""
        return min(max(round((time_s - self.start_s) * self.rate_hz), 0), len(self.capsules) - 1)

    def drawn(self, camera: Camera, time_s: float) -> np.ndarray:
        """The picture of a time [s]."""
        row = self.row(time_s)
        return drawn(camera, self.capsules, row, self.target_m[row])


def of_take(take: Take) -> Shown:
    """The body of a Take, in its own time."""
    rate = (len(take.time_s) - 1) / float(take.time_s[-1] - take.time_s[0])
    return Shown.of(Capsules.of(take.body, *take.segment_poses), rate, float(take.time_s[0]))


def of_reading(reading: Reading) -> Shown:
    """The body that pressure was read on, in the time of the pressure."""
    figure = reading.motion.figure
    poses = segment_poses(reading.body, figure.root, figure.turn, figure.joints)
    return Shown.of(Capsules.of(reading.body, *poses), MOTION_HZ, reading.pressure.start_s)
