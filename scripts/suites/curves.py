# SPDX-License-Identifier: GPL-3.0-or-later
"""Walk curves as hands draw them, and judge them: none refused, no fall, feet hold, ends at the end.

Run it as `scripts/check curves --world moon`.

The curves are random splines of fixed seeds, ten kinds of three: gentle, tight, S, zigzag with kinks, back on itself, closed, a
figure of eight, spiral, short, and dense points with a shaking hand. Each is walked from standing to standing, as long as it
takes. With --sheet a picture of all ways from above is written.
"""

from __future__ import annotations

import argparse
import cmath
import math
import sys
from pathlib import Path

import numpy as np

from lope.addon.errors import LopeError
from lope.addon.files import written_whole
from lope.addon.reports.measures import measure
from lope.addon.sim.simulation import simulate
from lope.addon.sim.take import Take
from lope.addon.specs.path import PathSpec
from lope.addon.specs.shot import Shot
from lope.addon.worlds.paths import make_path
from lope.addon.worlds.planets import load_world

EACH = 3
"""Curves of every kind."""
END_M, SLIP_MM = 0.25, 10.0
"""How far from the line's end somebody may come to rest who stands with both feet beside it; how far a foot may slip: 6 mm on a
straight walk on Earth, before the bake locks it."""


def gentle(rng: np.random.Generator) -> np.ndarray:
    """A way that bends to and fro."""
    turns = np.repeat(rng.uniform(-0.5, 0.5, 6), 2)
    return np.cumsum(0.8 * np.exp(1j * np.cumsum(turns)))


def tight(rng: np.random.Generator) -> np.ndarray:
    """Turns of a radius from 0.3 to 0.8 m between straights."""
    places, heading, place = [], 0.0, 0j
    for _ in range(3):
        radius, turn = rng.uniform(0.3, 0.8), rng.choice([-1, 1]) * rng.uniform(1.2, 2.8)
        straight = place + rng.uniform(1.0, 2.0) * cmath.exp(1j * heading)
        places.append(straight)
        for part in np.linspace(0.25, 1.0, 4):
            place = straight + radius * abs(turn) * part * np.sinc(turn * part / (2 * math.pi)) * cmath.exp(
                1j * (heading + 0.5 * turn * part))
            places.append(place)
        heading += turn
    return np.array([*places, place + 1.2 * cmath.exp(1j * heading)])


def wave(rng: np.random.Generator) -> np.ndarray:
    """An S, or two."""
    x = np.arange(0.5, rng.uniform(4.0, 8.0), 0.5)
    return x + 1j * rng.uniform(0.5, 1.5) * np.sin(x * rng.uniform(1.0, 2.2))


def zigzag(rng: np.random.Generator) -> np.ndarray:
    """Straights with sharp corners between."""
    sides = rng.uniform(1.0, 2.5, 5)
    turns = rng.uniform(0.8, 2.6, 5) * np.array([0, 1, -1, 1, -1])
    corners = np.concatenate([[0j], np.cumsum(sides * np.exp(1j * np.cumsum(turns)))])
    return np.concatenate([a + (b - a) * np.linspace(0.0, 1.0, 4)[1:] for a, b in zip(corners, corners[1:], strict=False)])


def back(rng: np.random.Generator) -> np.ndarray:
    """There, and back on nearly the same line."""
    far = rng.uniform(2.0, 4.0)
    return np.array([0.5 * far, far, 0.5 * far + 0.05j, rng.uniform(-0.5, 0.5) + rng.uniform(-0.2, 0.2) * 1j - 0.3])


def closed(rng: np.random.Generator) -> np.ndarray:
    """A round that ends where it began."""
    angle = np.linspace(0.0, 2.0 * math.pi, 13)
    radius = rng.uniform(0.6, 1.8) * (1.0 + rng.uniform(0.0, 0.3) * np.cos(2.0 * angle + rng.uniform(0, 6)))
    places = radius * np.exp(1j * angle)
    return (places - places[0])[1:] / 1j


def eight(rng: np.random.Generator) -> np.ndarray:
    """A figure of eight."""
    t = np.linspace(0.0, 2.0 * math.pi, 17)
    size = rng.uniform(0.8, 2.0)
    return (size * (np.sin(2.0 * t) * 0.6 + 2j * np.sin(t)) * cmath.exp(-1j * math.atan2(2.0, 1.2)))[1:]


def spiral(rng: np.random.Generator) -> np.ndarray:
    """Inward, ever tighter."""
    angle = np.linspace(0.0, 3.5 * math.pi, 22)
    radius = rng.uniform(1.5, 2.0) * np.exp(-0.09 * angle)
    places = radius * np.exp(1j * rng.choice([-1, 1]) * angle)
    return (places - places[0])[1:]


def short(rng: np.random.Generator) -> np.ndarray:
    """A way of one to two and a half metres."""
    length, turn = rng.uniform(1.0, 2.5), rng.uniform(-0.8, 0.8)
    return np.cumsum(length / 4.0 * np.exp(1j * turn * np.arange(4)))


def shaky(rng: np.random.Generator) -> np.ndarray:
    """Every 6 cm a point, 1 cm off."""
    x = np.arange(0.06, 5.0, 0.06)
    line = x + 1j * np.sin(x * rng.uniform(0.6, 1.4)) * rng.uniform(0.3, 1.0)
    return line + 0.01 * (rng.standard_normal(len(x)) + 1j * rng.standard_normal(len(x)))


KINDS = (gentle, tight, wave, zigzag, back, closed, eight, spiral, short, shaky)


def drawn(number: int) -> PathSpec:
    """Curve of a number, the origin its start, first headed at its first point."""
    places = KINDS[number // EACH](np.random.default_rng(number))
    return PathSpec("points", math.degrees(cmath.phase(places[0])), points_m=tuple((p.real, p.imag) for p in places.tolist()))


def judged(take: Take, path: PathSpec) -> dict[str, float | bool]:
    """What counts of a walked curve: rest's distance from the end, largest distance of the way from the line, slips."""
    found, line = measure(take), make_path(path)
    com, points = take.com_m[:, 0] + 1j * take.com_m[:, 1], line.points[::5]
    return {"fell": take.fell, "end_m": abs(com[-1] - line.points[-1]), "slip_mm": found["foot_slip_mm_max"],
            "off_m": max(float(np.abs(points - place).min()) for place in com[::20]),
            "missed_m": max(float(np.abs(com - point).min()) for point in points), "length_m": line.length,
            "seconds": float(take.time_s[-1])}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--world", default="earth")
    parser.add_argument("--gait", default="walk")
    parser.add_argument("--start", default="standing")
    parser.add_argument("--law", default="people", help="gait law (default: people)")
    parser.add_argument("--only", type=int, nargs="*", help="numbers of curves, 0 to 29")
    parser.add_argument("--sheet", metavar="FILE.png", help="write a picture of the ways from above")
    parser.add_argument("--out", metavar="FOLDER", help="keep the takes there")
    args = parser.parse_args()
    bad, ways = 0, {}
    for number in args.only if args.only is not None else range(EACH * len(KINDS)):
        kind, path = KINDS[number // EACH].__name__, drawn(number)
        try:
            take = simulate(Shot(gait=args.gait, world=load_world(args.world), path=path, start=args.start, gait_law=args.law,
                                 until_end=True))
        except LopeError as error:
            bad += 1
            print(f"{number:2} {kind:8} REFUSED {error}", flush=True)
            continue
        if args.out:
            take.save(Path(args.out) / f"curve-{number}.npz")
        found, ways[number] = judged(take, path), take
        good = not found["fell"] and found["end_m"] < END_M and found["slip_mm"] < SLIP_MM
        bad += not good
        print(f"{number:2} {kind:8} {'ok ' if good else 'BAD'} fell {take.stats['time_fell_s']} end {found['end_m']:.2f} "
              f"off {found['off_m']:.2f} missed {found['missed_m']:.2f} m, slip {found['slip_mm']:.1f} mm, "
              f"{found['length_m']:.1f} m in {found['seconds']:.1f} s", flush=True)
    print(f"{bad} bad")
    if args.sheet:
        draw(args.sheet, ways)
    return 1 if bad else 0


def draw(file: str, ways: dict[int, Take]) -> None:
    """All ways from above: the drawn line, the centre of mass, the footsteps."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot as plt

    figure, axes = plt.subplots(EACH, len(KINDS), figsize=(3.2 * len(KINDS), 3.2 * EACH))
    for number, take in ways.items():
        ax, line = axes[number % EACH, number // EACH], make_path(take.shot.path)
        ax.plot(line.points.real, line.points.imag, color="0.7", lw=3)
        ax.plot(take.com_m[:, 0], take.com_m[:, 1], color="C1", lw=1)
        steps = take.footsteps_m if hasattr(take, "footsteps_m") else None
        if steps is not None:
            ax.plot(steps[:, 0], steps[:, 1], "k.", ms=2)
        ax.set_aspect("equal")
        ax.set_title(f"{number} {KINDS[number // EACH].__name__}")
    figure.tight_layout()
    with written_whole(file, "picture") as partial:
        figure.savefig(partial, dpi=60)


if __name__ == "__main__":
    sys.exit(main())
