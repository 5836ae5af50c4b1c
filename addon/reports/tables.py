# SPDX-License-Identifier: GPL-3.0-or-later
"""The tables of the matrix page: rows of text for the page and for CSV files."""

from __future__ import annotations

import csv
from dataclasses import dataclass, field
from pathlib import Path

from .literature import transition_band
from .matrix import Entry, gaits_in
from .thesis import FORCE_CHANGE_PERCENT, TABLE_2, TURN_RADIUS_M, WORLDS, expected_change_percent, printed_froude

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
        with path.open("w", encoding="utf-8", newline="") as file:
            csv.writer(file).writerows([self.head, *self.rows])
        return path


def text(value: float | None, digits: int = 2) -> str:
    """A figure, or a dash."""
    return EMPTY if value is None else f"{value:.{digits}f}"


def gait_table(entries: list[Entry], gait: str) -> Table:
    """Speed, frequency and length of a gait per world and engine beside the thesis's Table 2; its contradictions are
    marked."""
    table = Table(f"speeds-{gait}", [
        "world", "engine", "speed [m/s]", "strides [1/s]", "stride length [m]", "length / (v / f)", "Froude number",
        "duty factor", "flight", "thesis: v [m/s]", "f [1/s]", "length [m]", "f x length [m/s]", "thesis: Froude number"])
    for entry in chosen(entries, gait):
        found = entry.measures
        row = [entry.world, entry.shot.engine, text(found["mean_speed_m_s"]), text(found["stride_frequency_hz"]),
               text(found["stride_length_m"]), text(found["length_over_v_by_f"], 3), text(found["froude"]),
               text(found["duty_factor"]), text(found["flight_fraction"])]
        printed = TABLE_2.get(gait, {}).get(entry.world)
        if printed:
            row += [text(printed.speed_m_s), text(printed.frequency_hz), text(printed.length_m), text(printed.product_m_s),
                    text(printed_froude(gait, entry.world), 3)]
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
                           *([text(radius and abs(radius)), text(TURN_RADIUS_M.get(entry.world), 1)] if turning else [])])
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
            printed = FORCE_CHANGE_PERCENT.get(gait, {}).get(entry.world)
            table.rows.append([gait, entry.world, entry.shot.engine, text(found["grf_mean_over_mg"], 3),
                               text(found["grf_peak_over_mg"]), text(found["grf_mean_n"], 0), text(found["grf_peak_n"], 0),
                               change(found["grf_mean_n"], earth["grf_mean_n"] if earth else None),
                               f"{expected_change_percent(entry.world):+.0f} %",
                               change(found["grf_peak_n"], earth["grf_peak_n"] if earth else None),
                               EMPTY if printed is None else f"{printed:+.0f} %"])
            row = len(table.rows) - 1
            if abs(found["grf_mean_over_mg"] - 1.0) > 0.02:
                table.marks.add((row, 3))
            if printed is not None and abs(printed - expected_change_percent(entry.world)) > 5.0:
                table.marks.add((row, 10))
    return table


def flight_table(entries: list[Entry]) -> Table:
    """Flights and vertical speeds."""
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
            low, high = transition_band(entry.measures["gravity_m_s2"])
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
        if entry.walked and (shot.speed_m_s is not None or shot.stride_frequency_hz is not None):
            pairs = ((shot.speed_m_s, found["mean_speed_m_s"]), (shot.stride_frequency_hz, found["stride_frequency_hz"]))
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


def chosen(entries: list[Entry], gait: str) -> list[Entry]:
    """Automatic takes of a gait that walked, on the thesis's worlds: the longest of each world and engine."""
    found: dict[tuple[str, str], Entry] = {}
    for entry in entries:
        if entry.gait == gait and entry.automatic and entry.walked and entry.world in WORLDS:
            key = entry.world, entry.shot.engine
            if key not in found or entry.measures["duration_s"] > found[key].measures["duration_s"]:
                found[key] = entry
    return list(found.values())


def change(value: float | None, against: float | None, digits: int = 0) -> str:
    """Change in percent, with its sign."""
    return EMPTY if value is None or not against else f"{100.0 * (value / against - 1.0):+.{digits}f} %"
