# SPDX-License-Identifier: GPL-3.0-or-later
"""Steps of a stream that land where the user's foot does, as far as that is seen by the time the leg swings."""

from __future__ import annotations

import numpy as np

from ...maths.curves import smooth
from ..responses.figure import Figure
from .database import MOTION_HZ, PER_FRAME
from .live_feet import Swings
from .live_pieces import Joint, Piece
from .step_ik import lead_share
from .steps import LEAST_SHIFT_M

LATEST = 0.7
"""How far through its swing a foot may be sent elsewhere (first guess)."""
FASTEST_M_S, MOST_SHIFT_M = 1.5, 0.4
"""How fast, over what is left of its swing, a foot may be sent elsewhere than the motion has it, and how far: whether legs reach
is not tried here (first guess)."""
SAME_M = 0.01
"""What is seen of a landing anew changes nothing below this."""
KEPT = 60
"""Frames of the first stance by which the mat is laid."""


class LiveSteps:
    """How far each foot is from where the motion has it: now (`shifts`), and where it steps to (`aims`), (2, 2) [m]."""

    def __init__(self) -> None:
        self.shifts, self.aims = np.zeros((2, 2)), np.zeros((2, 2))
        self._left = self._left_aim = 0.5
        self._phases = np.zeros(2)
        self._aimed = [False, False]
        self._stepped = [False, False]
        self._seen: list[list[np.ndarray]] = [[], []]
        self._mat: np.ndarray | None = None

    @property
    def mat_m(self) -> np.ndarray | None:
        """Where the mat lies (2,) [m]: the ankles of the first stance are where the user's are; None before they are seen."""
        if self._mat is not None:
            return self._mat
        told = [np.median(mine, axis=0) for mine in self._seen if mine]
        return np.asarray(np.mean(told, axis=0)) if told else None

    def see(self, last: Figure | None, stood: np.ndarray, ankles_m: np.ndarray) -> None:
        """The user's ankles (2, 2) in a frame, and the pose before it, of whose feet some stood (2,)."""
        if last is None or self._mat is not None:
            return
        for foot in (0, 1):
            if stood[foot] and np.isfinite(ankles_m[foot]).all() and len(self._seen[foot]) < KEPT:
                self._seen[foot].append(last.ankles[0, foot, :2] - ankles_m[foot])

    def start(self, ankles: np.ndarray, stands: np.ndarray, ankles_m: np.ndarray) -> None:
        """The first pose, its ankles (2, 2): feet stand beside one another as the user's are seen to (`ankles_m` (K, 2, 2), of
        this frame and those after it), while each stands (K, 2) as at first."""
        known = np.logical_and.accumulate(stands, axis=0)[:len(ankles_m)] & np.isfinite(ankles_m[:len(stands)]).all(axis=2)
        if not known.any(axis=0).all():
            return
        away = np.array([np.median(ankles_m[:len(known)][known[:, foot], foot], axis=0) for foot in (0, 1)]) - ankles
        if float(np.linalg.norm(away[0] - away[1])) <= MOST_SHIFT_M:
            self.shifts = away - away.mean(axis=0)
            self.aims = self.shifts.copy()

    def begin(self, shifts: np.ndarray) -> None:
        """Another motion begins, with feet (2, 2) [m] from where it has them."""
        self.shifts, self.aims = shifts.copy(), shifts.copy()
        self._left = self._left_aim = 0.5
        self._phases = np.full(2, np.nan)  # of a swing that is gone into in its midst
        self._aimed = [False, False]

    def aim(self, foot: int, piece: Piece, joint: Joint, frames: np.ndarray, swing: Swings, stands: np.ndarray,
            ankles_m: np.ndarray | None) -> None:
        """Where a foot that swings now, or begins to, steps to: to the user's, or as the motion has it beside the other one."""
        swings = np.flatnonzero(~stands[:PER_FRAME, foot])
        if not len(swings):
            self._aimed[foot] = False
            return
        first = int(swings[0])
        if first > 0:
            self._aimed[foot] = False  # a swing that begins
        if swing.phase[first] > LATEST:
            self.aims[foot] = self.aims[foot] if self._aimed[foot] else self.shifts[foot]
            self._aimed[foot] = True
            return
        if self.mat_m is not None and self._mat is None:
            self._mat = self.mat_m
        other = 1 - foot
        beside = self.aims[other] if stands[first, other] else self.aims[foot]
        wanted, landing = self._wanted(foot, piece, joint, frames, frames[first], ankles_m), None
        aim = beside
        if wanted is not None and LEAST_SHIFT_M < float(np.linalg.norm(wanted - beside)) \
                and float(np.linalg.norm(wanted - beside)) <= MOST_SHIFT_M:
            aim = wanted
        elif wanted is None and self._aimed[foot]:
            return
        if self._aimed[foot] and float(np.linalg.norm(aim - self.aims[foot])) < SAME_M:
            return
        left_s = float((1.0 - swing.phase[first]) * swing.long[first]) / MOTION_HZ
        far = float(np.linalg.norm(aim - self.shifts[foot]))
        aim = self.shifts[foot] + min(FASTEST_M_S * left_s / max(far, 1e-9), 1.0) * (aim - self.shifts[foot])
        self.aims[foot], self._aimed[foot] = aim, True
        landing = int(piece.swings(foot, frames[first:first + 1], np.zeros(1, dtype=bool))[2][0])
        legs = joint.places(piece.ankles[landing]) - joint.places(piece.root[landing])
        share = lead_share(legs[foot], legs[other], aim - self.aims[other])
        share = 0.5 if share is None else share
        self._left_aim = share if foot else 1.0 - share

    def _wanted(self, foot: int, piece: Piece, joint: Joint, frames: np.ndarray, now: float,
                ankles_m: np.ndarray | None) -> np.ndarray | None:
        """How far (2,) [m] from where the motion has it the user's foot lands; None where that is not seen yet."""
        if ankles_m is None or self._mat is None:
            return None
        landing = int(piece.swings(foot, np.array([now]), np.zeros(1, dtype=bool))[2][0])
        down, up = (int(np.searchsorted(frames, frame)) for frame in (landing, piece.next_lift(foot, landing)))
        seen = ankles_m[-(-down // PER_FRAME):max(up // PER_FRAME, 0), foot]
        seen = seen[np.isfinite(seen).all(axis=1)]
        if not len(seen):
            return None
        return np.asarray(np.median(seen, axis=0) + self._mat - joint.places(piece.ankles[landing, foot])[:2])

    def over(self, swings: list[Swings], stands: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The feet's shifts (n, 2, 2) and the root's (n, 2) [m] over poses of which each foot stands (n, 2); what is given, the
        first `PER_FRAME` of them, is gone on from."""
        shifts, roots = np.zeros((len(stands), 2, 2)), np.zeros((len(stands), 2))
        now, left, phases = self.shifts.copy(), self._left, self._phases.copy()
        for n in range(len(stands)):
            for foot in (0, 1):
                if stands[n, foot]:
                    if phases[foot] > 0.0:
                        now[foot], left = self.aims[foot], self._left_aim
                    phases[foot] = 0.0
                    continue
                phase = float(swings[foot].phase[n])
                phases[foot] = phase if np.isnan(phases[foot]) else phases[foot]
                stays = _stays(phase) / _stays(phases[foot]) if phase > phases[foot] else 1.0
                now[foot] = self.aims[foot] + stays * (now[foot] - self.aims[foot])
                left = self._left_aim + stays * (left - self._left_aim)
                phases[foot] = max(phase, phases[foot])
            shifts[n], roots[n] = now, left * now[0] + (1.0 - left) * now[1]
            if n == PER_FRAME - 1:
                self.shifts, self._left, self._phases = now.copy(), left, phases.copy()
        return shifts, roots


def _stays(phase: float) -> float:
    """What is left at a phase of a swing of what goes in it."""
    return max(1.0 - smooth(phase), 1e-6)
