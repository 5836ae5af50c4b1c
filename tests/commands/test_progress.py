# SPDX-License-Identifier: GPL-3.0-or-later
"""Progress on streams: a bar on a terminal, lines elsewhere, JSON for programs."""

import io
import json

from lope.addon.progress import Progress


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


def test_progress_without_a_terminal_is_a_line_each_tenth():
    stream = io.StringIO()
    progress = Progress(stream)
    for k in range(1001):
        progress(k / 1000, "walking")
    progress.close()
    assert stream.getvalue().splitlines() == [f"{10 * k:3.0f} %  walking" for k in range(11)]


def test_progress_for_programs_is_a_json_line_each_per_cent_and_each_change():
    stream = Terminal()
    progress = Progress(stream, json_lines=True)
    for k in range(1001):
        progress(k / 1000, "walking")
    progress(1.0, "writing")
    progress.close()
    lines = [json.loads(line) for line in stream.getvalue().splitlines()]
    assert len(lines) == 102 and {line["event"] for line in lines} == {"progress"}
    assert lines[50] == {"event": "progress", "share": 0.5, "text": "walking"} and lines[-1]["text"] == "writing"


def test_progress_on_a_terminal_is_a_bar_that_ends_full():
    stream = Terminal()
    progress = Progress(stream)
    for k in range(1001):
        progress(k / 1000, "walking")
    progress.close()
    progress.close()
    lines = stream.getvalue().split("\r")
    assert 2 <= len(lines) < 1000
    assert lines[-1] == f"[{'#' * 30}] 100 %  walking\n"
