# SPDX-License-Identifier: GPL-3.0-or-later
"""scripts/validate: rows, keys, resume, verdicts, the page; and a short slice of the matrix, run for real."""

import dataclasses
import json
import subprocess
from pathlib import Path

import numpy as np
import pytest

from lope.addon.bodies.makers import make_body
from lope.addon.specs.motions import Gait
from lope.addon.specs.shot import Shot
from lope.addon.worlds.planets import load_world
from lope.scripts.suites.validation import case as worlds
from lope.scripts.suites.validation import kinds, rows, runner, verdicts
from lope.scripts.suites.validation.case import Case, code_version
from lope.scripts.suites.validation.runner import document, tables_in
from take_factory import Walk, make_take

ROOT = Path(__file__).resolve().parents[2]

COUNTS = {1: 30, 2: 45, 3: 6, 4: 4, 5: 20, 6: 20, 7: 2, 8: 80, 9: 15, 11: 1, 12: 12, 13: 1, 14: 21}
GOOD = {"grf_mean_over_mg": 1.0, "froude": 0.2, "mean_speed_m_s": 1.0, "stride_frequency_hz": 0.8, "time_fell_s": None}


def result(case: Case, stood: bool = True, error: str | None = None, **more) -> dict:
    """A made-up result of a case."""
    measures = None if error else {**GOOD, "time_fell_s": None if stood else 3.0, **more.pop("measures", {})}
    return {"key": case.key, "name": case.name, "kind": case.kind, "stood": stood, "error": error, "version": "v",
            **({"measures": measures} if measures else {}), **more}


def verdict(number: int, results: list[dict]) -> verdicts.Verdict:
    """The verdict on a row."""
    return verdicts.judge(rows.ROWS[number], rows.ROWS[number].cases(), {r["key"]: r for r in results})


@pytest.mark.slow
def test_the_rows_have_the_cases_that_were_promised():
    for number, count in COUNTS.items():
        cases = rows.ROWS[number].cases()
        assert len(cases) == count, number
        assert len({case.key for case in cases}) == len({case.name for case in cases}) == count
    names = {case.name for case in rows.ROWS[1].cases()}
    assert {case.name for case in rows.ROWS[9].cases()} < names  # the same shots: run once


def test_clips_that_walk_are_told_by_their_names(tmp_path):
    for name in ("07_01_walk_normal", "09_06_run", "snu_march_soldier", "snu_hop_two_feet"):
        (tmp_path / f"{name}.bvh").write_text("")
    assert [path.stem for path in rows.walking_clips(tmp_path)] == ["07_01_walk_normal", "snu_march_soldier"]


def test_a_key_changes_with_the_shot_and_with_what_is_done():
    case = Case("a", Shot())
    assert case.key == Case("b", Shot(), keep=True).key
    others = [Case("a", Shot(seed=1)), Case("a", Shot(), "norms"), Case("a", Shot(), options={"x": 1})]
    assert len({case.key, *(other.key for other in others)}) == 4
    assert len(code_version()) == 12


def test_the_thesis_s_body_has_its_leg_height_and_mass():
    body = make_body(worlds.thesis_body())
    assert body.leg_length_m == pytest.approx(0.82, abs=1e-6) and body.mass_kg == pytest.approx(62.0)
    top = worlds.thesis_body().landmarks["head_top"][2]
    assert top == pytest.approx(1.60)
    arm = worlds.thesis_body().landmarks
    assert arm["shoulder_L"][2] - arm["elbow_L"][2] == pytest.approx(0.186 * 1.60)


def test_bumps_are_as_high_and_long_as_asked_and_level_at_the_start():
    ground = worlds.bumpy("moon").ground
    heights = np.array(ground.heights_m)
    assert heights.min() == 0.0 and heights.max() == pytest.approx(0.05, abs=0.002)
    start = round(1.0 / ground.spacing_m), round(6.0 / ground.spacing_m)
    assert heights[start] == 0.0


def test_gravities_are_spread_from_end_to_end():
    spread = worlds.spread_gravities(20)
    assert len(spread) == 20 and spread[0] == pytest.approx(0.05 * 9.81) and spread[-1] == pytest.approx(3.0 * 9.81)
    assert np.ptp(np.diff(np.log(spread))) < 1e-4


def test_a_row_with_missing_results_is_not_judged():
    cases = rows.ROWS[3].cases()
    found = verdict(3, [result(case) for case in cases[:4]])
    assert (found.holds, found.passed, found.cases, found.missing) == (None, 4, 6, 2)
    assert verdict(3, [result(case) for case in cases]).holds is True


def test_falls_and_refusals_fail_with_their_reason():
    cases = rows.ROWS[3].cases()
    refused = result(cases[1], stood=False, error="There is no gait named 'lope'.")
    found = verdict(3, [result(cases[0], stood=False), refused, *(result(case) for case in cases[2:])])
    assert found.holds is False and found.passed == 4
    assert "fell after 3.0 s" in found.failures[0] and "no gait named" in found.failures[1]


def test_froude_forces_and_speeds_are_held_to_their_bounds():
    five, nine, four = (rows.ROWS[number].cases() for number in (5, 9, 4))
    fast = [result(case, measures={"froude": 0.46 if i == 3 else 0.2}) for i, case in enumerate(five)]
    light = [result(case, measures={"grf_mean_over_mg": 0.979 if i == 0 else 1.019}) for i, case in enumerate(nine)]
    assert verdict(5, fast).passed == 19 and verdict(9, light).passed == 14
    asked = [result(case, measures={"mean_speed_m_s": 1.04 * case.shot.motion.speed_m_s,
                                    "stride_frequency_hz": 0.96 * case.shot.motion.stride_frequency_hz}) for case in four]
    assert verdict(4, asked).holds is True
    asked[1]["measures"]["mean_speed_m_s"] *= 1.02
    assert verdict(4, asked).passed == 3


def test_slopes_allow_two_falls_at_ten_degrees_and_none_at_five():
    cases = rows.ROWS[6].cases()
    steep = [case for case in cases if abs(case.shot.world.ground.slope_deg) == 10.0]
    for fallen, holds in ((steep[:2], True), (steep[:3], False), ([c for c in cases if c not in steep][:1], False)):
        assert verdict(6, [result(case, stood=case not in fallen) for case in cases]).holds is holds


@pytest.mark.slow
def test_the_push_map_is_judged_by_world_and_direction():
    cases = rows.ROWS[8].cases()

    def survived(case: Case) -> float:
        if case.shot.world.name == "moon":
            return 0.24
        return 0.52 if case.options["direction_deg"] in (90, 270) else 0.1

    good = [result(case, survived_m_s=survived(case), tried={}) for case in cases]
    found = verdict(8, good)
    assert found.holds is True and found.passed == 80
    assert len(tables_in(found.table)) == 2 and tables_in(found.table)[0][1][0] == "0"
    weak = [dict(r, survived_m_s=0.45) if r["survived_m_s"] == 0.52 else r for r in good]
    assert verdict(8, weak).holds is False and "median" in verdict(8, weak).failures[-1]


def test_clips_may_fall_in_a_tenth_of_the_pairs():
    cases = [Case(f"clip {i}", Shot(seed=i)) for i in range(20)]
    for fallen, holds in ((2, True), (3, False)):
        results = {case.key: result(case, stood=i >= fallen) for i, case in enumerate(cases)}
        assert verdicts.judge(rows.ROWS[15], cases, results).holds is holds


@pytest.mark.parametrize("limit, survived, runs", [(0.0, 0.0, 3), (0.3, 0.24, 3), (0.35, 0.32, 4), (9.0, 0.75, 4)])
def test_a_push_is_bisected_from_what_must_be_survived(monkeypatch, limit, survived, runs):
    """The largest of 0.08, 0.16, 0.24, 0.32, 0.40, 0.55, 0.75 up to the limit, found in few simulations."""
    levels, tried = rows.PUSH_LEVELS_M_S["moon"], []

    def pretend(shot):
        level = np.linalg.norm(shot.pushes[0].force_n) * shot.pushes[0].duration_s / shot.body.mass_kg
        tried.append(round(float(level), 6))
        return make_take(Walk(seconds=2.0), stats={"time_fell_s": 1.0} if level > limit else None)

    monkeypatch.setattr(kinds, "simulate", pretend)
    case = Case("push", Shot(world=load_world("moon")), "push",
                {"direction_deg": 90, "phase": 0.4, "levels_m_s": levels, "first": rows.PUSH_FIRST})
    found = kinds.run(("k", case), Path("unused"), "v")
    assert found["error"] is None and found["survived_m_s"] == survived
    assert tried[0] == 0.24 and len(tried) <= runs + 1 and len(set(tried)) == len(tried)


def test_errors_of_a_case_are_told_and_stop_nothing(monkeypatch):
    refused = kinds.run(("k", Case("bad", Shot(motion=Gait("no-such-gait"), duration_s=1.0))), Path("unused"), "v")
    assert not refused["stood"] and "no-such-gait" in refused["error"]
    monkeypatch.setattr(kinds, "simulate", lambda shot: 1 / 0)
    broken = kinds.run(("k", Case("worse", Shot())), Path("unused"), "v")
    assert "A fault in Lope (ZeroDivisionError" in broken["error"]


def test_results_are_resumed_and_errors_are_tried_again(tmp_path):
    cases = [Case(f"case {i}", Shot(seed=i), keep=i == 3) for i in range(4)]
    lines = [result(cases[0]), result(cases[1], stood=False), result(cases[2], stood=False, error="No engine."),
             result(cases[3])]
    text = "".join(json.dumps(line) + "\n" for line in lines) + '{"key": "cut'
    (tmp_path / runner.RESULTS).write_text(text, encoding="utf-8")
    assert [case.name for case in runner.missing(cases, tmp_path)] == ["case 2", "case 3"]  # case 3 lacks its take
    (tmp_path / runner.TAKES).mkdir()
    (tmp_path / runner.TAKES / f"{cases[3].key}.npz").write_bytes(b"")
    assert [case.name for case in runner.missing(cases, tmp_path)] == ["case 2"]
    assert runner.by_name(tmp_path)["case 1"]["stood"] is False


def test_a_shot_of_two_rows_runs_once_and_is_kept_if_one_wants_it(tmp_path):
    twice = [Case("a", Shot()), Case("a", Shot(), keep=True), Case("b", Shot(duration_s=5.0))]
    found = runner.missing(twice, tmp_path)
    assert [(case.name, case.keep) for case in found] == [("b", False), ("a", True)]  # the longest last


def test_the_page_holds_verdicts_figures_and_reasons():
    row, cases = rows.ROWS[3], rows.ROWS[3].cases()
    found = verdict(3, [result(cases[0], stood=False), *(result(case) for case in cases[1:])])
    text = document([(row, found)], {"abc"}, quick=False)
    assert "| 3 | lope, skip, hop on the Moon and Mars, 30 s | no fall | 5 of 6 | **does not hold** |" in text
    assert "- lope, moon, 30 s: fell after 3.0 s" in text and "Code abc" in text and "quick slice" not in text
    assert "quick slice" in document([(row, found)], {"abc"}, quick=True)


def test_quick_cases_are_short_and_say_so():
    case = dataclasses.replace(rows.ROWS[1].cases()[0])
    short = rows.quick(case, 4.0)
    assert short.shot.duration_s == pytest.approx(4.0 * (9.81 / 1.62) ** 0.5, abs=0.01) and "quick" in short.name
    push = rows.quick(rows.ROWS[8].cases()[0], 4.0)
    assert push.options["levels_m_s"] == (0.1,)


@pytest.mark.acceptance
@pytest.mark.slow
def test_a_slice_runs_writes_its_page_and_is_not_run_twice(tmp_path):
    """Real simulations: a walk on Earth for 4.5 s, judged by rows 1 and 9, and its result kept."""
    words = [ROOT / "scripts" / "validate", "--quick", "--rows", "1,9", "--only", "walk, earth, mujoco",
             "--workers", "1", "--out", tmp_path]
    first = subprocess.run(words, capture_output=True, text=True)
    assert first.returncode == 0, first.stderr
    assert "[1/1]" in first.stderr and first.stdout.count("1 of 1 passed, holds") == 2
    page = (tmp_path / "validation.md").read_text(encoding="utf-8")
    assert "## Row 9" in page and "quick slice" in page
    assert len(list((tmp_path / "takes").glob("*.npz"))) == 1
    again = subprocess.run(words, capture_output=True, text=True)
    assert again.returncode == 0 and "[1/1]" not in again.stderr
    assert len((tmp_path / "results.jsonl").read_text(encoding="utf-8").splitlines()) == 1


@pytest.mark.slow
@pytest.mark.parametrize("words, said", [(["--rows", "99"], "no row 99"), (["--rows", "x"], "numbers with commas"),
                                         (["--workers", "0"], "1 or more")])
def test_bad_words_are_refused(words, said):
    done = subprocess.run([ROOT / "scripts" / "validate", *words], capture_output=True, text=True)
    assert done.returncode == 2 and said in done.stderr


def poses_of(case: Case, apart: float) -> dict:
    """A made-up result of row 16."""
    joints = ("hip", "knee", "ankle", "trunk", "shoulder", "elbow", "all")
    return result(case, apart_deg=dict.fromkeys(joints, apart), gaits=["walk", "walk"])


def test_the_planet_has_to_show_but_not_in_the_similar_walk():
    cases = rows.ROWS[16].cases()
    assert verdict(16, [poses_of(case, apart) for case, apart in zip(cases, (1.0, 5.1, 21.0), strict=True)]).holds
    bad = verdict(16, [poses_of(case, apart) for case, apart in zip(cases, (1.0, 4.9, 19.0), strict=True)])
    assert not bad.holds and [text.partition(":")[0] for text in bad.failures] == ["walk, people", "auto"]


def test_eight_of_ten_measurements_of_people_have_to_be_met():
    good = {"walk, Earth": {"mean_speed_m_s": 1.3}, "walk, 0.4 g": {"mean_speed_m_s": 0.94},
            "walk, Moon, suited": {"mean_speed_m_s": 0.6},
            "walk at equal speed, Earth": {"stride_length_m": 1.2, "duty_factor": 0.64},
            "walk at equal speed, 0.25 g": {"stride_length_m": 1.0, "duty_factor": 0.58},
            "run, Earth": {"flight_height_m": 0.05}, "run, Mars": {"flight_height_m": 0.04},
            "run, Moon": {"flight_height_m": 0.03}, "auto, Moon, suited": {"mean_speed_m_s": 1.31}}
    cases = rows.ROWS[17].cases()
    assert {case.name for case in cases} == good.keys()

    def judged(**changed):
        return verdict(17, [result(case, measures={**good[case.name], **changed.get(case.name, {})}) for case in cases])

    whole = judged()
    assert whole.holds and whole.figures[0].startswith("10 of 10 inside") and "Apollo 12" in whole.figures[1]
    assert [len(table) for table in tables_in(whole.table)] == [11]
    two_off = judged(**{"walk, Earth": {"mean_speed_m_s": 2.0}, "run, Moon": {"flight_height_m": 0.06}})
    assert two_off.holds and len(two_off.failures) == 2
    three_off = judged(**{"walk, Earth": {"mean_speed_m_s": 2.0}, "run, Moon": {"flight_height_m": 0.06},
                          "walk, 0.4 g": {"mean_speed_m_s": None}})
    assert not three_off.holds


def test_people_may_be_dearer_by_so_much():
    def costs(case, ratio):
        gait = "lope" if "lope" in case.name else "walk"
        return result(case, efforts={law: {"gait": gait, "speed_m_s": 1.0, "cost_j_kg_m": cost}
                                     for law, cost in (("people", 2.0 * ratio), ("similar", 2.0))})

    cases = rows.ROWS[18].cases()
    assert verdict(18, [costs(case, 1.1) for case in cases]).holds
    dear = verdict(18, [costs(case, 1.2) for case in cases])
    assert not dear.holds and not any("lope" in text for text in dear.failures)


@pytest.mark.slow
def test_rows_of_people_are_those_of_the_similar_gaits():
    for row, others in ((19, (1, 3, 5, 6, 7, 12)), (20, (2,)), (21, (15,))):
        cases = rows.ROWS[row].cases()
        assert {case.name for case in cases} == {f"{case.name}, people" for n in others for case in rows.ROWS[n].cases()}
        assert {case.shot.motion.law for case in cases} <= {"people"}
    assert {case.shot.motion.law for n in range(1, 16) if n in rows.ROWS for case in rows.ROWS[n].cases()} == {"similar"}


def test_the_page_ends_with_what_was_measured_by_hand():
    """Each of the theses' rows L1 to L26, B1 to S14, F1 to F7 once, and the same words in the page that is there."""
    told = (ROOT / "scripts" / "suites" / "validation" / "by_hand.md").read_text(encoding="utf-8").strip()
    rows = [line.split("|")[1].strip() for line in told.splitlines()
            if line[:3] in ("| L", "| B", "| N", "| S", "| F")]
    counts = {"L": 26, "B": 5, "N": 4, "S": 14, "F": 7}
    assert rows == [f"{letter}{i}" for letter, count in counts.items() for i in range(1, count + 1)]
    assert document([], set(), False).strip().endswith(told)
    assert (ROOT / "docs" / "validation.md").read_text(encoding="utf-8").strip().endswith(told)
