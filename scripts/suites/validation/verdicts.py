# SPDX-License-Identifier: GPL-3.0-or-later
"""What a verdict on a row is, and what all judges need: why a case failed, one check for all cases, figures as text."""

from __future__ import annotations

import statistics
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from lope.addon.bodies.makers import make_body
from lope.addon.gaits.choice import transition_speed
from lope.addon.reports.norms import APOLLO, APOLLO_RUNS
from lope.addon.specs.shot import EARTH_GRAVITY_M_S2, BodySpec
from lope.addon.worlds.planets import load_world

from .case import Case
from .rows import Row

Result = dict[str, Any]
Pairs = list[tuple[Case, Result]]


@dataclass
class Verdict:
    """`passed` of `cases`; `holds` is None while results are missing. `figures` are sentences, `table` rows of text under a
    head; `failures` name what did not pass and why."""

    cases: int
    passed: int
    holds: bool | None
    figures: list[str] = field(default_factory=list)
    table: list[list[str]] = field(default_factory=list)
    failures: list[str] = field(default_factory=list)
    missing: int = 0


def fault(result: Result) -> str | None:
    """Why a case did not stand, None if it did."""
    if result["error"]:
        return result["error"]
    if result["stood"]:
        return None
    return f"fell after {result['measures']['time_fell_s']:.1f} s"


def checked(pairs: Pairs, check: Callable[[Result], str | None]) -> Verdict:
    """A verdict by one check a case: it gives what is wrong, or None; a case that did not stand is wrong already."""
    wrong = [(case, fault(result) or check(result)) for case, result in pairs]
    failures = [f"{case.name}: {why}" for case, why in wrong if why]
    return Verdict(len(pairs), len(pairs) - len(failures), not failures, failures=failures)


def number(value: float | None, digits: int = 2) -> str:
    """A figure as text."""
    return "–" if value is None else f"{value:.{digits}f}"


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
                       "back a fifth), 0.3 of squared torques (`scripts/suites/validation/kinds.py`), at the speed that was "
                       "reached."]
    return verdict


PUSH_MOON_M_S, PUSH_EARTH_M_S, PUSH_EARTH_MEDIAN_M_S = 0.24, 0.35, 0.52
SIDEWAYS_DEG = (90, 270)


def judge(row: Row, cases: list[Case], results: dict[str, Result]) -> Verdict:
    """The verdict on a row from the results by key."""
    pairs = [(case, results[case.key]) for case in cases if case.key in results]
    verdict = JUDGES.get(row.number, all_stand)(pairs)
    verdict.cases, verdict.missing = len(cases), len(cases) - len(pairs)
    if verdict.missing or not cases:
        verdict.holds = None
    return verdict


def all_stand(pairs: Pairs) -> Verdict:
    """Nobody falls."""
    verdict = checked(pairs, lambda result: None)
    verdict.table = [["case", "speed / planned [m/s]", "strides a second", "duty factor", "slip a stride [mm]",
                      "peak / m g"]]
    verdict.table += [[case.name, *gait_figures(result)] for case, result in pairs] if len(pairs) <= 45 else []
    return verdict


def gait_figures(result: Result) -> list[str]:
    """Speed, frequency, duty factor, slip and peak force of a case that walked; dashes where there are none."""
    found = result.get("measures") or {}
    return [f"{number(found.get('mean_speed_m_s'))} / {number(found.get('planned_speed_m_s'))}",
            number(found.get("stride_frequency_hz")), number(found.get("duty_factor")),
            number(found.get("foot_slip_mm_per_stride"), 1), number(found.get("grf_peak_over_mg"))]


def thesis_speeds(pairs: Pairs) -> Verdict:
    """Speed and frequency within 5 % of what was asked."""
    verdict = Verdict(len(pairs), 0, False)
    verdict.table = [["case", "asked: speed [m/s], frequency [1/s]", "reached", "off by"]]
    for case, result in pairs:
        why, found = fault(result), result.get("measures")
        if found and found["mean_speed_m_s"] is None:
            why = why or "no whole stride to measure"
        elif found:
            speed, frequency = case.shot.motion.speed_m_s, case.shot.motion.stride_frequency_hz
            off = [100.0 * (found["mean_speed_m_s"] / speed - 1.0), 100.0 * (found["stride_frequency_hz"] / frequency - 1.0)]
            told = f"{off[0]:+.1f} %, {off[1]:+.1f} %"
            verdict.table.append([case.name, f"{speed:.2f}, {frequency:.2f}",
                                  f"{found['mean_speed_m_s']:.3f}, {found['stride_frequency_hz']:.3f}", told])
            why = why or (f"off by {told}" if max(map(abs, off)) > 5.0 else None)
        if why:
            verdict.failures.append(f"{case.name}: {why}")
    verdict.passed = len(pairs) - len(verdict.failures)
    verdict.holds = not verdict.failures
    return verdict


def froude_band(pairs: Pairs) -> Verdict:
    """Froude number 0.15 to 0.45."""
    def check(result: Result) -> str | None:
        froude = result["measures"]["froude"]
        return None if froude is not None and 0.15 <= froude <= 0.45 else f"Froude number {number(froude, 3)}"

    verdict = checked(pairs, check)
    verdict.table = [["case", "Froude number", "speed [m/s]", "strides a second"]]
    for case, result in pairs:
        found = result.get("measures") or {}
        verdict.table.append([case.name, number(found.get("froude"), 3), number(found.get("mean_speed_m_s"), 3),
                              number(found.get("stride_frequency_hz"), 3)])
    return verdict


def slopes(pairs: Pairs) -> Verdict:
    """No fall at 5 degrees; at 10, 8 of 10."""
    verdict = checked(pairs, lambda result: None)
    gentle = [result for case, result in pairs if abs(case.shot.world.ground.slope_deg) < 7.5]
    steep = [result for case, result in pairs if abs(case.shot.world.ground.slope_deg) > 7.5]
    stood_gentle, stood_steep = (sum(fault(r) is None for r in some) for some in (gentle, steep))
    verdict.figures = [f"{stood_gentle} of {len(gentle)} stand at 5 degrees, {stood_steep} of {len(steep)} at 10."]
    verdict.holds = stood_gentle == len(gentle) and stood_steep >= 0.8 * len(steep)
    return verdict


def pushes(pairs: Pairs) -> Verdict:
    """Moon 0.24 m/s everywhere; Earth sideways 0.35 everywhere, median 0.52."""
    verdict = Verdict(len(pairs), 0, False)
    maps: dict[str, dict[tuple[int, float], float]] = {}
    for case, result in pairs:
        planet, at = case.shot.world.name, (case.options["direction_deg"], case.options["phase"])
        survived = result.get("survived_m_s", 0.0)
        maps.setdefault(planet, {})[at] = survived
        wanted = PUSH_MOON_M_S if planet == "moon" else PUSH_EARTH_M_S if at[0] in SIDEWAYS_DEG else 0.0
        if result["error"] or survived < wanted:
            verdict.failures.append(f"{case.name}: {result['error'] or f'survives {survived:g} m/s, {wanted:g} wanted'}")
    verdict.passed = len(pairs) - len(verdict.failures)
    earth = [value for (direction, _), value in maps.get("earth", {}).items() if direction in SIDEWAYS_DEG]
    median = statistics.median(earth) if earth else None
    if median is not None and median < PUSH_EARTH_MEDIAN_M_S:
        verdict.failures.append(f"earth, sideways: the median is {median:g} m/s, {PUSH_EARTH_MEDIAN_M_S} wanted")
    for planet, found in maps.items():
        sideways = f"; sideways least {min(earth):g}, median {median:g}" if planet == "earth" and earth else ""
        least, middle = min(found.values()), statistics.median(found.values())
        verdict.figures.append(f"{planet}: least {least:g} m/s, median {middle:g} m/s{sideways}")
        phases = sorted({phase for _, phase in found})
        verdict.table.append([f"{planet}: towards [deg], survived [m/s]", *(f"phase {p:g}" for p in phases)])
        for direction in sorted({d for d, _ in found}):
            verdict.table.append([f"{direction}", *(number(found.get((direction, p))) for p in phases)])
    verdict.holds = not verdict.failures
    return verdict


def mean_force(pairs: Pairs) -> Verdict:
    """Within 2 % of m g."""
    def check(result: Result) -> str | None:
        ratio = result["measures"]["grf_mean_over_mg"]
        return None if ratio is not None and abs(ratio - 1.0) <= 0.02 else f"mean force {number(ratio, 3)} m g"

    verdict = checked(pairs, check)
    verdict.table = [["case", "mean / m g", "peak / m g"]]
    for case, result in pairs:
        found = result.get("measures") or {}
        verdict.table.append([case.name, number(found.get("grf_mean_over_mg"), 4), number(found.get("grf_peak_over_mg"))])
    return verdict


def bench(pairs: Pairs) -> Verdict:
    """Three or less."""
    verdict = checked(pairs, lambda result: None if max(result["ratios"].values()) <= 3.0 else "above 3")
    verdict.figures = [f"{world}: {ratio:.2f}" for _, result in pairs for world, ratio in result.get("ratios", {}).items()]
    return verdict


def naturalness(pairs: Pairs) -> Verdict:
    """1.5 standard deviations or less."""
    def check(result: Result) -> str | None:
        mean = statistics.mean(result["scores"].values())
        return None if mean <= 1.5 else f"mean standard score {mean:.2f}"

    verdict = checked(pairs, check)
    for _, result in pairs:
        if "scores" in result:
            each = ", ".join(f"{joint} {score:.2f}" for joint, score in result["scores"].items())
            adult = ", ".join(f"{joint} {degrees:.1f}" for joint, degrees in result["adult_deg"].items())
            verdict.figures.append(f"Mean standard score {statistics.mean(result['scores'].values()):.2f} at "
                                   f"{number(result['measures']['mean_speed_m_s'])} m/s ({each}); mean difference from the "
                                   f"adult in degrees: {adult}.")
    return verdict


def smoothness(pairs: Pairs) -> Verdict:
    """Reported."""
    def check(result: Result) -> str | None:
        return None if result["measures"]["joint_acceleration_over_clip"] is not None else "no whole stride to measure"

    verdict = checked(pairs, check)
    verdict.table = [["case", "peak at contact [rad/s^2]", "over the clip's own", "the same without feet and toes"]]
    for case, result in pairs:
        found = result.get("measures") or {}
        verdict.table.append([case.name, number(found.get("joint_acceleration_at_contact_rad_s2"), 0),
                              number(found.get("joint_acceleration_over_clip")),
                              number(found.get("joint_acceleration_over_clip_above_feet"))])
    return verdict


def clips(pairs: Pairs) -> Verdict:
    """At least 90 % stand."""
    verdict = checked(pairs, lambda result: None)
    verdict.holds = verdict.passed >= 0.9 * len(pairs)
    count = len({case.shot.motion.file for case, _ in pairs})
    verdict.figures = [f"{verdict.passed} of {len(pairs)} pairs of {count} clips stand."]
    return verdict


JUDGES = {4: thesis_speeds, 5: froude_band, 6: slopes, 8: pushes, 9: mean_force, 11: bench, 13: naturalness, 14: smoothness,
          15: clips, 16: planet_shows, 17: measurements, 18: efforts, 21: clips}
"""Rows without a judge of their own ask that everybody stands."""
