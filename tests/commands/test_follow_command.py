# SPDX-License-Identifier: GPL-3.0-or-later
"""`lope follow` and --follow: from words and shot lists to the shot, refusals before anything runs, and one short run."""

import json

import pytest

from bvh_writer import Style, standing_poses, write_bvh
from lope.addon.batch.plan import plan_list, shot_from_values
from lope.addon.batch.shot_list import read_list
from lope.addon.cli import main, parse
from lope.addon.errors import InputError
from lope.addon.options.shot_options import shot_from
from lope.addon.reports.following import FOLLOW_UNITS
from lope.addon.reports.measures import UNITS
from lope.addon.sim.take import Take
from lope.addon.specs.motions import Clip


@pytest.fixture
def clip(tmp_path):
    """A second of standing."""
    return write_bvh(tmp_path / "stand.bvh", *standing_poses(1.0, 30.0), Style(frame_time=1.0 / 30.0))


def shot_of(*words):
    return shot_from(parse([str(word) for word in words]))


def test_a_clip_is_followed_to_its_end(clip):
    shot = shot_of("follow", clip, "--world", "moon", "--push", "0.2,0.1,0,5,0", "--seed", "3")
    assert shot == shot_of("simulate", "--follow", clip, "--world", "moon", "--push", "0.2,0.1,0,5,0", "--seed", "3")
    assert (shot.motion, shot.controller) == (Clip(str(clip), until_end=True), "follow")
    assert (shot.world.name, shot.pushes[0].start_s, shot.seed, shot.motion.retry) == ("moon", 0.2, 3, False)


def test_time_stretch_flight_and_length_are_asked_for(clip):
    shot = shot_of("follow", clip, "--follow-time", "clip", "--stretch", "1.5", "--flight", "height", "--seconds", "0.8")
    assert shot.motion == Clip(str(clip), "clip", 1.5, "height", until_end=shot.until_end)
    assert (shot.duration_s, shot.until_end) == (0.8, False)


@pytest.mark.parametrize("words, said", [
    ("follow", "one of the arguments CLIP.bvh --action --moves is required"),
    ("follow nowhere.bvh", "The clip nowhere.bvh is not there"),
    ("follow CLIP --action Walk", "not allowed with"),
    ("follow CLIP --follow-time moon", "There is no time to follow a clip in named 'moon'"),
    ("follow CLIP --stretch 9", "stretch must lie between 0.25 and 4 (no unit), got 9"),
    ("follow CLIP --flight up", "There is no way to fly named 'up'"),
    ("follow CLIP --speed 1", "does not know --speed"),
    ("follow CLIP --path 1,0;2,2", "A clip has its own way"),
    ("follow CLIP --gait walk", "A clip has its own steps"),
    ("follow CLIP --steps 0.1,0.3", "A clip is followed on level ground or on a slope"),
    ("follow rig.blend", "is followed with `lope follow --blend FILE.blend --action NAME`"),
    ("simulate --follow CLIP --gait walk", "not allowed with argument"),
    ("simulate --follow CLIP --speed 1", "leave out the speed"),
    ("simulate --follow CLIP --path 1,0;2,2", "leave out the path"),
    ("simulate --follow CLIP --controller tracking", "is moved by the controller follow or lee or hit, not by tracking"),
    ("simulate --controller follow", "this shot names none"),
    ("simulate --stretch 2", "There is no clip for --stretch: add --follow CLIP.bvh"),
    ("plan --follow-time clip --flight height", "There is no clip for --follow-time and --flight"),
    ("tune --follow CLIP", "The controller follow has the same gains for every clip; those of lee are searched"),
])
def test_what_does_not_fit_is_refused_before_anything_runs(clip, tmp_path, monkeypatch, capfd, words, said):
    (tmp_path / "rig.blend").write_bytes(b"BLENDER-v405")
    monkeypatch.chdir(tmp_path)
    assert main([str(clip) if word == "CLIP" else word for word in words.split()]) == 2
    out, err = capfd.readouterr()
    assert out == "" and said in err and len(err.splitlines()) == 1


def test_a_clip_that_nobody_could_follow_is_refused_with_the_reason(tmp_path, capfd):
    body, root, turns = standing_poses(2.0, 30.0)
    root[40:, 0] += 0.4
    jumps = write_bvh(tmp_path / "jumps.bvh", body, root, turns, Style(frame_time=1.0 / 30.0))
    for words in (["follow", str(jumps)], ["plan", "--follow", str(jumps)]):
        assert main(words) == 2
        assert "its root jumps by 0.40 m from frame 40 to 41" in capfd.readouterr().err


@pytest.mark.slow
def test_the_report_says_how_well_the_clip_was_followed(clip, tmp_path, capfd):
    assert main(["follow", str(clip), "--seconds", "0.5", "--out", str(tmp_path / "take.npz"), "--json"]) == 0
    report = json.loads(capfd.readouterr().out)
    assert list(report) == [*UNITS, *FOLLOW_UNITS]
    assert report["duration_s"] == pytest.approx(0.5, abs=0.01) and report["joint_error_rms_deg"] < 5.0
    assert report["mean_speed_m_s"] is None and 0.4 < report["followed_fraction"] <= 1.0
    assert Take.load(tmp_path / "take.npz").shot.motion.file == str(clip)


def test_a_plan_of_a_clip_has_its_prints(clip, capfd):
    assert main(["plan", "--follow", str(clip), "--json"]) == 0
    report = json.loads(capfd.readouterr().out)
    assert (report["clip"], len(report["footsteps"])) == ("stand", 2)
    assert report["duration_s"] == pytest.approx(1.0, rel=0.1) and "stride_length_m" not in report


def test_shot_lists_follow_clips(clip, tmp_path):
    (tmp_path / "night.toml").write_text("""
[defaults]
gait = "lope"
bake = false
[[shots]]
name = "stands"
follow = "stand.bvh"
stretch = 2.0
[[grids]]
name = "all"
follow = ["stand.bvh"]
world = ["moon", "mars"]
""", encoding="utf-8")
    found = plan_list(read_list(tmp_path / "night.toml")).shots
    assert [shot.name for shot in found] == ["stands", "all-stand-moon", "all-stand-mars"]
    assert found[0].whole.motion == Clip(str(clip), stretch=2.0, until_end=True) and found[0].whole.controller == "follow"
    key = found[0].keys["simulate"]
    clip.write_bytes(clip.read_bytes() + b"\n")
    assert plan_list(read_list(tmp_path / "night.toml")).shots[0].keys["simulate"] != key, "another clip is another shot"
    (tmp_path / "both.toml").write_text('[[shots]]\nname = "x"\ngait = "walk"\nfollow = "stand.bvh"\n', encoding="utf-8")
    with pytest.raises(InputError, match="'gait' and 'follow' exclude one another"):
        read_list(tmp_path / "both.toml")


def test_a_followed_shot_from_values(clip):
    assert shot_from_values({"follow": str(clip), "flight": "height"}).motion.flight == "height"
