# SPDX-License-Identifier: GPL-3.0-or-later
"""Judges the rows of the matrix: how many cases passed, whether the row holds, and the figures that say so."""

from __future__ import annotations

import statistics

from .case import Case
from .people_verdicts import efforts, measurements, planet_shows
from .rows import Row
from .verdict import Pairs, Result, Verdict, checked, fault, number

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
            speed, frequency = case.shot.speed_m_s, case.shot.stride_frequency_hz
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
    verdict = checked(pairs, lambda result: None if max(result["ratios"].values()) <= 1.8 else "above 1.8")
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
    count = len({case.shot.motion for case, _ in pairs})
    verdict.figures = [f"{verdict.passed} of {len(pairs)} pairs of {count} clips stand."]
    return verdict


JUDGES = {4: thesis_speeds, 5: froude_band, 6: slopes, 8: pushes, 9: mean_force, 11: bench, 13: naturalness, 14: smoothness,
          15: clips, 16: planet_shows, 17: measurements, 18: efforts, 21: clips}
"""Rows without a judge of their own ask that everybody stands."""
