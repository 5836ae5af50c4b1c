# SPDX-License-Identifier: GPL-3.0-or-later
"""What the tests of following a clip share: a clip of the built-in walk, and the captured ones where they are at hand."""

from functools import cache
from pathlib import Path
from tempfile import mkdtemp

import pytest

from bvh_writer import Style, walk_poses, write_bvh
from lope.addon.bodies.makers import make_body
from lope.addon.locomotion.clip.clip import FollowedClip, read_clip
from lope.addon.locomotion.clip.clip_plan import ClipPlan, make_plan
from lope.addon.locomotion.clip.settings import PlanSettings
from lope.addon.motions.library import load_gait
from lope.addon.specs.motions.clip import Follow
from lope.addon.specs.shot import EARTH_GRAVITY_M_S2, BodySpec, Shot
from lope.addon.worlds.planets import load_world

MOTION = Path(__file__).resolve().parents[1].parent / "shared" / "motion"
BODY = make_body(BodySpec())
SECONDS = 4.0


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
    return make_plan(walk_read(), EARTH_GRAVITY_M_S2 * walk_read().leg_ratio, PlanSettings())


def captured(name: str) -> Path:
    """A captured clip; the test is skipped where the motion test data is not at hand."""
    found = next(iter(MOTION.glob(f"*/{name}.bvh")), None)
    if found is None:
        pytest.skip(f"{name}.bvh is not at hand: the motion test data lies beside the project, not in it")
    return found


def follow_shot(clip: Path, world: str = "earth", **more) -> Shot:
    """A shot that follows a clip to its end."""
    follow = Follow(str(clip), **{name: more.pop(name) for name in ("time", "stretch", "flight", "repeat") if name in more})
    return Shot(world=load_world(world), follow=follow, controller="follow", until_end=more.pop("until_end", True), **more)
