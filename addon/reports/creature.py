# SPDX-License-Identifier: GPL-3.0-or-later
"""Measures of a creature's take: of any body with two feet, without a person to compare it with; defined in docs/measures.md.
Lengths are told over the leg's, times over that in which a body falls by a leg's length."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from ..bodies.body import Body
from ..gaits.froude import froude_number
from ..maths.rotations import plane_angle, quat_rotate
from ..sim.take import Take
from ..specs.creature import CREATURE
from ..specs.shot import EARTH_GRAVITY_M_S2, Shot
from ..worlds.ground import make_ground
from .events import clean_stances, stances_of, steps_of
from .feet import loaded_points, stance_slips
from .gaps import least_gaps_m
from .needs import FEET, HEAD, JOINTS, NUMBERS, TWO_FEET, Group, Need
from .rules import MUSCLED, RULES, Measures, Rule, Value, off_one, plain
from .strides import LEFT, WholeStrides, end_of_walking_s, heading_rad, sample_lengths_s, strikes_s, weight_n

OFF_MIDDLE_SHARE = 0.05
"""A chain is in the middle of the body while its joints are nearer to it than this share of the leg's length."""


def head_of(body: Body) -> str:
    """The segment whose steadiness people look at: the head, or the trunk where there is none."""
    return body.role("head" if "head" in body.roles else "trunk")


def tail_of(body: Body) -> tuple[str, ...]:
    """Names of the tail's segments from its root: the longest chain in the middle, ending behind, without feet and head."""
    kept = {name for foot in body.feet for name in body.way_to(foot.segment)} | set(body.way_to(head_of(body)))
    kept |= set(body.way_to(body.role("trunk")))
    best: tuple[tuple[str, ...], float] = (), 0.0
    for end in body.segments:
        way = body.way_to(end.name)
        chain = way[next((i for i, name in enumerate(way) if name not in kept), len(way)):]
        if not chain or body.children(end.name):
            continue
        reach = [_place(body, name) for name in chain] + [_place(body, end.name) + end.tip]
        aside = max(abs(place[1]) for place in reach)
        behind = reach[0][0] - reach[-1][0]
        if aside < OFF_MIDDLE_SHARE * body.leg_length_m and behind > best[1]:
            best = chain, behind
    return best[0]


def virtual_legs_m(take: Take) -> np.ndarray:
    """Length (T, F) of each leg as the crow flies, from the hip's joint to the last one, the foot's."""
    places, _ = take.segment_poses
    at = take.body.index
    return np.stack([np.linalg.norm(places[:, at[foot.segment]] - places[:, at[foot.leg[0]]], axis=1)
                     for foot in take.body.feet], axis=1)


def standing_legs_m(body: Body) -> np.ndarray:
    """The same (F,) in the neutral pose."""
    return np.array([np.linalg.norm(_place(body, foot.segment) - _place(body, foot.leg[0])) for foot in body.feet])


def _place(body: Body, name: str) -> np.ndarray:
    """Where a segment's joint is (3,) in the neutral pose, seen from the root."""
    return np.sum([body.segment(each).offset for each in body.way_to(name)[1:]], axis=0) if name != body.segments[0].name \
        else np.zeros(3)


CREATURE_UNITS: dict[str, str] = {
    "walked_s": "s", "settled_strides": "", "settled_speed_m_s": "m/s", "settled_speed_over_asked": "", "settled_froude": "",
    "speed_over_leg_speed": "", "step_time_over_leg_time": "", "step_time_spread": "", "step_length_over_leg": "",
    "step_width_over_leg": "", "step_time_unlike_percent": "%", "stance_share": "", "double_support_share": "",
    "flight_share": "", "force_mean_over_mg": "", "landing_peak_over_mg": "", "slip_mm_per_step": "mm",
    "head_bob_over_leg": "", "head_nod_deg": "deg", "trunk_pitch_deg": "deg", "trunk_nod_deg": "deg",
    "tail_swing_deg": "deg", "tail_bob_deg": "deg", "tail_against_legs": "", "leg_in_stance": "",
    "toe_clearance_over_leg": "", "toe_drag_share": "", "feet_crossed_share": "", "legs_gap_m": "m", "body_gap_m": "m",
    "heading_drift_deg_s": "deg/s", "course_off_heading_deg": "deg",
}

SETTLED_S = 6.0
"""A creature that begins at rest gets under way for so long on Earth, elsewhere longer as its steps are; of a short take half."""
MIDDLE_OF_SWING = 0.25, 0.75
"""Where in its swing a foot's toes shall be off the ground."""
IN_SWING = 0.15, 0.85
"""Where in its swing a foot that carries weight drags."""
TOGETHER_SHARE = 0.05
"""Feet less apart, as root mean square along the way over the leg's length, do not go one after the other."""

TAIL = Need(lambda take: bool(take.body.feet) and bool(tail_of(take.body)), "this body has no tail")
SETTLED = Need(lambda take: settled_strides(take) is not None, "it does not walk long enough to be measured")
WALKING = (FEET, TWO_FEET, NUMBERS, SETTLED)


def of_creature(shot: Shot) -> bool:
    """Whether a shot is of a creature, for whom there are no norms of people."""
    return shot.body.kind == CREATURE


def settled_strides(take: Take) -> WholeStrides | None:
    """Whole strides of the first foot after the body has got under way, up to a fall; None where there is none."""
    end = end_of_walking_s(take)
    slower = math.sqrt(EARTH_GRAVITY_M_S2 / max(take.shot.world.gravity_m_s2, 1e-3))
    strikes = strikes_s(take, LEFT)
    settled_s = 0.0 if _under_way(take) else min(SETTLED_S * slower, 0.5 * end)
    kept = strikes[(strikes >= settled_s) & (strikes <= end)]
    return WholeStrides(kept) if len(kept) >= 2 else None


def _under_way(take: Take) -> bool:
    """Whether it goes from the first sample on."""
    asked = take.stats.get("planned_speed_m_s")
    return asked is not None and float(np.linalg.norm(take.com_velocity_m_s[0, :2])) > 0.5 * asked


def _over(part: Callable[[Take, WholeStrides], dict[str, Any]]) -> Callable[[Take], dict[str, Any]]:
    """Measures over the settled strides of a take that has some."""
    def find(take: Take) -> dict[str, Any]:
        strides = settled_strides(take)
        return {} if strides is None else part(take, strides)

    return find


def _pace(take: Take, strides: WholeStrides) -> dict[str, Any]:
    leg, gravity = take.body.leg_length_m, take.shot.world.gravity_m_s2
    speed = float(strides.chords_m(take).sum() / strides.duration_s)
    asked = take.stats.get("planned_speed_m_s")
    return {"settled_strides": strides.count, "settled_speed_m_s": speed,
            "settled_speed_over_asked": speed / asked if asked else None,
            "settled_froude": froude_number(speed, gravity, leg), "speed_over_leg_speed": speed / math.sqrt(gravity * leg)}


def _steps(take: Take, strides: WholeStrides) -> dict[str, Any]:
    leg, first = take.body.leg_length_m, strides.time_s[0]
    unit_s = math.sqrt(leg / take.shot.world.gravity_m_s2)
    stances = [stances_of(take, strides, row) for row in (0, 1)]
    landed = np.sort([at for row in (0, 1) for at in strikes_s(take, row) if first <= at <= strides.time_s[-1]])
    between_s = np.diff(landed)
    found: dict[str, Any] = {"step_time_over_leg_time": strides.duration_s / strides.count / 2.0 / unit_s}
    if len(between_s) > 1:
        found["step_time_spread"] = between_s.std() / between_s.mean()
    steps = steps_of(take, strides, stances)
    if steps:
        found |= {"step_length_over_leg": 0.5 * (steps["step_length_m_L"] + steps["step_length_m_R"]) / leg,
                  "step_width_over_leg": steps["step_width_m"] / leg,
                  "step_time_unlike_percent": steps["asymmetry_step_time_percent"]}
    return found


def _loads(take: Take, strides: WholeStrides) -> dict[str, Any]:
    rows = strides.rows(take.time_s)
    lengths, down = sample_lengths_s(take.time_s)[rows], take.contact
    vertical, weight = take.grf_n[rows, :, 2].sum(axis=1), weight_n(take)[rows]
    slips = [s.slip_m for s in stance_slips(take) if strides.time_s[0] <= s.start_s < strides.time_s[-1]]
    return {"stance_share": strides.mean(take.time_s, down.mean(axis=1)),
            "double_support_share": strides.mean(take.time_s, down.all(axis=1)),
            "flight_share": strides.mean(take.time_s, ~down.any(axis=1)),
            "force_mean_over_mg": (vertical @ lengths) / (weight @ lengths),
            "landing_peak_over_mg": (vertical / weight).max(), "slip_mm_per_step": 1e3 * np.mean(slips) if slips else None}


def _pitch_deg(take: Take, name: str) -> np.ndarray:
    """How far (T,) a segment's forward axis points up [deg]."""
    ahead = quat_rotate(take.segment_poses[1][:, take.body.index[name]], np.array([[1.0, 0.0, 0.0]]))
    return np.degrees(np.arcsin(np.clip(ahead[:, 2], -1.0, 1.0)))


def _head(take: Take, strides: WholeStrides) -> dict[str, Any]:
    name = head_of(take.body)
    i = take.body.index[name]
    places, turns = take.segment_poses
    tip = places[:, i] + quat_rotate(turns[:, i], take.body.segment(name).tip[None])
    height = tip[:, 2] - make_ground(take.shot.world.ground).height(tip[:, 0], tip[:, 1])
    return {"head_bob_over_leg": strides.range_of(take.time_s, height) / take.body.leg_length_m,
            "head_nod_deg": strides.range_of(take.time_s, _pitch_deg(take, name))}


def _trunk(take: Take, strides: WholeStrides) -> dict[str, Any]:
    pitch, rows = _pitch_deg(take, take.body.role("trunk")), strides.rows(take.time_s)
    return {"trunk_pitch_deg": pitch[rows].mean(), "trunk_nod_deg": strides.range_of(take.time_s, pitch)}


def _smooth(values: np.ndarray, count: int) -> np.ndarray:
    """Means (T,) over so many samples about each."""
    count = max(1, min(count, len(values)) | 1)
    padded = np.pad(values, count // 2, mode="edge")
    return np.convolve(padded, np.full(count, 1.0 / count), "valid")[:len(values)]


def _in_heading(take: Take, strides: WholeStrides, vectors: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Horizontal vectors (T, 3) forward and to the left of where the body points, over a stride's mean."""
    step_s = float(np.median(np.diff(take.time_s)))
    angle = _smooth(heading_rad(take), round(strides.duration_s / strides.count / step_s))
    turned = (vectors[:, 0] + 1j * vectors[:, 1]) * np.exp(-1j * angle)
    return turned.real, turned.imag


def _feet_ahead(take: Take, strides: WholeStrides) -> tuple[np.ndarray, np.ndarray]:
    """How far (T,) the first foot is ahead of the second, and to its left [m]."""
    first, second = (take.contact_point_m[:, list(foot.points)].mean(axis=1) for foot in take.body.feet)
    return _in_heading(take, strides, first - second)


def _tail(take: Take, strides: WholeStrides) -> dict[str, Any]:
    names, (places, turns) = tail_of(take.body), take.segment_poses
    last = take.body.index[names[-1]]
    tip = places[:, last] + quat_rotate(turns[:, last], take.body.segment(names[-1]).tip[None])
    along = tip - places[:, take.body.index[names[0]]]
    ahead, left = _in_heading(take, strides, along)
    rows = strides.rows(take.time_s)
    bearing, rise = np.degrees(plane_angle(left, -ahead)), np.degrees(plane_angle(along[:, 2], np.hypot(ahead, left)))
    apart, _ = _feet_ahead(take, strides)
    found = {"tail_swing_deg": strides.range_of(take.time_s, np.unwrap(bearing, period=360.0)),
             "tail_bob_deg": strides.range_of(take.time_s, rise)}
    feet, tail = apart[rows] - apart[rows].mean(), left[rows] - left[rows].mean()
    if feet.std() > TOGETHER_SHARE * take.body.leg_length_m and tail.std() > 0.0:
        found["tail_against_legs"] = -(feet @ tail) / (np.linalg.norm(feet) * np.linalg.norm(tail))
    return found


def _legs(take: Take, strides: WholeStrides) -> dict[str, Any]:
    rows = strides.rows(take.time_s)
    bent, down = (virtual_legs_m(take) / standing_legs_m(take.body))[rows], take.contact[rows].astype(bool)
    _, left = _feet_ahead(take, strides)
    side = -1.0 if take.body.feet[0].side == "R" else 1.0
    gaps = least_gaps_m(take)
    return {"leg_in_stance": bent[down].mean() if down.any() else None, "feet_crossed_share": np.mean(side * left[rows] < 0.0),
            "legs_gap_m": gaps["legs"], "body_gap_m": gaps["body"], **_swings(take, strides)}


def _swings(take: Take, strides: WholeStrides) -> dict[str, Any]:
    """How high toes are in the middle of a swing, and in which share of swings they carry weight."""
    places, loaded, time = take.contact_point_m, loaded_points(take), take.time_s
    height = places[..., 2] - make_ground(take.shot.world.ground).height(places[..., 0], places[..., 1])
    lowest, drags = [], []
    ends = clean_stances(take)
    for row, foot in enumerate(take.body.feet):
        own, points = sorted((start, end) for side, start, end in ends if side == row), list(foot.points)
        for (_, off), (strike, _) in zip(own, own[1:], strict=False):
            if not (strides.time_s[0] <= off < strike <= strides.time_s[-1]):
                continue
            share = (time - off) / (strike - off)
            middle, swing = ((share > low) & (share < high) for low, high in (MIDDLE_OF_SWING, IN_SWING))
            if middle.any():
                lowest.append(float(height[middle][:, points].min()))
                drags.append(float(loaded[swing][:, points].any()))
    if not lowest:
        return {}
    return {"toe_clearance_over_leg": np.mean(lowest) / take.body.leg_length_m, "toe_drag_share": np.mean(drags)}


def _way(take: Take, strides: WholeStrides) -> dict[str, Any]:
    heading = strides.at_boundaries(take.time_s, heading_rad(take))
    way = np.diff(strides.at_boundaries(take.time_s, take.com_m[:, :2]), axis=0) @ [1.0, 1.0j]
    off = np.angle((way * np.exp(-1j * 0.5 * (heading[1:] + heading[:-1]))).sum())
    return {"heading_drift_deg_s": math.degrees(heading[-1] - heading[0]) / strides.duration_s,
            "course_off_heading_deg": math.degrees(off)}


_HEAD, _TAIL = ("head_bob_over_leg", "head_nod_deg"), ("tail_swing_deg", "tail_bob_deg", "tail_against_legs")
NO_SWING = "no whole swing of a foot"
GROUPS = (
    Group(("walked_s",), lambda take: {"walked_s": end_of_walking_s(take)}),
    Group(("settled_strides", "settled_speed_m_s", "settled_speed_over_asked", "settled_froude", "speed_over_leg_speed"),
          _over(_pace), WALKING, {"settled_speed_over_asked": "its controller plans no speed"}),
    Group(("step_time_over_leg_time", "step_time_spread", "step_length_over_leg", "step_width_over_leg",
           "step_time_unlike_percent"), _over(_steps), WALKING, dict.fromkeys(
        ("step_time_spread", "step_length_over_leg", "step_width_over_leg", "step_time_unlike_percent"),
        "its feet do not land one after the other")),
    Group(("stance_share", "double_support_share", "flight_share", "force_mean_over_mg", "landing_peak_over_mg",
           "slip_mm_per_step"), _over(_loads), WALKING, {"slip_mm_per_step": "no foot carried weight"}),
    Group(_HEAD, _over(_head), (HEAD, *WALKING)),
    Group(("trunk_pitch_deg", "trunk_nod_deg"), _over(_trunk), WALKING),
    Group(_TAIL, _over(_tail), (TAIL, *WALKING), {"tail_against_legs": "its legs do not swing one after the other"}),
    Group(("leg_in_stance", "toe_clearance_over_leg", "toe_drag_share", "feet_crossed_share", "legs_gap_m", "body_gap_m"),
          _over(_legs), (JOINTS, *WALKING),
          {"leg_in_stance": "no foot carried weight", "toe_clearance_over_leg": NO_SWING, "toe_drag_share": NO_SWING,
           "legs_gap_m": "its legs have no parts that could meet", "body_gap_m": "it has no parts that could meet"}),
    Group(("heading_drift_deg_s", "course_off_heading_deg"), _over(_way), WALKING),
)


SEARCH, SLOWER = "a search of its gait (Find a Gait, or lope tune --creature)", "a slower speed, or a search of its gait"


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


def _tail_rule(found: Measures) -> float | None:
    """The larger of its swings sideways and up and down [deg]."""
    swings = [found[key] for key in ("tail_swing_deg", "tail_bob_deg") if found.get(key) is not None]
    return max(swings) if swings else None


_BY_NAME = {rule.name: rule for rule in RULES}
CREATURE_RULES: tuple[Rule, ...] = (
    replace(_BY_NAME["fall"], advice=SLOWER),
    _BY_NAME["simulation"],
    replace(_BY_NAME["slip"], value=plain("slip_mm_per_step"), says="planted feet slide {value:.0f} mm a step",
            of=("slip_mm_per_step",)),
    replace(_BY_NAME["penetration"], advice=SLOWER),
    replace(_BY_NAME["mean force"], value=off_one("force_mean_over_mg"), of=("force_mean_over_mg",)),
    Rule("landing", 2.5, 3.5, "weights", plain("landing_peak_over_mg"), "feet land with {value:.1f} times its weight",
         "people who run land with up to 2.5 times their weight (Keller et al. 1996); over 3.5 it stamps (first guess)", SLOWER,
         ("landing_peak_over_mg",)),
    replace(_BY_NAME["friction"], advice=f"more friction under Ground and Gravity, or {SLOWER}"),
    Rule("speed", 0.05, 0.10, "", off_one("settled_speed_over_asked"), "its speed is {value:.0%} off the one asked for",
         "5 % is not seen, and 10 % is what searches of creatures aim at", SEARCH, ("settled_speed_over_asked",), decides=True),
    Rule("crouch", 0.10, 0.18, "", _short("leg_in_stance", 1.0),
         "legs that carry it are {value:.0%} shorter than as they were drawn",
         "a leg that carries gives a little; what is a fifth shorter reads as sneaking (first guess)",
         SEARCH, ("leg_in_stance",)),
    Rule("toes", 0.0, 0.10, "", plain("toe_drag_share"), "toes drag in {value:.0%} of the swings",
         "a foot that scuffs is seen at once; one in ten may be an accident", SEARCH, ("toe_drag_share",)),
    Rule("head", 0.06, 0.12, "", plain("head_bob_over_leg"), "its head bobs by {value:.0%} of the leg's length in a stride",
         "a walking person's bobs by 5 % of the leg, a running one's by 10 % (first guess)", SEARCH, ("head_bob_over_leg",)),
    Rule("nod", 6.0, 12.0, "degrees", plain("head_nod_deg"), "its head nods by {value:.0f} degrees in a stride",
         "eyes want a steady head: people and birds nod by a few degrees (first guess)", SEARCH, ("head_nod_deg",)),
    Rule("tail", 25.0, 45.0, "degrees", _tail_rule, "its tail swings by {value:.0f} degrees in a stride",
         "a tail that counters the legs swings a little; a wide swing whips (first guess)", SEARCH,
         ("tail_swing_deg", "tail_bob_deg")),
    Rule("width", 0.25, 0.40, "", plain("step_width_over_leg"), "its steps are {value:.0%} of the leg's length wide",
         "people step a tenth of the leg wide and birds less; a quarter is a waddle (first guess)", SEARCH,
         ("step_width_over_leg",)),
    Rule("crossing", 0.0, 20.0, "mm", _through, "parts of it go {value:.0f} mm into one another",
         "legs, neck and tail cannot pass through the body; flesh gives way by two centimetres", SEARCH,
         ("legs_gap_m", "body_gap_m")),
    Rule("symmetry", 5.0, 10.0, "%", plain("step_time_unlike_percent"), "left and right steps differ by {value:.0f} % in time",
         "differences within 10 % are those of healthy people (Robinson et al. 1987)", "a longer shot, or a search of its gait",
         ("step_time_unlike_percent",)),
    Rule("evenness", 0.05, 0.12, "", plain("step_time_spread"), "its steps differ by {value:.0%} in time from one another",
         "people's differ by 2 to 3 % (Hausdorff 2007); beyond a tenth it stumbles", SEARCH, ("step_time_spread",)),
    Rule("heading", 1.0, 3.0, "degrees a second", _drift, "it turns by {value:.1f} degrees a second by itself",
         "one degree a second is not seen in a shot of ten seconds (first guess)", SEARCH,
         ("heading_drift_deg_s",), "it was to turn"),
)
CREATURE_MUSCLED: tuple[Rule, ...] = (
    Rule("effort", 8.0, 16.0, "J/kg/m", plain("cost_of_transport_j_kg_m"), "a metre costs it {value:.1f} J for every kilogram",
         "people and ostriches walk for 3 to 5 J/kg/m; three times that looks strained (first guess)", SEARCH,
         ("cost_of_transport_j_kg_m",)),
    next(rule for rule in MUSCLED if rule.name == "reserve"),
)
SOON_S = 2.0
"""Who falls sooner than this on Earth has hardly begun to walk (first guess: about four steps); scales with 1 / sqrt(g)."""
OF_WALKS = ("mean force", "evenness", "heading")
"""Lines that say nothing of who has hardly begun to walk."""
AT_OWN_SPEED = tuple(replace(rule, says="its speed is {value:.0%} off its gait's own") if rule.name == "speed" else rule
                     for rule in CREATURE_RULES)
"""The rules for who was asked for no speed."""


def creature_rules(take: Take) -> tuple[Rule, ...]:
    """The rules by which a take of a creature is judged."""
    rules = CREATURE_RULES if take.shot.motion.speed_m_s is not None else AT_OWN_SPEED
    soon_s = SOON_S * math.sqrt(EARTH_GRAVITY_M_S2 / take.shot.world.gravity_m_s2)
    if not take.broken_off or take.stats["time_fell_s"] >= soon_s:
        return rules
    return tuple(rule for rule in rules if rule.name not in OF_WALKS)
