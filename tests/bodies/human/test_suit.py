# SPDX-License-Identifier: GPL-3.0-or-later
"""Space suits: their files, what they do to the body, and what the body then does to the walk."""

import json

import mujoco
import numpy as np
import pytest

from lope.addon.bodies.body import Body
from lope.addon.bodies.human.body import Human
from lope.addon.bodies.human.suit import FOLDER, JointSpring, Pack, Suit, load_suit, read_preset, suit_names
from lope.addon.bodies.kinematics import segment_poses
from lope.addon.bodies.makers import body_from_dict, make_body
from lope.addon.bodies.model import build_model
from lope.addon.bodies.state import BodyState
from lope.addon.errors import InputError
from lope.addon.locomotion.tracking.weights import torque_limits
from lope.addon.motions.cycle import layout
from lope.addon.motions.library import load_gait
from lope.addon.motions.style import MOST_LEAN_RAD, bent, com_ahead, load_lean_rad, yielded
from lope.addon.sim.simulation import simulate
from lope.addon.sim.take import Take
from lope.addon.specs.shot import BodySpec, Shot, World
from lope.addon.worlds.planets import load_world

BARE = make_body(BodySpec())
A7LB = load_suit("apollo-a7lb")


def com_and_inertia(body: Body) -> tuple[np.ndarray, np.ndarray]:
    """Whole-body centre of mass (3,) and inertia (3, 3) about it in the neutral pose, summed by hand."""
    joints = np.zeros((1, len(body.segments) - 1, 4))
    joints[..., 0] = 1.0
    places = segment_poses(body, np.zeros((1, 3)), np.array([[1.0, 0, 0, 0]]), joints)[0][0]
    masses = np.array([s.mass_kg for s in body.segments])
    centres = places + np.array([s.com for s in body.segments])
    com = masses @ centres / masses.sum()
    inertia = sum(s.inertia + m * ((c - com) @ (c - com) * np.eye(3) - np.outer(c - com, c - com))
                  for s, m, c in zip(body.segments, masses, centres, strict=True))
    return com, inertia


def test_shipped_suits_have_their_published_masses():
    assert suit_names() == ["none", "mark-iii", "apollo-a7lb"]
    assert A7LB.mass_kg == pytest.approx(96.2) and A7LB.mass_kg - A7LB.pack.mass_kg == pytest.approx(35.4)
    assert load_suit("Mark-III").mass_kg == pytest.approx(59.0 + 15.0)
    assert load_suit("none").mass_kg == 0.0


def test_suit_adds_its_mass_and_the_pack_draws_the_centre_back_and_up():
    suited = make_body(BodySpec(), A7LB)
    assert suited.mass_kg == pytest.approx(75.0 + 96.2) and suited.bare_mass_kg == pytest.approx(75.0)
    (bare_com, bare_inertia), (com, inertia) = com_and_inertia(BARE), com_and_inertia(suited)
    assert com[0] < bare_com[0] - 0.05 and com[2] > bare_com[2] + 0.05
    assert np.all(np.linalg.eigvalsh(inertia) > 1.5 * np.linalg.eigvalsh(bare_inertia))
    assert suited.leg_length_m == BARE.leg_length_m


def test_pack_is_added_by_parallel_axes():
    pack = Pack(30.0, (0.2, 0.4, 0.6), (-0.25, 0.0, 0.1))
    bare, loaded = BARE.segment("chest"), make_body(BodySpec(), Suit(pack=pack)).segment("chest")
    centre = 0.5 * bare.tip + pack.centre_m
    assert loaded.com == pytest.approx((bare.mass_kg * bare.com + 30.0 * centre) / (bare.mass_kg + 30.0))
    reduced = bare.mass_kg * 30.0 / (bare.mass_kg + 30.0)  # of two bodies about their common centre
    apart = centre - bare.com
    about_y = bare.inertia[1, 1] + 30.0 / 12.0 * (0.2**2 + 0.6**2) + reduced * (apart[0]**2 + apart[2]**2)
    assert loaded.inertia[1, 1] == pytest.approx(about_y)


def test_strength_does_not_grow_with_the_suit():
    assert torque_limits(make_body(BodySpec(), A7LB)) == pytest.approx(torque_limits(BARE))


def test_garment_of_missing_segments_goes_to_the_one_above():
    points = {name: p for name, p in BARE.landmarks.items() if not name.startswith(("hand", "wrist", "clavicle", "chest"))}
    suited = Human.from_landmarks(points, 75.0, A7LB)
    assert "chest" not in suited.index
    assert suited.mass_kg == pytest.approx(75.0 + 96.2)


def test_suit_torque_is_that_of_mujocos_own_springs_and_dampers():
    suited = make_body(BodySpec(), A7LB)
    state = BodyState(suited, build_model(suited, World()))
    model = build_model(suited, World())
    for segment in suited.segments[1:]:
        joint = model.joint(segment.name)
        joint.stiffness[...] = segment.stiffness_nm_rad
        start = int(joint.dofadr[0])
        model.dof_damping[start:start + (3 if segment.joint == "ball" else 1)] = segment.damping_nms_rad
        if segment.joint == "hinge":
            model.qpos_spring[int(joint.qposadr[0])] = segment.rest_rad
    data, rng = mujoco.MjData(model), np.random.default_rng(3)
    mujoco.mj_integratePos(model, data.qpos, 0.4 * rng.normal(size=model.nv), 1.0)
    data.qvel[:] = rng.normal(size=model.nv)
    mujoco.mj_forward(model, data)
    state.update(data.qpos, data.qvel)
    assert state.suit_torque == pytest.approx(data.qfrc_passive[6:], abs=1e-9)
    assert state.bias_force == pytest.approx(data.qfrc_bias - data.qfrc_passive, abs=1e-9)
    assert np.abs(state.suit_torque).max() > 5.0


@pytest.mark.slow
def test_body_and_take_remember_the_suit(tmp_path):
    shot = Shot(world=load_world("moon"), suit="apollo-a7lb", duration_s=0.5)
    assert Shot.from_dict(json.loads(json.dumps(shot.to_dict()))) == shot
    take = simulate(shot)
    take.save(tmp_path / "a.npz")
    again = Take.load(tmp_path / "a.npz")
    assert again.body.suit == A7LB and again.shot == shot
    assert [s.mass_kg for s in again.body.segments] == [s.mass_kg for s in take.body.segments]
    again.save(tmp_path / "b.npz")
    assert (tmp_path / "a.npz").read_bytes() == (tmp_path / "b.npz").read_bytes()


def test_body_of_a_take_without_suit_still_loads():
    data = BARE.to_dict()
    del data["suit"]
    assert body_from_dict(data).mass_kg == pytest.approx(75.0)


@pytest.mark.parametrize("name", ["../suits/mark-iii", str(FOLDER / "mark-iii"), "/x/none", "./none", "x/../none", "none.json",
                                  ""])
def test_a_suits_name_is_not_a_path(name):
    with pytest.raises(InputError, match="no suit named"):
        load_suit(name)


def test_unknown_suit_is_told_with_the_known_ones():
    with pytest.raises(InputError, match="apollo-a7lb"):
        simulate(Shot(suit="apollo-a7l", duration_s=1.0))


@pytest.mark.parametrize(("change", "told"), [
    ({"garment_kg": {"tail": 3.0}}, "no segment named 'tail'"),
    ({"garment_kg": {"thigh": -1.0}}, "Garment, thigh must lie between 0 and 100 kg"),
    ({"joints": {"thigh": {"stiffness": 3.0}}}, "no joint spring field named 'stiffness'"),
    ({"pack": {"mass_kg": 3.0}}, "pack fields lack size_m, centre_m"),
    ({"pack": {"mass_kg": 3.0, "size_m": [1.0, 1.0], "centre_m": [0.0, 0.0, 0.0]}},
     "The pack's size must be a list of 3 values, got 2"),
    ({"name": "other"}, "calls itself"),
    ({"format": 99}, "Update Lope"),
    ({"colour": "white"}, "no suit preset field named 'colour'"),
])
def test_bad_suit_file_is_told(tmp_path, change, told):
    fields = {"format": 1, "name": "mine", "label": "Mine", "garment_kg": {}, "pack": None, "joints": {}, "source": "me"}
    path = tmp_path / "mine.json"
    path.write_text(json.dumps(fields))
    assert read_preset(path) == Suit("mine", "Mine")
    path.write_text(json.dumps({**fields, **change}))
    with pytest.raises(InputError, match=told) as caught:
        read_preset(path)
    assert "mine.json" in str(caught.value)


@pytest.mark.slow
def test_suited_walk_on_the_moon_keeps_the_froude_number_and_costs_more_torque():
    world = load_world("moon")
    bare, suited = (simulate(Shot(world=world, suit=suit, duration_s=6.0)) for suit in ("none", "apollo-a7lb"))
    assert not bare.fell and not suited.fell
    assert suited.stats["planned_speed_m_s"] == pytest.approx(bare.stats["planned_speed_m_s"])
    later = bare.time_s > 2.0
    hips = slice(bare.body.degrees_of_freedom - 6 - 2 * 8, None)  # both legs: 3 + 1 + 3 + 1 coordinates each, the last ones
    effort = [np.sqrt(np.mean(t.torque_nm[later, hips] ** 2)) for t in (bare, suited)]
    assert effort[1] > 1.5 * effort[0]
    elbow = suited.body.joint_segments.index("forearm_L")
    bend = [2.0 * np.arccos(np.abs(t.joint_quaternions[later, elbow, 0])) for t in (bare, suited)]
    assert np.ptp(bend[1]) < 0.8 * np.ptp(bend[0]), "the suit's arms swing less"
    weight = suited.grf_n[later, :, 2].sum(axis=1).mean() / (suited.body.mass_kg * world.gravity_m_s2)
    assert weight == pytest.approx(1.0, abs=0.1)


@pytest.mark.slow
def test_stiff_joints_cost_torque(monkeypatch):
    stiff = Suit("stiff", "Stiff", joints={"shank": JointSpring(60.0, 2.0), "thigh": JointSpring(60.0, 2.0)})
    takes = []
    for suit in (Suit(), stiff):
        monkeypatch.setattr("lope.addon.bodies.of_shot.load_suit", lambda _, suit=suit: suit)
        takes.append(simulate(Shot(world=load_world("moon"), duration_s=3.0)))
    effort = [np.abs(t.torque_nm).mean() for t in takes]
    assert not takes[1].fell and effort[1] > 1.5 * effort[0]


def test_stiff_arms_swing_less_about_the_suits_rest():
    joints = {"upper_arm": JointSpring(15.0), "forearm": JointSpring(30.0, rest_deg=40.0), "shank": JointSpring(50.0)}
    suited, cycle = make_body(BodySpec(), Suit(joints=joints)), load_gait("walk").symmetrised()
    held = yielded(cycle, suited)
    arm, elbow, knee = (layout().slices[name] for name in ("upper_arm_L", "forearm_R", "shank_L"))
    assert held.coefficients[arm] == pytest.approx(0.5 * cycle.coefficients[arm])
    assert held.coefficients[elbow, 1:] == pytest.approx(0.25 * cycle.coefficients[elbow, 1:])
    mean = 0.25 * cycle.coefficients[elbow, 0] + 0.75 * np.radians(40.0)
    assert held.coefficients[elbow, 0] == pytest.approx(mean)
    assert np.array_equal(held.coefficients[knee], cycle.coefficients[knee])
    assert yielded(cycle, BARE) is cycle


@pytest.mark.parametrize("name", ["mark-iii", "apollo-a7lb"])
def test_trunk_leans_until_the_load_is_over_the_hips(name):
    cycle, suited = load_gait("walk").symmetrised(), make_body(BodySpec(), load_suit(name))
    leant, bare = bent(cycle, suited, load_lean_rad(cycle, suited)), com_ahead(cycle, BARE)
    ry = [layout().slices[joint].start + 1 for joint in ("lower_spine", "chest", "neck", "head")]
    change = (leant.coefficients - cycle.coefficients)[ry, 0]
    assert com_ahead(cycle, suited) < bare - 0.02
    assert 0.0 < change[:2].sum() <= MOST_LEAN_RAD + 1e-9 and change.sum() == pytest.approx(0.0)
    missing = bare - com_ahead(leant, suited)
    if change[:2].sum() < MOST_LEAN_RAD - 1e-6:
        assert missing == pytest.approx(0.0, abs=1e-4)
    else:
        assert 0.0 < missing < 0.3 * (bare - com_ahead(cycle, suited))


def test_nobody_leans_without_a_suit():
    cycle = load_gait("walk")
    assert load_lean_rad(cycle, BARE) == 0.0


def test_load_in_front_leans_back():
    cycle = load_gait("walk").symmetrised()
    loaded = make_body(BodySpec(), Suit(pack=Pack(10.0, (0.3, 0.3, 0.3), (0.25, 0.0, 0.0))))
    leant = bent(cycle, loaded, load_lean_rad(cycle, loaded))
    assert com_ahead(leant, loaded) == pytest.approx(com_ahead(cycle, BARE), abs=1e-4)
    row = layout().slices["lower_spine"].start + 1
    assert leant.coefficients[row, 0] < cycle.coefficients[row, 0]
