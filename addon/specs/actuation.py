# SPDX-License-Identifier: GPL-3.0-or-later
"""What pulls at the joints: torques, or muscles of a set. Plain values that travel as JSON."""

from __future__ import annotations

from dataclasses import dataclass

from ..checks import Choice
from ..errors import InputError
from .settings import FIRST_GUESS, Checked, setting

SETS = ("legs", "full")
"""Shipped sets of muscles: of legs and trunk, of the whole body."""
TENDONS = RIGID, ELASTIC = ("rigid", "elastic")
MUSCLE_ENGINES = ("mujoco", "pybullet")
"""Engines in which muscles pull: those that take torques for a body of any kind."""


@dataclass(frozen=True)
class Actuation(Checked):
    """The joints are pulled by muscles of a set, with tendons that are rigid or give. Every muscle's active force is `strength`
    times that scaled to the body, its passive tissue stays; `tone` is the excitation of one that nobody commands, as of a body
    that lets go. Joints without muscles keep their torques. What effort costs is the controller's own matter: its settings."""

    WHOSE, FIELD = "The actuation's", "field of an actuation"
    muscles: str = setting("legs", rule=Choice("set of muscles", SETS), words="set of muscles")
    tendon: str = setting(RIGID, rule=Choice("kind of tendon", TENDONS), words="tendons")
    strength: float = setting(1.0, 0.1, 5.0, help="Active force of every muscle, over that of a person of this size; "
                              "passive tissue stays")
    tone: float = setting(0.01, 0.0, 0.5, help="Excitation of muscles that nobody commands", source=FIRST_GUESS)


def check_actuation(actuation: Actuation | None, engine: str, kind: str) -> None:
    """Raises InputError for muscles in an engine in which none pull, or on a body of a kind that has none."""
    if actuation is None:
        return
    if engine not in MUSCLE_ENGINES:
        raise InputError(f"No muscles pull in the engine {engine}: choose the engine {' or '.join(MUSCLE_ENGINES)}, or let "
                         "torques move the body.")
    if kind != "human":
        raise InputError(f"Muscles are laid on a human body; this one is {kind}: choose a human, or let torques move the body.")
