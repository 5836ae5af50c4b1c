# SPDX-License-Identifier: GPL-3.0-or-later
"""The fall that ended an armature's last take: when it was, and what to change."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

import bpy

from ..addon.gaits.remedy import SEARCH, Remedy
from . import changes
from .condition_settings import ease
from .muscle_settings import TORQUE
from .texts import words


@dataclass(frozen=True)
class Fall:
    """When the character of the last take fell, what to change, None where nothing is known, and the gait that it went by, None
    for a motion file's."""

    fell_s: float
    remedy: Remedy | None
    gait: str | None = None


def fall_of(armature: bpy.types.Object) -> Fall | None:
    """The fall that ended an armature's last take; None where none did."""
    try:
        found = json.loads(armature.lope.take_fall)
        return Fall(float(found["fell_s"]), Remedy(**found["remedy"]) if found["remedy"] else None, found.get("gait"))
    except (ValueError, TypeError, KeyError):
        return None


def told(report: dict[str, Any]) -> str:
    """What is kept of a report for `fall_of`: "" where no fall ended the take."""
    if not report.get("fell"):
        return ""
    return json.dumps({"fell_s": report["time_fell_s"], "remedy": report.get("remedy"), "gait": report.get("gait")})


def label_of(remedy: Remedy) -> str:
    """What the button says that tries this."""
    if remedy.field == "push_share":
        return words("Try Again, {share:.0f} % of the Push", share=100.0 * remedy.value)
    if remedy.field == "speed_m_s":
        return words("Try Again at {speed:.2f} m/s", speed=remedy.value)
    if remedy.field == "stride_frequency_hz":
        return words("Try Again, Own Stride Rate")
    if remedy.field == "condition_share":
        return words("Try Again, {share:.0f} % of the Condition", share=100.0 * remedy.value)
    if remedy.field == SEARCH:
        return words("Search a Gait for It")
    if remedy.field == "strength":
        return words("Try Again, Muscles {strength:.1f} Times as Strong", strength=remedy.value)
    if remedy.field == "actuation":
        return words("Try Again by Torques")
    return words("Try Again without Variation") if remedy.field == "noise" else words("Try Again as a Walk")


def apply(fall: Fall, settings: bpy.types.PropertyGroup) -> None:
    """Change an armature's settings as the remedy of a fall says. A gait that was chosen for the shot stays: another speed might
    bring another one."""
    remedy = fall.remedy
    if remedy.field == "push_share":
        for push in settings.pushes:
            push.force_n *= remedy.value
    elif remedy.field == "speed_m_s":
        settings.use_speed, settings.speed_m_s = True, remedy.value
        if fall.gait is not None:
            settings.gait = fall.gait
    elif remedy.field == "condition_share":
        ease(settings, remedy.value)
    elif remedy.field == "strength":
        settings.muscle_strength = remedy.value
    elif remedy.field == "actuation":
        settings.actuation = TORQUE
    elif remedy.field == "stride_frequency_hz":
        settings.use_stride_frequency = False
    elif remedy.field == "noise":
        settings.noise = remedy.value
    elif remedy.field == "gait":
        settings.gait_source, settings.gait, settings.use_speed = "PRESET", remedy.value, False
    changes.changed()
