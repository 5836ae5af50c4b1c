# SPDX-License-Identifier: GPL-3.0-or-later
"""Shared by tests of following a clip: a clip of the built-in walk, a made hop, and captured ones where they are at hand."""

from dataclasses import replace
from functools import cache
from pathlib import Path
from tempfile import mkdtemp

import numpy as np
import pytest

from bvh_writer import Style, walk_poses, write_bvh
from lope.addon.bodies.makers import make_body
from lope.addon.locomotion.clip.clip import FollowedClip, read_clip
from lope.addon.locomotion.clip.clip_plan import ClipPlan, ClipSteps, make_plan
from lope.addon.locomotion.clip.settings import PlanSettings
from lope.addon.motions.library import load_gait
from lope.addon.motions.strides import Contact
from lope.addon.specs.motions import Clip
from lope.addon.specs.shot import EARTH_GRAVITY_M_S2, BodySpec, Shot
from lope.addon.worlds.planets import load_world
from shot_kit import shot_with

MOTION = Path(__file__).resolve().parents[1].parent / "shared" / "motion"
BODY = make_body(BodySpec())
SECONDS = 4.0
START_S, END_S, RISE_M, WAY_M = 1.0, 1.4, 0.2, 0.5
"""A hop's take-off and landing, its height and way."""
PUSH_M_S2 = 10.0
NAN = float("nan")


@cache
def walk_clip() -> Path:
    """A BVH file of the built-in walk, which begins and ends in mid stride."""
    return write_bvh(Path(mkdtemp()) / "walk.bvh", *walk_poses(load_gait("walk"), SECONDS, 60.0), Style())


@cache
def walk_read() -> FollowedClip:
    """That clip on the standard body."""
    return read_clip(walk_clip(), BODY)


@cache
def walk_plan() -> ClipPlan:
    """Its plan on Earth."""
    return make_plan(ClipSteps.of(walk_read()), EARTH_GRAVITY_M_S2 * walk_read().leg_ratio, PlanSettings())


def captured(name: str) -> Path:
    """A captured clip; the test is skipped where the motion test data is not at hand."""
    found = next(iter(MOTION.glob(f"*/{name}.bvh")), None)
    if found is None:
        pytest.skip(f"{name}.bvh is not at hand: the motion test data lies beside the project, not in it")
    return found


def follow_shot(clip: Path, world: str = "earth", **more) -> Shot:
    """A shot that follows a clip to its end."""
    return shot_with(Clip(str(clip), until_end=True), world=load_world(world), **more)


def hop() -> FollowedClip:
    """A body as stiff as the walk's first frame that hops once, forward; its mass alone crouches before and after."""
    clip = walk_read()
    times = clip.times_s
    share = np.clip((times - START_S) / (END_S - START_S), 0.0, 1.0)
    off = np.maximum(START_S - times, times - END_S)  # from the take-off back, and from the landing on
    speed = 4.0 * RISE_M / (END_S - START_S)
    off = np.clip(off, 0.0, speed / PUSH_M_S2)
    bob = (0.5 * PUSH_M_S2 * off**2 - speed * off)[:, None] * [0.0, 0.0, 1.0]
    moved = np.zeros((len(times), 3))
    moved[:, 0], moved[:, 2] = WAY_M * share, 4.0 * RISE_M * share * (1.0 - share)
    still = {name: np.repeat(getattr(clip, name)[:1], len(times), axis=0) for name in (
        "root_m", "root_quaternion", "joint_quaternions", "com_m", "ankle_m", "foot_quaternion", "foot_yaw", "foot_pitch")}
    stances = (NAN, NAN, START_S, START_S), (END_S, END_S, NAN, NAN)
    contacts = tuple(Contact(side, *stance) for stance in stances for side in "LR")
    return replace(clip, **{**still, "root_m": still["root_m"] + moved, "com_m": still["com_m"] + moved + bob,
                            "ankle_m": still["ankle_m"] + moved[:, None]}, contacts=contacts)
