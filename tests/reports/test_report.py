# SPDX-License-Identifier: GPL-3.0-or-later
"""`lope report --matrix`: page, plots and tables from made-up takes; what the thesis printed; the filling of a matrix."""

import csv
import dataclasses
import importlib.util
import json
import re
import shutil
import sys

import pytest

from lope.addon.cli import main
from lope.addon.errors import InputError
from lope.addon.reports import matrix as make_matrix
from lope.addon.reports import page as findings
from lope.addon.reports import page as tables
from lope.addon.reports.matrix import engine_of, on_planets, read_entries
from lope.addon.reports.norms import TABLE_2, WORLDS, expected_change_percent, printed_froude, transition_band
from lope.addon.sim.take import Take
from lope.addon.specs.path import PathSpec
from lope.addon.specs.shot import EARTH_GRAVITY_M_S2, BodySpec, Shot
from lope.addon.worlds.planets import load_world
from shot_kit import gait_shot
from take_factory import Walk, make_take

pytestmark = pytest.mark.slow

needs_matplotlib = pytest.mark.skipif(importlib.util.find_spec("matplotlib") is None, reason="matplotlib is not installed")


def take_on(gait: str, world: str, **more) -> Take:
    """A made-up take of a gait on a world, dynamically similar to the Earth's."""
    place = load_world(world)
    root = (place.gravity_m_s2 / EARTH_GRAVITY_M_S2) ** 0.5
    duty = 0.6 if gait != "run" else 0.35
    take = make_take(Walk(speed=1.2 * root, frequency=0.8 * root, duty=duty, gravity=place.gravity_m_s2, seconds=9.0 / root))
    path = PathSpec(kind="circle") if gait == "turn" else PathSpec()
    shot = gait_shot(gait, path=path, world=place, duration_s=take.shot.duration_s, **more)
    stats = {**take.stats, "planned_speed_m_s": 1.2 * root, "planned_stride_frequency_hz": 0.8 * root}
    return dataclasses.replace(take, shot=shot, stats=stats)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder of takes: walk on five worlds, run on two, one asked speed, one of PyBullet, one file that is no take."""
    out = tmp_path_factory.mktemp("matrix")
    (out / "takes").mkdir()
    for world in WORLDS:
        take_on("walk", world).save(out / "takes" / f"walk-{world}.npz")
    for world in ("moon", "earth"):
        take_on("run", world).save(out / "takes" / f"run-{world}.npz")
    take_on("walk", "earth", engine="pybullet").save(out / "takes" / "walk-earth-bullet.npz")
    take_on("walk", "moon", speed_m_s=0.5, stride_frequency_hz=0.52).save(out / "takes" / "asked.npz")
    (out / "takes" / "broken.npz").write_bytes(b"no take")
    return out


def test_contradictory_rows_of_table_2_are_those_known():
    wrong = {(gait, world) for gait, rows in TABLE_2.items() for world, row in rows.items() if row.contradicts_itself}
    assert wrong == {("walk", "jupiter"), ("run", "neptune"), ("run", "jupiter"), ("turn", "neptune")}
    assert printed_froude("walk", "moon") == pytest.approx(0.188, abs=1e-3)
    assert printed_froude("run", "jupiter") == pytest.approx(0.036, abs=1e-3)
    assert expected_change_percent("jupiter") == pytest.approx(153.0, abs=0.5)


def test_transition_band_joins_the_measured_ends():
    assert transition_band(EARTH_GRAVITY_M_S2) == (0.5, 0.5) == transition_band(24.79)
    assert transition_band(1.62) == pytest.approx((0.9, 1.39)) == transition_band(0.6)
    low, high = transition_band(3.0)
    assert 0.5 < low < 0.9 and low < high < 1.39


def test_entries_are_sorted_and_told_apart(folder):
    entries, refused = read_entries(sorted((folder / "takes").glob("*.npz")))
    assert len(entries) == 9 and len(refused) == 1 and "broken.npz" in refused[0]
    assert [e.world for e in entries if e.gait == "walk" and e.automatic and e.shot.engine == "mujoco"] == list(WORLDS)
    assert engine_of(entries) == "mujoco"
    moon = on_planets(entries, "walk")["moon"]
    assert moon.automatic and moon.trace.way_m[-1] == pytest.approx(moon.measures["stride_length_m"] * 3, rel=0.03)
    asked = [e for e in entries if not e.automatic]
    assert len(asked) == 1 and asked[0].shot.motion.speed_m_s == 0.5


def test_another_body_or_ground_is_not_automatic(folder):
    entries, _ = read_entries([folder / "takes" / "walk-moon.npz"])
    heavier = dataclasses.replace(entries[0], shot=dataclasses.replace(entries[0].shot, body=BodySpec(mass_kg=90.0)))
    assert entries[0].automatic and not heavier.automatic


def test_tables_mark_what_contradicts_itself(folder):
    entries, _ = read_entries(sorted((folder / "takes").glob("walk-*.npz")))
    table = tables.gait_table(entries, "walk")
    jupiter = next(i for i, row in enumerate(table.rows) if row[0] == "jupiter")
    assert table.marks == {(jupiter, 9), (jupiter, 12)} and table.rows[jupiter][12] == "0.81"
    forces = tables.force_table(entries)
    moon = next(row for row in forces.rows if row[1] == "moon")
    assert float(moon[7].split()[0]) == pytest.approx(-83.5, abs=1.5) and moon[8:] == ["-83 %", "-83 %", "-75 %"]
    assert tables.asked_table(entries).rows == []


def test_findings_say_what_the_figures_say(folder):
    entries, _ = read_entries(sorted((folder / "takes").glob("*.npz")))
    assert findings.outcome(entries) == ["9 of 9 characters stand to the end."]
    said = " ".join(findings.speeds_found(entries))
    assert "0.76 x 1.06 = 0.81, printed 1.32" in said and "1.26 x 1.35 = 1.70" in said
    assert "run on mars -26 % (must be -62 %)" in " ".join(findings.forces(entries))
    assert any(sentence.startswith("walk: duty factor 0.60 on Earth") for sentence in findings.duty(entries))
    assert "run on earth (0.17)" in findings.transition(entries)[-1]


@pytest.mark.acceptance
@needs_matplotlib
def test_the_page_is_one_file_with_plots_and_tables_beside_it(folder, capfd):
    assert main(["report", "--matrix", str(folder), "--json"]) == 0
    report = json.loads(capfd.readouterr().out)
    assert report["takes"] == 9 and report["fell"] == 0 and "broken.npz" in report["refused"][0]
    page = (folder / "report.html").read_text(encoding="utf-8")
    names = {path.stem for path in (folder / "plots").glob("*.png")}
    assert {"speeds", "froude-curve", "trace-walk", "trace-run", "ground-forces", "duty-factors", "take-off", "transitions",
            "apollo"} == names
    assert page.count("data:image/png;base64,") == len(names) and not re.search(r'(src|href)="(?!data:)', page)
    assert all(path.read_bytes().startswith(b"\x89PNG") for path in (folder / "plots").glob("*.png"))
    for table in (folder / "tables").glob("*.csv"):
        rows = list(csv.reader(table.open(encoding="utf-8")))
        assert len({len(row) for row in rows}) == 1 and len(rows) > 1
    assert "Apollo 15" not in page.split("<h2>")[0] and "printed 1.32" in page


def test_the_page_without_plots_needs_no_matplotlib(folder, tmp_path, monkeypatch, capfd):
    copy = tmp_path / "m"
    shutil.copytree(folder / "takes", copy / "takes")
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    monkeypatch.delenv("BLENDER", raising=False)
    assert main(["report", "--matrix", str(copy)]) == 2
    assert "--no-plots" in capfd.readouterr().err
    assert main(["report", "--matrix", str(copy), "--no-plots", "--json"]) == 0
    report = json.loads(capfd.readouterr().out)
    page = (copy / "report.html").read_text(encoding="utf-8")
    assert report["plots"] == [] and "<img" not in page and "without its plots" in page and not (copy / "plots").exists()
    names = {path.name for path in (copy / "tables").glob("*.csv")}
    assert {"speeds-walk.csv", "centre-of-mass-walk.csv", "ground-forces.csv"} <= names
    assert "<table" in page and "Who stands" in page


@needs_matplotlib
def test_takes_of_other_origin_are_only_reported_on(folder, monkeypatch):
    monkeypatch.setattr(make_matrix, "simulate_to", lambda *_: pytest.fail("nothing is to be simulated here"))
    assert make_matrix.fill(folder, None, None, 5.0, lambda *_: None) == []


def test_inside_blender_the_page_is_written_without_plots_and_says_so(folder, tmp_path, monkeypatch, capfd):
    copy = tmp_path / "copy"
    shutil.copytree(folder / "takes", copy / "takes")
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    monkeypatch.setenv("BLENDER", "blender")
    assert main(["report", "--matrix", str(copy), "--json"]) == 0
    said = capfd.readouterr()
    assert "Blender has no matplotlib" in said.err and json.loads(said.out.splitlines()[-1])["plots"] == []
    assert "without its plots" in (copy / "report.html").read_text(encoding="utf-8")


def test_without_matplotlib_a_sentence_says_what_to_install(folder, monkeypatch, capfd):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    monkeypatch.delenv("BLENDER", raising=False)
    assert main(["report", "--matrix", str(folder)]) == 2
    assert "lope[plot]" in capfd.readouterr().err


def test_an_empty_folder_gets_the_matrix_and_a_stopped_one_is_finished(tmp_path, monkeypatch):
    made, stops = [], [KeyboardInterrupt]

    def pretend(path, shot, progress):
        if shot.world.name == "mars" and stops:
            raise stops.pop()
        if shot.world.name == "jupiter":
            raise InputError("Too fast for Jupiter.")
        made.append(path.name)
        take = make_take(Walk())
        dataclasses.replace(take, shot=shot).save(path)

    monkeypatch.setattr(make_matrix, "simulate_to", pretend)
    with pytest.raises(KeyboardInterrupt):
        make_matrix.fill(tmp_path, ("walk",), None, 8.0, lambda *_: None)
    assert make_matrix.fill(tmp_path, ("walk",), None, 8.0, lambda *_: None) == ["walk on jupiter: Too fast for Jupiter."]
    assert made == ["walk-moon.npz", "walk-mars.npz", "walk-earth.npz", "walk-neptune.npz"]
    assert make_matrix.fill(tmp_path, ("walk",), ("earth",), 9.0, lambda *_: None) == []
    assert made[4:] == ["walk-earth.npz"]  # asked for another length


def test_shots_of_the_matrix_have_nothing_set_by_hand():
    shots = make_matrix.matrix_shots(None, None, 10.0)
    assert {"walk-moon", "walk-jupiter"} <= set(shots) and len(shots) % 5 == 0
    moon = shots["walk-moon"]
    assert moon == Shot(world=load_world("moon"), duration_s=moon.duration_s)
    assert moon.duration_s == pytest.approx(10.0 * (9.81 / 1.62) ** 0.5, abs=0.01)
    with pytest.raises(InputError, match="Did you mean 'walk'"):
        make_matrix.matrix_shots(("wolk",), None, 10.0)


def test_bad_words_of_the_report_are_told(tmp_path, capfd):
    for words in (["--seconds", "0"], ["--worlds", "vulcan"], ["--gaits", "wolk"]):
        assert main(["report", "--matrix", str(tmp_path / "m"), *words]) == 2
        assert "lope: " in capfd.readouterr().err
