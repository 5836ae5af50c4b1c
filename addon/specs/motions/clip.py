# SPDX-License-Identifier: GPL-3.0-or-later
"""What a shot follows: a clip, in which time, and what becomes of its flights. Plain values that travel as JSON."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import PurePath
from typing import Any

from ...checks import Choice, Maybe, Text
from ...errors import InputError
from ..disturbances import HIT, RAILS
from ..settings import Checked, setting

TIMES = ("planet", "clip")
"""In the planet's time, dynamically similar to the clip on Earth (Froude), or in the clip's own."""
FLIGHTS = ("height", "velocity")
"""What of a flight is kept under another gravity: its height, so that the take-off is softer, or the take-off's velocity, so that
it goes higher and lasts longer. The first is the default: on the Moon few stand that fly for three seconds."""
MOVES = "moves"
"""What the motion of a shot is called that goes by the library's moves."""
FOLLOWERS = ("follow", "lee", HIT)
"""Controllers that follow a clip, the first by default: a shot with one of them names its clip, and no other shot has one."""


CLIP, PRESSURE = ".bvh", (".csv", ".npz")
"""How the names of clips end, and those of pressure's files; a folder of pressure pictures is called as anybody likes."""
LEFT_OUT_UNSET = ("catch", "database")
"""Fields that are written only where they are set: so what was written before there were any stays as it was."""


@dataclass(frozen=True)
class Follow(Checked):
    """The clip (a BVH file) that a shot follows, step by step, or pressure under somebody's feet that is read as a motion by a
    `database` of such motions. In the planet's time everything lasts sqrt(g_Earth / g) as long, and as much longer or shorter as
    the square root of the legs' lengths, body's over clip's; `stretch` lasts as many times longer again. A clip to `repeat` goes
    round between its two most alike touch-downs as long as the shot lasts. Who is to `catch` steps where the clip alone would
    fall, and goes on with it from there. In place of a clip a shot may go by the `moves` of the library, as its steering says."""

    WHOSE, FIELD = "The followed clip's", "field of a followed clip"
    clip: str | None = setting(None, rule=Maybe(Text()), words="file")
    time: str = setting("planet", rule=Choice("time to follow a clip in", TIMES))
    stretch: float = setting(1.0, 0.25, 4.0)
    flight: str = setting(FLIGHTS[0], rule=Choice("way to fly", FLIGHTS))
    repeat: bool = setting(False)
    moves: bool = setting(False)
    catch: bool = setting(False)
    database: str | None = setting(None, rule=Maybe(Text()), words="database of pressure")

    def __post_init__(self) -> None:
        super().__post_init__()
        if (self.clip is None) != self.moves:
            raise InputError("A shot follows either a clip or the moves of the library: name one of them.")
        ending = PurePath(self.clip or "").suffix.lower()
        if self.database is None and ending in PRESSURE:
            raise InputError(f"{self.clip} is pressure, or no clip: name the database of the motions that it is read by, which "
                             "`lope pressure index` makes.")
        if self.database is not None and (self.clip is None or ending == CLIP):
            raise InputError(f"A database tells which motion pressure is of, and {self.clip or 'the library of moves'} is none: "
                             "leave the database out, or follow pressure (.csv, .npz or a folder of pictures).")
        if self.catch and (self.moves or self.repeat):
            raise InputError("Who follows the moves of the library, or a clip again and again, cannot be caught: leave one of "
                             "both out.")
        if self.moves and self.repeat:
            raise InputError("The moves of the library go on as they are steered: leave the repeating out.")

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON types."""
        return {name: value for name, value in dataclasses.asdict(self).items() if value or name not in LEFT_OUT_UNSET}

    @property
    def file(self) -> str:
        """The clip's path. Raises InputError where there is none."""
        if self.clip is None:
            raise InputError("A shot that goes by the moves of the library has no clip.")
        return self.clip

    def time_scale(self, gravity_ratio: float, leg_ratio: float) -> float:
        """How many times longer than in the clip everything lasts under a gravity over Earth's, on legs over the clip's."""
        return self.stretch * (math.sqrt(leg_ratio / gravity_ratio) if self.time == "planet" else 1.0)


def follower_of(law: str) -> str:
    """The controller that follows a clip and takes hits by a law, one of `hit.LAWS`."""
    return HIT if law == RAILS else FOLLOWERS[0]


def check_follow(follow: Follow | None, controller: str, asked: Mapping[str, Any]) -> None:
    """Raises InputError where a shot has a clip but no controller that follows one, or the other way round, and for what a
    shot that follows a clip cannot have: `asked` by their names in words, those that are set being true."""
    if follow is None:
        if controller in FOLLOWERS:
            raise InputError(f"The controller {controller} follows a clip, and this shot names none: give it one, or choose the "
                             "controller tracking.")
        return
    if controller not in FOLLOWERS:
        raise InputError(f"A shot that follows a clip is moved by the controller {' or '.join(FOLLOWERS)}, not by {controller}.")
    if follow.catch and controller != FOLLOWERS[0]:
        raise InputError(f"Who is to be caught is moved by the controller {FOLLOWERS[0]}, not by {controller}.")
    if follow.moves and controller != FOLLOWERS[0]:
        raise InputError(f"The moves of the library are made by the controller {FOLLOWERS[0]}, not by {controller}.")
    wrong = [words for words, value in asked.items() if value]
    if wrong:
        raise InputError(f"A shot that follows a clip takes its motion from there: leave out {' and '.join(wrong)}.")
