# SPDX-License-Identifier: GPL-3.0-or-later
"""Find the speeds at which a gait stands, over gravity, and write them to `presets/ranges`.

Run it as `scripts/tools/find_ranges.py walk`.

At each gravity the gait's own speed is tried first, where it falls slower ones; from there the speed climbs and sinks by
steps until the character falls, or does not keep the speed within KEPT_SHARE, and the edge is halved down to a fraction of a
step. Every speed is simulated for the same number of strides. What has been found is written after each gravity; a gravity
that stands in the file already is skipped unless --again is given.
"""

from __future__ import annotations

from lope.scripts.tools.common import parser_of

# isort: split
import json
import math
import sys
from pathlib import Path

from lope.addon.bodies.makers import make_body
from lope.addon.errors import LopeError
from lope.addon.files import write_whole
from lope.addon.gaits.ranges import FOLDER, FORMAT
from lope.addon.locomotion.gait.shot_gait import gait_variables, shot_cycle
from lope.addon.reports.measures import measure
from lope.addon.sim.simulation import simulate
from lope.addon.specs.motions import Gait
from lope.addon.specs.shot import EARTH_GRAVITY_M_S2, BodySpec, Shot, World

GRAVITIES_G = (0.05, 0.1, 1.62 / 9.81, 3.71 / 9.81, 0.65, 1.0, 11.15 / 9.81, 1.7, 24.79 / 9.81, 3.0)
STEP_UP, STEP_DOWN = 1.15, 1.32
"""Ratios between one tried speed and the next. Slow walks have stood wherever they were tried, so the way down is coarse."""
EDGE = 1.04
"""Ratio to which the edge is halved down."""
KEPT_SHARE = 0.15
"""A speed counts as kept when its mean over the shot is within this share of it."""
LEAST_S = 6.0
FASTEST, SLOWEST = 3.0, 0.1
"""Bounds of the search, as v / sqrt(g l)."""


class Search:
    """Tries speeds of one gait under one gravity; speeds are over sqrt(g l)."""

    def __init__(self, gait: str, gravity_m_s2: float, strides: int, body: BodySpec) -> None:
        self.gait, self.gravity, self.strides, self.body = gait, gravity_m_s2, strides, body
        self.figure = make_body(body)
        self.unit = math.sqrt(gravity_m_s2 * self.figure.leg_length_m)
        self.cycle = shot_cycle(self.shot(None, LEAST_S))

    def shot(self, speed_m_s: float | None, seconds: float) -> Shot:
        """A shot of the gait at a speed, or at its own."""
        return Shot(
            motion=Gait(self.gait, speed_m_s=speed_m_s, force=True),
            body=self.body,
            world=World("range", self.gravity),
            duration_s=max(seconds, LEAST_S),
        )

    def natural(self) -> float:
        """The speed the gait has without being asked for one."""
        return gait_variables(self.shot(None, LEAST_S), self.cycle, self.figure).speed_m_s / self.unit

    def stands(self, speed: float) -> bool:
        """Whether the character keeps that speed through the strides."""
        wish = speed * self.unit
        frequency = gait_variables(self.shot(wish, LEAST_S), self.cycle, self.figure).stride_frequency_hz
        try:
            take = simulate(self.shot(wish, self.strides / frequency))
        except LopeError as error:
            print(f"    {wish:.3f} m/s: {error}", flush=True)
            return False
        mean = measure(take)["mean_speed_m_s"]
        good = not take.fell and abs(mean - wish) <= KEPT_SHARE * wish
        fell = f"fell after {take.stats['time_fell_s']:.1f} s" if take.fell else f"walked {mean:.3f} m/s"
        print(f"    {wish:.3f} m/s: {fell}{'' if good or take.fell else ', not kept'}", flush=True)
        return good

    def edge(self, start: float, ratio: float) -> float:
        """The last speed that stands, going from one that does by factors of `ratio`."""
        good = start
        while SLOWEST <= good * ratio <= FASTEST:
            if not self.stands(good * ratio):
                break
            good *= ratio
        else:
            return good
        while max(ratio, 1.0 / ratio) > EDGE:
            ratio = math.sqrt(ratio)
            if self.stands(good * ratio):
                good *= ratio
        return good

    def start(self) -> float | None:
        """The gait's own speed, or the first that stands going down from it; None where none does."""
        speed = self.natural()
        while speed >= SLOWEST:
            if self.stands(speed):
                return speed
            speed /= STEP_DOWN
        return None

    def row(self) -> dict[str, float] | None:
        """The range as a row of the file; None where neither the gait's own speed stands nor a lower one."""
        start = self.start()
        if start is None:
            return None
        low, high = self.edge(start, 1.0 / STEP_DOWN), self.edge(start, STEP_UP)
        return {"gravity_m_s2": round(self.gravity, 4), "low": round(low, 4), "high": round(high, 4)}


def write_ranges(path: Path, gait: str, rows: list[dict[str, float]], strides: int, source: str) -> None:
    """Write a range file; `rows` hold gravity_m_s2, low and high. Raises InputError where the place cannot be written."""
    rows = sorted(rows, key=lambda row: row["gravity_m_s2"])
    lines = ",\n".join("    " + json.dumps(row) for row in rows)
    head = {"format": FORMAT, "gait": gait, "strides": strides, "source": source}
    text = json.dumps(head, indent=2)[:-2] + f',\n  "rows": [\n{lines}\n  ]\n}}\n'
    write_whole(path, text, "table of speed ranges")


def main() -> int:
    parser = parser_of(__doc__)
    parser.add_argument("gait")
    parser.add_argument("--gravities", metavar="G,G,...", help="in Earth's gravities (default: ten from 0.05 to 3)")
    parser.add_argument("--strides", type=int, default=10, help="length of each trial (default: %(default)s)")
    parser.add_argument("--out", type=Path, default=FOLDER, help="folder of the range files")
    parser.add_argument("--again", action="store_true", help="search gravities anew that the file already holds")
    args = parser.parse_args()
    ratios = [float(g) for g in args.gravities.split(",")] if args.gravities else GRAVITIES_G
    path, body = args.out / f"{args.gait}.json", BodySpec()
    stored = json.loads(path.read_text(encoding="utf-8"))["rows"] if path.is_file() else []
    rows = {row["gravity_m_s2"]: row for row in stored}
    source = (f"scripts/tools/find_ranges.py, MuJoCo, body of {body.height_m:g} m and {body.mass_kg:g} kg, {args.strides} "
              f"strides a trial: the outermost speeds, going from the gait's own, that neither fell nor strayed "
              f"by {KEPT_SHARE:.0%}")
    for ratio in ratios:
        gravity = round(ratio * EARTH_GRAVITY_M_S2, 4)
        if gravity in rows and not args.again:
            continue
        print(f"{args.gait} at {ratio:.3f} g", flush=True)
        row = Search(args.gait, gravity, args.strides, body).row()
        if row is None:
            print("  stands at no speed: no row", flush=True)
            continue
        rows[gravity] = row
        print(f"  {row['low']:.3f} to {row['high']:.3f} sqrt(g l)", flush=True)
        write_ranges(path, args.gait, list(rows.values()), args.strides, source)
    return 0


if __name__ == "__main__":
    sys.exit(main())
