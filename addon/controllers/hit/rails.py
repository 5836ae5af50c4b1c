# SPDX-License-Identifier: GPL-3.0-or-later
"""The quick way to take hits: the root stays on the motion's rails, and the joints yield and come back."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from ...bodies.model import PHYSICS_STEP_S
from ...bodies.state import BodyState
from ...engines.commands import Torques
from ...errors import InputError
from ...specs.hit import Reaction
from ...specs.shot import Shot
from ..alone import Alone
from ..controller import Reading, Sensed, Setup, State
from .chains import OFF, chains_of, off_deg
from .entry import HIT_REACTION
from .played import Played, played_clip
from .rails_law import RailsLaw
from .rails_motion import RailsMotion

LOOP_ACTS = 5
"""Steps of the physics in one of the loop: a take is sampled every 10 ms, as of every controller."""


class RailsController(Alone):
    """See `controller.Controller`. Raises LopeError for a shot whose motion cannot be played, or whose hits miss it."""

    who = "A character that plays a motion"

    def __init__(self, setup: Setup) -> None:
        if setup.wants is not Torques:
            raise InputError("On rails a body is moved by torques: choose the engine mujoco.")
        self.control_step_s = PHYSICS_STEP_S
        self.state, body, shot = setup.state, setup.body, setup.shot
        self.played: Played = played_clip(shot, body)
        self.played.check_hits(shot.hits)
        self.subject = Path(self.played.clip.path).stem
        groups = setup.settings or HIT_REACTION.changed(shot.gains)
        own = BodyState(body, self.state.model)
        self.motion = RailsMotion(own, self.played.times_s, self.played.coordinates, PHYSICS_STEP_S)
        self.gains = self.motion.gains(groups["rails"], (shot.reaction or Reaction()).looseness)
        self.law = RailsLaw(self.state, self.motion, self.gains)
        self._most_deg, self._step, self._chains = 0.0, 0, chains_of(body)

    def start(self, state: State | None = None) -> State:
        """See `Controller.start`. Raises InputError for a state that is not the motion's own."""
        if state is not None:
            raise InputError("A motion on rails begins in its first frame, not in another state: put it first.")
        first = self.motion.at(0)
        return first.qpos, first.qvel

    def sense(self, sensed: Sensed) -> None:
        """See `Controller.sense`."""
        self._qpos, self._qvel = sensed.qpos, sensed.qvel
        self._step = round(sensed.time_s / PHYSICS_STEP_S)

    def act(self) -> Torques:
        """See `Controller.act`."""
        return self.law.command(self._step, self._qpos, self._qvel)

    def channels(self) -> Mapping[str, Reading]:
        """See `Controller.channels`: how far the clip has come, and the joint that is farthest from it."""
        off = self._off_deg()
        self._most_deg = max(self._most_deg, off)
        error = np.concatenate([np.zeros(self.state.body.root_freedom), self.law.off_rad(self._step, self._qpos)])
        return {"follow_clip_time_s": Reading("s", self._step * PHYSICS_STEP_S / self.played.slow),
                OFF: Reading("deg", off_deg(self._chains, error)),
                "hit_off_motion_deg": Reading("deg", off)}

    def _off_deg(self) -> float:
        """The angle of the joint that is farthest from the motion."""
        off, most, at = self.law.off_rad(self._step, self._qpos), 0.0, 0
        for segment in self.state.body.segments[1:]:
            size = 3 if segment.joint == "ball" else 1
            most = max(most, float(np.linalg.norm(off[at:at + size])))
            at += size
        return float(np.degrees(most))

    def stats(self) -> Mapping[str, Any]:
        """See `Controller.stats`: how far off the motion a joint came at most."""
        return {**dict(self.played.clip.told), "hit_off_motion_deg": round(self._most_deg, 3)}

    def make_way(self, shot: Shot) -> None:
        """See `Controller.make_way`."""
        raise InputError("No gait takes over from a motion that is played: take the keys out.")

    def set_gravity(self, gravity_m_s2: float) -> None:
        """See `Controller.set_gravity`: shots whose gravity changes are refused before (`played`)."""
        raise InputError("A motion is played under one gravity: take the change of gravity out.")

    def fallen(self) -> bool:
        """See `Controller.fallen`: who rides on rails cannot fall."""
        return False
