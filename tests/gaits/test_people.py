# SPDX-License-Identifier: GPL-3.0-or-later
"""How people go under other gravities: the laws against what was measured, where they meet similarity, and what a shot makes of
them."""

import json
import math
from types import SimpleNamespace

import numpy as np
import pytest

from lope.addon.bodies.human.suit import load_suit
from lope.addon.bodies.makers import make_body
from lope.addon.errors import InputError
from lope.addon.gaits import people
from lope.addon.gaits.choice import choose_gait, with_gait
from lope.addon.gaits.froude import EVEN_PEAK, MOST_FORCE, predict
from lope.addon.gaits.people import carriage, carried_style, predict_walk
from lope.addon.locomotion.gait.shot_gait import body_cycle, gait_variables, map_points, shot_cycle, shown_style
from lope.addon.motions.library import load_gait
from lope.addon.motions.style import with_duty_factor
from lope.addon.sim.simulation import preview, simulate
from lope.addon.specs.motion import SLIDERS, Style
from lope.addon.specs.motions import AUTO, Gait
from lope.addon.specs.path import Footprint
from lope.addon.specs.shot import EARTH_GRAVITY_M_S2, BodySpec, Shot
from lope.addon.worlds.planets import load_world, world_from_gravity
from shot_kit import gait_shot

EARTH, MOON, MARS = EARTH_GRAVITY_M_S2, 1.62, 3.71
WALK = SimpleNamespace(leg_length_m=0.884, speed_m_s=1.283, stride_frequency_hz=0.863, reference_duty_factor=0.62)
BODY = make_body(BodySpec())


def walk(gravity, speed=None, **more):
    """Variables of a walk of the default body by people's law."""
    return predict_walk(WALK, WALK.leg_length_m, gravity, speed, **more)


def shot_on(gravity, **more):
    """A shot by people's law."""
    return gait_shot(law="people", world=world_from_gravity(gravity), **more)


def variables(shot):
    """Gait variables of a shot on its body."""
    body = make_body(shot.body, load_suit(shot.suit))
    return gait_variables(shot, shot_cycle(shot), body)


@pytest.mark.parametrize("leg", [0.45, 0.884, 1.2])
def test_on_earth_people_are_similar_by_their_legs(leg):
    ours, similar = (law(WALK, leg, EARTH) for law in (predict_walk, predict))
    assert (ours.speed_m_s, ours.stride_frequency_hz, ours.froude) == pytest.approx(
        (similar.speed_m_s, similar.stride_frequency_hz, similar.froude), rel=1e-12)
    assert ours.duty_factor == 0.62


@pytest.mark.parametrize("gravity, speed", [(0.4 * EARTH, 0.94), (EARTH, 1.3)])
def test_walking_speed_where_it_was_measured(gravity, speed):
    assert walk(gravity).speed_m_s == pytest.approx(speed, rel=0.1)


def test_in_a_suit_people_walk_on_the_moon_as_the_apollo_crews_did():
    assert walk(MOON, suited=True).speed_m_s == pytest.approx(0.6, abs=0.05)
    assert variables(shot_on(MOON, suit="apollo-a7lb")).speed_m_s == pytest.approx(0.6, abs=0.05)


@pytest.mark.parametrize("exponent, share", [(0.0, 1.0), (-0.126, 1.19), (0.21, 0.747)])
def test_at_equal_speed_gravity_changes_the_stride_as_the_exponent_says(exponent, share):
    """Donelan and Kram 1997: a quarter of the gravity, strides 16 % shorter; similarity's are 34 % longer."""
    here, there = walk(EARTH, 1.2), walk(0.25 * EARTH, 1.2, cadence_exponent=exponent)
    assert there.stride_frequency_hz / here.stride_frequency_hz == pytest.approx(share, rel=0.01)


def test_above_earths_gravity_the_frequency_is_similaritys():
    assert walk(2.5 * EARTH).stride_frequency_hz == pytest.approx(
        predict(WALK, WALK.leg_length_m, 2.5 * EARTH, walk(2.5 * EARTH).speed_m_s).stride_frequency_hz)
    assert walk(2.5 * EARTH).froude < walk(EARTH).froude


def test_the_duty_factor_falls_by_a_tenth_at_a_quarter_of_the_gravity():
    assert walk(0.25 * EARTH, 1.2).duty_factor / walk(EARTH, 1.2).duty_factor == pytest.approx(0.9, abs=0.005)
    assert walk(EARTH, 0.5).duty_factor > 0.66 and walk(2.5 * EARTH).duty_factor > 0.64
    assert walk(0.05 * EARTH, 3.0).duty_factor == people.DUTY_RANGE[0]


def test_every_law_is_continuous_in_gravity():
    gravities = EARTH * np.geomspace(0.05, 3.0, 400)
    for figure in ("speed_m_s", "stride_frequency_hz", "duty_factor"):
        ratios = np.array([getattr(walk(g), figure) for g in gravities])
        assert np.abs(np.diff(np.log(ratios))).max() < 0.02, figure


@pytest.mark.parametrize("gait", ["run", "lope", "skip", "hop"])
@pytest.mark.parametrize("world", ["moon", "mars", "earth", "jupiter"])
@pytest.mark.parametrize("law", ["people", "polet2018"])
def test_flights_of_one_foot_are_higher_than_the_similar_gaits_in_low_gravity_and_in_a_harness_lower(gait, world, law):
    place = load_world(world)
    ours = variables(Shot(motion=Gait(gait, law=law), world=place))
    similar = variables(Shot(motion=Gait(gait, law="similar", speed_m_s=ours.speed_m_s), world=place))
    assert ours.speed_m_s == similar.speed_m_s and ours.ground_s == pytest.approx(similar.ground_s)
    height = (ours.flight_s / similar.flight_s) ** 2
    seen = law == "people" and gait in ("run", "lope")
    exponent = people.FLIGHT_EXPONENT if seen else people.POLET_EXPONENT
    assert height == pytest.approx(min(place.gravity_m_s2 / EARTH, 1.0) ** exponent, rel=1e-6)


@pytest.mark.parametrize("gait", ["run", "lope", "skip", "hop"])
@pytest.mark.parametrize("world", ["moon", "mars", "earth", "jupiter"])
def test_no_flight_presses_with_more_than_legs_bear_at_its_own_speed(gait, world):
    place = load_world(world)
    ours, similar = (variables(Shot(motion=Gait(gait, law=law), world=place)) for law in ("people", "similar"))
    assert ours.speed_m_s == similar.speed_m_s and weights(ours, place, 2.0 if gait == "hop" else 1.0) < MOST_FORCE


def test_a_lope_of_leaps_twice_as_high_is_slower_where_legs_would_not_bear_it():
    place, high = load_world("earth"), Style(flight_height=2.0)
    ours, forced = (variables(Shot(motion=Gait("lope", law="people", style=high, force=force), world=place))
                    for force in (False, True))
    assert ours.speed_m_s < 0.95 * forced.speed_m_s and weights(ours, place, 1.0) == pytest.approx(MOST_FORCE, rel=1e-3)


def weights(variables, place, feet):
    """Greatest force of a foot over the body's weight on Earth."""
    return EVEN_PEAK / (feet * variables.ground_fraction) * min(place.gravity_m_s2 / EARTH, 1.0)


def test_who_asks_for_a_speed_or_a_rate_or_forces_the_shot_gets_it():
    lope, fast = Shot(motion=Gait("lope", law="people")), variables(Shot(motion=Gait("lope", law="similar"))).speed_m_s
    for asked in (lope.with_motion(speed_m_s=fast), lope.with_motion(stride_frequency_hz=1.3), lope.with_motion(force=True)):
        assert variables(asked).speed_m_s == fast


@pytest.mark.parametrize("share", [0.25, 2.0])
def test_the_slider_of_flight_height_sets_the_flights(share):
    own, bent = (variables(shot_on(MOON, gait="lope", style=style)) for style in (Style(), Style(flight_height=share)))
    assert (bent.flight_s / own.flight_s) ** 2 == pytest.approx(share, rel=1e-6)


@pytest.mark.parametrize("duty", [0.53, 0.57, 0.66, 0.70])
def test_a_retimed_walk_has_its_duty_factor_and_its_feet_stand(duty):
    own = load_gait("walk").symmetrised()
    cycle = with_duty_factor(own, duty)
    assert cycle.duty_factor == pytest.approx(duty, abs=1e-4) and cycle.reference_duty_factor == own.duty_factor
    assert (cycle.speed_m_s, cycle.stride_frequency_hz) == (own.speed_m_s, own.stride_frequency_hz)
    strikes = [cycle.contact_phases[side].strike for side in "LR"]
    assert strikes == [own.contact_phases[side].strike for side in "LR"]

    def drift(of):
        """How far [m] the standing ankle moves from foot flat to heel off."""
        from lope.addon.bodies.kinematics import segment_poses
        from lope.addon.motions.cycle import pose

        p = of.contact_phases["L"]
        phases = np.linspace(p.flat, p.heel_off, 20)
        places, _ = segment_poses(BODY, *pose(of.evaluate(phases), BODY))
        x = places[:, BODY.index["foot_L"], 0] + phases * of.stride_length_m * BODY.leg_length_m / of.leg_length_m
        return np.ptp(x)

    assert drift(cycle) < drift(own) + 0.004


def test_a_walk_that_has_its_duty_factor_is_given_back():
    own = load_gait("walk").symmetrised()
    assert with_duty_factor(own, own.duty_factor) is own
    lope = load_gait("lope")
    assert with_duty_factor(lope, 0.6) is lope


@pytest.mark.slow
def test_the_walk_planner_follows_the_duty_factor():
    takes = [simulate(Shot(motion=Gait(law=law), duration_s=5.0, world=load_world("mars"))) for law in ("similar", "people")]
    duty = [take.contact[take.time_s > 2.0].mean() for take in takes]
    assert not any(take.fell for take in takes)
    wished = variables(takes[1].shot).duty_factor
    assert duty[1] < duty[0] and wished == pytest.approx(0.593, abs=0.005)


@pytest.mark.acceptance
def test_a_brisk_walk_on_the_moon_does_not_bounce():
    """On legs as straight as the Earth's its steps were uneven, with peak forces of 4.8 times the weight."""
    take = simulate(shot_on(MOON, duration_s=9.0))
    late = take.time_s > 3.0
    assert not take.fell and take.grf_n[late, :, 2].sum(axis=1).max() < 3.3 * take.body.mass_kg * MOON


def test_carriage_is_nothing_on_earth_and_all_of_it_can_be_left_out():
    assert carried_style(Style(), EARTH, 0.884, False) == Style() == carried_style(Style(), EARTH, 0.884, True)
    bare = Style(carriage=0.0)
    assert carried_style(bare, MOON, 0.884, False) == bare


def test_sliders_count_from_the_planets_carriage_within_their_range():
    own = carriage(MOON, False)
    assert own.lean_deg == pytest.approx(10.0, abs=0.2) and own.bounce == pytest.approx(0.5, abs=0.01)
    shown = carried_style(Style(trunk_lean_deg=5.0, arm_swing=2.0), MOON, 0.884, False)
    assert shown.trunk_lean_deg == pytest.approx(own.lean_deg + 5.0) and shown.arm_swing == pytest.approx(2.0 * own.arm_swing)
    most = carried_style(Style(trunk_lean_deg=20.0, foot_lift_m=0.15, carriage=2.0), MOON, 0.884, False)
    assert (most.trunk_lean_deg, most.foot_lift_m) == (SLIDERS["trunk_lean_deg"].high, SLIDERS["foot_lift_m"].high)
    assert carried_style(Style(trunk_lean_deg=5.0), MOON, 0.884, False, load_lean_deg=30.0).trunk_lean_deg == 5.0, "leans already"
    assert carried_style(Style(), MOON, 0.884, False, load_lean_deg=4.0).trunk_lean_deg == pytest.approx(own.lean_deg - 4.0)
    flying = carriage(MOON, True)
    assert (flying.arm_spread_deg, flying.arm_swing, flying.crouch_legs) == (own.arm_spread_deg, own.arm_swing, 0.0)
    heavy = carriage(2.5 * EARTH, False)
    assert heavy.crouch_legs > 0.01 and heavy.lean_deg > 0.0 and carriage(2.5 * EARTH, True).lean_deg == 0.0


def test_similar_shots_show_their_own_sliders_only():
    assert shown_style(Shot(world=load_world("moon")), BODY, False) == Style()
    with pytest.raises(InputError, match="Only the gait law people takes the style's carriage and cadence exponent"):
        body_cycle(Shot(motion=Gait(style=Style(carriage=0.5, cadence_exponent=0.1))), BODY)
    with pytest.raises(InputError, match="Only gaits with flight take the style's flight height"):
        body_cycle(Shot(motion=Gait(style=Style(flight_height=0.5))), BODY)


@pytest.mark.parametrize("gravity, gait, used", [(EARTH, "walk", True), (MOON, "walk", False), (0.95 * EARTH, "walk", True),
                                                 (2.5 * EARTH, "walk", False), (MOON, "run", False), (2.5 * EARTH, "run", True)])
def test_foot_maps_are_used_where_they_were_tuned(gravity, gait, used):
    shot = shot_on(gravity, gait=gait)
    assert (map_points(shot, shot_cycle(shot)) is not None) is used


@pytest.mark.parametrize("world, speed, suited, gait", [
    ("earth", None, False, "walk"), ("earth", 1.9, False, "walk"), ("earth", 3.0, False, "run"),
    ("moon", None, False, "lope"), ("moon", 0.6, False, "walk"), ("moon", 1.2, False, "lope"), ("moon", 0.9, False, "walk"),
    ("moon", 0.9, True, "lope"), ("mars", None, False, "walk"), ("mars", 2.0, False, "lope"), ("jupiter", None, False, "walk"),
    ("jupiter", 4.5, False, "run")])
def test_the_gait_that_people_choose(world, speed, suited, gait):
    place = load_world(world)
    assert choose_gait(place.gravity_m_s2, 0.884, speed, suited=suited, world=world).gait == gait


def test_a_gait_that_falls_at_the_speed_gives_way_to_one_that_stands():
    """At 1.5 g the walk ends at 2.33 m/s and the run begins at 2.7."""
    choice = choose_gait(1.5 * EARTH, 0.884, 2.6)
    assert choice.gait == "lope" and choice.words.endswith("at 2.60 m/s they run, and lope is what stands at it")
    assert choose_gait(EARTH, 0.884, 14.0).gait == "run", "what nothing stands is left to the door's own sentence"


def test_the_choice_says_why():
    assert choose_gait(MOON, 0.884, world="moon").words == (
        "on the Moon people stop walking between 1.14 and 1.42 m/s: of their own choice they lope")
    assert choose_gait(EARTH, 0.884, 1.2, world="earth").words.endswith("on Earth people stop walking between 1.98 and 2.18 m/s: "
                                                                        "at 1.20 m/s they walk")
    assert "slowly and heavily" in choose_gait(2.5 * EARTH, 0.884).words


@pytest.mark.slow
def test_a_shot_with_auto_is_planned_and_taken_by_the_gait_that_it_means():
    shot = shot_on(MOON, gait=AUTO, duration_s=1.0)
    assert with_gait(shot, BODY).motion.name == "lope" and preview(shot).speed_m_s == preview(with_gait(shot, BODY)).speed_m_s
    assert simulate(shot).shot.motion.name == "lope"
    locked = Shot(motion=Gait(AUTO, footprints=(Footprint(3, 1.0, 0.1),)), world=load_world("moon"))
    assert with_gait(locked, BODY).motion.name == "walk"
    assert with_gait(Shot(), BODY) == Shot()


def test_a_shot_from_before_there_were_gait_laws_is_similar():
    style = Style()
    later = ("arm_spread_deg", "crouch_m", "heel_strike", "flight_height", "carriage", "cadence_exponent")
    old = {"gait": "walk", "style": {name: value for name, value in vars(style).items() if name not in later}}
    assert Shot.from_dict(json.loads(json.dumps(old))) == Shot() and Shot().motion.law == "similar"
    with pytest.raises(InputError, match="no gait law named 'persons'"):
        Shot(motion=Gait(law="persons"))


def test_a_child_walks_slower_than_a_giant_on_every_world():
    for gravity in (MOON, EARTH, 2.5 * EARTH):
        child, giant = (variables(shot_on(gravity, body=BodySpec(*size))) for size in ((1.1, 20.0), (2.4, 150.0)))
        assert child.speed_m_s / giant.speed_m_s == pytest.approx(math.sqrt(child.leg_length_m / giant.leg_length_m), rel=1e-6)


def test_head_and_shoulders_sag_where_all_is_heavy_and_nowhere_else():
    from lope.addon.motions.cycle import layout
    from lope.addon.motions.library import load_gait
    from lope.addon.motions.style import sagging

    assert [people.sag_deg(g * people.EARTH_GRAVITY_M_S2) for g in (0.16, 1.0, 1.3)] == [{}, {}, {}]
    heavy, cycle = people.sag_deg(2.5 * people.EARTH_GRAVITY_M_S2), load_gait("walk")
    assert 5.0 < heavy["neck"] < 8.0 and people.sag_deg(99.0) == people.sag_deg(999.0)
    assert sagging(cycle, {}) is cycle
    change = np.degrees(sagging(cycle, heavy).coefficients - cycle.coefficients)
    rows = layout().slices
    assert change[rows["head"].start + 1, 0] == pytest.approx(heavy["head"])
    hangs = change[rows["clavicle_L"].start, 0]
    assert hangs < 0.0 and change[rows["clavicle_R"].start, 0] == pytest.approx(-hangs)
    assert np.count_nonzero(change) == 4
