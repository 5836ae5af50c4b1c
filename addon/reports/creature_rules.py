# SPDX-License-Identifier: GPL-3.0-or-later
"""The physics card's rules for a creature: what is seen at once on any two-legged body, without a norm of people."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

from ..specs.shot import EARTH_GRAVITY_M_S2
from ..take import Take
from .rules import MUSCLED, RULES, Measures, Rule

SEARCH, SLOWER = "a search of its gait (lope tune --creature)", "a slower speed, or a search of its gait"
Value = Callable[[Measures], float | None]


def _plain(key: str, scale: float = 1.0) -> Value:
    """The measure, `scale` times; None where it is not there."""
    return lambda found: None if found.get(key) is None else scale * found[key]


def _off(key: str) -> Value:
    """Distance of a ratio from 1."""
    return lambda found: None if found.get(key) is None else abs(found[key] - 1.0)


def _short(key: str, wanted: float) -> Value:
    """By how much a measure falls short of what is wanted, never less than 0."""
    return lambda found: None if found.get(key) is None else max(wanted - found[key], 0.0)


def _through(found: Measures) -> float | None:
    """How deep [mm] parts go into one another, never less than 0."""
    gaps = [found[key] for key in ("legs_gap_m", "body_gap_m") if found.get(key) is not None]
    return 1e3 * max(-min(gaps), 0.0) if gaps else None


def _drift(found: Measures) -> float | None:
    """How fast it turns by itself; None where it was to turn."""
    drift = found.get("heading_drift_deg_s")
    return None if drift is None or found.get("one_sided") else abs(drift)


def _tail(found: Measures) -> float | None:
    """The larger of its swings sideways and up and down [deg]."""
    swings = [found[key] for key in ("tail_swing_deg", "tail_bob_deg") if found.get(key) is not None]
    return max(swings) if swings else None


_BY_NAME = {rule.name: rule for rule in RULES}
CREATURE_RULES: tuple[Rule, ...] = (
    replace(_BY_NAME["fall"], advice=SLOWER),
    _BY_NAME["simulation"],
    replace(_BY_NAME["slip"], value=_plain("slip_mm_per_step"), says="planted feet slide {value:.0f} mm a step",
            of=("slip_mm_per_step",)),
    replace(_BY_NAME["penetration"], advice=SLOWER),
    replace(_BY_NAME["mean force"], value=_off("force_mean_over_mg"), of=("force_mean_over_mg",)),
    Rule("landing", 2.5, 3.5, "weights", _plain("landing_peak_over_mg"), "feet land with {value:.1f} times its weight",
         "people who run land with up to 2.5 times their weight (Keller et al. 1996); over 3.5 it stamps (first guess)", SLOWER,
         ("landing_peak_over_mg",)),
    replace(_BY_NAME["friction"], advice=f"more friction under World, or {SLOWER}"),
    Rule("speed", 0.05, 0.10, "", _off("settled_speed_over_asked"), "its speed is {value:.0%} off the one asked for",
         "5 % is not seen, and 10 % is what searches of creatures aim at", SEARCH, ("settled_speed_over_asked",)),
    Rule("crouch", 0.10, 0.18, "", _short("leg_in_stance", 1.0),
         "legs that carry it are {value:.0%} shorter than as they were drawn",
         "a leg that carries gives a little; what is a fifth shorter reads as sneaking (first guess)",
         SEARCH, ("leg_in_stance",)),
    Rule("toes", 0.0, 0.10, "", _plain("toe_drag_share"), "toes drag in {value:.0%} of the swings",
         "a foot that scuffs is seen at once; one in ten may be an accident", SEARCH, ("toe_drag_share",)),
    Rule("head", 0.06, 0.12, "", _plain("head_bob_over_leg"), "its head bobs by {value:.0%} of the leg's length in a stride",
         "a walking person's bobs by 5 % of the leg, a running one's by 10 % (first guess)", SEARCH, ("head_bob_over_leg",)),
    Rule("nod", 6.0, 12.0, "degrees", _plain("head_nod_deg"), "its head nods by {value:.0f} degrees in a stride",
         "eyes want a steady head: people and birds nod by a few degrees (first guess)", SEARCH, ("head_nod_deg",)),
    Rule("tail", 25.0, 45.0, "degrees", _tail, "its tail swings by {value:.0f} degrees in a stride",
         "a tail that counters the legs swings a little; a wide swing whips (first guess)", SEARCH,
         ("tail_swing_deg", "tail_bob_deg")),
    Rule("width", 0.25, 0.40, "", _plain("step_width_over_leg"), "its steps are {value:.0%} of the leg's length wide",
         "people step a tenth of the leg wide and birds less; a quarter is a waddle (first guess)", SEARCH,
         ("step_width_over_leg",)),
    Rule("crossing", 0.0, 20.0, "mm", _through, "parts of it go {value:.0f} mm into one another",
         "legs, neck and tail cannot pass through the body; flesh gives way by two centimetres", SEARCH,
         ("legs_gap_m", "body_gap_m")),
    Rule("symmetry", 5.0, 10.0, "%", _plain("step_time_unlike_percent"), "left and right steps differ by {value:.0f} % in time",
         "differences within 10 % are those of healthy people (Robinson et al. 1987)", "a longer shot, or a search of its gait",
         ("step_time_unlike_percent",)),
    Rule("evenness", 0.05, 0.12, "", _plain("step_time_spread"), "its steps differ by {value:.0%} in time from one another",
         "people's differ by 2 to 3 % (Hausdorff 2007); beyond a tenth it stumbles", SEARCH, ("step_time_spread",)),
    Rule("heading", 1.0, 3.0, "degrees a second", _drift, "it turns by {value:.1f} degrees a second by itself",
         "one degree a second is not seen in a shot of ten seconds (first guess)", SEARCH,
         ("heading_drift_deg_s",), "it was to turn"),
)
"""Every line of a creature's card."""
CREATURE_MUSCLED: tuple[Rule, ...] = (
    Rule("effort", 8.0, 16.0, "J/kg/m", _plain("cost_of_transport_j_kg_m"), "a metre costs it {value:.1f} J for every kilogram",
         "people and ostriches walk for 3 to 5 J/kg/m; three times that looks strained (first guess)", SEARCH,
         ("cost_of_transport_j_kg_m",)),
    next(rule for rule in MUSCLED if rule.name == "reserve"),
)
"""Further lines of one by muscles."""
SOON_S = 2.0
"""Who falls sooner than this on Earth has hardly begun to walk (first guess: about four steps); scales with 1 / sqrt(g)."""
OF_WALKS = ("mean force", "evenness", "heading")
"""Lines that say nothing of who has hardly begun to walk."""


def creature_rules(take: Take) -> tuple[Rule, ...]:
    """The lines of the card of a creature's take."""
    soon_s = SOON_S * math.sqrt(EARTH_GRAVITY_M_S2 / take.shot.world.gravity_m_s2)
    if not take.broken_off or take.stats["time_fell_s"] >= soon_s:
        return CREATURE_RULES
    return tuple(rule for rule in CREATURE_RULES if rule.name not in OF_WALKS)
