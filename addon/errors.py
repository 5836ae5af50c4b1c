# SPDX-License-Identifier: GPL-3.0-or-later
"""Errors a user may see: each says what is wrong, where, what was expected and what to do."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from typing import Any

MOST_SHOWN = 200
"""Letters of a value that a message shows."""


class LopeError(Exception):
    """Root of every error Lope raises on purpose; the command line turns it into exit code 2."""


class InputError(LopeError):
    """A value, name or file given by the user cannot be used."""


class TooShort(InputError):
    """A shot is too short for what it asks; `needs_s` [s] would do."""

    def __init__(self, sentence: str, needs_s: float) -> None:
        super().__init__(sentence)
        self.needs_s = needs_s


class ClipError(InputError):
    """A motion file cannot be read, or holds no motion that can be used."""


class BodyError(InputError):
    """A body cannot be built from what was given."""


class TakeError(InputError):
    """A take file cannot be read."""


class RigError(InputError):
    """An armature cannot be mapped to a body."""


class JobError(LopeError):
    """A simulation in the background cannot be started, or its process ended by itself."""


class EngineError(LopeError):
    """The physics engine is absent, or lost the simulation (not a number, clock running backward)."""


def shown(value: Any) -> str:
    """A value as a message shows it: in one line, cut where it is long."""
    words = repr(value)
    return words if len(words) <= MOST_SHOWN else f"{words[:MOST_SHOWN]}..."


def unknown_name(kind: str, given: str, known: Iterable[str]) -> InputError:
    """Error for a misspelt name: lists the known ones, the empty one left out, and suggests the nearest."""
    names = sorted(name for name in known if name)
    near = difflib.get_close_matches(str(given)[:MOST_SHOWN].lower(), names, n=1, cutoff=0.5)
    hint = f" Did you mean {near[0]!r}?" if near else ""
    return InputError(f"There is no {kind} named {shown(given)}.{hint} Known: {', '.join(names)}.")
