# SPDX-License-Identifier: GPL-3.0-or-later
"""Pushes that a clip shows: found where they are, as small as they can be, none in a walk; and a plan that goes along."""

import json
from dataclasses import replace
from functools import cache
from pathlib import Path
from tempfile import mkdtemp

import numpy as np
import pytest

from bvh_writer import Style, standing_poses, write_bvh
from follow_kit import BODY, captured, follow_shot, walk_clip, walk_read
from lope.addon.errors import InputError
from lope.addon.locomotion.clip.clip import read_clip
from lope.addon.locomotion.clip.clip_plan import chest_height, known_pushes
from lope.addon.locomotion.clip.pushes import find_pushes, nearest_in_hull, with_clip_pushes
from lope.addon.sim.simulation import simulate
from lope.addon.specs.shot import EARTH_GRAVITY_M_S2, Push, Shot

pytestmark = pytest.mark.slow

FROM_S, TO_S, PULL_M_S2 = 1.0, 1.12, 4.0


@cache
def stood():
    """Somebody stands."""
    return read_clip(write_bvh(Path(mkdtemp()) / "stand.bvh", *standing_poses(3.0, 60.0), Style()), BODY)


def pulled(way):
    """The same clip with a centre of mass that is pulled for a moment, and then stopped by its feet."""
    clip = stood()
    times, rate = clip.times_s, np.sqrt(EARTH_GRAVITY_M_S2 / clip.com_m[0, 2])
    speed = PULL_M_S2 * np.clip(times - FROM_S, 0.0, TO_S - FROM_S) * np.exp(-rate * np.maximum(times - TO_S, 0.0))
    com = clip.com_m.copy()
    com[:, :2] += np.outer(np.cumsum(speed) * clip.step_s, way)
    return replace(clip, com_m=com)


@pytest.mark.parametrize("way", [(1.0, 0.0), (0.6, 0.8)])
def test_the_least_push_is_what_the_soles_cannot_do(way):
    """It acts then, goes that way, and is less than the whole pull about the ground: the soles' edge does the rest."""
    (push,) = find_pushes(pulled(way))
    clip = stood()
    assert push.start_s < FROM_S + 0.05 < TO_S - 0.05 < push.end_s < TO_S + 0.1
    assert abs(np.angle(push.force / complex(*way))) < 0.5
    whole = PULL_M_S2 * (TO_S - FROM_S) * clip.com_m[0, 2] / chest_height(clip)[0]
    assert 0.3 * whole < push.impulse < 0.95 * whole


def test_neither_standing_nor_walking_shows_a_push():
    """Nor is one made of it."""
    assert find_pushes(stood()) == [] and find_pushes(walk_read()) == []
    with pytest.raises(InputError, match="walk shows no push"):
        with_clip_pushes(follow_shot(walk_clip()))
    with pytest.raises(InputError, match="follows none"):
        with_clip_pushes(Shot())


def test_the_nearest_place_of_a_hull():
    """Inside it is the place itself, outside one on an edge or a corner."""
    square = np.array([(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)])
    for place, nearest in (((0.5, 0.2), (0.5, 0.2)), ((0.5, -1.0), (0.5, 0.0)), ((2.0, 3.0), (1.0, 1.0))):
        np.testing.assert_allclose(nearest_in_hull(np.array(place), square), nearest, atol=1e-12)


def test_planned_pushes_travel_and_others_are_as_they_were():
    """Only who follows a motion has one; what is pushed unforeseen does not know the word in its file."""
    push = Push(1.0, 0.2, (80.0, 0.0, 0.0), planned=True)
    shot = follow_shot(walk_clip(), pushes=(push,))
    assert Shot.from_dict(json.loads(json.dumps(shot.to_dict()))) == shot
    assert "planned" not in Shot(pushes=(replace(push, planned=False),)).to_dict()["pushes"][0]
    for wrong in (Shot, lambda pushes: follow_shot(walk_clip(), pushes=(replace(pushes[0], segment="head"),))):
        with pytest.raises(InputError, match="can have a push in it"):
            wrong(pushes=(push,))


def test_on_another_planet_a_push_is_as_similar_as_the_motion():
    """Two and a half times as long and a sixth as hard on the Moon, and the plan reads it back in the clip's time."""
    push = Push(2.0, 0.5, (60.0, -30.0, 0.0), planned=True)
    (known,) = known_pushes((push, replace(push, planned=False)), 75.0, 2.0)
    assert (known.start_s, known.end_s, known.force) == (1.0, 1.25, pytest.approx(3.2 - 1.6j))


@pytest.mark.acceptance
def test_a_captured_push_is_found_and_followed():
    """Somebody was pushed from behind: the body that follows is pushed, stands, and goes along better than unforeseen."""
    shot = with_clip_pushes(follow_shot(captured("snu_push_fwd_weak_step")))
    (push,) = shot.pushes
    assert push.planned and 0.35 < push.start_s < 0.45 and push.force_n[0] > 2.0 * abs(push.force_n[1])
    take, unforeseen = simulate(shot), simulate(replace(shot, pushes=(replace(push, planned=False),)))
    off, other = (take_.channels["follow_com_off_plan_m"].values.mean() for take_ in (take, unforeseen))
    assert not take.fell and off < 0.045 < 0.5 * other
