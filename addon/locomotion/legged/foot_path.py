# SPDX-License-Identifier: GPL-3.0-or-later
"""The way of a foot: rolling over heel and ball while it stands, from toe-off to strike while it swings. Where a foot that is
found in the midst of its swing would have left the ground, for its path to pass through where it is."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from ...bodies.state import BodyState
from ...maths.curves import bump, smooth
from ...maths.rotations import quat_conjugate, quat_multiply, rotvec_from_quat
from .foot_geometry import FootGeometry, FootPose, Footstep
from .pose import GaitTables
from .targets import turn_quat

MID_STANCE = 0.42
"""Share of the stance at which a walking foot lies flat (Perry 1992: 8 to 30 % of the cycle, of 62 %)."""
LATEST_FLAT = 0.14
"""Phase since strike at which the foot is flat at the latest."""
HEEL_SLACK = 0.01
"""Pitch of the cycle's foot [rad] that does not yet count as the heel rising."""
PITCH = 3
"""Place of the pitch, the rotation vector's part about y, in a foot's table channels."""
PUSH_OFF_RAD, PUSH_OFF_FROM = math.radians(4.0), 0.55
"""How much more than the cycle's the heel of an upright walk has risen at toe-off, and the share of the stance from which on: its
trailing leg is straighter than a captured one's."""
DRIFT_END = 0.45
"""Share of the swing by which the velocity the foot left the ground with has become the path's."""
SOLE_CLEARANCE_M, MOST_CLEARANCE_M = 0.010, 0.08
"""Least height of the sole in the swing (Winter 1992: toe clearance 1.3 cm), and the largest raise made for it."""
USUAL_TIP_LEGS, HELD_UP = 0.24, (0.4, 0.2)
"""How far the toes' tip is ahead of the ankle at most, over leg length, for the foot to swing as the cycle's (a human's: 0.22). A
longer one points down by as much less, or its tip would be in the ground; shares of the swing in which that begins and ends."""
LONG_CLEARANCE_M, PASSING = 0.020, (0.3, 0.6)
"""Least height of a long foot's sole in a swing from the pose in which it really left the ground, and the shares of the swing in
which its tip passes lowest: it lags by 1 cm and 5 degrees."""
PASSES, MOST_ROUND = np.linspace(0.25, 0.75, 6), 1.5
"""Shares of the swing at which a foot may pass the standing leg, and the farthest it goes round, over its distance then."""
WHOLE_SWING = (0.15, 0.85)
"""The shares of the swing that are asked for `SOLE_CLEARANCE_M`: nearer to its ends the foot is low anyway."""
MOST_DRIFT, STRAIGHT = 0.05, 0.1
"""The most that a drift of a metre a swing still takes the foot off its way in those shares [m], and how far a swing may go off
its chord, over that, for its middle to lead the same way within 45 degrees."""
LEVEL_M, TOES_FIRST = 0.06, 0.25
"""Height from the other foot up to which a landing is more or less as on level ground, and the pitch [rad] of one at twice that
below it (people come down stairs on the ball: Riener et al. 2002; landings on flat feet struck with 2.8 times the weight)."""
LATE = 0.15
"""Share of a swing to higher ground in which the foot is raised before it goes ahead, off the riser that its toes stand at."""
HEEL_UP = 0.02
"""Planned pitch [rad] from which on the heel carries nothing."""


class _Ends(NamedTuple):
    """Ankle and rotation vector of a foot that lifts and of its landing, as plain numbers."""

    lift: list[float]
    lift_rotvec: list[float]
    landing: list[float]
    landing_rotvec: list[float]


class FootPath:
    """The path of one foot in a gait. `amplitude` scales the cycle's pitch (short strides pitch less). The swing is raised by
    `clearance_m` at its middle, or by more where the cycle's own path would scuff on this body's feet; and by `lift_m` beyond
    that where a style asks for it. `heel_strike` scales the toes' rise at landing alone; `upright` tells
    how far the walk goes on straight knees."""

    edge_pitch: float | None = None
    """Pitch [rad] in which the foot comes down, or has come down, where the ground asks for another than the gait's."""
    holds_heel = False
    """Whether the heel stays down until the other foot is: on a ball at an edge alone no pressure could go back, nor on the tip
    of a long foot without toes, whose centre of pressure rolls over a part of its sole."""
    least_pointing = 0.9
    """Least share of its pitch that a long foot keeps: on legs as short as a toy's, feet that turn up faster throw the walk."""

    def __init__(
        self, tables: GaitTables, side: str, clearance_m: float, amplitude: float = 1.0, lift_m: float = 0.0,
        heel_strike: float = 1.0, upright: float = 0.0,
    ) -> None:
        self.tables, self.side, self.clearance_m = tables, side, 0.0
        self._out = 1.0 if side == "L" else -1.0
        self.geometry = FootGeometry(tables.body, side)
        self.phases = tables.phases[side]
        self.amplitude, self._heel_strike = amplitude, heel_strike * self.geometry.strike_share
        self._push = upright * PUSH_OFF_RAD
        self._last: tuple[tuple[float, float | None, bool], dict[float, float]] = (amplitude, None, False), {}
        self._other = (tables.phases["R" if side == "L" else "L"].strike - self.phases.strike) % 1.0
        long = not self.geometry.has_toes and self.geometry.rolls[2] < self.geometry.tip_x
        self._long = self.holds_heel = long and MID_STANCE * self.phases.toe_off < self._other < self.phases.toe_off
        self._table = tables.table.part(tables.foot_slice(side))
        mid, self._strike, self._off = self._rows((MID_STANCE * self.phases.toe_off, 0.0, self.phases.toe_off))
        self._level = mid[PITCH]
        self._strike_pitch = self._strike[PITCH] - self._level
        self._pointing = min(max(USUAL_TIP_LEGS * tables.body.leg_length_m / self.geometry.tip_x, self.least_pointing), 1.0)
        swing = np.linspace(self.phases.toe_off, 1.0, 33).tolist() if tables.displacement.moves else []
        swung = (tables.displacement.swing_offset(since, side, self.phases.toe_off)[:2] for since in swing)
        self._sways_m = 1.1 * max((math.hypot(*way) for way in swung), default=0.0)
        self.clearance_m = max(clearance_m, self._needed_clearance()) + lift_m

    def _rows(self, since_strike: Sequence[float]) -> list[list[float]]:
        """Table channels of this foot (k, 5) at phases (k,) since its strike."""
        return self._table.value(self.phases.strike + np.array(since_strike)).tolist()

    def strike_pitch(self) -> float:
        """Pitch at landing: toes up, so negative or zero [rad]."""
        return self.amplitude * self._heel_strike * min(self._strike_pitch, 0.0)

    def stance_pitches(self, since_strike: Sequence[float]) -> list[float]:
        """Pitches while standing, as the cycle's: toes up at first, level, then the heel rising till toe-off [rad]."""
        toe_off, flat = self.phases.toe_off, 0.5 * LATEST_FLAT
        pitches = []
        for since, row in zip(since_strike, self._rows([min(since, toe_off) for since in since_strike]), strict=True):
            pitch = row[PITCH] - self._level
            if since < MID_STANCE * toe_off and self.edge_pitch is not None:
                pitches.append(self.edge_pitch * (1.0 - smooth(since / LATEST_FLAT)))
            elif since < MID_STANCE * toe_off:
                pitches.append(self.amplitude * self._heel_strike * min(pitch, 0.0) * (1.0 - smooth((since - flat) / flat)))
            else:
                pushed = self._push * smooth((since / toe_off - PUSH_OFF_FROM) / (1.0 - PUSH_OFF_FROM)) if self._push else 0.0
                pitches.append(self.amplitude * self.geometry.rise_share * (max(pitch - HEEL_SLACK, 0.0) + pushed))
                if self.holds_heel:
                    pitches[-1] *= smooth((since - self._other) / (toe_off - self._other))
        self._last = (self.amplitude, self.edge_pitch, self.holds_heel), dict(zip(since_strike, pitches, strict=True))
        return pitches

    def stance_pitch(self, since_strike: float) -> float:
        """The same at one phase."""
        shape, pitches = self._last
        if shape == (self.amplitude, self.edge_pitch, self.holds_heel) and since_strike in pitches:
            # a plan step asks for poses first, then for contacts
            return pitches[since_strike]
        return self.stance_pitches((since_strike,))[0]

    def heel_rise(self) -> float:
        """Phase since strike at which the heel leaves the ground."""
        phases = (np.linspace(MID_STANCE, 1.0, 201) * self.phases.toe_off).tolist()
        pitches = self.stance_pitches(phases)
        return next((p for p, pitch in zip(phases, pitches, strict=True) if pitch > HEEL_UP), self.phases.toe_off)

    def standing(self, step: Footstep, since_strike: Sequence[float], heading: float) -> list[FootPose]:
        """The foot on its footstep at phases (k,) of its stance: the same pose wherever it lies as flat."""
        pitches = self.stance_pitches(since_strike)
        poses = {pitch: self.geometry.rolled(step, pitch, heading) for pitch in dict.fromkeys(pitches)}
        return [poses[pitch] for pitch in pitches]

    def swinging(self, lift: FootPose, target: Footstep, since_strike: Sequence[float], heading: float) -> list[FootPose]:
        """The foot between the pose it left the ground in and its landing on `target`, at phases (k,)."""
        end = self.landing(target, heading)
        turn = 0.0 if lift.yaw is None else target.yaw - lift.yaw
        ends = _Ends(*(part.tolist() for part in (lift.ankle, lift.rotvec, end.ankle, end.rotvec)))
        poses = [self._swing(lift, end, ends, since, row, turn)
                 for since, row in zip(since_strike, self._rows(since_strike), strict=True)]
        if self.tables.displacement.moves:
            self._displace(poses, since_strike, heading)
        return poses

    def _displace(self, poses: list[FootPose], since_strike: Sequence[float], heading: float) -> None:
        """Shift the ankles of swinging poses by the gait's displacement map."""
        c, s = math.cos(heading), math.sin(heading)
        for pose, since in zip(poses, since_strike, strict=True):
            x, y, z = self.tables.displacement.swing_offset(since, self.side, self.phases.toe_off)
            pose.ankle[:] += (c * x - s * y, s * x + c * y, z)

    def landing(self, target: Footstep, heading: float) -> FootPose:
        """The foot at its strike on `target`."""
        pitch = self.strike_pitch() if self.edge_pitch is None else self.edge_pitch
        return self.geometry.rolled(target, pitch, heading)

    def meet(self, rise_m: float, target: Footstep) -> None:
        """Come down on `target`, so much higher than the other foot stands, as its ground asks for: flat where that is higher, or
        carries no heel, and with the toes first where it is lower."""
        own = self.strike_pitch() * max(1.0 - abs(rise_m) / LEVEL_M, 0.0)
        down = TOES_FIRST * min(max((-rise_m - LEVEL_M) / LEVEL_M, 0.0), 1.0)
        self.holds_heel = self._long or target.support.front_m < math.inf
        self.edge_pitch = max(own, 0.0) if target.support.back_m > -math.inf else own + down

    def departing(self, lift: FootPose, velocity: np.ndarray, target: Footstep, heading: float, rate: float) -> FootPose:
        """`lift` with the drift that makes the swing begin at the ankle's own `velocity` (3,) [m/s], at a phase `rate` [1/s]."""
        toe_off, small = self.phases.toe_off, 1e-3
        swing = 1.0 - toe_off
        first, second = self.swinging(lift, target, (toe_off, toe_off + small * swing), heading)
        return replace(lift, drift=velocity * swing / rate - (second.ankle - first.ankle) / small)

    def cleared(self, lift: FootPose, target: Footstep, heading: float) -> FootPose:
        """`lift`, of a long foot, with the raise that its own swing to `target` needs over level ground: one that leaves the
        ground steeper than planned, as at speed, points down more all the way, and its tip would be in the ground."""
        level = target.support.level and self.landing(target, heading).ground_m == lift.ground_m
        if self._pointing == 1.0 or not level:
            return lift
        return replace(lift, clear_m=max(self._lack_m(lift, target, heading, LONG_CLEARANCE_M, PASSING), 0.0))

    def round_m(self, lift: FootPose, target: Footstep, heading: float, standing: complex, apart_m: float) -> float:
        """How far outward [m] the swing from `lift` to `target` goes half-way so that its ankle passes a `standing` one
        `apart_m` away, seen from above."""
        if self._passes(lift, target, heading, standing, apart_m):
            return 0.0
        phases = (self.phases.toe_off + PASSES * (1.0 - self.phases.toe_off)).tolist()
        poses = self.swinging(replace(lift, aside_m=0.0), target, phases, heading)
        places = np.array([complex(*pose.ankle[:2].tolist()) for pose in poses])
        off = (places - standing) * np.exp(-1j * np.angle(places[-1] - places[0]))
        room = np.sqrt(np.maximum(apart_m**2 - off.real**2, 0.0))
        need = np.where(room > 0.0, (room - self._out * off.imag) / [bump(s) for s in PASSES.tolist()], 0.0)
        return min(max(float(need.max()), 0.0), MOST_ROUND * apart_m)

    def _passes(self, lift: FootPose, target: Footstep, heading: float, standing: complex, apart_m: float) -> bool:
        """Whether a swing is sure to pass so far away, by its chord and the most that it goes off that: true of most straight
        steps, without a pose of it."""
        start, end = (complex(*ankle[:2].tolist()) for ankle in (lift.ankle, self.landing(target, heading).ankle))
        chord, turn = end - start, 0.0 if lift.yaw is None else target.yaw - lift.yaw
        way = chord / max(abs(chord), 1e-9)
        drift = 0j if lift.drift is None else MOST_DRIFT * complex(*lift.drift[:2].tolist()) / way
        off = abs(chord) * abs(turn) / 8.0 + self._sways_m
        beside = self._out * ((start - standing) / way).imag - abs(drift.imag) - off
        return beside >= apart_m and abs(drift) + off < STRAIGHT * abs(chord)

    def _needed_clearance(self) -> float:
        """Raise [m] at mid swing that keeps heel, ball and tip of the toes `SOLE_CLEARANCE_M` off the ground, at most
        `MOST_CLEARANCE_M`."""
        toe_off = self.phases.toe_off
        lift = self.geometry.rolled(Footstep(self.side, 0j, 0.0), self.stance_pitch(toe_off), 0.0)
        target = Footstep(self.side, complex(self.tables.stride_m), 0.0)
        return self._lack_m(lift, target, 0.0, SOLE_CLEARANCE_M, WHOLE_SWING)

    def _lack_m(self, lift: FootPose, target: Footstep, heading: float, least_m: float, within: tuple[float, float]) -> float:
        """Raise [m] at mid swing that keeps this swing `least_m` over level ground in some of its shares, at most
        `MOST_CLEARANCE_M`; negative where it is higher."""
        shares = np.linspace(*within, 15)
        phases = (self.phases.toe_off + shares * (1.0 - self.phases.toe_off)).tolist()
        needs = [(least_m + lift.ground_m - self.geometry.lowest(pose)) / bump(s)
                 for s, pose in zip(shares, self.swinging(lift, target, phases, heading), strict=True)]
        return min(max(needs), MOST_CLEARANCE_M)

    def _swing(self, lift: FootPose, end: FootPose, ends: _Ends, since_strike: float, row: list[float], turn: float) -> FootPose:
        """One pose of a swing, from the cycle's own (its table row) and its ends, along an arc that turns by `turn` [rad]: on
        its chord the outer foot would run into the standing leg."""
        toe_off = self.phases.toe_off
        s = (since_strike - toe_off) / (1.0 - toe_off)
        blend = smooth(s)
        before = 1.0 - blend
        progress = min(max(self.tables.swing_progress(self.side, row[0], since_strike), -0.05), 1.05)
        if lift.over is not None:
            progress = stepped(s, end.ground_m - lift.ground_m, progress)
        (x, y, z), (end_x, end_y, end_z) = ends.lift, ends.landing
        bow = 0.5 * turn * progress * (1.0 - progress)
        rise = before * (z - lift.ground_m - self._off[1]) + blend * (end_z - end.ground_m - self._strike[1])
        ground = lift.ground_m + progress * (end.ground_m - lift.ground_m)
        over = lift.raise_m * 4.0 * max(progress * (1.0 - progress), 0.0)
        if lift.over is not None:
            over += float(lift.over(s))
        ankle = np.array([x + progress * (end_x - x) + bow * (end_y - y), y + progress * (end_y - y) - bow * (end_x - x),
                          row[1] + rise + (self.clearance_m + lift.clear_m) * bump(s) + (ground + over)])
        if lift.drift is not None and s < DRIFT_END:
            ankle += lift.drift * (s * (1.0 - s / DRIFT_END) ** 2)
        if lift.aside_m:
            away = self._out * lift.aside_m * bump(s) / max(math.hypot(end_x - x, end_y - y), 1e-6)
            ankle += (-away * (end_y - y), away * (end_x - x), 0.0)
        a, b, off, strike, scale = ends.lift_rotvec, ends.landing_rotvec, self._off, self._strike, self.amplitude
        rotvec = np.array([before * a[0] + blend * b[0] + scale * (row[2] - before * off[2] - blend * strike[2]),
                           before * a[1] + blend * b[1] + scale * (row[3] - before * off[3] - blend * strike[3]),
                           before * a[2] + blend * b[2] + scale * (row[4] - before * off[4] - blend * strike[4])])
        if self._pointing < 1.0 and rotvec[1] > 0.0:
            begins, ends_in = HELD_UP
            rotvec[1] *= 1.0 - (1.0 - self._pointing) * smooth(s / begins) * smooth((1.0 - s) / ends_in)
        return FootPose(ankle, rotvec, lift.toe * (1.0 - smooth(3.0 * s)))


def stepped(s: float, rise_m: float, level: float) -> float:
    """How far a swing has gone at a share of it, to ground that is `rise_m` higher; `level` is how far on level ground. To lower
    ground it slows down gently: a leg that is braked pushes the body on, whose foot on the edge cannot hold it."""
    u = min(max(s, 0.0), 1.0)
    way = smooth((s - LATE) / (1.0 - LATE)) if rise_m > 0.0 else u * u * (3.0 + u - 6.0 * u**2 + 3.0 * u**3)
    return level + min(abs(rise_m) / LEVEL_M, 1.0) * (way - level)


ROUNDS = 4
MOST_SWUNG = 0.8
"""Share of the swing up to which its start still tells on its path."""
LEAST_LEFT = 0.3
"""Least share of the start's height and turn that is left in the path for these to be moved."""


def swing_start(
    state: BodyState, path: FootPath, target: Footstep, stride: complex, since: float, heading: float,
    path_at: Callable[[FootPose], FootPose],
) -> FootPose:
    """The pose in which a foot left the ground that is on its way to `target` at a phase `since` its strike: that of the footstep
    one `stride` (world, x + iy [m]) before, moved so that `path_at`, the path's pose now, is the foot's own. What is left of the
    difference at the end of a swing is for who fades it."""
    before = replace(target, place=target.place - stride)
    lift = path.standing(before, [path.phases.toe_off], heading)[0]
    share = (since - path.phases.toe_off) / (1.0 - path.phases.toe_off)
    if not 0.0 <= share < MOST_SWUNG:
        return lift
    frame = state.frame(f"foot_{path.side}")
    rotvec = rotvec_from_quat(quat_multiply(quat_conjugate(turn_quat(heading)), frame.quaternion))
    left = 1.0 - float(smooth(share))
    for _ in range(ROUNDS):
        now = path_at(lift)
        lack = frame.position - now.ankle
        moved = lack / np.array([1.0 - share, 1.0 - share, left])
        moved[2] *= left > LEAST_LEFT
        turned = (rotvec - now.rotvec) / left if left > LEAST_LEFT else 0.0
        lift = replace(lift, ankle=lift.ankle + moved, rotvec=lift.rotvec + turned)
    return lift
