# SPDX-License-Identifier: GPL-3.0-or-later
"""Every text that Lope shows has its Korean, with the same values in it, and nothing is translated that is not shown."""

import string

import pytest

bpy = pytest.importorskip("bpy", reason="needs the bpy module")

import lope  # noqa: E402
from lope.addon.translations import KOREAN, dictionary  # noqa: E402
from lope.addon.translations.korean_buttons import BUTTONS  # noqa: E402
from lope.addon.translations.korean_settings import SETTINGS  # noqa: E402
from lope.operators.choices import world_items  # noqa: E402
from ui_strings import all_texts  # noqa: E402

KOREAN_WORDS = dictionary([item[1:3] for item in world_items()])[KOREAN]
SAME_IN_KOREAN = {"MuJoCo", "PyBullet"}


@pytest.fixture(scope="module")
def shown():
    """Every (context, text) that Lope shows."""
    lope.register()
    yield all_texts()
    lope.unregister()


def values_in(text):
    return sorted(part[1:3] for part in string.Formatter().parse(text) if part[1] is not None)


def test_everything_shown_has_its_korean(shown):
    assert sorted(shown - KOREAN_WORDS.keys()) == []


def test_nothing_is_translated_that_is_not_shown(shown):
    texts = {text for _, text in shown}
    assert sorted({*BUTTONS, *SETTINGS} - texts) == []


def test_values_are_the_same_in_korean():
    assert [text for (_, text), word in KOREAN_WORDS.items() if values_in(text) != values_in(word)] == []


def test_korean_is_korean():
    plain = [text for (_, text), word in KOREAN_WORDS.items()
             if text not in SAME_IN_KOREAN and not any("가" <= letter <= "힣" for letter in word)]
    assert plain == []


def test_tooltips_end_as_blenders_do(shown):
    assert [text for _, text in shown if text.endswith(".") or text != text.strip()] == []


def test_names_of_worlds_keep_their_figures():
    words = dictionary([("Moon  1.62 m/s²", "Moon: 1.62 m/s²"), ("Vesta  0.25 m/s²", "Vesta")])[KOREAN]
    assert words["*", "Moon  1.62 m/s²"] == "달  1.62 m/s²" and ("*", "Vesta  0.25 m/s²") not in words
