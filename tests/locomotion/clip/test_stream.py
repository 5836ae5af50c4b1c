# SPDX-License-Identifier: GPL-3.0-or-later
"""A stream of motion: its rolling plan, what a wish changes and what it does not, and a body that goes where it is steered."""

import math
from dataclasses import replace

import numpy as np
import pytest

from follow_kit import BODY
from lope.addon.errors import InputError
from lope.addon.locomotion.clip.moves.source import LibrarySource
from lope.addon.locomotion.clip.settings import PlanSettings
from lope.addon.locomotion.clip.stream import HORIZON_S, Stream, in_stream
from lope.addon.motions.fragment import Wish
from lope.addon.sim.simulation import Simulation, preview, simulate
from lope.addon.specs.motions import Moves
from lope.addon.specs.shot import EARTH_GRAVITY_M_S2, Push, Shot
from lope.addon.specs.steering import Steering
from lope.addon.worlds.planets import load_world

pytestmark = pytest.mark.slow

STEP_S = 0.015
WISHES = {0.0: Wish(speed_m_s=1.1, gait="walk"), 4.0: Wish(speed_m_s=1.1, turn_rad_s=0.6),
          7.0: Wish(speed_m_s=0.8, turn_rad=-1.2)}


def stream() -> Stream:
    return Stream(LibrarySource(BODY), BODY, EARTH_GRAVITY_M_S2, PlanSettings())


def steered(seconds: float):
    """A stream that is steered, with its plans: (time, plan before, plan after) of every plan but the first."""
    whole, waiting, time_s = stream(), dict(WISHES), 0.0
    plan, changes = whole.plan_at(0.0), []
    while time_s < seconds:
        if waiting and time_s >= min(waiting):
            whole.steer(waiting.pop(min(waiting)))
        new = whole.plan_at(time_s)
        if new is not None:
            changes.append((time_s, plan, new))
            plan = new
        time_s += STEP_S
    return whole, changes


def test_every_plan_goes_on_where_the_last_one_is():
    _, changes = steered(10.0)
    assert len(changes) > 12
    for time_s, before, after in changes:
        one, other = before.com.at(time_s), after.com.at(time_s)
        assert abs(one.place - other.place) < 1e-3 and abs(one.velocity - other.velocity) < 5e-3
        assert abs(one.capture - other.capture) < 5e-3 and abs(one.height - other.height) < 2e-3
        assert after.clip.end_s - time_s > HORIZON_S and after.clip.start_s > time_s - 0.1, "nothing of the past is kept"
        now, then = before.track.at([time_s])[0], after.track.at([time_s])[0]
        np.testing.assert_allclose(now.ankle_m, then.ankle_m, atol=1e-3)


def test_no_print_under_a_foot_jumps_nor_the_one_that_it_lands_on_next():
    _, changes = steered(10.0)
    for time_s, before, after in changes:
        strikes = []
        for side in "LR":
            for one in before.prints[side]:
                same = next((x for x in after.prints[side] if x.stance.strike_s == one.stance.strike_s), None)
                if one.stance.strike_s <= time_s < one.stance.off_s:
                    assert same is not None and same.place == one.place and same.yaw == one.yaw
                elif one.stance.strike_s > time_s:
                    strikes.append((one.stance.strike_s, one, same))
        if strikes:
            _, one, same = min(strikes, key=lambda strike: strike[0])
            assert same is not None and abs(same.place - one.place) < 1e-9


def test_a_wish_counts_from_the_next_touch_down():
    whole, time_s = stream(), 0.0
    whole.steer(WISHES[0.0])
    while time_s < 4.0:
        whole.plan_at(time_s)
        time_s += STEP_S
    under_way, ends_s = whole.current.laid, whole.current.laid.end_s
    whole.steer(Wish(speed_m_s=1.1, turn_rad_s=0.8, gait="walk"))
    whole.plan_at(time_s)
    assert whole.current.laid is under_way
    whole.plan_at(ends_s)
    assert whole.current.laid is not under_way and whole.current.turn_rad > 0.1


class Counting:
    """A source that counts how often it is asked."""

    def __init__(self, source: LibrarySource) -> None:
        self.source, self.asked = source, 0

    def next(self, state, wish):
        self.asked += 1
        return self.source.next(state, wish)


def test_no_plan_step_makes_more_than_a_fragment_whatever_is_wished():
    source, time_s, most = Counting(LibrarySource(BODY)), 0.0, []
    whole = Stream(source, BODY, EARTH_GRAVITY_M_S2, PlanSettings())
    whole.steer(WISHES[0.0])
    whole.plan_at(0.0)
    while time_s < 5.0:
        time_s += STEP_S
        left_s = whole.current.laid.end_s - time_s
        if 0.2 < left_s < 0.2 + STEP_S:
            whole.steer(Wish(speed_m_s=0.9, turn_rad_s=0.3 * (-1.0) ** len(whole.current.prints["L"]) * time_s, gait="walk"))
        before = source.asked
        plan = whole.plan_at(time_s)
        most.append(source.asked - before)
        assert not (plan is not None and most[-1]), "a plan has a step of its own"
    assert max(most) == 1 and sum(most) > 15


def test_a_wish_just_before_a_touch_down_counts_from_it():
    source, time_s = Counting(LibrarySource(BODY)), 0.0
    whole = Stream(source, BODY, EARTH_GRAVITY_M_S2, PlanSettings())
    whole.steer(WISHES[0.0])
    plan = whole.plan_at(0.0)
    while time_s < 4.0 or whole.current.laid.end_s - time_s > STEP_S:
        plan, time_s = whole.plan_at(time_s) or plan, time_s + STEP_S
    whole.steer(Wish(speed_m_s=1.1, turn_rad_s=0.8, gait="walk"))
    plan, time_s, before = whole.plan_at(time_s) or plan, time_s + STEP_S, source.asked
    turned = whole.plan_at(time_s)
    assert source.asked - before <= 2 and whole.current.turn_rad > 0.1 and plan is not None and turned is not None
    one, other = plan.com.at(time_s), turned.com.at(time_s)
    assert abs(one.place - other.place) < 1e-3 and abs(one.velocity - other.velocity) < 5e-3
    later_s = time_s + 4 * STEP_S
    plans = [whole.plan_at(time_s + i * STEP_S) for i in range(1, 5)]
    assert any(new is not None and new.clip.end_s > later_s + 2.0 for new in plans), "it looks as far ahead again at once"


def test_a_turn_is_turned_once():
    whole, _ = steered(14.0)
    assert whole.wish.turn_rad is not None and abs(whole.wish.turn_rad) < 0.15


def test_a_wish_on_the_moon_is_in_the_streams_own_time():
    assert in_stream({"speed_m_s": 0.5, "turn_rad": 1.0}, 2.0, Wish(gait="walk")) == Wish(1.0, None, 1.0, "walk")


def shot(world: str = "earth", seconds: float = 7.0, **more) -> Shot:
    """A walk that begins standing, and turns left."""
    slow = math.sqrt(EARTH_GRAVITY_M_S2 / load_world(world).gravity_m_s2)
    steering = (Steering(0.0, speed_m_s=1.1 / slow, gait="walk"), Steering(3.0 * slow, turn_rad_s=0.5 / slow))
    return Shot(motion=Moves(steering=steering), world=load_world(world), duration_s=seconds * slow, **more)


@pytest.mark.acceptance
def test_a_body_goes_where_it_is_steered():
    take = simulate(shot())
    assert not take.fell and take.lost is None
    assert take.com_m[-1, 0] > 3.0 and take.com_m[-1, 1] > 0.5, "ahead, and then to the left"
    assert take.channels["follow_com_off_plan_m"].values.mean() < 0.12
    assert take.stats["gait_at_end"] == "walk"


def test_the_same_steered_shot_gives_the_same_take():
    one, other = (simulate(shot(seconds=3.2)) for _ in range(2))
    np.testing.assert_array_equal(one.joint_quaternions, other.joint_quaternions)


def test_the_preview_shows_where_it_goes():
    plan = preview(shot())
    assert plan is not None and len(plan.footstep_m) >= 8 and plan.com_m[-1, 1] > 0.5 and not plan.note
    assert (np.diff(plan.footstep_time_s) >= 0.0).all()
    long = preview(replace(shot(), duration_s=100.0))
    assert long is not None and long.time_s[-1] == pytest.approx(13.0) and "goes on so" in long.note


def test_a_shot_follows_a_clip_or_the_moves():
    for wrong, words in (({"repeat": True}, "the repeating"), ({"until_end": True}, "the end of its path"),
                         ({"controller": "lee"}, "not by lee")):
        with pytest.raises(InputError, match=words):
            Moves.of(wrong)


def test_a_run_is_run_and_its_flights_are_forgotten_behind():
    whole, time_s = stream(), 0.0
    whole.steer(Wish(gait="run"))
    plan = whole.plan_at(0.0)
    flown = 0
    while time_s < 6.0:
        new = whole.plan_at(time_s)
        if new is not None:
            plan = new
            flown += bool(plan.flights)
            assert all(end > plan.clip.start_s for _, end in plan.flights)
        time_s += STEP_S
    assert plan is not None and plan.com.flies and flown > 3


@pytest.mark.acceptance
def test_a_plan_moves_to_where_the_feet_are_and_nothing_jumps():
    simulation, seen = Simulation(shot(seconds=6.0, pushes=(Push(2.0, 0.2, (0.0, 120.0, 0.0)),))), []
    planner, place = simulation.controller.planner, lambda: complex(*simulation.controller.state.com[:2])
    went_on, least_m = planner.follow_on, []

    def follow_on(plan, moved):
        def look():
            now, com = planner.clip_time_s, planner.plan.com
            pressure, capture = planner.balance.pressure_offsets(now)
            feet = planner.feet.poses([now], [0.0], planner.plan.track.at([now]))[0]
            return np.array([com.at(now).place + capture, com.at(now).pivot + pressure]), [feet[side].ankle for side in "LR"]

        was = planner.balance.astray
        before = look()
        went_on(plan, moved)
        after = look()
        assert moved == was and abs(planner.balance.astray) < 1e-12
        assert np.abs(after[0] - before[0])[0] < 5e-3
        np.testing.assert_allclose(after[1], before[1], atol=3e-3)
        seen.append(abs(moved))

    planner.follow_on = follow_on
    while not simulation.over:
        simulation.step()
        least_m.append(abs(place() - planner.plan.com.at(planner.clip_time_s).place))
    assert simulation.time_fell_s is None and len(seen) > 6 and max(seen) > 0.05, "it was pushed off its prints"
    assert max(least_m[-100:]) < 0.1
    simulation.close()
