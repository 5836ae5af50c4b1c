# SPDX-License-Identifier: GPL-3.0-or-later
"""Lope's words in other languages than English: a `.po` file a language beside this module, read when first asked for. No
Blender. What is read of a file: entries of msgctxt, msgid and msgstr with a blank line between them; comments are skipped."""

from __future__ import annotations

import re
import string
from collections.abc import Callable, Iterable
from functools import cache, lru_cache
from pathlib import Path

from ..errors import InputError

FOLDER = Path(__file__).resolve().parent
CONTEXTS = ("*", "Operator")
"""Blender looks up operators' labels in a context of their own; an entry without one serves both."""
SAID_CONTEXT = "LopeSaid"
"""Context in the files of what the engine, the doctor and the bake say: templates with numbered holes, and phrases within
them. Blender finds them in `CONTEXTS`."""
GAIT_CONTEXT = "LopeGait"
"""Context of the gaits' names: one of them is called like the extension, whose tab keeps its name in every language."""

Words = dict[tuple[str, str], str]
"""(context, English) -> translation."""

_STRING = r'"[^"\\\n]*(?:\\.[^"\\\n]*)*"'
_STRINGS = rf"{_STRING}(?:\n{_STRING})*"
_BLOCK = re.compile(r"(?:.+\n?)+")
_ENTRY = re.compile(rf"(?:#.*(?:\n|\Z))*(?:(?:msgctxt ({_STRINGS})\n)?msgid ({_STRINGS})\nmsgstr ({_STRINGS})\n?)?")
_ESCAPES = {"n": "\n", "t": "\t"}


def read_po(path: Path) -> tuple[str, Words]:
    """A file's language, as its header names it, and its translated entries; those without msgctxt have the context "". Raises
    InputError for what is no entry, for one that stands twice, and for a header without a language."""
    text = path.read_text(encoding="utf-8")
    words: Words = {}
    for block in _BLOCK.finditer(text):
        entry = _ENTRY.fullmatch(block[0])
        if entry is None:
            line = text.count("\n", 0, block.start()) + 1
            raise InputError(f"Line {line} of {path} begins no entry: write msgid and msgstr on lines of their own, each "
                             "with its text in quotes, msgctxt above them where it has one, and a blank line below.")
        if entry[2] is None:
            continue  # comments alone
        context, english, word = (_plain(part or "") for part in entry.groups())
        if (context, english) in words:
            raise InputError(f"{path} translates {english!r} twice: leave one of the two out.")
        words[context, english] = word
    language = re.search(r"^Language: *(\w+)", words.pop(("", ""), ""), re.M)
    if language is None:
        raise InputError(f"{path} does not say which language it is in: give it a header with a line like Language: ko_KR.")
    return language[1], {key: word for key, word in words.items() if word}


def _plain(quoted: str) -> str:
    """The text of one or more quoted strings, one a line."""
    joined = "".join(line[1:-1] for line in quoted.split("\n")) if "\n" in quoted else quoted[1:-1]
    return re.sub(r"\\(.)", lambda found: _ESCAPES.get(found[1], found[1]), joined) if "\\" in joined else joined


@lru_cache(maxsize=1)
def languages() -> dict[str, Words]:
    """The translated entries of every language, by Blender's code for it. Raises InputError as `read_po` does."""
    return dict(map(read_po, sorted(FOLDER.glob("*.po"))))


@lru_cache(maxsize=1)
def sentences() -> Sentences:
    """What the engine says and some language knows."""
    return Sentences({english for words in languages().values() for context, english in words if context == SAID_CONTEXT})


def preset_name(text: str) -> str:
    """The name that a preset's text in a menu begins with: Moon of "Moon  1.62 m/s²" and of "Moon: 1.62 m/s²"."""
    return re.split("  |: ", text)[0]


def dictionary(menus: Iterable[str] = ()) -> dict[str, Words]:
    """Blender's dictionary: language -> (context, English) -> translation. `menus` are texts of presets with
    figures in them: their `preset_name` is translated, the figures stay."""
    return {language: _for_blender(words, tuple(menus)) for language, words in languages().items()}


def _for_blender(words: Words, menus: tuple[str, ...]) -> Words:
    """A file's entries in Blender's contexts; an entry of a context of Blender's own goes before one that serves all."""
    found: Words = {}
    for (context, english), word in words.items():
        if context in ("", SAID_CONTEXT):
            for shown in CONTEXTS:
                found.setdefault((shown, english), word)
        else:
            found[context, english] = word
    for text in menus:
        name = preset_name(text)
        for context in CONTEXTS:
            if (context, name) in found:
                found.setdefault((context, text), found[context, name] + text[len(name):])
    return found


_DEEPEST = 4
"""Sentences within sentences go no deeper than this."""


class Sentences:
    """Templates to look for, those with most words of their own first."""

    def __init__(self, templates: Iterable[str]) -> None:
        ordered = sorted(templates, key=lambda text: (-_own_length(text), text))
        self._plain = {text.format(): text for text in ordered if not _holes(text)}
        self._holed = [(text, _own_words(text)) for text in ordered if _holes(text)]
        self.find = lru_cache(maxsize=512)(self._find)

    def _find(self, sentence: str) -> tuple[str, tuple[str, ...]] | None:
        """Template and values of a sentence; None where there is none."""
        if sentence in self._plain:
            return self._plain[sentence], ()
        for text, own in self._holed:
            match = _pattern(text).fullmatch(sentence) if own in sentence else None
            if match is not None:
                return text, match.groups()
        return None

    def translated(self, sentence: str, word: Callable[[str], str], depth: int = _DEEPEST) -> str:
        """A sentence in another language: `word` translates a template; values are sentences themselves, or data."""
        found = self.find(sentence) if depth else None
        if found is None:
            return sentence
        template, values = found
        return word(template).format(*(self.translated(value, word, depth - 1) for value in values))


def _holes(template: str) -> int:
    return sum(name is not None for _, name, _, _ in string.Formatter().parse(template))


def _own_length(template: str) -> int:
    return sum(len(before) for before, *_ in string.Formatter().parse(template))


def _own_words(template: str) -> str:
    """The longest piece between a template's holes: what has it not, needs not be matched."""
    return max((before for before, *_ in string.Formatter().parse(template)), key=len)


@cache
def _pattern(template: str) -> re.Pattern[str]:
    """A pattern with a group a hole, in the order of the template, which is that of its numbers. Made when it is first
    needed: all of them together take 80 ms."""
    parts = [re.escape(before) + ("(.*?)" if name is not None else "")
             for before, name, _, _ in string.Formatter().parse(template)]
    return re.compile("".join(parts), re.DOTALL)
