# SPDX-License-Identifier: GPL-3.0-or-later
"""Pictures of what gravity asks for: speed and strides of every gait, and at which speeds each one stands."""

from __future__ import annotations

from functools import cache

import numpy as np

from lope.addon.bodies.makers import make_body
from lope.addon.controllers.tracking.shot_gait import gait_variables, shot_cycle
from lope.addon.gaits.advice import LOPE_G, transition_speed
from lope.addon.gaits.froude import GaitVariables
from lope.addon.gaits.ranges import feasible_range
from lope.addon.motions.library import gait_names
from lope.addon.reports.charts import earths, new_figure, style
from lope.addon.specs.shot import EARTH_GRAVITY_M_S2, BodySpec, Shot, World
from lope.addon.worlds.planets import load_world

GRAVITIES = np.geomspace(0.05, 3.0, 60) * EARTH_GRAVITY_M_S2
WORLDS = ("moon", "mars", "earth", "neptune", "jupiter")
NAMED = {"pluto": "Pluto", "moon": "Moon", "mars": "Mars", "venus": "Venus", "neptune": "Neptune", "jupiter": "Jupiter"}


def speed_and_strides():
    """The speed and the stride frequency that each gait takes over gravity when nothing is asked for, and the speeds at
    which people change from walking to running."""
    figure, (left, right) = new_figure(13.0, 5.4, 1, 2)
    shares, leg = GRAVITIES / EARTH_GRAVITY_M_S2, make_body(BodySpec()).leg_length_m
    low, high = np.array([transition_speed(g, leg) for g in GRAVITIES]).T
    left.fill_between(shares, low, high, color="0.85", label="people change from walking to running")
    left.axvline(LOPE_G, color="0.75", linewidth=0.9, linestyle="--")
    for gait in gait_names():
        found = [natural(gait, g) for g in GRAVITIES]
        plain = {**style(gait), "marker": None, "linewidth": 1.8, "label": gait}
        left.plot(shares, [v.speed_m_s for v in found], **plain)
        right.plot(shares, [v.stride_frequency_hz for v in found], **plain)
    for axis, what in ((left, "speed [m/s]"), (right, "strides a second")):
        _over_gravity(axis, what)
    for share, where, words in ((0.96, "right", "faster than a walk: lope"), (1.04, "left", "run")):
        left.text(share * LOPE_G, 0.96, words, ha=where, fontsize=8, color="0.35", transform=left.get_xaxis_transform())
    left.legend(fontsize=9, loc="lower right")
    return figure


def ranges():
    """The stored ranges of speed of every gait that has one, as bars over the worlds, with the speed taken when none is
    asked for."""
    figure, axes = new_figure(13.0, 3.6, 1, len(WORLDS), sharey=True)
    leg = make_body(BodySpec()).leg_length_m
    gaits = [gait for gait in gait_names() if feasible_range(gait, EARTH_GRAVITY_M_S2, leg) is not None]
    for axis, world in zip(axes, WORLDS, strict=True):
        gravity = load_world(world).gravity_m_s2
        for row, gait in enumerate(gaits):
            low, high = feasible_range(gait, gravity, leg)
            axis.barh(row, high - low, left=low, height=0.56, color=style(gait)["color"], alpha=0.45)
            own = natural(gait, gravity).speed_m_s
            axis.plot([own, own], [row - 0.36, row + 0.36], color="black", linewidth=1.8)
            axis.text(low, row + 0.4, f"{low:.2f} to {high:.2f}", fontsize=8, color="0.3", va="bottom")
        axis.set(title=f"{world.capitalize()}, {gravity:.2f} m/s²", xlabel="speed [m/s]", xlim=(0.0, None),
                 ylim=(-0.6, len(gaits) - 0.1))
    axes[0].set_yticks(range(len(gaits)), gaits)
    return figure


@cache
def natural(gait: str, gravity_m_s2: float) -> GaitVariables:
    """What a gait of the default body takes under a gravity when neither speed nor frequency is asked for."""
    shot = Shot(world=World("picture", float(gravity_m_s2)), gait=gait)
    return gait_variables(shot, shot_cycle(shot), make_body(shot.body))


def _over_gravity(axis, what: str) -> None:
    """Both axes logarithmic, with the names of worlds above."""
    axis.set(xscale="log", yscale="log", xlabel="gravity / Earth's", ylabel=what)
    for direction in (axis.xaxis, axis.yaxis):
        direction.set_major_formatter("{x:g}")
        direction.set_minor_formatter(lambda value, _: f"{value:g}" if f"{value:.0e}"[0] in "235" else "")
    top = axis.get_ylim()[1]
    for world, label in {**NAMED, "earth": "Earth"}.items():
        share = earths(load_world(world).gravity_m_s2)
        axis.axvline(share, color="0.9", linewidth=0.8, zorder=0)
        axis.text(share, top * 1.04, label, rotation=45, fontsize=8, color="0.35", ha="left", va="bottom")
