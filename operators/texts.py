# SPDX-License-Identifier: GPL-3.0-or-later
"""Sentences in the user's language."""

from __future__ import annotations

from bpy.app.translations import pgettext_rpt


def words(text: str, /, **values: object) -> str:
    """A sentence of the dictionary in `translations`, in the user's language, with its values filled in."""
    return pgettext_rpt(text).format(**values)
