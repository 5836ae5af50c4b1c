# SPDX-License-Identifier: GPL-3.0-or-later
"""Both feet of a follower: which stands and which swings, by the clip's schedule and by what is felt, and where they are led."""

from __future__ import annotations

import cmath
import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from ...bodies.body import Body
from ...bodies.human.landmarks import SIDES
from ...bodies.state import BodyState
from ...maths.curves import bump, smooth
from ...maths.rotations import from_rotvec, inverse, product, rotated, to_rotvec
from ...motions.strides import FOREVER_S
from ...specs.shot import EARTH_GRAVITY_M_S2
from ..legged.foot_geometry import FootGeometry, FootPose, Footstep, Terrain
from ..legged.targets import FeetPose, FootTarget, foot_targets
from ..qp.constraints import Sliding
from .clip import Instant, Track
from .pose import unit
from .prints import Print, Prints, Turn, pivot_place, sliding_points, stance_pitch
from .settings import FollowSettings

STILL = np.zeros(3)


@dataclass
class Swing:
    """A foot on its way, from a clip time to another: how far ankle (3,) and rotation (rotation vector (3,)) were from the
    clip's when it lifted, the velocity that it had beyond its path's [m / clip s], its toe's extension, the raise at its
    middle [m], and the path's velocity over the ground at its strike (3,) [m / clip s], of which it is rid until then."""

    start_s: float
    end_s: float
    away_m: np.ndarray
    turned: np.ndarray
    drift: np.ndarray
    toe: float = 0.0
    raise_m: float = 0.0
    arrival: np.ndarray = field(default_factory=lambda: STILL)


def toe_over(geometry: FootGeometry, ankle_m: float, pitch: float) -> float:
    """Least extension of the toes [rad] of a foot of a pitch that keeps their tip off the ground `ankle_m` below its ankle."""
    if not geometry.has_toes:
        return 0.0
    ball_m = ankle_m - math.cos(pitch) * geometry.ankle_height_m - math.sin(pitch) * geometry.ball_x
    steepest = min(max(ball_m / (geometry.tip_x - geometry.ball_x), -1.0), 1.0)
    return max(pitch - math.asin(steepest), 0.0)


def sunk_m(body: Body, side: str, instant: Instant) -> float:
    """How far [m] a clip has a foot in the ground, in the air as it is."""
    i = SIDES.index(side)
    turn, low = unit(instant.foot_quaternion[i]), math.inf
    for point in body.contact_points:
        if point.segment == f"foot_{side}":
            low = min(low, rotated(turn, point.position.tolist())[2] - point.radius_m)
    return max(-float(instant.ankle_m[i][2]) - low, 0.0)


BEGUN_RAD = 0.01
"""A turn by less has not begun: what it is about may still change."""


class FollowedFoot:
    """One foot. `at` counts its stances: the one it stands in, or, while it swings, the one it left; `step` is where it stands
    in truth. A foot may have `landed` before its time."""

    def __init__(self, side: str, prints: list[Print], geometry: FootGeometry) -> None:
        self.side, self.prints, self.geometry = side, prints, geometry
        self.at = -1
        self.swing: Swing | None = None
        self.landed = False
        self.step: Footstep | None = None
        self.target: Footstep | None = None
        self.lowered_m = self.lowering_m_s = 0.0
        self._own: tuple[int, Print] | None = None  # the print that it stands on where it turns otherwise than planned

    def follow_on(self, prints: list[Print], moved: complex) -> None:
        """Go by other prints, of which one is of the stance that this foot is in, or left last, on a way that is `moved`."""
        if self.swing is not None:
            self.swing.away_m = self.swing.away_m - [moved.real, moved.imag, 0.0]
        strike_s = self.prints[self.at].stance.strike_s if self.at >= 0 else None
        before, self.prints = self.at, prints
        self.at = next((i for i, one in enumerate(prints) if one.stance.strike_s == strike_s), -1)
        if self._own is not None:
            self._own = (self.at, replace(prints[self.at], turn=self._own[1].turn)) if self._own[0] == before else None

    @property
    def stands(self) -> bool:
        return self.swing is None or self.landed

    @property
    def print(self) -> Print:
        if self._own is not None and self._own[0] == self.at and self.swing is None:
            return self._own[1]
        return self.prints[self.at + (self.swing is not None)]

    @property
    def coming(self) -> Print | None:
        """The print after the one it stands on, or, while it swings, the one it is led to."""
        return self.prints[self.at + 1] if self.at + 1 < len(self.prints) else None

    def stood(self, time_s: float) -> Footstep:
        if self.step is None:
            raise RuntimeError("This foot has not stood yet.")
        return self.step if self.swing is not None else self.print.turned(self.step, time_s)

    def turn_about(self, pressure: complex, time_s: float) -> None:
        """Let a turn that has not begun yet be about the point that is nearest to the pressure (x + iy [m])."""
        turn = self.print.turn if self.swing is None and self.step is not None else None
        if turn is None or abs(turn.at(time_s)[0]) > BEGUN_RAD or self.step is None:
            return
        own = turn.about((pressure - self.step.place) / cmath.exp(1j * self.step.yaw))
        if own is not turn:
            self._own = self.at, replace(self.print, turn=own)

    def arrival(self, track: Track) -> np.ndarray:
        """Horizontal velocity (3,) [m / clip s] at the strike of the clip's own path over the foot that rolls there, where
        both come down: a jump's feet that slide turn the body over; a run's are braked by the ground, as the leg goes on."""
        swing, target, small = self.swing, self.target, 1e-3
        if swing is None or target is None or swing.end_s >= FOREVER_S or not self.print.both:
            return STILL
        times, i = (swing.end_s - small, swing.end_s + small), SIDES.index(self.side)
        before, after = track.at(times)
        rolled = [self.geometry.rolled(target, stance_pitch(self.print, instant.foot_pitch[i], time), 0.0).ankle
                  for instant, time in zip((before, after), times, strict=True)]
        return (after.ankle_m[i] - before.ankle_m[i] - rolled[1] + rolled[0]) / (2.0 * small) * [1.0, 1.0, 0.0]


def facing(yaws: Iterable[float]) -> complex:
    """The mean direction of feet, as a unit vector; ahead where they cancel out."""
    total = sum(cmath.exp(1j * yaw) for yaw in yaws)
    return total / abs(total) if abs(total) > 1e-3 else 1.0 + 0j


HEEL_UP_RAD = 0.02
"""Planned pitch from which on the heel carries nothing."""
TOES_UP_RAD = 0.01
"""Planned pitch up to which the ball is to be on the ground with the toes' end still up."""
SHARES = np.linspace(0.15, 0.85, 15)
"""Shares of a swing at which its sole is to be off the ground."""
MOST_RAISE_M = 0.08
ARRIVAL_S = 0.15
"""Time before a jump's strike in which a foot comes to go with the ground [clip s]."""
UNSEEN_SWING_S = 0.4
"""How long before its strike a foot has left the ground that the clip shows in the air from its first frame on."""


class Feet:
    def __init__(
        self, state: BodyState, track: Track, prints: Prints, settings: FollowSettings, terrain: Terrain, quicker: float = 1.0,
    ) -> None:
        """`quicker` is how many times as fast as the planet's own pace they may go."""
        self._state, self._track, self._settings, self._terrain = state, track, settings, terrain
        self._frames = {side: state.frame(f"foot_{side}") for side in SIDES}
        points = state.body.contact_points
        self.rows = {side: np.array([i for i, p in enumerate(points) if p.side == side]) for side in SIDES}
        self._points = {side: rows.tolist() for side, rows in self.rows.items()}
        self._feet = {side: FollowedFoot(side, prints[side], FootGeometry(state.body, side)) for side in SIDES}
        self._heels = [p.kind == "heel" for p in points]
        self._toes = [p.kind == "toe" for p in points]
        self._balls = [p.kind == "ball" for p in points]
        stiff = {side: not foot.geometry.has_toes for side, foot in self._feet.items()}
        self._rising = [p.kind == "heel" or (p.kind == "ball" and stiff[p.side]) for p in points]
        self._turn_limit = settings.angular_acceleration_limit * -float(state.gravity[2]) / EARTH_GRAVITY_M_S2 * quicker**2

    def __getitem__(self, side: str) -> FollowedFoot:
        return self._feet[side]

    def begin(self, footstep_of: Callable[[Print], Footstep]) -> None:
        """The feet as the clip has them at its first frame; `footstep_of` lays a print on the ground."""
        for foot in self._feet.values():
            if foot.prints and foot.prints[0].stance.strike_s <= 0.0:
                foot.at, foot.step = 0, footstep_of(foot.prints[0])
                continue
            end_s = foot.prints[0].stance.strike_s if foot.prints else FOREVER_S
            start_s = min(0.0, end_s - UNSEEN_SWING_S) if foot.prints else 0.0
            foot.swing = Swing(start_s, end_s, *np.zeros((3, 3)))
            foot.target = footstep_of(foot.prints[0]) if foot.prints else None
            foot.swing.away_m[2] = sunk_m(self._state.body, foot.side, self._track.at([0.0])[0])
            foot.swing.raise_m, foot.swing.arrival = self._needed_raise(foot), foot.arrival(self._track)

    def stand_on(self, side: str, time_s: float, step: Footstep) -> Print:
        """A foot stands at a clip time at which it stands in the clip, too, on a footstep of its own. Gives the clip's print."""
        foot = self._feet[side]
        foot.at = next(i for i, one in enumerate(foot.prints) if one.stance.strike_s <= time_s < one.stance.off_s)
        own = foot.prints[foot.at]
        foot.swing, foot.landed, foot.step = None, False, own.struck(step, time_s)
        return own

    def stood(self, side: str, time_s: float) -> Footstep:
        """Where a foot stands at a clip time, laid on the ground."""
        foot = self._feet[side]
        step = foot.stood(time_s)
        return step if step is foot.step else self._terrain.footstep(step)

    def facing(self, sides: Sequence[str], time_s: float) -> complex:
        """The mean direction of some feet at a clip time, as a unit vector; ahead where they cancel out."""
        return facing(self.stood(side, time_s).yaw for side in sides)

    def follow_on(self, track: Track, prints: Prints, time_s: float, moved: complex) -> list[str]:
        """Go by another track and other prints from a clip time on, which know every stance so far that counts and are `moved`
        over the ground. Gives the feet whose landing has another time now: they begin their swing anew where they are."""
        self._track, anew = track, []
        for side, foot in self._feet.items():
            foot.follow_on(prints[side], moved)
            end_s = foot.coming.stance.strike_s if foot.coming else FOREVER_S
            if foot.swing is not None and not foot.landed and abs(foot.swing.end_s - end_s) > 1e-6:
                self._leave(foot, time_s, foot.swing.toe)
                anew.append(side)
        return anew

    def lift(self, side: str, time_s: float, rate: float) -> None:
        """The foot leaves the ground at a clip time, with the pose and the velocity it has; `rate` is how fast the clip goes."""
        foot = self._feet[side]
        planned = foot.geometry.rolled(self.stood(side, time_s), self._pitch(foot, self._track.at([time_s])[0], time_s), 0.0)
        self._leave(foot, time_s, planned.toe)

    def _leave(self, foot: FollowedFoot, time_s: float, toe: float) -> None:
        """Begin a swing at a clip time in the pose that the foot has, with its toe's extension."""
        frame, coming, i = self._frames[foot.side], foot.coming, SIDES.index(foot.side)
        end_s = coming.stance.strike_s if coming else FOREVER_S
        now = self._track.at([time_s])[0]
        turned = to_rotvec(product(tuple(frame.quaternion.tolist()), inverse(unit(now.foot_quaternion[i]))))
        foot.swing = Swing(time_s, end_s, frame.position - now.ankle_m[i], np.array(turned), np.zeros(3), toe)
        foot.landed, foot.lowered_m, foot.lowering_m_s = False, 0.0, 0.0

    def depart(self, side: str, rate: float) -> None:
        """Let a foot that has just been lifted and has its target begin with the velocity it has, and clear the ground."""
        foot = self._feet[side]
        if foot.swing is None:
            return
        swing, small = foot.swing, 1e-3
        first, second = self._swinging(foot, [swing.start_s, swing.start_s + small],
                                       self._track.at([swing.start_s, swing.start_s + small]))
        path = (second.ankle - first.ankle) / small
        swing.drift = self._state.velocity_of(self._frames[side]) / rate - path
        swing.raise_m, swing.arrival = self._needed_raise(foot), foot.arrival(self._track)

    def _needed_raise(self, foot: FollowedFoot) -> float:
        """Raise [m] at mid swing over the clip's own path: at least the settings', and what keeps the sole off the ground."""
        swing, s = foot.swing, self._settings
        if swing is None or swing.end_s >= FOREVER_S:
            return 0.0
        times = (swing.start_s + SHARES * (swing.end_s - swing.start_s)).tolist()
        instants, i, needs = self._track.at(times), SIDES.index(foot.side), [s.clearance_m]
        poses = self._swinging(foot, times, instants)
        for share, instant, pose in zip(SHARES.tolist(), instants, poses, strict=True):
            level = FootPose(pose.ankle, np.array([0.0, instant.foot_pitch[i], 0.0]), pose.toe)
            ground = float(self._terrain.ground.height(pose.ankle[0], pose.ankle[1]))
            needs.append((s.sole_m + ground - foot.geometry.lowest(level)) / bump(share) + swing.raise_m)
        return min(max(needs), MOST_RAISE_M)

    def land(self, side: str) -> Footstep:
        """The foot is down before or at its time: its footstep is where it really stands."""
        foot, frame = self._feet[side], self._frames[side]
        foot.step = self._terrain.stood(side, frame.position, frame.matrix[:, 0], foot.print.yaw)
        foot.landed = True
        return foot.step

    def stand(self, side: str) -> None:
        foot = self._feet[side]
        foot.swing, foot.landed, foot.at = None, False, foot.at + 1
        foot.lowered_m = foot.lowering_m_s = 0.0

    def touches(self, side: str) -> bool:
        return bool((self._state.contact_height_m[self.rows[side]] < self._settings.active_height_m).any())

    def off_target(self, side: str) -> float:
        """How far [m] a swinging foot's ankle is from where it would be landed, horizontally."""
        foot = self._feet[side]
        if foot.target is None:
            return math.inf
        landing = self._landing(foot).ankle - self._frames[side].position
        return math.hypot(landing[0], landing[1])

    def poses(
        self, times_s: Sequence[float], ahead_s: Sequence[float], instants: Sequence[Instant],
        over_m: np.ndarray = STILL, over_m_s: np.ndarray = STILL,
    ) -> list[FeetPose]:
        """Planned poses of both feet at clip times, `ahead_s` from now; swinging ones are so far over their way (3,), which
        changes by (3,) a second."""
        found = []
        for side in SIDES:
            foot = self._feet[side]
            if foot.swing is not None and not foot.landed:
                late = max(times_s) >= foot.swing.end_s  # the clock waits, or is about to: the foot stays over its landing
                times = [foot.swing.end_s] * len(times_s) if late else times_s
                poses = self._swinging(foot, times, self._track.at(times[:1]) * len(times) if late else instants)
                for pose, ahead in zip(poses, ahead_s, strict=True):
                    pose.ankle[:] += over_m + ahead * over_m_s
                    pose.ankle[2] -= foot.lowered_m + ahead * foot.lowering_m_s
            else:
                poses = [foot.geometry.rolled(self.stood(side, time), self._pitch(foot, instant, time), 0.0)
                         for instant, time in zip(instants, times_s, strict=True)]
            found.append(poses)
        return [dict(zip(SIDES, pair, strict=True)) for pair in zip(*found, strict=True)]

    def _pitch(self, foot: FollowedFoot, instant: Instant, time_s: float) -> float:
        """Planned pitch [rad] of a standing foot; one that landed early has that of its strike."""
        if foot.landed:
            return self._strike_pitch(foot)
        return stance_pitch(foot.print, instant.foot_pitch[SIDES.index(foot.side)], time_s)

    def _strike_pitch(self, foot: FollowedFoot) -> float:
        print_ = foot.print
        time_s = print_.stance.strike_s
        return stance_pitch(print_, self._track.at([time_s])[0].foot_pitch[SIDES.index(foot.side)], time_s)

    def _landing(self, foot: FollowedFoot) -> FootPose:
        if foot.target is None:
            raise RuntimeError("A foot lands before its footstep is planned.")
        return foot.geometry.rolled(foot.target, self._strike_pitch(foot), 0.0)

    def _swinging(self, foot: FollowedFoot, times_s: Sequence[float], instants: Sequence[Instant]) -> list[FootPose]:
        """The clip's way, with what the foot was off it when it lifted fading into what it is to be off it when it lands."""
        swing, i = foot.swing, SIDES.index(foot.side)
        if swing is None:
            raise RuntimeError("This foot does not swing.")
        to, to_turned = swing.away_m, swing.turned
        ends = swing.end_s < FOREVER_S and foot.target is not None
        if ends:
            landing, strike = self._landing(foot), self._track.at([swing.end_s])[0]
            to = landing.ankle - strike.ankle_m[i]
            to_turned = np.array(to_rotvec(product(from_rotvec(landing.rotvec.tolist()),
                                                   inverse(unit(strike.foot_quaternion[i])))))
        duration = swing.end_s - swing.start_s if ends else 1.0
        fade = self._settings.departure * duration
        poses = []
        for time, instant in zip(times_s, instants, strict=True):
            since = time - swing.start_s
            share = since / duration if ends else 0.0
            blend = smooth(share)
            ankle = instant.ankle_m[i] + (1.0 - blend) * swing.away_m + blend * to
            ankle[2] += swing.raise_m * bump(share)
            if 0.0 < since < fade:
                ankle += swing.drift * (since * (1.0 - since / fade) ** 2)
            left = swing.end_s - time
            if 0.0 < left < ARRIVAL_S:
                ankle += swing.arrival * (left * (1.0 - left / ARRIVAL_S) ** 2)
            turned = from_rotvec(((1.0 - blend) * swing.turned + blend * to_turned).tolist())
            rotvec = np.array(to_rotvec(product(turned, unit(instant.foot_quaternion[i]))))
            ground_m = float(self._terrain.ground.height(ankle[0], ankle[1]))
            free_m = self._settings.sole_m * smooth(share / SHARES[0]) * smooth((1.0 - share) / SHARES[0])
            bent = toe_over(foot.geometry, float(ankle[2]) - ground_m - free_m, instant.foot_pitch[i])
            poses.append(FootPose(ankle, rotvec, max(swing.toe * (1.0 - smooth(3.0 * share)), bent)))
        return poses

    def wanted(self, before: FeetPose, now: FeetPose, after: FeetPose, dt: float, active: np.ndarray) -> dict[str, FootTarget]:
        """Wanted motion of the feet, from their poses now and `dt` before and after; one that should stand but has no point on
        the ground is led there like a swinging one."""
        stands = {side: foot.stands and bool(active[self.rows[side]].any()) for side, foot in self._feet.items()}
        return foot_targets(0.0, (before, now, after), dt, stands, self._turn_limit)

    def _turning(self, time_s: float) -> list[tuple[str, Turn]]:
        turns = [(side, foot.print.turn) for side, foot in self._feet.items() if foot.swing is None]
        return [(side, turn) for side, turn in turns if turn is not None and turn.share(time_s) > 0.0]

    def support(self, time_s: float, expected: np.ndarray) -> np.ndarray:
        """The points (k, 3) between which the feet can have the pressure: those expected on the ground, of a foot that turns all
        on its pivot."""
        points = self._state.contact_point_m
        for side, turn in self._turning(time_s):
            foot, rows = self._feet[side], self.rows[side]
            pivot = pivot_place(self._frames[side], turn, foot.geometry.ankle_height_m)
            points = points.copy()
            points[rows] += turn.share(time_s) * (pivot - points[rows])
        return points[expected]

    def sliding(self, time_s: float, rate: float) -> Sliding | None:
        """How the contact points of feet that turn slide, while the clip goes at a rate; None where none turns."""
        turns = self._turning(time_s)
        found = np.zeros((2, len(self._heels), 3))
        for side, turn in turns:
            rows, sole_m = self.rows[side], self._feet[side].geometry.ankle_height_m
            found[:, rows] = sliding_points(self._frames[side], self._state.contact_point_m[rows], turn, time_s, rate, sole_m)
        return Sliding(*found) if turns else None

    def contact_points(self, time_s: float, instant: Instant) -> tuple[np.ndarray, np.ndarray]:
        """Contact points that may push, and those that should be on the ground (both (P,) bool), as for the walk."""
        touching = [height < self._settings.active_height_m for height in self._state.contact_height_m.tolist()]
        expected = [False] * len(touching)
        for side in SIDES:
            foot, rows = self._feet[side], self._points[side]
            if not foot.stands:
                for i in rows:
                    touching[i] = False
                continue
            pitch = self._pitch(foot, instant, time_s)
            toes = any(touching[i] for i in rows if self._toes[i])  # the ball pushes until they are down
            off = pitch > foot.geometry.tip_rise + HEEL_UP_RAD and toes
            for i in rows:
                if (pitch > HEEL_UP_RAD and self._rising[i]) or (off and self._balls[i]):
                    touching[i] = False
                else:
                    expected[i] = touching[i] or pitch > -TOES_UP_RAD or self._heels[i]
        return np.array(touching), np.array(expected)
