# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether a character that is steered at random stays on its feet: seeds by worlds, a line each. Speed, turn and gait change
every few seconds. Of the control steps' CPU time it tells the median, 99 %, 99.9 % and the most. Fails where more than
`--may-fall` of the runs fall; of a fall it names the first quantity that left its plan.

    scripts/check streams [--worlds earth moon mars jupiter] [--seeds 10] [--seconds 60] [--takes FOLDER]
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

import numpy as np

from lope.addon.sim.simulation import Simulation
from lope.addon.sim.take import Take
from lope.addon.specs.keys import Steering
from lope.addon.specs.motions.clip import Follow
from lope.addon.specs.shot import EARTH_GRAVITY_M_S2, Shot
from lope.addon.worlds.planets import load_world

WORLDS = ("earth", "moon", "mars", "jupiter")
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


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--worlds", nargs="*", default=WORLDS)
    parser.add_argument("--seeds", type=int, nargs="*", default=[10], help="how many, or two numbers: from and to")
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--takes", type=Path, help="keep the takes in this folder")
    parser.add_argument("--may-fall", type=float, default=0.05, help="share of the runs that may fall (default: 0.05)")
    args = parser.parse_args()
    seeds = range(*args.seeds)
    runs = fell = 0
    for seed in seeds:
        for name in args.worlds:
            world = load_world(name)
            slow = (EARTH_GRAVITY_M_S2 / world.gravity_m_s2) ** 0.5
            shot = Shot(world=world, follow=Follow(moves=True), controller="follow", duration_s=args.seconds, seed=seed,
                        steering=steering_of(seed, args.seconds, slow))
            simulation, start_s, moves, steps_s = Simulation(shot), time.process_time(), [""], []
            while not simulation.over:
                begun_s = time.process_time()
                simulation.step()
                steps_s.append(time.process_time() - begun_s)
                move = simulation.controller.stream.current.laid.piece.clip.path
                if move != moves[-1]:
                    moves.append(move)
            take, cpu_s = simulation.take(), time.process_time() - start_s
            simulation.close()
            down = simulation.time_fell_s is not None or simulation.lost is not None
            runs, fell = runs + 1, fell + down
            error, off_m = (take.channels[channel].values for channel, _ in OFF.values())
            end = f"fell {take.time_s[-1]:6.2f} s" if down else "stands"
            print(f"{name:8} {seed:3} {end:14} joints {np.sqrt(np.mean(error**2)):4.1f} deg  com {100 * off_m.mean():5.1f} cm  "
                  f"foot {100 * take.stats['foot_off_print_m_max']:5.1f} cm  {cpu_s / max(take.time_s[-1], 1e-9):5.2f} s/s  "
                  f"step {' '.join(f'{1e3 * x:4.1f}' for x in np.quantile(steps_s, QUANTILES))} ms  "
                  f"{len(moves) - 1:3} moves" + (f"  {first_off(take)}; {', '.join(moves[-4:])}" if down else ""), flush=True)
            if args.takes:
                args.takes.mkdir(parents=True, exist_ok=True)
                take.save(args.takes / f"{name}-{seed}.npz")
    print(f"{runs - fell} of {runs} stand")
    return 1 if fell > args.may_fall * runs else 0


if __name__ == "__main__":
    sys.exit(main())
