# SPDX-License-Identifier: GPL-3.0-or-later
"""The job that searches a creature's gait: what it shows on the way, how it is ended, what it keeps, how it goes on."""

import json
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from lope.addon.bodies.creature.template import find_creature
from lope.addon.children.protocol import Task
from lope.addon.children.server import Line
from lope.addon.errors import InputError
from lope.addon.jobs import creature_search
from lope.addon.jobs.tasks import TASKS
from lope.addon.locomotion.creature.stored import read_gait
from lope.addon.reports.retry import attempt
from lope.addon.search.search import Result
from lope.addon.sim.take import Take
from lope.addon.specs.motions import Creature, CreatureGait, CreatureTrial, creature_gait_file
from lope.addon.specs.shot import BodySpec, Shot
from lope.addon.viewport.sketch import Sketch

pytestmark = pytest.mark.slow

BODY = BodySpec(kind="creature", creature=find_creature("dinosaur"))


class Desk:
    """The other end of the job's line: what it was told and shown, and after how much it says that it is enough."""

    def __init__(self, enough: int = 10**6) -> None:
        self.told, self.views, self._enough = [], [], enough

    @property
    def line(self) -> Line:
        return Line(lambda share, words: self.told.append((share, words)), lambda: len(self.told) >= self._enough,
                    lambda seconds: [], self.views.append, lambda: False)


def searched(stood, seen):
    """A search in place of the real one, of three generations, whose gait stands from so many starts."""

    def tune(problem, run, *, best):
        out, checkpoint = run.out, run.checkpoint
        seen.append((problem, run.plan, run.resume))
        if run.resume and checkpoint.is_file() and checkpoint.read_text() == "another's":
            raise InputError("The checkpoint belongs to another search.")
        checkpoint.write_text("so far")
        name, stopped = out.stem, False
        gait = CreatureGait(name, "dinosaur", 0.9, leg_length_m=0.6, mass_kg=35.0, trial=CreatureTrial(8, stood, 30.0, 0.9))
        try:
            for generation in range(3):
                best(gait)
                run.callback(generation / 3, f"generation {generation + 1}")
        except KeyboardInterrupt:
            stopped = True
        out.write_text(json.dumps(creature_gait_file(gait)), encoding="utf-8")
        return Result({"gait": name, "trial": {"stood": stood}}, stopped)

    return tune


@cache
def walked(text: str) -> Take:
    """The take of a shot; the jobs here show the same few over and over."""
    return attempt(Shot.from_dict(json.loads(text)))


@pytest.fixture
def job(tmp_path, monkeypatch):
    """Do the job, from standing, as a walk that is under way is led in for seconds; gives its report, the desk and what the
    search was asked."""

    def run(stood=8, enough=10**6):
        desk, seen = Desk(enough), []
        monkeypatch.setattr(creature_search, "tune_creature", searched(stood, seen))
        monkeypatch.setattr(creature_search, "WALKED_S", 1.2)
        monkeypatch.setattr(creature_search, "attempt", lambda shot, cancelled: walked(json.dumps(shot.to_dict())))
        monkeypatch.setattr(creature_search, "AGAIN_S", 0.0)
        task = Task("creature", Shot(body=BODY, motion=Creature(speed_m_s=0.9, start="standing"), seed=3).to_dict(),
                    str(tmp_path / "dino-9.81.json"), {"minutes": 2.5})
        return TASKS["creature"](task, desk.line), desk, seen

    return run


def test_it_searches_what_the_shot_asks_and_keeps_what_stands(job, tmp_path):
    report, desk, ((problem, plan, resume),) = job()
    assert (problem.body, problem.speed_m_s, plan.minutes, plan.seed, resume) == (BODY, 0.9, 2.5, 4, True)
    assert report["kept"] and read_gait(tmp_path / "dino-9.81.json").trial.stood == 8
    assert [share for share, _ in desk.told] == [0.0, 0.0, 0.0, 1 / 3, 2 / 3]


def test_what_it_has_come_to_is_shown_as_it_walks_and_not_twice(job):
    _, desk, _ = job()
    first, view = desk.views  # the untuned law, then the first gait that is found
    assert first["words"] == "" and view["words"] == ""
    sketch = Sketch.of(json.loads(json.dumps(view)))
    assert sketch.ends.shape[1:] == (len(sketch.sides), 2, 3) and len(sketch.sides) >= len(BODY.creature.parts)
    assert len(sketch.ends) == pytest.approx(1.2 * sketch.rate_hz, abs=3)
    assert np.isfinite(sketch.ends).all() and sketch.ends[..., 2].min() > -0.05


def test_it_ends_with_the_best_so_far_and_goes_on_where_it_was_ended(job, tmp_path):
    report, desk, _ = job(enough=2)
    assert len(desk.told) == 3 and report["kept"]
    assert (tmp_path / f"dino-9.81{creature_search.CHECKPOINT}").read_text() == "so far"
    assert [path.name for path in tmp_path.glob("*.json")] == ["dino-9.81.json"], "a checkpoint is no gait"


def test_what_falls_is_not_kept_and_takes_no_others_place(job, tmp_path):
    report, _, _ = job(stood=0)
    assert not report["kept"] and not list(tmp_path.glob("*.json"))
    report, _, _ = job(stood=0, enough=1)  # somebody liked it
    assert report["kept"] and read_gait(tmp_path / "dino-9.81.json").trial.stood == 0
    job(stood=8)
    job(stood=5)
    assert read_gait(tmp_path / "dino-9.81.json").trial.stood == 8
    job(stood=5, enough=1)  # it looked right
    assert read_gait(tmp_path / "dino-9.81.json").trial.stood == 5


def test_a_checkpoint_of_another_drawing_is_dropped(job, tmp_path):
    Path(tmp_path / f"dino-9.81{creature_search.CHECKPOINT}").write_text("another's")
    report, _, seen = job()
    assert [resume for *_, resume in seen] == [True, False] and report["kept"]
