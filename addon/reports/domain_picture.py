# SPDX-License-Identifier: GPL-3.0-or-later
"""The domain map as a picture: for each gravity what the strategies take, from all sides."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np

from ..gaits.push_domain import STRATEGIES, measured
from .charts import need_matplotlib, png

COLOURS = ("#2c7fb8", "#41b6c4", "#a1dab4", "#ffeda0")


def draw_domains(path: str) -> None:
    """A dial a world, ahead at the top, with one scale: impulse over mass, over sqrt(g leg)."""
    need_matplotlib()
    from matplotlib.figure import Figure

    maps = measured()
    figure = Figure(figsize=(3.3 * len(maps), 4.0))
    axes = figure.subplots(1, len(maps), subplot_kw={"projection": "polar"}, squeeze=False)
    most = max(float(d.limits_m_s.max()) / math.sqrt(p.gravity_m_s2 * p.leg_m) for p, d in maps)
    for axis, (preset, domain) in zip(axes[0], maps, strict=True):
        unit = math.sqrt(preset.gravity_m_s2 * preset.leg_m)
        axis.set_theta_zero_location("N")
        round_ = np.append(domain.directions_rad, math.tau)
        for k in range(len(STRATEGIES) - 1, -1, -1):
            edge = domain.limits_m_s[k] / unit
            axis.fill(round_, np.append(edge, edge[0]), color=COLOURS[k], label=STRATEGIES[k], linewidth=0)
        axis.set_ylim(0.0, 1.05 * most)
        rings = np.linspace(0.0, most, 5)[1:]
        axis.set_yticks(rings, [f"{ring * unit:.2g}" for ring in rings], fontsize=7)
        axis.set_xticks(np.radians((0, 90, 180, 270)), ("ahead", "left", "back", "right"), fontsize=8)
        axis.set_title(f"{preset.world.capitalize()}, {preset.gravity_m_s2:.3g} m/s²\nimpulse over mass [m/s]", fontsize=9)
    handles, labels = axes[0][0].get_legend_handles_labels()
    figure.legend(handles[::-1], labels[::-1], loc="lower center", ncols=len(labels), fontsize=9, frameon=False)
    figure.tight_layout(rect=(0, 0.06, 1, 1))
    Path(path).write_bytes(png(figure))
