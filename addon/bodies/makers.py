# SPDX-License-Identifier: GPL-3.0-or-later
"""Bodies from what a shot asks for, and from what a take stored."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..specs.shot import BodySpec
from .body import Body
from .human.body import KIND as HUMAN
from .human.body import Human
from .human.suit import Suit


def make_body(spec: BodySpec, suit: Suit | None = None) -> Body:
    """The body of a spec, with a suit on. A spec describes a human: the one kind that a shot can ask for."""
    return Human.from_spec(spec, suit)


def body_from_dict(data: Mapping[str, Any]) -> Body:
    """The body that `Body.to_dict` described, of any kind; old takes, which name none, hold humans."""
    return (Human if data.get("kind", HUMAN) == HUMAN else Body).from_dict(data)
