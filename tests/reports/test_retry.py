# SPDX-License-Identifier: GPL-3.0-or-later
"""A default shot that falls is tried again at other speeds; what somebody asked for is left alone."""

from dataclasses import replace
from types import SimpleNamespace

import pytest

from lope.addon.bodies.makers import make_body
from lope.addon.reports import retry as attempts
from lope.addon.reports.retry import attempt, may_retry
from lope.addon.specs.motions import Gait
from lope.addon.specs.shot import BodySpec, Push, Shot
from take_factory import Walk, make_take

pytestmark = pytest.mark.slow

BODY, TAKE = make_body(BodySpec()), make_take(Walk(seconds=2.0))
DEFAULT = Shot(motion=Gait(retry=True))


@pytest.fixture
def falls(monkeypatch):
    """Simulations that fall at the speeds that `above` tells; the shots that were simulated are in `shots`."""
    kit = SimpleNamespace(shots=[], above=lambda shot: True)

    def simulate(shot, progress=None, cancelled=None):
        kit.shots.append(shot)
        fell = 2.0 if kit.above(shot) else None
        stats = {"planned_speed_m_s": shot.motion.speed_m_s or 1.28, "planned_stride_frequency_hz": 0.86, "time_fell_s": fell}
        return replace(TAKE, shot=shot, body=BODY, stats=stats)

    monkeypatch.setattr(attempts, "simulate", simulate)
    return kit


def test_a_shot_that_stands_is_simulated_once(falls):
    falls.above = lambda shot: False
    assert attempt(DEFAULT).shot is DEFAULT and len(falls.shots) == 1


def test_a_fall_is_tried_again_slower_and_says_so(falls):
    falls.above = lambda shot: shot.motion.speed_m_s is None or shot.motion.speed_m_s > 1.0
    take = attempt(DEFAULT)
    assert take.shot.motion.speed_m_s == pytest.approx(0.896, abs=1e-3) and take.shot.motion.retry is False
    assert [shot.motion.speed_m_s for shot in falls.shots] == [None, 1.09, 0.896]
    assert take.stats["changed"] == "At 1.28 m/s, its own speed here, it fell after 2.0 s; now it goes at 0.90 m/s."
    assert [fall["speed_m_s"] for fall in take.stats["tries"]] == [1.28, 1.09]
    falls.above = lambda shot: shot.motion.stride_frequency_hz is None
    assert "with 0.95 strides a second" in attempt(DEFAULT).stats["changed"]


def test_who_stands_at_another_speed_than_planned_is_tried_again(falls, monkeypatch):
    falls.above = lambda shot: False
    monkeypatch.setattr(attempts, "physics_card", lambda take: SimpleNamespace(
        undone=("its speed is 36% off the planned one",) if take.shot.motion.speed_m_s in (None, 1.09) else ()))
    take = attempt(DEFAULT)
    assert [shot.motion.speed_m_s for shot in falls.shots] == [None, 1.09, 0.896]
    assert take.stats["changed"] == ("At 1.28 m/s, its own speed here, its speed is 36% off the planned one; "
                                     "now it goes at 0.90 m/s.")
    monkeypatch.setattr(attempts, "physics_card", lambda take: SimpleNamespace(undone=("it goes aside",)))
    take = attempt(DEFAULT)
    assert take.shot is DEFAULT and take.stats["changed"] == "Other speeds are no better: 1.09, 0.90, 1.47 m/s."


def test_where_none_stands_the_first_fall_is_given(falls):
    take = attempt(DEFAULT)
    assert take.shot is DEFAULT and take.stats["changed"] == "It fell at other speeds, too: 1.09, 0.90, 1.47 m/s."
    assert len(take.stats["tries"]) == 5, "one of them at the first one's speed and another rate"


@pytest.mark.parametrize(
    "shot",
    [
        Shot(),
        Shot(motion=Gait(retry=True, speed_m_s=1.0)),
        Shot(motion=Gait(retry=True, stride_frequency_hz=1.0)),
        Shot(motion=Gait(retry=True, force=True)),
        Shot(motion=Gait(retry=True), noise=0.1),
        Shot(motion=Gait(retry=True), after_fall="limp"),
        Shot(motion=Gait(retry=True), pushes=(Push(1.0, 0.2, (50.0, 0.0, 0.0)),)),
    ],
    ids=["not asked", "speed", "frequency", "forced", "noise", "limp", "pushed"],
)
def test_what_somebody_asked_for_is_left_alone(falls, shot):
    assert not may_retry(shot)
    assert attempt(shot).stats.get("changed") is None and len(falls.shots) == 1


def test_no_try_leaves_the_range_of_the_gait(falls):
    attempt(Shot(motion=Gait("run", retry=True)))
    low = attempts.feasible_range("run", 9.81, BODY.leg_length_m)[0]
    assert all(shot.motion.speed_m_s >= low for shot in falls.shots[1:]), "0.7 of 1.28 m/s is no run"
