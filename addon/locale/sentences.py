# SPDX-License-Identifier: GPL-3.0-or-later
"""Finds the template behind a sentence that is made already, such as one a worker has said, so that it can be translated. The
engine says its sentences in English with their values filled in, and knows nothing of languages. A template has numbered holes
where the values stood."""

from __future__ import annotations

import re
import string
from collections.abc import Callable, Iterable
from functools import cache, lru_cache

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
