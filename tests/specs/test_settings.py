# SPDX-License-Identifier: GPL-3.0-or-later
"""Fields that check themselves: kinds of values, ranges, sentences, old names, and what is told about them."""

from dataclasses import dataclass, replace

import numpy as np
import pytest

from lope.addon.checks import Choice, Maybe, Number, Series, Table, Text
from lope.addon.errors import InputError
from lope.addon.specs.settings import FIRST_GUESS, Checked, check_field, computed, plain_words, setting, settings_of


@dataclass(frozen=True)
class Walk(Checked):
    """Settings of every kind."""

    WHOSE = "The walk's"
    FIELD = "walk setting"
    interval_s: float = setting(0.015, 0.001, 0.1, "s", "Time from step to step", source=FIRST_GUESS, searched=False,
                                formerly=("tick_s",))
    steps: int = setting(3, 1, 5)
    swing: tuple[float, float] = setting((1.0, 2.0), 0.0, 5.0)
    quick: bool = setting(False)
    name: str = setting("a")
    side: str | None = setting(None, rule=Maybe(Choice("side", ("left", "right"))))
    weights: dict = setting(factory=dict, rule=Table(Number(0.0, 1.0), "limb", ("arm", "leg")))
    names: tuple[str, ...] = setting((), rule=Series(Text(), each="Name {i}"))


@pytest.mark.parametrize("field, value, message", [
    ("interval_s", 0.0, "The walk's interval must lie between 0.001 and 0.1 s, got 0"),
    ("interval_s", float("nan"), "interval must lie between 0.001 and 0.1 s, got nan"),
    ("interval_s", True, "interval must be a number in s, got True"),
    ("interval_s", "0.01", "interval must be a number in s, got '0.01'"),
    ("interval_s", None, "interval must be a number in s, got None"),
    ("interval_s", [0.01], "interval must be a number in s"),
    ("steps", 6, "steps must be a whole number between 1 and 5, got 6"),
    ("steps", 2.0, "steps must be a whole number"), ("steps", True, "steps must be a whole number"),
    ("swing", (1.0,), "swing must be a list of 2 values, got 1"), ("swing", 1.0, "swing must be a list, got 1.0"),
    ("swing", (1.0, float("inf")), "swing, entry 1 must lie between"),
    ("quick", 1, "quick must be true or false, got 1"), ("quick", "no", "quick must be true or false"),
    ("name", 5, "name must be text, got 5"), ("name", " ", "name must be text"),
    ("side", "lefft", "no side named 'lefft'. Did you mean 'left'"), ("side", ["left"], "no side named"),
    ("weights", {"arm": 2.0}, "weights, arm must lie between 0 and 1"), ("weights", {"tail": 1.0}, "no limb named 'tail'"),
    ("weights", 3, "weights must be a table"), ("names", ("a", None), "Name 1 must be text, got None"),
])
def test_a_field_refuses(field, value, message):
    with pytest.raises(InputError, match=message):
        Walk(**{field: value})
    with pytest.raises(InputError, match=message):
        replace(Walk(), **{field: value})


def test_numbers_of_every_library_are_taken():
    assert Walk(interval_s=np.float32(0.05), steps=np.int64(2)).steps == 2 and Walk(swing=(1, 2)).swing == (1, 2)


def test_json_makes_the_same_and_old_names_are_read():
    walk = Walk.from_dict({"tick_s": 0.02, "swing": [1, 2], "weights": {"arm": 0.5}, "names": ["x"], "side": None})
    assert walk == Walk(0.02, swing=(1, 2), weights={"arm": 0.5}, names=("x",))


@pytest.mark.parametrize("data, message", [
    ({"intervall_s": 1.0}, "no walk setting named 'intervall_s'. Did you mean 'interval_s'"), (5, "The walk settings must be"),
    ({"swing": "12"}, "swing must be a list"), ({"weights": [1]}, "weights must be a table"),
])
def test_json_that_does_not_fit_is_refused(data, message):
    with pytest.raises(InputError, match=message):
        Walk.from_dict(data)


def test_a_field_without_default_has_to_be_there():
    @dataclass(frozen=True)
    class Push(Checked):
        FIELD = "push field"
        start_s: float = setting(rule=Number(0.0, 1.0, "s"))

    with pytest.raises(InputError, match="The push fields lack start_s"):
        Push.from_dict({})
    assert Push.from_dict({"start_s": 1}).start_s == 1 and settings_of(Push)["start_s"].required


def test_a_setting_tells_about_itself():
    told = settings_of(Walk)
    interval, swing = told["interval_s"], told["swing"]
    assert (interval.name, interval.words, interval.default, interval.unit) == ("interval_s", "interval", 0.015, "s")
    assert (interval.number.low, interval.number.high) == (0.001, 0.1) and (swing.number.high, swing.unit) == (5.0, "")
    assert (interval.help, interval.source, interval.searched) == ("Time from step to step", FIRST_GUESS, False)
    assert list(told) == ["interval_s", "steps", "swing", "quick", "name", "side", "weights", "names"]
    assert told["quick"].number is None and told["weights"].default == {}


def test_one_value_is_checked_under_the_name_it_was_given():
    with pytest.raises(InputError, match="The gain walk.interval_s must lie between"):
        check_field(Walk, "interval_s", 0.0, "The gain walk.interval_s")
    with pytest.raises(InputError, match="no walk setting named 'x'"):
        check_field(Walk, "x", 0.0, "The gain walk.x")


def test_a_number_without_a_range_is_no_setting():
    with pytest.raises(TypeError, match="least and its largest"):
        setting(1.0)


def test_what_is_computed_may_leave_the_range():
    walk = Walk()
    assert computed(walk, interval_s=9.0).interval_s == 9.0 and walk.interval_s == 0.015


@pytest.mark.parametrize("name, words", [("interval_s", "interval"), ("gravity_m_s2", "gravity"), ("foot_lift_m", "foot lift"),
                                         ("stiffness_nm_rad", "stiffness"), ("bounce", "bounce"), ("suits", "suits")])
def test_names_in_plain_words(name, words):
    assert plain_words(name) == words
