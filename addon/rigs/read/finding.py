# SPDX-License-Identifier: GPL-3.0-or-later
"""What the doctor finds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

ERROR, WARNING = "error", "warning"
"""An error stops a bake; a warning says what the bake will not look like."""


@dataclass(frozen=True)
class Finding:
    """One thing that is wrong. `key` names it for `fix`; `fix` is the label of its button, None where only the artist can
    help; `severity` is `ERROR` or `WARNING`."""

    key: str
    severity: str
    sentence: str
    fix: str | None = None


def some(names: Sequence[str], most: int = 4) -> str:
    """The first of some names, and how many more there are."""
    return ", ".join(names[:most]) + (f" and {len(names) - most} more" if len(names) > most else "")
