# SPDX-License-Identifier: GPL-3.0-or-later
"""The plots of the matrix page. Each takes the entries and gives a matplotlib figure, or None where there is nothing to show."""

from __future__ import annotations

import io
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import InputError
from ..gaits.froude import froude_speed
from ..maths.curves import runs
from ..specs.shot import EARTH_GRAVITY_M_S2
from . import norms
from .matrix import Entry, engine_of, gaits_in, on_planets

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


WORLD_COLOURS = {"moon": "#7f8790", "mars": "#c1440e", "earth": "#2166ac", "neptune": "#149c94", "jupiter": "#b5850b"}
GAIT_COLOURS = {"walk": "#2166ac", "run": "#c1440e", "turn": "#2e8b57", "lope": "#8e44ad", "skip": "#c9a20c", "hop": "#4d4d4d"}
GAIT_MARKS = {"walk": "o", "run": "s", "turn": "^", "lope": "D", "skip": "v", "hop": "P"}
OTHER_COLOUR, OTHER_MARK = "#000000", "*"
PRINTED: dict[str, Any] = {"markerfacecolor": "none", "linestyle": "none", "markersize": 8, "markeredgewidth": 1.4}
"""Figures that others printed are hollow."""
DPI = 100


def need_matplotlib() -> None:
    """Raises InputError with what to install where matplotlib is missing."""
    try:
        import matplotlib  # noqa: F401
    except ImportError:
        raise InputError("The report's plots need matplotlib, which is not installed here: install Lope with its extra "
                         "\"plot\" (pip install 'lope[plot]'), or matplotlib itself; or give --no-plots for the page "
                         "without them.") from None


def new_figure(width: float, height: float, rows: int = 1, columns: int = 1, **grid: Any) -> tuple[Figure, list[Axes]]:
    """A figure of that size [inches] and its axes, row by row."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height), layout="constrained")
    axes = figure.subplots(rows, columns, squeeze=False, **grid).ravel().tolist()
    for axis in axes:
        axis.grid(alpha=0.25)
        axis.spines[["top", "right"]].set_visible(False)
    return figure, axes


def png(figure: Figure) -> bytes:
    out = io.BytesIO()
    figure.savefig(out, format="png", dpi=DPI, metadata={"Software": None})
    return out.getvalue()


def style(gait: str) -> dict[str, Any]:
    return {"color": GAIT_COLOURS.get(gait, OTHER_COLOUR), "marker": GAIT_MARKS.get(gait, OTHER_MARK)}


def earths(gravity_m_s2: float) -> float:
    """Gravity in multiples of the Earth's."""
    return gravity_m_s2 / EARTH_GRAVITY_M_S2


GAPS = {"mean_speed_m_s": ("speed [m/s]", "speed_m_s"), "stride_frequency_hz": ("strides a second", "frequency_hz"),
        "stride_length_m": ("stride length [m]", "length_m")}
TICKS = [earths(gravity) for gravity in norms.WORLDS.values()]
LABELS = [world.capitalize() for world in norms.WORLDS]


def speeds(entries: list[Entry]) -> Figure:
    """Speed, stride frequency and stride length over gravity, ours filled, the thesis's hollow, crossed where contradictory."""
    figure, axes = new_figure(13, 4.9, 1, 3)
    for axis, (key, (label, printed)) in zip(axes, GAPS.items(), strict=True):
        for gait in gaits_in(entries):
            ours = on_planets(entries, gait)
            axis.plot([earths(e.measures["gravity_m_s2"]) for e in ours.values()], [e.measures[key] for e in ours.values()],
                      **style(gait), linewidth=1.4, label=gait)
            rows = norms.TABLE_2.get(gait, {})
            for world, row in rows.items():
                at = earths(norms.WORLDS[world]), getattr(row, printed)
                axis.plot(*at, **{**style(gait), **PRINTED})
                if row.contradicts_itself:
                    axis.plot(*at, marker="x", color="red", markersize=6, linestyle="none")
        gravity_axis(axis)
        axis.set_ylabel(label)
        axis.set_ylim(0.0, 1.08 * axis.get_ylim()[1])
    axes[0].plot([], [], marker="o", color="0.4", **PRINTED, label="thesis, Table 2")
    axes[0].plot([], [], marker="x", color="red", linestyle="none", label="its v is not f x length")
    figure.legend(*axes[0].get_legend_handles_labels(), loc="outside lower center", ncols=8, fontsize=9)
    return figure


def froude_curve(entries: list[Entry]) -> Figure | None:
    """Walking speed over gravity: Froude curve, our points, the thesis's (its Figure 15)."""
    walks = [e for e in entries if e.gait == "walk" and e.walked and e.automatic and e.shot.engine == engine_of(entries)]
    if not walks:
        return None
    figure, axes = new_figure(12, 4.8, 1, 2)
    shares = np.geomspace(0.04, 3.2, 200)
    leg = walks[0].measures["leg_length_m"]
    earth = next((e for e in walks if e.world == "earth"), walks[-1])
    for axis in axes:
        for froude, colour, line, more in ((earth.measures["froude"], "0.2", ":", ", that of our walk on Earth (eq. 3)"),
                                           (norms.OPTIMAL_FROUDE, "0.65", "-", ""), (norms.TRANSITION_FROUDE, "0.65", "--", "")):
            axis.plot(shares, [froude_speed(froude, s * EARTH_GRAVITY_M_S2, leg) for s in shares], color=colour,
                      linestyle=line, label=f"Froude number {froude:.2f}{more}")
        axis.plot([earths(e.measures["gravity_m_s2"]) for e in walks], [e.measures["mean_speed_m_s"] for e in walks], "o",
                  color="#2166ac", label="Lope, simulated")
        at = [earths(norms.WORLDS[w]) for w in norms.TABLE_2["walk"]]
        printed = [row.speed_m_s for row in norms.TABLE_2["walk"].values()]
        axis.plot(at, printed, "--", color="#c1440e", linewidth=0.8)
        axis.plot(at, printed, marker="o", color="#c1440e", **PRINTED,
                  label=f"thesis, simulated (leg {norms.LEG_LENGTH_M['walk']:.2f} m)")
        axis.set(xlabel="gravity / Earth's", ylabel="COM forward speed [m/s]")
    axes[0].set(xlim=(0.0, 3.1), ylim=(0.0, None))
    axes[1].set(xscale="log", yscale="log", title="logarithmic: one Froude number is one straight line")
    for direction in (axes[1].xaxis, axes[1].yaxis):
        direction.set_major_formatter("{x:g}")
        direction.set_minor_formatter(lambda value, _: f"{value:g}" if f"{value:.0e}"[0] in "235" else "")
    axes[0].legend(fontsize=8)
    return figure


def forces(entries: list[Entry]) -> Figure | None:
    """Mean and peak vertical force of each gait and world, and the change from the Earth's beside the thesis's."""
    gaits = [g for g in gaits_in(entries) if on_planets(entries, g)]
    if not gaits:
        return None
    figure, (left, right) = new_figure(13, 4.6, 1, 2)
    width = 0.8 / len(gaits)
    for i, gait in enumerate(gaits):
        beside = (i - 0.5 * (len(gaits) - 1)) * width
        ours = on_planets(entries, gait)
        at, colour = places(ours, beside), style(gait)["color"]
        left.bar(at, values(ours, "grf_peak_over_mg"), width * 0.9, color=colour, alpha=0.35, label=f"{gait}: peak")
        left.bar(at, values(ours, "grf_mean_over_mg"), width * 0.45, color=colour, label=f"{gait}: mean")
        if "earth" in ours:
            means = values(ours, "grf_mean_n")
            earth = means[list(ours).index("earth")]
            right.plot(at, 100.0 * (means / earth - 1.0), **style(gait), linestyle="none", label=f"{gait}, mean, Lope")
        printed = norms.FORCE_CHANGE_PERCENT.get(gait)
        if printed:
            right.plot(places(printed, beside), list(printed.values()), **{**style(gait), **PRINTED},
                       label=f"{gait}, thesis's text")
    left.axhline(1.0, color="0.2", linewidth=0.8)
    for k, world in enumerate(norms.WORLDS):
        right.hlines(norms.expected_change_percent(world), k - 0.45, k + 0.45, color="0.2", linewidth=1.2,
                     label="must be: as gravity" if k == 0 else "")
    for axis in (left, right):
        axis.set_xticks(range(len(norms.WORLDS)), LABELS)
    left.set(ylabel="vertical ground force / m g", title="mean (must be 1) and peak", ylim=(0.0, 1.2 * left.get_ylim()[1]))
    right.set(ylabel="change against the Earth [%]", title="mean force against the Earth's")
    left.legend(fontsize=7, ncols=len(gaits))
    right.legend(fontsize=7)
    return figure


def places(worlds: Iterable[str], beside: float) -> np.ndarray:
    """Where bars of these worlds stand, a little beside each world's own place."""
    return np.array([list(norms.WORLDS).index(world) for world in worlds]) + beside


def values(entries: dict[str, Entry], key: str) -> np.ndarray:
    return np.array([entry.measures[key] for entry in entries.values()])


def duty_factors(entries: list[Entry]) -> Figure:
    """Duty factor over Froude number of all takes, and of the walk over gravity with a tenth of the Earth's as a band."""
    figure, (left, right) = new_figure(12, 4.4, 1, 2)
    for gait in gaits_in(entries):
        ours = [e for e in entries if e.gait == gait and e.walked and e.automatic and e.shot.engine == engine_of(entries)]
        left.plot([e.measures["froude"] for e in ours], [e.measures["duty_factor"] for e in ours], **style(gait),
                  linestyle="none", label=gait)
        right.plot([earths(e.measures["gravity_m_s2"]) for e in ours], [e.measures["duty_factor"] for e in ours],
                   **style(gait), linestyle="none")
        earth = next((e for e in ours if e.world == "earth"), None)
        if earth:
            low, high = ((1.0 + sign * norms.DUTY_FACTOR_SHARE) * earth.measures["duty_factor"] for sign in (-1.0, 1.0))
            right.axhspan(low, high, color=style(gait)["color"], alpha=0.12)
    left.axhline(0.5, color="0.3", linewidth=0.8)
    left.set(xlabel="Froude number v² / (g l)", ylabel="duty factor", title="below the line both feet are in the air at times")
    left.legend(fontsize=8)
    gravity_axis(right)
    right.set(ylabel="duty factor", title="the speed each gait chose; bands: the Earth's ± 10 %")
    return figure


def take_off(entries: list[Entry]) -> Figure | None:
    """Take-off velocity and fastest rise of the COM against sqrt(g), with the line through the origin and the Earth's."""
    figure, axes = new_figure(12, 4.4, 1, 2)
    keys = ("takeoff_velocity_m_s", "vertical_speed_peak_m_s")
    titles = ("at loss of contact (gaits with flight)", "fastest rise in the stride (all gaits)")
    roots = np.linspace(0.0, np.sqrt(26.0), 2)
    shown = False
    for axis, key, title in zip(axes, keys, titles, strict=True):
        for gait in gaits_in(entries):
            ours = [e for e in on_planets(entries, gait).values() if e.measures[key] is not None]
            if not ours:
                continue
            shown = True
            root = np.sqrt([e.measures["gravity_m_s2"] for e in ours])
            speed = np.array([e.measures[key] for e in ours])
            slope = float(root @ speed / (root @ root))
            axis.plot(root, speed, **style(gait), linestyle="none", label=f"{gait}: {slope:.3f} sqrt(g)")
            axis.plot(roots, slope * roots, color=style(gait)["color"], linewidth=0.8, linestyle=":")
        axis.set(xlabel="sqrt(g) [m^½/s]", ylabel="vertical velocity of the COM [m/s]", title=title, xlim=(0, None),
                 ylim=(0, None))
        if axis.has_data():
            axis.legend(fontsize=8)
    return figure if shown else None


def apollo(entries: list[Entry]) -> Figure | None:
    ours = [(g, e) for g in gaits_in(entries) if (e := on_planets(entries, g).get("moon")) is not None]
    if not ours:
        return None
    names = [f"Lope: {gait}" for gait, _ in ours] + [f"{run.mission}: {run.what}" for run in norms.APOLLO_RUNS]
    figure, (axis,) = new_figure(11, 0.8 + 0.34 * len(names))
    for i, (gait, entry) in enumerate(ours):
        speed = entry.measures["mean_speed_m_s"]
        axis.barh(i, speed, color=style(gait)["color"], height=0.6)
        axis.text(speed + 0.02, i, f"{speed:.2f}", va="center", fontsize=8)
    for i, run in enumerate(norms.APOLLO_RUNS, len(ours)):
        axis.barh(i, run.least_m_s, color="0.6", height=0.6)
        axis.barh(i, run.most_m_s - run.least_m_s, left=run.least_m_s, color="0.8", height=0.6)
        axis.text(run.most_m_s + 0.02, i, f"{run.most_m_s:.2f}", va="center", fontsize=8)
    axis.set_yticks(range(len(names)), names, fontsize=8)
    axis.invert_yaxis()
    axis.set_xlabel("speed [m/s]")
    return figure


def transitions(entries: list[Entry]) -> Figure:
    """Froude numbers of our gaits over gravity with the band in which people change from walking to running."""
    figure, (axis,) = new_figure(9, 4.8)
    shares = np.geomspace(0.05, 3.0, 300)
    low, high = np.array([norms.transition_band(s * EARTH_GRAVITY_M_S2) for s in shares]).T
    axis.fill_between(shares, np.maximum(low, 0.48), np.maximum(high, 0.52), color="0.82",
                      label="people change from walking to running")
    axis.axhline(norms.WALKING_LIMIT_FROUDE, color="0.4", linewidth=0.8, linestyle="--",
                 label="limit of the stiff-legged pendulum")
    axis.errorbar([norms.MOON_SHARE], [norms.DE_WITT_MOON], yerr=[norms.DE_WITT_SPREAD], color="0.3", marker="_", capsize=4,
                  linestyle="none", label="De Witt 2014, parabolic flight, mean and SD")
    for gait in gaits_in(entries):
        ours = [e for e in entries if e.gait == gait and e.walked and e.automatic and e.shot.engine == engine_of(entries)]
        axis.plot([earths(e.measures["gravity_m_s2"]) for e in ours], [e.measures["froude"] for e in ours], **style(gait),
                  linestyle="none", label=f"Lope, {gait}")
    gravity_axis(axis)
    axis.set(ylabel="Froude number v² / (g l)", ylim=(0.0, 1.3 * axis.get_ylim()[1]))
    axis.legend(fontsize=8, ncols=2, loc="upper right")
    return figure


def gravity_axis(axis: Axes) -> None:
    """A logarithmic axis of gravity with the five worlds' names."""
    axis.set_xscale("log")
    axis.set_xticks(TICKS, ["\nNeptune" if name == "Neptune" else name for name in LABELS], fontsize=8)  # too near the Earth
    axis.set_xticks([], minor=True)
    axis.set_xlabel("gravity (logarithmic)")


BAR = 0.36
APART = 0.22
"""The first and the last foot's bars lie this much above and below their world's place."""


def com_and_contacts(entries: list[Entry], gait: str) -> Figure | None:
    """A gait's COM height over the way and its contact bars on each world; None where no take walked."""
    ours = on_planets(entries, gait)
    if not ours:
        return None
    figure, (left, right) = new_figure(13, 1.6 + 0.62 * max(len(ours), 4), 1, 2)
    for i, (world, entry) in enumerate(ours.items()):
        trace, colour = entry.trace, WORLD_COLOURS[world]
        if trace is None:  # it did not walk
            continue
        left.plot(trace.way_m, trace.height_m, color=colour, label=world.capitalize(), linewidth=1.4)
        for foot, name in enumerate(trace.feet):
            base = i + APART * (2.0 * foot - len(trace.feet) + 1.0) / max(len(trace.feet) - 1, 1)
            for start, end in runs(trace.contact[:, foot]):
                first = trace.time_s[max(start - 1, 0)]  # a sample's load stands for the interval that ends there
                right.barh(base, trace.time_s[end - 1] - first, BAR, left=first, color=colour if foot else "0.15")
            right.text(-0.01, base, name, ha="right", va="center", fontsize=7, transform=right.get_yaxis_transform())
    left.set(xlabel="way along the path [m]", ylabel="COM height [m]", title=f"{gait}: height of the centre of mass")
    left.legend(fontsize=8)
    right.set_yticks(range(len(ours)), [f"{w.capitalize()}   " for w in ours])
    right.tick_params(axis="y", length=0, pad=8)
    right.invert_yaxis()
    right.grid(axis="y", visible=False)
    right.set(xlabel="time from a left strike [s]", title="feet on the ground: left black, right coloured")
    return figure
