# SPDX-License-Identifier: GPL-3.0-or-later
"""How alike the left and the right foot do.

The index is that of Robinson, Herzog and Nigg 1987 ("Use of force platform variables to quantify the effects of chiropractic
manipulation on gait symmetry", J. Manipulative Physiol. Ther. 10:172-176): difference over mean, in percent.
"""

from __future__ import annotations

import numpy as np

from ..take import Take
from .strides import WholeStrides, sample_lengths_s, strikes_s


def asymmetry_percent(left: float, right: float) -> float:
    """|left - right| over their mean, in percent; 0 for two zeros."""
    mean = 0.5 * (left + right)
    return 0.0 if mean == 0.0 else 100.0 * abs(left - right) / abs(mean)


def asymmetries(take: Take, strides: WholeStrides) -> dict[str, float | None]:
    """Asymmetry of step time, stance time and the foot's largest vertical force of a body with two feet, in percent, of means
    over whole strides.

    Step time is None where not every stride has one strike of the right foot.
    """
    left, right = strides.time_s, strikes_s(take, 1)
    right = right[(right >= left[0]) & (right < left[-1])]
    one_each = len(right) == strides.count and bool(np.all((right > left[:-1]) & (right < left[1:])))
    rows = strides.rows(take.time_s)
    lengths = sample_lengths_s(take.time_s)[rows]
    stance = lengths @ take.contact[rows]
    number = strides.stride_of(take.time_s)
    peaks = np.mean([take.grf_n[number == k, :, 2].max(axis=0) for k in range(strides.count)], axis=0)
    steps = None
    if one_each:
        steps = asymmetry_percent(float(np.mean(right - left[:-1])), float(np.mean(left[1:] - right)))
    return {"asymmetry_step_time_percent": steps, "asymmetry_stance_time_percent": asymmetry_percent(*stance.tolist()),
            "asymmetry_force_percent": asymmetry_percent(*peaks.tolist())}
