# SPDX-License-Identifier: GPL-3.0-or-later
"""Judges the rows of the gait law "people"."""

from __future__ import annotations

from dataclasses import dataclass

from lope.addon.bodies.makers import make_body
from lope.addon.gaits.advice import transition_speed
from lope.addon.reports.literature import APOLLO, APOLLO_RUNS
from lope.addon.specs.shot import EARTH_GRAVITY_M_S2, BodySpec
from lope.addon.worlds.planets import load_world

from .verdict import Pairs, Result, Verdict, checked, fault, number

LEAST_APART_DEG = {"walk, people": 5.0, "auto": 20.0}
MOST_EFFORT, MOST_EFFORT_LOPE = 1.15, 1.25
LEAST_INSIDE = 8


@dataclass(frozen=True)
class Measurement:
    """What was measured on people: least and most of it, where from, in which kind of experiment; and ours."""

    what: str
    least: float
    most: float
    kind: str
    source: str
    ours: float | None

    @property
    def inside(self) -> bool:
        """Whether ours lies in what was measured."""
        return self.ours is not None and self.least <= self.ours <= self.most


def planet_shows(pairs: Pairs) -> Verdict:
    """Walk of people 5 degrees, auto 20."""
    def check(case_name: str, result: Result) -> str | None:
        apart = result["apart_deg"]["all"]
        return None if apart >= LEAST_APART_DEG.get(case_name, 0.0) else f"{apart:.1f} degrees apart"

    verdict = Verdict(len(pairs), 0, False)
    for case, result in pairs:
        why = fault(result) or check(case.name, result)
        verdict.failures += [f"{case.name}: {why}"] if why else []
    verdict.passed = len(pairs) - len(verdict.failures)
    verdict.holds = not verdict.failures
    joints = ("hip", "knee", "ankle", "trunk", "shoulder", "elbow", "all")
    verdict.table = [["case", "gait on the Moon, on the Earth", *(f"{joint} [deg RMS]" for joint in joints)]]
    verdict.table += [[case.name, ", ".join(result["gaits"]), *(number(result["apart_deg"][joint], 1) for joint in joints)]
                      for case, result in pairs if "apart_deg" in result]
    return verdict


def measurements(pairs: Pairs) -> Verdict:
    """8 of 10 inside."""
    verdict = checked(pairs, lambda result: None)
    found = {case.name: result.get("measures") or {} for case, result in pairs}
    rows = ten(found)
    inside = [row for row in rows if row.inside]
    verdict.holds = not verdict.failures and len(inside) >= LEAST_INSIDE
    verdict.figures = [f"{len(inside)} of {len(rows)} inside. Walk to run is the middle of the interval that the choice of the "
                       "gait goes by; everything else is measured on takes.", apollo(found)]
    verdict.failures += [f"{row.what}: {number(row.ours)}, measured {row.least:g} to {row.most:g}"
                         for row in rows if not row.inside]
    verdict.table = [["case", "measured on people", "ours", "inside", "kind of experiment", "source"]]
    verdict.table += [[row.what, f"{row.least:g} to {row.most:g}", number(row.ours), "yes" if row.inside else "**no**", row.kind,
                       row.source] for row in rows]
    return verdict


def ten(found: dict[str, Result]) -> list[Measurement]:
    """The ten measurements with ours beside them."""
    def of(case: str, measure: str) -> float | None:
        return found.get(case, {}).get(measure)

    def over(case: str, other: str, measure: str) -> float | None:
        one, two = of(case, measure), of(other, measure)
        return None if one is None or two is None else one / two

    def change(gravity_m_s2: float) -> float:
        return sum(transition_speed(gravity_m_s2, make_body(BodySpec()).leg_length_m)) / 2.0

    flights = [over(f"run, {place}", "run, Earth", "flight_height_m") for place in ("Mars", "Moon")]
    highest = None if None in flights else max(height for height in flights if height is not None)
    equal = ("walk at equal speed, 0.25 g", "walk at equal speed, Earth")
    kram, donelan = "Kram, Domingo and Ferris 1997", "Donelan and Kram 1997"
    return [
        Measurement("walk to run on the Earth, m/s", 1.95, 2.2, "treadmill", f"{kram}: Fr 0.45 to 0.55",
                    change(EARTH_GRAVITY_M_S2)),
        Measurement("walk to run at 0.5 g, m/s", 1.35, 1.6, "harness", f"{kram}: 1.5 m/s, Fr near 0.5",
                    change(0.5 * EARTH_GRAVITY_M_S2)),
        Measurement("walk to run on Mars, m/s", 1.2, 1.4, "harness", f"{kram}: 1.3 m/s at Fr 0.5",
                    change(load_world("mars").gravity_m_s2)),
        Measurement("walk to run on the Moon, m/s", 1.14, 1.44, "harness; parabola",
                    "Carr and McGee 2009: Fr 0.9; De Witt et al. 2014: Fr 1.39 +- 0.45", change(load_world("moon").gravity_m_s2)),
        Measurement("speed of a walk on the Earth, m/s", 1.2, 1.4, "over ground", "normal gait, 1.3 m/s",
                    of("walk, Earth", "mean_speed_m_s")),
        Measurement("speed of a walk at 0.4 g, m/s", 0.85, 1.03, "parabola",
                    "Cavagna, Willems and Heglund 1998: 0.94 m/s, least outer work; 10 % is our allowance",
                    of("walk, 0.4 g", "mean_speed_m_s")),
        Measurement("speed of a suited walk on the Moon, m/s", 0.54, 0.66, "suit",
                    "Apollo: 0.6 m/s, a secondary source; 10 % is our allowance", of("walk, Moon, suited", "mean_speed_m_s")),
        Measurement("stride at 0.25 g over the Earth's, equal speed", 0.79, 0.89, "harness",
                    f"{donelan}: 16 % shorter; 5 % is our allowance", over(*equal, "stride_length_m")),
        Measurement("duty factor at 0.25 g over the Earth's, equal speed", 0.85, 0.95, "harness",
                    f"{donelan}: 10 % less; 5 % is our allowance", over(*equal, "duty_factor")),
        Measurement("height of a run's flights over the Earth's, the highest of Mars and Moon", 0.0, 1.0, "harness",
                    "Polet et al. 2018: below the Earth's at every one of five gravities", highest),
    ]


def apollo(found: dict[str, Result]) -> str:
    """Ours beside the speeds of the Apollo crews."""
    speed = found.get("auto, Moon, suited", {}).get("mean_speed_m_s")
    runs = "; ".join(f"{run.mission}, {run.what}: " + (f"{run.least_m_s:.2f}" if run.least_m_s == run.most_m_s else
                                                       f"{run.least_m_s:.2f} to {run.most_m_s:.2f}") for run in APOLLO_RUNS)
    return f"A suited lope of free choice on the Moon goes at {number(speed)} m/s. Beside it, in m/s ({APOLLO}): {runs}."


def efforts(pairs: Pairs) -> Verdict:
    """The same gait at most 15 % dearer, a lope 25 %; the gait that is chosen is shown beside the walk it replaces."""
    verdict = Verdict(len(pairs), 0, False)
    verdict.table = [["case", "people: gait, m/s, J/kg/m", "similar: gait, m/s, J/kg/m", "people / similar"]]
    for case, result in pairs:
        why = fault(result)
        if why is None:
            ours, theirs = result["efforts"]["people"], result["efforts"]["similar"]
            ratio, most = ours["cost_j_kg_m"] / theirs["cost_j_kg_m"], MOST_EFFORT_LOPE if ours["gait"] == "lope" else MOST_EFFORT
            why = None if ratio <= most else f"{ratio:.2f} times the similar gait's, {most:g} allowed"
            told = [f"{one['gait']}, {one['speed_m_s']:.2f}, {one['cost_j_kg_m']:.2f}" for one in (ours, theirs)]
            verdict.table.append([case.name, *told, f"{ratio:.2f}"])
        verdict.failures += [f"{case.name}: {why}"] if why else []
    verdict.passed = len(pairs) - len(verdict.failures)
    verdict.holds = not verdict.failures
    verdict.figures = ["Cost: 1.2 W/kg, 0.3 of muscles' work (a leg's powers summed, efficiencies 0.25 and 1.2, bounces give "
                       "back a fifth), 0.3 of squared torques (`scripts/validation/effort.py`), at the speed that was reached."]
    return verdict
