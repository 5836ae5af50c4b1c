# SPDX-License-Identifier: GPL-3.0-or-later
"""A gait from key poses."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ...checks import Choice, Maybe, Part, Series
from ..path import PathSpec
from ..pose_gait import PoseGait
from ..settings import setting
from .keys import SPEED, Steering
from .motion import ENDS, MOVING, After, Motion


@dataclass(frozen=True)
class KeyPoses(Motion):
    """A machine of key poses (Yin 2007, SIMBICON), and how it is steered; its `speed_m_s` is the gait's own where none is given.
    `start` tells whether the shot before it stood; `after` is the take at whose end it starts."""

    KIND, CONTROLLERS = "key_poses", ("pose_gait",)
    SUBJECT = "A shot with a pose gait"
    NEEDS = ("The controller {} goes by key poses, and this shot has no pose gait: give it one, or choose the controller "
             "tracking.")
    REFUSES = "A gait from key poses goes as its poses and its steering have it: leave {} out."
    WHOSE, FIELD = "", "field of a gait from key poses"
    controller = CONTROLLERS[0]
    gait: PoseGait = setting(rule=Part(PoseGait), words="pose gait")
    speed_m_s: float | None = setting(None, rule=Maybe(SPEED))
    path: PathSpec = setting(factory=PathSpec, rule=Part(PathSpec))
    steering: tuple[Steering, ...] = setting((), rule=Series(Part(Steering)))
    start: str = setting(MOVING, rule=Choice("way to start or stop", ENDS))
    after: After | None = setting(None, rule=Maybe(Part(After)))

    @property
    def called(self) -> str:
        """The gait's name."""
        return self.gait.name

    def to_dict(self) -> dict[str, Any]:
        """See `Motion.to_dict`."""
        told = super().to_dict()
        if self.gait.start is None:
            del told["gait"]["start"]
        return told
