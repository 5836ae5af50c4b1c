# SPDX-License-Identifier: GPL-3.0-or-later
"""Pressure shown as motion while it comes: a second late at the clock's speed, of a file or of one that is still written."""

from __future__ import annotations

import time
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from lope.addon.children.protocol import Task
from lope.addon.errors import InputError
from lope.addon.jobs import tasks
from lope.addon.jobs.pressure import BROKEN, DELAY_S, ENDING, OVER, SHOWING, WAITS, Show
from lope.addon.motions.pressure.database import MOTION_HZ, PER_FRAME, Database
from lope.addon.motions.pressure.recognition import AHEAD
from lope.addon.sim.take import Take
from pressure_kit import write_steps

pytestmark = pytest.mark.slow

LOOK_S = 1.0 / MOTION_HZ
HEAD = 4
"""Lines before the first frame."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database of steps and the pressure of one, 3 s."""
    folder = tmp_path_factory.mktemp("show")
    write_steps(folder)
    return folder


def show_of(folder: Path, path: Path, written: bool = False) -> Show:
    """A show by the steps."""
    return Show(path, Database.load(folder / "steps.npz"), written)


def looks(show: Show, count: int, begin_s: float = 0.0) -> list[dict]:
    """What is seen of it, 60 times a second."""
    seen = []
    for i in range(count):
        show.due(begin_s + i * LOOK_S)
        seen.append(show.view)
    return seen


def test_every_pose_of_a_file_comes_a_second_after_what_it_is_of(folder: Path) -> None:
    show = show_of(folder, folder / "steps.csv")
    seen = looks(show, 4 * 60 + 30)
    assert all("root_m" not in view for view in seen[:round(DELAY_S * 60)]) and seen[0]["state"] == SHOWING
    shown = [(i * LOOK_S, view["time_s"]) for i, view in enumerate(seen) if "root_m" in view and view["state"] == SHOWING]
    assert len(shown) == pytest.approx(180, abs=2) and show.held == 0
    assert all(at - time == pytest.approx(DELAY_S, abs=1.5 * LOOK_S) for at, time in shown)
    assert seen[-1]["state"] == OVER and seen[-1]["time_s"] == pytest.approx(3.0)
    assert {view["motion"] for view in seen} >= {"stands", "ahead"}
    show.close()


def test_another_format_is_played_alike(folder: Path, tmp_path: Path) -> None:
    from lope.addon.motions.pressure.files import read_pressure, write_pressure

    write_pressure(tmp_path / "steps.npz", read_pressure(folder / "steps.csv"))
    one, other = looks(show_of(folder, folder / "steps.csv"), 150)[-1], looks(show_of(folder, tmp_path / "steps.npz"), 150)[-1]
    assert np.allclose(one["root_m"], other["root_m"], atol=1e-3) and one["time_s"] == other["time_s"]


def test_lines_that_are_appended_are_shown_from_now_on(folder: Path, tmp_path: Path) -> None:
    lines = (folder / "steps.csv").read_text().splitlines(keepends=True)
    path = tmp_path / "mat.csv"
    path.write_text("".join(lines[:HEAD + 3]))
    show = show_of(folder, path, written=True)
    seen = looks(show, 30)
    assert {view["state"] for view in seen} == {WAITS} and not len(show.reading)
    now = 30 * LOOK_S
    with path.open("a") as file:
        for line in lines[HEAD + 3:]:
            file.write(line[:40])
            file.flush()
            seen += looks(show, 2, now)  # half a line is none
            file.write(line[40:])
            file.flush()
            seen += looks(show, 3, now + 2 * LOOK_S)
            now += 5 * LOOK_S
    assert seen[-1]["state"] == SHOWING and show.held == 0
    assert len(show.reading) == 33 and len(show.reading.given) == 33 - AHEAD
    assert seen[-1]["time_s"] == pytest.approx(33 / 12.0 - DELAY_S, abs=0.1)
    held = looks(show, 60, now)
    assert held[-1]["time_s"] == PER_FRAME * (33 - AHEAD) / MOTION_HZ and show.held > 0, "the last pose stays while nothing comes"
    show.close()


def test_a_broken_line_ends_it_with_a_sentence_and_what_came_before_stays(folder: Path, tmp_path: Path) -> None:
    lines = (folder / "steps.csv").read_text().splitlines(keepends=True)
    path = tmp_path / "broken.csv"
    path.write_text("".join([*lines[:HEAD + 35], "2.9167,1,2,x\n"]))
    show = show_of(folder, path)
    view = looks(show, 200)[-1]
    assert view["state"] == BROKEN and "broken.csv" in view["wrong"] and f"Line {HEAD + 36} " in view["wrong"]
    assert "root_m" in view
    assert len(show.reading.reading().motion.planted) == PER_FRAME * (35 - AHEAD)


def test_what_cannot_be_shown_is_said(folder: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be read while it is written"):
        show_of(folder, tmp_path / "none.csv", written=True)
    path = tmp_path / "mat.csv"
    path.write_text((folder / "steps.csv").read_text())
    show = show_of(folder, path, written=True)
    looks(show, 2)
    path.write_text("")
    assert "begun anew" in looks(show, 1)[-1]["wrong"] and show.view["state"] == BROKEN
    with pytest.raises(InputError, match="too few frames"):
        show.reading.reading()


@pytest.mark.acceptance
def test_the_take_is_of_what_was_given(folder: Path, tmp_path: Path) -> None:
    seen, out = [], tmp_path / "kept.npz"
    line = SimpleNamespace(ended=lambda: len(seen) > 10 and seen[-1]["time_s"] > 2.2, show=seen.append,
                           heard=time.sleep, progress=lambda share, words: None)
    options = {"pressure": str(folder / "steps.csv"), "database": str(folder / "steps.npz"), "written": False,
               "recorded": str(tmp_path / "felt.npz")}
    report = tasks.run(Task("pressure_show", {}, str(out), options), line)
    assert seen[-1]["state"] == ENDING and [one["motion"] for one in report["found"]][-1] == "ahead"
    assert report["show"]["processor"] < 0.5 and report["show"]["views_hz"] > 20.0
    take = Take.load(out)
    last = [view for view in seen if "root_m" in view][-1]
    row = round(last["time_s"] * MOTION_HZ) - 1
    assert np.allclose(take.root_position_m[row], last["root_m"], atol=1e-4)
    assert last["time_s"] <= take.time_s[-1] + 1.0 / MOTION_HZ + 1e-6 and take.time_s[-1] < 3.0
    assert "ahead" in take.stats["by_pressure"]
