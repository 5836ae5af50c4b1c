# SPDX-License-Identifier: GPL-3.0-or-later
"""Lope's words in other languages than English, as Blender's translations want them. Plain data, no Blender."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from .korean_bodies import BODIES
from .korean_buttons import BUTTONS
from .korean_clips import CLIPS
from .korean_condition_panel import CONDITION_WORDS
from .korean_conditions import CONDITIONS
from .korean_creature_bodies import CREATURE_BODIES
from .korean_creature_panel import CREATURE_SAID, CREATURE_WORDS
from .korean_creature_rigs import CREATURE_RIGS
from .korean_creatures import CREATURES
from .korean_dial import DIAL, DIAL_SHOWN
from .korean_drive import DRIVE, DRIVE_SHOWN
from .korean_follow import FOLLOW
from .korean_hit_panel import HIT_ACTIONS, HIT_WORDS
from .korean_hits import HITS
from .korean_motions import MOTIONS
from .korean_muscle_panel import MUSCLE_WORDS
from .korean_muscles import MUSCLES
from .korean_names import CHOSEN_GAIT, GAITS, MADE_OF_GAIT, MADE_OF_SUIT, SUITS, WALKERS, WORLDS
from .korean_objects import OBJECT_WORDS, OBJECTS
from .korean_phrases import PHRASES
from .korean_pose_editor import POSE_EDITOR, POSE_EDITOR_WORDS
from .korean_pose_gait import POSE_GAIT, POSE_GAIT_WORDS
from .korean_poses import POSES, POSES_WORDS
from .korean_pressure import PRESSURE
from .korean_pressure_live import PRESSURE_LIVE, PRESSURE_LIVE_WORDS
from .korean_pressure_measured import PRESSURE_MEASURED
from .korean_pressure_panel import PRESSURE_SAID, PRESSURE_WORDS
from .korean_pressure_shown import PRESSURE_SHOWN, PRESSURE_SHOWN_WORDS
from .korean_reports import REPORTS
from .korean_responses import RESPONSES
from .korean_rigs import RIGS
from .korean_settings import SETTINGS
from .korean_shots import SHOTS
from .korean_stand import STAND, STAND_WORDS
from .korean_style import STYLE, STYLE_SAID
from .sentences import Sentences

CONTEXTS = ("*", "Operator")
"""Blender looks up operators' labels in a context of their own."""
GAIT_CONTEXT = "LopeGait"
"""Context of the gaits' names: one of them is called like the extension, whose tab keeps its name in every language."""
KOREAN = "ko_KR"

SAID = {**PHRASES, **BODIES, **CLIPS, **CONDITIONS, **CREATURES, **CREATURE_SAID, **CREATURE_BODIES, **CREATURE_RIGS,
        **DIAL, **DRIVE, **FOLLOW, **HITS, **HIT_ACTIONS, **POSE_EDITOR,
        **POSE_GAIT, **POSES, **MOTIONS, **MUSCLES, **OBJECTS, **PRESSURE, **PRESSURE_LIVE, **PRESSURE_MEASURED, **PRESSURE_SAID,
        **PRESSURE_SHOWN, **REPORTS, **RESPONSES, **RIGS, **SHOTS, **STAND,
        **STYLE_SAID}
"""What the engine, the doctor and the bake say: templates with numbered holes, and their Korean."""
SENTENCES = Sentences([*SAID, *WORLDS])

Dictionary = dict[str, dict[tuple[str, str], str]]


def dictionary(menus: Iterable[tuple[str, str]] = (), more: Mapping[str, str] | None = None) -> Dictionary:
    """Blender's dictionary: locale -> (context, English) -> translation. `menus` are (name, label) pairs of presets with
    figures in their labels, such as ("moon", "Moon  1.62 m/s²"): the name in them is translated, the figures stay. `more` is
    Korean that stands elsewhere, with what it is the name of."""
    korean = {**SAID, **SETTINGS, **BUTTONS, **CONDITION_WORDS, **CREATURE_WORDS, **DIAL_SHOWN, **DRIVE_SHOWN, **STYLE,
              **HIT_WORDS, **MUSCLE_WORDS, **OBJECT_WORDS, **POSE_EDITOR_WORDS, **POSE_GAIT_WORDS, **POSES_WORDS,
              **PRESSURE_WORDS, **PRESSURE_LIVE_WORDS, **PRESSURE_SHOWN_WORDS,
              **STAND_WORDS, **SUITS, **WALKERS, **WORLDS, **(more or {})}
    korean |= {MADE_OF_GAIT[0].format(name.lower()): MADE_OF_GAIT[1].format(word) for name, word in GAITS.items()}
    korean |= {MADE_OF_SUIT[0].format(name): MADE_OF_SUIT[1].format(word) for name, word in SUITS.items()}
    named = {**WORLDS, **WALKERS}
    for text in (part for pair in menus for part in pair):
        name = max((name for name in named if text.startswith(name)), key=len, default=None)
        if name is not None:
            korean[text] = named[name] + text[len(name):]
    words = {(context, english): word for english, word in korean.items() for context in CONTEXTS}
    gaits = [*GAITS.items(), CHOSEN_GAIT, ("Gait", SETTINGS["Gait"])]
    return {KOREAN: words | {(GAIT_CONTEXT, name): word for name, word in gaits}}
