# SPDX-License-Identifier: GPL-3.0-or-later
"""Clips become motions known by their pressure: on rails where nobody could follow, by a list that is mended and taken over."""

from __future__ import annotations

import io
import json
from functools import cache, partial
from pathlib import Path

import numpy as np
import pytest

from lope.addon.cli import main
from lope.addon.errors import InputError
from lope.addon.motions.bvh import told_length_s, write_bvh
from lope.addon.motions.pressure.database import MOTION_HZ, PER_FRAME, Database, Listed, Span, found_spans, read_list, write_spans
from lope.addon.motions.pressure.features import features_of
from lope.addon.motions.responses.response import reference_body
from lope.addon.reports.feet import forces_on_floor
from lope.addon.reports.pictures import LEFT, RIGHT, SeenClip, onset_page, onset_sheet, scores_of
from lope.addon.reports.plots import DPI
from lope.addon.search.pressed_clips import index_clips, pressed_clip
from lope.addon.sim.simulation import simulate
from lope.addon.specs.disturbances import Reaction
from lope.addon.specs.motions import Clip
from lope.addon.specs.shot import Shot
from pressure_kit import on_mat, step_motion

pytestmark = pytest.mark.slow

CLIPS = Path(__file__).resolve().parents[4] / "shared" / "motion" / "reactions"
needs_clips = pytest.mark.skipif(not CLIPS.is_dir(), reason="the captured clips are not here")


@pytest.fixture(scope="module")
def walk():
    return simulate(Shot(duration_s=2.0))


def centre(force, take):
    return np.einsum("tp,tpk->tk", force, take.contact_point_m[:, :, :2]) / np.maximum(force.sum(axis=1), 1.0)[:, None]


def test_forces_worked_out_of_a_motion_are_those_that_its_ground_gave(walk):
    found, real = forces_on_floor(walk), walk.contact_point_force_n
    weight, inner = walk.body.mass_kg * 9.81, slice(10, -10)
    assert abs(found.sum(axis=1)[inner].mean() / weight - real.sum(axis=1)[inner].mean() / weight) < 0.05
    off = np.linalg.norm(centre(found, walk) - centre(real, walk), axis=1)[inner]
    assert off.mean() < 0.08
    left = list(walk.body.feet[0].points)
    shares = [force[inner][:, left].sum(axis=1) / np.maximum(force[inner].sum(axis=1), 1.0) for force in (found, real)]
    assert np.abs(shares[0] - shares[1]).mean() < 0.15


def test_spans_are_found_by_activity_with_what_leads_in_and_out():
    drawn = np.random.default_rng(1)
    still = 0.01 * drawn.standard_normal((120, 4))
    kick, slow = still.copy(), still.copy()
    kick[50:70] += np.sin(np.linspace(0.0, np.pi, 20))[:, None] * [3.0, -2.0, 1.0, 2.0]
    slow += np.linspace(0.0, 0.2, 120)[:, None]
    one, other, third = found_spans(["kick", "slow", "still"], [kick, slow, still], 12.0)
    assert [(span.name, span.quiet) for span in one] == [("kick", False)]
    assert abs(one[0].begin_s - (50 / 12.0 - 1.0)) < 0.3 and abs(one[0].end_s - (70 / 12.0 + 1.0)) < 0.3
    assert other == [Span("slow", 0.0, 10.0)] and third == [Span("still", 0.0, 10.0, True)]


def test_a_list_comes_back_and_says_what_is_wrong_with_it(tmp_path):
    path = tmp_path / "db.json"
    assert read_list(path).spans == {}
    spans = {"a.bvh": [Span("a-1", 0.5, 1.0), Span("a-2", 2.0, 3.0)], "b.bvh": [Span("still", 0.0, 4.0, True)], "c.bvh": []}
    write_spans(path, spans)
    assert read_list(path).spans == spans
    for wrong, words in (("{", "no list of motions"), ("[" * 100_000, "damaged: its lists and tables are nested more than"),
                         ('{"format": 9, "clips": {}}', "later Lope"),
                         ('{"format": 1, "clips": {"a": [{"name": "x", "begin_s": 2, "end_s": 1}]}}', "end after that"),
                         ('{"format": 1, "clips": {"a": [{"name": "x", "begin": 2}]}}', "may have name"),
                         ('{"format": 2, "clips": {"a": [{"name": "x", "begin_s": 2}]}}', "has no end_s"),
                         ('{"format": 2, "clips": {"a": [[0, 1]]}}', "in braces"),
                         ('{"format": 2, "clips": {"a": [{"name": "x", "begin_s": "b", "end_s": 1}]}}',
                          "begin_s of the motion x of a in .* must be a number .* got \"b\""),
                         ('{"format": 2, "clips": {"a": [{"name": "x", "begin_s": 0, "end_s": 1, "quiet": "no"}]}}',
                          "quiet of the motion x of a .* true or false")):
        path.write_text(wrong, encoding="utf-8")
        with pytest.raises(InputError, match=words):
            read_list(path)


@pytest.mark.acceptance
@needs_clips
def test_a_folder_is_indexed_and_its_list_is_taken_over(tmp_path, capsys):
    folder, out = tmp_path / "clips", tmp_path / "db.npz"
    folder.mkdir()
    for name in ("snu_kick_round_hik", "snu_stand_quiet", "snu_push_fwd_strong_step"):
        (folder / f"{name}.bvh").write_bytes((CLIPS / f"{name}.bvh").read_bytes())
    assert main(["pressure", "index", str(folder), "--out", str(out), "--licence", "own", "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert {row["clip"]: row["how"] for row in report["clips"]}["snu_push_fwd_strong_step.bvh"] == "rails"
    database = Database.load(out)
    assert database.licence == "own" and [one.name for one in database.motions if one.quiet] == ["snu_stand_quiet"]
    assert all(len(one) == PER_FRAME * len(one.features) for one in database.motions)
    ends = {one["clip"]: one["end_s"] for one in report["motions"]}
    assert all(told_length_s(folder / clip) - 0.4 < end <= told_length_s(folder / clip) for clip, end in ends.items())
    listed = read_list(tmp_path / "db.json").spans
    mended = {**listed, "snu_kick_round_hik.bvh": [Span("round", 0.5, 1.5)]}
    write_spans(tmp_path / "db.json", mended)
    page = tmp_path / "onsets.html"
    assert main(["pressure", "index", str(folder), "--out", str(out), "--picture", str(page)]) == 0
    assert page.read_text(encoding="utf-8").count("<img") == 3 and "<td>0.5</td><td>1.5</td>" in page.read_text(encoding="utf-8")
    again = Database.load(out)
    assert read_list(tmp_path / "db.json").spans == mended
    assert [len(one.features) for one in again.motions if one.name == "round"] == [12]
    mended["snu_kick_round_hik.bvh"] = [Span("round", 50.0, 51.0)]
    write_spans(tmp_path / "db.json", mended)
    assert main(["pressure", "index", str(folder), "--out", str(out)]) == 2
    assert "mend its begin and end" in capsys.readouterr().err


def test_a_motion_outside_its_clip_is_refused_before_any_clip_is_simulated(tmp_path):
    paths = [tmp_path / "kick.bvh", tmp_path / "damaged.bvh"]
    paths[0].write_text("HIERARCHY\n...\nMOTION\nFrames: 90\nFrame Time: 0.033333\n" + "0 " * 9, encoding="utf-8")
    paths[1].write_text("HIERARCHY\nMOTION\nFrames: many\n", encoding="utf-8")
    pressed = []

    def press(path):
        pressed.append(path)
        raise InputError("not played")

    with pytest.raises(InputError, match="of kick.bvh is to go from 3.5 s to 4 s, and the clip has 3.00 s: mend its begin"):
        index_clips("kicks", "own", paths, Listed({"kick.bvh": [Span("kick", 0.5, 2.0), Span("late", 3.5, 4.0)]}), press=press)
    with pytest.raises(InputError, match="of kick.bvh is to go from 0.5 s to 99 s, and the clip has 3.00 s"):
        index_clips("kicks", "own", paths, Listed({"kick.bvh": [Span("kick", 0.5, 99.0)]}), press=press)
    with pytest.raises(InputError, match=r"has kcik\.bvh, and the folder has no clip .* Did you mean kick\.bvh\?"):
        index_clips("kicks", "own", paths, Listed({"kcik.bvh": [Span("kick", 0.5, 2.0)]}), press=press)
    assert not pressed
    with pytest.raises(InputError, match="None of the 2 clips"):
        index_clips("kicks", "own", paths,
                    Listed({"kick.bvh": [Span("kick", 0.5, 3.1)], "damaged.bvh": [Span("x", 9.0, 10.0)]}), press=press)
    assert pressed == paths


@pytest.mark.acceptance
def test_a_list_is_in_the_clips_own_time_however_long_it_lasts_on_the_body(tmp_path):
    folder = tmp_path / "clips"
    folder.mkdir()
    step = step_motion("step", 0.3, 0.0)
    path = folder / "step.bvh"
    write_bvh(path, reference_body(), 1.0 / MOTION_HZ, step.root, step.turn, step.joints)

    slowly = cache(partial(pressed_clip, stretch=1.25))

    database, spans = index_clips("steps", "own", [path], press=slowly)
    assert 1.8 < spans["step.bvh"][-1].end_s <= told_length_s(path) == pytest.approx(2.0, abs=0.01)
    assert len(database.motions[-1].features) == 29  # 2.5 s but for the first two samples
    known = {"step.bvh": [Span("a", 0.4, 1.6), Span("b", 1.0, 1.8)]}
    database, spans = index_clips("steps", "own", [path], Listed(known), press=slowly)
    assert spans == known and [len(one.features) for one in database.motions] == [18, 12]
    database, spans = index_clips("steps", "own", [path], Listed(known, former=True), press=slowly)
    assert spans == {"step.bvh": [Span("a", 0.32, 1.28), Span("b", 0.8, 1.44)]}
    assert [len(one.features) for one in database.motions] == [14, 10]
    seen = SeenClip("step.bvh", "followed", database.motions[0].pressure, database.motions[0].features, [], slow=1.25)
    assert seen.rate_hz == 15.0


@pytest.mark.acceptance
def test_a_database_without_quiet_stance_is_told_at_once_with_what_may_be_marked(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr("lope.addon.search.pressed_clips.pressed_clip", cache(pressed_clip))
    folder, out = tmp_path / "clips", tmp_path / "db.npz"
    folder.mkdir()
    for name, ahead in (("step", 0.3), ("waves", 0.0)):
        motion = step_motion(name, ahead, 0.0, name == "waves")
        write_bvh(folder / f"{name}.bvh", reference_body(), 1.0 / MOTION_HZ, motion.root, motion.turn, motion.joints)
    listed = {f"{name}.bvh": [Span(name, 0.0, 1.9)] for name in ("step", "waves")}
    write_spans(tmp_path / "db.json", listed)
    assert main(["pressure", "index", str(folder), "--out", str(out), "--json"]) == 0
    warning = json.loads(capsys.readouterr().out)["warning"]
    assert "has no quiet stance" in warning and "or such a part of one" in warning
    assert "The stillest: waves.bvh, step.bvh." in warning
    listed["waves.bvh"].append(Span("stands", 0.0, 0.5, True))
    write_spans(tmp_path / "db.json", listed)
    assert main(["pressure", "index", str(folder), "--out", str(out), "--json"]) == 0
    assert "warning" not in json.loads(capsys.readouterr().out)


def test_the_rails_hold_no_ground_so_that_forces_must_be_worked_out():
    clip = CLIPS / "snu_kick_low.bvh"
    if not clip.is_file():
        pytest.skip("the captured clips are not here")
    take = simulate(Shot(motion=Clip(str(clip), controller="hit", until_end=True), reaction=Reaction(law="rails")))
    force = forces_on_floor(take).sum(axis=1) / (take.body.mass_kg * 9.81)
    assert take.contact_point_force_n.max() == 0.0 and abs(force.mean() - 1.0) < 0.05 and 0.4 < force.min() < force.max() < 2.0


@pytest.mark.parametrize(("words", "said"), [
    (["index", "clips"], "needs a folder of clips and --out"), (["index", "clips", "--out", "db.csv"], "written as .npz"),
    (["index", "clips", "--out", "db.npz", "--insoles"], "belongs to `lope pressure of`"),
    (["index", "clips", "--out", "db.npz", "--picture", "onsets.txt"], "to a .png"),
    (["read", "kick.csv", "--picture", "onsets.png"], "belongs to `lope pressure of` and `lope pressure index`"),
    (["index", "no-such-folder", "--out", "db.npz"], "not there"),
    (["of", "walk.npz", "--licence", "own"], "belongs to `lope pressure index`")])
def test_what_index_does_not_take_is_told(words, said, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert main(["pressure", *words]) == 2 and said in capsys.readouterr().err


def test_a_picture_shows_every_clip_its_score_and_its_motions():
    pytest.importorskip("matplotlib")
    from PIL import Image

    motions = [step_motion("stands", 0.0, 0.0, True), step_motion("ahead", 0.35, 0.0), step_motion("aside", 0.0, -0.25)]
    felt = [on_mat(one) for one in motions]
    seen = [SeenClip(f"{one.name}.bvh", "followed", mat, features_of(mat), [Span(one.name, 0.25, 1.75, one.quiet)], one.quiet)
            for one, mat in zip(motions, felt, strict=True)]
    score = scores_of(seen)
    assert score[1].max() > 10.0 * score[0].max()  # who steps is active, who stands is not
    page = onset_page(seen, "Motions", "db.json")
    assert page.count("<img") == 3 and all(f"{one.name}.bvh" in page for one in motions) and "db.json" in page
    assert page.count("<td>quiet stance</td>") == 1 and page.count("<td>list</td>") == 1 and page.count("<td>found</td>") == 2
    sheet = onset_sheet(seen)
    assert sheet == onset_sheet(seen)
    with Image.open(io.BytesIO(sheet)) as picture:
        two, shown = picture.size, np.asarray(picture.convert("RGB")).astype(int)
    with Image.open(io.BytesIO(onset_sheet(seen[:2]))) as picture:
        assert picture.size[0] == two[0] and picture.size[1] < 0.7 * two[1]
    blue = (np.abs(shown - [220, 230, 241]).max(axis=2) < 6).any(axis=0)  # the motion's shade in the second clip, over its time
    across = np.flatnonzero(blue[shown.shape[1] // 2:]) / DPI - LEFT
    width = (shown.shape[1] / 2 / DPI - LEFT - RIGHT) / 2.0
    assert across.min() == pytest.approx(0.25 * width, abs=0.05) and across.max() == pytest.approx(1.75 * width, abs=0.05)
