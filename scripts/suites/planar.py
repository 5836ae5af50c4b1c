# SPDX-License-Identifier: GPL-3.0-or-later
"""What the planar body and its twelve printed gaits do (docs/notes/planar.md): Yin 2007, rows L1 to L6.

    scripts/check planar [SECTION ...] [--seconds 60] [--gaits NAME ...]

Sections: gaits, mujoco, pushes, skip, planets, torque, steps, slopes, speed; all of them where none is named. A line for each
measurement, with what must be; exit code 1 where one is not met.
"""

from __future__ import annotations

import argparse
import math
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from lope.addon.gaits.pose_gaits import PLANAR, load_pose_gait, pose_gait_names
from lope.addon.sim.simulation import Simulation
from lope.addon.specs.path import GroundSpec
from lope.addon.specs.shot import EARTH_GRAVITY_M_S2, PLANAR_MASS_KG, BodySpec, Push, Shot, World
from lope.addon.worlds.planets import load_world

PRINTED = ("walk", "in_place", "fast_walk", "high_step", "half_bent", "bent", "crouch", "scissor_hop", "backwards", "fast_run",
           "run", "skipping")
FRICTION = 0.65
"""The thesis's, section 7.3.1."""
PLANETS = ("earth", "moon", "mars", "neptune", "jupiter")
PUSHES, EVERY_S, PUSH_S = 10, 5.0, 0.1
WALK_PUSH_N, SKIP_PUSH_N = (600.0, -500.0), (40.0, -50.0)
LIMITS_NM = {"walk": 90.0, "fast_run": 1000.0}
OTHER_LIMIT_NM = 370.0
STEP_DOWN_M, STEPS_APART_M, SLOPE_DEG = 0.2, 3.0, 6.0


@dataclass
class Ran:
    """What came of a shot: when it fell [s], how long it went [s], its speed [m/s] in the second half, the time of a step [s],
    CPU seconds."""

    fell_s: float | None
    time_s: float
    speed_m_s: float
    step_s: float
    cpu_s: float
    down_m: float

    @property
    def stands(self) -> bool:
        """Whether it neither fell nor was lost."""
        return self.fell_s is None

    @property
    def words(self) -> str:
        """In a few words."""
        if not self.stands:
            return f"fell at {self.fell_s:.1f} s"
        return f"stands {self.time_s:.0f} s, {self.speed_m_s:.3f} m/s, a step {self.step_s:.4f} s"


class Check:
    """Prints what is measured and counts what is not met."""

    missed = 0

    def say(self, what: str, found: str, met: bool) -> None:
        """One line."""
        self.missed += not met
        print(f"{'ok ' if met else 'NOT'}  {what:34} {found}", flush=True)


def ran(gait: str, seconds: float, engine: str = "springs", world: World | None = None, **values: Any) -> Ran:
    """Simulate a gait of the planar body from its stored start."""
    world = replace(world or load_world("earth"), friction=FRICTION)
    shot = Shot(body=BodySpec(kind=PLANAR, mass_kg=PLANAR_MASS_KG), pose_gait=load_pose_gait(gait, PLANAR),
                controller="pose_gait", start="standing", engine=engine, duration_s=seconds, world=world, **values)
    simulation, half, began = Simulation(shot), (0.0, 0.0), time.process_time()
    try:
        while not simulation.over:
            simulation.step()
            if simulation.time_s <= 0.5 * seconds:
                half = simulation.time_s, float(simulation.state.qpos[0])
        cpu, went, here = time.process_time() - began, simulation.time_s, simulation.state.qpos
        fell = simulation.time_fell_s if simulation.lost is None else went
        speed = (float(here[0]) - half[1]) / max(went - half[0], 1e-9)
        down = float(simulation.state.ground.height(float(here[0]), 0.0))
        return Ran(fell, went, speed, simulation.controller.machine.step_s or math.nan, cpu, down)
    finally:
        simulation.close()


def pushed(force_n: float) -> tuple[Push, ...]:
    """Ten pushes at the top of the trunk, one every five seconds."""
    return tuple(Push(EVERY_S * (i + 1), PUSH_S, (force_n, 0.0, 0.0)) for i in range(PUSHES))


def gaits(check: Check, args: argparse.Namespace, engine: str = "springs", least: int = len(PRINTED)) -> None:
    """L1: the printed gaits from their stored starts."""
    stood = 0
    for name in args.gaits:
        found = ran(name, args.seconds, engine)
        stood += found.stands
        check.say(f"{name} on {engine}", found.words, found.stands or least < len(PRINTED))
        if name == "walk":
            check.say("its speed and step, 1.0 and 0.36", found.words,
                      abs(found.speed_m_s - 1.0) < 0.05 and abs(found.step_s / 0.36 - 1.0) < 0.05)
    must = min(least, len(args.gaits))
    check.say(f"gaits on {engine}", f"{stood} of {len(args.gaits)} stand, {must} must", stood >= must)


def mujoco(check: Check, args: argparse.Namespace) -> None:
    """The same on MuJoCo's ground."""
    gaits(check, args, "mujoco", 10)


def pushes(check: Check, args: argparse.Namespace, gait: str = "walk", forces: tuple[float, ...] = WALK_PUSH_N) -> None:
    """L2: ten pushes of 0.1 s at the walk."""
    for force in forces:
        found = ran(gait, EVERY_S * (PUSHES + 1) + 5.0, pushes=pushed(force))
        check.say(f"{gait}, ten pushes of {force:.0f} N", found.words, found.stands)


def skip(check: Check, args: argparse.Namespace) -> None:
    """L3: the same at skipping."""
    pushes(check, args, "skipping", SKIP_PUSH_N)


def planets(check: Check, args: argparse.Namespace) -> None:
    """Row 2: the walk is similar on five planets."""
    earth = None
    for name in PLANETS:
        world = load_world(name)
        slow = math.sqrt(EARTH_GRAVITY_M_S2 / world.gravity_m_s2)
        found = ran("walk", 0.5 * args.seconds * slow, world=world)
        speed, step = found.speed_m_s * slow, found.step_s / slow
        earth = earth or (speed, step)
        off = 100.0 * (speed / earth[0] - 1.0), 100.0 * (step / earth[1] - 1.0)
        check.say(f"walk on {name}", f"{found.words}; off Earth's by {off[0]:+.2f} % and {off[1]:+.2f} %",
                  found.stands and max(map(abs, off)) < 1.0)


def torque(check: Check, args: argparse.Namespace) -> None:
    """L5: torque limits."""
    for name in args.gaits:
        most = LIMITS_NM.get(name, OTHER_LIMIT_NM)
        found = ran(name, 0.5 * args.seconds, gains={"planar": {"strongest": most}})
        check.say(f"{name} with {most:.0f} N m at most", found.words, found.stands)


def steps(check: Check, args: argparse.Namespace) -> None:
    """L4: unseen steps down."""
    for apart in (STEPS_APART_M, 1.1 * STEPS_APART_M, 1.2 * STEPS_APART_M):
        ground = GroundSpec("steps", rise_m=-STEP_DOWN_M, run_m=apart)
        found = ran("walk", 0.5 * args.seconds, world=World(ground=ground))
        check.say(f"walk, 20 cm down every {apart:.1f} m", f"{found.words}, down {-found.down_m:.1f} m", found.stands)


def slopes(check: Check, args: argparse.Namespace) -> None:
    """L4: slopes."""
    for slope in (SLOPE_DEG, -SLOPE_DEG):
        found = ran("walk", 0.5 * args.seconds, world=World(ground=GroundSpec("slope", slope_deg=slope)))
        check.say(f"walk on {slope:+.0f} degrees", found.words, found.stands)


def speed(check: Check, args: argparse.Namespace) -> None:
    """L6: simulated seconds a CPU second, 5 on the thesis's machine."""
    for engine in ("springs", "mujoco"):
        found = ran("walk", 10.0, engine)
        rate = found.time_s / found.cpu_s
        check.say(f"speed on {engine}", f"{rate:.1f} s a CPU second", rate > 5.0)


SECTIONS: dict[str, Callable[[Check, argparse.Namespace], None]] = {
    "gaits": gaits, "mujoco": mujoco, "pushes": pushes, "skip": skip, "planets": planets, "torque": torque, "steps": steps,
    "slopes": slopes, "speed": speed}


def main() -> int:
    """Measure and print; the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sections", nargs="*", choices=[[], *SECTIONS], metavar="SECTION", help=f"of {', '.join(SECTIONS)}")
    parser.add_argument("--seconds", type=float, default=60.0, help="of the gaits; half of it elsewhere")
    parser.add_argument("--gaits", nargs="+", default=list(PRINTED), choices=pose_gait_names(PLANAR), metavar="NAME")
    args = parser.parse_args()
    check = Check()
    for name in args.sections or SECTIONS:
        SECTIONS[name](check, args)
    return 1 if check.missed else 0


if __name__ == "__main__":
    sys.exit(main())
