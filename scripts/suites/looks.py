# SPDX-License-Identifier: GPL-3.0-or-later
"""What betrays that a motion is computed: sway, knees, forces, flights and variation of takes, beside people's.

    scripts/check looks [walk light other knee run lope follow moon spikes] [--seconds 60] [--style NAME=VALUE] [--takes FOLDER]

`walk`: weight shift, forces and how unlike the strides are, on Earth; `light` on the Moon, `other` on Mars and Jupiter. `knee`:
the knee of the standing leg at five speeds, two of them held back (with a star). `run`: its forces. `lope`: the Moon's flights.
`follow`: followed walks over their clips, five held back. `moon`: a followed walk on the Moon beside the same on Earth. `spikes`:
how joints are jerked in ten followed motions, two of them held back, over their clips. Bounds are people's, from captured clips
and the literature (docs/notes/alive.md). Figures are means over strides after the first two, but for spikes.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import numpy as np
from scipy.ndimage import uniform_filter1d

from lope.addon.bodies.makers import make_body
from lope.addon.locomotion.clip.clip import followed_clip, on_body
from lope.addon.locomotion.settings import read_settings
from lope.addon.maths.curves import runs
from lope.addon.maths.rotations import matrix_from_quat, plane_angle
from lope.addon.motions.followable import read_followed
from lope.addon.motions.retarget import retarget
from lope.addon.motions.strides import find_contacts
from lope.addon.options.motion_options import style_from
from lope.addon.reports.feet import flights, joined, stance_slips
from lope.addon.reports.measures import FRAME_S, joint_acceleration
from lope.addon.reports.norms import JOINTS, PERCENT, joint_angles
from lope.addon.reports.strides import SKIPPED, shortest_phase_s, walked_samples, weight_n
from lope.addon.sim.take import Take
from lope.addon.specs.motions import PEOPLE, Clip, Gait
from lope.addon.specs.shot import BodySpec, Shot
from lope.addon.worlds.planets import load_world
from lope.scripts.suites.runner import STANDS, Case, Figures, Suite, Table, at_least, at_most, simulated, within
from lope.scripts.tools.common import CLIPS

SIDES = "LR"
FOLLOWED = ("07_01_walk_normal", "12_01_walk_slow_cgspeed", "16_15_walk_normal", "35_02_walk_normal", "snu_march_soldier")
HELD_BACK = ("07_05_walk_slow", "08_04_walk_slow", "08_06_walk_fast", "32_02_walk_veer_right", "snu_walk_bouncy_tongtong")
MOTIONS = ("35_02_walk_normal", "snu_march_soldier", "snu_walk_circle_left", "snu_hop_two_feet", "snu_jump_broad_long",
           "snu_jump_vertical", "snu_walk_stop_turn180", "snu_walk_sideways_crossing", "snu_run_cancan_uturn *",
           "snu_walk_backward *")
SPIKES_AFTER_S = 0.3
"""When it counts from: a take begins in the clip's pose, and holds it first."""
SPEEDS = [("0.9 m/s", 0.9), ("1.1 m/s *", 1.1), ("1.3 m/s", 1.3), ("1.5 m/s *", 1.5), ("1.6 m/s", 1.6)]
PEAK_PERCENT, TOE_OFF_PERCENT = (4, 26), 60
"""Where in the stride the loading peak of the knee is sought; where the foot has left the ground."""


@dataclass(frozen=True)
class Seen:
    """A motion as it is measured here: T samples at `time_s`, the centre of mass `com_m` and the pelvis `root_m` (T, 3), the
    `ankle_m` (T, 2, 3), the head's `pitch_deg` (T,), hip, knee and ankle of both legs [deg], and the stances of each foot [s]."""

    time_s: np.ndarray
    com_m: np.ndarray
    root_m: np.ndarray
    ankle_m: np.ndarray
    pitch_deg: np.ndarray
    angles: dict[str, dict[str, np.ndarray]]
    stances: dict[str, list[tuple[float, float]]]

    @property
    def strikes(self) -> np.ndarray:
        """Times (N,) [s] at which the left foot lands, from the first stride that counts."""
        return np.array([start for start, _ in self.stances["L"]])

    def at(self, values: np.ndarray, times: np.ndarray) -> np.ndarray:
        """Values (T, k) at times (n,)."""
        return np.stack([np.interp(times, self.time_s, column) for column in values.T], axis=1)

    def middles(self, side: str) -> tuple[np.ndarray, np.ndarray]:
        """Times (n,) of the middles of a foot's stances and the ankle's places (n, 2) there."""
        times = np.array([0.5 * (start + end) for start, end in self.stances[side]])
        return times, self.at(self.ankle_m[:, SIDES.index(side), :2], times)

    def curves(self, values: np.ndarray, side: str) -> np.ndarray:
        """Values (T,) over the percent of each stride of a side (n, 100)."""
        starts = [start for start, _ in self.stances[side]]
        return np.array([np.interp(a + 0.01 * PERCENT * (b - a), self.time_s, values) for a, b in pairwise(starts)])


def seen_take(take: Take) -> Seen:
    """A take as it is measured here."""
    body, (places, turns) = take.body, take.segment_poses
    rows = {side: joined(runs(take.contact[:, row]), take.time_s, shortest_phase_s(take)) for row, side in enumerate(SIDES)}
    stances = {side: [(float(take.time_s[a]), float(take.time_s[b - 1])) for a, b in down if b < walked_samples(take)][SKIPPED:]
               for side, down in rows.items()}
    ankles = places[:, [body.index[f"foot_{side}"] for side in SIDES]]
    return Seen(take.time_s, take.com_m, take.root_position_m, ankles, head_pitch(turns[:, body.index["head"]]),
                {side: joint_angles(body, turns, side) for side in SIDES}, stances)


def seen_clip(path: Path) -> Seen:
    """A clip on the standard body, hips, feet and centre of mass as far apart as in the clip, over its leg length."""
    motion = retarget(read_followed(str(path)))
    contacts, body = find_contacts(motion), make_body(BodySpec())
    clip = on_body(motion, contacts, body, 0.0)
    _, turns = clip.poses()
    source, _ = motion.poses()
    frames = np.arange(len(source)) * motion.frame_time_s
    ankles = clip.leg_ratio * source[:, [motion.body.index[f"foot_{side}"] for side in SIDES]].reshape(len(source), 6)
    ankles = np.stack([np.interp(clip.times_s, frames, column) for column in ankles.T], axis=1).reshape(-1, 2, 3)
    whole = [c for c in contacts if c.toe_off_s > c.strike_s]  # no numbers at the clip's ends
    stances = {side: [(c.strike_s, c.toe_off_s) for c in whole if c.side == side] for side in SIDES}
    return Seen(clip.times_s, clip.com_m, clip.root_m, ankles, head_pitch(turns[:, body.index["head"]]),
                {side: joint_angles(body, turns, side) for side in SIDES}, stances)


def head_pitch(turns: np.ndarray) -> np.ndarray:
    """Pitch (T,) [deg] of a head's forward axis."""
    forward = matrix_from_quat(turns)[:, :, 0]
    return np.degrees(plane_angle(-forward[:, 2], np.hypot(forward[:, 0], forward[:, 1])))


def sway_cm(seen: Seen, values: np.ndarray) -> float:
    """Range [cm] of places (T, 3) across each stride's own way, the mean over strides."""
    found = []
    for start, end in pairwise(seen.strikes):
        rows = (seen.time_s >= start) & (seen.time_s <= end)
        plane = values[rows, 0] + 1j * values[rows, 1]
        way = (plane[-1] - plane[0]) / abs(plane[-1] - plane[0])
        found.append(np.ptp(((plane - plane[0]) / way).imag))
    return 100.0 * float(np.mean(found))


def steps(seen: Seen) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Times, lengths and widths of steps (n,) [s, m, m], from the ankles in the middles of the stances; a width from the line of
    the other foot's prints before and after."""
    prints = sorted((time, side, *place) for side in SIDES for time, place in zip(*seen.middles(side), strict=True))
    times, lengths, widths = [], [], []
    for before, here, after in zip(prints, prints[1:], prints[2:], strict=False):
        if not before[1] == after[1] != here[1]:
            continue
        a, b, c = (complex(*one[2:]) for one in (before, here, after))
        local = (b - a) / ((c - a) / abs(c - a))
        times.append(here[0] - before[0])
        lengths.append(local.real)
        widths.append(local.imag * (1.0 if here[1] == "L" else -1.0))
    return np.array(times), np.array(lengths), np.array(widths)


def varied(seen: Seen) -> Figures:
    """How unlike strides and sides are."""
    periods, (_, lengths, widths) = np.diff(seen.strikes), steps(seen)
    _, left = seen.middles("L")
    strides = np.linalg.norm(np.diff(left, axis=0), axis=1)
    away = periods - periods.mean()
    sides = [float(np.sqrt(np.mean((seen.curves(seen.angles["L"][joint], "L").mean(axis=0)
                                    - seen.curves(seen.angles["R"][joint], "R").mean(axis=0)) ** 2))) for joint in JOINTS]
    pitch = np.ptp(seen.curves(seen.pitch_deg, "L"), axis=1).mean()
    return {"time_cv": 100.0 * float(periods.std() / periods.mean()), "length_cv": 100.0 * float(strides.std() / strides.mean()),
            "width_sd_cm": 100.0 * float(widths.std()), "step_cv": 100.0 * float(lengths.std() / lengths.mean()),
            "again": float((away[1:] @ away[:-1]) / max(away @ away, 1e-12)), "sides_deg": max(sides),
            "head_deg": float(pitch)}


def swayed(seen: Seen) -> Figures:
    """Weight shift [cm]."""
    return {"com_cm": sway_cm(seen, seen.com_m), "pelvis_cm": sway_cm(seen, seen.root_m),
            "width_cm": 100.0 * float(steps(seen)[2].mean())}


def knee(seen: Seen) -> Figures:
    """The knee of the standing leg [deg]: at the strike, its loading peak and where, and how far it stretches again after it has
    begun to bend a second time."""
    curve = np.concatenate([seen.curves(seen.angles[side]["knee"], side) for side in SIDES]).mean(axis=0)
    low, high = PEAK_PERCENT
    peak = low + int(curve[low:high].argmax())
    after = curve[peak:TOE_OFF_PERCENT]
    falls = np.flatnonzero(np.diff(after) > 0.0)
    again = after[falls[0]:] if len(falls) else after[-1:]
    return {"strike_deg": float(curve[0]), "peak_deg": float(curve[peak]), "at_percent": peak,
            "stretched_deg": float(after.min()), "again_deg": float((np.maximum.accumulate(again) - again).max())}


def forces(take: Take, seen: Seen) -> Figures:
    """The vertical force over m g: the mean over strides of each stride's largest, and of all; slip [mm]."""
    vertical, strikes = take.grf_n[:, :, 2].sum(axis=1) / weight_n(take), seen.strikes
    rows = [(take.time_s > a) & (take.time_s <= b) for a, b in pairwise(strikes)]
    slips = [max((s.slip_m for s in stance_slips(take) if a <= s.start_s < b), default=0.0) for a, b in pairwise(strikes)]
    inside = (take.time_s > strikes[0]) & (take.time_s <= strikes[-1])
    return {"peak_mg": float(np.mean([vertical[r].max() for r in rows])), "fz_mg": float(vertical[inside].mean()),
            "slip_mm": 1e3 * float(np.mean(slips))}


def gait_shot(case: Case, args: argparse.Namespace, name: str, seconds: float, speed_m_s: float | None = None) -> Shot:
    """A gait, as the suite's options have it."""
    motion = Gait(name=name, speed_m_s=speed_m_s, law=args.gait_law, style=style_from(args.style))
    body = BodySpec(height_m=args.height, mass_kg=args.mass) if args.height else BodySpec()
    return Shot(world=load_world(case.world or "earth"), motion=motion, duration_s=seconds, seed=args.seed, noise=args.noise,
                body=body, gains=read_settings(args.setting) or None)


def walk(case: Case, args: argparse.Namespace) -> Figures:
    """A walk in a world."""
    take, figures = simulated(gait_shot(case, args, "walk", args.seconds, case.what), case, args)
    if take.fell:
        return figures
    seen = seen_take(take)
    return figures | swayed(seen) | forces(take, seen) | varied(seen) | {"path_cm": 100.0 * float(np.abs(
        uniform_filter1d(take.com_m[:, 1], round(1.0 / (seen.time_s[1] - seen.time_s[0])))).max())} | knee(seen)


def stance(case: Case, args: argparse.Namespace) -> Figures:
    """A walk on Earth at a speed."""
    take, figures = simulated(gait_shot(case, args, "walk", 0.4 * args.seconds, case.what), case, args)
    if take.fell:
        return figures
    seen = seen_take(take)
    return figures | knee(seen) | forces(take, seen)


def run(case: Case, args: argparse.Namespace) -> Figures:
    """A run on Earth."""
    take, figures = simulated(gait_shot(case, args, "run", 0.4 * args.seconds), case, args)
    return figures if take.fell else figures | forces(take, seen_take(take))


def lope(case: Case, args: argparse.Namespace) -> Figures:
    """A gait with flights: how far it rises after toe-off [cm], the leg that takes off [deg], and flight time over 2 v / g."""
    take, figures = simulated(gait_shot(case, args, case.what, args.seconds), case, args)
    if take.fell:
        return figures
    body, seen, rises, thighs, legs = take.body, seen_take(take), [], [], {"knee": [], "ankle": []}
    all_of_them = flights(take)
    for flight in all_of_them:
        rows = slice(*np.searchsorted(take.time_s, [flight.start_s, flight.end_s]))
        rises.append(take.com_m[rows, 2].max() - take.com_m[rows.start, 2])
        side = min(SIDES, key=lambda s: min(abs(end - flight.start_s) for _, end in seen.stances[s]))
        thigh = matrix_from_quat(take.segment_poses[1][rows.start, body.index[f"thigh_{side}"]])
        thighs.append(np.degrees(plane_angle(-thigh[0, 2], thigh[2, 2])))
        for joint, values in legs.items():
            values.append(seen.angles[side][joint][rows.start])
    return figures | {"rise_cm": 100.0 * float(np.mean(rises)), "thigh_deg": float(np.mean(thighs)),
                      "knee_deg": float(np.mean(legs["knee"])), "plantar_deg": -float(np.mean(legs["ankle"])),
                      "over_ballistic": float(np.mean([f.over_ballistic for f in all_of_them]))} | forces(take, seen)


def followed(case: Case, args: argparse.Namespace, world: str) -> tuple[Take, Figures]:
    """A clip followed in a world, again and again."""
    motion = Clip(str(CLIPS / f"{case.what}.bvh"), repeat=True)
    return simulated(Shot(world=load_world(world), motion=motion, duration_s=0.4 * args.seconds), case, args)


def follow(case: Case, args: argparse.Namespace) -> Figures:
    """Weight shift of a followed clip, its clip's, and one over the other."""
    take, figures = followed(case, args, "earth")
    if take.fell:
        return figures
    own, clip = swayed(seen_take(take)), swayed(seen_clip(CLIPS / f"{case.what}.bvh"))
    return figures | own | {f"clip_{name}": value for name, value in clip.items()} | {
        f"{name[:-3]}_over_clip": own[name] / clip[name] for name in own}


def moon(case: Case, args: argparse.Namespace) -> Figures:
    """A clip on the Moon: how far its curves are from the same clip's on Earth at equal phase [deg RMS]."""
    (here, figures), (there, _) = followed(case, args, "moon"), followed(case, args, "earth")
    if here.fell or there.fell:
        return figures
    one, other = seen_take(here), seen_take(there)
    apart = [one.curves(one.angles[side][joint], side).mean(axis=0) - other.curves(other.angles[side][joint], side).mean(axis=0)
             for side in SIDES for joint in JOINTS]
    return figures | {"apart_deg": float(np.sqrt(np.mean(np.square(apart)))), **forces(here, one),
                      "time_over_earth": float(np.diff(one.strikes).mean() / np.diff(other.strikes).mean())}


def spikes(case: Case, args: argparse.Namespace) -> Figures:
    """The hardest jerk of all joints but the toes, which few clips have, of a followed clip and of the clip, over what 99 % of it
    stay below."""
    shot = Shot(motion=Clip(str(CLIPS / f"{case.what}.bvh")))
    take, figures = simulated(shot, case, args)
    if take.fell:
        return figures
    clip = followed_clip(shot.motion, take.body)
    step_s = float(take.time_s[1] - take.time_s[0])
    joints = [i for i, name in enumerate(take.body.joint_segments) if not name.startswith("toes")]
    jerks = joint_acceleration(take.joint_quaternions, step_s, FRAME_S, joints)[:round(clip.duration_s / step_s)]
    own = joint_acceleration(clip.joint_quaternions, clip.step_s, FRAME_S, joints)
    usual, at = float(np.percentile(own, 99.0)), int(np.where(take.time_s[:len(jerks)] < SPIKES_AFTER_S, 0.0, jerks).argmax())
    return figures | {"over_p99": float(jerks[at]) / usual, "clip_over_p99": float(own.max()) / usual,
                      "at_s": float(take.time_s[at])}


def clips(args: argparse.Namespace) -> Iterator[tuple[str, str]]:
    """Clips that are followed."""
    yield from ((name, name) for name in FOLLOWED)
    yield from ((f"{name} *", name) for name in HELD_BACK)


def options(parser: argparse.ArgumentParser) -> None:
    """The suite's own."""
    parser.add_argument("--seconds", type=float, default=60.0, help="of walks and lopes; knees and runs take 0.4 of it")
    parser.add_argument("--setting", action="append", default=[], metavar="GROUP.NAME=VALUE")
    parser.add_argument("--style", action="append", default=[], metavar="NAME=VALUE")
    parser.add_argument("--gait-law", default=PEOPLE, help="default: %(default)s")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--noise", type=float, default=0.0, help="of the start's velocities")
    parser.add_argument("--height", type=float, help="of another body [m]")
    parser.add_argument("--mass", type=float, help="of it [kg]")


VARIED = {"time_cv": within(2.0, 3.0), "length_cv": within(2.0, 4.0), "width_sd_cm": within(1.5, 3.0), "again": at_least(0.0),
          "sides_deg": within(2.0, 6.0), "head_deg": within(4.0, 9.0), "path_cm": at_most(5.0)}
GROUND = {"fz_mg": within(0.997, 1.003), "slip_mm": at_most(10.0)}
KNEE = {"strike_deg": within(0.0, 8.0), "peak_deg": within(14.0, 22.0), "at_percent": within(10, 15), "again_deg": at_most(2.5)}
SUITE = Suite({
    "walk": Table(lambda args: [("1.3 m/s", 1.3)], walk, {**STANDS, **VARIED, **GROUND, "com_cm": within(3.5, 6.0),
                                                          "peak_mg": within(1.15, 1.4)}, worlds=("earth",), crossed=True),
    "light": Table(lambda args: [("walk", None)], walk, {**STANDS, **VARIED, **GROUND, "pelvis_cm": at_least(5.0)},
                   worlds=("moon",)),
    "other": Table(lambda args: [("walk", None)], walk, {**STANDS, **VARIED, **GROUND}, worlds=("mars", "jupiter")),
    "knee": Table(lambda args: SPEEDS, stance, {**STANDS, **KNEE},
                  worlds=("earth",)),
    "run": Table(lambda args: [("run", None)], run, {**STANDS, "peak_mg": within(2.2, 2.8)}, worlds=("earth",)),
    "lope": Table(lambda args: [("lope", "lope")], lope, {
        **STANDS, "rise_cm": at_least(8.0), "thigh_deg": at_most(-20.0), "knee_deg": at_most(25.0), "plantar_deg": at_least(10.0),
        "over_ballistic": within(0.99, 1.01)}, worlds=("moon",)),
    "follow": Table(clips, follow, {**STANDS, **{f"{what}_over_clip": within(0.8, 1.2) for what in ("com", "pelvis", "width")},
                                    "width_cm": at_least(0.0)}, crossed=False),
    "spikes": Table(lambda args: [(name, name.rstrip(" *")) for name in MOTIONS], spikes,
                    {**STANDS, "over_p99": at_most(1.5)}, crossed=False),
    "moon": Table(clips, moon, {**STANDS, "apart_deg": at_least(8.0), "slip_mm": at_most(6.0)}, crossed=False),
}, options, {"seconds": 15.0, "tables": ["walk", "knee"]}, worlds=("earth",), takes=True)
