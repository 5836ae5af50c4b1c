# SPDX-License-Identifier: GPL-3.0-or-later
"""Reports ask before they judge: takes without gait, with any number of feet, fallen, lost, or not numbers, give a report."""

import csv
import dataclasses
import json

import numpy as np
import pytest

from creature_take import DUTY, HOP_HZ, creature_take
from lope.addon.commands import measure as measure_command
from lope.addon.reports.card import physics_card
from lope.addon.reports.events import foot_events, traces_of, write_traces
from lope.addon.reports.matrix import read_entries
from lope.addon.reports.measures import GAIT_UNITS, STRIDE_MEASURES, UNITS, study
from lope.addon.reports.needs import FEET, GAIT, HUMAN, NUMBERS, POSE_PLAN, STRIDES, TWO_FEET
from lope.addon.reports.page import write_page
from lope.addon.reports.rules import NOT_JUDGED, RED
from take_factory import Walk, make_take

SAID = "MuJoCo lost the simulation at 1.000 s (its state was not a number)."
HOPPING = {"time_fell_s": None, "lost": None, "planned_speed_m_s": 0.0, "planned_stride_frequency_hz": HOP_HZ}
ANSWERS = {"time_fell_s", "time_rest_s", "lost", "sim_s_per_cpu_s"}
"""None is an answer of these, not a lack of one."""


def takes():
    """One of each kind that is no walk of a human."""
    found = {f"{feet} feet": creature_take(feet) for feet in range(4)}
    found |= {f"{feet} feet, with strides": creature_take(feet, stats=HOPPING) for feet in (1, 2, 3)}
    found["fell"] = creature_take(2, stats={"time_fell_s": 1.0})
    found["lost"] = creature_take(2, stats={"time_fell_s": None, "lost": SAID})
    found["one sample"] = creature_take(2, seconds=0.0)
    found["two samples"] = creature_take(1, seconds=0.01, stats=HOPPING)
    broken = creature_take(2, stats={**HOPPING, "lost": SAID})
    arrays = {name: array.copy() for name, array in broken.arrays.items()}
    for name in ("com_m", "com_velocity_m_s", "grf_n", "torque_nm", "contact_point_m", "contact_point_force_n"):
        arrays[name][-30:] = np.nan
    found["not numbers"] = dataclasses.replace(broken, arrays=arrays)
    walked = make_take(Walk(), stats={"lost": SAID})
    found["a walk that was lost"] = walked
    found["a limp human"] = dataclasses.replace(walked, stats={"time_fell_s": None, "lost": None}, arrays={
        name: array for name, array in walked.arrays.items() if not name.startswith(("plan_", "pose_"))})
    return found


TAKES = takes()


@pytest.mark.parametrize("name", TAKES)
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_any_take_gives_a_report(name, tmp_path):
    """Measures with values or reasons, card, events, traces and their tables, plain JSON."""
    take = TAKES[name]
    found = study(take)
    assert list(found.values) == [*UNITS, *GAIT_UNITS]
    silent = {key for key, value in found.values.items() if value is None} - found.reasons.keys()
    assert silent <= ANSWERS, "what is not measured says why"
    assert all(found.values[key] is None and len(reason) > 5 for key, reason in found.reasons.items())
    assert json.loads(json.dumps(found.values, allow_nan=False)) == found.values
    card = physics_card(take, found)
    assert all(line.reason for line in card.lines) and card.text()
    assert all(line.value is not None for line in card.lines if line.grade != NOT_JUDGED)
    assert {event.foot for event in foot_events(take)} <= {foot.name for foot in take.body.feet}
    write_traces(traces_of(take), tmp_path / "traces.csv", lambda time: 24.0 * time)
    with open(tmp_path / "traces.csv", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == len(take.time_s) and {f"contact_{foot.name}" for foot in take.body.feet} <= rows[0].keys()


@pytest.mark.acceptance
@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_a_page_of_all_of_them_says_who_was_lost_and_what_was_not_measured(tmp_path):
    pytest.importorskip("matplotlib")
    for i, take in enumerate(TAKES.values()):
        take.save(tmp_path / f"{i:02}.npz")
    entries, refused = read_entries(sorted(tmp_path.glob("*.npz")))
    assert len(entries) == len(TAKES) and not refused
    page = write_page(entries, tmp_path / "page", []).read_text(encoding="utf-8")
    assert "Lost by the physics engine, which is no fall" in page and SAID[:40] in page
    assert f"({GAIT.absent})" in page and "not-measured" not in page.split("<h2>Not measured</h2>")[0]
    with open(tmp_path / "page" / "tables" / "not-measured.csv", encoding="utf-8") as file:
        assert {row["why"] for row in csv.DictReader(file)} >= {GAIT.absent, FEET.absent, HUMAN.absent, TWO_FEET.absent}


def test_the_reason_is_the_first_thing_that_is_missing():
    reasons = {feet: study(TAKES[f"{feet} feet"]).reasons for feet in range(4)}
    assert reasons[0]["leg_length_m"] == reasons[0]["mean_speed_m_s"] == FEET.absent
    assert reasons[1]["asymmetry_force_percent"] == reasons[3]["asymmetry_force_percent"] == TWO_FEET.absent
    assert all(reasons[2][name] == GAIT.absent for name in STRIDE_MEASURES)
    assert reasons[2]["torque_over_human_max"] == HUMAN.absent and "no quadratic programs" in reasons[2]["qp_solves"]
    striding = study(TAKES["2 feet, with strides"]).reasons
    assert striding["pose_error_rms_deg"] == POSE_PLAN.absent and "mean_speed_m_s" not in striding
    assert study(TAKES["two samples"]).reasons["mean_speed_m_s"] == STRIDES.absent
    assert NUMBERS.absent in study(TAKES["not numbers"]).reasons.values()
    assert study(make_take(Walk())).reasons.keys() >= {"turning_radius_m", "flight_time_s"}


@pytest.mark.parametrize("feet", [1, 2, 3])
def test_hopping_on_any_number_of_feet_is_measured(feet):
    found = study(TAKES[f"{feet} feet, with strides"]).values
    assert found["stride_frequency_hz"] == pytest.approx(HOP_HZ) and found["mean_speed_m_s"] == 0.0
    assert found["duty_factor"] == pytest.approx(DUTY, abs=0.01)
    assert found["flight_fraction"] == pytest.approx(1.0 - DUTY, abs=0.01)
    assert found["grf_mean_over_mg"] == pytest.approx(1.0, abs=0.01)


def test_a_lost_simulation_is_red_and_is_no_fall():
    lines = {line.name: line for line in physics_card(TAKES["lost"]).lines}
    assert lines["simulation"].grade == RED and SAID in lines["simulation"].reason
    assert lines["fall"].grade != RED and "had not fallen when" in lines["fall"].reason
    fell = {line.name: line for line in physics_card(TAKES["fell"]).lines}
    assert fell["fall"].grade == RED and fell["simulation"].grade == "green"


def test_the_command_says_why(tmp_path):
    TAKES["3 feet"].save(tmp_path / "take.npz")
    parser = measure_command.argparse.ArgumentParser()
    measure_command.add_arguments(parser)
    outcome = measure_command.run(parser.parse_args([str(tmp_path / "take.npz")]))
    assert outcome.report["not_measured"]["mean_speed_m_s"] == GAIT.absent
    assert f"not measured: {GAIT.absent}\n" in outcome.text
