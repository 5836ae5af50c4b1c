# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether a character that is steered at random stays on its feet: speed, turn and gait change every few seconds.

    scripts/check streams [--worlds earth moon mars jupiter] [--seeds 10] [--from-seed 0] [--seconds 60] [--takes FOLDER]

Of the control steps' CPU time the median, 99 %, 99.9 % and the most are told, of a fall the first quantity that left its plan.
One in twenty may fall. """

from __future__ import annotations

import argparse
import time

import numpy as np

from lope.addon.sim.simulation import Simulation
from lope.addon.sim.take import Take
from lope.addon.specs.motions import Moves
from lope.addon.specs.shot import Shot
from lope.addon.specs.steering import Steering
from lope.addon.worlds.planets import load_world
from lope.scripts.suites.runner import STANDS, Case, Figures, Suite, Table, simulated, slowness

GAITS = ("walk", "walk", "walk", "march", "backward", "side_left", "side_right", "stand")
"""Gaits that are wished for, the walk more often."""
SPEEDS_M_S, RATES_RAD_S, TURNS_RAD = (0.4, 1.6), (-0.8, 0.8), (-np.pi, np.pi)
EVERY_S = (1.0, 5.0)
"""From wish to wish, as the other figures on Earth."""
QUANTILES = (0.5, 0.99, 0.999, 1.0)
"""Of the CPU times of the control steps."""
OFF = {"joints": ("follow_joint_error_deg", 15.0), "centre of mass": ("follow_com_off_plan_m", 0.20)}
"""Channels, and from which value on they are off their plan."""


def steering_of(seed: int, seconds: float, slow: float) -> tuple[Steering, ...]:
    """Random wishes; everything lasts `slow` times as long as on Earth."""
    rng = np.random.default_rng(seed)
    found, time_s = [Steering(0.0, gait="walk", speed_m_s=1.1 / slow)], 0.0
    while True:
        time_s += slow * float(rng.uniform(*EVERY_S))
        if time_s >= seconds:
            return tuple(found)
        which = int(rng.integers(4))
        if which == 0:
            wish = {"speed_m_s": float(rng.uniform(*SPEEDS_M_S)) / slow}
        elif which == 1:
            wish = {"turn_rad_s": float(rng.uniform(*RATES_RAD_S)) / slow}
        elif which == 2:
            wish = {"turn_rad": float(rng.uniform(*TURNS_RAD))}
        else:
            wish = {"gait": str(rng.choice(GAITS))}
        found.append(Steering(round(time_s, 3), **wish))


def first_off(take: Take) -> str:
    """The first quantity that left its plan for good, and when."""
    found = []
    for words, (channel, most) in OFF.items():
        inside = np.flatnonzero(~(take.channels[channel].values > most))
        if len(inside) and inside[-1] + 1 < len(take.time_s):
            found.append((float(take.time_s[inside[-1] + 1]), words))
    return "nothing off its plan" if not found else "{1} from {0:.2f} s on".format(*min(found))


def measure(case: Case, args: argparse.Namespace) -> Figures:
    """One run."""
    slow, seed, steps_s, moves = slowness(case.world), args.from_seed + case.seed, [], [""]

    def run(shot: Shot) -> Take:
        simulation = Simulation(shot)
        while not simulation.over:
            begun_s = time.process_time()
            simulation.step()
            steps_s.append(time.process_time() - begun_s)
            move = simulation.controller.stream.current.laid.piece.clip.path
            if move != moves[-1]:
                moves.append(move)
        simulation.close()
        return simulation.take()

    take, figures = simulated(
        Shot(
            motion=Moves(steering=steering_of(seed, args.seconds, slow)),
            world=load_world(case.world),
            duration_s=args.seconds,
            seed=seed,
        ),
        case,
        args,
        run,
    )
    error, off_m = (take.channels[channel].values for channel, _ in OFF.values())
    figures |= {"joints_deg": float(np.sqrt(np.mean(error**2))), "com_cm": float(100 * off_m.mean()),
                "foot_cm": 100 * take.stats["foot_off_print_m_max"], "moves": len(moves) - 1,
                "step_ms": " ".join(f"{1e3 * x:.1f}" for x in np.quantile(steps_s, QUANTILES))}
    return figures | ({} if figures["fell_s"] is None else {"first_off": first_off(take), "last_moves": ", ".join(moves[-4:])})


def options(parser: argparse.ArgumentParser) -> None:
    """The suite's own."""
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--from-seed", type=int, default=0, metavar="N", help="the first seed (default: 0)")


SUITE = Suite({"streams": Table(lambda args: [("stream", None)], measure, STANDS, may_fail=0.05)}, options,
              {"seconds": 6.0, "worlds": ["earth"], "seeds": 1}, worlds=("earth", "moon", "mars", "jupiter"), seeds=10,
              takes=True)
