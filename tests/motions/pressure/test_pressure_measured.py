# SPDX-License-Identifier: GPL-3.0-or-later
"""Pressure that was measured beside a clip: when it begins, how its mat lay, and a database of it."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from lope.addon.cli import main
from lope.addon.errors import InputError
from lope.addon.motions.bvh import read_bvh
from lope.addon.motions.pressure.database import Database, Listed, Span, read_list, write_spans
from lope.addon.motions.pressure.files import told_start_s, write_pressure
from lope.addon.motions.pressure.images import MatGrid, Pressure, mat_pressure
from lope.addon.reports.pressure import way_cells
from lope.addon.search.pressed_clips import (
    Lie,
    best_lag,
    lie_of,
    measured_beside,
    measured_clip,
    on_ground,
    pressed_clip,
    window_means,
)
from lope.addon.specs.shot import BodySpec

pytestmark = pytest.mark.slow

CLIPS = Path(__file__).resolve().parents[4] / "shared" / "motion" / "reactions"
STEP_S = 0.01


def bumps(seed: int, lasts_s: float = 6.0) -> np.ndarray:
    """A vertical force (T,) with a few bumps."""
    drawn, at = np.random.default_rng(seed), np.arange(round(lasts_s / STEP_S)) * STEP_S
    places, sizes = drawn.uniform(0.5, lasts_s - 0.5, 6), drawn.normal(0.0, 300.0, 6)
    return 700.0 + (sizes * np.exp(-(((at[:, None] - places) / 0.15) ** 2))).sum(axis=1)


@pytest.mark.parametrize("start_s", [-0.6, 0.0, 1.37])
def test_the_time_is_found_at_which_forces_agree_in_any_unit(start_s: float) -> None:
    force = bumps(1)
    begins = start_s + np.arange(48) / 12.0
    felt = 0.3 * window_means(force, STEP_S, begins, 1.0 / 12.0)
    felt += 5.0 * np.random.default_rng(2).standard_normal(len(felt))
    felt[begins < 0.0] = 210.0
    lag = best_lag(felt, 12.0, force, STEP_S, "kick.csv")
    assert abs(lag.start_s - start_s) < 0.03 and lag.correlation > max(0.9, lag.next_best)
    with pytest.raises(InputError, match="Nobody can tell when in its clip kick.csv begins"):
        best_lag(700.0 + np.random.default_rng(3).standard_normal(60), 12.0, np.full(600, 700.0), STEP_S, "kick.csv")
    with pytest.raises(InputError, match="in common"):
        best_lag(felt[:10], 12.0, force, STEP_S, "kick.csv")


def test_a_mat_is_laid_by_places_of_which_some_are_wrong() -> None:
    drawn = np.random.default_rng(4)
    mat = drawn.uniform(-0.4, 0.4, (60, 2))
    true = Lie(2.2, np.array([3.0, -1.0]), 0.0)
    ground = true.placed(mat) + 0.01 * drawn.standard_normal((60, 2))
    ground[:12] += [0.25, 0.1]  # one foot taken for the other
    found = lie_of(mat, ground)
    assert abs(found.turn_rad - 2.2) < math.radians(2.0) and np.linalg.norm(found.shift_m - true.shift_m) < 0.01
    assert 0.005 < found.off_m < 0.03


@pytest.mark.parametrize("turn", [0.0, 0.7, -1.9])
def test_turning_a_mat_changes_neither_force_nor_centre(turn: float) -> None:
    images = np.random.default_rng(5).random((3, 30, 20)) ** 4
    mat, lie = Pressure(images, (0.0127, 0.01), 12.0, "kPa"), Lie(turn, np.array([1.0, 2.0]), 0.0)
    turned = on_ground(mat, lie)
    assert turned.force_n == pytest.approx(mat.force_n, rel=1e-9)
    assert np.abs(turned.centre_m - lie.placed(mat.centre_m)).max() < 0.002


def test_the_start_is_told_by_files_and_lists_and_takes_are_no_pressure(tmp_path: Path) -> None:
    mat = Pressure(np.ones((4, 5, 6)), (0.01, 0.01), 12.0)
    clip, csv, npz = (tmp_path / f"kick.{ending}" for ending in ("bvh", "csv", "npz"))
    assert measured_beside(clip) is None
    write_pressure(csv, [mat])
    assert measured_beside(clip) == csv and told_start_s(csv) is None
    csv.write_text("# start_s = 0.35\n" + csv.read_text(encoding="utf-8"), encoding="utf-8")
    assert told_start_s(csv) == 0.35
    write_pressure(npz, [mat])
    assert told_start_s(npz) is None
    with pytest.raises(InputError, match=r"kick\.csv and kick\.npz"):
        measured_beside(clip)
    listed, spans = tmp_path / "db.json", {"kick.bvh": [Span("kick", 0.5, 1.5)]}
    write_spans(listed, spans, {"kick.bvh": 0.42})
    assert read_list(listed) == Listed(spans, {"kick.bvh": 0.42}) and read_list(tmp_path / "none.json") == Listed()


@pytest.mark.acceptance
@pytest.mark.skipif(not CLIPS.is_dir(), reason="the captured clips are not here")
def test_a_folder_with_measured_pressure_is_indexed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Another body's pressure, late, on a mat that lies across, in counts of no unit, is what was measured."""
    folder, out, name = tmp_path / "clips", tmp_path / "db.npz", "snu_push_back_weak_step.bvh"
    folder.mkdir()
    for one in (name, "snu_stand_quiet.bvh"):
        (folder / one).write_bytes((CLIPS / one).read_bytes())
    other = pressed_clip(CLIPS / name, BodySpec(height_m=1.62, mass_kg=58.0))
    cells, middle = way_cells(other.take, other.force_n)
    felt = mat_pressure(other.take.body, other.take.time_s, other.take.contact_point_m, other.force_n,
                        MatGrid(cells, middle, rate_hz=24.0))
    # a small body goes quicker; who was captured did not
    as_long = float(other.take.time_s[-1]) / read_bvh(CLIPS / name).duration_s
    counts = np.rint(felt.images / felt.images.max() * 255.0)
    felt = replace(felt, images=counts, unit="counts", rate_hz=24.0 * as_long).within(10, len(felt))
    write_pressure(folder / "snu_push_back_weak_step.csv", [on_ground(felt, Lie(-1.57, np.array([1.0, 2.0]), 0.0))])
    asked = ["pressure", "index", str(folder), "--out", str(out), "--json"]
    assert main(asked) == 0
    row = {one["clip"]: one for one in json.loads(capsys.readouterr().out)["clips"]}[name]
    start_s = 10.0 / felt.rate_hz
    assert row["how"] == "measured" and abs(row["start_s"] - start_s) < 0.05 and row["correlation"] > 0.8
    assert abs(row["turn_deg"] - 90.0) < 6.0 and row["feet_off_m"] < 0.06
    listed = tmp_path / "db.json"
    assert read_list(listed).starts == {name: row["start_s"]}
    motion = next(one for one in Database.load(out).motions if one.source == name)
    pressure = motion.pressure
    assert pressure.unit == "counts" and read_list(listed).spans[name][0].begin_s >= row["start_s"] - 0.01
    frames = np.arange(len(pressure))
    ankles = motion.root[5 * frames, :2]
    assert np.median(np.linalg.norm(pressure.centre_m - ankles, axis=1)) < 0.2  # the mat lies where the motion goes on
    file = folder / "snu_push_back_weak_step.csv"
    told = measured_clip(folder / name, file, row["start_s"])
    assert "correlation" not in told.said and told.said["turn_deg"] == row["turn_deg"]
    with pytest.raises(InputError, match="no time in common"):
        measured_clip(folder / name, file, 100.0)
    with pytest.raises(InputError, match="off those of its clip"):
        measured_clip(CLIPS / "snu_push_fwd_strong_step.bvh", file, 0.0)
