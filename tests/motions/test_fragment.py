# SPDX-License-Identifier: GPL-3.0-or-later
"""What a stream of motion is made of: fragments, and what may be wished for."""

import numpy as np
import pytest

from follow_kit import BODY
from lope.addon.errors import InputError
from lope.addon.motions.fragment import STANDING, Fragment, StreamState, Wish, wish_from
from lope.addon.motions.strides import FOREVER_S, Stance

pytestmark = pytest.mark.slow


def fragment(**changes) -> Fragment:
    """A step of random poses, from the left foot's touch-down to the right one's."""
    rng = np.random.default_rng(1)
    turns = rng.standard_normal((31, len(BODY.joint_segments) + 1, 4))
    turns /= np.linalg.norm(turns, axis=-1, keepdims=True)
    stances = (Stance("L", 0.0, 0.05, FOREVER_S, FOREVER_S), Stance("R", -FOREVER_S, -FOREVER_S, -FOREVER_S, 0.1))
    values = {"name": "walk_left_45", "gait": "walk", "body": BODY, "begins": "L", "ends": "R", "root_m": rng.random((31, 3)),
              "root_quaternion": turns[:, 0], "joint_quaternions": turns[:, 1:], "stances": stances, "speed_m_s": 1.2,
              "turn_rad": 0.7}
    return Fragment(**(values | changes))


def test_a_stream_begins_standing_and_goes_on_where_its_last_fragment_ends():
    assert StreamState(None).at == STANDING and StreamState(fragment()).at == "R"


def test_a_wish_stays_until_it_is_replaced():
    wish = wish_from({"speed_m_s": 1.2, "turn_rad_s": 0.3})
    assert wish == Wish(1.2, 0.3)
    assert wish_from({"gait": "march"}, wish) == Wish(1.2, 0.3, gait="march")
    assert wish_from({"turn_rad": 1.5}, wish) == Wish(1.2, None, 1.5), "one turn at a time"
    assert wish_from({"speed_m_s": None}, wish) == Wish(None, 0.3)


@pytest.mark.parametrize("wish, said", [
    ({"height": 1.0}, "cannot be steered by 'height'"), ({"speed_m_s": -1.0}, "speed that is wished for must lie between 0"),
    ({"turn_rad_s": float("nan")}, "rate of turning"), ({"gait": 3}, "must be a name")])
def test_what_cannot_be_wished_for_is_told(wish, said):
    with pytest.raises(InputError, match=said):
        wish_from(wish)
