# SPDX-License-Identifier: GPL-3.0-or-later
"""Effort of a take by muscles: what is measured, judged, and shown beside people's muscles."""

import dataclasses
import json

import numpy as np
import pytest

from lope.addon.cli import main
from lope.addon.errors import InputError
from lope.addon.reports.activations import draw, over_cycle
from lope.addon.reports.card import physics_card
from lope.addon.reports.effort import EFFORT_UNITS, MET_W_KG, TIMES, agreement, bursts, muscle_rows, muscle_table, people_met
from lope.addon.reports.measures import UNITS, study, units_of
from lope.addon.reports.rules import AMBER, GREEN, RED
from lope.addon.sim.take import Channel
from take_factory import Walk, make_take

NAMES = ["soleus_L", "tibialis_anterior_L", "soleus_R", "tibialis_anterior_R"]


WALK = Walk()


def muscled(walk=WALK, watts_kg=4.0, **stats):
    """A walk by four muscles: each soleus active in its leg's stance, each tibialis in its swing; half of all is the soleus's."""
    take = make_take(walk)
    soleus = take.contact * np.array([0.8, 0.4])
    activation = np.stack([soleus[:, 0], 0.5 - 0.5 * take.contact[:, 0], soleus[:, 1], 0.5 - 0.5 * take.contact[:, 1]], axis=1)
    spent = np.full(activation.shape, take.body.mass_kg) * [0.8, 0.5, 0.2, 0.5]
    channels = {"activation": ("1", activation), "muscle_force": ("N", activation * [3000.0, 500.0, 3000.0, 500.0]),
                "muscle_metabolic_rate": ("W", spent), "metabolic_rate": ("W", np.full(len(spent), watts_kg * take.body.mass_kg))}
    told = {"muscles": NAMES, "reserve_nm_rms": 0.5, "reserve_nm_most": 2.0} | stats
    return dataclasses.replace(take, stats=take.stats | told, channels={
        name: Channel(unit, values) for name, (unit, values) in channels.items()})


def test_a_met_is_three_and_a_half_millilitres_of_oxygen():
    assert MET_W_KG == pytest.approx(1.1725)


def test_the_effort_of_a_walk_is_known_from_its_rate_and_speed():
    found = study(muscled()).values
    assert found["metabolic_rate_w_kg"] == pytest.approx(4.0) and found["met"] == pytest.approx(4.0 / 1.1725)
    assert found["cost_of_transport_j_kg_m"] == pytest.approx(4.0 / 1.2, rel=1e-3)
    assert found["cost_of_transport_net_j_kg_m"] == pytest.approx((4.0 - 1.51) / 1.2, rel=1e-3)
    assert found["activation_peak"] == pytest.approx(0.8) and found["activation_peak_muscle"] == "soleus_L"
    assert found["muscle_force_peak_n"] == pytest.approx(2400.0) and found["muscle_force_peak_muscle"] == "soleus_L"
    assert found["reserve_nm_rms"] == 0.5


def test_who_stays_spends_but_has_no_cost_of_transport():
    found = study(muscled(Walk(speed=0.0), watts_kg=1.8))
    assert found.values["met"] == pytest.approx(1.8 / 1.1725)
    assert found.values["cost_of_transport_j_kg_m"] is None
    assert found.reasons["cost_of_transport_j_kg_m"] == "it hardly moves on"


def test_a_take_without_strides_is_measured_to_its_fall():
    take = muscled(Walk(seconds=1.0))
    rate = take.channels["metabolic_rate"].values.copy()
    rate[take.time_s >= 0.5], rate[take.time_s > 0.5] = np.nan, 1e6  # who lets go has no muscles from the fall on
    fallen = dataclasses.replace(take, stats=take.stats | {"time_fell_s": 0.5},
                                 channels={**take.channels, "metabolic_rate": Channel("W", rate)})
    assert study(fallen).values["metabolic_rate_w_kg"] == pytest.approx(4.0)


def test_only_takes_by_muscles_have_effort():
    assert set(units_of(muscled())) == {*UNITS, *EFFORT_UNITS} and list(units_of(make_take(Walk()))) == list(UNITS)
    assert muscle_rows(make_take(Walk())) == {}
    assert "effort" not in {line.name for line in physics_card(make_take(Walk())).lines}


def test_muscles_share_what_is_spent_by_their_groups():
    groups = muscle_rows(muscled())["muscles"]
    assert list(groups) == ["plantar_flexors", "dorsiflexors"]
    assert groups["plantar_flexors"]["share"] == pytest.approx(0.5) and groups["dorsiflexors"]["share"] == pytest.approx(0.5)
    assert groups["plantar_flexors"]["activation_peak"] == pytest.approx(0.8)
    assert groups["plantar_flexors"]["force_peak_n"] == pytest.approx(2400.0), "of one side"
    assert groups["plantar_flexors"]["activation_mean"] == pytest.approx(0.6 * 0.6, abs=0.02)


def test_muscles_are_told_in_a_table_of_words(tmp_path, capsys, monkeypatch):
    assert muscle_table(make_take(Walk())) == ""
    lines = muscle_table(muscled()).splitlines()
    assert lines[0].split() == ["muscles", "share", "of", "effort", "peak", "activation"]
    assert ["plantar", "flexors", "50%", "80%"] in map(str.split, lines) and len({len(line) for line in lines}) == 1
    take = muscled()
    monkeypatch.setattr("lope.addon.reports.retry.attempt", lambda shot, progress: take)
    assert main(["simulate", "--actuation", "muscles"]) == 0
    told = capsys.readouterr().out
    assert muscle_table(take) in told and "plantar_flexors" not in told
    take.save(tmp_path / "walk.npz")
    assert main(["measure", str(tmp_path / "walk.npz")]) == 0
    assert muscle_table(take) in capsys.readouterr().out


@pytest.mark.parametrize("watts_kg, grade", [(4.0, GREEN), (15.0, AMBER), (25.0, RED)])
def test_the_card_judges_effort(watts_kg, grade):
    line = next(line for line in physics_card(muscled(watts_kg=watts_kg)).lines if line.name == "effort")
    assert line.grade == grade and f"{watts_kg / 1.1725:.1f} times the energy of sitting still" in line.reason


@pytest.mark.parametrize("speed, met, grade", [(1.2, 3.5, GREEN), (1.2, 8.2, AMBER), (1.2, 13.0, RED), (3.0, 12.0, GREEN)])
def test_the_card_judges_effort_beside_people_at_that_speed(speed, met, grade):
    lines = physics_card(muscled(Walk(speed=speed), watts_kg=met * MET_W_KG)).lines
    line = next(line for line in lines if line.name == "economy")
    assert line.grade == grade and f"{met / people_met(speed):.1f} times what people spend" in line.reason
    assert people_met(1.2) == pytest.approx(3.06, abs=0.01) and people_met(3.0) == pytest.approx(11.3, abs=0.02)


def test_who_marches_in_place_is_not_judged_beside_walkers():
    assert study(muscled(Walk(speed=0.1))).reasons["met_over_people"] == "it hardly moves on"


def test_the_card_judges_what_muscles_cannot_give():
    take = muscled()
    take = dataclasses.replace(take, arrays=take.arrays | {"torque_nm": np.full(take.torque_nm.shape, 100.0)})
    for beside, grade in ((4.0, GREEN), (8.0, AMBER), (10.04, AMBER), (10.2, RED)):
        told = dataclasses.replace(take, stats=take.stats | {"reserve_nm_rms": beside})
        line = next(line for line in physics_card(told).lines if line.name == "reserve")
        assert line.grade == grade and f"is {beside:.1f}%" in line.reason


def test_activations_are_laid_over_the_cycle_of_the_muscle_s_own_leg():
    found = over_cycle(muscled())
    assert found.mean.shape == found.sd.shape == (4, 100) and found.stance == pytest.approx(0.6, abs=0.02)
    assert found.mean[0, 5:55] == pytest.approx(0.8) and found.mean[2, 5:55] == pytest.approx(0.4)
    assert found.mean[2, 65:95] == pytest.approx(0.0) and found.mean[1, 65:95] == pytest.approx(0.5)
    assert found.groups == ("plantar_flexors", "dorsiflexors") * 2
    agreed = found.agreement()
    assert agreed["soleus_L"] == pytest.approx(0.89, abs=0.02), "3 to 52 % in people, 0 to 60 % here"
    with pytest.raises(InputError, match="no muscles move its body"):
        over_cycle(make_take(Walk()))
    with pytest.raises(InputError, match="fewer than 3 whole strides"):
        over_cycle(muscled(Walk(seconds=1.0)))


def test_times_of_people_go_by_the_muscle_s_name():
    assert bursts("gluteus_medius_anterior_L") == ((0, 29), (95, 100)) and bursts("psoas_R") is None
    assert bursts("biceps_femoris_short_L") == ((62, 81),)
    people = np.zeros(100)
    people[3:52] = 1.0
    assert agreement("soleus_R", people) == 1.0 and agreement("soleus_R", 1.0 - people) == 0.0
    assert all(0 <= start < end <= 100 for times in TIMES.values() for start, end in times)


@pytest.mark.slow
def test_activations_are_drawn():
    pytest.importorskip("matplotlib")
    axes = draw(over_cycle(muscled())).axes
    assert [axis.get_title() for axis in axes[:2]] == ["soleus", "tibialis anterior"]
    assert len(axes[0].lines) >= 3, "both sides, and the foot's leaving"


@pytest.mark.slow
def test_measure_tells_effort_and_draws_activations(tmp_path, capsys):
    pytest.importorskip("matplotlib")
    take, picture = tmp_path / "take.npz", tmp_path / "muscles.png"
    muscled().save(take)
    assert main(["measure", str(take), "--activations", str(picture), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["met"] == pytest.approx(4.0 / 1.1725) and set(told["muscles"]) == {"plantar_flexors", "dorsiflexors"}
    assert picture.read_bytes().startswith(b"\x89PNG") and told["activations"]["picture"] == str(picture)
    assert told["activations"]["as_people"]["soleus_L"] == pytest.approx(0.89, abs=0.02)
    make_take(Walk()).save(take)
    assert main(["measure", str(take), "--activations", str(picture)]) == 2
    assert "no muscles move its body" in capsys.readouterr().err
