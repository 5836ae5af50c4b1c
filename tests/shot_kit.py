# SPDX-License-Identifier: GPL-3.0-or-later
"""Shots from fields of their own and of their motion together."""

from dataclasses import replace

from lope.addon.specs.motion import Motion
from lope.addon.specs.motions import Gait
from lope.addon.specs.settings import settings_of
from lope.addon.specs.shot import Shot


def shot_with(motion: Motion, **fields) -> Shot:
    """A shot of a motion: the fields that the motion has are changed there, the others are the shot's."""
    own = {name: fields.pop(name) for name in settings_of(type(motion)) if name in fields}
    return Shot(motion=replace(motion, **own), **fields)


def gait_shot(gait: str = "walk", **fields) -> Shot:
    """The same of a gait by its name."""
    return shot_with(Gait(gait), **fields)
