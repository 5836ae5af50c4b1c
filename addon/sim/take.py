# SPDX-License-Identifier: GPL-3.0-or-later
"""What a simulation gives back: read-only arrays with known names and shapes on one time axis, named channels that a controller
adds, and the Shot that made them; one `.npz` on disk."""

from __future__ import annotations

import re
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from .. import VERSION
from ..archives import opened_archive, read_head, read_member, write_archive
from ..bodies.body import Body
from ..bodies.kinematics import segment_poses
from ..bodies.makers import body_from_dict
from ..errors import TakeError
from ..files import reading
from ..rows import let_go
from ..specs.shot import END, Shot

ARRAYS: dict[str, str] = {
    "time_s": "(T,)",
    "root_position_m": "(T,3) the root's origin: of a human the pelvis'",
    "root_quaternion": "(T,4) the root's orientation, w-x-y-z",
    "joint_quaternions": "(T,S-1,4) each segment relative to its parent, order of Body.joint_segments",
    "com_m": "(T,3)",
    "com_velocity_m_s": "(T,3)",
    "contact": "(T,F) bool, each foot loaded, order of Body.feet: of a human left, right",
    "grf_n": "(T,F,3) ground force on each foot, mean over the sample's interval",
    "contact_point_m": "(T,P,3) lowest point of each contact sphere, order of Body.contact_points",
    "contact_point_force_n": "(T,P) normal force on each contact point, mean over the sample's interval",
    "torque_nm": "(T,D-R) generalised joint torques, mean over the sample's interval",
    "plan_com_m": "(T,3) the plan's centre of mass",
    "plan_footstep_m": "(N,3) planned landing places of the ankle's ground projection",
    "plan_footstep_time_s": "(N,)",
    "plan_footstep_side": "(N,) foot, its row in Body.feet: of a human 0 left, 1 right",
    "plan_heading_rad": "(T,) heading the plan asks for",
    "plan_speed_m_s": "(T,) speed the plan asks for, not a number while it starts or stops standing",
    "pose_error_deg": "(T,) root mean square angle between planned and simulated joints",
    "object_pose": "(T,K,7) place of each loose object's middle and its orientation, w-x-y-z, order of Shot.loose",
    "event_time_s": "(E,) foot events",
    "event_kind": "(E,) 0 strike, 1 off",
    "event_side": "(E,) foot, its row in Body.feet: of a human 0 left, 1 right",
}
"""T samples, S segments, F feet, P contact points, D degrees of freedom, R the root's, N footsteps, E events, K loose objects."""

OPTIONAL = ("plan_com_m", "plan_footstep_m", "plan_footstep_time_s", "plan_footstep_side", "plan_heading_rad",
            "plan_speed_m_s", "pose_error_deg", "object_pose")
"""Arrays of a controller that plans, and of a shot with loose objects or balls. All others are there in every Take."""

NUMBERS, WHOLE = "fiu", "iu"
KINDS = {"contact": "b", "event_kind": WHOLE, "event_side": WHOLE, "plan_footstep_side": WHOLE}
"""Kinds of numpy types of arrays that hold something else than `NUMBERS`."""

_CHANNEL_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]*")


@dataclass(frozen=True)
class Channel:
    """A series that a controller adds: `values` (T, ...), one row a sample of the Take, in `unit` ("" for none)."""

    unit: str
    values: np.ndarray


def check_arrays(arrays: Mapping[str, np.ndarray], body: Body) -> None:
    """Raises TakeError for arrays that are missing, unknown, of another kind, or of a shape that does not fit the body and one
    another, for feet and events that there are not, and for times that do not go on."""
    missing = sorted(set(ARRAYS) - set(OPTIONAL) - set(arrays))
    if missing:
        raise TakeError(f"This take lacks the arrays {', '.join(missing)}.")
    unknown = sorted(set(arrays) - set(ARRAYS))
    if unknown:
        raise TakeError(f"A take holds no arrays {', '.join(unknown)}; what a controller adds is a channel.")
    sizes = {"T": len(arrays["time_s"]), "F": len(body.feet), "P": len(body.contact_points), "S-1": len(body.segments) - 1,
             "D-R": body.degrees_of_freedom - body.root_freedom}
    if sizes["T"] == 0:
        raise TakeError("This take holds no sample.")
    for name, array in arrays.items():
        letters = [x for x in ARRAYS[name][1:ARRAYS[name].index(")")].split(",") if x]
        found = (*np.shape(array), *(0 for _ in letters))  # an axis that is missing has the length 0
        shape = tuple(int(x) if x.isdigit() else sizes.setdefault(x, found[i]) for i, x in enumerate(letters))
        if np.shape(array) != shape:
            raise TakeError(f"The array {name} of this take has the shape {np.shape(array)}; expected {shape}.")
        kinds = KINDS.get(name, NUMBERS)
        if np.asarray(array).dtype.kind not in kinds:
            raise TakeError(f"The array {name} of this take is of {np.asarray(array).dtype}, which is not what it holds.")
    for name, most in (("event_kind", 2), *((name, sizes["F"]) for name in ("event_side", "plan_footstep_side"))):
        if name in arrays and not ((arrays[name] >= 0) & (arrays[name] < most)).all():
            raise TakeError(f"The array {name} of this take must hold whole numbers from 0 to {most - 1}.")
    steps = np.diff(arrays["time_s"])
    if not (np.isfinite(arrays["time_s"]).all() and (steps > 0.0).all()):
        raise TakeError("The times of this take do not go on from sample to sample.")


def check_channels(channels: Mapping[str, Channel], samples: int) -> None:
    """Raises TakeError for a channel whose name is no file's name, or whose values are not numbers, one row a sample."""
    for name, channel in channels.items():
        if not _CHANNEL_NAME.fullmatch(name) or name in ARRAYS:
            raise TakeError(f"A channel cannot be called {name!r}: letters, digits, points, _ and - make its name, and it is "
                            "none of a take's arrays.")
        if channel.values.dtype.kind not in "biuf" or channel.values.shape[:1] != (samples,):
            raise TakeError(f"The channel {name} needs a row of numbers for each of {samples} samples, got the shape "
                            f"{channel.values.shape} of {channel.values.dtype}.")


STATS: dict[str, tuple[str, type | tuple[type, ...]]] = {
    **dict.fromkeys(("time_fell_s", "planned_speed_m_s", "planned_stride_frequency_hz"), ("number", (int, float))),
    **dict.fromkeys(("lost", "gait_at_end"), ("text", str)), **dict.fromkeys(("end_velocity", "muscles"), ("list", list)),
    **dict.fromkeys(("mat", "soles"), ("table", dict)),
}
"""Statistics that are read again, and what they are where they are not None."""


def check_stats(stats: Any) -> None:
    """Raises ValueError for statistics of a file that are no table, or of which one is of another kind than in `STATS`."""
    if not isinstance(stats, dict):
        raise ValueError("its statistics are no table")
    for name, (kind, types) in STATS.items():
        value = stats.get(name)
        if value is not None and (not isinstance(value, types) or isinstance(value, bool)):
            raise ValueError(f"its {name} is {repr(value)[:80]}, which is no {kind}")


FORMAT = 2
"""1: two feet, a body stored by its landmarks, and in `plan_com_m` the measured centre of mass; it is still read."""
CHANNELS = "channel/"
"""Where the archive keeps the channels' values."""


@dataclass(frozen=True)
class Take:
    """A simulated motion. Arrays are read-only, also as attributes; names and shapes stand in `take_arrays.ARRAYS`. `stats` holds
    the run's counters: time_fell_s (None when the character stood to the end), lost (None, or the sentence with which the engine
    lost the motion), end_velocity (the generalised velocities at the last sample), and what the controller counts: of one with a
    gait planned_speed_m_s and planned_stride_frequency_hz, of one that solves quadratic programs qp_solves and qp_fallbacks.
    `channels` are what else the controller tells. Raises TakeError for arrays and channels that do not fit."""

    shot: Shot
    body: Body
    arrays: dict[str, np.ndarray]
    stats: dict[str, Any] = field(default_factory=dict)
    channels: Mapping[str, Channel] = field(default_factory=dict)

    def __post_init__(self) -> None:
        check_arrays(self.arrays, self.body)
        loose = len(self.shot.loose)
        if loose != (self.arrays["object_pose"].shape[1] if self.holds("object_pose") else 0):
            raise TakeError(f"This take needs the poses of its {loose} loose objects.")
        check_channels(self.channels, len(self.arrays["time_s"]))
        for array in (*self.arrays.values(), *(channel.values for channel in self.channels.values())):
            array.setflags(write=False)

    def __getattr__(self, name: str) -> np.ndarray:
        if name not in ARRAYS:
            raise AttributeError(name)
        if name not in self.arrays:
            raise TakeError(f"This take holds no {name}: its controller does not plan it.")
        return self.arrays[name]

    def holds(self, *names: str) -> bool:
        """Whether it holds all of these arrays."""
        return all(name in self.arrays for name in names)

    @property
    def fell(self) -> bool:
        """Whether the character fell before the end."""
        return self.stats.get("time_fell_s") is not None

    @property
    def broken_off(self) -> bool:
        """Whether a fall ended the shot, which did not say how it goes on then."""
        return self.fell and self.shot.after_fall == END

    @property
    def called(self) -> str:
        """What its motion is called: as the file of the pressure that it was laid of, without its ending; else as its shot."""
        told = next((self.stats[where] for where in ("mat", "soles") if where in self.stats), None)
        return self.shot.called if told is None else Path(told["file"]).stem

    @property
    def lost(self) -> str | None:
        """The sentence with which the engine lost the motion before the end; None where it kept it."""
        return self.stats.get("lost")

    @cached_property
    def segment_poses(self) -> tuple[np.ndarray, np.ndarray]:
        """World joint centres (T, S, 3) [m] and orientations (T, S, 4) of every segment."""
        return segment_poses(self.body, self.root_position_m, self.root_quaternion, self.joint_quaternions)

    def let_go(self) -> None:
        """Give back the memory that arrays of a long take have been read into; what is needed again is read again."""
        let_go(*self.arrays.values(), *(channel.values for channel in self.channels.values()))

    def save(self, path: str | Path) -> None:
        """Write one `.npz`; equal takes give equal files. Raises InputError where the folder cannot be written."""
        head = {"format": FORMAT, "version": VERSION, "shot": self.shot.to_dict(), "body": self.body.to_dict(),
                "stats": self.stats, "channels": {name: channel.unit for name, channel in self.channels.items()}}
        series = {name: self.arrays[name] for name in ARRAYS if name in self.arrays}
        series |= {CHANNELS + name: self.channels[name].values for name in sorted(self.channels)}
        path = Path(path)
        write_archive(path, "take", head, series, level=1)

    @classmethod
    def load(cls, path: str | Path) -> Take:
        """Read what `save` wrote. Raises TakeError naming the file and what is wrong with it."""
        path = Path(path)
        if not path.is_file():
            raise TakeError(f"There is no take at {path}.")
        with reading(f"{path} is not a Lope take, or it is damaged", TakeError):
            with opened_archive(path) as archive:
                head = read_head(archive, "take")
                if head["format"] > FORMAT:
                    raise TakeError(
                        f"{path} was written by Lope {head.get('version', '?')} (take format {head['format']}); this is Lope "
                        f"{VERSION}, which reads up to format {FORMAT}. Update Lope.")
                names = {n[:-4] for n in archive.namelist() if n.endswith(".npy")}
                if head["format"] == 1:
                    names.discard("plan_com_m")
                arrays, channels = _read(archive, names & set(ARRAYS)), head.get("channels", {})
                values = _read(archive, {CHANNELS + name for name in channels})
            found = {name: Channel(str(unit), values[CHANNELS + name]) for name, unit in channels.items()}
            check_stats(head["stats"])
            return cls(Shot.from_dict(head["shot"]), body_from_dict(head["body"]), arrays, head["stats"], found)


def _read(archive: zipfile.ZipFile, names: set[str]) -> dict[str, np.ndarray]:
    """The arrays of these names."""
    return {name: read_member(archive, name, spills=True) for name in sorted(names)}
