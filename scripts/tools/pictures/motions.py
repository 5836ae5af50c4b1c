# SPDX-License-Identifier: GPL-3.0-or-later
"""Pictures of motions as strips: gaits, clips, moves, falls, hits, reflex walkers."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from lope.addon.bodies.body import Body
from lope.addon.bodies.kinematics import segment_poses
from lope.addon.bodies.makers import make_body
from lope.addon.errors import InputError
from lope.addon.locomotion.clip.clip import read_clip
from lope.addon.locomotion.clip.moves.source import LibrarySource
from lope.addon.locomotion.reflex.walkers import load_walker, walker_names
from lope.addon.maths.rotations import matrix_from_quat, quat_multiply, quat_rotate
from lope.addon.motions.fragment import RATE_HZ, StreamState, Wish
from lope.addon.motions.library import cycle_from_file
from lope.addon.reports.feet import flights
from lope.addon.reports.following import CLIP_TIME
from lope.addon.reports.measures import measure
from lope.addon.reports.plots import new_figure
from lope.addon.sim.simulation import simulate
from lope.addon.sim.take import Take
from lope.addon.specs.disturbances import BALL, Hit, punch
from lope.addon.specs.motion import Style
from lope.addon.specs.motions import Clip, Gait, Reflex, Stand
from lope.addon.specs.shot import EARTH_GRAVITY_M_S2, BodySpec, Push, Shot, World
from lope.addon.worlds.planets import load_world
from lope.scripts.tools.common import CLIPS

from .figures import LYING_APART_M, Moment, draw_lying, draw_row, of_cycle, of_take

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
        take = simulate(Shot(motion=Gait(gait), world=load_world("moon"), duration_s=seconds))
        draw_row(axis, take.body, of_take(take, MOMENTS), f"{gait}\n{told(take)}")
    return figure


def own_clip():
    """The mean stride of a clip, and the same gait simulated on the Moon."""
    if not OWN_CLIP.is_file():
        raise InputError(f"The clip {OWN_CLIP} is not there; this picture is drawn where the tests' clips are.")
    cycle, body = cycle_from_file(OWN_CLIP), make_body(BodySpec())
    take = simulate(Shot(motion=Gait(file=str(OWN_CLIP)), world=load_world("moon"), duration_s=16.0))
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
        take = simulate(Shot(motion=Gait(style=style), world=load_world("moon"), duration_s=14.0))
        draw_row(axis, take.body, of_take(take, MOMENTS), words)
    return figure


def push_and_fall():
    """A push that is stood, and a speed that is not."""
    moon = load_world("moon")
    pushed = simulate(Shot(world=moon, duration_s=14.0, pushes=(PUSH,)))
    fallen = simulate(Shot(motion=Gait(speed_m_s=FALL_SPEED_M_S, force=True), world=moon, duration_s=FALL_S))
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


MOVE_MOMENTS = 11
MOVE_ROWS = (
    ("walk at\n0.5 m/s", (Wish(speed_m_s=0.5), 5), (Wish(speed_m_s=0.5), 2)),
    ("walk at\n1.9 m/s", (Wish(speed_m_s=1.9), 8), (Wish(speed_m_s=1.9), 4)),
    ("turn left\nby 90 degrees", (Wish(speed_m_s=1.1), 4), (Wish(speed_m_s=1.1, turn_rad=0.5 * math.pi), 4)),
    ("turn left\nby 120 degrees,\na blend", (Wish(speed_m_s=1.1), 4), (Wish(speed_m_s=1.1, turn_rad=math.radians(120.0)), 4)),
    ("stop", (Wish(speed_m_s=1.0), 5), (Wish(speed_m_s=0.0), 3)),
    ("turn right on\nthe spot", (Wish(), 1), (Wish(gait="stand", turn_rad=-2.2), 4)),
    ("march", (Wish(gait="march"), 4), (Wish(gait="march"), 3)),
    ("from a march\ninto a run", (Wish(gait="march"), 4), (Wish(gait="run"), 6)),
)
"""What is said of a row, the wish before it and for how many fragments, and the wish that it shows."""


def moves():
    """Rows of figures: walks, turns, a stop, a turn on the spot, a march, and how it becomes a run."""
    body = make_body(BodySpec())
    figure, axes = new_figure(11.0, 2.2 * len(MOVE_ROWS), len(MOVE_ROWS))
    for axis, (label, before, shown) in zip(axes, MOVE_ROWS, strict=True):
        draw_row(axis, body, played(body, before, shown), label)
    return figure


def played(body: Body, before: tuple[Wish, int], shown: tuple[Wish, int]) -> list[Moment]:
    """Moments of the fragments that answer the second wish, laid one behind the other, the first facing right."""
    source, state = LibrarySource(body), StreamState(None)
    for _ in range(before[1]):
        state = StreamState(source.next(state, before[0]))
    wish, laid = shown[0], []
    for _ in range(shown[1]):
        fragment = source.next(state, wish)
        laid.append(_laid(laid, fragment.root_m, fragment.root_quaternion, fragment.joint_quaternions))
        state = StreamState(fragment)
        if wish.turn_rad is not None:
            wish = Wish(wish.speed_m_s, None, wish.turn_rad - fragment.turn_rad, wish.gait)
    root, quats, joints = (np.concatenate(parts) for parts in zip(*laid, strict=True))
    rows = np.linspace(0, len(root) - 1, MOVE_MOMENTS).astype(int)
    positions, orientations = segment_poses(body, root[rows], quats[rows], joints[rows])
    return [Moment(p, q, f"{row / RATE_HZ:.1f} s") for p, q, row in zip(positions, orientations, rows, strict=True)]


def _laid(before: Sequence[tuple[np.ndarray, np.ndarray, np.ndarray]], root: np.ndarray, quats: np.ndarray,
          joints: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """A fragment laid where the last one ends."""
    to, place = (_yaw(before[-1][1][-1]), before[-1][0][-1]) if before else (0.0, np.zeros(3))
    angle = 0.5 * (to - _yaw(quats[0]))
    turn = np.array([math.cos(angle), 0.0, 0.0, math.sin(angle)])
    turned = quat_rotate(turn, root)
    return turned + (place - turned[0]) * [1.0, 1.0, 0.0], quat_multiply(turn, quats), joints


def _yaw(quat: np.ndarray) -> float:
    forward = matrix_from_quat(quat)[:, 0]
    return math.atan2(forward[1], forward[0])


TURN = CLIPS / "snu_walk_left_90.bvh"
JUMP = CLIPS.parent / "jumps" / "snu_jump_up_twice.bvh"
PLANETS = ("moon", "mars", "earth", "jupiter")
FIRST_S, LAST_S, CLIP_MOMENTS = 1.4, 4.4, 9
"""The part of the clip that is shown: it walks, turns left and walks on."""


def follow():
    """A walk that turns left: the clip, and the body that follows it on two worlds, at the same moments of the clip."""
    if not TURN.is_file():
        raise InputError(f"The clip {TURN} is not there; this picture is drawn where the tests' clips are.")
    body = make_body(BodySpec())
    clip = read_clip(TURN, body)
    positions, orientations = clip.poses()
    times = np.linspace(FIRST_S, LAST_S, CLIP_MOMENTS)
    rows = np.searchsorted(clip.times_s, times)
    low = np.array([0.0, 0.0, positions[:, [body.index["foot_L"], body.index["foot_R"]], 2].min() + body.sole_height_m])
    figure, axes = new_figure(10.4, 7.2, 3)
    draw_row(axes[0], body, [Moment(positions[i] - low, orientations[i], f"{time:.1f} s")
                             for i, time in zip(rows, times, strict=True)], "the clip,\nwalks and turns\n90 degrees left")
    for axis, world in zip(axes[1:], ("earth", "moon"), strict=True):
        take = simulate(Shot(motion=Clip(str(TURN), until_end=True), world=load_world(world)))
        draw_row(axis, take.body, moments(take, times), f"{world.title()}\n{followed(take)}")
    return figure


def jump():
    """A jump with both arms thrown up, as high as in the clip on four planets: from the crouch to the landing."""
    if not JUMP.is_file():
        raise InputError(f"The clip {JUMP} is not there; this picture is drawn where the tests' clips are.")
    figure, axes = new_figure(10.4, 2.5 * len(PLANETS), len(PLANETS))
    for axis, world in zip(axes, PLANETS, strict=True):
        take = simulate(Shot(world=load_world(world), motion=Clip(str(JUMP), flight="height", until_end=True)))
        first = flights(take)[0]
        times = np.linspace(first.start_s - 0.7 * first.duration_s, first.end_s + 0.7 * first.duration_s, CLIP_MOMENTS)
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


def followed(take: Take) -> str:
    """How long it lasts there, and how well the clip is followed."""
    found = measure(take)
    return (f"{found['duration_s']:.1f} s in all\njoints {found['joint_error_rms_deg']:.1f}° off\n"
            f"{100.0 * found['followed_fraction']:.0f} % followed")


PUSH_M_S2, PUSH_S, PUSHED_S = 6.0, 0.3, 1.5
FALLS = (("walk", "earth", (-1.0, 0.0), 0, (-0.3, 0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 1.5)),
        ("run", "earth", (1.0, 0.0), 0, (-0.3, 0.0, 0.1, 0.2, 0.3, 0.4, 0.65, 2.0)),
        ("walk", "moon", (0.0, 1.0), 1, (-0.6, 0.0, 0.3, 0.6, 1.0, 1.6, 2.0, 4.0)))
"""Gait, world, direction of the push, seen along y (0) or x (1), and the moments since it let go [s]."""
NAMES = {(-1.0, 0.0): "backwards", (1.0, 0.0): "forwards", (0.0, 1.0): "to the left"}


def limp():
    """Three falls, to rest."""
    figure, axes = new_figure(11.0, 5.6, len(FALLS))
    for axis, (gait, world, way, across, times) in zip(axes, FALLS, strict=True):
        force = tuple(PUSH_M_S2 * BodySpec().mass_kg * part for part in (*way, 0.0))
        take = simulate(
            Shot(
                motion=Gait(gait),
                world=load_world(world),
                duration_s=6.0,
                pushes=(Push(PUSHED_S, PUSH_S, force),),
                after_fall="limp",
            )
        )
        fell = take.stats["time_fell_s"]
        rows = np.searchsorted(take.time_s, fell + np.array(times)).clip(max=len(take.time_s) - 1)
        draw_lying(axis, take, rows, across, fell)
        rest = take.stats["time_rest_s"] - fell
        axis.text(-1.2, 0.9, f"{gait}, {world.title()}\npushed {NAMES[way]}\nstill after {rest:.1f} s", ha="right", va="center",
                  fontsize=9)
        axis.set(xlim=(-4.6, axis.get_xlim()[1]))
    return figure


HIT_S = 1.5
BALL_COLOUR = "#c8641e"
FROM_AHEAD = (-1.0, 0.0, 0.0)
HITS = (
    ("a ball at the arm, Earth", "earth", (Hit(HIT_S, "forearm_L", 4.19, 6.0, FROM_AHEAD),),
     (-0.1, 0.0, 0.05, 0.1, 0.2, 0.35, 0.6, 1.0)),
    ("a ball at the chest, Earth", "earth", (Hit(HIT_S, "chest", 4.19, 6.0, FROM_AHEAD),),
     (-0.1, 0.0, 0.1, 0.25, 0.4, 0.6, 1.0, 2.0)),
    ("a jab, the Moon", "moon", (punch(HIT_S, "head", 12.0, FROM_AHEAD),), (-0.1, 0.05, 0.2, 0.5, 0.9, 1.4, 2.0, 4.0)),
)
"""What is said, the world, the hits, and the moments since [s]."""


def hits():
    """Three who stand and are hit, from the side."""
    figure, axes = new_figure(11.0, 5.2, len(HITS))
    for axis, (words, world, hit, times) in zip(axes, HITS, strict=True):
        shot = Shot(motion=Stand(), world=load_world(world), duration_s=HIT_S + times[-1] + 0.1, hits=hit)
        take = simulate(shot)
        rows = np.searchsorted(take.time_s, HIT_S + np.array(times)).clip(max=len(take.time_s) - 1)
        draw_lying(axis, take, rows, 0, HIT_S)
        for k, row in enumerate(rows):
            for i, one in enumerate(take.shot.loose):
                x, _, z = take.object_pose[row, i, :3]
                if hit[i].kind == BALL and abs(x - take.root_position_m[row, 0]) < 0.6 * LYING_APART_M:
                    axis.add_patch(_ball(k * LYING_APART_M + x - take.root_position_m[row, 0], z, one.size_m[0] / 2.0))
        axis.text(-1.2, 0.9, words.replace(", ", ",\n"), ha="right", va="center", fontsize=9)
        axis.set(xlim=(-3.6, axis.get_xlim()[1]))
    return figure


def _ball(x: float, z: float, radius: float):
    from matplotlib.patches import Circle

    return Circle((x, z), radius, facecolor=BALL_COLOUR, edgecolor="black", linewidth=0.4, zorder=3)


STRIDES = 5.0
"""How many strides are simulated."""


def reflex():
    """One stride of every walker, under the gravity that it was searched for."""
    walkers = sorted(map(load_walker, walker_names()), key=lambda one: (-one.gravity_m_s2, one.speed_m_s))
    figure, axes = new_figure(10.4, 2.3 * len(walkers), len(walkers))
    for axis, walker in zip(axes, walkers, strict=True):
        world = World("earth" if walker.gravity_m_s2 == EARTH_GRAVITY_M_S2 else "custom", walker.gravity_m_s2)
        take = simulate(Shot(motion=Reflex(walker), world=world, duration_s=STRIDES / walker.stride_frequency_hz))
        draw_row(axis, take.body, of_take(take, MOMENTS), f"{walker.name}\n{told(take)}")
    return figure
