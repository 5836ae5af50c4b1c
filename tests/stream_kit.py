# SPDX-License-Identifier: GPL-3.0-or-later
"""A source of motion for tests: steps cut out of clips, of which the one is next that is most like what is wished for."""

import math
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np

from follow_kit import BODY, MOTION
from lope.addon.bodies.human.landmarks import SIDES
from lope.addon.locomotion.clip.clip import read_clip
from lope.addon.locomotion.clip.prints import make_prints
from lope.addon.locomotion.clip.schedule import make_schedule
from lope.addon.locomotion.clip.splice import Piece, cut, heading
from lope.addon.locomotion.legged.foot_geometry import FootGeometry
from lope.addon.maths.rotations import quat_conjugate, quat_multiply, rotvec_from_quat
from lope.addon.motions.fragment import Fragment, StreamState, Wish, other_side

STEP_S = 0.6
"""How long a step lasts about, for a rate of turning."""
POSE, SPEED, TURN = 2.0, 1.0, 2.0
"""What a radian of the pose, a metre a second and a radian of turning weigh."""


def fragment_of(piece: Piece, name: str, gait: str) -> Fragment:
    """A piece as a fragment of a stream."""
    clip = piece.clip
    way = np.abs(np.diff(clip.com_m[:, 0] + 1j * clip.com_m[:, 1])).sum()
    turned = math.remainder(float(heading(clip.root_quaternion[-1]) - heading(clip.root_quaternion[0])), math.tau)
    return Fragment(name, gait, clip.body, piece.begins, piece.ends, clip.root_m, clip.root_quaternion, clip.joint_quaternions,
                    tuple(one.stance for side in SIDES for one in piece.prints[side]), float(way) / clip.duration_s, turned)


def mirrored(fragment: Fragment) -> Fragment:
    """The fragment with left and right exchanged, on the same body."""
    names = list(fragment.body.joint_segments)
    order = [names.index(name[:-1] + other_side(name[-1]) if name[-2:] in ("_L", "_R") else name) for name in names]
    flip = np.array([1.0, -1.0, 1.0, -1.0])
    return replace(
        fragment, begins=other_side(fragment.begins), ends=other_side(fragment.ends),
        root_m=fragment.root_m * [1.0, -1.0, 1.0], root_quaternion=fragment.root_quaternion * flip,
        joint_quaternions=fragment.joint_quaternions[:, order] * flip,
        stances=tuple(replace(s, side=other_side(s.side)) for s in fragment.stances), turn_rad=-fragment.turn_rad)


def steps_of(path: Path, gait: str, moving_m_s: float = 0.0) -> list[Fragment]:
    """The steps of a clip from touch-down to touch-down, those of a least speed, and their mirror images."""
    clip = read_clip(path, BODY)
    schedule = make_schedule(clip)
    prints = make_prints(clip, schedule, FootGeometry(BODY, "L"))
    strikes = sorted(s.strike_s for stances in schedule.values() for s in stances if 0.0 < s.strike_s < clip.duration_s)
    found = []
    for i, (a, b) in enumerate(zip(strikes, strikes[1:], strict=False)):
        piece = cut(clip, prints, a, b)
        if piece.begins != piece.ends:
            fragment = fragment_of(piece, f"{Path(path).stem}_{i}", gait)
            if fragment.speed_m_s > moving_m_s:
                found += [fragment, mirrored(fragment)]
    return found


class Steps:
    """Chooses among steps; it begins with the first one."""

    def __init__(self, steps: list[Fragment]) -> None:
        self.steps = steps

    def next(self, state: StreamState, wish: Wish) -> Fragment:
        """See `Source.next`."""
        if state.last is None:
            return self.steps[0]
        last = state.last
        turn = wish.turn_rad if wish.turn_rad is not None else STEP_S * (wish.turn_rad_s or 0.0)
        turn = min(max(turn, -0.8), 0.8)
        speed = last.speed_m_s if wish.speed_m_s is None else wish.speed_m_s

        def cost(step: Fragment) -> float:
            away = rotvec_from_quat(quat_multiply(last.joint_quaternions[-1], quat_conjugate(step.joint_quaternions[0])))
            other = 1.0 if wish.gait is not None and step.gait != wish.gait else 0.0
            return (POSE * float(np.sqrt(np.mean(away**2))) + SPEED * abs(step.speed_m_s - speed)
                    + TURN * abs(step.turn_rad - turn) + other)

        return min((step for step in self.steps if step.begins == state.at), key=cost)


@cache
def captured_steps() -> Steps:
    """Steps of the captured clips that are at hand; none where they are not."""
    named = {"walk": ("snu_walk_normal", "snu_walk_fast", "snu_walk_slow", "snu_walk_left_90", "snu_walk_left_45",
                      "snu_walk_through_left_90", "snu_walk_circle_left"), "march": ("snu_march_soldier",)}
    found = []
    for gait, names in named.items():
        for name in names:
            found += [step for path in MOTION.glob(f"*/{name}.bvh") for step in steps_of(path, gait, 0.35)]
    return Steps(found)
