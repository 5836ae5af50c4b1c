# SPDX-License-Identifier: GPL-3.0-or-later
"""Child processes: every task answered once whoever dies, what is said early is heard, and no signal to another's number."""

import os
import sys
import textwrap
import time
from pathlib import Path
from queue import Empty, SimpleQueue

import pytest

from lope.addon.batch import station as batch_station
from lope.addon.batch.station import Station
from lope.addon.children import child as child_module
from lope.addon.children import child as launch
from lope.addon.children.child import Child, Ended
from lope.addon.children.protocol import FINISH, Done, Failed, Progress, Task, encode
from lope.addon.jobs.job import DONE, Job

pytestmark = pytest.mark.slow

PATIENCE_S = 60.0

posix = pytest.mark.skipif(os.name != "posix", reason="signals and process groups are POSIX")

ANSWER = """
import os, sys
from pathlib import Path
for line in sys.stdin.buffer:
    if b'"dance"' in line:
        os._exit(9)
    sys.stdout.write('\\x1e{"say": "done", "path": "x", "report": {"by": %d}}\\n' % os.getpid())
    sys.stdout.flush()
    if len(sys.argv) > 1:  # it dies after its answer
        os._exit(7)
"""


def python(text, *words):
    """The command line of a few lines of Python."""
    return [sys.executable, "-I", "-c", textwrap.dedent(text), *words]


def heard(messages):
    """All that a child says, to its end."""
    found = []
    while not found or not isinstance(found[-1], Ended):
        found.append(messages.get(timeout=PATIENCE_S))
    return found


def begun(command, **options):
    """A child and what it says."""
    messages = SimpleQueue()
    return Child(command, lambda child, message: messages.put(message), **options).start(), messages


def station_of(monkeypatch, *words):
    """A station with pretended children; gives it and its inbox."""
    monkeypatch.setattr(batch_station, "station_command", lambda needs_blender: python(ANSWER, *words))
    inbox = SimpleQueue()
    return Station(inbox, needs_blender=False), inbox


def gone(process_id):
    """Whether a process was waited for."""
    return not os.path.exists(f"/proc/{process_id}")


@pytest.mark.skipif(not os.path.isdir("/proc/self"), reason="looks at processes in /proc")
def test_a_child_that_dies_after_its_answer_has_given_one_answer(monkeypatch):
    station, inbox = station_of(monkeypatch, "dies")
    children = []
    for _ in range(3):
        station.give(Task("sing", {}, "x"))
        heard_from, message = inbox.get(timeout=PATIENCE_S)
        assert heard_from is station and isinstance(message, Done)
        children.append(message.report["by"])
        until = time.monotonic() + PATIENCE_S
        while not gone(children[-1]) and time.monotonic() < until:
            time.sleep(0.01)
        with pytest.raises(Empty):  # nothing more is said about a task that was answered
            inbox.get(timeout=0.1)
        station.freed()
    station.close()
    assert len(set(children)) == 3


@posix
def test_a_task_given_to_a_child_that_is_just_dying_is_done_by_another(monkeypatch):
    """The end comes while the next task is already on its way: that task is begun by nobody yet, so it has not failed."""
    station, inbox = station_of(monkeypatch)
    station.give(Task("sing", {}, "x"))
    first = inbox.get(timeout=PATIENCE_S)[1].report["by"]
    station.freed()
    os.kill(first, 19)  # SIGSTOP: it will not read the next task
    station.give(Task("sing", {}, "x"))
    os.kill(first, 9)
    message = inbox.get(timeout=PATIENCE_S)[1]
    assert isinstance(message, Done) and message.report["by"] != first
    station.freed()
    station.give(Task("dance", {}, "x"))  # whoever gets this dies of it: two of them, and no third
    assert "exit code 9" in inbox.get(timeout=PATIENCE_S)[1].text
    station.close()
    assert inbox.empty()


@pytest.mark.skipif(not os.path.isdir("/proc/self"), reason="looks at processes in /proc")
@pytest.mark.parametrize("how", ["leaves", "idle station", "kill late"])
def test_no_signal_is_sent_to_a_number_that_was_given_back(monkeypatch, how):
    sent = []
    real = os.killpg

    def noted(group, number):
        sent.append((group, os.path.exists(f"/proc/{group}")))
        real(group, number)

    monkeypatch.setattr(os, "killpg", noted)
    if how == "idle station":
        station, inbox = station_of(monkeypatch)
        station.give(Task("sing", {}, "x"))
        inbox.get(timeout=PATIENCE_S)
        station.freed()
        station.close()
    else:
        child, messages = begun(python("pass"))
        heard(messages)
        if how == "kill late":
            child.kill()
        child.close(0.0)
    assert sent and all(own for _, own in sent)


@posix
def test_what_a_child_started_ends_with_it_though_it_holds_its_output_open():
    text = """
        import subprocess, sys
        other = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(1000)"])
        print(other.pid, flush=True)
        sys.exit(5)"""
    _, messages = begun(python(textwrap.dedent(text).replace("time.sleep(1000)\"]", "time.sleep(1000)\"], stdout=2")))
    end = heard(messages)[-1]
    assert end.code == 5
    other = int(end.last_words.splitlines()[0])
    until = time.monotonic() + PATIENCE_S
    while not _ended(other):
        assert time.monotonic() < until, "it lives on"
        time.sleep(0.01)


def _ended(process_id):
    """Whether a process is gone, or waits to be counted only."""
    try:
        return Path(f"/proc/{process_id}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0] == "Z"
    except FileNotFoundError:
        return True


def test_what_is_said_before_it_runs_is_heard_in_order():
    messages = SimpleQueue()
    child = Child(python("import sys; print(sys.stdin.read())"), lambda child, message: messages.put(message))
    for line in (b"one\n", b"two\n"):
        child.say(line)
    child.end_input()
    child.start()
    (end,) = heard(messages)
    assert (end.code, end.last_words.split()) == (0, ["one", "two"])
    child.close(0.0)


def test_a_child_that_does_not_read_holds_nobody_up():
    child, messages = begun(python("import time; time.sleep(1000)"))
    began = time.monotonic()
    child.say(b"x" * 1_000_000 + b"\n")
    child.end_input()
    child.kill()
    assert time.monotonic() - began < 1.0 and heard(messages)[-1].code < 0
    child.close(0.0)


def test_finish_now_while_the_worker_starts_is_heard(tmp_path):
    """The answer tells whether the word came at all: the pretended worker waits for it."""
    text = """
        import sys
        sys.stdin.readline()
        said = sys.stdin.readline()
        print('\\x1e{"say": "done", "path": "x", "report": {"said": "%s"}}' % ("finish" in said), flush=True)"""
    job = Job(Task("simulate", {}, str(tmp_path / "take.npz")), command=lambda: python(text))
    job.start()
    job.finish()  # there is no process yet: it is being started by a thread
    until = time.monotonic() + PATIENCE_S
    while not job.ended:
        assert time.monotonic() < until, "the word was lost"
        job.poll()
        time.sleep(0.01)
    assert (job.state, job.report) == (DONE, {"said": "True"})


def served(tmp_path, run, *lines):
    """What the server says to lines when `run` is a function's text."""
    text = f"from lope.addon.children.server import serve\n{textwrap.dedent(run)}\nserve(run)\n"
    command = [sys.executable, "-c", text]
    messages = SimpleQueue()
    child = Child(command, lambda child, message: messages.put(message))
    for line in lines:
        child.say(line)
    return child.start(), messages


def test_the_server_does_one_task_after_the_other_and_tells_of_each(tmp_path):
    run = """
        import os
        def run(task, line):
            print("chatter that is no message")
            os.system("echo more of it")
            if task.kind == "fault":
                raise ZeroDivisionError("by nought")
            line.progress(1.0, "done so far")
            return {"ended": line.ended(), "kind": task.kind}"""
    child, messages = served(tmp_path, run, encode(Task("a", {}, "x")), FINISH, b"no task\n", encode(Task("fault", {}, "x")),
                             encode(Task("b", {}, "y")))
    said = []
    while sum(isinstance(message, (Done, Failed)) for message in said) < 4:
        said.append(messages.get(timeout=PATIENCE_S))
    child.end_input()
    answers = [message for message in said if isinstance(message, (Done, Failed))]
    assert answers[0].report["kind"] == "a" and answers[3] == Done("y", {"ended": False, "kind": "b"})
    assert "no message" in answers[1].text and "fault in Lope" in answers[2].text and "by nought" in answers[2].detail
    assert said[0] == Progress(0.0, "starting"), "it says that it has the task before it begins it"
    (end,) = heard(messages)
    assert end.code == 0 and "chatter that is no message" in end.last_words and "more of it" in end.last_words


def test_a_program_that_is_not_there_is_told():
    child, messages = begun(["/no/such/program"])
    failed, end = heard(messages)
    assert "cannot be started" in failed.text and isinstance(end, Ended)
    child.close(0.0)


def test_a_disk_that_cannot_be_written_is_told_and_raises_nothing(monkeypatch):
    def refuse():
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(child_module.tempfile, "TemporaryFile", refuse)
    child, messages = begun(python("pass"))
    failed, _ = heard(messages)
    assert "No space left on device" in failed.text
    child.close(0.0)


def test_any_module_of_lopes_runs_by_its_name(tmp_path):
    child, messages = begun(launch.command("addon.cli", ["--version"]))
    end = heard(messages)[-1]
    assert end.code == 0 and end.last_words.startswith("Lope ")
    child.close(0.0)


def test_there_is_one_protocol():
    """Messages are read and written, and children started, in one room."""
    addon = Path(child_module.__file__).parents[1]
    users = {path.relative_to(addon).parts[0] for path in addon.rglob("*.py")
             if "Popen" in (text := path.read_text(encoding="utf-8")) or ("decode(" in text and "protocol" in text)}
    assert users == {"children"}
