# SPDX-License-Identifier: GPL-3.0-or-later
"""Items of the menus that list presets: gaits, worlds, suits; and of those that list a Shot's own choices.

Blender keeps the number of an item in the file, not its name. The numbers here come from the names, so a menu may grow
without changing what an older file means.
"""

from __future__ import annotations

import zlib
from functools import lru_cache

from ..addon.locomotion.registry import BUILT_IN, after_fall_names
from ..addon.motions.library import gait_names
from ..addon.specs.motions import AUTO, CLIP_TIMES, FLIGHTS, GAIT_LAWS, SCALINGS, Clip, KeyPoses, Reflex
from ..addon.specs.settings import PRESETS, plain_presets
from ..addon.specs.shot import END, ENGINES
from ..addon.worlds.planets import CUSTOM, FOLDER

EnumItem = tuple[str, str, str, int]


def item(name: str, label: str, description: str) -> EnumItem:
    """A menu's item, with a number that belongs to its name."""
    return name, label, description, zlib.crc32(name.encode()) & 0x3FFFFFFF


@lru_cache(maxsize=1)
def world_items() -> tuple[EnumItem, ...]:
    """The worlds of `presets/worlds` from the heaviest to the lightest, and Custom at the end."""
    presets = sorted(plain_presets(FOLDER), key=lambda preset: -preset["gravity_m_s2"])
    items = [item(p["name"], f"{p['label']}  {p['gravity_m_s2']:.2f} m/s²", f"{p['label']}: {p['gravity_m_s2']:.2f} m/s²")
             for p in presets]
    return (*items, item(CUSTOM, "Custom", "Set the gravity by hand"))


@lru_cache(maxsize=1)
def gait_items() -> tuple[EnumItem, ...]:
    """The gait that people choose, then those of `presets/gaits`, by name."""
    names = gait_names()
    return (item(AUTO, "As People Choose", "The gait that people take under this gravity, at the speed asked for or of their own "
                 "choice"), *(item(name, title(name), f"The built-in {title(name).lower()}") for name in names))


@lru_cache(maxsize=1)
def suit_items() -> tuple[EnumItem, ...]:
    """The suits of `presets/suits` by label, no suit first."""
    suits = {preset["name"]: preset["label"] for preset in plain_presets(PRESETS / "suits")} | {"none": "No Suit"}
    rest = sorted((label, name) for name, label in suits.items() if name != "none")
    return tuple(item(name, label, f"{label}: its mass, its pack and its stiff joints change the gait" if name != "none" else
                      "The body alone") for label, name in (("No Suit", "none"), *rest))


NOTHING = "NOTHING"
CARRIES = (
    item(NOTHING, "Nothing", "Empty hands"),
    item("hands", "In Both Hands", "A crate between both hands, before the belly"),
    item("hand_R", "In the Right Hand", "A bag that hangs at the right side; the other arm swings on"),
    item("hand_L", "In the Left Hand", "A bag that hangs at the left side; the other arm swings on"),
    item("arms", "In the Arms", "A bundle, or somebody, on both forearms before the chest"),
    item("back", "On the Back", "A pack"),
)
"""Ways to carry something: a place of `specs.load`, and a side."""


@lru_cache(maxsize=1)
def condition_items() -> tuple[EnumItem, ...]:
    """The conditions of `presets/conditions`, by label, with what they look like."""
    presets = sorted(plain_presets(PRESETS / "conditions"), key=lambda preset: preset["label"])
    return tuple(item(preset["name"], preset["label"], preset["sign"]) for preset in presets)


@lru_cache(maxsize=1)
def controller_items() -> tuple[EnumItem, ...]:
    """The controllers of gaits and of bodies that let go; those of followed motions, of key poses and of reflexes are chosen
    with these."""
    chosen_with_it = (*Clip.CONTROLLERS, *KeyPoses.CONTROLLERS, *Reflex.CONTROLLERS)
    return tuple(item(one.name, one.title, one.summary) for one in BUILT_IN.values() if one.name not in chosen_with_it)


@lru_cache(maxsize=1)
def follower_items() -> tuple[EnumItem, ...]:
    """The controllers that follow a motion."""
    return tuple(item(name, BUILT_IN[name].title, BUILT_IN[name].summary) for name in Clip.CONTROLLERS)


@lru_cache(maxsize=1)
def after_fall_items() -> tuple[EnumItem, ...]:
    """What may happen after a fall: the end, or a controller that takes over."""
    takers = (BUILT_IN[name] for name in after_fall_names() if name != END)
    return (item(END, "End the Shot", "The take ends where the character has fallen"),
            *(item(one.name, one.title, one.summary) for one in takers))


@lru_cache(maxsize=1)
def engine_items() -> tuple[EnumItem, ...]:
    """The physics engines."""
    words = {"mujoco": ("MuJoCo", "Contacts and joints are simulated; the one to use"),
             "pybullet": ("PyBullet", "Another simulation of the same, where PyBullet is installed"),
             "ideal": ("Ideal", "The controller's own prediction is believed: no slip and no fall, for comparison"),
             "springs": ("Springs", "Springs and dampers under the soles of a planar body, as in the thesis on key poses")}
    return tuple(item(name, *words.get(name, (title(name), title(name)))) for name in ENGINES)


@lru_cache(maxsize=1)
def planar_engine_items() -> tuple[EnumItem, ...]:
    """Those that move a planar body, the thesis's ground first."""
    items = {entry[0]: entry for entry in engine_items()}
    return tuple(items[name] for name in ("springs", "mujoco"))


@lru_cache(maxsize=1)
def scaling_items() -> tuple[EnumItem, ...]:
    """How the pendulum's gains go with gravity."""
    words = {"similar": ("With Gravity", "Balance reacts as slowly as things fall: the same style under any gravity"),
             "fixed": ("As on Earth", "Balance reacts as on Earth whatever the gravity: stiffer under a light one")}
    return tuple(item(name, *words.get(name, (title(name), title(name)))) for name in SCALINGS)


@lru_cache(maxsize=1)
def gait_law_items() -> tuple[EnumItem, ...]:
    """How a gait goes with gravity."""
    words = {"people": ("As People Go", "Speed, strides, flights and carriage as was measured on people, where it was"),
             "similar": ("Similar", "The same motion under any gravity, only slower or quicker"),
             "polet2018": ("Flights by Polet 2018", "As people go, with flights as low as runners' in a harness on a treadmill")}
    return tuple(item(name, *words.get(name, (title(name), title(name)))) for name in reversed(GAIT_LAWS))


@lru_cache(maxsize=1)
def follow_time_items() -> tuple[EnumItem, ...]:
    """In whose time a motion is followed."""
    words = {"planet": ("The Planet's", "As slowly as things fall there: the clip's own motion on Earth, calmer where gravity is "
                        "low, quicker where it is high"),
             "people": ("As People Go", "Steps as quick and as long as people's there, and their carriage: another motion, not "
                        "the clip in slow motion"),
             "clip": ("The Clip's Own", "Steps come as quickly as in the clip whatever the gravity; where that is far from "
                      "Earth's the character may fall")}
    return tuple(item(name, *words.get(name, (title(name), title(name)))) for name in CLIP_TIMES)


@lru_cache(maxsize=1)
def flight_items() -> tuple[EnumItem, ...]:
    """What the flights of a followed motion keep."""
    words = {"velocity": ("Their Take-off Speed", "The body leaves the ground as fast as in the clip: under a light gravity it "
                          "flies higher and longer, and lands less surely"),
             "height": ("Their Height", "The body rises as high as in the clip: under a light gravity it takes off more softly")}
    return tuple(item(name, *words.get(name, (title(name), title(name)))) for name in FLIGHTS)


def number(items: tuple[EnumItem, ...], name: str) -> int:
    """The number of the item of that name."""
    return next(entry[3] for entry in items if entry[0] == name)


def title(name: str) -> str:
    """A preset's file name as a label."""
    return name.replace("_", " ").replace("-", " ").title()
