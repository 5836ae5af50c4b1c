# SPDX-License-Identifier: GPL-3.0-or-later
"""Creatures made at random: bodies that nobody tuned anything for."""

from __future__ import annotations

import numpy as np

from ...specs.creature import Creature
from .findings import creature_findings
from .standing import off_soles_m
from .template import Template

LEG_M = 0.5, 1.2
SEGMENTS = 2, 3
CHAIN = 8
"""Most segments of a neck and of a tail."""
TRIES = 200


def random_creature(seed: int) -> Creature:
    """The creature of that seed: legs of 0.5 to 1.2 m in 2 or 3 segments and a foot, a trunk at any pitch, necks and tails of
    0 to 8 segments; it stands over its feet. All other sizes are shares of its leg, in ranges about those of people and birds
    (first guesses)."""
    rng = np.random.default_rng(seed)
    for _ in range(TRIES):
        creature = random_template(f"random_{seed}", rng).creature()
        if not creature_findings(creature) and not off_soles_m(creature).any():
            return creature
    raise AssertionError(f"No creature of seed {seed} stands in {TRIES} tries.")


def random_template(name: str, rng: np.random.Generator) -> Template:
    """Sizes of one, which may not stand."""
    def between(low: float, high: float) -> float:
        return float(rng.uniform(low, high))

    leg, count = between(*LEG_M), int(rng.integers(SEGMENTS[0], SEGMENTS[1] + 1))
    inverted = count == SEGMENTS[1] or rng.random() < 0.3
    shares = np.array([between(0.6, 1.0) if count == SEGMENTS[1] and i == 0 else between(0.8, 1.2) for i in range(count)])
    knee = between(45.0, 75.0)
    single = between(25.0, 50.0) if inverted else between(8.0, 25.0)
    bends = (knee, knee * between(0.6, 0.85)) if count == SEGMENTS[1] else (single,)
    thick = np.geomspace(between(0.06, 0.08), between(0.022, 0.04), count)
    upright = rng.random() < 0.4
    trunk, neck, tail = between(0.35, 0.65), int(rng.integers(0, CHAIN + 1)), int(rng.integers(0, CHAIN + 1))
    return Template(
        name, tuple(map(float, leg * shares / shares.sum())), (*map(float, leg * thick), leg * between(0.022, 0.03)),
        foot_m=leg * between(0.22, 0.34), trunk_m=leg * trunk, trunk_radius_m=leg * trunk * between(0.2, 0.3),
        legs="inverted" if inverted else "human", bend_deg=bends,
        heel_share=between(0.08, 0.2) if inverted else between(0.2, 0.3), foot_height_m=leg * between(0.05, 0.085),
        foot_width_m=leg * between(0.09, 0.14), hip_width_m=leg * between(0.16, 0.28), hips_share=0.0 if upright else None,
        trunk_pitch_deg=between(65.0, 90.0) if upright else between(-5.0, 50.0),
        neck=neck, neck_m=leg * min(between(0.08, 0.16), 1.0 / max(neck, 1)), neck_pitch_deg=between(20.0, 85.0),
        neck_radius_m=leg * between(0.03, 0.05), head_m=leg * between(0.12, 0.22), head_pitch_deg=between(-20.0, 20.0),
        head_radius_m=leg * between(0.045, 0.075),
        tail=tail, tail_m=leg * min(between(0.08, 0.15), 1.0 / max(tail, 1)), tail_pitch_deg=between(-25.0, 25.0),
        tail_radius_m=leg * between(0.03, 0.06), taper=between(0.35, 1.0), source="drawn at random")
