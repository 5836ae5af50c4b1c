# SPDX-License-Identifier: GPL-3.0-or-later
"""Every text that Lope shows has its Korean, with the same values in it, and nothing is translated that is not shown."""

import string

import pytest

bpy = pytest.importorskip("bpy", reason="needs the bpy module")

import lope  # noqa: E402
import lope_scene  # noqa: E402
from lope.addon.controllers.registry import korean_words  # noqa: E402
from lope.addon.errors import unknown_name  # noqa: E402
from lope.addon.gaits.advice import advise  # noqa: E402
from lope.addon.rigs.read.doctor import examine  # noqa: E402
from lope.addon.translations import KOREAN, SAID, SENTENCES, dictionary  # noqa: E402
from lope.addon.translations.korean_buttons import BUTTONS  # noqa: E402
from lope.addon.translations.korean_drive import DRIVE_SHOWN  # noqa: E402
from lope.addon.translations.korean_phrases import PHRASES  # noqa: E402
from lope.addon.translations.korean_settings import SETTINGS  # noqa: E402
from lope.addon.translations.korean_style import STYLE  # noqa: E402
from lope.addon.translations.sentences import Sentences  # noqa: E402
from lope.operators.choices import world_items  # noqa: E402
from lope.operators.reflex_settings import walker_items  # noqa: E402
from sentence_sources import all_constants, all_sentences  # noqa: E402
from ui_strings import all_texts  # noqa: E402

scene = lope_scene.scene

KOREAN_WORDS = dictionary([item[1:3] for item in (*world_items(), *walker_items())], korean_words())[KOREAN]
SAME_IN_KOREAN = {"MuJoCo", "PyBullet"}
JOINED = {"starts and stops", "{0} and {1} more", "{0}; try {1}"} | {
    text for text in PHRASES if text.startswith("the step from footprint {0}")} | {
    text for text in SAID if text.startswith(("Gravity changes in this shot", "This plan ends at",
                                                      "Speed is keyed in this shot", "This shot goes on from a take",
                                                      "At {0} m/s, its own speed here", "It fell at other speeds",
                                                      "It goes at {0} m/s", "Reflex walkers were searched on",
                                                      "Not promised to stand",
                                                      "It goes by ", "generation {0}: ", "the best so far stands",
                                                      "{0} of {1} clips, "))}
"""Phrases that no source line holds in one piece, and what is said beside a plan, which is no error."""


@pytest.fixture(scope="module")
def shown():
    """Every (context, text) that Lope shows."""
    lope.register()
    try:
        return all_texts()
    finally:
        lope.unregister()


def values_in(text):
    return sorted(part[1:3] for part in string.Formatter().parse(text) if part[1] is not None)


def test_everything_shown_has_its_korean(shown):
    assert sorted(shown - KOREAN_WORDS.keys()) == []


def test_nothing_is_translated_that_is_not_shown(shown):
    texts = {text for _, text in shown}
    assert sorted({*BUTTONS, *DRIVE_SHOWN, *SETTINGS, *STYLE} - texts) == []


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


def in_korean(sentence):
    return SENTENCES.translated(sentence, lambda text: KOREAN_WORDS["*", text])


def test_every_sentence_of_engine_and_doctor_has_its_korean():
    assert sorted(all_sentences() - SAID.keys()) == []


def test_no_sentence_is_translated_that_nobody_says():
    assert sorted(SAID.keys() - all_sentences() - all_constants() - JOINED) == []


def test_sentences_are_found_with_their_values():
    found = Sentences(["Armature {0} is linked from {1}; make it.", "{0} is shown", "Both {{braces}} stay."])
    assert found.find("Armature 'A; b' is linked from //rig.blend; make it.")[1] == ("'A; b'", "//rig.blend")
    assert found.find("Both {braces} stay.") == ("Both {{braces}} stay.", ()) and found.find("Somebody else") is None
    assert found.translated("Rig is shown", {"{0} is shown": "{0}!"}.get) == "Rig!"
    assert found.translated("Rig was never seen", str.upper) == "Rig was never seen"


@pytest.mark.parametrize("template", sorted(SAID.keys() - PHRASES.keys()))
def test_every_sentence_is_known_again_once_its_values_are_filled_in(template):
    values = [f"value-{i}" for i in range(len(values_in(template)))]
    assert in_korean(template.format(*values)) == SAID[template].format(*values)


def test_phrases_within_sentences_are_translated_too():
    assert in_korean(str(unknown_name("gait", "wlak", ["walk", "run"]))) == (
        "이름이 'wlak'인 걸음걸이이(가) 없습니다. 혹시 'walk'입니까? 아는 것: run, walk.")
    for gait, speed, gravity, world in (("walk", 3.0, 1.62, "moon"), ("run", 0.5, 9.81, "mars"), ("walk", 1.0, 9.81, None)):
        words = in_korean(advise(gait, speed, gravity, 0.9, world).words)
        left = {word.strip(":.,()") for word in words.split()} & {"on", "above", "people", "try", "a", "under", "limit", "walk"}
        assert left == set(), words
    bent = "in bends as tight as these people walk: a radius of 2.00 m leaves 0.57 m/s, and to lope takes 1.14 m/s"
    assert in_korean(f"at 1.14 m/s, not 2.00 m/s; {bent}") == (
        "2.00 m/s 대신 1.14 m/s로 갑니다. 이렇게 급한 굽이에서 사람은 걷습니다. "
        "반지름 2.00 m에서는 0.57 m/s까지이고, 로핑에는 1.14 m/s가 필요합니다")


@pytest.fixture
def korean(scene, monkeypatch):
    """Lope's own words in Korean (the bpy module comes without Blender's languages); gives the scene."""
    monkeypatch.setattr("lope.operators.texts.pgettext_rpt", lambda text: KOREAN_WORDS.get(("*", text), text))
    return scene


def test_buttons_and_the_doctor_speak_korean_where_blender_does(korean):
    from lope.operators.texts import said

    bpy.ops.object.armature_add()
    with pytest.raises(RuntimeError, match="아는 계열"):
        bpy.ops.lope.detect_rig()
    bpy.context.object.scale = (1.0, 2.0, 1.0)
    bpy.context.view_layer.update()
    assert said(next(examine(bpy.context.object, korean)).sentence).startswith("아마튜어 'Armature'이나 그 부모의 스케일이")
