# SPDX-License-Identifier: GPL-3.0-or-later
"""What Lope and its worker say to each other: one JSON object a line, UTF-8.

To the worker's standard input: first one `Task`, then perhaps `FINISH`; the end of the input means stop at once. From its
standard output: `Progress` as often as it likes, and at last one `Done` or one `Failed`.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from typing import Any

from ..errors import JobError

FINISH = b'{"say": "finish"}\n'
"""End early and keep the best that there is so far."""


@dataclass(frozen=True)
class Task:
    """What the worker is to do: `kind` names an entry of `tasks.TASKS`, `shot` is a Shot's dict, `out` the file to write."""

    kind: str
    shot: dict[str, Any]
    out: str
    options: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Progress:
    """How far the worker is: `share` from 0 to 1, and what it does."""

    share: float
    text: str


@dataclass(frozen=True)
class Done:
    """The result is on disk at `path`; `report` holds plain JSON values about it."""

    path: str
    report: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Failed:
    """The worker gives up. `text` is one sentence for the artist; `detail` a traceback where it is a fault in Lope."""

    text: str
    detail: str = ""


Message = Task | Progress | Done | Failed
_KINDS = {"task": Task, "progress": Progress, "done": Done, "failed": Failed}
_NAMES = {kind: name for name, kind in _KINDS.items()}


def encode(message: Message) -> bytes:
    """A message as one line."""
    return json.dumps({"say": _NAMES[type(message)], **asdict(message)}).encode() + b"\n"


def decode(line: bytes) -> Message:
    """The message in a line. Raises JobError for a line that is none."""
    try:
        fields = json.loads(line)
        return _KINDS[fields.pop("say")](**fields)
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise JobError(f"The worker said something that is no message: {line[:80]!r}.") from error
