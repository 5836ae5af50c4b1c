# SPDX-License-Identifier: GPL-3.0-or-later
"""What the ground notices of a take: where each foot pressed it, and where, when and how fast its dust is sent off."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from ...reports.events import clean_stances
from ...reports.feet import loaded_points
from ...reports.strides import end_of_walking_s, gravity_m_s2
from ...sim.take import Take
from ...specs.shot import EARTH_GRAVITY_M_S2
from ...worlds.ground import make_ground

SCUFF_HEIGHT_M = 0.05
"""A foot that has left the ground throws dust as long as it is lower than that (first guess: a boot's sole and what sticks to
it)."""
SCUFF_S = 0.12
"""And for that long at most, under the Earth's gravity; longer in a lighter one, as everything is slower there."""
STRIKE, SCUFF = "strike", "scuff"


@dataclass(frozen=True)
class Print:
    """A foot's print, in the take's axes: the ball's place (3,) [m] on the ground, the direction (2,) from heel to toe, when the
    foot comes down on it and is down [s], and for each of the foot's contact points how far it lies along and across that
    direction from the ball (P, 2) [m], its kind and whether it pressed. `load` is the largest force on it over the body's weight
    on Earth."""

    foot: str
    place: np.ndarray
    ahead: np.ndarray
    start_s: float
    down_s: float
    points: np.ndarray
    kinds: tuple[str, ...]
    pressed: np.ndarray
    load: float


@dataclass(frozen=True)
class Kick:
    """Dust that a foot sends off at a moment: from where (3,) [m], how fast the foot is, (3,) [m/s], the direction (2,) from heel
    to toe, and `kind`: "strike", a ring about the landing sole, or "scuff", a fan before the toes of a leaving one, one of
    several: `share` is its part of that foot's leaving."""

    kind: str
    time_s: float
    place: np.ndarray
    velocity_m_s: np.ndarray
    ahead: np.ndarray
    gravity_m_s2: float
    share: float = 1.0


def prints(take: Take) -> list[Print]:
    found, loads = [], loaded_points(take)
    for side, start, end in clean_stances(take):
        rows = _rows(take, start, end)
        foot = take.body.feet[side]
        points = list(foot.points)
        pairs = np.ix_(rows, np.array(points, dtype=int))
        pressed = loads[pairs]
        if not pressed.any():
            continue
        force = take.contact_point_force_n[pairs].sum(axis=1)
        at = rows[int(np.lexsort((force, pressed.sum(axis=1)))[-1])]
        kinds = tuple(take.body.contact_points[i].kind for i in points)
        ball, ahead = _foot_frame(take, at, points, kinds)
        rest = _rest(take, points, kinds)
        load = float(force.max() / (take.body.mass_kg * EARTH_GRAVITY_M_S2))
        down = float(take.time_s[at]) if np.isfinite(start) else float(take.time_s[0])
        found.append(Print(foot.name, ball, ahead, float(take.time_s[rows[0]]), down, rest, kinds, pressed.any(axis=0), load))
    return sorted(found, key=lambda one: one.start_s)


def kicks(take: Take) -> list[Kick]:
    """What sends dust off, in order of time: every strike, and every foot that leaves the ground, moment by moment."""
    found: list[Kick] = []
    gravity = gravity_m_s2(take)
    speed = np.gradient(take.contact_point_m, take.time_s, axis=0)
    for side, start, end in clean_stances(take):
        points = list(take.body.feet[side].points)
        kinds = tuple(take.body.contact_points[i].kind for i in points)
        rows = _rows(take, start, end)
        if np.isfinite(start):
            before = max(rows[0] - 1, 0)
            _, ahead = _foot_frame(take, rows[0], points, kinds)
            place = take.contact_point_m[rows[0]][points].mean(axis=0)
            found.append(Kick(STRIKE, start, place, speed[before][points].mean(axis=0), ahead, float(gravity[rows[0]])))
        if np.isfinite(end):
            found += _scuffs(take, points, kinds, rows[-1] + 1, speed, gravity)
    return sorted(found, key=lambda kick: kick.time_s)


def _scuffs(take: Take, points: list[int], kinds: tuple[str, ...], row: int, speed: np.ndarray,
            gravity: np.ndarray) -> list[Kick]:
    """The kicks of a foot that leaves the ground at a sample: as long as its lowest point is low."""
    found, height = [], make_ground(take.shot.world.ground).height

    def clear(at: int) -> np.ndarray:
        x, y, z = take.contact_point_m[at][points].T
        return z - height(x, y)

    floor = clear(max(row - 1, 0)).min()
    for at in range(row, len(take.time_s)):
        above = clear(at)
        low = points[int(np.argmin(above))]
        late = take.time_s[at] - take.time_s[row] > SCUFF_S * np.sqrt(EARTH_GRAVITY_M_S2 / gravity[at])
        if late or above.min() - floor > SCUFF_HEIGHT_M or take.contact[at][_side(take, points)]:
            break
        place = take.contact_point_m[at, low].copy()
        place[2] = floor + height(place[0], place[1])
        _, ahead = _foot_frame(take, at, points, kinds)
        found.append(Kick(SCUFF, float(take.time_s[at]), place, speed[at, low], ahead, float(gravity[at])))
    return [replace(kick, share=1.0 / len(found)) for kick in found]


def _side(take: Take, points: list[int]) -> int:
    return next(row for row, foot in enumerate(take.body.feet) if points[0] in foot.points)


def _rows(take: Take, start: float, end: float) -> np.ndarray:
    """Samples of a stance, up to a fall; one at least."""
    end = min(end, end_of_walking_s(take), float(take.time_s[-1]))
    first = min(int(np.searchsorted(take.time_s, start - 1e-9)), len(take.time_s) - 1)
    return np.arange(first, max(int(np.searchsorted(take.time_s, end + 1e-9)), first + 1))


def _foot_frame(take: Take, row: int, points: list[int], kinds: tuple[str, ...]) -> tuple[np.ndarray, np.ndarray]:
    """The ball's place (3,) of a foot at a sample and its direction (2,) over ground, from heel to toe."""
    places = take.contact_point_m[row][points]
    back, ball, front = (_middle(places, kinds, kind) for kind in ("heel", "ball", "toe"))
    ahead = ((front if ball is None else ball) - (places.mean(axis=0) if back is None else back))[:2]
    length = np.linalg.norm(ahead)
    return (places.mean(axis=0) if ball is None else ball), (ahead / length if length > 1e-6 else np.array([1.0, 0.0]))


def _middle(places: np.ndarray, kinds: tuple[str, ...], kind: str) -> np.ndarray | None:
    """The middle (3,) of the points of a kind; None where there is none."""
    rows = [row for row, name in enumerate(kinds) if name == kind]
    return places[rows].mean(axis=0) if rows else None


def _rest(take: Take, points: list[int], kinds: tuple[str, ...]) -> np.ndarray:
    """Places (P, 2) of a foot's contact points from its ball, along and across, as the foot is built."""
    body = take.body
    origins: dict[str, np.ndarray] = {}
    for segment in body.segments:  # the neutral pose: offsets add up
        above = np.zeros(3) if segment.parent is None else origins[segment.parent]
        origins[segment.name] = above + np.asarray(segment.offset, float)
    places = np.array([origins[body.contact_points[i].segment] + body.contact_points[i].position for i in points])
    ball = _middle(places, kinds, "ball")
    return (places - (places.mean(axis=0) if ball is None else ball))[:, :2]
