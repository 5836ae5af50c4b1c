# SPDX-License-Identifier: GPL-3.0-or-later
"""Muscles on the command line and in shot lists."""

import pytest

from lope.addon.errors import InputError
from lope.addon.options.fields import Parser, shot_fields
from lope.addon.options.shot_options import add_shot_options, shot_from
from lope.addon.specs.actuation import Actuation


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
