# SPDX-License-Identifier: GPL-3.0-or-later
"""Tune every gait on every planet, one search after the other, and write what they brought into docs/tuning.md.

    scripts/tools/tune_all.py [GAIT ...] [--worlds moon ...] [--iterations N] [--workers N] [--strips] [--table-only]

Resumable: a gait and world whose map is stored already, searched for at least as many generations or to convergence, is left
alone; one that was interrupted goes on from its checkpoint. Maps go into presets/tuning. Each map is then checked beside the
untuned gait over a longer shot with noise on its start, as are gravities between the tuned ones. A map that falls where the
untuned gait stands is told, and dropped from the store.
"""

from __future__ import annotations

from lope.addon.files import write_whole, written_whole
from lope.scripts.tools.common import ROOT, parser_of

# isort: split
import argparse
import json
import sys
from pathlib import Path

import numpy as np

from lope.addon.errors import LopeError
from lope.addon.gaits.tuned_maps import TunedMap, drop_map, read_maps, store_map, stored_at, tuning_file, write_json
from lope.addon.motions.library import gait_names
from lope.addon.progress import Progress
from lope.addon.reports.measures import measure
from lope.addon.search.gait_cost import CostWeights
from lope.addon.search.maps import UNIT, MapProblem, evaluated, tune_map
from lope.addon.search.search import Plan, Run
from lope.addon.sim.simulation import Simulation, simulate
from lope.addon.specs.motions import Gait
from lope.addon.specs.shot import EARTH_GRAVITY_M_S2, Shot, World
from lope.addon.worlds.planets import load_world

WORLDS = ("earth", "mars", "neptune", "moon", "jupiter")
BETWEEN_G = (0.25, 0.6, 1.7, 2.2)
"""Gravities between the tuned ones at which interpolated maps are checked."""
CHECK_STRIDES, CHECK_NOISE = 30, 0.05
TERMS = ("pose", "stride", "slip", "smooth", "effort", "speed")
TABLE, PICTURES = ROOT / "docs" / "tuning.md", ROOT / "docs" / "pictures"


def main() -> int:
    """Run the searches and the checks; 1 where a tuned or interpolated gait fell and the untuned one did not."""
    parser = parser_of(__doc__)
    parser.add_argument("gaits", nargs="*", metavar="GAIT", help="default: all built-in ones")
    parser.add_argument("--worlds", nargs="+", default=WORLDS, metavar="WORLD", help=f"default: {' '.join(WORLDS)}")
    parser.add_argument("--iterations", type=int, default=Plan().generations, help="default: %(default)s")
    parser.add_argument("--population", type=int, default=Plan().population, help="default: %(default)s")
    parser.add_argument("--strides", type=int, default=10, help="of a trial (default: %(default)s)")
    parser.add_argument("--workers", type=int, default=2, help="default: %(default)s")
    parser.add_argument("--state", type=Path, default=ROOT / "out" / "tuning", metavar="FOLDER",
                        help="for checkpoints and checks (default: out/tuning)")
    parser.add_argument("--strips", action="store_true", help="also draw stick figures before and after into docs/pictures")
    parser.add_argument("--shrink", type=float, metavar="SHARE",
                        help="instead of searching, keep this share of the stored maps: for one that costs robustness or style")
    parser.add_argument("--table-only", action="store_true", help="only write the table from what is stored")
    args = parser.parse_args()
    gaits = args.gaits or list(gait_names())
    fallen: list[str] = []
    args.state.mkdir(parents=True, exist_ok=True)
    if not args.table_only:
        for gait in gaits:
            before = read_maps(tuning_file(gait)) if tuning_file(gait).is_file() else []
            for world in args.worlds:
                try:
                    if args.shrink is not None:
                        shrink(gait, world, args)
                    elif tune(gait, world, args):
                        return 130
                    fallen += check_map(gait, world, args.state)
                    if args.strips:
                        draw_strips(gait, world)
                except LopeError as error:
                    print(f"{gait} on {world}: {error}", file=sys.stderr)
                write_table(args.state)
            after = read_maps(tuning_file(gait)) if tuning_file(gait).is_file() else []
            fallen += check_between(gait, args.state, again=after != before)
    write_table(args.state)
    if fallen:
        print(f"Fell with maps, stood without: {', '.join(fallen)}", file=sys.stderr)
    return 1 if fallen else 0


def tune(gait: str, world: str, args: argparse.Namespace) -> bool:
    """One search, unless it is done; True when the user stopped it."""
    place, out = load_world(world), tuning_file(gait)
    done = stored_at(out, place.gravity_m_s2)
    if recorded(args.state).get(f"{gait} {world}", {}).get("dropped"):
        return False
    if done and done.search["ended"] != "stopped" and (
            done.search["generations"] >= args.iterations or done.search["ended"] == "converged"):
        return False
    print(f"{gait} on {world}", file=sys.stderr, flush=True)
    progress = Progress(sys.stderr)
    try:
        run = Run(Plan(args.iterations, args.population, workers=args.workers), out,
                  args.state / f"{gait}-{world}.checkpoint.json", resume=True, callback=progress)
        result = tune_map(Shot(motion=Gait(gait), world=place), run, strides=args.strides, weights=CostWeights())
    finally:
        progress.close()
    record(args.state, f"{gait} {world}", {"wall_s": round(result.report["wall_s"], 1)})
    print(f"{gait} on {world}: cost {result.report['cost_before']:.3f} to {result.report['cost_after']:.3f} in "
          f"{result.report['wall_s'] / 60.0:.1f} min", file=sys.stderr, flush=True)
    return result.stopped


def shrink(gait: str, world: str, args: argparse.Namespace) -> None:
    """Keep a fraction of the stored map of a gait in a world, evaluated anew; its checks are void then."""
    place, out = load_world(world), tuning_file(gait)
    entry = stored_at(out, place.gravity_m_s2)
    if entry is None:
        print(f"{gait} on {world}: no map is stored, nothing to shrink", file=sys.stderr)
        return
    problem = MapProblem.over_strides(Shot(motion=Gait(gait), world=place), args.strides, CostWeights())
    before, x = problem.evaluate(np.zeros(problem.size)), args.shrink * np.ravel(entry.points) / UNIT
    after = problem.against(before).evaluate(x)
    search = {**entry.search, "kept_share": args.shrink * entry.search.get("kept_share", 1.0)}
    points = tuple(map(tuple, problem.points(x).tolist()))
    store_map(out, gait, TunedMap(entry.world, entry.gravity_m_s2, points, evaluated(before), evaluated(after), search))
    name = f"{gait} {world}"
    record(args.state, name, {"wall_s": recorded(args.state).get(name, {}).get("wall_s")})
    print(f"{gait} on {world}: cost {before.cost:.3f} to {after.cost:.3f} with {args.shrink:g} of the map", file=sys.stderr)


def check_map(gait: str, world: str, state: Path) -> list[str]:
    """Check the stored map of a gait in a world; its name where it fell and the untuned gait did not: it is dropped then."""
    place = load_world(world)
    if not stored_at(tuning_file(gait), place.gravity_m_s2) or "tuned" in recorded(state).get(f"{gait} {world}", {}):
        return []
    found = {kind: checked(gait, place, kind == "tuned") for kind in ("untuned", "tuned")}
    record(state, f"{gait} {world}", found)
    if found["tuned"]["fell"] and not found["untuned"]["fell"]:
        drop_map(tuning_file(gait), gait, place.gravity_m_s2)
        record(state, f"{gait} {world}", {"dropped": True})
        return [f"{gait} {world}"]
    return []


def check_between(gait: str, state: Path, again: bool) -> list[str]:
    """Check interpolated maps between the tuned gravities, those already checked only `again`; the names of those that fell
    where the untuned gait stood."""
    fallen = []
    for gravity in BETWEEN_G if tuning_file(gait).is_file() else ():
        if not again and f"{gait} {gravity:g}g" in recorded(state):
            continue
        place = World(f"{gravity:g} g", gravity * EARTH_GRAVITY_M_S2)
        try:
            found = {kind: checked(gait, place, kind == "tuned") for kind in ("untuned", "tuned")}
        except LopeError as error:
            print(f"{gait} at {gravity:g} g: {error}", file=sys.stderr)
            continue
        record(state, f"{gait} {gravity:g}g", found)
        if found["tuned"]["fell"] and not found["untuned"]["fell"]:
            fallen.append(f"{gait} {gravity:g}g")
    return fallen


def checked(gait: str, place: World, tuned: bool) -> dict:
    """A longer shot with noise on its start: whether it fell, and what the eye would see."""
    probe = Simulation(Shot(motion=Gait(gait, tuned=False), world=place))
    probe.close()
    seconds = CHECK_STRIDES / probe.controller.gait.stride_frequency_hz
    found = measure(simulate(Shot(motion=Gait(gait, tuned=tuned), world=place, duration_s=seconds, noise=CHECK_NOISE)))
    return {"fell": found["fell"], "speed_error": relative(found["mean_speed_m_s"], found["planned_speed_m_s"]),
            "slip_mm": found["foot_slip_mm_per_stride"], "grf_peak": found["grf_peak_over_mg"]}


def relative(value: float | None, wanted: float) -> float | None:
    """Relative error; None without a value."""
    return None if value is None else value / wanted - 1.0


def recorded(state: Path) -> dict:
    """What has been noted of the runs so far."""
    path = state / "checks.json"
    return json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}


def record(state: Path, name: str, found: dict) -> None:
    """Note more of a run. A new search makes its old checks void."""
    notes = recorded(state)
    notes[name] = found if "wall_s" in found else {**notes.get(name, {}), **found}
    write_json(state / "checks.json", notes)


def write_table(state: Path) -> None:
    """docs/tuning.md from the stored maps and the checks."""
    notes, lines = recorded(state), [
        "# Tuned foot displacement maps", "",
        "Written by `scripts/tools/tune_all.py`; the method stands in `notes/tuning.md`. Cost and terms over the first strides,",
        "tuned over untuned (`speed`, the squared error of speed and stride frequency in units of 5 %, before and after).",
        f"The check is {CHECK_STRIDES} strides with noise on the start ({CHECK_NOISE:g}): slip [mm a stride] before, after.",
        "",
        "| gait | world | g [m/s2] | cost before | after | ratio | pose | stride | slip | smooth | effort | speed | stood | "
        "generations | trials | wall [min] | check | slip [mm] |", "|" + "---|" * 18]
    for path in sorted(tuning_file("any").parent.glob("*.json")):
        lines += [row(path.stem, entry, notes.get(f"{path.stem} {entry.world}", {})) for entry in read_maps(path)]
    between = {name: found for name, found in notes.items() if name.endswith("g") and "tuned" in found}
    if between:
        lines += ["", "## Between the tuned gravities", "", "Maps interpolated in log g, the same check.", "",
                  "| gait, gravity | untuned | with map | slip [mm] |", "|---|---|---|---|"]
        lines += [f"| {name} | {stood(found['untuned'])} | {stood(found['tuned'])} | {slips(found)} |"
                  for name, found in sorted(between.items())]
    write_whole(TABLE, "\n".join(lines) + "\n", "table")


def row(gait: str, entry: TunedMap, notes: dict) -> str:
    """One line of the table."""
    before, after = entry.before, entry.after
    cells = [gait, entry.world, f"{entry.gravity_m_s2:g}", f"{before['cost']:.3f}", f"{after['cost']:.3f}",
             f"{after['cost'] / before['cost']:.2f}"]
    cells += [term(before["terms"].get(name), after["terms"].get(name), name) for name in TERMS]
    wall = notes.get("wall_s")
    cells += [f"{after['stood']:.2f}", str(entry.search["generations"]), str(entry.search["evaluations"]),
              "-" if wall is None else f"{wall / 60.0:.1f}", stood(notes.get("tuned")), slips(notes)]
    return f"| {' | '.join(cells)} |"


def term(before: float | None, after: float | None, name: str) -> str:
    """A term after over before."""
    if before is None or after is None:
        return "-"
    return f"{before:.2f}, {after:.2f}" if name == "speed" else f"{after / before:.2f}"


def stood(found: dict | None) -> str:
    """Whether a check stood, in words."""
    return "-" if found is None else "fell" if found["fell"] else "stood"


def slips(notes: dict) -> str:
    """Slip before and after."""
    values = [notes.get(kind, {}).get("slip_mm") for kind in ("untuned", "tuned")]
    return ", ".join("-" if value is None else f"{value:.1f}" for value in values)


def draw_strips(gait: str, world: str) -> None:
    """Stick figures of one stride, untuned above tuned, into docs/pictures."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    from lope.addon.maths.rotations import quat_rotate
    from lope.addon.reports.strides import LEFT, strikes_s

    place = load_world(world)
    figure, rows = plt.subplots(2, 1, figsize=(16, 6.5), sharex=True)
    for axes, tuned in zip(rows, (False, True), strict=True):
        probe = Simulation(Shot(motion=Gait(gait, tuned=tuned), world=place))
        probe.close()
        duration_s = max(6.0 / probe.controller.gait.stride_frequency_hz, 0.5)
        take = simulate(Shot(motion=Gait(gait, tuned=tuned), world=place, duration_s=duration_s))
        joints, turns = take.segment_poses
        tips = joints + quat_rotate(turns, [s.tip for s in take.body.segments])
        strikes = strikes_s(take, LEFT)
        start, end = strikes[-2:] if len(strikes) > 2 else (0.0, take.time_s[-1])
        for k in range(13):
            i = min(int(take.time_s.searchsorted(start + k / 12 * (end - start))), len(take.time_s) - 1)
            for j, segment in enumerate(take.body.segments):
                colour = {"_L": "tab:red", "_R": "tab:blue"}.get(segment.name[-2:], "0.3")
                ends = [joints[i, j], tips[i, j]]
                axes.plot([p[0] - joints[i, 0, 0] + k for p in ends], [p[2] for p in ends], color=colour, lw=1.8)
        axes.axhline(0.0, color="0.6", lw=0.8)
        axes.set_aspect("equal")
        axes.set_ylabel("tuned" if tuned else "untuned")
    figure.suptitle(f"{gait} on {world}: one stride in twelve, left red, right blue")
    figure.tight_layout()
    with written_whole(PICTURES / f"tuning-{gait}-{world}.png", "picture") as partial:
        figure.savefig(partial, dpi=60)
    plt.close(figure)


if __name__ == "__main__":
    try:
        raise SystemExit(main())
    except KeyboardInterrupt:
        raise SystemExit(130) from None
