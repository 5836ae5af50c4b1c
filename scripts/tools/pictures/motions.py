# SPDX-License-Identifier: GPL-3.0-or-later
"""Pictures of simulated motion: the gaits on the Moon, a clip of one's own there, and what a push and a fall look like."""

from __future__ import annotations

from pathlib import Path

from lope.addon.bodies.makers import make_body
from lope.addon.errors import InputError
from lope.addon.motions.library import cycle_from_file
from lope.addon.reports.charts import new_figure
from lope.addon.reports.measures import measure
from lope.addon.simulate import simulate
from lope.addon.specs.shot import BodySpec, Push, Shot
from lope.addon.specs.style import Style
from lope.addon.take import Take
from lope.addon.worlds.planets import load_world

from .sticks import draw_row, of_cycle, of_take

CLIPS = Path(__file__).resolve().parents[2].parent / "shared" / "motion" / "bvh"
"""The clips that the tests use, where they lie beside the project."""
OWN_CLIP = CLIPS / "snu_march_soldier.bvh"
GAITS = {"walk": 16.0, "run": 11.0, "lope": 12.0, "skip": 9.0, "hop": 8.0}
"""Gaits and how long they are simulated [s]: some five strides."""
MOMENTS = 9
STYLES = {
    "as it is": Style(),
    "arm swing 2\ntrunk lean 15°": Style(arm_swing=2.0, trunk_lean_deg=15.0),
    "foot lift 0.12 m\narm swing 0": Style(foot_lift_m=0.12, arm_swing=0.0),
}
FALL_SPEED_M_S, FALL_S = 2.0, 12.0
PUSH = Push(start_s=5.0, duration_s=0.2, force_n=(75.0, 0.0, 0.0))


def gaits_on_the_moon():
    """One stride of every straight gait."""
    figure, axes = new_figure(10.4, 2.3 * len(GAITS), len(GAITS))
    for axis, (gait, seconds) in zip(axes, GAITS.items(), strict=True):
        take = simulate(Shot(world=load_world("moon"), gait=gait, duration_s=seconds))
        draw_row(axis, take.body, of_take(take, MOMENTS), f"{gait}\n{told(take)}")
    return figure


def own_clip():
    """The mean stride of a clip, and the same gait simulated on the Moon."""
    if not OWN_CLIP.is_file():
        raise InputError(f"The clip {OWN_CLIP} is not there; this picture is drawn where the tests' clips are.")
    cycle, body = cycle_from_file(OWN_CLIP), make_body(BodySpec())
    take = simulate(Shot(world=load_world("moon"), motion=str(OWN_CLIP), duration_s=16.0))
    figure, axes = new_figure(10.4, 4.7, 2)
    draw_row(axes[0], body, of_cycle(cycle, body, MOMENTS),
             f"the clip's mean stride\n{cycle.speed_m_s:.2f} m/s\n{cycle.stride_frequency_hz:.2f} strides/s\n"
             f"Fr {cycle.froude:.2f}")
    draw_row(axes[1], take.body, of_take(take, MOMENTS), f"simulated on the Moon\n{told(take)}")
    return figure


def styles():
    """The same walk with its style bent."""
    figure, axes = new_figure(10.4, 2.3 * len(STYLES), len(STYLES))
    for axis, (words, style) in zip(axes, STYLES.items(), strict=True):
        take = simulate(Shot(world=load_world("moon"), duration_s=14.0, style=style))
        draw_row(axis, take.body, of_take(take, MOMENTS), words)
    return figure


def push_and_fall():
    """A push that is stood, and a speed that is not."""
    moon = load_world("moon")
    pushed = simulate(Shot(world=moon, duration_s=14.0, pushes=(PUSH,)))
    fallen = simulate(Shot(world=moon, duration_s=FALL_S, speed_m_s=FALL_SPEED_M_S, force=True))
    figure, axes = new_figure(10.4, 4.7, 2)
    size = PUSH.force_n[0]
    draw_row(axes[0], pushed.body, of_take(pushed, MOMENTS, 1.5, PUSH.start_s),
             f"pushed from behind at 0.00 s\n{size:g} N for {PUSH.duration_s:g} s\n"
             f"{'fell' if pushed.fell else 'goes on'}")
    end = fallen.time_s[-1] if not fallen.fell else fallen.stats["time_fell_s"]
    frequency = fallen.stats["planned_stride_frequency_hz"]
    begin = max(end - 1.0 / frequency, 0.0)
    draw_row(axes[1], fallen.body, of_take(fallen, MOMENTS, (end - begin) * frequency, begin),
             f"walk forced to {FALL_SPEED_M_S:g} m/s\non the Moon\n"
             f"{'fell after' if fallen.fell else 'stood for'} {end:.1f} s")
    return figure


def told(take: Take) -> str:
    """Speed, strides and Froude number as measured."""
    found = measure(take)
    return (f"{found['mean_speed_m_s']:.2f} m/s\n{found['stride_frequency_hz']:.2f} strides/s\n"
            f"{found['mean_speed_m_s'] / found['stride_frequency_hz']:.2f} m a stride\nFr {found['froude']:.2f}")


