# SPDX-License-Identifier: GPL-3.0-or-later
"""The hand's turn spread over the forearm and its twist bones, and nothing moved by it."""

from dataclasses import replace

import numpy as np
import pytest

from lope.addon.bodies.makers import make_body
from lope.addon.maths.rotations import quat_conjugate, quat_from_rotvec, quat_multiply, quat_rotate
from lope.addon.rigs.bake.controls import build_chain
from lope.addon.rigs.bake.hands import forearm_twists, spread
from lope.addon.rigs.bake.own_motion import Motion, own_motion, upright_turns
from lope.addon.rigs.bake.pose import solve
from lope.addon.rigs.read.figure import RestBone
from lope.addon.rigs.read.maps import SEGMENTS
from standing_figure import straight_figure
from synthetic_take import motion as wild

FRAMES = 9
"""The left hand turns evenly by -60 to 60 degrees about the forearm and bends by 20."""


def figure_and_motion(extra=()):
    """A straight figure, with more bones along its left forearm: (name, parent, place between elbow and wrist, off the axis), and
    its motion."""
    plain = straight_figure()
    forearm, hand = plain.bone["forearm_L"], plain.bone["hand_L"]
    way = hand.head - forearm.head
    bones = []
    for name, parent, place, off in extra:
        head = forearm.head + place * way + [off * np.linalg.norm(way), 0.0, 0.0]
        bones.append(RestBone(name, parent or "forearm_L", head, head + 0.1 * way, np.eye(3)))
    figure = straight_figure(bones)
    body = make_body(figure.body_spec(70.0))
    angle = np.radians(np.linspace(-60.0, 60.0, FRAMES))
    motion = own_motion(figure, body, Motion(*wild(body, np.linspace(0.0, 1.0, FRAMES))))
    bend = quat_from_rotvec(np.tile([np.radians(20.0), 0.0, 0.0], (FRAMES, 1)))
    row, above = body.index["hand_L"], body.index["forearm_L"]
    motion.turns[:, row] = quat_multiply(motion.turns[:, above], quat_multiply(upright_turns(angle), bend))
    return figure, motion, angle


def along(turn: np.ndarray, axis: np.ndarray) -> np.ndarray:
    """Turn (T,) about an axis of rotations (T, 4)."""
    return 2.0 * np.arctan2(turn[:, 1:] @ axis, turn[:, 0])


def test_a_forearm_of_one_bone_takes_half_and_no_joint_moves():
    figure, motion, angle = figure_and_motion()
    shares, twists = forearm_twists(figure, set(figure.bone))
    assert shares == {"L": 0.5, "R": 0.5} and twists == {}
    found = spread(motion, shares)
    forearm, hand = (motion.body.index[f"{s}_L"] for s in ("forearm", "hand"))
    own = quat_multiply(quat_conjugate(motion.turns[:, forearm]), found.turns[:, forearm])
    np.testing.assert_allclose(along(own, np.array([0.0, 0.0, 1.0])), 0.5 * angle, atol=1e-9)
    np.testing.assert_array_equal(found.turns[:, hand], motion.turns[:, hand])
    np.testing.assert_array_equal(found.places, motion.places)
    np.testing.assert_allclose(quat_rotate(found.turns[:, forearm], np.tile(motion.body.segments[hand].offset, (FRAMES, 1))),
                               quat_rotate(motion.turns[:, forearm], np.tile(motion.body.segments[hand].offset, (FRAMES, 1))),
                               atol=1e-12)


def test_a_turn_over_half_a_circle_goes_on():
    _, motion, _ = figure_and_motion()
    row, above = motion.body.index["hand_L"], motion.body.index["forearm_L"]
    angle = np.radians(np.linspace(100.0, 260.0, FRAMES))
    motion.turns[:, row] = quat_multiply(motion.turns[:, above], quat_from_rotvec(np.outer(angle, [0.0, 0.0, 1.0])))
    found = spread(motion, {"L": 0.5})
    np.testing.assert_allclose(np.diff(found.pronation["L"]), np.diff(angle), atol=1e-9)


def test_twist_bones_take_the_share_of_their_place():
    """Two on the axis; one beside it, one that something else moves, one with a child, one at the wrist: none of these."""
    extra = [("near", None, 1 / 3, 0.0), ("far", None, 2 / 3, 0.01), ("beside", None, 0.5, 0.3), ("ruled", None, 0.5, 0.0),
             ("carrier", None, 0.4, 0.0), ("carried", "carrier", 0.45, 0.2), ("wrist helper", None, 1.0, 0.0)]
    figure, motion, angle = figure_and_motion(extra)
    shares, twists = forearm_twists(figure, set(figure.bone) - {"ruled"})
    assert {name: (t.side, pytest.approx(t.share)) for name, t in twists.items()} == {"near": ("L", 0.5), "far": ("L", 5 / 6)}
    assert shares["L"] == pytest.approx(1 / 6) and shares["R"] == 0.5
    moved = spread(motion, shares)
    channels = solve(figure, build_chain(figure, frozenset(SEGMENTS) & motion.moved, ik=False, root=False, twists=twists), moved)
    for name, share in (("near", 0.5), ("far", 5 / 6)):
        np.testing.assert_allclose(along(channels[name].rotation, np.array([0.0, 0.0, 1.0])), (share - 1 / 6) * angle, atol=1e-6)
        assert channels[name].location is None
    assert not {"beside", "ruled", "carrier", "carried", "wrist helper"} & channels.keys()


def test_a_forearm_in_two_pieces_carries_the_hand_on():
    """As MakeHuman's rigs have it: the hand hangs on the second half, and needs no location for it."""
    figure, motion, angle = figure_and_motion([("half", None, 0.5, 0.0)])
    hand = figure.bone["hand_L"]
    rest = tuple(bone for bone in figure.bones if bone is not hand)
    figure = replace(figure, bones=(*rest, replace(hand, parent="half")))
    shares, twists = forearm_twists(figure, set(figure.bone))
    assert shares["L"] == 0.25 and twists["half"].share == 0.75
    moved = spread(motion, shares)
    channels = solve(figure, build_chain(figure, motion.moved, ik=False, root=False, twists=twists), moved)
    assert channels["hand_L"].location is None
    left = along(channels["hand_L"].rotation, np.array([0.0, 0.0, 1.0]))
    np.testing.assert_allclose(left, 0.25 * angle, atol=1e-6, err_msg="a quarter of the turn is left to the wrist")
