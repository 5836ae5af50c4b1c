# SPDX-License-Identifier: GPL-3.0-or-later
"""Engines by name. PyBullet is imported only when it is asked for, since it is not installed everywhere."""

from __future__ import annotations

import importlib
import platform
from collections.abc import Callable, Sequence
from typing import Any

from ..bodies.body import Body
from ..bodies.model import PHYSICS_STEP_S
from ..errors import EngineError, InputError, unknown_name
from ..specs.disturbances import LooseObject, check_objects
from ..specs.shot import ENGINES, World
from .engine import Accelerations, Command, Engine, Excitations, Rails, Torques
from .ideal_engine import IdealEngine
from .mujoco_engine import MujocoEngine
from .springs_engine import SpringsEngine

ON_RAILS = ("mujoco", "pybullet")
"""Engines that can move a root on rails."""


def engine_names() -> tuple[str, ...]:
    """The names `make_engine` knows, whether or not the engine is installed here."""
    return ENGINES


def accepted_commands(name: str, muscles: bool = False) -> type[Command]:
    """The kind of command that an engine takes, with muscles around it or without. Raises InputError for a name that is not in
    `engine_names()`."""
    if name not in ENGINES:
        raise unknown_name("engine", name, ENGINES)
    if muscles:
        return Excitations
    return Accelerations if name == "ideal" else Torques


def make_engine(name: str, body: Body, world: World, *, step_s: float = PHYSICS_STEP_S,
                capsules: bool = False, objects: Sequence[LooseObject] = (), quicker: float = 1.0,
                rails: Rails | None = None) -> Engine:
    """An engine holding `body` in `world`, with physics steps of `step_s`; with `capsules` all of the body can touch the ground.
    Loose `objects` can be touched by all of it. For what goes so many times `quicker` than a motion similar to Earth's MuJoCo's
    ground is stiffer; the others' is stiff. On `rails` the root goes where it is told.

    Raises InputError for a name that is not in `engine_names()`, for objects where there is no contact between bodies, and for
    rails where there are none;
    EngineError where PyBullet is asked for and not installed, and for what the ground of springs does not carry.
    """
    makers: dict[str, Callable[..., Engine]] = {
        "mujoco": MujocoEngine, "pybullet": _make_pybullet, "ideal": IdealEngine, "springs": SpringsEngine}
    if name not in makers:
        raise unknown_name("engine", name, engine_names())
    check_objects(objects, name)
    extra: dict[str, Any] = {"objects": tuple(objects)} if objects else {}
    if name == "mujoco":
        extra["quicker"] = quicker
    if rails is not None:
        if name not in ON_RAILS:
            raise InputError(f"The engine {name} has no rails for a body's root: choose the engine {ON_RAILS[0]}.")
        extra["rails"] = rails
    return makers[name](body, world, step_s=step_s, capsules=capsules, **extra)


def _make_pybullet(body: Body, world: World, *, step_s: float, capsules: bool, objects: Sequence[LooseObject] = (),
                   rails: Rails | None = None) -> Engine:
    try:
        module = importlib.import_module(".pybullet_engine", __package__)
    except ModuleNotFoundError as error:
        if error.name != "pybullet":
            raise
        raise EngineError(
            f"PyBullet is not installed in this Python {platform.python_version()}. It is built for Linux x86-64 with "
            "Python 3.11 only: there `pip install pybullet==3.2.7` adds it; elsewhere choose the engine mujoco."
        ) from None
    if rails is not None:
        return module.PyBulletOnRails(body, world, step_s=step_s, capsules=capsules, objects=objects, rails=rails)
    return module.PyBulletEngine(body, world, step_s=step_s, capsules=capsules, objects=objects)
