# SPDX-License-Identifier: GPL-3.0-or-later
"""What engines can do, and engines by name, each imported only when it is asked for. A root on rails accelerates as it is told,
whatever pulls at it: its own inertia is made so large that nothing else moves it, and it is pushed by that inertia times the
acceleration; so contacts, limits and joints meet it as they would meet a wall that moves."""

from __future__ import annotations

import copy
import importlib
import platform
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Protocol

import mujoco
import numpy as np

from ..bodies.body import Body
from ..bodies.capsules import Bars
from ..bodies.model import STEPPING, Stepping, build_model
from ..errors import EngineError, InputError, unknown_name
from ..specs.disturbances import LooseObject, check_objects
from ..specs.shot import ENGINES, World


@dataclass(frozen=True)
class Torques:
    """Generalised torques (nv - r,) [N m] of the joints behind a root with r coordinates. `damping` (nv - r,) [N m s] of each
    coordinate's rate is treated implicitly, so stable at any size; None leaves the body's own. `root` (r,) is the acceleration
    that a root on rails (`Rails`) has whatever pulls at it."""

    torque: np.ndarray
    damping: np.ndarray | None = None
    root: np.ndarray | None = None


@dataclass(frozen=True)
class Accelerations:
    """Generalised accelerations (nv,), and `contact_force_n` (P, 3) [N] and `torque` (nv - r,) [N m] that go with them."""

    acceleration: np.ndarray
    contact_force_n: np.ndarray
    torque: np.ndarray


@dataclass(frozen=True)
class Excitations:
    """Neural excitation (M,) of each muscle, 0 to 1, and generalised torques (nv - r,) [N m] of joints without muscles, and in
    reserve for others. `damping` is as in `Torques`, beside the muscles' own."""

    excitation: np.ndarray
    torque: np.ndarray
    damping: np.ndarray | None = None


Command = Torques | Accelerations | Excitations


NO_MOMENT = np.zeros(3)


class Engine(Protocol):
    """Moves one body through time. Coordinates are MuJoCo's, in the order of `Body.segments`; `qpos` (nq,) and `qvel` (nv,) stay
    the same arrays. `contact_force_n` (P, 3) [N] is the ground's world force on each contact point, the mean over the last call's
    physics steps (PyBullet: of the last one); `senses_contact`: found by the engine, not told. `object_pose` (K, 7) are loose
    objects' places [m] and orientations, w-x-y-z. Where it `watches`, `touched` has the impulse (3,) [N s], world axes, that each
    gave a segment during the last `apply`, by the object's row and the segment's name."""

    senses_contact: ClassVar[bool]
    qpos: np.ndarray
    qvel: np.ndarray
    contact_force_n: np.ndarray
    object_pose: np.ndarray
    step_s: float
    watches: bool
    touched: dict[tuple[int, str], np.ndarray]

    def reset(self, qpos: np.ndarray, qvel: np.ndarray) -> None:
        """Place the body in a state, with time zero, no forces and no pushes."""

    def apply(self, command: Any, seconds: float) -> None:
        """Hold a command of a kind in `accepted_commands` for some seconds. Raises EngineError when the state is lost."""

    def push(self, segment: str, force_n: np.ndarray, moment_nm: np.ndarray = NO_MOMENT) -> None:
        """From now on a force (3,) [N] and a moment (3,) [N m], world axes, act on a segment's centre of mass; zeros end them."""

    def throw(self, row: int, place_m: np.ndarray, velocity_m_s: np.ndarray) -> None:
        """The loose object of that row is here (3,), and flies at this velocity from the next `apply` on. Raises EngineError."""
        raise EngineError("This engine knows no contact, so nothing can be thrown there: choose the engine mujoco.")

    def set_gravity(self, gravity_m_s2: float) -> None:
        """From now on gravity is this [m/s^2]; the ground stays as firm as it was made."""

    def bar_itself(self, bars: bool) -> None:
        """From now on segments bar each other's way, where the engine knows them, or pass through each other."""

    def close(self) -> None:
        """Free what the engine holds."""


class ModelEngine(Engine):
    """Of a MuJoCo model of the body alone, `pushes` (6,) on its segments by their numbers: force [N] and moment [N m]."""

    watches = False

    def __init__(self, body: Body, world: World, stepping: Stepping) -> None:
        self.body, self.model = body, build_model(body, world, stepping)
        self.data = mujoco.MjData(self.model)
        self.step_s = float(self.model.opt.timestep)
        self.qpos, self.qvel = self.data.qpos, self.data.qvel
        self.contact_force_n = np.zeros((len(body.contact_points), 3))
        self.object_pose, self.touched = np.zeros((0, 7)), {}
        self.pushes: dict[int, np.ndarray] = {}

    def reset(self, qpos: np.ndarray, qvel: np.ndarray) -> None:
        mujoco.mj_resetData(self.model, self.data)
        self.qpos[:], self.qvel[:] = qpos, qvel
        self.contact_force_n[:] = 0.0
        self.pushes.clear()

    def push(self, segment: str, force_n: np.ndarray, moment_nm: np.ndarray = NO_MOMENT) -> None:
        """See `Engine.push`. Raises BodyError for a segment that the body does not have."""
        self.body.segment(segment)
        self.pushes.pop(number := self.model.body(segment).id, None)
        if np.any(force_n) or np.any(moment_nm):
            self.pushes[number] = np.concatenate([force_n, moment_nm])

    def set_gravity(self, gravity_m_s2: float) -> None:
        self.model.opt.gravity[2] = -gravity_m_s2


HEAVY = 1e7
"""Mass [kg] and moment of inertia [kg m^2] of a root on rails: a ball's 10 kN give it 1 mm/s^2."""


@dataclass(frozen=True)
class Rails:
    """The root rides on rails. `reach_rad`: joints' limits (low, high) by segment; `bars`: segments bar each other's way."""

    reach_rad: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    bars: Bars = field(default_factory=dict)

    def reaching(self, body: Body) -> Body:
        """The body with joints that go as far as the motion."""
        made = copy.copy(body)
        made.segments = tuple(
            replace(segment, limits_rad=(min(segment.range_rad[0], reach[0]), max(segment.range_rad[1], reach[1])))
            if (reach := self.reach_rad.get(segment.name)) is not None else segment for segment in body.segments)
        return made


CLASSES = {"mujoco": "MujocoEngine", "pybullet": "PyBulletEngine", "ideal": "IdealEngine", "springs": "SpringsEngine"}
"""The class of each of `ENGINES`, in the module that has its name."""
ON_RAILS = {"mujoco": "MujocoEngine", "pybullet": "PyBulletOnRails"}
"""The same of those that can move a root on rails."""


def accepted_commands(name: str, muscles: bool = False) -> type[Command]:
    """The kind of command that an engine takes, with muscles around it or without."""
    if muscles:
        return Excitations
    return Accelerations if name == "ideal" else Torques


def make_engine(name: str, body: Body, world: World, stepping: Stepping = STEPPING, *, objects: Sequence[LooseObject] = (),
                rails: Rails | None = None) -> Engine:
    """An engine of `ENGINES` holding `body` in `world`, loose `objects` touched by all of the body, the root on `rails` going
    where it is told. Only MuJoCo's ground is stiffer for what goes `quicker`. Raises InputError for another name, and for
    objects, rails where there are none; EngineError where PyBullet is not installed, and for what the ground of springs does not
    carry."""
    if name not in ENGINES:
        raise unknown_name("engine", name, ENGINES)
    check_objects(objects, name)
    if rails is not None and name not in ON_RAILS:
        raise InputError(f"The engine {name} has no rails for a body's root: choose the engine {next(iter(ON_RAILS))}.")
    extra: dict[str, Any] = {"objects": tuple(objects)} if objects else {}
    if rails is not None:
        extra["rails"] = rails
    try:
        module = importlib.import_module(f".{name}_engine", __package__)
    except ModuleNotFoundError as error:
        if error.name != "pybullet":
            raise
        raise EngineError(
            f"PyBullet is not installed in this Python {platform.python_version()}. It is built for Linux x86-64 with "
            "Python 3.11 only: there `pip install pybullet==3.2.7` adds it; elsewhere choose the engine mujoco."
        ) from None
    return getattr(module, (CLASSES if rails is None else ON_RAILS)[name])(body, world, stepping, **extra)
