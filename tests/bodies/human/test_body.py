# SPDX-License-Identifier: GPL-3.0-or-later
"""The body: degrees of freedom, mass, welded joints, proportions, rest poses, symmetry, soles, and what it refuses."""

import numpy as np
import pytest

from lope.addon.bodies.human.anthropometry import INERTIA, standing_landmarks
from lope.addon.bodies.human.body import Human
from lope.addon.bodies.human.landmarks import OPTIONAL, neutral_alignments
from lope.addon.bodies.kinematics import contact_point_positions, segment_poses
from lope.addon.bodies.makers import body_from_dict, make_body
from lope.addon.bodies.model import build_model
from lope.addon.errors import BodyError, InputError
from lope.addon.specs.shot import BodySpec, World

MIRROR = np.array([1.0, -1.0, 1.0])
HEIGHT, MASS = 1.80, 75.0
ADULT = make_body(BodySpec(HEIGHT, MASS))


def about(axis, angle_deg, origin, point):
    """`point` turned about the x (0), y (1) or z (2) axis through `origin`."""
    angle = np.radians(angle_deg)
    i, j = [k for k in range(3) if k != axis]
    matrix = np.eye(3)
    matrix[[i, i, j, j], [i, j, i, j]] = np.cos(angle), -np.sin(angle), np.sin(angle), np.cos(angle)
    return origin + matrix @ (point - origin)


def posed(arm_deg=0.0, leg_deg=0.0, toe_out_deg=0.0, elbow_deg=0.0):
    """Landmarks of the adult at rest with arms raised sideways, legs apart, toes turned out, elbows bent; feet flat."""
    points = standing_landmarks(HEIGHT)
    for side, sign in (("L", 1.0), ("R", -1.0)):
        shoulder, hip, ankle = (points[f"{n}_{side}"].copy() for n in ("shoulder", "hip", "ankle"))
        elbow = points[f"elbow_{side}"].copy()
        for name in ("wrist", "hand_tip"):
            points[f"{name}_{side}"] = about(1, elbow_deg, elbow, points[f"{name}_{side}"])
        for name in ("elbow", "wrist", "hand_tip"):
            points[f"{name}_{side}"] = about(0, sign * arm_deg, shoulder, points[f"{name}_{side}"])
        for name in ("knee", "ankle"):
            points[f"{name}_{side}"] = about(0, sign * leg_deg, hip, points[f"{name}_{side}"])
        shift = points[f"ankle_{side}"] - ankle
        for name in ("heel", "toes", "toe_tip"):
            points[f"{name}_{side}"] = about(2, sign * toe_out_deg, ankle, points[f"{name}_{side}"]) + shift
    lowest = min(point[2] for point in points.values())
    return {name: point - [0.0, 0.0, lowest] for name, point in points.items()}


def neutral_poses(body):
    """`segment_poses` of the body standing in the neutral pose on z = 0."""
    quats = np.tile([1.0, 0.0, 0.0, 0.0], (len(body.segments) - 1, 1))
    return segment_poses(body, np.array([0.0, 0.0, body.pelvis_height_m]), np.array([1.0, 0.0, 0.0, 0.0]), quats)


def assert_same_body(one, other, atol):
    """Same tree, sizes, inertia and contact points; vectors within `atol`."""
    assert [s.name for s in one.segments] == [s.name for s in other.segments]
    for a, b in zip(one.segments, other.segments, strict=True):
        assert (a.parent, a.joint) == (b.parent, b.joint)
        assert a.mass_kg == pytest.approx(b.mass_kg, rel=1e-9)
        for field in ("offset", "tip", "com", "inertia"):
            np.testing.assert_allclose(getattr(a, field), getattr(b, field), atol=atol, err_msg=f"{a.name} {field}")
    for a, b in zip(one.contact_points, other.contact_points, strict=True):
        assert (a.name, a.segment, a.kind) == (b.name, b.segment, b.kind)
        np.testing.assert_allclose(a.position, b.position, atol=atol, err_msg=a.name)
        assert a.radius_m == pytest.approx(b.radius_m, abs=atol)


def test_a_whole_body_has_54_degrees_of_freedom():
    assert ADULT.degrees_of_freedom == 54
    assert build_model(ADULT, World()).nv == 54
    joints = {s.name: s.joint for s in ADULT.segments}
    assert joints.pop("pelvis") == "free"
    hinges = {f"{n}_{side}" for n in ("forearm", "shank", "toes") for side in "LR"}
    assert {name for name, joint in joints.items() if joint == "hinge"} == hinges
    assert {name for name, joint in joints.items() if joint == "ball"} == set(joints) - hinges
    assert len(joints) == 20


@pytest.mark.parametrize("height_m, mass_kg", [(1.8, 75.0), (0.6, 10.0), (2.9, 391.7), (1.55, 48.123456789)])
def test_total_mass_is_the_asked_mass(height_m, mass_kg):
    body = make_body(BodySpec(height_m, mass_kg))
    assert abs(body.mass_kg - mass_kg) < 1e-9
    assert abs(build_model(body, World()).body_mass.sum() - mass_kg) < 1e-9


def test_the_table_distributes_a_whole_body():
    paired = {"clavicle", "upper_arm", "forearm", "hand", "thigh", "shank", "foot", "toes"}
    assert sum(row.mass * (2 if name in paired else 1) for name, row in INERTIA.items()) == pytest.approx(1.0, abs=2e-3)
    thigh = ADULT.segment("thigh_L")
    assert thigh.mass_kg == pytest.approx(0.1416 * MASS, rel=0.01)  # de Leva 1996
    assert thigh.com[2] == pytest.approx(-0.4095 * np.linalg.norm(thigh.tip), rel=0.01)


def test_sizes_follow_the_published_proportions_and_scale_with_height():
    assert ADULT.leg_length_m == pytest.approx((0.530 - 0.039) * HEIGHT, rel=1e-6)
    child = make_body(BodySpec(0.9, 20.0))
    assert child.leg_length_m == pytest.approx(ADULT.leg_length_m / 2.0, rel=1e-9)
    assert child.pelvis_height_m == pytest.approx(ADULT.pelvis_height_m / 2.0, rel=1e-9)
    assert ADULT.pelvis_height_m == pytest.approx(0.530 * HEIGHT, rel=1e-6)
    assert ADULT.leg_length_m - ADULT.sole_height_m == pytest.approx(ADULT.pelvis_height_m, rel=1e-6)


def test_every_inertia_is_that_of_a_real_body():
    for segment in ADULT.segments:
        moments = np.linalg.eigvalsh(segment.inertia)
        assert moments[0] > 0.0 and moments[2] <= moments[0] + moments[1] + 1e-12, segment.name
        np.testing.assert_allclose(segment.inertia, segment.inertia.T, atol=1e-15)


@pytest.mark.parametrize("landmarks", [
    standing_landmarks(1.8), posed(arm_deg=90.0),
    {k: v for k, v in posed().items() if "clavicle" not in k and k != "chest"}],
    ids=["standing", "T", "welded"])
def test_coordinates_have_the_order_of_mujoco(landmarks):
    body = Human.from_landmarks(landmarks, MASS)
    model = build_model(body, World())
    assert [model.body(i).name for i in range(1, model.nbody)] == [s.name for s in body.segments]
    assert [model.joint(i).name for i in range(1, model.njnt)] == list(body.joint_segments)


@pytest.mark.parametrize("missing, gone", [
    (["toes_L", "toes_R"], 2), (["clavicle_L", "clavicle_R"], 6), (["lower_spine"], 3), (["chest"], 3), (["neck"], 3),
    (["wrist_L", "wrist_R", "hand_tip_L", "hand_tip_R"], 6), (["head_top"], 0), (["hand_tip_L", "hand_tip_R"], 0),
    (["heel_L", "heel_R", "toe_tip_L", "toe_tip_R"], 0), (sorted(OPTIONAL), 23)],
    ids=lambda value: value[0] if isinstance(value, list) and len(value) < 9 else None)
def test_missing_landmarks_weld_their_joints_and_lose_no_mass(missing, gone):
    landmarks = {k: v for k, v in standing_landmarks(HEIGHT).items() if k not in missing}
    body = Human.from_landmarks(landmarks, MASS)
    assert body.degrees_of_freedom == 54 - gone
    assert abs(body.mass_kg - MASS) < 1e-9
    model = build_model(body, World())
    assert model.nv == 54 - gone and abs(model.body_mass.sum() - MASS) < 1e-9
    assert body.leg_length_m == pytest.approx(ADULT.leg_length_m, rel=1e-9)
    known = {s.name for s in body.segments}
    assert all(s.parent in known for s in body.segments[1:]) and all(p.segment in known for p in body.contact_points)
    assert len(body.contact_points) == sum(5 if f"toes_{side}" in known else 6 for side in "LR")


def test_a_welded_segment_leaves_its_mass_with_its_neighbour():
    landmarks = {k: v for k, v in standing_landmarks(HEIGHT).items() if not k.startswith("toes")}
    body = Human.from_landmarks(landmarks, MASS)
    both = ADULT.segment("foot_L").mass_kg + ADULT.segment("toes_L").mass_kg
    assert body.segment("foot_L").mass_kg == pytest.approx(both, rel=1e-9)
    assert {p.segment for p in body.contact_points} == {"foot_L", "foot_R"}


@pytest.mark.parametrize("pose", [
    {"arm_deg": 90.0}, {"arm_deg": 45.0}, {"arm_deg": 50.0, "leg_deg": 12.0}, {"toe_out_deg": 15.0}, {"elbow_deg": -30.0},
    {"arm_deg": 90.0, "leg_deg": 20.0, "toe_out_deg": 10.0}], ids=["T", "A", "A-apart", "toes-out", "elbows", "all"])
def test_figures_that_rest_otherwise_give_the_same_body(pose):
    assert_same_body(Human.from_landmarks(posed(**pose), MASS), ADULT, atol=1e-9)


def test_alignments_turn_the_rest_pose_to_neutral():
    rest = posed(arm_deg=90.0, leg_deg=10.0, toe_out_deg=20.0)
    align = neutral_alignments(rest)
    for segment, start, end in (("upper_arm_L", "shoulder_L", "elbow_L"), ("forearm_R", "elbow_R", "wrist_R"),
                                ("thigh_R", "hip_R", "knee_R"), ("shank_L", "knee_L", "ankle_L")):
        direction = align[segment] @ (rest[end] - rest[start])
        np.testing.assert_allclose(direction / np.linalg.norm(direction), [0.0, 0.0, -1.0], atol=1e-12)
    forward = align["foot_L"] @ (rest["toes_L"] - rest["ankle_L"])
    assert forward[1] == pytest.approx(0.0, abs=1e-12) and forward[0] > 0.0
    for matrix in align.values():
        np.testing.assert_allclose(matrix @ matrix.T, np.eye(3), atol=1e-12)
        assert np.linalg.det(matrix) == pytest.approx(1.0)


@pytest.mark.parametrize("landmarks", [standing_landmarks(HEIGHT), posed(arm_deg=70.0, leg_deg=8.0, toe_out_deg=12.0)])
def test_left_and_right_are_mirror_images(landmarks):
    body = Human.from_landmarks(landmarks, MASS)
    for left in (s for s in body.segments if s.name.endswith("_L")):
        right = body.segment(left.name[:-2] + "_R")
        assert left.mass_kg == pytest.approx(right.mass_kg, rel=1e-12)
        for field in ("offset", "tip", "com"):
            np.testing.assert_allclose(getattr(left, field), MIRROR * getattr(right, field), atol=1e-12)
        np.testing.assert_allclose(left.inertia, np.outer(MIRROR, MIRROR) * right.inertia, atol=1e-12)
        assert left.limits_rad == right.limits_rad
    for left in (p for p in body.contact_points if p.side == "L"):
        right = next(p for p in body.contact_points if p.name == left.name[:-1] + "R")
        np.testing.assert_allclose(left.position, MIRROR * right.position, atol=1e-12)


@pytest.mark.parametrize("landmarks", [
    standing_landmarks(HEIGHT), standing_landmarks(0.7), posed(leg_deg=15.0),
    {k: v for k, v in posed().items() if not k.startswith(("toe", "heel"))}], ids=["adult", "small", "apart", "no-feet"])
def test_contact_points_lie_on_the_sole_and_round_the_ankle(landmarks):
    body = Human.from_landmarks(landmarks, MASS)
    places = contact_point_positions(body, *neutral_poses(body))
    np.testing.assert_allclose(places[:, 2], 0.0, atol=1e-9)
    positions, _ = neutral_poses(body)
    for side in "LR":
        ankle = positions[body.index[f"foot_{side}"]]
        by_kind = {}
        for point, place in zip(body.contact_points, places, strict=True):
            if point.side == side:
                by_kind.setdefault(point.kind, []).append(place)
        toes = 1 if f"toes_{side}" in body.index else 2
        assert {kind: len(v) for kind, v in by_kind.items()} == {"heel": 2, "ball": 2, "toe": toes}
        assert max(p[0] for p in by_kind["heel"]) < ankle[0] < min(p[0] for p in by_kind["ball"])
        assert max(p[0] for p in by_kind["ball"]) < by_kind["toe"][0][0]
        for pair in (by_kind["heel"], by_kind["ball"], *([by_kind["toe"]] if toes == 2 else [])):
            assert min(p[1] for p in pair) < ankle[1] < max(p[1] for p in pair)


def test_a_body_survives_its_json_form():
    rest = posed(arm_deg=45.0, leg_deg=5.0)
    body = Human.from_landmarks({k: v for k, v in rest.items() if k != "neck"}, 61.5)
    assert_same_body(body_from_dict(body.to_dict()), body, atol=1e-14)


def test_a_specification_with_landmarks_uses_them():
    spec = BodySpec(mass_kg=50.0, landmarks={k: tuple(v) for k, v in standing_landmarks(1.2).items()})
    assert_same_body(make_body(spec), make_body(BodySpec(1.2, 50.0)), atol=1e-12)


# What a body cannot be made of ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("missing, words", [
    (["hip_L", "knee_L", "ankle_L", "hip_R", "knee_R", "ankle_R"], "no legs"), (["knee_R"], r"no legs \(knee_R\)"),
    (["head"], "no head"), (["shoulder_L"], "no shoulder_L"), (["pelvis"], "no pelvis")])
def test_a_figure_without_a_necessary_joint_is_refused(missing, words):
    landmarks = {k: v for k, v in standing_landmarks(HEIGHT).items() if k not in missing}
    with pytest.raises(BodyError, match=words):
        Human.from_landmarks(landmarks, MASS)


@pytest.mark.parametrize("change, words", [
    ({"tail": (0, 0, 0)}, "Unknown landmarks tail"), ({"knee_L": (0.0, np.nan, 0.5)}, "knee_L must be three finite"),
    ({"knee_L": (0.0, 0.5)}, "knee_L must be three finite"), ({"head": (0.0, 0.0, -2.0)}, "head is not above"),
    ({"knee_L": (0.0, 0.09, 0.954), "ankle_L": (0.0, 0.09, 0.954), "hip_L": (0.0, 0.09, 0.954)}, "are in one place on side L"),
    ({"knee_R": (0.0, -0.09, 0.954), "hip_R": (0.0, -0.09, 0.954)}, "are in one place on side R")])
def test_landmarks_that_make_no_figure_are_refused(change, words):
    with pytest.raises(BodyError, match=words):
        Human.from_landmarks(standing_landmarks(HEIGHT) | change, MASS)


@pytest.mark.parametrize("height_m, mass_kg", [
    (0.4, 75.0), (3.1, 75.0), (np.nan, 75.0), (1.8, 9.0), (1.8, 401.0), (1.8, "x")])
def test_height_and_mass_out_of_range_are_refused(height_m, mass_kg):
    with pytest.raises(InputError, match="Height|Mass"):
        BodySpec(height_m, mass_kg)


def test_asking_for_a_segment_that_is_not_there_lists_the_known_ones():
    with pytest.raises(BodyError, match="no segment 'tail'; it has pelvis, lower_spine"):
        ADULT.segment("tail")
