# SPDX-License-Identifier: GPL-3.0-or-later
"""Every number of the controller that may be tuned, and gains that a shot brings along in place of the shipped ones."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ...motions.cycle import Cycle
from ...specs.shot import Shot
from ..qp.muscle_program import EffortSettings
from ..settings import Values, changed_groups, own_groups
from ..tracking.weights import RUNNING, TrackerSettings
from .running.settings import RunningSettings
from .shot_gait import map_points
from .walk.footsteps import StepSettings, WalkSettings

FORMER_GROUPS = {"bounce": "running", "bounce_tracker": "running_tracker"}
"""What groups of these settings were called before, and are called now."""


@dataclass(frozen=True)
class Controls:
    """Weights, gains and limits; the defaults are the shipped ones."""

    walk: WalkSettings = WalkSettings()
    running: RunningSettings = RunningSettings()
    running_tracker: TrackerSettings = RUNNING
    tracker: TrackerSettings = TrackerSettings()
    steps: StepSettings = StepSettings()
    effort: EffortSettings = EffortSettings(activation_weight=10.0, metabolic_weight=0.8)
    running_effort: EffortSettings = EffortSettings(activation_weight=0.3, reserve_weight=1.0)
    """A run asks for nearly all that muscles have; what is spared of it is lost at take-off (docs/notes/muscle-qp.md)."""
    displacement: np.ndarray | None = None
    """Points (6, 3) of a foot displacement map in place of the gait's stored one."""

    def groups(self) -> dict[str, Any]:
        """The groups that a shot may set, by name."""
        return {name: getattr(self, name) for name in ("walk", "running", "running_tracker", "tracker", "steps")}

    def points(self, shot: Shot, cycle: Cycle) -> np.ndarray | None:
        """Points of the map with which a shot of that motion is simulated; None for none."""
        return map_points(shot, cycle) if self.displacement is None else self.displacement


def shot_controls(shot: Shot) -> Controls:
    """The shipped controls, with the gains of the shot where it brings some; groups of other controllers are theirs. Raises
    InputError for unknown settings."""
    return replace(Controls(), **own_groups(Controls().groups(), shot.gains, FORMER_GROUPS))


def changed(controls: Controls, values: Values) -> Controls:
    """Controls with fields of their groups replaced: {"walk": {"clearance_m": 0.013}}. Raises InputError for unknown ones,
    and for values out of their range."""
    return replace(controls, **changed_groups(controls.groups(), values, FORMER_GROUPS))
