# SPDX-License-Identifier: GPL-3.0-or-later
"""`lope pressure read`: pressure in, known motions out, as a table, a take and a clip."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from lope.addon.cli import main
from lope.addon.motions.bvh import read_bvh
from lope.addon.motions.pressure.database import MOTION_HZ, PER_FRAME
from lope.addon.motions.pressure.files import write_pressure
from lope.addon.motions.responses.response import reference_body
from lope.addon.sim.take import Take
from pressure_kit import in_soles, on_mat, step_motion, write_steps

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database of a stance and two steps, and the pressure of somebody who stands, steps ahead, and stands."""
    folder = tmp_path_factory.mktemp("pressure")
    mat = write_steps(folder)
    write_pressure(folder / "slow.csv", [replace(mat, rate_hz=6.0)])
    write_pressure(folder / "empty.csv", [replace(mat, images=0.0 * mat.images)])
    write_pressure(folder / "short.csv", [replace(mat, images=mat.images[:6])])
    write_pressure(folder / "sole.csv", [replace(mat, place="L", origin_m=None)])
    write_pressure(folder / "soles.csv", in_soles(step_motion("ahead", 0.35, 0.0), 50.0))
    return folder


def run(folder: Path, *words: str, name: str = "steps.csv") -> int:
    """The exit code of the verb."""
    return main(["pressure", "read", str(folder / name), "--database", str(folder / "steps.npz"), *words])


@pytest.mark.parametrize("stream", [[], ["--stream"]])
def test_a_step_is_recognised_and_written(folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str],
                                          stream: list[str]) -> None:
    clip, out = tmp_path / "step.bvh", tmp_path / "step.npz"
    assert run(folder, "--clip", str(clip), "--out", str(out), "--json", *stream) == 0
    report = json.loads(capsys.readouterr().out)
    told = report["motions"]
    names = [one["motion"] for one in told]  # both steps begin alike, so that a stream may go into the other one at first
    assert names == ["stands", "ahead"] or (stream and names == ["stands", "aside", "ahead"])
    assert told[1]["from_s"] == pytest.approx(1.0, abs=0.6) and told[-1]["pace"] == pytest.approx(1.0, abs=0.3)
    assert told[-1]["likeness"] > 0.7 and set(told[0]) == {"motion", "from_s", "to_s"}
    frames = PER_FRAME * report["frames"]
    assert read_bvh(clip).frames == frames
    take = Take.load(out)
    assert take.time_s[-1] == pytest.approx((frames - 1) / MOTION_HZ) and take.stats["by_pressure"].endswith("; ahead")
    assert take.called == "steps"
    ankle = take.segment_poses[0][:, take.body.index["foot_R"]]
    assert ankle[-1, 0] - ankle[0, 0] == pytest.approx(0.35, abs=0.04)


def test_insoles_tell_that_a_step_was_made_not_where_to(folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(folder, "--json", "--out", str(tmp_path / "read.npz"), name="soles.csv") == 0
    assert Take.load(tmp_path / "read.npz").called == "soles"
    told = json.loads(capsys.readouterr().out)["motions"]
    steps = [one for one in told if one["motion"] != "stands"]
    assert len(steps) == 1 and steps[0]["motion"] in ("ahead", "aside")
    assert steps[0]["from_s"] < 0.6 and steps[0]["to_s"] > 1.2


@pytest.mark.parametrize(("name", "words", "told"), [
    ("slow.csv", [], "motions are recognised from 12 or more"),
    ("empty.csv", [], "Nobody stands on the mat"),
    ("short.csv", [], "lasts 0.5 s"),
    ("sole.csv", [], "is of one insole"),
    ("none.csv", [], "There is no pressure"),
    ("steps.csv", ["--world", "moon"], "add --physical"),
    ("steps.csv", ["--out", "motion.bvh"], "A take is written as .npz"),
    ("steps.csv", ["--physical", "--stream"], "say with --clip"),
    ("steps.csv", ["--clip", "motion.npz"], "A clip is written as .bvh"),
])
def test_bad_input_is_told_in_a_sentence(folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch,
                                         tmp_path: Path, name: str, words: list[str], told: str) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(folder, *words, name=name) == 2
    assert told in capsys.readouterr().err


def test_a_database_is_asked_for(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["pressure", "read", str(folder / "steps.csv")]) == 2
    assert "--database" in capsys.readouterr().err


def test_the_mat_of_a_made_motion_holds_the_body() -> None:
    mat = on_mat(step_motion("ahead", 0.35, 0.0))
    assert mat.force_n.mean() == pytest.approx(reference_body().mass_kg * 9.81, rel=0.05)


@pytest.mark.acceptance
def test_a_body_follows_what_was_read_and_stands(folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "real.npz"
    assert run(folder, "--physical", "--out", str(out), "--json") == 0
    report = json.loads(capsys.readouterr().out)
    assert report["physical"]["fell"] is False and [file.name for file in tmp_path.iterdir()] == ["real.npz"]
    take = Take.load(out)
    assert (take.shot.motion.file, take.shot.motion.database) == (str(folder / "steps.csv"), str(folder / "steps.npz"))
    assert take.stats["by_pressure"] == "stands; ahead" and take.stats["database_licence"] == "CC0-1.0"
