# SPDX-License-Identifier: GPL-3.0-or-later
"""Further measures on made-up takes with known answers: flights, symmetry, friction, torques, paths, landings."""

import dataclasses
import json
import math

import numpy as np
import pytest

from lope.addon.locomotion.tracking.weights import torque_limits
from lope.addon.motions.cycle import pose
from lope.addon.motions.library import load_gait
from lope.addon.reports.feet import flights, friction_use
from lope.addon.reports.measures import FRAME_S, GAIT_UNITS, joint_acceleration, measure, measure_gait
from lope.addon.reports.strides import asymmetry_percent, gravity_m_s2
from lope.addon.sim.take import Take
from lope.addon.specs.motions import Gait
from lope.addon.specs.path import GroundSpec, PathSpec
from lope.addon.specs.settings import settings_of
from lope.addon.specs.shot import World
from take_factory import Walk, make_take


def changed(take: Take, shot: dict | None = None, **arrays: np.ndarray) -> Take:
    """The take with some of its arrays, or of its shot's fields, replaced."""
    more = dict(shot or {})
    own = {name: more.pop(name) for name in settings_of(Gait) if name in more}
    asked = dataclasses.replace(take.shot.with_motion(**own), **more)
    return dataclasses.replace(take, shot=asked, arrays={**take.arrays, **arrays})


def flying(gravity: float = 1.62, shortfall: float = 0.0) -> Take:
    """A run with flights between steps that obey gravity, or whose velocity loses too little by a share."""
    take = make_take(Walk(duty=0.3, speed=2.0, frequency=0.8, gravity=gravity, seconds=12.0))
    airborne = ~take.contact.any(axis=1)
    velocity = take.com_velocity_m_s.copy()
    speed, inside = 0.0, False
    for i, free in enumerate(airborne):
        if free and not inside:
            length = np.argmin(airborne[i:]) if not airborne[i:].all() else len(airborne) - i
            speed = 0.5 * gravity * 0.01 * length
            velocity[i - 1, 2] = speed
        inside = bool(free)
        if free:
            speed -= gravity * 0.01 * (1.0 - shortfall)
        velocity[i, 2] = speed if free else velocity[i, 2]
    return changed(take, com_velocity_m_s=velocity)


def test_every_key_is_there_and_plain_json():
    for take in (make_take(Walk()), make_take(Walk(seconds=2.0)), flying()):
        found = measure_gait(take)
        assert list(found) == list(GAIT_UNITS)
        assert json.loads(json.dumps(found, allow_nan=False)) == found


def test_a_symmetric_walk_on_a_straight_line():
    found = measure_gait(make_take(Walk()))
    assert found["length_over_v_by_f"] == pytest.approx(1.0, abs=2e-3)
    assert found["grf_mean_n"] == pytest.approx(75.0 * 9.81, rel=0.01)
    assert found["flights_per_stride"] == 0.0 and found["takeoff_velocity_m_s"] is None
    assert found["asymmetry_step_time_percent"] == pytest.approx(0.0, abs=1e-6)
    assert found["asymmetry_stance_time_percent"] == pytest.approx(0.0, abs=2.0)
    assert found["com_sideways_range_m"] == pytest.approx(0.0, abs=1e-9)
    assert found["path_error_m"] == pytest.approx(0.0, abs=1e-9) and found["turning_radius_m"] is None
    assert found["vertical_speed_peak_m_s"] == pytest.approx(0.5 * 0.02 * 4 * math.pi * 0.8, rel=0.01)


@pytest.mark.parametrize("gravity", [1.62, 9.81])
def test_flights_that_obey_gravity_have_their_ballistic_time(gravity):
    take = flying(gravity)
    all_of_them = flights(take)
    assert len(all_of_them) >= 8
    for flight in all_of_them:
        assert flight.over_ballistic == pytest.approx(1.0, abs=1e-6)
        assert flight.duration_s == pytest.approx(2.0 * flight.off_m_s / gravity, rel=1e-6)
    found = measure_gait(take)
    assert found["flights_per_stride"] == pytest.approx(2.0, abs=0.3)
    assert found["flight_over_ballistic_worst"] == pytest.approx(1.0, abs=1e-6)
    assert found["flight_height_m"] == pytest.approx(found["takeoff_velocity_m_s"] ** 2 / (2.0 * gravity))


def test_a_flight_that_falls_too_slowly_is_seen():
    assert measure_gait(flying(shortfall=0.2))["flight_over_ballistic_worst"] == pytest.approx(1.25, abs=1e-6)


def test_asymmetry_index():
    assert asymmetry_percent(1.0, 1.0) == 0.0 and asymmetry_percent(0.0, 0.0) == 0.0
    assert asymmetry_percent(1.1, 0.9) == pytest.approx(20.0) == asymmetry_percent(0.9, 1.1)


def test_a_foot_that_stands_longer_and_presses_harder_is_seen():
    take = make_take(Walk())
    contact, grf = take.contact.copy(), take.grf_n.copy()
    off = np.flatnonzero(contact[:-1, 0] & ~contact[1:, 0])
    for i in off:  # the left foot stays for 0.1 s more
        contact[i:i + 11, 0] = True
    grf[:, 0] *= 1.2
    found = measure_gait(changed(take, contact=contact, grf_n=grf))
    assert found["asymmetry_stance_time_percent"] == pytest.approx(100.0 * 0.1 / 0.8, abs=1.5)
    assert found["asymmetry_force_percent"] == pytest.approx(100.0 * 0.2 / 1.1, rel=0.01)


def test_friction_counts_against_the_ground_s_own_normal():
    take = make_take(Walk())
    grf = take.grf_n.copy()
    grf[..., 0] = 0.45 * grf[..., 2]
    assert friction_use(changed(take, grf_n=grf)) == pytest.approx(0.5)
    slope = World("slope", 9.81, 0.9, GroundSpec(kind="slope", slope_deg=math.degrees(math.atan(0.45))))
    assert friction_use(changed(take, {"world": slope}, grf_n=take.grf_n)) == pytest.approx(0.5)
    grf = take.grf_n.copy()
    grf[..., 0] = -0.45 * grf[..., 2]  # along this slope's normal
    assert friction_use(changed(take, {"world": slope}, grf_n=grf)) == pytest.approx(0.0, abs=1e-9)


def test_torques_count_against_a_strong_person_s():
    take = make_take(Walk())
    torque = np.tile(0.3 * torque_limits(take.body), (len(take.time_s), 1))
    torque[500, 0] = 1.4 * torque_limits(take.body)[0]
    found = measure_gait(changed(take, torque_nm=torque))
    assert found["torque_over_human_max"] == pytest.approx(1.4) and found["torque_over_human_typical"] == pytest.approx(0.3)
    assert found["torque_joint"] == take.body.joint_segments[0]


def on_circle(radius: float) -> Take:
    """A walk on a circle to the left, its pelvis along the way, the path asked for being a straight line."""
    walk = Walk(seconds=40.0, turn_rate=1.2 / radius)
    take, angle = make_take(walk), 1.2 * np.arange(0.0, 40.005, 0.01) / radius
    com = take.com_m.copy()
    com[:, :2] = radius * np.stack([np.sin(angle), 1.0 - np.cos(angle)], axis=1)
    return changed(take, com_m=com)


@pytest.mark.slow
def test_turning_radius_and_distance_from_the_path():
    take = on_circle(6.0)
    assert measure_gait(take)["turning_radius_m"] == pytest.approx(6.0, rel=0.01)
    assert measure_gait(take)["path_error_m"] > 2.0
    round_it = measure_gait(changed(take, {"path": PathSpec(kind="circle", radius_m=6.0)}))
    assert round_it["path_error_m"] < 0.05
    own = measure_gait(changed(take, {"path": PathSpec(kind="circle")}))
    assert own["path_error_m"] < 0.01
    wide = measure_gait(changed(take, {"path": PathSpec(kind="circle", radius_m=8.0)}))
    assert wide["path_error_m"] > 1.0


def test_joint_acceleration_of_a_known_swing():
    """One joint swings by 0.5 rad at 2 rad/s: its largest acceleration is 0.5 times 4."""
    time = np.arange(0.0, 6.0, 0.01)
    angle = 0.5 * np.sin(2.0 * time)
    joints = np.zeros((len(time), 2, 4))
    joints[..., 0] = 1.0
    joints[:, 0, 0], joints[:, 0, 2] = np.cos(0.5 * angle), np.sin(0.5 * angle)
    assert joint_acceleration(joints, 0.01).max() == pytest.approx(2.0, rel=1e-3)
    assert joint_acceleration(joints, 0.01, FRAME_S).max() == pytest.approx(2.0, rel=0.01), "the film shows a swing as it is"
    joints[300, 0, 0], joints[300, 0, 2] = np.cos(0.5 * angle[300] + 0.01), np.sin(0.5 * angle[300] + 0.01)
    spike, seen = joint_acceleration(joints, 0.01).max(), joint_acceleration(joints, 0.01, FRAME_S).max()
    assert spike > 300.0 and seen < 0.1 * spike, "and hardly a hundredth of a second"


def test_a_landing_is_hard_by_what_gravity_and_flight_ask_for():
    take = make_take(Walk())
    assert measure_gait(take)["grf_peak_over_soft"] == pytest.approx(2.0 / np.pi / 0.6, rel=0.02), "twice a foot's load"
    spiked = take.grf_n.copy()
    spiked[500] *= 5.0
    once = measure_gait(changed(take, grf_n=spiked))["grf_peak_over_soft"]
    held = take.grf_n.copy()
    held[500:506] *= 5.0
    long = measure_gait(changed(take, grf_n=held))["grf_peak_over_soft"]
    assert 1.0 < once < 0.7 * long


def test_a_take_that_replays_its_gait_lands_as_its_gait():
    gait, walk = load_gait("walk").symmetrised(), Walk(speed=1.25, frequency=0.8, duty=0.62)
    take = make_take(walk)
    root, turn, joints = pose(gait.evaluate(take.time_s * walk.frequency), take.body)
    same = changed(take, root_position_m=root, root_quaternion=turn, joint_quaternions=joints)
    found = measure_gait(same)
    assert found["joint_acceleration_over_clip"] == pytest.approx(1.0, abs=0.05)
    assert found["joint_acceleration_over_clip_above_feet"] == pytest.approx(1.0, abs=0.1)  # windows end on other samples


def test_landings_are_as_hard_as_the_time_on_the_ground_has_them_be():
    gait, walk = load_gait("walk").symmetrised(), Walk(speed=1.25, frequency=0.8, duty=0.31)
    take = make_take(walk)
    root, turn, joints = pose(gait.evaluate(take.time_s * walk.frequency), take.body)
    found = measure_gait(changed(take, root_position_m=root, root_quaternion=turn, joint_quaternions=joints))
    assert found["joint_acceleration_over_clip"] == pytest.approx(0.25, abs=0.04), "the clip, with its 0.62, goes twice as fast"


def test_a_skip_is_measured_beside_a_skip_not_beside_the_mean_of_its_legs():
    gait, walk = load_gait("skip"), Walk(speed=1.25, frequency=0.8, duty=0.28)
    take = make_take(walk)
    root, turn, joints = pose(gait.evaluate(take.time_s * walk.frequency), take.body)
    earlier = np.where(take.event_side == 1, (0.5 - gait.contact_phases["R"].strike) / walk.frequency, 0.0)
    found = measure_gait(changed(take, {"name": "skip"}, root_position_m=root, root_quaternion=turn, joint_quaternions=joints,
                                 event_time_s=take.event_time_s - earlier))
    assert found["jolt_over_clip"] == pytest.approx(1.0, abs=0.05)


def test_a_take_whose_clip_is_gone_has_no_ratio(tmp_path):
    take = changed(make_take(Walk()), {"file": str(tmp_path / "gone.bvh")})
    found = measure_gait(take)
    assert found["joint_acceleration_over_clip"] is None and found["joint_acceleration_at_contact_rad_s2"] == 0.0


def test_a_gravity_ramp_is_counted_moment_by_moment():
    take = make_take(Walk(seconds=10.0))
    ramped = changed(take, {"world": World("ramp", 9.81, gravity_ramp=((0.0, 9.81), (10.0, 1.62)))})
    gravity = gravity_m_s2(ramped)
    assert gravity[0] == 9.81 and gravity[-1] == pytest.approx(1.62) and gravity[500] == pytest.approx(5.715)
    grf = take.grf_n * (gravity / 9.81)[:, None, None]
    assert measure(changed(ramped, grf_n=grf))["grf_mean_over_mg"] == pytest.approx(1.0, abs=0.01)


def test_heights_are_over_the_ground_beneath():
    take = make_take(Walk())
    ground = GroundSpec(kind="slope", slope_deg=5.0)
    com = take.com_m.copy()
    com[:, 2] += math.tan(math.radians(5.0)) * com[:, 0]
    sloped = measure(changed(take, {"world": World("slope", 9.81, ground=ground)}, com_m=com))
    assert sloped["com_height_mean_m"] == pytest.approx(0.95, rel=1e-3)
    assert sloped["com_height_range_m"] == pytest.approx(0.02, rel=0.02)


def test_shots_without_strides_still_have_forces():
    found = measure_gait(make_take(Walk(seconds=1.2)))
    assert found["strides"] is None and found["friction_use_max"] == 0.0 and found["torque_over_human_max"] > 0.0
