# SPDX-License-Identifier: GPL-3.0-or-later
"""What a stream of motion is made of: fragments from touch-down to touch-down, and who chooses the next one. A stream is steered
at the joints of its fragments and nowhere else, so a fragment of a gait is one step: from the touch-down of one foot to that of
the other. Ways into a gait and out of it begin or end standing, and may be longer."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Protocol

import numpy as np

from ..bodies.body import Body
from ..checks import check_number
from ..errors import InputError
from .strides import Stance

RATE_HZ = 120.0
"""Samples of a fragment in a second of its own time."""
STANDING = "standing"
"""Where a fragment begins or ends on both feet, which stay where they are, instead of at a touch-down."""
LIMITS = {"speed_m_s": ("speed", 0.0, 15.0, "m/s"), "turn_rad_s": ("rate of turning", -2.0 * math.pi, 2.0 * math.pi, "rad/s"),
          "turn_rad": ("turn", -8.0 * math.pi, 8.0 * math.pi, "rad")}
"""What may be wished for: in words, least, largest, and its unit."""


@dataclass(frozen=True, eq=False)
class Fragment:
    """N samples 1 / `RATE_HZ` apart, the first exactly at the touch-down that begins it and the last exactly at the one that ends
    it: whoever cuts one out stretches its time by that little. Lengths are the body's, times those on Earth of a body with legs
    so long; heights are over level ground. Where it lies and which way it faces is of no account: it is laid where the stream is.
    `root_m` (N, 3), `root_quaternion` (N, 4), `joint_quaternions` (N, S-1, 4) in the order of `body.joint_segments`, without
    changes of sign from sample to sample. `begins` and `ends` name the foot that touches down there, "L" or "R", or `STANDING`.
    `stances` are in seconds from the fragment's begin. The foot that begins it has a stance with `strike_s` 0. One under way at
    the begin has `strike_s` and `flat_s` of `-FOREVER_S` (`heel_off_s` too, where the heel is up already), one that lasts beyond
    the end `off_s` of `FOREVER_S` (`heel_off_s` and `flat_s` too, where they come later): the neighbours' stances complete it.
    The stance that begins with the end is the next fragment's. Feet set down anew on the way have stances of their own.
    `speed_m_s` is the mean speed over the ground, `turn_rad` by how much the way turns to the left from begin to end, `gait` what
    an animator calls the motion ("walk", "march", "stand")."""

    name: str
    gait: str
    body: Body
    begins: str
    ends: str
    root_m: np.ndarray
    root_quaternion: np.ndarray
    joint_quaternions: np.ndarray
    stances: tuple[Stance, ...]
    speed_m_s: float
    turn_rad: float

    @property
    def duration_s(self) -> float:
        return (len(self.root_m) - 1) / RATE_HZ


@dataclass(frozen=True)
class Wish:
    """What whoever steers wants, None where nothing is wished: the speed over the ground, how quickly the way turns to the left
    as long as that is wished, or how far it is to turn in all (what is left of it), and the gait's name. Speeds and rates are
    the fragments' own, on Earth: the stream has brought them there."""

    speed_m_s: float | None = None
    turn_rad_s: float | None = None
    turn_rad: float | None = None
    gait: str | None = None


WISHES = tuple(Wish.__dataclass_fields__)


def wish_from(wish: Mapping[str, Any], before: Wish | None = None) -> Wish:
    """A wish as it is told, {"speed_m_s": 1.2, "turn_rad_s": 0.3}, in place of the one `before`: what is not told stays, of the
    turns the one told last counts, None takes back. Raises InputError for what cannot be wished."""
    for name, value in wish.items():
        if name not in WISHES:
            raise InputError(f"A stream of motion cannot be steered by {name!r}: wish for {', '.join(WISHES)}.")
        if value is None:
            continue
        if name == "gait":
            if not isinstance(value, str) or not value:
                raise InputError(f"The gait that is wished for must be a name, got {value!r}.")
        else:
            what, low, high, unit = LIMITS[name]
            check_number(f"The {what} that is wished for", value, low, high, unit)
    turned = {"turn_rad_s": None, "turn_rad": None} if wish.keys() & {"turn_rad_s", "turn_rad"} else {}
    return replace(before or Wish(), **(turned | dict(wish)))


@dataclass(frozen=True)
class StreamState:
    """Where a stream is when the next fragment is chosen: the fragment that ends there, None at the stream's begin, where one
    that begins standing is due; how long the stream has gone [s on Earth]; and where it is (x, y) [m] and which way its pelvis
    faces [rad], in the stream's own level frame, in which it began at the origin facing +x."""

    last: Fragment | None
    time_s: float = 0.0
    place_m: tuple[float, float] = (0.0, 0.0)
    heading_rad: float = 0.0

    @property
    def at(self) -> str:
        """What the next fragment begins with: the foot that touches down now, or `STANDING`."""
        return STANDING if self.last is None else self.last.ends


class Source(Protocol):
    """Who chooses what comes next: a library of moves, or a clip that goes round."""

    def next(self, state: StreamState, wish: Wish) -> Fragment:
        """The fragment that goes on best: it begins with `state.at` (at the stream's very begin as the source likes), in a pose
        near the one in which `state.last` ends, and does most of what is wished. The same state and wish give the same
        fragment. Asked several fragments ahead of the motion, and again when the wish changes."""


def other_side(side: str) -> str:
    """The other foot's name; `STANDING` stays."""
    return {"L": "R", "R": "L"}.get(side, side)
