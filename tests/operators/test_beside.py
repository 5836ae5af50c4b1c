# SPDX-License-Identifier: GPL-3.0-or-later
"""What is worked out beside Blender: by a process that stays, never in a thread, and equal to what this process works out."""

import ast
import os
import signal
import time
from pathlib import Path

import numpy as np
import pytest

bpy = pytest.importorskip("bpy", reason="needs the bpy module")

import lope_scene  # noqa: E402
from foot_slip import walk  # noqa: E402
from lope.addon.children.protocol import Done, Failed, Task  # noqa: E402
from lope.addon.errors import TakeError  # noqa: E402
from lope.addon.jobs.beside import planned, read_found, take_pressure, take_traces  # noqa: E402
from lope.addon.jobs.job import Worker  # noqa: E402
from lope.addon.reports.events import traces_of  # noqa: E402
from lope.addon.reports.pressure_on_ground import seen_under  # noqa: E402
from lope.addon.specs.motions import Gait  # noqa: E402
from lope.addon.specs.shot import Shot  # noqa: E402
from lope.operators import beside, plan_board  # noqa: E402

pytestmark = pytest.mark.slow

scene, astronaut = lope_scene.scene, lope_scene.astronaut
OPERATORS = Path(plan_board.__file__).parent
PATIENCE_S = 60.0


def same(one, other):
    if isinstance(one, np.ndarray):
        assert one.dtype == other.dtype
        np.testing.assert_array_equal(one, other)
    elif hasattr(one, "__dataclass_fields__"):
        assert type(one) is type(other)
        same(vars(one), vars(other))
    elif isinstance(one, dict):
        assert one.keys() == other.keys()
        for name in one:
            same(one[name], other[name])
    elif isinstance(one, (tuple, list)):
        assert type(one) is type(other) and len(one) == len(other)
        for pair in zip(one, other, strict=True):
            same(*pair)
    else:
        assert one == other or one != one


def until(answered):
    end = time.monotonic() + PATIENCE_S
    while not (found := answered()):
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.01)
    return found


def test_no_operator_starts_a_thread():
    for path in OPERATORS.rglob("*.py"):
        names = {alias.name.split(".")[0] for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
                 if isinstance(node, ast.Import) for alias in node.names}
        assert not names & {"threading", "concurrent", "multiprocessing", "_thread"}, path


def test_what_the_worker_finds_is_what_this_process_finds(tmp_path):
    shot, path = Shot(motion=Gait("auto", speed_m_s=1.2), duration_s=3.0), tmp_path / "take.npz"
    take = walk("earth", 2.0)
    take.save(path)
    tasks = [Task("plan", shot.to_dict(), str(tmp_path / "plan"), {"leg_length_m": 0.9}),
             Task("traces", {}, str(tmp_path / "traces"), {"take": str(path)}),
             Task("under", {}, str(tmp_path / "under"), {"take": str(path)})]
    worker = Worker()
    try:
        for task in tasks:
            worker.ask(task)
        answers = [until(worker.answer) for _ in tasks]
        child = worker._child.process_id
        worker.ask(tasks[1])
        assert isinstance(until(worker.answer), Done) and worker._child.process_id == child
    finally:
        worker.close()
    assert all(isinstance(answer, Done) for answer in answers)
    plan, traces, under = (read_found(answer.path) for answer in answers)
    own = planned(shot, 0.9)
    assert own["preview"] is not None and Shot.from_dict(plan.pop("shot")) == own.pop("shot")
    same(own, plan)
    same(traces_of(take), traces)
    same(seen_under(take), under["picture"])


def test_a_worker_that_dies_answers_and_is_replaced(tmp_path):
    task = Task("traces", {}, str(tmp_path / "out"), {"take": str(tmp_path / "none.npz")})
    worker = Worker()
    try:
        worker.ask(task)
        assert "There is no take" in until(worker.answer).text
        first = worker._child
        os.kill(first.process_id, signal.SIGKILL)
        until(lambda: worker._over is first)
        worker.ask(task)
        assert "There is no take" in until(worker.answer).text and worker._child is not first
        worker.ask(Task("plan", {}, "", {}))
        second = worker._child
        worker.ask(task)
        os.kill(second.process_id, signal.SIGKILL)
        answers = [until(worker.answer), until(worker.answer)]
        assert all(isinstance(answer, Failed) for answer in answers) and "There is no take" in answers[1].text
    finally:
        worker.close()


def test_a_worker_that_cannot_be_started_says_so(tmp_path):
    def none():
        raise TakeError("There is no Python.")

    worker = Worker(none)
    worker.ask(Task("traces", {}, "", {}))
    assert worker.answer() == Failed("There is no Python.") and worker.answer() is None


def test_a_plan_comes_from_the_worker_while_operators_run(astronaut, scene, monkeypatch):
    """Operators in a context that is overridden, as adding an astronaut has them, crashed beside a thread."""
    monkeypatch.setattr(beside, "here", False)
    scene.lope.show_preview = True
    try:
        for gait in ("walk", "lope", "run"):
            astronaut.lope.gait = gait
            monkeypatch.setattr(plan_board, "_due_s", 0.0)
            assert plan_board._step() is not None and plan_board._under_way
            end = time.monotonic() + PATIENCE_S
            while plan_board._under_way:
                assert time.monotonic() < end, "waited in vain"
                bpy.ops.lope.add_astronaut()
                bpy.data.objects.remove(bpy.context.object)
                bpy.context.view_layer.objects.active = astronaut
                plan_board._step()
            made = plan_board.of(astronaut)
            assert made.error == "" and made.shot.motion.name == gait and len(made.preview.footstep_m) > 3
    finally:
        beside.close()


def test_tasks_write_what_they_find(tmp_path):
    walk("earth", 2.0).save(tmp_path / "take.npz")
    for do in (take_traces, take_pressure):
        task = Task("", {}, str(tmp_path / f"{do.__name__}.npz"), {"take": str(tmp_path / "take.npz")})
        assert do(task) == {"found": True} and read_found(task.out)


def test_simulate_takes_the_ready_process_and_the_next_is_made_ready(astronaut, scene, monkeypatch):
    monkeypatch.setattr(beside, "here", False)
    scene.lope.duration_s = 1.0
    given = []
    monkeypatch.setattr(beside.worker, "give", lambda callback: given.append(Worker.give(beside.worker, callback)) or given[-1])
    try:
        beside.warm()
        ready = beside.worker._child
        assert bpy.ops.lope.simulate() == {"FINISHED"} and given == [ready]
        assert beside.worker._child not in (None, ready) and Path(astronaut.lope.take_path).is_file()
    finally:
        beside.close()
