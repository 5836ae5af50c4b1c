# SPDX-License-Identifier: GPL-3.0-or-later
"""A shot's muscles for a controller that tracks a plan: their program, what they feel, the command that they are given."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...bodies.body import Body
from ...bodies.muscles.actuator import MuscleState
from ...bodies.muscles.conditioned import pain_weights
from ...bodies.muscles.of_shot import muscles_of, own_coordinates_of
from ...bodies.state import BodyState
from ...engines.commands import Excitations
from ...specs.actuation import ELASTIC
from ...specs.shot import Shot
from ..qp.cones import ContactSet
from ..qp.program import WholeBodyProgram
from .body_pull import BodyPull
from .elastic_pull import ElasticPull
from .program import MuscledProgram
from .settings import EffortSettings


class Muscles:
    """The muscles of one body. `pull` is what they can do, in the state that the program last took over."""

    def __init__(self, shot: Shot, body: Body, control_step_s: float, settings: EffortSettings) -> None:
        """Raises LopeError for a body or a condition that the shot's muscles do not fit."""
        muscles = muscles_of(shot, body)
        elastic = shot.actuation is not None and shot.actuation.tendon == ELASTIC
        self.pull = (ElasticPull if elastic else BodyPull)(body, muscles, own_coordinates_of(shot, body), control_step_s)
        self._settings, self._pain = settings.under(shot.condition), pain_weights(muscles, shot.condition)
        self._activation: np.ndarray | None = None

    @property
    def sparing(self) -> bool:
        """Whether what they spend weighs anything."""
        return self._settings.metabolic_weight > 0.0

    def program(self, state: BodyState, contacts: ContactSet, **parts: Any) -> MuscledProgram:
        """The program of a tracker with these muscles; `parts` are those of `qp.program.WholeBodyProgram`."""
        return MuscledProgram(state, contacts, self.pull, self._settings, self._pain if self._pain.any else None, **parts)

    def feel(self, muscles: MuscleState | None, begins: bool) -> None:
        """Take in how active they are. At a shot's begin, or where nobody tells, they are as active as they are told to be."""
        self._activation = None if begins or muscles is None else muscles.activation
        self.pull.feel(self._activation)
        self.pull.feel_fibres(None if begins else muscles)

    def command(self, program: WholeBodyProgram) -> Excitations:
        """What brings them to the activations of a program of theirs within the control step, and the torques beside theirs."""
        if not isinstance(program, MuscledProgram):
            raise TypeError("Muscles are told to be active by a program of muscles.")
        return Excitations(self.pull.excitation(program.activation, self._activation), program.rest_nm)


def muscles_at(shot: Shot, body: Body, control_step_s: float, settings: EffortSettings) -> Muscles | None:
    """The muscles of a shot, acted on once a control step; None where torques move its body. Raises LopeError as `Muscles`."""
    return None if shot.actuation is None else Muscles(shot, body, control_step_s, settings)
