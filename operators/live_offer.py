# SPDX-License-Identifier: GPL-3.0-or-later
"""What was shown live and waits to be kept: nothing of it is on its armature before somebody wants it there."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from . import notes
from .order import Order
from .pressure_outcome import kept_of, summary
from .texts import said, words


class Offer(NamedTuple):
    """A take, the file of its pressure, what an armature keeps of them, and why it broke off, "" where it did not."""

    take: str
    recorded: str
    text: str
    kept: str
    wrong: str


_offers: dict[int, Offer] = {}
"""By armature (session_uid)."""


def make(order: Order) -> notes.Note:
    """What a show has left can be kept from now on. Gives the word on it."""
    job = order.job
    wrong, seconds = said(job.report["wrong"]), job.report["duration_s"]
    _offers[order.object_uid] = Offer(job.task.out, job.task.options["recorded"], summary(job.report), kept_of(order), wrong)
    if wrong:
        text = words("{reason} {seconds:.1f} s came before that: Keep bakes them", reason=wrong, seconds=seconds)
        return notes.Note(notes.WARNED, text)
    return notes.Note(notes.DONE, words("{seconds:.1f} s came live: Keep bakes them", seconds=seconds))


def of(uid: int) -> Offer | None:
    """What waits to be kept for the armature of this number."""
    return _offers.get(uid)


def drop(uid: int) -> None:
    """It is kept, or is not to be."""
    _offers.pop(uid, None)


def throw_away(uid: int) -> None:
    """Nobody wants it: its files go, too."""
    offer = _offers.pop(uid, None)
    for path in () if offer is None else (offer.take, offer.recorded):
        Path(path).unlink(missing_ok=True)


def forget() -> None:
    """Drop everything: another file is coming."""
    _offers.clear()
