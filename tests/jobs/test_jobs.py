# SPDX-License-Identifier: GPL-3.0-or-later
"""Jobs in a process of their own: results, early ends, cancelling, deaths on either side, and rows of them."""

import os
import signal
import subprocess
import sys
import textwrap
import time

import pytest

from lope.addon.children import child as launch
from lope.addon.children.protocol import Done, Failed, Progress, Task, decode, encode
from lope.addon.errors import JobError
from lope.addon.jobs.job import CANCELLED, DONE, FAILED, RUNNING, WAITING, Job, JobQueue, worker_command
from lope.addon.jobs.tasks import LEAST_S, take_report
from lope.addon.sim.take import Take
from lope.addon.specs.shot import Shot
from pretended_workers import PATIENCE_S, is_there, pretended, until
from take_factory import Walk, make_take

posix = pytest.mark.skipif(os.name != "posix", reason="signals are POSIX")


def task(tmp_path, seconds=1.0, name="take.npz"):
    return Task("simulate", Shot(duration_s=seconds).to_dict(), str(tmp_path / name))


@pytest.mark.parametrize("message", [Task("simulate", {"a": 1}, "x.npz", {"b": [2]}), Progress(0.5, "half"),
                                     Done("x.npz", {"fell": False}), Failed("No.", "because")])
def test_messages_travel_as_one_line(message):
    line = encode(message)
    assert line.endswith(b"\n") and line.count(b"\n") == 1 and decode(line) == message


@pytest.mark.parametrize("line", [b"", b"hello\n", b'{"say": "dance"}\n', b'{"say": "progress", "how": 3}\n', b"[]\n"])
def test_what_is_no_message_is_told(line):
    with pytest.raises(JobError, match="no message"):
        decode(line)


def test_the_worker_is_isolated_and_finds_the_packages():
    python, isolated, *_, = worker_command()
    assert isolated == "-I" and os.path.isfile(python)
    assert all(os.path.isdir(folder) for folder in launch.package_folders())


def test_missing_packages_are_named(monkeypatch):
    monkeypatch.setattr(launch, "NEEDED", ("numpy", "no_such_package"))
    with pytest.raises(JobError, match="no package no_such_package"):
        worker_command()


@pytest.mark.slow
def test_a_job_gives_the_take_that_simulating_here_gives(tmp_path):
    from lope.addon.sim.simulation import simulate

    job = Job(task(tmp_path))
    job.start()
    until(job, lambda: job.ended)
    assert (job.state, job.error, job.share) == (DONE, "", 1.0)
    assert job.report["fell"] is False and job.report["early"] is False and job.report["duration_s"] == pytest.approx(1.0)
    simulate(Shot(duration_s=1.0)).save(tmp_path / "here.npz")
    assert (tmp_path / "here.npz").read_bytes() == (tmp_path / "take.npz").read_bytes()


def test_a_simulation_that_the_engine_lost_has_its_sentence():
    said = "MuJoCo lost the simulation at 3.200 s (its state was not a number)."
    report = take_report(make_take(Walk(seconds=4.0), stats={"time_fell_s": 3.2, "lost": said}))
    assert report["lost"] == said and report["early"] is False
    assert take_report(make_take(Walk(seconds=4.0)))["lost"] is None


@pytest.mark.slow
def test_finishing_early_keeps_what_there_is(tmp_path):
    job = Job(task(tmp_path, 3000.0))
    job.start()
    until(job, lambda: job.share > 0.0)
    job.finish()
    until(job, lambda: job.ended)
    assert job.state == DONE and job.report["early"]
    assert 0.0 < Take.load(tmp_path / "take.npz").time_s[-1] < 3000.0


@pytest.mark.slow
def test_finishing_at_once_keeps_a_take_that_can_be_looked_at(tmp_path):
    job = Job(task(tmp_path, 3000.0))
    job.start()
    job.finish()
    until(job, lambda: job.ended)
    assert job.state == DONE and job.report["early"]
    assert LEAST_S <= Take.load(tmp_path / "take.npz").time_s[-1] < 60.0


@pytest.mark.slow
def test_cancelling_leaves_no_process_and_no_file(tmp_path):
    job = Job(task(tmp_path, 3000.0))
    job.start()
    until(job, lambda: job.share > 0.0)
    job.cancel()
    until(job, lambda: job.ended)
    assert job.state == CANCELLED and not is_there(job.process_id)
    assert list(tmp_path.iterdir()) == []


def test_a_job_can_be_cancelled_before_and_while_it_starts(tmp_path):
    early = Job(task(tmp_path))
    early.cancel()
    assert early.state == CANCELLED and early.process_id is None
    job = Job(task(tmp_path, 3000.0))
    job.start()
    job.close()
    assert job.state == CANCELLED and not is_there(job.process_id)


@posix
def test_a_worker_that_does_not_leave_is_killed(tmp_path):
    job = Job(task(tmp_path), command=pretended("""
        print('\x1e{"say": "progress", "share": 0.5, "text": "deaf"}', flush=True)
        time.sleep(1000)"""))
    job.start()
    until(job, lambda: job.share > 0.0)
    job.cancel()
    until(job, lambda: job.ended)
    assert job.state == CANCELLED and not is_there(job.process_id)


@posix
def test_children_of_a_killed_worker_end_with_it(tmp_path):
    job = Job(task(tmp_path), command=pretended("""
        import subprocess
        child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(1000)"], stdout=subprocess.DEVNULL)
        print('\x1e{"say": "progress", "share": 0.5, "text": "%d"}' % child.pid, flush=True)
        time.sleep(1000)"""))
    job.start()
    until(job, lambda: job.share > 0.0)
    child = int(job.text)
    assert is_there(child)
    os.kill(job.process_id, signal.SIGKILL)
    until(job, lambda: job.ended)
    assert job.state == FAILED and "signal 9" in job.error
    until(job, lambda: not is_there(child))


def test_an_end_without_a_word_is_told_in_one_sentence(tmp_path):
    job = Job(task(tmp_path), command=pretended("print('the reason', file=sys.stderr); sys.exit(7)"))
    job.start()
    until(job, lambda: job.ended)
    assert job.state == FAILED and "exit code 7" in job.error and "the reason" in job.detail


@pytest.mark.slow
def test_bad_input_comes_back_as_its_own_sentence(tmp_path):
    job = Job(Task("simulate", {"gait": "wak"}, str(tmp_path / "take.npz")))
    job.start()
    until(job, lambda: job.ended)
    assert job.state == FAILED and "Did you mean 'walk'?" in job.error
    job = Job(Task("dance", {}, str(tmp_path / "take.npz")))
    job.start()
    until(job, lambda: job.ended)
    assert "no task named 'dance'" in job.error


def test_a_python_that_is_not_there(tmp_path):
    job = Job(task(tmp_path), command=lambda: [str(tmp_path / "no-python")])
    job.start()
    until(job, lambda: job.ended)
    assert job.state == FAILED and "cannot be started" in job.error


def test_time_left_follows_from_the_way_done(tmp_path):
    now = [0.0]
    job = Job(task(tmp_path), clock=lambda: now[0])
    job.state = RUNNING
    for at, share in ((10.0, 0.0), (14.0, 0.25)):
        now[0] = at
        job._heard(None, Progress(share, "on"))
    job.poll()
    assert job.left_s() == pytest.approx(12.0)
    now[0] = 16.0
    assert job.left_s() == pytest.approx(10.0)
    now[0] = 99.0
    assert job.left_s() == 0.0


def test_of_a_fall_no_time_left_is_told_and_the_share_stays(tmp_path):
    now = [0.0]
    job = Job(task(tmp_path), clock=lambda: now[0])
    job.state = RUNNING
    for at, share in ((10.0, 0.0), (14.0, 0.25), (20.0, 0.28), (30.0, 0.28), (40.0, 0.28)):
        now[0] = at
        job._heard(None, Progress(share, "on"))
    job.poll()
    assert job.left_s() is None and job.share == 0.28 and job.so_far_s() == 40.0
    for at, share in ((50.0, 0.0), (55.0, 0.14)):  # another try
        now[0] = at
        job._heard(None, Progress(share, "at another speed"))
    job.poll()
    assert job.left_s() is None and job.share == 0.28
    now[0] = 60.0
    job._heard(None, Progress(0.4, "at another speed"))
    job.poll()
    assert job.left_s() == pytest.approx(15.0)


@posix
def test_the_worker_ends_with_its_parent(tmp_path):
    script = """
        import sys, time
        from lope.addon.jobs.job import Job
        from lope.addon.children.protocol import Task
        from lope.addon.specs.shot import Shot
        job = Job(Task("simulate", Shot(duration_s=3000.0).to_dict(), sys.argv[1]))
        job.start()
        while job.share == 0.0:
            job.poll(); time.sleep(0.01)
        print(job.process_id, flush=True)
        time.sleep(1000)
    """
    parent = subprocess.Popen([sys.executable, "-c", textwrap.dedent(script), str(tmp_path / "take.npz")],
                              stdout=subprocess.PIPE, text=True)
    worker = int(parent.stdout.readline())
    assert is_there(worker)
    parent.kill()
    parent.wait()
    parent.stdout.close()
    end = time.monotonic() + PATIENCE_S
    while is_there(worker):
        assert time.monotonic() < end, "the worker outlives its parent"
        time.sleep(0.01)


def test_jobs_run_one_after_the_other(tmp_path):
    quick = pretended("""
        sys.stdin.readline()
        print('\x1e{"say": "done", "path": "x", "report": {"fell": false}}', flush=True)""")
    queue = JobQueue()
    jobs = [Job(task(tmp_path), command=quick) for _ in range(3)]
    for job in jobs:
        queue.add(job)
    queue.tick()
    assert [job.state for job in jobs] == [RUNNING, WAITING, WAITING] and queue.busy
    assert queue.find(jobs[1].number) is jobs[1]
    order = []
    while queue.busy:
        ended, _ = queue.tick()
        order += [job.number for job in ended]
        assert sum(job.state == RUNNING for job in jobs) <= 1
        time.sleep(0.01)
    assert order == [job.number for job in jobs] and {job.state for job in jobs} == {DONE}


@pytest.mark.slow
def test_a_queue_that_closes_leaves_nothing(tmp_path):
    queue = JobQueue()
    jobs = [Job(task(tmp_path, 3000.0, f"{k}.npz")) for k in range(2)]
    for job in jobs:
        queue.add(job)
    until(queue, lambda: jobs[0].share > 0.0)
    assert queue.close() == jobs and not queue.busy
    assert {job.state for job in jobs} == {CANCELLED} and not is_there(jobs[0].process_id)
    assert list(tmp_path.iterdir()) == []


def test_a_job_that_cannot_start_does_not_stop_the_others(tmp_path):
    def refuse():
        raise JobError("No Python.")

    queue = JobQueue()
    bad, good = Job(task(tmp_path), command=refuse), Job(task(tmp_path), command=pretended("sys.exit(1)"))
    queue.add(bad)
    queue.add(good)
    until(queue, lambda: not queue.busy)
    assert (bad.state, bad.error) == (FAILED, "No Python.") and good.state == FAILED
