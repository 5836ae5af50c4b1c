# SPDX-License-Identifier: GPL-3.0-or-later
"""What the artist sets: typed properties on each armature (`object.lope`) and on the scene (`scene.lope`)."""

from __future__ import annotations

from functools import lru_cache

import bpy
from bpy.props import BoolProperty, EnumProperty, FloatProperty, IntProperty, PointerProperty, StringProperty

from ..addon.motions.library import gait_names
from ..addon.shot import DURATION_RANGE_S, EARTH_GRAVITY_M_S2, GRAVITY_RANGE_M_S2, MASS_RANGE_KG, Shot
from ..addon.worlds.planets import CUSTOM, FOLDER, read_preset

EnumItem = tuple[str, str, str]


@lru_cache(maxsize=1)
def world_items() -> tuple[EnumItem, ...]:
    """The worlds of `presets/worlds` from the heaviest to the lightest, and Custom at the end."""
    presets = sorted((read_preset(path) for path in FOLDER.glob("*.json")), key=lambda p: -p["gravity_m_s2"])
    items = [(p["name"], f"{p['label']}  {p['gravity_m_s2']:.2f} m/s²", f"{p['label']}: {p['gravity_m_s2']:.2f} m/s²")
             for p in presets]
    return (*items, (CUSTOM, "Custom", "Set the gravity by hand"))


@lru_cache(maxsize=1)
def gait_items() -> tuple[EnumItem, ...]:
    """The gaits of `presets/gaits`, by name."""
    return tuple((name, name.replace("_", " ").title(), f"The built-in {name.replace('_', ' ')}") for name in gait_names())


class LopeObjectSettings(bpy.types.PropertyGroup):
    """How one armature walks."""

    gait: EnumProperty(name="Gait", description="The captured motion that gives the walk its style", items=gait_items(),
                       default=Shot.gait)
    mass_kg: FloatProperty(
        name="Mass (kg)", description="What the character weighs, suit and pack included",
        default=75.0, min=MASS_RANGE_KG[0], max=MASS_RANGE_KG[1], soft_min=40.0, soft_max=200.0, precision=1,
    )
    use_speed: BoolProperty(
        name="Set Speed", description="Ask for a speed. Off: the speed that suits the legs and the gravity", default=False,
    )
    speed_m_s: FloatProperty(
        name="Speed (m/s)", description="Mean walking speed to ask for", default=1.0, min=0.05, max=15.0, soft_max=3.0,
    )
    seed: IntProperty(name="Seed", description="The same seed and settings give the same motion", default=0, min=0)
    figure: StringProperty(name="Figure", description="What was found in this armature", default="")
    take_path: StringProperty(name="Take", description="File of the last simulation of this armature", default="")
    take_summary: StringProperty(name="Last Take", description="What the last simulation gave", default="")


class LopeSceneSettings(bpy.types.PropertyGroup):
    """The world of a shot, and its length."""

    world: EnumProperty(name="World", description="Planet or moon whose gravity acts", items=world_items(), default="moon")
    gravity_m_s2: FloatProperty(
        name="Gravity (m/s²)", description="Gravity of the custom world",
        default=EARTH_GRAVITY_M_S2, min=GRAVITY_RANGE_M_S2[0], max=GRAVITY_RANGE_M_S2[1],
    )
    duration_s: FloatProperty(
        name="Duration (s)", description="Length of the simulation",
        default=10.0, min=DURATION_RANGE_S[0], max=DURATION_RANGE_S[1], soft_max=60.0,
    )


def register() -> None:
    """Add the settings to objects and scenes."""
    for cls in (LopeObjectSettings, LopeSceneSettings):
        bpy.utils.register_class(cls)
    bpy.types.Object.lope = PointerProperty(type=LopeObjectSettings)
    bpy.types.Scene.lope = PointerProperty(type=LopeSceneSettings)


def unregister() -> None:
    """Take the settings away."""
    del bpy.types.Scene.lope
    del bpy.types.Object.lope
    for cls in (LopeSceneSettings, LopeObjectSettings):
        bpy.utils.unregister_class(cls)
