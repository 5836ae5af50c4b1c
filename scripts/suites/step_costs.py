# SPDX-License-Identifier: GPL-3.0-or-later
"""What a simulated second costs, part by part: `scripts/bench --profile`.

Every part is a few methods; each counts its own time without that of the parts within it, so the parts add up to the loop. The
time of physics over its number of steps, `mj_step` and what it takes to call it, is the unit of the ratios: it divides out how
fast the machine is, and what else runs on it.
"""

from __future__ import annotations

import functools
import io
import tempfile
import time
from collections import defaultdict
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

import mujoco

from lope.addon.bodies.state import BodyState
from lope.addon.cli import main as lope
from lope.addon.engines import mujoco_engine
from lope.addon.engines.muscled import Muscled
from lope.addon.locomotion.controller import Controller
from lope.addon.locomotion.qp.program import LadderSolver, WholeBodyProgram
from lope.addon.locomotion.registry import BUILT_IN, find_controller
from lope.addon.locomotion.tracking.tracker import TrackedController, Tracker
from lope.addon.sim.recorder import Recorder
from lope.addon.sim.simulation import Simulation

PARTS = ("physics", "sensing", "plan", "tasks", "assembly", "QP", "law", "muscles", "recording", "loop")
CASES = {
    "walk": "--gait walk", "walk, Moon": "--gait walk --world moon", "run": "--gait run",
    "lope, Moon": "--gait lope --world moon", "follow": "--moves --steer 0.5,walk,1.2",
    "stand": "--gait stand --push 0.5,0.2,80,0,0", "pose gait": "--pose-gait natural_walk",
    "muscles": "--gait walk --muscles legs", "all muscles": "--gait walk --muscles full", "reflex": "--gait reflex",
    "reflex, planar": "--gait reflex --planar",
    "creature": "--creature ostrich",
}
"""A shot of `lope simulate` each."""


class Clock:
    """Own processor time [s] and calls of each part, of methods that are put on it."""

    def __init__(self) -> None:
        self.own_s: defaultdict[str, float] = defaultdict(float)
        self.calls: defaultdict[str, int] = defaultdict(int)
        self._within: list[str] = []
        self._since = 0.0
        self._before: list[tuple[type, str, object]] = []

    def put_on(self, kind: type, name: str, part: str) -> None:
        """Count a method of a class as a part; one that the class only inherits is its parent's."""
        plain = kind.__dict__.get(name)
        if plain is None or getattr(plain, "__isabstractmethod__", False) or getattr(plain, "is_timed", False):
            return

        @functools.wraps(plain)
        def timed(*args, **kwargs):
            self._turn(part)
            try:
                return plain(*args, **kwargs)
            finally:
                self._turn(None)

        timed.is_timed = True
        self._before.append((kind, name, plain))
        setattr(kind, name, timed)

    def _turn(self, part: str | None) -> None:
        """A part begins, or the innermost one ends."""
        now = time.thread_time()
        if self._within:
            self.own_s[self._within[-1]] += now - self._since
        if part is None:
            self._within.pop()
        else:
            self._within.append(part)
            self.calls[part] += 1
        self._since = time.thread_time()

    def take_off(self) -> None:
        """Every method is as it was."""
        for kind, name, plain in self._before:
            setattr(kind, name, plain)


def timed_parts() -> Clock:
    """A clock on all parts of the loop."""
    clock = Clock()
    for kind, name, part in (
        (Simulation, "step", "loop"), (mujoco_engine.MujocoEngine, "advance", "physics"), (BodyState, "update", "sensing"),
        (Recorder, "sample", "recording"), (Recorder, "gather", "recording"), (Muscled, "apply", "muscles"),
        (Tracker, "_aim", "tasks"), (WholeBodyProgram, "build", "assembly"), (LadderSolver, "solve", "QP"),
        (TrackedController, "act", "tasks"),
    ):
        clock.put_on(kind, name, part)
    for name in BUILT_IN:
        find_controller(name)
    for kind in _all_below(Controller):
        clock.put_on(kind, "_plan" if issubclass(kind, TrackedController) else "act",
                     "plan" if issubclass(kind, TrackedController) else "law")
        clock.put_on(kind, "sense", "law")
        clock.put_on(kind, "channels", "recording")
    return clock


def _all_below(kind: type) -> list[type]:
    return [found for below in kind.__subclasses__() for found in (below, *_all_below(below))]


def costs(words: str, seconds: float) -> dict:
    """What the shot of some words costs: simulated seconds per second of the loop, `mj_step` [us], and each part's share of the
    loop and its time over that of `mj_step`, per control step."""
    steps = [0]
    real = mujoco.mj_step

    def counted(model, data, nstep: int = 1) -> None:
        steps[0] += nstep
        real(model, data, nstep)

    with tempfile.TemporaryDirectory() as folder:
        argv = ["simulate", *words.split(), "--seconds", str(seconds), "--out", str(Path(folder) / "take.npz")]
        with redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()):
            lope(argv)  # warms everything up
            clock = timed_parts()
            mujoco.mj_step = counted
            try:
                code = lope([*argv[:-1], str(Path(folder) / "again.npz")])
            finally:
                mujoco.mj_step = real
                clock.take_off()
    whole = sum(clock.own_s.values())
    step_s = clock.own_s["physics"] / max(steps[0], 1)
    return {"sim_s_per_s": seconds / whole, "mj_step_us": 1e6 * step_s, "stood": code == 0,
            "physics_steps": steps[0] / clock.calls["loop"], "control_step_us": 1e6 * whole / clock.calls["loop"],
            "share": {part: clock.own_s[part] / whole for part in PARTS},
            "over_mj_step": {part: clock.own_s[part] / clock.calls["loop"] / step_s for part in PARTS}}


def table(found: dict[str, dict]) -> str:
    """All cases as a table in Markdown: shares in per cent, in brackets the part's time over that of `mj_step`."""
    lines = ["| | s a second | mj_step [us] | " + " | ".join(PARTS) + " |", "|" + "---|" * (len(PARTS) + 3)]
    for name, one in found.items():
        cells = [f"{100.0 * one['share'][part]:.0f} ({one['over_mj_step'][part]:.1f})" if one["share"][part] > 0.0005 else ""
                 for part in PARTS]
        fell = "" if one["stood"] else ", not to its end"
        lines.append(f"| {name}{fell} | {one['sim_s_per_s']:.1f} | {one['mj_step_us']:.0f} | " + " | ".join(cells) + " |")
    return "\n".join(lines)
