# SPDX-License-Identifier: GPL-3.0-or-later
"""Muscles on the command line and in shot lists."""

import pytest

from lope.addon.errors import InputError
from lope.addon.options.shot_options import Parser, add_shot_options, shot_fields, shot_from
from lope.addon.specs.muscles import Actuation


def shot(*words):
    parser = Parser()
    add_shot_options(parser)
    return shot_from(parser.parse_args(words))


@pytest.mark.parametrize(("words", "actuation"), [
    ([], None),
    (["--actuation", "torque"], None),
    (["--actuation", "muscles"], Actuation()),
    (["--muscles", "full"], Actuation("full")),
    (["--actuation", "muscles", "--tendon", "elastic", "--strength", "2"], Actuation(tendon="elastic", strength=2.0)),
])
def test_who_says_something_of_muscles_gets_them(words, actuation):
    assert shot(*words).actuation == actuation


@pytest.mark.parametrize(("words", "said"), [
    (["--actuation", "muscle"], "Did you mean 'muscles'"),
    (["--actuation", "torque", "--muscles", "full", "--strength", "2"], "Torques know no --muscles and no --strength"),
    (["--muscles", "arms"], "set of muscles"),
    (["--tendon", "soft"], "kind of tendon"),
    (["--muscles", "legs", "--engine", "ideal"], "No muscles pull in the engine ideal"),
])
def test_what_cannot_be_is_said(words, said):
    with pytest.raises(InputError, match=said):
        shot(*words)


def test_a_list_says_the_same():
    values = {"gait": "walk", "muscles": "full", "tendon": "elastic", "strength": 2}
    assert shot_from(shot_fields().parse(values)).actuation == Actuation("full", "elastic", 2.0)


@pytest.mark.parametrize(("words", "changes"), [
    (["waddle"], [("weak", "gluteus_medius", "both", 0.4), ("weak", "gluteus_minimus", "both", 0.4)]),
    (["waddle:0.5"], [("weak", "gluteus_medius", "both", 0.7), ("weak", "gluteus_minimus", "both", 0.7)]),
    (["weak_ankle:R:0.5"], [("weak", "plantar_flexors", "R", 0.55)]),
    (["weak=plantar_flexors:L:0.3", "dislocated_hip"], [("displaced", "hip", "L", 0.03), ("weak", "plantar_flexors", "L", 0.3)]),
    (["tight=hamstrings:0.8", "unloaded=6"], [("tight", "hamstrings", "both", 0.8), ("unloaded", "body", "both", 6.0)]),
])
def test_conditions_and_changes_add_up_and_bring_muscles(words, changes):
    asked = shot(*(f"--condition={word}" for word in words))
    assert asked.actuation == Actuation()
    assert [(one.kind, one.target, one.side, pytest.approx(one.value)) for one in asked.condition.changes] == changes


@pytest.mark.parametrize(("text", "said"), [
    ("wadle", "Did you mean 'waddle'"),
    ("waddle:L", "is on both sides"),
    ("waddle:3", "How much of waddle"),
    ("week=plantar_flexors:0.5", "Did you mean 'weak'"),
    ("weak=plantar_flexors", "is written KIND=TARGET"),
    ("weak=plantar_flexors:L:R:0.5", "is written KIND=TARGET"),
    ("weak=plantar_flexors:left:0.5", "side"),
    ("weak=plantar_flexors:L:9", "must lie between"),
])
def test_what_no_condition_is_is_said(text, said):
    with pytest.raises(InputError, match=said):
        shot("--condition", text)


def test_torques_feel_no_condition():
    with pytest.raises(InputError, match="felt by muscles alone"):
        shot("--actuation", "torque", "--condition", "waddle")


def test_a_condition_of_ones_own_is_a_file(tmp_path):
    path = tmp_path / "mine.json"
    path.write_text('{"format": 1, "name": "mine", "label": "Mine", "sign": "It limps", "source": "me", "changes": ['
                    '{"kind": "pain", "target": "foot", "side": "L", "value": 10}]}', encoding="utf-8")
    change, = shot("--condition", f"{path}:R:0.5").condition.changes
    assert (change.target, change.side, change.value) == ("foot", "R", 5.0)
