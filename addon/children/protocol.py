# SPDX-License-Identifier: GPL-3.0-or-later
"""What Lope and its child processes say to each other: one JSON object a line, UTF-8. To a child's standard input: a `Task`, and
after its answer perhaps the next; meanwhile perhaps `FINISH`, and `Word`s to a task that takes them, as one that is steered does;
the end of the input means stop at once. From its standard output, each line begun with `MARK`: for every task `Progress` as often
as it likes, the first as soon as it has the task, a `View` as often as there is something to be shown of it, and at last one
`Done` or one `Failed`. `child.py` is the one side, `server.py` the other. Threads of the linear algebra under numpy and scipy,
and the end of a process that has Blender's module."""

from __future__ import annotations

import atexit
import contextlib
import json
import os
import shutil
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ..errors import JobError

MARK = b"\x1e"
"""What a child's message begins with (ASCII's record separator): everything else that it prints is chatter."""
FINISH = b'{"say": "finish"}\n'
"""End early and keep the best that there is so far."""


@dataclass(frozen=True)
class Task:
    """What a child is to do: `kind` names a task that it knows, `shot` is a Shot's dict, `out` the file to write."""

    kind: str
    shot: dict[str, Any]
    out: str
    options: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Word:
    """Something that the present task is to take in now: its `kind`, and `values` of plain JSON. `number` counts them from 1, so
    that a task can say how far it has listened."""

    kind: str
    values: dict[str, Any] = field(default_factory=dict)
    number: int = 0


@dataclass(frozen=True)
class View:
    """What there is to be seen of the present task: plain JSON `values`; only the last one matters."""

    values: dict[str, Any]


@dataclass(frozen=True)
class Progress:
    """How far the child is: `share` from 0 to 1, and what it does."""

    share: float
    text: str


@dataclass(frozen=True)
class Done:
    """The result is on disk at `path`; `report` holds plain JSON values about it."""

    path: str
    report: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Failed:
    """The child gives the task up. `text` is one sentence for the artist; `detail` a traceback where it is a fault in Lope."""

    text: str
    detail: str = ""


Message = Task | Word | Progress | View | Done | Failed
_KINDS = {"task": Task, "word": Word, "progress": Progress, "view": View, "done": Done, "failed": Failed}
WORD = b'{"say": "word"'
"""What the line of a Word begins with."""
_NAMES = {kind: name for name, kind in _KINDS.items()}


def encode(message: Message) -> bytes:
    return json.dumps({"say": _NAMES[type(message)], **vars(message)}).encode() + b"\n"


def decode(line: bytes) -> Message:
    """The message in a line. Raises JobError for a line that is none."""
    try:
        fields = json.loads(line)
        return _KINDS[fields.pop("say")](**fields)
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise JobError(f"The worker said something that is no message: {line[:80]!r}.") from error


def use_one_thread() -> None:
    """Keep the linear algebra under numpy and scipy to one thread, unless the user's environment says otherwise. The matrices of
    one body are small: several threads make a simulation seven times slower, waiting for one another. The libraries read these
    names once, when they are loaded, so this has to run before the first import of numpy."""
    for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "VECLIB_MAXIMUM_THREADS"):
        os.environ.setdefault(name, "1")


def leave(code: int) -> int:
    """End this process with an exit code where Blender's module is loaded: once that has read a file with a driver in Python, its
    own farewell waits for ever. What is registered for the end is done. Elsewhere gives the code back."""
    bpy = sys.modules.get("bpy")
    if bpy is None or not bpy.app.module:  # Blender itself ends as it likes
        return code
    folder = Path(bpy.app.tempdir)
    atexit._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError, ValueError):  # whoever read it is gone, or it is closed
            stream.flush()
    flush_c_output()
    if folder.name.startswith("blender_"):
        shutil.rmtree(folder, ignore_errors=True)
    os._exit(code)


def flush_c_output() -> None:
    """Empty the C library's own buffers: what a compiled library printed must not come out later, on standard output."""
    import ctypes

    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL("ucrtbase" if os.name == "nt" else None).fflush(None)
