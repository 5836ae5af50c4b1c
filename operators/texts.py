# SPDX-License-Identifier: GPL-3.0-or-later
"""Sentences in the user's language."""

from __future__ import annotations

from bpy.app.translations import pgettext_rpt

from ..addon.locale import sentences


def words(text: str, /, **values: object) -> str:
    """A sentence of the dictionary in `locale`, in the user's language, with its values filled in."""
    return pgettext_rpt(text).format(**values)


def said(sentence: str) -> str:
    """What the engine, the doctor or a worker said in English, in the user's language; as it is where it is not known."""
    return sentences().translated(sentence, pgettext_rpt)
