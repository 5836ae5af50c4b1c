# SPDX-License-Identifier: GPL-3.0-or-later
"""Pressure on standard input: each frame is told as soon as 1 s more has come, and all of it is the take of the same file."""

from __future__ import annotations

import io
import json
import select
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from lope.addon.cli import main
from lope.addon.errors import InputError
from lope.addon.motions.pressure.database import MOTION_HZ
from lope.addon.motions.pressure.files import read_pressure, write_pressure
from lope.addon.motions.pressure.images import Pressure
from lope.addon.motions.pressure.live import EvenFrames
from lope.addon.motions.pressure.recognition import AHEAD
from lope.addon.sim.take import Take
from pressure_kit import write_steps

pytestmark = pytest.mark.slow

HEAD = 4
"""Lines before the first frame: unit, pitch, origin, names."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database of steps and the pressure of one."""
    folder = tmp_path_factory.mktemp("live")
    write_steps(folder)
    return folder


def words(folder: Path, *more: str) -> list[str]:
    """The command that reads standard input."""
    return ["pressure", "read", "-", "--stream", "--database", str(folder / "steps.npz"), *more]


def run(folder: Path, text: str, monkeypatch: pytest.MonkeyPatch, *more: str) -> int:
    """The exit code with a text on standard input."""
    monkeypatch.setattr(sys, "stdin", io.StringIO(text))
    return main(words(folder, *more))


def evened(times: np.ndarray, images: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Times and images of what comes out of frames that come in one by one."""
    frames = EvenFrames()
    found = [one for time, image in zip(times, images, strict=True) for one in frames.push(float(time), image)]
    found += frames.end()
    return np.array([time for time, _ in found]), np.array([image for _, image in found])


@pytest.mark.skipif(sys.platform == "win32", reason="pipes cannot be waited for there")
def test_a_frame_is_told_before_the_next_one_comes(folder: Path) -> None:
    lines = (folder / "steps.csv").read_text().splitlines(keepends=True)
    with subprocess.Popen([sys.executable, "-m", "lope", *words(folder, "--json")], stdin=subprocess.PIPE, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdin is not None and process.stdout is not None
        process.stdin.writelines(lines[:HEAD + AHEAD])
        process.stdin.flush()
        for frame in range(3):
            process.stdin.write(lines[HEAD + AHEAD + frame])
            process.stdin.flush()
            assert select.select([process.stdout], [], [], 60.0)[0], "nothing is told while the input is open"
            assert json.loads(process.stdout.readline())["time_s"] == pytest.approx(frame / 12.0, abs=1e-3)
            assert not select.select([process.stdout], [], [], 0.2)[0], "told before it could be known"
        process.stdin.writelines(lines[HEAD + AHEAD + 3:])
        process.stdin.close()
        *frames, whole = [json.loads(line) for line in process.stdout]
        assert process.wait() == 0
    assert len(frames) == len(lines) - HEAD - 3 == whole["frames"] - 3
    assert whole["motions"][-1]["motion"] == "ahead"
    last = [one for one in frames if one["motion"] == "ahead"][-8]
    assert last["pace"] == pytest.approx(1.0, abs=0.2) and set(last) == {"time_s", "motion", "frame", "pace", "likeness"}
    assert last["likeness"] > 0.7


@pytest.mark.skipif(sys.platform == "win32", reason="nobody can be interrupted so there")
def test_who_stops_it_keeps_what_was_read(folder: Path, tmp_path: Path) -> None:
    lines = (folder / "steps.csv").read_text().splitlines(keepends=True)
    out = tmp_path / "stopped.npz"
    with subprocess.Popen([sys.executable, "-m", "lope", *words(folder, "--out", str(out))], stdin=subprocess.PIPE, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdin is not None and process.stdout is not None
        process.stdin.writelines(lines[:HEAD + 30])
        process.stdin.flush()
        for _ in range(30 - AHEAD):
            process.stdout.readline()
        process.send_signal(signal.SIGINT)
        told = process.stdout.read()
        assert process.wait() == 130
    assert "frames    30" in told
    assert Take.load(out).time_s[-1] == pytest.approx(30 / 12.0 - 1.0 / MOTION_HZ)


def test_all_of_it_is_the_take_of_the_file(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
                                           capsys: pytest.CaptureFixture[str]) -> None:
    live, filed = tmp_path / "live.npz", tmp_path / "filed.npz"
    assert run(folder, (folder / "steps.csv").read_text(), monkeypatch, "--out", str(live)) == 0
    assert "    1.00 s  " in capsys.readouterr().out
    assert main([*words(folder)[:2], str(folder / "steps.csv"), *words(folder)[3:], "--out", str(filed)]) == 0
    one, other = Take.load(live), Take.load(filed)
    assert one.stats["mat"].pop("file") == "standard input" and other.stats["mat"].pop("file") == str(folder / "steps.csv")
    one.save(live)
    other.save(filed)
    assert live.read_bytes() == filed.read_bytes()


def test_a_quicker_sensor_tells_the_same(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
                                         capsys: pytest.CaptureFixture[str]) -> None:
    mat, = read_pressure(folder / "steps.csv")
    quick = tmp_path / "quick.csv"
    write_pressure(quick, [replace(mat, images=np.repeat(mat.images, 4, axis=0), rate_hz=48.0)])
    told = []
    for file in (folder / "steps.csv", quick):
        assert run(folder, file.read_text(), monkeypatch, "--json") == 0
        told.append([json.loads(line) for line in capsys.readouterr().out.splitlines()])
    assert [one["motion"] for one in told[0][:-1]] == [one["motion"] for one in told[1][:-1]]


@pytest.mark.parametrize("rate", [12.05, 30.0, 50.0, 100.0])
def test_frames_of_any_rate_become_even_ones(rate: float) -> None:
    images = np.random.default_rng(0).random((round(8.0 * rate), 3, 4))
    times, found = evened(2.0 + np.arange(len(images)) / rate, images)
    assert np.diff(times) == pytest.approx(1.0 / 12.0, abs=1e-3) and times[0] == 2.0
    whole = Pressure(images, (0.01, 0.01), rate if rate > 13.0 else 12.0).at_rate(12.0).images
    assert abs(len(found) - len(whole)) <= 1
    count = min(len(found), len(whole))
    assert found[:count] == pytest.approx(whole[:count], abs=1e-6)


@pytest.mark.parametrize("rate", [12.0, 50.0])
def test_frames_that_are_lost_or_late_leave_the_clock_alone(rate: float) -> None:
    count = round(20.0 * rate)
    times = np.arange(count) / rate + np.random.default_rng(1).uniform(-0.2, 0.2, count) / rate
    kept = np.random.default_rng(2).random(count) > 0.1
    kept[:round(rate)] = True
    shown = np.broadcast_to(times[:, None, None], (count, 2, 2)) + 1.0
    told_at, found = evened(times[kept], shown[kept])
    assert len(found) == pytest.approx(240, abs=2)
    assert np.abs(found[:, 0, 0] - 1.0 - told_at).max() < 0.2, "an image goes with its time"


def test_a_gap_and_a_slow_sensor_are_told() -> None:
    times = np.arange(60) / 12.0
    for wrong, told in ((times * 1.2, "10 frames a second"), (np.where(times > 3.0, times + 2.0, times), "breaks off"),
                        (np.where(times > 3.0, times - 2.0, times), "do not go on")):
        with pytest.raises(InputError, match=told):
            evened(wrong, np.ones((60, 2, 2)))


def test_what_came_before_a_broken_line_is_kept(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
                                                capsys: pytest.CaptureFixture[str]) -> None:
    lines = (folder / "steps.csv").read_text().splitlines(keepends=True)
    text = "".join(lines[:HEAD + 30]) + lines[HEAD + 30][:400]
    out = tmp_path / "kept.npz"
    assert run(folder, text, monkeypatch, "--out", str(out)) == 2
    told = capsys.readouterr()
    assert "Line 35 of standard input has" in told.err and len(told.out.splitlines()) == 30 and out.is_file()
    early, short = "".join(lines[:HEAD + 17]) + lines[HEAD + 17][:400], tmp_path / "short.npz"
    assert run(folder, early, monkeypatch, "--out", str(short)) == 2
    told = capsys.readouterr().err
    assert "Line 22 of standard input has" in told and "nothing is written: standard input lasts 1.4 s" in told
    assert not short.exists()
    assert run(folder, early, monkeypatch) == 2 and "nothing is written" not in capsys.readouterr().err


@pytest.mark.parametrize(("frame", "was", "becomes", "told"), [
    (5, ",", ",oops", "Line 10 of standard input has 'oops"),
    (5, ",", ",-", "Line 10 of standard input has -"),
    (-1, "p_", "left_", "as lines come, only a mat's are read"),
    (-1, "time_s", "t", "first column"),
    (-3, "# pitch_m", "# pitch", "does not tell pitch_m"),
    (-4, "= Pa", "= kPa", "nobody's weight"),
])
def test_lines_that_cannot_be_read_are_told(folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str],
                                            frame: int, was: str, becomes: str, told: str) -> None:
    lines = (folder / "steps.csv").read_text().splitlines(keepends=True)
    lines[HEAD + frame] = lines[HEAD + frame].replace(was, becomes)
    assert run(folder, "".join(lines), monkeypatch) == 2
    assert told in capsys.readouterr().err


def test_no_frames_and_too_few_are_told(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
                                        capsys: pytest.CaptureFixture[str]) -> None:
    lines = (folder / "steps.csv").read_text().splitlines(keepends=True)
    for count, told in ((HEAD, "has no frames"), (HEAD + 1, "too few frames"), (HEAD + 6, "lasts 0.5 s")):
        assert run(folder, "".join(lines[:count]), monkeypatch, "--out", str(tmp_path / "none.npz")) == 2
        assert told in capsys.readouterr().err
    assert main(["pressure", "read", "-", "--database", str(folder / "steps.npz")]) == 2
    assert "add --stream" in capsys.readouterr().err
