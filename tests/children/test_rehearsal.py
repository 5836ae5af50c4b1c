# SPDX-License-Identifier: GPL-3.0-or-later
"""The process that waits for pushes: what it shows is the shot with the push in it, and a newer push puts an older one aside."""

from dataclasses import replace

import numpy as np
import pytest

from lope.addon.bodies.body import joint_quaternions, root_pose
from lope.addon.children.protocol import Task, Word
from lope.addon.children.server import Line
from lope.addon.errors import InputError
from lope.addon.jobs.wheel import PREPARING, REFUSED, SHOWN, SHOWN_EVERY, SIMULATING, TRY, VIEW_HZ, rehearse
from lope.addon.jobs.wheel import REHEARSAL_READY as READY
from lope.addon.sim.simulation import Simulation
from lope.addon.specs.motions import Stand
from lope.addon.specs.shot import Push, Shot
from lope.addon.worlds.planets import load_world

pytestmark = pytest.mark.slow

AT_S = 0.2
SHOT = Shot(motion=Stand(), duration_s=2.0, world=load_world("earth"))


class Artist:
    """The other end of the line: tells words one by one, and keeps what is shown."""

    def __init__(self, *words, impatient_after=None):
        self.words, self.views, self._left = list(words), [], impatient_after

    def line(self):
        return Line(lambda *_: None, lambda: not self.words and self._left is None, self._heard, self.views.append, self._waiting)

    def _heard(self, _seconds):
        return [self.words.pop(0)] if self.words else []

    def _waiting(self):
        """After so many steps the next word is there."""
        if self._left is None:
            return False
        self._left -= 1
        if self._left >= 0:
            return False
        self._left = None
        return True


def word(number, force, **values):
    return Word(TRY, {"duration_s": 0.2, "force_n": [force, 0.0, 0.0], "segment": "chest", **values}, number)


def views(artist, shot=SHOT, lasts_s=0.5):
    report = rehearse(Task("rehearse", shot.to_dict(), "", {"at_s": AT_S, "lasts_s": lasts_s}), artist.line())
    return report, artist.views


def test_what_is_shown_is_the_shot_with_the_push():
    report, seen = views(Artist(word(1, 150.0), word(2, 300.0)))
    assert [view["state"] for view in seen] == [PREPARING, READY, SIMULATING, SHOWN, SIMULATING, SHOWN] and report == {"tried": 2}
    assert [view["tried"] for view in seen] == [0, 0, 1, 1, 2, 2]
    assert seen[-2]["root_m"] == seen[-1]["root_m"][:SHOWN_EVERY], "its beginning is there before its end"
    simulation = Simulation(replace(SHOT, pushes=(Push(AT_S, 0.2, (300.0, 0.0, 0.0)),)))
    at = []
    while simulation.time_s < AT_S + 0.45:
        if simulation.time_s >= AT_S + len(at) / VIEW_HZ - 0.5 * simulation.control_step_s:
            at.append(simulation.engine.qpos.copy())
        simulation.step()
    place, turn = root_pose(simulation.plant, np.array(at))
    view = seen[-1]
    joints = joint_quaternions(simulation.plant, np.array(at))
    np.testing.assert_allclose(view["root_m"][:len(at)], place, atol=1e-4)
    np.testing.assert_allclose(np.array(view["turns"])[:len(at), 0], turn, atol=1e-4)
    np.testing.assert_allclose(np.array(view["turns"])[:len(at), 1:], joints, atol=1e-4)
    assert len(view["root_m"]) == 0.5 * VIEW_HZ + 1 and not view["fell"]
    ready = seen[1]
    np.testing.assert_allclose(ready["root_m"][0], place[0], atol=1e-4)
    assert len(ready["stance"]) == len(at[0])


def test_a_newer_push_puts_an_older_one_aside():
    _, seen = views(Artist(word(1, 150.0), word(2, 300.0), impatient_after=20))
    assert [(view["state"], view["tried"]) for view in seen] == [
        (PREPARING, 0), (READY, 0), (SIMULATING, 2), (SHOWN, 2)]


def test_what_cannot_be_pushed_is_said_and_the_next_push_goes():
    _, seen = views(Artist(word(1, 150.0, segment="tail"), word(2, 150.0)), lasts_s=0.2)
    assert [view["state"] for view in seen] == [PREPARING, READY, REFUSED, SHOWN] and "tail" in seen[2]["why"]


def test_who_is_down_before_the_push_says_so():
    fallen = replace(SHOT, pushes=(Push(0.0, 0.2, (0.0, 3000.0, 0.0)),), duration_s=6.0)
    artist = Artist(word(1, 100.0))
    with pytest.raises(InputError, match="down by"):
        rehearse(Task("rehearse", fallen.to_dict(), "", {"at_s": 4.0, "lasts_s": 1.0}), artist.line())
