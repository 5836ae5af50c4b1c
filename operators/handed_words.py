# SPDX-License-Identifier: GPL-3.0-or-later
"""The words of a command line that a Python without Blender is handed: with what only Blender can tell in its place."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ..addon.bodies.human.anthropometry import segment_called
from ..addon.options.body_options import MAP_OPTION, body_text
from ..addon.options.motion_options import ACTION, MOVES
from ..addon.options.outputs import blender_room
from ..addon.options.world_options import HIT_OPTION, PUNCH_OPTION
from ..addon.specs.shot import BodySpec

OF_RIG = ("--blend", "--armature", MAP_OPTION)
"""Options whose body only Blender can tell."""


def with_clip(words: Sequence[str], clip: Path) -> list[str]:
    """The words of a command line with a clip in place of the action that they name."""
    verb, *rest = words
    kept = []
    while rest:
        word = rest.pop(0)
        name, equals, _ = word.partition("=")
        if name not in (ACTION, MOVES):
            kept.append(word)
        elif not equals:
            rest.pop(0)
    return [verb, str(clip), *kept] if verb == "follow" else [verb, f"--follow={clip}", *kept]


def with_body(words: Sequence[str], body: BodySpec) -> list[str]:
    """The words of a command line with a body in place of the armature whose proportions they asked for."""
    kept, words = [], list(words)
    while words:
        word = words.pop(0)
        name, equals, _ = word.partition("=")
        if name not in OF_RIG:
            kept.append(word)
        elif not equals:
            words.pop(0)
            while name == MAP_OPTION and words and not words[0].startswith("-"):
                words.pop(0)
    return [*kept, "--body", body_text(body)]


def with_segments(words: Sequence[str], figure: Any) -> list[str]:
    """The words of a command line with segments in place of a figure's bones. Raises InputError for a bone that there is not."""
    kept, option = [], ""
    for word in words:
        name, equals, value = word.partition("=")
        if option or (equals and name in (HIT_OPTION, PUNCH_OPTION)):
            time, comma, rest = (word if option else value).partition(",")
            bone, more, last = rest.partition(",")
            found = segment_called(bone.strip()) or blender_room("read.detect").segment_of_bone(figure, bone.strip())
            kept.append(f"{option or name}={time}{comma}{found}{more}{last}")
            option = ""
        elif name in (HIT_OPTION, PUNCH_OPTION):
            option = name
        else:
            kept.append(word)
    return kept
