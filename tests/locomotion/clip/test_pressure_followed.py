# SPDX-License-Identifier: GPL-3.0-or-later
"""Pressure as what a shot follows: read by a database, it is a clip like any other."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from lope.addon.bodies.makers import make_body
from lope.addon.cli import main
from lope.addon.errors import LopeError
from lope.addon.locomotion.clip.clip import followed_clip
from lope.addon.locomotion.motion_gains import clip_digest
from lope.addon.motions.bvh import read_bvh
from lope.addon.motions.followable import read_followed
from lope.addon.specs.motions import Clip
from lope.addon.specs.shot import BodySpec, Shot
from pressure_kit import write_steps

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database of steps and the pressure of one."""
    folder = tmp_path_factory.mktemp("pressure")
    write_steps(folder)
    return folder


@pytest.fixture(scope="module")
def pressed(folder: Path) -> Clip:
    """What follows it."""
    return Clip(str(folder / "steps.csv"), database=str(folder / "steps.npz"))


def test_pressure_is_the_clip_that_is_written_of_it(folder: Path, pressed: Clip, tmp_path: Path) -> None:
    clip = tmp_path / "steps.bvh"
    assert main(["pressure", "read", pressed.file, "--database", str(pressed.database), "--clip", str(clip)]) == 0
    of_file, of_pressure = read_bvh(clip), read_followed(pressed.file, pressed.database)
    assert np.array_equal(of_file.rotations, of_pressure.rotations)
    assert np.array_equal(of_file.root_positions, of_pressure.root_positions)
    assert of_file.told == () and dict(of_pressure.told)["by_pressure"] == "stands; ahead"


@pytest.mark.parametrize("on_feet", [True, False])
def test_it_is_brought_to_any_body_on_its_feet_or_on_rails(pressed: Clip, on_feet: bool) -> None:
    body = make_body(BodySpec(height_m=1.6))
    clip = followed_clip(pressed, body, on_feet=on_feet)
    assert clip.ankle_m[-1, 1, 0] - clip.ankle_m[0, 1, 0] == pytest.approx(0.35 * clip.leg_ratio, abs=0.03)
    assert clip.origin == {"clip": "steps.csv", "by_pressure": "stands; ahead", "database": "steps",
                           "database_licence": "CC0-1.0"}


def test_its_steps_are_planned(pressed: Clip, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["plan", "--follow", pressed.file, "--database", str(pressed.database), "--world", "moon", "--json"]) == 0
    plan = json.loads(capsys.readouterr().out)
    assert plan["clip"] == "steps" and len(plan["footsteps"]) >= 1


def test_a_shot_keeps_the_database_and_one_without_is_as_before(pressed: Clip) -> None:
    shot = Shot(motion=replace(pressed, until_end=True))
    assert Shot.from_dict(json.loads(json.dumps(shot.to_dict()))) == shot
    assert "database" not in Clip("a.bvh").to_dict()


def test_gains_of_pressure_are_of_it_and_its_database(pressed: Clip) -> None:
    alone, with_it = clip_digest(pressed.file), clip_digest(pressed.file, pressed.database)
    assert len({alone, with_it, clip_digest(str(pressed.database)), clip_digest(Path(pressed.file).parent)}) == 4
    assert clip_digest(pressed.file, "nowhere.npz") == ""


@pytest.mark.parametrize(("words", "told"), [
    (["steps.csv"], "name the database"),
    (["steps.npz"], "name the database"),
    (["step.bvh", "--database", "steps.npz"], "leave the database out"),
    (["--moves", "--database", "steps.npz"], "leave the database of pressure out"),
    (["steps.csv", "--database", "mine.npz"], "The database of pressure mine.npz is not there"),
    (["none.csv", "--database", "steps.npz"], "The file of pressure none.csv is not there"),
    (["steps.csv", "--database", "steps.csv"], "steps.csv is no database of pressure"),
    ([".", "--database", "steps.npz"], "pictures"),
])
def test_what_does_not_go_together_is_told(folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str],
                                           words: list[str], told: str) -> None:
    (folder / "step.bvh").write_text("HIERARCHY")
    monkeypatch.chdir(folder)
    assert main(["follow", *words, "--seconds", "1"]) == 2
    assert told in capsys.readouterr().err


def test_a_folder_without_a_database_is_told(folder: Path) -> None:
    with pytest.raises(LopeError, match="is a folder"):
        read_followed(folder)
