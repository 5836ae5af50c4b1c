# SPDX-License-Identifier: GPL-3.0-or-later
"""A folder of clips as a library of push responses, a library on disk, and `lope responses` on the command line."""

from __future__ import annotations

import json
import math
from dataclasses import replace

import numpy as np
import pytest

from bvh_writer import Style, standing_poses, walk_poses, write_bvh
from lope.addon.bodies.body import joint_quaternions, root_pose
from lope.addon.bodies.kinematics import segment_poses
from lope.addon.cli import main
from lope.addon.errors import InputError
from lope.addon.maths.rotations import matrix_from_quat
from lope.addon.motions.library import load_gait
from lope.addon.motions.responses import Library, find, load_library, play
from lope.addon.motions.responses.measuring import index_clip, index_folder
from lope.addon.motions.responses.response import IN_PLACE, reference_body, unit_m_s
from lope.addon.search.push_responses import Grid, respond, with_still_feet
from lope.addon.sim.take import Take

UNIT = unit_m_s(reference_body())


@pytest.fixture(scope="module")
def clips(tmp_path_factory):
    """A folder with a response of Lope's own as a clip, quiet before and after, one who stands, and one who walks."""
    folder, body = tmp_path_factory.mktemp("clips"), reference_body()
    played = play(find(load_library(), -0.6, body), body)
    qpos = np.concatenate([np.repeat(played.qpos[:1], 40, axis=0), played.qpos, np.repeat(played.qpos[-1:], 40, axis=0)])
    root, turn = root_pose(body, qpos)
    _, turns = segment_poses(body, root, turn, joint_quaternions(body, qpos))
    write_bvh(folder / "shoved.bvh", body, root, matrix_from_quat(turns), Style())
    write_bvh(folder / "still.bvh", *standing_poses(1.0, 60.0), Style())
    write_bvh(folder / "walk.bvh", *walk_poses(load_gait("walk"), 2.0, 60.0), Style())
    return folder, played


@pytest.mark.slow
def test_a_push_is_read_off_a_clip(clips):
    folder, played = clips
    (one,) = index_clip(folder / "shoved.bvh").responses
    assert abs(math.degrees(one.direction_rad)) > 150.0 and one.strategy not in IN_PLACE
    assert 0.3 < one.strength * UNIT < 1.2
    assert 1.0 < one.duration * math.sqrt(reference_body().leg_length_m / 9.81) < played.times_s[-1] + 0.5


def test_clips_without_a_push_say_why(clips):
    folder, _ = clips
    assert "sway" in index_clip(folder / "still.bvh").reason
    assert "stand" in index_clip(folder / "walk.bvh").reason
    with pytest.raises(InputError, match="In no clip of .* does somebody stand, get pushed and stand again"):
        index_folder(folder, [folder / "walk.bvh"])


def test_a_library_comes_back_from_disk(tmp_path):
    whole = load_library()
    few = Library("few", "made for a test", whole.responses[:3])
    few.save(tmp_path / "few.npz")
    again = load_library(tmp_path / "few.npz")
    assert again.licence == "made for a test" and [r.name for r in again.responses] == [r.name for r in few.responses]
    for one, other in zip(few.responses, again.responses, strict=True):
        assert np.allclose(one.channels, other.channels, atol=1e-9) and np.array_equal(one.planted, other.planted)
        assert abs(one.push - other.push) < 1e-5 and one.limited == other.limited
    (tmp_path / "bad.npz").write_bytes(b"no library")
    with pytest.raises(InputError, match="is not a library of responses"):
        load_library(tmp_path / "bad.npz")
    with pytest.raises(InputError, match="There is no library of responses 'nobody'"):
        load_library("nobody")


def test_lopes_own_library_is_small_and_all_around():
    library = load_library()
    assert "GPL" in library.licence and len(library.responses) > 50
    assert all(find(library, 0.5 * complex(math.cos(a), math.sin(a)), reference_body()) for a in np.linspace(0.0, 6.2, 13))


@pytest.mark.slow
def test_a_simulated_push_is_indexed_by_what_it_was():
    response = respond(90.0, 75.0)
    assert response.push == pytest.approx(1j * 75.0 * 0.2 / 75.0 / UNIT) and response.in_place and not response.limited
    assert response.planted.all() and response.frames > 20
    assert len(list(Grid().pushes())) == 9 * 12


def test_find_on_the_command_line_writes_a_take(tmp_path, capfd):
    out = tmp_path / "shoved.npz"
    assert main(["responses", "find", "--push", "forward,0.7", "--then", "0.6,right,0.3", "--out", str(out), "--json"]) == 0
    report = json.loads(capfd.readouterr().out)
    take = Take.load(out)
    assert report["strategy"] in ("step", "steps") and len(report["then"]) == 1
    assert len(take.shot.pushes) == 2 and take.stats["by_example"].startswith(report["response"])
    weight = take.body.mass_kg * 9.81
    assert take.grf_n[:10, :, 2].sum(axis=1) == pytest.approx(weight, rel=0.02)  # who stands is carried
    assert take.contact[0].all() and np.isfinite(take.torque_nm).all()


@pytest.mark.parametrize(("words", "sentence"), [
    (["find"], "--push DIRECTION,M/S"), (["find", "--push", "up,1"], "no direction named 'up'"),
    (["find", "--push", "left"], "such as left,0.6"), (["find", "--push", "left,hard"], "a number of m/s"),
    (["find", "--push", "left,0.5", "--allow", "fly"], "no strategy named 'fly'"),
    (["find", "--push", "left,1", "--allow", "ankles"], "that way"),
    (["find", "--push", "left,1", "--then", "x,left,1"], "T,"),
    (["seek"], "Known: find, index, make"), (["index"], "needs a folder"), (["index", "nowhere", "--out", "x.npz"], "not there"),
    (["find", "here", "--push", "left,1"], "reads no folder"), (["make"], "needs --out")])
def test_bad_input_is_answered_in_one_sentence(words, sentence, capfd, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert main(["responses", *words]) == 2
    err = capfd.readouterr().err.strip()
    assert sentence in err and err.startswith("lope: ") and "\n" not in err


@pytest.mark.slow
def test_index_on_the_command_line(clips, tmp_path, capfd):
    folder, _ = clips
    assert main(["responses", "index", str(folder), "--out", str(tmp_path / "mine.npz"), "--licence", "mine", "--json"]) == 0
    report = json.loads(capfd.readouterr().out)
    assert [row["clip"] for row in report["clips"] if "reason" in row] == ["still.bvh", "walk.bvh"]
    assert load_library(tmp_path / "mine.npz").licence == "mine"


def test_a_response_whose_soles_slide_is_left_out_of_the_own_library(monkeypatch):
    own = load_library()
    some = replace(own, responses=own.responses[:3])
    assert with_still_feet(some).responses == some.responses  # what ships has been through it
    seen = iter((0.0, 0.5, 0.0))
    monkeypatch.setattr("lope.addon.search.push_responses._slides_m", lambda *_: next(seen))
    assert with_still_feet(some).responses == (some.responses[0], some.responses[2])
