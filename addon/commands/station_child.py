# SPDX-License-Identifier: GPL-3.0-or-later
"""What the child processes of a batch run (addon/batch/station.py): its stages, and for pictures the verb `render` itself."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..batch import steps as stage_work
from ..children.protocol import Task
from ..children.server import Line, serve
from ..options.shot_options import Parser
from . import render

PICTURES = ("render", "sheet")
"""Tasks that are words of `lope render`."""


def main(words: Sequence[str] = ()) -> int:
    """Do tasks until standard input ends."""
    serve(_run)
    return 0


def _run(task: Task, line: Line) -> dict[str, Any]:
    """Do a task; gives its report. Raises LopeError."""
    if task.kind not in PICTURES:
        return stage_work.run(task, line.progress)
    parser = Parser(allow_abbrev=False, prog="lope render")
    render.add_arguments(parser)
    args = parser.parse_args(task.options["words"])
    args.json, args.told = False, line.progress
    line.progress(0.0, "rendering")
    return render.run(args).report
