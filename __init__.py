# SPDX-License-Identifier: GPL-3.0-or-later
"""Lope: physically simulated walking for any rig under any planet's gravity, baked to keyframes in Blender.

This folder is the Blender extension's package and, for Python, the library `lope`. It imports without Blender, which only
`register` and `bake` need, and loads what its names stand for when they are first asked for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .addon.errors import InputError, LopeError
    from .addon.library import Simulation, Take, bake, circle, plan, shot, simulate, straight, through, world
    from .addon.specs.motion import Style
    from .addon.specs.motions import Clip, Creature, Gait, Jump, KeyPoses, Moves, Reflex, Stand
    from .addon.specs.path import PathSpec
    from .addon.specs.shot import BodySpec, Push, Shot, World

__all__ = ["BodySpec", "Clip", "Creature", "Gait", "InputError", "Jump", "KeyPoses", "LopeError", "Moves", "PathSpec", "Push",
           "Reflex", "Shot", "Simulation", "Stand", "Style", "Take", "World", "bake", "circle", "plan", "shot", "simulate",
           "straight", "through", "world"]

_HOMES = {"errors": ("InputError", "LopeError"), "specs.motion": ("Style",),
          "specs.motions": ("Clip", "Creature", "Gait", "Jump", "KeyPoses", "Moves", "Reflex", "Stand"),
          "specs.path": ("PathSpec",), "specs.shot": ("BodySpec", "Push", "Shot", "World")}
"""Modules of `addon` that hold a name of the library; `library` has all others."""


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    home = next((module for module, names in _HOMES.items() if name in names), "library")
    found = globals()[name] = getattr(import_module(f".addon.{home}", __package__), name)
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


def register() -> None:
    """Add Lope's operators, settings and panels to Blender."""
    import atexit
    import gc

    import bpy

    collects = gc.isenabled()
    gc.disable()  # what is made here stays, and looking for rubbish among all that Blender holds takes a fifth of the time
    try:
        from . import operators, panels

        operators.register()
        panels.register()
    finally:
        if collects:
            gc.enable()
    if bpy.app.module:
        # Blender as a Python module crashes at its end with commands and handlers left in it.
        atexit.register(unregister)


def unregister() -> None:
    """Take away what `register` added, in reverse."""
    import atexit

    from . import operators, panels

    atexit.unregister(unregister)
    panels.unregister()
    operators.unregister()
