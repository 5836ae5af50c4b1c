# SPDX-License-Identifier: GPL-3.0-or-later
"""What the ground notices of a take, where each foot pressed it, and the dust that it sends off: which grains, drawn from the
shot's seed, when, how fast and where to. Without air every grain flies on its own parabola, in air it is braked at once and then
sinks slowly: grains are small enough for Stokes' law, by which their way has a closed form with one constant, its relaxation
time. No Blender."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from ...maths.rotations import rotation_between
from ...reports.events import clean_stances
from ...reports.feet import loaded_points
from ...reports.strides import end_of_walking_s, gravity_m_s2
from ...sim.take import Take
from ...specs.shot import EARTH_GRAVITY_M_S2
from ...worlds.ground import Ground, Plane, make_ground
from ...worlds.planets import Air

SOIL_KG_M3 = 2900.0
"""Density of a grain: basalt, of which the dust of Moon and Mars is made."""

HALVINGS = 30


def relaxation_s(air: Air | None, size_m: np.ndarray) -> np.ndarray:
    """Relaxation times (N,) [s] of grains of these diameters: Stokes' drag, with Cunningham's correction for grains that are not
    large beside the free path (Davies 1945). Infinite without air."""
    if air is None:
        return np.full(np.shape(size_m), np.inf)
    path = 2.0 * air.free_path_m / size_m
    slip = 1.0 + path * (1.257 + 0.4 * np.exp(-1.1 / path))
    return SOIL_KG_M3 * size_m**2 * slip / (18.0 * air.viscosity_pa_s)


def flight(time_s: np.ndarray, velocity_m_s: np.ndarray, gravity_m_s2: float, relaxation_s: np.ndarray) -> np.ndarray:
    """How far grains (N, 3) [m] have come after `time_s` (N,), sent off at `velocity_m_s` (N, 3), up being z. With a relaxation
    time T the velocity falls off as exp(-t/T) towards that of sinking, g T; with an endless one this is the parabola v t - g t^2
    / 2."""
    time, relaxation = np.broadcast_arrays(np.asarray(time_s, float), np.asarray(relaxation_s, float))
    free = np.isinf(relaxation)
    braked = np.where(free, 1.0, relaxation)
    reach = np.where(free, time, -braked * np.expm1(-time / braked))
    drop = gravity_m_s2 * np.where(free, 0.5 * time**2, braked * (time - reach))
    out = np.asarray(velocity_m_s, float) * reach[:, None]
    out[:, 2] -= drop
    return out


def landing_s(velocity_m_s: np.ndarray, height_m: np.ndarray, gravity_m_s2: float, relaxation_s: np.ndarray) -> np.ndarray:
    """When grains (N,) [s] that are sent off at `height_m` (N,) over level ground are on it, by halving."""
    up, height = np.maximum(np.asarray(velocity_m_s)[:, 2], 0.0), np.asarray(height_m, float)
    late = (up + np.sqrt(up**2 + 2.0 * gravity_m_s2 * height)) / gravity_m_s2  # without air; in air it sinks at last at g T
    braked = np.isfinite(relaxation_s)
    late[braked] += (height + up * relaxation_s)[braked] / (gravity_m_s2 * relaxation_s[braked]) + relaxation_s[braked]
    early = np.zeros_like(late)
    for _ in range(HALVINGS):
        middle = 0.5 * (early + late)
        above = height + flight(middle, velocity_m_s, gravity_m_s2, relaxation_s)[:, 2] > 0.0
        early, late = np.where(above, middle, early), np.where(above, late, middle)
    return late


SCUFF_HEIGHT_M = 0.05
"""A foot that has left the ground throws dust as long as it is lower than that (first guess: what sticks to a boot)."""
SCUFF_S = 0.12
"""And for that long at most, under the Earth's gravity; longer in a lighter one, as everything is slower there."""
STRIKE, SCUFF = "strike", "scuff"


@dataclass(frozen=True)
class Print:
    """A foot's print, in the take's axes: the ball's place (3,) [m], the direction (2,) from heel to toe, when the foot comes
    down and is down [s], and how far its contact points lie along and across from the ball (P, 2) [m], their kind and whether
    they pressed. `load` is the largest force over the body's weight on Earth."""

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
    """Dust that a foot sends off at a moment, from (3,) [m], at the foot's speed (3,) [m/s] and direction (2,). `kind`: "strike",
    a ring about the landing sole, or "scuff", a fan before the leaving toes, a `share` of that leaving."""

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


GRAINS_A_STRIKE, GRAINS_A_LEAVING, FULL_SPEED_M_S = 1500, 3200, 1.0
"""Grains of a foot that lands or leaves at that speed; fewer of a slower one, down to none (by eye)."""
CURTAIN_DEG, CURTAIN_SPREAD_DEG = 40.0, 5.0
"""Elevation at which grains leave: of an impact's curtain about 45 degrees (Housen and Holsapple 2011), a little lower here."""
FAN_DEG = 30.0
"""Spread of directions before a leaving foot (first guess)."""
RING_SHARE, FAN_SHARE = 1.1, 1.6
"""Speed of the fastest grains over the foot's, about a landing sole and before a leaving one (by eye, as in the Apollo films)."""
SLOWEST = 0.25
"""Slowest grain over the fastest."""
GRAIN_M = (18e-6, 60e-6)
"""Diameters of the grains that stay in the air (lunar soil: half of its mass is finer than 70 micrometres; Carrier 1973)."""
SHOWN_M = (0.0012, 0.0034)
"""Radii of what is drawn for a clump of grains without air."""
PUFF_M, PUFFS, PUFF_S, PUFF_TIME_S = (0.035, 0.075), 0.009, (0.7, 1.9), 0.45
"""In air: radii of what is drawn, how many of them for a grain without, how long they last at most, and how fast they spread."""
PUFF_SPREAD_M = (0.10, 0.10, 0.06)
"""How far the air's whirl about a foot carries dust: forth and back, aside, up (first guess)."""
SOLE_M = (0.13, 0.045)
"""Half length and half width of the ring of a landing sole."""
DEEPEST_M, LOOKS = 2.0, 48
"""On uneven ground: how far below its start a grain may come down, and at how many moments of its flight it is looked."""


@dataclass(frozen=True)
class Grains:
    """Grains (N,): when [s] and where (N, 3) [m] they start, how fast (N, 3) [m/s], how far the air's whirl takes them (N, 3)
    [m], how long they fly [s], their relaxation [s], gravity, and the radius drawn [m]."""

    start_s: np.ndarray
    place: np.ndarray
    velocity: np.ndarray
    spread: np.ndarray
    life_s: np.ndarray
    relaxation_s: np.ndarray
    gravity_m_s2: np.ndarray
    radius_m: np.ndarray

    def at(self, time_s: float) -> tuple[np.ndarray, np.ndarray]:
        """Which of the grains fly at a time (K,), and where (K, 3) [m]."""
        age = time_s - self.start_s
        rows = np.flatnonzero((age >= 0.0) & (age <= self.life_s))
        ways = [flight(age[[row]], self.velocity[[row]], self.gravity_m_s2[row], self.relaxation_s[[row]])[0] for row in rows]
        whirl = -np.expm1(-age[rows] / PUFF_TIME_S)[:, None] * self.spread[rows]
        return rows, self.place[rows] + np.array(ways).reshape(-1, 3) + whirl


def grains_of(kicks: Sequence[Kick], seed: int, air: Air | None, amount: float = 1.0, ground: Ground | None = None) -> Grains:
    """The grains of some kicks, `amount` times as many as usual, on the `ground` (level unless given); as the seed has it."""
    ground = ground or Plane()
    parts = [_of_kick(kick, np.random.default_rng([seed, number]), air, amount, ground) for number, kick in enumerate(kicks)]
    whole = [np.concatenate(column) for column in zip(*parts, strict=True)] if parts else [np.zeros(0)] * 8
    whole[1:4] = [column.reshape(-1, 3) for column in whole[1:4]]
    return Grains(*whole)


def _of_kick(kick: Kick, generator: np.random.Generator, air: Air | None, amount: float,
             ground: Ground) -> tuple[np.ndarray, ...]:
    speed = float(np.linalg.norm(kick.velocity_m_s))
    most, share = (GRAINS_A_STRIKE, RING_SHARE) if kick.kind == STRIKE else (GRAINS_A_LEAVING * kick.share, FAN_SHARE)
    count = int(most * amount * min(speed / FULL_SPEED_M_S, 1.5) * (1.0 if air is None else PUFFS) + generator.random())
    turn = np.arctan2(kick.ahead[1], kick.ahead[0])
    if kick.kind == STRIKE:
        azimuth = generator.uniform(0.0, 2.0 * np.pi, count)
        ring = np.stack([SOLE_M[0] * np.cos(azimuth), SOLE_M[1] * np.sin(azimuth)], axis=1)
    else:
        azimuth = np.radians(FAN_DEG) * generator.normal(size=count)
        turn = np.arctan2(kick.velocity_m_s[1], kick.velocity_m_s[0])
        ring = generator.uniform(-0.5, 0.5, (count, 2)) * SOLE_M[1]
    elevation = np.radians(CURTAIN_DEG + CURTAIN_SPREAD_DEG * generator.normal(size=count))
    fast = share * speed * (SLOWEST + (1.0 - SLOWEST) * generator.random(count)**1.6)
    velocity = fast[:, None] * np.stack([np.cos(elevation) * np.cos(azimuth + turn), np.cos(elevation) * np.sin(azimuth + turn),
                                         np.sin(elevation)], axis=1)
    place = np.zeros((count, 3)) + kick.place
    place[:, 0] += np.cos(turn) * ring[:, 0] - np.sin(turn) * ring[:, 1]
    place[:, 1] += np.sin(turn) * ring[:, 0] + np.cos(turn) * ring[:, 1]
    size, gravity = generator.uniform(*GRAIN_M, count), np.full(count, kick.gravity_m_s2)
    relaxation = relaxation_s(air, size)
    spread, low = np.zeros((count, 3)), np.zeros(count)
    if air is not None:
        spread = np.array(PUFF_SPREAD_M) * generator.normal(size=(count, 3)) * min(speed, 1.5)
        spread[:, 2] = np.abs(spread[:, 2])
        low = spread[:, 2]
    if ground.level:
        life = landing_s(velocity, low, kick.gravity_m_s2, relaxation)
    else:
        up = ground.normal(*kick.place[:2])
        velocity = velocity @ rotation_between(np.array([0.0, 0.0, 1.0]), np.asarray(up, float)).T
        place[:, 2] = ground.height(*place[:, :2].T)
        life = _landing_on(ground, place, velocity, low, kick.gravity_m_s2, relaxation)
    if air is not None:
        life = np.minimum(life, generator.uniform(*PUFF_S, count))
    radius = generator.uniform(*(SHOWN_M if air is None else PUFF_M), count)
    return np.full(count, kick.time_s), place, velocity, spread, life, relaxation, gravity, radius


def _landing_on(ground: Ground, place: np.ndarray, velocity: np.ndarray, low: np.ndarray, gravity_m_s2: float,
                relaxation: np.ndarray) -> np.ndarray:
    """When grains (N,) [s] that start at places (N, 3), `low` (N,) [m] more over them, are on ground that is not level: at the
    first of some looks, and then by halving. One that flies beyond `DEEPEST_M` ends there."""
    def above(time_s: np.ndarray) -> np.ndarray:
        at = place + flight(time_s, velocity, gravity_m_s2, relaxation)
        return at[:, 2] + low > ground.height(at[:, 0], at[:, 1])

    last = landing_s(velocity, low + DEEPEST_M, gravity_m_s2, relaxation)
    early, late, flying = np.zeros_like(last), last.copy(), np.ones(len(last), dtype=bool)
    for look in range(1, LOOKS + 1):
        time = last * look / LOOKS
        landed = flying & ~above(time)
        late[landed] = time[landed]
        flying &= ~landed
        early[flying] = time[flying]
    for _ in range(HALVINGS):
        middle = 0.5 * (early + late)
        up = above(middle)
        early, late = np.where(up, middle, early), np.where(up, late, middle)
    return early
