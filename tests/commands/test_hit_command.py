# SPDX-License-Identifier: GPL-3.0-or-later
"""`lope hit`: what is refused before anything is simulated, and what is told of a clip that is hit."""

import json

import pytest

from bvh_writer import Style, standing_poses, write_bvh
from lope.addon.cli import main

pytestmark = pytest.mark.slow


@pytest.fixture
def clip(tmp_path):
    return write_bvh(tmp_path / "wait.bvh", *standing_poses(1.5, 30.0), Style(frame_time=1.0 / 30.0))


@pytest.mark.parametrize(("words", "told"), [
    ([], "Nothing hits the character: add --hit, --punch or --push."),
    (["--hit", "1,head,4,6,180"], "There is nothing to hit: give a CLIP.bvh, or --blend IN.blend with --action NAME."),
    (["--hit", "1,head,4,6,180", "--action", "Wait", "--out", "take.npz"], "give --out a name that ends in .blend"),
    (["--hit", "1,head,4,6,180", "--action", "Wait", "--out", "a.blend", "--follow-time", "planet"], "keeps its own time"),
])
def test_what_cannot_be_hit_is_one_sentence(words, told, capsys):
    assert main(["hit", *words]) == 2
    said = capsys.readouterr().err
    assert told in said and said.count("\n") == 1


def test_a_clip_is_hit_on_rails(clip, tmp_path, capsys):
    out = tmp_path / "hit.npz"
    words = ["hit", str(clip), "--punch", "0.5,left_forearm,6,180", "--reaction", "law=rails", "--out", str(out), "--json"]
    assert main(words) == 0
    report = json.loads(capsys.readouterr().out)
    hit, = report["hits"]
    assert hit["segment"] == "forearm_L" and hit["time_s"] == pytest.approx(0.5, abs=0.02) and hit["by"] == "punch"
    assert 3.0 < hit["peak_deg"] < 120.0 and report["law"] == "rails" and report["time_fell_s"] is None
    assert out.is_file()


def test_a_ball_that_something_else_stops_is_told(clip, capsys):
    assert main(["hit", str(clip), "--hit", "0.5,left_arm,1,6,90", "--reaction", "law=rails", "--json"]) == 0
    told = capsys.readouterr()
    missed, = json.loads(told.out)["missed"]
    assert missed["segment"] == "upper_arm_L" and missed["struck"] and not missed["past"]
    assert f"The ball at 0.5 s did not touch upper_arm_L: {missed['struck']} was in its way." in told.err


@pytest.mark.parametrize("words", [
    ["hit", "CLIP", "--punch", "90,head,6,180", "--reaction", "law=rails"],
    ["hit", "CLIP", "--hit", "5,head,4,6,180"],
    ["hit", "CLIP", "--hit", "90,head,4,6,180"],
    ["follow", "CLIP", "--hit", "1.2,head,4,6,180", "--hit", "5,head,4,6,180"],
    ["follow", "CLIP", "--hit", "5,head,4,6,180", "--seconds", "8"],
])
def test_a_hit_after_the_clip_is_refused(words, clip, capsys):
    assert main([str(clip) if word == "CLIP" else word for word in words]) == 2
    said = capsys.readouterr().err
    assert "s comes after the end of the motion, which lasts 1.49 s there" in said and said.count("\n") == 1


def test_a_shot_list_refuses_a_hit_after_the_clip(clip, tmp_path, capsys):
    (tmp_path / "list.toml").write_text(
        f'out = "out"\n[[shots]]\nname = "late"\nfollow = "{clip.as_posix()}"\nhit = ["5,head,4,6,180"]\n', encoding="utf-8")
    assert main(["batch", str(tmp_path / "list.toml"), "--dry-run", "--json"]) == 2
    assert "which lasts 1.49 s there" in capsys.readouterr().out
