# SPDX-License-Identifier: GPL-3.0-or-later
"""The order in which a batch does things, with pretended children: workers, one Blender, renders alone, stops anywhere."""

import json
import random
from contextlib import suppress
from pathlib import Path

import pytest

import pretended_children
from lope.addon.batch.plan import plan_list
from lope.addon.batch.runner import Runner
from lope.addon.batch.shot_list import read_list
from lope.addon.batch.state import DONE, held
from lope.addon.batch.status import dry_run, result, status
from lope.addon.children.protocol import Done
from lope.addon.errors import InputError
from lope.addon.specs.shot import BodySpec
from pretended_children import Pretended, work

pretended = pretended_children.pretended
STAGES = 2 + 8 * 4
"""Stages of the list that can be done: two rigs, eight shots."""


@pytest.mark.parametrize("workers", [1, 2, 5])
def test_everything_is_done_once_by_so_many(pretended, workers):
    events = []
    report, text, code = work(pretended, workers, events.append)
    words = {shot["name"]: shot["word"] for shot in report["shots"]}
    assert code == 2 and words.pop("unrigged") == "failed" and set(words.values()) == {"passed"}
    assert "The rig has no legs." in text and "9 shots: 8 passed, 1 failed." in text
    assert max(beside for _, beside in Pretended.log) < workers
    kinds = [kind for kind, _ in Pretended.log]
    assert {kind: kinds.count(kind) for kind in set(kinds)} == {"rig": 3, "simulate": 8, "bake": 8, "render": 8}
    assert kinds[-8:] == ["render"] * 8, "renders wait until nothing else can be done"
    assert sum(event["event"] == "done" for event in events) == STAGES
    Pretended.log.clear()
    work(pretended, workers)
    assert [kind for kind, _ in Pretended.log] == ["rig"], "what failed is tried again, what is done is not"


def test_the_body_of_a_rig_reaches_the_simulation(pretended):
    work(pretended)
    out = pretended.parent / "list-out"
    heights = {name: json.loads((out / name / "report.json").read_text())["shot"]["body"]["height_m"]
               for name in ("g-mia-walk-moon", "g-astronaut-walk-moon")}
    assert heights == {"g-mia-walk-moon": 1.6, "g-astronaut-walk-moon": BodySpec().height_m}


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(6))
def test_stops_anywhere_lose_nothing(pretended, seed):
    """Five runs end by an exception at a random event; the last one finishes, and no stage was done twice."""
    chance = random.Random(seed)
    for _ in range(5):
        left = chance.randint(1, 25)

        def tell(event):
            nonlocal left
            left -= 1
            if not left:
                raise KeyboardInterrupt

        with suppress(KeyboardInterrupt):
            work(pretended, 3, tell)
    work(pretended, 3)
    plan = plan_list(read_list(pretended))
    with held(pretended, plan.list.out) as state:
        done = [states[DONE] for states in state.counts().values() if DONE in states]
    assert done == [1] * STAGES
    assert status(plan)[0]["done_twice"] == 0
    out = pretended.parent / "list-out"
    assert {path.name for path in out.rglob(".*")} == {".lope", ".lope.lock"}, "nothing half made is left"


def test_a_fall_ends_its_shot_and_is_not_simulated_again(pretended, monkeypatch):
    monkeypatch.setattr(Pretended, "fell", True)
    report, _, _ = work(pretended)
    assert {shot["word"] for shot in report["shots"]} == {"fell", "failed"}
    assert {kind for kind, _ in Pretended.log} == {"rig", "simulate"}
    Pretended.log.clear()
    work(pretended)
    assert [kind for kind, _ in Pretended.log] == ["rig"]


def test_a_simulation_that_was_lost_is_no_fall(pretended, monkeypatch):
    said = "MuJoCo lost the simulation at 1.000 s (its state was not a number)."
    monkeypatch.setattr(Pretended, "fell", True)
    monkeypatch.setattr(Pretended, "lost", said)
    pretended.write_text(pretended.read_text().replace('rig = "bad"', ""))
    report, text, code = work(pretended)
    assert (code, {shot["word"] for shot in report["shots"]}, {shot["sentence"] for shot in report["shots"]}) == (
        4, {"lost"}, {said})
    assert "9 shots: 9 lost." in text and {kind for kind, _ in Pretended.log} == {"rig", "simulate"}


def test_the_gate_follows_the_list_without_simulating_again(pretended):
    text = pretended.read_text()
    pretended.write_text(text.replace("[defaults]", '[defaults]\nmin_card = "green"'))
    report, said, _ = work(pretended)
    assert {shot["word"] for shot in report["shots"]} == {"gate", "failed"} and "it slips." in said
    Pretended.log.clear()
    pretended.write_text(text.replace("[defaults]", '[defaults]\nmin_card = "amber"'))
    report, _, _ = work(pretended)
    assert "simulate" not in {kind for kind, _ in Pretended.log} and {shot["word"] for shot in report["shots"]} == {
        "passed", "failed"}


def test_a_stage_that_fails_leaves_the_others(pretended, monkeypatch):
    monkeypatch.setattr(Pretended, "fails", {"bake": "No room on the disk."})
    report, _, code = work(pretended)
    first = report["shots"][1]
    assert (code, first["word"], first["sentence"]) == (2, "failed", "No room on the disk.")
    assert first["stages"] == {"simulate": "done", "report": "done", "bake": "failed", "render": "to do"}
    monkeypatch.setattr(Pretended, "fails", {})
    Pretended.log.clear()
    work(pretended)
    assert {kind for kind, _ in Pretended.log} == {"rig", "bake", "render"}


@pytest.mark.parametrize("stage", ["simulate", "bake"])
def test_a_stage_that_tells_nothing_for_long_is_given_up(pretended, monkeypatch, stage):
    monkeypatch.setattr(Pretended, "hangs", {stage: 1})
    plan = plan_list(read_list(pretended))
    with held(pretended, plan.list.out) as state:
        Runner(plan, state, 2, lambda event: None, patience_s=0.6).run()
        report, text, code = result(plan, state)
    assert code == 2 and "Nothing was heard of this stage for 0.01 min, so its process was ended." in text
    assert [shot["word"] for shot in report["shots"]].count("passed") == 7
    work(pretended)
    assert [shot["word"] for shot in work(pretended)[0]["shots"]].count("passed") == 8


def test_a_child_that_cannot_be_started(pretended, monkeypatch):
    def refuse(self, task):
        raise InputError("There is no Blender here.")

    monkeypatch.setattr(Pretended, "give", refuse)
    report, _, code = work(pretended)
    assert code == 2 and {shot["sentence"] for shot in report["shots"]} == {"There is no Blender here."}


@pytest.mark.slow
def test_redo_does_all_of_it_again(pretended):
    work(pretended)
    Pretended.log.clear()
    work(pretended, redo=True)
    assert len(Pretended.log) == 3 + 3 * 8


def test_the_time_is_predicted_from_the_lists_own_figures(pretended):
    plan = plan_list(read_list(pretended))
    report, text, code = dry_run(plan, 2, False)
    assert (code, report["stages"]) == (0, STAGES + 1 + 4) and report["seconds"] > 10.0
    assert "39 stages to do" in text
    work(pretended)
    again, text, _ = dry_run(plan, 2, True)
    assert 0.0 < again["seconds"] < report["seconds"], "pretended children are quick"
    assert dry_run(plan, 2, False)[0]["stages"] == 5, "the bad rig and its shot"


def test_the_sheet_is_made_once_and_shows_who_failed(pretended, monkeypatch):
    shown = []

    def answer(self, task):
        if task.kind != "sheet":
            return real(self, task)
        shown.append(json.loads(Path(task.options["words"][1]).read_text()))
        Path(task.out).write_text("a sheet")
        return Done(task.out, {})

    real = Pretended._answer
    monkeypatch.setattr(Pretended, "_answer", answer)
    pretended.write_text("sheet = true\n" + pretended.read_text())
    work(pretended)
    cells = {cell["lines"][0]: cell for cell in shown[0]}
    assert list(cells["g-mia-run-mars"]["lines"]) == ["g-mia-run-mars", "0.50 m/s, physics amber"]
    assert (cells["g-mia-run-mars"]["row"], cells["g-mia-run-mars"]["column"]) == ("Mars, 3.71 m/s²", "run, mia")
    assert cells["unrigged"]["lines"] == ["unrigged", "The rig has no legs."] and cells["unrigged"]["pictures"] == []
    assert len({(cell["row"], cell["column"]) for cell in shown[0]}) == len(shown[0]) == 9
    work(pretended)
    assert len(shown) == 1 and (pretended.parent / "list-out" / "sheet.png").read_text() == "a sheet"


def test_results_beside_the_list_leave_what_is_the_users(pretended):
    """With `out = "."` hidden folders of anybody's stand beside the results: only the batch's own left-overs go."""
    mine = [pretended.parent / name for name in (".mine.old", ".old", ".work-notes", ".frames-best", ".frames-20240131",
                                                 ".frames.old", ".rigs.old")]
    own = [pretended.parent / name for name in (f".work-{'0a' * 16}", f".frames-{'7f' * 16}")]
    for folder in (*mine, *own):
        folder.mkdir()
        (folder / "kept").write_text("")
    pretended.write_text('out = "."\n' + pretended.read_text())
    work(pretended)
    assert [folder for folder in mine if not (folder / "kept").is_file()] == []
    assert [folder for folder in own if folder.exists()] == []
