# SPDX-License-Identifier: GPL-3.0-or-later
"""What stands at the ends of a shot, and the settings of that."""

from __future__ import annotations

from dataclasses import dataclass

from ....specs.settings import FIRST_GUESS, Checked, setting


@dataclass(frozen=True)
class EndSettings(Checked):
    """Times are Earth's and grow with 1/sqrt(g)."""

    WHOSE, FIELD, SOURCE = "A standing end's", "setting of standing ends", FIRST_GUESS
    quiet_s: float = setting(0.6, 0.0, 10.0, "s", "Quiet standing before the weight shifts")
    shift_s: float = setting(0.5, 0.05, 5.0, "s", "From the first shift of weight to the first foot's lift",
                             source="Breniere and Do 1986: about half a second")
    still_s: float = setting(1.2, 0.0, 10.0, "s", "Quiet standing after the last foot is down")
    first: tuple[float, ...] = setting((0.4, 0.6, 0.8), 0.0, 1.0, help="First steps over the gait's",
                                       source="first guess; full speed is reached with the third (Breniere and Do 1986)")
    last: tuple[float, ...] = setting((0.85, 0.5, 0.0), 0.0, 1.0, help="Last steps over the gait's; the last sets the foot "
                                      "beside the other")
    last_short: tuple[float, ...] = setting((0.6, 0.0), 0.0, 1.0, help="The same of steps that a bend makes short")
    shortest: float = setting(0.6, 0.1, 1.0, help="How much shorter all last steps may be, where the path has an end")
    longest: float = setting(1.3, 1.0, 3.0, help="From which length on they begin there")
    reach: float = setting(0.997, 0.5, 1.0, help="Length of a standing leg over its bones' (knees bent by 9 degrees)")
    amplitude_rate: float = setting(2.0, 0.01, 100.0, help="How fast the gait's motion comes and goes, over the stride frequency",
                                    formerly=("vigour_rate",))
    sink_rate: float = setting(0.8, 0.01, 100.0, help="The same for the COM's way from standing height to the gait's rise and "
                               "fall: fast, it would push the body ahead")


@dataclass(frozen=True)
class StandingShot:
    """How long a shot is [s], and which of its ends stand. `as_people`: who stands sets off at once, and whose feet a stop
    has left apart sets them level."""

    duration_s: float
    start: bool
    stop: bool
    as_people: bool = False
