# SPDX-License-Identifier: GPL-3.0-or-later
"""Which share of a muscle's fibres is slow, by the muscle's name in anatomy.

Figures as Uchida et al. 2016 (PLoS One 11:e0150378) gathered them, of Johnson et al. 1973 and Garrett et al. 1984 in the main.
"""

from __future__ import annotations

from .muscle import SLOW_SHARE

SHARES = {
    "gluteus": 0.55, "semimembranosus": 0.4925, "semitendinosus": 0.425, "biceps_femoris_long": 0.5425,
    "biceps_femoris_short": 0.529, "hamstrings": 0.487, "adductor_magnus": 0.552, "rectus_femoris": 0.3865,
    "vastus_medialis": 0.503, "vastus_intermedius": 0.543, "vastus_lateralis": 0.455, "vasti": 0.5,
    "gastrocnemius_medial": 0.566, "gastrocnemius_lateral": 0.507, "gastrocnemius": 0.537, "soleus": 0.803,
    "tibialis_posterior": 0.6, "flexor_digitorum": 0.6, "flexor_hallucis": 0.6, "tibialis_anterior": 0.7,
    "peroneus_tertius": 0.75, "peroneus": 0.6, "fibularis_tertius": 0.75, "fibularis": 0.6, "extensor_digitorum": 0.75,
    "extensor_hallucis": 0.75, "erector_spinae": 0.6, "internal_oblique": 0.56, "external_oblique": 0.58,
}
"""By how names begin, the longest that fits; of muscles in one piece the mean of their parts."""


def slow_share(name: str) -> float:
    """The share of a muscle's slow fibres by its name ("soleus_L", "gluteus_medius_anterior_R"); a half where none is known."""
    fitting = [stem for stem in SHARES if name == stem or name.startswith(f"{stem}_")]
    return SHARES[max(fitting, key=len)] if fitting else SLOW_SHARE
