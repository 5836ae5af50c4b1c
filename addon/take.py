# SPDX-License-Identifier: GPL-3.0-or-later
"""What a simulation gives back: read-only arrays on one time axis and the Shot that made them; one `.npz` on disk."""

from __future__ import annotations

import io
import json
import zipfile
import zlib
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from . import VERSION
from .bodies.body import Body
from .bodies.kinematics import segment_poses
from .bodies.makers import body_from_dict
from .errors import InputError, TakeError
from .specs.shot import Shot

FORMAT = 1
_DAMAGED = (OSError, EOFError, KeyError, ValueError, TypeError, AttributeError, RuntimeError, zipfile.BadZipFile, zlib.error)
"""What reading a file that is no take, or was damaged, raises (zipfile says RuntimeError for flags it does not know)."""
_EPOCH = (1980, 1, 1, 0, 0, 0)  # a fixed stamp inside the archive, so that equal takes are equal files

ARRAYS: dict[str, str] = {
    "time_s": "(T,)",
    "root_position_m": "(T,3) pelvis origin",
    "root_quaternion": "(T,4) pelvis orientation, w-x-y-z",
    "joint_quaternions": "(T,S-1,4) each segment relative to its parent, order of Body.joint_segments",
    "com_m": "(T,3)",
    "com_velocity_m_s": "(T,3)",
    "contact": "(T,2) bool, left and right foot loaded",
    "grf_n": "(T,2,3) ground force on each foot, mean over the sample's interval",
    "contact_point_m": "(T,P,3) lowest point of each contact sphere, order of Body.contact_points",
    "contact_point_force_n": "(T,P) normal force on each contact point, mean over the sample's interval",
    "torque_nm": "(T,D-6) generalised joint torques, mean over the sample's interval",
    "plan_com_m": "(T,3) the planner's centre of mass",
    "plan_footstep_m": "(N,3) planned landing places of the ankle's ground projection",
    "plan_footstep_time_s": "(N,)",
    "plan_footstep_side": "(N,) 0 left, 1 right",
    "plan_heading_rad": "(T,) heading the plan asks for",
    "pose_error_deg": "(T,) root mean square angle between planned and simulated joints",
    "event_time_s": "(E,) foot events",
    "event_kind": "(E,) 0 strike, 1 off",
    "event_side": "(E,) 0 left, 1 right",
}


@dataclass(frozen=True)
class Take:
    """A simulated motion. Arrays are read-only; their shapes stand in `ARRAYS`.

    `stats` holds the run's counters: planned_speed_m_s, planned_stride_frequency_hz, qp_solves, qp_fallbacks,
    time_fell_s (None when the character stood to the end).
    """

    shot: Shot
    body: Body
    arrays: dict[str, np.ndarray]
    stats: dict[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        missing = sorted(set(ARRAYS) - set(self.arrays))
        if missing:
            raise TakeError(f"This take lacks the arrays {', '.join(missing)}.")
        for array in self.arrays.values():
            array.setflags(write=False)

    def __getattr__(self, name: str) -> np.ndarray:
        if name in ARRAYS:
            return self.arrays[name]
        raise AttributeError(name)

    @property
    def fell(self) -> bool:
        """Whether the character fell before the end."""
        return self.stats.get("time_fell_s") is not None

    @cached_property
    def segment_poses(self) -> tuple[np.ndarray, np.ndarray]:
        """World joint centres (T, S, 3) [m] and orientations (T, S, 4) of every segment."""
        return segment_poses(self.body, self.root_position_m, self.root_quaternion, self.joint_quaternions)

    def save(self, path: str | Path) -> None:
        """Write one `.npz`; equal takes give equal files. Raises InputError where the folder cannot be written."""
        head = {"format": FORMAT, "version": VERSION, "shot": self.shot.to_dict(), "body": self.body.to_dict(),
                "stats": self.stats}
        members = {"take.json": json.dumps(head, sort_keys=True).encode()}
        for name in ARRAYS:
            buffer = io.BytesIO()
            np.lib.format.write_array(buffer, np.ascontiguousarray(self.arrays[name]), allow_pickle=False)
            members[f"{name}.npy"] = buffer.getvalue()
        path = Path(path)
        partial = path.with_name(path.name + ".part")
        try:
            with zipfile.ZipFile(partial, "w") as archive:
                for name, data in members.items():
                    info = zipfile.ZipInfo(name, _EPOCH)
                    info.external_attr = 0o644 << 16
                    archive.writestr(info, data, zipfile.ZIP_DEFLATED, compresslevel=1)
            partial.replace(path)
        except OSError as error:
            raise InputError(f"The take cannot be written to {path}: {error.strerror or error}.") from error

    @classmethod
    def load(cls, path: str | Path) -> Take:
        """Read what `save` wrote. Raises TakeError naming the file and what is wrong with it."""
        path = Path(path)
        if not path.is_file():
            raise TakeError(f"There is no take at {path}.")
        try:
            with zipfile.ZipFile(path) as archive:
                head = json.loads(archive.read("take.json"))
                if head["format"] > FORMAT:
                    raise TakeError(
                        f"{path} was written by Lope {head.get('version', '?')} (take format {head['format']}); this is Lope "
                        f"{VERSION}, which reads up to format {FORMAT}. Update Lope.")
                names = {n[:-4] for n in archive.namelist() if n.endswith(".npy")}
                arrays = {n: np.lib.format.read_array(io.BytesIO(archive.read(f"{n}.npy")), allow_pickle=False)
                          for n in sorted(names & set(ARRAYS))}
            return cls(Shot.from_dict(head["shot"]), body_from_dict(head["body"]), arrays, head["stats"])
        except _DAMAGED as error:
            raise TakeError(f"{path} is not a Lope take, or it is damaged: {error}.") from error
