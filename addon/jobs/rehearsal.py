# SPDX-License-Identifier: GPL-3.0-or-later
"""The task of a process that waits, warm, for pushes to be tried: the shot is simulated up to the push beforehand, and from
there on when the push is told. So what is seen is what the shot with that push in it will do."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import Any

import numpy as np

from ..bodies.coordinates import joint_quaternions, root_pose
from ..children.protocol import Task, Word
from ..children.server import Line
from ..errors import InputError
from ..simulate import Simulation
from ..specs.shot import Push, Shot

PREPARING, READY, SIMULATING, SHOWN, REFUSED = "preparing", "ready", "simulating", "shown", "refused"
"""What a View says of it: the shot is simulated up to the push; it waits for one; it tries one, and so much of the response is in
the View; all of it is; the push cannot be, see `why`."""
TRY = "try"
"""The word that it takes: a push without its start."""
VIEW_HZ = 30.0
"""Poses of a response in a second."""
SHOWN_EVERY = 15
"""So many poses more are shown at once, half a second, while there are more to come."""
WAIT_S = 0.5
DIGITS = 4


def rehearse(task: Task, line: Line) -> dict[str, Any]:
    """Try pushes until that is to be finished; gives how many. `options`: `at_s`, when the push begins, and `lasts_s`, how long a
    response is looked at. Raises LopeError for a shot that cannot be simulated."""
    rehearsal = Rehearsal(task, line)
    try:
        rehearsal.until_finished()
    finally:
        rehearsal.close()
    return {"tried": rehearsal.tried}


class Rehearsal:
    """The shot up to the push, and the line to whoever dials."""

    def __init__(self, task: Task, line: Line) -> None:
        at_s, self._lasts_s = task.options["at_s"], task.options["lasts_s"]
        shot = Shot.from_dict(task.shot)
        self._shot = replace(shot, duration_s=max(shot.duration_s, at_s + self._lasts_s + 1.0))
        self._at_s, self._line, self.tried = at_s, line, 0
        self._ready: Simulation | None = None

    def until_finished(self) -> None:
        """Be ready for a push, try it, be ready for the next one."""
        line = self._line
        while not line.ended():
            if self._ready is None:
                self._prepare()
            for word in line.heard(WAIT_S)[-1:]:  # of several only the last one is still wanted
                self._try(word)

    def close(self) -> None:
        """Free what it holds."""
        if self._ready is not None:
            self._ready.close()
            self._ready = None

    def _prepare(self) -> None:
        """Simulate up to the push, as nothing of that depends on it."""
        first = self.tried == 0
        if first:
            self._line.show({"state": PREPARING, "tried": 0})
        simulation = self._ready = Simulation(self._shot)
        while simulation.time_s < self._at_s - 0.5 * simulation.control_step_s and not simulation.over:
            simulation.step()
        if simulation.over:
            raise InputError(f"The character is down by {simulation.time_s:.1f} s, before this push: choose an earlier frame, or "
                             "weaken the pushes before it.")
        if first:
            qpos = simulation.engine.qpos
            self._line.show({"state": READY, "tried": 0, "stance": qpos.tolist(), **_poses(simulation, [qpos.copy()])})

    def _try(self, word: Word) -> None:
        """Push, and look at what comes of it; not to the end where the next push is told meanwhile."""
        assert self._ready is not None
        simulation, self.tried = self._ready, word.number
        began_s, worked_s = time.perf_counter(), time.process_time()
        try:
            simulation.push(Push.from_dict({"start_s": simulation.time_s, **word.values}))
        except InputError as error:
            self._line.show({"state": REFUSED, "tried": word.number, "why": str(error)})
            return
        self._ready = None
        seen: list[np.ndarray] = []
        try:
            while len(seen) <= self._lasts_s * VIEW_HZ and not simulation.over:
                if self._line.waiting():
                    return
                if simulation.time_s >= self._at_s + len(seen) / VIEW_HZ - 0.5 * simulation.control_step_s:
                    seen.append(simulation.engine.qpos.copy())
                    if len(seen) % SHOWN_EVERY == 0:
                        self._line.show({"state": SIMULATING, "tried": word.number, **_poses(simulation, seen)})
                simulation.step()
            stats = simulation.controller.stats()
            self._line.show({
                "state": SHOWN, "tried": word.number, **_poses(simulation, seen),
                "fell": simulation.time_fell_s is not None, "lost": simulation.lost is not None,
                **{name: stats.get(name) for name in ("strategy", "steps_taken")},
                "took_s": round(time.perf_counter() - began_s, 3), "worked_s": round(time.process_time() - worked_s, 3)})
        finally:
            simulation.close()


def _poses(simulation: Simulation, seen: list[np.ndarray]) -> dict[str, Any]:
    """Places of the root (N, 3), and its and the joints' orientations (N, S, 4), of generalised coordinates, as JSON."""
    qpos = np.array(seen)
    place, turn = root_pose(simulation.plant, qpos)
    turns = np.concatenate([turn[:, None], joint_quaternions(simulation.plant, qpos)], axis=1)
    return {"rate_hz": VIEW_HZ, "root_m": place.round(DIGITS).tolist(), "turns": turns.round(DIGITS).tolist()}
