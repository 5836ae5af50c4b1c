# SPDX-License-Identifier: GPL-3.0-or-later
"""Three links fixed at the shoulder, moving, hit by a ball and coming back: the first figure of Yin 2007, chapter 5.

    python scripts/tools/three_link_arm.py [--speed 3] [--picture FILE.png]

Says how far the arm comes off its motion, when it is back within 5 degrees, and how far it is off without a ball.
"""

from __future__ import annotations

from lope.scripts.tools.common import parser_of

# isort: split
import math
import sys
from pathlib import Path

import numpy as np

from lope.addon.bodies.body import Body, Segment
from lope.addon.bodies.model import build_model
from lope.addon.bodies.state import BodyState
from lope.addon.engines.engine import Rails
from lope.addon.engines.mujoco_engine import MujocoEngine
from lope.addon.files import written_whole
from lope.addon.locomotion.hit.rails import RailsLaw, RailsMotion, RailsSettings
from lope.addon.reports.plots import new_figure
from lope.addon.specs.disturbances import LooseObject
from lope.addon.specs.shot import World

LINKS = (("upper", 0.30, 2.1), ("fore", 0.26, 1.2), ("hand", 0.18, 0.45))
"""Names, lengths [m] and masses [kg]."""
SECONDS, STEP_S, HIT_S, FLIES_S = 3.0, 0.001, 0.8, 0.15
SHOULDER_M = 1.4
BACK_DEG = 5.0


def arm() -> Body:
    """A shoulder and three links that hang from it, each on a hinge about the leftward axis."""
    segments, parent, down = [_link("shoulder", None, 0.0, 0.1, 5.0)], "shoulder", 0.0
    for name, length, mass in LINKS:
        segments.append(_link(name, parent, down, length, mass))
        parent, down = name, length
    return Body(segments, kind="arm")


def _link(name: str, parent: str | None, down: float, length: float, mass: float) -> Segment:
    tip = np.array([0.0, 0.0, -length])
    inertia = mass * length**2 / 12.0 * np.diag([1.0, 1.0, 0.1])
    hinge = parent is not None
    return Segment(name, parent, "hinge" if hinge else "free", np.array([0.0, 0.0, -down]), tip, mass, 0.5 * tip, inertia,
                   np.array([0.0, 1.0, 0.0]) if hinge else None, (-3.0, 3.0) if hinge else None)


def motion() -> tuple[np.ndarray, np.ndarray]:
    """Times (N,) [s] and coordinates (N, 10): the arm swings to and fro, its elbow bent."""
    times = np.arange(0.0, SECONDS + 1e-9, 1.0 / 60.0)
    turn = 2.0 * math.pi * 0.5 * times
    joints = np.stack([-0.3 + 0.4 * np.sin(turn), -0.7 + 0.3 * np.cos(turn), 0.2 * np.sin(turn)], axis=1)
    root = np.tile([0.0, 0.0, SHOULDER_M, 1.0, 0.0, 0.0, 0.0], (len(times), 1))
    return times, np.hstack([root, joints])


def run(speed_m_s: float | None) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Times (T,), how far each joint is from the motion (T, 3) [rad], coordinates (T, 10), and the ball's middle (T, 3): with a
    ball from ahead at the middle of the forearm, or, with no speed, without."""
    body, world = arm(), World()
    state = BodyState(body, build_model(body, world))
    played = RailsMotion(state, *motion(), STEP_S)
    law = RailsLaw(BodyState(body, state.model), played, played.gains(RailsSettings()))
    balls = ()
    if speed_m_s is not None:
        state.update(played.at(round(HIT_S / STEP_S)).qpos, np.zeros(state.model.nv))
        velocity = np.array([-speed_m_s, 0.0, 0.0]) - FLIES_S * state.gravity
        place = (state.data.xipos[state.model.body("fore").id] + (0.12, 0.0, 0.0)
                 - FLIES_S * velocity - 0.5 * FLIES_S**2 * state.gravity)
        balls = (LooseObject("ball", "sphere", (0.2, 0.2, 0.2), mass_kg=4.19, place_m=tuple(place.tolist()),
                             velocity_m_s=tuple(velocity.tolist()), release_s=HIT_S - FLIES_S),)
    engine = MujocoEngine(body, world, objects=balls, rails=Rails())
    engine.reset(played.at(0).qpos, played.at(0).qvel)
    off, poses, ball = [], [], []
    steps = round(SECONDS / STEP_S)
    for step in range(steps):
        off.append(law.off_rad(step, engine.qpos))
        poses.append(engine.qpos.copy())
        ball.append(engine.object_pose[0, :3].copy() if balls else np.full(3, np.nan))
        engine.apply(law.command(step, engine.qpos, engine.qvel), STEP_S)
    return STEP_S * np.arange(steps), np.array(off), np.array(poses), np.array(ball)


def places(pose: np.ndarray) -> np.ndarray:
    """Shoulder, elbow, wrist and finger tips (4, 2) [m] ahead and up of a pose (10,)."""
    found, angle = [np.array([pose[0], pose[2]])], 0.0
    for (_, length, _), joint in zip(LINKS, pose[7:], strict=True):
        angle += joint
        found.append(found[-1] - length * np.array([math.sin(angle), math.cos(angle)]))
    return np.array(found)


def main() -> int:
    """Run it with a ball and without; exit code 1 where it is not back at the end."""
    parser = parser_of(__doc__)
    parser.add_argument("--speed", type=float, default=3.0)
    parser.add_argument("--picture", type=Path)
    args = parser.parse_args()
    free = np.degrees(np.abs(run(None)[1])).max()
    times, off, poses, ball = run(args.speed)
    most = np.degrees(np.abs(off)).max(axis=1)
    late = times[(most > BACK_DEG) & (times > HIT_S)]
    back = late.max() - HIT_S if len(late) else 0.0
    print(f"without a ball {free:.6f} deg off; with one at {args.speed:g} m/s {most.max():.1f} deg, back after {back:.2f} s")
    if args.picture is not None:
        draw(args.picture, times, poses, ball)
    return int(most[-1] > BACK_DEG)


def draw(path: Path, times: np.ndarray, poses: np.ndarray, ball: np.ndarray) -> None:
    """The arm at ten moments around the hit, and where its motion has it."""
    figure, axes = new_figure(22.0, 3.2, 1, 1)
    axis = np.ravel(axes)[0]
    state = BodyState(arm(), build_model(arm(), World()))
    played = RailsMotion(state, *motion(), STEP_S)
    for i, since in enumerate((-0.1, 0.0, 0.03, 0.06, 0.1, 0.15, 0.2, 0.3, 0.5, 0.9)):
        row = min(round((HIT_S + since) / STEP_S), len(times) - 1)
        for pose, colour, width in ((played.at(row).qpos, "#bbbbbb", 2.0), (poses[row], "#c1440e", 3.5)):
            way = places(pose)
            axis.plot(way[:, 0] + i, way[:, 1], color=colour, linewidth=width, solid_capstyle="round")
        if abs(ball[row, 0]) < 0.75:
            turn = np.linspace(0.0, 2.0 * math.pi, 40)
            axis.plot(ball[row, 0] + i + 0.1 * np.cos(turn), ball[row, 2] + 0.1 * np.sin(turn), color="#118833")
        axis.text(i, 0.5, f"{since:+.2f} s", ha="center")
    axis.set(aspect="equal", ylim=(0.45, 1.55))
    axis.set_axis_off()
    with written_whole(path, "picture") as partial:
        figure.savefig(partial, dpi=80)


if __name__ == "__main__":
    sys.exit(main())
