# SPDX-License-Identifier: GPL-3.0-or-later
"""What the figures of a matrix say, in sentences made from them: agreements, deviations, and contradictions of what was
printed."""

from __future__ import annotations

from ..specs.shot import EARTH_GRAVITY_M_S2
from .literature import (
    APOLLO,
    APOLLO_RUNS,
    CARR,
    CAVAGNA,
    DE_WITT,
    DONELAN,
    DUTY_FACTOR_SHARE,
    EARTH_WALK_M_S,
    KRAM,
    MARS_WALK_M_S,
    POLET,
    transition_band,
)
from .matrix import Entry, engine_of, gaits_in, on_planets
from .needs import STRIDES
from .thesis import FORCE_CHANGE_PERCENT, TABLE_2, WORLDS, expected_change_percent, printed_froude

MEAN_SPEED = "mean_speed_m_s"


def outcome(entries: list[Entry]) -> list[str]:
    """Who fell, whose simulation was lost, and whose strides cannot be measured and why."""
    fell = [f"{name_of(e)} after {e.measures['time_fell_s']:.1f} s" for e in entries if e.measures["fell"]]
    lost = [f"{name_of(e)} ({e.measures['lost'].rstrip('.')})" for e in entries if e.measures["lost"]]
    others = [e for e in entries if not (e.walked or e.measures["fell"] or e.measures["lost"])]
    short = [name_of(e) for e in others if e.reasons[MEAN_SPEED] == STRIDES.absent]
    strange = [f"{name_of(e)} ({reason})" for e in others if (reason := e.reasons[MEAN_SPEED]) != STRIDES.absent]
    said = [f"{len(entries) - len(fell) - len(lost)} of {len(entries)} characters stand to the end."]
    if fell:
        said.append(f"Fell: {', '.join(fell)}. Fallen takes count in no table of means unless they hold whole strides "
                    "before.")
    if lost:
        said.append(f"Lost by the physics engine, which is no fall: {', '.join(lost)}.")
    if short:
        said.append(f"Too short for a whole stride after the first two: {', '.join(short)}.")
    if strange:
        said.append(f"Not measured over strides: {', '.join(strange)}.")
    return said


def speeds(entries: list[Entry]) -> list[str]:
    """Lengths against speeds over frequencies, ours and the thesis's."""
    ours = [e for e in entries if e.walked and e.automatic and e.straight and e.measures["length_over_v_by_f"] is not None]
    said = []
    if ours:
        worst = max(ours, key=lambda e: abs(e.measures["length_over_v_by_f"] - 1.0))
        said.append("Stride length is measured between footprints and, on a straight way, agrees with speed over "
                    f"frequency: at worst {100.0 * (worst.measures['length_over_v_by_f'] - 1.0):+.2f} % "
                    f"({name_of(worst)}).")
    wrong = [f"{gait} on {world}: {row.frequency_hz:.2f} x {row.length_m:.2f} = {row.product_m_s:.2f}, printed "
             f"{row.speed_m_s:.2f}"
             for gait, rows in TABLE_2.items() for world, row in rows.items() if row.contradicts_itself]
    said.append(f"Rows of the thesis's Table 2 whose speed is not frequency times length: {'; '.join(wrong)} (m/s).")
    if "run" in gaits_in(entries):
        numbers = ", ".join(f"{world} {printed_froude('run', world):.2f}" for world in WORLDS)
        said.append(f"The thesis's running has Froude numbers {numbers}: from the Earth up that is a walk's speed, so its "
                    "running rows are no target for ours.")
    return said


def froude(entries: list[Entry]) -> list[str]:
    """Froude numbers of the walk, and known optimal speeds."""
    walks = on_planets(entries, "walk", engine_of(entries))
    numbers = ", ".join(f"{world} {printed_froude('walk', world):.2f}" for world in WORLDS)
    said = [f"Froude numbers of the thesis's walking speeds: {numbers}; Jupiter's speed was lowered by hand until it stood."]
    if walks:
        numbers = ", ".join(f"{world} {entry.measures['froude']:.2f}" for world, entry in walks.items())
        said.append(f"Ours, chosen by the program: {numbers}.")
    if "mars" in walks and "earth" in walks:
        mars, earth = (walks[w].measures["mean_speed_m_s"] for w in ("mars", "earth"))
        said.append(f"Optimal walking speeds measured on people are {MARS_WALK_M_S} m/s under Mars' gravity and "
                    f"{EARTH_WALK_M_S} m/s on Earth, a ratio of {MARS_WALK_M_S / EARTH_WALK_M_S:.2f} ({CAVAGNA}); ours "
                    f"are {mars:.2f} and {earth:.2f} m/s, {mars / earth:.2f}.")
    return said


def forces(entries: list[Entry]) -> list[str]:
    """Mean force, ours and the thesis's."""
    ours = [e for e in entries if e.walked and e.automatic]
    said = []
    if ours:
        worst = max(ours, key=lambda e: abs(e.measures["grf_mean_over_mg"] - 1.0))
        said.append("Over whole strides the mean vertical force must be m g in any gravity. Ours is off by at most "
                    f"{100.0 * (worst.measures['grf_mean_over_mg'] - 1.0):+.2f} % ({name_of(worst)}).")
    wrong = [f"{gait} on {world} {printed:+.0f} % (must be {expected_change_percent(world):+.0f} %)"
             for gait, rows in FORCE_CHANGE_PERCENT.items() for world, printed in rows.items()
             if abs(printed - expected_change_percent(world)) > 5.0]
    said.append("The thesis gives changes of \"the ground reaction force\" against the Earth without saying whether mean "
                f"or peak. As means these cannot be: {', '.join(wrong)}. As peaks they may be, but then nothing is said "
                "about the mean.")
    return said


def duty(entries: list[Entry]) -> list[str]:
    """Duty factor against the Earth's."""
    said = []
    for gait in gaits_in(entries):
        ours = on_planets(entries, gait, engine_of(entries))
        if "earth" not in ours or len(ours) < 2:
            continue
        earth = ours["earth"].measures["duty_factor"]
        off = {world: e.measures["duty_factor"] / earth - 1.0 for world, e in ours.items() if world != "earth"}
        worst = max(off, key=lambda world: abs(off[world]))
        beyond = [world for world, share in off.items() if abs(share) > DUTY_FACTOR_SHARE]
        said.append(f"{gait}: duty factor {earth:.2f} on Earth, furthest from it on {worst} ({100.0 * off[worst]:+.1f} %)"
                    + (f"; beyond 10 %: {', '.join(beyond)}." if beyond else "; all within 10 %."))
    said.append("At equal Froude number people keep the duty factor from 0.25 to 1 g, while the stride's length over the "
                f"leg's changes by up to two thirds ({DONELAN}): that length is kept here is the thesis's assumption, not "
                "theirs.")
    return said


def take_off(entries: list[Entry]) -> list[str]:
    """Flights against gravity and against people."""
    said = []
    ratios = [ratio for e in entries if (ratio := e.measures["flight_over_ballistic_worst"]) is not None]
    if ratios:
        worst = max(ratios, key=lambda ratio: abs(ratio - 1.0))
        said.append("Every flight's time is 2 v / g, v being half of what the vertical velocity loses in it: the worst "
                    f"is off by {100.0 * (worst - 1.0):+.1f} %.")
    for gait in gaits_in(entries):
        heights = {w: e.measures["flight_height_m"] for w, e in on_planets(entries, gait, engine_of(entries)).items()
                   if e.measures["flight_height_m"] is not None}
        if "earth" in heights:
            higher = [f"{w} {h:.3f}" for w, h in heights.items() if w != "earth" and h > 1.1 * heights["earth"]]
            said.append(f"{gait}: flight height {heights['earth']:.3f} m on Earth; more than a tenth higher: "
                        f"{', '.join(higher) or 'nowhere'}.")
    said.append("Treadmill runners under simulated low gravity rose with a velocity proportional to sqrt(g) and flew no "
                f"higher than on Earth ({POLET}): higher flights than on Earth would contradict them.")
    return said


def apollo(entries: list[Entry]) -> list[str]:
    """The Moon's gaits beside the crews' speeds."""
    fastest = max(run.most_m_s for run in APOLLO_RUNS)
    ours = {gait: e.measures["mean_speed_m_s"] for gait in gaits_in(entries)
            if (e := on_planets(entries, gait, engine_of(entries)).get("moon")) is not None}
    slower = [f"{gait} {speed:.2f}" for gait, speed in ours.items() if speed <= fastest]
    faster = [f"{gait} {speed:.2f}" for gait, speed in ours.items() if speed > fastest]
    said = ["The crews wore suits of about their own mass and ran on dust and slopes; the figures come from a secondary "
            f"source ({APOLLO}), distances from maps and orbiter pictures. Lope's bodies here wear no suit."]
    if ours:
        said.append(f"Within the crews' {fastest:.2f} m/s: {', '.join(slower) or 'none'}; faster: "
                    f"{', '.join(faster) or 'none'} (m/s).")
    said.append("The thesis's Table 3 compares with a film clip of Apollo; its printed rows are digit for digit the "
                "walking rows of its own Table 2 for Moon and Mars and differ by up to 60 %, so no figure of it is used.")
    return said


def transition(entries: list[Entry]) -> list[str]:
    """Where gaits lie against the measured transition."""
    said = [f"People change from walking to running near a Froude number of 0.5 from 0.4 g up ({KRAM}), at 0.9 at 1/6 g "
            f"in simulation ({CARR}), and at 1.39 ± 0.45 in parabolic flight at the Moon's gravity ({DE_WITT}). It is a "
            "band, not a line."]
    odd = []
    for gait in gaits_in(entries):
        for world, entry in on_planets(entries, gait, engine_of(entries)).items():
            low, high = transition_band(entry.measures["gravity_m_s2"])
            number = entry.measures["froude"]
            if (gait in ("walk", "turn") and number > high) or (gait == "run" and number < low):
                odd.append(f"{gait} on {world} ({number:.2f})")
    said.append(f"On the other side of it than their name says: {', '.join(odd) or 'none'}.")
    return said


def name_of(entry: Entry) -> str:
    """A take in words."""
    where = f"{entry.measures['gravity_m_s2'] / EARTH_GRAVITY_M_S2:.3g} g" if entry.world == "custom" else entry.world
    return f"{entry.gait} on {where}, {entry.shot.engine}"
