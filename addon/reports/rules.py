# SPDX-License-Identifier: GPL-3.0-or-later
"""The rules of the physics card: what is judged, with which thresholds and why, in which words, and what of the shot to
change."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any

from ..specs.motion import Motion
from ..specs.motions import Followed, Gait, Jump, KeyPoses, Reflex, Stand
from ..specs.shot import EARTH_GRAVITY_M_S2, Shot

GREEN, AMBER, RED, NOT_JUDGED = "green", "amber", "red", "not judged"
ORDER = (NOT_JUDGED, GREEN, AMBER, RED)

WALKED = ("slip", "mean force", "symmetry", "speed")
"""Lines that judge a motion over whole strides: where none of them is judged, nothing is known of the gait."""


def whole_grade(lines: Iterable[tuple[str, str]]) -> str:
    """The grade of a card from its lines' names and grades: the worst, if wrong or anything is known of the gait."""
    lines = list(lines)
    worst = max((grade for _, grade in lines), key=ORDER.index, default=NOT_JUDGED)
    known = any(name in WALKED and grade != NOT_JUDGED for name, grade in lines)
    return worst if known or worst != GREEN else NOT_JUDGED


PLANET_TIME, KEEP_HEIGHT, WEAKER = "the planet's time", "jumps that keep their height", "weaker pushes"
LONGER, STILL_LONGER = "a Stretch above 1", "a larger Stretch"
SAME_GRAVITY = 0.01
"""Gravities that differ by a smaller share are one: time and flights are the same either way."""


def calmer(shot: Shot, flights: int) -> str:
    """What makes a shot easier whose clip has so many flights: planet's time, jumps' height, weaker pushes, else more time."""
    follow, ratio = shot.motion, shot.world.gravity_m_s2 / EARTH_GRAVITY_M_S2
    if not isinstance(follow, Followed):
        raise ValueError("This shot follows no clip.")
    other = not math.isclose(ratio, 1.0, rel_tol=SAME_GRAVITY)
    found = [KEEP_HEIGHT] if flights and follow.flight == "velocity" and other and ratio < 1.0 else []
    found += [PLANET_TIME] if follow.time == "clip" and other else []
    found += [WEAKER] if shot.pushes else []
    return ", or ".join(found) or (STILL_LONGER if follow.stretch > 1.0 else LONGER)


Measures = dict[str, Any]
Value = Callable[[Measures], float | None]


@dataclass(frozen=True)
class Rule:
    """One line of the card: up to `green` is green, up to `amber` amber, beyond red. `value` takes the figure from the measures;
    `says` words it, `advice` is what to change, `why` gives the thresholds' source. Where there is no figure, the reason why one
    of the measures `of` lacks is given, or else `absent`."""

    name: str
    green: float
    amber: float
    unit: str
    value: Value
    says: str
    why: str
    advice: str
    of: tuple[str, ...] = ()
    absent: str = "not measured"
    decides: bool = False
    """Whether a shot that is red here is not done: no animator keeps it."""


def off_one(key: str) -> Value:
    return lambda found: None if found.get(key) is None else abs(found[key] - 1.0)


def plain(key: str) -> Value:
    return lambda found: found.get(key)


def _asymmetry(found: Measures) -> float | None:
    """The larger of the asymmetries of step time and of stance time, in percent."""
    sides = [found[name] for name in ASYMMETRY]
    return None if found["one_sided"] or None in sides else max(sides)


PEAK, FLIGHT, SPEED = "grf_peak_over_soft", "flight_over_ballistic_worst", "speed_over_planned"
SLIP, DEPTH, MEAN, FRICTION = "foot_slip_mm_per_stride", "penetration_mm_max", "grf_mean_over_mg", "friction_use_typical"
TORQUE, JERK = "torque_over_human_max", "jolt_over_clip"
ASYMMETRY = ("asymmetry_step_time_percent", "asymmetry_stance_time_percent")

SLOWER = "a slower speed, or a calmer gait"

RULES: tuple[Rule, ...] = (
    Rule("fall", 0.0, 0.0, "falls", lambda found: float(found["fell"]), "{outcome}",
         "a character that falls has not done what was asked", "a slower or calmer shot"),
    Rule("simulation", 0.0, 0.0, "losses", lambda found: float(found["lost"] is not None), "{kept}",
         "what an engine has lost is no motion: neither a fall nor a walk", "another engine under More, or a gentler shot"),
    Rule("slip", 15.0, 30.0, "mm", plain(SLIP), "planted feet slide {value:.0f} mm a stride",
         "slips under 30 mm go mostly unnoticed by the walker (Leamon and Li 1990), half of that surely; up to 10 mm are the "
         "contact spheres' rolling", "bake with Lock Feet, or give the ground more friction", (SLIP,)),
    Rule("penetration", 9.0, 15.0, "mm", plain(DEPTH), "soles sink {value:.0f} mm into the ground",
         "a heel pad gives way by as much (9 mm, De Clercq et al. 1994), and so does a boot's sole; deeper is seen",
         "a slower gait, or a lower mass", (DEPTH,)),
    Rule("mean force", 0.02, 0.05, "", off_one(MEAN),
         "on average the ground carries {value:.1%} more or less than the weight",
         "over whole strides the ground must give the weight's impulse, on every planet; 2 % is for strides that differ",
         "a longer shot: its strides differ too much to be judged", (MEAN,)),
    Rule("peak force", 1.3, 2.0, "times", plain(PEAK), "landings press {value:.1f} times as hard as soft ones would",
         "a soft landing presses like a half sine wave over the time on the ground; people walk with 0.8 to 1 of that and run "
         "with 1.1 (1.2 to 1.5 and 2.5 m g, Keller et al. 1996), at a slow jog with 1.7", SLOWER, (PEAK,)),
    Rule("friction", 0.6, 0.9, "", plain(FRICTION), "feet use {value:.0%} of the ground's grip",
         "at 100 % the foot slides; walking people use a quarter to a third of a dry floor's",
         "more friction under Ground and Gravity, or a slower gait", (FRICTION,)),
    Rule("flight", 0.05, 0.15, "", off_one(FLIGHT), "the oddest flight is {value:.0%} longer or shorter than gravity has it",
         "in the air nothing but gravity acts, and a flight lasts 2 v / g; 5 % is the sampling of the shortest flights",
         "another engine under More, or a gentler shot", (FLIGHT,)),
    Rule("torque", 1.0, 1.2, "", plain(TORQUE), "{joint} works at {value:.0%} of a strong person's strength",
         "strength of young men on dynamometers, scaled with body mass, from which strong ones differ by a fifth; beyond "
         "nobody could do it",
         "a slower gait, or less gravity: nobody could do this", (TORQUE,)),
    Rule("symmetry", 5.0, 10.0, "%", _asymmetry, "left and right steps differ by {value:.0f} % in time",
         "differences within 10 % are those of healthy people (Robinson et al. 1987)",
         "a longer shot, or a clip whose steps are more alike", ASYMMETRY, "one foot leads by design"),
    Rule("smoothness", 2.0, 4.0, "times", plain(JERK),
         "landings jolt the body {value:.1f} times as hard as in the captured motion",
         "from picture to picture of a film; no norm is published, the reference is a smoothed capture, and up to twice its "
         "jolts nothing is seen in a strip", SLOWER, (JERK,)),
    Rule("speed", 0.05, 0.10, "", off_one(SPEED), "its speed is {value:.0%} off the planned one",
         "5 % is what the character is asked to keep", "a longer shot, or a speed nearer to the gait's own",
         (SPEED,)),
)


def _off_path(found: Measures) -> float | None:
    """How far over the leg's length it goes beside its path; None where steering leads it elsewhere."""
    error, leg = found.get("path_error_m"), found.get("leg_length_m")
    return None if found["steered"] or error is None or not leg else error / leg


def _turned(found: Measures) -> float | None:
    return None if found["steered"] else found.get("heading_off_deg")


GAITED: tuple[Rule, ...] = (
    *(replace(rule, decides=rule.name == "speed") for rule in RULES),
    Rule("path", 0.2, 0.5, "", _off_path, "it goes {value:.0%} of its leg's length beside its path",
         "a fifth is a step's width; half a leg further it passes what it was to meet", "a slower speed, or a wider bend",
         ("path_error_m",), "it was steered", decides=True),
    Rule("heading", 10.0, 25.0, "degrees", _turned, "it ends turned {value:.0f} degrees from its path",
         "people's pelvis turns by 5 degrees each way in a stride; at 25 it walks aside (first guess)", SLOWER,
         ("heading_off_deg",), "it was steered", decides=True),
    Rule("crossing", 20.0, 50.0, "mm", plain("crossing_mm"), "parts of it go {value:.0f} mm into one another",
         "flesh gives way by two centimetres; at five a shin passes through the other",
         "a wider Step Width under Style, or a slower gait", ("crossing_mm",), decides=True),
)
"""The same of a gait, which has a speed and a path to keep."""


def _left_out(found: Measures) -> float | None:
    """Share of what was asked of the clip that was not followed."""
    followed = found.get("followed_fraction")
    return None if followed is None else 1.0 - followed


POSE, OFF_PLAN, STEP_SLIP = "joint_error_rms_deg", "com_off_plan_m_mean", "foot_slip_mm_per_step"
_BY_NAME = {rule.name: rule for rule in RULES}

FOLLOWED: tuple[Rule, ...] = (
    replace(_BY_NAME["fall"], advice=LONGER),
    _BY_NAME["simulation"],
    Rule("pose", 5.0, 8.0, "degrees", plain(POSE), "joints are {value:.1f} degrees off the clip",
         "Lee et al. 2010 follow captured walks within 5 to 6.5 degrees; half as much again is seen beside the clip",
         LONGER, (POSE,), decides=True),
    Rule("way", 0.10, 0.25, "m", plain(OFF_PLAN), "its centre of mass is {value:.2f} m off its plan",
         "a tenth of a metre is within a footprint's width and length; at a quarter the steps are others than planned",
         LONGER, (OFF_PLAN,), decides=True),
    replace(_BY_NAME["slip"], value=plain(STEP_SLIP), says="planted feet slide {value:.0f} mm a step", of=(STEP_SLIP,)),
    replace(_BY_NAME["penetration"], advice=f"{LONGER}, or a lower mass"),
    replace(_BY_NAME["friction"], advice=f"more friction under Ground and Gravity, or {LONGER}"),
    Rule("length", 0.05, 0.15, "", _left_out,
         "the last {value:.0%} of what was asked of the clip are left out: nobody stands there",
         "a clip of two or three seconds that ends in mid stride loses a seventh",
         "an earlier last frame, or a clip that ends on its feet", ("followed_fraction",), decides=True),
    _BY_NAME["flight"],
    replace(_BY_NAME["torque"], advice=f"{LONGER}, or less gravity: nobody could do this"),
)
"""The rules for a take that follows a clip, whose steps are no even strides."""

EFFORT, ECONOMY, RESERVE = "met", "met_over_people", "reserve_over_torque"
MUSCLED: tuple[Rule, ...] = (
    Rule("effort", 12.0, 20.0, "MET", plain(EFFORT), "it takes {value:.1f} times the energy of sitting still",
         "a fit young person keeps up 12 times that for minutes (42 ml of oxygen a minute and kilogram, ACSM), the best runners "
         "20", "a slower gait, or less gravity: nobody could keep this up", (EFFORT,)),
    Rule("economy", 1.5, 4.0, "times", plain(ECONOMY), "it takes {value:.1f} times what people spend at that speed on Earth",
         "people spend 3 MET on a walk at 1.2 m/s and 11 on a run at 3 m/s (ACSM); four times a walk is what a fit young person "
         "keeps up for minutes, half as much again as people is a first guess", "a calmer gait, or a walk by reflexes",
         (ECONOMY,)),
    Rule("reserve", 0.05, 0.10, "", plain(RESERVE), "what muscles could not give is {value:.1%} of their joints' torques",
         "within 5 % muscles alone explain a motion (Hicks et al. 2015, J. Biomech. Eng. 137:020905)",
         "a slower gait, or stronger muscles", (RESERVE,)),
)

POSED_ADVICE = {"fall": "a slower shot, or other gains of its balance", "peak force": "a slower gait, or calmer poses",
                "symmetry": "a longer shot, or other gains of its balance", "smoothness": "a slower gait, or calmer poses",
                "speed": "a longer shot, or a speed nearer to what its poses give"}
"""What to change in a gait from key poses, which has neither Style nor a clip."""
STOOD_ADVICE = {"fall": "weaker pushes, or another stance", "penetration": "weaker pushes, or a lower mass",
                "peak force": WEAKER, "friction": "more friction under Ground and Gravity, or weaker pushes",
                "torque": "weaker pushes, or less gravity: nobody could do this", "symmetry": "a longer shot",
                "smoothness": WEAKER, "speed": "a longer shot"}
"""What to change where somebody stands, who goes in no gait."""
SLOWER_WALKER, OTHER_WALKER = "a slower walker", "a longer shot, or another walker"
REFLEX_ADVICE = {"fall": "another walker, or a gravity nearer to its own", "penetration": "a slower walker, or a lower mass",
                 "peak force": SLOWER_WALKER, "friction": "more friction under Ground and Gravity, or a slower walker",
                 "torque": SLOWER_WALKER, "symmetry": OTHER_WALKER, "smoothness": SLOWER_WALKER, "speed": OTHER_WALKER}
"""What to change in a walk by reflexes, which has one speed and no Style."""
NO_CLIP = {"smoothness": "landings jolt the body {value:.1f} times as hard as in a captured motion"}
"""What is said where there is a motion to compare with, but not one that was asked for."""


def _advised(advice: dict[str, str]) -> tuple[Rule, ...]:
    return tuple(replace(rule, advice=advice.get(rule.name, rule.advice), says=NO_CLIP.get(rule.name, rule.says))
                 for rule in RULES)


JUMPED_ADVICE = STOOD_ADVICE | {"fall": "a lower or shorter jump", "penetration": "a lower jump, or a lower mass",
                                "peak force": "a lower jump",
                                "friction": "more friction under Ground and Gravity, or a shorter jump",
                                "torque": "a lower jump", "smoothness": "a lower jump"}
"""What to change where somebody jumps."""
POSED, STOOD, REFLEXED = _advised(POSED_ADVICE), _advised(STOOD_ADVICE), _advised(REFLEX_ADVICE)
"""The rules for a gait from key poses, and for somebody who stands."""
JUMPED = (*_advised(JUMPED_ADVICE),
          Rule("height", 0.05, 0.10, "", off_one("jump_height_over_asked"),
               "its centre of mass rises {value:.0%} off what was asked", "5 % is what a jump is asked to keep", "a lower jump",
               ("jump_height_over_asked",), decides=True))
"""The rules for who jumps."""
LIKENESS = ("pose", "way", "length", "path", "heading")
"""What asks for likeness with the clip, or with the gait's plan: of who was pushed or hit as the shot asked, nobody wants it.
Speed is judged up to then."""
ASKED_FOR = "pushes or hits take it off that, as was asked"
HALF = "half of the condition: NAME:0.5 after --condition, or its sliders in the panel"
"""What to change after a fall in a condition."""
STRONGER = "more strength of the muscles, or torques in their place"
"""What to change after a fall by healthy muscles."""
ONE_SIDED = "one side is other than the other, as was asked"
CALMED = ("fall", "pose", "way")
"""Of these, what to change depends on the shot."""


LESS_MASS, LESS_LOAD = "a lower mass", "a lighter load"
"""What to change where the ground bears too much, of who carries nothing and of who carries something."""


def rules_of(shot: Shot, flights: int = 0) -> tuple[Rule, ...]:
    """The rules by which the take of a shot is judged, with advice that fits it; `flights` are those of the followed clip."""
    rules = _rules_of(shot, flights)
    if shot.condition is not None or shot.actuation is not None:
        advice = STRONGER if shot.condition is None else HALF
        rules = tuple(replace(rule, advice=advice) if rule.name == "fall" else rule for rule in rules)
    if shot.carry is not None:
        rules = tuple(replace(rule, advice=rule.advice.replace(LESS_MASS, LESS_LOAD)) for rule in rules)
    if shot.condition is None:
        return rules
    if shot.condition.one_sided:
        rules = tuple(replace(rule, value=lambda found: None, of=(), absent=ONE_SIDED) if rule.name == "symmetry" else rule
                      for rule in rules)
    return (*rules, Rule("condition", 0.0, 0.0, "", lambda found: None, "", "", "", (), shot.condition.words))


OF_MOTION: dict[type[Motion], tuple[Rule, ...]] = {KeyPoses: POSED, Stand: STOOD, Jump: JUMPED, Reflex: REFLEXED}
"""The lines of motions that have some of their own."""


def _rules_of(shot: Shot, flights: int) -> tuple[Rule, ...]:
    """The same of a healthy body."""
    if isinstance(shot.motion, Followed):
        advice = calmer(shot, flights)
        rules = tuple(replace(rule, advice=advice) if rule.name in CALMED else rule for rule in FOLLOWED)
    else:
        rules = OF_MOTION.get(type(shot.motion), GAITED if isinstance(shot.motion, Gait) else RULES)
    if not isinstance(shot.motion, Gait | Followed) or math.isinf(shot.struck_s):
        return rules
    return tuple(replace(rule, value=lambda found: None, of=(), absent=ASKED_FOR) if rule.name in LIKENESS else rule
                 for rule in rules)
