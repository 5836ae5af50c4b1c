# SPDX-License-Identifier: GPL-3.0-or-later
"""The muscles that a shot asks for, on a body: engine and controller make theirs of the same ones."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ...specs.actuation import Actuation
from ...specs.shot import Shot
from ..body import Body
from ..displaced import displaced
from .conditioned import conditioned
from .coordinates import own_coordinates
from .mechanics import EQUAL, make_mechanics
from .muscle import MuscleSet
from .path_actuator import PathActuator
from .sets import muscles_for

DYNAMICS = EQUAL
"""How activations follow excitations in a shot. With the 40 ms in which they fall in gait2392 a controller that looks no
further than its own step walks into its antagonists, still at work when a foot leaves the ground (docs/notes/muscle-qp.md)."""


def muscles_of(shot: Shot, body: Body) -> MuscleSet:
    """The muscles of a shot's actuation on a body, with as much active force as it says and in the shot's condition; they are
    laid on it as it is with all joints in their places. Raises LopeError for a body or a condition that they do not fit."""
    actuation = shot.actuation
    if actuation is None:
        raise ValueError("Torques move the body of this shot.")
    muscles = conditioned(muscles_for(displaced(body, shot.condition, back=True), actuation.muscles), shot.condition)
    if actuation.strength == 1.0:
        return muscles
    return muscles.changed(lambda one: one.stronger(actuation.strength))


def actuator_of(shot: Shot, body: Body) -> PathActuator:
    """The same muscles with their mechanics, as an engine is driven by them. Raises LopeError as `muscles_of` does."""
    muscles, tendon = muscles_of(shot, body), (shot.actuation or Actuation()).tendon
    mechanics = make_mechanics(muscles, tendon, dynamics=DYNAMICS)
    return PathActuator(body, muscles, mechanics, own_coordinates_of(shot, body))


def own_coordinates_of(shot: Shot, body: Body) -> np.ndarray:
    """Which coordinates (nv - r,) are the muscles': healthy ones tell, so that no condition makes torques of weak muscles."""
    return own_coordinates(body, muscles_of(replace(shot, condition=None), body))
