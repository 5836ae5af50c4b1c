# SPDX-License-Identifier: GPL-3.0-or-later
"""Measures of made-up takes with known answers, and that every measure is documented."""

import dataclasses
import json
import re
from pathlib import Path

import numpy as np
import pytest

from lope.addon.maths.curves import runs
from lope.addon.reports.beside import BOTH_UNITS, LEG_UNITS
from lope.addon.reports.creature import CREATURE_UNITS
from lope.addon.reports.effort import EFFORT_UNITS
from lope.addon.reports.feet import TREAD_UNITS, joined, stance_slips
from lope.addon.reports.following import CAUGHT_UNITS, FOLLOW_UNITS, JUMP_UNITS, STANDING_UNITS
from lope.addon.reports.hits import HIT_UNITS, HitFound
from lope.addon.reports.measures import CARRY_UNITS, GAIT_UNITS, STRIDE_MEASURES, UNITS, UP_UNITS, measure
from lope.addon.reports.strides import whole_strides
from lope.addon.sim.take import Take
from take_factory import Walk, make_take

ISSUE_KEYS = """fell, time_fell_s, time_rest_s, lost, duration_s, gravity_m_s2, body_mass_kg, leg_length_m, mean_speed_m_s,
stride_frequency_hz, stride_length_m, froude, duty_factor, flight_fraction, com_height_mean_m, com_height_range_m,
heading_change_deg, grf_mean_over_mg, grf_peak_over_mg, foot_slip_mm_max, foot_slip_mm_per_stride, penetration_mm_max,
planned_speed_m_s, planned_stride_frequency_hz, pose_error_rms_deg, qp_solves, qp_fallbacks, torque_peak_nm, sim_s_per_cpu_s,
engine, seed""".replace("\n", " ").split(", ")


def changed(take: Take, **arrays: np.ndarray) -> Take:
    """The take with some of its arrays replaced."""
    return dataclasses.replace(take, arrays={**take.arrays, **arrays})


def test_the_keys_are_the_agreed_ones():
    assert list(measure(make_take(Walk()))) == [k.strip() for k in ISSUE_KEYS]


def test_a_report_is_plain_json():
    found = measure(make_take(Walk()))
    assert json.loads(json.dumps(found, allow_nan=False)) == found


@pytest.mark.parametrize("walk", [
    Walk(), Walk(speed=0.5, frequency=0.52, gravity=1.62, seconds=20.0), Walk(heading=2.5), Walk(duty=0.4, speed=2.5),
    Walk(speed=0.3, frequency=0.313, rate=240.0, gravity=0.5, seconds=20.0),
], ids=["earth", "moon", "heading", "run", "odd"])
def test_a_walk_of_known_measures(walk):
    found = measure(make_take(walk))
    exact = {
        "mean_speed_m_s": walk.speed, "stride_frequency_hz": walk.frequency, "gravity_m_s2": walk.gravity,
        "stride_length_m": walk.speed / walk.frequency, "heading_change_deg": 0.0, "duration_s": walk.seconds,
        "com_height_mean_m": walk.height, "penetration_mm_max": 0.0, "pose_error_rms_deg": walk.pose_error,
        "torque_peak_nm": 7.0, "foot_slip_mm_max": 0.0, "foot_slip_mm_per_stride": 0.0, "body_mass_kg": 75.0,
    }
    for name, value in exact.items():
        assert found[name] == pytest.approx(value, rel=1e-3, abs=1e-6), name
    assert found["froude"] == pytest.approx(walk.speed**2 / (walk.gravity * found["leg_length_m"]), rel=1e-3)
    assert found["duty_factor"] == pytest.approx(walk.duty, abs=0.005)
    assert found["flight_fraction"] == pytest.approx(max(0.0, 1.0 - 2.0 * walk.duty), abs=0.01)
    assert found["com_height_range_m"] == pytest.approx(walk.bob, rel=0.01)
    assert found["grf_mean_over_mg"] == pytest.approx(1.0, abs=0.01)
    assert found["grf_peak_over_mg"] == pytest.approx((2.0 if walk.duty > 0.5 else 1.0) / (2.0 * walk.duty), rel=1e-9)
    assert (found["engine"], found["seed"], found["qp_solves"], found["qp_fallbacks"]) == ("mujoco", 5, 2400, 3)
    assert (found["fell"], found["time_fell_s"], found["sim_s_per_cpu_s"]) == (False, None, None)


def test_mean_force_sees_a_missing_percent():
    honest, light = (measure(make_take(Walk(load=load)))["grf_mean_over_mg"] for load in (1.0, 0.97))
    assert light / honest == pytest.approx(0.97, rel=1e-9)


def test_the_first_two_strides_count_in_no_mean():
    take = make_take(Walk(seconds=8.0))
    early = take.time_s < 2.0 / 0.8
    com = take.com_m.copy()
    com[early, 0] -= 3.0 * (2.5 - take.time_s[early])
    strange = changed(take, com_m=com, pose_error_deg=np.where(early, 90.0, 2.0))
    assert measure(strange)["mean_speed_m_s"] == pytest.approx(1.2, rel=1e-9)
    assert measure(strange)["pose_error_rms_deg"] == pytest.approx(2.0, rel=1e-9)


def test_too_short_for_whole_strides_gives_null_not_numbers():
    found = measure(make_take(Walk(seconds=1.2)))
    unknown = {*STRIDE_MEASURES, "time_fell_s", "time_rest_s", "lost", "sim_s_per_cpu_s"}
    assert {name for name, value in found.items() if value is None} == unknown
    assert measure(make_take(Walk(seconds=4.0)))["mean_speed_m_s"] == pytest.approx(1.2)


def test_of_a_short_take_one_stride_counts_unless_it_fell_or_began_standing():
    take = make_take(Walk(seconds=3.0))
    assert measure(take)["mean_speed_m_s"] == pytest.approx(1.2) and whole_strides(take).count == 1
    assert whole_strides(take, settled=True) is None
    assert whole_strides(dataclasses.replace(take, shot=take.shot.with_motion(start="standing"))) is None
    assert whole_strides(make_take(Walk(seconds=2.0))) is None, "a foot that was down before has not struck"
    assert measure(make_take(Walk(seconds=3.0), stats={"time_fell_s": 2.9}))["mean_speed_m_s"] is None


def test_only_the_time_before_the_fall_counts():
    take = make_take(Walk(seconds=10.0), stats={"time_fell_s": 7.0})
    after = take.time_s > 7.0
    places = take.contact_point_m.copy()
    places[after, :, 2] = -0.5
    torque = np.where(after[:, None], 900.0, take.torque_nm)
    found = measure(changed(take, contact_point_m=places, torque_nm=torque))
    assert (found["fell"], found["time_fell_s"]) == (True, 7.0)
    assert found["penetration_mm_max"] == 0.0 and found["torque_peak_nm"] == 7.0
    assert whole_strides(take).time_s == pytest.approx([2.5, 3.75, 5.0, 6.25])


def test_turn_of_the_pelvis_is_reported_over_more_than_half_a_turn():
    found = measure(make_take(Walk(turn_rate=0.1, seconds=60.0)))
    strides = whole_strides(make_take(Walk(seconds=60.0)))
    assert found["heading_change_deg"] == pytest.approx(np.degrees(0.1 * strides.duration_s), rel=1e-6)
    assert found["heading_change_deg"] > 180.0


def test_speed_of_a_curved_path_is_not_its_chord():
    take = make_take(Walk(seconds=40.0))
    radius, angle = 10.0, 1.2 * take.time_s / 10.0
    com = take.com_m.copy()
    com[:, :2] = radius * np.stack([np.sin(angle), 1.0 - np.cos(angle)], axis=1)
    assert measure(changed(take, com_m=com))["mean_speed_m_s"] == pytest.approx(1.2, rel=2e-3)


def test_slip_and_penetration_in_millimetres():
    found = measure(make_take(Walk(slip=0.012, depth=0.003, rate=200.0)))
    assert found["foot_slip_mm_max"] == pytest.approx(12.0, rel=0.03)
    assert found["foot_slip_mm_per_stride"] == pytest.approx(12.0, rel=0.03)
    assert found["penetration_mm_max"] == pytest.approx(3.0, rel=1e-9)


def test_the_worst_stance_is_the_maximum_and_the_stride_mean_its_share():
    take = make_take(Walk(seconds=10.0))
    places = take.contact_point_m.copy()
    left = [i for i, p in enumerate(take.body.contact_points) if p.side == "L"]
    rows = (take.time_s >= 5.2) & (take.time_s < 5.7)  # inside one stance of the left foot
    places[np.ix_(rows, left, [1])] += 0.02
    slid = changed(take, contact_point_m=places)
    found = measure(slid)
    assert found["foot_slip_mm_max"] == pytest.approx(20.0, rel=1e-9)
    assert found["foot_slip_mm_per_stride"] == pytest.approx(20.0 / whole_strides(take).count, rel=1e-9)


def test_an_unloaded_point_may_travel():
    take = make_take(Walk())
    toe = [i for i, p in enumerate(take.body.contact_points) if p.kind == "toe"]
    forces, places = take.contact_point_force_n.copy(), take.contact_point_m.copy()
    forces[:, toe] = 5.0  # newtons, below 2 % of the weight
    places[:, toe, 0] += 0.05 * np.sin(20.0 * take.time_s)[:, None]
    assert measure(changed(take, contact_point_force_n=forces, contact_point_m=places))["foot_slip_mm_max"] == 0.0
    loaded = np.where(take.contact_point_force_n > 0.0, 100.0, 0.0)
    assert measure(changed(take, contact_point_force_n=loaded, contact_point_m=places))["foot_slip_mm_max"] > 50.0


def test_chatter_does_not_hide_a_slide():
    """A foot that loses its load at every tenth sample slides on: one stance, one sum of the slipping under load."""
    take = make_take(Walk(slip=0.03, rate=200.0))
    forces, contact = take.contact_point_force_n.copy(), take.contact.copy()
    forces[::10], contact[::10] = 0.0, False
    found = measure(changed(take, contact_point_force_n=forces, contact=contact))
    assert found["foot_slip_mm_max"] == pytest.approx(0.8 * 30.0, rel=0.05)


@pytest.mark.parametrize("more", [
    [(2.53, 1), (2.56, 0)],  # the left foot bounces as it lands
    [(2.53, 1), (2.56, 0), (2.60, 1), (2.68, 0)],
    [(3.30, 0), (3.34, 1)],  # it is unloaded and loaded once more before it swings
    [(3.55, 0), (3.57, 1)],  # it scuffs the ground in its swing
], ids=["bounce", "bounces", "late", "scuff"])
def test_chatter_of_a_foot_makes_no_strides(more):
    take = make_take(Walk())
    more_times, more_kinds = zip(*more, strict=True)
    times, kinds = np.concatenate([take.event_time_s, more_times]), np.concatenate([take.event_kind, more_kinds])
    sides = np.concatenate([take.event_side, np.zeros(len(more), int)])
    assert measure(changed(take, event_time_s=times, event_kind=kinds, event_side=sides)) == measure(take)


def test_a_real_extra_step_makes_a_stride():
    take = make_take(Walk())
    more = [(3.42, 0), (3.60, 1)]  # the left foot stands for 0.18 s in the middle of what was its swing
    more_times, more_kinds = zip(*more, strict=True)
    times, kinds = np.concatenate([take.event_time_s, more_times]), np.concatenate([take.event_kind, more_kinds])
    sides = np.concatenate([take.event_side, np.zeros(len(more), int)])
    extra = changed(take, event_time_s=times, event_kind=kinds, event_side=sides)
    assert whole_strides(extra).count == whole_strides(take).count + 1


def test_every_stance_has_a_start():
    starts = [s.start_s for s in stance_slips(make_take(Walk(seconds=5.0)))]
    assert starts == pytest.approx([0.0, 0.0, 0.63, 1.25, 1.88, 2.5, 3.13, 3.75, 4.38, 5.0], abs=0.011)


def test_runs_of_a_mask():
    assert runs(np.array([1, 1, 0, 0, 1, 0, 1], bool)) == [(0, 2), (4, 5), (6, 7)]
    assert runs(np.zeros(3, bool)) == []
    assert joined([(0, 2), (4, 5), (9, 11)], 0.1 * np.arange(12), 0.25) == [(0, 5), (9, 11)]


def test_every_measure_is_documented_with_its_unit():
    text = (Path(__file__).resolve().parents[2] / "docs" / "measures.md").read_text(encoding="utf-8")
    rows = {}
    for keys, told in re.findall(r"^\| (`\w+`(?:, `\w+`)*) \| ([^|]*) \|", text, flags=re.MULTILINE):
        names, each = re.findall(r"\w+", keys), told.strip().split(", ")
        rows |= dict(zip(names, each if len(each) > 1 else each * len(names), strict=True))
    assert list(HIT_UNITS) == [field.name for field in dataclasses.fields(HitFound)]
    units = UNITS | FOLLOW_UNITS | CAUGHT_UNITS | STANDING_UNITS | GAIT_UNITS | HIT_UNITS
    units |= TREAD_UNITS | CARRY_UNITS | CREATURE_UNITS | EFFORT_UNITS | LEG_UNITS | BOTH_UNITS
    units |= UP_UNITS | JUMP_UNITS | {"cost_of_transport": "J/kg/m"}
    assert rows == {name: unit or "–" for name, unit in units.items()}
