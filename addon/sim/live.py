# SPDX-License-Identifier: GPL-3.0-or-later
"""A live shot: the simulation's loop at the speed of the clock, steered and pushed while it runs. What happened is a Take, and a
shot that gives the same Take again."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from ..bodies.body import joint_quaternions, root_pose
from ..errors import InputError
from ..specs.shot import DURATION_RANGE_S, Push, Shot
from ..specs.steering import Steering
from .drive_script import ScriptWriter, end_of
from .simulation import Simulation
from .take import Take

VIEW_S = 1.0 / 60.0
"""Time between the poses that are shown [s]: a display's."""
MOST_OWED_S = 0.1
"""What a machine that fell behind still makes good [s]; beyond, the clock slows down instead."""
MOST_AT_ONCE = 2.0
"""How many displayed moments are simulated before the next one is shown, while something is made good."""
NOTED_S = 0.25
"""Simulated time from note to note of how far the drive has come: a drive that is cut short loses less than twice that [s]."""
RATE_S = 1.0
"""The clock's speed is told over the last so many seconds."""
DIGITS = 5


def live(shot: Shot) -> Shot:
    """A shot as it is begun at the wheel: it ends when it is ended, and moves until then."""
    motion = shot.motion.reset("until_end", "stop", "retry", "keys", "footprints", "steering")
    return replace(shot, motion=motion, duration_s=DURATION_RANGE_S[1], pushes=())


class Clock:
    """How much is to be simulated to keep up with the clock, and how fast it goes."""

    def __init__(self, now_s: float) -> None:
        self._last_s, self._owed_s = now_s, 0.0
        self._past = deque([(now_s, 0.0)])

    def due(self, now_s: float) -> float:
        """Seconds to simulate now; what is more than can be made good is let go."""
        self._owed_s = min(self._owed_s + now_s - self._last_s, MOST_OWED_S)
        self._last_s = now_s
        return min(self._owed_s, MOST_AT_ONCE * VIEW_S)

    def went(self, now_s: float, seconds: float, time_s: float) -> None:
        """So much was simulated, and it is that time of the shot now."""
        self._owed_s -= seconds
        self._past.append((now_s, time_s))
        while now_s - self._past[0][0] > RATE_S:
            self._past.popleft()

    def rate(self) -> float:
        """Simulated seconds in a second, lately; 1 where it has only begun."""
        (was_s, before), (now_s, after) = self._past[0], self._past[-1]
        return (after - before) / (now_s - was_s) if now_s - was_s > 0.5 * RATE_S else 1.0


class Drive:
    """One shot at the wheel, noted in a script as it happens. Raises LopeError for a shot that cannot be driven."""

    def __init__(self, shot: Shot, script: str | Path) -> None:
        self.simulation = Simulation(live(shot))
        self._script = ScriptWriter(script, self.simulation.shot)
        self._noted_s = 0.0

    def steer(self, wish: dict[str, Any]) -> None:
        """Take over a wish, from now on. Raises InputError for one that the controller does not take."""
        if self.simulation.time_fell_s is None:
            self.simulation.wish(Steering.from_dict({"time_s": self.simulation.time_s, **wish}))
            self._script.steer(self.simulation.shot.motion.steering[-1])

    def push(self, push: dict[str, Any]) -> None:
        """Push now. Raises InputError for a push that cannot be."""
        self.simulation.push(Push.from_dict({"start_s": self.simulation.time_s, **push}))
        self._script.push(self.simulation.shot.pushes[-1])

    def go(self, seconds: float, enough: Callable[[], bool] = lambda: False) -> float:
        """Simulate so long, to the next control step, unless it was `enough` before; gives how much it went on [s]."""
        simulation, began = self.simulation, self.simulation.time_s
        until = began + seconds - 0.5 * simulation.control_step_s
        while simulation.time_s < until and not simulation.over and not enough():
            simulation.step()
        if simulation.time_s - self._noted_s >= NOTED_S:
            self._noted_s = simulation.time_s
            self._script.came_to(simulation.time_s)
        return simulation.time_s - began

    def pose(self) -> dict[str, Any]:
        """What is to be seen now: time, place of the root, its and the joints' orientations, speed, whether it fell, and the
        poses of loose objects where there are any."""
        simulation = self.simulation
        qpos = simulation.engine.qpos[None]
        place, turn = root_pose(simulation.plant, qpos)
        turns = np.concatenate([turn, joint_quaternions(simulation.plant, qpos)[0]])
        velocity = simulation.state.com_velocity
        loose = simulation.engine.object_pose
        objects = {"objects": loose.round(DIGITS).tolist()} if len(loose) else {}
        return {**objects, "time_s": round(simulation.time_s, 4), "root_m": place[0].round(DIGITS).tolist(),
                "turns": turns.round(DIGITS).tolist(), "speed_m_s": round(float(np.hypot(*velocity[:2])), 2),
                "fell": simulation.time_fell_s is not None, "over": simulation.over}

    def end(self, progress: Callable[[float, str], None] | None = None) -> Take:
        """End the shot here, and give its Take: the last steps that belong to it are simulated, of a fall that goes on all."""
        simulation = self.simulation
        if simulation.tick == 0:
            raise InputError("Nothing was driven: the character stands where it began.")
        simulation.end_at(end_of(simulation.shot, simulation.time_s))
        self._script.end(simulation.shot.duration_s)
        while not simulation.over:
            if progress is not None:
                progress(min(simulation.tick / max(simulation.last_tick, 1), 1.0), "ending")
            simulation.step()
        return simulation.take()

    def close(self) -> None:
        """Free what the engine holds, and let go of the script."""
        self._script.close()
        self.simulation.close()
