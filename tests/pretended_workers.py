# SPDX-License-Identifier: GPL-3.0-or-later
"""Workers that only pretend, and waiting for them."""

import sys
import textwrap
import time

from lope.addon.jobs.job import JobQueue

PATIENCE_S = 60.0


def pretended(text):
    """A command that runs a few lines of Python as the worker."""
    return lambda: [sys.executable, "-I", "-c", "import sys, time\n" + textwrap.dedent(text)]


def until(jobs, arrived):
    """Tick until something has come about; the patience is that of a broken test, not a measure."""
    queue = jobs if isinstance(jobs, JobQueue) else None
    end = time.monotonic() + PATIENCE_S
    while not arrived():
        assert time.monotonic() < end, "waited in vain"
        if queue:
            queue.tick()
        elif jobs is not None:
            jobs.poll()
        time.sleep(0.01)


def is_there(process_id):
    """Whether a process runs (a zombie, which only waits to be counted, does not)."""
    try:
        with open(f"/proc/{process_id}/stat", encoding="utf-8") as file:
            return file.read().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False
