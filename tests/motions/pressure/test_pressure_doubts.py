# SPDX-License-Identifier: GPL-3.0-or-later
"""What is like no known motion is told to be so, and what is told of motions is doubted where it may be another."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from lope.addon.cli import main
from lope.addon.errors import InputError
from lope.addon.jobs.pressure import read_of
from lope.addon.motions.pressure.database import Database
from lope.addon.motions.pressure.features import Quiet
from lope.addon.motions.pressure.files import read_pressure, write_pressure
from lope.addon.motions.pressure.recognition import QUIET, Known, Match, Recogniser, recognised, streamed
from lope.addon.motions.pressure.synthesis import ALIKE, PACE, STANDS, UNKNOWN, UNLIKE, rows_of, runs_of
from pressure_kit import write_steps

pytestmark = pytest.mark.slow

STILL = np.zeros((18, 4))
WAYS = pytest.mark.parametrize("find", [recognised, streamed])


def bump(*heights: float, frames: int = 24) -> np.ndarray:
    """The numbers (T, 4) of a motion that begins and ends in quiet stance."""
    u = np.linspace(0.0, np.pi, frames)
    return np.sin(u)[:, None] * np.array(heights) + 0.3 * np.sin(2.0 * u)[:, None] * np.roll(heights, 1)


KICK, STEP, NOD = bump(3.0, 0.0, 1.0, 0.0), bump(0.0, 3.0, 0.0, -1.0), bump(0.0, 0.0, 0.2, 0.1)
OTHER = bump(-2.0, -2.0, 2.0, 2.0)


def knowing(**motions: np.ndarray) -> Recogniser:
    known = [Known(name.rstrip("_"), features) for name, features in motions.items()]
    return Recogniser(known, Quiet(np.zeros(4), np.full(4, 0.05)), np.ones(4))


def told(recogniser: Recogniser, features: np.ndarray, find=recognised) -> tuple[dict, ...]:
    """The rows of a sequence."""
    matches = find(recogniser, features)
    return rows_of(runs_of(matches), matches, features, recogniser, 0.0)


@WAYS
def test_what_is_like_no_motion_is_not_the_one_in_which_least_happens(find):
    recogniser = knowing(kick=KICK, nod=NOD)
    frames = np.concatenate([STILL, KICK, STILL, OTHER, STILL])
    rows = told(recogniser, frames, find)
    known = [row["motion"] for row in rows if "doubt" not in row]  # a stream may go into a nod for a moment
    assert known == [STANDS, "kick", STANDS, UNKNOWN, STANDS]
    row = next(row for row in rows if row["motion"] == UNKNOWN)
    assert row["from_s"] == pytest.approx(5.0, abs=0.6) and row["to_s"] == pytest.approx(7.0, abs=0.6)
    shown = {match.row for match in find(recogniser, frames)[70:80]}
    assert shown == {QUIET}, "a body stands meanwhile"


@WAYS
def test_quiet_stance_is_not_unknown(find):
    drawn = 0.1 * np.random.default_rng(2).standard_normal((80, 4))
    assert [row["motion"] for row in told(knowing(kick=KICK), drawn, find)] == [STANDS]


def test_likeness_is_1_as_the_database_has_it_and_none_for_a_motion_of_another_kind():
    recogniser = knowing(kick=KICK, step=STEP)
    kick = [Match(0, frame) for frame in range(len(KICK))]
    assert recogniser.likeness(kick, KICK) == pytest.approx(1.0)
    assert recogniser.likeness(kick, 0.7 * KICK) == pytest.approx(2.0 * 0.7 / (1.0 + 0.7**2), abs=0.02)
    assert recogniser.likeness(kick, STEP) < 0.3
    assert recogniser.likeness([Match(QUIET)] * 3, np.zeros((3, 4))) == 0.0


def test_a_motion_as_it_is_known_is_not_doubted():
    _, row, _ = told(knowing(kick=KICK, step=STEP), np.concatenate([STILL, KICK, STILL]))
    assert row["motion"] == "kick" and row["likeness"] > 0.95 and "doubt" not in row and "or" not in row


def test_little_likeness_is_doubted():
    changed = KICK + np.array([0.0, 0.0, 0.0, 2.5])
    recogniser = knowing(kick=KICK)
    matches = [Match(0, frame) for frame in range(len(KICK))]
    row, = rows_of(runs_of(matches), matches, changed, recogniser, 0.0)
    assert row["doubt"] == [UNLIKE] and row["likeness"] < 0.7


def test_a_pace_that_nobody_goes_at_is_doubted():
    recogniser = knowing(kick=KICK, step=STEP)
    for frames, doubt in ((range(0, 24, 2), True), (range(24), False)):
        matches = [Match(0, frame) for frame in frames]
        row, = rows_of(runs_of(matches), matches, KICK[list(frames)], recogniser, 0.0)
        assert row["likeness"] == 1.0 and ((row.get("doubt") == [PACE]) if doubt else "doubt" not in row)


def test_a_motion_that_another_is_as_like_is_doubted_and_tells_it():
    frames = np.concatenate([STILL, KICK + 0.05, STILL])
    _, row, _ = told(knowing(kick=KICK, jump=KICK + 0.1), frames)
    assert row["doubt"] == [ALIKE] and {row["motion"], row["or"]} == {"kick", "jump"}
    _, alone, _ = told(knowing(kick=KICK, kick_=KICK + 0.1), frames)
    assert "doubt" not in alone, "another time of the same motion is no other one"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database that knows but a step aside, and somebody who steps ahead."""
    folder = tmp_path_factory.mktemp("unlike")
    write_steps(folder)
    Database.load(folder / "steps.npz").without(["ahead"]).save(folder / "aside.npz")
    return folder


@pytest.mark.acceptance
@pytest.mark.parametrize("stream", [[], ["--stream"]])
def test_where_a_step_lands_elsewhere_it_is_unknown(folder: Path, capsys: pytest.CaptureFixture[str], stream: list[str]) -> None:
    """Before, both steps are alike."""
    asked = ["pressure", "read", str(folder / "steps.csv"), "--database", str(folder / "aside.npz"), *stream]
    assert main([*asked, "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)["motions"]
    assert [row["motion"] for row in rows] == [STANDS, "aside", UNKNOWN] and rows[1]["to_s"] == pytest.approx(2.2, abs=0.25)
    assert main(asked) == 0 and "motion unknown, from_s" in capsys.readouterr().out


def test_nothing_known_at_all_is_said(folder: Path) -> None:
    mat, = read_pressure(folder / "steps.csv")
    write_pressure(folder / "other_foot.csv", [replace(mat, images=mat.images[:, :, ::-1])])
    options = {"pressure": str(folder / "other_foot.csv"), "database": str(folder / "aside.npz")}
    with pytest.raises(InputError, match="is like none of the motions of the database"):
        read_of(SimpleNamespace(options=options))

