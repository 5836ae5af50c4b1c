# SPDX-License-Identifier: GPL-3.0-or-later
"""The relay of a shot's controllers: who is at work, what is handed over, and what their figures come to."""

import numpy as np

from lope.addon.bodies.makers import make_body
from lope.addon.bodies.model import Stepping, build_model
from lope.addon.bodies.state import BodyState
from lope.addon.locomotion.controller import Sensed
from lope.addon.sim.sequence import Relay, physics_of
from lope.addon.specs.shot import Shot
from lope.addon.worlds.ground import make_ground


def relay_of(shot):
    """A shot's relay, and the state that its controllers know."""
    body = make_body(shot.body)
    state = BodyState(body, build_model(body, shot.world, Stepping(physics_of(shot).step_s)), make_ground(shot.world.ground))
    return Relay(shot, body, state), state


def felt(state, time_s=0.0):
    """What is measured of a body that touches nothing."""
    return Sensed(time_s, state.qpos, state.qvel, np.zeros((len(state.body.contact_points), 3)))


def test_the_physics_serves_who_takes_over_too():
    assert not physics_of(Shot()).capsules
    assert physics_of(Shot(after_fall="limp")).capsules


def test_a_fall_hands_the_state_over_as_it_is():
    relay, state = relay_of(Shot(duration_s=1.0, after_fall="limp"))
    state.update(*relay.start())
    walking = relay.at_work
    walking.sense(felt(state))
    walking.act()
    before = state.qpos.copy(), state.qvel.copy()
    assert relay.goes_on_after_fall and relay.fall(before)
    assert relay.at_work is not walking and relay.at_work.subject == "the fall"
    assert (state.qpos == before[0]).all() and (state.qvel == before[1]).all()
    stats = relay.stats()
    assert stats["qp_solves"] == 1 and stats["time_rest_s"] is None, "both controllers' figures"
    assert relay.footsteps() == [], "the walk's alone"


def test_only_counts_add_up():
    relay, state = relay_of(Shot(duration_s=1.0, after_fall="limp"))
    state.update(*relay.start())
    first = relay.at_work
    relay.fall((state.qpos, state.qvel))
    for controller, steps in ((first, 2), (relay.at_work, 1)):
        controller.stats = lambda steps=steps: {"steps_taken": steps, "clip_flights": 3}
    assert relay.stats() == {"steps_taken": 3, "clip_flights": 3}


def test_without_a_word_on_it_nobody_takes_over():
    relay, state = relay_of(Shot(duration_s=1.0))
    state.update(*relay.start())
    at_work = relay.at_work
    assert not relay.goes_on_after_fall and not relay.fall((state.qpos, state.qvel)) and relay.at_work is at_work
    assert not relay.change(0.5, (state.qpos, state.qvel)), "a shot without keys has one part"
