# SPDX-License-Identifier: GPL-3.0-or-later
"""What was found in a clip, as plain figures and sentences."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from ..bodies.human.landmarks import LANDMARKS
from ..errors import ClipError
from .bvh import read_bvh
from .fitting import Step, find_repeats, fit_cycle, fit_steps
from .followable import check_followable
from .retarget import Motion, retarget
from .strides import Contact, Stride, find_contacts, travel_speed

JOINT_LANDMARKS = tuple(n for n in LANDMARKS if n.split("_")[0] in ("lower", "chest", "neck", "clavicle", "wrist", "toes"))
DRIFT_TOLD_M = 0.02  # floors that rise less over the clip are called level
UNEVEN_TOLD_M = 0.015
SIDES_DIFFER = 0.06
STILL_DEG, STILL_M = 0.1, 0.001
"""Nobody alive moves less in a clip, in any joint and in place."""
FROZEN = "Nothing moves: all {} frames show the same pose."
REFERENCE = "Frame 1 is the rest pose, apart from the motion; it was left out."
STEPS_ONLY = "No stride ends as it began; the gait is made of {} of its steps and their mirror images."


def inspect_clip(path: str | Path) -> dict[str, Any]:
    """What a BVH clip holds, in JSON types: skeleton, scale, floor, contacts, strides, gait, whether it can be followed, and its
    faults in words.

    Raises ClipError where the file cannot be read or its skeleton not understood; a clip without a gait is no error
    here: its reason stands among `faults`, and `gait` is None. Nor is one that cannot be followed: `not_followed` says why, and
    is None of one that can. Lengths in metres, times in seconds.
    """
    motion = retarget(read_bvh(path))
    contacts = find_contacts(motion)
    faults = _skeleton_faults(motion) + _floor_faults(motion) + _still_faults(motion)
    strides: list[Stride] = []
    steps: list[Step] = []
    gait = None
    try:
        strides, steps = find_repeats(motion, contacts)
        cycle = fit_cycle(motion, contacts, strides) if strides else fit_steps(motion, contacts, steps)
    except ClipError as error:
        faults.append(str(error))
    else:
        gait = {"speed_m_s": cycle.speed_m_s, "stride_frequency_hz": cycle.stride_frequency_hz, "froude": cycle.froude,
                "stride_length_m": cycle.stride_length_m, "duty_factor": cycle.duty_factor,
                "step_width_m": cycle.step_width_m, "root_height_m": cycle.root_height_m, "harmonics": cycle.harmonics,
                "contact_phases": {s: dataclasses.asdict(c) for s, c in cycle.contact_phases.items()}}
        faults += _gait_faults(gait, len(strides)) if strides else [STEPS_ONLY.format(len(steps))]
    clip, skeleton = motion.clip, motion.skeleton
    return {
        "file": str(path), "joints": list(clip.names), "family": skeleton.family,
        "missing_joints": [n for n in JOINT_LANDMARKS if n not in skeleton.joints], "estimated": list(skeleton.estimated),
        "frames": clip.frames, "frame_rate_hz": 1.0 / clip.frame_time_s, "duration_s": clip.duration_s,
        "unit": skeleton.unit, "metres_per_unit": skeleton.scale, "leg_length_m": skeleton.leg_length_m,
        "degrees_of_freedom": motion.body.degrees_of_freedom, "floor": _floor(motion),
        "mean_speed_m_s": travel_speed(motion), "contacts": [_plain(c) for c in contacts],
        "strides": [dataclasses.asdict(s) for s in strides], "steps": [dataclasses.asdict(s) for s in steps],
        "gait": gait, "not_followed": _not_followed(motion, contacts), "faults": faults,
    }


def _not_followed(motion: Motion, contacts: Sequence[Contact]) -> str | None:
    """Why no body could follow the clip; None of one that can be followed."""
    try:
        check_followable(motion, contacts)
    except ClipError as error:
        return str(error)
    return None


def _plain(contact: Contact) -> dict[str, Any]:
    """A contact with None for times that the clip does not show."""
    return {k: None if isinstance(v, float) and math.isnan(v) else v for k, v in dataclasses.asdict(contact).items()}


def _floor(motion: Motion) -> dict[str, Any]:
    """The ground that was levelled away: its kind, steepness, and rise from the first frame's place to the last's."""
    ends = motion.ground.at(motion.root_position[[0, -1]])
    rise = float(ends[1] - ends[0])
    kind = "slope" if motion.ground.is_slope else "drift" if abs(rise) > DRIFT_TOLD_M else "level"
    return {"kind": kind, "slope_deg": motion.ground.slope_deg, "rise_m": rise, "unevenness_m": motion.ground.spread_m}


def _still_faults(motion: Motion) -> list[str]:
    """Of a clip in which nothing moves."""
    turns = motion.clip.rotations
    cosine = 0.5 * (np.trace(turns @ np.swapaxes(turns[:1], -1, -2), axis1=-2, axis2=-1) - 1.0)
    moves = cosine.min() < math.cos(math.radians(STILL_DEG)) or np.ptp(motion.root_position, axis=0).max() > STILL_M
    return [] if moves else [FROZEN.format(motion.clip.frames)]


def _skeleton_faults(motion: Motion) -> list[str]:
    skeleton, faults = motion.skeleton, [REFERENCE] if motion.clip.first_frame > 1 else []
    if not skeleton.unit_certain:
        faults.append(f"The unit of length could not be told; the legs were taken to be {skeleton.leg_length_m:.2f} m long.")
    if skeleton.estimated:
        faults.append(f"The file lacks {', '.join(skeleton.estimated)}; these places were estimated.")
    return faults


def _floor_faults(motion: Motion) -> list[str]:
    floor = _floor(motion)
    faults = []
    if floor["kind"] == "slope":
        faults.append(f"The figure walks on a slope of {floor['slope_deg']:.1f} degrees ({floor['rise_m']:+.2f} m in all); "
                      "the feet were set level.")
    elif floor["kind"] == "drift":
        faults.append(f"The floor rises by {100 * floor['rise_m']:+.1f} cm over the clip; it was levelled.")
    if floor["unevenness_m"] > UNEVEN_TOLD_M:
        faults.append(f"Resting feet differ in height by {100 * floor['unevenness_m']:.1f} cm (standard deviation).")
    return faults


def _gait_faults(gait: dict[str, Any], strides: int) -> list[str]:
    faults = []
    if strides == 1:
        faults.append("Only one whole stride was found; a mean over several would be smoother.")
    phases = gait["contact_phases"]
    left, right = ((phases[s]["toe_off"] - phases[s]["strike"]) % 1.0 for s in "LR")
    if abs(left - right) > SIDES_DIFFER or abs(phases["R"]["strike"] - 0.5) > SIDES_DIFFER:
        faults.append("Left and right steps differ clearly; symmetrise the cycle for an even gait.")
    return faults
