# SPDX-License-Identifier: GPL-3.0-or-later
"""A worker that is ready before anything is asked for: jobs take it over, it is replaced, and no Take is another for that."""

import os
import signal
import time

import pytest

from lope.addon.children.protocol import Task
from lope.addon.errors import JobError
from lope.addon.jobs.job import AGAIN_S, CANCELLED, DONE, FAILED, Job, Worker
from lope.addon.sim.take import Take
from lope.addon.specs.shot import Shot
from pretended_workers import is_there, pretended, until

ANSWERS = """
for line in sys.stdin:
    print('\\x1e{"say": "done", "path": "x", "report": {"fell": false}}', flush=True)
"""
ENDS = "sys.exit(3)\n"


@pytest.fixture
def worker():
    made = Worker(pretended(ANSWERS))
    yield made
    made.close()


def process_of(worker):
    """The worker's process, as soon as it is there."""
    until(None, lambda: worker._child.process_id is not None)
    return worker._child.process_id


def done(job):
    until(job, lambda: job.ended)
    return job


def test_a_job_takes_the_ready_process_and_another_follows(worker):
    worker.warm()
    ready = process_of(worker)
    worker.warm()
    assert process_of(worker) == ready, "one is enough"
    job = Job(Task("simulate", {}, "x"), worker=worker)
    job.start()
    assert job.process_id == ready and worker.give(lambda *_: None) is None
    assert done(job).state == DONE and not is_there(ready)
    worker.warm()
    assert process_of(worker) != ready


def test_a_process_that_has_something_to_do_is_not_given_away(worker):
    worker.ask(Task("plan", {}, "x"))
    assert worker.give(lambda *_: None) is None
    until(None, lambda: worker.answer() is not None)
    child = worker.give(lambda *_: None)
    assert child is not None
    child.close(0.3)


def test_a_ready_process_that_died_is_replaced(worker):
    now = [0.0]
    worker._clock = lambda: now[0]
    worker.warm()
    first = worker._child
    os.kill(process_of(worker), signal.SIGTERM)
    until(None, lambda: worker._over is first)
    worker.warm()
    assert worker._child is first, "not again and again"
    assert worker.give(lambda *_: None) is None
    now[0] = AGAIN_S
    worker.warm()
    assert worker._child is not first


def test_a_job_whose_ready_process_ends_without_a_word_starts_its_own(worker):
    dying = Worker(pretended("sys.stdin.readline()\n" + ENDS))
    dying.warm()
    job = Job(Task("simulate", {}, "x"), command=pretended(ANSWERS), worker=dying)
    job.start()
    first = job._child
    assert done(job).state == DONE and job._child is not first
    other = Job(Task("simulate", {}, "x"), command=pretended(ENDS), worker=dying)
    other.start()
    assert done(other).state == FAILED, "its own is not tried again"


def test_cancelling_ends_the_process_that_was_taken():
    sleeper = Worker(pretended("sys.stdin.readline()\ntime.sleep(60)\n"))
    sleeper.warm()
    ready = process_of(sleeper)
    job = Job(Task("simulate", {}, "x"), worker=sleeper)
    job.start()
    job.cancel()
    assert done(job).state == CANCELLED and not is_there(ready)


def test_a_worker_that_cannot_be_started_is_told_by_the_job():
    def none():
        raise JobError("There is no Python.")

    lacking = Worker(none)
    lacking.warm()
    assert lacking.give(lambda *_: None) is None
    with pytest.raises(JobError, match="There is no Python"):
        Job(Task("simulate", {}, "x"), command=none, worker=lacking).start()


@pytest.mark.slow
def test_a_ready_process_gives_the_take_of_a_new_one_and_waits_idle(tmp_path):
    shot, takes = Shot(duration_s=0.6).to_dict(), []
    worker = Worker()
    try:
        worker.warm()
        process_of(worker)
        time.sleep(0.5)  # some of it is loaded, or all
        for name, has in (("warm", worker), ("cold", None)):
            job = Job(Task("simulate", shot, str(tmp_path / name)), worker=has)
            job.start()
            assert done(job).state == DONE, job.error
            takes.append((tmp_path / name).read_bytes())
    finally:
        worker.close()
    assert takes[0] == takes[1] and Take.load(tmp_path / "warm").time_s[-1] >= 0.5
