# SPDX-License-Identifier: GPL-3.0-or-later
"""When muscles of walking people are active, by electromyography with wires in the muscle, and how far a take is from that.

Figures: Perry 1992 (Gait Analysis: Normal and Pathological Function, Slack), in percent of the cycle from the foot's strike.
"""

from __future__ import annotations

import numpy as np

from .muscle_names import bare

SOURCE = "Perry 1992, Gait Analysis"
ON_SHARE = 0.25
"""Of what a muscle's activation reaches in the cycle above its least, from where on it counts as active (first guess)."""

_MEDIUS, _MAXIMUS, _VASTI = ((0, 29), (95, 100)), ((0, 10), (94, 100)), ((0, 16), (87, 100))
_HAMSTRINGS, _TRICEPS = ((0, 5), (81, 100)), ((3, 52),)
TIMES: dict[str, tuple[tuple[int, int], ...]] = {
    "gluteus_maximus_upper": ((0, 24), (94, 100)), "gluteus_maximus_superior": ((0, 24), (94, 100)), "gluteus_maximus": _MAXIMUS,
    "gluteals": _MAXIMUS, "gluteus_medius": _MEDIUS, "gluteus_minimus": _MEDIUS, "tensor_fasciae_latae": ((26, 39),),
    "biceps_femoris_long": ((0, 5), (79, 100)), "biceps_femoris_short": ((62, 81),), "semimembranosus": _HAMSTRINGS,
    "semitendinosus": ((0, 4), (87, 100)), "hamstrings": _HAMSTRINGS, "gracilis": ((64, 78),),
    "adductor_magnus": ((0, 6), (90, 100)), "adductor_longus": ((44, 77),), "iliacus": ((60, 72),), "iliopsoas": ((60, 72),),
    "hip_flexors": ((60, 72),),
    "sartorius": ((57, 70),), "rectus_femoris": ((55, 66),), "vastus_medialis": _VASTI, "vasti": _VASTI,
    "vastus_intermedius": ((0, 20), (93, 100)), "vastus_lateralis": ((0, 15), (88, 100)), "gastrocnemius": ((6, 48),),
    "soleus": _TRICEPS, "tibialis_posterior": ((0, 15), (27, 51)), "flexor_digitorum": ((10, 54),),
    "flexor_hallucis": ((47, 54),), "peroneus_brevis": ((16, 54),), "peroneus_longus": ((11, 49),),
    "fibularis_brevis": ((16, 54),), "fibularis_longus": ((11, 49),), "tibialis_anterior": ((0, 9), (54, 100)),
    "extensor_hallucis": ((0, 10), (57, 100)), "extensor_digitorum": ((0, 11), (55, 100)),
}
"""Bursts (from, to) by how muscles' names begin, the longest that fits; of muscles in one piece those of their largest part."""


def bursts(name: str) -> tuple[tuple[int, int], ...] | None:
    """When a muscle is active in walking, in percent of its own leg's cycle; None where that is not published."""
    fitting = [stem for stem in TIMES if bare(name) == stem or bare(name).startswith(f"{stem}_")]
    return TIMES[max(fitting, key=len)] if fitting else None


def active(activation: np.ndarray) -> np.ndarray:
    """Where in the cycle a muscle counts as active: (N,) bool of its activation (N,)."""
    low, high = activation.min(), activation.max()
    return activation > low + ON_SHARE * (high - low)


def agreement(name: str, activation: np.ndarray) -> float | None:
    """Share of the cycle at which a muscle, by its activation (N,) at even times of it, is as active or idle as people's; None
    where that is not published."""
    published = bursts(name)
    if published is None:
        return None
    percent = 100.0 * (np.arange(len(activation)) + 0.5) / len(activation)
    on = np.any([(percent >= start) & (percent < end) for start, end in published], axis=0)
    return float((active(activation) == on).mean())
