# SPDX-License-Identifier: GPL-3.0-or-later
"""Children of a batch that only pretend: a list of eight shots worked off within milliseconds."""

import dataclasses
from pathlib import Path
from typing import ClassVar

import pytest

from batch_kit import write_list
from lope.addon.batch import runner as runner_module
from lope.addon.batch.plan import plan_list
from lope.addon.batch.runner import Runner
from lope.addon.batch.shot_list import read_list
from lope.addon.batch.state import held
from lope.addon.batch.station import silent
from lope.addon.batch.status import result
from lope.addon.children.protocol import Done, Failed, Progress
from lope.addon.specs.shot import BodySpec

GRID = """
[rigs.mia]
file = "mia.blend"
[rigs.bad]
file = "bad.blend"
[defaults]
render = { size = "64x64", frames = "1,2", samples = 1 }
[[grids]]
name = "g"
rig = ["astronaut", "mia"]
gait = ["walk", "run"]
world = ["moon", "mars"]
[[shots]]
name = "unrigged"
rig = "bad"
"""


class Pretended:
    """A station that has done every task at once; `log` holds (stage, tasks that run beside it), `fails` tasks by stage."""

    log: ClassVar[list[tuple[str, int]]] = []
    given: ClassVar[list["Pretended"]] = []
    fails: ClassVar[dict[str, str]] = {}
    hangs: ClassVar[dict[str, int]] = {}
    fell = False
    lost: str | None = None

    def __init__(self, inbox, *, needs_blender):
        self.inbox, self.needs_blender, self.task, self.done = inbox, needs_blender, None, 0

    @property
    def idle(self):
        return self.task is None

    def give(self, task):
        busy = [station for station in Pretended.given if not station.idle]
        Pretended.log.append((task.kind, len(busy)))
        Pretended.given = [*busy, self]
        assert self.needs_blender is (task.kind != "simulate")
        assert not (self.needs_blender and any(station.needs_blender for station in busy)), "one Blender at a time"
        if task.kind == "render" or any(station.task.kind == "render" for station in busy):
            assert not busy, "a render has the machine for itself"
        self.task = task
        self.inbox.put((self, Progress(0.5, "half way")))
        if Pretended.hangs.get(task.kind, 0):
            Pretended.hangs[task.kind] -= 1
            return
        self.inbox.put((self, self._answer(task)))

    def _answer(self, task):
        out = Path(task.out)
        if task.kind == "rig" and "bad" in str(task.options["file"]):
            return Failed("The rig has no legs.")
        if task.kind in Pretended.fails:
            return Failed(Pretended.fails[task.kind])
        if task.kind == "render":
            out.mkdir(parents=True, exist_ok=True)
            (out / "frame_0001.png").write_text("a picture")
            return Done(task.out, {})
        out.write_text(task.kind)
        body = dataclasses.asdict(BodySpec(1.6))
        line = {"name": "slip", "grade": "amber", "reason": "it slips (green to 1: why)"}
        return Done(task.out, {
            "rig": {"armature": "Rig", "bones": None, "body": body}, "bake": {"action": "A"},
            "simulate": {"fell": Pretended.fell, "lost": Pretended.lost, "measures": {"mean_speed_m_s": 0.5, "time_fell_s": 1.0},
                         "card": {"grade": "amber", "lines": [line]}}}[task.kind])

    def freed(self):
        self.task = None
        self.done += 1

    def give_up(self, seconds):
        self.inbox.put((self, Done(self.task.out, {})))  # too late
        self.task = None
        return silent(seconds)

    def close(self):
        self.task = None


@pytest.fixture
def pretended(monkeypatch, tmp_path):
    """The list above with pretended children; gives its file."""
    monkeypatch.setattr(runner_module, "Station", Pretended)
    monkeypatch.setattr(Pretended, "log", [])
    monkeypatch.setattr(Pretended, "given", [])
    monkeypatch.setattr(Pretended, "fails", {})
    monkeypatch.setattr(Pretended, "hangs", {})
    monkeypatch.setattr(Pretended, "fell", False)
    monkeypatch.setattr(Pretended, "lost", None)
    for name in ("mia", "bad"):
        (tmp_path / f"{name}.blend").write_text(name)
    return write_list(tmp_path, GRID)


def work(path, workers=2, tell=lambda event: None, redo=False):
    """Work a list off; gives report, text, exit code."""
    plan = plan_list(read_list(path))
    with held(path, plan.list.out) as state:
        Runner(plan, state, workers, tell).run(redo)
        return result(plan, state)
