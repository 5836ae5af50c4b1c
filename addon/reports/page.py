# SPDX-License-Identifier: GPL-3.0-or-later
"""The matrix page: sections of findings, plots and tables, written with the PNG and CSV files beside it."""

from __future__ import annotations

import base64
import csv
from collections.abc import Callable
from dataclasses import dataclass, field
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

from .. import VERSION
from ..files import write_whole, written_whole
from ..specs.shot import EARTH_GRAVITY_M_S2
from . import norms, plots
from .matrix import Entry, chosen, engine_of, gaits_in, on_planets
from .needs import STRIDES
from .plots import need_matplotlib, png

if TYPE_CHECKING:
    from matplotlib.figure import Figure


EMPTY = "–"


@dataclass
class Table:
    """A table: file name without ending, head and rows of text. `marks` are (row, column) of cells to point out."""

    name: str
    head: list[str]
    rows: list[list[str]] = field(default_factory=list)
    marks: set[tuple[int, int]] = field(default_factory=set)

    def write_csv(self, folder: Path) -> Path:
        """Write it down; gives the file's path."""
        path = folder / f"{self.name}.csv"
        with written_whole(path, "table") as partial, partial.open("x", encoding="utf-8", newline="") as file:
            csv.writer(file).writerows([self.head, *self.rows])
        return path


def text(value: float | None, digits: int = 2) -> str:
    """A figure, or a dash."""
    return EMPTY if value is None else f"{value:.{digits}f}"


def gait_table(entries: list[Entry], gait: str) -> Table:
    """Speed, frequency and length of a gait per world and engine beside the thesis's Table 2; its contradictions are marked."""
    table = Table(f"speeds-{gait}", [
        "world", "engine", "speed [m/s]", "strides [1/s]", "stride length [m]", "length / (v / f)", "Froude number",
        "duty factor", "flight", "thesis: v [m/s]", "f [1/s]", "length [m]", "f x length [m/s]", "thesis: Froude number"])
    for entry in chosen(entries, gait):
        found = entry.measures
        row = [entry.world, entry.shot.engine, text(found["mean_speed_m_s"]), text(found["stride_frequency_hz"]),
               text(found["stride_length_m"]), text(found["length_over_v_by_f"], 3), text(found["froude"]),
               text(found["duty_factor"]), text(found["flight_fraction"])]
        printed = norms.TABLE_2.get(gait, {}).get(entry.world)
        if printed:
            row += [text(printed.speed_m_s), text(printed.frequency_hz), text(printed.length_m), text(printed.product_m_s),
                    text(norms.printed_froude(gait, entry.world), 3)]
            if printed.contradicts_itself:
                table.marks |= {(len(table.rows), 9), (len(table.rows), 12)}
        else:
            row += [EMPTY] * 5
        if entry.straight and abs((found["length_over_v_by_f"] or 1.0) - 1.0) > 0.02:
            table.marks.add((len(table.rows), 5))
        table.rows.append(row)
    return table


def mass_table(entries: list[Entry], gait: str) -> Table:
    """The centre of mass and the path of a gait per world and engine; turns beside the thesis's radius."""
    turning = [] if all(entry.straight for entry in chosen(entries, gait)) else ["turning radius [m]", "thesis: radius [m]"]
    table = Table(f"centre-of-mass-{gait}", ["world", "engine", "mean height [m]", "rise and fall [m]", "sway [m]",
                                             "off its path [m]", *turning])
    for entry in chosen(entries, gait):
        found = entry.measures
        radius = found["turning_radius_m"]
        table.rows.append([entry.world, entry.shot.engine, text(found["com_height_mean_m"], 3),
                           text(found["com_height_range_m"], 3), text(found["com_sideways_range_m"], 3),
                           text(found["path_error_m"], 3),
                           *([text(radius and abs(radius)), text(norms.TURN_RADIUS_M.get(entry.world), 1)] if turning else [])])
    return table


def force_table(entries: list[Entry]) -> Table:
    """Mean and peak vertical force, and their change from the Earth's, beside the thesis's text."""
    table = Table("ground-forces", ["gait", "world", "engine", "mean / m g", "peak / m g", "mean [N]", "peak [N]",
                                    "mean against Earth's", "must be", "peak against Earth's", "thesis's text"])
    for gait in gaits_in(entries):
        of_gait = chosen(entries, gait)
        earths = {entry.shot.engine: entry.measures for entry in of_gait if entry.world == "earth"}
        for entry in of_gait:
            found, earth = entry.measures, earths.get(entry.shot.engine)
            printed = norms.FORCE_CHANGE_PERCENT.get(gait, {}).get(entry.world)
            table.rows.append([gait, entry.world, entry.shot.engine, text(found["grf_mean_over_mg"], 3),
                               text(found["grf_peak_over_mg"]), text(found["grf_mean_n"], 0), text(found["grf_peak_n"], 0),
                               change(found["grf_mean_n"], earth["grf_mean_n"] if earth else None),
                               f"{norms.expected_change_percent(entry.world):+.0f} %",
                               change(found["grf_peak_n"], earth["grf_peak_n"] if earth else None),
                               EMPTY if printed is None else f"{printed:+.0f} %"])
            row = len(table.rows) - 1
            if abs(found["grf_mean_over_mg"] - 1.0) > 0.02:
                table.marks.add((row, 3))
            if printed is not None and abs(printed - norms.expected_change_percent(entry.world)) > 5.0:
                table.marks.add((row, 10))
    return table


def flight_table(entries: list[Entry]) -> Table:
    table = Table("flights", ["gait", "world", "engine", "flights a stride", "take-off velocity [m/s]", "flight time [s]",
                              "flight time over 2 v / g, worst", "flight height [m]", "fastest rise of the COM [m/s]",
                              "the same over sqrt(g l)"])
    for gait in gaits_in(entries):
        for entry in chosen(entries, gait):
            found = entry.measures
            scale = (found["gravity_m_s2"] * found["leg_length_m"]) ** 0.5
            table.rows.append([gait, entry.world, entry.shot.engine, text(found["flights_per_stride"]),
                               text(found["takeoff_velocity_m_s"]), text(found["flight_time_s"]),
                               text(found["flight_over_ballistic_worst"], 3), text(found["flight_height_m"], 3),
                               text(found["vertical_speed_peak_m_s"]), text(found["vertical_speed_peak_m_s"] / scale, 3)])
    return table


def transition_table(entries: list[Entry]) -> Table:
    """Froude numbers of all gaits against the measured transition from walking to running."""
    table = Table("transition", ["gait", "world", "gravity [m/s^2]", "speed [m/s]", "Froude number",
                                 "transition, measured on people", "so"])
    for gait in gaits_in(entries):
        for entry in chosen(entries, gait):
            low, high = norms.transition_band(entry.measures["gravity_m_s2"])
            froude, found = entry.measures["froude"], entry.measures
            band = f"{low:.2f}" if high - low < 0.01 else f"{low:.2f} to {high:.2f}"
            where = "people walk" if froude < low else "people run" if froude > high else "either"
            table.rows.append([gait, entry.world, text(found["gravity_m_s2"]), text(found["mean_speed_m_s"]), text(froude),
                               band, where])
    return table


def asked_table(entries: list[Entry]) -> Table:
    """Takes with a speed or a frequency asked: what was reached."""
    table = Table("asked", ["gait", "world", "engine", "speed asked [m/s]", "reached [m/s]", "off", "frequency asked [1/s]",
                            "reached [1/s]", "off"])
    for entry in entries:
        shot, found = entry.shot, entry.measures
        if entry.walked and (shot.motion.speed_m_s is not None or shot.motion.stride_frequency_hz is not None):
            pairs = ((shot.motion.speed_m_s, found["mean_speed_m_s"]),
                     (shot.motion.stride_frequency_hz, found["stride_frequency_hz"]))
            cells = [cell for asked, got in pairs for cell in (text(asked), text(got, 3), change(got, asked, 1))]
            table.rows.append([entry.gait, entry.world, shot.engine, *cells])
    return table


def card_table(entries: list[Entry]) -> Table:
    """The physics card of every take: a grade a line."""
    names = [line.name for line in entries[0].card.lines] if entries else []
    table = Table("physics-cards", ["gait", "world", "engine", "length [s]", "all", *names])
    for entry in entries:
        grades = [line.grade for line in entry.card.lines]
        table.rows.append([entry.gait, entry.world, entry.shot.engine, text(entry.measures["duration_s"], 0),
                           entry.card.grade, *grades])
    return table


def absent_table(entries: list[Entry]) -> Table:
    """What was not measured of each take, and why."""
    table = Table("not-measured", ["gait", "world", "engine", "why", "not measured"])
    for entry in entries:
        for reason in dict.fromkeys(entry.reasons.values()):
            names = [name for name, why in entry.reasons.items() if why == reason]
            table.rows.append([entry.gait, entry.world, entry.shot.engine, reason, ", ".join(names)])
    return table


def change(value: float | None, against: float | None, digits: int = 0) -> str:
    """Change in percent, with its sign."""
    return EMPTY if value is None or not against else f"{100.0 * (value / against - 1.0):+.{digits}f} %"


STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; max-width: 1280px; margin: 2em auto; padding: 0 1.5em; color: #1b1b1b; }
h1 { margin-bottom: 0; } h2 { margin-top: 2.2em; border-bottom: 1px solid #ccc; }
img { max-width: 100%; display: block; margin: 0.6em 0; }
figcaption { color: #444; font-size: 14px; max-width: 100ch; } figure { margin: 1em 0; }
table { border-collapse: collapse; font-size: 13px; margin: 0.8em 0; } .wide { overflow-x: auto; }
th, td { border: 1px solid #d5d5d5; padding: 2px 7px; text-align: right; }
th { background: #f2f2f2; vertical-align: bottom; }
td:first-child, th:first-child, td:nth-child(2), th:nth-child(2) { text-align: left; }
.mark { background: #ffd9d2; } .green { background: #d5efd5; } .amber { background: #ffe8b8; } .red { background: #ffc9c0; }
.not-judged { color: #888; } li { max-width: 110ch; }
"""
GRADES = {"green": "green", "amber": "amber", "red": "red", "not judged": "not-judged"}


def page(title: str, lead: str, parts: list[str]) -> str:
    return (f'<!doctype html>\n<html lang="en">\n<head><meta charset="utf-8"><title>{escape(title)}</title>\n'
            f"<style>{STYLE}</style></head>\n<body>\n<h1>{escape(title)}</h1>\n<p>{escape(lead)}</p>\n"
            + "\n".join(parts) + "\n</body>\n</html>\n")


def picture(data: bytes, caption: str) -> str:
    source = base64.b64encode(data).decode("ascii")
    words = escape(caption)
    return f'<figure><img alt="{words}" src="data:image/png;base64,{source}"><figcaption>{words}</figcaption></figure>'


def table(what: Table) -> str:
    """A table; marked cells and grades are coloured."""
    head = "".join(f"<th>{escape(cell)}</th>" for cell in what.head)
    rows = []
    for i, row in enumerate(what.rows):
        cells = []
        for j, cell in enumerate(row):
            kind = "mark" if (i, j) in what.marks else GRADES.get(cell, "")
            cells.append(f'<td class="{kind}">{escape(cell)}</td>' if kind else f"<td>{escape(cell)}</td>")
        rows.append(f"<tr>{''.join(cells)}</tr>")
    return f'<div class="wide"><table><thead><tr>{head}</tr></thead><tbody>{"".join(rows)}</tbody></table></div>'


MEAN_SPEED = "mean_speed_m_s"


def outcome(entries: list[Entry]) -> list[str]:
    """Who fell, whose simulation was lost, and whose strides cannot be measured and why."""
    fell = [f"{name_of(e)} after {e.measures['time_fell_s']:.1f} s" for e in entries if e.measures["fell"]]
    lost = [f"{name_of(e)} ({e.measures['lost'].rstrip('.')})" for e in entries if e.measures["lost"]]
    others = [e for e in entries if not (e.walked or e.measures["fell"] or e.measures["lost"])]
    short = [name_of(e) for e in others if e.reasons[MEAN_SPEED] == STRIDES.absent]
    strange = [f"{name_of(e)} ({reason})" for e in others if (reason := e.reasons[MEAN_SPEED]) != STRIDES.absent]
    said = [f"{len(entries) - len(fell) - len(lost)} of {len(entries)} characters stand to the end."]
    if fell:
        said.append(f"Fell: {', '.join(fell)}. Fallen takes count in no table of means unless they hold whole strides before.")
    if lost:
        said.append(f"Lost by the physics engine, which is no fall: {', '.join(lost)}.")
    if short:
        said.append(f"Too short for a whole stride after the first two: {', '.join(short)}.")
    if strange:
        said.append(f"Not measured over strides: {', '.join(strange)}.")
    return said


def speeds_found(entries: list[Entry]) -> list[str]:
    """Lengths against speeds over frequencies, ours and the thesis's."""
    ours = [e for e in entries if e.walked and e.automatic and e.straight and e.measures["length_over_v_by_f"] is not None]
    said = []
    if ours:
        worst = max(ours, key=lambda e: abs(e.measures["length_over_v_by_f"] - 1.0))
        said.append("Stride length is measured between footprints and, on a straight way, agrees with speed over "
                    f"frequency: at worst {100.0 * (worst.measures['length_over_v_by_f'] - 1.0):+.2f} % "
                    f"({name_of(worst)}).")
    wrong = [f"{gait} on {world}: {row.frequency_hz:.2f} x {row.length_m:.2f} = {row.product_m_s:.2f}, printed "
             f"{row.speed_m_s:.2f}"
             for gait, rows in norms.TABLE_2.items() for world, row in rows.items() if row.contradicts_itself]
    said.append(f"Rows of the thesis's Table 2 whose speed is not frequency times length: {'; '.join(wrong)} (m/s).")
    if "run" in gaits_in(entries):
        numbers = ", ".join(f"{world} {norms.printed_froude('run', world):.2f}" for world in norms.WORLDS)
        said.append(f"The thesis's running has Froude numbers {numbers}: from the Earth up that is a walk's speed, so its "
                    "running rows are no target for ours.")
    return said


def froude(entries: list[Entry]) -> list[str]:
    walks = on_planets(entries, "walk")
    numbers = ", ".join(f"{world} {norms.printed_froude('walk', world):.2f}" for world in norms.WORLDS)
    said = [f"Froude numbers of the thesis's walking speeds: {numbers}; Jupiter's speed was lowered by hand until it stood."]
    if walks:
        numbers = ", ".join(f"{world} {entry.measures['froude']:.2f}" for world, entry in walks.items())
        said.append(f"Ours, chosen by the program: {numbers}.")
    if "mars" in walks and "earth" in walks:
        mars, earth = (walks[w].measures["mean_speed_m_s"] for w in ("mars", "earth"))
        ratio = norms.MARS_WALK_M_S / norms.EARTH_WALK_M_S
        said.append(f"Optimal walking speeds measured on people are {norms.MARS_WALK_M_S} m/s under Mars' gravity and "
                    f"{norms.EARTH_WALK_M_S} m/s on Earth, a ratio of {ratio:.2f} ({norms.CAVAGNA}); ours are {mars:.2f} and "
                    f"{earth:.2f} m/s, {mars / earth:.2f}.")
    return said


def forces(entries: list[Entry]) -> list[str]:
    ours = [e for e in entries if e.walked and e.automatic]
    said = []
    if ours:
        worst = max(ours, key=lambda e: abs(e.measures["grf_mean_over_mg"] - 1.0))
        said.append("Over whole strides the mean vertical force must be m g in any gravity. Ours is off by at most "
                    f"{100.0 * (worst.measures['grf_mean_over_mg'] - 1.0):+.2f} % ({name_of(worst)}).")
    wrong = [f"{gait} on {world} {printed:+.0f} % (must be {norms.expected_change_percent(world):+.0f} %)"
             for gait, rows in norms.FORCE_CHANGE_PERCENT.items() for world, printed in rows.items()
             if abs(printed - norms.expected_change_percent(world)) > 5.0]
    said.append("The thesis gives changes of \"the ground reaction force\" against the Earth without saying whether mean "
                f"or peak. As means these cannot be: {', '.join(wrong)}. As peaks they may be, but then nothing is said "
                "about the mean.")
    return said


def duty(entries: list[Entry]) -> list[str]:
    said = []
    for gait in gaits_in(entries):
        ours = on_planets(entries, gait)
        if "earth" not in ours or len(ours) < 2:
            continue
        earth = ours["earth"].measures["duty_factor"]
        off = {world: e.measures["duty_factor"] / earth - 1.0 for world, e in ours.items() if world != "earth"}
        worst = max(off, key=lambda world: abs(off[world]))
        beyond = [world for world, share in off.items() if abs(share) > norms.DUTY_FACTOR_SHARE]
        said.append(f"{gait}: duty factor {earth:.2f} on Earth, furthest from it on {worst} ({100.0 * off[worst]:+.1f} %)"
                    + (f"; beyond 10 %: {', '.join(beyond)}." if beyond else "; all within 10 %."))
    said.append("At equal Froude number people keep the duty factor from 0.25 to 1 g, while the stride's length over the "
                f"leg's changes by up to two thirds ({norms.DONELAN}): that length is kept here is the thesis's assumption, not "
                "theirs.")
    return said


def take_off(entries: list[Entry]) -> list[str]:
    said = []
    ratios = [ratio for e in entries if (ratio := e.measures["flight_over_ballistic_worst"]) is not None]
    if ratios:
        worst = max(ratios, key=lambda ratio: abs(ratio - 1.0))
        said.append("Every flight's time is 2 v / g, v being half of what the vertical velocity loses in it: the worst "
                    f"is off by {100.0 * (worst - 1.0):+.1f} %.")
    for gait in gaits_in(entries):
        heights = {w: e.measures["flight_height_m"] for w, e in on_planets(entries, gait).items()
                   if e.measures["flight_height_m"] is not None}
        if "earth" in heights:
            higher = [f"{w} {h:.3f}" for w, h in heights.items() if w != "earth" and h > 1.1 * heights["earth"]]
            said.append(f"{gait}: flight height {heights['earth']:.3f} m on Earth; more than a tenth higher: "
                        f"{', '.join(higher) or 'nowhere'}.")
    said.append("Treadmill runners under simulated low gravity rose with a velocity proportional to sqrt(g) and flew no "
                f"higher than on Earth ({norms.POLET}): higher flights than on Earth would contradict them.")
    return said


def apollo(entries: list[Entry]) -> list[str]:
    """The Moon's gaits beside the crews' speeds."""
    fastest = max(run.most_m_s for run in norms.APOLLO_RUNS)
    ours = {gait: e.measures["mean_speed_m_s"] for gait in gaits_in(entries)
            if (e := on_planets(entries, gait).get("moon")) is not None}
    slower = [f"{gait} {speed:.2f}" for gait, speed in ours.items() if speed <= fastest]
    faster = [f"{gait} {speed:.2f}" for gait, speed in ours.items() if speed > fastest]
    said = ["The crews wore suits of about their own mass and ran on dust and slopes; the figures come from a secondary "
            f"source ({norms.APOLLO}), distances from maps and orbiter pictures. Lope's bodies here wear no suit."]
    if ours:
        said.append(f"Within the crews' {fastest:.2f} m/s: {', '.join(slower) or 'none'}; faster: "
                    f"{', '.join(faster) or 'none'} (m/s).")
    said.append("The thesis's Table 3 compares with a film clip of Apollo; its printed rows are digit for digit the "
                "walking rows of its own Table 2 for Moon and Mars and differ by up to 60 %, so no figure of it is used.")
    return said


def transition(entries: list[Entry]) -> list[str]:
    """Where gaits lie against the measured transition."""
    said = [f"People change from walking to running near a Froude number of 0.5 from 0.4 g up ({norms.KRAM}), at 0.9 at 1/6 g "
            f"in simulation ({norms.CARR}), and at 1.39 ± 0.45 in parabolic flight at the Moon's gravity ({norms.DE_WITT}). It "
            "is a band, not a line."]
    odd = []
    for gait in gaits_in(entries):
        for world, entry in on_planets(entries, gait).items():
            low, high = norms.transition_band(entry.measures["gravity_m_s2"])
            number = entry.measures["froude"]
            if (gait in ("walk", "turn") and number > high) or (gait == "run" and number < low):
                odd.append(f"{gait} on {world} ({number:.2f})")
    said.append(f"On the other side of it than their name says: {', '.join(odd) or 'none'}.")
    return said


def name_of(entry: Entry) -> str:
    where = f"{entry.measures['gravity_m_s2'] / EARTH_GRAVITY_M_S2:.3g} g" if entry.world == "custom" else entry.world
    return f"{entry.gait} on {where}, {entry.shot.engine}"


PAGE, PLOTS, TABLES = "report.html", "plots", "tables"
THESIS = ("Kim, Y. 2017, Physics-based Animation of Full-body Human Locomotion in Altered Gravity, Master's thesis, Ewha "
          "Womans University")
FIGURE = {"walk": "Figure 16", "run": "Figure 17", "turn": "Figure 18"}


class PageWriter:
    """Collects the sections of a page and writes its files; without `plots` no plot is drawn."""

    def __init__(self, entries: list[Entry], folder: Path, plots: bool = True) -> None:
        self.entries, self.folder, self.plots = entries, folder, plots
        self.parts: list[str] = []
        for name in (PLOTS, TABLES) if plots else (TABLES,):
            (folder / name).mkdir(parents=True, exist_ok=True)

    def section(self, title: str, said: list[str]) -> None:
        listed = "".join(f"<li>{escape(sentence)}</li>" for sentence in said)
        self.parts += [f"<h2>{escape(title)}</h2>", f"<ul>{listed}</ul>" if said else ""]

    def plot(self, name: str, draw: Callable[[list[Entry]], Figure | None], caption: str) -> None:
        """A plot of the entries into the page and into its file; nothing for None."""
        figure = draw(self.entries) if self.plots else None
        if figure is not None:
            data = png(figure)
            write_whole(self.folder / PLOTS / f"{name}.png", data, "plot")
            self.parts.append(picture(data, caption))

    def table(self, found: Table) -> None:
        """A table into the page and into its file; nothing for an empty one."""
        if found.rows:
            found.write_csv(self.folder / TABLES)
            self.parts.append(table(found))

    def write(self, title: str, lead: str) -> Path:
        path = self.folder / PAGE
        write_whole(path, page(title, lead, self.parts), "page")
        return path


def write_page(entries: list[Entry], folder: Path, refused: list[str], with_plots: bool = True) -> Path:
    """Write report.html, plots/*.png and tables/*.csv; gives the page's path. `refused` gave no take. Raises InputError."""
    if with_plots:
        need_matplotlib()
    page = PageWriter(entries, folder, with_plots)
    engine = engine_of(entries)
    page.section("Who stands", outcome(entries) + refused)
    speeds(page)
    page.section("Walking speed and the Froude number", froude(entries))
    page.plot("froude-curve", plots.froude_curve,
              "Walking speed over gravity, as the thesis's Figure 15. Dotted: the speed at which the Froude number of "
              "our walk on Earth is kept (its equation 3). The thesis's points are its Table 2, for its own body.")
    for gait in gaits_in(entries):
        traces(page, gait)
    page.section("Ground forces", forces(entries))
    page.plot("ground-forces", plots.forces,
              "Vertical force of both feet: impulse over whole strides divided by time and weight (mean), and the "
              "largest sample (peak; 10 ms means, so the spike of a heel strike is cut). Right: change of the mean "
              "against the Earth's; hollow: what the thesis's text prints.")
    page.table(force_table(entries))
    page.section("Duty factor", duty(entries))
    page.plot("duty-factors", plots.duty_factors,
              "Share of the stride that a foot carries more than 2 % of the weight, mean of both feet.")
    page.section("Take-off and flight", take_off(entries))
    page.plot("take-off", plots.take_off,
              "Vertical velocity of the centre of mass; dotted: the line through the origin that fits the gait's points "
              "best. Points on the line are dynamically similar; the figure in the legend is its slope.")
    page.table(flight_table(entries))
    page.section("From walking to running", transition(entries))
    page.plot("transitions", plots.transitions,
              "Grey: Froude numbers at which people change from walking to running. Between 0.4 g and the Moon it is a "
              "straight line between measured ends; below the Moon nothing has been measured. Above it one number is "
              "known, 0.5, without spread.")
    page.table(transition_table(entries))
    page.section("The Moon beside Apollo", apollo(entries))
    page.plot("apollo", plots.apollo, "Mean speeds. Light grey: the range where only limits of distance and time are known.")
    page.section("Physics cards", ["Green, amber and red by the thresholds of addon/reports/card.py; `lope measure TAKE` "
                                   "gives each reason in words. Torques over a strong person's are expected above the "
                                   "Earth's gravity."])
    page.table(card_table(entries))
    page.section("Not measured", [] if any(entry.reasons for entry in entries) else ["Every measure of every take."])
    page.table(absent_table(entries))
    engines = sorted({entry.shot.engine for entry in entries})
    lead = (f"{len(entries)} takes, engines {', '.join(engines)}; plots show {engine}. Lope {VERSION}. Means are over "
            "whole strides from left strike to left strike after the first two; every measure is defined in "
            f"docs/measures.md. \"Thesis\" is {THESIS}. Pink cells contradict themselves or what must be."
            f"{'' if with_plots else ' Written without its plots.'}")
    return page.write("Gaits under other gravities", lead)


def speeds(page: PageWriter) -> None:
    """Speeds, frequencies and lengths beside Table 2, and what was asked for."""
    entries = page.entries
    page.section("Speed, stride frequency, stride length", speeds_found(entries))
    page.plot("speeds", plots.speeds,
              "Filled: Lope's takes with nothing set but gait and planet. Hollow: the thesis's Table 2; red crosses: "
              "rows whose speed is not frequency times length.")
    for gait in gaits_in(entries):
        table = gait_table(entries, gait)
        if table.rows:
            page.parts.append(f"<h3>{gait}</h3>")
            page.table(table)
    asked = asked_table(entries)
    if asked.rows:
        page.parts.append("<h3>With a speed or a frequency asked</h3>")
        page.table(asked)


def traces(page: PageWriter, gait: str) -> None:
    table = mass_table(page.entries, gait)
    if table.rows:
        like = f", as the thesis's {FIGURE[gait]}" if gait in FIGURE else ""
        page.section(f"{gait.capitalize()}: centre of mass and contacts", [])
        page.plot(f"trace-{gait}", lambda entries: plots.com_and_contacts(entries, gait),
                  f"Three strides after the first two{like}. Left: height of the centre of mass over the way along its "
                  "path. Right: when each foot carries more than 2 % of the weight.")
        page.table(table)
