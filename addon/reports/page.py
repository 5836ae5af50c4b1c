# SPDX-License-Identifier: GPL-3.0-or-later
"""The matrix page: sections of findings, plots and tables, written with the PNG and CSV files beside it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from .. import VERSION
from . import findings, html, plots, tables, trace_plots
from .charts import need_matplotlib, png
from .matrix import Entry, engine_of, gaits_in

if TYPE_CHECKING:
    from matplotlib.figure import Figure

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
        """A heading and its sentences."""
        self.parts += [html.heading(title), html.sentences(said)]

    def plot(self, name: str, draw: Callable[[list[Entry]], Figure | None], caption: str) -> None:
        """A plot of the entries into the page and into its file; nothing for None."""
        figure = draw(self.entries) if self.plots else None
        if figure is not None:
            data = png(figure)
            (self.folder / PLOTS / f"{name}.png").write_bytes(data)
            self.parts.append(html.picture(data, caption))

    def table(self, table: tables.Table) -> None:
        """A table into the page and into its file; nothing for an empty one."""
        if table.rows:
            table.write_csv(self.folder / TABLES)
            self.parts.append(html.table(table))

    def write(self, title: str, lead: str) -> Path:
        """The page's file."""
        path = self.folder / PAGE
        path.write_text(html.page(title, lead, self.parts), encoding="utf-8")
        return path


def write_page(entries: list[Entry], folder: Path, refused: list[str], with_plots: bool = True) -> Path:
    """Write report.html, plots/*.png and tables/*.csv into a folder; gives the page's path. `refused` are sentences on files
    and shots that gave no take. Raises InputError where plots are wanted and matplotlib is missing."""
    if with_plots:
        need_matplotlib()
    page = PageWriter(entries, folder, with_plots)
    engine = engine_of(entries)
    page.section("Who stands", findings.outcome(entries) + refused)
    speeds(page)
    page.section("Walking speed and the Froude number", findings.froude(entries))
    page.plot("froude-curve", plots.froude_curve,
              "Walking speed over gravity, as the thesis's Figure 15. Dotted: the speed at which the Froude number of "
              "our walk on Earth is kept (its equation 3). The thesis's points are its Table 2, for its own body.")
    for gait in gaits_in(entries):
        traces(page, gait)
    page.section("Ground forces", findings.forces(entries))
    page.plot("ground-forces", plots.forces,
              "Vertical force of both feet: impulse over whole strides divided by time and weight (mean), and the "
              "largest sample (peak; 10 ms means, so the spike of a heel strike is cut). Right: change of the mean "
              "against the Earth's; hollow: what the thesis's text prints.")
    page.table(tables.force_table(entries))
    page.section("Duty factor", findings.duty(entries))
    page.plot("duty-factors", plots.duty_factors,
              "Share of the stride that a foot carries more than 2 % of the weight, mean of both feet.")
    page.section("Take-off and flight", findings.take_off(entries))
    page.plot("take-off", plots.take_off,
              "Vertical velocity of the centre of mass; dotted: the line through the origin that fits the gait's points "
              "best. Points on the line are dynamically similar; the figure in the legend is its slope.")
    page.table(tables.flight_table(entries))
    page.section("From walking to running", findings.transition(entries))
    page.plot("transitions", plots.transitions,
              "Grey: Froude numbers at which people change from walking to running. Between 0.4 g and the Moon it is a "
              "straight line between measured ends; below the Moon nothing has been measured. Above it one number is "
              "known, 0.5, without spread.")
    page.table(tables.transition_table(entries))
    page.section("The Moon beside Apollo", findings.apollo(entries))
    page.plot("apollo", plots.apollo, "Mean speeds. Light grey: the range where only limits of distance and "
                                               "time are known.")
    page.section("Physics cards", ["Green, amber and red by the thresholds of addon/reports/card.py; `lope measure TAKE` "
                                   "gives each reason in words. Torques over a strong person's are expected above the "
                                   "Earth's gravity."])
    page.table(tables.card_table(entries))
    page.section("Not measured", [] if any(entry.reasons for entry in entries) else ["Every measure of every take."])
    page.table(tables.absent_table(entries))
    engines = sorted({entry.shot.engine for entry in entries})
    lead = (f"{len(entries)} takes, engines {', '.join(engines)}; plots show {engine}. Lope {VERSION}. Means are over "
            "whole strides from left strike to left strike after the first two; every measure is defined in "
            f"docs/measures.md. \"Thesis\" is {THESIS}. Pink cells contradict themselves or what must be."
            f"{'' if with_plots else ' Written without its plots.'}")
    return page.write("Gaits under other gravities", lead)


def speeds(page: PageWriter) -> None:
    """Speeds, frequencies and lengths beside Table 2, and what was asked for."""
    entries = page.entries
    page.section("Speed, stride frequency, stride length", findings.speeds(entries))
    page.plot("speeds", plots.speeds,
              "Filled: Lope's takes with nothing set but gait and planet. Hollow: the thesis's Table 2; red crosses: "
              "rows whose speed is not frequency times length.")
    for gait in gaits_in(entries):
        table = tables.gait_table(entries, gait)
        if table.rows:
            page.parts.append(f"<h3>{gait}</h3>")
            page.table(table)
    asked = tables.asked_table(entries)
    if asked.rows:
        page.parts.append("<h3>With a speed or a frequency asked</h3>")
        page.table(asked)


def traces(page: PageWriter, gait: str) -> None:
    """COM height, contact bars and path of a gait."""
    table = tables.mass_table(page.entries, gait)
    if table.rows:
        like = f", as the thesis's {FIGURE[gait]}" if gait in FIGURE else ""
        page.section(f"{gait.capitalize()}: centre of mass and contacts", [])
        page.plot(f"trace-{gait}", lambda entries: trace_plots.com_and_contacts(entries, gait),
                  f"Three strides after the first two{like}. Left: height of the centre of mass over the way along its "
                  "path. Right: when each foot carries more than 2 % of the weight.")
        page.table(table)
