# SPDX-License-Identifier: GPL-3.0-or-later
"""Which response of a library answers a push, from which of its frames on, and what has to be changed of it (Yin 2007, 4.4): made
milder, turned, brought to the sagittal plane (4.5). Only towards easier motions: whoever got rid of a push gets rid of a smaller
one, and of one along which the soles reach farther."""

from __future__ import annotations

import cmath
import math
from collections.abc import Callable, Collection
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from ...bodies.body import Body
from ...errors import InputError
from ...maths.curves import runs
from ...maths.rotations import matrix_from_quat, quat_from_rotvec, quat_multiply, rotvec_from_quat
from ...specs.shot import EARTH_GRAVITY_M_S2
from ..cycle import layout
from .feet import Figure, figure_of
from .response import STRATEGIES, Library, Response, apart, feet_of, unit_m_s

FREE_TURN_RAD = math.radians(15.0)
"""In place a response is turned about the vertical by no more than this; the rest goes by its mirror image."""
LEGS = ("thigh", "shank", "foot", "toes")


def milder(alpha: float) -> float:
    """The share eps by which a motion is made smaller so that its momentum is `alpha` (0 to 1) of what it was: what is left of
    its size, 1 - eps, goes 1 + eps / 2 times as fast, (1 - eps)(1 + eps / 2) = alpha."""
    return 0.5 * (math.sqrt(9.0 - 8.0 * min(max(alpha, 0.0), 1.0)) - 1.0)


@dataclass(frozen=True)
class Adaptation:
    """`neutral` is the share of the mirror image (0 to 0.5), `turn_rad` the turn of the whole way about the vertical, `eps` how
    much smaller it becomes."""

    neutral: float = 0.0
    turn_rad: float = 0.0
    eps: float = 0.0


@dataclass(frozen=True)
class Aligned:
    """A response brought to a direction: how strong it is there, and by what it gets there."""

    strength: float
    neutral: float
    turn_rad: float


def aligned(push: complex, in_place: bool, direction: complex) -> Aligned:
    """A response to a `push` brought to a `direction` (unit). A step's whole way turns. In place the mean of a motion and its
    mirror image keeps the sagittal part of the push and loses of the lateral one, so it turns towards the sagittal plane and
    nowhere else; by a few degrees it turns as steps do, its strength then being the part along the direction."""
    away = cmath.phase(direction * push.conjugate())
    if not in_place:
        return Aligned(abs(push), 0.0, away)
    if abs(away) > FREE_TURN_RAD and push.real * direction.real > 0.0 and push.imag * direction.imag >= 0.0:
        lateral = direction.imag / direction.real * push.real
        if abs(lateral) < abs(push.imag):
            return Aligned(abs(push.real / direction.real), 0.5 * (1.0 - lateral / push.imag), 0.0)
    turn = min(max(away, -FREE_TURN_RAD), FREE_TURN_RAD)
    return Aligned(abs(push) * math.cos(away), 0.0, turn)


@dataclass(frozen=True)
class Adapted:
    """A response as it is to be played: `step` between its frames; `channels` (N, 54) of trunk and arms; ankles (N, 2, 3), with
    heights over where they rest, and feet's orientations (N, 2, 4); `planted` (N, 2, 2)."""

    step: float
    channels: np.ndarray
    ankles: np.ndarray
    feet: np.ndarray
    planted: np.ndarray


def adapted(response: Response, by: Adaptation) -> Adapted:
    values = response.channels
    if by.neutral:
        values = values + by.neutral * (response.mirrored().channels - values)
    values = values[0] + (1.0 - by.eps) * (values - values[0])
    ankles, feet = feet_of(values)
    if by.turn_rad:
        values, ankles = _turned(values, by.turn_rad), ankles.copy()
        ankles[..., :2] = ankles[0, :, :2] + _about(ankles[..., :2] - ankles[0, :, :2], by.turn_rad)
    return Adapted(response.step / (1.0 + 0.5 * by.eps), values, ankles, feet, response.planted)


def _turned(values: np.ndarray, angle: float) -> np.ndarray:
    """Channels whose changes since the first frame point elsewhere by an angle [rad] about the vertical: the root's way, and how
    root, trunk and arms turn; hinges bend as they did, legs go to their feet."""
    places, out = layout(), values.copy()
    out[:, :2] = values[0, :2] + _about(values[:, :2] - values[0, :2], angle)
    balls = [slice(3, 6)] + [where for name, where in places.slices.items()
                             if places.axes[name] is None and not name.startswith(LEGS)]
    for where in balls:
        first = quat_from_rotvec(values[:1, where])
        change = rotvec_from_quat(quat_multiply(quat_from_rotvec(values[:, where]), first * [1.0, -1.0, -1.0, -1.0]))
        change[:, :2] = _about(change[:, :2], angle)
        out[:, where] = rotvec_from_quat(quat_multiply(quat_from_rotvec(change), first))
    return out


def _about(vectors: np.ndarray, angle: float) -> np.ndarray:
    """Vectors (..., 2) turned by an angle [rad]."""
    c, s = math.cos(angle), math.sin(angle)
    return vectors @ np.array([[c, s], [-s, c]])


@dataclass(frozen=True)
class Now:
    """A body in the midst of a response: `channels` (54,) of its pose, which feet stand (F,), `momentum` over mass in the
    library's measure; `stance` (nq,) as it stood at first, and two poses of it `step_s` [s] apart."""

    channels: np.ndarray
    stands: np.ndarray
    momentum: complex
    stance: np.ndarray
    poses: Figure
    step_s: float


STRENGTH_WEIGHT = 2.5
"""k of the thesis: of strength's mismatch, over the library's most, against that of direction, over half a turn (found by trial,
docs/notes/responses.md)."""
POSE_WEIGHT = 1.0
"""w of the thesis: of the mean square of the pose's mismatch [rad^2] (found by trial)."""
FEET_WEIGHT = 0.5
"""Of the square of the mismatch of where one foot is from the other, over the leg's length (first guess)."""
OTHER_CONTACTS = 0.02
"""What a foot that stands in one pose alone counts for [rad^2]; feet up on different sides never meet (first guess)."""
NEAR, SOON = 0.04, 0.15
"""A foot this near to where it belongs, over the leg's length, may land at once; one that lands sooner goes no other way."""
SIDE_BY_SIDE = 0.29j
"""From the right ankle to the left one of who stands as nobody posed him (quiet stance of a captured clip)."""
FASTEST = 1.7
"""A foot that is up goes where it belongs beside the other with no more speed than this, (a person's 5 m/s on Earth)."""
JOINT_WEIGHTS = {"lower_spine": 1.0, "chest": 1.0, "thigh": 1.0, "shank": 0.7, "upper_arm": 0.3, "forearm": 0.15, "clavicle": 0.1,
                 "neck": 0.1, "head": 0.1, "hand": 0.02, "foot": 0.2, "toes": 0.0}
ROOT_WEIGHTS = (0.0, 0.0, 4.0, 1.0, 1.0, 0.3)
"""Of the pose: about the mass that a joint moves, of the root its height and tilt (first guess)."""
AS_STRONG = 1e-3
"""Of the push: what a response lacks less by is as strong (a push that a library holds is found again)."""
EVERY = 2
"""Every so many frames of a response may be gone into."""


@dataclass(frozen=True)
class Found:
    """A response and how it is played: from frame `begin` on, with an adaptation. `strength` and `push` are the library's own
    measure (see `Response`): what is to be recovered, and what the response recovers where it was brought. `off_rad` is the
    angle between the response's own direction and the push's."""

    response: Response
    begin: int
    adaptation: Adaptation
    push: complex
    strength: float
    off_rad: float

    @property
    def strategy(self) -> str:
        return self.response.strategy


def find(
    library: Library, push_m_s: complex, body: Body, gravity_m_s2: float = EARTH_GRAVITY_M_S2, now: Now | None = None,
    allowed: Collection[str] = STRATEGIES, stance: np.ndarray | None = None,
) -> Found | None:
    """The response to a push that brings `push_m_s` (x ahead, y left of the character: momentum over mass, force times duration
    over mass), on a body that stands (`stance` (nq,): as it is posed), or moves as `now` has it; by the `allowed` strategies
    alone. None where nobody in the library takes such a push by them. Raises InputError for an unknown strategy and no push."""
    unknown = [name for name in allowed if name not in STRATEGIES]
    if unknown:
        raise InputError(f"There is no strategy {unknown[0]!r}: expected some of {', '.join(STRATEGIES)}.")
    push = push_m_s / unit_m_s(body, gravity_m_s2) + (0j if now is None else now.momentum)
    if abs(push) < 1e-6:
        raise InputError("A push of no strength needs no response: give it a direction and a speed.")
    table = None if now is None else _table(library)
    chosen, cost = None, math.inf
    stance = stance if now is None else now.stance
    stood = SIDE_BY_SIDE if stance is None else _apart_in(body, stance)
    for k, response in enumerate(library.both):
        if not _may(response, allowed):
            continue
        to = aligned(response.push, response.in_place, push / abs(push))
        off = abs(cmath.phase(push * response.push.conjugate()))
        least = (off / math.pi) ** 2 + FEET_WEIGHT * abs(response.stood - stood) ** 2
        if to.strength < (1.0 - AS_STRONG) * abs(push) or least >= cost:
            continue
        frames = np.array([0]) if table is None else table.frames[k]
        takes = to.strength / response.strength * response.recoverable[frames]
        costs = least + STRENGTH_WEIGHT * ((takes - abs(push)) / library.strongest) ** 2
        costs[takes < (1.0 - AS_STRONG) * abs(push)] = math.inf
        if now is not None and table is not None and np.isfinite(costs).any():
            costs += POSE_WEIGHT * table.pose_costs(k, now, stood, to.turn_rad, np.maximum(takes, abs(push)), abs(push))
        i = int(costs.argmin())
        if costs[i] < cost:
            by = Adaptation(to.neutral, to.turn_rad, milder(abs(push) / float(takes[i])))
            chosen, cost = Found(response, int(frames[i]), by, push, float(takes[i]), off), float(costs[i])
    return chosen


def bears(library: Library, direction: complex, allowed: Collection[str] = STRATEGIES) -> float:
    """The strongest push in a direction (unit) that somebody in the library who stands recovers by the allowed strategies, in the
    library's own measure; 0 where nobody does."""
    return max((aligned(response.push, response.in_place, direction).strength for response in library.both
                if _may(response, allowed)), default=0.0)


def _may(response: Response, allowed: Collection[str]) -> bool:
    """Whether a response may answer: who was held back from steps does not, where steps are allowed."""
    return response.strategy in allowed and not (response.limited and STRATEGIES[-1] in allowed)


class _Table:
    """Poses of all frames of a library's responses and their mirror images, weighted for comparison."""

    def __init__(self, library: Library) -> None:
        places, both = layout(), library.both
        weights = np.zeros(len(places.names))
        weights[:6] = ROOT_WEIGHTS
        for name, where in places.slices.items():
            weights[where] = JOINT_WEIGHTS[name.removesuffix("_L").removesuffix("_R")]
        self._weights = weights / weights[6:].sum()
        self.frames = [np.arange(0, r.frames, EVERY) for r in both]

        def kept(values: Callable[[Response], np.ndarray]) -> list[np.ndarray]:
            return [values(r)[f] for r, f in zip(both, self.frames, strict=True)]

        self._poses, self._stands = kept(lambda r: r.channels), kept(lambda r: r.planted.any(axis=2))
        self._apart, self._left = kept(lambda r: apart(r.channels)), kept(_left_in_air)

    def pose_costs(self, k: int, now: Now, stood: complex, turn_rad: float, takes: np.ndarray, wanted: float) -> np.ndarray:
        """How far frames of response k, turned, made as strong as is `wanted` and laid over who `stood` with the left foot so far
        from the right, are from a pose; infinite where one has one foot up and the other the other one, and where a foot would
        have to hurry beyond a person's speed."""
        size = 1.0 - np.array([milder(wanted / take) for take in takes.tolist()])
        away = stood + size * cmath.exp(1j * turn_rad) * (self._apart[k] - self._apart[k][0])
        poses = self._poses[k][0] + size[:, None] * (self._poses[k] - self._poses[k][0])
        square, feet = ((poses - now.channels) ** 2) @ self._weights, np.abs(away - apart(now.channels[None])[0])
        differ = self._stands[k] != now.stands
        never = differ.all(axis=1) & self._stands[k].any(axis=1) & now.stands.any()
        never |= feet > NEAR + FASTEST * np.maximum(self._left[k] - SOON, 0.0)
        return np.where(never, math.inf, square + FEET_WEIGHT * feet**2 + OTHER_CONTACTS * differ.sum(axis=1))


def _apart_in(body: Body, stance: np.ndarray) -> complex:
    """From the right ankle to the left one, over the leg's length, by the heading of a body's pose (nq,)."""
    figure = figure_of(body, np.asarray(stance, dtype=float)[None])
    forward = matrix_from_quat(figure.turn[0])[:, 0]
    away = (figure.ankles[0, 0] - figure.ankles[0, 1]) / body.leg_length_m
    return complex(away[0], away[1]) * cmath.exp(-1j * math.atan2(forward[1], forward[0]))


def _left_in_air(response: Response) -> np.ndarray:
    """(N,) how much longer the foot that comes down first stays up; without end where both stand."""
    left = np.full(response.frames, math.inf)
    for f in range(response.planted.shape[1]):
        for a, b in runs(~response.planted[:, f].any(axis=1)):
            left[a:b] = np.minimum(left[a:b], response.step * np.arange(b - a, 0, -1))
    return left


@lru_cache(maxsize=4)
def _table(library: Library) -> _Table:
    return _Table(library)
