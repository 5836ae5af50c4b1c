# SPDX-License-Identifier: GPL-3.0-or-later
"""What a push dial does next: its states, and what leads from one to another. Plain values."""

from __future__ import annotations

AIMING, DRAGGING, WAITING, SHOWN, ACCEPTED, GIVEN_UP = "aiming", "dragging", "waiting", "shown", "accepted", "given up"
"""Nothing is dialled; the mouse is held; it was let go, and the response is simulated; that is shown; the push is added to the
shot; everything is as it was."""
PRESS, RELEASE, DROP, ARRIVE, ACCEPT, LEAVE = "press", "release", "drop", "arrive", "accept", "leave"
"""The mouse is pressed; let go over a push; let go where there is none; the simulated response is there; take it; leave."""
ENDED = (ACCEPTED, GIVEN_UP)

_NEXT = {
    (AIMING, PRESS): DRAGGING,
    (DRAGGING, RELEASE): WAITING,
    (DRAGGING, DROP): AIMING,
    (WAITING, ARRIVE): SHOWN,
    **{(state, PRESS): DRAGGING for state in (WAITING, SHOWN)},
    **{(state, ACCEPT): ACCEPTED for state in (WAITING, SHOWN)},
    **{(state, LEAVE): GIVEN_UP for state in (AIMING, DRAGGING, WAITING, SHOWN)},
}


def after(state: str, what: str) -> str:
    """The state after something has happened: the same one where it means nothing there, as a response that arrives while the
    next push is being dragged."""
    return _NEXT.get((state, what), state)
