# SPDX-License-Identifier: GPL-3.0-or-later
"""The registry of controllers: who they are, whom they move, and their settings by name."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from lope.addon.errors import InputError
from lope.addon.locomotion.registry import BUILT_IN, after_fall_names, find_controller, find_follower
from lope.addon.locomotion.settings import read_settings
from lope.addon.sim.simulation import Simulation, preview, simulate
from lope.addon.specs.motions import Gait, Reflex
from lope.addon.specs.shot import END, Push, Shot

SHORT = Shot(duration_s=0.5)


@pytest.mark.parametrize("name", BUILT_IN)
def test_every_setting_knows_what_it_may_be(name):
    for row in find_controller(name).setting_rows().values():
        number = row.setting.number
        assert number.low <= row.value <= number.high and number.low < number.high, row.name
        assert row.setting.help and row.source, f"{row.name} says what it is and where its default is from"
        assert not row.setting.help.endswith("."), row.name


def test_few_settings_are_public():
    """What is documented, searched or set by a preset; all else is a constant of its method."""
    assert sum(len(find_controller(name).setting_rows()) for name in BUILT_IN) <= 120


def test_a_constant_is_refused_in_one_sentence_that_says_what_to_do():
    for controller, group in (("tracking", "walk"), ("tracking", "effort"), ("follow", "tracker")):
        with pytest.raises(InputError, match=f"named '{group}.interval_s'.* Known: .* is a constant: leave it out.$"):
            find_controller(controller).check_settings({group: {"interval_s": 0.02}})
    with pytest.raises(InputError, match="has no settings, its numbers are constants: leave reflex.force_SOL out.$"):
        simulate(Shot(motion=Reflex(), gains={"reflex": {"force_SOL": 1.3}}))


@pytest.mark.parametrize("name", BUILT_IN)
def test_a_controller_is_what_the_table_says_of_it(name):
    controller = find_controller(name)
    assert (controller.name, controller.after_fall) == (name, BUILT_IN[name].after_fall)


def test_unknown_controllers_and_settings_are_told_with_the_nearest():
    with pytest.raises(InputError, match="no controller named 'traking'. Did you mean 'tracking'"):
        find_controller("traking")
    with pytest.raises(InputError, match="way to go on after a fall named 'ende'"):
        find_follower("ende")
    tracking = find_controller("tracking")
    with pytest.raises(InputError, match="Did you mean 'walk.clearance_m'"):
        tracking.check_settings({"walk": {"clearence_m": 0.02}})
    with pytest.raises(InputError, match="walk.clearance_m must lie between 0 and 0.3 m, got -1"):
        tracking.check_settings({"walk": {"clearance_m": -1.0}})
    with pytest.raises(InputError, match="steer"):
        Simulation(SHORT).controller.steer({"colour": 1.0})


@pytest.mark.parametrize("text", ["walk.clearance_m", "clearance_m=0.02", "walk.clearance_m=much", "=1"])
def test_a_setting_in_another_form_is_refused(text):
    with pytest.raises(InputError, match="GROUP.NAME=VALUE"):
        read_settings([text])


@pytest.mark.slow
def test_settings_of_a_shot_reach_the_controller():
    assert read_settings(["walk.clearance_m=0.05", "walk.bounce=1"]) == {"walk": {"clearance_m": 0.05, "bounce": 1.0}}
    plain, lifted = simulate(SHORT), simulate(replace(SHORT, gains={"walk": {"clearance_m": 0.05}}))
    assert not np.array_equal(plain.joint_quaternions, lifted.joint_quaternions)


@pytest.mark.acceptance
@pytest.mark.slow
def test_who_takes_over_after_a_fall_has_settings_too():
    pushed = Shot(duration_s=1.0, pushes=(Push(0.1, 0.4, (0.0, 1500.0, 0.0)),), after_fall="limp")
    takes = []
    for gains in (None, {"limp": {"kept": 1.0}}):
        simulation = Simulation(replace(pushed, gains=gains))
        while simulation.time_s < 0.7:  # it lies still at 4 s
            simulation.step()
        takes.append(simulation.take())
        simulation.close()
    loose, braced = takes
    assert loose.fell and not np.array_equal(loose.joint_quaternions[-1], braced.joint_quaternions[-1])
    with pytest.raises(InputError, match="limp.kept must lie between"):
        simulate(replace(pushed, gains={"limp": {"kept": -1.0}}))
    with pytest.raises(InputError, match="no setting of the controller named 'limp.kept'"):
        simulate(replace(pushed, after_fall=END, gains={"limp": {"kept": 1.0}}))


def test_the_end_is_what_happens_after_a_fall_unless_asked():
    assert Shot().after_fall == END == after_fall_names()[0] and find_follower(END) is None
    fallen = simulate(Shot(duration_s=3.0, pushes=(Push(0.2, 0.4, (0.0, 1500.0, 0.0)),)))
    assert fallen.fell and fallen.broken_off and fallen.time_s[-1] < 3.0


@pytest.mark.slow
def test_a_wish_is_steered_to():
    simulation = Simulation(Shot(duration_s=1.0))
    before = simulation.controller.gait.speed_m_s
    simulation.controller.steer({"speed_m_s": 0.8 * before})
    speeds = []
    while not simulation.over:
        simulation.step()
        speeds.append(simulation.controller.gait.speed_m_s)
    simulation.close()
    assert speeds[-1] == pytest.approx(0.8 * before, rel=0.02)
    assert min(np.diff(speeds)) > -0.05 * before, "not at once"


@pytest.mark.slow
@pytest.mark.parametrize("gait", ["walk", "run", "turn", "lope", "skip", "hop"])
def test_every_gait_has_a_plan_of_its_own(gait):
    plan = preview(Shot(motion=Gait(gait), duration_s=4.0))
    assert np.isfinite(plan.com_m).all() and (np.diff(plan.footstep_time_s) >= 0.0).all()
    assert plan.com_m[-1, 0] - plan.com_m[0, 0] == pytest.approx(
        plan.speed_m_s * (plan.time_s[-1] - plan.time_s[0]), rel=0.1) or gait == "turn"
    if gait == "hop":
        landings = plan.footstep_time_s[plan.footstep_time_s > 0.0]
        assert np.allclose(landings[::2], landings[1::2], atol=0.05), "both feet land at once"


def test_the_page_on_controllers_has_each_of_them():
    page = (Path(__file__).resolve().parents[2] / "docs" / "controllers.md").read_text(encoding="utf-8")
    for listing in BUILT_IN.values():
        kinds, takes = ", ".join(find_controller(listing.name).kinds) or "any", "yes" if listing.after_fall else "no"
        assert f"| `{listing.name}` | {kinds} | {takes} | {listing.summary} |" in page
