# SPDX-License-Identifier: GPL-3.0-or-later
"""Every text that Lope shows has its Korean, with the same values in it, and nothing is translated that is not shown."""

import string

import pytest

bpy = pytest.importorskip("bpy", reason="needs the bpy module")

import lope_scene  # noqa: E402
from lope.addon.errors import InputError, unknown_name  # noqa: E402
from lope.addon.gaits.choice import advise  # noqa: E402
from lope.addon.locale import (  # noqa: E402
    FOLDER,
    SAID_CONTEXT,
    Sentences,
    dictionary,
    languages,
    read_po,
    sentences,
)
from lope.addon.rigs.read.doctor import examine  # noqa: E402
from untranslated import missing, registered_words, shown_texts, unused  # noqa: E402

pytestmark = pytest.mark.slow

scene = lope_scene.scene

KOREAN = "ko_KR"
KOREAN_WORDS = registered_words(KOREAN)
SAID = {english: word for (context, english), word in languages()[KOREAN].items() if context == SAID_CONTEXT}
SAME_IN_KOREAN = {"MuJoCo", "PyBullet"}
EVERY_LANGUAGE = pytest.mark.parametrize("language", sorted(languages()))


@pytest.fixture(scope="module")
def shown():
    """Every (context, text) that Lope shows."""
    return shown_texts()


def values_in(text):
    return sorted(part[1:3] for part in string.Formatter().parse(text) if part[1] is not None)


def test_everything_shown_and_said_has_its_korean(shown):
    assert sorted(missing(KOREAN, shown)) == []


@EVERY_LANGUAGE
def test_nothing_is_translated_that_is_neither_shown_nor_said(language, shown):
    assert sorted(unused(language, shown)) == []


@EVERY_LANGUAGE
def test_values_are_the_same_in_every_language(language):
    assert [text for (_, text), word in registered_words(language).items() if values_in(text) != values_in(word)] == []


@EVERY_LANGUAGE
def test_no_words_stand_with_and_without_the_mark_of_what_is_said(language):
    words = languages()[language]
    assert [english for context, english in words if context == "" and (SAID_CONTEXT, english) in words] == []


def test_korean_is_korean():
    plain = [text for (_, text), word in KOREAN_WORDS.items()
             if text not in SAME_IN_KOREAN and not any("가" <= letter <= "힣" for letter in word)]
    assert plain == []


def test_tooltips_end_as_blenders_do(shown):
    assert [text for _, text in shown if text.endswith(".") or text != text.strip()] == []


def test_names_of_worlds_keep_their_figures():
    words = dictionary(["Moon  1.62 m/s²", "Moon: 1.62 m/s²", "Vesta  0.25 m/s²"])[KOREAN]
    assert words["*", "Moon  1.62 m/s²"] == "달  1.62 m/s²" and words["*", "Moon: 1.62 m/s²"] == "달: 1.62 m/s²"
    assert ("*", "Vesta  0.25 m/s²") not in words


HEADER = 'msgid ""\nmsgstr ""\n"Language: eo\\n"\n\n'


def written(tmp_path, text):
    """A file of a language with a text."""
    path = tmp_path / "eo.po"
    path.write_text(text, encoding="utf-8")
    return path


def test_a_file_beside_the_korean_one_is_another_language(tmp_path, monkeypatch):
    text = ('# Esperanto\n\n' + HEADER + '# == Section\n#: panels/top.py\nmsgid "Walk"\nmsgstr "Marŝi"\n\n'
            'msgctxt "LopeGait"\nmsgid "Walk"\nmsgstr "Marŝo"\n\nmsgctxt "Operator"\nmsgid "Walk"\nmsgstr "Marŝu"\n\n'
            'msgctxt "LopeSaid"\nmsgid ""\n"a \\"{0}\\" "\n"b\\n\\\\"\nmsgstr "{0}"\n\nmsgid "Run"\nmsgstr ""\n\n'
            '#~ msgid "Old"\n')
    written(tmp_path, text)
    (tmp_path / "ko.po").write_bytes((FOLDER / "ko.po").read_bytes())
    monkeypatch.setattr("lope.addon.locale.FOLDER", tmp_path)
    languages.cache_clear()
    try:
        found = dictionary(["Walk  1.30 m/s"])
    finally:
        languages.cache_clear()
    said = {(context, 'a "{0}" b\n\\'): "{0}" for context in ("*", "Operator")}
    assert set(found) == {"eo", KOREAN} and found["eo"] == {
        ("*", "Walk"): "Marŝi", ("LopeGait", "Walk"): "Marŝo", ("Operator", "Walk"): "Marŝu",
        ("*", "Walk  1.30 m/s"): "Marŝi  1.30 m/s", ("Operator", "Walk  1.30 m/s"): "Marŝu  1.30 m/s"} | said


@pytest.mark.parametrize("text, wrong", [
    (HEADER + '# two\nmsgid "Walk"\nmsgid "Run"\nmsgstr "Kuri"\n', "Line 5 of .*eo.po begins no entry"),
    (HEADER + 'msgid "Walk"\nmsgstr "Marŝi\n', "Line 5 of .*eo.po begins no entry"),
    (HEADER + 2 * 'msgid "Walk"\nmsgstr "Marŝi"\n\n', "translates 'Walk' twice"),
    ('msgid "Walk"\nmsgstr "Marŝi"\n', "which language"), ("", "which language")])
def test_what_cannot_be_read_is_said(tmp_path, text, wrong):
    with pytest.raises(InputError, match=wrong):
        read_po(written(tmp_path, text))


def in_korean(sentence):
    return sentences().translated(sentence, lambda text: KOREAN_WORDS["*", text])


def test_sentences_are_found_with_their_values():
    found = Sentences(["Armature {0} is linked from {1}; make it.", "{0} is shown", "Both {{braces}} stay."])
    assert found.find("Armature 'A; b' is linked from //rig.blend; make it.")[1] == ("'A; b'", "//rig.blend")
    assert found.find("Both {braces} stay.") == ("Both {{braces}} stay.", ()) and found.find("Somebody else") is None
    assert found.translated("Rig is shown", {"{0} is shown": "{0}!"}.get) == "Rig!"
    assert found.translated("Rig was never seen", str.upper) == "Rig was never seen"


def test_every_sentence_is_known_again_once_its_values_are_filled_in():
    wrong = []
    for template, word in SAID.items():
        values = [f"value-{i}" for i in range(len(values_in(template)))]
        if in_korean(template.format(*values)) != word.format(*values):
            wrong.append(template)
    assert SAID and wrong == []


def test_phrases_within_sentences_are_translated_too():
    assert in_korean(str(unknown_name("gait", "wlak", ["walk", "run"]))) == (
        "이름이 'wlak'인 걸음걸이이(가) 없습니다. 혹시 'walk'입니까? 아는 것: run, walk.")
    for gait, speed, gravity, world in (("walk", 3.0, 1.62, "moon"), ("run", 0.5, 9.81, "mars"), ("walk", 1.0, 9.81, None)):
        words = in_korean(advise(gait, speed, gravity, 0.9, world))
        left = {word.strip(":.,()") for word in words.split()} & {"on", "above", "people", "try", "a", "under", "limit", "walk"}
        assert left == set(), words
    bent = "in bends as tight as these people walk: a radius of 2.00 m leaves 0.57 m/s, and to lope takes 1.14 m/s"
    assert in_korean(f"at 1.14 m/s, not 2.00 m/s; {bent}") == (
        "2.00 m/s 대신 1.14 m/s로 갑니다. 이렇게 급한 굽이에서 사람은 걷습니다. "
        "반지름 2.00 m에서는 0.57 m/s까지이고, 로핑에는 1.14 m/s가 필요합니다")


@pytest.fixture
def korean(scene, monkeypatch):
    """Lope's own words in Korean (the bpy module comes without Blender's languages); gives the scene."""
    monkeypatch.setattr("lope.operators.context.pgettext_rpt", lambda text: KOREAN_WORDS.get(("*", text), text))
    return scene


def test_buttons_and_the_doctor_speak_korean_where_blender_does(korean):
    from lope.operators.context import said

    bpy.ops.object.armature_add()
    with pytest.raises(RuntimeError, match="아는 계열"):
        bpy.ops.lope.detect_rig()
    bpy.context.object.scale = (1.0, 2.0, 1.0)
    bpy.context.view_layer.update()
    assert said(next(examine(bpy.context.object, korean)).sentence).startswith("아마튜어 'Armature'이나 그 부모의 스케일이")
