# SPDX-License-Identifier: GPL-3.0-or-later
"""A creature's gait as it travels: through JSON, and with the shots that may have one."""

from __future__ import annotations

import json

import pytest

from lope.addon.bodies.creature.body import make_creature
from lope.addon.bodies.creature.template import find_creature
from lope.addon.errors import InputError
from lope.addon.locomotion.creature.stored import by_likeness, shipped_gaits
from lope.addon.specs.motions import Creature, CreatureGait, CreatureTrial, creature_gait_file
from lope.addon.specs.shot import Shot

pytestmark = pytest.mark.slow

OSTRICH = CreatureGait("ostrich_fast", "ostrich", 1.2, 1.62, {"step_time": 1.15}, 1.1, 76.0, {"shank": 0.41},
                       CreatureTrial(8, 7, 30.0, force_peak=1.9), muscles={"gain": {"SOL": 1.6}})


def test_a_gait_comes_back_from_its_file_the_same():
    written = json.loads(json.dumps(creature_gait_file(OSTRICH)))
    assert written["trial"] == {"starts": 8, "stood": 7, "seconds": 30.0, "force_peak": 1.9}
    assert CreatureGait.from_dict(written) == OSTRICH
    assert OSTRICH.dimensionless_speed == pytest.approx(1.2 / (1.62 * 1.1) ** 0.5)


@pytest.mark.parametrize(("asked", "told"), [
    ({"controller": "tracking", "creature": creature_gait_file(OSTRICH)},
     "moved by the controller creature or creature_muscles, not by tracking"),
    ({"controller": "creature"}, "moves creatures, not a body of kind human"),
    ({"controller": "creature", "style": {"bounce": 0.5}}, "leave the style out"),
])
def test_what_cannot_be_is_told(asked, told):
    with pytest.raises(InputError, match=told):
        Shot.from_dict(asked)


def test_a_shot_checks_its_gait():
    with pytest.raises(InputError, match="not a body of kind human"):
        Shot(motion=Creature(OSTRICH))
    with pytest.raises(InputError, match="gait's gravity"):
        CreatureGait("x", "x", 1.0, gravity_m_s2=0.0)


def test_a_quick_creature_never_goes_by_the_torques_of_a_gait_by_muscles():
    body = make_creature(find_creature("human"))
    muscled = next(gait for gait in shipped_gaits() if gait.muscles is not None)
    quick = [gait for _, gait in by_likeness(body, muscled.dimensionless_speed)]
    assert quick and all(gait.muscles is None for gait in quick)
    assert muscled in [gait for _, gait in by_likeness(body, muscled.dimensionless_speed, muscles=True)]
