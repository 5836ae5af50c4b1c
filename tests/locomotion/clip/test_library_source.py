# SPDX-License-Identifier: GPL-3.0-or-later
"""The library of moves as a source: what is wished for is done, motions go on smoothly, feet stay where they stand."""

import math
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from follow_kit import BODY, MOTION
from lope.addon.bodies.kinematics import segment_poses
from lope.addon.bodies.makers import make_body
from lope.addon.errors import InputError
from lope.addon.locomotion.clip.moves.placed import Layer
from lope.addon.locomotion.clip.moves.source import STOOD as STAND
from lope.addon.locomotion.clip.moves.source import LibrarySource, end_of, unlike, ways
from lope.addon.maths.rotations import quat_conjugate, quat_multiply, rotvec_from_quat
from lope.addon.motions.fragment import RATE_HZ, STANDING, Fragment, StreamState, Wish
from lope.addon.motions.moves import step as layout
from lope.addon.motions.moves.shelf import shelf
from lope.addon.specs.shot import BodySpec

SPEEDS = [0.4, 0.7, 1.0, 1.3, 1.6, 1.9]


@cache
def source() -> LibrarySource:
    return LibrarySource(BODY)


def run(*wishes: tuple[Wish, int], last: Fragment | None = None, of: LibrarySource | None = None) -> list[Fragment]:
    """Fragments one after the other: so many for each wish; a turn that is wished for in all is what is left of it."""
    found = []
    for wish, count in wishes:
        for _ in range(count):
            state = StreamState(last)
            last = (of or source()).next(state, wish)
            assert state.last is None or last.begins == state.at
            found.append(last)
            if wish.turn_rad is not None:
                wish = replace(wish, turn_rad=wish.turn_rad - last.turn_rad)
    return found


@pytest.mark.parametrize("speed", SPEEDS)
def test_a_walk_comes_to_the_speed_that_is_wished(speed):
    found = run((Wish(speed_m_s=speed), 12))
    way = sum(f.speed_m_s * f.duration_s for f in found[-4:]) / sum(f.duration_s for f in found[-4:])
    assert way == pytest.approx(speed, rel=0.03) and {f.gait for f in found[1:]} == {"walk"}


@pytest.mark.parametrize("degrees", [-180, -120, -60, 30, 75, 90, 135, 180])
def test_a_turn_is_made_within_a_few_steps(degrees):
    wish = Wish(speed_m_s=1.1)
    found = run((wish, 5), (replace(wish, turn_rad=math.radians(degrees)), 5))
    assert math.degrees(sum(f.turn_rad for f in found[5:])) == pytest.approx(degrees, abs=1.0)


def test_a_rate_of_turning_is_kept():
    found = run((Wish(speed_m_s=1.2, turn_rad_s=-0.4), 10))[-4:]
    assert sum(f.turn_rad for f in found) / sum(f.duration_s for f in found) == pytest.approx(-0.4, rel=0.03)


def test_it_stands_starts_stops_and_turns_on_the_spot():
    found = run((Wish(), 2), (Wish(speed_m_s=1.0), 4), (Wish(speed_m_s=0.0), 4), (Wish(gait="stand", turn_rad=-2.0), 6))
    assert [f.ends for f in found[:2]] == [STANDING] * 2 and found[2].name == "walk_start" and found[9].name == "stand"
    assert math.degrees(sum(f.turn_rad for f in found[10:])) == pytest.approx(math.degrees(-2.0), abs=1.0)
    assert found[-1].gait == "stand"
    assert np.hypot(*(found[-1].root_m[-1] - found[-1].root_m[0])[:2]) < 0.03


@pytest.mark.slow
@pytest.mark.parametrize("first", [*shelf().gaits])
@pytest.mark.parametrize("then", [*shelf().gaits, STAND])
def test_every_gait_is_reached_from_every_other(first, then):
    found = run((Wish(gait=first), 8), (Wish(gait=then), 14))
    assert found[7].gait == first and found[-1].gait == then


def test_the_way_between_gaits_is_told_by_how_alike_they_are():
    walk = shelf().walk("L", 0.35, 0.0)
    assert unlike(walk, shelf().walk("R", 0.35, 0.0)) < 0.6 < unlike(walk, shelf().cycle("backward", "R", 0.24))
    found = ways(shelf())
    assert found["walk", "backward"] == STAND and found["walk", "march"] == "march"
    assert found["side_left", "side_right"] in (STAND, "walk")
    assert (found["walk", "run"], found["run", "walk"], found[STAND, "run"]) == ("lope", "lope", "walk")


def test_a_run_flies_between_its_steps_and_comes_to_its_speed():
    found = run((Wish(gait="run", speed_m_s=3.5), 14))[-4:]
    for fragment in found:
        (own,) = fragment.stances
        assert own.side == fragment.begins and own.off_s < 0.9 * fragment.duration_s
    assert sum(f.speed_m_s * f.duration_s for f in found) / sum(f.duration_s for f in found) == pytest.approx(3.5, rel=0.03)


def chain() -> list[Fragment]:
    go, back = Wish(speed_m_s=1.1), Wish(gait="march")
    return run((Wish(), 1), (go, 5), (replace(go, turn_rad=2.2), 5), (Wish(speed_m_s=1.8), 4), (Wish(speed_m_s=0.5), 5),
               (back, 7), (Wish(gait="run"), 7), (Wish(gait="backward"), 12), (Wish(gait="stand"), 4))


def test_a_fragment_goes_on_with_the_pose_and_the_speed_of_the_one_before():
    found = chain()
    for before, after in zip(found, found[1:], strict=False):
        joints = quat_multiply(quat_conjugate(before.joint_quaternions[-1]), after.joint_quaternions[0])
        assert np.degrees(np.linalg.norm(rotvec_from_quat(joints), axis=-1)).max() < 4.0, (before.name, after.name)
        assert abs(before.root_m[-1, 2] - after.root_m[0, 2]) < 2e-3
        leaving, coming = ((f.root_m[i + 1] - f.root_m[i]) * RATE_HZ for f, i in ((before, -2), (after, 0)))
        assert abs(np.linalg.norm(leaving[:2]) - np.linalg.norm(coming[:2])) < 0.12, (before.name, after.name)


def test_feet_that_stand_flat_do_not_slip_and_no_knee_snaps():
    for fragment in chain():
        positions, _ = segment_poses(BODY, fragment.root_m, fragment.root_quaternion, fragment.joint_quaternions)
        times = np.arange(len(fragment.root_m)) / RATE_HZ
        for stance in fragment.stances:
            flat = (times > max(stance.flat_s, 0.0) + 0.07) & (times < min(stance.heel_off_s, stance.off_s - 0.12))
            ankles = positions[flat, BODY.index[f"foot_{stance.side}"]]
            if len(ankles):
                assert np.ptp(ankles, axis=0).max() < 5e-3, fragment.name
        for side in "LR":
            knee = fragment.joint_quaternions[:, BODY.joint_segments.index(f"shank_{side}")]
            angle = 2.0 * np.arctan2(knee[:, 2], knee[:, 0])
            assert np.abs(np.diff(angle)).max() * RATE_HZ < 22.0, fragment.name


def test_legs_of_another_length_go_by_the_same_froude_number():
    small = make_body(BodySpec(height_m=1.2))
    ratio = small.leg_length_m / BODY.leg_length_m
    tall, short = (run((Wish(gait="walk"), 8), of=of)[-1] for of in (source(), LibrarySource(small)))
    assert short.duration_s == pytest.approx(tall.duration_s * math.sqrt(ratio), abs=0.01)
    assert short.speed_m_s == pytest.approx(tall.speed_m_s * math.sqrt(ratio), rel=0.02)


def test_the_same_state_and_wish_give_the_same_fragment():
    last = run((Wish(speed_m_s=1.0), 4))[-1]
    one, other = (source().next(StreamState(last), Wish(speed_m_s=1.3)) for _ in range(2))
    np.testing.assert_array_equal(one.joint_quaternions, other.joint_quaternions)


def test_it_goes_on_from_fragments_that_are_not_its_own():
    last = run((Wish(speed_m_s=1.1), 6))[-1]
    names = ("name", "gait", "body", "begins", "ends", "root_m", "root_quaternion", "joint_quaternions", "stances", "speed_m_s",
             "turn_rad")
    foreign = Fragment(**{name: getattr(last, name) for name in names})
    read, known = end_of(foreign, Layer(BODY)), last.end
    for name in ("root.z", "root.pitch", "forearm_L", "chest.ry"):
        assert read.curves[layout.at(name)] == pytest.approx(known.curves[layout.at(name)], abs=0.01), name
    after = source().next(StreamState(foreign), Wish(speed_m_s=1.1))
    assert (after.begins, after.gait) == (last.ends, "walk") and after.speed_m_s == pytest.approx(1.1, rel=0.1)


def test_a_gait_that_is_not_in_the_library_is_refused():
    with pytest.raises(InputError, match=r"gait in the library of moves.*moonwalk"):
        source().next(StreamState(None), Wish(gait="moonwalk"))


@pytest.mark.slow
@pytest.mark.parametrize("name", ["walk_normal", "turn_135_outer_left", "stop"])
def test_the_shipped_figures_are_those_of_the_clips(name):
    if not MOTION.is_dir():
        pytest.skip("the motion test data lies beside the project, not in it")
    from lope.scripts.tools.fit_moves import RECIPES, fitted

    made = fitted(next(r for r in RECIPES if r.name == name), MOTION)
    shipped = shelf().moves[name]
    assert made.fit == pytest.approx(shipped.fit, abs=0.05)
    for a, b in zip(made.steps, shipped.steps, strict=True):
        np.testing.assert_allclose(a.curves, b.curves, atol=2e-3)


@pytest.mark.parametrize("gait", ["side_left", "walk", "backward"])
def test_whoever_stops_has_the_weight_between_the_feet(gait):
    end = run((Wish(gait=gait), 7), (Wish(gait=STAND), 6))[-1].end
    middle = 0.5 * sum(complex(place.x, place.y) for place in end.prints.values())
    x, y = (end.curves[layout.at(f"root.{axis}")] for axis in "xy")
    assert abs(middle) < 1e-9 and abs(x) < 0.06 and abs(y) < 0.01
