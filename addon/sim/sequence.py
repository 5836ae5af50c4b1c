# SPDX-License-Identifier: GPL-3.0-or-later
"""Who moves the body when: a shot's controllers, one after the other, each of which takes over the state as it is. A shot whose
gait is keyed, or that goes on from a take of another gait, has a controller for each of its parts; after a fall the one takes
over that the shot names. Where a shot goes on from a take, that take's end is the state that it begins in."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import mujoco
import numpy as np

from ..archives import MOST_NUMBER
from ..bodies.body import Body
from ..bodies.state import BodyState
from ..engines.engine import accepted_commands
from ..errors import InputError
from ..locomotion import controller as control
from ..locomotion.registry import check_settings, find_controller, find_follower
from ..specs.motion import STANDING, After, digest_of
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
    """The reference to a take's end. Raises TakeError for a file that is no take, InputError where nobody can go on from it."""
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


def physics_of(shot: Shot) -> control.Physics:
    """The physics that serves every controller of a shot. Raises InputError for controllers and settings that there are not."""
    check_settings(shot.controller, shot.after_fall, shot.gains)
    physics, follower = find_controller(shot.controller).physics(shot), find_follower(shot.after_fall)
    return physics if follower is None else physics.joined(follower.physics(shot))


class Relay:
    """A shot's controllers so far; the last one is at work. `control_step_s` is the loop's: the first one's, or a few of them."""

    def __init__(self, shot: Shot, body: Body, state: BodyState, settings: Any = None) -> None:
        """`state` is that of the body as the controllers know it; `settings` replace the first one's own. Raises LopeError."""
        self._shot, self._kind, self._state = shot, find_controller(shot.controller), state
        self._end = end = None if shot.motion.after is None else load_end(shot, state)
        self._parts = _parts(shot, end, self._kind)
        if shot.motion.keys or len(self._parts) > 1:
            self._kind.check_parts(self._parts, body)
        setup = control.Setup(self._parts.pop(0).shot, body, state, accepted_commands(shot.engine, shot.actuation is not None),
                              settings, taken=None if end is None else control.Taken(end.speed_m_s, stands=end.stands))
        self._controllers: list[control.Controller] = [self._kind.make(setup)]
        self._gaits = [self.at_work.subject]
        self.control_step_s = self._kind.physics(shot).acts * self.at_work.control_step_s
        self._setup = replace(setup, control_step_s=self.control_step_s)
        self._makes_way = False
        self._follower = find_follower(shot.after_fall)
        if self._follower is not None:
            self._after_fall = replace(self._setup, shot=shot, settings=None, taken=None)
            self._follower.check(self._after_fall)

    @property
    def at_work(self) -> control.Controller:
        """The controller at work."""
        return self._controllers[-1]

    @property
    def goes_on_after_fall(self) -> bool:
        """Whether the shot says who takes over after a fall."""
        return self._follower is not None

    def start(self) -> control.State:
        """The state that the first controller begins in."""
        end = self._end
        return self.at_work.start(None if end is None else (end.qpos, end.qvel))

    @property
    def muscles_at_start(self) -> MusclesBefore | None:
        """The muscles of the take that the shot goes on from."""
        return None if self._end is None else self._end.muscles

    def change(self, time_s: float, state: control.State) -> bool:
        """Let the next part's controller take over from the part's time [s] on, as soon as the present one can give way to it,
        or the one that the present one hands over to by itself; gives whether any has."""
        coming = self.at_work.successor()
        if coming is not None:
            coming.start(state)
            self._controllers.append(coming)
            self._gaits.append(coming.subject)
            return True
        if not self._parts or time_s < self._parts[0].from_s - 1e-9:
            return False
        if not self._makes_way:
            self.at_work.make_way(self._parts[0].shot)
            self._makes_way = True
        taken = self.at_work.gives_way()
        if taken is None:
            return False
        self._makes_way = False
        self._hand_over(self._kind, replace(self._setup, shot=self._parts.pop(0).shot, taken=taken), state)
        self._gaits.append(self.at_work.subject)
        return True

    def fall(self, state: control.State) -> bool:
        """Let the controller take over that the shot names for after a fall; gives whether there is one."""
        if self._follower is None:
            return False
        stood = self.at_work.stands
        self._hand_over(self._follower, replace(self._after_fall, stood=stood), state)
        return True

    def _hand_over(self, kind: type[control.Controller], setup: control.Setup, state: control.State) -> None:
        """The next controller takes over the state as it is, under the gravity that there is now."""
        coming, gravity = kind.make(setup), -float(self._state.gravity[2])
        if gravity != self._shot.world.gravity_m_s2:
            coming.set_gravity(gravity)
        coming.start(state)
        self._controllers.append(coming)

    def stats(self) -> dict[str, Any]:
        """The figures of all controllers: counts add up, of the others the last one's holds; where gaits change, the last one."""
        stats: dict[str, Any] = {}
        for controller in self._controllers:
            own = controller.stats()
            stats |= {name: stats.get(name, 0) + value if name in control.COUNTS else value for name, value in own.items()}
        if self._shot.motion.keys or self._shot.motion.after is not None:
            stats["gait_at_end"] = self._gaits[-1]
        return stats

    def footsteps(self) -> list[tuple[float, Any]] | None:
        """(time [s], Footstep) of the feet that have landed by plan; None where the first controller plans no steps."""
        steps = [controller.footsteps() for controller in self._controllers[:len(self._gaits)]]
        return None if steps[0] is None else [step for found in steps for step in found or ()]


def _parts(shot: Shot, end: End | None, kind: type[control.Controller]) -> list[control.Part]:
    """The parts of a shot, each with its own controller. One that goes on from a take that ends moving goes on in that one's gait
    until its own can take over; a controller that takes any state over needs no such part."""
    parts = control.parts_of(shot)
    if end is None or kind.takes_over:
        return parts
    first = parts[0].shot
    if end.stands:
        parts[0] = replace(parts[0], shot=first.with_motion(start=STANDING))
    elif (first.motion.name, first.motion.file) != (end.shot.motion.name, end.shot.motion.file):
        parts.insert(0, control.Part(0.0, control.in_gait_of(end.shot, first)))
    return parts
