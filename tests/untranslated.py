# SPDX-License-Identifier: GPL-3.0-or-later
"""What Lope shows and says that a language has no words for, and entries of its file that nobody needs any more.

`.venv/bin/python tests/untranslated.py` prints a line an entry: the language, "missing" or "unused", context and English.
It exits with 1 where there is any.
"""

from __future__ import annotations

import sys

import lope
from lope.addon.locale import CONTEXTS, GAIT_CONTEXT, SAID_CONTEXT, dictionary, languages, preset_name
from sentence_sources import all_constants, all_sentences
from ui_strings import all_texts

Entries = set[tuple[str, str]]
JOINED = {"starts and stops", "{0} and {1} more"}
JOINED_STARTS = (
    "the step from footprint {0}", "Gravity changes in this shot", "This plan ends at", "Speed is keyed in this shot",
    "At {0} m/s, its own speed here", "It fell at other speeds", "Other speeds are no better", "it fell after {0} s",
    "It goes at {0} m/s", "Not promised to stand", "It goes by ",
    "the best so far stands", "The muscles pull with")
"""What no source line holds in one piece, whole or by its beginning."""


def shown_texts() -> Entries:
    """Every (context, text) that Lope shows. Registers Lope meanwhile, which must not be registered."""
    lope.register()
    try:
        return all_texts()
    finally:
        lope.unregister()


def registered_words(language: str) -> dict[tuple[str, str], str]:
    """A language's dictionary as Blender gets it."""
    from lope.operators.choices import world_items
    from lope.operators.gait_settings import walker_items

    return dictionary(text for item in (*world_items(), *walker_items()) for text in item[1:3])[language]


def missing(language: str, shown: Entries) -> Entries:
    """What is shown, and what the engine, the doctor and the bake say, without a translation."""
    said = {(SAID_CONTEXT, text) for text in all_sentences()}
    return shown - registered_words(language).keys() | said - languages()[language].keys()


def unused(language: str, shown: Entries) -> Entries:
    """Entries of a language's file that are neither shown nor said, nor stand as a text in the source."""
    shown = shown | {(context, preset_name(text)) for context, text in shown}
    known = all_sentences() | all_constants() | JOINED
    texts = known | {text for context, text in shown if context in CONTEXTS}
    return {(context, english) for context, english in languages()[language]
            if ((context, english) not in shown if context == GAIT_CONTEXT else
                english not in texts and not english.startswith(JOINED_STARTS))}


def main() -> int:
    """Print both lists; gives the exit code."""
    shown, code = shown_texts(), 0
    for language in sorted(languages()):
        for what, found in (("missing", missing(language, shown)), ("unused", unused(language, shown))):
            for context, english in sorted(found):
                print(f"{language} {what} {context or '*'}: {english}")
                code = 1
    return code


if __name__ == "__main__":
    sys.exit(main())
