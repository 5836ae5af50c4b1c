# SPDX-License-Identifier: GPL-3.0-or-later
"""Where a shot goes on from: the end of a take as the state of its body, and the reference by which a shot names it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path

import mujoco
import numpy as np

from ..bodies.body import Body
from ..bodies.state import BodyState
from ..errors import InputError
from ..reading import MOST_NUMBER
from ..specs.motions.motion import After, digest_of
from ..specs.shot import Shot
from .take import Take

STANDS_SPEED = 0.06
"""A body on both feet that is slower than this, over sqrt(g l), stands (first guess: a step is five times as fast)."""


@dataclass(frozen=True)
class MusclesBefore:
    """The muscles of a take's body by name, and their activations (M,) at its end."""

    names: tuple[str, ...]
    activation: np.ndarray


@dataclass(frozen=True)
class End:
    """How a take ends: coordinates (nq,) and velocities (nv,) of its body, the shot of the gait in which it ends, at the speed
    [m/s] planned there, and whether it stands; of a body that muscles moved also these."""

    qpos: np.ndarray
    qvel: np.ndarray
    shot: Shot
    speed_m_s: float
    stands: bool
    muscles: MusclesBefore | None = None


def after_take(path: str | Path) -> After:
    """The reference to a take's end. Raises TakeError for a file that is no take, InputError for one that nobody can go on
    from."""
    path = Path(path).absolute()
    take = Take.load(path)
    check_end(take, path)
    place, heading = _place(take)
    return After(str(path), digest_of(path), (place.real, place.imag), math.degrees(heading),
                 float(take.time_s[-1] - take.time_s[0]))


def check_end(take: Take, path: str | Path) -> None:
    """Raises InputError for a take that does not end on its feet."""
    if take.lost is not None or take.fell:
        what = "the engine lost it" if take.lost is not None else "its character fell"
        raise InputError(f"The take {path} does not end on its feet ({what}): go on from one that stands to its end.")
    if len(take.time_s) < 3:
        raise InputError(f"The take {path} is too short to go on from: it holds {len(take.time_s)} samples, and three tell how "
                         "the body moves.")
    ends = (take.arrays[name][-3:] for name in ("root_position_m", "root_quaternion", "joint_quaternions", "com_m",
                                                "com_velocity_m_s"))
    if not all((np.abs(end, dtype=float) <= MOST_NUMBER).all() for end in ends):
        raise InputError(f"The take {path} ends with places or turns that are no numbers, or too large: simulate it again.")
    if take.body.kind != "human":
        raise InputError(f"Shots go on from takes of a human body; that of {path} is {take.body.kind}.")


def load_end(shot: Shot, state: BodyState) -> End:
    """The end of the take that a shot goes on from, for its body's `state`, which is updated. Raises TakeError where there is
    none, InputError where it is not the one that the shot was made for, or not of this body or ground."""
    after = shot.motion.after
    if after is None:
        raise ValueError("This shot goes on from no take.")
    path = Path(after.take)
    take = Take.load(path)
    if digest_of(path) != after.sha256:
        raise InputError(f"The take {path} has changed since this shot was made to go on from it: choose it anew, or bring the "
                         "old file back.")
    check_end(take, path)
    if take.body.to_dict() != state.body.to_dict():
        raise InputError(f"The take {path} is of another body than this shot's: go on with the same proportions, mass and suit.")
    if take.shot.world.ground != shot.world.ground:
        raise InputError(f"The take {path} is on another ground than this shot's: go on over the same ground.")
    qpos, qvel = _motion(take, state)
    pace = math.sqrt(shot.world.gravity_m_s2 * state.body.leg_length_m)
    stands = bool(take.contact[-1].all()) and float(np.hypot(*take.com_velocity_m_s[-1, :2])) < STANDS_SPEED * pace
    if shot.motion.start == "standing" and not stands:
        raise InputError(f"The take {path} ends moving, and this shot is to start standing: leave its start on moving.")
    gait = take.stats.get("gait_at_end")
    old = take.shot if gait in (None, take.shot.motion.name) else take.shot.with_motion(name=gait, file=None)
    speed = take.stats.get("planned_speed_m_s", float(np.hypot(*take.com_velocity_m_s[-1, :2])))
    return End(qpos, qvel, old, float(speed), stands, _muscles(take))


def _muscles(take: Take) -> MusclesBefore | None:
    """The muscles at the end of a take; None where there are none."""
    if "muscles" not in take.stats:
        return None
    return MusclesBefore(tuple(take.stats["muscles"]), np.array(take.channels["activation"].values[-1], dtype=float))


def _place(take: Take) -> tuple[complex, float]:
    """Where the path of what follows starts, and its heading [rad]: beside the COM on the middle line between the feet."""
    heading = float(take.plan_heading_rad[-1]) if take.holds("plan_heading_rad") else _facing(take)
    forward, com = complex(math.cos(heading), math.sin(heading)), complex(*take.com_m[-1, :2])
    places = take.segment_poses[0][-1]
    feet = [complex(*places[take.body.index[foot.segment], :2]) for foot in take.body.feet]
    aside = float(np.mean([((foot - com) / forward).imag for foot in feet]))
    return com + 1j * aside * forward, heading


def _facing(take: Take) -> float:
    """Where the root faces at the end [rad]."""
    w, x, y, z = take.root_quaternion[-1].tolist()
    return math.atan2(2.0 * (w * z + x * y), 1.0 - 2.0 * (y * y + z * z))


def _motion(take: Take, state: BodyState) -> tuple[np.ndarray, np.ndarray]:
    """Coordinates and velocities of the body at the end of a take. Older takes hold no velocities but the COM's: the others are
    the rates of the last samples, brought forward to the last one unless a foot has come down or left between them."""
    model, body = state.model, state.body
    poses = [_coordinates(take, body, row) for row in (-3, -2, -1)]
    known = np.array(take.stats.get("end_velocity", ()), dtype=float)
    if len(known) == model.nv:
        state.update(poses[-1], known)
        return poses[-1], known
    rates = np.empty((2, model.nv))
    for rate, before, now, row in zip(rates, poses, poses[1:], (-2, -1), strict=False):
        mujoco.mj_differentiatePos(model, rate, float(take.time_s[row] - take.time_s[row - 1]), before, now)
    qvel = rates[1].copy()
    if (take.contact[-3:] == take.contact[-1]).all():
        qvel += 0.5 * (rates[1] - rates[0])
    state.update(poses[-1], qvel)
    qvel[:3] += take.com_velocity_m_s[-1] - state.com_velocity
    state.update(poses[-1], qvel)
    return poses[-1], qvel


def _coordinates(take: Take, body: Body, row: int) -> np.ndarray:
    """Generalised coordinates (nq,) of a sample."""
    parts = [take.root_position_m[row], take.root_quaternion[row]]
    for segment, turn in zip(body.segments[1:], take.joint_quaternions[row], strict=True):
        parts.append(turn if segment.joint == "ball" else
                     np.array([2.0 * math.atan2(float(turn[1:] @ segment.axis), float(turn[0]))]))
    return np.concatenate(parts)
