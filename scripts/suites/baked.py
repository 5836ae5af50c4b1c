# SPDX-License-Identifier: GPL-3.0-or-later
"""Measures of a baked motion: soles against the ground, wrists, the swing of trunk and head, joints from frame to frame.

Everything is read off the rig as it moves, not off the take: world rotations of its bones away from rest, and its skin.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.spatial.transform import Rotation

from lope.addon.bodies.human.landmarks import SIDES
from lope.addon.bodies.kinematics import segment_poses
from lope.addon.bodies.makers import make_body
from lope.addon.maths.rotations import matrix_from_quat
from lope.addon.motions.cycle import Cycle, pose
from lope.addon.specs.shot import BodySpec

SOLE_M, WRIST_DEG, SWING_RATIO, JUMP_DEG, TORN = 0.01, 30.0, 1.5, 15.0, 0.1
"""Limits: a loaded sole's distance from the ground; wrist; swing of trunk and head over the preset's; jumps of joints between
frames, where the gait itself, as it was captured, has none that is larger at that rate: a run's knees and feet do on Earth; how
much further than at rest a vertex is from the bone that moves most of it, over the skin's height: a shoulder's is within that."""
SAME = 1.02
"""A jump as much over the gait's own is its own: it was sampled at other moments."""
LEAST_SWING_DEG = 5.0
"""A swing that is smaller than this is no fault, whatever the preset's: those made of other gaits hold the trunk still."""
JOINTS = {"lower_spine": "pelvis", "chest": "lower_spine", "neck": "chest", "head": "neck", "clavicle": "chest",
          "upper_arm": "clavicle", "forearm": "upper_arm", "hand": "forearm", "thigh": "pelvis", "shank": "thigh",
          "foot": "shank", "toes": "foot"}


@dataclass(frozen=True)
class Baked:
    """A baked motion over T frames in body axes (x forward, y left, z up).

    `turns`: segment -> orientation (T, 3, 3), 1 in the neutral pose ("forearm_end_L": of the twist bone next to the wrist);
    `soles`: side -> height (T,) [m] of its lowest skin over the ground; `loaded`: side -> share (T,) of the weight on it.
    `torn`: the most (T,) that a vertex is further than at rest from the bone that moves most of it, over the skin's height.
    `spreads`: the rig spreads a hand's turn over its skin by itself, unseen here.
    """

    turns: dict[str, np.ndarray]
    soles: dict[str, np.ndarray]
    loaded: dict[str, np.ndarray]
    torn: np.ndarray
    spreads: bool = False


def measures(baked: Baked, preset: Cycle, under_way: int = 0) -> dict[str, Any]:
    """Every measure of a baked motion, degrees and metres; trunk and head from the frame `under_way` on, if there is one."""
    found = {"sole_loaded_m": _loaded_sole(baked), "sole_deepest_m": -min(float(h.min()) for h in baked.soles.values())}
    found["torn"] = float(baked.torn.max(initial=0.0))
    found |= wrists(baked.turns) | ({"wrist_twist_deg": float("nan")} if baked.spreads else {})
    own = swings(preset_turns(preset))
    late = under_way if under_way < len(baked.turns["pelvis"]) - 1 else 0
    for name, swing in swings({segment: turns[late:] for segment, turns in baked.turns.items()}).items():
        found[f"{name}_swing_deg"], found[f"{name}_preset_deg"] = swing, own[name]
    return found | jumps(baked.turns)


def faults(found: Mapping[str, Any]) -> list[str]:
    """The measures that are outside the limits."""
    wrong = [name for name in ("sole_loaded_m", "sole_deepest_m") if found[name] > SOLE_M]
    wrong += ["torn"] * (found["torn"] > TORN)
    wrong += [name for name in ("wrist_bend_deg", "wrist_twist_deg") if found.get(name, 0.0) > WRIST_DEG]
    wrong += [f"{name}_swing_deg" for name in ("trunk", "head") if f"{name}_swing_deg" in found
              and found[f"{name}_swing_deg"] > max(LEAST_SWING_DEG, SWING_RATIO * found[f"{name}_preset_deg"])]
    return wrong + ["jump_deg"] * (found["jump_deg"] > max(JUMP_DEG, SAME * found.get("preset_jump_deg", 0.0)))


def _loaded_sole(baked: Baked) -> float:
    """The farthest that the lowest skin of a foot which bears weight is from the ground, either way."""
    off = [np.abs(baked.soles[side][baked.loaded[side] > 0.05]).max(initial=0.0) for side in baked.soles]
    return float(max(off))


def wrists(turns: Mapping[str, np.ndarray]) -> dict[str, float]:
    """Largest bend and twist of the hands on the forearms, and twist of the forearms on the upper arms, off rest [degrees]."""
    bend, twist, fore = [0.0], [0.0], [0.0]
    for side in SIDES:
        upper, lower, hand = (turns.get(f"{name}_{side}") for name in ("upper_arm", "forearm", "hand"))
        end = turns.get(f"forearm_end_{side}", lower)
        fore.append(_bend_and_twist(upper, lower)[1])
        if hand is not None:
            for values, value in zip((bend, twist), _bend_and_twist(end, hand), strict=True):
                values.append(value)
    return {"wrist_bend_deg": max(bend), "wrist_twist_deg": max(twist), "forearm_twist_deg": max(fore)}


def _bend_and_twist(parent: np.ndarray, child: np.ndarray) -> tuple[float, float]:
    """Largest angle between the long axes (z) of two segments, and largest turn about that axis [degrees]."""
    q = Rotation.from_matrix(np.swapaxes(parent, 1, 2) @ child).as_quat()
    bend = 2.0 * np.arctan2(np.hypot(q[:, 0], q[:, 1]), np.hypot(q[:, 2], q[:, 3]))
    twist = 2.0 * np.arctan2(q[:, 2], q[:, 3])
    twist = np.abs((twist + np.pi) % (2.0 * np.pi) - np.pi)
    return float(np.degrees(bend.max())), float(np.degrees(twist.max()))


def swings(turns: Mapping[str, np.ndarray]) -> dict[str, float]:
    """How far trunk and head swing from their mean orientation: root mean square of the angle, times the square root of two, the
    amplitude of a pure swing [degrees]."""
    found = {}
    for name, segments in (("trunk", ("chest", "lower_spine", "pelvis")), ("head", ("head",))):
        segment = next((s for s in segments if s in turns), None)
        if segment is not None:
            rotation = Rotation.from_matrix(_unheaded(turns["pelvis"]) @ turns[segment])
            away = (rotation.mean().inv() * rotation).magnitude()
            found[name] = float(np.degrees(np.sqrt(2.0 * np.mean(away**2))))
    return found


def _unheaded(pelvis: np.ndarray) -> np.ndarray:
    """Rotations (T, 3, 3) that take out the slow heading of a pelvis (T, 3, 3): its straight line over the time."""
    heading = np.unwrap(np.arctan2(pelvis[:, 1, 0], pelvis[:, 0, 0]))
    time = np.linspace(-1.0, 1.0, len(heading))
    return Rotation.from_rotvec(np.outer(-np.polyval(np.polyfit(time, heading, 1), time), [0.0, 0.0, 1.0])).as_matrix()


def preset_turns(cycle: Cycle, phases: np.ndarray | None = None) -> dict[str, np.ndarray]:
    """Segment -> orientation (N, 3, 3) of the standard body in a gait as it was captured, at phases (N,), or all round."""
    body = make_body(BodySpec())
    at = np.arange(64) / 64 if phases is None else phases % 1.0
    _, quats = segment_poses(body, *pose(cycle.evaluate(at), body))
    return {segment.name: matrix_from_quat(quats[:, i]) for i, segment in enumerate(body.segments)}


def jumps(turns: Mapping[str, np.ndarray]) -> dict[str, Any]:
    """The largest step of a joint between two frames, and its largest jump, by which a step departs from the one before
    [degrees]; and the joint of each."""
    step, jump = (0.0, "-"), (0.0, "-")
    for segment, relative in _joints(turns).items():
        steps = relative[:-1].inv() * relative[1:]
        step = max(step, (float(np.degrees(steps.magnitude()).max()), segment))
        jump = max(jump, (float(np.degrees((steps[:-1].inv() * steps[1:]).magnitude()).max()), segment))
    return {"step_deg": step[0], "step_joint": step[1], "jump_deg": jump[0], "jump_joint": jump[1]}


def preset_jump(cycle: Cycle, frequency_hz: float, fps: float) -> float:
    """The largest jump [degrees] that a gait itself has at a stride frequency, sampled at a frame rate."""
    frame = frequency_hz / fps
    rows = [_joints(preset_turns(cycle, np.arange(96) / 96 + n * frame)) for n in range(3)]
    worst = 0.0
    for segment, first in rows[0].items():
        steps = [a.inv() * b for a, b in ((first, rows[1][segment]), (rows[1][segment], rows[2][segment]))]
        worst = max(worst, float(np.degrees((steps[0].inv() * steps[1]).magnitude()).max()))
    return worst


def _joints(turns: Mapping[str, np.ndarray]) -> dict[str, Rotation]:
    """Segment -> its rotation on the one that carries it, over time."""
    found = {}
    for segment in turns:
        kind, side = (segment[:-2], segment[-2:]) if segment[-2:] in ("_L", "_R") else (segment, "")
        parent = JOINTS.get(kind)
        while parent is not None and parent + side not in turns and parent not in turns:
            parent = JOINTS.get(parent)
        if parent is not None:
            above = turns.get(parent + side, turns.get(parent))
            found[segment] = Rotation.from_matrix(np.swapaxes(above, 1, 2) @ turns[segment])
    return found
