# SPDX-License-Identifier: GPL-3.0-or-later
"""Conditions: what may be asked, how they compose, and the ones that ship."""

import json

import pytest

from lope.addon.errors import InputError
from lope.addon.specs.muscles import (
    Actuation,
    Change,
    Condition,
    composed,
    condition_names,
    condition_preset,
    load_condition,
    scaled,
)
from lope.addon.specs.shot import Shot

LEE = {"painful_calf", "painful_limb", "waddle", "trendelenburg", "weak_ankle", "flexed_knee", "crouch", "dislocated_hip"}
LIMP = Condition("limp", (Change("weak", "plantar_flexors", "L", 0.1), Change("displaced", "hip", "R", 0.03)))


@pytest.mark.parametrize("change, message", [
    (("week", "hamstrings", "L", 0.5), "no kind of change named 'week'.*Did you mean 'weak'"),
    (("weak", "hamstring force", "L", 0.5), "no group of muscles named 'hamstring force'. Nearest: hamstrings, "),
    (("weak", "soleus_L", "both", 0.5), "'soleus_L' has a side in it, which stands beside the name: write soleus:L"),
    (("displaced", "elbow", "both", 0.01), "'elbow' is no joint that can be out of its place: that can be hip, knee, ankle"),
    (("weak", "foot", "L", 0.5), "no group of muscles named 'foot'"),
    (("weak", "hamstrings", "left", 0.5), "no side named 'left'.*Known: L, R, both"),
    (("weak", "hamstrings", "L", -0.5), "The force of hamstrings must lie between 0 and 4 times the healthy one, got -0.5"),
    (("tight", "psoas", "both", 0.1), "The tendon length of psoas must lie between 0.5 and 1.5 times the healthy one, got 0.1"),
    (("pain", "foot", "L", float("nan")), "value must lie between"),
    (("displaced", "shoulder", "L", 0.03), "'shoulder' is no joint"),
    (("displaced", "hip", "L", 3.0), "way of the hip out of its place must lie between -0.1 and 0.1 m outward, got 3"),
    (("unloaded", "hamstrings", "both", 3.0), "The whole body is without gravity"),
    (("unloaded", "body", "both", 99.0), "must lie between 0 and 36 months, got 99"),
])
def test_a_change_refuses(change, message):
    with pytest.raises(InputError, match=message):
        Change(*change)


def test_a_shot_with_a_condition_round_trips_and_one_without_has_no_word_of_it():
    shot = Shot(condition=LIMP, actuation=Actuation())
    assert Shot.from_dict(json.loads(json.dumps(shot.to_dict()))) == shot
    assert "condition" not in Shot().to_dict()


def test_conditions_compose_and_scale():
    both = composed([LIMP, load_condition("waddle")], [Change("pain", "foot", "R", 5.0)])
    assert both.name == "limp + waddle + own" and len(both.changes) == 5
    assert composed([]) is None
    half = scaled(LIMP, 0.5)
    assert [change.value for change in half.changes] == pytest.approx([0.55, 0.015])
    assert scaled(LIMP, 0.0).plain and not LIMP.plain


def test_the_eight_of_lee_ship():
    assert set(condition_names()) >= LEE
    for name in condition_names():
        preset = condition_preset(name)
        assert preset.condition.changes and not preset.condition.plain


def test_an_unknown_condition_names_the_nearest():
    with pytest.raises(InputError, match="no condition named 'wadle'.*Did you mean 'waddle'"):
        load_condition("wadle")


def test_a_body_moved_by_torques_has_no_condition():
    with pytest.raises(InputError, match="A condition is felt by muscles alone"):
        Shot(condition=LIMP)


def test_a_condition_is_told_in_plain_words():
    assert LIMP.words == "plantar flexors on the left with 10% of the force; hip on the right 3.0 cm further out"
    assert LIMP.one_sided and not load_condition("waddle").one_sided


def test_a_file_that_is_none_and_one_that_lacks_are_said_plainly(tmp_path):
    with pytest.raises(InputError, match=r"There is no condition's file '.*nofile.json': look at"):
        load_condition(str(tmp_path / "nofile.json"))
    (tmp_path / "bad.json").write_text('{"name": "bad", "changes": []}')
    with pytest.raises(InputError, match=r"bad.json' is no condition: it says nothing of its format, label, sign, source. One"):
        load_condition(str(tmp_path / "bad.json"))
