# SPDX-License-Identifier: GPL-3.0-or-later
"""Helpers of the batch's tests: lists on disk, the command as a process of its own, its children and its answers."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout, suppress
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

from lope.addon.cli import main


def write_list(folder: Path, text: str, name: str = "list.toml") -> Path:
    """A list's file."""
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def start_batch(path: Path, *words: str) -> subprocess.Popen:
    """`lope batch` in a process of its own."""
    return subprocess.Popen([sys.executable, "-m", "lope", "batch", str(path), *words], stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, text=True)


def batch(path: Path, *words: str) -> tuple[int, dict[str, Any], list[dict[str, Any]]]:
    """Run `lope batch --json` to its end, in this process: exit code, report, events."""
    with redirect_stdout(StringIO()) as out, redirect_stderr(StringIO()) as err:
        code = main(["batch", str(path), "--json", *words])
    events = [json.loads(line) for line in err.getvalue().splitlines() if line.startswith("{")]
    assert out.getvalue(), err.getvalue()
    return code, json.loads(out.getvalue()), events


def words_of(report: dict[str, Any]) -> dict[str, str]:
    """Each shot's word."""
    return {shot["name"]: shot["word"] for shot in report["shots"]}


def stages_done(events: list[dict[str, Any]]) -> list[tuple[str, str]]:
    """The stages that were done, as (shot, stage), sorted."""
    return sorted((event["shot"], event["stage"]) for event in events if event["event"] == "done")


def children_of(process) -> list[int]:
    """Process ids of the children of a process."""
    found = subprocess.run(["ps", "-o", "pid=", "--ppid", str(process.pid)], capture_output=True, text=True).stdout.split()
    return [int(pid) for pid in found]


def is_gone(pid: int, seconds: float = 30.0) -> bool:
    """Whether a process ends within a while."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        with suppress(FileNotFoundError), open(f"/proc/{pid}/stat", encoding="utf-8") as stat:
            if stat.read().rpartition(")")[2].split()[0] != "Z":
                time.sleep(0.05)
                continue
        return True
    return False


@pytest.fixture
def small_disk(tmp_path) -> Iterator[Path]:
    """A folder with room for 200 kB."""
    folder = tmp_path / "disk"
    folder.mkdir()
    words = ["mount", "-t", "tmpfs", "-o", "size=200k", "tmpfs", str(folder)]
    if shutil.which("mount") is None or subprocess.run(words, capture_output=True).returncode != 0:
        pytest.skip("a small disk cannot be mounted here")
    yield folder
    subprocess.run(["umount", str(folder)], check=True)
