# SPDX-License-Identifier: GPL-3.0-or-later
"""A gait by its name, or of a captured clip, that goes on for as long as the shot lasts."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ...checks import Choice, Maybe, Number, Part, Series, Text
from ...errors import InputError
from ..path import Footprint, PathSpec, check_footprints
from ..settings import setting
from .keys import SPEED, Key, Steering, check_keys, check_steering
from .motion import ENDS, MOVING, STANDING, After, Motion
from .style import Style

SCALINGS = ("similar", "fixed")
GAIT_LAWS = ("similar", "people")
"""How a gait goes with gravity: dynamically similar (Kim 2017), or as was measured on people (`gaits.people`)."""
PEOPLE = "people"
AUTO = "auto"
"""The gait that people choose there, at the speed asked (`gaits.choice`)."""
TRACKING = "tracking"


@dataclass(frozen=True)
class Gait(Motion):
    """A built-in gait by its `name`, or the gait of a clip's `file` in its place.

    `law` tells how speed, stride frequency and the rest go with gravity, `scaling` how the pendulum's gains do. `keys` change
    speed and gait on the way; `steering` is what was wished for on the way, by an animator at the wheel (`sim.live.Drive`) or by
    a script. `after` is the take at whose end the shot starts. `start` and `stop` tell whether the character moves or stands at
    the shot's ends. A shot `until_end` is as long as its path and stops standing at its end where the gait can: `duration_s` and
    `stop` are then worked out. `tuned` uses the gait's tuned foot paths where there are any; `force` simulates even a speed
    outside the gait's feasible range. One that may `retry` and falls at a speed that nobody asked for is tried again at others
    (`sim.retry`). `controller` names what moves the body.
    """

    KIND, CONTROLLERS = "gait", ()
    WHOSE, FIELD = "", "field of a gait"
    name: str = setting("walk", words="gait")
    speed_m_s: float | None = setting(None, rule=Maybe(SPEED))
    path: PathSpec = setting(factory=PathSpec, rule=Part(PathSpec))
    law: str = setting("similar", rule=Choice("gait law", GAIT_LAWS), words="gait law")
    style: Style = setting(factory=Style, rule=Part(Style))
    start: str = setting(MOVING, rule=Choice("way to start or stop", ENDS))
    stop: str = setting(MOVING, rule=Choice("way to start or stop", ENDS))
    keys: tuple[Key, ...] = setting((), rule=Series(Part(Key)))
    footprints: tuple[Footprint, ...] = setting((), rule=Series(Part(Footprint)))
    steering: tuple[Steering, ...] = setting((), rule=Series(Part(Steering)))
    file: str | None = setting(None, rule=Maybe(Text()), words="motion")
    stride_frequency_hz: float | None = setting(None, rule=Maybe(Number(0.05, 5.0, "Hz")))
    after: After | None = setting(None, rule=Maybe(Part(After)))
    until_end: bool = setting(False)
    tuned: bool = setting(True)
    scaling: str = setting("similar", rule=Choice("gain scaling", SCALINGS))
    force: bool = setting(False)
    retry: bool = setting(False)
    controller: str = setting(TRACKING)

    @property
    def called(self) -> str:
        """The gait's name, or the file's without its ending."""
        return self.name if self.file is None else Path(self.file).stem

    @property
    def source_file(self) -> str | None:
        """See `Motion.source_file`."""
        return self.file

    def check(self, shot: Any) -> None:
        """See `Motion.check`."""
        check_keys(self.keys, shot.duration_s)
        check_steering(self.steering, shot.duration_s, {
            "the keys": self.keys, "the footprints": self.footprints, "the end of its path": self.until_end,
            "trying again": self.retry, "stopping at the end": self.stop == STANDING})
        if self.keys and self.until_end:
            raise InputError("How long a path takes is not known beforehand where speed or gait are keyed: give the shot a "
                             "duration, or take the keys out.")
        if self.footprints and (self.keys or self.after is not None):
            raise InputError("Footprints can be locked only in a shot of one gait and speed that starts by itself: take the keys "
                             "and the take to go on from out, or reset the footprints.")
        check_footprints(self.footprints, standing=STANDING in (self.start, self.stop),
                         gravity_changes=bool(shot.world.gravity_ramp))
