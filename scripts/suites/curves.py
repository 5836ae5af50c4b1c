# SPDX-License-Identifier: GPL-3.0-or-later
"""Walk curves as hands draw them: none refused, no fall, feet hold, ends at the end.

    scripts/check curves [--worlds moon] [--gait walk] [--start standing] [--law people] [--sheet FILE.png] [--takes FOLDER]

The curves are random splines of fixed seeds, ten kinds of three: gentle, tight, S, zigzag with kinks, back on itself, closed, a
figure of eight, spiral, short, and dense points with a shaking hand. Each is walked from standing to standing, as long as it
takes. With --sheet a picture of all ways from above is written.
"""

from __future__ import annotations

import argparse
import cmath
import math
from collections.abc import Iterator

import numpy as np

from lope.addon.files import written_whole
from lope.addon.reports.measures import measure as measures
from lope.addon.reports.plots import new_figure
from lope.addon.specs.motions import Gait
from lope.addon.specs.path import PathSpec
from lope.addon.specs.shot import Shot
from lope.addon.worlds.paths import make_path
from lope.addon.worlds.planets import load_world
from lope.scripts.suites.runner import Case, Figures, Row, Suite, Table, at_most, is_, simulated

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


def cases(args: argparse.Namespace) -> Iterator[tuple[str, int]]:
    """Every curve by its number."""
    for number in range(EACH * len(KINDS)):
        yield f"{number:2} {KINDS[number // EACH].__name__}", number


def measure(case: Case, args: argparse.Namespace) -> Figures:
    """What counts of a walked curve: rest's distance from the end, slips, largest distance of the way from the line."""
    path = drawn(case.what)
    take, figures = simulated(
        Shot(motion=Gait(args.gait, path=path, start=args.start, law=args.law, until_end=True), world=load_world(case.world)),
        case,
        args,
    )
    line, com = make_path(path), take.com_m[:, 0] + 1j * take.com_m[:, 1]
    points = line.points[::5]
    figures |= {"end_m": abs(com[-1] - line.points[-1]), "slip_mm": measures(take)["foot_slip_mm_max"],
                "off_m": max(float(np.abs(points - place).min()) for place in com[::20]),
                "missed_m": max(float(np.abs(com - point).min()) for point in points), "length_m": line.length,
                "seconds": float(take.time_s[-1])}
    return figures | ({"way": (com[::10].real.tolist(), com[::10].imag.tolist())} if args.sheet else {})


def draw(rows: list[Row], args: argparse.Namespace) -> list[Row]:
    """All ways from above: the drawn line and the centre of mass."""
    if args.sheet:
        figure, axes = new_figure(3.2 * len(KINDS), 3.2 * EACH, EACH, len(KINDS))
        for row in rows:
            if "way" in row.figures:
                number, line = int(row.case[:2]), make_path(drawn(int(row.case[:2])))
                axis = axes[len(KINDS) * (number % EACH) + number // EACH]
                axis.plot(line.points.real, line.points.imag, color="0.7", lw=3)
                axis.plot(*row.figures.pop("way"), color="C1", lw=1)
                axis.set(aspect="equal", title=row.case)
        with written_whole(args.sheet, "picture") as partial:
            figure.savefig(partial, dpi=60)
    return []


def options(parser: argparse.ArgumentParser) -> None:
    """The suite's own."""
    parser.add_argument("--gait", default="walk")
    parser.add_argument("--start", default="standing")
    parser.add_argument("--law", default="people", help="gait law (default: people)")
    parser.add_argument("--sheet", metavar="FILE.png", help="write a picture of the ways from above")


SUITE = Suite({"curves": Table(cases, measure, {"fell_s": is_(None), "end_m": at_most(END_M), "slip_mm": at_most(SLIP_MM)},
                               end=draw)}, options, {"only": [" 0 gentle", "24 short"]}, worlds=("earth",), takes=True)
