# SPDX-License-Identifier: GPL-3.0-or-later
"""A clip that is followed, in which time, and what becomes of its flights; or the moves of the library, as they are steered."""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import PurePath
from typing import Any

from ...checks import Choice, Maybe, Part, Series, Text
from ...errors import InputError
from ..disturbances import HIT, RAILS
from ..settings import setting
from .keys import Steering
from .motion import Motion
from .stand import Stand

TIMES = ("planet", "clip")
"""In the planet's time, dynamically similar to the clip on Earth (Froude), or in the clip's own."""
FLIGHTS = ("height", "velocity")
"""What of a flight is kept under another gravity: its height, so that the take-off is softer, or the take-off's velocity, so that
it goes higher and lasts longer. The first is the default: on the Moon few stand that fly for three seconds."""
MOVES = "moves"
"""What the motion of a shot is called that goes by the library's moves."""
CLIP, PRESSURE = ".bvh", (".csv", ".npz")
"""How the names of clips end, and those of pressure's files; a folder of pressure pictures is called as anybody likes."""


class Followed(Motion):
    """What a clip and the library's moves share: fields `time`, `stretch` and `flight`. In the planet's time everything lasts
    sqrt(g_Earth / g) as long, and as much longer or shorter as the square root of the legs' lengths, body's over clip's;
    `stretch` lasts as many times longer again."""

    SUBJECT = "A shot that follows a clip"
    REFUSES = "A shot that follows a clip takes its motion from there: leave out {}."
    time: str
    stretch: float
    flight: str

    def time_scale(self, gravity_ratio: float, leg_ratio: float) -> float:
        """How many times longer than in the clip everything lasts under a gravity over Earth's, on legs over the clip's."""
        return self.stretch * (math.sqrt(leg_ratio / gravity_ratio) if self.time == "planet" else 1.0)


@dataclass(frozen=True)
class Clip(Followed):
    """A clip (a BVH file) that is followed step by step, or pressure under somebody's feet that is read as a motion by a
    `database` of such motions. One to `repeat` goes round between its two most alike touch-downs as long as the shot lasts. Who
    is to `catch` steps where the clip alone would fall, as `stand` says, and goes on with it from there. A shot's `duration_s`
    cuts it short; it ends where the clip ends at the latest, and `until_end` it is as long as the clip lasts there
    (`sim.simulation.resolved`)."""

    KIND, CONTROLLERS = "clip", ("follow", "lee", HIT)
    NEEDS = ("The controller {} follows a clip, and this shot names none: give it one, or choose the controller tracking.")
    WHOSE, FIELD = "The followed clip's", "field of a followed clip"
    file: str = setting(rule=Text(), words="file")
    time: str = setting("planet", rule=Choice("time to follow a clip in", TIMES))
    stretch: float = setting(1.0, 0.25, 4.0)
    flight: str = setting(FLIGHTS[0], rule=Choice("way to fly", FLIGHTS))
    repeat: bool = setting(False)
    catch: bool = setting(False)
    database: str | None = setting(None, rule=Maybe(Text()), words="database of pressure")
    until_end: bool = setting(False)
    stand: Stand | None = setting(None, rule=Maybe(Part(Stand)))
    tuned: bool = setting(True)
    controller: str = setting(CONTROLLERS[0], rule=Choice("controller that follows a clip", CONTROLLERS))

    def __post_init__(self) -> None:
        super().__post_init__()
        ending = PurePath(self.file).suffix.lower()
        if self.database is None and ending in PRESSURE:
            raise InputError(f"{self.file} is pressure, or no clip: name the database of the motions that it is read by, which "
                             "`lope pressure index` makes.")
        if self.database is not None and ending == CLIP:
            raise InputError(f"A database tells which motion pressure is of, and {self.file} is none: leave the database out, or "
                             "follow pressure (.csv, .npz or a folder of pictures).")
        if self.catch and self.repeat:
            raise InputError("Who follows a clip again and again cannot be caught: leave one of both out.")
        if self.catch and self.controller != self.CONTROLLERS[0]:
            raise InputError(f"Who is to be caught is moved by the controller {self.CONTROLLERS[0]}, not by {self.controller}.")
        if self.until_end and self.repeat:
            raise InputError("A motion that is repeated goes on for ever: give the shot a duration.")

    @property
    def called(self) -> str:
        """The file's name without its ending."""
        return PurePath(self.file).stem

    @property
    def source_file(self) -> str | None:
        """See `Motion.source_file`."""
        return self.file

    def catches(self, hit: bool) -> bool:
        """Whether who follows it steps where the clip alone would fall: if asked to, and where something is to hit."""
        return self.controller == self.CONTROLLERS[0] and not self.repeat and (self.catch or hit)

    def check(self, shot: Any) -> None:
        """See `Motion.check`."""
        if self.stand is None:
            return
        if not self.catches(bool(shot.hits)):
            raise InputError("Only who stands has a stance: choose the gait stand, or leave the stance out.")
        if self.stand.apart_m is not None or self.stand.ahead_m or self.stand.one_leg:
            raise InputError("Who is caught in a clip stands as the clip does: leave out how far apart or ahead the feet are, "
                             "and the leg.")


@dataclass(frozen=True)
class Moves(Followed):
    """The moves of the library, standing at first and then as the `steering` says."""

    KIND, CONTROLLERS = MOVES, Clip.CONTROLLERS[:1]
    SUBJECT = "A shot that goes by the moves of the library"
    REFUSES = "The moves of the library go on as they are steered: leave {} out."
    WHOSE, FIELD = "The moves'", "field of the library's moves"
    controller = CONTROLLERS[0]
    steering: tuple[Steering, ...] = setting((), rule=Series(Part(Steering)))
    time: str = setting("planet", rule=Choice("time to follow a clip in", TIMES))
    stretch: float = setting(1.0, 0.25, 4.0)
    flight: str = setting(FLIGHTS[0], rule=Choice("way to fly", FLIGHTS))

    @property
    def called(self) -> str:
        """See `Motion.called`."""
        return MOVES

    @property
    def source_file(self) -> str | None:
        """See `Motion.source_file`."""
        return MOVES


def follower_of(law: str) -> str:
    """The controller that follows a clip and takes hits by a law, one of `hit.LAWS`."""
    return HIT if law == RAILS else Clip.CONTROLLERS[0]
