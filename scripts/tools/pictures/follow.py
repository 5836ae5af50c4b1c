# SPDX-License-Identifier: GPL-3.0-or-later
"""Pictures of followed motions: a clip beside what becomes of it on the Earth and on the Moon."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from lope.addon.bodies.makers import make_body
from lope.addon.controllers.follow.clip import read_clip
from lope.addon.errors import InputError
from lope.addon.reports.charts import new_figure
from lope.addon.reports.flights import flights
from lope.addon.reports.following import CLIP_TIME
from lope.addon.reports.measures import measure
from lope.addon.simulate import simulate
from lope.addon.specs.follow import FOLLOWERS, Follow
from lope.addon.specs.shot import BodySpec, Shot
from lope.addon.take import Take
from lope.addon.worlds.planets import load_world

from .motions import CLIPS
from .sticks import Moment, draw_row

TURN = CLIPS / "snu_walk_left_90.bvh"
JUMP = CLIPS.parent / "jumps" / "snu_jump_up_twice.bvh"
PLANETS = ("moon", "mars", "earth", "jupiter")
FIRST_S, LAST_S, MOMENTS = 1.4, 4.4, 9
"""The part of the clip that is shown: it walks, turns left and walks on."""


def follow():
    """A walk that turns left: the clip, and the body that follows it on two worlds, at the same moments of the clip."""
    if not TURN.is_file():
        raise InputError(f"The clip {TURN} is not there; this picture is drawn where the tests' clips are.")
    body = make_body(BodySpec())
    clip = read_clip(TURN, body)
    positions, orientations = clip.poses()
    times = np.linspace(FIRST_S, LAST_S, MOMENTS)
    rows = np.searchsorted(clip.times_s, times)
    low = np.array([0.0, 0.0, positions[:, [body.index["foot_L"], body.index["foot_R"]], 2].min() + body.sole_height_m])
    figure, axes = new_figure(10.4, 7.2, 3)
    draw_row(axes[0], body, [Moment(positions[i] - low, orientations[i], f"{time:.1f} s")
                             for i, time in zip(rows, times, strict=True)], "the clip,\nwalks and turns\n90 degrees left")
    for axis, world in zip(axes[1:], ("earth", "moon"), strict=True):
        take = simulate(Shot(world=load_world(world), follow=Follow(str(TURN)), controller=FOLLOWERS[0], until_end=True))
        draw_row(axis, take.body, moments(take, times), f"{world.title()}\n{told(take)}")
    return figure


def jump():
    """A jump with both arms thrown up, as high as in the clip on four planets: from the crouch to the landing."""
    if not JUMP.is_file():
        raise InputError(f"The clip {JUMP} is not there; this picture is drawn where the tests' clips are.")
    figure, axes = new_figure(10.4, 2.5 * len(PLANETS), len(PLANETS))
    for axis, world in zip(axes, PLANETS, strict=True):
        follow = Follow(str(JUMP), flight="height")
        take = simulate(Shot(world=load_world(world), follow=follow, controller=FOLLOWERS[0], until_end=True))
        first = flights(take)[0]
        times = np.linspace(first.start_s - 0.7 * first.duration_s, first.end_s + 0.7 * first.duration_s, MOMENTS)
        positions, orientations = take.segment_poses
        rows = np.searchsorted(take.time_s, times)
        rise = float(take.com_m[:, 2].max() - take.com_m[0, 2])
        draw_row(axis, take.body, [Moment(positions[i], orientations[i], f"{time - first.start_s:+.2f} s")
                                   for i, time in zip(rows, times, strict=True)],
                 f"{world.title()}\n{first.duration_s:.2f} s in the air\n{rise:.2f} m up\n{first.off_m_s:.2f} m/s off")
        axis.set(ylim=(-0.28, 2.35))
    return figure


def moments(take: Take, clip_times_s: Sequence[float]) -> list[Moment]:
    """What a take shows at times of its clip, with the times of the take."""
    positions, orientations = take.segment_poses
    rows = [int(np.searchsorted(take.channels[CLIP_TIME].values, time)) for time in clip_times_s]
    rows = [min(row, len(take.time_s) - 1) for row in rows]
    return [Moment(positions[i], orientations[i], f"{take.time_s[i]:.1f} s") for i in rows]


def told(take: Take) -> str:
    """How long it lasts there, and how well the clip is followed."""
    found = measure(take)
    return (f"{found['duration_s']:.1f} s in all\njoints {found['joint_error_rms_deg']:.1f}° off\n"
            f"{100.0 * found['followed_fraction']:.0f} % followed")
