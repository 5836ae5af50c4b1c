# SPDX-License-Identifier: GPL-3.0-or-later
"""Poses as a stream of pressure comes: five for every frame, each for good (Yin 2007, section 3.5; the delay of 3.4.3). What a
frame is, is settled a fixed time after it; what comes after it looks like something by then, and the user's feet are seen on the
mat as far. So the database tells how a step will end, and the user's foot, mostly, where."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy.ndimage import gaussian_filter1d

from ...bodies.body import Body
from ...errors import InputError
from ...maths.curves import smoothstep
from ...maths.rotations import quat_from_rotvec, quat_rotate
from ..responses.feet import SINK_S, TOES_S, Figure, Legs, covered, hinge_angle, reaching
from .database import MOTION_HZ, PER_FRAME, Database, PressedMotion
from .laying import BLEND_S, DOWN_M, MOST_PACE, PACE_S, REST_M
from .live_steps import Joint, LiveFoot, LiveSteps, Piece, Swings, part_of, swings_of
from .recognition import AHEAD, QUIET, Match
from .steps import RAMP, bent, lengths_of, too_high
from .synthesis import SHORTEST_FRAMES, Synthesis

POSES = (AHEAD + 1) * PER_FRAME
"""That are planned at once."""
SETTLES_S = 0.1
"""How fast a plan that has changed is come up with (first guess)."""
KEPT = round(4.0 * PACE_S * MOTION_HZ)


class Track:
    """Which motion goes on (`motion`), and where in it the coming poses are (`at`, `POSES` of them); `began` where just begun."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._row: int | None = None
        self._frame = 0
        self._raw = np.zeros(0)
        self._count, self._last, self._rate = 0, 0.0, 1.0
        self.at, self.began = np.zeros(POSES), False

    @property
    def motion(self) -> PressedMotion:
        assert self._row is not None
        found = self._database.stance if self._row == QUIET else self._database.active[self._row]
        assert found is not None
        return found

    def push(self, ahead: Sequence[Match]) -> None:
        """The next frame's match, and those after it as far as they are known; `at` begins with this frame's poses."""
        if self._row is not None:
            self._gone()
        row = self._next_row(ahead)
        self.began = row is not None
        if row is not None:
            first = next(match for match in ahead if match.row == row)
            self._row, self._frame, self._raw, self._count = row, first.frame - (row != QUIET), np.zeros(0), 0
        if self._row == QUIET:
            last = len(self.motion) - 1
            self.at = np.abs((self._count + np.arange(POSES) + last) % max(2 * last, 1) - last).astype(float)
            return
        frames = self._frames(ahead)
        self._frame = int(frames[0])
        knots = np.arange(len(frames)) * float(PER_FRAME)
        wanted = np.interp(np.arange(POSES), knots, PER_FRAME * frames)
        raw = self._no_faster(wanted)
        plan = gaussian_filter1d(np.concatenate([self._raw, raw]), PACE_S * MOTION_HZ, mode="nearest")[len(self._raw):]
        self.at = plan if self.began else self._steady(plan)
        self._raw = np.concatenate([self._raw, raw])[:len(self._raw) + PER_FRAME][-KEPT:]

    def _gone(self) -> None:
        self._count += PER_FRAME
        self._last, self._rate = self.at[PER_FRAME - 1], self.at[PER_FRAME - 1] - self.at[PER_FRAME - 2]

    def _next_row(self, ahead: Sequence[Match]) -> int | None:
        """The row of a motion that begins now; None where the one before goes on, or this is a slip of the recognition."""
        if self._row is None:
            return next((match.row for i, match in enumerate(ahead) if _lasts(ahead[i:])), ahead[0].row)
        first = ahead[0]
        if first.row == self._row and (first.row == QUIET or first.frame >= self._frame):
            return None
        return first.row if _lasts(ahead) else None

    def _frames(self, ahead: Sequence[Match]) -> np.ndarray:
        """The motion's frames, from this one on, one more than there are matches; slips, and what comes after another motion has
        begun, go on by one."""
        found, last = [], float(self._frame)
        gone = False
        for i, match in enumerate(ahead):
            mine = match.row == self._row and match.frame >= last
            gone = gone or (not mine and _lasts(ahead[i:]))
            last = float(match.frame) if mine and not gone else last + 1.0
            found.append(last)
        while len(found) <= AHEAD + 1:
            found.append(found[-1] + 1.0)
        return np.array(found)

    def _no_faster(self, wanted: np.ndarray) -> np.ndarray:
        """What is wanted, at no more than `MOST_PACE`, behind where it is to be until it is come up with."""
        out = wanted.copy()
        last = self._raw[-1] if len(self._raw) else wanted[0] - MOST_PACE
        for i, one in enumerate(wanted):
            last = out[i] = max(min(one, last + MOST_PACE), last)
        return out

    def _steady(self, plan: np.ndarray) -> np.ndarray:
        """A plan that goes on where the last pose was, never back and never too fast."""
        off = self._last + self._rate - plan[0]
        out = plan + off * np.exp(-np.arange(POSES) / (SETTLES_S * MOTION_HZ))
        last = self._last
        for i, one in enumerate(out):
            last = out[i] = min(max(one, last), last + MOST_PACE)
        return out


def _lasts(ahead: Sequence[Match]) -> bool:
    """Whether the first match is of a run that is long enough to be no slip, as far as is known."""
    first, last = ahead[0], ahead[0].frame
    for match in ahead[1:SHORTEST_FRAMES]:
        if match.row != first.row or (first.row != QUIET and match.frame < last):
            return False
        last = match.frame
    return True


LOOK = 10
"""Poses after those that are given that are looked at, so that hips and toes go down before they have to."""
COMES = 0.35
"""How fast hips that are off what is planned come to it, over a pose (first guess)."""


class LiveMotion:
    """Lays a stream's motions on a body, frame by frame. Raises InputError for a database without quiet stance."""

    def __init__(self, body: Body, database: Database) -> None:
        if database.stance is None:
            raise InputError(f"The database {database.name} has no quiet stance to go out from: index a clip of "
                             "somebody who stands.")
        self.body, self.poses = body, 0
        self._track, self._pieces = Track(database), dict[int, Piece]()
        self._legs, self._feet = Legs.of(body), [LiveFoot(body, foot) for foot in (0, 1)]
        self._toes = [(body.joint_segments.index(name), axis) for foot in body.feet for name in body.children(foot.segment)
                      if (axis := body.segment(name).axis) is not None]
        self._steps = LiveSteps()
        self._joint: Joint | None = None
        self._since = 0
        self._last: Figure | None = None
        self._stood = np.ones((2, 2), dtype=bool)
        self._falls, self._lands = [False, False], [False, False]
        self._lows, self._bends = np.zeros(LOOK), [np.zeros(LOOK) for _ in self._toes]
        self._sunk = self._sinks = 0.0

    @property
    def mat_m(self) -> np.ndarray | None:
        """Where the user's mat lies (2,) [m], None while that is not known."""
        return self._steps.mat_m

    def push(self, ahead: Sequence[Match], ankles_m: np.ndarray | None = None) -> Synthesis:
        """The next frame's poses. `ahead` is what it was found to be, and what those after it look like; `ankles_m` (K, 2, 2) are
        the user's ankles on the mat in this frame and those after it, not a number where they are not known."""
        self._track.push(ahead)
        piece = self._piece()
        frames = self._track.at[:PER_FRAME + LOOK]
        bare, planted = piece.at(frames)
        if self._track.began:
            self._begin(bare, planted)
        joint = self._joint
        assert joint is not None
        placed = joint.placed(bare)
        laid = joint.faded(self.body, placed, self._since)
        planted = self._come_down(laid, placed, planted)
        stands = planted.any(axis=2)
        swings = [self._swing(piece, joint, foot, frames, stands[:, foot]) for foot in (0, 1)]
        if ankles_m is not None:
            if self._last is None:
                later = piece.at(self._track.at)[1].any(axis=2)[::PER_FRAME]
                self._steps.start(laid.ankles[0, :, :2], later, ankles_m)
            self._steps.see(self._last, self._stood.any(axis=1), ankles_m[0])
        for foot in (0, 1):
            self._steps.aim(foot, piece, joint, self._track.at, swings[foot], stands, ankles_m)
        lengths = lengths_of(self.body, self._legs, laid)
        figure = self._on_ground(self._stepped(laid, swings, stands, lengths), planted, swings, lengths)
        self._last, self._stood = part_of(figure, slice(-1, None)), planted[PER_FRAME - 1]
        self._falls = [falls and not lands for falls, lands in zip(self._falls, self._lands, strict=True)]
        self._since += PER_FRAME
        self.poses += PER_FRAME
        return Synthesis(figure, planted[:PER_FRAME], self.mat_m)

    def _piece(self) -> Piece:
        motion = self._track.motion
        if id(motion) not in self._pieces:
            self._pieces[id(motion)] = Piece(self.body, motion)
        return self._pieces[id(motion)]

    def _begin(self, bare: Figure, planted: np.ndarray) -> None:
        """Another motion begins: it goes on from the pose given last."""
        first, stands = part_of(bare, slice(0, 1)), planted[0].any(axis=1)
        self._since = 0
        if self._last is None:
            self._joint = Joint.start(first)
            return
        stood = self._stood.any(axis=1)
        self._joint = Joint.of(self._last, stood, first, stands)
        self._steps.begin(self._joint.steps_of(self._last, first))
        soon = self._piece().at(self._track.at[:round(BLEND_S * MOTION_HZ)])[1].any(axis=(0, 2))
        for foot in (0, 1):
            self._feet[foot].begins(bool(stood[foot] & stands[foot]))
            self._falls[foot] = bool(soon[foot] and not stood[foot])
        self._lows, self._bends, self._sunk = np.zeros(LOOK), [np.zeros(LOOK) for _ in self._toes], 0.0
        self._sinks = 0.0

    def _come_down(self, laid: Figure, placed: Figure, planted: np.ndarray) -> np.ndarray:
        """Parts that stand: a foot that was in the air at the joint does once it has come down, to rest where it is placed."""
        found = planted.copy()
        for foot in np.flatnonzero(self._falls):
            low = self._feet[foot].sole.at(laid.ankles[:, foot], laid.soles[:, foot])[..., 2].min(axis=1)
            late = self._since + np.arange(len(low)) >= BLEND_S * MOTION_HZ
            rests = np.hypot(*(laid.ankles - placed.ankles)[:, foot, :2].T) <= REST_M
            down = np.append(planted[:, foot].any(axis=1) & ((low <= DOWN_M) & rests | late), True)
            found[:int(down.argmax()), foot] = False
            self._lands[foot] = bool(down[:PER_FRAME].any())
        return found

    def _swing(self, piece: Piece, joint: Joint, foot: int, frames: np.ndarray, stands: np.ndarray) -> Swings:
        """A foot's swings; one that comes down after a joint does so while that fades."""
        found = swings_of(piece, joint, foot, frames, stands, self._steps.aims[foot])
        short = ~stands & (self._falls[foot] | np.isnan(found.phase))
        if self._falls[foot] or short.any():
            fading = np.clip((1.0 + self._since + np.arange(len(frames))) / (BLEND_S * MOTION_HZ), 0.0, 1.0)
            return Swings(np.where(short, fading, found.phase), np.where(short, BLEND_S * MOTION_HZ, found.long), found.lands_m,
                          found.lift_m, self._falls[foot])
        return found

    def _stepped(self, laid: Figure, swings: list[Swings], stands: np.ndarray, lengths: np.ndarray) -> Figure:
        """Poses with feet shifted to where they step, the root along with them, swinging legs as long (n, 2) as their joints."""
        shifts, root_shift = self._steps.over(swings, stands)
        root, ankles = laid.root.copy(), laid.ankles.copy()
        root[:, :2] += root_shift
        ankles[..., :2] += shifts
        here = root[:, None] + quat_rotate(laid.turn[:, None], self._legs.hips[None])
        away = ankles - here
        far = np.maximum(np.linalg.norm(away, axis=2), 1e-6)
        phases = np.stack([one.phase for one in swings], axis=1)
        weight = np.where(stands | self._falls, 0.0, np.nan_to_num(smoothstep(phases / RAMP) * smoothstep((1.0 - phases) / RAMP)))
        ankles += (weight * (lengths / far - 1.0))[..., None] * away
        return Figure(root, laid.turn, laid.joints, ankles, laid.soles)

    def _on_ground(self, figure: Figure, planted: np.ndarray, swings: list[Swings], lengths: np.ndarray) -> Figure:
        """The poses that are given, `PER_FRAME` of them: feet on the ground, legs that reach them, stretched over their lengths
        (n, 2) no more than they have to, toes out of the ground."""
        now, later = slice(0, PER_FRAME), slice(PER_FRAME, None)
        ankles, soles = figure.ankles.copy(), figure.soles.copy()
        for f, foot in enumerate(self._feet):
            row, axis = self._toes[f]
            toe = hinge_angle(figure.joints[:, row], axis)
            for some, one in ((now, foot), (later, None)):
                one = one or foot.copy()
                ankles[some, f], soles[some, f] = one.over(
                    ankles[some, f], soles[some, f], toe[some], planted[some, f], swings[f].part(some))
        root, ankles = self._with_legs(figure, ankles, planted.any(axis=2), lengths)
        given = Figure(root[now], figure.turn[now], figure.joints[now], ankles[now], soles[now])
        joints = reaching(self.body, self._legs, given)
        for f, (row, axis) in enumerate(self._toes):
            angle = hinge_angle(figure.joints[:, row], axis)
            need = np.concatenate([self._bends[f], self._feet[f].sole.toe_need(ankles[:, f], soles[:, f], 0.0, angle)])
            bends = np.maximum(need, covered(need, TOES_S * MOTION_HZ))[LOOK:LOOK + PER_FRAME]
            joints[:, row] = quat_from_rotvec((angle[now] + bends)[:, None] * axis)
            self._bends[f] = need[PER_FRAME:PER_FRAME + LOOK]
        return Figure(given.root, given.turn, joints, given.ankles, given.soles)

    def _with_legs(self, figure: Figure, ankles: np.ndarray, stands: np.ndarray, lengths: np.ndarray) -> tuple[
            np.ndarray, np.ndarray]:
        """Roots (n, 3) as low as legs that stand (n, 2) need it, and ankles (n, 2, 3) within the others' reach."""
        hips = quat_rotate(figure.turn[:, None], self._legs.hips[None])
        legs_m = ankles - figure.root[:, None] - hips
        most = bent(self._legs, np.linalg.norm(legs_m, axis=2), lengths)
        root = self._down(figure.root, np.where(stands, too_high(legs_m, most), 0.0).max(axis=1))
        away = ankles - root[:, None] - hips
        far = np.maximum(np.linalg.norm(away, axis=2), 1e-6)
        near = np.where(stands, far, np.minimum(far, np.maximum(most, lengths)))
        return root, ankles + (near / far - 1.0)[..., None] * away

    def _down(self, root: np.ndarray, need: np.ndarray) -> np.ndarray:
        """The root (n, 3) as much lower as needed (n,) [m], going there before it has to as far as that is seen."""
        need = np.concatenate([self._lows, need])
        plan = covered(need, SINK_S * MOTION_HZ)
        times = np.arange(1.0, len(root) + 1.0)
        off, goes = self._sunk - plan[LOOK - 1], self._sinks - (plan[LOOK] - plan[LOOK - 1])
        sunk = np.maximum(plan[LOOK:] + (off + (goes + COMES * off) * times) * np.exp(-COMES * times), need[LOOK:])
        self._sunk, self._sinks = float(sunk[PER_FRAME - 1]), float(sunk[PER_FRAME - 1] - sunk[PER_FRAME - 2])
        self._lows = need[PER_FRAME:PER_FRAME + LOOK]
        return root - sunk[:, None] * np.array([0.0, 0.0, 1.0])


def in_a_row(parts: Sequence[Synthesis]) -> Synthesis:
    """Poses that were given one after the other. Raises InputError for none."""
    if not parts:
        raise InputError("Nothing was laid yet: a frame of pressure is laid as soon as the second after it is known.")
    figure = Figure(*(np.concatenate([getattr(part.figure, name) for part in parts])
                      for name in ("root", "turn", "joints", "ankles", "soles")))
    return Synthesis(figure, np.concatenate([part.planted for part in parts]), parts[-1].mat_m)
