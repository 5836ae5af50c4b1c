# SPDX-License-Identifier: GPL-3.0-or-later
"""What muscles spend: metabolic rate by two published models, and what a body spends at rest. Fatigue is not modelled."""

from __future__ import annotations

import numpy as np

from ...errors import unknown_name
from .mechanics import Mechanics
from .muscle import Sizes

BASAL_W_KG = {"wang": 1.51, "umberger": 1.2}
"""Of a body at rest, over its mass: Anderson 1999 as Wang 2012 has it, and Umberger 2003, which is 3.5 ml of oxygen a minute."""
ACTIVATION_W_KG, MAINTENANCE_W_KG = (40.0, 133.0), (74.0, 111.0)
"""Heat of slow and fast fibres (Bhargava 2004)."""
SHORTENING_SHARE = 0.25
"""Of the force that is heat for every metre of shortening (Anderson 1999)."""
AEROBIC, FASTEST_HEAT_W_KG, LEAST_HEAT_W_KG = 1.5, 100.0, 1.0
"""Umberger 2003: scale of all heat over long bouts; greatest heat of shortening slow fibres; least heat of a muscle."""


def wang(muscles: Sizes, excitation: np.ndarray, activation: np.ndarray, fibre_length: np.ndarray,
         fibre_velocity: np.ndarray, force_n: np.ndarray, contractile_n: np.ndarray) -> np.ndarray:
    """Metabolic rate [W] (..., M) of Wang 2012 (section 5.1), after Anderson 1999 and Bhargava 2004: heat of activation by
    excitation, of maintenance by activation, of shortening by the whole force, and work of shortening.

    Lengths in l_opt, velocities in l_opt/s, shortening negative; `force_n` in the tendon, `contractile_n` the active part's.
    """
    slow, quarter = muscles.slow_share, 0.5 * np.pi
    activating = (ACTIVATION_W_KG[0] * slow * np.sin(quarter * excitation)
                  + ACTIVATION_W_KG[1] * (1.0 - slow) * (1.0 - np.cos(quarter * excitation)))
    maintaining = (MAINTENANCE_W_KG[0] * slow * np.sin(quarter * activation)
                   + MAINTENANCE_W_KG[1] * (1.0 - slow) * (1.0 - np.cos(quarter * activation)))
    # By length: half below half the optimal one, then up to all at it, down to none at one and a half.
    overlap = np.maximum(np.where(fibre_length > 1.0, 3.0 - 2.0 * fibre_length, np.maximum(fibre_length, 0.5)), 0.0)
    shortening_m_s = np.maximum(-fibre_velocity, 0.0) * muscles.optimal_fibre_m
    return (muscles.mass_kg * (activating + overlap * maintaining)
            + (SHORTENING_SHARE * force_n + contractile_n) * shortening_m_s)


def by_activation_w(muscles: Sizes, force_n: np.ndarray, shortening_m_s: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """`wang` of muscles in motion as a polynomial of their activation a: (line, square), each (..., M) [W], of line a + square
    a^2. `force_n` is what a wholly active one pulls with, `shortening_m_s` how fast its path shortens.

    Slow fibres' heat, a sine, is a line that meets it at half; fast ones', 1 - cos, the first of its series. Where the fibres'
    length is little heat does not matter to a choice between muscles: that is left out.
    """
    heat_w = [muscles.mass_kg * share * (ACTIVATION_W_KG[i] + MAINTENANCE_W_KG[i])
              for i, share in enumerate((muscles.slow_share, 1.0 - muscles.slow_share))]
    work_w = (1.0 + SHORTENING_SHARE) * force_n * np.maximum(shortening_m_s, 0.0)
    return 2.0 * np.sin(0.25 * np.pi) * heat_w[0] + work_w, np.pi**2 / 8.0 * heat_w[1]


def umberger(muscles: Sizes, excitation: np.ndarray, activation: np.ndarray, fibre_length: np.ndarray,
             fibre_velocity: np.ndarray, active: np.ndarray, contractile_n: np.ndarray) -> np.ndarray:
    """Metabolic rate [W] (..., M) of Umberger, Gerritsen and Martin 2003 as Uchida et al. 2016 have it: fibres are recruited in
    order, and work that is done on a muscle is given back.

    `active` is what the active part can pull with at this length, as a share of the greatest force; the rest as for `wang`.
    """
    slow, quarter = muscles.slow_share, 0.5 * np.pi
    by_slow = slow * np.sin(quarter * excitation)
    by_fast = (1.0 - slow) * (1.0 - np.cos(quarter * excitation))
    recruited = by_slow + by_fast
    slow_at_work = np.where(recruited > 0.0, by_slow / np.where(recruited > 0.0, recruited, 1.0), 1.0)
    drive = np.where(excitation > activation, excitation, 0.5 * (excitation + activation))
    long = fibre_length > 1.0
    maintaining = AEROBIC * drive**0.6 * (128.0 * (1.0 - slow_at_work) + 25.0) * np.where(long, 0.4 + 0.6 * active, 1.0)
    speed, fast_factor = np.abs(fibre_velocity), 153.0 / muscles.max_velocity
    slow_factor = FASTEST_HEAT_W_KG * 2.5 / muscles.max_velocity
    shorter = drive**2 * (np.minimum(FASTEST_HEAT_W_KG, slow_factor * speed) * slow_at_work
                          + fast_factor * speed * (1.0 - slow_at_work))
    moving = np.where(fibre_velocity > 0.0, drive * 4.0 * slow_factor * speed, shorter)
    shortening = AEROBIC * moving * np.where(long, active, 1.0)
    work = -np.maximum(contractile_n, 0.0) * fibre_velocity * muscles.optimal_fibre_m / muscles.mass_kg
    heat = np.maximum(maintaining + shortening, -work)  # a muscle spends no less than nothing
    return (np.maximum(heat, LEAST_HEAT_W_KG) + work) * muscles.mass_kg


def metabolic_w(mechanics: Mechanics, excitation: np.ndarray, model: str = "wang") -> np.ndarray:
    """Metabolic rate [W] (..., M) of muscles as they are, excited so. Raises InputError for an unknown model."""
    check_model(model)
    now = (mechanics.muscles, np.minimum(np.maximum(excitation, 0.0), 1.0), mechanics.activation, mechanics.fibre_length,
           mechanics.fibre_velocity)
    if model == "wang":
        return wang(*now, mechanics.force_n, mechanics.contractile_n)
    return umberger(*now, mechanics.curves.active(mechanics.fibre_length), mechanics.contractile_n)


def basal_w(mass_kg: float, model: str = "wang") -> float:
    """What a body spends at rest [W]. Raises InputError for an unknown model."""
    check_model(model)
    return BASAL_W_KG[model] * mass_kg


def check_model(model: str) -> None:
    """Raises InputError for a name that is no model's."""
    if model not in BASAL_W_KG:
        raise unknown_name("model of metabolic rate", model, BASAL_W_KG)
