# SPDX-License-Identifier: GPL-3.0-or-later
"""The style's sliders as settings of an armature, and the Style they ask for.

Which reflex walker an armature goes as; and what the Shot has of it.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

import bpy

from ..addon.errors import InputError
from ..addon.specs.motion import SLIDERS, Style
from ..addon.specs.motions import Walker
from ..addon.specs.path import PathSpec
from ..addon.specs.settings import PRESETS, plain_presets
from .choices import EnumItem, item, title
from .context import OnOwnArmature, active_armature, reports_errors
from .creature import by_creature
from .figures import plain
from .properties import EnumProperty, FloatProperty, StringProperty, changed

DRAWN = ("CURVE", "TARGETS")
"""Paths that have an end."""

PREFIX = "style_"


def _bounds(name: str) -> dict[str, float]:
    """Least, largest and default value of a slider."""
    return {"min": SLIDERS[name].low, "max": SLIDERS[name].high, "default": getattr(Style, name)}


class StyleSettings:
    """The sliders, for a property group to inherit."""

    style_arm_swing: FloatProperty(name="Arm Swing", update=changed, subtype="FACTOR", **_bounds("arm_swing"),
                                   description="Swing of the arms over the gait's own: 0 lets them hang, 2 marches")
    style_trunk_lean_deg: FloatProperty(name="Trunk Lean (°)", update=changed, **_bounds("trunk_lean_deg"),
                                        description="Bends the trunk forward, negative back; head and arms stay upright and "
                                                    "the feet find the new balance")
    style_hip_sway: FloatProperty(name="Hip Sway", update=changed, subtype="FACTOR", **_bounds("hip_sway"),
                                  description="Drop and turn of the pelvis over the gait's own; trunk and legs stay")
    style_head_steadiness: FloatProperty(name="Steady Head", update=changed, subtype="FACTOR", **_bounds("head_steadiness"),
                                         description="Takes the gait's nodding and turning out of the head: 1 holds it "
                                                     "still")
    style_step_width_m: FloatProperty(name="Step Width (m)", update=changed, **_bounds("step_width_m"),
                                      description="How much further apart the feet go, negative nearer. Walking gaits only")
    style_foot_lift_m: FloatProperty(name="Foot Lift (m)", update=changed, **_bounds("foot_lift_m"),
                                     description="How much higher the swinging foot is lifted. Walking gaits only")
    style_bounce: FloatProperty(name="Bounce", update=changed, subtype="FACTOR", **_bounds("bounce"),
                                description="Rise and fall of the body over the gait's own: 0 glides on bent knees; above 1 "
                                            "legs and gravity leave room for a little more. Walking gaits only")
    style_arm_spread_deg: FloatProperty(name="Arms Out (°)", update=changed, **_bounds("arm_spread_deg"),
                                        description="Holds the arms out to the sides, negative in")
    style_crouch_m: FloatProperty(name="Crouch (m)", update=changed, **_bounds("crouch_m"),
                                  description="How much lower the body goes, on bent knees. Walking gaits only")
    style_heel_strike: FloatProperty(name="Heel Strike", update=changed, subtype="FACTOR", **_bounds("heel_strike"),
                                     description="How far the toes are up when the foot lands, over the gait's own: 0 sets it "
                                                 "down flat. Walking gaits only")
    style_flight_height: FloatProperty(name="Flight Height", update=changed, subtype="FACTOR", **_bounds("flight_height"),
                                       description="Height of the flights over the gait's own here; the steps last as much "
                                                   "longer or shorter. Gaits with flight only")
    style_counter_turn: FloatProperty(name="Hips Against Shoulders", update=changed, subtype="FACTOR", **_bounds("counter_turn"),
                                      description="How far the pelvis turns with the legs, against the shoulders; 0 leaves it as "
                                                  "captured, a quarter of a stride behind. Gaits with flight only")
    style_breath: FloatProperty(name="Breath", update=changed, subtype="FACTOR", **_bounds("breath"),
                                description="How far chest and shoulders rise with the breath where the body stands: 0 holds it")
    style_variation: FloatProperty(name="Variation", update=changed, subtype="FACTOR", **_bounds("variation"),
                                   description="How unlike one another steps, arms, trunk and head are from stride to stride, "
                                               "over people's, by the seed: no two characters go in step; 0 repeats one stride")
    style_carriage: FloatProperty(name="Planet's Carriage", update=changed, subtype="FACTOR", **_bounds("carriage"),
                                  description="How much of what the gravity adds is shown: lean, foot lift, landing, arms, bent "
                                              "knees. These are taste, not measured; 0 leaves them out")
    style_cadence_exponent: FloatProperty(name="Quicker Steps", update=changed, **_bounds("cadence_exponent"),
                                          description="How quickly it steps on a light world: 0 as often as on Earth at that "
                                                      "speed, more is slower and floats, less is quicker and shorter. Walking "
                                                      "gaits only")


NAMES = tuple(PREFIX + name for name in SLIDERS)
"""Names of the sliders in the settings, as the panel lists them."""


def style_of(settings: bpy.types.PropertyGroup) -> Style:
    """The Style of an armature's settings."""
    return Style(**{name: plain(getattr(settings, PREFIX + name)) for name in SLIDERS})


class LOPE_OT_reset_style(OnOwnArmature, bpy.types.Operator):
    """Set every slider of the style back to the gait's own"""

    bl_idname = "lope.reset_style"
    bl_label = "Reset Style"
    bl_options = {"REGISTER", "UNDO"}

    @reports_errors
    def execute(self, context: bpy.types.Context) -> set[str]:
        settings = active_armature(context).lope
        for name in NAMES:
            settings.property_unset(name)
        changed()
        return {"FINISHED"}


SOURCE = "REFLEX"
NEAREST, OWN_FILE = "NEAREST", "FILE"


@lru_cache(maxsize=1)
def walker_items() -> tuple[EnumItem, ...]:
    """The one nearest to the speed, those of `presets/reflex` by name, each with its speed, and a file."""
    shipped = plain_presets(PRESETS / "reflex")
    return (item(NEAREST, "Nearest to the Speed", "Of the walkers searched for such a gravity the one whose speed is nearest"),
            *(item(one["name"], f"{title(one['name'])}  {one['speed_m_s']:.2f} m/s", one["summary"]) for one in shipped),
            item(OWN_FILE, "My File", "A reflex walker in a file of your own, as lope tune writes them"))


class ReflexSettings:
    """Who goes by reflexes, for a property group to inherit."""

    walker: EnumProperty(name="Walker", update=changed, items=walker_items(), default=NEAREST,
                         description="Who goes by reflexes: each has the one speed to which its search has brought it")
    walker_path: StringProperty(name="Walker File", update=changed, subtype="FILE_PATH", description="A reflex walker (JSON)")


def by_reflexes(settings: bpy.types.PropertyGroup) -> bool:
    """Whether the character goes by reflexes alone."""
    goes = settings.motion == "GAIT" or (settings.motion == "DRIVE" and settings.drive_by == "GAIT")
    return goes and settings.gait_source == SOURCE and not by_creature(settings)


def by_nearest(settings: bpy.types.PropertyGroup) -> bool:
    """Whether the speed chooses the walker."""
    return settings.walker == NEAREST


def walker_of(settings: bpy.types.PropertyGroup) -> Walker | None:
    """The Shot's walker; None for the one nearest to its speed. Raises InputError for one that is not there."""
    from ..addon.locomotion.reflex.walkers import load_walker, read_walker

    if by_nearest(settings):
        return None
    if settings.walker != OWN_FILE:
        return load_walker(settings.walker)
    path = Path(bpy.path.abspath(settings.walker_path)) if settings.walker_path else None
    if path is None or not path.is_file():
        raise InputError("There is no reflex walker; choose its file under Walk.")
    return read_walker(path)


def way_of(settings: bpy.types.PropertyGroup) -> PathSpec:
    """The one way that reflexes go: straight on, where it is headed."""
    return PathSpec(heading_deg=plain(settings.heading_deg))
