# SPDX-License-Identifier: GPL-3.0-or-later
"""Steps of a laid motion that land where the user's foot did, in the order in which they land (Yin 2007, section 3.5.2); how two
legs share a step that lands elsewhere, knees bent as they were (appendix C). Places are in the body's frame: x forward, y left, z
up; a leg's vector goes from hip to ankle."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from ...bodies.body import Body
from ...maths.curves import runs, smoothstep
from ...maths.rotations import quat_rotate
from ..responses.feet import CLEAR_M, CLEAR_S, SINK_S, Figure, Legs, Sole, covered, faded, hinge_angle, with_feet
from .database import MOTION_HZ, PER_FRAME
from .laying import first_shifts

LEAST_DROP = 1e-9
"""Hips that are nearer to one height [m] share by a linear equation."""


def lead_share(lead_m: np.ndarray, stance_m: np.ndarray, shift_m: np.ndarray) -> float | None:
    """The share of the shift that the leading leg does so that both hips sink alike; None where no share from 0 to 1 does it.
    Heights over the ankles after it are sqrt(L^2 - |b + alpha c|^2) and sqrt(L^2 - |b + (alpha - 1) c|^2); their difference is to
    be what it was. Squared twice this is a quadratic in alpha; what squaring brought in is tested away."""
    c = np.asarray(shift_m, dtype=float)
    square = float(c @ c)
    if square < 1e-18:
        return 0.5
    b1, b2 = np.asarray(lead_m[:2], dtype=float), np.asarray(stance_m[:2], dtype=float)
    length1, length2 = float(lead_m @ lead_m), float(stance_m @ stance_m)
    a, lin1, const1 = -square, -2.0 * float(b1 @ c), length1 - float(b1 @ b1)
    lin2, const2 = 2.0 * square - 2.0 * float(b2 @ c), length2 - float(b2 @ b2) - square + 2.0 * float(b2 @ c)
    gap = abs(float(stance_m[2])) - abs(float(lead_m[2]))

    def off(alpha: float) -> float:
        under1, under2 = a * alpha**2 + lin1 * alpha + const1, a * alpha**2 + lin2 * alpha + const2
        return math.inf if under1 < 0.0 or under2 < 0.0 else math.sqrt(under1) - math.sqrt(under2) + gap

    p, q = lin1 - lin2, const1 - const2 - gap**2
    roots = np.roots([p**2 - 4.0 * gap**2 * a, 2.0 * p * q - 4.0 * gap**2 * lin2, q**2 - 4.0 * gap**2 * const2])
    if abs(gap) < LEAST_DROP:
        roots = np.array([-q / p]) if p else np.array([])
    fitting = [float(root.real) for root in np.atleast_1d(roots)
               if abs(root.imag) < 1e-6 and -1e-9 <= root.real <= 1.0 + 1e-9 and abs(off(float(root.real))) < 1e-6]
    return min(fitting, key=lambda alpha: abs(alpha - 0.5)) if fitting else None


LEAST_SHIFT_M, MOST_SHIFT_M = 0.01, 1.0
"""Between which the error of a foot's place is mended: below it nobody sees it, beyond it another step was meant."""
MOST_SINK_M = 0.08
"""How much lower the hips may be for a step that lands elsewhere (first guess)."""
LESS, TRIES = 0.9, 24
"""What is left, time after time, of a step's shift that legs do not reach."""
LEAST_SINK_M = 1e-6
FASTEST_M_S = 2.0
"""How fast, over its swing, a foot may be sent elsewhere than the motion has it (first guess)."""
SHARES = tuple(np.linspace(0.0, 1.0, 11).tolist())
"""Of a step's shift, what its own leg may do where hips cannot sink alike within reach."""
CLEARS_S = 0.05
"""How smoothly a foot in the air goes over what it would touch."""
RAMP, RAMP_S = 0.3, 0.1
"""Share of a swing in which its leg goes over to the length it had, and back, and how long that lasts at least."""
EASY, BENT = 0.95, 0.985
"""Legs that have to reach farther than in the database's step do so up to this share of themselves, and come no nearer to
straight than that (first guess)."""


PAST_M, BESIDE_M, PAST_S = 0.12, 0.12, 0.06
"""An ankle that swings past the other one is so far aside of it at least, if it is in the motion, while it is no farther ahead of
it or behind than that; and how smoothly it goes aside."""


@dataclass(frozen=True)
class Step:
    """A foot (0 left, 1 right) that is in the air from pose `begin` up to but not with `end`, and stands until `until`, or on to
    the last pose; until `alone` neither foot is lifted again."""

    foot: int
    begin: int
    end: int
    until: int
    alone: int


def steps_of(stands: np.ndarray) -> list[Step]:
    """The steps in which feet that stand (N, 2) are both lifted and set down, in the order in which they land."""
    count = len(stands)
    swings = [runs(~stands[:, foot]) for foot in (0, 1)]
    lifts = sorted(begin for of_foot in swings for begin, _ in of_foot)
    found = []
    for foot in (0, 1):
        for begin, end in (swing for swing in swings[foot] if 0 < swing[0] and swing[1] < count):
            until = next((other for other, _ in swings[foot] if other > end), count)
            found.append(Step(foot, begin, end, until, next((other for other in lifts if other > end), count)))
    return sorted(found, key=lambda step: (step.end, step.begin))


@dataclass(frozen=True, eq=False)
class _Shifted:
    """Poses of N frames, of whose feet each stands (N, 2), and how far feet (N, 2, 2) and root (N, 2) are shifted [m]."""

    legs: Legs
    figure: Figure
    stands: np.ndarray
    shifts: np.ndarray
    with_root: np.ndarray

    def landing(self, step: Step, goes: np.ndarray, needed: np.ndarray | None, free: bool) -> tuple[np.ndarray, np.ndarray]:
        """How far (2,) from where it has them a step shifts its foot and the root: as needed, if that is no farther and no
        faster than steps of known motions are sent elsewhere, of which a `free` one is none, as far as legs that stand reach,
        the hips little lower than in the motion, and where they are lower yet no lower still, until a foot is lifted again:
        legs share it so that hips sink alike as it lands, or, where they do not reach on from there, as near to that as they
        do. What is left is for later steps (Yin 2007, appendix C)."""
        legs, figure, shifts, with_root = self.legs, self.figure, self.shifts, self.with_root
        beside = shifts[step.end, 1 - step.foot]
        away = np.zeros(2) if needed is None else needed - beside
        most_m, fastest_m_s = (math.inf, math.inf) if free else (MOST_SHIFT_M, FASTEST_M_S)
        if not LEAST_SHIFT_M < float(np.linalg.norm(away)) <= most_m:
            away = np.zeros(2)
        some, longest = slice(step.begin, step.alone), EASY * (legs.thigh_m + legs.shank_m)
        legs_m = figure.ankles[some] - figure.root[some, None] - quat_rotate(figure.turn[some, None], legs.hips[None])
        now = np.pad((shifts - with_root[:, None])[some], ((0, 0), (0, 0), (0, 1)))
        most_sink = np.maximum(too_high(legs_m + now, longest), too_high(legs_m, longest) + MOST_SINK_M)
        fastest_m = fastest_m_s * (step.end - step.begin) / MOTION_HZ
        for tried in range(TRIES) if away.any() else ():
            shift = LESS**tried * away
            aim = beside + shift
            if float(np.linalg.norm(aim - shifts[-1, step.foot])) > fastest_m:
                continue
            even = _share(figure, step.end, step.foot, shift)
            for share in (even, *sorted(SHARES, key=lambda other: abs(other - even))):
                root_m = beside + (1.0 - share) * shift
                moved = shifts[some] - (with_root[some] + goes[some, None] * (root_m - with_root[-1]))[:, None]
                moved[:, step.foot] += goes[some, None] * (aim - shifts[-1, step.foot])
                sinks = too_high(legs_m + np.pad(moved, ((0, 0), (0, 0), (0, 1))), longest) - most_sink
                if float(np.where(self.stands[some], sinks, -np.inf).max()) < LEAST_SINK_M:
                    return aim, root_m
        return beside, beside

    def rise(self, frame: int) -> float:
        """How much higher [m] the root is in a frame in which feet stand with legs as long as in the motion, at other slants."""
        figure, stands = self.figure, self.stands[frame]
        legs_m = figure.ankles[frame] - figure.root[frame] - quat_rotate(figure.turn[frame], self.legs.hips)
        slants = ((legs_m[:, :2] + self.shifts[frame] - self.with_root[frame]) ** 2).sum(axis=1)
        high = np.sqrt(np.maximum((legs_m**2).sum(axis=1) - slants, 0.0)) + legs_m[:, 2]
        return float(high[stands].min(initial=np.inf)) if stands.any() else 0.0


def stepped(legs: Legs, figure: Figure, stands: np.ndarray, wanted: np.ndarray, own: np.ndarray | None = None) -> Figure:
    """Steps that land where the user's foot did (`wanted`, ankles (T, 2, 2), not a number where that is not known): each foot,
    of which each stands (N, 2), is shifted over its swing, and the root with both feet, by the share that lets both hips sink
    alike. One of which nothing is known goes beside the other foot as the motion has it; one that is the user's `own` (N, 2),
    and no known motion's, goes as far as legs reach."""
    first = first_shifts(figure.ankles[..., :2], stands, wanted, MOST_SHIFT_M)
    shifts, with_root = np.repeat(first[None], len(stands), axis=0), np.zeros((len(stands), 2))
    shifted = _Shifted(legs, figure, stands, shifts, with_root)
    rise = np.full(len(stands), shifted.rise(0))
    for step in steps_of(stands):
        goes = 1.0 - faded(np.arange(len(stands)) - step.begin, step.end - step.begin, np.ones(()))
        free = own is not None and bool(own[step.begin, step.foot])
        aim, root_m = shifted.landing(step, goes, _needed(figure, step, wanted), free)
        shifts[:, step.foot] += goes[:, None] * (aim - shifts[-1, step.foot])
        with_root += goes[:, None] * (root_m - with_root[-1])
        rise += goes * (shifted.rise(step.end) - rise[-1])
    last = len(stands) - 1
    for foot in np.flatnonzero(~stands[last] & stands.any(axis=0) & stands[last, ::-1]):  # does not land any more
        begin = int(np.flatnonzero(stands[:, foot])[-1]) + 1
        goes = 1.0 - faded(np.arange(len(stands)) - begin, len(stands) - begin, np.ones(()))
        shifts[:, foot] += goes[:, None] * (shifts[-1, 1 - foot] - shifts[-1, foot])
        with_root += goes[:, None] * (shifts[-1, 1 - foot] - with_root[-1])
        rise += goes * (shifted.rise(last) - rise[-1])
    root = figure.root + np.column_stack([with_root, rise])
    shifts += _around(figure, stands, shifts)
    return replace(figure, root=root, ankles=figure.ankles + np.pad(shifts, ((0, 0), (0, 0), (0, 1))))


def with_legs(body: Body, figure: Figure, stands: np.ndarray) -> Figure:
    """Poses whose hips are low enough for feet that stand (N, 2), and whose other feet are as far from the hip as their legs'
    joints have it: the knee bends as it did (Yin 2007, appendix C). At lift-off and landing those are where they are to be."""
    legs = Legs.of(body)
    hips, length = quat_rotate(figure.turn[:, None], legs.hips[None]), lengths_of(body, legs, figure)
    legs_m = figure.ankles - figure.root[:, None] - hips
    most = bent(legs, np.linalg.norm(legs_m, axis=2), length)
    need = np.where(stands, too_high(legs_m, most), 0.0).max(axis=1)
    root, ankles, wide = figure.root.copy(), figure.ankles.copy(), SINK_S * MOTION_HZ
    root[:, 2] -= np.maximum(need, smoothstep(np.arange(len(need)) / (2.0 * wide)) * covered(need, wide))
    for foot in (0, 1):
        for begin, end in runs(~stands[:, foot]):
            some, times = slice(begin, end), np.arange(1.0, end - begin + 1.0)
            ramp = max(RAMP * (end - begin + 1.0), RAMP_S * MOTION_HZ)
            weight = np.where(begin == 0, 1.0, smoothstep(times / ramp)) * np.where(
                end == len(root), 1.0, smoothstep((end - begin + 1.0 - times) / ramp))
            here = root[some] + hips[some, foot]
            away = ankles[some, foot] - here
            far = np.maximum(np.linalg.norm(away, axis=1), 1e-6)
            long = np.minimum(far, np.maximum(most, length)[some, foot])
            long += weight * (length[some, foot] - long)
            ankles[some, foot] = here + away * (long / far)[:, None]
    return _over_ground(body, replace(figure, root=root, ankles=ankles), stands)


def _over_ground(body: Body, figure: Figure, stands: np.ndarray) -> Figure:
    """Poses whose feet in the air, of which each stands (N, 2), clear the ground, lifted a little before they would not and let
    down after it: knees bend for it (Yin 2007, appendix C)."""
    ankles = figure.ankles.copy()
    for f, foot in enumerate(body.feet):
        sole, toe_rad = Sole.of(body, foot), np.zeros(len(ankles))
        for name in body.children(foot.segment):
            if (axis := body.segment(name).axis) is not None:
                toe_rad = hinge_angle(figure.joints[:, body.joint_segments.index(name)], axis)
        low = sole.lowest(ankles[:, f], figure.soles[:, f], toe_rad)
        for begin, end in runs(~stands[:, f]):
            u = np.arange(1.0, end - begin + 1.0) / (end - begin + 1.0)
            clear = CLEAR_M * min((end - begin) / (CLEAR_S * MOTION_HZ), 1.0) * 16.0 * (u * (1.0 - u)) ** 2
            lift = covered(np.maximum(clear - low[begin:end], 0.0), CLEARS_S * MOTION_HZ)
            first, last = begin == 0, end == len(ankles)
            lift *= np.where(first, 1.0, smoothstep(u / RAMP)) * np.where(last, 1.0, smoothstep((1.0 - u) / RAMP))
            ankles[begin:end, f, 2] += lift
    return replace(figure, ankles=ankles)


def _needed(figure: Figure, step: Step, wanted: np.ndarray) -> np.ndarray | None:
    """How far (2,) from where it lands the user's foot does, None where that is not known."""
    frames = np.arange(-(-step.end // PER_FRAME), min(-(-step.until // PER_FRAME), len(wanted)))
    told = frames[np.isfinite(wanted[frames, step.foot]).all(axis=1)]
    if not len(told):
        return None
    stood = figure.ankles[np.minimum(PER_FRAME * told, len(figure.root) - 1), step.foot, :2]
    return np.asarray(np.median(wanted[told, step.foot] - stood, axis=0))


def _around(figure: Figure, stands: np.ndarray, shifts: np.ndarray) -> np.ndarray:
    """How much farther aside (N, 2, 2) [m] a foot that is shifted (N, 2, 2) swings past the one that stands, not to go through
    that leg: as far as in the motion, or as legs need."""
    aside = np.zeros_like(shifts)
    ahead = quat_rotate(figure.turn, np.array([1.0, 0.0, 0.0]))[:, :2]
    ahead /= np.maximum(np.linalg.norm(ahead, axis=1, keepdims=True), 1e-6)
    for foot in (0, 1):
        outward = (1 - 2 * foot) * np.stack([-ahead[:, 1], ahead[:, 0]], axis=1)
        own = figure.ankles[:, foot, :2] - figure.ankles[:, 1 - foot, :2]
        away = own + shifts[:, foot] - shifts[:, 1 - foot]
        over, was = ((one * outward).sum(axis=1) for one in (away, own))
        beside = 1.0 - smoothstep((np.abs((away * ahead).sum(axis=1)) - BESIDE_M) / BESIDE_M)
        need = np.where(stands[:, 1 - foot], beside * np.maximum(np.minimum(was, PAST_M) - over, 0.0), 0.0)
        for begin, end in runs(~stands[:, foot]):
            times = np.arange(1.0, end - begin + 1.0) / (end - begin + 1.0)
            weight = smoothstep(times / RAMP) * smoothstep((1.0 - times) / RAMP)
            aside[begin:end, foot] = (weight * covered(need[begin:end], PAST_S * MOTION_HZ))[:, None] * outward[begin:end]
    return aside


def lengths_of(body: Body, legs: Legs, figure: Figure) -> np.ndarray:
    """How long legs (N, 2) [m] are as poses' joints bend them, wherever their feet are to be."""
    own = with_feet(body, figure.root, figure.turn, figure.joints)
    return np.linalg.norm(own.ankles - own.root[:, None] - quat_rotate(figure.turn[:, None], legs.hips[None]), axis=2)


def bent(legs: Legs, far: np.ndarray, length: np.ndarray) -> np.ndarray:
    """How long (...,) [m] legs are that have so far to reach, and are of a `length` in the motion: the farther they have to reach
    beyond that, the less they stretch, as a knee that comes to its end at once snaps."""
    whole = legs.thigh_m + legs.shank_m
    free = np.maximum(length, EASY * whole)
    more = np.maximum(BENT * whole - free, 1e-6)
    return np.where(far <= free, far, free + more * (1.0 - np.exp(-np.maximum(far - free, 0.0) / more)))


def too_high(legs_m: np.ndarray, longest: np.ndarray | float) -> np.ndarray:
    """By how much (...,) [m] hips are too high for legs (..., 3) that are no longer than that [m]."""
    level = np.minimum((legs_m[..., :2] ** 2).sum(axis=-1), (0.999 * longest) ** 2)
    return np.asarray(np.maximum(-legs_m[..., 2] - np.sqrt(longest**2 - level), 0.0))


def _share(figure: Figure, frame: int, foot: int, shift_m: np.ndarray) -> float:
    """The share of a step's shift that its own leg does."""
    legs = figure.ankles[frame] - figure.root[frame]
    share = lead_share(legs[foot], legs[1 - foot], shift_m)
    return 0.5 if share is None else share
